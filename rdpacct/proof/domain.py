"""The range that the assumptions leave to each variable."""

import math
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, Symbol
from rdpacct.proof.claim import Claim, Comparison

_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True, slots=True)
class Range:
    """An interval of rationals; an open end is left out, and an irrational end is known to lie in a
    bound.
    """

    low: Bound = Bound(-math.inf, -math.inf)
    high: Bound = Bound(math.inf, math.inf)
    low_open: bool = True
    high_open: bool = True

    def holds(self, value: Fraction) -> bool:
        """The value certainly lies inside."""
        above = self.low.certainly_below(value) or (
            not self.low_open and self.low.certainly_at_most(value)
        )
        below = self.high.certainly_above(value) or (
            not self.high_open and value <= self.high.lower
        )
        return above and below

    def certainly_empty(self) -> bool:
        """No number lies inside."""
        if self.low.certainly_above(self.high):
            return True
        touching = (
            self.low.is_exact
            and self.high.is_exact
            and self.low.lower == self.high.lower
        )
        return touching and (self.low_open or self.high_open)

    def ends(self) -> list[Fraction]:
        """Rationals at or near the finite ends."""
        return [
            end
            for bound in (self.low, self.high)
            for end in (bound.lower, bound.upper)
            if isinstance(end, Fraction)
        ]

    def window(self) -> tuple[Fraction, Fraction]:
        """A finite window of the range, for spreading points."""
        low = self.low.upper
        high = self.high.lower
        if isinstance(low, Fraction) and isinstance(high, Fraction):
            return low, high
        if isinstance(low, Fraction):
            return low, low + 10
        if isinstance(high, Fraction):
            return (high - 10, high)
        return (Fraction(-10), Fraction(10))


def ranges(claim: Claim) -> dict[str, Range]:
    """For each variable, what the assumptions that compare it with a number leave of the line."""
    remaining = {name: Range() for name in claim.variables()}
    for assumption in claim.given:
        for name, sign, value in _limits(assumption):
            remaining[name] = _cut(remaining[name], sign, value.bound())
    return remaining


def _limits(assumption: Comparison) -> list[tuple[str, str, Expr]]:
    """The assumption as limits of single variables, if it is one."""
    if isinstance(assumption.left, Symbol) and not assumption.right.symbols():
        return [(assumption.left.name, assumption.sign, assumption.right)]
    if isinstance(assumption.right, Symbol) and not assumption.left.symbols():
        return [(assumption.right.name, _MIRROR[assumption.sign], assumption.left)]
    return []


def _cut(old: Range, sign: str, value: Bound) -> Range:
    if sign in ("<", "<=", "==") and value.lower <= old.high.lower:
        is_open = sign == "<" or (old.high_open and value.lower == old.high.lower)
        old = Range(old.low, value, old.low_open, is_open)
    if sign in (">", ">=", "==") and value.upper >= old.low.upper:
        is_open = sign == ">" or (old.low_open and value.upper == old.low.upper)
        old = Range(value, old.high, is_open, old.high_open)
    return old
