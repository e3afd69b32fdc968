"""References with densities: the Gaussian and the Laplace pair, by error functions and by
quadrature.

The tests in this file compare the references with each other; the package does not occur.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp, mpf

from tests.privacy.test_against_mpmath import (
    DIGITS,
    integral,
    largest,
    log_integral,
    normal_quantile,
    number,
)


@pytest.fixture(autouse=True)
def _many_digits() -> Iterator[Any]:
    with mp.workdps(DIGITS):
        yield


class GaussianPair:
    """N(distance, sigma**2) against N(0, sigma**2)."""

    def __init__(self, sigma: Any, distance: Any) -> None:
        self.sigma = number(sigma)
        self.distance = number(distance)

    def log_p(self, x: Any) -> Any:
        return -(((x - self.distance) / self.sigma) ** 2) / 2 - mp.log(
            self.sigma * mp.sqrt(2 * mp.pi)
        )

    def log_q(self, x: Any) -> Any:
        return self.log_p(x + self.distance)

    def crossing(self, level: Any) -> Any:
        """Where the loss has this value."""
        return number(level) * self.sigma**2 / self.distance + self.distance / 2

    def beyond(self, x: Any) -> Any:
        """The probabilities under P and under Q of an output above x."""
        return [
            mp.erfc((x - center) / (self.sigma * mp.sqrt(2))) / 2
            for center in (self.distance, 0)
        ]

    def points(self, center: Any) -> Any:
        """Where to cut an integral of a density of this spread, so that what lies outside is below
        1e-80.
        """
        return [center + self.sigma * k for k in (-20, 0, 20)]

    def delta(self, epsilon: Any) -> Any:
        p, q = self.beyond(self.crossing(epsilon))
        return p - mp.exp(number(epsilon)) * q

    def epsilon(self, delta: Any) -> Any:
        if self.delta(0) <= number(delta):
            return mpf(0)

        def excess(level: Any) -> Any:
            p, q = self.beyond(
                level * self.sigma**2 / self.distance + self.distance / 2
            )
            return mp.log(p - mp.exp(level) * q) - mp.log(number(delta))

        high = mpf(1)
        while excess(high) > 0:
            high *= 2
        return mp.findroot(
            excess,
            (high / 2 if high > 1 else mpf(0), high),
            solver="illinois",
            tol=mpf(10) ** -120,
        )

    def tail(self, threshold: Any) -> Any:
        return self.beyond(self.crossing(threshold))[0]

    def mean(self) -> Any:
        return integral(
            lambda x: mp.exp(self.log_p(x)) * (self.log_p(x) - self.log_q(x)),
            self.points(self.distance),
        )

    def renyi(self, order: Any) -> Any:
        a = number(order)
        points = self.points(a * self.distance)
        return log_integral(
            lambda x: a * self.log_p(x) + (1 - a) * self.log_q(x), points
        ) / (a - 1)

    def highest(self) -> Any:
        return mp.inf


class LaplacePair:
    """Laplace noise of a scale about a distance, against the same about zero."""

    def __init__(self, scale: Any, distance: Any) -> None:
        self.scale = number(scale)
        self.distance = number(distance)
        self.shift = self.distance / self.scale

    def log_p(self, x: Any) -> Any:
        return -abs(x - self.distance) / self.scale - mp.log(2 * self.scale)

    def log_q(self, x: Any) -> Any:
        return self.log_p(x + self.distance)

    def points(self, start: Any = None) -> Any:
        """Where to cut an integral: at the kinks, and where the densities are below 1e-69 of their
        peaks.
        """
        cuts = [
            -160 * self.scale,
            mpf(0),
            self.distance,
            self.distance + 160 * self.scale,
        ]
        if start is None:
            return cuts
        return [start, *(x for x in cuts if x > start)]

    def crossing(self, level: Any) -> Any:
        """Where the loss has this value, of absolute value below the shift."""
        return (number(level) * self.scale + self.distance) / 2

    def delta(self, epsilon: Any) -> Any:
        if number(epsilon) >= self.shift:
            return mpf(0)
        factor = mp.exp(number(epsilon))
        start = (
            self.crossing(epsilon)
            if number(epsilon) > -self.shift
            else -160 * self.scale
        )
        return integral(
            lambda x: mp.exp(self.log_p(x)) - factor * mp.exp(self.log_q(x)),
            self.points(start),
        )

    def epsilon(self, delta: Any) -> Any:
        """The inverse of delta(epsilon) = 1 - exp((epsilon - shift)/2)."""
        return max(mpf(0), self.shift + 2 * mp.log1p(-number(delta)))

    def tail(self, threshold: Any) -> Any:
        if number(threshold) >= self.shift:
            return mpf(0)
        if number(threshold) < -self.shift:
            return mpf(1)
        return integral(
            lambda x: mp.exp(self.log_p(x)), self.points(self.crossing(threshold))
        )

    def mean(self) -> Any:
        return integral(
            lambda x: mp.exp(self.log_p(x)) * (self.log_p(x) - self.log_q(x)),
            self.points(),
        )

    def renyi(self, order: Any) -> Any:
        a = number(order)
        return log_integral(
            lambda x: a * self.log_p(x) + (1 - a) * self.log_q(x), self.points()
        ) / (a - 1)

    def highest(self) -> Any:
        return self.shift


class LaplaceLoss:
    """The law of the Laplace loss, with shift s: half at s, exp(-s)/2 at -s, density exp((l -
    s)/2)/4 between.
    """

    def __init__(self, scale: Any, distance: Any) -> None:
        self.shift = number(distance) / number(scale)

    def moment(self, rate: Any) -> Any:
        s = self.shift
        c = rate + mpf(1) / 2
        between = mp.exp(-s / 2) * (mp.sinh(c * s) / (2 * c) if c else s / 2)
        return mp.exp(rate * s) / 2 + mp.exp(-s - rate * s) / 2 + between

    def log_moment(self, rate: Any) -> Any:
        return mp.log(self.moment(rate))

    def mean(self) -> Any:
        return self.shift + mp.expm1(-self.shift)

    def variance(self) -> Any:
        s = self.shift
        m = self.mean()
        between = mp.quad(
            lambda loss: (loss - m) ** 2 * mp.exp((loss - s) / 2) / 4, [-s, 0, s]
        )
        return (s - m) ** 2 / 2 + (s + m) ** 2 * mp.exp(-s) / 2 + between

    def highest(self) -> Any:
        return self.shift

    def width(self) -> Any:
        return 2 * self.shift

    def gaussian_mu(self) -> Any:
        s = self.shift

        def mu(level: Any) -> Any:
            power = 1 - mp.exp((level - s) / 2) / 2
            false_alarm = mp.exp(-(level + s) / 2) / 2
            return normal_quantile(power) - normal_quantile(false_alarm)

        return largest(mu, [s * k / 40 for k in range(-40, 41)])


@pytest.mark.parametrize(("sigma", "distance"), [("0.1", 1), (1, 1), (20, "7/2")])
@pytest.mark.parametrize("epsilon", ["0", "1/3", "5/2"])
def test_the_gaussian_reference_is_the_integral_of_the_densities(
    sigma: int | str, distance: int | str, epsilon: str
) -> None:
    """The delta by error functions is the integral of the positive part of P - exp(epsilon) Q."""
    pair = GaussianPair(sigma, distance)
    factor = mp.exp(number(epsilon))
    points = [pair.crossing(epsilon) + pair.sigma * k for k in (0, 1, 5, 30)]
    scale = pair.delta(epsilon)
    excess = integral(
        lambda x: (mp.exp(pair.log_p(x)) - factor * mp.exp(pair.log_q(x))) / scale,
        points,
    )
    assert abs(excess - 1) < mpf(10) ** -40


@pytest.mark.parametrize("rate", ["-3/2", "-1/2", "1/3", "4"])
@pytest.mark.parametrize("scale", ["0.2", "1", "30"])
def test_the_law_of_the_laplace_loss_is_that_of_the_densities(
    scale: str, rate: str
) -> None:
    """The moments of the loss are the integrals of p**(1 + rate) q**(-rate)."""
    pair = LaplacePair(scale, 1)
    law = LaplaceLoss(scale, 1)
    assert (
        abs(
            pair.renyi(1 + Fraction(rate)) * number(rate) - law.log_moment(number(rate))
        )
        < mpf(10) ** -45
    )
    assert abs(pair.mean() - law.mean()) < mpf(10) ** -45
