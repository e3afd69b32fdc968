"""The certificate of a refutation: the claim, the bets that made it, and their counts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.auditing.running.bets import INPUTS, Bet, Tally, wealth
from rdpacct.auditing.running.claimed import Claimed
from rdpacct.auditing.running.code_power import (
    PowerAnswer,
    power_of_bets,
    power_of_limits,
)
from rdpacct.auditing.running.code_verdict import ObservedEvent
from rdpacct.auditing.running.output_events import OutputEvent
from rdpacct.budget import budgets_within
from rdpacct.exact.bound import Bound
from rdpacct.exact.cached import lazy_property
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.proof.audit.certificate import FORMAT, check_refutation, digest
from rdpacct.proof.audit.half_plane import HalfPlane, Tangent
from rdpacct.proof.audit.plan_claim import MAX_BUDGETS

Certificate = dict[str, Any]


@dataclass(frozen=True)
class Audit:
    """What every certificate of an audit says: the claim, the confidence and the seed."""

    claim: Claimed
    confidence: Fraction
    seed: int

    def certificate(
        self, trials: int, method: str, evidence: Any, planes: list[HalfPlane]
    ) -> Certificate:
        """A certificate that the checker has accepted, with the half planes of its evidence."""
        certificate: Certificate = {
            "format": FORMAT,
            "version": 1,
            "claim": stated_claim(self.claim, planes),
            "confidence": str(self.confidence),
            "trials": trials,
            "seed": self.seed,
            "method": method,
            "evidence": evidence,
        }
        certificate["digest"] = digest(certificate)
        check_refutation(certificate)
        return certificate


@dataclass(frozen=True)
class BetEvidence:
    """The bets of a sequential audit with their counts, the most telling first."""

    audit: Audit
    bets: list[tuple[Bet, Tally]]

    def power(self) -> Bound | None:
        """The least violation that one of the bets would have turned into enough wealth."""
        answer = self.power_answer()
        return None if answer is None else answer.said()

    def power_answer(self) -> PowerAnswer | None:
        """The same, with the event of which it is a violation."""
        return self._power_answer

    @lazy_property
    def _power_answer(self) -> PowerAnswer | None:
        return power_of_bets(self.bets, 1 - self.audit.confidence)

    def certificate(self, trials: int) -> Certificate:
        """The bets that are enough, and their counts."""
        chosen = _enough(self.bets, 1 - self.audit.confidence)
        names = _names([bet.tested.event for bet, _ in chosen])
        bets = [_bet(bet, tally, names[bet.tested.event]) for bet, tally in chosen]
        planes = [bet.plane for bet, _ in chosen]
        return self.audit.certificate(trials, "sequential", bets, planes)


@dataclass(frozen=True)
class LimitEvidence:
    """The events of an audit with a fixed number of trials, the most telling first, and how many
    limits share the error.
    """

    audit: Audit
    seen: list[ObservedEvent]
    sharing: int

    def power(self) -> Bound | None:
        """The least violation that the limits of an event would have contradicted."""
        answer = self.power_answer()
        return None if answer is None else answer.said()

    def power_answer(self) -> PowerAnswer | None:
        """The same, with the event of which it is a violation."""
        return self._power_answer

    @lazy_property
    def _power_answer(self) -> PowerAnswer | None:
        return power_of_limits(self.seen)

    def certificate(self, trials: int) -> Certificate:
        """The first event and its limits."""
        first = self.seen[0]
        limits = _limits(first, self.sharing)
        return self.audit.certificate(trials, "fixed", limits, [first.plane])


def stated_claim(claim: Claimed, planes: list[HalfPlane]) -> dict[str, Any]:
    """The claim of a certificate; for a plan with certificates of its budget, where there are
    such for all half planes.
    """
    stated = {"kind": claim.kind, "parameters": dict(claim.parameters)}
    if not isinstance(claim.stated, Plan):
        return stated
    distinct = list(dict.fromkeys(planes))
    if len(distinct) > MAX_BUDGETS:
        return _only_points_of(stated, distinct)
    points = [(plane.epsilon, plane.slack) for plane in distinct]
    budgets = budgets_within(claim.stated, points)
    if budgets is None:
        return _only_points_of(stated, distinct)
    return {"kind": "CertifiedPlan", "parameters": {"budgets": budgets}}


def _only_points_of(stated: dict[str, Any], planes: list[HalfPlane]) -> dict[str, Any]:
    """A stated profile with the points that half planes use, so that a reader sees these."""
    used = {plane.epsilon for plane in planes}
    parameters = stated["parameters"]
    points = [
        point for point in parameters["points"] if Fraction(point["epsilon"]) in used
    ]
    return {**stated, "parameters": {**parameters, "points": points}}


def _enough(
    ordered: list[tuple[Bet, Tally]], error: Fraction
) -> list[tuple[Bet, Tally]]:
    """The fewest bets, the largest first, whose stakes together are enough."""
    chosen: list[tuple[Bet, Tally]] = []
    for each in ordered:
        chosen.append(each)
        if (wealth(chosen) - 1 / error).certainly_positive():
            break
    return chosen


def _names(events: Iterable[OutputEvent]) -> dict[OutputEvent, str]:
    """A description of each event; long ones are shortened, and those that read alike are
    numbered.
    """
    names: dict[OutputEvent, str] = {}
    used = Counter[str]()
    for event in dict.fromkeys(events):
        name = one_printable_line(str(event))
        used[name] += 1
        names[event] = name if used[name] == 1 else f"{name} (set {used[name]})"
    return names


def one_printable_line(text: str) -> str:
    """A text with what cannot be printed written as it is in Python."""
    return text if text.isprintable() else ascii(text)[1:-1]


def _bet(bet: Bet, tally: Tally, name: str) -> dict[str, Any]:
    side = bet.tested.likely_on
    return {
        "event": name,
        "likely_on": INPUTS[side],
        "half_plane": half_plane_data(bet.plane),
        "trials": tally.trials,
        "likely_hits": tally.hits[side],
        "rare_hits": tally.hits[1 - side],
        "weight": str(bet.weight),
        "likely": [str(factor) for factor in bet.wager.likely],
        "rare": [str(factor) for factor in bet.wager.rare],
    }


def _limits(seen: ObservedEvent, sharing: int) -> dict[str, Any]:
    return {
        "event": one_printable_line(seen.event),
        "likely_on": seen.likely_on,
        "half_plane": half_plane_data(seen.plane),
        "trials": seen.trials,
        "likely_hits": seen.likely_hits,
        "rare_hits": seen.rare_hits,
        "at_least": str(Fraction(seen.p.lower)),
        "at_most": str(Fraction(seen.q.upper)),
        "sharing": sharing,
    }


def _tangent(tangent: Tangent) -> dict[str, str]:
    return {
        "order": str(tangent.order),
        "inside": str(tangent.inside),
        "outside": str(tangent.outside),
    }


def half_plane_data(plane: HalfPlane) -> dict[str, Any]:
    """A half plane as a certificate has it."""
    return {
        "epsilon": str(plane.epsilon),
        "growth": str(plane.growth),
        "slack": str(plane.slack),
        "tangent": None if plane.tangent is None else _tangent(plane.tangent),
    }
