"""A sum of independent losses, and the questions whose answers for each of them add up."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce

from rdpacct.composition.draws import Draw
from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball, RealBall, refine
from rdpacct.exact.bound import Bound, plus
from rdpacct.exact.formula import ZERO, Expr
from rdpacct.exact.number import Number, rational
from rdpacct.exact.raw import real
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.constants import value
from rdpacct.privacy.infinite_mass import finite_share
from rdpacct.privacy.loss import positive_order
from rdpacct.privacy.profile import Profile
from rdpacct.provenance import by
from rdpacct.work import spend

RATES = (-2, -1, Fraction(-1, 2), Fraction(1, 8), Fraction(1, 2), 1, 2, 4, 16)
"""The rates at which a subgaussian parameter is bounded from below."""
MOMENT_WORK = 300
"""The work of one moment of a loss."""


@dataclass(frozen=True, slots=True)
class AddedLoss(Loss):
    """The sum of independent losses, each drawn a number of times."""

    draws: tuple[Draw, ...] = ()
    infinite: tuple[tuple[Expr, int], ...] = field(default=(), compare=False)
    """The masses of the infinite losses, with how often each is drawn."""
    event: Callable[[Fraction], str] | None = None
    rests_on: frozenset[str] = field(default=frozenset(), compare=False, repr=False)

    @property
    def at_infinity(self) -> Expr:  # type: ignore[override]
        """The probability that some loss is infinite."""
        return 1 - finite_share(self.infinite) if self.infinite else ZERO

    def finite_mass(self) -> RealBall:
        """The probability that no loss is infinite."""
        if self.infinite:
            return value(finite_share(self.infinite))
        return real(1)

    @by("composition/mean")
    def mean(self) -> Bound:
        """The means of independent losses add up."""
        return total(
            [(loss().mean(), count) for _, loss, count in self.draws],
            "sum of the means",
        )

    @by("composition/renyi")
    def renyi(self, order: Number | float) -> Bound:
        """The Renyi divergences of independent pairs add up, at every order."""
        if order != math.inf:
            order = positive_order(order)
        return total(
            [(loss().renyi(order), count) for _, loss, count in self.draws],
            "sum of the divergences",
        )

    def max_divergence(self) -> Bound:
        return total(
            [(loss().max_divergence(), count) for _, loss, count in self.draws],
            "sum of the largest losses",
        )

    def log_moment(self, rate: Fraction, bits: int) -> Ball:
        if rate == 0 and not self.infinite:
            return Ball.of(0, bits)
        spend(MOMENT_WORK * len(self.draws))
        total = Ball.of(0, bits)
        for _, answers, count in self.draws:
            answering = answers()
            logs = [
                loss.log_moment(rate, bits)
                for loss in (
                    answering.losses if isinstance(answering, Profile) else (answering,)
                )
            ]
            if not logs:
                raise UndecidedError(
                    "no pair of laws is known that stands for a release of the plan;"
                    " ask for delta or epsilon."
                )
            total = total + count * reduce(lambda x, y: x.larger(y), logs)
        return total

    def moment(self, rate: Number) -> Bound:
        exact = rational(rate, "rate")
        return refine(lambda bits: self.log_moment(exact, bits).exp(), limit=768).bound(
            "product of the moments"
        )

    @by("composition/zcdp")
    def zcdp_rho(self, xi: Number) -> Bound:
        """Upper end: the sum of the rhos. Lower end: the mean, or the divergence of any order over
        that order.
        """
        offset = rational(xi, "xi")
        enough = total(
            [(loss().zcdp_rho(0), count) for _, loss, count in self.draws],
            "sum of the rhos",
        )
        if math.isinf(enough.lower):
            return enough
        needed = [plus(self.renyi(order).lower, -offset) / order for order in (1, 2, 8)]
        return Bound(
            max(Fraction(0), *needed),
            plus(enough.upper, max(Fraction(0), -offset)),
            "sum of the rhos (composition/zcdp)",
        )

    def centered_cdp(self) -> tuple[Bound, Bound]:
        mean = self.mean()
        squares = [
            (squared(loss().centered_cdp()[1]), count) for _, loss, count in self.draws
        ]
        return mean, self._tau(mean, total(squares, ""), RATES)

    def one_sided_tau(self) -> Bound:
        mean = self.mean()
        squares = [
            (squared(loss().one_sided_tau()), count) for _, loss, count in self.draws
        ]
        return self._tau(
            mean, total(squares, ""), tuple(rate for rate in RATES if rate > 0)
        )

    @by("composition/subgaussian")
    def _tau(
        self, mean: Bound, enough: Bound, rates: tuple[int | Fraction, ...]
    ) -> Bound:
        """Upper end: the squares of the parameters add up. Lower end: what the transform at some
        rate needs.
        """
        if math.isinf(enough.upper):
            return Bound(Fraction(0), math.inf, "no bound on a part")
        needed = Fraction(0)
        # of several losses the one with the largest moment need not be the one with the largest
        # mean
        for rate in (
            rates
            if all(isinstance(answers(), Loss) for _, answers, _ in self.draws)
            else ()
        ):
            excess = self.log_moment(Fraction(rate), 192) - rate * ball_of(mean)
            if excess.certainly_positive():
                needed = max(
                    needed, Fraction((2 * excess / Fraction(rate) ** 2).sqrt().lower())
                )
        return Bound(
            needed,
            Ball.of(Fraction(enough.upper), 192).sqrt().upper(),
            "sum of squares (composition/subgaussian)",
        )


def ball_of(bound: Bound) -> Ball:
    """A ball that contains a finite bound."""
    return Ball.hull(Fraction(bound.lower), Fraction(bound.upper), 192)


def squared(bound: Bound) -> Bound:
    return Bound(bound.lower * bound.lower, bound.upper * bound.upper, bound.how)


def total(bounds: list[tuple[Bound, int]], how: str) -> Bound:
    """The sum of bounds on numbers of at least 0, each taken as often as its count says."""
    lower = plus(*(count * max(Fraction(0), bound.lower) for bound, count in bounds))
    upper = plus(*(count * bound.upper for bound, count in bounds))
    return Bound(lower, upper, how)
