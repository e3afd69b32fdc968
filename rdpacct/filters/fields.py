"""Fields of a state: a JSON object with exactly these names, each of the kind that it has."""

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.number import rational, shorten
from rdpacct.language.files import RepeatedName, each_name_once

Kinds = Mapping[str, type]
ENTRY = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")
"""The name of an entry of the book."""
SAME = "give what to_json wrote"
LONGEST = 1_000_000
"""The most characters of a sentence."""


def read_fields(
    text: str, fields: Kinds, optional: Kinds | None = None
) -> dict[str, Any]:
    """The object of a text; it has all of the fields, and of the others at most the optional."""
    state = _read(text)
    kinds = {**fields, **(optional or {})}
    known = isinstance(state, dict) and set(fields) <= set(state) <= set(kinds)
    if not known:
        raise InputError(
            f"the state does not have exactly the fields {', '.join(fields)}; {SAME}."
        )
    for name, value in state.items():
        if type(value) is not kinds[name]:
            raise refusal(name, value)
    contents: dict[str, Any] = state
    return contents


def _read(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=each_name_once)
    except RepeatedName:
        raise InputError(f"a name stands twice in the state; {SAME}.") from None
    except (ValueError, TypeError, RecursionError):
        raise InputError(
            f"the state {shorten(repr(text))} is not JSON; {SAME}."
        ) from None


def check_counts(state: Mapping[str, Any], written_as: str) -> None:
    """Check the fields that all states share."""
    if state["format"] != written_as:
        raise refusal("format", state["format"])
    if state["releases"] < 0:
        raise refusal("releases", state["releases"])
    named = [
        isinstance(entry, str) and ENTRY.fullmatch(entry) for entry in state["rests_on"]
    ]
    if not all(named):
        raise refusal("rests_on", state["rests_on"])


def check_same(state: Mapping[str, Any], again: str) -> None:
    """Check that this value would be written as it was read: no other spelling, and in order."""
    written = json.loads(again)
    for name, value in state.items():
        if written.get(name) != value:
            raise refusal(name, value)


def amounts_of(names: tuple[str, ...], given: Any) -> tuple[Fraction, ...]:
    """What is spent, in exact texts, none of it negative."""
    if type(given) is not dict or tuple(given) != names:
        raise refusal("spent", given)
    amounts = []
    for name, text in given.items():
        if not isinstance(text, str):
            raise refusal("spent", given)
        amount = rational(text, f"the {name} that is spent")
        if str(amount) != text or amount < 0:
            raise refusal(f"{name} that is spent", text)
        amounts.append(amount)
    return tuple(amounts)


def one_line(sentence: str) -> str:
    """A sentence as a state holds it: in one line, and not extremely long."""
    plain = "".join(each if each.isprintable() else " " for each in sentence)
    return shorten(" ".join(plain.split()), LONGEST - 100)


def sentences_of(state: Mapping[str, Any]) -> tuple[str, ...]:
    """What releases take for granted, each once and in one line."""
    given = state.get("assumptions", [])
    for sentence in given:
        if (
            not isinstance(sentence, str)
            or not sentence.isprintable()
            or len(sentence) > LONGEST
        ):
            raise refusal("assumptions", sentence)
    return tuple(dict.fromkeys(given))


def refusal(name: str, value: object) -> InputError:
    """What is said of a value that no state has."""
    return InputError(
        f"the {name} of the state is {shorten(repr(value))}, which to_json does not"
        " write; give what it wrote."
    )
