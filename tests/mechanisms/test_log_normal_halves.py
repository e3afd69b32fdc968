"""Laplace noise of a log-normal size: probabilities, pairs and their shape against quadrature."""

import math
import random
from fractions import Fraction
from functools import cache

import mpmath
import pytest

from rdpacct import SmoothLaplaceLogNormal, delta, epsilon
from rdpacct.exact.ball import precision
from rdpacct.exact.formula import formula
from rdpacct.exact.raw import real
from rdpacct.mechanisms.smooth.falling_root import Falling
from rdpacct.mechanisms.smooth.log_normal_law import LogNormalLaw
from rdpacct.mechanisms.smooth.log_normal_pair import LogNormalHalves
from rdpacct.mechanisms.smooth.log_normal_shape import BeyondBoth, Slopes

CASES = [("0.5", "0.1", "0.5"), ("0.1", "0.02", "0.2"), ("0.2", "0.1", "1")]
"""Values of alpha, beta and sigma."""
STEP = 0.2
SIZES = [(k * STEP, STEP * math.exp(-((k * STEP) ** 2) / 2)) for k in range(-50, 51)]
"""Places of a normal variable and their weights, but for a factor."""


@cache
def rates(sigma: float) -> list[tuple[float, float]]:
    """The rates of the sizes, and their weights times these."""
    at = [(math.exp(-sigma * y), weight) for y, weight in SIZES]
    return [(rate, weight * rate) for rate, weight in at]


def density(place: float, sigma: float) -> float:
    """The density of the noise, as a sum over sizes in doubles."""
    distance = abs(place)
    total = math.fsum(
        weight * math.exp(-distance * rate) for rate, weight in rates(sigma)
    )
    return total / (2 * math.sqrt(2 * math.pi))


@cache
def cells(shift: float, ratio: float, sigma: float) -> list[tuple[float, float, float]]:
    """The densities of the two laws of a pair in each cell, and its width."""
    found = []
    for side in (-1, 1):
        for start in (0.0, shift):
            for k in range(-280, 200):
                low, high = (math.exp(j / 24) for j in (k, k + 1))
                if side == 1 and start == 0:
                    low, high = (min(end, shift) for end in (low, high))
                if side == -1 and start == shift:
                    continue
                place = start + side * (low + high) / 2
                narrow = density(place, sigma)
                broad = density((place - shift) * math.exp(-ratio), sigma)
                broad *= math.exp(-ratio)
                found.append((narrow, broad, high - low))
    return found


def excess(
    shift: float, ratio: float, sigma: float, level: float, narrow_first: bool
) -> float:
    """How much one law of a pair exceeds a multiple of the other, cell by cell in doubles."""
    total = 0.0
    for narrow, broad, width in cells(shift, ratio, sigma):
        p, q = (narrow, broad) if narrow_first else (broad, narrow)
        total += max(0.0, p - math.exp(level) * q) * width
    return total


@pytest.mark.parametrize("sigma", ["0.2", "1", "3"])
@pytest.mark.parametrize("place", ["0.001", "0.7", "30"])
def test_probabilities_against_quadrature(sigma: str, place: str) -> None:
    """The sum over nodes contains the integral, and is sharp."""
    mp = mpmath.mp.clone()
    mp.dps = 40
    z, s = mp.mpf(place), mp.mpf(sigma)

    def term(y: mpmath.mpf) -> mpmath.mpf:
        return mp.npdf(y) * mp.exp(-z * mp.exp(s * y))

    exact = mp.quad(term, mp.linspace(-14, 14, 29))
    law = LogNormalLaw(formula(Fraction(sigma)))
    with precision(128):
        found = law.beyond(real(Fraction(place)))
        assert found.rel_accuracy_bits() > 100
        low, high = (
            mp.mpf(end.str(45, radius=False)) for end in (found.lower(), found.upper())
        )
    assert low - mp.mpf(10) ** -38 <= exact <= high + mp.mpf(10) ** -38


@pytest.mark.parametrize(("alpha", "beta", "sigma"), CASES)
@pytest.mark.parametrize("narrow_first", [True, False])
def test_pairs_against_cells(
    alpha: str, beta: str, sigma: str, narrow_first: bool
) -> None:
    """A corner has the excess that sums over the outputs have."""
    law = LogNormalLaw(formula(Fraction(sigma)))
    ratio = formula(Fraction(beta))
    there = BeyondBoth(law, formula(Fraction(alpha)), ratio)
    pair = LogNormalHalves(ratio, there, narrow_first)
    level = Fraction(1, 20)
    shipped = pair.excess(level, 96).bound()
    assert shipped.relative_width < 1e-15
    numbers = (float(alpha), float(beta), float(sigma))
    assert float(shipped) == pytest.approx(
        excess(*numbers, 0.05, narrow_first), rel=2e-3
    )


@pytest.mark.parametrize(
    ("alpha", "beta", "sigma"),
    [CASES[0], *(pytest.param(*case, marks=pytest.mark.slow) for case in CASES[1:])],
)
def test_one_release_is_known_to_the_last_digit(
    alpha: str, beta: str, sigma: str
) -> None:
    """Both ends meet, and the two questions agree."""
    noise = SmoothLaplaceLogNormal(alpha, beta, sigma)
    at = epsilon(noise, "1e-6")
    assert at.relative_width < 1e-12
    before, after = (
        delta(noise, end) for end in (Fraction(at.lower), Fraction(at.upper))
    )
    assert before.upper >= Fraction(1, 10**6) >= after.lower
    assert after.relative_width < 1e-9


@pytest.mark.slow
def test_no_pair_inside_is_worse_and_one_outside_is() -> None:
    """Smaller shifts and ratios stay within the answer; a larger ratio does not."""
    alpha, beta, sigma = (Fraction(text) for text in CASES[0])
    law = LogNormalLaw(formula(sigma))
    noise = SmoothLaplaceLogNormal(alpha, beta, sigma)
    rng = random.Random(5)
    for level in (Fraction(1, 10), Fraction(1)):
        most = delta(noise, level).upper
        for _ in range(1):
            shift, ratio = (
                formula(most_of * Fraction(rng.randint(5, 10), 10))
                for most_of in (alpha, beta)
            )
            there = BeyondBoth(law, shift, ratio)
            for first in (True, False):
                inside = LogNormalHalves(ratio, there, first).excess(level, 96)
                assert inside.bound().lower <= most
    wide = formula(beta * Fraction(11, 10))
    outside = LogNormalHalves(
        wide, BeyondBoth(law, formula(alpha), wide), narrow_first=False
    )
    assert outside.excess(Fraction(1), 96).bound().lower > delta(noise, 1).upper


def test_several_releases_have_at_least_the_delta_of_one() -> None:
    """The lower end of several is that of one, and the upper end that of moments."""
    noise = SmoothLaplaceLogNormal(*CASES[0])
    one = delta(noise, Fraction(1, 2))
    three = delta(3 * noise, Fraction(1, 2))
    assert three.lower >= one.lower > 0
    assert three.upper >= one.upper


def test_a_shape_that_does_not_hold_is_not_shown() -> None:
    """Where the loss falls no cell is said to rise, and the other way round."""
    law = LogNormalLaw(formula(Fraction(1, 2)))
    shift, ratio = formula(Fraction(1, 2)), formula(Fraction(1, 10))
    shape = BeyondBoth(law, shift, ratio).shape
    assert shape is not None
    with precision(64):
        slopes = Slopes(law, real(Fraction(1, 2)), real(Fraction(1, 10)).exp())
        for low, high, rising in ((0.5, 0.51, True), (5.0, 5.05, False)):
            ends = real(low), real(high)
            assert slopes._certain(*ends, rising)
            assert not slopes._certain(*ends, not rising)
        across = real(shape.rises * 0.9), real(shape.falls * 1.1)
        assert not slopes._certain(*across, True)
        assert not slopes._certain(*across, False)


def test_roots_of_a_falling_function() -> None:
    """Between two places, before the first, and beyond the last."""
    with precision(128):
        falling = Falling(lambda x: -x * x, lambda x: -2 * x, 1.0, 4.0)
        inside = falling.passes(real(-2))
        assert inside is not None
        assert not inside.open
        assert inside.at.contains(real(2).sqrt().mid())
        assert inside.at.rel_accuracy_bits() > 90
        assert falling.passes(real(0)) is None
        beyond = falling.passes(real(-20))
        assert beyond is not None
        assert beyond.open
        assert beyond.at == 4


@pytest.mark.parametrize(
    "numbers",
    [
        pytest.param((1, 1, 19), marks=pytest.mark.slow),
        (1, 700, 1),
        ("1e-9", 10, "0.01"),
    ],
)
def test_extreme_noise_has_valid_ends(numbers: tuple[str | int, ...]) -> None:
    """Where places leave the range of doubles the ends are those of moments."""
    found = delta(SmoothLaplaceLogNormal(*numbers), 1)
    assert 0 <= found.lower <= found.upper <= 1


def test_what_is_beyond_the_shape_is_counted() -> None:
    """So far out that no shape is shown an event may have all or nothing of the mass."""
    law = LogNormalLaw(formula(Fraction(1, 2)))
    ratio = formula(Fraction(1, 10))
    there = BeyondBoth(law, formula(Fraction(1, 2)), ratio)
    pair = LogNormalHalves(ratio, there, narrow_first=False)
    deep = pair.excess(Fraction(4), 256).bound()
    assert deep.lower <= 0
    assert 0 < deep.upper < Fraction(1, 10**60)
