"""Local, smooth and global sensitivity: the fast algorithms against the definitions, on all small
data sets.
"""

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from operator import itemgetter
from typing import Any

import numpy as np
import pytest

from rdpacct import InputError, Relation
from rdpacct.sensitivity import (
    DistanceOracle,
    FiniteQuery,
    Median,
    OnGrid,
    OrderStatistic,
    Quantile,
    TrimmedMean,
)
from tests.counting import counted_calls


def enclosed(bound: Any, exact: Any) -> bool:
    narrow = bound.upper <= bound.lower * (1 + Fraction(1, 10**8))
    return bool(narrow and bound.lower <= exact <= bound.upper)


@pytest.mark.parametrize("seed", range(10))
def test_order_statistics_equal_the_exhaustive_definition(seed: int) -> None:
    """A thousand random data sets each, up to 6 records of up to 4 values: local within a distance,
    and smooth.
    """
    rng = random.Random(seed)
    tried = 0
    while tried < 1000:
        size = rng.randint(1, 6)
        values = sorted(rng.sample(range(12), rng.randint(2, 4)))
        rank = rng.randint(1, size)
        beta = Fraction(rng.randint(1, 300), 100)
        fast = OrderStatistic(rank, values[0], values[-1])
        slow = FiniteQuery.of_multisets(itemgetter(rank - 1), values, size)
        steps: dict[Any, Any] = {**slow.steps}
        for data in rng.sample(sorted(steps), min(50, len(steps))):
            distance = tried % (size + 2)
            assert fast.local_within(data, distance) == slow.local_within(
                data, distance
            )
            bound = fast.smooth(rng.sample(data, size), beta).value.for_study()
            reference = slow.smooth(data, beta).value.for_study()
            assert reference.relative_width < 1e-18
            assert enclosed(bound, reference.lower)
            tried += 1


def test_definition_and_distances_agree_in_exact_rationals() -> None:
    """smooth/efficient, with exp(-beta) a rational number: the maximum over data sets is that over
    distances.
    """
    query = FiniteQuery.of_rows(lambda row: sum(row) * row[0], (0, 1, 3), 3)
    for data in query.steps:
        for decay in (Fraction(1, 3), Fraction(9, 10)):
            terms = [
                decay**k * query.local_within(data, k)
                for k in range(query.farthest(data) + 1)
            ]
            assert max(terms) == query.smooth_by_definition(data, decay)


@pytest.mark.parametrize(
    "make",
    [
        np.sort,
        lambda x: np.full_like(x, 0.25),
        lambda x: np.round(x, 1),
        lambda x: x**9,
    ],
)
def test_larger_data_against_all_pairs(make: Callable[..., Any]) -> None:
    """The search in halves finds the best of all pairs, on spread, equal, tied and skewed
    records.
    """
    rng = np.random.default_rng(5)
    data = make(rng.random(301))
    row = np.concatenate(([0.0], np.sort(data), [1.0]))
    for rank in (1, 40, 151, 301):
        for beta in (Fraction(1, 50), Fraction(1)):
            bound = OrderStatistic(rank, 0, 1).smooth(data, beta).value.for_study()
            i = np.arange(rank + 1)[:, None]
            j = np.arange(rank, 303)[None, :]
            pairs = np.where(
                j > i, (row[j] - row[i]) * np.exp(-float(beta) * (j - i - 1)), 0
            )
            assert float(bound.lower) == pytest.approx(pairs.max(), rel=1e-9)


@pytest.mark.parametrize(
    "make", [lambda x: x, lambda x: np.exp(-700 * x), lambda x: np.round(x, 2)]
)
def test_a_hundred_thousand_records_take_few_steps(make: Callable[..., Any]) -> None:
    """Each step is over an array of at most all records, so that they take far below a second."""
    data = make(np.random.default_rng(2).random(100_001))
    with counted_calls() as steps:
        found = Median(0, 1).smooth(data, "0.01")
    assert steps.number < 5000
    assert found.value.for_study().relative_width < 1e-9


def test_gaps_are_exact() -> None:
    """The largest gap is a difference of doubles that is no double: 1 - 2**-60, and not 1."""
    query = OrderStatistic(2, 0, 1)
    assert query.local_within([2.0**-60, 2.0**-60, 1.0], 0) == 1 - Fraction(1, 2**60)
    assert query.local_within([2.0**-60, 2.0**-60, 1.0], 10) == 1
    rng = random.Random(4)
    for _ in range(200):
        data = sorted(rng.random() ** rng.randint(1, 60) for _ in range(7))
        row = [Fraction(0), *map(Fraction, data), Fraction(1)]
        rank = rng.randint(1, 7)
        k = rng.randint(0, 8)
        pairs = [(max(rank + t - k - 1, 0), min(rank + t, 8)) for t in range(k + 2)]
        assert OrderStatistic(rank, 0, 1).local_within(data, k) == max(
            row[j] - row[i] for i, j in pairs
        )


def test_queries_on_a_grid() -> None:
    """Steps of a quarter: the value is the nearest, and moves by as many steps as the query,
    rounded up.
    """
    query = OnGrid(Median(0, 1), "1/4")
    assert query.value([0.2, 0.4, 0.9]) == 2
    assert query.local([0.2, 0.4, 0.9]).value.for_study() == 2
    assert query.global_bound() == 4
    assert query.whole()
    assert not Median(0, 1).whole()
    assert FiniteQuery.of_rows(sum, (0, 1), 2).whole()
    assert not FiniteQuery.of_rows(lambda row: Fraction(sum(row), 2), (0, 1), 2).whole()


def test_a_query_that_never_moves_has_smooth_sensitivity_0() -> None:
    bound = FiniteQuery.of_rows(len, (0, 1), 3).smooth((0, 0, 1), 1).value.for_study()
    assert bound.lower == bound.upper == 0


def test_neighbors_have_smooth_scales() -> None:
    """The scale that is used, not only the exact one, moves by at most its smoothness between
    neighbors.
    """
    values = (0, 1, 5)
    size = 5
    query = Median(0, 5)
    space = FiniteQuery.of_multisets(lambda data: data[2], values, size)
    scales = {data: query.smooth(data, Fraction(1, 3)) for data in space.steps}
    steps: dict[Any, Any] = {**space.steps}
    for data, near in steps.items():
        here = scales[data]
        for other in near:
            ratio = here.scale().for_study() / scales[other].scale().for_study()
            assert float(np.log(float(ratio))) <= float(here.smoothness) + 1e-15
            assert abs(data[2] - other[2]) <= here.scale().for_study()


def triangles(edges: Any) -> Any:
    found = set(edges)
    nodes = {node for edge in found for node in edge}
    return sum(
        {(a, b), (a, c), (b, c)} <= found for a, b, c in combinations(sorted(nodes), 3)
    )


def triangles_within(nodes: Any) -> Any:
    """Nissim, Raskhodnikova and Smith: both ends of a pair have a common neighbors and b that are a
    neighbor of one.
    """

    def within(edges: Any, distance: Any) -> Any:
        best = 0
        for one, two in combinations(range(nodes), 2):
            near = [
                {x for edge in edges if node in edge for x in edge} - {one, two}
                for node in (one, two)
            ]
            both = len(near[0] & near[1])
            single = len(near[0] ^ near[1])
            best = max(
                best, min(both + (distance + min(distance, single)) // 2, nodes - 2)
            )
        return best

    return within


@pytest.mark.parametrize("nodes", [3, 4])
def test_triangles_by_a_distance_oracle(nodes: int) -> None:
    """Graphs whose neighbors differ in one edge: the oracle agrees with the search over all
    graphs.
    """
    pairs = list(combinations(range(nodes), 2))
    graphs = [
        frozenset(chosen)
        for size in range(len(pairs) + 1)
        for chosen in combinations(pairs, size)
    ]
    slow = FiniteQuery.of(
        triangles, graphs, lambda graph: [graph ^ {pair} for pair in pairs]
    )
    fast = DistanceOracle(
        triangles, triangles_within(nodes), lambda _: len(pairs), nodes - 2
    )
    for graph in graphs:
        for distance in range(len(pairs) + 1):
            assert fast.local_within(graph, distance) == slow.local_within(
                graph, distance
            )
        one, two = (
            query.smooth(graph, Fraction(1, 4)).value.for_study()
            for query in (fast, slow)
        )
        assert one.overlaps(two)
        assert one.relative_width < 1e-18


def test_sensitivities_carry_their_relation_and_do_not_print() -> None:
    data = [0.1, 0.2, 0.9]
    query = Median(0, 1)
    assert query.local(data).relation is Relation.REPLACE_ONE
    assert "not publishable" in str(query.local(data).value)
    assert "0.7" not in str(query.smooth(data, 0.1))
    assert query.local(data).value.for_study() == Fraction(0.9) - Fraction(0.2)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: Median(0, 1).smooth([0.5, float("nan"), 0.2], 0.1), "not finite"),
        (lambda: Median(0, 1).smooth([], 0.1), "empty"),
        (lambda: Median(0, 1).value([0.1, 0.2]), "even number"),
        (lambda: Median(0, 1).value([0.1, 1.2, 0.2]), "above the declared"),
        (lambda: Median(1, 0), "range"),
        (lambda: Median(0, float("inf")), "range"),
        (lambda: Median(0, 1).smooth([0.5], 0), "beta is 0"),
        (lambda: Median(0, 1).smooth([0.5], -1), "beta is -1"),
        (lambda: Median(0, 1).smooth([0.5], "nan"), "beta"),
        (lambda: Median(0, 1).smooth([0.5], Fraction(1, 10**12)), "out of reach"),
        (lambda: OrderStatistic(3, 0, 1).value([0.5]), "rank is 3"),
        (lambda: OrderStatistic(0, 0, 1).value([0.5]), "rank is 0"),
        (lambda: Quantile(1, 0, 1), "level is 1"),
        (lambda: FiniteQuery.of_rows(sum, range(50), 6), "more than"),
    ],
)
def test_bad_input(ask: Callable[..., Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        ask()


def test_one_record() -> None:
    """The median of one record can be moved to either end of the range."""
    assert Median(0, 10).local([3]).value.for_study() == 7
    assert enclosed(Median(0, 10).smooth([3], 1).value.for_study(), Fraction(7))
    assert Quantile(Fraction(9, 10), 0, 1).value(np.arange(11) / 10) == pytest.approx(
        0.9
    )


def test_ends_beyond_64_bits_are_doubles() -> None:
    for query in (Median(0, 2**80), TrimmedMean(0, 0, 2**80)):
        value = query.smooth([2.0**70], 1).value.for_study()
        assert value.lower <= 2**80 - 2**70 <= value.upper
