"""Releases of which no pair is worst everywhere, one beside others: the choice that is made last
attains the least law of all pairs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import ClassVar

import pytest

from rdpacct import (
    DiscreteLaplace,
    Exponential,
    Gaussian,
    Laplace,
    PermuteAndFlip,
    Plan,
    PoissonSampled,
    RandomizedResponse,
    ReportNoisyMax,
    SmoothGaussian,
    SmoothLaplace,
    SmoothStudent,
    Thresholded,
    delta,
    epsilon,
    profile,
)
from rdpacct.exact.formula import formula
from rdpacct.mechanisms import Mechanism, RelationIn
from rdpacct.mechanisms.selection.atom_hull import chosen_from, least_of_atoms
from rdpacct.privacy.least_law import chosen_direction, least_law
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.transform import Direction
from rdpacct.testing import LawBroken
from rdpacct.testing.laws import lower_ends_are_attained

Table = Sequence[tuple[Fraction, Fraction]]
"""The probabilities of each output under P and under Q."""


def table(*rows: str) -> Table:
    """Rows such as "1/2 1/3"."""
    pairs = (row.split() for row in rows)
    return [(Fraction(p), Fraction(q)) for p, q in pairs]


TABLES = [
    table("1/2 1/8", "1/2 7/8"),
    table("1/10 0", "3/10 1/5", "3/5 4/5"),
    table("1/4 3/20", "3/4 1/2", "0 7/20"),
]
RESPONSE = table("3/4 1/4", "1/4 3/4")


def loss_of(rows: Table) -> PrivacyLoss:
    """The loss of a table."""
    atoms = tuple(Atom.of(p, q) for p, q in rows if p and q)
    infinite = sum((p for p, q in rows if not q), Fraction(0))
    unseen = sum((q for p, q in rows if not p), Fraction(0))
    return PrivacyLoss(atoms, formula(infinite), formula(unseen))


@dataclass(frozen=True)
class _OneOfTables(Mechanism):
    """A release with one of three pairs, in the order in which they are written."""

    by_corners: bool = True
    relation: RelationIn = RelationIn()
    oriented: ClassVar[bool] = True

    def loss(self) -> PrivacyLoss:
        return loss_of(TABLES[0])

    def profile(self) -> Profile:
        return Profile(tuple(map(loss_of, TABLES)))

    def directions(self) -> tuple[Direction, ...]:
        losses = [loss_of(rows) for rows in TABLES]
        if not self.by_corners:
            return (chosen_direction(losses),)
        law = least_of_atoms(losses)
        assert law is not None
        below = tuple(loss.direction() for loss in losses)
        return (chosen_from(law, below, frozenset()),)


def every_strategy(first: Table, tables: Sequence[Table], growth: Fraction) -> Fraction:
    """The largest hockey stick over all ways to choose a table for each output of the first
    release, and over all tables that are chosen before it.
    """
    found = []
    for chosen in product(tables, repeat=len(first)):
        rows = zip(first, chosen, strict=True)
        outcomes = [(p * a, q * b) for (p, q), then in rows for a, b in then]
        found.append(sum(max(p - growth * q, Fraction(0)) for p, q in outcomes))
    return Fraction(max(found))


@pytest.mark.parametrize("by_corners", [True, False], ids=["by corners", "by cells"])
@pytest.mark.parametrize("growth", ["1/3", "1", "8/5", "3", "7", "9"])
def test_the_best_strategy_of_all_is_the_answer(by_corners: bool, growth: str) -> None:
    """Three tables after a randomized response, against each of the nine strategies."""
    plan = _OneOfTables(by_corners) + RandomizedResponse("1.0986122886681098")
    level = Fraction(math.log(Fraction(growth)))
    best = every_strategy(RESPONSE, TABLES, Fraction(growth))
    fixed = max(every_strategy(RESPONSE, [one], Fraction(growth)) for one in TABLES)
    found = profile(plan).delta(level)
    assert found.relative_width < 1e-9
    assert abs(float(found) - float(best)) < 1e-12
    if growth == "8/5":
        assert best > fixed + Fraction(1, 100)


def best_play(state: tuple[Fraction, Fraction], left: int, coins: int) -> Fraction:
    """The best that so many releases of one of the tables and so many responses can still gain
    after outputs with these probabilities, in any order and with any choices.
    """
    p, q = state
    if not left and not coins:
        return max(p - q, Fraction(0))
    options = []
    if left:
        options += [
            sum(best_play((p * a, q * b), left - 1, coins) for a, b in rows)
            for rows in TABLES
        ]
    if coins:
        after = [best_play((p * a, q * b), left, coins - 1) for a, b in RESPONSE]
        options.append(sum(after))
    return Fraction(max(options))


@pytest.mark.parametrize(("left", "coins"), [(2, 0), (2, 1), (3, 1)])
@pytest.mark.parametrize("growth", ["1", "8/5", "4"])
def test_several_choices_stay_between_their_ends(
    left: int, coins: int, growth: str
) -> None:
    """The value of the game, by trying everything, against one choice last and the others fixed."""
    plan = left * _OneOfTables()
    if coins:
        plan = plan + RandomizedResponse("1.0986122886681098")
    level = Fraction(math.log(Fraction(growth)))
    best = float(best_play((Fraction(1), Fraction(growth)), left, coins))
    found = profile(plan).delta(level)
    assert float(found.lower) <= best + 1e-12
    assert float(found.upper) >= best - 1e-12
    assert found.relative_width > 0


def _laplace_corners(alpha: float, beta: float, at: float) -> float:
    """The same for Laplace noise on a fine grid, in doubles."""
    np = pytest.importorskip("numpy")
    z = np.linspace(-60, 60, 1_200_001)
    width = z[1] - z[0]
    narrow = np.exp(-abs(z)) / 2
    broad = np.exp(-abs(z - alpha) / np.exp(beta) - beta) / 2
    slid = np.exp(-abs(z - alpha)) / 2
    growth = np.exp(at)
    pairs = [(narrow, slid), (narrow, broad), (broad, narrow)]
    return float(max(np.maximum(p - growth * q, 0).sum() * width for p, q in pairs))


@pytest.mark.parametrize("at", [0.3, 1.0, 1.9])
def test_smooth_laplace_noise_after_a_response(at: float) -> None:
    """The corner is chosen for each answer of the response."""
    plan = SmoothLaplace(1, "0.1") + RandomizedResponse("0.5")
    kept = 1 / (1 + math.exp(-0.5))
    known = kept * _laplace_corners(1, 0.1, at - 0.5)
    known += (1 - kept) * _laplace_corners(1, 0.1, at + 0.5)
    found = delta(plan, Fraction(at))
    assert found.relative_width < 1e-12
    assert abs(float(found) - known) < 1e-7


NARROW: list[Plan] = [
    SmoothLaplace(1, "0.1") + RandomizedResponse("0.5"),
    SmoothGaussian("0.5", "0.1") + DiscreteLaplace(3),
    SmoothStudent(1, "0.1", 3) + RandomizedResponse(1),
    PermuteAndFlip(1) + Gaussian(2),
    PermuteAndFlip(6, monotone=True) + PoissonSampled(Gaussian(1), "0.1"),
    Thresholded(DiscreteLaplace(2), 40) + Gaussian(2),
]


@pytest.mark.parametrize("plan", NARROW, ids=str)
def test_one_choice_beside_one_pair_is_narrow(plan: Plan) -> None:
    """As wide as any other composition."""
    assert delta(plan, 1).relative_width < 2e-7


@pytest.mark.slow
@pytest.mark.parametrize(
    "plan",
    [
        SmoothLaplace(1, "0.1") + Gaussian(2),
        SmoothGaussian("0.5", "0.1") + Laplace(2),
        SmoothLaplace(1, "0.1") + Laplace(2),
        SmoothStudent(2, "0.05", 10) + Gaussian(1),
        SmoothGaussian("0.1", "0.02") + PoissonSampled(Gaussian(1), "0.1"),
        Thresholded(Gaussian(2), 12) + Laplace(2),
    ],
    ids=str,
)
def test_one_choice_beside_a_density_is_narrow(plan: Plan) -> None:
    """Both questions."""
    assert delta(plan, 1).relative_width < 1e-6
    assert epsilon(plan, "1e-6").relative_width < 1e-6


def test_two_choices_keep_their_two_ends() -> None:
    """The dominating laws together are above what two releases do, and are not said to be
    attained.
    """
    beside = delta(PermuteAndFlip(1) + Exponential(1), "0.5")
    assert beside.relative_width > 1e-4
    alone = delta(2 * PermuteAndFlip(1), "0.5")
    assert alone.relative_width > 1e-4
    third = delta(2 * Exponential(1) + PermuteAndFlip(1), "0.5")
    assert third.relative_width > 1e-3


@dataclass(frozen=True)
class _Boastful(ReportNoisyMax):
    """Report noisy max as if two candidates had the law that dominates it."""

    exact_events: ClassVar[bool] = True


def test_a_law_that_is_not_attained_keeps_its_lower_end() -> None:
    """The shipped mechanism does, and its twin that says otherwise breaks the law."""
    assert delta(ReportNoisyMax(1) + Gaussian(2), 1).relative_width > 1e-3
    lower_ends_are_attained(ReportNoisyMax(1), 0)
    with pytest.raises(LawBroken, match="no choice of its pairs has more"):
        lower_ends_are_attained(_Boastful(1), 0)


@pytest.mark.slow
def test_tests_and_tails_of_a_chosen_pair_stay_within() -> None:
    """A test is at least as good as one of a fixed pair, and at most as good as the curve says."""
    plan = profile(SmoothStudent(1, "0.1", 3) + RandomizedResponse(1))
    wide = plan.tradeoff("0.1")
    fixed = profile(RandomizedResponse(1)).tradeoff("0.1")
    assert 0 < wide.lower <= wide.upper <= fixed.upper
    [tail] = plan.tails([Fraction(1)])
    assert 0 < tail.lower <= tail.upper < 1


def test_the_least_law_is_the_largest_profile() -> None:
    """By cells and by corners, at levels on both sides of 0."""
    losses = [loss_of(rows) for rows in TABLES]
    by_corners = least_of_atoms(losses)
    assert by_corners is not None
    for level in (Fraction(k, 4) for k in range(-10, 11)):
        largest = max(float(loss.delta(level)) for loss in losses)
        assert float(by_corners.delta(level)) == pytest.approx(largest, abs=1e-14)
        assert float(least_law(losses).delta(level)) == pytest.approx(
            largest, abs=1e-14
        )
