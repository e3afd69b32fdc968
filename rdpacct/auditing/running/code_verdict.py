"""The verdict on running code: refuted, or consistent with the claim, with all that was counted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rdpacct.auditing.running.bets import INPUTS
from rdpacct.auditing.verdict import Audited, Outcome
from rdpacct.errors import InputError
from rdpacct.exact.binomial import outer_limits
from rdpacct.exact.bound import Bound, decimal_up
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.proof.audit.half_plane import HalfPlane


@dataclass(frozen=True, slots=True)
class ObservedEvent:
    """A tested event with its counts, and limits that hold for all tested events at once."""

    event: str
    likely_on: str
    """The input on which the claim makes the event too unlikely: x or x_neighbor."""
    trials: int
    likely_hits: int
    rare_hits: int
    plane: HalfPlane
    """The line of the claim that the event is tested against."""
    share: Fraction
    """The error of each limit."""

    @property
    def p(self) -> Bound:
        """Limits for the probability on the input on which the event is likely."""
        return _limits(self.likely_hits, self.trials, self.share)

    @property
    def q(self) -> Bound:
        """Limits for the probability on the other input."""
        return _limits(self.rare_hits, self.trials, self.share)

    def __str__(self) -> str:
        rare_on = INPUTS[1 - INPUTS.index(self.likely_on)]
        return (
            f"{self.event}: {self.likely_hits} of {self.trials} trials on"
            f" {self.likely_on}, {self.rare_hits} on {rare_on}"
        )

    __repr__ = __str__


@lru_cache(maxsize=1000)
def _limits(hits: int, trials: int, share: Fraction) -> Bound:
    lower, upper = outer_limits(hits, trials, share)
    return Bound(
        lower, upper, f"{hits} of {trials} trials (statistics/clopper-pearson)"
    )


@dataclass(frozen=True, slots=True, repr=False)
class CodeVerdict(Audited):
    """FAILS if the outputs refute the claim, which happens to a true one with probability at most
    1 - confidence; else UNDECIDED, since samples never show that a claim holds.
    """

    claim: Guarantee | Plan  # type: ignore[assignment]
    outcome: Outcome
    confidence: Fraction
    trials: int
    """The trials that were run: outputs on each of the two inputs."""
    method: str
    events: tuple[ObservedEvent, ...]
    """The tested events, the most telling first."""
    wealth: Bound | None = None
    """What a wealth of 1 has become; None for limits of a fixed number of trials."""
    power: Bound | None = None
    """An epsilon, at the delta of the tested line, that the audit would have refuted with
    probability at least 0.9.
    """
    interrupted: str = ""
    """Why the audit ended early, if it did."""
    evidence: Mapping[str, Any] = field(default_factory=dict, hash=False, compare=False)
    """What a certificate is made of."""

    @property
    def witness(self) -> ObservedEvent:
        """The event that refutes the claim, or else the most telling one."""
        return self.events[0]

    @property
    def error(self) -> Fraction:
        """The largest probability with which a true claim is refuted."""
        return 1 - self.confidence

    def lines(self) -> list[str]:
        """The event, what it shows, and how sure that is."""
        lines = [f"tested: {self.witness}"] if self.events else []
        if self.interrupted:
            lines.append(f"ended early: {self.interrupted}")
        if self.fails:
            error = decimal_up(self.error, 3)
            return [
                *lines,
                f"refuted after {self.trials} trials: a true claim is refuted with"
                f" probability at most {error}",
            ]
        lines.append(
            f"consistent with {self.trials} trials, which never show that a claim holds"
        )
        if self.power is not None:
            lines.append(f"power: {self.power.how}")
        return lines

    def certificate(self) -> dict[str, Any]:
        """The refutation as data, for ``rdpacct check``; the checker has accepted it."""
        from rdpacct.auditing.running.certificate import refutation_certificate

        if not self.fails:
            raise InputError(
                "the claim is not refuted, and samples certify nothing else; ask for a"
                " certificate only if the verdict fails."
            )
        return refutation_certificate(self.confidence, self.trials, self.evidence)

    def as_json(self) -> dict[str, Any]:
        """The verdict as a dictionary of JSON values."""
        from rdpacct.auditing.running.as_json import verdict_json

        return verdict_json(self)
