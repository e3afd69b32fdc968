"""Sums of rational multiples of monomials, as tables, whose numbers are kept from growing too
long.
"""

from collections.abc import Iterable

from rdpacct.proof.check.effort import EFFORT, Rejected
from rdpacct.proof.check.slots import Monomial, Number

Terms = dict[Monomial, Number]

MAX_BITS = 14_000
"""The length of numerators and denominators; longer ones have no text in Python either."""


def longest(numbers: Iterable[Number]) -> int:
    """The bits of the longest numerator or denominator; other numbers than rational ones have
    none.
    """
    most = 0
    for number in numbers:
        bits = number.numerator.bit_length() or 1
        if bits > most:
            most = bits
        if type(number) is not int:
            bits = number.denominator.bit_length()
            if bits > most:
                most = bits
    return most


def add_term(total: Terms, monomial: Monomial, coefficient: Number) -> None:
    """Add a term to others; sums of many fractions may grow long, and are stopped in time."""
    value = total.get(monomial, 0) + coefficient
    if not value:
        del total[monomial]
        return
    total[monomial] = value
    if type(value) is int:
        return
    bits = value.denominator.bit_length()
    if bits > 500:
        EFFORT.spend(bits // 16)
        if bits > MAX_BITS:
            raise Rejected("a coefficient is too long.")
