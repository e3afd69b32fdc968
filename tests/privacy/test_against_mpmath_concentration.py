"""The parameters that are suprema: tau, rho and the Gaussian mu, against a maximization in
mpmath.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp, mpf

from rdpacct import (
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    FiniteMechanism,
    Gaussian,
    Laplace,
    MaximallyDivergent,
    RandomizedResponse,
)
from tests.privacy.test_against_mpmath import (
    DIGITS,
    assert_encloses,
    exactly,
    normal_quantile,
    number,
    smallest_rho,
    smallest_tau,
)
from tests.privacy.test_against_mpmath_pairs import GaussianPair, LaplaceLoss
from tests.privacy.test_against_mpmath_rows import (
    BoundedRangePairs,
    Case,
    Rows,
    gaussian_on_integers,
    maximally_divergent,
    random_rows,
    responses,
    two_sided_geometric,
)

WIDTH = 1e-9
SEARCHED = Fraction(1, 10**12)
"""The relative error that a supremum found by search is allowed."""


def table(seed: Any, outputs: Any) -> Any:
    """A finite mechanism of random rows without zeros."""
    rows = random_rows(seed, outputs, False)
    return Case(FiniteMechanism(rows), Rows.of, tuple(map(tuple, rows)))


LAPLACE = [Case(Laplace(scale), LaplaceLoss, (scale, 1)) for scale in ("0.05", 1, 40)]
RESPONSE_CASES: list[tuple[Any, ...]] = [
    ("0.01", 2),
    (1, 2),
    (12, 2),
    ("1/2", 3),
    (3, 5),
    (9, 300),
]
RESPONSES = [
    Case(RandomizedResponse(epsilon, answers), responses, (epsilon, answers))
    for epsilon, answers in RESPONSE_CASES
]
STEP_CASES: list[tuple[Any, ...]] = [(1, 1), ("0.3", 2), (5, 7)]
DISCRETE_LAPLACE = [
    Case(DiscreteLaplace(scale, sensitivity=steps), two_sided_geometric, (scale, steps))
    for scale, steps in STEP_CASES
]
SEED_OUTPUTSS: list[tuple[Any, ...]] = [(11, 2), (12, 2), (13, 3), (14, 5), (15, 12)]
TABLES = [table(seed, outputs) for seed, outputs in SEED_OUTPUTSS]
EPSILON_NEUTRALS: list[tuple[Any, ...]] = [(1, 0), ("0.4", "1/3"), (5, "0.9")]
DIVERGENT = [
    Case(MaximallyDivergent(epsilon, neutral), maximally_divergent, (epsilon, neutral))
    for epsilon, neutral in EPSILON_NEUTRALS
]
BOUNDED = [*LAPLACE, *RESPONSES, *DISCRETE_LAPLACE, *TABLES, *DIVERGENT]
UNBOUNDED = [
    *(Case(Gaussian(sigma), GaussianPair, (sigma, 1)) for sigma in ("0.3", 7)),
    *(
        Case(DiscreteGaussian(sigma, 2), gaussian_on_integers, (sigma, 2))
        for sigma in ("0.4", 1, 5)
    ),
]


@pytest.fixture(autouse=True)
def _many_digits() -> Iterator[Any]:
    with mp.workdps(DIGITS):
        yield


def assert_is_supremum(bound: Any, reference: Any) -> None:
    """The maximum that a search found lies in the enclosure, up to a trillionth."""
    assert_encloses(bound, reference, WIDTH, SEARCHED)


@pytest.mark.parametrize("nudge", ["1e-9", "-1e-9"])
@pytest.mark.parametrize("case", [LAPLACE[1], RESPONSES[4], TABLES[3]], ids=str)
def test_a_nudged_supremum_is_not_enclosed(case: Any, nudge: str) -> None:
    """The check of suprema fails for a reference that is off by a billionth."""
    reference = smallest_tau(case.law()) * (1 + number(nudge))
    with pytest.raises(AssertionError):
        assert_is_supremum(case.mechanism.loss().centered_cdp()[1], reference)


@pytest.mark.parametrize("case", BOUNDED, ids=str)
def test_centered_cdp(case: Any) -> None:
    """tau is the smallest subgaussian parameter of the loss about its mean, for rates of both
    signs.
    """
    mean, tau = case.mechanism.loss().centered_cdp()
    assert_encloses(mean, case.law().mean())
    assert_is_supremum(tau, smallest_tau(case.law()))


@pytest.mark.parametrize("case", BOUNDED, ids=str)
def test_one_sided_tau(case: Any) -> None:
    """The one-sided tau is the smallest subgaussian parameter about the mean for positive rates."""
    assert_is_supremum(
        case.mechanism.loss().one_sided_tau(), smallest_tau(case.law(), (1,))
    )


@pytest.mark.parametrize("case", BOUNDED, ids=str)
def test_one_sided_cdp(case: Any) -> None:
    """The one-sided form has mu = tau**2/2 equal to the smallest rho of zCDP."""
    mu, tau = case.mechanism.loss().one_sided_cdp()
    rho = smallest_rho(case.law())
    assert_is_supremum(mu, rho)
    assert_is_supremum(tau, mp.sqrt(2 * rho))


@pytest.mark.parametrize("share", ["-1/2", "1/3", "9/10", "101/100"])
@pytest.mark.parametrize("case", BOUNDED, ids=str)
def test_zcdp_rho_with_an_offset(case: Any, share: str) -> None:
    """rho at an offset xi is the supremum of (Renyi divergence - xi)/order, and zero from the
    largest loss on.
    """
    xi = Fraction(share) * Fraction(int(case.law().highest() * 2**20), 2**20)
    assert_is_supremum(case.mechanism.loss().zcdp_rho(xi), smallest_rho(case.law(), xi))


@pytest.mark.parametrize("case", [LAPLACE[1], RESPONSES[1], DIVERGENT[1]], ids=str)
def test_the_parts_alone_give_the_same_suprema(case: Any) -> None:
    """Without its closed forms a loss has the same tau and the same rho."""
    loss = case.mechanism.loss().derived()
    assert_is_supremum(loss.centered_cdp()[1], smallest_tau(case.law()))
    assert_is_supremum(loss.zcdp_rho(0), smallest_rho(case.law()))
    assert_is_supremum(loss.zcdp_rho("1/10"), smallest_rho(case.law(), "1/10"))


@pytest.mark.parametrize("case", BOUNDED, ids=str)
def test_gaussian_mu(case: Any) -> None:
    """mu is the largest difference of normal quantiles of the two error probabilities, over all
    thresholds.
    """
    assert_is_supremum(case.mechanism.loss().gaussian_mu(), case.law().gaussian_mu())


@pytest.mark.parametrize("epsilon", ["0.2", "1", "6"])
def test_gaussian_mu_of_the_exponential_mechanism(epsilon: str) -> None:
    """mu is the largest over the two-outcome pairs of bounded range."""
    assert_is_supremum(
        Exponential(epsilon).profile().gaussian_mu(),
        BoundedRangePairs(epsilon).gaussian_mu(),
    )


@pytest.mark.parametrize("case", UNBOUNDED[:2], ids=str)
def test_the_gaussian_is_its_own_gaussian(case: Any) -> None:
    """Every test between two Gaussians of one spread has the mu of their distance."""
    sigma = number(case.arguments[0])
    for level in ("-1/5", "0", "1/3"):
        power, false_alarm = case.law().beyond(case.law().crossing(level))
        difference = normal_quantile(power) - normal_quantile(false_alarm)
        assert_encloses(case.mechanism.loss().gaussian_mu(), difference)
        assert_encloses(case.mechanism.loss().centered_cdp()[1], 1 / sigma)


@pytest.mark.parametrize("case", UNBOUNDED, ids=str)
def test_unbounded_losses_stay_below_their_quadratic_and_touch_it(case: Any) -> None:
    """K(t) is at most t mean + t**2 tau**2/2 and t (1 + t) rho, with equality at whole rates."""
    mean, tau = case.mechanism.loss().centered_cdp()
    rho, one_sided = case.mechanism.loss().one_sided_cdp()
    assert (mean.is_exact, tau.is_exact, rho.is_exact, one_sided.is_exact) == (
        True,
    ) * 4
    assert case.mechanism.loss().one_sided_tau().overlaps(tau)
    for rate in map(Fraction, ("-3", "-3/4", "-1/7", "1/7", "1/2", "1", "8/3", "4")):
        log_moment = exactly(case.law().renyi(1 + rate) * number(rate))
        room = abs(log_moment) * Fraction(1, 10**40)
        centered = rate * mean.upper + rate**2 * tau.upper**2 / 2
        uncentered = rate * (1 + rate) * rho.upper
        assert log_moment <= centered + room
        assert rate < 0 or log_moment <= uncentered + room
        if rate.denominator == 1:
            assert log_moment >= centered - room
            assert rate < 0 or log_moment >= uncentered - room
    assert_encloses(one_sided, mp.sqrt(2 * number(rho.upper)))


@pytest.mark.parametrize("xi", ["-1/2", "1/3"])
@pytest.mark.parametrize("case", UNBOUNDED, ids=str)
def test_zcdp_rho_of_unbounded_losses_with_an_offset(case: Any, xi: str) -> None:
    """xi + rho * order bounds the Renyi divergences near order 1 and far out, and no smaller rho
    does both.
    """
    rho = case.mechanism.loss().zcdp_rho(xi)
    offset = number(xi)
    near = [1 + mpf(10) ** -k for k in (3, 6, 12)]
    shares = [(case.law().renyi(exactly(order)) - offset) / order for order in near]
    far = case.law().mean()
    assert all(exactly(share) <= rho.upper + Fraction(1, 10**30) for share in shares)
    assert_encloses(rho, max(far, far - offset), slack=Fraction(1, 10**40))


@pytest.mark.parametrize("xi", ["-1/4", "0", "1/2", "2"])
def test_a_constant_loss_with_outputs_that_only_q_has(xi: str) -> None:
    """A loss that is always log 3 has that divergence at every order: rho is log 3 - xi or zero,
    and tau is zero.
    """
    loss = FiniteMechanism([[1, 0], ["1/3", "2/3"]]).loss()
    law = Rows.of([1, 0], ["1/3", "2/3"])
    assert_encloses(loss.zcdp_rho(xi), max(mpf(0), mp.log(3) - number(xi), -number(xi)))
    assert_encloses(loss.renyi(7), law.renyi(7))
    assert_encloses(loss.one_sided_cdp()[0], mp.log(3))
    assert_encloses(loss.centered_cdp()[1], mpf(0))


def test_a_neutral_outcome_alone_tells_nothing() -> None:
    """A maximally divergent pair whose neutral outcome is certain has no loss at all, whatever its
    epsilon.
    """
    loss = MaximallyDivergent(1, neutral=1).loss()
    for bound in (
        loss.max_divergence(),
        loss.epsilon(0),
        loss.delta(0),
        loss.mean(),
        loss.renyi(2),
    ):
        assert_encloses(bound, mpf(0))
    for bound in (*loss.centered_cdp(), loss.zcdp_rho(0), loss.gaussian_mu()):
        assert_encloses(bound, mpf(0))
