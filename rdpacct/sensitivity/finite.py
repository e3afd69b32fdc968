"""Any query on a small finite space: its sensitivities by exhaustive search, as they are
defined.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, islice, product
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.cached import cached_property
from rdpacct.exact.number import Number, rational
from rdpacct.provenance import by
from rdpacct.sensitivity.query import Query, steps_of

MOST = 50_000
FiniteData = Hashable


@dataclass(frozen=True)
class FiniteQuery(Query):
    """A query on a graph of data sets, given by the neighbors of each; the distance is the number
    of steps.
    """

    function: Callable[[Any], Number]
    steps: dict[FiniteData, tuple[FiniteData, ...]]

    @classmethod
    def of(
        cls,
        function: Callable[[Any], Number],
        sets: Iterable[FiniteData],
        near: Callable[[Any], Iterable[FiniteData]],
    ) -> "FiniteQuery":
        """The query on these data sets, if there are not too many."""
        listed = list(islice(sets, MOST + 1))
        if len(listed) > MOST:
            raise InputError(
                f"there are more than {MOST} data sets to search; give fewer records or"
                " values."
            )
        return cls(function, {data: tuple(near(data)) for data in listed})

    @classmethod
    def of_rows(
        cls, function: Callable[[Any], Number], values: Sequence[Any], records: int
    ) -> "FiniteQuery":
        """A query on all rows of this many records; the order of the records may matter."""

        def near(data: tuple[Any, ...]) -> Iterable[FiniteData]:
            return (
                (*data[:i], new, *data[i + 1 :])
                for i in range(records)
                for new in values
                if new != data[i]
            )

        return cls.of(function, product(values, repeat=records), near)

    @classmethod
    def of_multisets(
        cls, function: Callable[[Any], Number], values: Sequence[Any], records: int
    ) -> "FiniteQuery":
        """A query on all sorted rows of this many records: the order does not matter, and there are
        far fewer rows.
        """
        ordered = sorted(values)

        def near(data: tuple[Any, ...]) -> Iterable[FiniteData]:
            rows = (
                sorted((*data[:i], new, *data[i + 1 :]))
                for i in range(records)
                for new in ordered
            )
            return {row for row in map(tuple, rows) if row != data}

        return cls.of(function, combinations_with_replacement(ordered, records), near)

    def value(self, data: Any) -> Number:
        return self.function(data)

    @cached_property
    def _local(self) -> dict[FiniteData, Fraction]:
        """The local sensitivity of each data set: the largest change to a neighbor."""
        values = {
            data: rational(self.function(data), "the query") for data in self.steps
        }
        return {
            data: max(
                (abs(values[data] - values[other]) for other in near),
                default=Fraction(0),
            )
            for data, near in self.steps.items()
        }

    def _rings(self, data: FiniteData) -> Iterable[list[FiniteData]]:
        """The data sets at each distance, nearest first."""
        seen = {data}
        ring = [data]
        while ring:
            yield ring
            ring = list(
                {other for data_set in ring for other in self.steps[data_set]} - seen
            )
            seen.update(ring)

    @cached_property
    def _searched(self) -> dict[FiniteData, list[Fraction]]:
        return {}

    def _largest(self, data: FiniteData) -> list[Fraction]:
        """The largest local sensitivity at each distance, computed once."""
        if data not in self._searched:
            self._searched[data] = [
                max(map(self._local.__getitem__, ring)) for ring in self._rings(data)
            ]
        return self._searched[data]

    def local_within(self, data: Any, distance: int) -> Fraction:
        return max(self._largest(data)[: steps_of(distance) + 1])

    def farthest(self, data: Any) -> int:
        return len(self._largest(data)) - 1

    def whole(self) -> bool:
        return all(isinstance(self.function(data), int) for data in self.steps)

    def global_bound(self) -> Number | None:
        return max(self._local.values(), default=Fraction(0))

    @by("smooth/optimal")
    def smooth_by_definition(self, data: Any, decay: Fraction) -> Fraction:
        """The largest decay**distance times the local sensitivity over all data sets, where decay
        is exp(-beta).
        """
        return max(
            decay**k * self._local[other]
            for k, ring in enumerate(self._rings(data))
            for other in ring
        )
