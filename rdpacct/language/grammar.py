"""The closed grammar of plans, claims and numbers: text in, a small tree out; nothing is ever
evaluated.

sum      = term { ("+" | "-") term }
term     = factor { ("*" | "/") factor }
factor   = "-" factor | item [ "**" factor ]
item     = number | "?" | "(" sum ")" | "[" [ sum { "," sum } ] "]"
         | name [ "(" [ argument { "," argument } ] ")" ]
argument = name "=" sum | name "**" "2" "=" sum | sum

A parameter may be given by its square: ``sigma**2=8`` is read as ``sigma_squared=8``.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple, TypeAlias, TypeVar

from rdpacct.errors import InputError, TextPlace
from rdpacct.exact.number import MAX_DIGITS, rational, shorten
from rdpacct.language.remedies import for_character, for_end, for_token

MAX_LENGTH = 65_536
MAX_DEPTH = 50

SQUARED = "_squared"
"""What the name of a parameter ends with that is given by its square."""

Part = TypeVar("Part")

EXAMPLES = {"plan": "Gaussian(sigma=1)", "claim": "PureDP(epsilon=1)"}
"""An example for each kind of text, for the error about an empty one."""


@dataclass(frozen=True, slots=True)
class NumberNode:
    """A decimal, exactly."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Open:
    """A question mark: the number that is to be found."""

    position: int


@dataclass(frozen=True, slots=True)
class Call:
    """A name, with arguments by position and by keyword; without parentheses it has none."""

    name: str
    positional: "tuple[Node, ...]" = ()
    keywords: "tuple[tuple[str, Node], ...]" = ()
    place: TextPlace | None = field(default=None, compare=False)
    """Where it is written."""
    places: tuple[TextPlace, ...] = field(default=(), compare=False)
    """Where its keywords are written, with their values."""

    def place_of(self, number: int) -> TextPlace | None:
        """Where a keyword is written, or the call if that is not known."""
        return self.places[number] if number < len(self.places) else self.place


@dataclass(frozen=True, slots=True)
class SumNode:
    """Two or more terms, each added or subtracted."""

    terms: "tuple[tuple[str, Node], ...]"


@dataclass(frozen=True, slots=True)
class ProductNode:
    """Two or more factors, each multiplied or divided by."""

    factors: "tuple[tuple[str, Node], ...]"


@dataclass(frozen=True, slots=True)
class PowerNode:
    """A base and its exponent."""

    base: "Node"
    exponent: "Node"


@dataclass(frozen=True, slots=True)
class Negative:
    """A number with a minus sign before it."""

    of: "Node"


@dataclass(frozen=True, slots=True)
class Listed:
    """A list in brackets."""

    items: "tuple[Node, ...]"


Node: TypeAlias = (
    NumberNode | Open | Call | SumNode | ProductNode | PowerNode | Negative | Listed
)


class Token(NamedTuple):
    """A word of the text with its place, counted from 1."""

    kind: str
    text: str
    position: int


_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+)"
    r"|(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<mark>\*\*|[-+*/(),=?\[\]])",
    re.ASCII,
)


def parse(text: str, what: str) -> Node:
    """The tree of a plan, a claim or a number."""
    if len(text) > MAX_LENGTH:
        raise InputError(
            f"the {what} has {len(text)} characters, more than the {MAX_LENGTH} that"
            " are read; give a shorter one."
        )
    if not text.strip():
        raise InputError(
            f"the {what} is empty; give one such as"
            f" {EXAMPLES.get(what, '0.5 or 1e-6')}."
        )
    return _PlanParser(text, what).whole()


def parts_of(tree: Node) -> "list[Node]":
    """The trees from which a tree is built, except for those inside of a call."""
    match tree:
        case SumNode(terms):
            return [term for _, term in terms]
        case ProductNode(factors):
            return [factor for _, factor in factors]
        case PowerNode(base, exponent):
            return [base, exponent]
        case Negative(of):
            return [of]
        case Listed(items):
            return list(items)
        case _:
            return []


def _tokens(text: str, what: str) -> list[Token]:
    tokens = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            remedy = for_character(text[position], text[:position], what)
            raise InputError(
                f"the {what} has the character '{text[position]}' at position"
                f" {position + 1}, which has no meaning there; {remedy}.",
                TextPlace(text, position, position + 1),
            )
        if match.lastgroup != "space":
            tokens.append(Token(str(match.lastgroup), match.group(), position + 1))
        position = match.end()
    return tokens


class _PlanParser:
    """A recursive descent over the tokens, with a limit on its depth."""

    def __init__(self, text: str, what: str) -> None:
        self.text = text
        self.tokens = _tokens(text, what)
        self.what = what
        self.next = 0
        self.depth = 0

    def whole(self) -> Node:
        """The tree of all tokens."""
        node = self._sum()
        if self.next < len(self.tokens):
            raise self._unexpected("the end")
        return node

    def _sum(self) -> Node:
        return self._chain(self._term, ("+", "-"), SumNode)

    def _term(self) -> Node:
        return self._chain(self._factor, ("*", "/"), ProductNode)

    def _chain(
        self,
        part: Callable[[], Node],
        marks: tuple[str, str],
        kind: type[SumNode] | type[ProductNode],
    ) -> Node:
        """Parts with marks between them; a single part is returned as it is."""
        parts = [(marks[0], part())]
        while (mark := self._peek().text) in marks:
            self.next += 1
            parts.append((mark, part()))
        if len(parts) == 1:
            return parts[0][1]
        return kind(tuple(parts))

    def _factor(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise InputError(
                f"the {self.what} is nested more than {MAX_DEPTH} deep; write it"
                " flatter."
            )
        if self._take("-"):
            node: Node = Negative(self._factor())
        else:
            node = self._item()
            if self._take("**"):
                node = PowerNode(node, self._factor())
        self.depth -= 1
        return node

    def _item(self) -> Node:
        token = self._peek()
        if token.kind == "number":
            self.next += 1
            return NumberNode(self._number(token))
        if token.kind == "name":
            self.next += 1
            return self._call(token)
        if self._take("?"):
            return Open(token.position)
        if self._take("("):
            node = self._sum()
            self._expect(")")
            return node
        if self._take("["):
            return Listed(tuple(self._several(self._sum, "]")))
        raise self._unexpected(
            {"plan": "a mechanism", "claim": "a guarantee"}.get(self.what, "a number")
        )

    def _call(self, named: Token) -> Call:
        if not self._take("("):
            return Call(named.text, place=self._since(named))
        arguments = self._several(self._argument, ")")
        by_name = [argument for argument in arguments if argument[0] is not None]
        return Call(
            named.text,
            tuple(value for keyword, value, _ in arguments if keyword is None),
            tuple((str(keyword), value) for keyword, value, _ in by_name),
            self._since(named),
            tuple(place for _, _, place in by_name),
        )

    def _argument(self) -> tuple[str | None, Node, TextPlace]:
        first = self._peek()
        keyword: str | None = None
        if first.kind == "name" and self._peek(1).text == "=":
            keyword = first.text
            self.next += 2
        elif self._is_square():
            keyword = f"{first.text}{SQUARED}"
            self.next += 4
        value = self._sum()
        return keyword, value, self._since(first)

    def _since(self, first: Token) -> TextPlace:
        """The text from a token to the one that was taken last."""
        last = self.tokens[self.next - 1]
        end = last.position - 1 + len(last.text)
        return TextPlace(self.text, first.position - 1, end)

    def _is_square(self) -> bool:
        """Whether a parameter follows that is given by its square, as in ``sigma**2=8``."""
        return self._peek().kind == "name" and [
            self._peek(ahead).text for ahead in (1, 2, 3)
        ] == ["**", "2", "="]

    def _several(self, part: "Callable[[], Part]", closing: str) -> "list[Part]":
        """Parts with commas between them, up to a closing mark."""
        if self._take(closing):
            return []
        parts = [part()]
        while self._take(","):
            parts.append(part())
        self._expect(closing)
        return parts

    def _number(self, token: Token) -> Fraction:
        if len(token.text) > MAX_DIGITS:
            raise InputError(
                f"the {self.what} has the number {shorten(token.text)}, longer than the"
                f" {MAX_DIGITS} characters of a number; shorten it."
            )
        return rational(
            token.text, f"the number at position {token.position} of the {self.what}"
        )

    def _peek(self, ahead: int = 0) -> Token:
        index = self.next + ahead
        if index < len(self.tokens):
            return self.tokens[index]
        return Token("end", "", 0)

    def _take(self, mark: str) -> bool:
        is_there = self._peek().kind == "mark" and self._peek().text == mark
        self.next += is_there
        return is_there

    def _expect(self, mark: str) -> None:
        if not self._take(mark):
            raise self._unexpected(f"'{mark}'")

    def _unexpected(self, wanted: str) -> InputError:
        token = self._peek()
        if token.kind == "end":
            end = len(self.text.rstrip())
            return InputError(
                f"the {self.what} ends where {wanted} was expected; {for_end(wanted)}.",
                TextPlace(self.text, end, end + 1),
            )
        before = self.tokens[self.next - 1] if self.next else Token("end", "", 0)
        remedy = for_token(
            (before.kind, before.text), (token.kind, token.text), self.what
        )
        return InputError(
            f"the {self.what} has '{shorten(token.text)}' at position {token.position},"
            f" where {wanted} was expected; {remedy}.",
            self._at(token),
        )

    def _at(self, token: Token) -> TextPlace:
        start = token.position - 1
        return TextPlace(self.text, start, start + len(token.text))
