"""Claims and certificates: from the text of a claim to the goals on open pieces and at single points."""

from dataclasses import dataclass
from fractions import Fraction
from threading import RLock
from typing import Any

from rdpacct.proof.check.boxes import prove_claim
from rdpacct.proof.check.effort import EFFORT
from rdpacct.proof.check.language import Rejected, Relation, names_of, parse_relations, power_bases, substituted
from rdpacct.proof.check.pieces import constant
from rdpacct.proof.check.points import holds
from rdpacct.proof.check.rules import Work
from rdpacct.proof.check.signs import Undefined

MAX_PRODUCTS = 1_000_000
LOCK = RLock()


@dataclass(frozen=True)
class Verdict:
    """What an accepted certificate establishes about its claim."""

    verdict: str
    given: tuple[str, ...]
    conclusion: str


def check(certificate: object) -> Verdict:
    """The verdict of a certificate that is right in every step; anything else is ``Rejected``."""
    # The backend's precision is shared by all threads.
    with LOCK:
        return _limited(certificate)


def _limited(certificate: object) -> Verdict:
    before, EFFORT.left = EFFORT.left, MAX_PRODUCTS
    try:
        return _check(certificate)
    except Rejected:
        raise
    except Undefined as error:
        raise Rejected(f"something in the certificate is undefined: {error}.") from None
    except (ArithmeticError, LookupError, MemoryError, RecursionError, TypeError, ValueError) as error:
        raise Rejected(f"the certificate cannot be followed: {type(error).__name__}.") from None
    finally:
        EFFORT.left = before


def _check(certificate: object) -> Verdict:
    if not isinstance(certificate, dict) or certificate.get("format") != "rdpacct-certificate":
        raise Rejected("this is not a certificate.")
    if certificate.get("version") != 1 or isinstance(certificate.get("version"), bool):
        raise Rejected("only version 1 of the format is known.")
    claim = certificate.get("claim")
    if not isinstance(claim, dict) or not isinstance(claim.get("given"), list):
        raise Rejected("the certificate has no claim.")
    given = [relation for text in claim["given"] for relation in parse_relations(text)]
    conclusion = parse_relations(claim.get("conclusion"))
    proof, verdict = certificate.get("proof"), certificate.get("verdict")
    if verdict == "refuted":
        _refute(proof, given, conclusion)
    elif verdict == "proved":
        _prove_all(proof, given, conclusion)
    else:
        raise Rejected("a verdict is 'proved' or 'refuted'.")
    return Verdict(str(verdict), tuple(claim["given"]), str(claim["conclusion"]))


def _prove_all(proof: Any, given: list[Relation], conclusion: list[Relation]) -> None:
    if not isinstance(proof, list) or len(proof) != len(conclusion):
        raise Rejected("a proof is a list with one tree for each relation of the conclusion.")
    work = Work()
    for node, relation in zip(proof, conclusion, strict=True):
        work.spoken = False
        prove_claim(node, relation, given, work)
        if not work.spoken:
            raise Rejected("a claim whose sides are nowhere defined says nothing.")


def _refute(proof: Any, given: list[Relation], conclusion: list[Relation]) -> None:
    """A rational point at which everything given holds, both sides are defined, and the conclusion fails."""
    if not isinstance(proof, dict) or proof.get("rule") != "refute" or not isinstance(proof.get("point"), dict):
        raise Rejected("a refutation names a point.")
    point, relations = proof["point"], [*given, *conclusion]
    # A power with a variable in its exponent is defined for positive bases only, also where it becomes whole.
    bases = [base for r in relations for side in (r.left, r.right) for base in power_bases(side)]
    given = [*given, *(Relation(base, ">", ("number", Fraction(0))) for base in bases)]
    if set(point) != set().union(*map(names_of, relations)):
        raise Rejected("the point must give a value to each variable and to nothing else.")
    for name, text in point.items():
        value = constant(text)
        if value.top.constant() is None or value.bottom:
            raise Rejected("the coordinates of a refutation are rational numbers.")
        tree = ("number", Fraction(value.top.constant() or 0))
        given, conclusion = ([substituted(r, name, tree) for r in rows] for rows in (given, conclusion))
    if not all([holds(relation) for relation in given]):  # noqa: C419
        raise Rejected("an assumption does not hold at the point.")
    # All sides must be defined, also those of relations after one that fails.
    if all([holds(relation) for relation in conclusion]):  # noqa: C419
        raise Rejected("the conclusion holds at the point.")
