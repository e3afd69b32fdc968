"""Events of outputs: one side of a threshold of a score, one value of it, or some categories."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.auditing.running.outputs import Outputs
from rdpacct.auditing.running.scores import Score
from rdpacct.exact.number import shorten

SHOWN = 6
"""How many categories a description names."""


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
class OneOf:
    """The outputs that are one of some categories, or none of them."""

    categories: frozenset[Any]
    there: bool = True

    def hits(self, outputs: Outputs) -> int:
        """How many outputs are in the event."""
        seen = sum(map(self.categories.__contains__, outputs.values))
        return seen if self.there else len(outputs) - seen

    def __str__(self) -> str:
        names = sorted(map(repr, self.categories))
        shown = ", ".join(shorten(name) for name in names[:SHOWN])
        more = f" and {len(names) - SHOWN} others" if len(names) > SHOWN else ""
        some = "one of " if len(names) > 1 else ""
        return f"an output is {'' if self.there else 'not '}{some}{shown}{more}"


Event = OneSide | OneValue | OneOf


def count_hits(events: Sequence[Event], outputs: Outputs) -> list[int]:
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
