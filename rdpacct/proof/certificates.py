"""The certificates that ship with the book, one for each side condition of its entries: read and
written.
"""

import gzip
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rdpacct.proof.places import folder

FILE = "certificates.jsonl.gz"
ENVELOPE = {"format": "rdpacct-certificate", "version": 1, "verdict": "proved"}
"""What all of them share."""

Certificate = dict[str, Any]
Key = tuple[str, tuple[str, ...]]
"""A side condition, and what is known."""


@cache
def shipped() -> dict[Key, Certificate]:
    """The certificates beside the entries; none if there is no such file, or it cannot be read."""
    try:
        text = gzip.decompress((folder() / FILE).read_bytes()).decode()
        return dict(_read(line) for line in text.splitlines())
    except (OSError, EOFError, ValueError, LookupError, TypeError):
        return {}


def _read(line: str) -> tuple[Key, Certificate]:
    """A line has the side condition, the claim that the certificate proves if that is another, and
    its proof.
    """
    kept = json.loads(line)
    claim = kept["claim"]
    known = kept["known"]
    proved = kept.get("proved", {"given": known, "conclusion": claim})
    return (claim, tuple(known)), {**ENVELOPE, "claim": proved, "proof": kept["proof"]}


def _line(key: Key, certificate: Certificate) -> str:
    claim, known = key
    kept: dict[str, object] = {"claim": claim, "known": list(known)}
    if certificate["claim"] != {"given": list(known), "conclusion": claim}:
        kept["proved"] = certificate["claim"]
    return json.dumps({**kept, "proof": certificate["proof"]}, separators=(",", ":"))


def write(settled: Mapping[Key, Certificate], place: Path | None = None) -> int:
    """Write certificates to the file that ships, the same bytes for the same certificates; how many
    there are.
    """
    lines = "".join(f"{_line(key, settled[key])}\n" for key in sorted(settled))
    data = gzip.compress(lines.encode(), compresslevel=9, mtime=0)
    ((place or folder()) / FILE).write_bytes(data)
    shipped.cache_clear()
    return len(settled)
