"""Settling a claim: proved or refuted by a certificate that the small checker has accepted, or
undecided.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.ball import precision
from rdpacct.exact.functions import READABLE
from rdpacct.exact.number import decimal_text
from rdpacct.judged import Judged
from rdpacct.proof.check import Rejected, check
from rdpacct.proof.check.consistency import contradictory
from rdpacct.proof.check.effort import EFFORT, LOCK, UNITS_PER_SECOND, Vacuous
from rdpacct.proof.check.language import parse_relations
from rdpacct.proof.check.slots import fresh_slots
from rdpacct.proof.claim import Claim
from rdpacct.proof.domain import ranges
from rdpacct.proof.language import read_comparisons
from rdpacct.proof.refute import refute
from rdpacct.proof.search.claims import BROKEN, NET, find_proof

SCHEDULE = (
    (0.01, "refute"),
    (0.15, "prove"),
    (0.25, "refute"),
    (0.8, "prove"),
    (1.0, "refute"),
)
"""The shares of the work at which the two searches hand over to each other: most claims fall to the
first steps.
"""
IDENTITY_FIRST = ((0.01, "prove"), (0.02, "refute"), *SCHEDULE[1:])
"""The same for equations, most of which are seen at once."""


class Settled(Enum):
    """What is known of a claim."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class ProofResult(Judged):
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
        point = (
            ""
            if self.counterexample is None
            else f"it fails at {point_text(self.counterexample)}"
        )
        return "; ".join(
            filter(
                None,
                (f"{self.settled.value}: {self.claim.conclusion}", point, self.why),
            )
        )


def prove(
    conclusion: str,
    given: Sequence[str] = (),
    timeout: float = 10.0,
    progress: Callable[[str], None] = lambda _: None,
    functions: Mapping[str, int] = READABLE,
) -> ProofResult:
    """Settle a claim such as ``prove("exp(x) >= 1 + x")`` or ``prove("log(x) <= x - 1", given=["x >
    0"])``.

    The timeout is in seconds of work: a fixed number of steps, about what a processor does in that
    time. The same claim with the same timeout has the same verdict and the same certificate,
    whatever else the machine does.
    """
    # The precision of the backend belongs to the whole process: threads take turns.
    with LOCK, precision(64):
        return _Proving(conclusion, list(given), timeout, functions).settled(progress)


class _Proving:
    """One claim, the time since it was read, and the work that may still be done for it."""

    def __init__(
        self,
        conclusion: str,
        given: list[str],
        timeout: float,
        functions: Mapping[str, int],
    ) -> None:
        self.conclusion = conclusion
        self.given = given
        self.timeout = timeout
        self.start = time.thread_time()
        self.claim = read_inequality(conclusion, given, functions)
        self.begin = EFFORT.spent

    def settled(self, progress: Callable[[str], None]) -> ProofResult:
        """The verdict of the two searches, which hand over to each other."""
        why = (
            "neither a proof nor a counterexample was found within the limit of "
            f"{self.timeout:g} seconds of work; --timeout sets another limit"
        )
        for share, kind in (
            IDENTITY_FIRST if self.claim.conclusion.sign == "==" else SCHEDULE
        ):
            progress(
                "looking for a counterexample"
                if kind == "refute"
                else "looking for a proof"
            )
            seconds = (
                share * self.timeout - (EFFORT.spent - self.begin) / UNITS_PER_SECOND
            )
            if seconds <= 0 or self._processor_time() > NET * self.timeout + 1:
                continue
            result = (
                self._proved(seconds) if kind == "prove" else self._refuted(seconds)
            )
            if isinstance(result, ProofResult):
                return result
            why = result or why
        return self._result(Settled.UNDECIDED, why=why)

    def _proved(self, seconds: float) -> ProofResult | str:
        """A proof; an empty text if there is none."""
        try:
            certificate = find_proof(self.given, self.conclusion, seconds)
        except Vacuous as error:
            raise InputError(
                f"the claim speaks of no point: {str(error).rstrip('.')}; correct it."
            ) from None
        if certificate:
            return self._result(Settled.PROVED, certificate=certificate)
        return ""

    def _refuted(self, seconds: float) -> ProofResult | str:
        """A refutation; otherwise a reason why a counterexample was rejected, if there was one."""
        try:
            point = refute(self.claim, seconds)
        except BROKEN:
            return ""
        if point is None:
            return ""
        try:
            certificate = _refutation(self.conclusion, self.given, point)
        except ValueError:  # more digits than Python writes
            return "a counterexample has numbers that are too long to be written down"
        try:
            check(certificate)
        except Rejected as error:
            return (
                f"the checker rejected the counterexample {point_text(point)}: {error}"
            )
        return self._result(
            Settled.REFUTED, counterexample=point, certificate=certificate
        )

    def _processor_time(self) -> float:
        return time.thread_time() - self.start

    def _result(self, settled: Settled, **fields: Any) -> ProofResult:
        return ProofResult(
            self.claim, settled, seconds=self._processor_time(), **fields
        )


def read_inequality(
    conclusion: str, given: Sequence[str], functions: Mapping[str, int] = READABLE
) -> Claim:
    """The claim of a conclusion and assumptions, refused if the assumptions leave nothing to speak
    of.
    """
    concluded = read_comparisons(conclusion, functions)
    if len(concluded) != 1:
        raise InputError(
            "the claim is a chain of relations; claim one relation at a time."
        )
    claim = Claim(
        tuple(
            assumption
            for text in given
            for assumption in read_comparisons(text, functions)
        ),
        concluded[0],
    )
    for name, where in ranges(claim).items():
        if where.certainly_empty():
            raise InputError(
                f"the assumptions leave no value for {name}, so that the claim is"
                " vacuous; correct them."
            )
    if any(
        not assumption.symbols() and assumption.at({}) is False
        for assumption in claim.given
    ):
        raise InputError(
            "an assumption is false, so that the claim is vacuous; correct it."
        )
    if _contradictory(given):
        raise InputError(
            "the assumptions contradict each other, so that the claim is vacuous;"
            " correct them."
        )
    return claim


def _contradictory(given: Sequence[str]) -> bool:
    """What the checker would refuse, before anything is searched for."""
    try:
        with LOCK, fresh_slots(), EFFORT.allowed(UNITS_PER_SECOND, NET):
            return contradictory(
                [relation for text in given for relation in parse_relations(text)]
            )
    except BROKEN:
        return False


def _refutation(
    conclusion: str, given: Sequence[str], point: dict[str, Fraction]
) -> dict[str, Any]:
    exact = {
        name: f"{value.numerator}/{value.denominator}" for name, value in point.items()
    }
    return {
        "format": "rdpacct-certificate",
        "version": 1,
        "claim": {"given": list(given), "conclusion": conclusion},
        "verdict": "refuted",
        "proof": {"rule": "refute", "point": exact},
    }


def point_text(point: dict[str, Fraction]) -> str:
    """A counterexample as a reader would write it."""
    return (
        ", ".join(f"{name} = {decimal_text(value)}" for name, value in point.items())
        or "no variables"
    )
