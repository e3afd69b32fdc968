"""No answer is wider than what is known otherwise: conversions above, one release below;
divergences of any order.
"""

import math
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import (
    ZCDP,
    DiscreteGaussian,
    Gaussian,
    Laplace,
    PoissonSampled,
    RenyiDP,
    Sensitivity,
    SmoothGaussian,
    UndecidedError,
    epsilon,
    profile,
)
from rdpacct.exact.formula import formula
from rdpacct.mechanisms import known_mechanisms
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.mechanisms.smooth.smooth_noise import SmoothNoise
from rdpacct.privacy.between import BetweenPairs
from rdpacct.privacy.convert import renyi_to_approx, zcdp_to_approx

EVERY = [
    mechanism
    for _, cls in sorted(known_mechanisms().items())
    for mechanism in cls.examples()
]
COMPOSED = [mechanism for mechanism in EVERY if not isinstance(mechanism, SmoothNoise)]
SLOW = ("SmoothPower", "SparseHistogram", "PoissonSampled(Laplace")
QUICK = [mechanism for mechanism in COMPOSED if not str(mechanism).startswith(SLOW)]
COSTLY = (
    "GaussianMixture(sigma=2",
    "PoissonSampled(Gaussian(sigma=1)",
    "RandomAllocation(Gaussian(sigma=1), steps=2)",
    "SampledWithReplacement(Gaussian",
    "SampledWithoutReplacement(Gaussian(sigma=1)",
)
"""Two of them take seconds to compose; by default other examples of their classes are."""
COMPOSED_FAST = [one for one in QUICK if not str(one).startswith(COSTLY)]
TWO_ENDS = ("GaussianSparseVector", "RandomAllocation", "Shuffled")
"""Between neighbors that there are and laws that dominate all: two ends by nature."""
ORDERS: list[Any] = [Fraction(3, 2), 2, 4, 8, 16, 32, 64]


def times(mechanism: Any, count: Any) -> Any:
    return Plan.of(mechanism) * count


def known_above(mechanism: Any, count: Any, delta: Any) -> Any:
    """The smallest epsilon that conversions and basic composition give."""
    found = [profile(times(mechanism, count)).max_divergence().upper]
    found.append(count * profile(mechanism).epsilon(delta / count).upper)
    together = profile(times(mechanism, count))
    try:
        rho = together.zcdp_rho(0).upper
        found.append(
            math.inf
            if math.isinf(rho)
            else zcdp_to_approx(ZCDP(rho), delta).epsilon.bound().upper
        )
    except UndecidedError:
        pass
    for order in ORDERS:
        try:
            divergence = together.renyi(order).upper
        except UndecidedError:
            continue
        if math.isfinite(divergence):
            found.append(
                renyi_to_approx(RenyiDP(order, divergence), formula(delta))
                .epsilon.bound()
                .upper
            )
    return min(found)


def check_known(mechanism: Any, count: Any, delta: Any) -> None:
    plan = times(mechanism, count)
    found = profile(plan).epsilon(delta)
    assert found.lower >= profile(mechanism).epsilon(delta).lower * (
        1 - Fraction(1, 10**12)
    )
    above = known_above(mechanism, count, delta)
    assert found.upper <= above * (1 + Fraction(1, 10**12))


@pytest.mark.parametrize("mechanism", COMPOSED_FAST, ids=str)
def test_answers_lie_within_what_is_known(mechanism: Mechanism) -> None:
    check_known(mechanism, 2, Fraction(1, 10**10))


def test_many_releases_are_within_basic_composition() -> None:
    """Also where no pair dominates the others."""
    check_known(SmoothGaussian(1, "0.5"), 96, Fraction(1, 10**3))


def test_no_class_is_left_out() -> None:
    """Each that composes fast enough has an example in the test above."""
    assert {type(one) for one in COMPOSED_FAST} == {type(one) for one in QUICK}


@pytest.mark.slow
@pytest.mark.parametrize(
    "delta", [Fraction(1, 10**3), Fraction(1, 10**10)], ids=["1e-3", "1e-10"]
)
@pytest.mark.parametrize("count", [1, 2, 96])
@pytest.mark.parametrize("mechanism", EVERY, ids=str)
def test_all_answers_lie_within_what_is_known(
    mechanism: Mechanism, count: int, delta: Fraction
) -> None:
    check_known(mechanism, count, delta)


def census(rho: Any) -> Any:
    """The variances of six levels and eight queries that share a rho, each moved in two cells when
    a record changes.
    """
    levels = [104, 1440, 447, 687, 1256, 165]
    queries = [10, 5, 15, 20, 10, 10, 5, 25]
    plans = []
    for level in levels:
        for query in queries:
            share = rho * Fraction(level, sum(levels)) * Fraction(query, sum(queries))
            variance = Fraction(round(1000 / share), 1000)
            plans.append(2 * DiscreteGaussian(sigma_squared=variance))
    return Plan.total(plans)


def test_a_census_like_plan_is_narrow() -> None:
    plan = census(Fraction("2.56"))
    assert sum(count for _, count in plan.terms) == 96
    found = epsilon(plan, "1e-10")
    assert found.relative_width < 1e-6
    assert 16.3 < found.lower < found.upper < 16.7
    rho = profile(plan).zcdp_rho(0).upper
    assert found.upper < zcdp_to_approx(ZCDP(rho), "1e-10").epsilon.bound().lower


FAR = [
    PoissonSampled(Gaussian("0.1"), "0.01"),
    PoissonSampled(Gaussian("0.05"), "0.5"),
    PoissonSampled(Gaussian(10), "0.1"),
]


def narrow_renyi(plan: Any, order: Any) -> bool:
    if any(type(one).__name__ in TWO_ENDS for one, _ in plan.terms):
        return ordered_renyi(plan, order)
    known = profile(plan)
    try:
        found = known.renyi(order)
        if isinstance(known, BetweenPairs):
            # no pair has the divergence of a law that dominates several: each end is narrow
            ends = [loss.renyi(order) for loss in (*known.losses, *known.below)]
            assert found.upper == max(end.upper for end in ends[: len(known.losses)])
            return all(end.relative_width <= 1e-9 for end in ends)
    except UndecidedError:
        return True
    return found.relative_width <= 1e-9


def divergences_add_up(plan: Plan, order: Any) -> bool:
    """Both ends are sums of those of the releases, of which one answers between two ends.

    A Laplace release beside it has the same divergence in both directions.
    """
    found = profile(plan).renyi(order)
    parts = [(profile(one).renyi(order), count) for one, count in plan.terms]
    lower = sum(count * part.lower for part, count in parts)
    upper = sum(count * part.upper for part, count in parts)
    if math.isinf(upper):
        return found.upper == upper and found.lower == lower
    return bool(
        abs(found.lower - lower) <= upper * Fraction(1, 10**9)
        and abs(found.upper - upper) <= upper * Fraction(1, 10**9)
    )


def ordered_renyi(plan: Any, order: Any) -> bool:
    """The ends are in order, and below the largest loss."""
    found = profile(plan).renyi(order)
    largest = profile(plan).max_divergence()
    return 0 <= found.lower <= found.upper <= largest.upper


@pytest.mark.parametrize("order", ["0.5", "1", "32.5", "4096", math.inf], ids=str)
@pytest.mark.parametrize("mechanism", [*QUICK, *FAR], ids=str)
def test_divergences_are_narrow_at_any_order(
    mechanism: Mechanism, order: float | str
) -> None:
    if not mechanism.profile().losses_occur:
        found = profile(Plan.of(mechanism)).renyi(order)
        assert 0 < found.lower <= found.upper
        return
    assert narrow_renyi(Plan.of(mechanism), order)


@pytest.mark.slow
@pytest.mark.parametrize(
    "order",
    ["0.1", "0.999", "1", "1.001", "2", "2.5", "8", "512", "1e5", math.inf],
    ids=str,
)
@pytest.mark.parametrize("mechanism", [*COMPOSED, *FAR], ids=str)
def test_divergences_of_sums_are_narrow_at_any_order(
    mechanism: Mechanism, order: float | str
) -> None:
    beside = Laplace(1, sensitivity=Sensitivity(1, relation=mechanism.relation))
    known = mechanism.profile()
    for plan in (Plan.of(mechanism), 2 * mechanism, mechanism + beside):
        if not known.losses_occur:
            found = profile(plan).renyi(order)
            assert 0 < found.lower <= found.upper
        elif isinstance(known, BetweenPairs) and plan != Plan.of(mechanism):
            assert divergences_add_up(plan, order)
        else:
            assert narrow_renyi(plan, order)


@pytest.mark.parametrize(
    ("order", "truth"),
    [(128, Fraction("6395.3585686314")), (4096, Fraction("204795.3937052303"))],
)
def test_a_sampled_gaussian_of_small_sigma_at_high_orders(
    order: int, truth: Fraction
) -> None:
    """The leading term of the binomial sum is the rest of the digits: (order log rate)/(order - 1)
    + order 50.
    """
    found = profile(PoissonSampled(Gaussian("0.1"), "0.01")).renyi(order)
    leading = order * math.log(0.01) / (order - 1) + order * 50
    assert abs(float(found) - leading) < 1e-9 * leading
    assert abs(Fraction(found.upper) - truth) < Fraction(1, 10**9)


def test_orders_beyond_a_million_are_worked_out_in_closed_form() -> None:
    for mechanism in (Laplace(1), DiscreteGaussian("7/2", sensitivity=2)):
        assert profile(mechanism).renyi("1e12").relative_width < 1e-15
