"""The fields of a table in a plan file: a closed list of names, and values of known kinds."""

import datetime
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.number import rational, shorten
from rdpacct.language.files import NumberText
from rdpacct.language.grammar import (
    MAX_DEPTH,
    SQUARED,
    Call,
    Listed,
    Node,
    NumberNode,
    parse,
)
from rdpacct.language.remedies import did_you_mean

LONGEST_TEXT = 1000
"""How many characters a name or a note has at most."""
MOST_ITEMS = 1000
"""How many releases, parts or claims a list has at most."""
KIND = "kind"
"""The field that says which mechanism or guarantee a table is."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class Fields:
    """A table of a plan file, with its place for errors; only the fields ``allowed`` may stand in
    it.
    """

    def __init__(self, data: Any, place: str, allowed: Sequence[str]) -> None:
        if not isinstance(data, dict):
            raise InputError(
                f"{place} is {kind_of(data)}, where a table with the fields"
                f" {', '.join(allowed)} was expected; write one."
            )
        for name in data:
            if name not in allowed:
                raise InputError(_unknown(str(name), place, allowed))
        self.data: Mapping[str, Any] = data
        self.place = place

    def has(self, name: str) -> bool:
        """Whether a field is given."""
        return name in self.data

    def text(self, name: str) -> str:
        """A text of moderate length on one or more lines; empty if it is not given."""
        value = self.data.get(name, "")
        if not isinstance(value, str) or isinstance(value, NumberText):
            raise self.wrong(name, "a text in quotes")
        if len(value) > LONGEST_TEXT:
            raise InputError(
                f"{self.place}: {name} has {len(value)} characters, more than the"
                f" {LONGEST_TEXT} that are kept; shorten it."
            )
        if any(not letter.isprintable() and letter not in "\n\t" for letter in value):
            raise InputError(
                f"{self.place}: {name} has characters that cannot be printed; remove"
                " them."
            )
        return value.strip()

    def day(self, name: str) -> str:
        """A date as year-month-day; empty if it is not given."""
        value = self.data.get(name, "")
        if isinstance(value, datetime.date) and not isinstance(
            value, datetime.datetime
        ):
            return value.isoformat()
        if value == "":
            return ""
        if isinstance(value, str) and _DAY.fullmatch(value):
            try:
                return datetime.date.fromisoformat(value).isoformat()
            except ValueError:
                pass
        raise self.wrong(name, "a day such as 2026-01-31")

    def items(self, name: str) -> list[Any]:
        """A list of tables of moderate length; empty if it is not given."""
        value = self.data.get(name, [])
        if not isinstance(value, list):
            raise self.wrong(name, "a list of tables")
        if len(value) > MOST_ITEMS:
            raise InputError(
                f"{self.place}: {name} has {len(value)} items, more than the"
                f" {MOST_ITEMS} that are read; use count for equal ones."
            )
        return value

    def node(self, name: str, what: str) -> Node:
        """The tree of a value: a number, a formula or an expression in quotes, or a table with a
        kind.
        """
        try:
            return node_of(self.data[name], what)
        except InputError as error:
            raise error.within(self.place) from None

    def wrong(self, name: str, wanted: str) -> InputError:
        """The refusal of a value of another kind than the field has."""
        return InputError(
            f"{self.place}: {name} is {kind_of(self.data.get(name))}, where {wanted}"
            " was expected; write it so."
        )


def node_of(value: Any, what: str, depth: int = 0) -> Node:
    """The tree that a value of a file stands for; errors call it ``what``."""
    if depth > MAX_DEPTH:
        raise InputError(
            f"{what} is nested more than {MAX_DEPTH} deep; write it flatter."
        )
    if isinstance(value, bool):
        return Call("true" if value else "false")
    if isinstance(value, NumberText):
        return NumberNode(rational(str(value), what))
    if isinstance(value, str):
        return parse(value, what)
    if isinstance(value, int):
        return NumberNode(rational(Fraction(value), what))
    if isinstance(value, list):
        return Listed(tuple(node_of(item, what, depth + 1) for item in value))
    if isinstance(value, dict):
        return _call_of(value, what, depth)
    raise InputError(
        f"{what} is {kind_of(value)}, where a number, a text or a table was expected;"
        " write one of these."
    )


def _call_of(table: Mapping[str, Any], what: str, depth: int) -> Call:
    """The call of a table with a kind, whose other fields are the parameters."""
    name = table.get(KIND)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InputError(
            f'{what} is a table without its {KIND}; add one, as in {KIND} = "Gaussian".'
        )
    keywords = []
    for parameter, value in table.items():
        if parameter == KIND:
            continue
        keyword = parameter.replace("**2", SQUARED)
        if not _NAME.fullmatch(keyword):
            raise InputError(
                f"{name} has no parameter '{shorten(parameter)}'; give its parameters"
                " by their names."
            )
        keywords.append((keyword, node_of(value, keyword, depth + 1)))
    return Call(name, (), tuple(keywords))


def kind_of(value: Any) -> str:
    """What a value of a file is, in a sentence."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"the word {str(value).lower()}"
    if isinstance(value, NumberText | int):
        return f"the number {shorten(str(value))}"
    if isinstance(value, str):
        return f"the text '{shorten(value)}'"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a table"
    return f"the time {shorten(str(value))}"


def _unknown(name: str, place: str, allowed: Sequence[str]) -> str:
    meant = did_you_mean(name, allowed)
    remedy = f"did you mean {meant}?" if meant else f"it takes {', '.join(allowed)}."
    return f"{place} has the unknown field '{shorten(name)}'; {remedy}"
