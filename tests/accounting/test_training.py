"""DP-SGD: each statement against an independent computation, and what other accountants print."""

import math
import shlex
from fractions import Fraction
from functools import cache, partial
from typing import Any

import mpmath
import pytest

from rdpacct import Bound, InputError, delta, dpsgd, epsilon
from rdpacct.cli import main
from rdpacct.privacy.relation import Relation
from rdpacct.training.participation import chance_above, smallest_cap
from rdpacct.training.shuffled_epochs import needed
from rdpacct.training.statement import (
    BatchingStatement,
    LeftOut,
    TrainingRun,
    TrainingStatement,
)

MNIST: dict[str, Any] = {"examples": 60000, "batch": 256, "delta": "1e-5"}
stated = cache(dpsgd)
"""The statements about a run that several tests look at, worked out once."""


def one(
    found: TrainingStatement, batching: str, level: str, relation: str
) -> BatchingStatement:
    """The statement of this kind."""
    [statement] = [
        each
        for each in found.statements
        if (each.batching, each.level, str(each.relation))
        == (batching, level, relation)
    ]
    return statement


def two_sampled_steps(
    level: mpmath.mpf, rate: mpmath.mpf, sigma: mpmath.mpf
) -> mpmath.mpf:
    """delta of two Poisson sampled Gaussian steps by one integral: the loss of a step is monotone
    in its output, so that the second one has a threshold given the first.
    """
    normal = mpmath.ncdf

    def base(x: mpmath.mpf) -> mpmath.mpf:
        return mpmath.npdf(x, 0, sigma)

    def mixed(x: mpmath.mpf) -> mpmath.mpf:
        return (1 - rate) * base(x) + rate * mpmath.npdf(x, 1, sigma)

    def loss(x: mpmath.mpf) -> mpmath.mpf:
        ratio = mpmath.exp((2 * x - 1) / (2 * sigma**2))
        return mpmath.log(1 - rate + rate * ratio)

    def cut(least: mpmath.mpf) -> mpmath.mpf:
        """The output from which on the loss is above this; all of them, if it always is."""
        ratio = (mpmath.exp(least) - 1 + rate) / rate
        return (
            sigma**2 * mpmath.log(ratio) + mpmath.mpf("0.5")
            if ratio > 0
            else -mpmath.inf
        )

    def above(x: mpmath.mpf, centre: int) -> mpmath.mpf:
        return 1 - normal((cut(level - loss(x)) - centre) / sigma)

    def removing(x: mpmath.mpf) -> mpmath.mpf:
        p = rate * above(x, 1) + (1 - rate) * above(x, 0)
        return mixed(x) * p - mpmath.exp(level) * base(x) * above(x, 0)

    def adding(x: mpmath.mpf) -> mpmath.mpf:
        low = cut(-level - loss(x))
        q = normal(low / sigma)
        p = rate * normal((low - 1) / sigma) + (1 - rate) * q
        return base(x) * q - mpmath.exp(level) * mixed(x) * p

    kinks = [cut(level - mpmath.log(1 - rate)), cut(-level - mpmath.log(1 - rate))]
    points = sorted(
        [-9 * sigma, 0, 1, 9 * sigma + 1, *(k for k in kinks if mpmath.isfinite(k))]
    )
    return max(mpmath.quad(removing, points), mpmath.quad(adding, points))


def test_poisson_sampling_against_quadrature() -> None:
    """Two steps at rate 1/2: the ends of epsilon enclose where delta is reached, by mpmath."""
    found = dpsgd(10, 5, 1, "1e-2", noise_multiplier="1.5").epsilon
    rate, sigma = mpmath.mpf("0.5"), mpmath.mpf("1.5")
    ends = [
        two_sampled_steps(mpmath.mpf(end.numerator) / end.denominator, rate, sigma)
        for end in (Fraction(found.lower), Fraction(found.upper))
    ]
    assert abs(ends[0] - mpmath.mpf("0.01")) < 1e-8
    assert abs(ends[1] - mpmath.mpf("0.01")) < 1e-8
    assert two_sampled_steps(mpmath.mpf(float(found)) - 1e-4, rate, sigma) > 0.01


def test_the_number_that_other_accountants_print() -> None:
    """dp-accounting 0.6.0 prints 2.381686 for 14062 steps (privacy loss distributions on a grid of
    1e-4, rounded up), and 2.5966 by Renyi divergences; both are above the truth, the first by less
    than 1e-4.
    """
    found = dpsgd(**MNIST, epochs=Fraction(14062 * 256, 60000), noise_multiplier="1.1")
    assert found.run.steps == 14062
    assert found.epsilon.certainly_below(Fraction("2.381686"))
    assert found.epsilon.certainly_above(Fraction("2.381686") - Fraction(1, 10**4))
    assert found.epsilon.certainly_below(Fraction("2.5966"))
    assert found.epsilon.relative_width < 1e-9


def test_steps_are_rounded_up() -> None:
    """14062.5 steps are 14063, and the statement says so."""
    found = stated(**MNIST, epochs=60, noise_multiplier="1.1")
    assert (found.run.steps, found.run.exact_steps) == (14063, Fraction("14062.5"))
    assert "14063 steps (14062.5, rounded up)" in str(found)
    whole = dpsgd(60, 10, 2, "1e-5", noise_multiplier=1)
    assert whole.run.steps == 12
    assert "rounded up" not in str(whole.run)


def gaussian_delta(level: mpmath.mpf, mu: mpmath.mpf) -> mpmath.mpf:
    """The closed form of a Gaussian release, at high precision."""
    with mpmath.workdps(120):
        first = mpmath.ncdf(mu / 2 - level / mu)
        return first - mpmath.exp(level) * mpmath.ncdf(-mu / 2 - level / mu)


@pytest.mark.parametrize(
    ("relation", "moved"), [("replace_one", 2), ("add_or_remove_one", 1)]
)
@pytest.mark.parametrize("users", [1, 3])
def test_shuffled_batches_are_a_release_an_epoch(
    relation: str, moved: int, users: int
) -> None:
    """60 Gaussian releases: mu is moved * users * sqrt(60)/1.1, by mpmath."""
    found = stated(**MNIST, epochs=60, noise_multiplier="1.1", examples_per_user=users)
    level = "example" if users == 1 else "user"
    statement = one(found, "shuffling", level, relation)
    upper = Fraction(statement.epsilon.upper)
    with mpmath.workdps(120):
        mu = moved * users * mpmath.sqrt(60) / mpmath.mpf("1.1")
        at = mpmath.mpf(upper.numerator) / upper.denominator
        assert gaussian_delta(at, mu) <= mpmath.mpf("1e-5")
        assert gaussian_delta(at * (1 - mpmath.mpf("1e-9")), mu) > mpmath.mpf("1e-5")
    assert "composition/parallel" in statement.epsilon.rests_on


def excess_of_tests(
    epochs: int, p: mpmath.mpf, q: mpmath.mpf, at: mpmath.mpf
) -> mpmath.mpf:
    """The excess of so many independent tests, at an epsilon."""
    total = mpmath.mpf(0)
    for k in range(epochs + 1):
        ways = mpmath.binomial(epochs, k)
        one_law = ways * p**k * (1 - p) ** (epochs - k)
        other = ways * q**k * (1 - q) ** (epochs - k)
        total += max(one_law - mpmath.exp(at) * other, 0)
    return total


@pytest.mark.parametrize(
    ("relation", "left"), [("replace_one", 0), ("add_or_remove_one", 1)]
)
def test_shuffled_batches_need_what_a_test_of_each_epoch_shows(
    relation: str, left: int
) -> None:
    """59 tests of the largest of 235 sums have delta at the lower end, at some level, by mpmath."""
    found = stated(**MNIST, epochs=60, noise_multiplier="1.1")
    statement = one(found, "shuffling", "example", relation)
    assert "shuffling/batches" in statement.epsilon.rests_on
    lower = Fraction(statement.epsilon.lower)
    assert lower > 6
    with mpmath.workdps(60):
        sigma = mpmath.mpf("1.1")
        at = mpmath.mpf(lower.numerator) / lower.denominator * (1 - mpmath.mpf("1e-9"))
        deltas = []
        for level in (mpmath.mpf(k) / 10 for k in range(30, 60)):
            others = mpmath.ncdf(level / sigma) ** 234
            p, q = (1 - mpmath.ncdf((level - m) / sigma) * others for m in (2, left))
            deltas.append(excess_of_tests(59, p, q, at))
        assert max(deltas) > mpmath.mpf("0.9e-5")


@pytest.mark.slow
def test_one_epoch_of_two_batches_has_at_least_what_is_needed() -> None:
    """The hockey stick of the two mixtures over the batches, on a grid, is no less than delta."""
    found = stated(2, 1, 1, "1e-2", noise_multiplier=1)
    statement = one(found, "shuffling", "example", "add_or_remove_one")
    level = math.exp(float(statement.epsilon.lower))
    assert level > 1
    cells = [-7 + 18 * i / 300 for i in range(301)]
    bells = {
        m: [math.exp(-((x - m) ** 2) / 2) / math.sqrt(2 * math.pi) for x in cells]
        for m in (0, 1, 2)
    }
    total = 0.0
    for i in range(301):
        for j in range(301):
            with_it = bells[2][i] * bells[0][j] + bells[0][i] * bells[2][j]
            without = bells[1][i] * bells[0][j] + bells[0][i] * bells[1][j]
            total += max(with_it - level * without, 0.0) / 2
    assert total * (18 / 300) ** 2 > 0.01


def test_shuffled_batches_can_be_less_private_than_poisson_samples() -> None:
    """As Chua and others found (How private are DP-SGD implementations?, 2024), for little noise:
    the lower end of one is above the upper end of the other.
    """
    run = TrainingRun(60_000, 600, Fraction(1), Fraction(1, 2), Fraction(1, 10**5), 1)
    shuffled = needed(run, 1, Relation.ADD_OR_REMOVE_ONE)
    poisson = "100*PoissonSampled(Gaussian(sigma=0.5), rate=1/100)"
    assert shuffled.certainly_above(epsilon(poisson, "1e-5"))


@pytest.mark.parametrize(("steps", "rate"), [(20, "1/4"), (50, "1/10"), (7, "1")])
def test_chances_are_those_of_the_binomial_law(steps: int, rate: str) -> None:
    """Against the sum in exact fractions, and the cap is the smallest."""
    share = Fraction(rate)
    masses = [
        math.comb(steps, uses) * share**uses * (1 - share) ** (steps - uses)
        for uses in range(steps + 1)
    ]
    for cap in range(steps + 1):
        assert chance_above(cap, steps, share).contains(
            sum(masses[cap + 1 :], Fraction(0))
        )
    for chance in (Fraction(1, 100), Fraction(1, 10**6)):
        cap = smallest_cap(steps, share, chance)
        assert sum(masses[cap + 1 :], Fraction(0)) <= chance
        assert cap == 0 or sum(masses[cap:], Fraction(0)) > chance


def test_fixed_sizes_hold_for_a_case_that_can_be_worked_out() -> None:
    """One of two examples in each of two steps, the other one without a gradient: the hockey stick
    of the mixture over the batches, on a fine grid, is below what is stated.
    """
    found = stated(2, 1, 1, "1e-2", noise_multiplier=1)
    statement = one(found, "fixed size", "example", "replace_one")
    assert found.run.steps == 2
    level = math.exp(float(statement.epsilon))
    cells = [-7 + 14 * i / 200 for i in range(201)]
    size = (14 / 200) ** 2

    def density(x: float, y: float, centre: float) -> float:
        each = [
            (math.exp(-((z - centre) ** 2) / 2) + math.exp(-(z**2) / 2)) / 2
            for z in (x, y)
        ]
        return each[0] * each[1] / (2 * math.pi)

    total = sum(
        max(density(x, y, 1.0) - level * density(x, y, -1.0), 0.0) * size
        for x in cells
        for y in cells
    )
    assert total < 1e-2
    assert statement.epsilon.lower > 0


def test_users_of_poisson_samples_pay_less_than_a_chain_of_neighbors() -> None:
    """The numbers of sampled examples are followed, so that a chain would not meet the target; k
    times the epsilon of one example would not either.
    """
    found = stated(**MNIST, epochs=60, noise_multiplier="1.1", examples_per_user=3)
    example = one(found, "Poisson sampling", "example", "add_or_remove_one")
    user = one(found, "Poisson sampling", "user", "add_or_remove_one")
    plan = str(example.plan)
    level = Fraction(user.epsilon.upper) / 3
    assert chain(delta(plan, level), level, 3) > 1e-5
    assert user.epsilon.relative_width < 1e-8
    assert user.epsilon.upper > 3 * example.epsilon.upper
    assert "sampling/several-records" in user.epsilon.rests_on


def test_fixed_sizes_are_near_their_pair() -> None:
    """The run of the first page: adding or removing exactly, and replacing between two ends, far
    below what counting uses gives.
    """
    found = stated(**MNIST, epochs=60, noise_multiplier="1.1")
    removed = one(found, "fixed size", "example", "add_or_remove_one")
    replaced = one(found, "fixed size", "example", "replace_one")
    assert removed.epsilon.relative_width < 1e-8
    assert replaced.epsilon.lower == removed.epsilon.lower
    assert removed.epsilon.upper < replaced.epsilon.upper < 19


def chain(one_record: Bound, level: Fraction, size: int) -> float:
    """delta at the end of a chain, by the sum of its steps."""
    return sum(math.exp(i * level) for i in range(size)) * float(one_record)


def test_other_statements_wait_until_they_are_asked_for() -> None:
    """Each is worked out once, after the one under Poisson sampling, in the order of the ways."""
    asked: list[int] = []
    known = stated(2, 1, 1, "1e-2", noise_multiplier=1)

    nothing = LeftOut("random allocation", "example", "it is a test")

    def worked(number: int) -> BatchingStatement | LeftOut:
        asked.append(number)
        return nothing if number == 1 else known.poisson

    ways = tuple(partial(worked, number) for number in range(3))
    found = TrainingStatement(known.run, known.poisson, ways)
    assert found.epsilon == known.epsilon
    assert asked == []
    assert found.statements == (known.poisson,) * 3
    assert found.statements[0].epsilon is found.epsilon
    assert found.left_out == (nothing,)
    assert asked == [0, 1, 2]


def test_a_target_is_met_by_a_short_multiplier() -> None:
    """The multiplier has five figures, meets the target, and a little less does not."""
    found = dpsgd(**MNIST, epochs=60, target_epsilon=3)
    assert found.epsilon.certainly_at_most(3)
    assert found.run.noise_multiplier == Fraction("0.96843")
    less = found.run.noise_multiplier - Fraction(1, 10**5)
    assert dpsgd(**MNIST, epochs=60, noise_multiplier=less).epsilon.certainly_above(3)


def test_the_plan_can_be_pasted(capsys: pytest.CaptureFixture[str]) -> None:
    """The command of each statement gives its upper end again."""
    found = stated(**MNIST, epochs=60, noise_multiplier="1.1", examples_per_user=2)
    commands = 0
    for statement in found.statements:
        command = statement.command(found.run.delta)
        if not command:
            continue
        program, *arguments = shlex.split(command)
        assert program == "rdpacct"
        assert main(arguments) == 0
        assert statement.epsilon.short() in capsys.readouterr().out
        assert epsilon(statement.plan or "", "1e-5").upper == statement.epsilon.upper
        commands += 1
    assert commands == 10


REFUSED: dict[str, dict[str, Any]] = {
    "from 1 to 10": {"examples": 10, "batch": 256},
    "whole number": {"batch": "2.5"},
    "must be above 0": {"noise_multiplier": 0},
    "above 0 and below 1": {"delta": 1},
    "the number of epochs": {"epochs": -1},
    "give either": {"target_epsilon": 3},
    "steps": {"examples": 10**12, "batch": 1},
    "examples of a user": {"examples_per_user": 0},
    "not a finite number": {"noise_multiplier": "much"},
}


@pytest.mark.parametrize("words", REFUSED)
def test_mistakes_are_refused(words: str) -> None:
    """One sentence with the value and the remedy."""
    given: dict[str, Any] = {
        **{"examples": 100, "batch": 10, "epochs": 1, "delta": "1e-5"},
        **{"noise_multiplier": 1},
    }
    with pytest.raises(InputError, match=words):
        dpsgd(**(given | REFUSED[words]))


def test_what_is_not_stated_is_said() -> None:
    """Random allocation has no law for so little noise, and no theorem for users."""
    found = dpsgd(4, 2, 1, noise_multiplier="0.01", delta="1e-5", examples_per_user=2)
    said = {(one.batching, one.level): one.why for one in found.left_out}
    assert "standard deviations of the noise" in said["random allocation", "example"]
    assert "about one example" in said["random allocation", "user"]
    assert ("fixed size", "user") in said
    assert "random allocation" not in {one.batching for one in found.statements}
    assert str(found).count("nothing is stated, since") == len(found.left_out) == 3
