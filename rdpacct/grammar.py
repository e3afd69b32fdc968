"""The closed grammar of plans and claims: text in, a small tree out; nothing is ever evaluated.

sum   = term { "+" term }
term  = item { "*" item }
item  = number | name [ "(" [ argument { "," argument } ] ")" ] | "(" sum ")"
argument = name "=" value | sum
value = number | name | "[" [ value { "," value } ] "]"
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from rdpacct.errors import InputError
from rdpacct.exact.number import MAX_DIGITS, rational, shorten

MAX_LENGTH = 65_536
MAX_DEPTH = 50

Node: TypeAlias = "Call | Sum | Product | Fraction"
Value: TypeAlias = "Fraction | str | list[Value]"


@dataclass(frozen=True, slots=True)
class Call:
    """A name with arguments: mechanisms by position, values by keyword."""

    name: str
    positional: tuple[Node, ...]
    keywords: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """Two or more terms, added."""

    terms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Two or more items, multiplied."""

    items: tuple[Node, ...]


_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+)"
    r"|(?P<number>-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?:[ ]*/[ ]*\d+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<mark>[-+*(),=\[\]])",
    re.ASCII,
)


def parse(text: str, what: str) -> Node:
    """The tree of a plan or a claim."""
    if len(text) > MAX_LENGTH:
        raise InputError(
            f"the {what} has {len(text)} characters, more than the {MAX_LENGTH} that are read; give a shorter one."
        )
    if not text.strip():
        example = "Gaussian(sigma=1)" if what == "plan" else "PureDP(epsilon=1)"
        raise InputError(f"the {what} is empty; give one such as {example}.")
    return _Parser(_tokens(text, what), what).whole()


def _tokens(text: str, what: str) -> list[tuple[str, str, int]]:
    tokens, position = [], 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise InputError(
                f"the {what} has the character {text[position]!a} at position {position + 1}, which has no meaning "
                "there; use names, numbers and + * ( ) , = [ ] only."
            )
        if match.lastgroup != "space":
            tokens.append((str(match.lastgroup), match.group(), position + 1))
        position = match.end()
    return tokens


class _Parser:
    """A recursive descent over the tokens, with a limit on its depth."""

    def __init__(self, tokens: list[tuple[str, str, int]], what: str) -> None:
        self.tokens, self.what = tokens, what
        self.next = self.depth = 0

    def whole(self) -> Node:
        node = self._sum()
        if self.next < len(self.tokens):
            raise self._unexpected("the end")
        return node

    def _sum(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise InputError(f"the {self.what} is nested more than {MAX_DEPTH} deep; write it flatter.")
        terms = [self._term()]
        while self._take("+"):
            terms.append(self._term())
        self.depth -= 1
        return terms[0] if len(terms) == 1 else Sum(tuple(terms))

    def _term(self) -> Node:
        items = [self._item()]
        while self._take("*"):
            items.append(self._item())
        return items[0] if len(items) == 1 else Product(tuple(items))

    def _item(self) -> Node:
        kind, text = self._peek()
        if kind == "number":
            self.next += 1
            return self._number(text, "the count")
        if kind == "name":
            self.next += 1
            return self._call(text)
        if self._take("("):
            node = self._sum()
            self._expect(")")
            return node
        raise self._unexpected("a mechanism")

    def _call(self, name: str) -> Call:
        positional: list[Node] = []
        keywords: list[tuple[str, Value]] = []
        if self._take("(") and not self._take(")"):
            while True:
                if self._peek()[0] == "name" and self._peek(1)[1] == "=":
                    keyword = self._peek()[1]
                    self.next += 2
                    keywords.append((keyword, self._value(f"{keyword}")))
                else:
                    positional.append(self._sum())
                if not self._take(","):
                    break
            self._expect(")")
        return Call(name, tuple(positional), tuple(keywords))

    def _value(self, keyword: str) -> Value:
        kind, text = self._peek()
        if kind in ("number", "name"):
            self.next += 1
            return self._number(text, keyword) if kind == "number" else text
        if self._take("["):
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise InputError(f"the {self.what} is nested more than {MAX_DEPTH} deep; write it flatter.")
            values: list[Value] = []
            if not self._take("]"):
                values.append(self._value(keyword))
                while self._take(","):
                    values.append(self._value(keyword))
                self._expect("]")
            self.depth -= 1
            return values
        raise self._unexpected(f"a value of {keyword}")

    def _number(self, text: str, name: str) -> Fraction:
        if len(text) > MAX_DIGITS:
            raise InputError(
                f"{name} is {shorten(text)}, longer than the {MAX_DIGITS} characters of a number; shorten it."
            )
        return rational(text, name)

    def _peek(self, ahead: int = 0) -> tuple[str, str]:
        index = self.next + ahead
        return self.tokens[index][:2] if index < len(self.tokens) else ("end", "the end")

    def _take(self, mark: str) -> bool:
        found = self._peek() == ("mark", mark)
        self.next += found
        return found

    def _expect(self, mark: str) -> None:
        if not self._take(mark):
            raise self._unexpected(repr(mark))

    def _unexpected(self, wanted: str) -> InputError:
        if self.next >= len(self.tokens):
            return InputError(f"the {self.what} ends where {wanted} was expected; complete it.")
        _, text, position = self.tokens[self.next]
        return InputError(
            f"the {self.what} has {shorten(text)!r} at position {position}, where {wanted} was expected; correct it."
        )
