"""Finite pairs by their test curves: for each event that tells best, its masses under Q and under
P.

The profile of a pair at g is the largest P - g Q over the points of its curve. So the largest of
several profiles is that of the concave hull of all their points, which is the curve of the least
pair that dominates them.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from rdpacct.provenance import by

PairTable = Sequence[tuple[Fraction, Fraction]]
"""The probabilities of each output under P and Q."""
Merged = tuple[tuple[Fraction, Fraction], ...]
"""The same by falling p/q, with one entry for each ratio; first, if there is mass at infinity, an
entry with q = 0.
"""
TradeoffPoints = list[tuple[Fraction, Fraction]]
"""Masses under Q and under P, from (0, 0) on."""

PlannedPoints = list[tuple[float, float]]
"""The same in doubles."""
Scalar = TypeVar("Scalar", Fraction, float)

CLEARLY = 1e-12
"""A point is above a curve, as far as doubles say, if it is at least this far above."""
MOST_COMPARED = 40
"""Each pair is compared with at most this many others."""


def merged(table: PairTable) -> Merged:
    """The outputs of each ratio as one, without those that P never gives."""
    masses: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for p, q in table:
        if p:
            p_before, q_before = masses.get(q / p, (Fraction(0), Fraction(0)))
            masses[q / p] = (p_before + p, q_before + q)
    return tuple(masses[ratio] for ratio in sorted(masses))


def curve(table: Merged) -> TradeoffPoints:
    """The corners of the test curve."""
    points = [(Fraction(0), Fraction(0))]
    for p, q in table:
        points.append((points[-1][0] + q, points[-1][1] + p))
    return points


@by("composition/finite-choice")
def concave_hull(points: Iterable[tuple[Fraction, Fraction]]) -> TradeoffPoints:
    """The corners, from the left, of the least concave curve that no point is above and that does
    not fall.
    """
    hull: TradeoffPoints = []
    for point in sorted(points):
        while hull and point[0] == hull[-1][0]:
            hull.pop()
        if hull and point[1] <= hull[-1][1]:
            continue
        while len(hull) > 1 and not _turns_down(hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    return hull


def _turns_down(
    before: tuple[Fraction, Fraction],
    middle: tuple[Fraction, Fraction],
    after: tuple[Fraction, Fraction],
) -> bool:
    """Whether the middle point is above the chord of the other two."""
    (x, y), (u, v), (s, t) = before, middle, after
    return (v - y) * (s - x) > (t - y) * (u - x)


def least_pair(tables: Sequence[Merged]) -> Merged:
    """The least pair that dominates all."""
    hull = concave_hull(point for table in tables for point in curve(table))
    start = [(Fraction(0), Fraction(0))] if hull[0][1] else []
    return tuple((t - y, s - x) for (x, y), (s, t) in pairwise([*start, *hull]))


def dominates(first: TradeoffPoints, second: TradeoffPoints) -> bool:
    """Whether the first curve is nowhere below the second."""
    return _nowhere_below(first, second, Fraction(0))


def may_dominate(first: PlannedPoints, second: PlannedPoints) -> bool:
    """Whether doubles leave that open; a pair that is kept for nothing only takes time."""
    return _nowhere_below(first, second, CLEARLY)


def _nowhere_below(
    first: list[tuple[Scalar, Scalar]],
    second: list[tuple[Scalar, Scalar]],
    slack: Scalar,
) -> bool:
    """Whether the first curve is nowhere below the second by more than the slack."""
    k = 0
    for x, y in second:
        while k + 1 < len(first) and first[k + 1][0] < x:
            k += 1
        if y - slack > _height(first, k, x):
            return False
    return True


def _height(points: list[tuple[Scalar, Scalar]], k: int, x: Scalar) -> Scalar:
    """How high a curve is at x, which is not before its k-th point and not beyond the next one, if
    there is one.
    """
    if k + 1 == len(points):
        return points[k][1]
    (u, v), (s, t) = points[k], points[k + 1]
    return t if s == u else v + (t - v) * (x - u) / (s - u)


def not_dominated(tables: Sequence[Merged]) -> tuple[Merged, ...]:
    """The pairs without copies and without those that one of the first, the farthest from equality,
    dominates.
    """
    rows = sorted(set(tables), key=_distance, reverse=True)
    kept: list[Merged] = []
    curves: list[tuple[TradeoffPoints, PlannedPoints]] = []
    for table in rows:
        own = curve(table)
        planned = [(float(x), float(y)) for x, y in own]
        if not any(
            may_dominate(near, planned) and dominates(other, own)
            for other, near in curves
        ):
            kept.append(table)
            if len(curves) < MOST_COMPARED:
                curves.append((own, planned))
    return tuple(kept)


def _distance(table: Merged) -> Fraction:
    return sum((p - q for p, q in table if p > q), start=Fraction(0))
