"""Sums of rational multiples of monomials, as tables, whose numbers are kept from growing too
long.
"""

from collections.abc import Iterable
from fractions import Fraction

from rdpacct.proof.check.effort import EFFORT, Rejected
from rdpacct.proof.check.slots import Monomial

Terms = dict[Monomial, Fraction]

MAX_BITS = 14_000
"""The length of numerators and denominators; longer ones have no text in Python either."""
NOTHING = Fraction(0)


def longest(numbers: Iterable[Fraction]) -> int:
    """The bits of the longest numerator or denominator."""
    most = 0
    for number in numbers:
        top, bottom = number.as_integer_ratio()
        most = max(most, top.bit_length(), bottom.bit_length())
    return most


def add_term(total: Terms, monomial: Monomial, coefficient: Fraction) -> None:
    """Add a term to others; sums of many fractions may grow long, and are stopped in time."""
    value = total.get(monomial, NOTHING) + coefficient
    if not value:
        del total[monomial]
        return
    total[monomial] = value
    bits = value.denominator.bit_length()
    if bits > 500:
        EFFORT.spend(bits // 16)
        if bits > MAX_BITS:
            raise Rejected("a coefficient is too long.")
