"""What makes the value that takes the place of a whole number a whole number."""

from rdpacct.exact.formula import Expr, Product, Rational, Sum, Symbol
from rdpacct.proof.kernel.statements import Condition, Whole
from rdpacct.proof.kernel.terms import Refused, at_most


def whole_at(condition: Whole, value: Expr) -> Condition:
    """What makes a value one of these whole numbers, no more and no less; it can be seen for a
    number and for a symbol plus an integer.
    """
    if (
        isinstance(value, Rational)
        and _is_integer(value)
        and value.value >= condition.start
    ):
        return at_most(condition.start, value)
    name, shift = _shifted(value)
    if name:
        return Whole(name, condition.start - shift)
    raise Refused(
        f"{condition.name} stands for whole numbers from {condition.start} on; {value} is not"
        " one that can be seen."
    )


def wholes_for(one: Whole, value: Expr) -> list[Condition]:
    """What is enough to make a value one of these whole numbers: natural numbers, made into it by
    sums and products with integers, and that it is at least the start.
    """
    name, shift = _shifted(value)
    if name and shift:
        return [Whole(name, max(one.start - shift, 0))]
    if name or not value.symbols() or not _is_integer(value):
        return [whole_at(one, value)]
    naturals = [Whole(symbol, 0) for symbol in sorted(value.symbols())]
    if isinstance(value, Sum):
        numbers = [p.value for p in value.parts() if isinstance(p, Rational)]
        symbols = [p for p in value.parts() if isinstance(p, Symbol)]
        plain = len(numbers) + len(symbols) == len(value.parts())
        if plain and sum(numbers) >= one.start:
            return [*naturals]
    return [*naturals, at_most(one.start, value)]


def _shifted(value: Expr) -> tuple[str, int]:
    """The symbol and the integer of a symbol plus an integer; no symbol for other formulas."""
    if isinstance(value, Symbol):
        return value.name, 0
    if isinstance(value, Sum) and len(value.parts()) == 2:
        for name, shift in (value.parts(), value.parts()[::-1]):
            whole = isinstance(shift, Rational) and shift.value.denominator == 1
            if isinstance(name, Symbol) and isinstance(shift, Rational) and whole:
                return name.name, int(shift.value)
    return "", 0


def _is_integer(expr: Expr) -> bool:
    """The formula is an integer if all its symbols are."""
    if isinstance(expr, Sum | Product):
        return all(map(_is_integer, expr.parts()))
    if isinstance(expr, Rational):
        return expr.value.denominator == 1
    return isinstance(expr, Symbol)
