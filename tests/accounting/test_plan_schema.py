"""The schema of plan files: valid itself, current, and at one with the reader."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from rdpacct import InputError, read_document
from rdpacct.mechanisms import ours
from rdpacct.plan.schema import FILE, built_schema, built_text, schema_text

SCHEMA = built_schema()
VALIDATOR = Draft202012Validator(SCHEMA)


def test_the_shipped_schema_is_current() -> None:
    """The file is what the format and the mechanisms give, and has the version in its name."""
    assert schema_text() == built_text(), f"write rdpacct/plan/{FILE} anew"
    assert SCHEMA["$id"].endswith(":1")
    assert FILE.startswith("plan-1.")


def test_the_schema_is_a_schema() -> None:
    """It is valid against the metaschema of its draft; a broken twin is not."""
    Draft202012Validator.check_schema(SCHEMA)
    broken = SCHEMA | {"required": "version"}
    with pytest.raises(SchemaError):
        Draft202012Validator.check_schema(broken)


GAUSSIAN = {"kind": "Gaussian", "sigma": 1}


def listed(*releases: Any, **others: Any) -> dict[str, Any]:
    """A plan of these releases."""
    return {"version": 1, "releases": list(releases)} | others


GOOD = {
    "a text": {"plan": "Gaussian(sigma=1)", "relation": "replace_one"},
    "nothing": listed(),
    "a table": listed({"mechanism": GAUSSIAN, "count": "2*3", "date": "2026-01-05"}),
    "a variance": listed({"mechanism": {"kind": "Gaussian", "sigma**2": "1/3"}}),
    "a square": listed({"mechanism": {"kind": "DiscreteGaussian", "sigma_squared": 9}}),
    "a sample": listed(
        {"mechanism": {"kind": "PoissonSampled", "mechanism": GAUSSIAN, "rate": 0.01}}
    ),
    "a word": listed(
        {"mechanism": {"kind": "Exponential", "epsilon": 1, "monotone": True}}
    ),
    "rows": listed(
        {"mechanism": {"kind": "FiniteMechanism", "rows": [["1/2", 0.5], [1, 0]]}}
    ),
    "a promise": listed({"guarantee": {"kind": "ZCDP", "rho": 0.1}, "by": "vendor"}),
    "points": listed(
        {"guarantee": {"kind": "ProfileDP", "points": [[0, 0.1], [1, 1e-3]]}}
    ),
    "a sensitivity": listed(
        {"mechanism": GAUSSIAN, "sensitivity": {"value": "sqrt(2)", "norm": "L2"}}
    ),
    "claims": listed(
        claims=["PureDP(epsilon=1)", {"guarantee": {"kind": "PureDP", "epsilon": 1}}]
    ),
    "parts": listed(
        {"parts": [{"name": "north", "releases": [{"mechanism": GAUSSIAN}]}]}
    ),
    "parts of a table": listed(
        {"mechanism": {"kind": "Parallel", "parts": [GAUSSIAN]}}
    ),
    "a unit": listed(unit={"name": "person", "contributions": 1}),
}
BAD = {
    "a list": [],
    "neither": {"version": 1},
    "both": listed() | {"plan": "Gaussian(sigma=1)"},
    "another version": listed() | {"version": 2},
    "no version": {"releases": []},
    "an unknown field": listed(release=1),
    "an unknown field of a release": listed({"mechanism": GAUSSIAN, "sigma": 1}),
    "an unknown kind": listed({"mechanism": {"kind": "Gausian", "sigma": 1}}),
    "an unknown parameter": listed({"mechanism": GAUSSIAN | {"sgima": 1}}),
    "no sigma": listed({"mechanism": {"kind": "Gaussian"}}),
    "two sigmas": listed({"mechanism": GAUSSIAN | {"sigma**2": 1}}),
    "a release of nothing": listed({"name": "empty"}),
    "a promise that is none": listed({"guarantee": GAUSSIAN}),
    "a relation": listed(relation="sideways"),
    "a date": listed({"mechanism": GAUSSIAN, "date": "yesterday"}),
    "a norm": listed(
        {"mechanism": GAUSSIAN, "sensitivity": {"value": 1, "norm": "L7"}}
    ),
    "a sensitivity of parts": listed({"parts": [{"releases": []}], "sensitivity": 1}),
    "no parts": listed({"parts": []}),
    "a part of nothing": listed({"parts": [{"name": "north", "releases": []}]}),
    "parts of parts": listed(
        {
            "parts": [
                {"releases": [{"parts": [{"releases": [{"mechanism": GAUSSIAN}]}]}]}
            ]
        }
    ),
    "a claim of nothing": listed(claims=[{"name": "x"}]),
    "a unit without a name": listed(unit={"contributions": 2}),
    "a name that is a number": listed({"mechanism": GAUSSIAN, "name": 3}),
}


@pytest.mark.parametrize("name", GOOD)
def test_what_the_reader_takes_is_valid(tmp_path: Path, name: str) -> None:
    """The reader and the schema accept these."""
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(GOOD[name]))
    read_document(str(path))
    VALIDATOR.validate(GOOD[name])


@pytest.mark.parametrize("name", BAD)
def test_what_the_reader_refuses_is_not_valid(tmp_path: Path, name: str) -> None:
    """The reader and the schema refuse these."""
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(BAD[name]))
    with pytest.raises(InputError):
        read_document(str(path))
    assert not VALIDATOR.is_valid(BAD[name])


def test_every_mechanism_can_be_written_as_a_table(tmp_path: Path) -> None:
    """The examples of each mechanism, written field by field, are valid and read back."""
    written = 0
    for cls in ours().values():
        for example in cls.examples():
            call = str(example)
            data = listed({"mechanism": _table(call)})
            VALIDATOR.validate(data)
            path = tmp_path / "plan.json"
            path.write_text(json.dumps(data))
            assert str(read_document(str(path)).plan) == call
            written += 1
    assert written > 20


def _table(text: str) -> dict[str, Any]:
    """The table of a mechanism that is written as text."""
    name, _, inside = text.removesuffix(")").partition("(")
    table: dict[str, Any] = {"kind": name}
    for argument in _arguments(inside):
        keyword, equals, value = argument.partition("=")
        if not equals or "(" in keyword:
            table["mechanism"] = _table(argument)
        elif value in ("true", "false"):
            table[keyword] = value == "true"
        elif value.startswith("["):
            table[keyword] = _list(value)
        else:
            table[keyword] = value
    return table


def _list(text: str) -> list[Any]:
    items = _arguments(text[1:-1])
    return [_list(item) if item.startswith("[") else item for item in items]


def _arguments(text: str) -> list[str]:
    """The arguments between commas that stand in no parentheses or brackets."""
    depth = 0
    arguments = [""]
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            arguments.append("")
        else:
            arguments[-1] += letter
    return [argument.strip() for argument in arguments if argument.strip()]
