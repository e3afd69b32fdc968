"""Files of certificates: written by commands that prove, read by the one that checks."""

import json
from pathlib import Path

from rdpacct.cli.answer import JSON
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten

MAX_CERTIFICATE = 5_000_000


def write_certificate(file: str, certificate: JSON) -> None:
    """Write a certificate as JSON."""
    try:
        Path(file).write_text(
            json.dumps(certificate, indent=1) + "\n", encoding="utf-8"
        )
    except OSError as error:
        raise InputError(
            f"the certificate cannot be written to {file} ({error.strerror}); name"
            " another file."
        ) from None


def read_certificate(file: str) -> object:
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
