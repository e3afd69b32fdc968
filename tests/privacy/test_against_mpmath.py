"""What the ``test_against_mpmath`` files share: how a number of mpmath is compared with an
enclosure, and searches.

A reference works with 60 digits, and is held to be right to 40. The tests in this file show that
the comparison fails where it must.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from mpmath import mp, mpf
from mpmath.libmp import to_rational

from rdpacct import Bound, RandomizedResponse

DIGITS = 60
NARROW = 1e-12
"""The relative width up to which an enclosure counts as narrow."""
SLACK = Fraction(1, 10**40)
"""The relative error that a reference is allowed."""


@pytest.fixture(autouse=True)
def _many_digits() -> Iterator[Any]:
    with mp.workdps(DIGITS):
        yield


def number(value: Any) -> Any:
    """An exact number, as text or fraction, with all digits."""
    exact = Fraction(value)
    return mpf(exact.numerator) / exact.denominator


def exactly(value: Any) -> Fraction:
    """The fraction that a number of mpmath is."""
    return Fraction(*map(int, to_rational(mpf(value)._mpf_)))


def assert_encloses(
    bound: Any, reference: Any, width: Any = NARROW, slack: Any = SLACK
) -> None:
    """The reference lies between the ends, up to its own relative error, and the ends are near each
    other.
    """
    if mp.isinf(reference):
        assert bound.is_exact
        assert bound.upper == reference
        return
    value = exactly(reference)
    room = abs(value) * slack
    assert bound.lower - room <= value <= bound.upper + room
    assert bound.relative_width < width


def assert_encloses_probability(bound: Any, reference: Any, least: Any) -> None:
    """The same for a probability, of which it is only asked that it is seen to be tiny if it is
    below the least.
    """
    if reference >= least:
        assert_encloses(bound, reference)
    else:
        assert (
            bound.lower
            <= exactly(reference)
            <= bound.upper
            <= exactly(max(least, mpf(10) ** -440))
        )


def largest(function: Any, points: Any) -> Any:
    """The maximum of a function that has one peak between neighboring points: a grid, then golden
    sections.
    """
    points = sorted(points)
    values = [function(point) for point in points]
    best = max(range(len(points)), key=values.__getitem__)
    low = points[max(best - 1, 0)]
    high = points[min(best + 1, len(points) - 1)]
    golden = (mp.sqrt(5) - 1) / 2
    top = values[best]
    left = high - golden * (high - low)
    right = low + golden * (high - low)
    at_left = function(left)
    at_right = function(right)
    for _ in range(110):
        if at_left >= at_right:
            high = right
            right = left
            at_right = at_left
            left = high - golden * (high - low)
            at_left = function(left)
        else:
            low = left
            left = right
            at_left = at_right
            right = low + golden * (high - low)
            at_right = function(right)
    return max(top, at_left, at_right)


def integral(function: Any, points: Any) -> Any:
    """The integral between the first and the last point, by pieces, with the error that mpmath
    estimates checked.
    """
    pieces = [mp.quad(function, piece, error=True) for piece in pairwise(points)]
    total = mp.fsum(value for value, _ in pieces)
    assert mp.fsum(error for _, error in pieces) <= abs(total) * mpf(10) ** -45
    return total


def log_integral(exponent: Any, points: Any) -> Any:
    """The logarithm of the integral of exp(exponent(x)), taken relative to its largest size at the
    points.
    """
    peak = max(exponent(point) for point in points)
    return peak + mp.log(integral(lambda x: mp.exp(exponent(x) - peak), points))


def rates(width: Any) -> Any:
    """Rates of both signs, small and large against the range of the loss."""
    sizes = [mpf(10) ** (mpf(k) / 6) / width for k in range(-18, 31)]
    return [-size for size in sizes] + sizes


def smallest_tau(law: Any, sides: Any = (1, -1)) -> Any:
    """The square root of the supremum of 2 (K(t) - t mean)/t**2, over the rates t of the given
    signs.
    """

    mean = law.mean()

    def quotient(rate: Any) -> Any:
        return 2 * (law.log_moment(rate) - rate * mean) / rate**2

    chosen = [
        [rate for rate in rates(law.width()) if rate * side > 0] for side in sides
    ]
    return mp.sqrt(
        max(law.variance(), *(largest(quotient, points) for points in chosen))
    )


def smallest_rho(law: Any, xi: Any = 0) -> Any:
    """The supremum of (K(t)/t - xi)/(1 + t) over the rates t > 0, or zero if that is larger."""

    def quotient(rate: Any) -> Any:
        return (law.log_moment(rate) / rate - number(xi)) / (1 + rate)

    points = [rate for rate in rates(law.width()) if rate > 0]
    return max(mpf(0), law.mean() - number(xi), largest(quotient, points))


def normal_quantile(probability: Any) -> Any:
    """The inverse of the standard normal distribution function."""
    return mp.sqrt(2) * mp.erfinv(2 * probability - 1)


@pytest.mark.parametrize("nudge", ["1e-9", "-1e-9", "1e-15", "-1e-15"])
def test_a_nudged_reference_is_not_enclosed(nudge: str) -> None:
    """The check of containment fails for a reference that is off by a billionth, or by less."""
    bound = RandomizedResponse(1).loss().mean()
    reference = mp.tanh(mpf(1) / 2)
    assert_encloses(bound, reference)
    with pytest.raises(AssertionError):
        assert_encloses(bound, reference * (1 + number(nudge)))


def test_a_wide_enclosure_is_not_accepted() -> None:
    """The check of containment fails for an enclosure that is right and says little."""
    reference = mp.tanh(mpf(1) / 2)
    wide = Bound(
        exactly(reference) * Fraction(999, 1000),
        exactly(reference) * Fraction(1001, 1000),
    )
    assert_encloses(wide, reference, width=0.01)
    with pytest.raises(AssertionError):
        assert_encloses(wide, reference)
