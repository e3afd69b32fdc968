"""Data sets to start a search from: drawn by a strategy of hypothesis, or by a function of the
user.
"""

import importlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rdpacct.auditing.neighbors.drawn_by_hypothesis import drawn_by_hypothesis
from rdpacct.errors import InputError
from rdpacct.exact.cached import cached_property
from rdpacct.exact.number import shorten

DataSets: TypeAlias = Any
"""A strategy of hypothesis, or a function from ``random.Random`` to a data set."""


@dataclass(frozen=True)
class DrawnData:
    """Drawn data sets, as rows of records, and how a row becomes a data set again."""

    rows: tuple[tuple[Any, ...], ...]
    rebuild: Callable[[Sequence[Any]], Any]

    @cached_property
    def records(self) -> tuple[Any, ...]:
        """All records that were drawn, each once if it can be compared by its text."""
        named = {repr(record): record for row in self.rows for record in row}
        return tuple(named.values())

    @cached_property
    def largest(self) -> int:
        """The size of the largest data set."""
        return max(map(len, self.rows))

    @cached_property
    def smallest(self) -> int:
        """The size of the smallest data set."""
        return min(map(len, self.rows))


def drawn_data(data: DataSets, count: int, seed: int) -> DrawnData:
    """A number of data sets of a strategy or a function, the same ones for the same seed."""
    if hasattr(data, "example") and hasattr(data, "filter"):
        values = drawn_by_hypothesis(data, count, seed)
    elif callable(data):
        values = [data(random.Random(f"{seed} {index}")) for index in range(count)]
    else:
        raise InputError(
            f"the data sets are {shorten(repr(data))}; give a strategy of hypothesis,"
            " or a function from random.Random to a data set."
        )
    rows = tuple(_row(value) for value in values)
    if not any(rows):
        raise InputError(
            "no data set with a record was drawn; give a strategy or a function that"
            " draws some."
        )
    return DrawnData(rows, _rebuild_like(values[0]))


def _row(value: Any) -> tuple[Any, ...]:
    if isinstance(value, str | bytes | dict | set) or not hasattr(value, "__len__"):
        raise InputError(
            f"a data set is {shorten(repr(value))}; give sequences of records: lists,"
            " tuples or arrays."
        )
    return tuple(value)


def _rebuild_like(example: Any) -> Callable[[Sequence[Any]], Any]:
    """Rows as data sets of the kind that was drawn."""
    if isinstance(example, tuple):
        return tuple
    if not hasattr(example, "ndim"):
        return list
    numpy = importlib.import_module("numpy")

    def array(records: Sequence[Any]) -> Any:
        shape = (len(records), *example.shape[1:])
        return numpy.array(list(records), dtype=example.dtype).reshape(shape)

    return array
