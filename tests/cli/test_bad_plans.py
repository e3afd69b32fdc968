"""Plans at the edge: bad input is refused with a reason, and extreme plans get true answers."""

from fractions import Fraction
from itertools import pairwise

import pytest

from rdpacct import (
    ApproxDP,
    Gaussian,
    InputError,
    Laplace,
    Plan,
    PoissonSampled,
    Promised,
    RandomizedResponse,
    calibrate,
    delta,
    epsilon,
    profile,
    read_plan,
)
from rdpacct.cli import main
from rdpacct.mechanisms.mechanism import Mechanism


@pytest.mark.parametrize("rate", ["-0.1", "1.5", "2", "nan"])
def test_a_rate_outside_the_unit_interval_is_refused(rate: str) -> None:
    """A rate is a probability."""
    with pytest.raises(InputError, match="rate"):
        read_plan(f"2*PoissonSampled(Gaussian(sigma=1), rate={rate})")


@pytest.mark.parametrize("count", ["2.5", "-1", "1e30"])
def test_a_count_that_is_no_count_is_refused(count: str) -> None:
    """Counts are whole numbers from 0 to 10**18."""
    with pytest.raises(InputError):
        epsilon(f"{count}*Laplace(scale=1)", "1e-6")


@pytest.mark.parametrize(
    "mechanism",
    [Laplace(1), PoissonSampled(Gaussian(1), "0.1"), Promised(ApproxDP(1, "1e-3"))],
)
def test_nothing_is_private(mechanism: Mechanism) -> None:
    """A plan of no releases has epsilon 0 and delta 0."""
    empty = 0 * mechanism
    assert (
        epsilon(empty, "1e-6").upper
        == epsilon(empty, 0).upper
        == delta(empty, 0).upper
        == 0
    )


@pytest.mark.parametrize(
    "text",
    [
        "Laplace(scale=1e5)",
        "PoissonSampled(Gaussian(sigma=2), rate=1e-4)",
        "RandomizedResponse(epsilon=1e-4)",
    ],
)
def test_a_billion_releases_are_answered(text: str) -> None:
    """The enclosure is as narrow as that of one."""
    assert epsilon(f"1000000000*{text}", "1e-6").relative_width < 1e-8


def test_a_delta_below_the_mass_at_infinity_has_no_epsilon(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The answer is infinite, and the command line says why."""
    plan = "10*ApproxDP(epsilon=1, delta=1e-3) + Laplace(scale=1)"
    assert epsilon(plan, "1e-3").lower == float("inf")
    assert main(["epsilon", plan, "--delta", "1e-3"]) == 2
    assert "the mass at infinity exceeds delta" in capsys.readouterr().err
    assert epsilon(plan, "1e-2").upper < 20


def test_a_calibration_that_cannot_be_met_says_why() -> None:
    """The rest of the plan is too much, or the mass at infinity is."""
    with pytest.raises(InputError, match="no scale meets the target"):
        calibrate("Laplace(scale=?) + 3*Laplace(scale=0.1)", 1, "1e-6")
    with pytest.raises(InputError, match="no sigma meets the target"):
        calibrate("Gaussian(sigma=?) + ApproxDP(epsilon=0.1, delta=1e-3)", 1, "1e-6")


EXTREME = [
    "2*Laplace(scale=1e-9)",
    "3*Gaussian(sigma=1e-6) + Laplace(scale=1)",
    "2*RandomizedResponse(epsilon=3000)",
]


@pytest.mark.parametrize("text", EXTREME)
def test_extreme_plans_have_finite_epsilons_and_deltas_near_one(text: str) -> None:
    """A plan that hides nothing is said to hide nothing."""
    found = epsilon(text, "1e-6")
    assert found.lower > 1000
    assert found.relative_width < 1e-3
    near = delta(text, 1)
    assert near.lower > Fraction(999, 1000)
    assert near.upper <= 1


def test_a_thousand_distinct_mechanisms_are_answered() -> None:
    """Half of them Laplace, the others Gaussian and randomized response."""
    plan = Plan.total(
        [Plan.of(Laplace(Fraction(200 + i, 2))) for i in range(500)]
        + [Plan.of(Gaussian(100 + i)) for i in range(300)]
        + [Plan.of(RandomizedResponse(Fraction(i + 1, 10**4))) for i in range(200)]
    )
    assert sum(count for _, count in plan.terms) == 1000
    assert epsilon(plan, "1e-6").relative_width < 1e-8


def test_many_laplace_mechanisms_of_which_none_decays_much_are_answered() -> None:
    """The decay of a few of them would not do; that of all does."""
    plan = Plan.total([(i + 1) * Laplace(200 + i) for i in range(200)])
    assert epsilon(plan, "1e-6").relative_width < 1e-8


def test_the_mu_of_a_composition_lies_between_its_bounds() -> None:
    """The sum of squares is enough, and what the profile needs is not much less; of Gaussians it is
    exact.
    """
    bound = profile(200 * Laplace(20)).gaussian_mu()
    assert 0 < bound.lower <= bound.upper
    assert bound.upper**2 <= 200 * profile(
        Laplace(20)
    ).gaussian_mu().upper ** 2 + Fraction(1, 10**6)
    assert bound.lower > bound.upper / 2
    exact = profile(4 * Gaussian(2)).gaussian_mu()
    assert exact.contains(Fraction(1))


PLANS = [
    "20*Laplace(scale=5)",
    "30*PoissonSampled(Gaussian(sigma=1), rate=0.1)",
    "3*Laplace(scale=2) + Gaussian(sigma=2)",
]


@pytest.mark.parametrize("text", PLANS)
def test_epsilon_and_delta_lead_back_to_each_other(text: str) -> None:
    """epsilon(delta(e)) is e, delta falls, and it is convex in exp(epsilon)."""
    levels = [Fraction(k, 4) for k in range(1, 6)]
    deltas = [delta(text, level) for level in levels]
    for level, found in zip(levels, deltas, strict=True):
        back = epsilon(text, found.upper)
        assert back.lower <= level * (1 + Fraction(1, 10**6))
        assert epsilon(text, found.lower).upper >= level * (1 - Fraction(1, 10**6))
    assert all(b.certainly_below(a) for a, b in pairwise(deltas))


def test_a_calibrated_plan_meets_its_target_and_reads_back() -> None:
    """Calibrate, account, and write the plan as text."""
    found = calibrate("20*Laplace(scale=?)", 2, "1e-6")
    plan = 20 * Laplace(found.sufficient)
    assert epsilon(plan, "1e-6").upper <= 2 + Fraction(1, 10**12)
    assert epsilon(read_plan(str(plan)), "1e-6").overlaps(epsilon(plan, "1e-6"))
    assert epsilon("+".join(["Laplace(scale=5)"] * 7), "1e-6") == epsilon(
        "7*Laplace(scale=5)", "1e-6"
    )
