"""Finite pairs by their ROC curves: the masses of each best test under both laws.

The profile of a pair at g is the largest P - g Q over the points of its curve. So the largest of several profiles is
that of the concave hull of all their points, which is the curve of the least pair that dominates them.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from rdpacct.provenance import by

Table = Sequence[tuple[Fraction, Fraction]]
"""The probabilities of each output under P and Q."""
Merged = tuple[tuple[Fraction, Fraction], ...]
"""The same by falling p/q, with one entry for each ratio; first, if there is mass at infinity, an entry with q = 0."""
Curve = list[tuple[Fraction, Fraction]]
"""Masses under Q and under P, from (0, 0) on."""


def merged(table: Table) -> Merged:
    """The outputs of each ratio as one, without those that P never gives."""
    masses: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for p, q in table:
        if p:
            one, two = masses.get(q / p, (Fraction(0), Fraction(0)))
            masses[q / p] = (one + p, two + q)
    return tuple(masses[ratio] for ratio in sorted(masses))


def curve(table: Merged) -> Curve:
    """The corners of the ROC curve."""
    points = [(Fraction(0), Fraction(0))]
    for p, q in table:
        points.append((points[-1][0] + q, points[-1][1] + p))
    return points


@by("composition/finite-choice")
def concave_hull(points: Iterable[tuple[Fraction, Fraction]]) -> Curve:
    """The corners, from the left, of the least concave curve that no point is above and that does not fall."""
    hull: Curve = []
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
    before: tuple[Fraction, Fraction], middle: tuple[Fraction, Fraction], after: tuple[Fraction, Fraction]
) -> bool:
    """Whether the middle point is above the chord of the other two."""
    (x, y), (u, v), (s, t) = before, middle, after
    return (v - y) * (s - x) > (t - y) * (u - x)


def least_pair(tables: Sequence[Merged]) -> Merged:
    """The least pair that dominates all."""
    hull = concave_hull(point for table in tables for point in curve(table))
    start = [(Fraction(0), Fraction(0))] if hull[0][1] else []
    return tuple((t - y, s - x) for (x, y), (s, t) in pairwise([*start, *hull]))


def dominates(first: Merged, second: Merged) -> bool:
    """Whether the curve of the first is nowhere below that of the second."""
    upper, k = curve(first), 0
    for x, y in curve(second):
        while k + 1 < len(upper) and upper[k + 1][0] < x:
            k += 1
        if k + 1 == len(upper):
            highest = upper[k][1]
        else:
            (u, v), (s, t) = upper[k], upper[k + 1]
            highest = t if s == u else v + (t - v) * (x - u) / (s - u)
        if y > highest:
            return False
    return True


def not_dominated(tables: Sequence[Merged], most: int = 400) -> tuple[Merged, ...]:
    """The pairs without copies and without those that one of the first, the farthest from equality, dominates."""
    rows = sorted(set(tables), key=_distance, reverse=True)
    kept: list[Merged] = []
    for table in rows:
        if not any(dominates(other, table) for other in kept[:most]):
            kept.append(table)
    return tuple(kept)


def _distance(table: Merged) -> Fraction:
    return sum((p - q for p, q in table if p > q), start=Fraction(0))
