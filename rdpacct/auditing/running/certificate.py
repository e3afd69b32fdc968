"""The certificate of a refutation: the claim, the bets that made it, and their counts."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rdpacct.auditing.running.bets import INPUTS, Bet, Tally, wealth
from rdpacct.auditing.running.code_verdict import ObservedEvent
from rdpacct.auditing.running.session import Session
from rdpacct.proof.audit.certificate import FORMAT, check_refutation, digest
from rdpacct.proof.audit.half_plane import HalfPlane

Certificate = dict[str, Any]


def refutation_certificate(
    confidence: Fraction, trials: int, evidence: Mapping[str, Any]
) -> Certificate:
    """A certificate that the checker has accepted."""
    session: Session = evidence["session"]
    certificate: Certificate = {
        "format": FORMAT,
        "version": 1,
        "claim": {
            "kind": session.claim.kind,
            "parameters": dict(session.claim.parameters),
        },
        "confidence": str(confidence),
        "trials": trials,
        "seed": session.runner.seed,
    }
    if "bets" in evidence:
        certificate["method"] = "sequential"
        certificate["evidence"] = _bets(evidence["bets"], 1 - confidence)
    else:
        [seen] = evidence["limits"]
        certificate["method"] = "fixed"
        certificate["evidence"] = _limits(seen, evidence["sharing"])
    certificate["digest"] = digest(certificate)
    check_refutation(certificate)
    return certificate


def _bets(ordered: list[tuple[Bet, Tally]], error: Fraction) -> list[dict[str, Any]]:
    """The fewest bets, the largest first, whose stakes together are enough."""
    chosen: list[tuple[Bet, Tally]] = []
    for each in ordered:
        chosen.append(each)
        if (wealth(chosen) - 1 / error).certainly_positive():
            break
    return [_bet(bet, tally) for bet, tally in chosen]


def _bet(bet: Bet, tally: Tally) -> dict[str, Any]:
    side = bet.tested.likely_on
    return {
        "event": str(bet.tested.event),
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
        "event": seen.event,
        "likely_on": seen.likely_on,
        "half_plane": half_plane_data(seen.plane),
        "trials": seen.trials,
        "likely_hits": seen.likely_hits,
        "rare_hits": seen.rare_hits,
        "at_least": str(Fraction(seen.p.lower)),
        "at_most": str(Fraction(seen.q.upper)),
        "sharing": sharing,
    }


def half_plane_data(plane: HalfPlane) -> dict[str, Any]:
    """A half plane as a certificate has it."""
    return {
        "epsilon": str(plane.epsilon),
        "growth": str(plane.growth),
        "slack": str(plane.slack),
        "order": None if plane.order is None else str(plane.order),
    }
