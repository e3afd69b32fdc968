"""The exact profile of a few losses whose transforms are made of exponentials, of 1 + w and 1 - w,
and of w: a finite sum over the patterns of what was drawn.

Atoms have exponentials alone, Laplace losses one of 1 + w and 1 - w in each pattern, exponential
mechanisms a factor w. With s = z + 1/2 the transform of a Laplace loss is exp(-mu/2)/2 (exp(mu s)(1
+ w) + exp(-mu s)(1 - w)), w = 1/(2s). Expanding the product and closing the contour gives, over the
patterns with c = offset - epsilon > 0,

    delta(eps) = exp(eps/2) sum weight sum_n a_n (c/2)**n/n!,
    a_n = 2 (kappa_{n-1} + kappa_{n-3} + ...),

where (1 + w)**(k - i) (1 - w)**i = sum_r kappa_r w**r for k Laplace losses of which i have the
lower sign.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from operator import mul

from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import (
    error,
    inverse_factorials,
    polynomial_and_derivative,
    real,
)
from rdpacct.privacy.patterns import Row
from rdpacct.provenance import by
from rdpacct.work import spend

MOST_PATTERNS = 20_000
MOST_WORK = 400_000
MOST_DEGREE = 4_000
PATTERN_WORK, TERM_WORK, VALUE_WORK = 3, 2, 0.15
"""The work of a pattern, of a term of a series that is made, and of one that is added up."""
NOTHING = real(0)
"""No part of a profile: zero, at any precision."""


@dataclass(frozen=True)
class Patterns:
    """All patterns of a sum, by falling offset."""

    count: int
    """How many factors 1 + w or 1 - w each pattern has: one for a Laplace loss."""
    patterns: list[Row]
    """Draws that share an offset, and how many of these factors are 1 - w."""
    power: int = 0
    """How many factors w there are: one for an exponential mechanism."""
    series: dict[int, "Series"] = field(default_factory=dict)

    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon)."""
        total = NOTHING
        for weight, series, x, is_above in self._reached(epsilon):
            value = 2 * x.sinh() if series is None else series.at(x, 0)[0]
            total = total + weight * (value if is_above else value.union(NOTHING))
        return total * (epsilon / 2).exp()

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        delta, slope = self._sums(real(epsilon))
        if delta > 0:
            return (float(delta.log()), float(slope / delta))
        return (-math.inf, -1.0)

    def planned_errors(
        self,
        epsilon: float,  # noqa: ARG002
        log: float,  # noqa: ARG002
    ) -> tuple[float, float]:
        """No errors beside that of a double."""
        return 0.0, 0.0

    @property
    def top(self) -> float:
        """About the largest loss."""
        return self.patterns[0].planned

    def _sums(self, epsilon: RealBall) -> tuple[RealBall, RealBall]:
        """The profile and its derivative."""
        total = NOTHING
        slope = NOTHING
        for weight, series, x, is_above in self._reached(epsilon):
            if series is None:
                sine, cosine = x.sinh_cosh()
                value, derivative = 2 * sine, 2 * cosine
            else:
                value, derivative = series.at(x)
            if not is_above:
                value = value.union(NOTHING)
                derivative = derivative.union(NOTHING)
            total = total + weight * value
            slope = slope + weight * derivative
        outside = (epsilon / 2).exp()
        return total * outside, (total - slope) * outside / 2

    def _reached(
        self, epsilon: RealBall
    ) -> "Iterator[tuple[RealBall, Series | None, RealBall, bool]]":
        """The patterns with offsets above epsilon, or perhaps above: weight, series (none for atoms
        alone), where that is asked, and whether it is certain.
        """
        added = 0
        for pattern in self.patterns:
            gap = pattern.offset - epsilon
            is_above = gap > 0
            if not is_above and gap <= 0:
                if pattern.planned < float(epsilon) - 1 - 1e-9 * (
                    abs(float(epsilon)) + abs(self.top)
                ):
                    break
                continue
            x = gap / 2
            series = None
            if not self.count == self.power == 0:
                series = self._series(pattern.lower, x)
                added += series.degree
            yield pattern.weight, series, x, is_above
        spend(PATTERN_WORK * len(self.patterns) + VALUE_WORK * added)

    def _series(self, lower: int, x: RealBall) -> "Series":
        """The series of a pattern, with as many terms as it takes there; of too many none."""
        wanted = reach_of(self.count, max(float(x), 0.0))
        if wanted > MOST_DEGREE:
            return TOO_LONG
        known = self.series.get(lower)
        if known is None or known.degree < wanted:
            degree = wanted + wanted // 5
            spend(TERM_WORK * degree)
            known = Series(self.count, lower, self.power, degree)
            self.series[lower] = known
        return known


class Series:
    """The sum over n >= 1 of a_n x**n/n!, with a_n twice the sum of kappa_r over r < n of the other
    parity than n.

    With a power p each kappa_r stands for the coefficient of w**(r + p).
    """

    def __init__(self, count: int, lower: int, power: int, degree: int) -> None:
        self.count = count
        self.degree = degree
        factors = inverse_factorials(degree)
        shares = list(map(mul, factors, numerators(count, lower, power, degree)))
        self.polynomial, self.derivative = polynomial_and_derivative(shares)
        self.left = factors[-1] * (2 * binomial_sum(count, degree))

    @by("engine/exact-series")
    def at(self, x: RealBall, order: int = 1) -> tuple[RealBall, ...]:
        """The sum and its derivative; for order 0 the sum alone.

        With |kappa_r| <= C(k, r), |a_n| is at most twice the sum of C(k, r) over r < n, which grows
        from one n to the next by at most max(1, (k + 1)/n); so the omitted terms fall at least by
        the ratio below each.
        """
        size = abs(x).upper()
        after = self.degree + 1
        ratio = size * max(self.count + 1, after) / after**2
        if not ratio < 1:
            return UNKNOWN[: order + 1]
        slope_left = self.left * size**self.degree / (1 - ratio)
        total = self.polynomial(x) + error(slope_left * size / after)
        if order == 0:
            return (total,)
        return total, self.derivative(x) + error(slope_left)


class TooLong(Series):
    """A series of too many terms: nothing is known of its sum."""

    def __init__(self) -> None:
        self.degree = 0

    def at(self, x: RealBall, order: int = 1) -> tuple[RealBall, ...]:  # noqa: ARG002
        return UNKNOWN[: order + 1]


UNKNOWN = (error(real(math.inf)), error(real(math.inf)))
TOO_LONG = TooLong()


@lru_cache(maxsize=512)
def numerators(count: int, lower: int, power: int, degree: int) -> tuple[int, ...]:
    """The a_n for n up to the degree, in exact integers."""
    numbers = [0]
    sums = [0, 0]
    known = kappa(count, lower, degree - 1)
    for n in range(1, degree + 1):
        sums[n % 2] += 2 * known[n - 1 - power] if n > power else 0
        numbers.append(sums[n % 2])
    return tuple(numbers)


def kappa(count: int, lower: int, last: int) -> tuple[int, ...]:
    """The coefficients of (1 + w)**(count - lower) (1 - w)**lower up to w**last, in exact
    integers.
    """
    coefficients = [1]
    before = 0
    now = 1
    for r in range(last):
        before, now = (
            now,
            ((count - 2 * lower) * now - (count - r + 1) * before) // (r + 1),
        )
        coefficients.append(now)
    return tuple(coefficients)


@lru_cache(maxsize=1024)
def binomial_sum(count: int, last: int) -> int:
    """The sum of C(count, r) over r <= last."""
    total = term = 1
    for r in range(min(last, count)):
        term = term * (count - r) // (r + 1)
        total += term
    return total


def reach_of(count: int, x: float) -> int:
    """The degree to which the series matters at x, about."""
    return int(min(max(3.2 * math.sqrt(x * (count + 1)), 3 * x), 1e9)) + 25


def together(one: Row, other: Row) -> Row:
    """The pattern of two patterns of different losses."""
    return Row(
        one.offset + other.offset,
        one.planned + other.planned,
        one.weight * other.weight,
        one.lower + other.lower,
    )


def patterns_of(terms: Terms) -> Patterns | None:
    """The patterns of a sum, or None if some loss has none, or they are too many."""
    columns = terms.columns
    if columns is None:
        return None
    number = math.prod(column.number for column in columns)
    if number > MOST_PATTERNS:
        return None
    spend(PATTERN_WORK * number)
    patterns = columns[0].rows()
    for column in columns[1:]:
        rows = column.rows()
        patterns = [together(one, other) for one in patterns for other in rows]
    patterns.sort(key=lambda pattern: -pattern.planned)
    count = sum(column.series for column in columns)
    return Patterns(count, patterns, sum(column.power for column in columns))


def planned_work(terms: Terms, epsilon: float) -> float:
    """About how many terms a profile takes, infinite if patterns do not apply."""
    columns = terms.columns
    if columns is None:
        return math.inf
    number = math.prod(column.number for column in columns)
    count = sum(column.series + column.power for column in columns)
    top = terms.planned_top
    above = min(1.0, max(top - epsilon, 0) / (2 * top)) if top > 0 else 1.0
    reach = reach_of(count, max(top - epsilon, 0) / 2) if count else 0
    if reach > MOST_DEGREE or number > MOST_PATTERNS:
        return math.inf
    return number * 0.05 + number * above * (reach + 2)
