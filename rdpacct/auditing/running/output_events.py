"""Events of outputs: one side of a threshold of a score, some values of it, or some categories."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.auditing.running.interval_sets import InIntervals
from rdpacct.auditing.running.outputs import Outputs
from rdpacct.auditing.running.scores import RowCode, Score, row_codes
from rdpacct.exact.number import shorten

SHOWN = 6
"""The number of categories that a description names."""


@dataclass(frozen=True)
class OneSide:
    """The outputs whose score is on one side of a threshold."""

    score: Score
    threshold: float
    above: bool

    def among(self, scores: Array) -> Array:
        """For each score, whether the event happened."""
        if self.above:
            return scores > self.threshold
        return scores <= self.threshold

    def __str__(self) -> str:
        side = "above" if self.above else "at most"
        return f"{self.score} is {side} {self.threshold!r}"


@dataclass(frozen=True)
class OneValue:
    """The outputs whose score has one value, or has it not."""

    score: Score
    value: float
    there: bool = True

    def among(self, scores: Array) -> Array:
        """For each score, whether the event happened."""
        if self.there:
            return scores == self.value
        return scores != self.value

    def __str__(self) -> str:
        return f"{self.score} is {'' if self.there else 'not '}{self.value!r}"


@dataclass(frozen=True)
class SomeValues:
    """The outputs whose score has one of some values."""

    score: Score
    values: frozenset[float]

    def among(self, scores: Array) -> Array:
        """For each score, whether the event happened."""
        np = load()
        return np.isin(scores, np.fromiter(self.values, dtype=float))

    def __str__(self) -> str:
        return f"{self.score} is one of {_listed(map(repr, sorted(self.values)))}"


@dataclass(frozen=True)
class SomeRows:
    """The outputs that are one of some vectors, as told by their codes."""

    rows: frozenset[tuple[float, ...]]

    @property
    def score(self) -> RowCode:
        """By which outputs are compared with the vectors."""
        return RowCode()

    def among(self, scores: Array) -> Array:
        """For each code, whether the event happened."""
        np = load()
        return np.isin(scores, row_codes(np.array(list(self.rows))))

    def __str__(self) -> str:
        names = sorted(f"[{', '.join(map(str, row))}]" for row in self.rows)
        return f"an output is {'one of ' if len(names) > 1 else ''}{_listed(names)}"


@dataclass(frozen=True)
class OneOf:
    """The outputs that are one of some categories, or none of them."""

    categories: frozenset[Any]
    there: bool = True

    def hits(self, outputs: Outputs) -> int:
        """How many outputs are in the event."""
        seen = sum(map(self.categories.__contains__, outputs.values))
        return seen if self.there else len(outputs) - seen

    def __str__(self) -> str:
        some = "one of " if len(self.categories) > 1 else ""
        names = _listed(sorted(map(repr, self.categories)))
        return f"an output is {'' if self.there else 'not '}{some}{names}"


def _listed(names: Iterable[str]) -> str:
    """The first names, and how many others there are."""
    known = [shorten(name) for name in names]
    more = f" and {len(known) - SHOWN} others" if len(known) > SHOWN else ""
    return ", ".join(known[:SHOWN]) + more


OutputEvent = OneSide | OneValue | SomeValues | SomeRows | InIntervals | OneOf


def count_hits(events: Sequence[OutputEvent], outputs: Outputs) -> list[int]:
    """How often each event happened; each score is worked out once."""
    np = load()
    known: dict[Score, Array] = {}
    counts = []
    for event in events:
        if isinstance(event, OneOf):
            counts.append(event.hits(outputs))
            continue
        if event.score not in known:
            known[event.score] = event.score.of(outputs)
        counts.append(int(np.count_nonzero(event.among(known[event.score]))))
    return counts
