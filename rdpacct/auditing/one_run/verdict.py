"""The verdict of an audit from one run."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from rdpacct.auditing.one_run.older import SOURCE
from rdpacct.auditing.one_run.tested import TestedRun
from rdpacct.auditing.running.claimed import OF_ONE_POINT
from rdpacct.auditing.verdict import Audited, Outcome
from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound, decimal_up
from rdpacct.exact.number import decimal_text
from rdpacct.mechanisms import Plan
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.privacy.relation import Relation


@dataclass(frozen=True, slots=True, repr=False)
class OneRunVerdict(Audited):
    """FAILS if the number of right guesses has at most the probability 1 - ``confidence`` under the
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
    delta: Fraction
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
        """At most the probability that a true claim is refuted."""
        return 1 - self.confidence

    def lines(self) -> list[str]:
        """What was tested, both bounds, what follows for epsilon, and the power."""
        tested = self.witness
        delta = decimal_text(self.delta)
        confidence = decimal_text(self.confidence)
        shared = f"; the best of {self.tests} tests that share the error"
        return [
            f"tested: {tested.run} ({tested.run.how}{shared if self.tests > 1 else ''})",
            f"under the claim so many have probability at most {tested.chance.short()}"
            f" ({self._where()})",
            f"by the older bound at most {tested.older.short()} ({SOURCE})",
            f"epsilon >= {self.epsilon.short()} at delta = {delta}, with confidence"
            f" {confidence}",
            self._power_line(),
            self._relation_line(),
            f"because {self._reason()}",
        ]

    def _where(self) -> str:
        """The theorem, and the half planes where the claim has several."""
        tested = self.witness
        if tested.ladder is not None:
            return f"{tested.theorem}, by {len(tested.ladder.steps)} half planes"
        if tested.level.kind in OF_ONE_POINT:
            return tested.theorem
        plane = tested.level.plane
        epsilon = decimal_text(plane.epsilon)
        delta = decimal_up(plane.slack, 6)
        return f"{tested.theorem}, where delta is {delta} at epsilon {epsilon}"

    def _relation_line(self) -> str:
        if self.relation is Relation.REPLACE_ONE:
            return "relation replace_one: each coin must have chosen one of two records"
        return f"relation {self.relation.value}"

    def _power_line(self) -> str:
        if self.power is None:
            return "power: no number of right guesses would have refuted the claim"
        return (
            f"power: randomized response with epsilon {self.power.short()} would have"
            f" been refuted with probability 0.9 ({self.power.how})"
        )

    def _reason(self) -> str:
        if self.fails:
            error = decimal_text(self.error)
            return f"a true claim is refuted with probability at most {error}"
        return "one run can refute a claim, and never show that it holds"

    def certificate(self) -> dict[str, Any]:
        """The refutation as data, for ``rdpacct check``; the checker has accepted it."""
        from rdpacct.auditing.one_run.certificate import one_run_certificate

        if not self.fails:
            raise InputError(
                "the claim is not refuted, and a run certifies nothing else; ask for a"
                " certificate only if the verdict fails."
            )
        return one_run_certificate(self)

    def as_json(self) -> dict[str, Any]:
        """The verdict as a dictionary of JSON values."""
        from rdpacct.auditing.one_run.certificate import one_run_json

        return one_run_json(self)
