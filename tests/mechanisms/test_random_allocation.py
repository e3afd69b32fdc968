"""Random allocation against quadrature, closed forms, enumeration, adaptive steps and samples."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest

from rdpacct import Gaussian, RandomAllocation, delta, dpsgd, epsilon, profile
from rdpacct.composition.plans import compose
from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.ball import precision
from rdpacct.exact.formula import formula
from rdpacct.mechanisms.allocation.allocation_laws import allocation_laws
from rdpacct.mechanisms.allocation.rounded_sums import RoundedSums
from rdpacct.mechanisms.allocation.stretch import GridStretch
from rdpacct.mechanisms.laplace.laplace import Laplace
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.mechanisms.study_only import StudyOnlyWarning
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.grid import Masses
from rdpacct.privacy.grid_transform import GridTransform
from rdpacct.privacy.relation import Relation
from rdpacct.privacy.transform import Direction
from rdpacct.questions import Questions, Way
from rdpacct.training import _allocated, _zeroed
from rdpacct.training.statement import BatchingStatement, LeftOut, TrainingRun

Move = Callable[[mpmath.mpf], mpmath.mpf]
"""The move of the second step, given the first output."""
TWO = "RandomAllocation(Gaussian(sigma=1), steps=2)"


def call(level: mpmath.mpf, move: mpmath.mpf) -> mpmath.mpf:
    """E max(R - level, 0) for the ratio R of N(move, 1) to N(0, 1)."""
    if level <= 0 or move == 0:
        return max(1 - level, mpmath.mpf(0))
    at = mpmath.log(level) / move
    return mpmath.ncdf(move / 2 - at) - level * mpmath.ncdf(-move / 2 - at)


def of_two(level: mpmath.mpf, mu: mpmath.mpf, second: Move) -> mpmath.mpf:
    """E max((R + R')/2 - level, 0), where the move of the second step may depend on the first
    output.
    """

    def given(x: mpmath.mpf) -> mpmath.mpf:
        ratio = mpmath.exp(mu * x - mu**2 / 2)
        return mpmath.npdf(x) * call(2 * level - ratio, second(x)) / 2

    kink = (mpmath.log(2 * level) + mu**2 / 2) / mu
    places = sorted({-13, -6, -2, 0, 2, 6, 14, kink})
    return mpmath.quad(given, places)


def both_ways(level: mpmath.mpf, mu: mpmath.mpf, second: Move) -> Fraction:
    """The larger delta of removing the record and of adding it."""
    adding = 1 - level + level * of_two(1 / level, mu, second)
    return Fraction(float(max(of_two(level, mu, second), adding)))


@pytest.mark.parametrize(("sigma", "level"), [("1", "2"), ("1", "0.25")])
def test_two_steps_by_quadrature(sigma: str, level: str) -> None:
    mu = 1 / mpmath.mpf(sigma)
    truth = both_ways(mpmath.exp(mpmath.mpf(level)), mu, lambda _: mu)
    found = delta(f"RandomAllocation(Gaussian(sigma={sigma}), steps=2)", level)
    assert found.lower <= truth <= found.upper
    assert found.relative_width < 1e-3
    # a step less, or more, is excluded
    assert not found.contains(Fraction(float(call(mpmath.exp(mpmath.mpf(level)), mu))))


@pytest.mark.slow
@pytest.mark.parametrize("level", ["0.5", "2"])
def test_three_steps_by_quadrature(level: str) -> None:
    factor = mpmath.exp(mpmath.mpf(level))

    def given(x: mpmath.mpf) -> mpmath.mpf:
        ratio = mpmath.exp(x - mpmath.mpf(1) / 2)
        rest = (3 * factor - ratio) / 2
        if rest <= 0:
            return mpmath.npdf(x) * (1 - rest) * 2 / 3
        inner = of_two(rest, mpmath.mpf(1), lambda _: mpmath.mpf(1))
        return mpmath.npdf(x) * inner * 2 / 3

    kink = mpmath.log(3 * factor) + mpmath.mpf(1) / 2
    with mpmath.workdps(12):
        truth = mpmath.quad(given, sorted({-9, -3, 0, 3, float(kink), 10}), maxdegree=5)
    found = delta("RandomAllocation(Gaussian(sigma=1), steps=3)", level)
    assert found.lower * (1 - Fraction(1, 10**6)) <= Fraction(float(truth))
    assert Fraction(float(truth)) <= found.upper * (1 + Fraction(1, 10**6))


def test_steps_that_adapt_are_no_worse() -> None:
    """The second step moves by less where the first output is large, or where it is small."""
    level = mpmath.exp(1)
    most = delta(TWO, 1)
    for second in (
        lambda x: mpmath.mpf(x < 0),
        lambda x: mpmath.mpf(x > 0),
        lambda x: 1 / (1 + x**2),
    ):
        assert both_ways(level, mpmath.mpf(1), second) <= most.upper
    assert both_ways(level, mpmath.mpf(1), lambda _: mpmath.mpf(1)) >= most.lower
    assert both_ways(level, mpmath.mpf(1), lambda _: mpmath.mpf("1.01")) > most.upper


@pytest.mark.parametrize("steps", [2, pytest.param(1000, marks=pytest.mark.slow)])
def test_the_second_moment_is_known(steps: int) -> None:
    """E S**2 = 1 + (exp(mu**2) - 1)/t under the law without the record."""
    laws = allocation_laws(formula(1), steps)
    closed = 1 + (math.e - 1) / steps
    for law, sign in ((laws.above[0], 1), (laws.below[0], -1)):
        losses = [float(law.origin + law.step * k) for k in range(len(law.masses))]
        masses = map(float, law.masses)
        second = math.fsum(p * math.exp(x) for p, x in zip(masses, losses, strict=True))
        assert 0 < sign * (second / closed - 1) < 1e-4


def test_one_step_and_all_steps_are_the_mechanism_itself() -> None:
    one = epsilon("RandomAllocation(Gaussian(sigma=2), steps=1)", "1e-6")
    assert one == epsilon("Gaussian(sigma=2)", "1e-6")
    every = epsilon("RandomAllocation(Gaussian(sigma=2), steps=3, times=3)", "1e-6")
    assert every == epsilon("3*Gaussian(sigma=2)", "1e-6")


@pytest.mark.parametrize("small", ["1e-12", "1e-40", "1e-300"])
@pytest.mark.parametrize("beside", ["", " + 2*Laplace(scale=3)"])
@pytest.mark.parametrize("times", [1, 3])
def test_steps_with_the_record_for_certain_are_worse(
    times: int, beside: str, small: str
) -> None:
    """Far below what the law on a grid has at infinity, too, where it says nothing."""
    steps = f"RandomAllocation(Gaussian(sigma=7), steps=9, times={times})"
    found = epsilon(f"{steps}{beside}", small)
    certain = epsilon(f"{times}*Gaussian(sigma=7){beside}", small)
    assert found.upper <= certain.upper
    assert found.lower < certain.lower
    assert "sampling/random-allocation" in found.rests_on


def test_several_batches_are_between_their_ends() -> None:
    """One batch of each of two blocks is above; the sum of all outputs is below."""
    found = epsilon("RandomAllocation(Gaussian(sigma=1), steps=5, times=2)", "1e-3")
    assert found.upper == epsilon(f"2*{TWO}", "1e-3").upper
    below = epsilon("Gaussian(sigma=1, sensitivity=2/sqrt(5))", "1e-3")
    assert found.lower == below.lower
    assert found.upper < epsilon("2*Gaussian(sigma=1)", "1e-3").lower


def excess(rows: list[tuple[Fraction, Fraction]], level: Fraction) -> Fraction:
    """The sum of max(p - level q, 0)."""
    return sum((max(p - level * q, Fraction(0)) for p, q in rows), Fraction(0))


def small_law() -> RoundedSums:
    """A ratio with few values and mean 1, on a grid of eight points for each octave."""
    unit = 1 << 40
    points = {-2: [9, 11, 13], -1: [8, 15], 0: [9, 10, 15], 2: [11]}
    weights = [3, 1, 4, 1, 5, 9, 2, 6, 1]
    octaves = {}
    place = 0
    for octave, places in points.items():
        stretches = []
        for point in places:
            mass = unit * weights[place] // 64
            value = Fraction(point) * Fraction(2) ** (octave - 3)
            stretches.append(GridStretch.of(point, [mass], [int(mass * value)]))
            place += 1
        octaves[octave] = sum(stretches[1:], start=stretches[0])
    return RoundedSums(1, 3, unit, octaves, (0, 0))


def rows_of(sums: RoundedSums) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Each point with its mass and its moment."""
    return [
        (
            Fraction(place) * Fraction(2) ** (octave - sums.bits),
            Fraction(mass, sums.unit),
            Fraction(moment, sums.unit),
        )
        for octave, stretch in sums.octaves.items()
        for place, mass, moment in stretch.rows()
        if mass
    ]


def ends(sums: RoundedSums, level: Fraction) -> tuple[Fraction, Fraction]:
    """The excess of the moments, and that of the points."""
    rows = rows_of(sums)
    below = excess([(moment, mass) for _, mass, moment in rows], level)
    return below, excess([(point * mass, mass) for point, mass, _ in rows], level)


@pytest.mark.parametrize("finer", [False, True])
@pytest.mark.parametrize("terms", [2, 3])
def test_rounded_sums_enclose_what_enumeration_gives(terms: int, finer: bool) -> None:
    """At every level, exactly but for units that are rounded off."""
    first = small_law()
    total = first.plus(first, finer)
    if terms == 3:
        other = first.finer() if finer else first
        total = total.plus(other, finer=False)
    drawn = list(product(rows_of(first), repeat=terms))
    rows = []
    for draw in drawn:
        mass = math.prod((q for _, q, _ in draw), start=Fraction(1))
        rows.append((sum(x for x, _, _ in draw) * mass, mass))
    slack = Fraction(10**4, total.unit)
    for step in range(40):
        level = Fraction(step, 2)
        low, high = ends(total, level)
        truth = excess(rows, level)
        assert low - slack <= truth <= high + slack
    assert total.count == terms


def test_rounding_that_moves_the_mean_would_be_seen() -> None:
    """Halves that all go down lie below what enumeration gives, at some level."""
    first = small_law()
    wrong = {
        octave: GridStretch(stretch.start, stretch.masses, stretch.moments)
        for octave, stretch in first.octaves.items()
    }
    wrong[2] = GridStretch.of(8, [first.octaves[2].totals()[0]], [0])
    spoiled = RoundedSums(1, 3, first.unit, wrong, (0, 0))
    rows = [(point * mass, mass) for point, mass, _ in rows_of(first)]
    assert any(
        ends(spoiled, Fraction(step, 2))[1] < excess(rows, Fraction(step, 2))
        for step in range(40)
    )


REFUSED = {
    "for a replaced record": lambda: RandomAllocation(
        Gaussian(1), 4, relation=Relation.REPLACE_ONE
    ),
    "Gaussian steps only": lambda: RandomAllocation(Laplace(1), 4),
    "no more times than batches": lambda: RandomAllocation(Gaussian(1), 4, 5),
    "at most 1000000 batches": lambda: RandomAllocation(Gaussian(1), 10**7),
    "standard deviations of the noise": lambda: RandomAllocation(Gaussian("0.01"), 4),
    "whole number": lambda: RandomAllocation(Gaussian(1), "2.5"),
}


@pytest.mark.parametrize("words", REFUSED)
def test_mistakes_are_refused(words: str) -> None:
    with pytest.raises(InputError, match=words):
        REFUSED[words]()


def test_what_is_known_beside_epsilon() -> None:
    """Divergences are between those of the law below and those of one step on all."""
    known = profile(TWO)
    closed = math.log(1 + (math.e - 1) / 2)
    second = known.renyi(2)
    assert second.lower <= closed <= second.upper
    assert float(second.lower) > closed * (1 - 1e-4)
    assert known.mean().upper == Fraction(1, 2)
    assert known.zcdp_rho().upper == Fraction(1, 2)
    with pytest.raises(UndecidedError, match="mu is not known"):
        known.gaussian_mu()
    assert known.max_divergence().lower == math.inf


def test_a_sample_has_one_moved_step() -> None:
    mechanism = RandomAllocation(Gaussian("0.2"), 5)
    with pytest.warns(StudyOnlyWarning):
        output = mechanism.sample([(100, 0)] * 5, rng=3)
    assert sorted(round(x / 100) for x in output) == [0, 0, 0, 0, 1]
    twice = RandomAllocation(Gaussian("0.2"), 5, 2)
    with pytest.warns(StudyOnlyWarning):
        output = twice.sample([(100, 0)] * 5, rng=3)
    assert sorted(round(x / 100) for x in output) == [0, 0, 0, 1, 1]
    with pytest.raises(InputError, match="give one for each"):
        mechanism.sample([(1, 0)])


@pytest.mark.slow
@pytest.mark.parametrize(("sigma", "steps", "level"), [(1, 64, 0.5), (0.5, 200, 2)])
def test_many_steps_by_sampling(sigma: float, steps: int, level: float) -> None:
    """Evidence, with five standard errors, and with two epochs."""
    rng = np.random.default_rng(1)
    mu = 1 / sigma
    runs = 400_000
    draws = rng.normal(size=(2, runs, 1))
    ratios = []
    for draw in draws:
        total = np.exp(mu * draw[:, 0] + mu**2 / 2)  # the step with the record
        for _ in range(steps - 1):
            total += np.exp(mu * rng.normal(size=runs) - mu**2 / 2)
        ratios.append(total / steps)
    for epochs, ratio in ((1, ratios[0]), (2, ratios[0] * ratios[1])):
        gains = np.maximum(1 - math.exp(level) / ratio, 0)
        error = 5 * gains.std() / math.sqrt(runs)
        plan = f"{epochs}*RandomAllocation(Gaussian(sigma={sigma}), steps={steps})"
        found = delta(plan, str(level))
        assert found.lower - error <= gains.mean() <= found.upper + error


@pytest.mark.slow
@pytest.mark.parametrize("sigma", ["0.5", "1", "5"])
@pytest.mark.parametrize("steps", [10, 100, 1000])
def test_epsilon_is_narrow(sigma: str, steps: int) -> None:
    found = epsilon(f"RandomAllocation(Gaussian(sigma={sigma}), steps={steps})", "1e-6")
    assert found.relative_width < 1e-3
    assert found.upper < epsilon(f"Gaussian(sigma={sigma})", "1e-6").upper


def test_training_states_it_beside_the_others() -> None:
    """The number of shuffled batches of one size is certainly larger; a part of an epoch has no
    lower end of its own.
    """
    run = TrainingRun(200, 100, Fraction(2), Fraction(1), Fraction(1, 10**5))
    found = _allocated(run, 1)
    assert isinstance(found, BatchingStatement)
    assert found.epsilon.certainly_below(_zeroed(run, 1).epsilon.lower)
    assert found.epsilon == epsilon(f"2*{TWO}", "1e-5")
    part = _allocated(replace(run, epochs=Fraction(3, 2)), 1)
    assert isinstance(part, BatchingStatement)
    assert part.epsilon.upper == found.epsilon.upper
    assert part.epsilon.lower == epsilon(TWO, "1e-5").lower
    assert isinstance(_allocated(run, 2), LeftOut)
    quiet = _allocated(replace(run, noise_multiplier=Fraction(1, 100)), 1)
    assert isinstance(quiet, LeftOut)
    assert "standard deviations" in quiet.why


@pytest.mark.slow
def test_shuffled_batches_of_the_first_page_are_less_private() -> None:
    """The run of the guide: about the number of Poisson sampling, far below that of shuffling."""
    run = dpsgd(60000, 256, 60, "1e-5", noise_multiplier="1.1")
    found = {
        statement.batching: statement.epsilon
        for statement in run.statements
        if statement.relation is Relation.ADD_OR_REMOVE_ONE
    }
    assert found["random allocation"].certainly_below(found["Poisson sampling"].lower)
    assert found["shuffling"].certainly_above(2 * found["random allocation"].upper)


@dataclass(frozen=True)
class _Lacking(Mechanism):
    """A law below that has lost a half of its mass or more, here and there."""

    relation: Relation = Relation.ADD_OR_REMOVE_ONE

    @property
    def law(self) -> Masses:
        whole = allocation_laws(formula(1), 2).below[0]
        with precision(128):
            kept = [mass / (2 + k % 3) for k, mass in enumerate(whole.masses)]
        return replace(whole, masses=kept)

    @property
    def by_moments(self) -> bool:
        return True

    def loss(self) -> Loss:
        return Gaussian(1).loss()

    def directions(self) -> tuple[Direction, ...]:
        return (Direction(GridTransform((), False, self.law)),)


@pytest.mark.parametrize("level", [0.5, 3.0, -2.0])
def test_a_law_that_lacks_mass_is_summed_as_it_is(level: float) -> None:
    """By the composition too, alone and beside a Gaussian release: nothing is filled up to 1."""
    law = _Lacking().law
    rows = [
        (float(mass), float(law.origin + law.step * k))
        for k, mass in enumerate(law.masses)
    ]
    alone = math.fsum(p * max(0.0, -math.expm1(level - x)) for p, x in rows)
    found = compose(Plan.of(_Lacking())).delta(Fraction(level))
    assert found.contains(Fraction(alone)) or abs(float(found) / alone - 1) < 1e-10
    mu = mpmath.mpf(1) / 2
    beside = math.fsum(p * float(call(mpmath.exp(level - x), mu)) for p, x in rows)
    found = compose(_Lacking() + Gaussian(2)).delta(Fraction(level))
    assert abs(float(found) / beside - 1) < 1e-9


def test_each_direction_alone() -> None:
    """Removing a record and adding one are asked for apart; the worse one is the answer to both."""
    plan = 1 * RandomAllocation(Gaussian(2), 20)
    both = Questions(plan).delta(Fraction(1, 2))
    removing, adding = (
        Questions(plan, way).delta(Fraction(1, 2)) for way in (Way.REMOVE, Way.ADD)
    )
    assert (removing.lower, removing.upper) == (both.lower, both.upper)
    assert 0 < adding.lower < adding.upper < removing.lower
