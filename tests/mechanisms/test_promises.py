"""Promises as terms of a plan: exact where one pair is the worst, two ends where only moments are
bounded.
"""

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest

from rdpacct import (
    ZCDP,
    ApproxZCDP,
    Gaussian,
    InputError,
    MeanCDP,
    Outcome,
    Parallel,
    PoissonSampled,
    ProfileDP,
    Promised,
    PureDP,
    RenyiDP,
    SampledWithoutReplacement,
    Shuffled,
    audit,
    delta,
    epsilon,
    profile,
    read_plan,
)
from rdpacct.privacy.convert import mean_cdp_to_zcdp, renyi_to_approx, zcdp_to_approx
from rdpacct.privacy.guarantee import Guarantee

POINTS = [
    [["1", "0"]],
    [["0", "0.25"]],
    [["0.5", "0.01"], ["1", "0.001"]],
    [["0.5", "0.01"], ["0.75", "0.0099"], ["1", "0.001"], ["3", "1e-9"]],
    [["0.2", "0.3"], ["2", "0.3"]],
    [["0", "0.3"], ["1", "0.1"], ["2", "0"]],
    [["0.1", "1"]],
]


def worst_delta(points: Any, level: Any) -> Any:
    """The largest delta at a level, from the largest of the lines that bound the trade-off
    function.
    """
    with mpmath.workdps(40):
        lines = [(mpmath.mpf(0), mpmath.mpf(0))]
        for e, d in points:
            e = mpmath.mpf(e)
            rest = 1 - mpmath.mpf(d)
            lines += [(rest, -mpmath.exp(e)), (rest * mpmath.exp(-e), -mpmath.exp(-e))]

        def missed(x: Any) -> Any:
            return max(start + slope * x for start, slope in lines)

        ends = [mpmath.mpf(0), mpmath.mpf(1)]
        for first in lines:
            for second in lines:
                if first[1] != second[1]:
                    ends.append((second[0] - first[0]) / (first[1] - second[1]))
        growth = mpmath.exp(mpmath.mpf(level))
        return max(1 - missed(x) - growth * x for x in ends if 0 <= x <= 1)


@pytest.mark.parametrize("points", POINTS)
@pytest.mark.parametrize("level", ["0", "0.1", "0.6", "0.9", "1.5", "4"])
def test_a_profile_of_points_is_the_largest_that_keeps_them(
    points: list[list[str]], level: str
) -> None:
    """delta of the promise is that of the largest trade-off curve with these points."""
    found = delta(Promised(ProfileDP(points)), level)
    wanted = worst_delta(points, level)
    low = Fraction(found.lower)
    high = Fraction(found.upper)
    slack = mpmath.mpf("1e-35")
    assert mpmath.mpf(low.numerator) / low.denominator <= wanted + slack
    assert mpmath.mpf(high.numerator) / high.denominator >= wanted - slack
    assert found.upper - found.lower < Fraction(1, 10**15)


@pytest.mark.parametrize("points", POINTS)
def test_the_worst_pair_keeps_the_points_in_both_directions(
    points: list[list[str]],
) -> None:
    """So that its compositions are attained: the pair itself has the promised deltas."""
    promised = Promised(ProfileDP(points))
    losses: Any = profile(promised).losses
    for loss in losses:
        for one in (loss.derived(), loss.derived().reversed()):
            for level, mass in points:
                assert one.delta(level).lower <= Fraction(mass) + Fraction(1, 10**15)
    assert audit(promised, ProfileDP(points)).outcome is not Outcome.FAILS


def test_a_profile_of_points_composes_as_its_atoms() -> None:
    """Two releases of a promise of one point are those of ApproxDP."""
    for level in ("0", "0.7", "1.5"):
        ours = delta(2 * Promised(ProfileDP([["1", "0.01"]])), level)
        assert ours.overlaps(delta("2*ApproxDP(epsilon=1, delta=0.01)", level))


MOMENTS = [
    ZCDP("0.5"),
    ZCDP("0.01"),
    ZCDP("0.3", "0.2"),
    ZCDP("0.5", "-0.1"),
    RenyiDP(8, 1),
    RenyiDP("1.1", "0.1"),
]


@pytest.mark.parametrize("promise", MOMENTS, ids=str)
@pytest.mark.parametrize("target", ["0.1", "1e-6", "1e-40"])
def test_upper_ends_are_the_best_conversions(promise: Guarantee, target: str) -> None:
    """One release of a promise about moments has the epsilon of the best known conversion."""
    convert: Any = renyi_to_approx if isinstance(promise, RenyiDP) else zcdp_to_approx
    known = convert(promise, target).epsilon.bound()
    found = epsilon(Promised(promise), target)
    assert found.upper <= known.upper * (1 + Fraction(1, 10**12))
    assert found.lower <= known.upper


@pytest.mark.parametrize("target", ["0.1", "1e-6", "1e-40"])
def test_lower_ends_are_attained_by_a_gaussian_pair(target: str) -> None:
    """A Gaussian release keeps ZCDP(1/(2 sigma**2)), so that the worst release has at least its
    epsilon.
    """
    assert epsilon(Promised(ZCDP("0.5")), target).lower >= epsilon(
        Gaussian(sigma=1), target
    ).lower * (1 - Fraction(1, 10**12))
    together = epsilon("3*ZCDP(rho=0.5) + Gaussian(sigma=1)", target)
    assert together.lower >= epsilon("4*Gaussian(sigma=1)", target).lower * (
        1 - Fraction(1, 10**12)
    )
    assert together.upper <= zcdp_to_approx(ZCDP(2), target).epsilon.bound().upper * (
        1 + Fraction(1, 10**12)
    )


def test_mean_cdp_is_counted_as_the_zcdp_that_it_implies() -> None:
    """The upper end is that of the conversion; the lower one that of a Gaussian pair within it."""
    promise = MeanCDP("0.3", 1)
    found = epsilon(Promised(promise), "1e-6")
    assert found.upper <= zcdp_to_approx(
        mean_cdp_to_zcdp(promise), "1e-6"
    ).epsilon.bound().upper * (1 + 1e-12)
    with mpmath.workdps(30):
        shift = mpmath.sqrt("0.6")
    assert found.lower > 0.9 * float(epsilon(Gaussian(sigma=str(1 / shift)), "1e-6"))


def test_approximate_zcdp_adds_its_delta() -> None:
    """delta is at most m + (1 - m) times that of ZCDP, with the mass m = 1 - (1 - d)**k of k
    releases.
    """
    inner = delta("3*ZCDP(rho=0.1)", "2")
    mass = Fraction(1, 1000)
    rest = (1 - mass) ** 3
    found = delta("3*ApproxZCDP(rho=0.1, delta=1e-3)", "2")
    most = 1 - rest + rest * Fraction(inner.upper)
    assert abs(Fraction(found.upper) - most) < Fraction(1, 10**12)
    assert found.lower >= 1 - rest - Fraction(1, 10**12)
    assert math.isinf(epsilon("ApproxZCDP(rho=0.1, delta=1e-3)", "1e-4").lower)


CLAIMS = [
    ("ZCDP(rho=0.5)", "ZCDP(rho=0.5)", Outcome.HOLDS),
    ("ZCDP(rho=0.5)", "ZCDP(rho=0.49)", Outcome.FAILS),
    ("ZCDP(rho=0.5)", "RenyiDP(alpha=2, epsilon=1)", Outcome.HOLDS),
    ("ZCDP(rho=0.5)", "RenyiDP(alpha=2, epsilon=0.9)", Outcome.FAILS),
    ("ZCDP(rho=0.5)", "GaussianDP(mu=0.9)", Outcome.FAILS),
    ("ZCDP(rho=0.5)", "GaussianDP(mu=5)", Outcome.UNDECIDED),
    ("ZCDP(rho=0.5)", "MeanCDP(mu=1, tau=2)", Outcome.UNDECIDED),
    ("ZCDP(rho=0.5)", "PureDP(epsilon=30)", Outcome.FAILS),
    ("ZCDP(rho=0.5)", "ApproxDP(epsilon=3, delta=0.001)", Outcome.FAILS),
    ("ZCDP(rho=0.5)", "ApproxDP(epsilon=3, delta=0.01)", Outcome.HOLDS),
    ("ZCDP(rho=0.5)", "ApproxDP(epsilon=3, delta=0.003)", Outcome.UNDECIDED),
    ("ZCDP(rho=0.5)", "ApproxZCDP(rho=0.5, delta=0)", Outcome.HOLDS),
    ("ZCDP(rho=0.5)", "ApproxZCDP(rho=0.1, delta=1e-6)", Outcome.FAILS),
    ("RenyiDP(alpha=4, epsilon=1)", "RenyiDP(alpha=3, epsilon=1)", Outcome.HOLDS),
    ("RenyiDP(alpha=4, epsilon=1)", "RenyiDP(alpha=5, epsilon=1.1)", Outcome.FAILS),
    ("RenyiDP(alpha=4, epsilon=1)", "RenyiDP(alpha=5, epsilon=100)", Outcome.UNDECIDED),
    ("RenyiDP(alpha=4, epsilon=1)", "ZCDP(rho=100)", Outcome.FAILS),
    ("ApproxZCDP(rho=0.1, delta=1e-3)", "ZCDP(rho=100)", Outcome.FAILS),
    ("ProfileDP(points=[[1, 0]])", "PureDP(epsilon=1)", Outcome.HOLDS),
    ("Gaussian(sigma=1)", "ProfileDP(points=[[0.5, 0.3], [1, 0.2]])", Outcome.HOLDS),
    ("Gaussian(sigma=1)", "ProfileDP(points=[[0.5, 0.1], [1, 0.2]])", Outcome.FAILS),
]


@pytest.mark.parametrize(("plan", "claim", "outcome"), CLAIMS)
def test_audits_of_promises(plan: str, claim: str, outcome: Outcome) -> None:
    """A claim fails only if a pair that keeps the promise breaks it."""
    assert audit(plan, claim).outcome is outcome


@pytest.mark.parametrize(
    "promise",
    [*MOMENTS, MeanCDP(1, 2), ApproxZCDP("0.1", "1e-3"), ProfileDP(POINTS[3])],
    ids=str,
)
def test_promises_read_back_from_their_text(promise: Guarantee) -> None:
    """A plan with a promise prints as it is written."""
    plan = 3 * Promised(promise) + Gaussian(sigma=2)
    assert read_plan(str(plan)) == plan


def test_a_promise_rests_on_its_own_theorems() -> None:
    """Not on those of other guarantees: PureDP has nothing to do with Gaussian pairs."""
    assert profile("PureDP(epsilon=1)").delta("0.5").rests_on == {
        "composition/approx-dp-worst-pair"
    }
    assert profile("GaussianDP(mu=1)").delta("0.5").rests_on == {
        "gaussian/delta",
        "gaussian/worst-pair",
    }
    assert "conversion/renyi-orders" in profile("ZCDP(rho=1)").delta("0.5").rests_on


@pytest.mark.parametrize("target", ["0.3", "1e-3", "1e-9"])
def test_more_releases_need_more(target: str) -> None:
    """Both ends rise with the number of releases."""
    found = [
        epsilon(f"{count}*ZCDP(rho=0.1) + RenyiDP(alpha=9, epsilon=0.2)", target)
        for count in (1, 2, 8, 64)
    ]
    assert all(a.lower <= b.lower and a.upper <= b.upper for a, b in pairwise(found))


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([], "1 to 1000 pairs"),
        ("1", "1 to 1000 pairs"),
        ([["1"]], "a pair"),
        ([["-1", "0"]], "at least 0"),
        ([["1", "2"]], "from 0 to 1"),
        ([["1", "0.1"], ["1", "0.2"]], "same epsilon"),
    ],
)
def test_bad_points_get_a_sentence(points: Any, said: str) -> None:
    """Points are pairs with an epsilon of at least 0 and a delta from 0 to 1."""
    with pytest.raises(InputError, match=said):
        ProfileDP(points)


def test_a_promise_inside_is_the_same_in_python_and_as_text() -> None:
    """Samplers, shuffling and parts take a guarantee as it is."""
    promise = PureDP(1)
    for release, text in (
        (PoissonSampled(promise, "0.1"), "PoissonSampled(PureDP(epsilon=1), rate=0.1)"),
        (
            SampledWithoutReplacement(promise, batch=2, of=10),
            "SampledWithoutReplacement(PureDP(epsilon=1), batch=2, of=10)",
        ),
        (Shuffled(promise, 30), "Shuffled(PureDP(epsilon=1), people=30)"),
        (Parallel([promise]), "Parallel(parts=[PureDP(epsilon=1)])"),
    ):
        assert epsilon(release, "1e-6") == epsilon(text, "1e-6")
    with pytest.raises(InputError, match="PoissonSampled holds"):
        PoissonSampled(ZCDP(1), "0.1")
