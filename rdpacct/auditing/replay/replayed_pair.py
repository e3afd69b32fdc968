"""A run, its replay on the same data, and its replay on a neighbor."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.auditing.replay.compare import compare_calls, largest_square
from rdpacct.auditing.replay.declared import DeclaredNoise, draws
from rdpacct.auditing.replay.finding import FindingKind, NoiseFinding
from rdpacct.auditing.replay.noise_log import NoiseLog
from rdpacct.auditing.replay.outputs import (
    HIDDEN,
    compare_outputs,
    is_hidden,
    output_square,
    unseen,
)
from rdpacct.auditing.replay.recorded_runs import Noisy, record_noise, replay_noise
from rdpacct.exact.number import whole

MOST_RUNS = 10_000


@dataclass(frozen=True)
class ReplayedPair:
    """A run on one data set, replayed on its neighbor; ``other`` is None if the replay on the same
    data differs, so that nothing can be concluded.
    """

    log: NoiseLog
    other: NoiseLog | None

    def findings(self, declared: DeclaredNoise) -> Iterator[NoiseFinding]:
        """What differs between the two runs."""
        if self.other is None:
            return
        calls = compare_calls(self.log, self.other, declared)
        yield from calls
        yield from compare_outputs(self.log, self.other, declared, calls)
        made = draws(self.log)
        if declared.count is not None and len(made) > declared.count:
            text = f"{len(made)} draws, but sensitivities of {declared.count}"
            call = made[declared.count]
            yield NoiseFinding(FindingKind.UNDECLARED, text, call.index, call.place)

    def furthest(self, declared: DeclaredNoise) -> Fraction:
        """The largest square of a move, of a value or of an output whose noise was not followed,
        divided by that of its declared sensitivity if there is one.
        """
        if self.other is None:
            return Fraction(0)
        values = largest_square(self.log, self.other, declared)
        return max(values, output_square(self.log, self.other, declared))

    def notes(self) -> Iterator[str]:
        """What the replay could not see."""
        if self.other is None:
            yield HIDDEN
        yield from unseen(self.log, self.other or self.log)

    def missing(self) -> Iterator[str]:
        """What may be a release that is not in the plan of the recorded ones."""
        if self.other is None:
            yield "there is noise of another source"
        for call in self.log.others:
            if not call.selects:
                yield f"call {call.index} ({call.kind}, {call.place}) may be noise"


def replayed_pairs(
    mechanism: Noisy, x: Any, x_neighbor: Any, runs: int, seed: int, source: Any
) -> list[ReplayedPair]:
    """A number of runs with different noise, each replayed on the same data and on the neighbor."""
    pairs = list[ReplayedPair]()
    for run in range(whole(runs, "the number of runs", 1, MOST_RUNS)):
        log = record_noise(mechanism, x, seed=seed + run, source=source)
        again = replay_noise(mechanism, log, x, source=source)
        other = None
        if not is_hidden(log, again):
            other = replay_noise(mechanism, log, x_neighbor, source=source)
        pairs.append(ReplayedPair(log, other))
    return pairs
