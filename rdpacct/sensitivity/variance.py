"""The variance of records in a declared range, and its exact smooth sensitivity.

If a record x becomes y, and c is the mean of the other n - 1 records, the variance grows by
(n - 1)/n**2 times (y - c)**2 - (x - c)**2. So what a data set within k replaced records can move by
is decided by which mean c the others can have, and that is a matter of sums of the smallest and of
the largest records.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from typing import Any, TypeVar

from rdpacct.arrays import numbers
from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import Number
from rdpacct.provenance import by
from rdpacct.sensitivity.query import DistanceOracle, Query, SmoothSensitivity

Amount = TypeVar("Amount", Fraction, Expr)


@dataclass(frozen=True)
class Variance(Query):
    """The mean square distance of the records from their mean, of two or more numbers within a
    declared range.
    """

    lower: float
    upper: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.upper - self.lower) and self.lower < self.upper):
            raise InputError(
                f"the range [{self.lower}, {self.upper}] is empty or not finite; give"
                " two numbers, the lower one first."
            )

    def value(self, data: Any) -> Fraction:
        row = self._sorted(data).row
        mean = sum(row, Fraction(0)) / len(row)
        squares = sum((one * one for one in row), Fraction(0))
        return squares / len(row) - mean * mean

    def local_within(self, data: Any, distance: int) -> Fraction:
        return largest_move(self._both_ways(data), distance)

    def farthest(self, data: Any) -> int:
        return int(numbers(data, self.lower, self.upper).size)

    def smooth(self, data: Any, beta: Number) -> SmoothSensitivity:
        """From the records in order, which are sorted and added up once."""
        both = self._both_ways(data)
        one = both[0]
        oracle = DistanceOracle(
            of=self.value,
            within=lambda _, distance: largest_move(both, distance),
            reach=self.farthest,
            most=square_move(one.high, one.low, one.low, Fraction(len(one.row))),
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
        row = sorted(map(Fraction, values))
        return SortedRecords.of(row, Fraction(self.lower), Fraction(self.upper))


@dataclass(frozen=True)
class SortedRecords:
    """Records in order, the sums of the smallest ones, and the ends of the range."""

    row: Sequence[Fraction]
    sums: Sequence[Fraction]
    low: Fraction
    high: Fraction

    @classmethod
    def of(
        cls, row: Sequence[Fraction], low: Fraction, high: Fraction
    ) -> "SortedRecords":
        """These records, which are in order."""
        return cls(row, [Fraction(0), *accumulate(row)], low, high)

    def mirrored(self) -> "SortedRecords":
        """The records turned round, whose variance moves in the same way."""
        row = [-one for one in reversed(self.row)]
        return SortedRecords.of(row, -self.high, -self.low)

    def moves(self, distance: int) -> Iterator[Fraction]:
        """The largest moves if the others have a mean as small as they can."""
        count = Fraction(len(self.row))
        kept = len(self.row) - 1 - distance
        if distance > 0:
            others = max(kept + 1, 0)
            free = len(self.row) - 1 - others
            mean = least_mean(self.sums[others], free * self.low, count)
            yield square_move(self.high, mean, mean, count)
        if kept < 0:
            return
        mean = least_mean(self.sums[kept], distance * self.low, count)
        yield square_move(self.row[-1], mean, mean, count)
        total = self.sums[kept + 1] + distance * self.low
        for record in self._near(best_record(total, self.high, count), kept + 1):
            mean = least_mean(total, -record, count)
            yield square_move(self.high, record, mean, count)

    def _near(self, place: Fraction, among: int) -> Sequence[Fraction]:
        """The two records beside a place, among so many of the smallest."""
        found = bisect_left(self.row, place, 0, among)
        return self.row[max(found - 1, 0) : min(found + 1, among)]


def largest_move(both: Sequence[SortedRecords], distance: int) -> Fraction:
    """The most that the variance moves from a data set within this distance."""
    return max(move for one in both for move in one.moves(distance))


@by("smooth/variance")
def square_move(to: Amount, start: Amount, mean: Amount, count: Amount) -> Amount:
    """How much the variance of so many records grows if one of them moves, where the others have
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
