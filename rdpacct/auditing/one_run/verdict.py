"""The verdict of an audit from one run."""

from dataclasses import dataclass, field, replace
from fractions import Fraction

from rdpacct.auditing.one_run.guesses import CanaryGuesses
from rdpacct.auditing.one_run.older import SOURCE
from rdpacct.auditing.one_run.tail import Level
from rdpacct.auditing.verdict import Audited, Outcome
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import decimal_text
from rdpacct.mechanisms import Plan
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.privacy.relation import Relation

THEOREM = "statistics/one-run"


@dataclass(frozen=True, slots=True)
class TestedRun:
    """A run against one level of a claim."""

    run: CanaryGuesses
    level: Level
    chance: Bound
    """The probability at most of so many right guesses, if the claim is true."""
    older: Bound
    """The same by the older bound, for comparison."""


@dataclass(frozen=True, slots=True, repr=False)
class OneRunVerdict(Audited):
    """FAILS if so many right guesses have at most the probability 1 - ``confidence`` under the
    claim; else UNDECIDED, since no run shows that a claim holds.
    """

    claim: Guarantee | Plan  # type: ignore[assignment]
    outcome: Outcome
    confidence: Fraction
    witness: TestedRun
    """The run that refutes the claim, or comes nearest to it."""
    tests: int
    """How many numbers of guesses were tested; they share the error."""
    epsilon: Bound
    """The largest epsilon that is refuted at ``delta``: with this confidence, the training has no
    smaller one.
    """
    delta: Expr
    power: Bound | None
    """The least epsilon that such a run would have refuted with probability 0.9, if every guess is
    right as often as with randomized response; None if no number of right guesses refutes.
    """
    relation: Relation
    rests_on: frozenset[str] = field(default=frozenset(), compare=False)

    def resting_on(self, theorems: frozenset[str]) -> "OneRunVerdict":
        """The same verdict, which rests on these theorems."""
        return replace(self, rests_on=theorems)

    @property
    def error(self) -> Fraction:
        """The probability at most that a true claim is refuted."""
        return 1 - self.confidence

    def lines(self) -> list[str]:
        """What was tested, both bounds, what follows for epsilon, and the power."""
        tested = self.witness
        lines = [
            f"tested: {tested.run} ({tested.run.how})",
            f"under the claim this has probability at most {tested.chance.short()}"
            f" ({THEOREM}, at {tested.level})",
            f"by the older bound at most {tested.older.short()} ({SOURCE})",
            f"epsilon >= {self.epsilon.short()} at delta = {self.delta}, with confidence"
            f" {decimal_text(self.confidence)}",
            self._power_line(),
        ]
        if self.tests > 1:
            lines.insert(1, f"the best of {self.tests} tests, which share the error")
        return [*lines, f"relation {self.relation.value}", f"because {self._reason()}"]

    def _power_line(self) -> str:
        if self.power is None:
            return "no number of right guesses would have refuted the claim"
        return (
            f"power: randomized response with epsilon {self.power.short()} would have"
            f" been refuted with probability 0.9 ({self.power.how})"
        )

    def _reason(self) -> str:
        if self.fails:
            error = decimal_text(self.error)
            return f"a true claim is refuted with probability at most {error}"
        return "one run can refute a claim, and never show that it holds"
