"""Whether a relation between real formulas holds."""

import re
from argparse import ArgumentParser, Namespace

from rdpacct.cli.answer import (
    DONE,
    FAILS,
    JSON,
    UNDECIDED,
    Answer,
    write_progress,
)
from rdpacct.cli.certificates import write_certificate
from rdpacct.errors import InputError
from rdpacct.exact.number import rational, shorten
from rdpacct.proof.prove import ProofResult, Settled, point_text
from rdpacct.proof.prove import prove as settled

CODES = {Settled.PROVED: DONE, Settled.REFUTED: FAILS, Settled.UNDECIDED: UNDECIDED}

EXAMPLES = (
    'rdpacct prove "log(x) <= x - 1" --given "x > 0"',
    'rdpacct prove "exp(x) >= 1 + x" --certificate certificate.json',
)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """A claim, its assumptions, how much to search, and a file for the certificate."""
    parser.add_argument("claim", metavar="CLAIM", help='such as "log(x) <= x - 1"')
    parser.add_argument(
        "--given",
        action="append",
        default=[],
        metavar="RELATION",
        help='such as "x > 0"',
    )
    parser.add_argument(
        "--timeout",
        default="10",
        metavar="SECONDS",
        help="how much to search, in seconds of work (10)",
    )
    parser.add_argument(
        "--certificate", metavar="FILE", help="write the certificate of the verdict"
    )


def run(options: Namespace) -> Answer:
    """The verdict on the claim, whose certificate is written if a file is named."""
    seconds = _seconds(options.timeout)
    result = _settled(options, seconds)
    if options.certificate is not None and result.certificate is not None:
        write_certificate(options.certificate, result.certificate)
    return Answer(
        CODES[result.settled],
        _data(result, options.claim, options.given),
        "\n".join(_lines(result, options.given)),
    )


def _seconds(text: str) -> float:
    seconds = rational(text, "timeout")
    if not 0 < seconds <= 86_400:
        raise InputError(
            f"timeout is {shorten(text)}, but must be above 0 and at most 86400"
            " seconds; give such a value."
        )
    return float(seconds)


def _settled(options: Namespace, seconds: float) -> ProofResult:
    """The result of the search, with a line of progress on a terminal."""
    if options.json:
        return settled(options.claim, options.given, seconds)
    result = settled(
        options.claim,
        options.given,
        seconds,
        progress=lambda stage: write_progress(f"{stage} ..."),
    )
    write_progress("")
    return result


def _data(result: ProofResult, claim: str, given: list[str]) -> JSON:
    return {
        "verdict": result.settled.value,
        "counterexample": _counterexample(result),
        "claim": claim,
        "given": given,
        "excluded": [
            f"points without {condition}" for condition in result.claim.excluded()
        ],
        "seconds": round(result.seconds, 4),
        "why": result.why,
        "note": _note(result, given),
    }


def _counterexample(result: ProofResult) -> JSON | None:
    if result.counterexample is None:
        return None
    return {name: str(value) for name, value in result.counterexample.items()}


def _note(result: ProofResult, given: list[str]) -> str:
    """A warning about the variable e, which is easily taken for the number exp(1)."""
    mentioned = any(re.search(r"\be\b", text) for text in given)
    if "e" not in result.claim.variables() or mentioned:
        return ""
    return "e is a variable here, not the number exp(1); write exp(x) for its powers"


def _lines(result: ProofResult, given: list[str]) -> list[str]:
    lines = [f"{result.settled.value}: {result.claim.conclusion}"]
    if result.claim.given:
        lines.append(f"  given {', '.join(map(str, result.claim.given))}")
    if result.counterexample is not None:
        lines.append(f"  it fails at {point_text(result.counterexample)}")
    if result.claim.excluded():
        lines.append(f"  where {', '.join(result.claim.excluded())}")
    if result.why:
        lines.append(f"  {result.why}")
    note = _note(result, given)
    if note:
        lines.append(f"  note: {note}")
    return lines
