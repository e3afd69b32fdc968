"""Audits of sums: whether records of a range move a sum, as it is computed, by more than they move
the sum of real numbers.

In doubles they do, by rounding and by overflow (Casacuberta, Shoemate, Vadhan and Wagaman 2022).
"""

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from rdpacct.auditing.neighbors.searched_query import LargestMove, largest_move
from rdpacct.auditing.replay.exact_values import moves
from rdpacct.auditing.verdict import HasOutcome, Outcome
from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound, decimal_down
from rdpacct.exact.cached import cached_property
from rdpacct.exact.number import Number, decimal_text, near_double, rational, whole
from rdpacct.privacy.relation import Relation

MOST_RECORDS = 10_000
MIDDLE = 1e300
"""Digits are planned for records up to this, so that their sums do not overflow."""
DOUBLE, SINGLE = 1, 2**29
PRECISIONS = (DOUBLE, SINGLE)
"""The last digit of a sum in doubles and in single precision, in last digits of a double."""
TIMES, PARTS = (0.5, 1, 2, 4), (0.26, 0.51, 0.76, 1.01)
Total = Callable[[list[Any]], Any]


@dataclass(frozen=True, repr=False)
class SumVerdict(HasOutcome):
    """FAILS if two neighbors were found whose sums are further apart than those of real numbers can
    be; else UNDECIDED.
    """

    ideal: Fraction
    """The sensitivity of the sum of real numbers."""
    outcome: Outcome
    found: LargestMove
    """The neighbors whose sums are furthest apart, of those that were tried."""
    order: Bound
    """By how much the sum of the same records in another order differs, at least."""

    def title(self) -> str:
        """The sensitivity of the sum of real numbers."""
        return f"sensitivity {decimal_text(self.ideal)}"

    def lines(self) -> list[str]:
        """How far the sum moves, and between which records."""
        lines = [
            self._moved(),
            f"between {self.found.pair.first}",
            f"and {self.found.pair.second}",
        ]
        if self.order.lower:
            by = self.order.safe_below().short(3)
            lines.append(f"the same records in another order move it by {by}")
        return lines

    def _moved(self) -> str:
        length = self.found.length.lower
        if isinstance(length, float):
            return "the sum moves to infinity"
        if length <= self.ideal:
            return f"the sum moves by {decimal_text(Fraction(length))}"
        more = decimal_down(Fraction(length) - self.ideal, 3)
        return f"the sum moves by {more} more than that"


def audit_sum(
    total: Total,
    lower: Number,
    upper: Number,
    relation: Relation | str,
    *,
    records: int = 8,
    steps: int = 1000,
    seed: int = 0,
) -> SumVerdict:
    """Whether ``total(records)``, for lists of numbers from ``lower`` to ``upper``, moves between
    neighbors by more than a sum of real numbers does.

    Lists of at most ``records`` records are searched from those that make rounding or overflow add
    up, in doubles and in single precision, with ``steps`` steps each. Records are integers if both
    ends are given as integers, and doubles otherwise.
    """
    low = rational(lower, "the lower end")
    high = rational(upper, "the upper end")
    if low > high or low == high == 0:
        raise InputError(
            f"the range from {lower} to {upper} has no two numbers; give a lower end"
            " below the upper one."
        )
    size = whole(records, "the number of records", 2, MOST_RECORDS)
    named = relation if isinstance(relation, Relation) else Relation.named(relation)
    ideal = max(abs(low), abs(high))
    if named is Relation.REPLACE_ONE:
        ideal = high - low
    are_whole = isinstance(lower, int) and isinstance(upper, int)
    families = [
        RoundedRecords(low, high, size, are_whole, digits) for digits in PRECISIONS
    ]
    tried = [
        largest_move(total, each.drawn, named, steps=steps, seed=seed, null=0)
        for each in families
    ]
    largest = max(tried, key=lambda move: move.length.lower)
    fails = largest.length.certainly_above(ideal)
    outcome = Outcome.FAILS if fails else Outcome.UNDECIDED
    return SumVerdict(ideal, outcome, largest, _order(total, families[0], seed))


@dataclass(frozen=True)
class RoundedRecords:
    """Lists of records in a range on which rounding and overflow are likely to show: a few large
    ones, and many of about half of the last digit of their sum.
    """

    low: Fraction
    high: Fraction
    size: int
    are_whole: bool
    digits: int = DOUBLE
    """How many last digits of a double make the last digit of a sum."""

    def drawn(self, rng: random.Random) -> list[Any]:
        """One such list."""
        size = rng.randint(1, self.size)
        palette = self.palette
        if rng.random() < 0.2:
            return [rng.choice(palette) for _ in range(size)]
        few = rng.randint(1, max(size // 2, 1))
        row = [rng.choice(palette[:2])] * few + [rng.choice(palette)] * (size - few)
        if rng.random() < 0.3:
            rng.shuffle(row)
        return row

    @cached_property
    def palette(self) -> list[Any]:
        """The ends of the range, and small records in it."""
        inside: list[Any]
        if self.are_whole:
            ends = [int(self.low), int(self.high)]
            inside = [*ends, ends[0] + 1, ends[1] - 1, sum(ends) // 2, 0, 1]
        else:
            doubles = [_inside(near_double(end), self) for end in (self.low, self.high)]
            digits = self._parts_of_digits(max(map(abs, doubles)))
            inside = [*doubles, *digits]
        allowed = [x for x in inside if self.low <= x <= self.high]
        return list(dict.fromkeys(allowed))

    def _parts_of_digits(self, largest: float) -> Iterator[float]:
        """Parts of the last digits of sums."""
        for times, part in product(TIMES, PARTS):
            digit = math.ulp(min(largest, MIDDLE) * times) * part * self.digits
            yield from (digit, -digit)


def _inside(number: float, family: RoundedRecords) -> float:
    """The double, or the one next to it that is in the range."""
    if number < family.low:
        return math.nextafter(number, math.inf)
    if number > family.high:
        return math.nextafter(number, -math.inf)
    return number


def _order(total: Total, family: RoundedRecords, seed: int) -> Bound:
    """The largest difference between two orders of the same records, of a hundred lists."""
    rng = random.Random(seed)
    largest: Any = Fraction(0)
    for _ in range(100):
        row = family.drawn(rng)
        [move] = moves(total(list(row)), total(row[::-1])) or [Fraction(0)]
        largest = max(largest, abs(move))
    return Bound(largest, math.inf, "two orders of the same records")
