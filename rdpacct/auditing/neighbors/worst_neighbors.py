"""The worst pair of neighbors that a counted search finds, for any score of pairs."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rdpacct.auditing.neighbors.drawn import DataSets, DrawnData, drawn_data
from rdpacct.auditing.neighbors.pair import RandomChanges, RecordPair
from rdpacct.auditing.neighbors.shrinking import shrunk
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten, whole
from rdpacct.privacy.relation import Relation

ScoreFunction: TypeAlias = Callable[[Any, Any], Any]
"""A function of two neighbors, the larger the worse; None for a pair that does not count."""
Allowed: TypeAlias = Callable[[Any], bool]
KEPT = 6
"""The number of the worst pairs that are changed further."""
STARTS = 4
"""One step in this many draws a new pair."""
MOST_STEPS = 10**7
LARGEST_SEED = 2**64


@dataclass(frozen=True)
class WorstNeighbors:
    """Two neighbors with the largest score that was found, made small."""

    first: Any
    second: Any
    score: Any
    steps: int
    """How many pairs were scored."""
    refused: int
    """How many of these had no score, since the score failed or gave None."""

    def __str__(self) -> str:
        lines = [f"score {shorten(str(self.score))}", str(self.first), str(self.second)]
        steps = f"after {self.steps} pairs"
        if self.refused:
            steps += f", of which {self.refused} had no score"
        return "\n  ".join([*lines, steps])


def worst_neighbors(
    score: ScoreFunction,
    data: DataSets,
    relation: Relation | str,
    *,
    steps: int = 1000,
    seed: int = 0,
    allowed: Allowed | None = None,
    null: Any = None,
) -> WorstNeighbors:
    """The pair of neighbors with the largest ``score(x, x_neighbor)`` that a search finds.

    ``data`` is a strategy of hypothesis for sequences of records, or a function from
    ``random.Random`` to one. Pairs are drawn, and the worst are changed: records for others that
    were drawn, more or fewer of them, in another order. The search scores ``steps`` pairs. Then
    the worst is made small, with at most as many pairs again. ``allowed(data_set)`` says which data
    sets count; with it, numbers are rounded too. The same seed gives the same pair.
    For ``zero_out``, ``null`` is the null record.
    """
    count = whole(steps, "the number of steps", 1, MOST_STEPS)
    start = whole(seed, "the seed", 0, LARGEST_SEED)
    if not callable(score):
        raise InputError(
            f"the score is {shorten(repr(score))}; give a function of two data sets."
        )
    named = relation if isinstance(relation, Relation) else Relation.named(relation)
    drawn = drawn_data(data, max(count // STARTS, 1), start)
    if named is Relation.ZERO_OUT and null is None:
        raise InputError(
            "zero_out puts a null record in the place of a record; say which it is,"
            " such as null=0."
        )
    search = NeighborSearch(score, drawn, named, allowed, null)
    search.climb(count, random.Random(start))
    return search.smallest(2 * count)


@dataclass
class NeighborSearch:
    """A search that is under way: the worst pairs so far, and what was counted."""

    score: ScoreFunction
    drawn: DrawnData
    relation: Relation
    allowed: Allowed | None
    null: Any
    steps: int = 0
    refused: int = 0
    failure: str = "the score gave None"
    best: list[tuple[Any, RecordPair]] = field(default_factory=list)

    def climb(self, steps: int, rng: random.Random) -> None:
        """Draw pairs, and change the worst."""
        changes = RandomChanges(self.drawn, self.relation, self.null, rng)
        rows = [row for row in self.drawn.rows if row]
        while self.steps < steps:
            fresh = self.steps % STARTS == 0 and self.steps // STARTS < len(rows)
            if fresh or not self.best:
                pair = changes.start(rows[self.steps // STARTS % len(rows)])
            else:
                pair = changes.changed(rng.choice(self.best)[1])
            self._keep(pair)
        if not self.best:
            raise InputError(
                f"none of {self.steps} pairs has a score ({self.failure}); give a score"
                " and data sets for which it is defined."
            )

    def smallest(self, most: int) -> WorstNeighbors:
        """The worst pair, made small within a limit of scored pairs, and worse where one other
        record makes a small pair worse.
        """
        worst, pair = self.best[0]
        while True:
            pair = self._shrunk(pair, worst, most)
            worse = self._worse(pair, worst, most)
            if worse is None:
                break
            worst, pair = worse
        first, second = map(self.drawn.rebuild, pair.rows())
        score = self._scored(pair)
        return WorstNeighbors(first, second, score, self.steps, self.refused)

    def _shrunk(self, pair: RecordPair, worst: Any, most: int) -> RecordPair:
        def is_as_bad(smaller: RecordPair) -> bool:
            if self.steps >= most:
                return False
            score = self._scored(smaller)
            return score is not None and bool(score >= worst)

        records = self.drawn.records
        free = self.allowed is not None
        return shrunk(pair, is_as_bad, records, self.drawn.smallest, free)

    def _worse(
        self, pair: RecordPair, worst: Any, most: int
    ) -> tuple[Any, RecordPair] | None:
        """The first pair with one other record that is worse, if there is one."""
        for other in pair.with_others(self.drawn.records):
            if self.steps >= most:
                return None
            score = self._scored(other)
            if score is not None and bool(score > worst):
                return score, other
        return None

    def _keep(self, pair: RecordPair) -> None:
        score = self._scored(pair)
        if score is None or pair.key() in {kept.key() for _, kept in self.best}:
            return
        place = sum(bool(kept > score) for kept, _ in self.best)
        self.best.insert(place, (score, pair))
        del self.best[KEPT:]

    def _scored(self, pair: RecordPair) -> Any:
        """The score of a pair; None if it has none."""
        self.steps += 1
        first, second = map(self.drawn.rebuild, pair.rows())
        if self.allowed is not None and not (
            self.allowed(first) and self.allowed(second)
        ):
            return None
        try:
            score = self.score(first, second)
            has_none = score is None or bool(score != score)
        except Exception as error:
            self.refused += 1
            self.failure = f"{type(error).__name__}: {error}"
            return None
        if has_none:
            self.refused += 1
            return None
        return score
