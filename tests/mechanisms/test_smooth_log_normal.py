"""Noise of a log-normal size on a smooth scale: slopes, sizes and rho against quadrature."""

import math
import random
import warnings
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import mpmath
import pytest

from rdpacct import (
    SmoothLaplaceLogNormal,
    SmoothUniformLogNormal,
    audit,
    delta,
    epsilon,
    profile,
)
from rdpacct.auditing import Outcome
from rdpacct.cli import main
from rdpacct.exact.formula import formula
from rdpacct.mechanisms import StudyOnlyWarning
from rdpacct.mechanisms.smooth.log_normal_noise import (
    laplace_slope,
    log_normal_rho,
    uniform_slope,
)
from rdpacct.mechanisms.smooth.smooth_uniform_log_normal import size_below

mp = mpmath.mp.clone()
mp.dps = 20


@cache
def normal(y: Any) -> Any:
    """The standard normal density; integrals over the same nodes ask for it again and again."""
    return mp.exp(-(y**2) / 2) / mp.sqrt(2 * mp.pi)


@cache
def halved_rate(y: Any, sigma: Any) -> tuple[Any, Any]:
    """The rate exp(-sigma y), and half of it times the density of y."""
    rate = mp.exp(-sigma * y)
    return rate, normal(y) * rate / 2


@cache
def laplace_density(distance: Any, sigma: Any) -> Any:
    """The density of X exp(sigma Y) for Laplace X, averaged over Y, at a distance from 0."""

    def given(y: Any) -> Any:
        rate, weight = halved_rate(y, sigma)
        return weight * mp.exp(-distance * rate)

    return mp.quad(given, [-12, -6, -2, 0, 2, 6, 12])


@cache
def uniform_density(distance: Any, sigma: Any) -> Any:
    """The same for uniform X: exp(-sigma Y)/2 where exp(sigma Y) exceeds the distance."""
    least = mp.log(distance) / sigma if distance else mp.mpf(-12)
    cuts = [least, *(mp.mpf(k) for k in (-6, -2, 0, 2, 6, 12) if k > least)]
    return mp.quad(lambda y: halved_rate(y, sigma)[1], cuts)


@pytest.mark.parametrize("sigma", ["0.2", "0.5", "1"])
def test_the_slope_of_laplace_noise_is_that_at_the_center(sigma: str) -> None:
    """No slope of the logarithm of the density is steeper, and it is reached near 0."""
    shipped = float(laplace_slope(formula(Fraction(sigma))).bound())
    spread = mp.mpf(sigma)
    step = mp.mpf("1e-6")
    slopes = [
        -mp.log(laplace_density(z + step, spread) / laplace_density(z, spread)) / step
        for z in (mp.mpf(0), mp.mpf("0.1"), mp.mpf(1), mp.mpf(5))
    ]
    assert all(float(slope) <= shipped for slope in slopes)
    assert float(slopes[0]) == pytest.approx(shipped, rel=1e-4)
    assert slopes == sorted(slopes, reverse=True)


def steepest_uniform(sigma: float) -> float:
    """The steepest slope of the logarithm of the density of uniform noise, on a fine grid."""
    best = 0.0
    for k in range(-400, 401):
        u = k / 50
        tail = math.erfc(u / math.sqrt(2)) / 2
        size = math.exp(sigma * (u - sigma))
        peak = math.exp(-(u**2) / 2) / math.sqrt(2 * math.pi)
        best = max(best, peak / (tail * sigma * size))
    return best


def test_the_slope_of_uniform_noise_needs_a_large_sigma() -> None:
    """From sqrt(2) on no slope is steeper; at 1/2 the formula is too small, and is refused."""
    for sigma in ("3/2", "2", "5/2"):
        shipped = float(uniform_slope(formula(Fraction(sigma))).bound())
        steepest = steepest_uniform(float(Fraction(sigma)))
        assert 0.5 * shipped < steepest <= shipped
    small = float(uniform_slope(formula(Fraction(1, 2))).bound())
    assert steepest_uniform(0.5) > small


def test_sizes_against_quadrature() -> None:
    for sigma, size in product(("3/2", "2"), ("1/10", "1", "7")):
        spread, limit = (mp.mpf(float(Fraction(x))) for x in (sigma, size))
        place = mp.log(limit) / spread

        def share(y: Any, spread: Any = spread, limit: Any = limit) -> Any:
            return normal(y) * min(mp.mpf(1), limit * mp.exp(-spread * y))

        cuts = sorted({place, *(mp.mpf(k) for k in (-14, -4, 0, 4, 14))})
        exact = mp.quad(share, cuts)
        found = size_below(formula(Fraction(size)), formula(Fraction(sigma))).bound()
        assert float(found) == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("name", ["laplace", "uniform"])
def test_no_divergence_of_the_box_exceeds_rho(name: str) -> None:
    """Renyi divergences of the largest slide and dilation, in both orders, by quadrature."""
    sigma, alpha, beta = {
        "laplace": ("0.5", "0.4", "0.1"),
        "uniform": ("1.5", "0.02", "0.2"),
    }[name]
    slope, density = {
        "laplace": (laplace_slope, laplace_density),
        "uniform": (uniform_slope, uniform_density),
    }[name]
    spread = formula(Fraction(sigma))
    rho = float(
        log_normal_rho(Fraction(alpha), Fraction(beta), spread, slope(spread)).bound()
    )
    points = [0.0] + [side * 1.35**k for k in range(-20, 16) for side in (1.0, -1.0)]
    points.sort()
    shrink = mp.exp(-mp.mpf(beta))
    one, two = (
        [
            float(density(abs(mp.mpf(z) - place) * scale, mp.mpf(sigma)) * scale)
            for z in points
        ]
        for place, scale in ((mp.mpf(0), mp.mpf(1)), (mp.mpf(alpha), shrink))
    )
    for (p, q), order in product(((one, two), (two, one)), (1.5, 4.0)):
        values = [a**order * b ** (1 - order) for a, b in zip(p, q, strict=True)]
        total = sum(
            (high - low) * (first + last) / 2
            for low, high, first, last in zip(
                points, points[1:], values, values[1:], strict=False
            )
        )
        mass = sum(
            (high - low) * (first + last) / 2
            for low, high, first, last in zip(
                points, points[1:], p, p[1:], strict=False
            )
        )
        divergence = math.log(total / mass) / (order - 1)
        assert divergence < rho * order
        assert divergence > rho * order / 40


PUBLISHED = [
    (SmoothLaplaceLogNormal, "0.5", "0.1", "0.5", 0.92749571),
    (SmoothLaplaceLogNormal, "1", "0.3", "1", 4.78168907),
    (SmoothLaplaceLogNormal, "0.1", "0.02", "0.2", 0.20618365),
    (SmoothUniformLogNormal, "0.02", "0.1", "3/2", 0.37756807),
    (SmoothUniformLogNormal, "0.001", "0.2", "2", 0.26094480),
]
"""t/sigma + exp(3 sigma**2/2) s, and times sqrt(2/(pi sigma**2)), worked out with a calculator."""


@pytest.mark.parametrize(("cls", "alpha", "beta", "sigma", "root"), PUBLISHED)
def test_rho_is_half_the_square_of_the_published_epsilon(
    cls: Any, alpha: str, beta: str, sigma: str, root: float
) -> None:
    promise = cls(alpha, beta, sigma).promise()
    assert float(promise.rho.bound()) == pytest.approx(root**2 / 2, rel=1e-6)


def test_answers_have_two_ends_and_compose() -> None:
    plan = "SmoothUniformLogNormal(alpha=0.02, beta=0.1, sigma=1.5)"
    rho = SmoothUniformLogNormal("0.02", "0.1", "3/2").promise().rho
    found = epsilon(plan, "1e-6")
    assert 0 < found.lower < found.upper
    promised = epsilon(f"ZCDP(rho={rho.bound().upper})", "1e-6")
    assert found.upper < promised.upper / 3
    both = epsilon(f"{plan} + Gaussian(sigma=2)", "1e-6")
    assert epsilon("Gaussian(sigma=2)", "1e-6").lower <= both.lower < both.upper
    assert 0 <= delta(plan, 1).lower < delta(plan, 1).upper < 1
    assert profile(plan).zcdp_rho(0).upper == rho.bound().upper


@pytest.mark.slow
def test_many_releases_are_answered_by_rho() -> None:
    """The largest losses of slides add up faster than the roots of rho."""
    noise = SmoothUniformLogNormal("0.02", "0.1", "3/2")
    rho = noise.promise().rho.bound().upper
    many = epsilon(60 * noise, "1e-6")
    root = epsilon(f"60*ZCDP(rho={rho})", "1e-6")
    assert float(many.upper) == pytest.approx(float(root.upper), rel=1e-9)
    assert (
        epsilon(5 * noise, "1e-6").upper
        < epsilon(f"5*ZCDP(rho={rho})", "1e-6").upper / 1.9
    )


@pytest.mark.parametrize("name", ["laplace", "uniform"])
def test_one_release_is_above_and_below_the_corners(name: str) -> None:
    """The hockey sticks of the farthest neighbors, narrow first and broad first, by sums over fine
    cells in doubles.
    """
    cls: Any = SmoothLaplaceLogNormal if name == "laplace" else SmoothUniformLogNormal
    noise = next(iter(cls.examples()))
    alpha, beta, sigma = (
        float(one.ball(64)) for one in (noise.alpha, noise.beta, noise.sigma)
    )
    density = laplace_in_doubles if name == "laplace" else uniform_in_doubles
    levels = ("0.05", "0.2", "0.5")
    answers = {level: delta(noise, level) for level in levels}
    worst = dict.fromkeys(levels, 0.0)
    grid = [side * 1.03**k for k in range(-300, 260) for side in (1, -1)]
    points = sorted([0.0, alpha / 2, *grid])
    one = [density(z, sigma) for z in points]
    for growth in (math.exp(beta), 1.0):
        two = [density((z - alpha) / growth, sigma) / growth for z in points]
        for p, q in ((one, two), (two, one)):
            for level, found in answers.items():
                sticks = [
                    max(a - math.exp(float(level)) * b, 0)
                    for a, b in zip(p, q, strict=True)
                ]
                corner = sum(
                    (high - low) * (first + last) / 2
                    for low, high, first, last in zip(
                        points, points[1:], sticks, sticks[1:], strict=False
                    )
                )
                assert corner <= float(found.upper) * (1 + 1e-3)
                worst[level] = max(worst[level], corner)
    for level, corner in worst.items():
        assert float(answers[level].lower) <= corner * 1.05 + 1e-12
        if name == "laplace":
            assert float(answers[level].lower) >= corner * (1 - 1e-3)


def uniform_in_doubles(z: float, sigma: float) -> float:
    """exp(sigma**2/2)/4 times a normal tail."""
    place = (math.log(max(abs(z), 1e-300)) / sigma + sigma) / math.sqrt(2)
    return math.exp(sigma**2 / 2) / 4 * math.erfc(place)


def laplace_in_doubles(z: float, sigma: float) -> float:
    """A sum over the size of the noise."""
    total = 0.0
    for step in range(-80, 81):
        y = step / 10
        weight = math.exp(-y * y / 2) / math.sqrt(2 * math.pi) / 10
        size = math.exp(sigma * y)
        total += weight * math.exp(-abs(z) / size) / (2 * size)
    return total


def test_audits_hold_fail_or_stay_open() -> None:
    plan = "SmoothUniformLogNormal(alpha=0.02, beta=0.1, sigma=1.5)"
    assert audit(plan, "ZCDP(rho=0.0713)").outcome is Outcome.HOLDS
    assert audit(plan, "ZCDP(rho=0.001)").outcome is Outcome.FAILS
    assert audit(plan, "ZCDP(rho=0.05)").outcome is Outcome.UNDECIDED


@pytest.mark.parametrize("name", ["laplace", "uniform"])
def test_samples_follow_the_density(name: str) -> None:
    """The share of draws below some sizes is within five standard deviations."""
    cls: Any = SmoothLaplaceLogNormal if name == "laplace" else SmoothUniformLogNormal
    rng = random.Random(7)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StudyOnlyWarning)
        noise = cls(2, "0.1", "3/2")
        draws = [noise.sample(1, 4, rng) for _ in range(20_000)]
    for size in (0.1, 1.0, 4.0):
        share = sum(abs(one - 1) < 2 * size for one in draws) / len(draws)

        def below(y: Any, size: float = size) -> Any:
            reach = size * mp.exp(-1.5 * y)
            inside = 1 - mp.exp(-reach) if name == "laplace" else min(mp.mpf(1), reach)
            return normal(y) * inside

        expected = float(mp.quad(below, [-10, -3, 0, 1, 3, 10]))
        spread = math.sqrt(expected * (1 - expected) / 20_000)
        assert abs(share - expected) < 5 * spread + 1e-4


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        (
            "SmoothUniformLogNormal(alpha=1, beta=1, sigma=1.4)",
            "sigma is 1.4, but the bound on the density holds from sqrt(2) on",
        ),
        (
            "SmoothLaplaceLogNormal(alpha=1, beta=1, sigma=0)",
            "sigma is 0, but must be above 0",
        ),
        ("SmoothLaplaceLogNormal(alpha=1, beta=1)", "needs sigma"),
    ],
)
def test_bad_input_is_refused(
    plan: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["epsilon", plan, "--delta", "1e-6"]) == 2
    assert why in capsys.readouterr().err


@pytest.mark.parametrize("count", [1, 2])
def test_no_epsilon_at_delta_zero(count: int) -> None:
    """The dilation alone is Gaussian."""
    found = epsilon(count * SmoothLaplaceLogNormal("0.5", "0.1", "0.5"), 0)
    assert found.upper == math.inf
