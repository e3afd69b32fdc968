"""The value of a game of two releases, one of which has ratios of scales to choose from: at an
epsilon from both sides, and the epsilon at which it is a given delta.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.composition.choices.game import best_next
from rdpacct.composition.choices.ratio_search import ChosenRatio, Order, RatioSearch
from rdpacct.exact.ball import RealBall
from rdpacct.exact.bound import Bound
from rdpacct.exact.raw import real
from rdpacct.privacy.family import Family
from rdpacct.privacy.highest import Highest
from rdpacct.work import spend

SHARE, NEARLY = 2.5e-7, 2.5e-7
"""The share of delta by which the two polygons differ, and the share by which stretches may gain
more than the best ratio.
"""
ROUGHLY = 1e-5
"""The share by which stretches may gain more than the best ratio, in a search with few knots."""
TOLERANCE = 1e-8
"""The tolerance of the best pair of a family."""
STEP = 2.0**-16
"""The distance of the points from which a slope is planned."""
MOST_STEPS, CLOSE = 30, 1e-9
NARROWLY, WIDER, MOST_WIDENINGS = 4e-7, 4, 8
"""How far the ends of epsilon are tried from a guess, and by which factor they move away."""
HOW = "the best ratio of scales (smooth/between-ratios)"


@dataclass(frozen=True, eq=False)
class FamilyFirst:
    """A release with a family of pairs before one with a known largest profile."""

    family: Family
    law: Highest

    def value(self, epsilon: Fraction) -> RealBall:
        """The gain of the best pair."""
        return self.family.best(self._after, real(epsilon).exp(), TOLERANCE)

    def _after(self, growth: RealBall) -> RealBall:
        spend(self.law.edge_work)
        return self.law.profile(growth.log())


@dataclass(frozen=True, eq=False)
class RatioGame:
    """The orders of two releases, those of ratios with few knots and with many."""

    rough: list[Order]
    fine: list[Order]
    families: list[FamilyFirst]
    fitted_to: float
    """The epsilon that the knots are fitted to."""

    def least(self, ratio: ChosenRatio, epsilon: Fraction) -> RealBall:
        """At most delta: what one ratio gains, or a pair of a family."""
        order = self.fine[ratio.order]
        loss = order.ratios.loss(ratio.share, ratio.narrow_first)
        gained = order.knots.least(order.knots.before(loss, epsilon)).lower()
        others = [family.value(epsilon).lower() for family in self.families]
        return best_next([gained, *others])

    def most(self, search: RatioSearch, enough: RealBall) -> RealBall:
        """At least delta; about ``enough`` if delta is at most that. A search with few knots first
        leaves out what certainly gains less.
        """
        values = [enough]
        values += [family.value(search.epsilon).upper() for family in self.families]
        stretches = search.searched(search.whole(), enough, ROUGHLY)
        finely = RatioSearch(self.fine, search.epsilon)
        again = [finely.stretch(stretch.low, stretch.high) for stretch in stretches]
        closer = finely.searched(again, enough, NEARLY)
        values += [stretch.bound.upper() for stretch in closer]
        return best_next(values)

    def passing(self, delta: RealBall) -> Bound:
        """The epsilon at which delta has this value."""
        nothing = Fraction(0)
        largest = ChosenRatio(0, narrow_first=False, share=Fraction(1))
        below = not self.least(largest, nothing) > delta
        if below and self._at_most(nothing, delta):
            return Bound.exactly(nothing, "delta(0) is small enough")
        guess, ratio, slope = self._guess(delta)
        away = Fraction(NARROWLY * max(1 / slope, float(guess)))
        low = self._walk(guess, -away, lambda at: self.least(ratio, at) > delta)
        high = self._walk(guess, away, lambda at: self._at_most(at, delta))
        upper = math.inf if high is None else high
        return Bound(nothing if low is None else low, upper, HOW)

    def _at_most(self, epsilon: Fraction, delta: RealBall) -> bool:
        """Whether delta is certainly at most this value."""
        enough = delta.lower()
        return bool(self.most(RatioSearch(self.rough, epsilon), enough) <= enough)

    def _guess(self, delta: RealBall) -> tuple[Fraction, ChosenRatio, float]:
        """About the epsilon at which delta has this value, the best ratio there, and minus the
        slope of its logarithm.
        """
        target = float(delta.log())
        at = Fraction(self.fitted_to)
        ratio = RatioSearch(self.rough, at).best(ROUGHLY)
        orders = self.rough
        slope = 1.0
        for _ in range(MOST_STEPS):
            size, slope = self._planned(orders, ratio, at)
            step = (size - target) / slope
            at = max(at + Fraction(step), Fraction(0))
            if orders is self.rough and abs(step) < ROUGHLY * float(at):
                ratio = RatioSearch(self.rough, at).best(ROUGHLY)
                orders = self.fine
            elif abs(step) < CLOSE * float(at):
                break
        return at, ratio, slope

    def _planned(
        self, orders: list[Order], ratio: ChosenRatio, at: Fraction
    ) -> tuple[float, float]:
        """About the logarithm of delta, and minus its slope."""
        here, there = (self._about(orders, ratio, x) for x in (at, at + Fraction(STEP)))
        if not here > there > 0:
            raise ValueError("nothing to steer by")
        size = math.log(here)
        return size, (size - math.log(there)) / STEP

    def _about(self, orders: list[Order], ratio: ChosenRatio, at: Fraction) -> float:
        """About delta, if this ratio is the best one."""
        gained = float(RatioSearch(orders, at).gained(ratio).most)
        return max([gained, *(float(family.value(at)) for family in self.families)])

    @staticmethod
    def _walk(
        guess: Fraction, away: Fraction, certain: Callable[[Fraction], bool]
    ) -> Fraction | None:
        """The first point in growing steps from a guess at which something is certain."""
        for k in range(MOST_WIDENINGS):
            at = max(guess + away * Fraction(WIDER**k), Fraction(0))
            if certain(at):
                return at
        return None
