"""The pairs of bounded range: the log ratios of a pair lie in an interval of length epsilon.

Two-point pairs are enough, with losses t and t - epsilon for 0 <= t <= epsilon. With v = exp(-t)
and c = exp(-epsilon) the mean of what follows is ((1 - c/v) h(g v) + (c/v - c) h(g v/c))/(1 - c).
Between two values of v each h lies below its chord, which bounds the mean on the whole cell. Cells
are halved where the bound matters.
"""

import heapq
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from rdpacct.exact.ball import RealBall
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import Expr, Rational, Scalar
from rdpacct.exact.raw import real
from rdpacct.privacy.constants import value
from rdpacct.privacy.family import Family, FamilyValue
from rdpacct.provenance import by
from rdpacct.work import spend

SMALLEST = 1e-100
"""Cells that begin nearer to 0 than this are not planned in doubles."""
FIRST_CELLS = 8
MOST_CELLS = 600
POINT_WORK = 16
"""The work of one of the choices."""
MOST_NODES = 200_000
"""How many nodes are remembered."""


class RangeNode(NamedTuple):
    """A value of v, v/c, and the masses under P of the losses t and t - epsilon."""

    v: RealBall
    other: RealBall
    up: RealBall
    down: RealBall
    planned: float


class NodeValues(NamedTuple):
    """The values at a node: h(g v), h(g v/c), the mean, and all of these in doubles with v."""

    high: RealBall
    low: RealBall
    mean: RealBall
    planned: tuple[float, float, float, float]


@dataclass(frozen=True)
class BoundedRangePairs(Family):
    """All pairs whose log ratios lie in an interval of length epsilon."""

    epsilon: Expr
    cost = 80.0

    def rational_range(self) -> Fraction | None:
        if isinstance(self.epsilon, Rational):
            return self.epsilon.value
        return None

    def reach(self) -> Fraction:
        return Fraction(self.epsilon.bound().upper)

    def infinite(self) -> RealBall:
        return real(0)

    @cached_property
    def _least(self) -> tuple[RealBall, float]:
        least = (-value(self.epsilon)).exp()
        return least, float(least)

    @cached_property
    def _nodes(self) -> dict[float, RangeNode]:
        return {}

    def first(self, g: RealBall) -> RealBall:
        c, _ = self._least
        if g < c:
            return 1 - g
        if g * c > 1:
            return real(0)
        value = one_release(c, (g * c).sqrt())
        return value if g > c else value.union(1 - g)

    def best(self, after: FamilyValue, g: RealBall, tolerance: float) -> RealBall:
        spend(POINT_WORK * (FIRST_CELLS + 1))
        points: dict[float, NodeValues] = {}
        places = [k / FIRST_CELLS for k in range(FIRST_CELLS + 1)]
        for place in places:
            points[place] = self._point(place, after, g)
        most = max(point.planned[3] for point in points.values())
        heap = [self._cell(points, *ends) for ends in pairwise(places)]
        heapq.heapify(heap)
        for _ in range(MOST_CELLS):
            bound, low, high = heap[0]
            if -bound <= most * (1 + tolerance):
                break
            spend(POINT_WORK)
            middle = (low + high) / 2
            points[middle] = self._point(middle, after, g)
            most = max(most, points[middle].planned[3])
            heapq.heapreplace(heap, self._cell(points, low, middle))
            heapq.heappush(heap, self._cell(points, middle, high))
        return self._certified(points, [(low, high) for _, low, high in heap])

    def _node(self, place: float) -> RangeNode:
        known = self._nodes.get(place)
        if known is not None:
            return known
        c, _ = self._least
        v = (-value(self.epsilon) * real(place)).exp()
        up, down = masses(c, v)
        node = RangeNode(v, v / c, up, down, float(v))
        if len(self._nodes) < MOST_NODES:
            self._nodes[place] = node
        return node

    def _point(self, place: float, after: FamilyValue, g: RealBall) -> NodeValues:
        node = self._node(place)
        high = after(g * node.v)
        low = after(g * node.other)
        mean = node.up * high + node.down * low
        return NodeValues(
            high, low, mean, (node.planned, float(high), float(low), float(mean))
        )

    def _cell(
        self, points: dict[float, NodeValues], low: float, high: float
    ) -> tuple[float, float, float]:
        """Minus the planned bound on the mean in a cell, with its ends."""
        (v, f, k, mean), (w, e, j, other) = points[low].planned, points[high].planned
        more = 1.0  # a mean is a probability
        if w > SMALLEST:
            more = bulge(self._least[1], w, e, j, v, f, k)
        return -max(mean, other) - max(more, 0.0), low, high

    def _certified(
        self, points: dict[float, NodeValues], cells: list[tuple[float, float]]
    ) -> RealBall:
        """A ball between the best mean that was found and the largest bound of a cell."""
        c, _ = self._least
        best = max((point.mean for point in points.values()), key=float)
        largest = best
        for low, high in cells:
            right = points[low]
            left = points[high]
            v = self._node(low).v
            w = self._node(high).v
            more = bulge(c, w, left.high, left.low, v, right.high, right.low)
            for point in (left, right):
                bound = point.mean + more if not more <= 0 else point.mean
                if not bound <= best:
                    largest = largest.union(bound)
        return largest


@by("exponential/worst-law")
def one_release(c: Scalar, root: Scalar) -> Scalar:
    """The largest delta of one release at c <= g <= 1/c, from the root of g c; balls or
    formulas.
    """
    return (1 - root) ** 2 / (1 - c)


@by("exponential/choice")
def masses(c: Scalar, v: Scalar) -> tuple[Scalar, Scalar]:
    """The masses under P of the losses -log v and -log v - epsilon; balls or formulas."""
    return (1 - c / v) / (1 - c), (c / v - c) / (1 - c)


@by("exponential/choice")
def bulge(
    c: Scalar,
    left: Scalar,
    high: Scalar,
    low: Scalar,
    right: Scalar,
    other_high: Scalar,
    other_low: Scalar,
) -> Scalar:
    """By how much the mean may exceed its larger value at the ends of a cell of v, if this is
    positive.

    The values of h(g v) and h(g v/c) are given at the left and the right end. Floats, balls or
    formulas.
    """
    gap = (high - low) * right - (other_high - other_low) * left
    return c * gap * (right - left) / (4 * left * left * left * (1 - c))
