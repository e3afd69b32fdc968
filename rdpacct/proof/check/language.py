"""The language of claims: text in, expression trees out.

An expression is a nested tuple: ``("number", value)``, ``("variable", name)``, ``("pi",)``,
``("negative", a)``, ``("+", a, b)`` and likewise ``- * / **``, or a function name followed by its
arguments. Decimals are exact. In a claim a power with a variable in its exponent is ``("power", a,
b)``, and stays so when the variable gets a value: it is defined for positive bases only.
"""

import re
from fractions import Fraction
from typing import Any, NamedTuple

from rdpacct.proof.check.effort import EFFORT, Rejected

Expression = tuple[Any, ...]

FUNCTIONS = {"exp": 1, "log": 1, "sqrt": 1, "cbrt": 1, "abs": 1, "min": 2, "max": 2}
FUNCTIONS |= {"tanh": 1, "sinh": 1, "cosh": 1, "erf": 1, "erfc": 1, "cos": 1, "sin": 1}
RELATIONS = ("<", "<=", ">", ">=", "==", "!=")

MAX_CHARACTERS = 10_000
MAX_DEPTH = 60
MAX_DIGITS = 200
MAX_NAME = 100
MAX_EXPONENT = 400
LONG = 16
"""Sums and products of more operands are split in halves, so that their trees stay flat."""

_SPACE = " \t\r\n"
_TOKEN = re.compile(
    r"[ \t\r\n]*(?:(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|"
    r"(?P<mark>\*\*|<=|>=|==|!=|[-+*/(),<>]))",
    re.ASCII,
)
_VARIABLE = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)


class Inequality(NamedTuple):
    """``left sign right`` between two expressions; the sign may also be == or !=."""

    left: Expression
    sign: str
    right: Expression


def tokens(text: object) -> list[str]:
    """The words of a text; anything that is not a word of the language is refused."""
    if not isinstance(text, str) or len(text) > MAX_CHARACTERS:
        raise Rejected(f"a claim is a text of at most {MAX_CHARACTERS} characters.")
    EFFORT.spend(1 + len(text))
    words = []
    position = 0
    end = len(text.rstrip(_SPACE))
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise Rejected(
                f"{text[position : position + 20]!a} is not part of the language of"
                " claims."
            )
        words.append(match[0].strip(_SPACE))
        position = match.end()
    return words


def number(text: str) -> int | Fraction:
    """The exact value of an integer or decimal literal."""
    mantissa, _, exponent = text.lower().partition("e")
    if (
        len(mantissa) > MAX_DIGITS
        or len(exponent) > 5
        or abs(int(exponent or 0)) > MAX_EXPONENT
    ):
        raise Rejected(
            f"the number {text[:20]!a}... has too many digits or too large an exponent."
        )
    whole, _, decimals = mantissa.partition(".")
    if not decimals and not exponent:
        return int(whole)
    return int((whole + decimals) or "0") * Fraction(10) ** (
        int(exponent or 0) - len(decimals)
    )


class _Parser:
    """Recursive descent over the words, with a bound on the depth."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.position = 0
        self.depth = 0

    def peek(self) -> str:
        if self.position < len(self.words):
            return self.words[self.position]
        return ""

    def take(self, expected: str = "") -> str:
        word = self.peek()
        if not word or (expected and word != expected):
            raise Rejected(
                f"expected {expected or 'more'!a} but found {word[:20] or 'the end'!a}."
            )
        self.position += 1
        return word

    def sum(self) -> Expression:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Rejected(f"the expression is nested deeper than {MAX_DEPTH} levels.")
        parts = [("+", self.product())]
        while self.peek() in ("+", "-"):
            parts.append((self.take(), self.product()))
        self.depth -= 1
        return _joined(parts)

    def product(self) -> Expression:
        parts = [("*", self.signed())]
        while self.peek() in ("*", "/"):
            parts.append((self.take(), self.signed()))
        return _joined(parts)

    def signed(self) -> Expression:
        negative = False
        while self.peek() in ("+", "-"):
            negative ^= self.take() == "-"
        tree = self.power()
        return ("negative", tree) if negative else tree

    def power(self) -> Expression:
        base = self.atom()
        if self.peek() != "**":
            return base
        self.take()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Rejected(f"the expression is nested deeper than {MAX_DEPTH} levels.")
        tree = ("**", base, self.signed())
        self.depth -= 1
        return tree

    def atom(self) -> Expression:
        word = self.take()
        if word[0].isdigit() or word[0] == ".":
            return ("number", number(word))
        if word == "(":
            tree = self.sum()
            self.take(")")
            return tree
        if word == "pi":
            return ("pi",)
        if word in FUNCTIONS:
            self.take("(")
            arguments = [self.sum()]
            while self.peek() == ",":
                self.take()
                arguments.append(self.sum())
            self.take(")")
            if len(arguments) != FUNCTIONS[word]:
                raise Rejected(
                    f"{word} takes {FUNCTIONS[word]} argument(s), not {len(arguments)}."
                )
            return (word, *arguments)
        if len(word) > MAX_NAME or not _VARIABLE.fullmatch(word):
            raise Rejected(f"{word[:20]!r} is not a number, a function or a variable.")
        if self.peek() == "(":
            raise Rejected(f"{word[:20]!r} is not a known function.")
        return ("variable", word)


def _joined(parts: list[tuple[str, Expression]]) -> Expression:
    """The sum or product of operands with their signs, from left to right; a long one by halves."""
    if len(parts) > LONG:
        plain = [
            tree if sign in "+*" else _inverted(sign, tree) for sign, tree in parts
        ]
        return _halved(parts[0][0], plain)
    tree = parts[0][1]
    for sign, operand in parts[1:]:
        tree = (sign, tree, operand)
    return tree


def _inverted(sign: str, tree: Expression) -> Expression:
    if sign == "-":
        return ("negative", tree)
    return ("/", ("number", Fraction(1)), tree)


def _halved(sign: str, trees: list[Expression]) -> Expression:
    if len(trees) == 1:
        return trees[0]
    middle = len(trees) // 2
    return (sign, _halved(sign, trees[:middle]), _halved(sign, trees[middle:]))


def parse_expression(text: object) -> Expression:
    """The tree of one expression."""
    parser = _Parser(tokens(text))
    tree = parser.sum()
    if parser.peek():
        raise Rejected(f"{parser.peek()[:20]!r} is not expected here.")
    return tree


def parse_relations(text: object) -> list[Inequality]:
    """The relations of a text; ``x > y > 0`` is two of them."""
    parser = _Parser(tokens(text))
    sides = [parser.sum()]
    signs = []
    while parser.peek() in RELATIONS:
        signs.append(parser.take())
        sides.append(parser.sum())
    if parser.peek() or not signs:
        raise Rejected(f"{str(text)[:60]!a} is not a relation between expressions.")
    sides = [_with_real_powers(side) for side in sides]
    return [
        Inequality(left, sign, right)
        for left, sign, right in zip(sides, signs, sides[1:], strict=False)
    ]


def _with_real_powers(tree: Expression) -> Expression:
    """The expression with its powers that have a variable in the exponent marked as such."""
    EFFORT.spend(1)
    parts = tuple(
        _with_real_powers(part) if isinstance(part, tuple) else part
        for part in tree[1:]
    )
    head = "power" if tree[0] == "**" and variables(tree[2]) else tree[0]
    return (head, *parts)


def variables(tree: Expression) -> set[str]:
    """The names of the variables of an expression."""
    names: set[str] = set()
    _collect(tree, names)
    return names


def _collect(tree: Expression, names: set[str]) -> None:
    EFFORT.spend(1)
    if tree[0] == "variable":
        names.add(tree[1])
    for part in tree[1:]:
        if isinstance(part, tuple):
            _collect(part, names)


def replace(tree: Expression, name: str, by: Expression) -> Expression:
    """The expression with every occurrence of a variable replaced."""
    EFFORT.spend(1)
    if tree[0] == "variable":
        return by if tree[1] == name else tree
    return tuple(
        replace(part, name, by) if isinstance(part, tuple) else part for part in tree
    )


def substituted(relation: Inequality, name: str, by: Expression) -> Inequality:
    """The relation with a variable replaced."""
    return Inequality(
        replace(relation.left, name, by),
        relation.sign,
        replace(relation.right, name, by),
    )


def names_of(relation: Inequality) -> set[str]:
    """The names of the variables of both sides."""
    return variables(relation.left) | variables(relation.right)
