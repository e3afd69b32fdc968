"""Conversions, group privacy and composition, against typed-out formulas and against the laws that
they speak of.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp, mpf

from rdpacct import (
    ZCDP,
    ApproxDP,
    GaussianDP,
    InputError,
    Laplace,
    MeanCDP,
    PureDP,
    RandomizedResponse,
    RenyiDP,
)
from rdpacct.exact.formula import formula
from rdpacct.privacy.compose import compose_gaussian_shifts
from rdpacct.privacy.convert import (
    gaussian_dp_to_approx,
    gaussian_dp_to_zcdp,
    mean_cdp_to_approx,
    mean_cdp_to_zcdp,
    pure_to_approx,
    pure_to_mean_cdp,
    pure_to_mean_cdp_printed,
    pure_to_renyi,
    pure_to_zcdp,
    pure_to_zcdp_classical,
    renyi_to_approx,
    renyi_to_approx_classical,
    zcdp_to_approx,
    zcdp_to_approx_classical,
    zcdp_to_renyi,
)
from rdpacct.privacy.group import group
from tests.privacy.test_against_mpmath import (
    DIGITS,
    assert_encloses,
    exactly,
    largest,
    number,
    smallest_rho,
    smallest_tau,
)
from tests.privacy.test_against_mpmath_pairs import GaussianPair, LaplaceLoss
from tests.privacy.test_against_mpmath_rows import responses

PURE = ("1/100", "1", "5", "30")
DELTAS = ("1e-2", "1e-6", "1e-18", "1e-100")
SEARCHED = Fraction(1, 10**12)


@pytest.fixture(autouse=True)
def _many_digits() -> Iterator[Any]:
    with mp.workdps(DIGITS):
        yield


def log_one_over(delta: Any) -> Any:
    """The logarithm of 1/delta."""
    return -mp.log(number(delta))


def improved(renyi_epsilon: Any, order: Any, delta: Any) -> Any:
    """The conversion of Canonne, Kamath and Steinke."""
    return (
        renyi_epsilon
        + mp.log1p(-1 / order)
        + (log_one_over(delta) - mp.log(order)) / (order - 1)
    )


@pytest.mark.parametrize("epsilon", PURE)
def test_pure_to_approx_is_randomized_response(epsilon: str) -> None:
    """The delta of pure privacy at another epsilon is that of randomized response."""
    for at in ("0", "1/200", "1/2", "7"):
        approx = pure_to_approx(PureDP(epsilon), at)
        assert_encloses(approx.epsilon.bound(), number(at))
        assert_encloses(approx.delta.bound(), responses(epsilon, 2).delta(at))


@pytest.mark.parametrize("epsilon", PURE)
def test_pure_to_mean_and_zcdp(epsilon: str) -> None:
    """The mean, the tau and the two values of rho of pure privacy are the typed-out ones."""
    e = number(epsilon)
    tight = e * mp.tanh(e / 2)
    assert_encloses(pure_to_mean_cdp(PureDP(epsilon)).mu.bound(), tight)
    assert_encloses(pure_to_mean_cdp(PureDP(epsilon)).tau.bound(), e)
    assert_encloses(
        pure_to_mean_cdp_printed(PureDP(epsilon)).mu.bound(), e * mp.expm1(e) / 2
    )
    assert_encloses(pure_to_mean_cdp_printed(PureDP(epsilon)).tau.bound(), e)
    assert_encloses(pure_to_zcdp(PureDP(epsilon)).rho.bound(), tight)
    assert_encloses(pure_to_zcdp_classical(PureDP(epsilon)).rho.bound(), e**2 / 2)
    assert (
        pure_to_zcdp(PureDP(epsilon))
        .rho.bound()
        .certainly_below(pure_to_zcdp_classical(PureDP(epsilon)).rho.bound())
    )


@pytest.mark.parametrize("epsilon", ["1/100", "1", "5"])
def test_pure_to_zcdp_and_mean_cdp_hold_and_are_reached(epsilon: str) -> None:
    """rho and mu are reached by randomized response and cover the Laplace mechanism; tau covers
    both.
    """
    zcdp = pure_to_zcdp(PureDP(epsilon))
    mean_cdp = pure_to_mean_cdp(PureDP(epsilon))
    response = responses(epsilon, 2)
    laplace = LaplaceLoss(1, epsilon)
    assert_encloses(zcdp.rho.bound(), smallest_rho(response), slack=SEARCHED)
    assert_encloses(mean_cdp.mu.bound(), response.mean())
    assert zcdp.rho.bound().certainly_above(exactly(smallest_rho(laplace)))
    assert mean_cdp.mu.bound().certainly_above(exactly(laplace.mean()))
    for law in (response, laplace):
        assert mean_cdp.tau.bound().certainly_above(exactly(smallest_tau(law)))
    assert RandomizedResponse(epsilon).loss().zcdp_rho(0).overlaps(zcdp.rho.bound())
    assert (
        Laplace(1, sensitivity=epsilon)
        .loss()
        .zcdp_rho(0)
        .certainly_below(zcdp.rho.bound())
    )


@pytest.mark.parametrize("order", ["11/10", "2", "10", "500"])
@pytest.mark.parametrize("epsilon", ["1/100", "1", "5"])
def test_pure_to_renyi_is_randomized_response(epsilon: str, order: str) -> None:
    """The Renyi divergence of pure privacy is that of randomized response, and below order times
    the best rho.
    """
    renyi = pure_to_renyi(PureDP(epsilon), order)
    assert_encloses(renyi.alpha.bound(), number(order))
    assert_encloses(renyi.epsilon.bound(), responses(epsilon, 2).renyi(order))
    from_zcdp = zcdp_to_renyi(pure_to_zcdp(PureDP(epsilon)), order)
    assert renyi.epsilon.bound().certainly_below(from_zcdp.epsilon.bound())


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize(
    ("order", "epsilon"), [("3/2", "1/10"), ("2", "0"), ("8", "3"), ("200", "1/100")]
)
def test_renyi_to_approx(order: str, epsilon: str, delta: str) -> None:
    """Both conversions of one Renyi divergence are the typed-out ones, and the improved one is
    smaller.
    """
    renyi = RenyiDP(order, epsilon)
    classical = renyi_to_approx_classical(renyi, delta)
    better = renyi_to_approx(renyi, delta)
    assert_encloses(
        classical.epsilon.bound(),
        number(epsilon) + log_one_over(delta) / (number(order) - 1),
    )
    assert_encloses(
        better.epsilon.bound(),
        max(mpf(0), improved(number(epsilon), number(order), delta)),
    )
    assert better.epsilon.bound().certainly_below(classical.epsilon.bound())
    assert better.delta == classical.delta == formula(Fraction(delta))


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize(
    ("rho", "xi"), [("1/1000", "0"), ("1/2", "1/10"), ("2", "-1/2"), ("50", "0")]
)
def test_zcdp_to_approx(rho: str, xi: str, delta: str) -> None:
    """The classical conversion is the typed-out one, the improved one is the best over all orders,
    and smaller.
    """
    zcdp = ZCDP(rho, xi)
    classical = zcdp_to_approx_classical(zcdp, delta)
    better = zcdp_to_approx(zcdp, delta)
    typed = number(xi) + number(rho) + 2 * mp.sqrt(number(rho) * log_one_over(delta))
    assert_encloses(classical.epsilon.bound(), max(mpf(0), typed))

    def negative(size: Any) -> Any:
        order = 1 + mp.exp(size)
        return -improved(number(xi) + number(rho) * order, order, delta)

    best = -largest(negative, [mpf(k) / 2 for k in range(-30, 31)])
    assert_encloses(better.epsilon.bound(), max(mpf(0), best), slack=SEARCHED)
    assert better.epsilon.bound().lower >= exactly(best) * (1 - Fraction(1, 10**40))
    assert better.epsilon.bound().certainly_below(classical.epsilon.bound())


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("sigma", ["1/3", "1", "20"])
def test_what_follows_from_zcdp_and_mean_cdp_holds_for_the_gaussian(
    sigma: str, delta: str
) -> None:
    """Every epsilon that is converted from the rho, the tau or one order of a Gaussian covers its
    true epsilon.
    """
    true = exactly(GaussianPair(sigma, 1).epsilon(delta))
    mu = 1 / Fraction(sigma)
    zcdp = gaussian_dp_to_zcdp(GaussianDP(mu))
    assert_encloses(zcdp.rho.bound(), number(mu) ** 2 / 2)
    converted = [
        zcdp_to_approx(zcdp, delta),
        zcdp_to_approx_classical(zcdp, delta),
        mean_cdp_to_approx(MeanCDP(mu**2 / 2, mu), delta),
        *(
            renyi_to_approx(zcdp_to_renyi(zcdp, order), delta)
            for order in ("3/2", "4", "40")
        ),
    ]
    assert all(approx.epsilon.bound().upper >= true for approx in converted)
    assert converted[0].epsilon.bound().upper <= 4 * true
    assert converted[0].epsilon.bound().certainly_below(converted[1].epsilon.bound())


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("epsilon", ["1/10", "1", "4"])
def test_what_follows_for_pure_privacy_covers_randomized_response(
    epsilon: str, delta: str
) -> None:
    """The epsilon from the rho or the tau of randomized response covers its true epsilon."""
    true = exactly(responses(epsilon, 2).epsilon(delta))
    pure = PureDP(epsilon)
    assert zcdp_to_approx(pure_to_zcdp(pure), delta).epsilon.bound().upper >= true
    assert (
        mean_cdp_to_approx(pure_to_mean_cdp(pure), delta).epsilon.bound().upper >= true
    )


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize(("mu", "tau"), [("1/100", "1/5"), ("1/2", "1"), ("3", "2")])
def test_mean_cdp_conversions(mu: str, tau: str, delta: str) -> None:
    """mu + tau sqrt(2 log(1/delta)) bounds the loss, and rho = tau**2/2 with xi = mu - rho the
    divergences.
    """
    promise = MeanCDP(mu, tau)
    typed = number(mu) + number(tau) * mp.sqrt(2 * log_one_over(delta))
    assert_encloses(mean_cdp_to_approx(promise, delta).epsilon.bound(), typed)
    zcdp = mean_cdp_to_zcdp(promise)
    assert_encloses(zcdp.rho.bound(), number(tau) ** 2 / 2)
    assert_encloses(zcdp.xi.bound(), number(mu) - number(tau) ** 2 / 2)


@pytest.mark.parametrize("epsilon", ["0", "1/3", "4"])
@pytest.mark.parametrize("mu", ["1/20", "1", "7"])
def test_gaussian_dp_to_approx(mu: str, epsilon: str) -> None:
    """The delta of GaussianDP(mu) is that of N(mu, 1) against N(0, 1)."""
    approx = gaussian_dp_to_approx(GaussianDP(mu), epsilon)
    assert_encloses(approx.delta.bound(), GaussianPair(1, mu).delta(epsilon))


def grouped_by(guarantee: Any, size: int) -> Any:
    """The guarantee for groups, which is one of the same kind."""
    found = group(guarantee, size)
    assert isinstance(found, type(guarantee))
    return found


@pytest.mark.parametrize("size", [1, 2, 5])
def test_group(size: int) -> None:
    """A group multiplies epsilon and mu by its size, rho by its square, and delta by a geometric
    sum.
    """
    assert_encloses(grouped_by(PureDP("2/3"), size).epsilon.bound(), size * mpf(2) / 3)
    assert_encloses(grouped_by(GaussianDP("2/3"), size).mu.bound(), size * mpf(2) / 3)
    assert_encloses(grouped_by(ZCDP("2/3"), size).rho.bound(), size**2 * mpf(2) / 3)
    for epsilon in ("0", "1/100", "3/2"):
        approx = grouped_by(ApproxDP(epsilon, "1e-6"), size)
        summed = mp.fsum(mp.exp(i * number(epsilon)) for i in range(size)) * number(
            "1e-6"
        )
        assert_encloses(approx.epsilon.bound(), size * number(epsilon))
        assert_encloses(approx.delta.bound(), summed)


def test_group_at_the_edges() -> None:
    """A delta beyond 1 is 1, and what no theorem covers is refused."""
    assert grouped_by(ApproxDP(10, "1/10"), 3).delta.bound().upper == 1
    with pytest.raises(InputError, match="xi = 0 only"):
        group(ZCDP(1, "1/2"), 2)
    with pytest.raises(InputError, match="no theorem"):
        group(MeanCDP(1, 1), 2)


@pytest.mark.parametrize("delta", ["1e-3", "1e-9"])
@pytest.mark.parametrize("size", [2, 4])
def test_group_privacy_holds_for_the_gaussian(size: int, delta: str) -> None:
    """The group guarantees of one Gaussian release cover the Gaussian at a multiple of the
    distance.
    """
    pair = GaussianPair(1, "1/5")
    far = GaussianPair(1, Fraction(size, 5))
    near_epsilon = Fraction(int(pair.epsilon(delta) * 10**9) + 1, 10**9)
    grouped = grouped_by(ApproxDP(near_epsilon, delta), size)
    assert exactly(far.delta(size * near_epsilon)) <= grouped.delta.bound().upper
    by_rho = zcdp_to_approx(grouped_by(ZCDP(Fraction(1, 50)), size), delta)
    assert exactly(far.epsilon(delta)) <= by_rho.epsilon.bound().upper


def test_composed_shifts() -> None:
    """Gaussian shifts compose as the root of the sum of their squares."""
    composed = compose_gaussian_shifts(
        [
            (formula(Fraction(1, 3)), 5),
            (formula(2), 1),
            (formula(Fraction(1, 10)), 10**9),
        ]
    )
    assert_encloses(composed.bound(), mp.sqrt(mpf(5) / 9 + 4 + mpf(10) ** 7))
