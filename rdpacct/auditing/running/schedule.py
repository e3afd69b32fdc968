"""When an audit looks at its wealth and when it chooses events: fixed by the number of trials."""

from dataclasses import dataclass
from fractions import Fraction

FIRST = 16
"""The trials of the first pilot, or up to twice as many."""
LARGEST = 2**17
"""The most trials of a chunk, so that memory stays bounded."""
STEP = 8
"""The last stage starts after this part of all trials, and a chunk has this part of those before
it.
"""
APART = 3
"""Each stage starts this many times as late as the one before."""
LATEST = 2**18
"""The latest trial at which events are chosen."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive trials with a generator of their own."""

    index: int
    start: int
    size: int

    @property
    def end(self) -> int:
        return self.start + self.size


@dataclass(frozen=True, slots=True)
class Stage:
    """Chunks with the same bets; new ones are chosen at its start, with a share of the wealth."""

    share: Fraction
    chunks: tuple[Chunk, ...]

    @property
    def start(self) -> int:
        return self.chunks[0].start


@dataclass(frozen=True, slots=True)
class Schedule:
    """The pilot, whose trials choose the first events and are not bet on, and the stages."""

    pilot: tuple[Chunk, ...]
    stages: tuple[Stage, ...]


def sequential(trials: int) -> Schedule:
    """Stages that start later and later, and chunks that grow with the trials before them."""
    starts = [_last_start(trials)]
    while starts[0] >= 2 * FIRST:
        starts.insert(0, max(starts[0] // APART, FIRST))
    pilot = _chunks(0, 0, starts[0])
    bounds = [*starts, trials]
    stages = []
    index = len(pilot)
    for share, start, end in zip(_shares(len(starts)), starts, bounds[1:], strict=True):
        chunks = _chunks(index, start, end)
        index += len(chunks)
        stages.append(Stage(share, chunks))
    return Schedule(pilot, tuple(stages))


def fixed(trials: int) -> Schedule:
    """A pilot, and one stage."""
    pilot = _chunks(0, 0, _last_start(trials))
    rest = _chunks(len(pilot), pilot[-1].end, trials)
    return Schedule(pilot, (Stage(Fraction(1), rest),))


def _last_start(trials: int) -> int:
    return max(min(trials // STEP, LATEST), 1)


def _shares(count: int) -> list[Fraction]:
    """The last stage has a half, the others share the rest."""
    if count == 1:
        return [Fraction(1)]
    return [*([Fraction(1, 2 * (count - 1))] * (count - 1)), Fraction(1, 2)]


def _chunks(index: int, start: int, end: int) -> tuple[Chunk, ...]:
    chunks = []
    while start < end:
        size = min(max(start // STEP, FIRST // 2), LARGEST, end - start)
        chunks.append(Chunk(index, start, size))
        index += 1
        start += size
    return tuple(chunks)
