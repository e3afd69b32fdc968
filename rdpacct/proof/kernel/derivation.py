"""Derivations as data: formulas, laws, conditions and applications of rules, line by line.

A line speaks of those before it only. Reading runs the rules of the kernel and nothing else: no
code of an author, no search. What is not of this form, or is refused by a rule, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.formula import (
    Apply,
    Expr,
    Power,
    Product,
    Rational,
    Sum,
    Symbol,
)
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import laws
from rdpacct.proof.kernel.fact import Fact
from rdpacct.proof.kernel.rule import RULES
from rdpacct.proof.kernel.statements import Exists, On, Whole
from rdpacct.proof.kernel.stretch import Stretch
from rdpacct.proof.kernel.terms import Expectation, Quantity, Refused
from rdpacct.proof.language import KERNEL_FUNCTIONS

FUNCTIONS = {*KERNEL_FUNCTIONS, "pi"}
KINDS = {kind.__name__: kind for kind in laws.KINDS}
MOST = 200_000
"""How many lines a derivation may have."""
LARGEST = 100_000
"""How many parts a formula, a law or a condition may have, each counted as often as it stands
there; those of the book have at most 2500.
"""
_NUMBER = re.compile(r"-?[0-9]{1,3000}(/[0-9]{1,3000})?", re.ASCII)

DerivationLine = Sequence[Any]


class Derivation:
    """Lines of a derivation, of which those are read that a fact needs."""

    def __init__(self, lines: Sequence[DerivationLine]) -> None:
        if len(lines) > MOST:
            raise Refused(f"a derivation has at most {MOST} lines.")
        self.lines = lines
        self._found = dict[int, Any]()
        self._sizes = dict[int, int]()

    def fact(self, number: int) -> Fact:
        """The fact of a line; ``Refused`` says which line is wrong."""
        try:
            wanted = sorted(self._needed(number, self._found))
        except RecursionError:
            raise Refused("a line is nested too deep.") from None
        for needed in wanted:
            if needed not in self._found:
                self._found[needed] = self._read(needed)
        fact = self._found[number]
        if not isinstance(fact, Fact):
            raise Refused(f"line {number} is not a fact.")
        return fact

    def _needed(self, number: int, known: Mapping[int, Any]) -> set[int]:
        """The line, and those that it is made of, which come before it, up to those that are
        known.
        """
        numbers = set[int]()
        waiting = [number]
        while waiting:
            last = waiting.pop()
            if last in numbers:
                continue
            numbers.add(last)
            if last in known:
                continue
            for other in references(self._line(last)):
                if other >= last:
                    raise Refused(f"line {last} speaks of a later line.")
                waiting.append(other)
        return numbers

    def _line(self, number: int) -> DerivationLine:
        if type(number) is not int or not 0 <= number < len(self.lines):
            raise Refused("a line speaks of one that is not there.")
        return self.lines[number]

    def _size(self, number: int) -> int:
        """How many parts the object of a line has; a fact counts as none of them."""
        parts = references(self._line(number))
        size = 1 + sum(self._sizes[part] for part in parts)
        if size > LARGEST:
            raise Refused(f"it has more than {LARGEST} parts.")
        return 0 if self._line(number)[0] == "fact" else size

    def _read(self, number: int) -> Any:
        try:
            self._sizes[number] = self._size(number)
            return _LineReader(self._found).line(self._line(number))
        except Refused as error:
            raise Refused(f"line {number}: {error}") from None
        except _WRONG as error:
            raise Refused(f"line {number} is not of the form: {error}.") from None


_WRONG = (
    InputError,
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    RecursionError,
)
"""What comes of lines that are not of the form."""


def references(value: Any) -> Iterator[int]:
    """The numbers of the lines that a line speaks of: all its whole numbers, but for those that are
    marked as numbers.
    """
    if isinstance(value, Mapping):
        for name, part in value.items():
            if name != "number":
                yield from references(part)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield value
    elif not isinstance(value, str) and isinstance(value, Sequence):
        for part in value:
            yield from references(part)


class _LineReader:
    """A line, from what was read before it."""

    def __init__(self, objects: Mapping[int, Any]) -> None:
        self._found = objects

    def line(self, line: DerivationLine) -> Any:
        """The object of one line: its kind, then what it is made of."""
        kind, *rest = line
        if kind == "fact":
            rule, args, named = rest
            values = {name: self.value(argument) for name, argument in named.items()}
            return RULES[rule](*map(self.value, args), **values)
        if kind in ("<", "<=", "=="):
            left, right = rest
            return Comparison(self.expr(left), kind, self.expr(right))
        if kind in KINDS:
            return self._law(kind, *rest)
        return (_CONDITIONS.get(kind) or _FORMULAS[kind])(self, *rest)

    def _law(self, kind: str, name: str, variables: list[str], *rest: Any) -> laws.Law:
        fields = (self.value(field) for field in rest)
        return KINDS[kind](str(name), tuple(map(str, variables)), *fields)

    def value(self, value: Any) -> Any:
        """An argument of a rule: an earlier line by its number, a text, a number, a list, pairs."""
        if value is None or isinstance(value, bool | str):
            return value
        if isinstance(value, int):
            return self.at(value)
        if isinstance(value, list):
            return tuple(map(self.value, value))
        ((kind, inner),) = value.items()
        if kind == "number":
            number = _number(inner)
            return int(number) if number.denominator == 1 else number
        if kind == "pairs":
            return {self.value(key): self.value(entry) for key, entry in inner}
        raise Refused(f"{kind} is not a kind of argument.")

    def at(self, number: int) -> Any:
        """An earlier line."""
        if type(number) is not int:
            raise Refused("a line speaks of others by their numbers.")
        return self._found[number]

    def expr(self, number: int) -> Expr:
        """An earlier line that is a formula."""
        expr = self.at(number)
        if not isinstance(expr, Expr):
            raise Refused(f"line {number} is not a formula.")
        return expr

    def exprs(self, numbers: Sequence[int]) -> tuple[Expr, ...]:
        """Earlier lines that are formulas."""
        return tuple(map(self.expr, numbers))

    def law(self, number: int) -> laws.Law:
        """An earlier line that is a law."""
        law = self.at(number)
        if not isinstance(law, laws.Law):
            raise Refused(f"line {number} is not a law.")
        return law


def _number(text: Any) -> Fraction:
    """A rational number, written out."""
    if type(text) is not str or not _NUMBER.fullmatch(text):
        raise Refused("a number is written with digits, as 3 or -3/4.")
    return Fraction(text)


def _applied(reader: _LineReader, function: str, *numbers: int) -> Expr:
    if function not in FUNCTIONS:
        raise Refused(f"{function} is not a function.")
    return Apply(function, reader.exprs(numbers))


def _piece(
    reader: _LineReader, lower: int | None, upper: int | None, density: int
) -> Stretch:
    first, last = (None if end is None else reader.expr(end) for end in (lower, upper))
    return Stretch(first, last, reader.expr(density))


_FORMULAS: dict[str, Callable[..., Any]] = {
    "number": lambda _, text: Rational(_number(text)),
    "name": lambda _, name: Symbol(str(name)),
    "+": lambda reader, *parts: Sum(reader.exprs(parts)),
    "*": lambda reader, *parts: Product(reader.exprs(parts)),
    "**": lambda reader, *parts: Power(*reader.exprs(parts)),
    "of": _applied,
    "E": lambda reader, law, body, *given: Expectation(
        reader.law(law), reader.expr(body), tuple(map(str, given))
    ),
    "unknown": lambda reader, name, *parts: Quantity(str(name), reader.exprs(parts)),
}
_CONDITIONS: dict[str, Callable[..., Any]] = {
    "on": lambda reader, law: On(reader.law(law)),
    "exists": lambda reader, law: Exists(reader.law(law)),
    "whole": lambda _, name, start: Whole(str(name), int(start)),
    "piece": _piece,
}
