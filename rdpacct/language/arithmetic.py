"""The exact number that a tree stands for: decimals, + - * / **, and a closed list of functions."""

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.errors import InputError
from rdpacct.exact.ball import refine
from rdpacct.exact.formula import Expr, Rational, apply, formula, power
from rdpacct.exact.functions import PI, READABLE
from rdpacct.exact.number import (
    MAX_BITS,
    MAX_EXPONENT,
    MAX_POWER,
    Number,
    decimal_text,
    shorten,
)
from rdpacct.exact.parameter import number_in
from rdpacct.language import grammar
from rdpacct.language.grammar import (
    Call,
    Listed,
    Negative,
    Node,
    Open,
    PowerNode,
    ProductNode,
    SumNode,
    parse,
    parts_of,
)

DIFFERENCE = re.compile(r"10\s*-\s*(\d+)", re.ASCII)
"""What is written for a power of ten by mistake."""
MAX_OPERATIONS = 100
"""How many operations a number may take."""
LOG_LIMIT = MAX_EXPONENT * math.log(10)
"""The logarithm of the largest number that is read."""


def read_number(given: Number | Expr, name: str) -> Expr:
    """A number that a user gives: a text may be a formula such as ``log(3)``; any other value is
    taken as it is.
    """
    if isinstance(given, Expr):
        return given
    if not isinstance(given, str):
        return number_in(given, name)
    text = given.strip()
    if text.lower().lstrip("+-") in ("", "nan", "inf", "infinity"):
        raise InputError(
            f"{name} is '{text}', which is not a finite number; give one such as 0.5,"
            " 1e-6 or 1/3."
        )
    if mistaken := DIFFERENCE.fullmatch(text):
        raise InputError(
            f"{name} is '{text}', which is a difference; write 1e-{mistaken[1]} for a"
            " power of ten."
        )
    return number(parse(text.removeprefix("+"), name), name)


def is_number(tree: Node) -> bool:
    """True if a tree is written as a number, and not as a mechanism or a guarantee."""
    match tree:
        case grammar.NumberNode() | Open() | PowerNode():
            return True
        case Negative(of):
            return is_number(of)
        case SumNode(parts) | ProductNode(parts):
            return all(is_number(part) for _, part in parts)
        case Call(name):
            return name in READABLE or name == "pi"
        case _:
            return False


@dataclass(frozen=True, slots=True)
class OpenNumber:
    """A number with a question mark in it, and the keyword of its argument; None for a count."""

    keyword: str | None
    tree: Node


def open_numbers(tree: Node, keyword: str | None = None) -> list[OpenNumber]:
    """Every number of a tree that has a question mark in it, once for each mark."""
    if is_number(tree):
        return [OpenNumber(keyword, tree)] * _marks(tree)
    if isinstance(tree, ProductNode):
        numbers = ProductNode(
            tuple(factor for factor in tree.factors if is_number(factor[1]))
        )
        others = [factor for _, factor in tree.factors if not is_number(factor)]
        inside = [number for other in others for number in open_numbers(other, keyword)]
        return [OpenNumber(keyword, numbers)] * _marks(numbers) + inside
    if isinstance(tree, Call):
        arguments = [*((keyword, part) for part in tree.positional), *tree.keywords]
        return [
            number for name, part in arguments for number in open_numbers(part, name)
        ]
    return [number for part in parts_of(tree) for number in open_numbers(part, keyword)]


def _marks(tree: Node) -> int:
    """How many question marks a number has."""
    inside = [*parts_of(tree), *(tree.positional if isinstance(tree, Call) else ())]
    return isinstance(tree, Open) + sum(map(_marks, inside))


def number(tree: Node, name: str, opened: Fraction | None = None) -> Expr:
    """The value of the number of a tree, with ``opened`` in place of the question mark; errors call
    the number ``name``.
    """
    value = _Arithmetic(name, opened).value(tree)
    if isinstance(value, Rational):
        return value
    return _settled(value, name)


class _Arithmetic:
    """One number, with a limit on its operations."""

    def __init__(self, name: str, opened: Fraction | None) -> None:
        self.name = name
        self.opened = opened
        self.operations = 0

    def value(self, tree: Node) -> Expr:
        """The value of a tree; every rational step is exact and of moderate size."""
        self.operations += 1
        if self.operations > MAX_OPERATIONS:
            raise InputError(
                f"{self.name} is a formula of more than {MAX_OPERATIONS} operations;"
                " give it by a shorter one."
            )
        try:
            value = self._value(tree)
        except ZeroDivisionError:
            raise InputError(
                f"{self.name} is a division by zero; give a nonzero denominator."
            ) from None
        if isinstance(value, Rational) and _bits(value.value) > 4 * MAX_BITS:
            raise InputError(
                f"{self.name} is a formula of more than {4 * MAX_BITS} bits; give a"
                " number of usual size."
            )
        return value

    def _value(self, tree: Node) -> Expr:
        match tree:
            case grammar.NumberNode(value):
                return formula(value)
            case Open(position):
                return formula(self._opened(position))
            case Negative(of):
                return -self.value(of)
            case SumNode(terms):
                return self._sum(terms)
            case ProductNode(factors):
                return self._product(factors)
            case PowerNode(base, exponent):
                return self._power(self.value(base), self.value(exponent))
            case Call():
                return self._call(tree)
            case Listed():
                raise InputError(
                    f"{self.name} is a list, which is not a number; give one such as"
                    " 0.5 or 1e-6."
                )

    def _opened(self, position: int) -> Fraction:
        if self.opened is None:
            raise InputError(
                f"{self.name} is the open number ? at position {position}; give it a"
                " value, or let rdpacct calibrate find one."
            )
        return self.opened

    def _sum(self, terms: tuple[tuple[str, Node], ...]) -> Expr:
        total = formula(0)
        for sign, term in terms:
            total = (
                total + self.value(term) if sign == "+" else total - self.value(term)
            )
        return total

    def _product(self, factors: tuple[tuple[str, Node], ...]) -> Expr:
        total = formula(1)
        for sign, factor in factors:
            total = (
                total * self.value(factor)
                if sign == "*"
                else total / self.value(factor)
            )
        return total

    def _power(self, base: Expr, exponent: Expr) -> Expr:
        if isinstance(exponent, Rational) and abs(exponent.value) > MAX_POWER:
            raise InputError(
                f"{self.name} has the exponent {exponent}, beyond {MAX_POWER}; write it"
                " with exp and log."
            )
        if (
            isinstance(base, Rational)
            and isinstance(exponent, Rational)
            and exponent.value.denominator == 1
        ):
            if _bits(base.value) * abs(exponent.value) > 4 * MAX_BITS:
                raise InputError(
                    f"{self.name} has a power of more than {4 * MAX_BITS} bits; give a"
                    " smaller one."
                )
            return formula(base.value ** int(exponent.value))
        return power(base, exponent)

    def _call(self, call: Call) -> Expr:
        if call.name == "pi" and not call.positional and not call.keywords:
            return PI
        if call.name not in READABLE:
            raise self._unknown(call)
        wanted = READABLE[call.name]
        if len(call.positional) != wanted or call.keywords:
            raise InputError(
                f"{self.name} has the function {call.name} with {len(call.positional)}"
                f" numbers, but it takes {wanted}; write"
                f" {call.name}({', '.join('23'[:wanted])})."
            )
        return apply(call.name, *map(self.value, call.positional))

    def _unknown(self, call: Call) -> InputError:
        name = shorten(call.name)
        if call.name == "e":
            return InputError(
                f"{self.name} is 'e', which is not a number here; write exp(1), or 1e-6"
                " as one word."
            )
        if call.name in ("ln", "log10", "log2"):
            return InputError(
                f"{self.name} has '{name}', which is not a function here; write log for"
                " the natural one."
            )
        if call.positional or call.keywords:
            known = ", ".join(READABLE)
            return InputError(
                f"{self.name} has '{name}', which is not a function of numbers; use one"
                f" of {known}."
            )
        return InputError(
            f"{self.name} is '{name}', which is not a finite number; give one such as"
            " 0.5 or 1e-6."
        )


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _settled(value: Expr, name: str) -> Expr:
    """The formula itself; refused unless it is certainly a number of moderate size and certainly
    not a whole number.
    """
    text = shorten(str(value))
    near = refine(value.ball)
    if not near.finite():
        raise InputError(
            f"{name} is {text}, which has no finite value; give a number that has one."
        )
    size = near if near.certainly_positive() else -near
    if size.certainly_positive() and abs(float(size.log())) > LOG_LIMIT:
        raise InputError(
            f"{name} is {text}, beyond 10**{MAX_EXPONENT}; give a number of usual size."
        )
    bound = value.bound(accuracy=128)
    whole = math.floor(bound.upper) if math.isfinite(bound.upper) else 0
    if bound.contains(whole):
        raise InputError(
            f"{name} is {text}, which cannot be told from"
            f" {decimal_text(Fraction(whole))}; write that, if it is meant."
        )
    return value
