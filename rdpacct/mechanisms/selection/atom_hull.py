"""The least law that dominates several losses of finitely many atoms each, which has atoms itself.

A pair has a test curve: for each event that tells best, its masses under Q and under P. The least
law that dominates several pairs has the concave hull of their curves.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from rdpacct.exact.formula import ONE, ZERO, Expr
from rdpacct.exact.functions import log
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import built_by, by

BITS = 256
"""The precision of the comparisons."""
HullPoint = tuple[Expr, Expr]
"""The masses of an event under Q and under P."""
ALL: HullPoint = (ONE, ONE)


@by("profile/highest")
def law_through(corners: Sequence[HullPoint]) -> PrivacyLoss:
    """The law whose test curve has these corners: the first is above 0, the last has all of both
    laws, and each edge is an outcome.
    """
    (first, infinite), *_ = corners
    if first != ZERO:
        corners = [(ZERO, ZERO), *corners]
        infinite = ZERO
    atoms = []
    for (q, p), (other_q, other_p) in pairwise([*corners, ALL]):
        mass = other_p - p
        if mass != ZERO:
            atoms.append(Atom(mass, other_q - q, log(mass / (other_q - q))))
    unseen = 1 - corners[-1][0] if corners[-1][1] == ONE else ZERO
    return PrivacyLoss(tuple(atoms), infinite, unseen, rests_on=built_by())


def least_of_atoms(losses: Sequence[PrivacyLoss]) -> PrivacyLoss | None:
    """The least law that dominates several losses; None if one has other parts than atoms, or a
    corner is not decided.
    """
    points: list[HullPoint] = []
    for loss in losses:
        curve = _curve(loss)
        if curve is None:
            return None
        points += curve
    corners = _hull(points)
    kept = [(ZERO, ZERO), *corners, ALL]
    if not all(_not_above(point, kept) for point in points if point not in kept):
        return None
    if not all(_turns(*three) for three in zip(kept, kept[1:], kept[2:], strict=False)):
        return None
    return law_through(corners)


def _curve(loss: PrivacyLoss) -> list[HullPoint] | None:
    """The corners of the test curve of a loss, without its two ends."""
    atoms = [part for part in loss.parts if isinstance(part, Atom)]
    if len(atoms) < len(loss.parts):
        return None
    atoms.sort(key=lambda atom: -float(atom.loss.ball(BITS)))
    corners = [(ZERO, loss.at_infinity)] if loss.at_infinity != ZERO else []
    q, p = ZERO, loss.at_infinity
    for atom in atoms:
        q, p = q + atom.q, p + atom.p
        corners.append((q, p))
    if loss.unseen == ZERO:
        corners.pop()
    elif corners:
        corners[-1] = (1 - loss.unseen, ONE)
    return corners


def _hull(points: Sequence[HullPoint]) -> list[HullPoint]:
    """The corners of the concave hull between (0, 0) and (1, 1), as doubles see them."""
    planned = sorted((_about(point), k) for k, point in enumerate(points))
    hull: list[tuple[tuple[float, float], int | None]] = [((0.0, 0.0), None)]
    for spot, k in [*planned, ((1.0, 1.0), None)]:
        while len(hull) > 1 and _cross(hull[-2][0], hull[-1][0], spot) >= 0:
            hull.pop()
        hull.append((spot, k))
    return [points[k] for _, k in hull if k is not None]


def _about(point: HullPoint) -> tuple[float, float]:
    q, p = (float(mass.ball(BITS)) for mass in point)
    return q, p


def _cross(
    first: tuple[float, float], middle: tuple[float, float], last: tuple[float, float]
) -> float:
    """Positive where the middle point is below the chord of the others."""
    (x, y), (u, v), (s, t) = first, middle, last
    return (t - y) * (u - x) - (v - y) * (s - x)


def _turns(first: HullPoint, middle: HullPoint, last: HullPoint) -> bool:
    """Whether the middle point is certainly above the chord of the others."""
    return (-_room(first, middle, last)).ball(BITS).certainly_positive()


def _not_above(point: HullPoint, corners: Sequence[HullPoint]) -> bool:
    """Whether a point is certainly below an edge of the curve through some corners, as it spans
    the point.
    """
    spot, _ = _about(point)
    for first, last in pairwise(corners):
        low, high = _about(first)[0], _about(last)[0]
        if low - math.ulp(1.0) <= spot <= high + math.ulp(1.0):
            below = _room(first, point, last).ball(BITS)
            if below.certainly_positive():
                return True
    return False


def _room(first: HullPoint, middle: HullPoint, last: HullPoint) -> Expr:
    """Positive where the middle point is below the line through the others."""
    (x, y), (u, v), (s, t) = first, middle, last
    return (t - y) * (u - x) - (v - y) * (s - x)


def chosen_from(
    law: PrivacyLoss, pairs: tuple[Direction, ...], rests_on: frozenset[str]
) -> Direction:
    """The direction of a release with this least law of its pairs, some of which are given."""
    last = replace(law.direction(), loss=law)
    return replace(last, below=pairs, last=last, rests_on=last.rests_on | rests_on)
