"""Laws of the number of runs of which the best is kept: their generating functions, and exact draws
of them.
"""

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.formula import ONE, ZERO, Expr, Rational, Real, formula
from rdpacct.exact.functions import exp, log
from rdpacct.exact.raw import real
from rdpacct.exact.root import bracket
from rdpacct.mechanisms.selection.lazy_noise import LazyUniform
from rdpacct.privacy.constants import value
from rdpacct.provenance import by, recorded_property

GAMMA_BITS = 96
"""The number of bits to which a gamma without a closed form is worked out."""
DRAW_BITS = 96
"""The precision at which a draw is first tried."""


class Ends(NamedTuple):
    """Two numbers between which another certainly lies."""

    lower: Fraction
    upper: Fraction


class NumberOfRuns(ABC):
    """The law of a random number of runs."""

    mean: Expr

    @property
    @abstractmethod
    def none(self) -> Expr:
        """The probability of no run at all."""

    @abstractmethod
    def generating(self, x: Fraction) -> Ends:
        """E x**K, the probability that no run has an output that one run has with chance 1 - x."""

    @abstractmethod
    def least(self, bits: int) -> tuple[int, RealBall]:
        """The smallest number of runs and its probability, at the current precision."""

    @abstractmethod
    def growth(self, number: int, bits: int) -> RealBall:
        """How many times as likely the next number of runs is."""

    def draw(self, rng: random.Random) -> int:
        """A number of runs, exactly distributed: bits are drawn until it is certain."""
        place = LazyUniform(rng)
        bits = DRAW_BITS
        while True:
            number = self._below(place, bits)
            if number is not None:
                return number
            bits *= 2

    def _below(self, place: LazyUniform, bits: int) -> int | None:
        """The number of runs at a place between 0 and 1; None if that takes more digits."""
        with precision(bits):
            number, chance = self.least(bits)
            reached = chance
            while True:
                while (above := _is_above(place, reached)) is None:
                    if 2 * place.bits > bits:
                        return None
                    place.refine()
                if not above:
                    return number
                chance = chance * self.growth(number, bits)
                reached = reached + chance
                number += 1


def _is_above(place: LazyUniform, level: RealBall) -> bool | None:
    """Whether a number is above a level; None if that takes more of its bits."""
    unit = 1 << place.bits
    scaled = level * unit
    if scaled > place.low + 1:
        return False
    if scaled < place.low:
        return True
    return None


@dataclass(frozen=True)
class NegativeBinomialRuns(NumberOfRuns):
    """The truncated negative binomial law of a mean and of a shape above -1: at least one run."""

    mean: Expr
    shape: Expr

    @property
    def none(self) -> Expr:
        return ZERO

    @recorded_property
    def gamma(self) -> Ends:
        """The parameter gamma of the law, enclosed: far out the masses fall by the factor 1 - gamma
        from one number to the next.
        """
        return self._gamma(GAMMA_BITS)

    def _gamma(self, bits: int) -> Ends:
        if self.shape == ONE and isinstance(self.mean, Rational):
            return Ends(1 / self.mean.value, 1 / self.mean.value)
        if self.mean == ONE:
            return Ends(Fraction(1), Fraction(1))

        def excess(gamma: Fraction, digits: int) -> Ball:
            return (mean_runs(gamma, self.shape) - self.mean).ball(digits + bits)

        least = Fraction(1, 2)
        while not excess(least, 128).certainly_positive():
            least = least * least
        return Ends(*bracket(excess, least, Fraction(1), bits))

    def generating(self, x: Fraction) -> Ends:
        low, high = (
            runs_generating(x, gamma, self.shape).bound() for gamma in self.gamma
        )
        return Ends(Fraction(low.lower), Fraction(high.upper))

    def _gamma_ball(self, bits: int) -> RealBall:
        low, high = self.gamma if bits <= DRAW_BITS else self._gamma(bits)
        return real(low).union(real(high))

    def least(self, bits: int) -> tuple[int, RealBall]:
        power = (self._gamma_ball(bits).log() * (1 + value(self.shape))).exp()
        return 1, power * value(self.mean)

    def growth(self, number: int, bits: int) -> RealBall:
        fail = 1 - self._gamma_ball(bits)
        return fail * (number + value(self.shape)) / (number + 1)


@dataclass(frozen=True)
class PoissonRuns(NumberOfRuns):
    """The Poisson law of a mean, which may be no run at all."""

    mean: Expr

    @property
    def none(self) -> Expr:
        return poisson_generating(0, self.mean)

    def generating(self, x: Fraction) -> Ends:
        bound = poisson_generating(x, self.mean).bound()
        return Ends(Fraction(bound.lower), Fraction(bound.upper))

    def least(self, bits: int) -> tuple[int, RealBall]:  # noqa: ARG002
        return 0, value(self.none)

    def growth(self, number: int, bits: int) -> RealBall:  # noqa: ARG002
        return value(self.mean) / (number + 1)


@by("selection/best-run")
def runs_generating(x: Real, gamma: Real, shape: Real) -> Expr:
    """E x**K for the truncated negative binomial law; K = 1 for a gamma of 1."""
    share = formula(gamma)
    if share == ONE:
        return formula(x)
    left = 1 - (1 - share) * x
    if formula(shape) == ZERO:
        return log(left) / log(share)
    power = -formula(shape)
    return (exp(power * log(left)) - 1) / (exp(power * log(share)) - 1)


@by("selection/best-run")
def mean_runs(gamma: Real, shape: Real) -> Expr:
    """The mean of the truncated negative binomial law, the slope of its generating function
    at 1.
    """
    share = formula(gamma)
    power = formula(shape)
    if share == ONE:
        return ONE
    odds = (1 - share) / share
    if power == ZERO:
        return odds / log(1 / share)
    return power * odds / (1 - exp(power * log(share)))


@by("selection/poisson-runs")
def poisson_generating(x: Real, mean: Real) -> Expr:
    """E x**K for the Poisson law."""
    return exp(formula(mean) * (formula(x) - 1))
