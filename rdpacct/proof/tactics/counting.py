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
    real,
    specialize,
    under,
)
from rdpacct.proof.tactics.whole import next_whole

HALF = Fraction(1, 2)
a, t, u, v, x = (Symbol(name) for name in "atuvx")


def counts(value: Real, at: Real) -> Expr:
    """1 if the value is at most this, and 0 if it is above: I(at - value)."""
    return _indicator(formula(at) - formula(value))


def _indicator(x: Expr) -> Expr:
    return Quantity("I", (x,))


INDICATOR = {
    "I is 1 from 0 on": assume(equal(_indicator(x), 1), "0 <= x", every="x"),
    "and 0 before": assume(equal(_indicator(x), 0), "x < 0", every="x"),
}
"""What I is."""


@cache
def counted(value: Expr) -> Fact:
    """I(t - value) == 1, if value <= t."""
    indicator = specialize(INDICATOR["I is 1 from 0 on"], x=t - a)
    return specialize(given_by(indicator, real("0 <= t - a", "a <= t")), a=value)


@cache
def left_out(value: Expr) -> Fact:
    """I(t - value) == 0, if t < value."""
    none = specialize(INDICATOR["and 0 before"], x=t - a)
    return specialize(given_by(none, real("t - a < 0", "t < a")), a=value)


@cache
def not_negative(value: Expr) -> Fact:
    """0 <= I(value, t)."""
    claim = at_most(0, counts(a, t))
    if_counted = combine(claim, counted(a), rest=1)
    return specialize(either(if_counted, combine(claim, left_out(a))), a=value)


@cache
def at_most_one(value: Expr) -> Fact:
    """I(value, t) <= 1."""
    claim = at_most(counts(a, t), 1)
    if_counted = combine(claim, counted(a))
    return specialize(either(if_counted, combine(claim, left_out(a), rest=1)), a=value)


@cache
def falling() -> Fact:
    """I(v, t) <= I(u, t), if u <= v."""
    claim = at_most(counts(v, t), counts(u, t))
    upper = counted(v)
    lower = counted(u)
    if_counted = under(combine(claim, upper, lower), "u <= v", "v <= t")
    if_left_out = combine(claim, left_out(v), not_negative(u))
    return either(if_counted, under(if_left_out, "u <= v", "t < v"))


@cache
def rising(value: Expr) -> Fact:
    """I(value, t) <= I(value, u), if t <= u."""
    claim = at_most(counts(a, t), counts(a, u))
    both = combine(claim, counted(a), specialize(counted(a), t=u))
    if_counted = under(both, "t <= u", "a <= t")
    if_left_out = combine(claim, left_out(a), specialize(not_negative(a), t=u))
    return specialize(
        either(if_counted, under(if_left_out, "t <= u", "t < a")), a=value
    )


def counted_at(value: Expr) -> Fact:
    """I(value, value) == 1."""
    indicator = specialize(counted(value), t=value)
    return given_by(indicator, specialize(real("u <= u"), u=value))


def whole_cases(
    first: Fact, second: Fact, case: Comparison, *given: str | Condition
) -> Fact:
    """What holds for a <= b, which is the case, and for b + 1 <= a, where a and b are whole."""
    strict = below(case.right, case.left)
    beyond = specialize(next_whole(), j=case.right, k=case.left)
    wholes = [condition for condition in given if isinstance(condition, Whole)]
    beyond = under(beyond, strict, *wholes)
    there = under(second, beyond.relation, *given)
    return either(
        under(first, case, *given), under(given_by(there, beyond), strict, *given)
    )


def divided(
    claim: Comparison, product: Fact, positive: Fact, *given: str | Condition
) -> Fact:
    """From (left - right) y <= 0 and 0 < y: left <= right; what is given makes them defined."""
    x = claim.left - claim.right
    y = positive.relation.right
    quotient = real("x <= z/y", "x*y <= z", "0 < y", *given)
    bound = specialize(quotient, x=x, y=y, z=0)
    return combine(
        claim, given_by(bound, combine(at_most(x * y, 0), product), positive)
    )
