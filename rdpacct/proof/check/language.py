"""The language of claims: text in, expression trees out.

An expression is a nested tuple: ``("number", Fraction)``, ``("variable", name)``, ``("pi",)``, ``("negative", a)``,
``("+", a, b)`` and likewise ``- * / **``, or a function name followed by its arguments. Decimals are exact.
"""

import re
from fractions import Fraction
from typing import Any, NamedTuple

Expression = tuple[Any, ...]

FUNCTIONS = {"exp": 1, "log": 1, "sqrt": 1, "cbrt": 1, "abs": 1, "min": 2, "max": 2}
FUNCTIONS |= {"tanh": 1, "sinh": 1, "cosh": 1, "erf": 1, "erfc": 1, "cos": 1, "sin": 1}
RELATIONS = ("<", "<=", ">", ">=", "==", "!=")

MAX_CHARACTERS = 10_000
MAX_DEPTH = 60
MAX_DIGITS = 200
MAX_EXPONENT = 400

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|"
    r"(?P<mark>\*\*|<=|>=|==|!=|[-+*/(),<>]))",
    re.ASCII,
)
_VARIABLE = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)


class Rejected(ValueError):
    """The certificate, or a text in it, does not establish what it says."""


class Relation(NamedTuple):
    """``left sign right`` between two expressions."""

    left: Expression
    sign: str
    right: Expression


def tokens(text: object) -> list[str]:
    """The words of a text; anything that is not a word of the language is refused."""
    if not isinstance(text, str) or len(text) > MAX_CHARACTERS:
        raise Rejected(f"a claim is a text of at most {MAX_CHARACTERS} characters.")
    words, position, end = [], 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise Rejected(f"{text[position : position + 20]!r} is not part of the language of claims.")
        words.append(match[0].strip())
        position = match.end()
    return words


def number(text: str) -> Fraction:
    """The exact value of an integer or decimal literal."""
    mantissa, _, exponent = text.lower().partition("e")
    if len(mantissa) > MAX_DIGITS or len(exponent) > 5 or abs(int(exponent or 0)) > MAX_EXPONENT:
        raise Rejected(f"the number {text[:20]}... has too many digits or too large an exponent.")
    whole, _, decimals = mantissa.partition(".")
    return int((whole + decimals) or "0") * Fraction(10) ** (int(exponent or 0) - len(decimals))


class _Parser:
    """Recursive descent over the words, with a bound on the depth."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.position = 0
        self.depth = 0

    def peek(self) -> str:
        return self.words[self.position] if self.position < len(self.words) else ""

    def take(self, expected: str = "") -> str:
        word = self.peek()
        if not word or (expected and word != expected):
            raise Rejected(f"expected {expected or 'more'!r} but found {word[:20] or 'the end'!r}.")
        self.position += 1
        return word

    def sum(self) -> Expression:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Rejected(f"the expression is nested deeper than {MAX_DEPTH} levels.")
        tree = self.product()
        while self.peek() in ("+", "-"):
            tree = (self.take(), tree, self.product())
        self.depth -= 1
        return tree

    def product(self) -> Expression:
        tree = self.signed()
        while self.peek() in ("*", "/"):
            tree = (self.take(), tree, self.signed())
        return tree

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
                raise Rejected(f"{word} takes {FUNCTIONS[word]} argument(s), not {len(arguments)}.")
            return (word, *arguments)
        if not _VARIABLE.fullmatch(word):
            raise Rejected(f"{word[:20]!r} is not a number, a function or a variable.")
        if self.peek() == "(":
            raise Rejected(f"{word[:20]!r} is not a known function.")
        return ("variable", word)


def parse_expression(text: object) -> Expression:
    """The tree of one expression."""
    parser = _Parser(tokens(text))
    tree = parser.sum()
    if parser.peek():
        raise Rejected(f"{parser.peek()[:20]!r} is not expected here.")
    return tree


def parse_relations(text: object) -> list[Relation]:
    """The relations of a text; ``x > y > 0`` is two of them."""
    parser = _Parser(tokens(text))
    sides, signs = [parser.sum()], []
    while parser.peek() in RELATIONS:
        signs.append(parser.take())
        sides.append(parser.sum())
    if parser.peek() or not signs:
        raise Rejected(f"{str(text)[:60]!r} is not a relation between expressions.")
    return [Relation(left, sign, right) for left, sign, right in zip(sides, signs, sides[1:], strict=False)]


def variables(tree: Expression) -> set[str]:
    """The names of the variables of an expression."""
    if tree[0] == "variable":
        return {tree[1]}
    found: set[str] = set()
    for part in tree[1:]:
        if isinstance(part, tuple):
            found |= variables(part)
    return found


def replace(tree: Expression, name: str, by: Expression) -> Expression:
    """The expression with every occurrence of a variable replaced."""
    if tree == ("variable", name):
        return by
    return tuple(replace(part, name, by) if isinstance(part, tuple) else part for part in tree)


def substituted(relation: Relation, name: str, by: Expression) -> Relation:
    """The relation with a variable replaced."""
    return Relation(replace(relation.left, name, by), relation.sign, replace(relation.right, name, by))


def names_of(relation: Relation) -> set[str]:
    """The names of the variables of both sides."""
    return variables(relation.left) | variables(relation.right)


def power_bases(tree: Expression) -> list[Expression]:
    """The bases of the powers in an expression that have a variable in the exponent."""
    found = [base for part in tree[1:] if isinstance(part, tuple) for base in power_bases(part)]
    return [*found, tree[1]] if tree[0] == "**" and variables(tree[2]) else found
