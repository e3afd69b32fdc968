"""Quantiles of the distances between pairs of records: which rank to take, how likely it is
exceeded, and how much it changes.

The distance of a replaced record to its replacement has the same law as the distance of a random
pair. The position of the record does not matter: the bounds hold for the last record, which the
definition of RandomDP replaces, and for every other one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache

from rdpacct.errors import InputError
from rdpacct.exact.binomial import at_most
from rdpacct.exact.formula import Expr, formula
from rdpacct.exact.functions import minimum
from rdpacct.exact.number import Number, rational
from rdpacct.provenance import by

FLOOR = 2.0**-60
"""The smallest share of the largest value that is distinguished from 0: a scale in doubles must not
become 0.
"""


class Pairs(Enum):
    """Which pairs of records the quantile is taken over."""

    DISJOINT = "disjoint"
    """Record i and record i + n//2: one replaced record moves one value. The order must be that of
    independent draws, not sorted.
    """
    ALL = "all"
    """Every pair of records: one replaced record moves n - 1 values. The order does not matter."""


@dataclass(frozen=True)
class Steady:
    """A declared law of h, continuous: its log quantile function rises by at most ``slope`` times
    the level.

    It does so between two levels, by default everywhere.
    """

    slope: Number
    above: Number = 0
    below: Number = 1

    def __post_init__(self) -> None:
        if rational(self.slope, "slope") <= 0:
            raise InputError(
                f"slope is {self.slope}, but must be above 0; give a bound on the slope"
                " of log quantiles."
            )
        if not 0 <= rational(self.above, "above") < rational(self.below, "below") <= 1:
            raise InputError(
                f"the levels are {self.above} to {self.below}; give two from 0 to 1,"
                " the lower one first."
            )


@dataclass(frozen=True)
class QuantileRule:
    """The rank of the quantile among the sorted values of pairs, and the effect of one replaced
    record on it.
    """

    values: int
    """How many pairs there are."""
    rank: int
    """1 for the smallest value; one more than all values is the declared bound."""
    stride: int
    """The largest number of ranks by which one replaced record can change the values."""
    bad: Expr
    """An upper bound on the probability that h of the replaced pair exceeds the quantile."""

    @property
    def constant(self) -> bool:
        """True if the quantile is the declared bound, whatever the data are."""
        return self.rank > self.values


@by("sensitivity/quantile")
def disjoint_bad(pairs: Expr, rank: Expr) -> Expr:
    """An upper bound on the probability that h of the replaced pair is above rank k of the m values
    of X, or of X'.
    """
    return (pairs + 1 - rank) / pairs


@cache
def disjoint_rule(records: int, wanted: Fraction) -> QuantileRule:
    """The lowest rank that is exceeded with at most the wanted probability."""
    m = records // 2
    rank = m + 1 - math.floor(wanted * m)
    return QuantileRule(m, rank, 1, disjoint_bad(formula(m), formula(rank)))


@by("sensitivity/u-statistic")
def all_pairs_bad(records: Expr, rank: Expr) -> Expr:
    """An upper bound on the probability that h of the replaced pair is above rank k of all pairs of
    X, or of X'.
    """
    together = records * (records + 1) / 2
    return (together - rank) / together


@cache
def all_pairs_rule(records: int, wanted: Fraction) -> QuantileRule:
    """The lowest rank that is exceeded with at most the wanted probability; the declared bound if
    there is none.
    """
    inside = records * (records - 1) // 2
    together = records * (records + 1) // 2
    rank = max(together - math.floor(wanted * together), 1)
    if rank > inside:
        return QuantileRule(inside, inside + 1, records - 1, formula(0))
    return QuantileRule(
        inside, rank, records - 1, all_pairs_bad(formula(records), formula(rank))
    )


@by("sensitivity/smooth-quantile")
def raised(ordered: Sequence[float], rule: QuantileRule, beta: float) -> float:
    """The largest exp(-beta j) times the value of rank k + j stride; values beyond the last rank
    equal the declared bound.

    For all data, one replaced record changes it by at most a factor exp(beta), up to the rounding
    of doubles.
    """
    largest = ordered[-1] * FLOOR
    j = 0
    while True:
        place = min(rule.rank + j * rule.stride, len(ordered))
        weight = math.exp(-beta * j)
        largest = max(largest, float(ordered[place - 1]) * weight)
        if place == len(ordered) or weight <= FLOOR:
            return largest
        j += 1


@by("sensitivity/ratio")
def moves(slope: Expr, beta: Expr, pairs: Expr) -> Expr:
    """An upper bound on the probability that one record changes the quantile of m disjoint pairs by
    more than a factor exp(beta).

    The slope holds at the levels of the neighboring values.
    """
    return slope / (beta * pairs)


@by("sensitivity/ratio")
def outside(above: Fraction, below: Fraction, rule: QuantileRule) -> Expr:
    """An upper bound on the probability that the unchanged values next to the quantile are outside
    of these levels.

    They have the ranks k - 1 and k among m - 1 values: too many of these are below the lower level,
    or too few below the upper one.
    """
    trials = rule.values - 1
    total = formula(0)
    for successes, chance, counts in (
        (trials + 1 - rule.rank, 1 - above, above > 0),
        (rule.rank - 1, below, below < 1),
    ):
        if counts:
            total = total + Fraction(at_most(successes, trials, chance, 128).upper())
    return minimum(1, total)
