"""Queries with a smooth sensitivity, given what is no data, no range and no distance: each is
refused in a sentence.
"""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rdpacct import InputError, Median, Quantile, Triangles, TrimmedMean, Variance
from rdpacct.sensitivity import Query

KINDS: list[Any] = [
    Variance,
    Median,
    lambda low, high: TrimmedMean(0, low, high),
    lambda low, high: Quantile("0.25", low, high),
]
NAMES = ["variance", "median", "trimmed", "quantile"]
QUERIES: list[tuple[Query, Any]] = [
    *((kind(0, 1), [0.5, 0, 1]) for kind in KINDS),
    (Triangles(4), [(0, 1), (1, 2)]),
]
RANGES: list[tuple[Any, Any]] = [
    ("0", "1"),
    (None, None),
    (0, float("nan")),
    (0, 10**400),
    (Fraction(1, 3), 1),
    (0, 1j),
    ([0], [1]),
    (1, 1),
]
DATA: list[Any] = [None, 5, "ab", [None], [10**400, 1], [float("nan"), 0, 1], [1j], []]


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
@pytest.mark.parametrize("ends", RANGES, ids=lambda ends: str(ends)[:20])
def test_ends_that_are_no_range(kind: Any, ends: tuple[Any, Any]) -> None:
    with pytest.raises(InputError, match="the range"):
        kind(*ends)


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
def test_whole_numbers_of_numpy_are_ends(kind: Any) -> None:
    data = [0.25, 0.5, 1.0]
    ends = np.int64(0), np.float64(1)
    assert kind(*ends).local_within(data, 1) == kind(0, 1).local_within(data, 1)


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
@pytest.mark.parametrize("data", DATA, ids=lambda data: str(data)[:20])
def test_what_is_no_data(kind: Any, data: Any) -> None:
    for asked in (kind(0, 1).value, lambda one: kind(0, 1).smooth(one, 1)):
        with pytest.raises(InputError):
            asked(data)


@pytest.mark.parametrize("data", [None, 5, [(0, 10**400)], ["a"]])
def test_what_is_no_graph(data: Any) -> None:
    with pytest.raises(InputError, match="edge"):
        Triangles(4).smooth(data, 1)


@pytest.mark.parametrize(("query", "data"), QUERIES)
@pytest.mark.parametrize("distance", [-1, 1.5, "x", None, float("nan")])
def test_what_is_no_distance(query: Query, data: Any, distance: Any) -> None:
    with pytest.raises(InputError, match="the distance"):
        query.local_within(data, distance)


@pytest.mark.parametrize(("query", "data"), QUERIES)
def test_far_distances_are_all_data(query: Query, data: Any) -> None:
    most = query.local_within(data, query.farthest(data))
    assert query.local_within(data, 10**12) == most
