"""The page of an audit of running code: verdicts, pictures, what was tested and what was not."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rdpacct.auditing.running import CodeVerdict
from rdpacct.errors import InputError, NotInstalledError
from rdpacct.exact.bound import decimal_up
from rdpacct.explanation import ExplanationStep, derivation
from rdpacct.proof.audit import check_refutation
from rdpacct.proof.audit.certificate import ALL_KINDS
from rdpacct.report.data import versions
from rdpacct.report.observed_picture import is_rare, observed_svg
from rdpacct.report.svg import inlined
from rdpacct.report.template import rendered

TEMPLATE = "audit_page.html.j2"
LIMITS = ("statistics/clopper-pearson", "statistics/simultaneous-limits")
"""What the regions of the events rest on."""
POWER = ("statistics/power",)
OUTCOMES = {True: "refuted", False: "consistent"}
SCALES = {False: "even", True: "logarithmic"}
DESCRIPTION = (
    "A shaded region below a rising curve, which is what the claim allows; for each"
    " tested event a box, which is where its two probabilities certainly are at the"
    " stated confidence, around a mark at the observed frequencies. The table below has"
    " the numbers."
)


@dataclass(frozen=True)
class AuditSection:
    """One audit of a page, with the name of its inputs."""

    verdict: CodeVerdict
    name: str = ""

    @property
    def outcome(self) -> str:
        """In a word: refuted or consistent."""
        return OUTCOMES[self.verdict.fails]

    @property
    def theorems(self) -> frozenset[str]:
        """What the verdict, the regions and the power rest on."""
        used = set(LIMITS)
        if self.verdict.power is not None:
            used.update(POWER)
        if self.verdict.fails:
            return frozenset(used).union(check_refutation(self.certificate).rests_on)
        kind = ALL_KINDS[self.verdict.tested_claim.kind]
        return frozenset(used).union(kind.theorems)

    @property
    def certificate(self) -> dict[str, Any] | None:
        """The certificate of a refutation."""
        return self.verdict.certificate() if self.verdict.fails else None

    @property
    def certificate_text(self) -> str:
        """The certificate as a file has it; empty if there is none."""
        if not self.verdict.fails:
            return ""
        return json.dumps(self.certificate, indent=1) + "\n"

    @property
    def certificate_address(self) -> str:
        """An address that is the certificate itself."""
        coded = base64.b64encode(self.certificate_text.encode()).decode("ascii")
        return f"data:application/json;base64,{coded}"


@dataclass(frozen=True)
class AuditPage:
    """All that a page says about audits of running code."""

    sections: tuple[AuditSection, ...]
    title: str = "Audit of running code"
    record: Mapping[str, str] = field(default_factory=dict)
    """What was run, and on what: names with their values."""

    @property
    def error(self) -> Fraction:
        """The largest probability with which some true claim is refuted."""
        return sum((each.verdict.error for each in self.sections), Fraction(0))

    @property
    def steps(self) -> tuple[ExplanationStep, ...]:
        """The theorems that the page rests on."""
        every = (each.theorems for each in self.sections)
        return derivation(frozenset[str]().union(*every))

    def html(self) -> str:
        """The page: one file that needs no other, the same for the same verdicts."""
        pictures = _pictures(self.sections)
        return rendered(
            TEMPLATE,
            pictures,
            page=self,
            data=[each.verdict.as_json() for each in self.sections],
            scales=SCALES.values(),
            error=decimal_up(self.error, 3),
            versions=versions(),
        )


def audit_page(
    *verdicts: CodeVerdict, title: str = "", record: Mapping[str, str] | None = None
) -> str:
    """A page about verdicts of ``audit_code``: one file of HTML that needs no other."""
    if not verdicts or not all(isinstance(each, CodeVerdict) for each in verdicts):
        raise InputError(
            "a page is about verdicts of audit_code; give at least one of these and"
            " nothing else."
        )
    sections = tuple(AuditSection(verdict) for verdict in verdicts)
    named = title or AuditPage.title
    return AuditPage(sections, named, record or {}).html()


def _pictures(sections: tuple[AuditSection, ...]) -> dict[str, str]:
    """Pictures of each audit by its number and the scale; none without what draws them."""
    drawn = {}
    try:
        for number, section in enumerate(sections):
            for logarithmic, scale in SCALES.items():
                if section.verdict.events and (
                    not logarithmic or is_rare(section.verdict)
                ):
                    name = f"audit-{number}-{scale}"
                    svg = observed_svg(section.verdict, name, logarithmic)
                    title = f"Where events were seen, on {scale} axes"
                    drawn[name] = inlined(svg, name, title, DESCRIPTION)
    except NotInstalledError:
        return {}
    return drawn
