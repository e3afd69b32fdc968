"""Whether a certificate holds, by a small checker alone."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.answer import DONE, FAILS, JSON, Answer
from rdpacct.cli.certificates import read_certificate
from rdpacct.exact.bound import decimal_down, decimal_up
from rdpacct.exact.number import decimal_text
from rdpacct.proof.audit import CertifiedRefutation, check_refutation
from rdpacct.proof.budget import CertifiedBudget, check_budget
from rdpacct.proof.check import Rejected
from rdpacct.proof.check import check as checked

EXAMPLES = ("rdpacct check certificate.json",)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """The file of a certificate."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a certificate written by prove, explain, an audit or audit_support",
    )


def run(options: Namespace) -> Answer:
    """Whether the checker accepts the certificate, and what it certifies."""
    certificate = read_certificate(options.file)
    try:
        if _has(certificate, "releases"):
            return _budget(check_budget(certificate))
        if _has(certificate, "evidence"):
            return _refutation(check_refutation(certificate))
        if _has(certificate, "unreachable"):
            return _unreachable(certificate)
        return _claim(certificate)
    except Rejected as error:
        data = {"accepted": False, "why": str(error)}
        return Answer(FAILS, data, f"rejected: {error}")


def _has(certificate: object, entry: str) -> bool:
    return isinstance(certificate, dict) and entry in certificate


def _claim(certificate: object) -> Answer:
    verdict = checked(certificate)
    claim: JSON = {"given": list(verdict.given), "conclusion": verdict.conclusion}
    given = "".join(f", given {text}" for text in verdict.given)
    return Answer(
        DONE,
        {"accepted": True, "verdict": verdict.verdict, "claim": claim},
        f"accepted, {verdict.verdict}: {verdict.conclusion}{given}",
    )


def _budget(budget: CertifiedBudget) -> Answer:
    most = decimal_up(budget.most)
    delta = decimal_text(budget.delta)
    ends: JSON = {"most": most}
    lines = [f"accepted: epsilon <= {most} at delta = {delta}"]
    if budget.least is not None:
        least = decimal_down(budget.least)
        ends["least"] = least
        lines.append(f"  and epsilon >= {least}")
    lines += [f"  for {release}" for release in budget.releases]
    lines.append(f"  relation {budget.relation}")
    lines += [f"  assumes: {sentence}" for sentence in budget.assumes]
    lines.append(f"  rests on {', '.join(budget.rests_on)}")
    data: JSON = {
        "accepted": True,
        "epsilon": ends,
        "delta": delta,
        "releases": list(budget.releases),
        "relation": budget.relation,
        "rests_on": list(budget.rests_on),
    }
    if budget.assumes:
        data["assumptions"] = list(budget.assumes)
    return Answer(DONE, data, "\n".join(lines))


def _unreachable(certificate: object) -> Answer:
    """An output that only one of two data sets has."""
    from rdpacct.auditing.support.unreachable import check_unreachable

    shown = check_unreachable(certificate)
    data: JSON = {"accepted": True, "unreachable": shown}
    return Answer(DONE, data, f"accepted: {shown}")


def _refutation(refuted: CertifiedRefutation) -> Answer:
    confidence = decimal_down(refuted.confidence)
    lines = [f"accepted: {refuted.claim} is refuted, at confidence {confidence}"]
    lines += [f"  by {event}" for event in refuted.events]
    data: JSON = {
        "accepted": True,
        "refuted": refuted.claim,
        "confidence": confidence,
        "events": list(refuted.events),
        "method": refuted.method,
        "rests_on": list(refuted.rests_on),
    }
    if refuted.wealth is not None:
        wealth = decimal_down(refuted.wealth, 6)
        data["wealth"] = wealth
        lines.append(f"  a wealth of 1 has become at least {wealth}")
    lines.append("  if these counts were seen; run the audit again with its seed")
    lines.append(f"  rests on {', '.join(refuted.rests_on)}")
    return Answer(DONE, data, "\n".join(lines))
