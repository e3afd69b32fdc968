"""Confidence limits found fast: outside of the limits of Clopper and Pearson, and near them."""

from fractions import Fraction

import mpmath
import pytest

from rdpacct.exact.binomial import (
    WITHIN,
    lower_limit,
    outer_lower_limit,
    outer_upper_limit,
    upper_limit,
)

ERRORS = (Fraction(1, 3), Fraction(1, 8000), Fraction(1, 10**9))
COUNTS = [
    (successes, trials)
    for trials in (1, 10, 1000, 10**5)
    for successes in sorted({0, 1, trials // 100, trials // 2, trials - 1, trials})
]


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize(("successes", "trials"), COUNTS)
def test_outside_and_near(successes: int, trials: int, error: Fraction) -> None:
    """Between the best limit and a little more, as a part of itself."""
    upper = upper_limit(successes, trials, error)
    outer = outer_upper_limit(successes, trials, error)
    tiny = Fraction(1, 10**12)
    assert upper * (1 - tiny) <= outer <= upper * (1 + WITHIN)
    lower = lower_limit(successes, trials, error)
    inner = outer_lower_limit(successes, trials, error)
    assert inner <= lower + tiny
    assert lower - inner <= WITHIN * lower + tiny


@pytest.mark.parametrize(("successes", "trials"), [(3, 1000), (400, 1000), (990, 1000)])
def test_the_tail_is_at_most_the_error(successes: int, trials: int) -> None:
    """By the sum over the binomial law, in another library."""
    error = Fraction(1, 500)
    with mpmath.workdps(40):
        limit = outer_upper_limit(successes, trials, error)
        p = mpmath.mpf(limit.numerator) / limit.denominator
        tail = sum(
            mpmath.binomial(trials, k) * p**k * (1 - p) ** (trials - k)
            for k in range(successes + 1)
        )
        assert tail <= mpmath.mpf(1) / 500
        assert tail >= mpmath.mpf(1) / 500 * (1 - mpmath.mpf(10) ** -3)
