"""Curves of plans against mpmath, and against what the same plan answers point by point."""

import csv
import io
from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp

from rdpacct import (
    Bound,
    CertifiedCurve,
    InputError,
    epsilon_delta_curve,
    profile,
    tradeoff_curve,
)
from rdpacct.composition.plans import ComposedProfile
from rdpacct.composition.sweep import Sweep
from rdpacct.curves import CurveKind, rates_between
from rdpacct.exact.ball import Ball
from rdpacct.privacy.many_tradeoffs import ManyTradeoffs
from rdpacct.questions import Questions, Way, plan_of
from tests.references import composed_delta, draws, normal_tail, response_atoms

DPSGD = "10000*PoissonSampled(Gaussian(sigma=0.8), rate=0.01)"
MIXED = "Gaussian(sigma=2) + 3*RandomizedResponse(epsilon=0.5)"
MU = mp.mpf(1) / 2


def contains(bound: Bound, value: Any) -> bool:
    """Whether an enclosure has a value of mpmath, whose last digits are its own."""
    slack = mp.mpf(10) ** -20
    lower = mp.mpf(bound.lower.numerator) / bound.lower.denominator  # type: ignore[union-attr]
    upper = mp.mpf(bound.upper.numerator) / bound.upper.denominator  # type: ignore[union-attr]
    return bool(lower - slack <= value <= upper + slack)


def exact(value: Fraction) -> Any:
    """A fraction in mpmath."""
    return mp.mpf(value.numerator) / value.denominator


def atoms() -> Any:
    """The three responses of the mixed plan: masses and losses."""
    return draws(response_atoms(mp.mpf("0.5")), 3)


def mixed_false_negatives(rate: Any) -> Any:
    """The test that accepts large losses: its threshold has this false positive rate."""

    def excess(level: Any) -> Any:
        tails = [
            mass * mp.exp(-loss) * normal_tail((level - loss) / MU + MU / 2)
            for mass, loss in atoms()
        ]
        return mp.fsum(tails) - rate

    low = mp.mpf(-30)
    high = mp.mpf(30)
    for _ in range(150):
        level = (low + high) / 2
        low, high = (level, high) if excess(level) > 0 else (low, level)
    kept = [mass * normal_tail(MU / 2 - (level - loss) / MU) for mass, loss in atoms()]
    return mp.fsum(kept)


def test_a_profile_of_many_points_agrees_with_mpmath() -> None:
    """A Gaussian beside three responses, at fifteen epsilons."""
    curve = epsilon_delta_curve(MIXED, points=15)
    with mp.workdps(40):
        rows = [(response_atoms(mp.mpf("0.5")), 3)]
        for at, bound in zip(curve.at, curve.bounds, strict=True):
            assert contains(bound, composed_delta(exact(at), MU, rows, 0)), at
            assert bound.relative_width < 1e-5


def test_a_tradeoff_of_many_points_agrees_with_mpmath() -> None:
    """The same plan, at the rates of a curve."""
    curve = tradeoff_curve(MIXED, points=12)
    with mp.workdps(40):
        for at, bound in list(zip(curve.at, curve.bounds, strict=True))[1:-1]:
            assert contains(bound, mixed_false_negatives(exact(at))), at
            assert bound.width < 1e-6


def test_the_reference_can_fail() -> None:
    """A slightly wrong rate is outside of the enclosure."""
    [bound] = Questions(plan_of(MIXED)).tradeoffs([Fraction(1, 10)])
    with mp.workdps(40):
        assert contains(bound, mixed_false_negatives(mp.mpf("0.1")))
        assert not contains(bound, mixed_false_negatives(mp.mpf("0.10001")))


@pytest.mark.parametrize(
    "plan",
    [
        DPSGD,
        MIXED,
        "Laplace(scale=1)",
        "100*Laplace(scale=10) + Gaussian(sigma=5)",
        "10*DiscreteGaussian(sigma=5) + 3*DiscreteGaussian(sigma=10)",
        "3*ApproxDP(epsilon=0.5, delta=1e-6)",
        "RandomizedResponse(epsilon=log(3))",
        "NonPrivate()",
        "0*Laplace(scale=1)",
    ],
)
def test_many_points_overlap_with_single_answers(plan: str) -> None:
    """Each enclosure of a curve shares a point with the answer to the question alone."""
    asked = Questions(plan_of(plan))
    curve = epsilon_delta_curve(plan, points=5)
    for at, bound in zip(curve.at, curve.bounds, strict=True):
        assert bound.overlaps(asked.profile.delta(at))
    tests = tradeoff_curve(plan, points=6)
    for at, bound in zip(tests.at, tests.bounds, strict=True):
        assert bound.overlaps(asked._tradeoff(at))
        assert bound.width < 1e-5


def test_the_points_of_dpsgd_share_their_nodes() -> None:
    """A few sets of nodes answer for a hundred points, each narrowly."""
    found = profile(DPSGD)
    assert isinstance(found, ComposedProfile)
    sweep = Sweep(found.losses[0])  # type: ignore[arg-type]
    bounds = [sweep.delta(Fraction(k, 10)) for k in range(100)]
    assert len(sweep.ready) <= 8
    assert max(bound.relative_width for bound in bounds) < 1e-6
    assert {"engine/quadrature", "sampling/poisson"} <= bounds[50].rests_on


def test_no_nodes_are_planned_beyond_the_largest_loss() -> None:
    """Of adding a record to a Poisson sample losses are bounded: three of them here by 0.317."""
    found = profile("3*PoissonSampled(Gaussian(sigma=1), rate=0.1)")
    adding = Sweep(found.losses[1])  # type: ignore[arg-type]
    levels = [Fraction(k, 4) for k in range(2, 40)]
    assert all(adding.delta(level).upper == 0 for level in levels)
    assert adding.ready == []
    assert adding.delta(Fraction(3, 10)).lower > 0
    assert len(adding.ready) == 1


def test_directions_are_apart() -> None:
    """Removing a record is told better than adding one at some rates, and the worse is drawn."""
    removing, adding = (
        tradeoff_curve("PoissonSampled(Gaussian(sigma=1), rate=0.1)", 5, way)
        for way in Way
    )
    both = tradeoff_curve("PoissonSampled(Gaussian(sigma=1), rate=0.1)", 5)
    for one, other, least in zip(
        removing.bounds, adding.bounds, both.bounds, strict=True
    ):
        assert least.lower <= min(one.upper, other.upper)
        assert least.upper >= min(one.lower, other.lower)
    assert removing.bounds[2].certainly_below(adding.bounds[2])


def test_a_search_over_shared_points_holds_what_it_must() -> None:
    """A pair that is told apart for sure half of the time, and else not at all."""
    half = Fraction(1, 2)

    def missed(level: Fraction) -> Ball:
        growth = Ball.of(level, 128).exp()
        return 1 - (half + (half - growth).positive_part())

    tests = ManyTradeoffs(missed)
    rates = [Fraction(k, 10) for k in range(1, 10)]
    for rate, bound in zip(rates, tests.each(rates), strict=True):
        assert bound.contains(half * (1 - rate))
        assert bound.width < 1e-6


def table(curve: CertifiedCurve) -> list[dict[str, Fraction]]:
    """The rows of a file, read by another reader."""
    rows = csv.DictReader(io.StringIO(curve.csv()))
    return [{name: Fraction(text) for name, text in row.items()} for row in rows]


def test_a_table_is_rounded_outwards() -> None:
    """Both ends of each point are in the file, not inside of the enclosure and near it."""
    curve = tradeoff_curve("Gaussian(sigma=1)", points=9)
    for row, at, bound in zip(table(curve), curve.at, curve.bounds, strict=True):
        assert row["false_positive_rate"] == at
        assert row["false_negative_rate_lower"] <= bound.lower
        assert row["false_negative_rate_upper"] >= bound.upper
        assert row["true_positive_rate_lower"] <= 1 - bound.upper
        assert row["true_positive_rate_upper"] >= 1 - bound.lower
        assert row["false_negative_rate_upper"] <= bound.upper + Fraction(1, 10**11)
    assert [*table(epsilon_delta_curve("Laplace(scale=1)", 2))[0]] == [
        *("epsilon", "delta_lower", "delta_upper")
    ]


def test_a_profile_reaches_the_least_delta() -> None:
    """The last epsilon is where delta is about as small as was asked for, also beside a mass at
    infinity.
    """
    curve = epsilon_delta_curve("Gaussian(sigma=1)", 10, "1e-6")
    assert 5e-7 < float(curve.bounds[-1].upper) <= 1e-6
    floor = epsilon_delta_curve("ApproxDP(epsilon=1, delta=0.001)", 10)
    assert floor.bounds[-1].contains(Fraction(1, 1000))


@pytest.mark.parametrize("points", [2, 3, 4, 7, 200, 1000])
def test_rates_are_short_and_rise(points: int) -> None:
    """So many different ones, from 0 to 1."""
    rates = rates_between(points)
    assert len(set(rates)) == points
    assert list(rates) == sorted(rates)
    assert [rates[0], rates[-1]] == [Fraction(0), Fraction(1)]


@pytest.mark.parametrize("points", [1, 0, -3, 1001, "x"])
def test_a_wrong_number_of_points_is_refused(points: Any) -> None:
    """One sentence."""
    with pytest.raises(InputError, match="the number of points is"):
        tradeoff_curve("Gaussian(sigma=1)", points)


def test_kinds_are_named() -> None:
    """In either case, and no others."""
    assert CurveKind.named(" Tradeoff ") is CurveKind.TRADEOFF
    with pytest.raises(InputError, match="give epsilon-delta or tradeoff"):
        CurveKind.named("roc")
