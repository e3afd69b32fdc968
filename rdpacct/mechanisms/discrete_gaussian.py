"""The discrete Gaussian mechanism: Gaussian weights on the integers, for an integer query."""

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from rdpacct.errors import InputError
from rdpacct.exact.ball import Ball
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import exp
from rdpacct.exact.number import decimal_text
from rdpacct.exact.parameter import Parameter
from rdpacct.exact.special import gaussian_sum, gaussian_tail_sum
from rdpacct.mechanisms.discrete_laplace import integer, steps_of
from rdpacct.mechanisms.mechanism import NoiseMechanism, randomness, rational_of
from rdpacct.mechanisms.sampling import discrete_gaussian
from rdpacct.privacy.discrete_transforms import DiscreteGaussianTransform
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Edge, Part
from rdpacct.privacy.relation import Norm, SensitivityIn
from rdpacct.privacy.transform import Transform
from rdpacct.provenance import by

MAX_STEPS = 10**9
SMALLEST_SIGMA, LARGEST_SIGMA = Fraction(1, 1000), Fraction(10**12)
"""Below, the noise is zero but for a chance beyond any use; above, sums over the integers lose their meaning."""


@dataclass(frozen=True)
class DiscreteGaussian(NoiseMechanism):
    """f(D) + an integer x of probability proportional to exp(-x**2/(2 sigma**2)), for an integer query f.

    sigma is the parameter of the weights; the standard deviation of the noise is slightly smaller.
    """

    sigma: Parameter = Parameter(above_least=True)
    sensitivity: SensitivityIn = SensitivityIn(Norm.L1)

    def __post_init__(self) -> None:
        steps_of(self.sensitivity, MAX_STEPS)
        sigma = rational_of(self.sigma, "sigma")
        if not SMALLEST_SIGMA <= sigma <= LARGEST_SIGMA:
            low, high = decimal_text(SMALLEST_SIGMA), decimal_text(LARGEST_SIGMA)
            raise InputError(
                f"sigma is {self.sigma}, but discrete noise needs one from {low} to {high}; give such a value."
            )

    def loss(self) -> PrivacyLoss:
        return worst_pair(rational_of(self.sigma, "sigma") ** 2, steps_of(self.sensitivity, MAX_STEPS))

    def sample(self, value: int, rng: random.Random | None = None) -> int:
        """The noisy value, exactly distributed."""
        return integer(value) + discrete_gaussian(rational_of(self.sigma, "sigma") ** 2, randomness(rng))

    def pair(self) -> tuple[int, int]:
        return 0, -steps_of(self.sensitivity, MAX_STEPS)

    def observed(self, output: int) -> float:
        steps, sigma = -self.pair()[1], float(self.sigma.ball(64))
        return steps * (2 * output + steps) / (2 * sigma**2)

    @classmethod
    def examples(cls) -> Iterable["DiscreteGaussian"]:
        return cls(1), cls("0.4"), cls("7/2", sensitivity=2), cls(40)


@dataclass(frozen=True)
class GaussianLattice(Part):
    """The losses steps (2x + steps)/(2 variance) of the integers x, of weight exp(-x**2/(2 variance))."""

    variance: Fraction
    steps: int

    def range(self) -> tuple[Edge, Edge]:
        return -math.inf, math.inf

    def moment(self, rate: Fraction, bits: int) -> Ball:
        smooth = exp(rate * (1 + rate) * self.steps**2 / (2 * self.variance)).ball(bits)
        return smooth * gaussian_sum(rate * self.steps, self.variance, bits) / self._total(bits)

    def mean(self, bits: int) -> Ball:
        return Ball.of(self.steps**2 / (2 * self.variance), bits)

    def central_moments(self, orders: int, center: Ball, bits: int) -> list[Ball]:
        raise NotImplementedError("central moments are taken of bounded losses only")

    def tail(self, threshold: Fraction, bits: int) -> Ball:
        return gaussian_tail_sum(self._first(threshold), self.variance, bits) / self._total(bits)

    def excess(self, threshold: Fraction, bits: int) -> Ball:
        first = self._first(threshold)
        p = gaussian_tail_sum(first, self.variance, bits)
        q = gaussian_tail_sum(first + self.steps, self.variance, bits)
        return ((p - q * exp(threshold).ball(bits)) / self._total(bits)).positive_part()

    def reversed(self) -> "GaussianLattice":
        return self

    def transform(self) -> Transform:
        return DiscreteGaussianTransform(self.variance, self.steps)

    def _first(self, threshold: Fraction) -> int:
        """The smallest integer whose loss exceeds the threshold."""
        return math.floor((2 * self.variance * threshold - self.steps**2) / (2 * self.steps)) + 1

    def _total(self, bits: int) -> Ball:
        return gaussian_sum(Fraction(0), self.variance, bits)


def _event(variance: Fraction, steps: int, threshold: Fraction) -> str:
    first = GaussianLattice(variance, steps)._first(threshold)
    return f"output - f(D) >= {first}, where f(D) - f(D') = {steps}"


@by("discrete-gaussian/worst-pair")
def worst_pair(variance: Fraction, steps: int) -> PrivacyLoss:
    """Among integer values at distance at most ``steps``, those at distance ``steps`` have the worst loss."""
    mu_squared = steps**2 / variance
    return PrivacyLoss(
        (GaussianLattice(variance, steps),),
        symmetric=True,
        event=partial(_event, variance, steps),
        forms=Forms(
            mean=partial(mean, mu_squared),
            log_moment=partial(log_moment, variance, steps),
            tau_squared=partial(tau_squared, mu_squared),
            rho=partial(rho, mu_squared),
            rho_at_both_ends=True,
        ),
    )


@by("discrete-gaussian/subgaussian")
def mean(mu_squared: Real) -> Expr:
    """The mean loss, for (sensitivity/sigma)**2."""
    return formula(mu_squared) / 2


@by("discrete-gaussian/subgaussian")
def tau_squared(mu_squared: Real) -> Expr:
    """The square of tau, for (sensitivity/sigma)**2."""
    return formula(mu_squared)


@by("discrete-gaussian/renyi")
def log_moment(variance: Fraction, steps: int, rate: Real) -> Expr | None:
    """log E exp(rate L) at the rates that shift by whole steps, where it is that of the Gaussian mechanism."""
    if not isinstance(rate, int | Fraction) or (Fraction(rate) * steps).denominator != 1:
        return None
    return formula(rate) * (1 + formula(rate)) * steps**2 / (2 * variance)


@by("discrete-gaussian/zcdp")
def rho(mu_squared: Real) -> Expr:
    """The zCDP parameter, for (sensitivity/sigma)**2."""
    return formula(mu_squared) / 2
