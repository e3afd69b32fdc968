"""The trimmed mean and its exact smooth sensitivity in n log n steps.

With the sorted records x_1 <= ... <= x_n, x_i = lower for i < 1 and x_i = upper for i > n, the mean
of all but the t smallest and the t largest moves, within k replaced records, by at most the largest
x_j - x_i with i <= t + 1, n - t <= j and j - i = n - 2 t + k, divided by n - 2 t. So the smooth
sensitivity is found among pairs of records, as that of an order statistic.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from rdpacct.arrays import Array, check_range, load, numbers
from rdpacct.errors import InputError
from rdpacct.exact.ball import Ball
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import Number
from rdpacct.privacy.unpublishable import Unpublishable
from rdpacct.provenance import by
from rdpacct.sensitivity.order_statistic import (
    best_pair,
    largest_difference,
    search_slack,
)
from rdpacct.sensitivity.query import (
    Query,
    SmoothSensitivity,
    smooth_rate,
    steps_of,
)

Rank = TypeVar("Rank", int, Expr, Array)
BITS = 128


@dataclass(frozen=True)
class TrimmedMean(Query):
    """The mean of all records but the ``trim`` smallest and the ``trim`` largest, of numbers within
    a declared range.
    """

    trim: int
    lower: float
    upper: float

    def __post_init__(self) -> None:
        check_range(self.lower, self.upper)
        if not (type(self.trim) is int and self.trim >= 0):
            raise InputError(
                f"trim is {self.trim!r}, but must be a whole number of at least 0; give"
                " how many records are left out at each end."
            )

    def value(self, data: Any) -> Fraction:
        row, kept = self._sorted(data)
        inside = row[self.trim + 1 : self.trim + 1 + kept]
        return exact_sum(inside) / kept

    def _sorted(self, data: Any) -> tuple[Array, int]:
        """The records in order between the ends of the range, and how many of them are kept."""
        values = numbers(data, self.lower, self.upper)
        kept = int(values.size) - 2 * self.trim
        if kept < 1:
            raise InputError(
                f"there are {values.size} records, of which {2 * self.trim} are left"
                " out; give more records, or a smaller trim."
            )
        np = load()
        # as doubles: whole numbers beyond 64 bits would make an array of objects
        ends = [float(self.lower)], [float(self.upper)]
        return np.concatenate((ends[0], np.sort(values), ends[1])), kept

    def local_within(self, data: Any, distance: int) -> Fraction:
        """The largest difference of two records over those kept: exactly."""
        row, kept = self._sorted(data)
        np = load()
        last = len(row) - 1
        steps = min(steps_of(distance), last)
        low, high = window(self.trim, kept, steps, np.arange(steps + 2))
        firsts = row[np.maximum(low, 0)]
        seconds = row[np.minimum(high, last)]
        return largest_difference(seconds, firsts) / kept

    def farthest(self, data: Any) -> int:
        return int(numbers(data, self.lower, self.upper).size)

    def smooth(self, data: Any, beta: Number) -> SmoothSensitivity:
        """The smooth sensitivity, enclosed: the better of the best pairs when a record moves up and
        when it moves down.
        """
        rate = smooth_rate(beta)
        row, kept = self._sorted(data)
        slack = search_slack(rate, len(row))
        best = Ball.of(0, BITS)
        for moved in (0, 1):
            last, first = window(self.trim, kept, 0, moved)
            i, j = best_pair(row, last, first, float(rate))
            gap = Fraction(float(row[j])) - Fraction(float(row[i]))
            weighted_gap = Ball.of(-rate * (j - i - kept), BITS).exp() * (gap / kept)
            best = best.larger(weighted_gap)
        bound = (best * Ball.hull(1, 1 + slack, BITS)).bound("best pair of records")
        return SmoothSensitivity(
            Unpublishable(bound, "the smooth sensitivity"),
            rate,
            2 * slack,
            self.relation,
        )


def exact_sum(values: Array) -> Fraction:
    """The sum of doubles without rounding: of whole numbers, for each exponent."""
    np = load()
    mantissas, exponents = np.frexp(values)
    digits = (mantissas * 2**53).astype(np.int64)
    total = Fraction(0)
    for exponent in np.unique(exponents).tolist():
        part = sum(digits[exponents == exponent].tolist())
        total += part * Fraction(2) ** (exponent - 53)
    return total


@by("smooth/trimmed-mean")
def window(trim: Rank, kept: Rank, distance: Rank, lowered: Rank) -> tuple[Rank, Rank]:
    """The ranks i and j whose records are apart by as much as the kept sum can move, if ``lowered``
    of the distance + 1 replaced records move down and the others up.
    """
    return trim + 1 - lowered, trim + kept + 1 + distance - lowered
