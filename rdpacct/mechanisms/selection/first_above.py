"""The first query above a known threshold, for Gaussian noise: the law that dominates it."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NoReturn

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.bound import Bound, round_up
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import Number
from rdpacct.exact.raw import real
from rdpacct.mechanisms.gaussian.gaussian import log_moment
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.promised.profile_points import least_law
from rdpacct.mechanisms.selection.first_above_rules import (
    first_above_log_moment,
    level_after,
    log_safe_after,
)
from rdpacct.mechanisms.selection.one_run import best_tilt
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.gaussian_profile import gaussian_profile
from rdpacct.privacy.loss import PrivacyLoss, positive_order
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import remembered
from rdpacct.work import spend

BITS = 192
POINTS = 192
FARTHER = (*range(200, 385, 16), *(384 * 2**k for k in range(1, 4)))
"""The number of points of the profile from which the law is made, evenly down to a small delta, and
the places of those beyond it.
"""
SMALL_BITS, SMALLEST = 64, Fraction(1, 2**900)
"""The bits of the small delta, and the delta below which all losses count as infinite."""
CLOSE = 2.0**-5
"""By how much the delta of a query may fall while queries are taken together."""
VALUE_WORK = 30
HOW = "moments of the first answer above the threshold"
UNKNOWN = (
    "of answers about a noisy threshold only large losses are bounded, and not those"
    " about their mean; ask for epsilon."
)


@dataclass(frozen=True)
class _FirstAbove(Mechanism):
    """Which of several queries is the first above a known threshold, where a neighbor makes answers
    above less likely by a shift in standard deviations of the noise.
    """

    shift: Expr
    queries: int
    relation: Relation

    def loss(self) -> PrivacyLoss:
        return first_above_law(self.shift, self.queries)

    def directions(self) -> tuple[Direction, ...]:
        """The law that dominates, which those who compose it know to be above."""
        return (self.loss().direction(),)

    def profile(self) -> "FirstAboveProfile":
        return FirstAboveProfile((self.loss(),), self.shift, self.queries)

    def __str__(self) -> str:
        return f"first of {self.queries} queries above, moved by {self.shift}"


@dataclass(frozen=True, slots=True)
class FirstAboveProfile(Profile):
    """The law that dominates, with bounds on moments, for which its infinite losses are of no
    use.
    """

    losses_occur: ClassVar[bool] = False
    shift: Expr
    queries: int

    @property
    def curve_is_attained(self) -> bool:
        return False

    def occurring(self) -> tuple[Loss, ...]:
        return ()

    def mean(self) -> Bound:
        return self._divergence(Fraction(1))

    def renyi(self, order: Number) -> Bound:
        if order == math.inf:
            return self.max_divergence()
        return self._divergence(max(positive_order(order), Fraction(1)))

    def _divergence(self, order: Fraction) -> Bound:
        """The bound of the best order from this one on."""
        least = float(order - 1)
        shift = about(self.shift)

        def cost(more: float) -> float:
            tilt = least + more
            log_cost = tilt * (1 + tilt) * shift**2 / 2 + math.log(self.queries)
            return max(log_cost, math.log1p(self.queries)) / tilt

        tilt = best_tilt(cost, math.inf) + (order - 1)
        moment = first_above_log_moment(log_moment(self.shift, tilt), self.queries)
        return Bound(Fraction(0), (moment / tilt).bound().upper, HOW)

    def max_divergence(self) -> Bound:
        return Bound(Fraction(0), math.inf, "losses are unbounded")

    def zcdp_rho(self, xi: Number = 0) -> Bound:  # noqa: ARG002
        return Bound(Fraction(0), math.inf, HOW)

    def gaussian_mu(self) -> Bound:
        return Bound.exactly(math.inf, "the law has infinite losses")

    def centered_cdp(self) -> NoReturn:
        raise UndecidedError(UNKNOWN)

    def one_sided_tau(self) -> NoReturn:
        raise UndecidedError(UNKNOWN)


@remembered(64)
def first_above_law(shift: Expr, queries: int) -> PrivacyLoss:
    """A law above the first answer above a known threshold: the least one with these points of its
    profile, which lie on a lattice.
    """
    size = about(shift)
    nats = SMALL_BITS * math.log(2) + math.log(queries)
    step = Fraction(size * (size / 2 + math.sqrt(2 * nats)) / POINTS)
    step = step.limit_denominator(2**20 * math.ceil(1 / step))
    points = []
    for place in (*range(POINTS + 1), *FARTHER):
        mass = first_above_delta(shift, queries, place * step)
        points.append((place * step, mass))
        if mass < SMALLEST:
            break
    return least_law(points, both_ways=False)


def first_above_delta(shift: Expr, queries: int, epsilon: Fraction) -> Fraction:
    """A delta that is enough at this epsilon >= 0."""
    with precision(BITS):
        safe = log_safe(value(shift), queries, real(epsilon))
        most = Ball(-safe.expm1(), BITS).upper()
    return min(Fraction(round_up(Fraction(most))), Fraction(1))


def log_safe(shift: RealBall, queries: int, epsilon: RealBall) -> RealBall:
    """At most the logarithm of the share of the law that no choice of queries gives away.

    Queries that change little are taken together: each of them keeps at least what the first does.
    """
    safe = real(0)
    left = queries
    while left:
        spend(VALUE_WORK)
        level = level_after(epsilon, safe)
        delta = gaussian_profile(shift, level)[0].upper()
        if not delta < 1:
            return real(-math.inf)
        log_kept = (-delta).log1p()
        steepness = 1 + float(level / shift**2)
        change = CLOSE * (1 - float(safe)) / steepness
        together = _together(left, -float(log_kept), change)
        safe = log_safe_after(safe, log_kept, real(together)).lower()
        left -= together
    return safe


def _together(left: int, cost: float, change: float) -> int:
    """How many of the queries that are left change the safe share by little, one at least."""
    if cost * left <= change:
        return left
    return min(left, max(1, int(change / cost)))
