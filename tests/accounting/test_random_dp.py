"""Random differential privacy: exact, worst-case and estimated gammas, and what is refused."""

import json
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from rdpacct import (
    ApproxDP,
    InputError,
    Laplace,
    Outcome,
    Promised,
    RandomDP,
    Relation,
    SparseHistogram,
    UndecidedError,
    audit,
    epsilon,
    random_dp,
    read_plan,
)
from rdpacct.cli import main
from rdpacct.exact.formula import formula
from rdpacct.exact.functions import log
from rdpacct.mechanisms import Mechanism
from rdpacct.privacy.convert import approx_to_random, random_to_approx
from rdpacct.privacy.random_dp import compose_random, repeat_random, smallest_gamma
from rdpacct.testing.instances import masses

COIN = {0: "3/4", 1: "1/4"}


def count(data: Any) -> Any:
    """The exact number of records that are 1."""
    return {data.count(1): Fraction(1)}


def responses(odds: Any) -> Any:
    """Randomized response for the last record, with the truth at these odds."""
    return lambda data: {
        data[-1]: Fraction(odds, odds + 1),
        1 - data[-1]: Fraction(1, odds + 1),
    }


def test_the_exact_gamma_of_a_count() -> None:
    """It tells if just one of the last two draws is 1, whatever alpha is."""
    found = random_dp.exact(count, COIN, 4, alpha=100)
    assert found.is_exact
    assert found.lower == 2 * Fraction(3, 4) * Fraction(1, 4)


@pytest.mark.parametrize(
    ("alpha", "eta", "gamma"),
    [("1.09", 0, "3/8"), ("1.1", 0, 0), ("1", "0.1", 0), (0, "0.5", 0)],
)
def test_the_exact_gamma_of_randomized_response(
    alpha: int | str, eta: int | str, gamma: int | str
) -> None:
    """With odds 3 its epsilon is log(3) = 1.0986..., and its delta at 0 is 1/2."""
    assert random_dp.exact(responses(3), COIN, 2, alpha, eta).upper == Fraction(gamma)


def differ(first: Any, second: Any, factor: Fraction) -> bool:
    """Whether some set of the outputs 0 and 1 has a larger ratio than the factor."""
    events: list[list[int]] = [[], [0], [1], [0, 1]]
    for p, q in ((first, second), (second, first)):
        for event in events:
            if sum(p[x] for x in event) > factor * sum(q[x] for x in event):
                return True
    return False


def test_exact_agrees_with_enumeration_in_rationals() -> None:
    """At alpha = log(factor), both orders of the neighbors."""
    rng = random.Random(5)
    for _ in range(20):
        population = dict(enumerate(masses(rng, 3)))
        factor = Fraction(rng.randint(5, 12), 4)
        rows = {
            (i, j): dict(enumerate(masses(rng, 2, 9)))
            for i in range(3)
            for j in range(3)
        }
        expected = sum(
            population[i] * population[j] * population[k]
            for i, j, k in product(range(3), repeat=3)
            if differ(rows[i, j], rows[i, k], factor)
        )
        release = rows.__getitem__
        exact = random_dp.exact(release, population, 2, log(factor))
        assert exact.contains(expected)
        in_rationals = smallest_gamma(release, population, 2, factor, both_ways=True)
        assert in_rationals == expected


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (lambda: random_dp.exact(count, {0: "1/2"}, 2, alpha=1), "sum to 1"),
        (
            lambda: random_dp.exact(count, {0: "1/2", 1: "x"}, 2, alpha=1),
            "not a finite number",
        ),
        (lambda: random_dp.exact(count, COIN, 100, alpha=1), "data sets to enumerate"),
        (lambda: random_dp.exact(count, COIN, 0, alpha=1), "n is 0"),
        (lambda: random_dp.exact(count, COIN, 2), "give alpha"),
        (lambda: random_dp.exact(count, COIN, 2, alpha=-1), "alpha is -1"),
        (
            lambda: random_dp.exact(3, COIN, 2, alpha=1),  # type: ignore[arg-type]
            "give a mechanism or a function",
        ),
        (
            lambda: random_dp.exact(Laplace(1), COIN, 2, alpha=1),
            "does not say which data sets are bad",
        ),
        (lambda: random_dp.exact(Laplace(1), COIN, 2), "promises no RandomDP"),
        (
            lambda: random_dp.exact(SparseHistogram(3, 2, 1), COIN, 2),
            "2 records, but n = 3",
        ),
        (
            lambda: random_dp.exact(SparseHistogram(2, 2, 1), {0: "1/2", 5: "1/2"}, 2),
            "category 5",
        ),
        (lambda: random_dp.worst_case(Laplace(1), 1), "state the plan for replace_one"),
        (
            lambda: random_dp.estimate(
                count, lambda _, size: [0] * (size - 1), 3, 5, alpha=1
            ),
            "where 4 were asked",
        ),
        (
            lambda: random_dp.estimate(
                count, lambda _, size: [0] * size, 3, 0, alpha=1
            ),
            "number of trials is 0",
        ),
        (
            lambda: random_dp.estimate(
                count, lambda _, size: [0] * size, 3, 5, alpha=1, error=0
            ),
            "error is 0",
        ),
    ],
)
def test_bad_input(use: Callable[..., Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        use()


def test_the_worst_case_of_what_is_private_for_all_data_is_zero() -> None:
    mechanism = Laplace(1).stated_for(Relation.REPLACE_ONE)
    assert random_dp.worst_case(mechanism, 1).upper == 0
    assert random_dp.worst_case(mechanism, "0.5", "0.3").upper == 0
    with pytest.raises(UndecidedError, match="how often such data are drawn"):
        random_dp.worst_case(mechanism, "0.5")


def test_the_worst_case_is_above_every_population() -> None:
    mechanism = SparseHistogram(5, 3, 1)
    most = random_dp.worst_case(mechanism)
    for seed in range(4):
        population = dict(enumerate(masses(random.Random(seed), 3)))
        assert random_dp.exact(mechanism, population, 5).certainly_at_most(most)


def test_estimates_enclose_the_exact_gamma() -> None:
    draw = lambda rng, size: rng.choice(2, size=size, p=[0.75, 0.25]).tolist()  # noqa: E731
    found = random_dp.estimate(count, draw, 4, 400, 3, alpha=1)
    assert found.gamma.contains(random_dp.exact(count, COIN, 4, alpha=1).lower)
    assert found.gamma.width < 0.3
    assert random_dp.estimate(count, draw, 4, 50, 3, alpha=1) == random_dp.estimate(
        count, draw, 4, 50, 3, alpha=1
    )
    certain = random_dp.estimate(
        count, lambda _, size: [0] * size, 2, 100, 1, alpha=1, error="0.1"
    )
    assert (certain.bad, certain.gamma.lower) == (0, 0)
    assert float(certain.gamma) == pytest.approx(1 - 0.05**0.01, rel=1e-6)


def test_estimates_from_real_runs_find_bad_data_and_no_others() -> None:
    """A count with noise where it is 2 or more: exact counts of 0 and 1 tell them apart."""

    def draw(rng: Any, size: Any) -> Any:
        return (rng.random(size) < 0.3).astype(int)

    def run(data: Any, rng: Any, noise: float = 0.0) -> Any:
        return float(sum(data)) + rng.laplace() * (noise or sum(data) > 1)

    claim = RandomDP(1, gamma="0.5")
    leaky = random_dp.estimate_from_runs(
        run, draw, 2, 60, claim, runs=60, rng=2, error="1e-3"
    )
    exact = 2 * Fraction(3, 10) * Fraction(7, 10)
    assert 0 < leaky.gamma.lower <= exact
    assert leaky.gamma.upper == 1
    sound = random_dp.estimate_from_runs(
        lambda d, rng: run(d, rng, 1.0), draw, 2, 30, claim, runs=60, rng=2
    )
    assert sound.bad == 0


def test_promises_add_up_where_no_release_depends_on_another() -> None:
    one = RandomDP(1, "0.1", gamma="0.02")
    two = RandomDP("0.5", gamma="0.01")
    assert compose_random(one, two) == random_dp.compose(one, two)
    assert random_dp.compose(one, two).gamma.bound().contains(Fraction(3, 100))
    assert random_dp.compose(one, two).alpha == formula(Fraction(3, 2))
    thrice = compose_random(one, one, one)
    repeated = repeat_random(one, 3)
    assert (thrice.alpha, thrice.eta) == (repeated.alpha, repeated.eta)
    assert repeated.gamma.bound().contains(Fraction(6, 100))
    assert repeat_random(one, 1000).gamma.bound().upper == 1


def test_adaptive_composition_and_casts_are_refused_by_name() -> None:
    promise = RandomDP(1, gamma=0)
    with pytest.raises(InputError, match="random-dp/composition"):
        random_dp.compose_adaptively(promise, promise)
    with pytest.raises(InputError, match="random-dp/remark-3"):
        random_to_approx(promise)
    with pytest.raises(InputError, match="random-dp/remark-3"):
        epsilon("RandomDP(alpha=1, gamma=0.1)", "0.1")
    with pytest.raises(InputError, match="random-dp/remark-3"):
        audit("2*RandomDP(alpha=1, gamma=0.1)", "ApproxDP(epsilon=2, delta=0.2)")
    assert approx_to_random(ApproxDP(1, "0.1")) == RandomDP(1, "0.1", gamma=0)


@pytest.mark.parametrize(
    ("plan", "claim", "outcome"),
    [
        (
            "3*RandomDP(alpha=1, gamma=0.01)",
            "RandomDP(alpha=3, gamma=0.03)",
            Outcome.HOLDS,
        ),
        (
            "3*RandomDP(alpha=1, gamma=0.01)",
            "RandomDP(alpha=3, gamma=0.0299)",
            Outcome.UNDECIDED,
        ),
        (
            "3*RandomDP(alpha=1, eta=0.1, gamma=0)",
            "RandomDP(alpha=3, eta=0.271, gamma=0)",
            Outcome.HOLDS,
        ),
        (
            "RandomDP(alpha=1, gamma=0.01)",
            "RandomDP(alpha=1, gamma=0.01)",
            Outcome.HOLDS,
        ),
        (
            "RandomDP(alpha=1, gamma=0.01)",
            "RandomDP(alpha=1, gamma=0.009)",
            Outcome.FAILS,
        ),
        (
            "RandomDP(alpha=1, gamma=0.01)",
            "RandomDP(alpha=0.9, gamma=0.1)",
            Outcome.UNDECIDED,
        ),
        (
            "2*SparseHistogram(n=10000, k=300, alpha=1) + RandomDP(alpha=1, gamma=0)",
            "RandomDP(alpha=3, gamma=0.05)",
            Outcome.HOLDS,
        ),
    ],
)
def test_plans_of_promises_for_drawn_data(
    plan: str, claim: str, outcome: Outcome
) -> None:
    assert audit(plan, claim).outcome is outcome


def test_plans_for_all_data_are_audited_by_their_loss() -> None:
    plan = read_plan("2*Laplace(scale=1)", Relation.REPLACE_ONE)
    assert audit(plan, "RandomDP(alpha=2, gamma=0)").outcome is Outcome.HOLDS
    undecided = audit(plan, "RandomDP(alpha=1.9, gamma=0.5)")
    assert undecided.outcome is Outcome.UNDECIDED
    assert "how often" in undecided.why
    with pytest.raises(InputError, match="replace_one"):
        audit("Laplace(scale=1)", "RandomDP(alpha=1, gamma=0)")


@pytest.mark.parametrize(
    "other", ["Laplace(scale=1)", "PureDP(epsilon=1)", "Gaussian(sigma=1)"]
)
def test_mixed_plans_are_refused_with_a_remedy(
    other: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "audit",
        f"RandomDP(alpha=1, gamma=0.1) + {other}",
        "--relation",
        "replace_one",
        "--claim",
    ]
    assert main([*arguments, "RandomDP(alpha=3, gamma=0.1)"]) == 2
    assert (
        "state it as a promise such as RandomDP(alpha=1, gamma=0)"
        in capsys.readouterr().err
    )
    assert main([*arguments, "ApproxDP(epsilon=3, delta=0.2)"]) == 2
    assert "random-dp/remark-3" in capsys.readouterr().err


def test_the_answer_says_that_composition_is_not_adaptive(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = [
        "audit",
        "2*RandomDP(alpha=1, gamma=0.01)",
        "--claim",
        "RandomDP(alpha=2, gamma=0.02)",
        "--json",
    ]
    assert main(arguments) == 0
    data = json.loads(capsys.readouterr().out)
    assert "not adaptive" in data["composition"]
    assert "random-dp/composition" in data["rests_on"]
    assert data["relation"] == "replace_one"


def test_a_promise_is_about_replacing_one_record() -> None:
    promise = Promised(RandomDP(1, gamma="0.1"))
    assert promise.relation is Relation.REPLACE_ONE
    assert promise.random_guarantee() == RandomDP(1, gamma="0.1")
    assert isinstance(promise, Mechanism)
    with pytest.raises(InputError, match="about replace_one only"):
        read_plan("RandomDP(alpha=1, gamma=0.1)", Relation.ADD_OR_REMOVE_ONE)


def test_numpy_draws_are_not_changed() -> None:
    """The neighbor is a copy: what was drawn stays as it is."""
    kept = []

    def draw(rng: Any, size: Any) -> Any:
        kept.append(rng.integers(3, size=size))
        return kept[-1]

    def look(data: Any) -> Any:
        return {tuple(data): Fraction(1)}

    before = np.random.default_rng(8)
    random_dp.estimate(look, draw, 4, 20, 8, alpha=1)
    assert all((drawn == before.integers(3, size=5)).all() for drawn in kept)
