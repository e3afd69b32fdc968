"""The answers of the command line: an exit code, an object for programs, and a text for readers."""

import math
from collections.abc import Mapping
from fractions import Fraction

from rdpacct.auditing import Outcome, Verdict, audit
from rdpacct.calibration import Calibration, calibrate
from rdpacct.command import DONE, FAILS, JSON, UNDECIDED, Answer
from rdpacct.errors import InputError
from rdpacct.exact.bound import (
    Bound,
    End,
    decimal_down,
    decimal_up,
    round_down,
    round_up,
)
from rdpacct.exact.formula import Expr, Rational
from rdpacct.exact.number import decimal_text, rational, shorten
from rdpacct.language.arithmetic import read_number
from rdpacct.mechanisms import Plan
from rdpacct.plan import read_claim, read_plan
from rdpacct.privacy.guarantee import RandomDP
from rdpacct.privacy.relation import Relation
from rdpacct.questions import Questions, Way
from rdpacct.wide import why_wide

_CODES = {Outcome.HOLDS: DONE, Outcome.FAILS: FAILS, Outcome.UNDECIDED: UNDECIDED}
_SMALLEST, _LARGEST = Fraction(2) ** -1022, Fraction(2) ** 1023
"""Between these a double keeps its relative accuracy."""


def epsilon_answer(
    source: str, relation: str | None, delta: str, direction: str | None = None
) -> Answer:
    """The smallest epsilon of a plan at a delta."""
    asked = _asked(source, relation, direction)
    target = read_number(delta, "delta")
    bound = asked.epsilon(target)
    if bound.lower == bound.upper == math.inf and asked.at_infinity().lower != 1:
        reason = (
            bound.how
            if target.bound().certainly_above(0)
            else "its privacy loss is unbounded"
        )
        raise InputError(
            f"no epsilon exists for {shorten(str(asked.plan), 120)} at delta ="
            f" {shorten(str(target))}: {reason}; give a larger delta."
        )
    return _bound_answer("epsilon", bound, asked, {"delta": target})


def delta_answer(
    source: str, relation: str | None, epsilon: str, direction: str | None = None
) -> Answer:
    """The smallest delta of a plan at an epsilon."""
    asked = _asked(source, relation, direction)
    level = read_number(epsilon, "epsilon")
    return _bound_answer("delta", asked.delta(level), asked, {"epsilon": level})


def tail_answer(
    source: str, relation: str | None, threshold: str, direction: str | None = None
) -> Answer:
    """The probability that the privacy loss of the worst pair exceeds a threshold."""
    asked = _asked(source, relation, direction)
    level = read_number(threshold, "threshold")
    return _bound_answer("tail", asked.tail(level), asked, {"threshold": level})


def tradeoff_answer(
    source: str, relation: str | None, rate: str, direction: str | None = None
) -> Answer:
    """The smallest false negative rate at a false positive rate."""
    asked = _asked(source, relation, direction)
    level = read_number(rate, "the false positive rate")
    return _bound_answer(
        "false_negatives", asked.tradeoff(level), asked, {"false_positives": level}
    )


def renyi_answer(
    source: str, relation: str | None, order: str, direction: str | None = None
) -> Answer:
    """The largest Renyi divergence of an order, which may be infinite."""
    asked = _asked(source, relation, direction)
    if order.strip().lower() in ("inf", "infinity"):
        return _bound_answer("renyi", asked.renyi(math.inf), asked, {"order": math.inf})
    level = read_number(order, "order")
    return _bound_answer("renyi", asked.renyi(level), asked, {"order": level})


def mean_answer(
    source: str, relation: str | None, direction: str | None = None
) -> Answer:
    """The largest mean loss."""
    asked = _asked(source, relation, direction)
    return _bound_answer("mean", asked.mean(), asked, {})


def zcdp_answer(
    source: str, relation: str | None, xi: str, direction: str | None = None
) -> Answer:
    """The smallest rho at a xi."""
    asked = _asked(source, relation, direction)
    offset = read_number(xi, "xi")
    return _bound_answer("rho", asked.zcdp_rho(offset), asked, {"xi": offset})


def gaussian_answer(
    source: str, relation: str | None, direction: str | None = None
) -> Answer:
    """The smallest mu of Gaussian differential privacy."""
    asked = _asked(source, relation, direction)
    return _bound_answer("mu", asked.gaussian_mu(), asked, {})


def calibrate_answer(
    source: str, relation: str | None, epsilon: str, delta: str
) -> Answer:
    """The value of the one open number of a plan that just meets a target."""
    stated = None if relation is None else Relation.named(relation)
    level, target = (
        _exact(text, name) for text, name in ((epsilon, "epsilon"), (delta, "delta"))
    )
    found = calibrate(source, level, target, stated)
    plan = found.plan
    data = {
        "value": _ends(found.value),
        "parameter": found.name,
        **_certified_ends(found),
        "epsilon": _number(level),
        "delta": _number(target),
        **_assumptions(plan, found.value.rests_on),
        "how": found.value.how,
    }
    beyond = (
        ""
        if found.insufficient is None
        else f", {decimal_text(found.insufficient)} does not"
    )
    lines = [
        f"{found.name} = {found.value}",
        f"  {decimal_text(found.sufficient)} suffices{beyond}",
        (
            f"  for {plan} at epsilon = {decimal_text(level)}, delta ="
            f" {decimal_text(target)}"
        ),
        f"  by {found.value.how}",
        *_assumption_lines(plan, found.value.rests_on),
    ]
    return Answer(DONE, data, "\n".join(lines))


def _certified_ends(found: Calibration) -> JSON:
    """The value that suffices and the one that does not: doubles rounded away from each other, and
    exact texts.
    """
    enough = found.sufficient
    short = found.insufficient
    up = short is not None and enough > short
    ends: JSON = {
        "sufficient": _finite(round_up(enough) if up else round_down(enough)),
        "insufficient": (
            None
            if short is None
            else _finite(round_down(short) if up else round_up(short))
        ),
        "sufficient_text": decimal_text(enough),
        "insufficient_text": None if short is None else decimal_text(short),
    }
    return ends


def audit_answer(source: str, relation: str | None, claim: str) -> Answer:
    """Whether a plan has a claimed guarantee, with the tight parameters and a witness."""
    guarantee = read_claim(claim)
    plan = _plan(source, relation)
    verdict = audit(plan, guarantee)
    data = {
        "verdict": verdict.outcome.value,
        "tight": {name: _ends(bound) for name, bound in verdict.tight.items()},
        "how": {name: bound.how for name, bound in verdict.tight.items()},
        "witness": _witness(verdict),
        "claim": str(guarantee),
        **_assumptions(plan, verdict.rests_on, drawn=_drawn(verdict, plan)),
        "why": verdict.why,
    }
    return Answer(_CODES[verdict.outcome], data, audit_text(verdict, plan))


def audit_text(verdict: Verdict, plan: Plan) -> str:
    """A verdict as a reader would write it."""
    lines = [
        f"{verdict.outcome.value}: {plan} is"
        f" {'' if verdict.outcome is Outcome.HOLDS else 'not '}{verdict.claim}"
    ]
    if verdict.outcome is Outcome.UNDECIDED:
        lines = [f"undecided: whether {plan} is {verdict.claim}"]
    lines += [f"  tight {name} = {bound}" for name, bound in verdict.tight.items()]
    if verdict.witness:
        lines.append(f"  witness: {verdict.witness}")
    if verdict.why:
        lines.append(f"  because {verdict.why}")
    return "\n".join(
        [
            *lines,
            *_assumption_lines(plan, verdict.rests_on, drawn=_drawn(verdict, plan)),
        ]
    )


def _drawn(verdict: Verdict, plan: Plan) -> bool:
    """Whether the audit composed promises about drawn data."""
    return isinstance(verdict.claim, RandomDP) and plan.random


def _plan(source: str, relation: str | None) -> Plan:
    return read_plan(source, None if relation is None else Relation.named(relation))


def _asked(source: str, relation: str | None, direction: str | None) -> Questions:
    way = None if direction is None else Way.named(direction)
    return Questions(_plan(source, relation), way)


def _exact(text: str, name: str) -> Fraction:
    """A rational number of the command line; a calibration takes no others."""
    value = read_number(text, name)
    if not isinstance(value, Rational):
        raise InputError(
            f"{name} is {value}, but a calibration needs a rational number; give a"
            " decimal or a ratio."
        )
    return rational(value.value, name)


def _bound_answer(
    name: str, bound: Bound, asked: Questions, given: Mapping[str, Expr | float]
) -> Answer:
    """One number about a plan, at the numbers that were given."""
    plan = asked.plan
    way = asked.way
    assumed = _assumptions(plan, bound.rests_on)
    direction = {} if way is None else {"direction": way.value}
    wide = why_wide(plan, bound)
    data = {
        name: _ends(bound),
        **{key: _given(value) for key, value in given.items()},
        **dict(list(assumed.items())[:2]),
        **direction,
        **dict(list(assumed.items())[2:]),
        "how": bound.how,
        **({} if wide is None else {"wide": wide}),
    }
    at = ", ".join(f"{key.replace('_', ' ')} = {value}" for key, value in given.items())
    lines = [
        f"{name.replace('_', ' ')} = {bound}",
        f"  for {plan} at {at}" if at else f"  for {plan}",
        f"  by {bound.how}",
        *([] if wide is None else [f"  wide: {wide}"]),
        *_assumption_lines(plan, bound.rests_on, way=way),
    ]
    return Answer(DONE, data, "\n".join(lines))


def _assumptions(plan: Plan, used: frozenset[str], drawn: bool = False) -> JSON:
    return {
        "plan": str(plan),
        "relation": plan.relation.value,
        "composition": _composition(plan, drawn),
        "rests_on": sorted(used),
    }


def _composition(plan: Plan, drawn: bool) -> str:
    if drawn and not plan.single:
        return "independent given the data, not adaptive (random-dp/composition)"
    if plan.single:
        return "one release"
    said = sorted({mechanism.in_a_plan for mechanism, _ in plan.terms} - {""})
    if plan.terms:
        return "; ".join(["adaptive, with the parameters fixed in advance", *said])
    return "none"


def _assumption_lines(
    plan: Plan, used: frozenset[str], drawn: bool = False, way: Way | None = None
) -> list[str]:
    direction = "" if way is None else f", direction {way.value}"
    theorems = ", ".join(sorted(used)) or "no theorem"
    return [
        (
            f"  relation {plan.relation}{direction}; composition:"
            f" {_composition(plan, drawn)}"
        ),
        f"  rests on {theorems}",
    ]


def _ends(bound: Bound) -> JSON:
    """The ends as JSON numbers, rounded outwards, an infinite end as the text "inf".

    Where a double would lose an end, the ends stand beside as decimals in text, rounded outwards
    too.
    """
    lower, upper = bound.floats()
    ends: JSON = {"lower": _finite(lower), "upper": _finite(upper)}
    if _is_lost(bound.lower) or _is_lost(bound.upper):
        ends |= {
            "lower_text": decimal_down(bound.lower),
            "upper_text": decimal_up(bound.upper),
        }
    return ends


def _is_lost(end: End) -> bool:
    return (
        isinstance(end, Fraction) and end != 0 and not _SMALLEST <= abs(end) <= _LARGEST
    )


def _finite(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)


def _given(value: Expr | float) -> float | str:
    """A number that was given: as a JSON number, or as text where that would lose it."""
    if isinstance(value, Rational):
        return _number(value.value)
    return str(value)


def _number(value: Fraction) -> float | str:
    """The given number as a JSON number, or as text where a double would lose it."""
    nearest = float(value) if abs(value) < 10**300 else math.inf
    if (nearest != 0 or value == 0) and nearest != math.inf:
        return nearest
    return decimal_text(value)


def _witness(verdict: Verdict) -> JSON | None:
    if verdict.witness is None:
        return None
    return {
        "event": verdict.witness.event,
        "p": _ends(verdict.witness.p),
        "q": _ends(verdict.witness.q),
    }
