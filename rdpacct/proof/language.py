"""The language of claims: relations between formulas, read by a closed grammar and kept as they are
written.

claim = sum ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum { ... }
sum = term { ("+" | "-") term }        term = factor { ("*" | "/") factor }
factor = "-" factor | item [ "**" factor ]
item = number | name | function "(" sum { "," sum } ")" | "(" sum ")"

The functions and the largest exponent are those of plans. Its tokens and limits are its own, and
stand here, since this file is among those that are trusted, and ``language/grammar.py`` is not.
"""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from fractions import Fraction

from rdpacct.errors import InputError, TextPlace
from rdpacct.exact.formula import (
    Apply,
    Expr,
    Power,
    Product,
    Rational,
    Sum,
    Symbol,
    formula,
    power,
)
from rdpacct.exact.functions import PI, READABLE
from rdpacct.exact.number import MAX_POWER, rational, shorten
from rdpacct.proof.claim import Comparison

MAX_LENGTH = 10_000
MAX_DEPTH = 60
MAX_BITS = 10_000
"""The length of the numerator or denominator of a number in a claim."""
LONG = 16
"""Sums and products of more operands are one node, so that formulas stay flat."""

KERNEL_FUNCTIONS = READABLE | {"cos": 1, "sin": 1}
"""The functions of claims that the kernel makes; no others may use the names of these."""

_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+)"
    r"|(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z][A-Za-z_0-9]*)"
    r"|(?P<mark>\*\*|<=|>=|==|!=|[-+*/(),<>])",
    re.ASCII,
)
PLAIN = "use numbers, names, + - * / ** ( ) , and relations"
INSTEAD = {
    "^": "write a power with **, as in x**2",
    "=": "write an equation with ==",
    "\u2264": "write <=",
    "\u2265": "write >=",
    "\u2260": "write !=",
    "\u00b7": "write a product with *",
    "\u221a": "write a root as sqrt(x)",
    "|": "write an absolute value as abs(x)",
    "!": "write an inequality as !=",
}
"""What to write in place of a character."""
OTHER_NAMES = {"ln": "log", "fabs": "abs", "Abs": "abs"}
"""Functions that are known under other names."""
UNKNOWN = ("sin", "cos", "tan")
"""Functions that are not read, however near their names are to others."""
_RELATIONS = ("<", "<=", ">", ">=", "==", "!=")


def read_comparisons(
    text: str, functions: Mapping[str, int] = READABLE
) -> list[Comparison]:
    """The relations of a text; a chain such as ``0 < x <= 1`` gives one for each sign."""
    parser = _ClaimParser(text, functions)
    sides = [parser.sum()]
    signs = list[str]()
    while parser.peek() in _RELATIONS:
        signs.append(parser.next())
        sides.append(parser.sum())
    if not signs or parser.peek():
        raise parser.unexpected(
            "a relation such as <= between two sides" if not signs else "the end"
        )
    return [
        Comparison(left, sign, right)
        for left, sign, right in zip(sides, signs, sides[1:], strict=False)
    ]


class _ClaimParser:
    """A recursive descent over the tokens of a claim, with a limit on its depth."""

    def __init__(self, text: str, functions: Mapping[str, int]) -> None:
        self.functions = functions
        self.text = text
        if len(text) > MAX_LENGTH:
            raise InputError(
                f"the claim has {len(text)} characters, more than the {MAX_LENGTH} that"
                " are read; shorten it."
            )
        self.tokens = list[tuple[str, str, int]]()
        self.at = self.depth = 0
        position = 0
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise InputError(
                    f"the claim has the character {text[position]!a} at position"
                    f" {position + 1}, which has no meaning there;"
                    f" {_instead(text, position)}.",
                    TextPlace(text, position, position + 1),
                )
            if match.lastgroup != "space":
                self.tokens.append((str(match.lastgroup), match.group(), position + 1))
            position = match.end()

    def peek(self) -> str:
        """The next token, or nothing at the end."""
        if self.at < len(self.tokens):
            return self.tokens[self.at][1]
        return ""

    def next(self) -> str:
        """Take the next token."""
        token = self.peek()
        self.at += 1
        return token

    def unexpected(self, wanted: str) -> InputError:
        """The refusal of what comes next."""
        if not self.peek():
            end = len(self.text.rstrip())
            return InputError(
                f"the claim ends where {wanted} was expected; complete it.",
                TextPlace(self.text, end, end + 1),
            )
        kind, text, position = self.tokens[self.at]
        before = self.tokens[self.at - 1][0] if self.at else ""
        remedy = "correct it"
        if text in ("and", "or", ","):
            remedy = "ask about one relation, and give each other one by --given"
        elif before in ("number", "name") and kind in ("number", "name"):
            remedy = "write a product with *"
        return InputError(
            f"the claim has {shorten(text)!r} at position {position}, where {wanted}"
            f" was expected; {remedy}.",
            self._place(self.at),
        )

    def _place(self, number: int) -> TextPlace:
        """Where a token is in the text."""
        _, text, position = self.tokens[number]
        return TextPlace(self.text, position - 1, position - 1 + len(text))

    def sum(self) -> Expr:
        """A sum of terms."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise InputError(
                f"the claim is nested more than {MAX_DEPTH} deep; write it flatter."
            )
        terms = [self._term()]
        while self.peek() in ("+", "-"):
            negative = self.next() == "-"
            term = self._term()
            terms.append(_join(Product, formula(-1), term) if negative else term)
        self.depth -= 1
        return _join_all(Sum, terms)

    def _term(self) -> Expr:
        factors = [self._factor()]
        while self.peek() in ("*", "/"):
            inverse = self.next() == "/"
            factor = self._factor()
            factors.append(_raise(factor, formula(-1)) if inverse else factor)
        return _join_all(Product, factors)

    def _factor(self) -> Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise InputError(
                f"the claim is nested more than {MAX_DEPTH} deep; write it flatter."
            )
        if self.peek() == "-":
            self.next()
            value = _join(Product, formula(-1), self._factor())
        else:
            value = self._item()
            if self.peek() == "**":
                self.next()
                value = _raise(value, self._factor())
        self.depth -= 1
        return value

    def _item(self) -> Expr:
        kind, text, _ = (
            self.tokens[self.at] if self.at < len(self.tokens) else ("", "", 0)
        )
        if kind == "number":
            self.next()
            return formula(rational(text, "a number of the claim"))
        if kind == "name":
            self.next()
            return self._named(text)
        if text == "(":
            self.next()
            value = self.sum()
            self._expect(")")
            return value
        raise self.unexpected("a number, a name or a parenthesis")

    def _named(self, name: str) -> Expr:
        if self.peek() != "(":
            if name in KERNEL_FUNCTIONS.keys() - self.functions.keys():
                raise InputError(
                    f"the name {name} is kept for a function; choose another."
                )
            if name in self.functions:
                raise InputError(
                    f"the function {name} stands without its argument; write"
                    f" {name}(...).",
                    self._place(self.at - 1),
                )
            return PI if name == "pi" else Symbol(name)
        if name not in self.functions:
            raise InputError(
                f"the function {shorten(name)!r} is not known; {self._meant(name)}",
                self._place(self.at - 1),
            )
        self._expect("(")
        arguments = [self.sum()]
        while self.peek() == ",":
            self.next()
            arguments.append(self.sum())
        self._expect(")")
        if len(arguments) != self.functions[name]:
            raise InputError(
                f"{name} has {len(arguments)} arguments, but takes"
                f" {self.functions[name]}; correct it."
            )
        return Apply(name, tuple(arguments))

    def _meant(self, name: str) -> str:
        """The function that was most likely meant, or all that there are."""
        near = get_close_matches(name, self.functions, n=1, cutoff=0.65)
        meant = OTHER_NAMES.get(name) or (near[0] if near else None)
        if meant is None or name in UNKNOWN:
            return f"use one of {', '.join(self.functions)}."
        return f"did you mean {meant}?"

    def _expect(self, mark: str) -> None:
        if self.peek() != mark:
            raise self.unexpected(repr(mark))
        self.next()


def _instead(text: str, position: int) -> str:
    """What to write in place of a character of a claim."""
    turned = {"=>": "write >=", "=<": "write <="}.get(text[position : position + 2])
    return turned or INSTEAD.get(text[position], PLAIN)


def _join_all(node: type[Sum] | type[Product], parts: list[Expr]) -> Expr:
    """The sum or product from left to right; a long one as a single node."""
    if len(parts) > LONG:
        return node(tuple(parts))
    total = parts[0]
    for part in parts[1:]:
        total = _join(node, total, part)
    return total


def _join(node: type[Sum] | type[Product], left: Expr, right: Expr) -> Expr:
    """The sum or product of two formulas as they were written; only numbers are added up or
    multiplied out.
    """
    if isinstance(left, Rational) and isinstance(right, Rational):
        return _short(left + right if node is Sum else left * right)
    return node((left, right))


def _short(number: Expr) -> Expr:
    """A number that was worked out, unless it is too long."""
    if isinstance(number, Rational) and _length(number.value) > MAX_BITS:
        raise InputError(
            f"the claim has a number of more than {MAX_BITS} bits; write it with exp"
            " and log."
        )
    return number


def _length(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _raise(base: Expr, exponent: Expr) -> Expr:
    if not isinstance(exponent, Rational):
        return Power(base, exponent)
    if abs(exponent.value) > MAX_POWER or exponent.value.denominator > MAX_POWER:
        raise InputError(
            f"the claim has the exponent {exponent}, beyond {MAX_POWER}; write it with"
            " exp and log."
        )
    if base == formula(0) and exponent.value < 0:
        raise InputError(
            "the claim divides by the constant 0, so that it says nothing; correct it."
        )
    if not isinstance(base, Rational) or exponent.value.denominator != 1:
        return Power(base, exponent)
    if _length(base.value) * abs(exponent.value) > 2 * MAX_BITS:
        raise InputError(
            f"the claim has a number of more than {MAX_BITS} bits; write it with exp"
            " and log."
        )
    return _short(power(base, exponent))
