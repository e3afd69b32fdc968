"""Moments of pairs that are far apart: against closed forms and mpmath, and sharp without much
work.
"""

from fractions import Fraction
from typing import Any

import mpmath
import pytest

from rdpacct import (
    Gaussian,
    Laplace,
    PoissonSampled,
    Relation,
    SampledWithReplacement,
)
from rdpacct.exact.ball import Ball
from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import exp, log
from rdpacct.exact.integral import integrate
from rdpacct.mechanisms.poisson.moved_piece import MovedPiece
from rdpacct.mechanisms.poisson.sampled_gaussian_part import SampledGaussian
from rdpacct.mechanisms.smooth.circle import Circle
from rdpacct.mechanisms.smooth.student_pair import StudentPair
from rdpacct.privacy.parts import Piece
from rdpacct.work import question

RATES = tuple(Fraction(x) for x in ("-1", "0", "1/2", "3"))
LEVELS = tuple(Fraction(x) for x in ("-1/5", "-1/20", "0", "1/30", "1/10", "1/4"))
SHARP = 64
"""Bits that a moment at a precision of 96 bits knows."""
SOME_WORK = 1_000_000
"""A tenth of what an answer may take."""


def agrees(found: Ball, expected: mpmath.mpf) -> bool:
    """Whether a sharp ball is near a number of twenty digits."""
    sharp = found.accuracy_bits() >= SHARP
    middle = mpmath.mpf(str(found.raw.mid().str(25, radius=False)))
    return sharp and abs(middle / expected - 1) < mpmath.mpf(10) ** -18


@pytest.mark.parametrize("rate", ["-1/2", "1/10", "7/2"])
@pytest.mark.parametrize("epsilon", ["1/2", "173/12", "60"])
def test_moments_of_two_cauchy_laws_are_legendre_functions(
    epsilon: str, rate: str
) -> None:
    """Laplace's integral: the mean of (cosh(e) + sinh(e) cos(phi))**z is P_z(cosh(e))."""
    e = Fraction(epsilon)
    z = Fraction(rate)
    with question() as budget:
        found = Circle(formula(e)).moment(z, 96)
    assert budget.spent < SOME_WORK
    with mpmath.workdps(60):
        size = mpmath.cosh(mpmath.mpf(e.numerator) / e.denominator)
        power = mpmath.mpf(z.numerator) / z.denominator
        assert agrees(found, mpmath.legenp(power, 0, size, type=3).real)


@pytest.mark.parametrize("epsilon", ["1/2", "173/12", "60"])
def test_the_mean_of_two_cauchy_laws_has_a_closed_form(epsilon: str) -> None:
    """The mean of log(cosh(e) + sinh(e) cos(phi)) is log((cosh(e) + 1)/2)."""
    e = Fraction(epsilon)
    with mpmath.workdps(40):
        size = mpmath.cosh(mpmath.mpf(e.numerator) / e.denominator)
        expected = mpmath.log((size + 1) / 2)
        assert agrees(Circle(formula(e)).mean(96), expected)


def test_the_mean_of_heavy_tails_agrees_with_mpmath() -> None:
    """Two elevenths of a degree of freedom, both ways round; the work fits into a question."""
    expected = mpmath.mpf("0.70576449792158370821")
    for narrow_first in (True, False):
        pair = StudentPair(
            formula(5), formula(0), formula(Fraction(2, 11)), narrow_first
        )
        with question() as budget:
            found = pair.mean(96)
        assert budget.spent < SOME_WORK
        assert agrees(found, expected)


@pytest.mark.slow
def test_that_mean_again_by_many_pieces() -> None:
    """The number of the test above, by Gauss sums over short pieces."""
    with mpmath.workdps(20):
        degrees = mpmath.mpf(2) / 11
        shift = 5 / mpmath.sqrt(degrees)

        def weighted(x: mpmath.mpf) -> mpmath.mpf:
            z = mpmath.sinh(x)
            loss = (degrees + 1) / 2 * mpmath.log((1 + (z - shift) ** 2) / (1 + z * z))
            return loss * mpmath.exp(-degrees * mpmath.log(mpmath.cosh(x)))

        ends = [-300, -200, -120, -80, -50, *range(-40, 41), 50, 80, 120, 200, 300]
        whole = mpmath.beta(degrees / 2, mpmath.mpf(1) / 2)
        found = mpmath.quad(weighted, ends) / whole
        assert abs(found - mpmath.mpf("0.70576449792158370821")) < 1e-18


@pytest.mark.parametrize("removing", [True, False])
@pytest.mark.parametrize("mu", ["47/3", "25", "40"])
def test_moments_of_far_sampled_gaussians_are_sharp(mu: str, removing: bool) -> None:
    """The masses are 1, and at rate 1 one way is the chi-square in closed form."""
    part = SampledGaussian(formula(Fraction(mu)), formula(Fraction(1, 10)), removing)
    for rate in (0, -1):
        assert agrees(part.moment(Fraction(rate), 96), mpmath.mpf(1))
    with mpmath.workdps(40):
        square = mpmath.mpf(Fraction(mu).numerator) / Fraction(mu).denominator
        grown = mpmath.exp(square**2)
        expected = 1 + (grown - 1) / 100
        assert agrees(part.moment(Fraction(1 if removing else -2), 96), expected)


@pytest.mark.slow
def test_the_mass_of_far_mixtures_is_known() -> None:
    """Three components thirty and sixty standard deviations apart."""
    inside = Gaussian("0.25", "7.44").stated_for(Relation.REPLACE_ONE)
    (part,) = SampledWithReplacement(inside, 2, 100).loss().parts  # type: ignore[attr-defined]
    assert agrees(part.moment(Fraction(0), 96), mpmath.mpf(1))


@pytest.mark.parametrize("turned", [False, True])
def test_a_moved_stretch_is_the_stretch_of_its_density(turned: bool) -> None:
    """All that is integrated over the losses before agrees with integrals over the losses."""
    (moved,) = (
        part
        for part in PoissonSampled(Laplace(1), "1/10").loss().parts  # type: ignore[attr-defined]
        if isinstance(part, MovedPiece)
    )
    if turned:
        moved = moved.reversed()
    moved = moved.scaled(formula(Fraction(1, 3)))
    plain = Piece(moved.density, moved.low, moved.high)
    center = plain.mean(96)
    pairs = [(moved.mean(96), center)]
    pairs += zip(
        moved.central_moments(4, center, 96),
        plain.central_moments(4, center, 96),
        strict=True,
    )
    cut = moved.from_loss(formula(0)), plain.from_loss(formula(0))
    for one, other in ((moved, plain), cut):
        pairs += [(one.moment(rate, 96), other.moment(rate, 96)) for rate in RATES]
        for level in LEVELS:
            pairs.append((one.tail(level, 96), other.tail(level, 96)))
            pairs.append((one.excess(level, 96), other.excess(level, 96)))
        rows = zip(one.cells(LEVELS, 96), other.cells(LEVELS, 96), strict=True)
        for row, other_row in rows:
            both = zip(row, other_row, strict=True)
            pairs += [(Ball(x, 96), Ball(y, 96)) for x, y in both]
    for found, expected in pairs:
        assert found.bound().overlaps(expected.bound())
        assert (found - expected).bound().upper < Fraction(1, 10**20)


def test_a_stretch_moved_far_is_known() -> None:
    """A shift of 115 scales, in closed form: the density of the losses before has mass 1/2."""
    loss: Any = PoissonSampled(Laplace("1/12", "9.6"), "1/10").loss()
    (moved,) = (part for part in loss.parts if isinstance(part, MovedPiece))
    with mpmath.workdps(40):
        shift = mpmath.mpf("115.2")
        under_q = (1 - mpmath.exp(-shift)) / 2
        assert agrees(moved.moment(Fraction(-1), 96), under_q)
        assert agrees(moved.moment(Fraction(0), 96), under_q)


def test_parts_without_the_variable_do_not_change_an_integral() -> None:
    """The integral of x**a exp(-b x) + log(c)/2 over [0, 2], with values and with numbers."""
    x, a, b = map(Symbol, ("x", "a", "b"))
    third = Fraction(1, 3)
    body = x**2 * exp(-(b + third) * x) + log(a * exp(b)) / 2
    found = integrate(body, "x", 0, 2, 96, a=Fraction(3, 7), b=Fraction(5, 3))
    with mpmath.workdps(40):
        rate = mpmath.mpf(2)
        first = mpmath.gammainc(3, 0, 2 * rate) / rate**3
        second = mpmath.log(mpmath.mpf(3) / 7) + mpmath.mpf(5) / 3
        assert agrees(found, first + second)


def gaussian_log_mean(center: mpmath.mpf, mu: mpmath.mpf, q: mpmath.mpf) -> mpmath.mpf:
    """The mean of log(1 - q + q exp(mu x - mu**2/2)) under N(center, 1), by mpmath."""

    def weighted(y: mpmath.mpf) -> mpmath.mpf:
        u = mu * (center + y) - mu**2 / 2
        larger = max(u, mpmath.mpf(0))
        ratio = (1 - q) * mpmath.exp(-larger) + q * mpmath.exp(u - larger)
        return (larger + mpmath.log(ratio)) * mpmath.npdf(y)

    edges = {mpmath.mpf(k) for k in range(-16, 17, 2)}
    bend = mu / 2 - center
    if -16 < bend < 16:
        edges |= {bend + k / mu for k in (-8, -4, -2, -1, 0, 1, 2, 4, 8)}
    return mpmath.quad(weighted, sorted(edge for edge in edges if abs(edge) <= 16))


@pytest.mark.parametrize("rate", ["1/1000", "9/10"])
@pytest.mark.parametrize("mu", ["1/20", "9", "50", "1e12"])
def test_the_mean_of_a_sampled_gaussian_agrees_with_mpmath(mu: str, rate: str) -> None:
    """Both ways round, near each other and far apart; the work fits into a question."""
    shift = Fraction(mu)
    q = Fraction(rate)
    with mpmath.workdps(40):
        exact = mpmath.mpf(shift.numerator) / shift.denominator
        share = mpmath.mpf(q.numerator) / q.denominator
        not_used = gaussian_log_mean(mpmath.mpf(0), exact, share)
        used = gaussian_log_mean(exact, exact, share)
        expected = {True: (1 - share) * not_used + share * used, False: -not_used}
        for removing, mean in expected.items():
            part = SampledGaussian(formula(shift), formula(q), removing)
            with question() as budget:
                found = part.mean(120)
            assert budget.spent < SOME_WORK
            assert agrees(found, mean)
