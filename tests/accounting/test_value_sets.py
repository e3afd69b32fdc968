"""Sets of values as events: found where single values are rare, counted on other outputs than
those that chose them, and not looked for in continuous outputs.
"""

from typing import Any

import numpy as np
import pytest

from rdpacct import audit_code
from rdpacct.auditing.running.events import SomeValues
from rdpacct.auditing.running.scores import TheNumber
from rdpacct.auditing.running.value_sets import value_sets

VALUES = 500


def even(data: int, rng: Any, size: int) -> Any:
    """One of 1000 numbers, even ones on 0 and odd ones on 1, four times in five."""
    swapped = rng.random(size) < 0.2
    return 2 * rng.integers(0, VALUES, size=size) + np.where(swapped, 1 - data, data)


def found(first: Any, second: Any) -> list[Any]:
    """The sets for two lists of numbers."""
    return list(value_sets(np, TheNumber(), (first, second)))


def test_parity_is_refuted_by_sets_alone() -> None:
    """Every value is rare and every threshold is useless, but the odds are 4, not exp(1)."""
    verdict = audit_code(even, 0, 1, "PureDP(epsilon=1)", trials=40_000)
    assert verdict.fails
    assert "one of" in str(verdict.witness)
    assert audit_code(even, 0, 1, "PureDP(epsilon=1.4)", trials=40_000).undecided


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
