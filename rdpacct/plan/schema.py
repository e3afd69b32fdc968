"""The JSON Schema of plan files: made from the fields of the format and of the mechanisms, and
shipped as a file.
"""

import json
from dataclasses import MISSING, Field, fields
from importlib import resources
from typing import Any

from rdpacct.exact.parameter import CheckedField
from rdpacct.language.fields import KIND, LONGEST_TEXT, MOST_ITEMS
from rdpacct.language.grammar import MAX_LENGTH, SQUARED
from rdpacct.language.written import (
    CLAIM,
    MOST_CONTRIBUTIONS,
    PART,
    PLAN,
    RELEASE,
    SENSITIVITY,
    UNIT,
    VERSION,
)
from rdpacct.mechanisms import ours
from rdpacct.plan.trees import NOISE
from rdpacct.privacy.guarantee import GUARANTEES
from rdpacct.privacy.relation import Norm, Relation

FILE = f"plan-{VERSION}.schema.json"
"""The name of the shipped file, beside this one."""

Schema = dict[str, Any]

PARTS: Schema = {"required": ["parts"], "not": {"required": ["sensitivity"]}}
"""A release on parts has no sensitivity of its own."""


def schema_text() -> str:
    """The shipped schema."""
    return resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8")


def built_schema() -> Schema:
    """The schema of this version of the format, as the shipped file has it."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:rdpacct:plan:{VERSION}",
        "title": f"Plan files of rdpacct, version {VERSION}",
        "description": (
            "Releases on the same data, what they are stated for, and the guarantees"
            " that are claimed. Numbers may be formulas in quotes, and are exact."
        ),
        **_plan(),
        "$defs": {
            "text": {"type": "string", "maxLength": LONGEST_TEXT},
            "day": {
                "type": "string",
                "format": "date",
                "pattern": r"^\d{4}-\d\d-\d\d$",
            },
            "expression": {"type": "string", "minLength": 1, "maxLength": MAX_LENGTH},
            "number": {
                "description": 'a number, or a formula in quotes such as "sqrt(2)*3"',
                "anyOf": [{"type": "number"}, {"$ref": "#/$defs/expression"}],
            },
            "value": {
                "anyOf": [
                    {"$ref": "#/$defs/number"},
                    {"type": "array", "items": {"$ref": "#/$defs/value"}},
                ]
            },
            "relation": {"enum": [relation.value for relation in Relation]},
            "mechanism": _one_of([*ours().values(), *GUARANTEES]),
            "guarantee": _one_of(list(GUARANTEES)),
            "sensitivity": _sensitivity(),
            "release": _release(),
            "part": _part(),
            "claim": _claim(),
        },
    }


def _plan() -> Schema:
    unit = _table(
        UNIT,
        {
            "name": _ref("text"),
            "contributions": {
                "type": "integer",
                "minimum": 1,
                "maximum": MOST_CONTRIBUTIONS,
            },
        },
        ["name"],
    )
    table = _table(
        PLAN,
        {
            "version": {"const": VERSION},
            "title": _ref("text"),
            "note": _ref("text"),
            "relation": _ref("relation"),
            "unit": {"anyOf": [_ref("text"), unit]},
            "plan": _ref("expression"),
            "releases": _list("release"),
            "claims": _list("claim"),
            "$schema": _ref("text"),
        },
    )
    listed = {"required": ["version", "releases"]}
    return table | {"oneOf": [{"required": ["plan"]}, listed]}


def _release() -> Schema:
    table = _table(
        RELEASE,
        {
            "name": _ref("text"),
            "date": _ref("day"),
            "by": _ref("text"),
            "note": _ref("text"),
            "mechanism": _ref("mechanism"),
            "guarantee": _ref("guarantee"),
            "count": _ref("number"),
            "sensitivity": _ref("sensitivity"),
            "parts": _list("part") | {"minItems": 1},
        },
    )
    run = [{"required": ["mechanism"]}, {"required": ["guarantee"]}, PARTS]
    return table | {"oneOf": run}


def _part() -> Schema:
    inside = {"$ref": "#/$defs/release", "not": {"required": ["parts"]}}
    releases: Schema = {"type": "array", "minItems": 1, "maxItems": MOST_ITEMS}
    releases["items"] = inside
    said = {"name": _ref("text"), "note": _ref("text"), "releases": releases}
    return _table(PART, said, ["releases"])


def _sensitivity() -> Schema:
    table = _table(
        SENSITIVITY,
        {
            "value": _ref("number"),
            "norm": {"enum": [norm.value for norm in Norm]},
            "relation": _ref("relation"),
            "query": _ref("text"),
        },
        ["value"],
    )
    return {"anyOf": [_ref("number"), table]}


def _claim() -> Schema:
    said = {name: _ref("text") for name in CLAIM if name != "guarantee"}
    table = _table(CLAIM, said | {"guarantee": _ref("guarantee")}, ["guarantee"])
    return {"anyOf": [_ref("expression"), table]}


def _one_of(classes: list[type[Any]]) -> Schema:
    """An expression in quotes, or a table with a kind and the parameters of that class."""
    known = sorted(classes, key=lambda cls: cls.__name__)
    return {"anyOf": [_ref("expression"), *map(_kind, known)]}


def _kind(cls: type[Any]) -> Schema:
    parameters = [field for field in fields(cls) if field.name != "relation"]
    properties: Schema = {KIND: {"const": cls.__name__}}
    properties |= {field.name: _parameter(cls, field) for field in parameters}
    required = [field.name for field in parameters if field.default is MISSING]
    noise = [name for name in NOISE if name in properties and SQUARED not in name]
    table = _closed(properties)
    for name in noise:
        squares = [f"{name}{SQUARED}", f"{name}**2"]
        properties |= {square: _ref("number") for square in squares}
        table["oneOf"] = [{"required": [way]} for way in (name, *squares)]
    table["required"] = [KIND, *(name for name in required if name not in noise)]
    return table


def _parameter(cls: type[Any], field: Field[Any]) -> Schema:
    """What a parameter may be: a number, a word, or a mechanism or guarantee inside."""
    if field.type is bool:
        return {"type": "boolean"}
    if field.type is int:
        return _ref("number")
    homes = [vars(base) for base in cls.__mro__]
    held = next((home[field.name] for home in homes if field.name in home), None)
    written_as = held.written_as if isinstance(held, CheckedField) else "value"
    if written_as == "mechanisms":
        return {"type": "array", "items": _ref("mechanism"), "minItems": 1}
    return _ref(written_as)


def _table(
    names: tuple[str, ...], properties: Schema, required: list[str] | None = None
) -> Schema:
    """A table with these fields and no others."""
    if set(names) != set(properties):
        raise AssertionError(
            f"the schema has {set(properties)}, the format {set(names)}"
        )
    table = _closed(properties)
    return table | {"required": required} if required else table


def _closed(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _list(name: str) -> Schema:
    return {"type": "array", "maxItems": MOST_ITEMS, "items": _ref(name)}


def built_text() -> str:
    """The schema as the text of the shipped file."""
    return json.dumps(built_schema(), indent=2) + "\n"
