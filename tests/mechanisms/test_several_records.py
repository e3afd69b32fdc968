"""Several records of a Poisson sample, and replaced ones: against mpmath and another accountant."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from mpmath import mp

from rdpacct import (
    Gaussian,
    GaussianMixture,
    InputError,
    Plan,
    PoissonSampled,
    Relation,
    delta,
    epsilon,
)
from rdpacct.assumptions import ONE_WAY, assumptions_of


@pytest.mark.parametrize(
    ("sigma", "rate", "steps"),
    [
        ("1", "0.1", 1),
        ("2", "0.01", 1000),
        ("1", "0.01", 1000),
        ("0.8", "0.01", 10_000),
    ],
)
def test_replaced_records_against_another_library(
    sigma: str, rate: str, steps: int
) -> None:
    """The pessimistic value of dp-accounting for REPLACE_ONE is just above."""
    peer = pytest.importorskip("dp_accounting")
    accountant = pytest.importorskip("dp_accounting.pld").PLDAccountant(
        peer.NeighboringRelation.REPLACE_ONE
    )
    event = peer.PoissonSampledDpEvent(float(rate), peer.GaussianDpEvent(float(sigma)))
    accountant.compose(event, steps)
    theirs = Fraction(accountant.get_epsilon(1e-5))
    plan = f"{steps}*PoissonSampled(Gaussian(sigma={sigma}), rate={rate})"
    ours = epsilon(plan, "1e-5", relation="replace_one")
    assert ours.relative_width < 1e-8
    assert ours.lower <= theirs <= ours.upper * (1 + Fraction(2, 10**5))


@pytest.mark.parametrize("size", [2, 3])
def test_groups_against_a_mixture_of_another_library(size: int) -> None:
    """Its mixture of Gaussians with binomial weights."""
    module = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    shares = [
        math.comb(size, j) * 0.05**j * 0.95 ** (size - j) for j in range(size + 1)
    ]
    moves = list(map(float, range(size + 1)))
    law = module.from_mixture_gaussian_mechanism(
        1.5, moves, shares, value_discretization_interval=1e-2
    )
    theirs = Fraction(law.self_compose(50).get_epsilon_for_delta(1e-5))
    ours = epsilon(
        "50*PoissonSampled(Gaussian(sigma=1.5), rate=0.05)", "1e-5", group=size
    )
    assert ours.relative_width < 1e-8
    assert ours.lower <= theirs <= ours.upper * (1 + Fraction(1, 10**2))


def test_one_release_against_mpmath() -> None:
    """Replaced records, and groups of three that are removed or added, at an epsilon."""
    rate, level = mp.mpf("0.3"), mp.mpf("0.4")
    plan = PoissonSampled(Gaussian(1), "0.3", relation=Relation.REPLACE_ONE)
    with mp.workdps(30):
        growth = mp.exp(level)

        @cache
        def normal(x: object, center: int) -> Any:
            return mp.npdf(x, center, 1)

        def density(x: object, moves: dict[int, object]) -> object:
            return mp.fsum(w * normal(x, j) for j, w in moves.items())

        three = {j: math.comb(3, j) * rate**j * (1 - rate) ** (3 - j) for j in range(4)}
        cases = {
            "replaced": ({0: 1 - rate, 1: rate}, {0: 1 - rate, -1: rate}),
            "removed": (three, {0: mp.mpf(1)}),
            "added": ({0: mp.mpf(1)}, three),
        }
        found = {}
        for name, (first, second) in cases.items():
            found[name] = mp.quad(
                lambda x, p=first, q=second: max(
                    density(x, p) - growth * density(x, q), 0
                ),
                mp.linspace(-9, 9, 37),
            )
        group = delta(PoissonSampled(Gaussian(1), "0.3"), "0.4", group=3)
        worse = max(found["removed"], found["added"])
        assert mp.almosteq(found["replaced"], float(delta(plan, "0.4").upper), 1e-5)
        assert mp.almosteq(worse, float(group.upper), 1e-5)


def test_no_other_pair_of_moves_is_worse() -> None:
    """Moves of length at most 1 in the plane, by half-planes: none exceeds the curve, and opposite
    moves of length 1 reach it; the pair for removing alone would be exceeded.
    """
    plan = PoissonSampled(Gaussian(1), "0.4", relation=Relation.REPLACE_ONE)
    most = float(delta(plan, "0.5").upper)
    removing = float(delta(PoissonSampled(Gaussian(1), "0.4"), "0.5").upper)
    largest = 0.0
    for turn in (0.0, 1.0, 2.0, math.pi):
        for size in (0.0, 0.5, 1.0):
            for edge in (j / 20 for j in range(-40, 60)):
                masses = []
                for along in (1.0, size * math.cos(turn)):
                    there = math.erfc((edge - along) / math.sqrt(2)) / 2
                    alone = math.erfc(edge / math.sqrt(2)) / 2
                    masses.append(0.4 * there + 0.6 * alone)
                largest = max(largest, masses[0] - math.exp(0.5) * masses[1])
    assert removing < largest <= most < largest + 1e-3


def test_a_sample_of_all_records_is_the_mechanism_for_two_steps() -> None:
    """A replaced record is one that is removed and one that is added; nothing is sampled at 0."""
    whole = PoissonSampled(Gaussian(3), 1, relation=Relation.REPLACE_ONE)
    assert epsilon(whole, "1e-5").upper == epsilon(Gaussian(3, 2), "1e-5").upper
    none = PoissonSampled(Gaussian(3), 0, relation=Relation.REPLACE_ONE)
    assert epsilon(none, 0).upper == 0


def test_groups_are_worse_than_one_and_better_than_a_chain() -> None:
    """Three records, against the rule for chains of neighbors, and against one."""
    plan = 100 * PoissonSampled(Gaussian(2), "0.05")
    one, three = (epsilon(plan, "1e-5", group=size) for size in (1, 3))
    again = epsilon("100*PoissonSampled(Gaussian(sigma=2), rate=0.05, group=3)", "1e-5")
    assert again.upper == three.upper
    assert three.certainly_above(one)
    level = Fraction(three.upper) / 3
    grown = float(delta(plan, level).upper) * sum(
        math.exp(j * float(level)) for j in range(3)
    )
    assert grown > 1e-5


@pytest.mark.parametrize("group", [25, 0])
def test_what_no_theorem_covers_is_refused(group: int) -> None:
    """One sentence that names what is covered."""
    with pytest.raises(InputError, match=r"at most 24 records|group size"):
        PoissonSampled(Gaussian(1), "0.1", group=group)
    with pytest.raises(InputError, match="give it a Gaussian mechanism"):
        epsilon(
            "PoissonSampled(Laplace(scale=1), rate=0.1, group=2)",
            "0.1",
            relation="replace_one",
        )


def test_groups_of_different_sizes_are_not_added_up() -> None:
    """What would be called a group of 5 had a release for one record in it."""
    one = Plan.of(Gaussian(1))
    with pytest.raises(InputError, match="for groups of 1 and of 5"):
        one.for_group(5) + Gaussian(1)
    both = one.for_group(5) + one.for_group(5)
    assert both.group == 5


def test_one_added_and_one_removed_is_not_below_the_shipped_pairs() -> None:
    """Of a group of two, of which one is in each of the data sets, more is seen at epsilon = 1/5
    than in one direction of the shipped pair: the answer says what it is about.
    """
    half = mp.mpf(1) / 2
    mixed = [(half, 0), (half, 1)], [(half, 0), (half, -1)]
    added = [(1, 0)], [(half**2, 0), (half, 1), (half**2, 2)]

    def seen(pair: Any) -> float:
        def excess(x: float) -> Any:
            p, q = (sum(w * mp.npdf(x, m, 1) for w, m in law) for law in pair)
            return max(p - mp.exp(mp.mpf(1) / 5) * q, mp.mpf(0))

        return float(mp.quad(excess, [-9, *(mp.mpf(k) / 2 for k in range(-8, 9)), 9]))

    assert seen(mixed) > 1.02 * seen(added)
    sampled = PoissonSampled(Gaussian(1), "1/2")
    plans = [Plan.of(sampled).for_group(2), Plan.of(replace(sampled, group=2))]
    plans.append(Plan.of(GaussianMixture(1, [0, 1], ["1/2", "1/2"])).for_group(2))
    for plan in plans:
        assert ONE_WAY in assumptions_of(plan)
    for plan in (Plan.of(sampled), Plan.of(Gaussian(1)).for_group(2)):
        assert ONE_WAY not in assumptions_of(plan)
