"""Trimmed means: the fast smooth sensitivity against the definition, on all small data sets."""

import random
import statistics
import warnings
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import FiniteQuery, InputError, Median, SmoothRelease, TrimmedMean
from rdpacct.mechanisms import StudyOnlyWarning
from rdpacct.mechanisms.smooth.smooth_student import SmoothStudent


def by_definition(query: TrimmedMean, values: list[int], size: int) -> FiniteQuery:
    """The same query on all multisets of these values."""
    return FiniteQuery.of_multisets(query.value, values, size)


@pytest.mark.parametrize("seed", range(3))
def test_it_equals_the_exhaustive_definition(seed: int) -> None:
    """Random data of up to 6 records of up to 4 values: local at each distance, and smooth."""
    rng = random.Random(seed)
    for _ in range(12):
        size = rng.randint(1, 6)
        values = sorted(rng.sample(range(12), rng.randint(2, 4)))
        fast = TrimmedMean(rng.randint(0, (size - 1) // 2), values[0], values[-1])
        slow = by_definition(fast, values, size)
        beta = Fraction(rng.randint(1, 300), 100)
        steps: list[Any] = sorted(slow.steps)
        for data in rng.sample(steps, min(12, len(steps))):
            for distance in range(size + 2):
                exact = slow.local_within(data, distance)
                assert fast.local_within(data, distance) == exact
            found = fast.smooth(rng.sample(data, size), beta).value.for_study()
            reference = slow.smooth(data, beta).value.for_study()
            assert found.overlaps(reference)
            assert found.relative_width < 1e-8


def test_a_wrong_rank_would_be_seen() -> None:
    """With the ends one rank nearer, as for an order statistic, the answer is too small."""
    query = TrimmedMean(1, 0, 10)
    data = (0, 2, 3, 7, 10)
    row = sorted(data)
    exact = by_definition(query, [0, 2, 3, 7, 10], 5).local_within(data, 0)
    assert exact == query.local_within(data, 0) == Fraction(8, 3)
    nearer = max(row[3] - row[1], row[2] - row[0])
    assert Fraction(nearer, 3) < exact


def test_all_but_the_middle_one_is_the_median() -> None:
    rng = random.Random(4)
    for size in (1, 5, 21):
        data = [rng.randint(0, 100) for _ in range(size)]
        trimmed = TrimmedMean((size - 1) // 2, 0, 100)
        median = Median(0, 100)
        assert trimmed.value(data) == median.value(data)
        for distance in (0, 1, 3, size):
            assert trimmed.local_within(data, distance) == median.local_within(
                data, distance
            )
        one, two = (q.smooth(data, "0.1").value.for_study() for q in (trimmed, median))
        assert one.overlaps(two)


def test_nothing_trimmed_is_the_mean() -> None:
    """Whose local sensitivity is the range beyond the nearer end, over the number of records."""
    query = TrimmedMean(0, 0, 10)
    data = [1, 4, 4, 9]
    assert query.value(data) == Fraction(18, 4)
    assert query.local_within(data, 0) == Fraction(9, 4)
    assert query.local_within(data, 1) == Fraction(10, 4)


def test_the_smooth_sensitivity_changes_slowly() -> None:
    """Between neighbors by a factor of at most exp(beta), rounding included."""
    rng = random.Random(9)
    query = TrimmedMean(5, 0, 1)
    for _ in range(20):
        data = [rng.random() ** 3 for _ in range(31)]
        other = [*data[:-1], rng.random()]
        one, two = (query.smooth(each, "0.2") for each in (data, other))
        low, high = sorted(float(each.scale().for_study()) for each in (one, two))
        assert high <= low * 2.718281828459045 ** float(one.smoothness)


def test_many_records_are_quick() -> None:
    """A hundred thousand records, against the largest over all distances of a slow loop."""
    rng = random.Random(2)
    data = [rng.betavariate(2, 5) for _ in range(100_000)]
    query = TrimmedMean(2_000, 0, 1)
    found = query.smooth(data, "0.05").value.for_study()
    kept = sorted(data)[2_000:-2_000]
    assert float(query.value(data)) == pytest.approx(statistics.fmean(kept))
    best = max(
        2.718281828459045 ** (-0.05 * distance)
        * float(query.local_within(data, distance))
        for distance in range(60)
    )
    assert best <= float(found.upper)
    assert best == pytest.approx(float(found.lower), rel=1e-6)


def test_a_release_with_student_noise() -> None:
    """PureDP for a trimmed mean, as in the paper."""

    def three(alpha: Any, beta: Any) -> SmoothStudent:
        return SmoothStudent(alpha, beta, 3)

    release = SmoothRelease.calibrated(TrimmedMean(50, 0, 1000), 1, 0, three)
    assert str(release.guarantee()) == "PureDP(epsilon=1)"
    rng = random.Random(3)
    data = [min(rng.lognormvariate(3, 1), 1000) for _ in range(2001)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StudyOnlyWarning)
        answers = [release.release(data, rng).value for _ in range(21)]
    assert abs(statistics.median(answers) - float(release.query.value(data))) < 1


def test_sums_are_exact() -> None:
    rng = random.Random(8)
    values = [rng.uniform(-1, 1) * 2.0 ** rng.randint(-40, 40) for _ in range(500)]
    values += [0.0, 5e-324, -1e300, 1e300]
    query = TrimmedMean(0, -1e301, 1e301)
    assert query.value(values) * len(values) == sum(map(Fraction, values))


@pytest.mark.parametrize(
    ("attempt", "why"),
    [
        (lambda: TrimmedMean(-1, 0, 1), "trim is -1"),
        (lambda: TrimmedMean(1.5, 0, 1), "trim is 1.5"),  # type: ignore[arg-type]
        (lambda: TrimmedMean(1, 1, 0), "the range"),
        (lambda: TrimmedMean(2, 0, 1).value([0, 1, 1, 0]), "4 records, of which 4"),
        (lambda: TrimmedMean(0, 0, 1).value([2]), "range"),
        (lambda: TrimmedMean(0, 0, 1).smooth([1], 0), "beta is 0"),
    ],
)
def test_bad_input_is_refused(attempt: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        attempt()
