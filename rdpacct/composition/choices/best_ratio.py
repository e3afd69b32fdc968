"""Noise on a smooth scale beside another release whose pair is chosen: one of them runs last, with
its pair chosen for what the other gave; the pair of that one is searched.

Neither end needs a law that dominates all pairs: below, there is the best pair that was found;
above, all ratios of scales are cut into stretches that gain no more, or hardly more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.composition.choices.ratio_game import (
    HOW,
    NEARLY,
    ROUGHLY,
    SHARE,
    FamilyFirst,
    RatioGame,
)
from rdpacct.composition.choices.ratio_knots import BITS, RatioKnots
from rdpacct.composition.choices.ratio_search import Order, RatioSearch
from rdpacct.composition.draws import Draw, answered_by
from rdpacct.composition.exact_sums.one_draw import OneDraw
from rdpacct.composition.grids.fine_grids import gridded_loss, terms_of
from rdpacct.composition.grids.fitted_cells import DEEPER, Fit
from rdpacct.composition.narrowest import Point
from rdpacct.composition.quadrature.tilt import Planner
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.bound import Bound, End
from rdpacct.exact.raw import real
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.family import Family
from rdpacct.privacy.highest import Highest
from rdpacct.privacy.least_law import LeastLawTransform
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.ratios import Ratios
from rdpacct.privacy.table_loss import table_loss
from rdpacct.privacy.tradeoff_points import least_pair
from rdpacct.work import Exhausted, fitting

LESS_STEEP, STEEPEST = 3.0, 30.0
"""How the share by which the polygons may differ grows with the elasticity of epsilon: over the
first number, at most by the second.
"""
ROUGH_KNOTS, MOST_KNOTS = 192, 4000
LEAST_WORK = 5_000_000
"""The work that must be left; with less of it, one point of a long search is better answered by
other methods.
"""
MOST_ATOMS = 12
"""How many outputs a table may have that runs last."""


def two_with_ratios(draws: Sequence[Draw]) -> "BestRatio | None":
    """Two releases with pairs to choose and no others, one of them with ratios of scales."""
    if sum(count for _, _, count in draws) != 2:
        return None
    if all(direction.ratios is None for direction, _, _ in draws):
        return None
    rows = [
        _Release.of((direction, answers, 1))
        for direction, answers, count in draws
        for _ in range(count)
    ]
    known = [row for row in rows if row is not None]
    if len(known) < 2:
        return None
    return BestRatio((known[0], known[1]))


@dataclass(frozen=True, eq=False)
class _Release:
    """A release with ratios of scales or a family of pairs, and the least law of all its pairs."""

    draw: Draw
    law: Draw

    @classmethod
    def of(cls, draw: Draw) -> "_Release | None":
        """A release with its pairs and their least law; None if these are not known."""
        direction, answers, _ = draw
        last = direction.last
        if direction.ratios is not None and last is not None and last.loss is not None:
            return cls(draw, (last, answered_by(last.loss), 1))
        family = direction.family
        if direction.last is not None or family is None or not family.least_law:
            return None
        loss = _least_loss(family, answers)
        if loss is None or family.infinite() != 0:
            return None
        return cls(draw, (direction, answered_by(loss), 1))

    @property
    def corners(self) -> tuple[PrivacyLoss, ...]:
        """The losses of which the largest delta is that of the law."""
        loss = self.law[1]()
        if not isinstance(loss, PrivacyLoss):
            raise AssertionError("a law of all pairs is a loss")
        part = loss.parts[0]
        return part.losses if isinstance(part, Highest) else (loss,)


def _least_loss(
    family: Family, answers: Callable[[], Loss | Profile]
) -> PrivacyLoss | None:
    """The loss of the least law that dominates a family of pairs."""
    tables = family.finite_pairs()
    if tables is not None:
        rows = least_pair(tables.tables)
        return table_loss(rows) if len(rows) <= MOST_ATOMS else None
    loss = answers()
    if isinstance(loss, Profile) and len(loss.losses) == 1:
        loss = loss.losses[0]
    return loss if isinstance(loss, PrivacyLoss) else None


@dataclass(frozen=True, eq=False)
class BestRatio:
    """Two releases whose pairs are chosen, one of them by a ratio of scales."""

    releases: tuple[_Release, _Release]

    def delta(self, epsilon: Fraction) -> Bound:
        """delta at an epsilon, which may be negative."""
        try:
            with precision(BITS):
                return self._delta(epsilon)
        except (OverflowError, ValueError, ZeroDivisionError):
            return Bound(Fraction(0), Fraction(1), HOW)

    def _delta(self, epsilon: Fraction) -> Bound:
        planner = Planner(terms_of([release.law for release in self.releases]))
        log_delta, tilt = planner.saddle_log_delta(float(epsilon))
        game = self._game(Point(float(epsilon), log_delta, tilt))
        search = RatioSearch(game.rough, epsilon)
        least = game.least(search.best(ROUGHLY), epsilon)
        most = game.most(search, least * (1 + real(SHARE + NEARLY)))
        return _ends(least, most)

    def epsilon(self, delta: Fraction) -> Bound:
        """epsilon at a delta above 0."""
        try:
            with precision(BITS):
                return self._epsilon(delta)
        except (OverflowError, ValueError, ZeroDivisionError):
            upper: End = float("inf")
            return Bound(Fraction(0), upper, HOW)

    def _epsilon(self, delta: Fraction) -> Bound:
        planner = Planner(terms_of([release.law for release in self.releases]))
        log_delta = float(real(delta).log())
        epsilon, tilt = planner.saddle_epsilon(log_delta)
        game = self._game(Point.of_delta(log_delta, epsilon, tilt))
        return game.passing(real(delta))

    def _game(self, point: Point) -> RatioGame:
        """The orders in which the two may run, with knots for a point."""
        if fitting(1) < LEAST_WORK:
            raise Exhausted
        one, two = self.releases
        rough = []
        fine = []
        families = []
        start = point.epsilon
        for first, last in ((one, two), (two, one)):
            direction = first.draw[0]
            last_law = Highest(last.corners)
            if direction.ratios is not None:
                few, many, start = _order(direction.ratios, first.law, last_law, point)
                rough.append(few)
                fine.append(many)
            elif direction.family is not None:
                families.append(FamilyFirst(direction.family, last_law))
            if one.draw[0] is two.draw[0]:
                break
        return RatioGame(rough, fine, families, start)


def _ends(least: RealBall, most: RealBall) -> Bound:
    """Two balls as the ends of a delta."""
    lower = Ball(least, BITS).bound().lower if least.is_finite() else Fraction(0)
    upper = Ball(most, BITS).bound().upper if most.is_finite() else Fraction(1)
    upper = min(upper, Fraction(1))
    return Bound(min(max(lower, Fraction(0)), upper), upper, HOW)


def _order(
    ratios: Ratios, first: Draw, last: Highest, point: Point
) -> tuple[Order, Order, float]:
    """A release before another one, with few knots and with many, and the epsilon they are for."""
    loss = gridded_loss(first, point.tilt, point.log_delta - DEEPER)
    if loss is None:
        raise Exhausted
    profile = OneDraw(LeastLawTransform(last))
    fit = Fit(loss, profile, 1, [(real(0), real(1))], point.epsilon).to(point)
    share = SHARE * min(max(point.steep / LESS_STEEP, 1.0), STEEPEST)
    few, many = fit.edges(share, MOST_KNOTS, ROUGH_KNOTS)
    rough, fine = (
        Order(ratios, RatioKnots.of(last.losses, _levels(fit.epsilon, edges)))
        for edges in (few, many)
    )
    return rough, fine, fit.epsilon


def _levels(epsilon: float, edges: Sequence[float]) -> list[Fraction]:
    """The levels of knots, rising, from losses of the release before."""
    return [Fraction(epsilon) - Fraction(edge) for edge in reversed(edges)]
