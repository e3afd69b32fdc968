"""What an audit says: a verdict that never rounds up, the tight values, and a witness where there is one."""

from dataclasses import dataclass, field
from enum import Enum

from rdpacct.exact.bound import Bound
from rdpacct.privacy.guarantee import Guarantee


class Outcome(Enum):
    """Whether a claim holds; undecided is not a pass."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Witness:
    """An event that breaks a claim, with its probabilities on the two neighbors."""

    event: str
    p: Bound
    q: Bound

    def __str__(self) -> str:
        return f"{self.event}: probability {self.p} on D, {self.q} on D'"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of an audit, and the smallest parameters for which the claim would hold."""

    claim: Guarantee
    outcome: Outcome
    tight: dict[str, Bound] = field(default_factory=dict, hash=False)
    witness: Witness | None = None
    why: str = ""


def compare(values: list[tuple[Bound, Bound]]) -> Outcome:
    """Whether each true value is at most its limit: fails if one certainly is not, holds if all certainly are."""
    if any(value.certainly_above(limit) for value, limit in values):
        return Outcome.FAILS
    if all(value.certainly_at_most(limit) for value, limit in values):
        return Outcome.HOLDS
    return Outcome.UNDECIDED
