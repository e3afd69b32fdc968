"""Sampled Gaussians of small rates at small deltas, against an inversion of the transform in
mpmath.

The reference integrates E R**s by the trapezoid rule on the real line, and its inverse transform by
another one on a vertical line, in forty digits: nothing of it is shared with the engine.
"""

from typing import Any

import mpmath as mp
import pytest

from rdpacct import profile

COUNTS = (1, 10, 100, 1000, 10000)
DELTAS = ("1e-6", "1e-9", "1e-12", "1e-15", "1e-18")
GRID = [
    (rate, count, delta)
    for rate in ("0.00038", "0.001", "0.01")
    for count in COUNTS
    for delta in DELTAS
]
QUICK = [GRID[i] for i in (7, 14, 19, 34, 63)]
SMALL_SIGMAS = [
    (sigma, rate, count, delta)
    for sigma in ("0.02", "0.05")
    for rate in ("0.01", "0.05")
    for count in (1, 2, 10, 100, 1000)
    for delta in ("1e-5", "1e-9")
]


def removal_delta(
    count: Any,
    rate: Any,
    sigma: Any,
    epsilon: Any,
    digits: int = 40,
    tilt: int = 80,
    step: int = 6,
) -> Any:
    """delta(epsilon) of removing the record, by inverting M(z)**count on the line Re z = tilt."""
    with mp.workdps(digits):
        mu = 1 / mp.mpf(sigma)
        q = mp.mpf(rate)
        eps = mp.mpf(epsilon)
        width = mp.mpf("0.4")
        points = [width * k for k in range(-33, 92)]
        logs = [mp.log1p(q * mp.expm1(mu * x - mu**2 / 2)) for x in points]
        weights = [mp.exp(-(x**2) / 2) * width / mp.sqrt(2 * mp.pi) for x in points]
        total = mp.mpf(0)
        for m in range(4000):
            z = mp.mpc(tilt, m * step)
            moment = mp.fsum(
                w * mp.exp((1 + z) * log) for w, log in zip(weights, logs, strict=True)
            )
            term = moment**count * mp.exp(-z * eps) / (z * (z + 1))
            total += term.real * (1 if m == 0 else 2)
            if abs(term) < mp.mpf(10) ** (8 - digits):
                break
        return total * step / (2 * mp.pi)


@pytest.mark.parametrize(("rate", "count", "delta"), QUICK)
def test_small_rates_are_narrow(rate: str, count: int, delta: str) -> None:
    """Five points of the grid: one thousandth of them was a factor of two wide, at other points a
    factor of ten.
    """
    found = profile(f"{count}*PoissonSampled(Gaussian(sigma=4), rate={rate})").epsilon(
        delta
    )
    assert found.relative_width < 1e-6


def test_the_published_point_against_mpmath() -> None:
    """1000 releases at delta 1.13e-18: epsilon near 0.0246."""
    found = profile("1000*PoissonSampled(Gaussian(sigma=4), rate=0.00038)").epsilon(
        "1.13e-18"
    )
    assert found.relative_width < 1e-6
    middle = float(found.upper)
    assert middle == pytest.approx(0.0246, abs=1e-4)
    reference = removal_delta(1000, "0.00038", 4, mp.mpf(middle))
    assert float(reference) == pytest.approx(1.13e-18, rel=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(("rate", "count", "delta"), GRID)
def test_the_whole_grid_is_narrow(rate: str, count: int, delta: str) -> None:
    """Rates, counts and deltas of the grid."""
    found = profile(f"{count}*PoissonSampled(Gaussian(sigma=4), rate={rate})").epsilon(
        delta
    )
    assert found.relative_width < 1e-6


def far_delta(count: Any, rate: Any, sigma: Any, epsilon: Any) -> Any:
    """delta of removing the record, where each draw is log(1 - q) or log(q) and a Gaussian loss."""
    mu = 1 / mp.mpf(sigma)
    q = mp.mpf(rate)
    total = mp.mpf(0)
    for k in range(1, count + 1):
        weight = mp.binomial(count, k) * q**k * (1 - q) ** (count - k)
        level = mp.mpf(epsilon) - k * mp.log(q) - (count - k) * mp.log(1 - q)
        shift = mu * mp.sqrt(k)
        total += weight * (
            mp.ncdf(shift / 2 - level / shift)
            - mp.exp(level) * mp.ncdf(-shift / 2 - level / shift)
        )
        if weight < mp.mpf(10) ** -40 and k > count * q:
            break
    return total


@pytest.mark.parametrize(("sigma", "rate", "count", "delta"), SMALL_SIGMAS)
def test_small_sigmas_are_narrow(sigma: str, rate: str, count: int, delta: str) -> None:
    """Two laws that are far apart: at sigma 0.05 and small deltas the ends were up to a factor of
    twenty apart.
    """
    found = profile(
        f"{count}*PoissonSampled(Gaussian(sigma={sigma}), rate={rate})"
    ).epsilon(delta)
    assert found.relative_width < 1e-6
    with mp.workdps(60):
        assert float(far_delta(count, rate, sigma, float(found))) == pytest.approx(
            float(delta), rel=1e-4
        )


@pytest.mark.slow
@pytest.mark.parametrize("rate", ["0.01", "0.05"])
@pytest.mark.parametrize("count", [10, 100, 1000])
def test_middle_sigmas_are_nearly_narrow(rate: str, count: int) -> None:
    """At sigma 0.1 the laws are neither apart nor close: a few millionths stay."""
    found = profile(
        f"{count}*PoissonSampled(Gaussian(sigma=0.1), rate={rate})"
    ).epsilon("1e-5")
    assert found.relative_width < 1e-5
