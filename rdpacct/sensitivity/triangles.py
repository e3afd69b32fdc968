"""The number of triangles of a graph, and its exact smooth sensitivity.

Neighbors differ in one edge, and one edge more or less changes the count by the number of common
neighbors of its ends. Within s changed edges two vertices with a common neighbors, and b vertices
that have one of them as a neighbor, get at most a + (s + min(s, b))/2 common neighbors, rounded
down.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import minimum
from rdpacct.exact.number import Number, shorten, whole
from rdpacct.privacy.relation import Relation
from rdpacct.provenance import by
from rdpacct.sensitivity.query import (
    DistanceOracle,
    Query,
    SmoothSensitivity,
    steps_of,
)

MOST_VERTICES = 5_000
Edges = Iterable[tuple[int, int]]


@dataclass(frozen=True)
class Triangles(Query):
    """The number of triangles of a graph on the vertices 0, ..., vertices - 1, given by its edges;
    the number of vertices is public.
    """

    vertices: int

    def __post_init__(self) -> None:
        count = whole(self.vertices, "the number of vertices", 2, MOST_VERTICES)
        object.__setattr__(self, "vertices", count)

    @property
    def relation(self) -> Relation:  # type: ignore[override]
        """One edge more or less."""
        return Relation.ADD_OR_REMOVE_ONE

    def value(self, data: Edges) -> int:
        joined = self._joined(data)
        paths = self._paths(joined) * joined
        return round(float(paths.sum(dtype=load().float64))) // 6

    def local_within(self, data: Edges, distance: int) -> int:
        return self._within(self._kinds(data), steps_of(distance))

    def farthest(self, data: Edges) -> int:  # noqa: ARG002
        return self.vertices * (self.vertices - 1) // 2

    def global_bound(self) -> int:
        return self.vertices - 2

    def whole(self) -> bool:
        return True

    def smooth(self, data: Edges, beta: Number) -> SmoothSensitivity:
        """From the kinds of pairs of vertices, which are counted once."""
        kinds = self._kinds(data)
        oracle = DistanceOracle(
            of=self.value,
            within=lambda _, distance: self._within(kinds, distance),
            reach=self.farthest,
            most=self.global_bound(),
        )
        return replace(oracle.smooth(data, beta), relation=self.relation)

    def _within(self, kinds: dict[int, int], distance: int) -> int:
        reached = partial(most_common, distance=distance)
        best = max(int(reached(a, b).bound().lower) for a, b in kinds.items())
        return min(best, self.vertices - 2)

    def _kinds(self, data: Edges) -> dict[int, int]:
        """For each number of common neighbors that occurs, the most vertices beside a pair with so
        many that have one of the two as a neighbor.
        """
        np = load()
        joined = self._joined(data)
        paths = self._paths(joined)
        degrees = joined.sum(axis=0)
        either = degrees[:, None] + degrees[None, :] - 2 * paths - 2 * joined
        above = np.triu_indices(self.vertices, 1)
        common = np.rint(paths[above]).astype(int)
        beside = np.rint(either[above]).astype(int)
        most = np.zeros(self.vertices, dtype=int) - 1
        np.maximum.at(most, common, beside)
        return {int(a): int(most[a]) for a in np.flatnonzero(most >= 0)}

    def _paths(self, joined: Array) -> Array:
        """How many common neighbors each two vertices have: whole numbers below 2**24, exact in
        single precision.
        """
        return joined @ joined

    def _joined(self, data: Edges) -> Array:
        """The matrix of the graph."""
        np = load()
        joined = np.zeros((self.vertices, self.vertices), dtype=np.float32)
        if not isinstance(data, Iterable):
            raise InputError(
                f"the edges are {shorten(repr(data))}; give pairs such as (0, 1)."
            )
        for edge in data:
            first, second = self._ends(edge)
            joined[first, second] = joined[second, first] = 1
        return joined

    def _ends(self, edge: Any) -> tuple[int, int]:
        try:
            first, second = edge
            inside = 0 <= first < self.vertices and 0 <= second < self.vertices
        except (TypeError, ValueError):
            inside = False
        if (
            not inside
            or first == second
            or not (first == int(first) and second == int(second))
        ):
            raise InputError(
                f"an edge is {shorten(repr(edge))}, but must be two different vertices"
                f" from 0 to {self.vertices - 1}; give pairs such as (0, 1)."
            )
        return int(first), int(second)


@by("smooth/triangles")
def most_common(common: Real, beside: Real, distance: Real) -> Expr:
    """The most common neighbors of two vertices within a number of changed edges, before rounding
    down: each change completes one of those beside, and two changes make one anew.
    """
    return common + (distance + minimum(distance, formula(beside))) / 2
