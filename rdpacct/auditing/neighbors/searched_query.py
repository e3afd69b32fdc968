"""The largest move of a query between neighbors that a search finds: a lower bound on its
sensitivity.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.auditing.neighbors.drawn import DataSets
from rdpacct.auditing.neighbors.worst_neighbors import (
    Allowed,
    WorstNeighbors,
    worst_neighbors,
)
from rdpacct.auditing.replay.exact_values import moves
from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.exact.number import shorten
from rdpacct.privacy.relation import Norm, Relation


@dataclass(frozen=True)
class LargestMove:
    """The largest move of a query that was found, and the neighbors that it is between."""

    length: Bound
    """At least this is the sensitivity: the exact length as the lower end, and infinity."""
    norm: Norm
    pair: WorstNeighbors

    def __str__(self) -> str:
        moved = self.length.safe_below().short()
        return (
            f"the sensitivity in {self.norm} is at least {moved}\n  {self.pair.first}\n "
            f" {self.pair.second}\n  after {self.pair.steps} pairs"
        )


def largest_move(
    query: Callable[[Any], Any],
    data: DataSets,
    relation: Relation | str,
    *,
    norm: Norm = Norm.L1,
    steps: int = 1000,
    seed: int = 0,
    allowed: Allowed | None = None,
    null: Any = None,
) -> LargestMove:
    """How far ``query(data_set)`` moves between the worst neighbors that a search finds.

    The query gives a number, an array or a list of numbers, which are taken as the exact rationals
    that they are. ``worst_neighbors`` says how the search goes.
    """
    if not isinstance(norm, Norm):
        raise InputError(f"the norm is {shorten(repr(norm))}; give one of Norm.")

    def moved(first: Any, second: Any) -> Fraction | float | None:
        between = moves(query(first), query(second))
        if between is None:
            return None
        if math.inf in between:
            return math.inf
        return norm.square([Fraction(move) for move in between])

    pair = worst_neighbors(
        moved, data, relation, steps=steps, seed=seed, allowed=allowed, null=null
    )
    between = moves(query(pair.first), query(pair.second)) or []
    lower: Any = math.inf
    if pair.score != math.inf:
        exact = norm.length([Fraction(move) for move in between])
        lower = exact.bound().lower
    return LargestMove(Bound(lower, math.inf, "a pair of neighbors"), norm, pair)
