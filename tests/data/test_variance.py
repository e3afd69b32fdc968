"""The variance: its sensitivity at each distance against the definition, on all small data sets."""

import random
import statistics
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import pytest

from rdpacct import FiniteQuery, InputError, SmoothGaussian, SmoothRelease, Variance

Data = tuple[int, ...]


def moves(query: Variance, data: Data, values: list[int]) -> Fraction:
    """The largest move from a data set: each record to each value, or to the mean of the others."""
    most = Fraction(0)
    for number in range(len(data)):
        others = [Fraction(one) for one in data[:number] + data[number + 1 :]]
        here = variance([*others, Fraction(data[number])])
        mean = sum(others, Fraction(0)) / len(others)
        for to in (*map(Fraction, values), mean):
            most = max(most, abs(variance([*others, to]) - here))
    assert most <= query.local_within(data, 0)
    return most


def variance(row: list[Fraction]) -> Fraction:
    """By the definition, from the mean."""
    mean = sum(row, Fraction(0)) / len(row)
    return sum(((one - mean) ** 2 for one in row), Fraction(0)) / len(row)


def apart(one: Data, two: Data) -> int:
    """How many records differ."""
    return (Counter(one) - Counter(two)).total()


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 8))]
)
def test_it_equals_the_exhaustive_definition(seed: int) -> None:
    """All data sets of up to 5 records of a few values, which include both ends: the best one
    within a distance has its other records at kept ones or at an end.
    """
    rng = random.Random(seed)
    for size in (2, 3, 5):
        values = sorted(rng.sample(range(12), 3))
        query = Variance(values[0], values[-1])
        sets = list(combinations_with_replacement(values, size))
        alone = {data: moves(query, data, values) for data in sets}
        for data in rng.sample(sets, min(len(sets), 8)):
            for distance in range(size + 2):
                near = [one for one in sets if apart(one, data) <= distance]
                exact = max(alone[one] for one in near)
                assert query.local_within(data, distance) == exact


def test_a_kept_record_must_leave_the_others() -> None:
    """With the mean of all records in place of that of the others, the answer is too small."""
    query = Variance(0, 1)
    data = (0, 0, 1)
    exact = moves(query, data, [0, 1])
    assert exact == query.local_within(data, 0) == Fraction(2, 9)
    mean = Fraction(1, 3)
    wrong = max((1 - mean) ** 2 - (one - mean) ** 2 for one in map(Fraction, data))
    assert Fraction(2, 9) * wrong < exact


def test_the_smooth_sensitivity_is_that_of_all_distances() -> None:
    values = [0, 3, 4, 9]
    query = Variance(0, 9)
    slow = FiniteQuery.of_multisets(query.value, values, 4)
    for data in list(slow.steps)[::7]:
        found = query.smooth(data, "0.3").value.for_study()
        wanted = max(
            2.718281828459045 ** (-0.3 * distance)
            * float(query.local_within(data, distance))
            for distance in range(5)
        )
        assert float(found.upper) == pytest.approx(wanted)
        assert found.upper >= slow.smooth(data, "0.3").value.for_study().lower


def test_the_smooth_sensitivity_changes_slowly() -> None:
    """Between neighbors by a factor of at most exp(beta), rounding included."""
    rng = random.Random(9)
    query = Variance(0, 1)
    for _ in range(20):
        data = [rng.random() ** 3 for _ in range(31)]
        other = [*data[:-1], rng.random()]
        one, two = (query.smooth(each, "0.2") for each in (data, other))
        low, high = sorted(float(each.scale().for_study()) for each in (one, two))
        assert high <= low * 2.718281828459045 ** float(one.smoothness)
        moved = abs(query.value(data) - query.value(other))
        assert moved <= one.scale().for_study()


def test_many_records() -> None:
    rng = random.Random(2)
    data = [rng.betavariate(2, 5) for _ in range(100_000)]
    query = Variance(0, 1)
    assert float(query.value(data)) == pytest.approx(statistics.pvariance(data))
    found = query.smooth(data, "0.05").value.for_study()
    assert found.relative_width < 1e-15
    assert found.upper < query.local_within(data, 100_000)


def test_a_release_with_smooth_noise() -> None:
    release = SmoothRelease.calibrated(Variance(0, 1), 1, "1e-6", SmoothGaussian)
    assert "ApproxDP" in str(release.guarantee())


@pytest.mark.parametrize(
    ("made", "word"),
    [
        (lambda: Variance(1, 0), "the range"),
        (lambda: Variance(0, float("inf")), "the range"),
        (lambda: Variance(0, 1).value([0.5]), "at least two"),
        (lambda: Variance(0, 1).value([0, 2]), "range"),
        (lambda: Variance(0, 1).smooth([0, 1], 0), "beta is 0"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(made: Any, word: str) -> None:
    with pytest.raises(InputError, match=word):
        made()
