"""Admissible noise: its constants against quadrature, against the exact mechanisms, and beyond
their range.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import pytest

from rdpacct import InputError, SmoothGaussian, SmoothLaplace, SmoothPower
from rdpacct.privacy.guarantee import ApproxDP, PureDP
from rdpacct.privacy.relation import Norm
from rdpacct.sensitivity import (
    explicit_gaussian_admissible,
    gaussian_admissible,
    laplace_admissible,
    power_admissible,
    printed_gaussian_admissible,
    printed_laplace_admissible,
    printed_power_admissible,
)
from rdpacct.sensitivity.admissible import chi_tail, gamma_tail

DELTAS = ("0.1", "1e-3", "1e-8")
RULES: dict[Callable[..., Any], type[Any]] = {
    laplace_admissible: SmoothLaplace,
    printed_laplace_admissible: SmoothLaplace,
    gaussian_admissible: SmoothGaussian,
    explicit_gaussian_admissible: SmoothGaussian,
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_exact_mechanism_confirms_the_guarantee_in_one_dimension(
    rule: Callable[..., Any],
) -> None:
    """And has a smaller delta: the shortcut adds up what cannot happen at once."""
    for epsilon, delta in product(("0.1", "0.5", "1"), DELTAS):
        noise = rule(epsilon, delta)
        claimed = noise.guarantee()
        assert isinstance(claimed, ApproxDP)
        assert (claimed.delta - noise.delta).bound().lower > 0
        found = RULES[rule](noise.alpha, noise.beta).profile().delta(epsilon)
        assert found.certainly_below(claimed.delta.bound())


@pytest.mark.parametrize(
    "rule", [power_admissible, printed_power_admissible], ids=lambda rule: rule.__name__
)
def test_power_noise_is_pure(rule: Callable[..., Any]) -> None:
    for epsilon, power in product(("0.1", "1", "3"), ("1.5", "2", "4")):
        noise = rule(epsilon, power)
        assert noise.guarantee() == PureDP(epsilon)
        found = SmoothPower(noise.alpha, noise.beta, power).profile().max_divergence()
        assert found.certainly_at_most(Fraction(epsilon))


def test_the_sharp_constants_cover_the_printed_ones() -> None:
    """Larger alpha and beta mean less noise on a smoother scale."""
    for power in ("1.5", "2", "4"):
        sharp = power_admissible(1, power)
        printed = printed_power_admissible(1, power)
        assert not sharp.alpha.bound().certainly_below(printed.alpha.bound())
        assert not sharp.beta.bound().certainly_below(printed.beta.bound())
    for dimension in (2, 5, 30):
        sharp, printed = (
            rule(1, "1e-6", dimension)
            for rule in (laplace_admissible, printed_laplace_admissible)
        )
        assert sharp.beta.bound().certainly_above(printed.beta.bound())
        sharp, explicit = (
            rule(1, "1e-6", dimension)
            for rule in (gaussian_admissible, explicit_gaussian_admissible)
        )
        assert sharp.beta.bound().certainly_above(explicit.beta.bound())
        assert sharp.alpha.bound().certainly_above(explicit.alpha.bound())


def test_beta_shrinks_with_the_dimension_and_alpha_does_not() -> None:
    for rule in (laplace_admissible, gaussian_admissible):
        one = rule(1, "1e-6")
        many = rule(1, "1e-6", 10)
        assert many.alpha == one.alpha
        assert many.beta.bound().certainly_below(one.beta.bound())
    assert power_admissible(1, 3, 5).beta.bound().upper == Fraction(1, 20)
    assert (laplace_admissible(1, "0.1").norm, gaussian_admissible(1, "0.1").norm) == (
        Norm.L1,
        Norm.L2,
    )


def test_tails_of_norms_against_mpmath() -> None:
    for dimension, x in product(
        (1, 2, 3, 7, 10), (Fraction(1, 2), Fraction(4), Fraction(30))
    ):
        shape = mpmath.mpf(dimension)
        point = mpmath.mpf(float(x))
        assert float(gamma_tail(dimension, x).bound()) == pytest.approx(
            float(mpmath.gammainc(shape, point, regularized=True)), rel=1e-12
        )
        assert float(chi_tail(dimension, x).bound()) == pytest.approx(
            float(mpmath.gammainc(shape / 2, point / 2, regularized=True)), rel=1e-12
        )


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (
            lambda: printed_power_admissible(1, 3, 2),
            "the printed beta is false for power 3 in 2 dimensions",
        ),
        (lambda: printed_power_admissible(1, 2, 3), "the printed beta is false"),
        (
            lambda: printed_gaussian_admissible(1, "1e-6"),
            "explicit_gaussian_admissible",
        ),
        (lambda: laplace_admissible(3, "1e-6"), "proved for epsilon <= 2.5128 d only"),
        (
            lambda: gaussian_admissible("1.3", "1e-6"),
            "proved for epsilon <= 1.2564 d only",
        ),
        (lambda: laplace_admissible(1, "0.9", 3), "give a smaller delta"),
        (lambda: laplace_admissible(0, "0.9"), "epsilon is 0"),
        (lambda: gaussian_admissible(1, 1), "delta is 1"),
        (lambda: power_admissible(1, 1), "power is 1"),
        (lambda: power_admissible(1, 2, 0), "dimension is 0"),
        (lambda: power_admissible(float("nan"), 2), "epsilon is"),
    ],
)
def test_beyond_the_proved_range_is_refused(ask: Callable[..., Any], why: str) -> None:
    with pytest.raises(InputError, match=why):
        ask()
