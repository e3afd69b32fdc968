"""A plan with all that its file says: names and dates of releases, unit, promises and claims."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rdpacct.language.plan_records import WrittenPart, WrittenRelease
from rdpacct.language.written import VERSION
from rdpacct.mechanisms import Mechanism, Plan
from rdpacct.plan.text import PlanText
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.privacy.relation import Relation

RECORD = "record"
"""The unit of a plan that does not name one."""


@dataclass(frozen=True, slots=True)
class PrivacyUnit:
    """Whom the guarantee is about, with how many records each has at most."""

    name: str = RECORD
    contributions: int = 1

    def __str__(self) -> str:
        if self.contributions == 1:
            return self.name
        return f"{self.name} with up to {self.contributions} records"


@dataclass(frozen=True, slots=True)
class PlannedRelease:
    """One release of a plan, with its name and its date as far as they are stated."""

    once: Plan
    """What is run once."""
    count: int = 1
    name: str = ""
    date: str = ""
    """The day as year-month-day."""
    by: str = ""
    """Who makes the release, or promises its guarantee."""
    note: str = ""
    query: str = ""
    """What the noise is added to, as the sensitivity says it."""
    parts: "tuple[PlannedPart, ...]" = ()
    """The disjoint parts of the data that the release is on; none for a release on all of it."""

    @property
    def plan(self) -> Plan:
        """The release as a plan, as often as it is run."""
        return self.once * self.count

    @property
    def mechanism(self) -> Mechanism | None:
        """The one mechanism that is run; None if it is a plan of several."""
        return self.once.single

    def __str__(self) -> str:
        return f"{self.name}: {self.plan}" if self.name else str(self.plan)


@dataclass(frozen=True, slots=True)
class PlannedPart:
    """One of several disjoint parts of the data, with the releases on it."""

    releases: tuple[PlannedRelease, ...]
    name: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class StatedClaim:
    """A guarantee that the plan is said to have, and by whom."""

    guarantee: Guarantee
    name: str = ""
    by: str = ""
    note: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.guarantee}" if self.name else str(self.guarantee)


@dataclass(frozen=True)
class PlanDocument:
    """A plan, its releases one by one, the claims about it, and what they are stated for."""

    plan: Plan
    releases: tuple[PlannedRelease, ...]
    relation: Relation
    unit: PrivacyUnit = PrivacyUnit()
    claims: tuple[StatedClaim, ...] = ()
    title: str = ""
    note: str = ""

    @property
    def canonical(self) -> str:
        """One text for all files that say the same: JSON with exact numbers, in which the order of
        fields, releases, parts and claims does not matter.
        """
        content = {
            "version": VERSION,
            "relation": self.relation.value,
            "unit": self.unit.name,
            "contributions": self.unit.contributions,
            "title": self.title,
            "note": self.note,
            "releases": _merged(self.releases),
            "claims": _sorted(map(_claim_data, self.claims)),
        }
        return _text(_filled(content))

    @property
    def digest(self) -> str:
        """The SHA-256 of the canonical text, in hexadecimal digits."""
        return hashlib.sha256(self.canonical.encode()).hexdigest()

    def __str__(self) -> str:
        lines = [self.title or "a plan", *map(str, self.releases)]
        lines.append(f"stated for {self.relation}; the unit is a {self.unit}")
        return "\n  ".join([*lines, *(f"claims {claim}" for claim in self.claims)])


def read_document(
    source: str, relation: Relation | None = None, group: int = 1
) -> PlanDocument:
    """The plan of an expression or of a file, with names, dates, unit and claims.

    An expression has a release for each of its mechanisms, and claims nothing.
    """
    text = PlanText(source, relation, group)
    written = text.written
    plan = text.plan()
    named = tuple(_release(text, release) for release in written.releases)
    return PlanDocument(
        plan,
        named if written.listed else _apart(plan),
        plan.relation,
        PrivacyUnit(written.unit or RECORD, written.contributions * group),
        tuple(
            StatedClaim(guarantee, claim.name, claim.by, claim.note)
            for claim, guarantee in zip(written.claims, text.claims, strict=True)
        ),
        written.title,
        written.note,
    )


def _release(text: PlanText, written: WrittenRelease) -> PlannedRelease:
    sensitivity = written.sensitivity
    return PlannedRelease(
        text.once(written),
        text.count(written),
        written.name,
        written.date,
        written.by,
        written.note,
        "" if sensitivity is None else sensitivity.query,
        tuple(_part(text, part) for part in written.parts),
    )


def _part(text: PlanText, written: WrittenPart) -> PlannedPart:
    releases = tuple(_release(text, release) for release in written.releases)
    return PlannedPart(releases, written.name, written.note)


def _apart(plan: Plan) -> tuple[PlannedRelease, ...]:
    """The mechanisms of an expression as releases without names."""
    return tuple(
        PlannedRelease(Plan.of(mechanism), count) for mechanism, count in plan.releases
    )


def _merged(releases: Iterable[PlannedRelease]) -> list[dict[str, Any]]:
    """The releases as data; those that are equal but for their counts are one, and one without
    anything said about it is as many as it has mechanisms.
    """
    counts = Counter[str]()
    for release in releases:
        said = _said(release)
        if said or release.parts:
            counts[_text(said | {"run": _run(release)})] += release.count
            continue
        for mechanism, times in release.plan.terms:
            counts[_text({"run": str(mechanism)})] += times
    data = [json.loads(text) | {"count": count} for text, count in counts.items()]
    return _sorted(data)


def _said(release: PlannedRelease) -> dict[str, str]:
    named = {
        "name": release.name,
        "date": release.date,
        "by": release.by,
        "note": release.note,
        "query": release.query,
    }
    return {key: value for key, value in named.items() if value}


def _run(release: PlannedRelease) -> Any:
    """What a release runs: the text of a plan, or the releases on each part."""
    if not release.parts:
        return str(release.once)
    return _sorted(
        _filled(
            {
                "name": part.name,
                "note": part.note,
                "releases": _merged(part.releases),
            }
        )
        for part in release.parts
    )


def _claim_data(claim: StatedClaim) -> dict[str, Any]:
    return _filled(
        {
            "guarantee": str(claim.guarantee),
            "name": claim.name,
            "by": claim.by,
            "note": claim.note,
        }
    )


def _filled(data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that say something."""
    return {key: value for key, value in data.items() if value not in ("", [], ())}


def _sorted(items: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(items, key=_text)


def _text(data: Any) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"))
