"""Two releases of noise on smooth scales: one of them runs last, with its pair chosen for what the
other gave; the ratio of scales of that one is searched.

Neither end needs a law that dominates all pairs: below, there is the best ratio that was found;
above, all ratios are cut into stretches that gain no more, or hardly more.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.composition.few import Draw
from rdpacct.composition.fine import gridded_loss, terms_of
from rdpacct.composition.fitted import DEEPER, Fit
from rdpacct.composition.narrowest import Point
from rdpacct.composition.one_draw import OneDraw
from rdpacct.composition.ratio_knots import BITS, Knots
from rdpacct.composition.ratio_search import Order, Ratio, Search
from rdpacct.composition.tilt import Planner
from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.bound import Bound
from rdpacct.exact.raw import real
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import by

SHARE, NEARLY = 2.5e-7, 2.5e-7
"""The share of delta by which the two polygons differ, and by which stretches may gain more than
the best ratio.
"""
LESS_STEEP, STEEPEST = 3.0, 30.0
"""By how much the polygons may differ more for epsilon, beside its planned elasticity."""
ROUGH_KNOTS, MOST_KNOTS = 192, 4000
ROUGHLY = 1e-5
"""The same share for a search with few knots."""
STEP = 2.0**-16
"""The distance of the points from which a slope is planned."""
MOST_STEPS, CLOSE = 30, 1e-9
NARROWLY, WIDER, MOST_WIDENINGS = 4e-7, 4, 8
"""How far the ends of epsilon are tried from a guess, and by which factor they move away."""
HOW = "the best ratio of scales (smooth/between-ratios)"


def two_with_ratios(draws: Sequence[Draw]) -> "BestRatio | None":
    """Two releases with ratios to choose, and no others."""
    rows = [one for one, _, count in draws for _ in range(count) if count <= 2]
    if sum(count for _, _, count in draws) != 2:
        return None
    if any(one.ratios is None or one.last is None for one in rows):
        return None
    return BestRatio((rows[0], rows[1]))


@dataclass(frozen=True, eq=False)
class BestRatio:
    """Two releases whose pairs are chosen, each by a ratio of scales."""

    releases: tuple[Direction, Direction]

    def delta(self, epsilon: Fraction) -> Bound:
        """delta at an epsilon, which may be negative."""
        with precision(BITS):
            game = self._game(self._point(epsilon))
            search = Search(game.rough, epsilon)
            least = game.least(search.best(ROUGHLY), epsilon)
            most = game.most(search, least * (1 + real(SHARE + NEARLY)))
            bound = Ball(least.union(most), BITS).bound()
        upper = min(bound.upper, Fraction(1))
        return Bound(max(bound.lower, Fraction(0)), upper, HOW)

    def epsilon(self, delta: Fraction) -> Bound:
        """epsilon at a delta above 0."""
        with precision(BITS):
            game = self._game(self._point_of(float(real(delta).log())))
            return game.passing(real(delta))

    def _draws(self) -> list[Draw]:
        found: list[Draw] = []
        for one in self.releases:
            law = one.last
            if law is None:
                raise AssertionError("a release with ratios has a law of all of them")
            loss = law.loss
            found.append((law, lambda loss=loss: loss, 1))  # type: ignore[misc]
        return found

    def _point(self, epsilon: Fraction) -> Point:
        planner = Planner(terms_of(self._draws()))
        at = float(epsilon)
        log_delta, tilt = planner.saddle_log_delta(at)
        return Point(at, log_delta, tilt)

    def _point_of(self, log_delta: float) -> Point:
        planner = Planner(terms_of(self._draws()))
        epsilon, tilt = planner.saddle_epsilon(log_delta)
        return Point.of_delta(log_delta, epsilon, tilt)

    def _game(self, point: Point) -> "RatioGame":
        """The orders in which the two may run, with knots for a point."""
        first, second = self._draws()
        one, two = self.releases
        orders = [_order(one, first, second, point)]
        if one.ratios is not two.ratios:
            orders.append(_order(two, second, first, point))
        rough = [few for few, _, _ in orders]
        fine = [many for _, many, _ in orders]
        return RatioGame(rough, fine, orders[0][2])


def _order(
    release: Direction, own: Draw, last: Draw, point: Point
) -> tuple[Order, Order, float]:
    """A release before another one, with few knots and with many, and the epsilon they are for."""
    loss = gridded_loss(own, point.tilt, point.log_delta - DEEPER)
    transform = last[0].transform
    if loss is None or transform is None:
        raise UndecidedError("the losses of a release reach too far for knots.")
    fit = Fit(loss, OneDraw(transform), 1, [(real(0), real(1))], point.epsilon)
    fit = fit.to(point)
    share = SHARE * min(max(point.steep / LESS_STEEP, 1.0), STEEPEST)
    few, many = fit.edges(share, MOST_KNOTS, ROUGH_KNOTS)
    law = last[0].loss
    corners: tuple[PrivacyLoss, ...] = law.parts[0].losses
    rough, fine = (
        Order(release.ratios, Knots.of(corners, _levels(fit.epsilon, edges)))
        for edges in (few, many)
    )
    return rough, fine, fit.epsilon


def _levels(epsilon: float, edges: Sequence[float]) -> list[Fraction]:
    """The levels of knots, rising, from losses of the release before."""
    return [Fraction(epsilon) - Fraction(edge) for edge in reversed(edges)]


@dataclass(frozen=True, eq=False)
class RatioGame:
    """Both orders with few knots and with many, fitted to an epsilon."""

    rough: list[Order]
    fine: list[Order]
    fitted_to: float

    @by("composition/adaptive-choice")
    def least(self, ratio: Ratio, epsilon: Fraction) -> RealBall:
        """At most delta: what one ratio gains."""
        order = self.fine[ratio.order]
        loss = order.ratios.loss(ratio.share, ratio.narrow_first)
        return order.knots.least(order.knots.before(loss, epsilon)).lower()

    @by("composition/adaptive-choice")
    def most(self, search: Search, enough: RealBall) -> RealBall:
        """At least delta, and about enough if that is so; a search with few knots leaves out what
        certainly gains less.
        """
        stretches = search.searched(search.whole(), enough, ROUGHLY)
        finely = Search(self.fine, search.epsilon)
        again = [finely.stretch(one.low, one.high) for one in stretches]
        found = enough
        for one in finely.searched(again, enough, NEARLY):
            found = found.max(one.bound.upper())
        return found

    def passing(self, delta: RealBall) -> Bound:
        """The epsilon at which delta is that."""
        nothing = Fraction(0)
        largest = Ratio(0, narrow_first=False, share=Fraction(1))
        below = not self.least(largest, nothing) > delta
        if below and self._at_most(nothing, delta):
            return Bound.exactly(nothing, "delta(0) is small enough")
        guess, ratio, slope = self._guess(delta)
        away = Fraction(NARROWLY * max(1 / slope, guess))
        low = self._walk(guess, -away, lambda at: self.least(ratio, at) > delta)
        high = self._walk(guess, away, lambda at: self._at_most(at, delta))
        upper = math.inf if high is None else high
        return Bound(nothing if low is None else low, upper, HOW)

    def _at_most(self, epsilon: Fraction, delta: RealBall) -> bool:
        """Whether delta is certainly at most that."""
        enough = delta.lower()
        return bool(self.most(Search(self.rough, epsilon), enough) <= enough)

    def _guess(self, delta: RealBall) -> tuple[Fraction, Ratio, float]:
        """About where delta is that, the best ratio there, and minus the slope of its logarithm."""
        target = float(delta.log())
        at = Fraction(self.fitted_to)
        ratio = Search(self.rough, at).best(ROUGHLY)
        orders = self.rough
        slope = 1.0
        for _ in range(MOST_STEPS):
            size, slope = self._planned(orders, ratio, at)
            step = (size - target) / slope
            at = max(Fraction(at + Fraction(step)), Fraction(0))
            if orders is self.rough and abs(step) < ROUGHLY * float(at):
                ratio = Search(self.rough, at).best(ROUGHLY)
                orders = self.fine
            elif abs(step) < CLOSE * float(at):
                break
        return at, ratio, slope

    def _planned(
        self, orders: list[Order], ratio: Ratio, at: Fraction
    ) -> tuple[float, float]:
        """About the logarithm of what a ratio gains, and minus its slope."""
        here, there = (
            Search(orders, x).gained(ratio).most for x in (at, at + Fraction(STEP))
        )
        if not (here > 0 and there > 0):
            return -math.inf, 1.0
        size = float(here.log())
        return size, (size - float(there.log())) / STEP

    @staticmethod
    def _walk(
        guess: Fraction, away: Fraction, certain: Callable[[Fraction], bool]
    ) -> Fraction | None:
        """The first point in growing steps from a guess at which something is certain."""
        for k in range(MOST_WIDENINGS):
            at = max(guess + away * WIDER**k, Fraction(0))
            if certain(at):
                return at
        return None
