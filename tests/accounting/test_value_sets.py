"""Sets of values and of vectors as events: found where single values are rare, counted on other
outputs than those that chose them, and not looked for in continuous outputs.
"""

from typing import Any

import numpy as np
import pytest

from rdpacct import audit_code
from rdpacct.auditing.running.output_events import SomeRows, SomeValues
from rdpacct.auditing.running.outputs import OutputKind, Outputs
from rdpacct.auditing.running.scores import Projection, TheNumber, row_codes
from rdpacct.auditing.running.value_sets import value_sets

VALUES = 500


def even(data: int, rng: Any, size: int) -> Any:
    """One of 1000 numbers, even ones on 0 and odd ones on 1, four times in five."""
    swapped = rng.random(size) < 0.2
    return 2 * rng.integers(0, VALUES, size=size) + np.where(swapped, 1 - data, data)


def masked(data: int, rng: Any, size: int) -> Any:
    """Three bits, any two of them fair: their sum modulo 2 is the data four times in five."""
    one, two = rng.integers(0, 2, size=(2, size))
    told = np.where(rng.random(size) < 0.2, 1 - data, data)
    return np.column_stack([one, two, one ^ two ^ told])


def found(first: Any, second: Any) -> list[Any]:
    """The sets for two lists of numbers."""
    return list(value_sets(np, TheNumber(), (first, second)))


def test_parity_is_refuted_by_sets_alone() -> None:
    """Every value is rare and every threshold is useless, but the odds are 4, not exp(1)."""
    verdict = audit_code(even, 0, 1, "PureDP(epsilon=1)", trials=40_000)
    assert verdict.fails
    assert "one of" in str(verdict.witness)
    assert audit_code(even, 0, 1, "PureDP(epsilon=1.4)", trials=40_000).undecided


def test_bits_that_only_together_tell_are_refuted_by_rows() -> None:
    """No coordinate and no linear function shows more than the other input does."""
    verdict = audit_code(masked, 0, 1, "PureDP(epsilon=1)", trials=5000)
    assert verdict.fails
    assert str(verdict.witness).startswith("an output is one of [")
    assert audit_code(masked, 0, 1, "PureDP(epsilon=1.4)", trials=5000).undecided


def test_hits_are_those_of_outputs_that_chose_nothing() -> None:
    """On equal laws a set chosen for its odds has none on the other half."""
    rng = np.random.default_rng(4)
    first, second = rng.integers(0, 1000, size=(2, 10_000)).astype(float)
    events = found(first, second)
    assert len(events) >= 4
    for event, one, two in events:
        half = len(first) // 2
        assert abs(one - two) < 6 * np.sqrt(max(one, two)) + 6
        assert one == 2 * np.isin(first[half:], list(event.values)).sum()


def test_the_likelier_values_are_chosen() -> None:
    """Even ones for the one input, odd ones for the other."""
    rng = np.random.default_rng(4)
    events = found(
        even(0, rng, 50_000).astype(float), even(1, rng, 50_000).astype(float)
    )
    for (event, one, two), parity in ((events[0], 0), (events[4], 1)):
        assert {value % 2 for value in event.values} == {parity}
        assert max(one, two) > 3 * min(one, two)


@pytest.mark.parametrize("size", [0, 1, 3, 1000])
def test_continuous_outputs_have_no_sets(size: int) -> None:
    """Nor have very few outputs, or outputs that are all the same."""
    rng = np.random.default_rng(4)
    assert found(rng.normal(size=size), rng.normal(size=size)) == []
    assert found(np.zeros(size), np.zeros(size)) == []


def test_the_event_in_words() -> None:
    """The first values, and how many there are."""
    event = SomeValues(TheNumber(), frozenset(map(float, range(9))))
    assert str(event) == (
        "an output is one of 0.0, 1.0, 2.0, 3.0, 4.0, 5.0 and 3 others"
    )
    assert list(event.among(np.array([3.0, 9.5]))) == [True, False]


def test_a_code_stands_for_its_row() -> None:
    """Equal rows have equal codes, in any company; no two others of 50,000 have."""
    rng = np.random.default_rng(8)
    rows = rng.integers(-3, 4, size=(50_000, 12)).astype(float)
    codes = row_codes(rows)
    assert len(np.unique(codes)) == len(np.unique(rows, axis=0))
    assert (row_codes(rows[7:9]) == codes[7:9]).all()
    assert row_codes(np.array([[0.0, 1.0]])) == row_codes(np.array([[-0.0, 1.0]]))
    assert row_codes(np.array([[0.0, 1.0]])) != row_codes(np.array([[1.0, 0.0]]))
    neighbors = np.nextafter(rows[:1000, :1], np.inf)
    assert (row_codes(neighbors) != row_codes(rows[:1000, :1])).all()


@pytest.mark.parametrize("length", [2, 3, 8, 16, 33])
def test_a_linear_function_depends_on_the_row_alone(length: int) -> None:
    """Not on how many rows there are, nor on where it stands, nor on the order in memory."""
    rng = np.random.default_rng(length)
    score = Projection(tuple(rng.normal(size=length)))
    row = rng.normal(size=length)
    seen = set()
    for count in (1, 2, 3, 5, 17, 1000):
        rows = np.tile(row, (count, 1))
        for given in (rows, np.asfortranarray(rows)):
            seen |= set(score.of(Outputs(OutputKind.VECTOR, given, length)).tolist())
    assert len(seen) == 1


def test_an_event_of_rows_in_words() -> None:
    """One row or several."""
    event = SomeRows(frozenset([(0.0, 1.0), (1.0, 0.0)]))
    assert str(event) == "an output is one of [0.0, 1.0], [1.0, 0.0]"
    assert str(SomeRows(frozenset([(2.0,)]))) == "an output is [2.0]"
    given = row_codes(np.array([[1.0, 0.0], [1.0, 1.0]]))
    assert list(event.among(given)) == [True, False]
