"""Whole numbers: sums and products of them are whole, and the next one above is 1 more."""

from rdpacct.exact.formula import Expr, Product, Rational, Sum, Symbol
from rdpacct.proof.kernel.fact import Condition, Fact, Whole, make
from rdpacct.proof.kernel.rule import rule
from rdpacct.proof.kernel.terms import Refused, at_most


@rule
def next_whole(fact: Fact) -> Fact:
    """a + 1 <= b, from a < b for whole numbers a and b."""
    one = fact.relation
    known = {c.name for c in fact.domain if isinstance(c, Whole)}
    if one.sign != "<":
        raise Refused(f"{one} is not strict.")
    for side in (one.left, one.right):
        if not _is_integer(side) or not side.symbols() <= known:
            raise Refused(f"it is not known that {side} is a whole number.")
    return make("next_whole", at_most(one.left + 1, one.right), (fact,))


def whole_at(one: Whole, value: Expr) -> Condition:
    """What makes a value one of these whole numbers, no more and no less; it can be seen for a
    number and for a symbol plus an integer.
    """
    if isinstance(value, Rational) and _is_integer(value) and value.value >= one.start:
        return at_most(one.start, value)
    if isinstance(value, Symbol):
        return Whole(value.name, one.start)
    if isinstance(value, Sum) and len(value.parts()) == 2:
        for name, shift in (value.parts(), value.parts()[::-1]):
            if (
                isinstance(name, Symbol)
                and isinstance(shift, Rational)
                and _is_integer(shift)
            ):
                return Whole(name.name, one.start - int(shift.value))
    raise Refused(
        f"{one.name} stands for whole numbers from {one.start} on; {value} is not one"
        " that can be seen."
    )


def wholes_for(one: Whole, value: Expr) -> list[Condition]:
    """What is enough to make a value one of these whole numbers: that, or that it is made of
    natural numbers and integers by sums and products, and is at least the start.
    """
    if len(value.symbols()) < 2 or not _is_integer(value):
        return [whole_at(one, value)]
    naturals = [Whole(name, 0) for name in sorted(value.symbols())]
    return [*naturals, at_most(one.start, value)]


def _is_integer(expr: Expr) -> bool:
    """The formula is an integer if all its symbols are."""
    if isinstance(expr, Sum | Product):
        return all(map(_is_integer, expr.parts()))
    if isinstance(expr, Rational):
        return expr.value.denominator == 1
    return isinstance(expr, Symbol)
