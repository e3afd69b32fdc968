"""Confidence limits, marked values, arrays, and audits of running code."""

import random
from fractions import Fraction
from math import comb, log
from typing import Any

import numpy as np
import pytest

from rdpacct import ApproxDP, InputError, Outcome
from rdpacct.arrays import categories, generator, numbers
from rdpacct.auditing.sampled import audit_samples
from rdpacct.exact.binomial import lower_limit, upper_limit
from rdpacct.privacy.unpublishable import Unpublishable
from tests.enumeration import data_sets, neighbors


def tail(successes: Any, trials: Any, p: Any) -> Any:
    """The probability of at most so many successes, as a sum."""
    return sum(
        comb(trials, j) * p**j * (1 - p) ** (trials - j) for j in range(successes + 1)
    )


@pytest.mark.parametrize(
    ("successes", "trials"), [(0, 10), (3, 10), (10, 10), (1, 1), (0, 1), (17, 40)]
)
@pytest.mark.parametrize("error", [Fraction(1, 20), Fraction(1, 10**6)])
def test_confidence_limits_are_where_the_exact_tail_is_the_error(
    successes: int, trials: int, error: Fraction
) -> None:
    upper = upper_limit(successes, trials, error)
    lower = lower_limit(successes, trials, error)
    assert 0 <= lower <= Fraction(successes, trials) <= upper <= 1
    if successes < trials:
        assert (
            tail(successes, trials, upper)
            <= error
            < tail(successes, trials, upper - Fraction(1, 10**9))
        )
    if successes > 0:
        above = 1 - tail(successes - 1, trials, lower)
        assert (
            above <= error < 1 - tail(successes - 1, trials, lower + Fraction(1, 10**9))
        )


def test_limits_of_many_trials() -> None:
    assert upper_limit(0, 10**6, Fraction(1, 20)) == pytest.approx(
        1 - 0.05**1e-6, rel=1e-9
    )


def test_a_marked_value_does_not_slip_out() -> None:
    hidden = Unpublishable(3.5, "the smooth sensitivity")
    assert "3.5" not in f"{hidden} {hidden!r} {hidden:.3f}"
    assert hidden.for_study() == 3.5
    for use in (float, bool, lambda x: x < 4, lambda x: x + 1, lambda x: x * 2):
        with pytest.raises(InputError, match="may not be published"):
            use(hidden)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "empty"),
        ([1.0, float("nan")], "not finite"),
        ([1.0, float("inf")], "not finite"),
        (["a"], "not numbers"),
        ([[1.0]], "dimensions"),
        ([-0.1, 0.5], "below"),
        ([0.5, 1.1], "above"),
    ],
)
def test_bad_numbers(data: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        numbers(data, 0, 1)


@pytest.mark.parametrize(
    ("data", "said"),
    [([], "empty"), ([0, 3], "category 3"), ([-1], "category -1"), ([0.5], "not")],
)
def test_bad_categories(data: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        categories(data, 3)


def test_good_arrays() -> None:
    assert numbers([0, 1], 0, 1).tolist() == [0.0, 1.0]
    assert categories(np.array([0.0, 2.0]), 3).tolist() == [0, 2]
    assert generator(1).integers(100) == generator(1).integers(100)


def test_samples_refute_a_leaky_release_and_not_a_sound_one() -> None:
    """Randomized response that tells the truth with odds 2: it is log(2)-DP, and not
    log(3/2)-DP.
    """
    rng = random.Random(1)

    def answer(truth: Any) -> Any:
        return lambda: float(truth if rng.random() < 2 / 3 else 1 - truth)

    sound = ApproxDP(epsilon=Fraction(log(2) + 1e-9), delta=0)
    assert (
        audit_samples(answer(1), answer(0), sound, 20000).outcome is Outcome.UNDECIDED
    )
    refuted = audit_samples(
        answer(1), answer(0), ApproxDP(epsilon=Fraction(log(1.5)), delta=0), 20000
    )
    assert refuted.outcome is Outcome.FAILS
    assert "above 0" in refuted.witness.event


def test_neighbors_are_those_at_distance_one() -> None:
    sets = list(data_sets("abc", 3))
    assert len(sets) == 10
    pairs = set(neighbors("abc", 3))
    expected = {
        (one, two)
        for one in sets
        for two in sets
        if sum(max(one.count(x) - two.count(x), 0) for x in "abc") == 1
    }
    assert pairs == expected
