"""Confidence limits found fast: outside of the limits of Clopper and Pearson, and near them."""

import math
from fractions import Fraction

import mpmath
import pytest

from rdpacct.exact.binomial import (
    WITHIN,
    at_most,
    lower_limit,
    outer_lower_limit,
    outer_upper_limit,
    upper_limit,
)
from rdpacct.exact.planned_beta import planned_at_most

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


@pytest.mark.parametrize(("successes", "trials"), COUNTS)
def test_a_planned_tail_is_near_the_tail(successes: int, trials: int) -> None:
    """On both sides of the middle, and far out."""
    if successes == trials:
        return
    middle = math.log((successes + 0.5) / (trials - successes + 0.5))
    for away in (-2, -0.3, -0.001, 0, 0.001, 0.3, 2):
        p = 1 / (1 + Fraction(math.exp(-middle - away)))
        tail = float(at_most(successes, trials, p, 128))
        planned = planned_at_most(successes, trials, middle + away)
        assert planned == pytest.approx(tail, rel=1e-8, abs=1e-300)
