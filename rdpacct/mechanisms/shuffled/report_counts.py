"""Counts of telling and neutral reports as a release of its own, seen from above or from below."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, formula
from rdpacct.exact.number import Number, rational
from rdpacct.exact.raw import real, real_inner
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.randomized_response.randomized_response import rho
from rdpacct.mechanisms.shuffled.clones import Clones
from rdpacct.mechanisms.shuffled.count_laws import BITS, above_law, below_law
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.grid import Masses
from rdpacct.privacy.grid_transform import GridTransform
from rdpacct.privacy.loss import positive_order
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import built_by

HOW = "sums over a grid of losses (shuffling/tilts)"
ORDERS = (1, 2, 4, 8, 16, 64, 256)
"""The orders of Renyi divergences that bound rho from below."""


@dataclass(frozen=True)
class _ReportCounts(Mechanism):
    """The counts of the kinds of ``people`` reports: a law that is certainly above that of their
    losses, or one certainly below.
    """

    clones: Clones
    people: int
    above: bool
    relation: ClassVar[Relation] = Relation.REPLACE_ONE

    def loss(self) -> Loss:
        return CountsLoss(self.law, self.clones.epsilon, self.above)

    @property
    def by_moments(self) -> bool:
        """One release is answered as a composition."""
        return True

    @property
    def law(self) -> Masses:
        """The masses on the grid."""
        if self.above:
            return above_law(self.clones, self.people)
        return below_law(self.clones, self.people)

    def directions(self) -> tuple[Direction, ...]:
        law = self.law
        infinite = formula(Fraction(Ball(law.infinite, BITS).upper()))
        return (Direction(GridTransform((), self.above, law), infinite),)

    def profile(self) -> Profile:
        return Profile((self.loss(),))

    def __str__(self) -> str:
        side = "above" if self.above else "below"
        return f"counts of {self.people} reports at {self.clones.epsilon}, {side}"


@dataclass(frozen=True, slots=True)
class CountsLoss(Loss):
    """A law of losses on a grid that is above the true one or below it, for the questions whose
    answers add up.

    Every loss is at most the local epsilon, so that what is cut off has at most that.
    """

    law: Masses
    largest: Expr
    above: bool
    event: Callable[[Fraction], str] | None = None
    rests_on: frozenset[str] = field(default_factory=built_by, compare=False)

    def reversed(self) -> "CountsLoss":
        """Itself: the counts of the two values are exchanged."""
        return self

    def mean(self) -> Bound:
        return self._ends(self._sum(lambda loss: loss))

    def log_moment(self, rate: Fraction, bits: int) -> Ball:
        """At one precision, whatever is asked for."""
        moment = self._sum(lambda loss: (real(rate) * loss).exp())
        with precision(BITS):
            return Ball(moment.raw.log(), min(bits, BITS))

    def renyi(self, order: Number | float) -> Bound:
        if order == math.inf:
            return self.max_divergence()
        alpha = positive_order(order)
        if alpha == 1:
            return self.mean()
        return self._ends(self.log_moment(alpha - 1, BITS) / (alpha - 1))

    def max_divergence(self) -> Bound:
        """All reports may tell for the same value."""
        return self.largest.bound("the local epsilon (shuffling/clones)")

    def zcdp_rho(self, xi: Number) -> Bound:
        if rational(xi, "xi") != 0:
            raise UndecidedError("only rho with xi = 0 is known of shuffled reports.")
        most = rho(self.largest).bound().upper
        needed = [Fraction(self.renyi(order).lower) / order for order in ORDERS]
        return Bound(max(needed), most, HOW)

    def _sum(self, of_loss: Callable[[RealBall], RealBall]) -> Ball:
        """The mean of a function of the loss, what is cut off at the largest loss."""
        with precision(BITS):
            law = self.law
            places = range(len(law.masses))
            losses = [real(law.origin + law.step * k) for k in places]
            total = real_inner(law.masses, [of_loss(loss) for loss in losses])
            if self.above:
                farthest = real(Fraction(self.max_divergence().upper))
                total = total + law.infinite * of_loss(farthest)
            return Ball(total, BITS)

    def _ends(self, ball: Ball) -> Bound:
        """The bound on a divergence by this law: an upper end if the law is above, a lower end if
        it is below.
        """
        bound = ball.bound(HOW)
        most = self.max_divergence().upper
        if self.above:
            return Bound(Fraction(0), min(max(bound.upper, Fraction(0)), most), HOW)
        return Bound(min(max(bound.lower, Fraction(0)), most), most, HOW)


@dataclass(frozen=True, slots=True)
class EndsProfile(Profile):
    """The questions whose answers add up, between a release below and one above; without one below
    nothing is needed, and without one above nothing is told.
    """

    above: Mechanism | None
    below: Mechanism | None

    def mean(self) -> Bound:
        return self._between(lambda profile: profile.mean())

    def renyi(self, order: Number) -> Bound:
        return self._between(lambda profile: profile.renyi(order))

    def max_divergence(self) -> Bound:
        return self._between(lambda profile: profile.max_divergence())

    def zcdp_rho(self, xi: Number = 0) -> Bound:
        return self._between(lambda profile: profile.zcdp_rho(xi))

    def centered_cdp(self) -> tuple[Bound, Bound]:
        raise UndecidedError("tau is not known of shuffled reports; ask for epsilon.")

    def one_sided_tau(self) -> Bound:
        raise UndecidedError("tau is not known of shuffled reports; ask for epsilon.")

    def gaussian_mu(self) -> Bound:
        raise UndecidedError("mu is not known of shuffled reports; ask for epsilon.")

    def _between(self, question: Callable[[Profile], Bound]) -> Bound:
        nothing = Bound.exactly(Fraction(0), HOW)
        low = nothing if self.below is None else question(self.below.profile())
        high = nothing if self.above is None else question(self.above.profile())
        return Bound(min(low.lower, high.upper), high.upper, HOW)
