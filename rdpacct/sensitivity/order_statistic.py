"""Order statistics: the median, quantiles, and their exact smooth sensitivity in n log n steps.

With the sorted records x_1 <= ... <= x_n, x_i = lower for i < 1 and x_i = upper for i > n, the
statistic of rank m moves, within k replaced records, by at most the largest x_j - x_i with i <= m
<= j and j - i = k + 1. So its smooth sensitivity is the largest (x_j - x_i) exp(-beta (j - i - 1)),
and where the best j for one i lies bounds the best j for the others: a larger i has a larger best
j.
"""

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.arrays import Array, check_range, load, numbers
from rdpacct.errors import InputError
from rdpacct.exact.ball import Ball
from rdpacct.exact.number import Number, rational
from rdpacct.privacy.unpublishable import Unpublishable
from rdpacct.provenance import by
from rdpacct.sensitivity.query import (
    Query,
    SmoothSensitivity,
    smooth_rate,
    steps_of,
)

ROUNDING = Fraction(1, 2**50)
"""An upper bound on the relative error of a difference, a logarithm or a product of two doubles."""


class RankedRecord(Query):
    """The record of some rank, of numbers within a declared range."""

    lower: float
    upper: float

    def __post_init__(self) -> None:
        check_range(self.lower, self.upper)

    @abstractmethod
    def rank_in(self, size: int) -> int:
        """The rank in data of that size, 1 for the smallest record."""

    def value(self, data: Any) -> float:
        values = numbers(data, self.lower, self.upper)
        rank = self.rank_in(values.size)
        return float(load().partition(values, rank - 1)[rank - 1])

    def _sorted(self, data: Any) -> tuple[Array, int]:
        """The records in order between the ends of the range, and the place of the rank."""
        values = numbers(data, self.lower, self.upper)
        np = load()
        # as doubles: whole numbers beyond 64 bits would make an array of objects
        ends = [float(self.lower)], [float(self.upper)]
        row = np.concatenate((ends[0], np.sort(values), ends[1]))
        return row, self.rank_in(values.size)

    @by("smooth/order-statistic")
    def local_within(self, data: Any, distance: int) -> Fraction:
        """The largest x_j - x_i with j - i = distance + 1 around the rank: the difference and its
        rounding, exactly.
        """
        row, m = self._sorted(data)
        np = load()
        last = len(row) - 1
        steps = min(steps_of(distance), last)
        ends = m + np.arange(steps + 2)
        high = row[np.minimum(ends, last)]
        low = row[np.maximum(ends - steps - 1, 0)]
        return largest_difference(high, low)

    def farthest(self, data: Any) -> int:
        return int(numbers(data, self.lower, self.upper).size)

    def global_bound(self) -> Fraction:
        return Fraction(self.upper) - Fraction(self.lower)

    @by("smooth/order-statistic")
    def smooth(self, data: Any, beta: Number) -> SmoothSensitivity:
        """The smooth sensitivity, enclosed; the search is in doubles, and keeps every pair that may
        be the best.
        """
        rate = smooth_rate(beta)
        row, m = self._sorted(data)
        slack = search_slack(rate, len(row))
        i, j = best_pair(row, m, m, float(rate))
        gap = Fraction(float(row[j])) - Fraction(float(row[i]))
        weighted_gap = Ball.of(-rate * (j - i - 1), 128).exp() * gap
        bound = (weighted_gap * Ball.hull(1, 1 + slack, 128)).bound(
            "best pair of records"
        )
        return SmoothSensitivity(
            Unpublishable(bound, "the smooth sensitivity"),
            rate,
            2 * slack,
            self.relation,
        )


@dataclass(frozen=True)
class OrderStatistic(RankedRecord):
    """The record of a rank, 1 for the smallest."""

    rank: int
    lower: float
    upper: float

    def rank_in(self, size: int) -> int:
        if not 1 <= self.rank <= size:
            raise InputError(
                f"the rank is {self.rank}, but there are {size} records; give a rank"
                f" from 1 to {size}."
            )
        return self.rank


@dataclass(frozen=True)
class Median(RankedRecord):
    """The middle one of an odd number of records."""

    lower: float
    upper: float

    def rank_in(self, size: int) -> int:
        if size % 2 == 0:
            raise InputError(
                f"there are {size} records, an even number, which has no middle one; "
                f"use OrderStatistic(rank={size // 2}, ...), the lower median."
            )
        return (size + 1) // 2


@dataclass(frozen=True)
class Quantile(RankedRecord):
    """The smallest record that at least the share ``level`` of the records does not exceed."""

    level: Number
    lower: float
    upper: float

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < rational(self.level, "the level") < 1:
            raise InputError(
                f"the level is {self.level}, but must be between 0 and 1; give a share"
                " such as 0.9."
            )

    def rank_in(self, size: int) -> int:
        return math.ceil(rational(self.level, "the level") * size)


def largest_difference(high: Array, low: Array) -> Fraction:
    """The largest high - low, place by place: the difference in doubles and its rounding,
    exactly.
    """
    gaps = high - low
    back = gaps - high
    rounding = (high - (gaps - back)) - (low + back)
    top = gaps.max()
    return Fraction(float(top)) + Fraction(float(rounding[gaps == top].max()))


def search_slack(rate: Fraction, size: int) -> Fraction:
    """The share by which the pair that is found may be below the best one: the rounding of one
    comparison for each bisection.

    A comparison that is wrong by a factor 1 + e loses at most that factor.
    """
    rounding = 8 * ROUNDING * (750 + rate * size)
    slack = 2 * (size.bit_length() + 2) * rounding
    if slack > min(rate, Fraction(1, 2**14)):
        raise InputError(
            f"beta is {float(rate):.3g}, out of reach of doubles for {size - 2}"
            " records; give one from 1e-6 to 1."
        )
    return slack


def best_pair(row: Array, last: int, first: int, rate: float) -> tuple[int, int]:
    """The places i <= last and j >= first, i < j, for which log (row[j] - row[i]) - rate (j - i -
    1) is largest, up to rounding.

    The i are bisected: the best j of the middle i bounds the best j of both halves. Of equal
    records only the nearest to the middle can be best. If the middle i has no gap, no larger i has
    one.
    """
    np = load()
    firsts = np.flatnonzero(np.concatenate((row[:last] < row[1 : last + 1], [True])))
    rises = row[first + 1 :] > row[first:-1]
    seconds = first + np.flatnonzero(np.concatenate(([True], rises)))
    best = -np.inf
    pair = (max(last - 1, 0), first)
    nodes = np.array([[0, len(firsts) - 1, 0, len(seconds) - 1]])
    while len(nodes):
        low, high, left, right = nodes.T
        middle = (low + high) // 2
        sizes = right - left + 1
        starts = np.cumsum(sizes) - sizes
        places = np.arange(sizes.sum()) - np.repeat(starts - left, sizes)
        i = np.repeat(firsts[middle], sizes)
        j = seconds[places]
        with np.errstate(divide="ignore"):
            values = np.log(row[j] - row[i]) - rate * (j - i - 1)
        tops = np.maximum.reduceat(values, starts)
        k = int(np.argmax(values))
        if values[k] > best:
            best = values[k]
            pair = (int(i[k]), int(j[k]))
        here = np.minimum.reduceat(
            np.where(values == np.repeat(tops, sizes), places, len(row)), starts
        )
        below = np.stack((low, middle - 1, left, here), axis=1)
        above = np.stack((middle + 1, high, here, right), axis=1)
        nodes = np.concatenate(
            (below[low < middle], above[(middle < high) & ~np.isneginf(tops)])
        )
    return pair
