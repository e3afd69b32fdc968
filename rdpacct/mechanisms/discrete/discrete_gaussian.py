"""The discrete Gaussian mechanism: Gaussian weights on the integers, for an integer query."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.ball import Ball
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import ONE, Expr, Rational, Real, formula
from rdpacct.exact.functions import exp
from rdpacct.exact.number import decimal_text, whole
from rdpacct.exact.parameter import OptionalParameter
from rdpacct.exact.special import gaussian_sum, gaussian_tail_sum
from rdpacct.mechanisms.alternatives import Alternatives
from rdpacct.mechanisms.array_sampling import many_discrete_gaussians
from rdpacct.mechanisms.discrete.discrete_laplace import steps_of
from rdpacct.mechanisms.discrete.discrete_transforms import DiscreteGaussianTransform
from rdpacct.mechanisms.discrete.integer_shift import (
    Shift,
    ShiftIn,
    sizes,
    square_of,
    worst_shifts,
)
from rdpacct.mechanisms.mechanism import NoiseMechanism, Plan
from rdpacct.mechanisms.moved import too_far
from rdpacct.mechanisms.noisy import size_of, with_whole_noise
from rdpacct.mechanisms.promised.moment_promise import MomentProfile
from rdpacct.mechanisms.promised.promised import Promised, moments
from rdpacct.mechanisms.sampling import discrete_gaussian
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.guarantee import ZCDP
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import FURTHEST_ORDER, Edge, Part
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Norm, Sensitivity, SensitivityIn
from rdpacct.privacy.transform import Direction, Transform
from rdpacct.provenance import by

MAX_STEPS = 10**9
SMALLEST_SIGMA, LARGEST_SIGMA = Fraction(1, 1000), Fraction(10**12)
"""Below the first, the noise is practically always zero; above the second, sums over the integers
lose their meaning.
"""


@dataclass(frozen=True)
class DiscreteGaussian(NoiseMechanism):
    """f(D) + an integer x of probability proportional to exp(-x**2/(2 sigma**2)), for an integer
    query f.

    sigma is the parameter of the weights; the standard deviation of the noise is slightly smaller.
    Either it is given or its square, which is rational. A query with values in this many
    ``dimensions`` has independent noise on each coordinate and a sensitivity in L2; if its
    difference between neighbors is known, that is the ``shift``.
    """

    sigma: OptionalParameter = OptionalParameter(above_least=True)
    sensitivity: SensitivityIn = SensitivityIn(Norm.L2, also=(Norm.L1,))
    sigma_squared: OptionalParameter = OptionalParameter(above_least=True)
    dimension: int = 1
    shift: ShiftIn = ShiftIn()
    same_outputs: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "dimension", whole(self.dimension, "dimension", 1, MAX_STEPS)
        )
        if self.shift is not None and (
            self.dimension != 1 or self.sensitivity.value != ONE
        ):
            raise InputError(
                "a shift says all about the sensitivity; leave out the sensitivity and"
                " the dimension."
            )
        if self.shift is None and self.dimension == 1:
            steps_of(self.sensitivity, MAX_STEPS)
        elif self.shift is None:
            square_of(self.sensitivity)
        if not SMALLEST_SIGMA**2 <= self.variance <= LARGEST_SIGMA**2:
            low = decimal_text(SMALLEST_SIGMA)
            high = decimal_text(LARGEST_SIGMA)
            told = (
                f"sigma is {self.sigma}"
                if self.sigma is not None
                else f"sigma_squared is {self.sigma_squared}"
            )
            raise InputError(
                f"{told}, but discrete noise needs a sigma from {low} to {high}; give"
                " such a value."
            )

    @lazy_property
    def variance(self) -> Fraction:
        """The square of sigma."""
        if (self.sigma is None) == (self.sigma_squared is None):
            told = (
                "neither sigma nor its square"
                if self.sigma is None
                else "both sigma and its square"
            )
            raise InputError(
                f"DiscreteGaussian has {told}; give sigma=... or sigma_squared=..., one"
                " of them."
            )
        square = self.sigma_squared if self.sigma is None else self.sigma**2
        if not isinstance(square, Rational):
            told = (
                f"sigma_squared is {self.sigma_squared}"
                if self.sigma is None
                else f"sigma is {self.sigma}"
            )
            raise InputError(
                f"{told}, but the square of sigma must be rational; give one such as"
                " 5/2."
            )
        return square.value

    @property
    def _is_vector(self) -> bool:
        return self.shift is not None or self.dimension > 1

    def for_group(self, size: int) -> "DiscreteGaussian | None":
        """Nothing, if the difference between neighbors is given, and not a bound on it."""
        if self.shift is not None:
            return None
        return super().for_group(size)

    def loss(self) -> PrivacyLoss:
        if self._is_vector:
            raise UndecidedError(
                "the loss of a vector is that of several releases; compose it in a"
                " plan."
            )
        return worst_pair(self.variance, steps_of(self.sensitivity, MAX_STEPS))

    def profile(self) -> Profile:
        if not self._is_vector:
            return super().profile()
        members = (worst_pair(self.variance, self._shifts()[0][0][0]),)
        return MomentProfile(members, moments(ZCDP(self._rho())))

    def directions(self) -> tuple[Direction, ...]:
        if not self._is_vector:
            return super().directions()
        profile = self.profile()
        return (
            Direction(
                moments(ZCDP(self._rho())),
                below=tuple(loss.direction() for loss in profile.losses),
            ),
        )

    def alternatives(self) -> Alternatives | None:
        if not self._is_vector:
            return None
        shifts, all_of_them = self._shifts()
        above = Promised(ZCDP(self._rho()), relation=self.relation)
        return Alternatives(
            tuple(map(self._by_coordinates, shifts)), Plan.of(above), all_of_them
        )

    def _by_coordinates(self, shift: Shift) -> Plan:
        """The releases of the coordinates, each with its own sensitivity."""
        return Plan.of(*(self._coordinate(steps) for steps in shift))

    def _coordinate(self, steps: int) -> "DiscreteGaussian":
        sensitivity = Sensitivity(steps, norm=Norm.L2, relation=self.relation)
        return DiscreteGaussian(sensitivity=sensitivity, sigma_squared=self.variance)

    def _shifts(self) -> tuple[tuple[Shift, ...], bool]:
        if self.shift is not None:
            return (sizes(self.shift),), True
        return worst_shifts(square_of(self.sensitivity), self.dimension)

    def _rho(self) -> Expr:
        square = (
            square_of(self.sensitivity)
            if self.shift is None
            else sum(x**2 for x in self.shift)
        )
        return rho(square / self.variance)

    def certified(self) -> tuple[str, dict[str, Any]]:
        kind, parameters = super().certified()
        if self._is_vector:
            return kind, parameters
        return kind, {"sigma_squared": self.variance, "sensitivity": self.sensitivity}

    def uncovered(self, first: Sequence[Fraction], second: Sequence[Fraction]) -> str:
        if self.shift is None:
            return super().uncovered(first, second)
        longest = Norm.L2.length(Fraction(entry) for entry in self.shift)
        moves = [b - a for a, b in zip(first, second, strict=True)]
        return too_far(moves, Sensitivity(longest, norm=Norm.L2))

    def sample(self, value: Any, rng: Source = None) -> Any:
        """The noisy value, exactly distributed, with independent noise on each coordinate of a list
        or an array.
        """
        variance = self.variance
        source = randomness(rng)
        if self._is_vector and size_of(value) != self._size:
            raise InputError(
                f"the value is not a vector of {self._size} whole numbers; give a list or"
                " an array of them."
            )
        return with_whole_noise(
            value,
            lambda: discrete_gaussian(variance, source),
            lambda size: many_discrete_gaussians(variance, size, source),
        )

    @property
    def _size(self) -> int:
        if self.shift is None:
            return self.dimension
        return len(self.shift)

    def pair(self) -> tuple[Any, Any]:
        if not self._is_vector:
            return 0, -steps_of(self.sensitivity, MAX_STEPS)
        shift = self.shift or self._shifts()[0][0]
        return [0] * self._size, [-entry for entry in shift] + [0] * (
            self._size - len(shift)
        )

    def observed(self, output: Any) -> float:
        _, second = self.pair()
        rows = (
            zip(output, second, strict=True) if self._is_vector else [(output, second)]
        )
        return float(sum((x - y) ** 2 - x**2 for x, y in rows) / (2 * self.variance))

    @classmethod
    def examples(cls) -> Iterable["DiscreteGaussian"]:
        return (
            cls(1),
            cls("0.4"),
            cls("7/2", sensitivity=2),
            cls(40),
            cls(sigma_squared="5/2"),
        )


@dataclass(frozen=True)
class GaussianLattice(Part):
    """The losses steps (2x + steps)/(2 variance) of the integers x, of weight exp(-x**2/(2
    variance)).
    """

    largest_order: ClassVar[int] = FURTHEST_ORDER
    variance: Fraction
    steps: int

    def range(self) -> tuple[Edge, Edge]:
        return -math.inf, math.inf

    def moment(self, rate: Fraction, bits: int) -> Ball:
        smooth = exp(rate * (1 + rate) * self.steps**2 / (2 * self.variance)).ball(bits)
        return (
            smooth
            * gaussian_sum(rate * self.steps, self.variance, bits)
            / self._total(bits)
        )

    def mean(self, bits: int) -> Ball:
        return Ball.of(self.steps**2 / (2 * self.variance), bits)

    def central_moments(self, orders: int, center: Ball, bits: int) -> list[Ball]:
        raise NotImplementedError("central moments are taken of bounded losses only")

    def tail(self, threshold: Fraction, bits: int) -> Ball:
        return gaussian_tail_sum(
            self._first(threshold), self.variance, bits
        ) / self._total(bits)

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
        return (
            math.floor(
                (2 * self.variance * threshold - self.steps**2) / (2 * self.steps)
            )
            + 1
        )

    def _total(self, bits: int) -> Ball:
        return gaussian_sum(Fraction(0), self.variance, bits)


def _event(variance: Fraction, steps: int, threshold: Fraction) -> str:
    first = GaussianLattice(variance, steps)._first(threshold)
    return f"output - f(D) >= {first}, where f(D) - f(D') = {steps}"


@by("discrete-gaussian/worst-pair")
def worst_pair(variance: Fraction, steps: int) -> PrivacyLoss:
    """Among integer values at distance at most ``steps``, those at distance ``steps`` have the
    worst loss.
    """
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


def log_moment(variance: Real, steps: int, rate: Real) -> Expr | None:
    """log E exp(rate L) at the rates that shift by whole steps; None at others."""
    if (
        not isinstance(rate, int | Fraction)
        or (Fraction(rate) * steps).denominator != 1
    ):
        return None
    return shifted_moment(variance, steps, rate)


@by("discrete-gaussian/renyi")
def shifted_moment(variance: Real, steps: Real, rate: Real) -> Expr:
    """log E exp(rate L) if rate times steps is whole: that of the Gaussian mechanism."""
    return formula(rate) * (1 + formula(rate)) * steps**2 / (2 * formula(variance))


@by("discrete-gaussian/zcdp")
def rho(mu_squared: Real) -> Expr:
    """The zCDP parameter, for (sensitivity/sigma)**2."""
    return formula(mu_squared) / 2
