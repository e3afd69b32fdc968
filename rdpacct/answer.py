"""The answers of the command line: an exit code, an object for programs, and a text for readers."""

import re
from fractions import Fraction

from rdpacct.accounting import method_rules, profile, rests_on
from rdpacct.auditing import Outcome, Verdict, audit
from rdpacct.calibration import calibrate
from rdpacct.command import DONE, FAILS, JSON, UNDECIDED, Answer
from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.exact.number import decimal_text, rational, shorten
from rdpacct.mechanisms import Plan
from rdpacct.plan import plan_text, read_claim, read_plan
from rdpacct.privacy.guarantee import RandomDP
from rdpacct.privacy.relation import Relation

_CODES = {Outcome.HOLDS: DONE, Outcome.FAILS: FAILS, Outcome.UNDECIDED: UNDECIDED}


def epsilon_answer(source: str, relation: str | None, delta: str) -> Answer:
    """The smallest epsilon of a plan at a delta."""
    plan, target = _plan(source, relation), rational(delta, "delta")
    if not 0 <= target < 1:
        raise InputError(
            f"delta is {shorten(delta)}, but must be at least 0 and below 1; give a probability such as 1e-6."
        )
    bound = profile(plan).epsilon(target)
    if bound.lower == bound.upper == float("inf"):
        reason = bound.how if target else "its privacy loss is unbounded"
        raise InputError(f"no epsilon exists for {plan} at delta = {shorten(delta)}: {reason}; give a larger delta.")
    data = {"epsilon": _ends(bound), "delta": _number(target), **_assumptions(plan, bound), "how": bound.how}
    return Answer(DONE, data, _text("epsilon", bound, plan, {"delta": decimal_text(target)}))


def delta_answer(source: str, relation: str | None, epsilon: str) -> Answer:
    """The smallest delta of a plan at an epsilon."""
    plan, level = _plan(source, relation), rational(epsilon, "epsilon")
    if level < 0:
        raise InputError(f"epsilon is {shorten(epsilon)}, but must be at least 0; give such a value.")
    bound = profile(plan).delta(level)
    data = {"delta": _ends(bound), "epsilon": _number(level), **_assumptions(plan, bound), "how": bound.how}
    return Answer(DONE, data, _text("delta", bound, plan, {"epsilon": decimal_text(level)}))


def calibrate_answer(source: str, relation: str | None, epsilon: str, delta: str) -> Answer:
    """The value of the one open number of a plan that just meets a target."""
    stated = None if relation is None else Relation.named(relation)
    found = calibrate(source, epsilon, delta, stated)
    plan = read_plan(plan_text(source, stated)[0].replace("?", decimal_text(found.sufficient)), stated)
    beyond = None if found.insufficient is None else _number(found.insufficient)
    data = {
        "value": _ends(found.value),
        "parameter": found.name,
        "sufficient": _number(found.sufficient),
        "insufficient": beyond,
        "epsilon": _number(rational(epsilon, "epsilon")),
        "delta": _number(rational(delta, "delta")),
        **_assumptions(plan, found.value),
        "how": found.value.how,
    }
    given = {"epsilon": decimal_text(rational(epsilon, "epsilon")), "delta": decimal_text(rational(delta, "delta"))}
    lines = _text(found.name, found.value, plan, given).split("\n")
    beyond_text = "" if found.insufficient is None else f", {decimal_text(found.insufficient)} does not"
    lines.insert(1, f"  {decimal_text(found.sufficient)} suffices{beyond_text}")
    return Answer(DONE, data, "\n".join(lines))


def audit_answer(source: str, relation: str | None, claim: str) -> Answer:
    """Whether a plan has a claimed guarantee, with the tight parameters and a witness."""
    guarantee, plan = read_claim(claim), _plan(source, relation)
    verdict = audit(plan, guarantee)
    data = {
        "verdict": verdict.outcome.value,
        "tight": {name: _ends(bound) for name, bound in verdict.tight.items()},
        "how": {name: bound.how for name, bound in verdict.tight.items()},
        "witness": _witness(verdict),
        "claim": str(guarantee),
        **_assumptions(plan, *verdict.tight.values(), drawn=_drawn(verdict, plan)),
        "why": verdict.why,
    }
    return Answer(_CODES[verdict.outcome], data, audit_text(verdict, plan))


def audit_text(verdict: Verdict, plan: Plan) -> str:
    """A verdict as a reader would write it."""
    lines = [f"{verdict.outcome.value}: {plan} is {'' if verdict.outcome is Outcome.HOLDS else 'not '}{verdict.claim}"]
    if verdict.outcome is Outcome.UNDECIDED:
        lines = [f"undecided: whether {plan} is {verdict.claim}"]
    lines += [f"  tight {name} = {bound}" for name, bound in verdict.tight.items()]
    if verdict.witness:
        lines.append(f"  witness: {verdict.witness}")
    if verdict.why:
        lines.append(f"  because {verdict.why}")
    return "\n".join([*lines, *_assumption_lines(plan, *verdict.tight.values(), drawn=_drawn(verdict, plan))])


def _drawn(verdict: Verdict, plan: Plan) -> bool:
    """Whether the audit composed promises about drawn data."""
    return isinstance(verdict.claim, RandomDP) and plan.random


def _plan(source: str, relation: str | None) -> Plan:
    return read_plan(source, None if relation is None else Relation.named(relation))


def _assumptions(plan: Plan, *bounds: Bound, drawn: bool = False) -> JSON:
    return {
        "plan": str(plan),
        "relation": plan.relation.value,
        "composition": _composition(plan, drawn),
        "rests_on": _theorems(plan, bounds, drawn),
    }


def _theorems(plan: Plan, bounds: tuple[Bound, ...], drawn: bool) -> list[str]:
    """The theorems of the plan's mechanisms, and those that the bounds name in how they were obtained."""
    named = {theorem for bound in bounds for theorem in re.findall(r"\(([a-z-]+/[a-z-]+)\)", bound.how)}
    return sorted({*rests_on(plan, drawn), *method_rules(named)})


def _composition(plan: Plan, drawn: bool) -> str:
    if drawn and not plan.single:
        return "independent given the data, not adaptive (random-dp/composition)"
    return (
        "one release" if plan.single else "none" if not plan.terms else "adaptive, with the parameters fixed in advance"
    )


def _assumption_lines(plan: Plan, *bounds: Bound, drawn: bool = False) -> list[str]:
    return [
        f"  relation {plan.relation}; composition: {_composition(plan, drawn)}",
        f"  rests on {', '.join(_theorems(plan, bounds, drawn)) or 'no theorem'}",
    ]


def _text(name: str, bound: Bound, plan: Plan, given: dict[str, str]) -> str:
    at = ", ".join(f"{key} = {value}" for key, value in given.items())
    return "\n".join(
        [f"{name} = {bound}", f"  for {plan} at {at}", f"  by {bound.how}", *_assumption_lines(plan, bound)]
    )


def _ends(bound: Bound) -> JSON:
    """The ends as JSON numbers, rounded outwards; an infinite end is the text "inf"."""
    lower, upper = bound.floats()
    return {"lower": _finite(lower), "upper": _finite(upper)}


def _finite(value: float) -> float | str:
    return value if abs(value) != float("inf") else str(value)


def _number(value: Fraction) -> float | str:
    """The given number as a JSON number, or as text where a double would lose it."""
    nearest = float(value) if abs(value) < 10**300 else float("inf")
    return nearest if (nearest != 0 or value == 0) and nearest != float("inf") else decimal_text(value)


def _witness(verdict: Verdict) -> JSON | None:
    if verdict.witness is None:
        return None
    return {"event": verdict.witness.event, "p": _ends(verdict.witness.p), "q": _ends(verdict.witness.q)}
