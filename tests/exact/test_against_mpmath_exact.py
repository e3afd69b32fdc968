"""Sums, integrals, roots and logarithms of sums, against direct computations in mpmath."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp, mpf

from rdpacct.exact import special
from rdpacct.exact.ball import Ball
from rdpacct.exact.formula import Symbol
from rdpacct.exact.functions import (
    absolute,
    exp,
    maximum,
    minimum,
    normal_cdf,
    normal_density,
    sqrt,
)
from rdpacct.exact.integral import integrate, integrate_tail
from rdpacct.exact.root import bracket
from rdpacct.exact.special import gaussian_sum, gaussian_tail_sum
from tests.privacy.test_against_mpmath import (
    DIGITS,
    assert_encloses,
    exactly,
    integral,
    number,
)

X = Symbol("x")
BITS = 128
TIGHT = 1e-30
"""The width that is expected of a computation with 128 bits."""


@pytest.fixture(autouse=True)
def _many_digits() -> Iterator[Any]:
    with mp.workdps(DIGITS):
        yield


def added_up(first: Any, variance: Any, center: Any = "0") -> Any:
    """The sum of exp(-(k - center)**2/(2 variance)) over k >= first >= center, by ratios of
    terms.
    """
    start = Fraction(first) - Fraction(center)
    spread = Fraction(variance)
    with mp.workdps(DIGITS + 20):
        total = mpf(0)
        term = mp.exp(-number(start**2 / spread) / 2)
        ratio = mp.exp(-number((2 * start + 1) / spread) / 2)
        shrink = mp.exp(-1 / number(spread))
        least = term * mpf(10) ** -DIGITS
        while term > least:
            total = total + term
            term = term * ratio
            ratio = ratio * shrink
        return total + term / (1 - ratio)


@pytest.mark.parametrize("variance", ["1/50", "9/100", "99/100", "1", "49/4", "10000"])
@pytest.mark.parametrize("center", ["0", "1/2", "1/3", "-17/5", "1000001/4"])
def test_gaussian_sum(center: str, variance: str) -> None:
    """The sum of Gaussian weights over all integers is that of its terms, for small and large
    variances.
    """
    offset = Fraction(center) % 1
    reference = added_up(1, variance, offset) + (
        added_up(1, variance, 1 - offset) if offset else added_up(0, variance)
    )
    assert_encloses(
        gaussian_sum(Fraction(center), Fraction(variance), BITS).bound(),
        reference,
        TIGHT,
    )


@pytest.mark.parametrize("variance", ["1/10", "1", "49/4", "10000"])
@pytest.mark.parametrize("first", [-30, -3, 0, 1, 2, 30])
def test_gaussian_tail_sum(first: int, variance: str) -> None:
    """The sum of Gaussian weights from an integer on is that of its terms, also far out and from
    below zero.
    """
    reference = added_up(max(first, 1), variance)
    if first <= 0:
        reference += added_up(0, variance) - added_up(1 - first, variance)
    assert_encloses(
        gaussian_tail_sum(first, Fraction(variance), BITS).bound(), reference, TIGHT
    )


@pytest.mark.parametrize("variance", ["2500", "10000", "1000001/7"])
@pytest.mark.parametrize("share", [0, 1, 5, 12])
def test_both_ways_to_a_tail_sum_agree(share: int, variance: str) -> None:
    """Adding terms and integrating along a contour both enclose the sum, whichever would be
    chosen.
    """
    spread = Fraction(variance)
    first = 1 + int(share * mp.sqrt(number(spread)))
    reference = added_up(first, variance)
    by_terms = special._sum_by_terms(first, Fraction(0), spread, BITS).bound()
    by_contour = special._tail_by_contour(first, spread, BITS).bound()
    assert_encloses(by_terms, reference, TIGHT)
    assert_encloses(by_contour, reference, TIGHT)
    assert by_terms.overlaps(by_contour)


def test_the_contour_is_valid_where_it_would_not_be_chosen() -> None:
    """For a small variance the contour gives a wide enclosure, not a wrong one."""
    for variance, first in [(1, 1), (4, 3), (25, 2)]:
        bound = special._tail_by_contour(first, Fraction(variance), BITS).bound()
        reference = exactly(added_up(first, variance))
        assert bound.lower <= reference <= bound.upper


@pytest.mark.parametrize("first", [1, 12_345, 60_000])
def test_many_terms_go_by_contour(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sum of more terms than are added one by one goes by contour, and is right."""
    monkeypatch.setattr(special, "_sum_by_terms", None)
    variance = Fraction(10**8)
    assert_encloses(
        gaussian_tail_sum(first, variance, BITS).bound(),
        added_up(first, variance),
        TIGHT,
    )


def test_the_contour_from_zero_on_is_half_the_sum() -> None:
    """From zero on, the sum is half of the whole and half a term, which Poisson summation gives for
    a huge variance.
    """
    variance = Fraction(10**14)
    whole = mp.sqrt(2 * mp.pi * number(variance))
    assert_encloses(
        gaussian_tail_sum(0, variance, BITS).bound(), (whole + 1) / 2, TIGHT
    )


@pytest.mark.parametrize("bits", [64, 128, 256])
def test_a_nudged_sum_is_not_enclosed(bits: int) -> None:
    """The enclosures of sums are narrow enough to exclude a reference that is off by a
    billionth.
    """
    for bound in (
        special._sum_by_terms(7, Fraction(0), Fraction(2500), bits).bound(),
        special._tail_by_contour(7, Fraction(2500), bits).bound(),
    ):
        for nudge in ("1e-9", "-1e-9"):
            with pytest.raises(AssertionError):
                assert_encloses(bound, added_up(7, 2500) * (1 + number(nudge)))


THIRD = Fraction(1, 3)
HALF = Fraction(1, 2)
INTEGRALS: dict[str, tuple[Any, ...]] = {
    "exp of minus absolute": (exp(-absolute(X)), -2, 3, [0], lambda x: mp.exp(-abs(x))),
    "shifted absolute": (
        absolute(X - THIRD) * exp(X),
        *(-1, 2, [THIRD]),
        lambda x: abs(x - number(THIRD)) * mp.exp(x),
    ),
    "max": (maximum(X, X**2), -1, 2, [0, 1], lambda x: max(x, x**2)),
    "positive part": (
        maximum(0, 1 - exp(HALF - X)),
        0,
        4,
        [HALF],
        lambda x: max(0, -mp.expm1(number(HALF) - x)),
    ),
    "smooth": (
        normal_cdf(X) * sqrt(1 + X**2),
        -3,
        5,
        [],
        lambda x: mp.ncdf(x) * mp.sqrt(1 + x**2),
    ),
}


@pytest.mark.parametrize("name", INTEGRALS)
def test_integrate(name: str) -> None:
    """The integral of a formula with declared kinks encloses the quadrature by mpmath between the
    kinks.
    """
    integrand, low, high, kinks, theirs = INTEGRALS[name]
    bound = integrate(integrand, "x", low, high, BITS, kinks=kinks).bound()
    assert_encloses(bound, integral(theirs, [low, *map(number, kinks), high]), TIGHT)


def test_integrate_over_an_undeclared_kink() -> None:
    """A kink at a point that is no rational number may be left undeclared, at the cost of width."""
    bound = integrate(minimum(exp(X), 2 - X), "x", -3, 1, 60).bound()
    kink = mp.findroot(lambda x: mp.exp(x) - 2 + x, mpf("0.44"))
    assert_encloses(bound, integral(lambda x: min(mp.exp(x), 2 - x), [-3, kink, 1]))


def test_integrate_with_a_ball() -> None:
    """A value that is only known as a ball widens the integral and stays inside."""
    shift = Ball.hull(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**6), BITS)
    bound = integrate((X - Symbol("shift")) ** 2, "x", 0, 1, BITS, shift=shift).bound()
    for value in (Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**6)):
        assert bound.contains(Fraction(1, 3) - value + value**2)
    assert bound.relative_width < 1e-4


@pytest.mark.parametrize("step", ["1", "-1", "1/8", "30"])
@pytest.mark.parametrize("start", ["0", "3", "-2"])
def test_integrate_tail(start: str, step: str) -> None:
    """The integral of a normal density from a start to infinity, either way, is the normal tail."""
    density = normal_density(X, 0, 1)
    begin = Fraction(start)
    stride = Fraction(step)
    sign = 1 if stride > 0 else -1
    at_peak = begin if begin * sign >= 0 else Fraction(0)
    bound = integrate_tail(density, density, "x", at_peak, stride, BITS).bound()
    assert_encloses(bound, mp.erfc(sign * number(at_peak) / mp.sqrt(2)) / 2, TIGHT)


def test_integrate_tail_with_a_weight() -> None:
    """A weight below the majorant, here x exp(-x**2/2) and (1 - exp(1 - x)) exp(-x), is integrated
    to infinity.
    """
    bell = exp(-(X**2) / 2)
    bound = integrate_tail(
        X * bell, X * bell, "x", Fraction(0), Fraction(1), BITS
    ).bound()
    assert_encloses(bound, mpf(1), TIGHT)
    decay = (1 - exp(1 - X)) * exp(-X)
    bound = integrate_tail(decay, exp(-X), "x", Fraction(1), Fraction(1), BITS).bound()
    assert_encloses(bound, mp.exp(-1) / 2, TIGHT)


@pytest.mark.parametrize("target", ["1/2", "1e-30", "1e-300", "999999/1000000"])
def test_bracket(target: str) -> None:
    """The bracket of the root of exp(-x) = target encloses log(1/target) to more bits than a
    double has.
    """
    wanted = Fraction(target)
    low, high = bracket(
        lambda x, bits: exp(-x).ball(bits).log() - Ball.of(wanted, bits).log(),
        Fraction(0),
        Fraction(10_000),
    )
    root = exactly(-mp.log(number(target)))
    assert low <= root <= high
    assert high - low <= high * Fraction(1, 2**60)


def test_bracket_of_a_flat_function() -> None:
    """A root where the function is flat, of x**3 with the sign turned, is enclosed, if less
    closely.
    """
    low, high = bracket(
        lambda x, bits: Ball.of(-((x - Fraction(1, 3)) ** 3), bits),
        Fraction(-1),
        Fraction(2),
    )
    assert low <= Fraction(1, 3) <= high
    assert high - low < Fraction(1, 10**6)
