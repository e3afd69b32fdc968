"""Files of certificates: written by commands that prove, read by the one that checks."""

import json
from pathlib import Path

from rdpacct.cli.answer import JSON
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.language.files import RepeatedName, each_name_once

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
        return json.loads(data.decode("utf-8"), object_pairs_hook=each_name_once)
    except RepeatedName as error:
        raise _no_certificate(
            name, f"the name {error.name[:20]!a} stands twice in an object"
        ) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise _no_certificate(name, str(error)) from None


def _no_certificate(name: str, reason: str) -> InputError:
    return InputError(
        f"the file {name} is not a JSON certificate ({shorten(reason)}); give one."
    )
