"""Claims and certificates: from the text of a claim to the goals on open pieces and at single
points.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.proof.check.boxes import prove_claim
from rdpacct.proof.check.consistency import contradictory
from rdpacct.proof.check.effort import EFFORT, LOCK, Rejected, Vacuous
from rdpacct.proof.check.language import (
    Inequality,
    names_of,
    parse_relations,
    substituted,
)
from rdpacct.proof.check.pieces import constant
from rdpacct.proof.check.points import holds
from rdpacct.proof.check.rules import Work
from rdpacct.proof.check.signs import Undefined
from rdpacct.proof.check.slots import fresh_slots

MAX_WORK = 600_000
MAX_SECONDS = 8.0
"""What one check may cost, in units of work and, as a net under these, in seconds of processor
time.
"""
MAX_ASSUMPTIONS = 500


@dataclass(frozen=True)
class CertifiedClaim:
    """What an accepted certificate establishes about its claim."""

    verdict: str
    given: tuple[str, ...]
    conclusion: str


def check(certificate: object) -> CertifiedClaim:
    """The verdict of a certificate that is right in every step; anything else is ``Rejected``."""
    # The backend's precision is shared by all threads.
    with LOCK:
        return _limited(certificate)


def _limited(certificate: object) -> CertifiedClaim:
    try:
        with EFFORT.allowed(MAX_WORK, MAX_SECONDS), fresh_slots():
            return _check(certificate)
    except Rejected:
        raise
    except Undefined as error:
        raise Rejected(f"something in the certificate is undefined: {error}.") from None
    except (
        ArithmeticError,
        LookupError,
        MemoryError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        raise Rejected(
            f"the certificate cannot be followed: {type(error).__name__}."
        ) from None


def _check(certificate: object) -> CertifiedClaim:
    if (
        not isinstance(certificate, dict)
        or certificate.get("format") != "rdpacct-certificate"
    ):
        raise Rejected("this is not a certificate.")
    version = certificate.get("version")
    if type(version) is not int or version != 1:
        raise Rejected("only version 1 of the format is known.")
    _exactly(
        certificate, {"format", "version", "claim", "verdict", "proof"}, "a certificate"
    )
    claim = certificate["claim"]
    if not isinstance(claim, dict) or not isinstance(claim.get("given"), list):
        raise Rejected("the certificate has no claim.")
    _exactly(claim, {"given", "conclusion"}, "a claim")
    conclusion = parse_relations(claim["conclusion"])
    given = list[Inequality]()
    for text in claim["given"]:
        given += parse_relations(text)
        if len(given) > MAX_ASSUMPTIONS:
            raise Rejected(f"a claim has at most {MAX_ASSUMPTIONS} assumptions.")
    proof = certificate["proof"]
    verdict = certificate["verdict"]
    if verdict == "refuted":
        _refute(proof, given, conclusion)
    elif verdict == "proved":
        _prove_all(proof, given, conclusion)
    else:
        raise Rejected("a verdict is 'proved' or 'refuted'.")
    return CertifiedClaim(
        str(verdict),
        tuple(map(_on_one_line, claim["given"])),
        _on_one_line(claim["conclusion"]),
    )


def _exactly(entries: dict[Any, Any], keys: set[str], what: str) -> None:
    """Refuse missing entries, and further ones that nobody would look at."""
    if set(entries) != keys:
        raise Rejected(
            f"the entries of {what} are {', '.join(sorted(keys))} and no others."
        )


def _on_one_line(text: str) -> str:
    """A text of the language with single spaces; it has no other characters than ASCII ones."""
    return " ".join(text.split())


def _prove_all(
    proof: Any, given: list[Inequality], conclusion: list[Inequality]
) -> None:
    if not isinstance(proof, list) or len(proof) != len(conclusion):
        raise Rejected(
            "a proof is a list with one tree for each relation of the conclusion."
        )
    if contradictory(given):
        raise Vacuous(
            "the assumptions contradict each other, so that the claim is vacuous."
        )
    work = Work()
    for node, relation in zip(proof, conclusion, strict=True):
        work.spoken = False
        prove_claim(node, relation, given, work)
        if not work.spoken:
            raise Vacuous("a claim whose sides are nowhere defined says nothing.")


def _refute(proof: Any, given: list[Inequality], conclusion: list[Inequality]) -> None:
    """A rational point at which everything given holds, both sides are defined, and the conclusion
    fails.
    """
    if (
        not isinstance(proof, dict)
        or proof.get("rule") != "refute"
        or not isinstance(proof.get("point"), dict)
    ):
        raise Rejected("a refutation names a point.")
    _exactly(proof, {"rule", "point"}, "a refutation")
    point = proof["point"]
    relations = [*given, *conclusion]
    if set(point) != set().union(*map(names_of, relations)):
        raise Rejected(
            "the point must give a value to each variable and to nothing else."
        )
    for name, text in point.items():
        value = constant(text)
        if value.top.constant() is None or value.bottom:
            raise Rejected("the coordinates of a refutation are rational numbers.")
        tree = ("number", Fraction(value.top.constant() or 0))
        given, conclusion = (
            [substituted(r, name, tree) for r in rows] for rows in (given, conclusion)
        )
    if not all([holds(relation) for relation in given]):  # noqa: C419
        raise Rejected("an assumption does not hold at the point.")
    # All sides must be defined, also those of relations after one that fails.
    if all([holds(relation) for relation in conclusion]):  # noqa: C419
        raise Rejected("the conclusion holds at the point.")
