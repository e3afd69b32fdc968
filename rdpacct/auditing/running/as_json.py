"""A verdict on running code as JSON: the outcome, the observed events, and the power."""

from typing import TYPE_CHECKING, Any

from rdpacct.exact.bound import Bound, decimal_down, decimal_up
from rdpacct.exact.number import decimal_text

if TYPE_CHECKING:
    from rdpacct.auditing.running.code_verdict import CodeVerdict, ObservedEvent


def verdict_json(verdict: "CodeVerdict") -> dict[str, Any]:
    """The verdict; numbers that are not whole are decimals in text, rounded outwards."""
    return {
        "verdict": verdict.outcome.value,
        "claim": str(verdict.claim),
        "confidence": decimal_text(verdict.confidence),
        "method": verdict.method,
        "trials": verdict.trials,
        "interrupted": verdict.interrupted,
        "wealth": _ends(verdict.wealth),
        "power": _ends(verdict.power),
        "events": [_event(event) for event in verdict.events],
    }


def _event(seen: "ObservedEvent") -> dict[str, Any]:
    return {
        "event": seen.event,
        "likely_on": seen.likely_on,
        "trials": seen.trials,
        "likely_hits": seen.likely_hits,
        "rare_hits": seen.rare_hits,
        "p": _ends(seen.p),
        "q": _ends(seen.q),
        "epsilon": decimal_text(seen.plane.epsilon),
        "delta": decimal_text(seen.plane.slack),
    }


def _ends(bound: Bound | None) -> dict[str, str] | None:
    if bound is None:
        return None
    return {"lower": decimal_down(bound.lower), "upper": decimal_up(bound.upper)}
