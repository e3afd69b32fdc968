"""The verdict on running code: refuted, or consistent with the claim, with all that was counted."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from rdpacct.auditing.running.bets import INPUTS
from rdpacct.auditing.running.claimed import Claimed
from rdpacct.auditing.verdict import Audited, Outcome
from rdpacct.errors import InputError
from rdpacct.exact.binomial import outer_lower_limit, outer_upper_limit
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


def _limits(hits: int, trials: int, share: Fraction) -> Bound:
    return Bound(
        outer_lower_limit(hits, trials, share),
        outer_upper_limit(hits, trials, share),
        f"{hits} of {trials} trials (statistics/clopper-pearson)",
    )


class Evidence(Protocol):
    """What an audit has counted, with the claim, the confidence and the seed."""

    def power(self) -> Bound | None:
        """The least violation that would have been refuted with probability 0.9."""

    def certificate(self, trials: int) -> dict[str, Any]:
        """The certificate of a refutation, which the checker has accepted."""


@dataclass(frozen=True, slots=True, repr=False)
class CodeVerdict(Audited):
    """FAILS if the outputs refute the claim, which happens to a true one with probability at most
    1 - confidence; else UNDECIDED, since samples never show that a claim holds.
    """

    tested_claim: Claimed
    """The claim as a certificate states it, with the lines that events were tested against."""
    outcome: Outcome
    confidence: Fraction
    trials: int
    """The trials that were run: outputs on each of the two inputs."""
    method: str
    events: tuple[ObservedEvent, ...]
    """The tested events, the most telling first."""
    wealth: Bound | None = None
    """What a wealth of 1 has become; None for limits of a fixed number of trials."""
    interrupted: str = ""
    """Why the audit ended early, if it did."""
    evidence: Evidence | None = field(default=None, hash=False, compare=False)
    """What a certificate and the power are worked out from."""

    @property
    def claim(self) -> Guarantee | Plan:  # type: ignore[override]
        """The guarantee or the plan that is claimed."""
        return self.tested_claim.stated

    @property
    def power(self) -> Bound | None:
        """An epsilon that the audit would have refuted with probability at least 0.9, at the delta
        of the line that was tested; its ``how`` is the sentence. None if the claim is refuted, or
        no violation of the tested events is large enough.
        """
        if self.fails or self.evidence is None:
            return None
        return self.evidence.power()

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
        power = self.power
        if power is not None:
            lines.append(f"power: {power.how}")
        return lines

    def certificate(self) -> dict[str, Any]:
        """The refutation as data, for ``rdpacct check``; the checker has accepted it."""
        if not self.fails or self.evidence is None:
            raise InputError(
                "the claim is not refuted, and samples certify nothing else; ask for a"
                " certificate only if the verdict fails."
            )
        return self.evidence.certificate(self.trials)

    def as_json(self) -> dict[str, Any]:
        """The verdict as a dictionary of JSON values."""
        from rdpacct.auditing.running.as_json import verdict_json

        return verdict_json(self)
