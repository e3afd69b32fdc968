"""Whether a certificate holds, by the small checker alone."""

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from rdpacct.cli.answer import DONE, FAILS, JSON, Answer
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.proof.check import Rejected
from rdpacct.proof.check import check as checked

MAX_CERTIFICATE = 5_000_000

EXAMPLES = ("rdpacct check certificate.json",)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """The file of a certificate."""
    parser.add_argument("file", metavar="FILE", help="a certificate written by prove")


def run(options: Namespace) -> Answer:
    """Whether the checker accepts the certificate, and what it certifies."""
    try:
        verdict = checked(_read(options.file))
    except Rejected as error:
        data = {"accepted": False, "why": str(error)}
        return Answer(FAILS, data, f"rejected: {error}")
    claim: JSON = {"given": list(verdict.given), "conclusion": verdict.conclusion}
    given = "".join(f", given {text}" for text in verdict.given)
    return Answer(
        DONE,
        {"accepted": True, "verdict": verdict.verdict, "claim": claim},
        f"accepted, {verdict.verdict}: {verdict.conclusion}{given}",
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
    """The entries of a JSON object; a name that occurs twice is refused."""
    entries = dict[str, object]()
    for name, value in pairs:
        if name in entries:
            raise ValueError(f"the name {name[:20]!a} stands twice in an object")
        entries[name] = value
    return entries
