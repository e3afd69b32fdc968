"""The numbers of a report as one JSON object: what ``--json`` prints, and what the page shows."""

import platform
from collections.abc import Sequence
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import rdpacct
from rdpacct.curves import CertifiedCurve, CurveKind
from rdpacct.exact.bound import Bound
from rdpacct.exact.number import decimal_text
from rdpacct.report.attacks import PRIORS, Alarm
from rdpacct.report.contents import CheckedClaim, PrivacyReport
from rdpacct.report.losses import LossLine, name_of
from rdpacct.report.shares import ReleaseShare
from rdpacct.report.words import assumed_in

PACKAGES = ("python-flint",)
"""The packages whose versions the numbers depend on."""


def data_of(report: PrivacyReport) -> dict[str, Any]:
    """Every number of the page, with both ends."""
    document = report.document
    return {
        "title": document.title,
        "note": document.note,
        "plan": str(document.plan),
        "sha256": document.digest,
        "relation": document.relation.value,
        "unit": document.unit.name,
        "delta": str(report.delta),
        "epsilon": ends(report.epsilon),
        "how": report.epsilon.how,
        "assumptions": assumed_in(document),
        "claims": [_claim(checked) for checked in report.claims],
        "verdict": report.outcome.value if report.claims else None,
        "releases": [_share(share) for share in report.shares],
        "releases_in_all": len(document.releases),
        "guess": ends(report.gain.right),
        "alarms": [_alarm(alarm) for alarm in report.gain.alarms],
        "profile": curve_points(report.profile),
        "tests": [] if report.tests is None else curve_points(report.tests),
        "losses": [_losses(line) for line in report.losses],
        "theorems": [
            {"id": step.theorem, "title": step.title, "verdict": step.verdict}
            for step in report.steps
        ],
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """What the numbers were computed with."""
    return {
        "rdpacct": rdpacct.__version__,
        "Python": platform.python_version(),
        **{package: _version(package) for package in PACKAGES},
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def ends(bound: Bound) -> dict[str, float | str]:
    """The ends as doubles, rounded outwards; an infinite one is a text."""
    lower, upper = bound.floats()
    return {"lower": _finite(lower), "upper": _finite(upper)}


def _finite(value: float) -> float | str:
    return str(value) if abs(value) == float("inf") else value


def curve_points(curve: CertifiedCurve) -> list[dict[str, Any]]:
    """The points of a curve."""
    asked, answered = "epsilon", "delta"
    if curve.kind is CurveKind.TRADEOFF:
        asked, answered = "false_positive_rate", "false_negative_rate"
    return _points(asked, curve.at, answered, curve.bounds)


def _losses(line: LossLine) -> dict[str, Any]:
    points = _points("loss", line.at, "probability_of_more", line.bounds)
    return {"name": line.name, "points": points}


def _points(
    asked: str, at: Sequence[Fraction], answered: str, bounds: Sequence[Bound]
) -> list[dict[str, Any]]:
    return [
        {asked: decimal_text(place), answered: ends(bound)}
        for place, bound in zip(at, bounds, strict=True)
    ]


def _claim(checked: CheckedClaim) -> dict[str, Any]:
    verdict = checked.verdict
    witness = verdict.witness
    return {
        "claim": str(verdict.claim),
        "name": checked.claim.name,
        "by": checked.claim.by,
        "note": checked.claim.note,
        "verdict": verdict.outcome.value,
        "tight": {name: ends(bound) for name, bound in verdict.tight.items()},
        "witness": None if witness is None else str(witness),
        "why": verdict.why,
    }


def _share(share: ReleaseShare) -> dict[str, Any]:
    release = share.release
    return {
        "name": name_of(release),
        "run": str(release.plan),
        "date": release.date,
        "by": release.by,
        "note": release.note,
        "query": release.query,
        "alone": ends(share.alone),
        "without": ends(share.without),
        "saved": ends(share.saved),
    }


def _alarm(alarm: Alarm) -> dict[str, Any]:
    return {
        "false_positive_rate": decimal_text(alarm.rate),
        "true_positive_rate": ends(alarm.caught),
        "odds_factor": ends(alarm.factor),
        "posterior": [
            {"prior": decimal_text(prior), "probability": ends(alarm.posterior(prior))}
            for prior in PRIORS
        ],
    }
