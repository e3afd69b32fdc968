"""The variance of records in a declared range, and its exact smooth sensitivity.

If a record x becomes y, and c is the mean of the other n - 1 records, the variance grows by
(n - 1)/n**2 times (y - c)**2 - (x - c)**2. So what a data set within k replaced records can move by
is decided by which mean c the others can have, and that is a matter of sums of the smallest and of
the largest records.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from typing import Any, TypeVar

from rdpacct.arrays import check_range, numbers
from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import Number
from rdpacct.provenance import by
from rdpacct.sensitivity.query import (
    DistanceOracle,
    Query,
    SmoothSensitivity,
    steps_of,
)

Amount = TypeVar("Amount", Fraction, Expr)


@dataclass(frozen=True)
class Variance(Query):
    """The mean square distance of the records from their mean, of two or more numbers within a
    declared range.
    """

    lower: float
    upper: float

    def __post_init__(self) -> None:
        check_range(self.lower, self.upper)

    def value(self, data: Any) -> Fraction:
        records = self._sorted(data)
        count = len(records.row)
        squares = sum(record * record for record in records.row)
        spread = Fraction(squares * count - records.sums[-1] ** 2, count**2)
        return spread * records.unit**2

    def local_within(self, data: Any, distance: int) -> Fraction:
        return largest_move(self._both_ways(data), steps_of(distance))

    def farthest(self, data: Any) -> int:
        return int(numbers(data, self.lower, self.upper).size)

    def smooth(self, data: Any, beta: Number) -> SmoothSensitivity:
        """From the records in order, which are sorted and added up once."""
        both = self._both_ways(data)
        records = both[0]
        oracle = DistanceOracle(
            of=self.value,
            within=lambda _, distance: largest_move(both, distance),
            reach=self.farthest,
            most=records.largest_of_all(),
        )
        return replace(oracle.smooth(data, beta), relation=self.relation)

    def _both_ways(self, data: Any) -> tuple["SortedRecords", "SortedRecords"]:
        """The records, and the same turned round."""
        records = self._sorted(data)
        return records, records.mirrored()

    def _sorted(self, data: Any) -> "SortedRecords":
        values = numbers(data, self.lower, self.upper).tolist()
        if len(values) < 2:
            raise InputError(
                f"there are {len(values)} records; give at least two, as the variance of"
                " one is 0."
            )
        return SortedRecords.of(values, Fraction(self.lower), Fraction(self.upper))


@dataclass(frozen=True)
class SortedRecords:
    """Records in order, the sums of the smallest ones, and the ends of the range, as multiples of a
    unit that doubles are whole multiples of.
    """

    row: Sequence[int]
    sums: Sequence[int]
    low: Fraction
    high: Fraction
    unit: Fraction

    @classmethod
    def of(
        cls, values: Sequence[float], low: Fraction, high: Fraction
    ) -> "SortedRecords":
        """These records, in order."""
        ratios = [value.as_integer_ratio() for value in sorted(values)]
        parts = max(below for _, below in ratios)
        row = [above * (parts // below) for above, below in ratios]
        return cls.in_units(row, low * parts, high * parts, Fraction(1, parts))

    @classmethod
    def in_units(
        cls, row: Sequence[int], low: Fraction, high: Fraction, unit: Fraction
    ) -> "SortedRecords":
        """Records that are in order already."""
        return cls(row, [0, *accumulate(row)], low, high, unit)

    def mirrored(self) -> "SortedRecords":
        """The records turned round, whose variance moves in the same way."""
        row = [-record for record in reversed(self.row)]
        return SortedRecords.in_units(row, -self.high, -self.low, self.unit)

    def largest_of_all(self) -> Fraction:
        """The most that the variance of this many records moves, whatever they are."""
        count = Fraction(len(self.row))
        return square_move(self.high, self.low, self.low, count) * self.unit**2

    def moves(self, distance: int) -> Iterator[Fraction]:
        """The largest moves if the others have a mean as small as they can, in squares of the
        unit.
        """
        count = Fraction(len(self.row))
        kept = len(self.row) - 1 - distance
        if distance > 0:
            others = max(kept + 1, 0)
            free = len(self.row) - 1 - others
            mean = least_mean(Fraction(self.sums[others]), free * self.low, count)
            yield square_move(self.high, mean, mean, count)
        if kept < 0:
            return
        mean = least_mean(Fraction(self.sums[kept]), distance * self.low, count)
        yield square_move(Fraction(self.row[-1]), mean, mean, count)
        total = self.sums[kept + 1] + distance * self.low
        for record in self._near(best_record(total, self.high, count), kept + 1):
            start = Fraction(record)
            mean = least_mean(total, -start, count)
            yield square_move(self.high, start, mean, count)

    def _near(self, place: Fraction, among: int) -> Sequence[int]:
        """The two records beside a place, among this many of the smallest."""
        index = bisect_left(self.row, place, 0, among)
        return self.row[max(index - 1, 0) : min(index + 1, among)]


def largest_move(both: Sequence[SortedRecords], distance: int) -> Fraction:
    """The most that the variance moves from a data set within this distance."""
    most = max(move for records in both for move in records.moves(distance))
    return most * both[0].unit ** 2


@by("smooth/variance")
def square_move(to: Amount, start: Amount, mean: Amount, count: Amount) -> Amount:
    """How much the variance of this many records grows if one of them moves, where the others have
    this mean.
    """
    return (count - 1) / count**2 * ((to - mean) ** 2 - (start - mean) ** 2)


@by("smooth/variance")
def least_mean(kept: Amount, moved: Amount, count: Amount) -> Amount:
    """The mean of all records but one: the sum of those that are kept, and of those at an end."""
    return (kept + moved) / (count - 1)


@by("smooth/variance")
def best_record(total: Amount, high: Amount, count: Amount) -> Amount:
    """The record whose move to the end of the range raises the variance most, if the others have
    the rest of a total.
    """
    return (total + high) / (count + 1)
