"""The loss of a record in one of several steps, between a law above it and one below it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.bound import Bound
from rdpacct.exact.number import Number, rational
from rdpacct.exact.raw import powers, real, real_inner
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.grid import BITS, Masses
from rdpacct.privacy.loss import PrivacyLoss, positive_order
from rdpacct.privacy.parts import Atom
from rdpacct.provenance import built_by

HOW = "between two laws on a grid (sampling/rounded-ratios)"
ORDERS = (1, 2, 4, 8, 16, 64)
"""The orders of Renyi divergences that bound rho from below."""
POOLED = 16
"""This many outcomes of the law below are put together where few are wanted."""
NEAR = Fraction(1, 64)
"""The distance beside a level at which delta is asked for its slope."""


@dataclass(frozen=True, slots=True)
class AllocationLoss(Loss):
    """The loss in one direction: lower ends are those of a law below it.

    Upper ends of divergences are those of one step that has the record for certain.
    """

    above: Masses
    below: Masses
    whole: Loss
    """The loss of one step on all records."""
    other: "AllocationLoss | None" = field(default=None, compare=False, repr=False)
    event: Callable[[Fraction], str] | None = None
    rests_on: frozenset[str] = field(default_factory=built_by, compare=False)

    def reversed(self) -> "AllocationLoss":
        if self.other is None:
            raise UndecidedError("the other way round was not asked for.")
        return self.other.resting_also_on(self.rests_on)

    def both_ways(self) -> "tuple[AllocationLoss, AllocationLoss]":
        """The losses of removing the record and of adding it."""
        return self, self.reversed()

    def pooled(self) -> PrivacyLoss:
        """Outcomes of the law below, put together to fewer of them."""
        law = self.below
        atoms = list[Atom]()
        with precision(BITS):
            for start in range(0, len(law.masses), POOLED):
                rows = range(start, min(start + POOLED, len(law.masses)))
                masses = [law.masses[k] for k in rows]
                falls = [(-real(law.origin + law.step * k)).exp() for k in rows]
                p = Ball(sum(masses[1:], start=masses[0]), BITS)
                q = Ball(real_inner(masses, falls), BITS)
                if p.certainly_positive():
                    atoms.append(Atom.of(Fraction(p.lower()), Fraction(q.upper())))
        return PrivacyLoss(tuple(atoms))

    def delta(self, epsilon: Number) -> Bound:
        """One release only; plans ask the composition."""
        least, most = self._ends_at(rational(epsilon, "epsilon"))
        return Bound(least, most, HOW)

    def _ends_at(self, level: Fraction) -> tuple[Fraction, Fraction]:
        """The ends of delta at a level."""
        low = Fraction(_excess(self.below, level).lower())
        high = Fraction(_excess(self.above, level).upper())
        upper = min(high, Fraction(1))
        return min(max(low, Fraction(0)), upper), upper

    def tail(self, threshold: Number) -> Bound:
        """From the slope of delta as a function of exp(threshold), which is minus the probability
        without the record.
        """
        level = rational(threshold, "the threshold")
        least_here, most_here = self._ends_at(level)
        _, most_before = self._ends_at(level - NEAR)
        _, most_after = self._ends_at(level + NEAR)
        growth = Ball.of(NEAR, BITS).exp()
        least = (least_here - most_after) / (growth - 1)
        most = (most_before - least_here) / (1 - 1 / growth)
        low = Fraction((least_here + least).lower())
        high = Fraction((most_here + most).upper())
        upper = max(min(high, Fraction(1)), Fraction(0))
        return Bound(min(max(low, Fraction(0)), upper), upper, HOW)

    def mean(self) -> Bound:
        with precision(BITS):
            kept = sum(self.below.masses[1:], start=self.below.masses[0])
            rest = (1 - kept).max(real(0))
            # outcomes that are left out have at least the mean rest log rest
            left_out = rest * rest.log() if rest > 0 else -rest.abs_upper().sqrt()
            mean = Ball(_mean(self.below, lambda loss: loss) + left_out, BITS)
        return self._between(mean, self.whole.mean())

    def log_moment(self, rate: Fraction, bits: int) -> Ball:
        """A bound between 0 and the log moment of one step on all records."""
        if rate <= 0:
            raise UndecidedError("only moments at rates above 0 are bounded here.")
        most = self.whole.log_moment(rate, bits)
        return Ball.hull(Fraction(0), Fraction(most.upper()), bits)

    def renyi(self, order: Number | float) -> Bound:
        if order == math.inf:
            return self.max_divergence()
        alpha = positive_order(order)
        if alpha == 1:
            return self.mean()
        if alpha < 1:
            return Bound(Fraction(0), self.whole.renyi(alpha).upper, HOW)
        with precision(BITS):
            power = real(alpha - 1)
            moment = _mean(self.below, lambda loss: (power * loss).exp())
            divergence = Ball(moment.log() / power, BITS)
        return self._between(divergence, self.whole.renyi(alpha))

    def max_divergence(self) -> Bound:
        return self.whole.max_divergence()

    def zcdp_rho(self, xi: Number) -> Bound:
        if rational(xi, "xi") != 0:
            raise UndecidedError("only rho with xi = 0 is known of random allocation.")
        needed = [Fraction(self.renyi(order).lower) / order for order in ORDERS]
        return Bound(max(needed), self.whole.zcdp_rho(0).upper, HOW)

    def _between(self, below: Ball, whole: Bound) -> Bound:
        """A divergence between one of the law below and that of the whole."""
        low = max(Fraction(below.lower()), Fraction(0))
        return Bound(min(low, whole.upper), whole.upper, HOW)


def _excess(law: Masses, level: Fraction) -> Ball:
    """The mean of max(0, 1 - exp(level - loss))."""
    with precision(BITS):
        first = max(math.floor((level - law.origin) / law.step) + 1, 0)
        masses = law.masses[first:]
        if not masses:
            return Ball(law.infinite, BITS)
        falls = powers((-real(law.step)).exp(), len(masses))
        start = real(level - law.origin - law.step * first).exp()
        finite = sum(masses[1:], start=masses[0]) - start * real_inner(masses, falls)
        return Ball(finite + law.infinite, BITS)


def _mean(law: Masses, of_loss: Callable[[RealBall], RealBall]) -> RealBall:
    losses = [real(law.origin + law.step * k) for k in range(len(law.masses))]
    return real_inner(law.masses, [of_loss(loss) for loss in losses])
