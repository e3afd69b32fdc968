"""The proof files that ship with the book, one for each entry: its record, the certificates of its
    side conditions, and the lines of its derivation.

A file stands on its own: what an entry takes from others is written in its file again, so that a
change of one entry leaves the files of all others as they are. Nothing here is trusted: the kernel
reads the lines and checks the certificates.
"""

import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from operator import index
from pathlib import Path
from typing import Any

from rdpacct.proof.certificates import Certificate, Key, from_kept, to_keep
from rdpacct.proof.derivations import Record
from rdpacct.proof.kernel.derivation import Derivation, DerivationLine
from rdpacct.proof.kernel.terms import Refused
from rdpacct.proof.places import folder

FOLDER = "_proofs"
"""The folder of the proof files, in the folder of the entries."""
SUFFIX = ".jsonl.gz"


@dataclass(frozen=True)
class ProofFile:
    """What the file of an entry holds."""

    record: Record
    certificates: Mapping[Key, Certificate]
    derivation: Derivation


def place_of(name: str) -> Path:
    """The proof file of an entry: ``cdp/kl-half`` has _proofs/cdp/kl_half.jsonl.gz."""
    return folder() / FOLDER / f"{name.replace('-', '_')}{SUFFIX}"


@cache
def shipped(name: str) -> ProofFile | None:
    """The proof file of an entry; none if there is no such file, or it cannot be read."""
    try:
        return from_bytes(place_of(name).read_bytes())
    except (OSError, Refused):
        return None


def from_bytes(data: bytes) -> ProofFile:
    """What a proof file holds; ``Refused`` if it is not of the form.

    The first line is the record. Of the others, those with names are certificates.
    """
    try:
        text = gzip.decompress(data).decode()
        head, *rest = map(json.loads, text.splitlines())
        kept = dict(from_kept(line) for line in rest if isinstance(line, dict))
        lines = [line for line in rest if not isinstance(line, dict)]
        return ProofFile(_record(*head), kept, Derivation(lines))
    except _WRONG as error:
        raise Refused(f"the proof file is not of the form: {error}.") from None


_WRONG = (
    *(OSError, EOFError, zlib.error, RecursionError),
    *(AttributeError, LookupError, TypeError, ValueError),
)
"""What comes of files that are not of the form."""


def _record(
    name: str,
    digest: str,
    parts: dict[str, Any],
    falsehoods: dict[str, Any],
    witnesses: dict[str, Any],
) -> Record:
    """The record of an entry, with everything taken apart once, so that it is of the form."""
    return Record(
        name,
        digest,
        {
            part: [(index(line), str(why)) for line, why in steps]
            for part, steps in parts.items()
        },
        {
            says: (
                str(by),
                list(map(index, facts)),
                list(map(dict, certificates)),
                data,
            )
            for says, (by, facts, certificates, data) in falsehoods.items()
        },
        {
            part: (data, list(map(index, facts)))
            for part, (data, facts) in witnesses.items()
        },
    )


def to_bytes(
    record: Record,
    certificates: Mapping[Key, Certificate],
    lines: Sequence[DerivationLine],
) -> bytes:
    """A proof file: the same bytes for the same proofs."""
    head = [getattr(record, field.name) for field in fields(record)]
    kept = [to_keep(key, certificates[key]) for key in sorted(certificates)]
    text = "".join(
        f"{json.dumps(line, separators=(',', ':'))}\n" for line in (head, *kept, *lines)
    )
    return gzip.compress(text.encode(), compresslevel=9, mtime=0)


def write(name: str, data: bytes) -> bool:
    """Put a proof file in its place; whether that is a change."""
    place = place_of(name)
    if place.is_file() and place.read_bytes() == data:
        return False
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    shipped.cache_clear()
    return True


def remove_all_but(names: Sequence[str]) -> list[Path]:
    """Remove the proof files of entries that are gone, and say which."""
    kept = set(map(place_of, names))
    files = sorted((folder() / FOLDER).glob(f"*/*{SUFFIX}"))
    gone = [place for place in files if place not in kept]
    for place in gone:
        place.unlink()
    return gone
