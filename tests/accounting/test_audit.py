"""Audits: verdicts that never round up, tight values, witnesses."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rdpacct import (
    ZCDP,
    ApproxDP,
    FiniteMechanism,
    Gaussian,
    GaussianDP,
    MeanCDP,
    Outcome,
    PureDP,
    RenyiDP,
    audit,
    profile,
)
from rdpacct.exact.functions import exp, log, sqrt, tanh
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.testing.strategies import finite_mechanisms, mechanisms, positive_numbers
from tests.quick_kinds import QUICK


def textbook(epsilon: Any, delta: Any) -> Any:
    """The Gaussian mechanism with the textbook's sigma, as an exact formula."""
    return Gaussian(sqrt(2 * log(Fraction(5, 4) / delta)) / epsilon)


@pytest.mark.parametrize(
    ("epsilon", "outcome"),
    [(1, Outcome.HOLDS), (8, Outcome.HOLDS), (10, Outcome.FAILS)],
)
def test_the_textbook_calibration(epsilon: int, outcome: Outcome) -> None:
    """sqrt(2 log(1.25/delta))/epsilon at delta = 1e-5 still holds at epsilon 8 and fails at 10."""
    delta = Fraction(1, 10**5)
    verdict = audit(textbook(epsilon, delta), ApproxDP(epsilon, delta))
    assert verdict.outcome is outcome
    assert (verdict.witness is None) == (outcome is Outcome.HOLDS)


def test_a_witness_really_breaks_the_claim() -> None:
    """On the witness event P exceeds exp(epsilon) Q + delta, certainly."""
    claim = ApproxDP(10, "1e-5")
    witness = audit(textbook(10, Fraction(1, 10**5)), claim).witness
    assert witness is not None
    p, q = Fraction(witness.p.lower), Fraction(witness.q.upper)
    excess = p - Fraction((exp(10) * q).bound().upper)
    assert excess > Fraction(1, 10**5)


EXACT = [
    (Gaussian(2), MeanCDP("1/8", "1/2"), Outcome.HOLDS),
    (Gaussian(2), MeanCDP("0.1249999", "1/2"), Outcome.FAILS),
    (Gaussian(2), MeanCDP("1/8", "0.4999999"), Outcome.FAILS),
    (Gaussian(2), ZCDP("1/8"), Outcome.HOLDS),
    (Gaussian(2), ZCDP("0.12499999"), Outcome.FAILS),
    (Gaussian(2), ZCDP("0.12", xi=100), Outcome.FAILS),
    (Gaussian(2), ZCDP("0.2", xi="-0.075"), Outcome.HOLDS),
    (Gaussian(2), ZCDP("0.2", xi="-0.0750001"), Outcome.FAILS),
    (Gaussian(2), GaussianDP("1/2"), Outcome.HOLDS),
    (Gaussian(2), GaussianDP("0.4999999"), Outcome.FAILS),
    (Gaussian(2), RenyiDP(3, "3/8"), Outcome.HOLDS),
    (Gaussian(2), RenyiDP(3, "0.3749999"), Outcome.FAILS),
    ("Laplace(scale=1)", PureDP(1), Outcome.HOLDS),
    ("Laplace(scale=1)", PureDP("0.9999999"), Outcome.FAILS),
    ("Laplace(scale=1)", ApproxDP(1, 0), Outcome.HOLDS),
    ("Laplace(scale=1)", ApproxDP("0.999", 0), Outcome.FAILS),
    ("RandomizedResponse(epsilon=1)", PureDP(1), Outcome.HOLDS),
    (
        "RandomizedResponse(epsilon=1)",
        MeanCDP(tanh(Fraction(1, 2)) + Fraction(1, 10**9), 1),
        Outcome.HOLDS,
    ),
    (
        "RandomizedResponse(epsilon=1)",
        MeanCDP(tanh(Fraction(1, 2)) - Fraction(1, 10**9), 1),
        Outcome.FAILS,
    ),
    ("RandomizedResponse(epsilon=1)", GaussianDP("1.2320353"), Outcome.FAILS),
    ("RandomizedResponse(epsilon=1)", GaussianDP("1.2320354"), Outcome.HOLDS),
    ("Exponential(epsilon=1)", ZCDP("1/8"), Outcome.HOLDS),
    ("Exponential(epsilon=1)", ZCDP("0.1234"), Outcome.HOLDS),
    ("Exponential(epsilon=1)", ZCDP("0.1233"), Outcome.FAILS),
    ("Exponential(epsilon=1)", ZCDP("0.1234", xi=1), Outcome.HOLDS),
    ("Exponential(epsilon=1)", ZCDP("0.1", xi=1), Outcome.UNDECIDED),
    ("DiscreteGaussian(sigma=2)", ZCDP("1/8"), Outcome.HOLDS),
    ("DiscreteGaussian(sigma=2)", MeanCDP("1/8", "1/2"), Outcome.HOLDS),
    ("DiscreteGaussian(sigma=2)", GaussianDP("0.5"), Outcome.FAILS),
    ("DiscreteGaussian(sigma=2)", GaussianDP("0.6"), Outcome.UNDECIDED),
    ("DiscreteGaussian(sigma=2)", RenyiDP(2, "1/4"), Outcome.HOLDS),
    ("RandomizedResponse(epsilon=1)", RenyiDP("1e30", 1), Outcome.HOLDS),
    ("Exponential(epsilon=1)", ZCDP("0.23", xi="-0.1"), Outcome.HOLDS),
    ("0*Gaussian(sigma=1)", PureDP(0), Outcome.HOLDS),
    ("0*Gaussian(sigma=1)", ApproxDP(0, 0), Outcome.HOLDS),
    ("Gaussian(sigma=1)", ApproxDP(0, 1), Outcome.HOLDS),
]


@pytest.mark.parametrize(("plan", "claim", "outcome"), EXACT, ids=str)
def test_claims_at_and_beside_the_tight_value(
    plan: Any, claim: Guarantee, outcome: Outcome
) -> None:
    """A claim at the tight value holds, one just below it fails."""
    assert audit(plan, claim).outcome is outcome


def test_a_dominated_pair_may_spread_more_about_its_mean() -> None:
    """A promise, or an adaptive composition, is not MeanCDP with the tau of the pair that dominates
    it.
    """
    table = FiniteMechanism([["1/2", "1/2"], ["1/40000", "39999/40000"]])
    claim = MeanCDP(10, "4.5")
    assert audit(table, PureDP(10)).outcome is Outcome.HOLDS
    assert audit(table, claim).outcome is Outcome.FAILS
    assert audit("PureDP(epsilon=10)", claim).outcome is Outcome.UNDECIDED
    assert audit("PureDP(epsilon=10)", MeanCDP(10, 10)).outcome is Outcome.HOLDS
    assert audit("2*PureDP(epsilon=10)", MeanCDP(20, 20)).outcome is Outcome.HOLDS
    assert audit("2*PureDP(epsilon=10)", MeanCDP(20, 6)).outcome is Outcome.FAILS
    assert audit("2*Gaussian(sigma=1)", MeanCDP(1, 2)).outcome is Outcome.UNDECIDED
    assert audit("2*Gaussian(sigma=1)", MeanCDP(1, "1.4")).outcome is Outcome.FAILS


def test_the_supports_of_a_table_matter() -> None:
    """Where one input can give an output that the other cannot, nothing but delta holds."""
    table = FiniteMechanism([["1/2", "1/2", 0], [0, "1/2", "1/2"]])
    for claim in (
        PureDP(100),
        ZCDP(100),
        MeanCDP(100, 100),
        GaussianDP(100),
        RenyiDP(2, 100),
    ):
        assert audit(table, claim).outcome is Outcome.FAILS
    assert audit(table, ApproxDP(0, "1/2")).outcome is Outcome.HOLDS
    failed = audit(table, ApproxDP(5, "0.49"))
    assert failed.outcome is Outcome.FAILS
    assert failed.witness is not None
    assert "output in {0}" in failed.witness.event


@settings(max_examples=60, deadline=None, derandomize=True)
@given(finite_mechanisms(), positive_numbers())
def test_finite_audits_agree_with_all_events(table: Any, epsilon: Any) -> None:
    """The verdict on a table is that of an exhaustive search over all events, in rationals around
    exp(epsilon).
    """
    factor = Fraction(str(float(exp(epsilon).ball(64))))
    worst = max(
        sum(
            max(Fraction(0), p - factor * q) for p, q in zip(first, second, strict=True)
        )
        for first in table.rows
        for second in table.rows
    )
    for nudge, outcome in (
        (Fraction(1, 10**9), Outcome.HOLDS),
        (-Fraction(1, 10**9), Outcome.FAILS),
    ):
        if 0 <= worst + nudge <= 1:
            assert audit(table, ApproxDP(epsilon, worst + nudge)).outcome is outcome


@settings(max_examples=25, deadline=None, derandomize=True)
@given(mechanisms(*QUICK), st.sampled_from([Fraction(1, 10), Fraction(1), Fraction(4)]))
def test_verdicts_follow_the_tight_delta(mechanism: Any, epsilon: Any) -> None:
    """For any mechanism, a delta above the tight one holds and one below it fails."""
    tight = profile(mechanism).delta(epsilon)
    above = tight.upper + Fraction(1, 10**9)
    below = tight.lower - Fraction(1, 10**9)
    if above <= 1:
        assert audit(mechanism, ApproxDP(epsilon, above)).outcome is Outcome.HOLDS
    if below >= 0:
        assert audit(mechanism, ApproxDP(epsilon, below)).outcome is Outcome.FAILS
