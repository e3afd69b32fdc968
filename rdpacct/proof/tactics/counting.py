"""Indicators of "at most", cases of whole numbers, and steps that counting arguments share."""

from fractions import Fraction
from functools import cache

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Condition,
    Fact,
    Quantity,
    Whole,
    assume,
    at_most,
    below,
    combine,
    either,
    equal,
    given_by,
    next_whole,
    real,
    specialize,
    under,
)

HALF = Fraction(1, 2)
a, t, u, v = (Symbol(name) for name in "atuv")


def counts(value: Real, at: Real) -> Expr:
    """1 if the value is at most this, and 0 if it is above: I(value, at)."""
    return Quantity("I", (formula(value), formula(at)))


COUNTED = assume(equal(counts(a, t), 1), "a <= t", every=("a", "t"))
LEFT_OUT = assume(equal(counts(a, t), 0), "t < a", every=("a", "t"))
INDICATOR = {"counted": COUNTED, "left out": LEFT_OUT}
"""What I(a, t) is, for all a and t."""


@cache
def not_negative(value: Expr) -> Fact:
    """0 <= I(value, t)."""
    claim = at_most(0, counts(a, t))
    one = combine(claim, COUNTED, rest=1)
    return specialize(either(one, combine(claim, LEFT_OUT)), a=value)


@cache
def at_most_one(value: Expr) -> Fact:
    """I(value, t) <= 1."""
    claim = at_most(counts(a, t), 1)
    one = combine(claim, COUNTED)
    return specialize(either(one, combine(claim, LEFT_OUT, rest=1)), a=value)


@cache
def falling() -> Fact:
    """I(v, t) <= I(u, t), if u <= v."""
    claim = at_most(counts(v, t), counts(u, t))
    upper = specialize(COUNTED, a=v)
    lower = specialize(COUNTED, a=u)
    one = under(combine(claim, upper, lower), "u <= v", "v <= t")
    two = combine(claim, specialize(LEFT_OUT, a=v), not_negative(u))
    return either(one, under(two, "u <= v", "t < v"))


def counted_at(value: Expr) -> Fact:
    """I(value, value) == 1."""
    one = specialize(COUNTED, a=value, t=value)
    return given_by(one, specialize(real("u <= u"), u=value))


def whole_cases(
    first: Fact, second: Fact, case: Comparison, *given: str | Condition
) -> Fact:
    """What holds for a <= b, which is the case, and for b + 1 <= a, where a and b are whole."""
    strict = below(case.right, case.left)
    wholes = [one for one in given if isinstance(one, Whole)]
    beyond = next_whole(under(real(strict, strict), strict, *wholes))
    there = under(second, beyond.relation, *given)
    return either(
        under(first, case, *given), under(given_by(there, beyond), strict, *given)
    )


def divided(claim: Comparison, product: Fact, positive: Fact) -> Fact:
    """From (left - right) y <= 0 and 0 < y: left <= right."""
    x = claim.left - claim.right
    y = positive.relation.right
    found = specialize(real("x <= z/y", "x*y <= z", "0 < y"), x=x, y=y, z=0)
    return combine(
        claim, given_by(found, combine(at_most(x * y, 0), product), positive)
    )
