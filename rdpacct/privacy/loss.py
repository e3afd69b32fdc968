"""The privacy loss of a pair of output laws, and the questions that it answers."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.ball import Ball, refine
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import ZERO, Expr, Rational, add
from rdpacct.exact.functions import maximum, sqrt
from rdpacct.exact.number import Number, below_one, rational
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.atoms import atoms_above
from rdpacct.privacy.ends import (
    at_least_zero,
    extreme,
    probability,
    root_of,
)
from rdpacct.privacy.epsilon_search import searched_epsilon
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.parts import FURTHEST_ORDER, Atom, Edge, Part, exactly
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt, built_by, by, planning, record

if TYPE_CHECKING:
    from rdpacct.privacy.subgaussian import BoundedLaw

BITS_LIMIT = 1536
"""The precision at which a value is returned as wide as it then is."""
BITS, MOST_BITS = 264, 1024
"""The precision of a search over rates or thresholds, raised with the range of the losses."""


@dataclass(frozen=True, slots=True)
class PrivacyLoss(Loss):
    """The law of L = log dP/dQ under P: parts with finite loss, and mass at infinity where Q has
    none.

    ``unseen`` is the mass of Q where P has none, which is the mass at infinity of ``reversed()``. A
    loss is ``symmetric`` if exchanging P and Q does not change its law. ``event`` says which
    outputs have a loss above a threshold, where that can be put in words.
    """

    parts: tuple[Part, ...]
    at_infinity: Expr = ZERO
    unseen: Expr = ZERO
    symmetric: bool = False
    forms: Forms = field(default=Forms())
    event: Callable[[Fraction], str] | None = None
    rests_on: frozenset[str] = field(
        default_factory=built_by, compare=False, repr=False
    )
    """The theorems by which this is the loss of a mechanism: those of the rule that built it."""

    def __post_init__(self) -> None:
        seen = tuple(
            part
            for part in self.parts
            if not (isinstance(part, Atom) and part.p == part.q == ZERO)
        )
        object.__setattr__(self, "parts", seen)
        for name in ("at_infinity", "unseen"):
            given = getattr(self, name)
            if not isinstance(given, Expr):
                mass = exactly(given, f"the mass {name}")
                if isinstance(mass, Rational) and not 0 <= mass.value <= 1:
                    raise InputError(
                        f"the mass {name} is {mass}; give a probability, from 0 to 1."
                    )
                object.__setattr__(self, name, mass)
        if not seen and self.at_infinity == ZERO:
            raise InputError(
                "a privacy loss has no parts and no mass at infinity, so that it is the"
                " law of nothing; give its parts, or at_infinity=1 for a pair that is"
                " always told apart."
            )

    def reversed(self) -> "PrivacyLoss":
        """The loss of the exchanged pair: log dQ/dP under Q."""
        if self.symmetric:
            return self
        parts = tuple(part.reversed() for part in self.parts)
        return PrivacyLoss(parts, self.unseen, self.at_infinity, rests_on=self.rests_on)

    def directions(self) -> tuple["PrivacyLoss", ...]:
        """The loss and its reversal, once if they are the same."""
        if self.symmetric:
            return (self,)
        return (self, self.reversed())

    def derived(self) -> "PrivacyLoss":
        """The same loss without its closed forms, so that every answer comes from the parts."""
        return replace(self, forms=Forms())

    def direction(self) -> Direction:
        """The direction of this loss, for composition, which rests on what the loss rests on."""
        with attempt() as used:
            direction = self._direction()
        return replace(direction, rests_on=self.rests_on | used)

    def _direction(self) -> Direction:
        """The closed form of the transform, that of the parts, or a grid."""
        if self.forms.transform is not None or not self.parts:
            return Direction(self.forms.transform, self.at_infinity)
        from rdpacct.privacy.parts_direction import direction_of_parts

        return direction_of_parts(self.parts, self.at_infinity)

    def range(self) -> tuple[Edge, Edge]:
        """The smallest and the largest loss under P; infinite if there is mass at infinity."""
        edges = [part.range() for part in self.parts]
        lowest = extreme([-low for low, _ in edges])
        return -lowest, (
            math.inf
            if self.at_infinity != ZERO
            else extreme([high for _, high in edges])
        )

    def mean(self) -> Bound:
        """The expectation of the loss: the Kullback-Leibler divergence of P from Q."""
        if self.at_infinity != ZERO:
            return Bound.exactly(math.inf, "P has mass where Q has none")
        if self.forms.mean is not None:
            return self.forms.mean().bound("closed form")
        return refine(self.mean_ball, limit=BITS_LIMIT).bound("sum over the parts")

    def moment(self, rate: Number) -> Bound:
        """The expectation of exp(rate L); infinite for positive rates if there is mass at
        infinity.
        """
        rate = rational(rate, "rate")
        if rate > 0 and self.at_infinity != ZERO:
            return Bound.exactly(math.inf, "P has mass where Q has none")
        if rate < 0 and not self.parts:
            return Bound.exactly(Fraction(0), "every loss is infinite")
        return refine(
            lambda bits: self.log_moment(rate, bits).exp(), limit=BITS_LIMIT
        ).bound("log moment")

    def log_moment(self, rate: Fraction, bits: int) -> Ball:
        """A ball for the logarithm of the expectation of exp(rate L)."""
        if rate > 0 and self.at_infinity != ZERO:
            return Ball.everything(bits)
        if rate == 0 and self.at_infinity == ZERO:
            return Ball.of(0, bits)
        form = self.forms.log_moment_at(rate)
        if form is not None and (value := form.ball(bits)).finite():
            return value
        total = sum(
            (part.moment(rate, bits) for part in self.parts), start=Ball.of(0, bits)
        )
        return (total + (self.at_infinity.ball(bits) if rate == 0 else 0)).log()

    def renyi(self, order: Number | float) -> Bound:
        """The Renyi divergence of P from Q; order 1 is the mean, order infinity the largest
        loss.
        """
        if order == math.inf:
            return self.max_divergence()
        alpha = positive_order(order)
        if alpha == 1:
            return self.mean()
        if (alpha > 1 and self.at_infinity != ZERO) or not self.parts:
            return Bound.exactly(math.inf, "P has mass where Q has none")
        how = (
            "closed form" if self.forms.log_moment is not None else "sum over the parts"
        )
        form = self.forms.log_moment_at(alpha - 1)
        if isinstance(form, Rational):
            return Bound.exactly(form.value / (alpha - 1), how)
        furthest = (
            FURTHEST_ORDER
            if form is not None
            else min(part.largest_order for part in self.parts)
        )
        if alpha > furthest:
            return Bound(
                self.renyi(furthest).lower,
                self.max_divergence().upper,
                "between a large order and infinity",
            )
        bound = refine(
            lambda bits: self.log_moment(alpha - 1, bits) / (alpha - 1),
            limit=BITS_LIMIT,
        ).bound(how)
        if math.isfinite(bound.upper):
            return bound
        return Bound(
            max(bound.lower, Fraction(0)),
            self.max_divergence().upper,
            "the largest loss",
        )

    def max_divergence(self) -> Bound:
        """The largest loss: the smallest epsilon of pure differential privacy in this direction."""
        highest = self.range()[1]
        if not isinstance(highest, Expr):
            return Bound.exactly(highest, "the loss is unbounded")
        return highest.bound("the largest loss")

    def centered_cdp(self) -> tuple[Bound, Bound]:
        """The tight (mu, tau) of Dwork and Rothblum: the mean, and the subgaussian parameter about
        it for all rates.
        """
        mean = self.mean()
        if self.forms.tau_squared is not None:
            return mean, sqrt(self.forms.tau_squared()).bound("closed form")
        return mean, root_of(self._tau_squared((1, -1)))

    def one_sided_cdp(self) -> tuple[Bound, Bound]:
        """The smallest (mu, tau) with mu = tau**2/2 and E exp(t (L - mu)) <= exp(t**2 tau**2/2) for
        all t >= 0.

        This is rho-zCDP with rho = mu, and the form that composes adaptively.
        """
        if self.forms.rho is None:
            return super(PrivacyLoss, self).one_sided_cdp()
        return self.zcdp_rho(0), sqrt(2 * self.forms.rho()).bound("closed form")

    def one_sided_tau(self) -> Bound:
        """The smallest tau with E exp(t (L - E L)) <= exp(t**2 tau**2/2) for all t >= 0, about the
        mean itself.
        """
        if self.forms.tau_squared is not None and self.forms.rho_at_both_ends:
            return sqrt(self.forms.tau_squared()).bound("closed form")
        return root_of(self._tau_squared((1,)))

    def zcdp_rho(self, xi: Number) -> Bound:
        """The smallest rho >= 0 with Renyi divergence at most xi + rho * order at every order above
        1.
        """
        offset = rational(xi, "xi")
        if self.at_infinity != ZERO:
            return Bound.exactly(math.inf, "P has mass where Q has none")
        if self.forms.rho is not None and (offset == 0 or self.forms.rho_at_both_ends):
            return (self.forms.rho() + max(Fraction(0), -offset)).bound("closed form")
        low, high = self.range()
        if isinstance(high, Expr) and (high - offset).bound().certainly_at_most(0):
            return Bound.exactly(Fraction(0), "no loss exceeds xi")
        if low == high and isinstance(high, Expr):
            return maximum(0, high - offset).bound("the loss is constant")
        return self.bounded_law("this xi").rho(offset)

    def gaussian_mu(self) -> Bound:
        """The smallest mu for which no test tells P from Q better than N(mu, 1) from N(0, 1)."""
        if self.forms.gaussian_mu is not None:
            return self.forms.gaussian_mu.bound("closed form")
        if not self.at_infinity == self.unseen == ZERO:
            return Bound.exactly(math.inf, "the supports of P and Q differ")
        low, high = self.range()
        if not (isinstance(low, Expr) and isinstance(high, Expr)):
            raise UndecidedError(
                "the loss is unbounded and has no closed form for a Gaussian trade-off."
            )
        if low == high:
            return Bound.exactly(Fraction(0), "the loss is constant")
        from rdpacct.privacy.gaussian_mu import gaussian_mu_between

        return gaussian_mu_between(
            Fraction(low.bound().lower),
            Fraction(high.bound().upper),
            self.delta_ball,
            self.tail_ball,
        )

    def _tau_squared(self, sides: tuple[int, ...]) -> Bound:
        if self.at_infinity != ZERO:
            return Bound.exactly(math.inf, "P has mass where Q has none")
        if self.range()[0] == self.range()[1]:
            return Bound.exactly(Fraction(0), "the loss is constant")
        from rdpacct.privacy.subgaussian import within_hoeffding

        return within_hoeffding(self.bounded_law("a subgaussian bound"), sides)

    def bounded_law(self, purpose: str) -> "BoundedLaw":
        """The bounded law of the loss, for a subgaussian bound."""
        from rdpacct.privacy.subgaussian import BoundedLaw

        low, high = self.range()
        if not (isinstance(low, Expr) and isinstance(high, Expr)):
            raise UndecidedError(
                f"the loss is unbounded and has no closed form for {purpose}."
            )
        bits = min(BITS + 3 * math.ceil((high - low).bound().upper), MOST_BITS)
        form = self.forms.mean
        mean = form().ball(bits) if form is not None else self.mean_ball(bits)
        return BoundedLaw(
            lambda rate: self.log_moment(rate, bits),
            lambda orders: self._central_moments(orders, mean, bits),
            mean,
            low.ball(bits),
            high.ball(bits),
            bits,
        )

    def _central_moments(self, orders: int, mean: Ball, bits: int) -> list[Ball]:
        of_parts = [part.central_moments(orders, mean, bits) for part in self.parts]
        return [
            sum(moments[1:], start=moments[0])
            for moments in zip(*of_parts, strict=True)
        ]

    def tail(self, threshold: Number) -> Bound:
        """The probability under P that the loss exceeds the threshold, an infinite loss
        included.
        """
        level = rational(threshold, "threshold")
        ball = refine(
            lambda bits: (
                self._total(lambda part: part.tail(level, bits), bits)
                + self.at_infinity.ball(bits)
            ),
            limit=BITS_LIMIT,
        )
        return probability(ball, "sum over the parts")

    def event_probabilities(self, threshold: Number) -> tuple[Bound, Bound]:
        """The probabilities under P and under Q that the loss exceeds the threshold."""
        level = rational(threshold, "threshold")

        atoms = atoms_above(self.parts, level)
        if atoms is not None:
            p, q = (
                add(*masses)
                for masses in (zip(*atoms, strict=True) if atoms else ([ZERO], [ZERO]))
            )
            return (p + self.at_infinity).bound("sum over the atoms"), q.bound(
                "sum over the atoms"
            )

        def under_q(bits: int) -> Ball:
            above = self._total(
                lambda part: part.tail(level, bits) - part.excess(level, bits), bits
            )
            return above / Ball.of(level, bits).exp()

        return self.tail(level), probability(
            refine(under_q, limit=BITS_LIMIT), "sum over the parts"
        )

    def delta(self, epsilon: Number) -> Bound:
        """The smallest delta for which P <= exp(epsilon) Q + delta on every event."""
        level = rational(epsilon, "epsilon")
        if level == 0 and all(isinstance(part, Atom) for part in self.parts):
            atoms = [
                maximum(0, part.p - part.q)
                for part in self.parts
                if isinstance(part, Atom)
            ]
            total = add(self.at_infinity, *atoms)
            if isinstance(total, Rational):
                return total.bound("exact sum over the atoms")
        how = "closed form" if self.forms.delta and level >= 0 else "sum over the parts"
        return probability(
            refine(lambda bits: self.delta_ball(level, bits), limit=BITS_LIMIT), how
        )

    def tradeoff(self, rate: Fraction) -> Bound:
        """The smallest false negative rate of a test of Q against P with this false positive
        rate.
        """
        with attempt() as used:
            finite = self.never_infinite()
        if rate == 0 or finite.upper == 0:
            record(used)
            return finite.safe_below()
        from rdpacct.privacy.tradeoff import tradeoff

        return tradeoff(self, rate).safe_below()

    def tradeoffs(self, rates: Sequence[Fraction]) -> list[Bound]:
        """The smallest false negative rates at many rates, which share points of the profile where
        these are searched for.
        """
        from rdpacct.privacy.tradeoff import is_searched

        if not is_searched(self) or self._is_always_infinite():
            return [self.tradeoff(rate) for rate in rates]
        from rdpacct.privacy.many_tradeoffs import ManyTradeoffs

        return ManyTradeoffs(self.missed, self.rests_on).each(rates)

    @planning
    def _is_always_infinite(self) -> bool:
        """Whether no loss is finite, so that there is nothing to search for."""
        return self.never_infinite().upper == 0

    @by("tradeoff/from-profile")
    def never_infinite(self) -> Bound:
        """The mass of finite losses: the false negatives of the best test that never raises a false
        alarm.
        """
        return (1 - self.at_infinity).bound(
            "the mass at infinity (tradeoff/from-profile)"
        )

    def missed(self, epsilon: Fraction) -> Ball:
        """1 - delta(epsilon), as accurate as if it were near one."""
        return refine(
            lambda bits: 1 - self.delta_ball(epsilon, bits),
            accuracy=80,
            limit=BITS_LIMIT,
        )

    def delta_ball(self, epsilon: Fraction, bits: int) -> Ball:
        """A ball for delta(epsilon), at one precision."""
        if self.forms.delta is not None and epsilon >= 0:
            return self.forms.delta(epsilon).ball(bits)
        return self._total(
            lambda part: part.excess(epsilon, bits), bits
        ) + self.at_infinity.ball(bits)

    def mean_ball(self, bits: int) -> Ball:
        """A ball for the mean of the finite losses, at one precision."""
        return self._total(lambda part: part.mean(bits), bits)

    def tail_ball(self, threshold: Fraction, bits: int) -> Ball:
        """A ball for the probability under P of a finite loss above the threshold, at one
        precision.
        """
        return self._total(lambda part: part.tail(threshold, bits), bits)

    def epsilon(self, delta: Number) -> Bound:
        """The smallest epsilon >= 0 with delta(epsilon) <= delta; infinite if there is none."""
        target = below_one(delta, "delta")
        if target == 0:
            return at_least_zero(self.max_divergence())
        if (
            self.forms.epsilon is not None
            and (closed := self.forms.epsilon(target)) is not None
        ):
            return closed
        if self.delta(0).certainly_at_most(target):
            return Bound.exactly(Fraction(0), "delta(0) is small enough")
        infinite = self.at_infinity.bound()
        if infinite.certainly_above(target) or (
            infinite.is_exact and infinite.lower == target and self._unbounded()
        ):
            return Bound.exactly(math.inf, "the mass at infinity exceeds delta")
        top = extreme([part.range()[1] for part in self.parts])
        return searched_epsilon(self.delta_ball, top, target)

    def _unbounded(self) -> bool:
        return any(not isinstance(part.range()[1], Expr) for part in self.parts)

    def _total(self, question: Callable[[Part], Ball], bits: int) -> Ball:
        return sum(map(question, self.parts), start=Ball.of(0, bits))


def positive_order(order: Number) -> Fraction:
    """The order of a Renyi divergence."""
    alpha = rational(order, "order")
    if alpha <= 0:
        raise InputError(
            f"order is {order}, but a Renyi divergence needs a positive order; give one"
            " above 0."
        )
    return alpha
