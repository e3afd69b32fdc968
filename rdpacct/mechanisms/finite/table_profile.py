"""The privacy of a table: the worst over its pairs of inputs, from the least pair that dominates
them.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import Ball, precision
from rdpacct.exact.bound import Bound, End
from rdpacct.exact.formula import ZERO, Expr, formula
from rdpacct.exact.functions import log
from rdpacct.exact.number import Number, below_one, rational
from rdpacct.exact.raw import real
from rdpacct.privacy.ends import root_of
from rdpacct.privacy.family import HockeyStick
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.subgaussian import NOTHING, BoundedLaw, hoeffding
from rdpacct.privacy.tradeoff_points import Merged, curve, least_pair
from rdpacct.provenance import attempt, record
from rdpacct.work import Exhausted, spend

BITS = 192
LAW_WORK, ATOM_WORK = 8000, 100
"""The work of one loss, and of each of its atoms, where it is told from the worst one so far."""
ANYTHING = Bound(Fraction(0), math.inf)
HOW = "exact sums over the outputs (composition/finite-choice)"


@dataclass(frozen=True, slots=True)
class TableProfile(Profile):
    """The worst of finite pairs: the losses of all, and the pairs that no other one dominates."""

    losses: tuple[PrivacyLoss, ...]
    pairs: tuple[Merged, ...]

    @property
    def losses_dominate(self) -> bool:
        return True

    def zcdp_rho(self, xi: Number = 0) -> Bound:
        offset = rational(xi, "xi")
        if not self._searched(offset):
            # a slots dataclass makes another class, so that super() without arguments would not
            # find it
            return Profile.zcdp_rho(self, xi)
        return self._worst_law(
            lambda law, worst: law.rho(offset, worst),
            lambda law: law.rho_at_most(offset),
        )

    def centered_cdp(self) -> tuple[Bound, Bound]:
        if not self._searched(None):
            return Profile.centered_cdp(self)
        worst = self._worst_law(
            lambda law, worst: law.tau_squared((1, -1), worst),
            lambda law: hoeffding(ANYTHING, law.low, law.high).upper,
        )
        return self.mean(), root_of(worst)

    def _worst_law(
        self,
        ask: Callable[[BoundedLaw, Bound], Bound],
        at_most: Callable[[BoundedLaw], End],
    ) -> Bound:
        """The largest answer over all pairs; for pairs for which no work is left, an upper bound of
        their answers.
        """
        worst = NOTHING
        for loss in self._from_the_farthest():
            law = loss.bounded_law("this guarantee")
            try:
                spend(LAW_WORK + ATOM_WORK * len(loss.parts))
                with attempt() as used:
                    worst = ask(law, worst)
                record(used)
            except Exhausted:
                worst = Bound(worst.lower, max(worst.upper, at_most(law)), worst.how)
        return worst

    def _searched(self, xi: Fraction | None) -> bool:
        """Whether every loss is bounded and none has an answer that is known at once."""
        for loss in self.losses:
            low, high = loss.range()
            if (
                loss.at_infinity != ZERO
                or loss.unseen != ZERO
                or low == high
                or not isinstance(high, Expr)
            ):
                return False
            if xi is not None and (high - xi).bound().certainly_at_most(0):
                return False
        return True

    def _from_the_farthest(self) -> list[PrivacyLoss]:
        """The losses, the likely worst first, so that the others are soon seen to be no worse."""
        return sorted(
            self.losses, key=lambda loss: -float(loss.log_moment(Fraction(1), 64))
        )

    def delta(self, epsilon: Number) -> Bound:
        level = rational(epsilon, "epsilon")
        if level == 0:
            return Bound.exactly(
                max(p - q for q, p in curve(least_pair(self.pairs))), HOW
            )
        with precision(BITS):
            stick = HockeyStick(least_pair(self.pairs)).at(real(level).exp())
            bound = Ball(stick, BITS).bound(HOW)
        return Bound(
            max(bound.lower, Fraction(0)),
            min(max(bound.upper, Fraction(0)), Fraction(1)),
            HOW,
        )

    def epsilon(self, delta: Number) -> Bound:
        target = below_one(delta, "delta")
        if target == 0:
            return self.max_divergence()
        needed = Fraction(0)
        for q, p in curve(least_pair(self.pairs)):
            if p > target and q == 0:
                return Bound.exactly(float("inf"), "the mass at infinity exceeds delta")
            if p > target:
                needed = max(needed, (p - target) / q)
        return log(formula(max(needed, Fraction(1)))).bound(HOW)
