"""The certificate of a refutation from one run, and the verdict as JSON."""

from typing import TYPE_CHECKING, Any

from rdpacct.auditing.running.certificate import half_plane_data
from rdpacct.exact.bound import Bound, decimal_down, decimal_up
from rdpacct.exact.number import decimal_text
from rdpacct.proof.audit.certificate import FORMAT, check_refutation, digest
from rdpacct.proof.audit.one_run_levels import LadderStep

if TYPE_CHECKING:
    from rdpacct.auditing.one_run.verdict import OneRunVerdict


def one_run_certificate(verdict: "OneRunVerdict") -> dict[str, Any]:
    """A certificate that the checker has accepted."""
    tested = verdict.witness
    evidence: dict[str, Any] = {
        "canaries": tested.run.canaries,
        "guesses": tested.run.guesses,
        "correct": tested.run.correct,
        "sides": str(tested.run.sides),
        "sharing": verdict.tests,
    }
    if tested.ladder is None:
        method = "one_run"
        evidence["half_plane"] = half_plane_data(tested.level.plane)
    else:
        method = "one_run_levels"
        evidence["start"] = str(tested.ladder.start)
        evidence["steps"] = [_step(step) for step in tested.ladder.steps]
    certificate: dict[str, Any] = {
        "format": FORMAT,
        "version": 1,
        "claim": {
            "kind": tested.level.kind,
            "parameters": dict(tested.level.parameters),
        },
        "confidence": str(verdict.confidence),
        "trials": 1,
        "seed": 0,
        "method": method,
        "evidence": evidence,
    }
    certificate["digest"] = digest(certificate)
    check_refutation(certificate)
    return certificate


def _step(step: LadderStep) -> dict[str, Any]:
    return {
        "half_plane": half_plane_data(step.half_plane),
        "weight": str(step.weight),
    }


def one_run_json(verdict: "OneRunVerdict") -> dict[str, Any]:
    """The verdict; numbers that are not whole are decimals in text, rounded outwards."""
    tested = verdict.witness
    return {
        "verdict": verdict.outcome.value,
        "claim": str(verdict.claim),
        "confidence": decimal_text(verdict.confidence),
        "canaries": tested.run.canaries,
        "guesses": tested.run.guesses,
        "correct": tested.run.correct,
        "sides": str(tested.run.sides),
        "chosen": tested.run.how,
        "tests": verdict.tests,
        "chance": _ends(tested.chance),
        "older_bound": _ends(tested.older),
        "epsilon": _ends(verdict.epsilon),
        "delta": decimal_text(verdict.delta),
        "power": _ends(verdict.power),
        "relation": verdict.relation.value,
        "rests_on": sorted(verdict.rests_on),
    }


def _ends(bound: Bound | None) -> dict[str, str] | None:
    if bound is None:
        return None
    return {"lower": decimal_down(bound.lower), "upper": decimal_up(bound.upper)}
