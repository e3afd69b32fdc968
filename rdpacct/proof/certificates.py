"""Certificates of side conditions as they are kept in the proof files of the book."""

from typing import Any

ENVELOPE = {"format": "rdpacct-certificate", "version": 1, "verdict": "proved"}
"""What all of them share."""

Certificate = dict[str, Any]
Key = tuple[str, tuple[str, ...]]
"""A side condition, and what is known."""


def from_kept(kept: dict[str, Any]) -> tuple[Key, Certificate]:
    """The side condition and its certificate: kept are the side condition, the claim that the
    certificate proves if that is another, and its proof.
    """
    claim = kept["claim"]
    known = kept["known"]
    proved = kept.get("proved", {"given": known, "conclusion": claim})
    return (claim, tuple(known)), {**ENVELOPE, "claim": proved, "proof": kept["proof"]}


def to_keep(key: Key, certificate: Certificate) -> dict[str, Any]:
    """What is kept of the certificate of a side condition."""
    claim, known = key
    kept: dict[str, Any] = {"claim": claim, "known": list(known)}
    if certificate["claim"] != {"given": list(known), "conclusion": claim}:
        kept["proved"] = certificate["claim"]
    return {**kept, "proof": certificate["proof"]}
