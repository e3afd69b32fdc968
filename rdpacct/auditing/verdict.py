"""The result of an audit: a verdict that never rounds in favor of the claim, the tight values, and
a witness if there is one.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NoReturn

from rdpacct.exact.bound import Bound
from rdpacct.judged import Judged, no_truth_value
from rdpacct.privacy.guarantee import Guarantee


class Outcome(StrEnum):
    """Whether a claim holds; undecided is not a pass.

    Each is equal to its text, as in ``outcome == "fails"``.
    """

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"

    def __bool__(self) -> NoReturn:
        raise no_truth_value(self)


@dataclass(frozen=True, slots=True)
class EventWitness:
    """An event that breaks a claim, with its probabilities on the two neighbors."""

    event: str
    p: Bound
    q: Bound

    def __str__(self) -> str:
        return f"{self.event}: probability {self.p} on D, {self.q} on D'"


class Audited(Judged):
    """A verdict that has an outcome."""

    __slots__ = ()
    outcome: Outcome

    @property
    def holds(self) -> bool:
        return self.outcome is Outcome.HOLDS

    @property
    def fails(self) -> bool:
        return self.outcome is Outcome.FAILS


@dataclass(frozen=True, slots=True)
class Verdict(Audited):
    """The outcome of an audit, and the smallest parameters for which the claim would hold."""

    claim: Guarantee
    outcome: Outcome
    tight: dict[str, Bound] = field(default_factory=dict, hash=False)
    witness: EventWitness | None = None
    why: str = ""
    rests_on: frozenset[str] = field(default=frozenset(), compare=False)
    """The theorems that took part in the outcome."""

    def resting_on(self, theorems: frozenset[str]) -> "Verdict":
        """The same verdict, which rests on these theorems."""
        return replace(self, rests_on=theorems)

    def __str__(self) -> str:
        lines = [f"{self.outcome.value}: {self.claim}"]
        lines += [f"tight {name} = {bound}" for name, bound in self.tight.items()]
        lines += [f"witness: {self.witness}"] if self.witness else []
        lines += [f"because {self.why}"] if self.why else []
        return "\n  ".join(lines)


def compare(values: list[tuple[Bound, Bound]]) -> Outcome:
    """Compare true values with their limits: fails if one is certainly above its limit, holds if
    all are certainly at most theirs, else undecided.
    """
    if any(value.certainly_above(limit) for value, limit in values):
        return Outcome.FAILS
    if all(value.certainly_at_most(limit) for value, limit in values):
        return Outcome.HOLDS
    return Outcome.UNDECIDED
