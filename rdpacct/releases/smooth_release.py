"""A query released with noise on the scale of its smooth sensitivity."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

from rdpacct.errors import InputError
from rdpacct.exact.number import Number, rational
from rdpacct.mechanisms.smooth.smooth_laplace import SmoothLaplace
from rdpacct.mechanisms.smooth.smooth_noise import SmoothNoise
from rdpacct.mechanisms.source import Source
from rdpacct.privacy.guarantee import ZCDP, ApproxDP, Guarantee, PureDP
from rdpacct.privacy.unpublishable import Unpublishable
from rdpacct.sensitivity.query import Query, SmoothSensitivity

NoiseOf = Callable[[Number, Number], SmoothNoise]
"""A class of noise, such as SmoothLaplace: a mechanism for each alpha and beta."""
STEPS = 40
DIGITS = 12
"""The number of digits of the parameters of a guarantee, which are rounded up."""
RESERVES = tuple(Fraction(1, 2**power) for power in (30, 20, 10))
"""Shares of beta that are reserved for the rounding of the scale."""
LEAST, MOST = Fraction(1, 2**40), Fraction(2**10)
"""The range in which alpha and beta are searched for."""


@dataclass(frozen=True)
class SmoothRelease:
    """The query of the data plus (S/alpha) Z, where S is the smooth sensitivity of the data and Z
    the noise.

    The guarantee is stated at ``epsilon``; without one it is PureDP, if the noise has a finite
    epsilon.
    """

    query: Query
    mechanism: SmoothNoise
    epsilon: Number | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.mechanism, SmoothNoise):
            raise InputError(
                f"the mechanism is {self.mechanism}, whose noise has a fixed scale;"
                " give one such as SmoothLaplace(alpha=1, beta=0.1)."
            )
        object.__setattr__(
            self, "mechanism", self.mechanism.stated_for(self.query.relation)
        )

    @classmethod
    def calibrated(
        cls,
        query: Query,
        epsilon: Number,
        delta: Number,
        noise: NoiseOf = SmoothLaplace,
        beta: Number | None = None,
    ) -> Self:
        """The release with the least noise that certainly is (epsilon, delta)-DP, for this beta.

        Without a beta, alpha is half of the one for noise on a fixed scale, and beta is as large as
        that allows.
        """
        meets = _Target(noise, rational(epsilon, "epsilon"), rational(delta, "delta"))
        if noise(1, 1).promise() is not None:
            raise InputError(
                f"{type(noise(1, 1)).__name__} is known by its rho only; use"
                " SmoothRelease.sharing(query, rho, noise)."
            )
        return cls(query, noise(*_parameters(meets, beta, "delta")), epsilon)

    @classmethod
    def sharing(
        cls, query: Query, rho: Number, noise: NoiseOf, beta: Number | None = None
    ) -> Self:
        """The release with the least noise that certainly is ZCDP with this rho, for noise that has
        one: a share of a budget of rho.
        """
        most = rational(rho, "rho")
        if most <= 0:
            raise InputError(
                f"rho is {rho}, but must be above 0; give a share of a budget."
            )

        def meets(alpha: Fraction, rate: Fraction) -> bool:
            promise = noise(alpha, rate).promise()
            if promise is None:
                raise InputError(
                    f"{noise(alpha, rate)} has a profile and no rho of its own; use"
                    " SmoothRelease.calibrated(query, epsilon, delta, noise)."
                )
            return promise.rho.bound().certainly_at_most(most)

        return cls(query, noise(*_parameters(meets, beta, "rho")))

    def guarantee(self) -> Guarantee:
        """ApproxDP at the epsilon of this release with the smallest delta; PureDP if that delta is
        0 or no epsilon is given; ZCDP for noise of which only rho is known.
        """
        promise = self.mechanism.promise()
        if promise is not None:
            return ZCDP(_rounded_up(Fraction(promise.rho.bound().upper)))
        profile = self.mechanism.profile()
        if self.epsilon is not None:
            delta = _rounded_up(Fraction(profile.delta(self.epsilon).upper))
            if delta:
                return ApproxDP(self.epsilon, delta)
            return PureDP(self.epsilon)
        most = profile.max_divergence().upper
        if isinstance(most, float):
            raise InputError(
                f"{self.mechanism} has a delta for each epsilon and none at 0; give the"
                " epsilon, as in SmoothRelease(query, mechanism, epsilon=1)."
            )
        return PureDP(_rounded_up(most))

    def release(self, data: Any, rng: Source = None) -> "SmoothAnswer":
        """The noisy value, for study only: the noise is in doubles, where the guarantee needs real
        numbers.
        """
        scale = self._sensitivity(data).scale()
        exact = rational(self.query.value(data), "the query")
        return SmoothAnswer(
            self.mechanism.sample(float(exact), float(scale.for_study()), rng), scale
        )

    def _sensitivity(self, data: Any) -> SmoothSensitivity:
        """A scale that is beta-smooth with its rounding included; the reserved share of beta
        depends on the size of the data only.
        """
        beta = Fraction(self.mechanism.beta.bound().lower)
        for reserve in RESERVES:
            sensitivity = self.query.smooth(data, beta * (1 - reserve))
            if sensitivity.smoothness <= beta:
                return sensitivity
        raise InputError(
            f"beta is {float(beta):.3g}, too small for the rounding of the scale; give"
            " a larger beta."
        )


@dataclass(frozen=True)
class SmoothAnswer:
    """The output of a release, and the scale of its noise, which depends on the data and is not
    published.
    """

    value: float
    scale: Unpublishable[Fraction]


@dataclass(frozen=True)
class _Target:
    """A target, and whether noise certainly meets it."""

    noise: NoiseOf
    epsilon: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        if self.epsilon < 0 or not 0 <= self.delta < 1:
            raise InputError(
                f"the target is epsilon = {float(self.epsilon)}, delta ="
                f" {float(self.delta)}; give an epsilon of at least 0 and a delta of at"
                " least 0 and below 1."
            )

    def __call__(self, alpha: Fraction, beta: Fraction) -> bool:
        profile = self.noise(alpha, beta).profile()
        if self.delta == 0:
            return profile.max_divergence().certainly_at_most(self.epsilon)
        return profile.delta(self.epsilon).certainly_at_most(self.delta)


def _parameters(
    meets: Callable[[Fraction, Fraction], bool], beta: Number | None, larger: str
) -> tuple[Fraction, Fraction]:
    """The largest alpha for a beta; without one, half of the alpha for a fixed scale, and the
    largest beta that it allows.
    """
    if beta is not None:
        rate = rational(beta, "beta")
        alpha = _largest(
            lambda alpha: meets(alpha, rate), f"beta = {beta}; give a smaller beta"
        )
        return alpha, rate
    most = _largest(
        lambda alpha: meets(alpha, LEAST), f"any beta; give a larger {larger}"
    )
    alpha = most / 2
    rate = _largest(
        lambda rate: meets(alpha, rate),
        f"alpha = {float(alpha)}; give a larger {larger}",
    )
    return alpha, rate


def _largest(meets: Callable[[Fraction], bool], what: str) -> Fraction:
    """Approximately the largest number that certainly meets the target, by bisection; smaller
    numbers are more private.
    """
    if not meets(LEAST):
        raise InputError(f"no noise meets the target with {what}.")
    low = LEAST
    high = LEAST
    while high < MOST:
        high = min(high * 16, MOST)
        if not meets(high):
            break
        low = high
    for _ in range(STEPS):
        middle = _short((low + high) / 2)
        if not low < middle < high:
            break
        low, high = (middle, high) if meets(middle) else (low, middle)
    return low


def _rounded_up(value: Fraction) -> Fraction:
    """The next larger decimal with this number of digits."""
    if value == 0:
        return value
    unit = Fraction(10) ** (math.floor(math.log10(value)) - DIGITS)
    return math.ceil(value / unit) * unit


def _short(value: Fraction) -> Fraction:
    """A number near the value with about 30 bits."""
    digits = 30 - (value.numerator.bit_length() - value.denominator.bit_length())
    return Fraction(round(value * Fraction(2) ** digits)) / Fraction(2) ** digits
