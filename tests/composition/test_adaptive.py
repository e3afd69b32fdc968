"""The adaptive adversaries: what they state is what quadrature finds, and it breaks the printed
theorem.
"""

import itertools
import math
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.formula import Symbol
from rdpacct.exact.functions import log
from rdpacct.testing.adaptive import coin_then_responses, skipping_adversary

GRID = ("0.05", "0.1", "0.5", "1", "2", "3", "10")


@pytest.mark.parametrize(("tau1", "tau2"), list(itertools.product(GRID, GRID)))
def test_the_variance_certainly_exceeds_the_promise(tau1: str, tau2: str) -> None:
    adversary = skipping_adversary(tau1, tau2)
    bound = adversary.excess_bound()
    assert bound.certainly_above(0)
    assert bound.relative_width < 1e-15
    if float(bound) > 1e-12:
        assert (
            adversary.variance()
            .bound()
            .certainly_above(adversary.promised_variance().bound())
        )


def moments(tau1: Any, tau2: Any) -> Any:
    """The mean and the variance of the loss, from the two normal noises by quadrature, apart from
    the formulas.
    """
    with mpmath.workdps(30):
        tau1 = mpmath.mpf(tau1)
        tau2 = mpmath.mpf(tau2)
        cut = -1 / tau1

        def expectation(run: Any, skipped: Any) -> Any:
            density = mpmath.npdf
            low = mpmath.quad(
                lambda g: skipped(tau1**2 / 2 + tau1 * g) * density(g),
                [-mpmath.inf, 2 * cut, cut],
            )
            high = mpmath.quad(
                lambda g: run(tau1**2 / 2 + tau1 * g) * density(g), [cut, 0, mpmath.inf]
            )
            return low + high

        mean = expectation(lambda first: first + tau2**2 / 2, lambda first: first)
        square = expectation(
            lambda first: (first + tau2**2 / 2) ** 2 + tau2**2, lambda first: first**2
        )
        return mean, square - mean**2


@pytest.mark.parametrize(
    ("tau1", "tau2"), [("0.5", "1"), ("1", "0.1"), ("2", "2"), ("3", "3"), ("1", "10")]
)
def test_mean_and_variance_agree_with_quadrature(tau1: str, tau2: str) -> None:
    adversary = skipping_adversary(tau1, tau2)
    mean, variance = moments(tau1, tau2)
    for formula, found in ((adversary.mean(), mean), (adversary.variance(), variance)):
        assert math.isclose(float(formula.bound()), float(found), rel_tol=1e-12)


def test_the_excess_of_the_documentation() -> None:
    assert str(skipping_adversary(3, 3).variance().bound()).startswith("[29.58")


def test_a_skipped_release_costs_nothing() -> None:
    adversary = skipping_adversary(1, 2)
    assert adversary.loss(-2, Fraction(7, 3), 1) == skipping_adversary(1, 5).loss(
        -2, 0, 1
    )
    assert adversary.loss(0, Fraction(1, 2), 0).bound().lower == Fraction(1, 2) + 2 + 1


def test_symbols_are_kept() -> None:
    excess = skipping_adversary(Symbol("a"), Symbol("b")).excess()
    assert excess.symbols() == {"a", "b"}
    assert excess.at(a=2, b=3).bound().overlaps(skipping_adversary(2, 3).excess_bound())


@pytest.mark.parametrize(("tau1", "tau2"), [(0, 1), (1, 0), (-1, 1), (1, "-2")])
def test_widths_are_positive(tau1: int, tau2: int | str) -> None:
    with pytest.raises(InputError, match="must be above 0"):
        skipping_adversary(tau1, tau2)


def test_an_excess_too_small_to_see_is_not_called_positive() -> None:
    with pytest.raises(UndecidedError, match="too small"):
        skipping_adversary("0.0001", 1).excess_bound()


def variance(loss: Any) -> Any:
    """The variance in units of the square of the largest loss of one response, in rationals."""
    count = len(loss.parts) - 2
    scores = [0, *range(-count, count + 1, 2)]
    masses = [part.p.value for part in loss.parts]
    mean = sum(mass * score for mass, score in zip(masses, scores, strict=True))
    return sum(
        mass * (score - mean) ** 2 for mass, score in zip(masses, scores, strict=True)
    )


def test_the_coin_and_five_responses() -> None:
    loss = coin_then_responses(10, 5)
    assert variance(loss) == Fraction(2425, 484) > 5
    tau = loss.centered_cdp()[1]
    assert tau.lower**2 > 5 * log(10).bound().upper ** 2


@pytest.mark.parametrize(
    ("ratio", "count", "breaks"),
    [(9, 5, False), (10, 5, True), (10**6, 4, False), (2, 21, True)],
)
def test_where_the_coin_breaks_the_promise(
    ratio: int, count: int, breaks: bool
) -> None:
    assert (variance(coin_then_responses(ratio, count)) > count) is breaks


def test_the_coin_is_a_pair_of_laws() -> None:
    loss: Any = coin_then_responses("7/2", 3)
    assert (
        sum(part.p.value for part in loss.parts)
        == sum(part.q.value for part in loss.parts)
        == 1
    )
    assert loss.max_divergence().overlaps((3 * log(Fraction(7, 2))).bound())


@pytest.mark.parametrize(("ratio", "count"), [(1, 5), ("1/2", 5), (10, 0), (10, 1001)])
def test_coins_that_are_refused(ratio: int | str, count: int) -> None:
    with pytest.raises(InputError):
        coin_then_responses(ratio, count)
