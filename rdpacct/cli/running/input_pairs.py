"""The file of inputs of an audit: pairs of neighboring data sets, and what is claimed."""

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.language.fields import Fields, kind_of
from rdpacct.language.files import NumberText, data_of
from rdpacct.language.plan_records import READ
from rdpacct.privacy.relation import Relation

MOST_BYTES = 5_000_000
MOST_DEPTH = 32
MOST_PAIRS = 100
"""How many pairs a file has at most."""
ONE_PAIR = ("name", "x", "x_neighbor")
TOP = (*ONE_PAIR, "claim", "claims", "relation", "pairs")


@dataclass(frozen=True)
class InputPair:
    """Two inputs of a mechanism that are said to be neighbors."""

    x: Any
    x_neighbor: Any
    name: str = ""


@dataclass(frozen=True)
class AuditInputs:
    """All that a file of inputs says."""

    file: str
    pairs: tuple[InputPair, ...]
    claims: tuple[str, ...]
    """Guarantees or plans, as texts."""
    relation: Relation | None
    sha256: str
    """Of the bytes of the file."""


def read_inputs(file: str) -> AuditInputs:
    """The pairs and the claims of a .toml or .json file; anything unknown in it is refused."""
    path = Path(file)
    if path.suffix.lower() not in READ:
        raise InputError(
            f"the file of inputs '{shorten(file)}' ends neither in .toml nor in .json;"
            " give one that does."
        )
    place = shorten(path.name)
    top = Fields(data_of(path, "its right name", MOST_BYTES), place, TOP)
    relation = top.text("relation")
    return AuditInputs(
        file,
        tuple(_pairs(top)),
        tuple(_claims(top)),
        Relation.named(relation) if relation else None,
        hashlib.sha256(path.read_bytes()).hexdigest(),
    )


def _pairs(top: Fields) -> Iterator[InputPair]:
    if not top.has("pairs"):
        yield _pair(top)
        return
    given = [name for name in ONE_PAIR if top.has(name)]
    if given:
        raise InputError(
            f"{top.place} has both pairs and {given[0]}; put all inputs into pairs."
        )
    listed = top.items("pairs")
    if not 0 < len(listed) <= MOST_PAIRS:
        raise InputError(
            f"{top.place}: pairs has {len(listed)} items; give 1 to {MOST_PAIRS}."
        )
    for number, each in enumerate(listed, 1):
        yield _pair(Fields(each, f"{top.place}: pair {number}", ONE_PAIR))


def _pair(fields: Fields) -> InputPair:
    for name in ("x", "x_neighbor"):
        if not fields.has(name):
            raise InputError(
                f"{fields.place} has no {name}; give x and x_neighbor, the two inputs."
            )
    x = _value(fields.data["x"], f"{fields.place}: x")
    neighbor = _value(fields.data["x_neighbor"], f"{fields.place}: x_neighbor")
    if x == neighbor:
        raise InputError(
            f"{fields.place}: x and x_neighbor are equal, and no claim can fail on"
            " them; give two inputs that differ in one record."
        )
    return InputPair(x, neighbor, fields.text("name"))


def _claims(top: Fields) -> Iterator[str]:
    if top.has("claim"):
        yield _text(top, top.data["claim"], "claim")
    listed = top.data.get("claims", [])
    if not isinstance(listed, list):
        raise top.wrong("claims", "a list of texts in quotes")
    for each in listed:
        yield _text(top, each, "claims")


def _text(top: Fields, value: Any, name: str) -> str:
    if isinstance(value, str) and not isinstance(value, NumberText):
        return value
    raise InputError(
        f"{top.place}: {name} has {kind_of(value)}, where a claim in quotes was"
        ' expected; write one such as "PureDP(epsilon=1)".'
    )


def _value(given: Any, place: str, depth: int = 0) -> Any:
    """A value as Python has it: numbers, texts, truth values, lists, and dictionaries."""
    if depth > MOST_DEPTH:
        raise InputError(
            f"{place} is nested more than {MOST_DEPTH} deep; write it flatter."
        )
    if isinstance(given, NumberText):
        number = float(given)
        if not math.isfinite(number):
            raise InputError(
                f"{place} is {shorten(given)}, which is not a finite double; give one."
            )
        return number
    if given is None or isinstance(given, bool | int | str):
        return given
    if isinstance(given, list):
        return [
            _value(each, f"{place}[{number}]" if depth == 0 else place, depth + 1)
            for number, each in enumerate(given)
        ]
    if isinstance(given, dict):
        return {
            name: _value(
                each, f"{place}.{shorten(name)}" if depth == 0 else place, depth + 1
            )
            for name, each in given.items()
        }
    raise InputError(
        f"{place} is {kind_of(given)}, which is not a number, text, list or table; write a"
        " time as a text in quotes."
    )
