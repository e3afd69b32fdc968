"""The answers of the commands prove and check."""

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rdpacct.command import DONE, FAILS, JSON, UNDECIDED, Answer
from rdpacct.errors import InputError
from rdpacct.exact.number import rational, shorten

if TYPE_CHECKING:
    from rdpacct.proof.prove import Result

MAX_CERTIFICATE = 5_000_000


def prove_answer(
    claim: str, given: list[str], timeout: str, certificate: str | None, quiet: bool
) -> Answer:
    """Settle a claim, and write its certificate if a file is named."""
    from rdpacct.proof.prove import Settled, prove

    seconds = rational(timeout, "timeout")
    if not 0 < seconds <= 86_400:
        raise InputError(
            f"timeout is {shorten(timeout)}, but must be above 0 and at most 86400"
            " seconds; give such a value."
        )

    def progress(stage: str) -> None:
        if not quiet and sys.stderr.isatty():
            print(f"\r{stage} ...\033[K", end="", file=sys.stderr, flush=True)

    result = prove(claim, given, float(seconds), progress)
    if not quiet and sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    if certificate is not None and result.certificate is not None:
        _write(Path(certificate), result.certificate)
    codes = {Settled.PROVED: DONE, Settled.REFUTED: FAILS, Settled.UNDECIDED: UNDECIDED}
    return Answer(
        codes[result.settled], _data(result, claim, given), _text(result, given)
    )


def check_answer(file: str) -> Answer:
    """Whether the small checker accepts a certificate; what it certifies is part of the answer."""
    from rdpacct.proof.check import Rejected, check

    try:
        verdict = check(_read(file))
    except Rejected as error:
        return Answer(
            FAILS, {"accepted": False, "why": str(error)}, f"rejected: {error}"
        )
    claim: JSON = {"given": list(verdict.given), "conclusion": verdict.conclusion}
    said = f"{verdict.verdict}: {verdict.conclusion}" + "".join(
        f", given {text}" for text in verdict.given
    )
    return Answer(
        DONE,
        {"accepted": True, "verdict": verdict.verdict, "claim": claim},
        f"accepted, {said}",
    )


def _read(file: str) -> object:
    """The JSON value in a file of limited size."""
    name = shorten(str(file))
    try:
        with Path(file).open("rb") as stream:
            data = stream.read(MAX_CERTIFICATE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"the file {name} cannot be read ({reason}); give the path of a"
            " certificate."
        ) from None
    if len(data) > MAX_CERTIFICATE:
        raise InputError(
            f"the file {name} is larger than {MAX_CERTIFICATE} bytes; give a"
            " certificate."
        )
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_without_doubles)
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(
            f"the file {name} is not a JSON certificate ({shorten(str(error))}); give"
            " one."
        ) from None


def _without_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The entries of a JSON object; a name that stands twice is refused."""
    entries = dict[str, object]()
    for name, value in pairs:
        if name in entries:
            raise ValueError(f"the name {name[:20]!a} stands twice in an object")
        entries[name] = value
    return entries


def _write(path: Path, certificate: JSON) -> None:
    try:
        path.write_text(json.dumps(certificate, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"the certificate cannot be written to {path} ({error.strerror}); name"
            " another file."
        ) from None


def _data(result: "Result", claim: str, given: list[str]) -> JSON:
    point = result.counterexample
    return {
        "verdict": result.settled.value,
        "counterexample": (
            None
            if point is None
            else {name: str(value) for name, value in point.items()}
        ),
        "claim": claim,
        "given": given,
        "excluded": [
            f"points without {condition}" for condition in result.claim.excluded()
        ],
        "seconds": round(result.seconds, 4),
        "why": result.why,
        "note": _note(result, given),
    }


def _note(result: "Result", given: list[str]) -> str:
    """What a reader may have meant otherwise: a letter e of which nothing is assumed."""
    if "e" in result.claim.variables() and not any(
        re.search(r"\be\b", text) for text in given
    ):
        return (
            "e is a variable here, not the number exp(1); write exp(x) for its powers"
        )
    return ""


def _text(result: "Result", given: list[str]) -> str:
    from rdpacct.proof.prove import point_text

    lines = [f"{result.settled.value}: {result.claim.conclusion}"]
    if result.claim.given:
        lines.append(f"  given {', '.join(map(str, result.claim.given))}")
    if result.counterexample is not None:
        lines.append(f"  it fails at {point_text(result.counterexample)}")
    if result.claim.excluded():
        lines.append(f"  where {', '.join(result.claim.excluded())}")
    if result.why:
        lines.append(f"  {result.why}")
    if note := _note(result, given):
        lines.append(f"  note: {note}")
    return "\n".join(lines)
