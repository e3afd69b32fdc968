"""The trade-off function at many false positive rates, from points of the profile that all of them
share.
"""

import math
from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound
from rdpacct.privacy.concave import LEVELS, Dot, highest_among
from rdpacct.privacy.tradeoff import (
    BITS,
    HOW,
    LOWEST,
    dot_of,
    end_dots,
    line_height,
    log_of,
)
from rdpacct.provenance import Asked, attempt, record

Planned: TypeAlias = tuple[float, float, float]
"""The level of a point in doubles, and about its growth and its 1 - delta."""
AROUND = ((-0.005, 0.005), (-2e-4, -6e-5, 6e-5, 2e-4))
"""The distances of points from a first guess, and from a second one."""
PER_RATE = 2
"""How many points are spread for each rate."""
APART, BESIDE_BEST = 0.004, 2
"""The least distance between the points of a guess, and how many there are on each side."""
WINDOW = 4
"""How many points on each side of the best one are looked at first."""
GOAL = Fraction(1, 2**24)
"""The two ends may differ by this share of the value, or of its distance to one: enough for a
curve.
"""


@dataclass(frozen=True, slots=True)
class ProfilePoint:
    """A point of the profile: its level epsilon, exp(epsilon), 1 - delta(epsilon), and what that
    rests on.
    """

    level: float
    growth: Ball
    missed: Ball
    rests_on: frozenset[str]

    def dot(self, rate: Fraction) -> Dot:
        """Its line at a false positive rate."""
        record(self.rests_on)
        height = line_height(self.missed, self.growth, rate)
        return dot_of(self.level, self.growth, height)


class ManyTradeoffs(Asked, questions=("at",)):
    """The smallest false negative rates of a pair whose profile is asked for; what one rate has
    found helps the next.
    """

    def __init__(
        self,
        missed: Callable[[Fraction], Ball],
        rests_on: frozenset[str] = frozenset(),
    ) -> None:
        self.missed = missed
        self.rests_on = rests_on
        self.points: dict[float, ProfilePoint] = {}
        self.planned: list[Planned] = []

    def each(self, rates: Sequence[Fraction]) -> list[Bound]:
        """The smallest false negative rate at each of many false positive rates."""
        if len(rates) > 2:
            self._spread(rates)
        return [self.at(rate) for rate in rates]

    def _spread(self, rates: Sequence[Fraction]) -> None:
        """Take even points between the best ones of the smallest and of the largest rate, so that
        a guess for the rates between them is good.
        """
        ends = []
        for rate in (max(rates), min(rates)):
            self.at(rate)
            ends.append(self.planned[self._best(float(rate))][0])
        low, high = ends
        count = min(PER_RATE * len(rates), math.ceil(max(high - low, 0.0) / APART))
        for k in range(1, count):
            self._point(low + (high - low) * k / count)

    def at(self, rate: Fraction) -> Bound:
        """The smallest false negative rate at a false positive rate above 0 and below 1."""
        top = log_of(1 / rate)
        for level in (*LEVELS, math.nextafter(top, -math.inf)):
            if LOWEST < level < top:
                self._point(level)
        self._steer(top, float(rate))
        dots = self._around_the_best(top, rate)
        low, high = highest_among(
            lambda level: self._point(level).dot(rate), dots, (LOWEST, top), GOAL
        )
        return Bound(min(low, 1 - rate), min(high, 1 - rate), HOW)

    def _point(self, level: float) -> ProfilePoint:
        """A point of the profile, which is kept."""
        point = self.points.get(level)
        if point is None:
            epsilon = Fraction(level)
            with attempt() as used:
                missed = self.missed(epsilon)
            growth = Ball.of(epsilon, BITS).exp()
            point = ProfilePoint(level, growth, missed, frozenset(used))
            self.points[level] = point
            insort(self.planned, (level, float(growth), float(missed)))
        return point

    def _steer(self, top: float, rate: float) -> None:
        """Take points on both sides of where the best one is, as doubles see it; it only saves
        time.
        """
        for steps in AROUND:
            guess = self._guess(rate)
            if guess is None:
                return
            for step in steps:
                if LOWEST < guess + step < top:
                    self._point(guess + step)

    def _guess(self, rate: float) -> float | None:
        """About the level at which 1 - delta rises by the rate for each unit of growth."""
        steep: list[tuple[float, float]] = []
        for (level, growth, missed), (after, more, most) in pairwise(self._apart(rate)):
            if more > growth and most > missed:
                slope = math.log((most - missed) / (more - growth))
                steep.append(((level + after) / 2, slope))
        wanted = math.log(rate)
        for (level, slope), (after, less) in pairwise(steep):
            if slope >= wanted >= less and slope > less:
                share = (slope - wanted) / (slope - less)
                return level + share * (after - level)
        return None

    def _apart(self, rate: float) -> list[Planned]:
        """The point that is best in doubles and two on each side, far enough apart for doubles to
        show their slopes.
        """
        best = self._best(rate)
        before = _far_apart(self.planned[best::-1])
        after = _far_apart(self.planned[best:])
        return [*before[:0:-1], *after]

    def _best(self, rate: float) -> int:
        """Which point is the best in doubles."""
        heights = [missed - rate * growth for _, growth, missed in self.planned]
        return max(range(len(heights)), key=heights.__getitem__)

    def _around_the_best(self, top: float, rate: Fraction) -> list[Dot]:
        """Dots on both sides of the largest one; the outer ones are certainly below it, or the
        ends.
        """
        inside = self.planned[: bisect_left(self.planned, (top,))]
        best = min(self._best(float(rate)), len(inside) - 1)
        reach = WINDOW
        while True:
            dots = self._window(inside, best, reach, rate)
            highest = max(dot.lower for dot in dots)
            outer = (dots[0], dots[-1])
            if all(math.isinf(dot.level) or dot.upper < highest for dot in outer):
                return dots
            reach *= 2

    def _window(
        self,
        inside: list[Planned],
        best: int,
        reach: int,
        rate: Fraction,
    ) -> list[Dot]:
        """The dots up to a distance from the best one, with the ends if there are no others."""
        first = max(0, best - reach)
        after = best + reach + 1
        dots = [self.points[level].dot(rate) for level, _, _ in inside[first:after]]
        no_growth, steepest = end_dots(rate)
        before_all = [no_growth] if first == 0 else []
        beyond_all = [steepest] if after >= len(inside) else []
        return [*before_all, *dots, *beyond_all]


def _far_apart(points: list[Planned]) -> list[Planned]:
    """The first point and two more, each far enough from the one before for doubles to show a
    slope.
    """
    chosen = points[:1]
    for point in points:
        if abs(point[0] - chosen[-1][0]) >= APART:
            chosen.append(point)
        if len(chosen) > BESIDE_BEST:
            break
    return chosen
