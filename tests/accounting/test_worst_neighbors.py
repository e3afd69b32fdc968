"""The search for the worst pair of neighbors, against all pairs of a small space."""

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from rdpacct import (
    FindingKind,
    InputError,
    Median,
    Norm,
    OrderStatistic,
    Relation,
    largest_move,
    worst_neighbors,
    worst_noise,
)
from rdpacct.testing.strategies import datasets
from rdpacct.testing.twins.replayed import REPLAYED_TWINS, ReplayedTwin
from tests.house.test_without_extras import BLOCKED, ROOT

VALUES = range(4)
LARGEST = 4
RELATIONS = tuple(Relation)
SMALL = st.lists(st.sampled_from(VALUES), min_size=1, max_size=LARGEST)


def variance(data: Any) -> Fraction:
    """The exact variance of a data set."""
    mean = Fraction(sum(data), len(data))
    return sum(((x - mean) ** 2 for x in data), Fraction(0)) / len(data)


QUERIES: dict[str, Callable[[Any], Any]] = {
    "sum": sum,
    "range": lambda data: max(data) - min(data),
    "median": lambda data: sorted(data)[len(data) // 2],
    "distinct": lambda data: len(set(data)),
    "variance": variance,
    "first": lambda data: data[0],
    "histogram": lambda data: [list(data).count(value) for value in VALUES],
}


def are_neighbors(first: Any, second: Any, relation: Relation) -> bool:
    """Whether the relation makes these data sets neighbors, by its definition."""
    if relation is not Relation.ADD_OR_REMOVE_ONE:
        pairs = [
            {a, b} for a, b in zip(first, second, strict=False) if a != b
        ]  # what the two data sets have in the places where they differ
        zeroed = relation is Relation.REPLACE_ONE or all(0 in pair for pair in pairs)
        return len(first) == len(second) and len(pairs) <= 1 and zeroed
    long, short = sorted((list(first), list(second)), key=len, reverse=True)
    return any(long[:i] + long[i + 1 :] == short for i in range(len(long)))


def all_pairs(relation: Relation) -> Iterator[tuple[list[int], list[int]]]:
    """All neighbors of the small space."""
    for size in range(1, LARGEST + 1):
        for row in product(VALUES, repeat=size):
            for place in range(size):
                rest = [*row[:place], *row[place + 1 :]]
                if relation is Relation.ADD_OR_REMOVE_ONE and rest:
                    yield list(row), rest
                if relation is Relation.ZERO_OUT:
                    yield list(row), [*row[:place], 0, *row[place + 1 :]]
                if relation is Relation.REPLACE_ONE:
                    for value in VALUES:
                        yield list(row), [*row[:place], value, *row[place + 1 :]]


def moved(query: Callable[[Any], Any], first: Any, second: Any) -> Fraction:
    """The move of a query in L1, by its definition."""
    before, after = (np.ravel(query(data)).tolist() for data in (first, second))
    pairs = zip(before, after, strict=True)
    return sum((abs(Fraction(a) - Fraction(b)) for a, b in pairs), Fraction(0))


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
@pytest.mark.parametrize("name", QUERIES)
def test_the_search_finds_what_enumeration_finds(name: str, relation: Relation) -> None:
    """On a space of some thousand pairs, whose worst it reaches within three hundred steps."""
    query = QUERIES[name]
    worst = max(moved(query, *pair) for pair in all_pairs(relation))
    found = largest_move(query, SMALL, relation, steps=300, null=0)
    assert found.length.lower == worst
    assert are_neighbors(found.pair.first, found.pair.second, relation)
    assert moved(query, found.pair.first, found.pair.second) == worst
    assert found.pair.steps <= 601


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
def test_every_scored_pair_is_one_of_neighbors_that_were_allowed(
    relation: Relation,
) -> None:
    """Of drawn records, of drawn sizes, and allowed by the user."""
    seen = list[tuple[Any, Any]]()

    def score(first: Any, second: Any) -> int:
        seen.append((first, second))
        return int(sum(first) - sum(second))

    def allowed(data: Any) -> bool:
        return 3 not in data

    data = st.lists(st.sampled_from((0, 1, 3, 7)), min_size=2, max_size=5)
    worst_neighbors(score, data, relation, allowed=allowed, steps=200, null=0)
    assert len(seen) > 150
    for pair in seen:
        assert are_neighbors(*pair, relation)
        assert all(map(allowed, pair))
        assert all(1 <= len(row) <= 5 for row in pair)
    free = {x for pair in seen for row in pair for x in row}
    seen.clear()
    worst_neighbors(score, data, relation, steps=200, null=0)
    assert {x for pair in seen for row in pair for x in row} == {0, 1, 3, 7}
    assert free >= {0, 1, 7}


def test_the_pair_is_small_in_the_end() -> None:
    """One record, and the simplest that is as bad."""
    data = st.lists(st.integers(-1000, 1000), max_size=10)

    def far(first: Any, second: Any) -> bool:
        return bool(abs(sum(first) - sum(second)) > 7)

    pair = worst_neighbors(far, data, "add_or_remove_one", allowed=lambda _: True)
    assert pair.second == []
    assert pair.score is True
    [record] = pair.first
    assert 7 < abs(record) < 10


def test_rows_of_an_array_are_records() -> None:
    """Data sets are arrays of the kind that was drawn."""

    def draw(rng: random.Random) -> Any:
        return np.array([[rng.randint(0, 3), rng.randint(0, 3)] for _ in range(3)])

    def query(data: Any) -> Any:
        assert data.shape in {(3, 2), (2, 2)}
        return data.sum(axis=0)

    found = largest_move(query, draw, Relation.REPLACE_ONE, norm=Norm.L2, steps=300)
    assert found.length.lower <= Fraction("4.2426406872")  # 3 sqrt(2)
    assert found.length.lower >= Fraction("4.2426406871")
    assert found.length.upper == float("inf")
    assert isinstance(found.pair.first, np.ndarray)


@pytest.mark.parametrize("norm", list(Norm), ids=str)
def test_a_move_is_measured_in_its_norm(norm: Norm) -> None:
    """A replaced record moves two counts by one each."""
    lengths = {Norm.L1: 2, Norm.LINF: 1}
    found = largest_move(QUERIES["histogram"], SMALL, "replace_one", norm=norm)
    if norm is Norm.L2:
        assert Fraction(found.length.lower) ** 2 <= 2
        assert Fraction(found.length.lower + Fraction(1, 10**9)) ** 2 > 2
    else:
        assert found.length.lower == lengths[norm]


@pytest.mark.parametrize(
    "query", [Median(0, 3), OrderStatistic(2, 0, 3)], ids=lambda query: str(query)
)
def test_no_move_is_beyond_the_bound_of_a_query_of_the_package(query: Any) -> None:
    """The search attains the global bound, and never exceeds it."""
    data = st.lists(st.sampled_from(VALUES), min_size=3, max_size=3)
    found = largest_move(query.value, data, "replace_one", steps=300)
    assert found.length.lower == query.global_bound() == 3


def test_the_same_seed_finds_the_same_pair_in_every_process() -> None:
    """Whatever the seed of hashes is, and whatever constants are in modules that are loaded."""
    program = (
        "from hypothesis import strategies as st; from rdpacct import largest_move;"
        "f = largest_move(lambda d: len(set(d)) * max(d, default=0),"
        " st.lists(st.integers(0, 50)), 'replace_one', steps=150, seed=3);"
        "print(f.pair.first, f.pair.second, f.pair.steps, f.length.lower)"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", more + program],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": hashes},
            cwd=ROOT,
        ).stdout
        for hashes, more in (("1", ""), ("2", "import tests.references, tests.grids;"))
    ]
    assert said[0] == said[1] != ""


def test_a_single_bad_record_is_found() -> None:
    """Of a thousand drawn records, one that is treated otherwise than its neighbors in size."""

    def query(data: Any) -> int:
        return sum(5000 if x == 777 else x for x in data)

    def draw(rng: random.Random) -> list[int]:
        return [rng.randrange(1000) for _ in range(9)]

    found = largest_move(query, draw, "replace_one", steps=4000)
    assert found.length.lower == 5000 - min(*found.pair.first, *found.pair.second)
    assert 777 in (*found.pair.first, *found.pair.second)


def drawn_from(twin: ReplayedTwin) -> Any:
    """Data sets of the records of a pair, and of some others of their kind."""
    more = {"sum without clipping": 11.0, "raw local sensitivity": 100}
    records = [*twin.x, *twin.x_neighbor, more.get(twin.name, twin.x[0])]
    if twin.name == "raw local sensitivity":
        return datasets(st.sampled_from(records), min_size=5, max_size=5)
    return datasets(st.sampled_from(records), min_size=2, max_size=5)


@pytest.mark.parametrize("twin", REPLAYED_TWINS, ids=lambda twin: twin.name)
def test_broken_code_is_found_without_being_shown_a_pair(twin: ReplayedTwin) -> None:
    """From a strategy alone; the right version passes on the worst pair that is found."""
    replaced = len(twin.x) == len(twin.x_neighbor)
    relation = Relation.REPLACE_ONE if replaced else Relation.ADD_OR_REMOVE_ONE
    options: dict[str, Any] = {"steps": 40, "claim": twin.claim, "runs": 2}
    declared = twin.broken_sensitivity or twin.sensitivity
    found = worst_noise(
        lambda data, rng: twin.broken(list(data), rng),
        drawn_from(twin),
        relation,
        sensitivity=declared,
        **options,
    )
    assert twin.finds in found.verdict.kinds
    right = worst_noise(
        lambda data, rng: twin.right(list(data), rng),
        drawn_from(twin),
        relation,
        sensitivity=twin.sensitivity,
        **options,
    )
    assert right.verdict.findings == ()
    assert str(right).splitlines()[-1].startswith("  on (")


def test_a_rare_violation_is_climbed_to() -> None:
    """While nothing is found, pairs that move further are tried more."""

    def code(data: Any, rng: Any) -> Any:
        return list(data).count(10) ** 2 + rng.laplace(scale=7.0)

    data = st.lists(st.integers(0, 10), max_size=6)
    found = worst_noise(code, data, "add_or_remove_one", sensitivity=7, steps=500)
    assert found.verdict.kinds == {FindingKind.SENSITIVITY}
    [finding] = found.verdict.findings
    assert finding.measured is not None
    assert finding.measured.lower == 11


def test_what_fails_is_counted_and_not_hidden() -> None:
    """Pairs without a score are said; if there are no others, the reason is."""

    def mean(data: Any) -> float:
        return float(sum(data) / len(data))

    data = st.lists(st.integers(0, 9), max_size=3)
    found = largest_move(mean, data, "add_or_remove_one", steps=200)
    assert found.pair.refused > 0
    assert "had no score" in str(found.pair)
    with pytest.raises(InputError, match="ZeroDivisionError"):
        largest_move(lambda _: 1 // 0, data, "replace_one", steps=20)
    with pytest.raises(InputError, match="the score gave None"):
        worst_neighbors(lambda *_: None, data, "replace_one", steps=20)


def test_a_move_to_infinity_is_the_largest() -> None:
    """A sum that overflows has no finite sensitivity."""
    data = st.lists(st.sampled_from([1.0, 1e308]), max_size=4)
    found = largest_move(sum, data, "add_or_remove_one")
    assert found.length.lower == found.length.upper == float("inf")
    assert sum(found.pair.first) in (float("inf"), 1e308)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"score": 3}, "give a function of two data sets"),
        ({"data": [1, 2]}, "give a strategy of hypothesis"),
        ({"data": lambda _: "text"}, "give sequences of records"),
        ({"data": lambda _: []}, "no data set with a record"),
        ({"relation": "group"}, "is not known"),
        ({"relation": "zero_out"}, "say which it is"),
        ({"steps": 0}, "whole number from 1"),
        ({"seed": -1}, "the seed is -1"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(
    arguments: dict[str, Any], words: str
) -> None:
    """The value, the reason and the remedy."""
    given = {
        "score": lambda *_: 0,
        "data": SMALL,
        "relation": "replace_one",
        **arguments,
    }
    with pytest.raises(InputError, match=words):
        worst_neighbors(**given)


def test_a_norm_is_one_of_three() -> None:
    """A text is none."""
    named: Any = "L1"
    with pytest.raises(InputError, match="give one of Norm"):
        largest_move(sum, SMALL, "replace_one", norm=named)


def test_a_function_is_enough_without_hypothesis() -> None:
    """A strategy needs the package, and the sentence says so."""
    program = """
sys.modules["hypothesis"] = None
from rdpacct import NotInstalledError, largest_move
found = largest_move(sum, lambda rng: [rng.randrange(9) for _ in range(3)], "replace_one")
print(found.length.lower)
class Strategy:
    example = filter = None
try:
    largest_move(sum, Strategy(), "replace_one")
except NotInstalledError as error:
    print(error.needs, error)
"""
    ran = subprocess.run(
        [sys.executable, "-c", BLOCKED + program],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    sentence = (
        "a strategy is drawn from by hypothesis, which is not installed; install"
        " rdpacct[test], or give a function from random.Random to a data set."
    )
    assert ran.stdout.splitlines() == ["8", f"hypothesis {sentence}"]
