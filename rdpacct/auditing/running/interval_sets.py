"""Unions of intervals of a score in which one input falls more often than the other.

No threshold separates laws whose likelihood ratio rises and falls, such as those of noise of two
sizes. The intervals are chosen on one half of the pilot and counted on the other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.auditing.running.scores import Score

INTERVALS = 24
LEAST_OUTPUTS = 400
"""Intervals are tried if a half pilot has at least this many outputs."""
GROWTHS = (1.0, 2.0, 4.0)
"""The intervals of a union are those whose odds between the inputs are at least one of these."""
SHOWN = 3


@dataclass(frozen=True)
class InIntervals:
    """The outputs whose score is in one of some intervals, each without its lower end."""

    score: Score
    ends: tuple[float, ...]
    """All lower and upper ends in turn, from below; the first may be minus infinity and the last
    infinity.
    """

    def among(self, scores: Array) -> Array:
        """For each score, whether the event happened."""
        np = load()
        return np.searchsorted(np.array(self.ends), scores, side="left") % 2 == 1

    def __str__(self) -> str:
        pairs = list(zip(self.ends[::2], self.ends[1::2], strict=True))
        shown = " or ".join(f"in ({low!r}, {high!r}]" for low, high in pairs[:SHOWN])
        more = f" or in {len(pairs) - SHOWN} others" if len(pairs) > SHOWN else ""
        return f"{self.score} is {shown}{more}"


def interval_sets(
    np: Any, score: Score, values: tuple[Array, Array]
) -> Iterator[tuple[InIntervals, int, int]]:
    """Unions of two or more intervals, with their hits as if all of the pilot had been counted."""
    trials = len(values[0])
    half = trials // 2
    if half < LEAST_OUTPUTS:
        return
    choosing = [each[:half] for each in values]
    pooled = np.sort(np.concatenate(choosing))
    cuts = np.unique(
        pooled[np.linspace(0, 2 * half - 1, INTERVALS + 1).astype(int)[1:-1]]
    )
    counts = [
        np.bincount(np.searchsorted(cuts, each, side="left"), minlength=len(cuts) + 1)
        for each in choosing
    ]
    edges = [-np.inf, *map(float, cuts), np.inf]
    for likely, rare in ((counts[0], counts[1]), (counts[1], counts[0])):
        for growth in GROWTHS:
            ends = _ends(edges, likely > growth * (rare + 0.5))
            if len(ends) > 2:
                event = InIntervals(score, ends)
                shares = [float(event.among(each[half:]).mean()) for each in values]
                first, second = (round(share * trials) for share in shares)
                yield event, first, second


def _ends(edges: list[float], chosen: Any) -> tuple[float, ...]:
    """The ends of the union of the chosen intervals; neighbors are joined."""
    ends: list[float] = []
    for place, taken in enumerate(chosen):
        if not taken:
            continue
        if ends and ends[-1] == edges[place]:
            ends[-1] = edges[place + 1]
        else:
            ends += [edges[place], edges[place + 1]]
    return tuple(ends)
