"""What both methods of an audit share: the runner, the claim, and the trials so far."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rdpacct.arrays import load
from rdpacct.auditing.running.certificate import Audit
from rdpacct.auditing.running.claimed import Claimed
from rdpacct.auditing.running.output_events import OutputEvent
from rdpacct.auditing.running.outputs import OutputKind, Outputs, same_kind
from rdpacct.auditing.running.sampling import Runner, drawn, in_order, sampled
from rdpacct.auditing.running.schedule import Chunk
from rdpacct.errors import InputError

Progress = Callable[[int, int], object]
MOST_KEPT = 2**22
"""The most numbers of outputs that are kept for the choice of events, for each input."""


@dataclass
class Session:
    """An audit in progress."""

    runner: Runner
    claim: Claimed
    confidence: Fraction
    trials: int
    executor: Executor | None
    progress: Progress | None
    done: int = 0
    kept: list[tuple[Outputs, Outputs]] = field(default_factory=list)
    kept_numbers: int = 0

    @property
    def error(self) -> Fraction:
        return 1 - self.confidence

    @property
    def audit(self) -> Audit:
        """What a certificate says beside the evidence."""
        return Audit(self.claim, self.confidence, self.runner.seed)

    def draw(self, chunks: Sequence[Chunk]) -> Iterator[tuple[Chunk, Any]]:
        """The outputs of some chunks, which are kept for the choice of events."""
        for chunk, pair in in_order(drawn, self.runner, chunks, (), self.executor):
            self._check(pair)
            size = pair[0].length or 1
            if self.kept_numbers + len(pair[0]) * size <= MOST_KEPT or not self.kept:
                self.kept.append(pair)
                self.kept_numbers += len(pair[0]) * size
            self._advance(chunk)
            yield chunk, pair

    def count(
        self, chunks: Sequence[Chunk], events: Sequence[OutputEvent]
    ) -> Iterator[tuple[Chunk, tuple[int, ...]]]:
        """How often each event happened in some chunks: on x, then on the neighbor."""
        more = (tuple(events), self.kept[0][0].shape)
        for chunk, hits in in_order(sampled, self.runner, chunks, more, self.executor):
            self._advance(chunk)
            yield chunk, hits

    def pilot(self) -> tuple[Outputs, Outputs]:
        """All outputs that were kept, on each input."""
        return _joined([pair[0] for pair in self.kept]), _joined(
            [pair[1] for pair in self.kept]
        )

    def _check(self, pair: tuple[Outputs, Outputs]) -> None:
        if self.kept:
            same_kind(self.kept[0][0].shape, pair[0])

    def _advance(self, chunk: Chunk) -> None:
        if self.progress is not None:
            self.progress(chunk.end, self.trials)
        self.done = chunk.end

    def failed(self, error: InputError) -> InputError:
        """The error of a mechanism, with what was seen before it."""
        if not self.done:
            return error
        return InputError(
            f"{str(error).rstrip('.')} (the {self.done} trials before that did not refute"
            " the claim)."
        )


def _joined(parts: list[Outputs]) -> Outputs:
    first = parts[0]
    if first.kind is OutputKind.CATEGORY:
        values = [each for part in parts for each in part.values]
        return Outputs(first.kind, values)
    return Outputs(
        first.kind,
        load().concatenate([part.values for part in parts]),
        first.length,
    )
