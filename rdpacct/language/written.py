"""Plan files, read into what they say: releases, promises, parts and claims."""

from pathlib import Path
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten, whole
from rdpacct.language.fields import Fields, kind_of
from rdpacct.language.files import NumberText, data_of, shown
from rdpacct.language.grammar import Call, Node, parse
from rdpacct.language.plan_records import (
    ONCE,
    WrittenClaim,
    WrittenPart,
    WrittenPlan,
    WrittenRelease,
    WrittenSensitivity,
)

VERSION = 1
"""The version of the format that is read."""
PLAN = (
    *("version", "title", "note", "relation", "unit", "plan", "releases", "claims"),
    "$schema",
)
UNIT = ("name", "contributions")
RELEASE = (
    *("name", "date", "by", "note", "mechanism", "guarantee", "count", "sensitivity"),
    "parts",
)
PART = ("name", "note", "releases")
SENSITIVITY = ("value", "norm", "relation", "query")
CLAIM = ("name", "by", "note", "guarantee")
"""The fields of each table of a plan file."""
MOST_CONTRIBUTIONS = 10**9


def written_file(name: str) -> WrittenPlan:
    """The plan of a .toml or .json file."""
    path = Path(name.strip())
    data = data_of(path)
    file = f"the file {shown(path)}"
    if not isinstance(data, dict) or not data.keys() & {"plan", "releases"}:
        raise InputError(
            f"{file} has no text field 'plan' and no list 'releases'; add one, as in"
            f" {_example(path)}."
        )
    return _plan(Fields(data, file, PLAN), shown(path))


def _plan(fields: Fields, file: str) -> WrittenPlan:
    _check_version(fields)
    if fields.has("plan") and fields.has("releases"):
        raise InputError(
            f"{fields.place} has both 'plan' and 'releases'; write the plan as one of"
            " the releases."
        )
    if fields.has("plan"):
        text = fields.data["plan"]
        if not isinstance(text, str) or isinstance(text, NumberText):
            raise fields.wrong("plan", "an expression in quotes")
        releases: tuple[WrittenRelease, ...] = (
            WrittenRelease("", parse(text, "plan")),
        )
    else:
        releases = _releases(fields, f"{file}, release")
    claims = tuple(
        _claim(item, f"{file}, claim {number}")
        for number, item in enumerate(fields.items("claims"), 1)
    )
    unit, contributions = _unit(fields)
    relation = fields.text("relation") if fields.has("relation") else None
    return WrittenPlan(
        releases,
        fields.has("releases"),
        relation,
        unit,
        contributions,
        claims,
        fields.text("title"),
        fields.text("note"),
    )


def _check_version(fields: Fields) -> None:
    """Refuse another version of the format, and a list of releases without a version."""
    if fields.has("version"):
        version = fields.data["version"]
        if version != VERSION or isinstance(version, bool):
            raise InputError(
                f"{fields.place}: version is {kind_of(version)}, but this program reads"
                f" version {VERSION}; write version = {VERSION}."
            )
    elif fields.has("releases"):
        raise InputError(
            f"{fields.place} has releases and does not say the version of its format;"
            f" add version = {VERSION}."
        )
    fields.text("$schema")


def _unit(fields: Fields) -> tuple[str, int]:
    """Whom the guarantee is about, and how many records each has at most."""
    value = fields.data.get("unit", "")
    if not isinstance(value, dict):
        return fields.text("unit"), 1
    unit = Fields(value, f"{fields.place}, unit", UNIT)
    if not unit.has("name"):
        raise InputError(f'{unit.place} has no name; add one, as in name = "person".')
    try:
        most = whole(
            unit.data.get("contributions", 1), "contributions", 1, MOST_CONTRIBUTIONS
        )
    except InputError as error:
        raise error.within(unit.place) from None
    return unit.text("name"), most


def _releases(fields: Fields, place: str) -> tuple[WrittenRelease, ...]:
    return tuple(
        _release(item, f"{place} {number}")
        for number, item in enumerate(fields.items("releases"), 1)
    )


def _release(data: Any, place: str) -> WrittenRelease:
    fields = Fields(data, place, RELEASE)
    name = fields.text("name")
    if name:
        fields.place = f"{place} ({shorten(name, 40)})"
    what = [key for key in ("mechanism", "guarantee", "parts") if fields.has(key)]
    if len(what) != 1:
        raise InputError(
            f"{fields.place} has {' and '.join(what) or 'nothing that is run'}; give"
            " exactly one of mechanism, guarantee or parts."
        )
    parts: tuple[WrittenPart, ...] = ()
    once = None
    if what == ["parts"]:
        parts = _parts(fields)
    else:
        once = fields.node(what[0], "plan")
    return WrittenRelease(
        fields.place,
        once,
        what == ["guarantee"],
        fields.node("count", "the count") if fields.has("count") else ONCE,
        _sensitivity(fields),
        parts,
        name,
        fields.day("date"),
        fields.text("by"),
        fields.text("note"),
    )


def _parts(fields: Fields) -> tuple[WrittenPart, ...]:
    """The disjoint parts of a release, each with releases of its own."""
    if fields.has("sensitivity"):
        raise InputError(
            f"{fields.place} has parts, and its sensitivity would be that of none;"
            " state it with each release on a part."
        )
    parts = tuple(
        _part(item, f"{fields.place}, part {number}")
        for number, item in enumerate(fields.items("parts"), 1)
    )
    if not parts:
        raise InputError(f"{fields.place} has no parts; list them, or leave it out.")
    return parts


def _part(data: Any, place: str) -> WrittenPart:
    fields = Fields(data, place, PART)
    name = fields.text("name")
    if name:
        fields.place = f"{place} ({shorten(name, 40)})"
    releases = _releases(fields, f"{fields.place}, release")
    if not releases:
        raise InputError(
            f"{fields.place} has no releases; list them, or leave the part out."
        )
    for release in releases:
        if release.parts:
            raise InputError(
                f"{release.place} has parts inside of a part; list the smaller parts"
                " side by side."
            )
    return WrittenPart(fields.place, releases, name, fields.text("note"))


def _sensitivity(fields: Fields) -> WrittenSensitivity | None:
    if not fields.has("sensitivity"):
        return None
    value = fields.data["sensitivity"]
    if not isinstance(value, dict):
        return WrittenSensitivity(fields.node("sensitivity", "sensitivity"))
    inside = Fields(value, f"{fields.place}, sensitivity", SENSITIVITY)
    if not inside.has("value"):
        raise InputError(f"{inside.place} has no value; add one, as in value = 1.")
    return WrittenSensitivity(
        inside.node("value", "sensitivity"),
        inside.text("norm"),
        inside.text("relation"),
        inside.text("query"),
    )


def _claim(data: Any, place: str) -> WrittenClaim:
    if isinstance(data, str):
        data = {"guarantee": data}
    fields = Fields(data, place, CLAIM)
    name = fields.text("name")
    if name:
        fields.place = f"{place} ({shorten(name, 40)})"
    if not fields.has("guarantee"):
        raise InputError(
            f"{fields.place} has no guarantee; add one, as in"
            ' guarantee = "ApproxDP(epsilon=1, delta=1e-6)".'
        )
    guarantee = fields.data["guarantee"]
    node = fields.node("guarantee", "claim")
    return WrittenClaim(
        fields.place,
        node,
        _said(guarantee, node),
        name,
        fields.text("by"),
        fields.text("note"),
    )


def _said(value: Any, node: Node) -> str:
    """What a value of a file is called in a sentence: its text, or the name of its call."""
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    return node.name if isinstance(node, Call) else kind_of(value)


def _example(path: Path) -> str:
    if path.suffix.lower() == ".toml":
        return 'plan = "Gaussian(sigma=1)"'
    return '{"plan": "Gaussian(sigma=1)"}'
