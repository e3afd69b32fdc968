"""Numbers that are moved into an interval: clipping moves nothing apart."""

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import maximum, minimum
from rdpacct.proof.kernel import Fact, at_most, combine, given_by, real, specialize

b, d, x, y = (Symbol(name) for name in "bdxy")


def clip(value: Real) -> Expr:
    """The value, moved into [-b, b]."""
    return maximum(-b, minimum(formula(value), b))


def shifted() -> Fact:
    """clip(x) <= clip(y) + d, if x <= y + d and 0 <= d."""
    near = real("x <= y + d", "x <= y + d")
    sign = real("0 <= d", "0 <= d")
    low = minimum(x, b)
    high = minimum(y, b)
    first = combine(at_most(low - d, y), real("min(x, b) <= x"), near)
    second = combine(at_most(low - d, b), real("min(x, b) <= b"), sign)
    inner = given_by(
        specialize(real("v <= min(y, b)", "v <= y", "v <= b"), v=low - d), first, second
    )
    third = combine(
        at_most(low, clip(y) + d),
        inner,
        specialize(real("v <= max(u, v)"), u=-b, v=high),
    )
    fourth = combine(
        at_most(-b, clip(y) + d), specialize(real("u <= max(u, v)"), u=-b, v=high), sign
    )
    both = specialize(
        real("max(u, v) <= w", "u <= w", "v <= w"), u=-b, v=low, w=clip(y) + d
    )
    return given_by(both, fourth, third)


def swapped(fact: Fact) -> Fact:
    """The same for y and x."""
    return specialize(specialize(fact, x=Symbol("u"), y=Symbol("v")), u=y, v=x)
