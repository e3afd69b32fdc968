"""Settling a claim: proved or refuted by a certificate that the small checker has accepted, or undecided."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.number import decimal_text
from rdpacct.judged import Judged
from rdpacct.proof.check import Rejected, check
from rdpacct.proof.claim import Claim
from rdpacct.proof.domain import ranges
from rdpacct.proof.language import FUNCTIONS, read_comparisons
from rdpacct.proof.refute import refute
from rdpacct.proof.search import find_proof

SCHEDULE = ((0.01, "refute"), (0.15, "prove"), (0.25, "refute"), (0.8, "prove"), (1.0, "refute"))
"""The shares of the time at which the two searches hand over to each other: most claims fall to the first steps."""
IDENTITY_FIRST = ((0.01, "prove"), (0.02, "refute"), *SCHEDULE[1:])
"""The same for equations, most of which are seen at once."""


class Settled(Enum):
    """What is known of a claim."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Result(Judged):
    """The verdict on a claim, with the certificate behind it; a refutation also names its point."""

    claim: Claim
    settled: Settled
    counterexample: dict[str, Fraction] | None = None
    certificate: dict[str, Any] | None = None
    seconds: float = 0.0
    why: str = ""

    @property
    def holds(self) -> bool:
        return self.settled is Settled.PROVED

    @property
    def fails(self) -> bool:
        return self.settled is Settled.REFUTED

    def __str__(self) -> str:
        point = "" if self.counterexample is None else f"it fails at {point_text(self.counterexample)}"
        return "; ".join(filter(None, (f"{self.settled.value}: {self.claim.conclusion}", point, self.why)))


def prove(
    conclusion: str,
    given: Sequence[str] = (),
    timeout: float = 10.0,
    progress: Callable[[str], None] = lambda _: None,
    functions: Mapping[str, int] = FUNCTIONS,
) -> Result:
    """Settle a claim such as ``prove("exp(x) >= 1 + x")`` or ``prove("log(x) <= x - 1", given=["x > 0"])``."""
    claim, start = read_claim(conclusion, given, functions), time.monotonic()

    def result(settled: Settled, **found: Any) -> Result:
        return Result(claim, settled, seconds=time.monotonic() - start, **found)

    why = "neither a proof nor a counterexample was found in time"
    for share, kind in IDENTITY_FIRST if claim.conclusion.sign == "==" else SCHEDULE:
        progress("looking for a counterexample" if kind == "refute" else "looking for a proof")
        until = start + share * timeout
        if kind == "prove":
            certificate = find_proof(list(given), conclusion, until)
            if certificate is not None:
                return result(Settled.PROVED, certificate=certificate)
            continue
        point = refute(claim, until)
        if point is not None:
            certificate = _refutation(conclusion, given, point)
            try:
                check(certificate)
            except Rejected as error:
                why = f"the checker rejected the counterexample {point_text(point)}: {error}"
            else:
                return result(Settled.REFUTED, counterexample=point, certificate=certificate)
    return result(Settled.UNDECIDED, why=why)


def read_claim(conclusion: str, given: Sequence[str], functions: Mapping[str, int] = FUNCTIONS) -> Claim:
    """The claim of a conclusion and assumptions, refused if the assumptions leave nothing to speak of."""
    concluded = read_comparisons(conclusion, functions)
    if len(concluded) != 1:
        raise InputError("the claim is a chain of relations; claim one relation at a time.")
    claim = Claim(tuple(one for text in given for one in read_comparisons(text, functions)), concluded[0])
    for name, where in ranges(claim).items():
        if where.certainly_empty():
            raise InputError(f"the assumptions leave no value for {name}, so that the claim is vacuous; correct them.")
    if any(not one.symbols() and one.at({}) is False for one in claim.given):
        raise InputError("an assumption is false, so that the claim is vacuous; correct it.")
    return claim


def _refutation(conclusion: str, given: Sequence[str], point: dict[str, Fraction]) -> dict[str, Any]:
    exact = {name: f"{value.numerator}/{value.denominator}" for name, value in point.items()}
    return {
        "format": "rdpacct-certificate",
        "version": 1,
        "claim": {"given": list(given), "conclusion": conclusion},
        "verdict": "refuted",
        "proof": {"rule": "refute", "point": exact},
    }


def point_text(point: dict[str, Fraction]) -> str:
    """A counterexample as a reader would write it."""
    return ", ".join(f"{name} = {decimal_text(value)}" for name, value in point.items()) or "no variables"
