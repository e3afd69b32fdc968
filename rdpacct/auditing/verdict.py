"""The result of an audit: a verdict that never rounds in favor of the claim, the tight values, and
a witness if there is one.
"""

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NoReturn

from rdpacct.exact.bound import Bound
from rdpacct.judged import Judged, no_truth_value
from rdpacct.notebook import line, paragraph
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


@dataclass(frozen=True, slots=True, repr=False)
class EventWitness:
    """An event that breaks a claim, with its probabilities on the two neighbors."""

    event: str
    p: Bound
    q: Bound

    def __str__(self) -> str:
        likely = _limited("at least", self.p.safe_below())
        rare = _limited("at most", self.q)
        return f"{self.event}: probability {likely} on D and {rare} on D'"

    __repr__ = __str__


class HasOutcome(Judged):
    """A verdict that has an outcome, a title and some lines below it."""

    __slots__ = ()
    outcome: Outcome

    @property
    def holds(self) -> bool:
        return self.outcome is Outcome.HOLDS

    @property
    def fails(self) -> bool:
        return self.outcome is Outcome.FAILS

    @abstractmethod
    def title(self) -> str:
        """What the outcome is about."""

    @abstractmethod
    def lines(self) -> list[str]:
        """What is said below the outcome, as lines of a text."""

    def __str__(self) -> str:
        return "\n  ".join([f"{self.outcome.value}: {self.title()}", *self.lines()])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        below = "".join(map(line, self.lines()))
        return paragraph(f"{self.outcome.value}:", self.title()) + below


class Audited(HasOutcome):
    """A verdict on a claimed guarantee."""

    __slots__ = ()
    claim: Guarantee

    def title(self) -> str:
        """The claim."""
        return str(self.claim)


@dataclass(frozen=True, slots=True, repr=False)
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

    def lines(self) -> list[str]:
        """The tight parameters, the witness and the reason."""
        lines = [tight_line(name, bound) for name, bound in self.tight.items()]
        lines += [f"witness: {self.witness}"] if self.witness else []
        lines += [f"because {self.why}"] if self.why else []
        return lines


def _limited(words: str, bound: Bound) -> str:
    """A probability that is known exactly, or its safe end."""
    return str(bound) if bound.is_exact else f"{words} {bound.short()}"


def tight_line(name: str, bound: Bound) -> str:
    """A tight parameter: the number to quote first, then the enclosure."""
    if name.endswith("at least"):
        return f"tight {name} {bound.safe_below().short()}"
    return ", ".join(line.strip() for line in bound.lines(f"tight {name}"))


def compare(values: list[tuple[Bound, Bound]]) -> Outcome:
    """Compare true values with their limits: fails if one is certainly above its limit, holds if
    all are certainly at most theirs, else undecided.
    """
    if any(value.certainly_above(limit) for value, limit in values):
        return Outcome.FAILS
    if all(value.certainly_at_most(limit) for value, limit in values):
        return Outcome.HOLDS
    return Outcome.UNDECIDED
