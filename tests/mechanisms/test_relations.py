"""Relations and groups: every mechanism for every relation, and groups against computations of
their own.
"""

import itertools
import json
from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp

from rdpacct import (
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    FiniteMechanism,
    Gaussian,
    HadamardResponse,
    InputError,
    Laplace,
    MaximallyDivergent,
    Parallel,
    Plan,
    PoissonSampled,
    RandomizedResponse,
    Relation,
    Shuffled,
    Staircase,
    calibrate,
    delta,
    epsilon,
    read_plan,
)
from rdpacct.cli import main
from rdpacct.mechanisms import known_mechanisms

REFUSED = ("Parallel", "RandomAllocation")
"""What has no pairs for replaced records."""
EXACT = [
    Gaussian(2),
    Laplace(2),
    DiscreteLaplace(3),
    DiscreteGaussian(3),
    Exponential("0.5"),
]
ANY_INPUT = [
    RandomizedResponse(1),
    MaximallyDivergent(1),
    HadamardResponse(1),
    FiniteMechanism([["0.6", "0.4"], ["0.3", "0.7"]]),
]


@pytest.mark.parametrize("relation", Relation, ids=str)
@pytest.mark.parametrize("name", sorted(known_mechanisms()))
def test_every_mechanism_for_every_relation(name: str, relation: Relation) -> None:
    """The numbers stay, and the relation is the one that was asked for, or it is refused in a
    sentence.
    """
    for mechanism in itertools.islice(known_mechanisms()[name].examples(), 1):
        if name in REFUSED and relation is Relation.REPLACE_ONE:
            with pytest.raises(InputError, match="a replaced record"):
                mechanism.stated_for(relation)
            continue
        stated = mechanism.stated_for(relation)
        fixed = {"SparseHistogram", "DiscreteSparseHistogram", "Shuffled"}
        assert stated.relation is relation or name in fixed
        assert str(stated) == str(mechanism)


@pytest.mark.parametrize("relation", Relation, ids=str)
def test_every_answer_names_its_relation(
    relation: Relation, capsys: pytest.CaptureFixture[str]
) -> None:
    """As text and as data, also by the name of another library."""
    plan = ["epsilon", "Gaussian(sigma=2)", "--delta", "1e-6", "--group", "2"]
    assert main([*plan, "--relation", relation.value]) == 0
    assert f"relation {relation}, groups of 2" in capsys.readouterr().out
    assert main([*plan, "--relation", relation.value, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["relation"], data["group"]) == (relation.value, 2)
    assert Relation.named("Replace-Special") is Relation.ZERO_OUT


def test_zero_out_of_poisson_samples_against_another_library() -> None:
    """The pessimistic value of dp-accounting for REPLACE_SPECIAL is just above."""
    peer = pytest.importorskip("dp_accounting")
    special = peer.NeighboringRelation.REPLACE_SPECIAL
    accountant = pytest.importorskip("dp_accounting.pld").PLDAccountant(special)
    event = peer.PoissonSampledDpEvent(0.05, peer.GaussianDpEvent(1.5))
    accountant.compose(event, 200)
    theirs = Fraction(accountant.get_epsilon(1e-5))
    ours = epsilon(
        "200*PoissonSampled(Gaussian(sigma=1.5), rate=0.05)",
        "1e-5",
        relation="zero_out",
    )
    assert ours.upper <= theirs <= ours.upper * (1 + Fraction(1, 10**4))


def test_a_mechanism_inside_of_a_sampler_is_stated_for_samples() -> None:
    """The relation of the data is not passed on to it, and another one is refused."""
    plan = read_plan("PoissonSampled(Gaussian(sigma=1), rate=0.1)", Relation.ZERO_OUT)
    assert isinstance(plan.single, PoissonSampled)
    assert plan.relation is Relation.ZERO_OUT
    assert plan.single.mechanism.relation is Relation.ADD_OR_REMOVE_ONE
    for relation in (Relation.REPLACE_ONE, Relation.ZERO_OUT):
        with pytest.raises(InputError, match="a sample has the record or does not"):
            PoissonSampled(Gaussian(1).stated_for(relation), "0.1")


@pytest.mark.parametrize(
    "inside",
    [
        "RandomizedResponse(epsilon=1)",
        "PureDP(epsilon=1)",
        "ApproxDP(epsilon=1, delta=1e-3)",
        "GaussianDP(mu=1)",
    ],
)
def test_samplers_hold_any_mechanism_with_one_pair(inside: str) -> None:
    """The loss of the mixture in closed form, for those with two finite losses."""
    found = delta(f"PoissonSampled({inside}, rate=0.1)", "0.05")
    with mp.workdps(30):
        if inside.startswith("GaussianDP"):
            same = delta("PoissonSampled(Gaussian(sigma=1), rate=0.1)", "0.05")
            assert (found.lower, found.upper) == (same.lower, same.upper)
            return
        infinite = mp.mpf("1e-3") if "delta" in inside else mp.mpf(0)
        likely = (1 - infinite) * mp.e / (1 + mp.e)
        rare = (1 - infinite) / (1 + mp.e)
        p = mp.mpf("0.1")
        k = mp.exp(mp.mpf("0.05"))
        removing = [
            (p * x + (1 - p) * y, y)
            for x, y in ((likely, rare), (rare, likely), (infinite, 0), (0, infinite))
        ]
        worst = max(
            sum(max(x - k * y, 0) for x, y in pairs)
            for pairs in (removing, [(y, x) for x, y in removing])
        )
        assert mp.almosteq(worst, mp.mpf(float(found.upper)), 1e-12)


@pytest.mark.parametrize(
    "inside",
    [
        "Exponential(epsilon=1)",
        "ZCDP(rho=1)",
        "PoissonSampled(Gaussian(sigma=1), rate=0.1)",
        "SparseHistogram(n=10, k=3, alpha=1)",
        "DiscreteGaussian(sigma=2, shift=[1, 1])",
        "FiniteMechanism(rows=[[0.6, 0.4], [0.3, 0.7]])",
    ],
)
def test_what_has_no_single_pair_is_not_sampled(inside: str) -> None:
    """One sentence."""
    with pytest.raises(InputError, match=r"worst pair|stated for"):
        read_plan(f"PoissonSampled({inside}, rate=0.1)")


@pytest.mark.parametrize("mechanism", EXACT, ids=str)
@pytest.mark.parametrize("size", [2, 5])
def test_groups_of_noise_are_wider_shifts(mechanism: Any, size: int) -> None:
    """The same noise with so many times the sensitivity, and a claim for one record fails."""
    plan = Plan.of(mechanism).for_group(size)
    assert plan.group == size
    assert "group/sensitivity" in plan.rests_on
    one, many = (epsilon(each, "1e-3") for each in (mechanism, plan))
    assert many.certainly_above(one)
    assert epsilon(mechanism, "1e-3", group=size).upper == many.upper
    assert delta(mechanism, one.upper, group=size).certainly_above("1e-3")


def test_groups_of_an_exponential_mechanism_against_all_scores() -> None:
    """Two candidates whose scores move by twice the sensitivity: some have the losses that are
    claimed, and none has more.
    """
    mechanism = Exponential(1)
    claimed = epsilon(mechanism, 0, group=2)
    largest = Fraction(0)
    for scores in itertools.product(range(-4, 5), repeat=2):
        for moves in itertools.product((-2, 0, 2), repeat=2):
            moved = [a + b for a, b in zip(scores, moves, strict=True)]
            weights = [
                [mp.exp(mp.mpf(one) / 2) for one in each] for each in (scores, moved)
            ]
            laws = [[w / sum(row) for w in row] for row in weights]
            loss = max(mp.log(a / b) for a, b in zip(*laws, strict=True))
            largest = max(largest, Fraction(float(loss)))
    assert Fraction("1.9") < largest <= claimed.upper
    assert epsilon(mechanism, 0).upper < largest


@pytest.mark.parametrize("mechanism", ANY_INPUT, ids=str)
def test_groups_of_what_may_change_in_any_way(mechanism: Any) -> None:
    """Any two inputs are neighbors already."""
    assert epsilon(mechanism, "0.01", group=7).upper == epsilon(mechanism, "0.01").upper


def test_groups_by_a_chain_of_neighbors() -> None:
    """Where no theorem gives the release, epsilon has two ends, and other questions are refused."""
    plan = "3*PoissonSampled(Laplace(scale=1), rate=0.1)"
    found = epsilon(plan, "1e-3", group=2)
    one = epsilon(plan, "1e-3")
    assert found.lower == one.lower
    assert found.upper > one.upper
    level = Fraction(found.upper) / 2
    with mp.workdps(30):
        at = mp.mpf(float(delta(plan, level).upper))
        grown = at * (1 + mp.exp(mp.mpf(float(level))))
    assert grown <= mp.mpf("1e-3") * (1 + mp.mpf("1e-9"))
    assert "group/approx" in found.rests_on
    with pytest.raises(InputError, match="no theorem of this package gives"):
        delta(plan, 1, group=2)
    with pytest.raises(InputError, match="group size"):
        epsilon(plan, "1e-3", group=0)


def test_groups_of_pure_privacy_have_as_much_more_of_it() -> None:
    """A chain of neighbors, where delta is 0 and no other rule is known."""
    found = epsilon(Staircase(1), 0, group=2)
    assert (found.lower, found.upper) == (1, 2)


@pytest.mark.slow
def test_groups_of_people_whose_reports_are_shuffled() -> None:
    """Only a chain bounds them, whose steps are planned with the counts of reports."""
    survey = Shuffled(RandomizedResponse(1, answers=4), 100)
    one = epsilon(survey, "1e-3")
    two = epsilon(survey, "1e-3", group=2)
    assert one.upper < two.upper < 2
    assert two.lower == one.lower


def test_calibration_for_a_group() -> None:
    """Half of the sensitivity for a group of two."""
    one = calibrate("Gaussian(sigma=?)", 1, "1e-6")
    two = calibrate("Gaussian(sigma=?)", 1, "1e-6", group=2)
    assert abs(float(two.value) / float(one.value) - 2) < 1e-9


def test_a_relation_that_a_plan_is_not_stated_for_is_refused() -> None:
    """No number of an object is restated silently."""
    with pytest.raises(InputError, match="not for replace_one"):
        epsilon(Gaussian(1), "1e-6", relation="replace_one")
    stated = epsilon("Gaussian(sigma=1)", "1e-6", relation="replace_one")
    assert stated.upper == epsilon(Gaussian(1), "1e-6").upper


def test_parts_in_parallel_for_zeroed_records() -> None:
    """One part changes, as for removing."""
    parts = Parallel([Gaussian(4), 2 * Laplace(5)])
    zeroed = parts.stated_for(Relation.ZERO_OUT)
    assert zeroed.relation is Relation.ZERO_OUT
    assert epsilon(zeroed, "1e-6").upper == epsilon(parts, "1e-6").upper
