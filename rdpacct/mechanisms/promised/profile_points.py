"""The worst pair of a promise that is given by points of its privacy profile.

A profile is convex in g = exp(epsilon), starts at 1 for g = 0 and never rises. A promise for both
directions at (epsilon, delta) bounds it at exp(-epsilon) as well. So the largest profile that keeps
every point is the lower convex hull of these dots, which is the profile of a pair with an atom at
each corner.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from rdpacct.exact.formula import ONE, ZERO, Expr, formula
from rdpacct.exact.functions import exp
from rdpacct.privacy.dominating import connect_the_dots
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.provenance import by

Dot = tuple[Expr, Expr, Fraction]
"""exp(epsilon), delta and epsilon."""
Corner = tuple[Expr, Expr, Fraction | None]
"""A dot, or the start of all profiles, which has no epsilon."""


@by("engine/connect-the-dots")
def least_law(
    points: Sequence[tuple[Fraction, Fraction]], both_ways: bool = True
) -> PrivacyLoss:
    """The loss of the pair that dominates every pair with these points, and has them itself.

    Where they bound one direction only, the pair has them in that direction.
    """
    infinite = formula(min(mass for _, mass in points))
    corners = _lower_hull(_dots(points, both_ways))
    if not corners:
        return PrivacyLoss((), at_infinity=ONE, unseen=ONE, symmetric=both_ways)
    unseen = infinite
    if not both_ways:
        growth, height, _ = corners[0]
        unseen = 1 - (1 - height) / growth
    return PrivacyLoss(_atoms(corners), infinite, unseen, symmetric=both_ways)


def _atoms(corners: Sequence[Dot]) -> tuple[Atom, ...]:
    masses = connect_the_dots([(growth, height) for growth, height, _ in corners])
    return tuple(
        Atom(p, q, formula(level))
        for (p, q), (_, _, level) in zip(masses, corners, strict=True)
    )


def _dots(points: Iterable[tuple[Fraction, Fraction]], both_ways: bool) -> list[Dot]:
    """The dots of one direction or of both, by rising epsilon."""
    dots = []
    for level, mass in points:
        dots.append((exp(level), formula(mass), level))
        if both_ways and level > 0:
            shrink = exp(-level)
            dots.append((shrink, 1 - shrink * (1 - mass), -level))
    return sorted(dots, key=lambda dot: dot[2])


def _lower_hull(dots: Sequence[Dot]) -> list[Dot]:
    """The corners of the largest convex function that never rises, is 1 at 0 and at most the height
    of each dot.
    """
    hull: list[Corner] = [(ZERO, ONE, None)]
    for dot in dots:
        if not _above(hull[-1][1], dot[1]):
            continue
        while len(hull) > 1 and not _turns_up(hull[-2], hull[-1], dot):
            hull.pop()
        hull.append(dot)
    return [
        (growth, height, level) for growth, height, level in hull if level is not None
    ]


def _above(first: Expr, second: Expr) -> bool:
    return (first - second).bound().certainly_above(0)


def _turns_up(before: Corner, middle: Corner, after: Corner) -> bool:
    """Whether the middle dot lies certainly below the chord of the other two."""
    (g, h, _), (f, k, _), (e, j, _) = before, middle, after
    return _above((j - h) * (f - g), (k - h) * (e - g))
