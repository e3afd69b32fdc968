"""All small data sets and all their neighbors: the reference against which fast algorithms are
tested.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import TypeVar

T = TypeVar("T")


def data_sets(values: Sequence[T], records: int) -> Iterator[tuple[T, ...]]:
    """Every multiset of so many records, sorted as the values are."""
    return combinations_with_replacement(values, records)


def replaced(data: tuple[T, ...], values: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Every data set that differs from this one in one record, sorted as the values are."""
    place = {value: number for number, value in enumerate(values)}
    seen = set()
    for i, old in enumerate(data):
        for new in values:
            other = tuple(
                sorted((*data[:i], new, *data[i + 1 :]), key=place.__getitem__)
            )
            if new != old and other not in seen:
                seen.add(other)
                yield other


def neighbors(
    values: Sequence[T], records: int
) -> Iterator[tuple[tuple[T, ...], tuple[T, ...]]]:
    """Every ordered pair of data sets that differ in one record."""
    for data in data_sets(values, records):
        for other in replaced(data, values):
            yield data, other
