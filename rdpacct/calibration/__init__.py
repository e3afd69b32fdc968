"""The value of one open number for which a plan just meets a target, bracketed by two certified
values.
"""

from dataclasses import replace
from fractions import Fraction

from rdpacct.calibration.counts import largest_count
from rdpacct.calibration.result import Calibration
from rdpacct.calibration.search import LOWERS_PRIVACY, parameter, rounded_to
from rdpacct.errors import InputError
from rdpacct.exact.bound import QUOTED, Bound
from rdpacct.exact.formula import ONE, Expr
from rdpacct.exact.number import Number, rational, shorten
from rdpacct.language.arithmetic import number
from rdpacct.plan import PlanText
from rdpacct.privacy.relation import Relation
from rdpacct.target import RAISES_PRIVACY, DeltaTarget, PureTarget, Target
from rdpacct.work import question

__all__ = ["Calibration", "calibrate"]
MOST_DIGITS = 9
"""A value with more digits is not called short."""


def calibrate(
    plan: str,
    epsilon: Number,
    delta: Number,
    relation: Relation | None = None,
    group: int = 1,
) -> Calibration:
    """The value of the one ``?`` in a plan for which delta(epsilon) just meets delta, for neighbors
    that are ``group`` steps of the relation apart.
    """
    level = rational(epsilon, "epsilon")
    target = rational(delta, "delta")
    if level < 0:
        raise InputError(
            f"epsilon is {shorten(str(epsilon))}, but must be at least 0; give such a"
            " value."
        )
    if not 0 <= target < 1:
        raise InputError(
            f"delta is {shorten(str(delta))}, but a calibration needs one of at least 0"
            " and below 1; give one such as 1e-6."
        )
    if level == target == 0:
        raise InputError(
            "the target is epsilon = 0 and delta = 0, which only a release of nothing"
            " meets; raise one."
        )
    text = PlanText(plan, relation, group)
    name, factor = _open_number(text)
    aim = (DeltaTarget if target else PureTarget)(text.plan, level, target)
    with question():
        calibration = _value(aim, name, factor)
        short = _short(aim, calibration)
    calibration = replace(calibration, short=short)
    used = frozenset[str]().union(
        *(aim.evidence.get(end, ()) for end in calibration.ends)
    )
    named = name if factor == ONE else f"? in {name}"
    return replace(
        calibration,
        name=named,
        value=_safe_side(calibration).resting_on(used),
        plan=text.plan(calibration.sufficient),
        short_plan=text.plan(short),
    )


def _safe_side(calibration: Calibration) -> Bound:
    """The enclosure, whose safe end is the one that suffices."""
    if calibration.sufficient == calibration.value.upper:
        return calibration.value
    return calibration.value.safe_below()


def _short(question: Target, calibration: Calibration) -> Fraction:
    """A decimal of few digits that certainly meets the target: the value that suffices, rounded to
    the safe side.

    Where that cannot be seen within the work that is left, the value itself.
    """
    enough = calibration.sufficient
    if calibration.insufficient is None or calibration.name == "count":
        return enough
    more = enough > calibration.insufficient
    for digits in range(QUOTED, MOST_DIGITS):
        rounded = rounded_to(enough, digits, more)
        if rounded == enough or question.met(rounded) is True:
            return rounded
    return enough


def _open_number(text: PlanText) -> tuple[str, Expr]:
    """What the one question mark of a plan stands for, a parameter or the count, and the factor
    that it has there.
    """
    marks = text.open_numbers()
    if len(marks) != 1:
        raise InputError(
            f"the plan has {len(marks)} open numbers; write exactly one ?, as in"
            " Gaussian(sigma=?)."
        )
    name = marks[0].keyword or "count"
    if name != "count" and name not in RAISES_PRIVACY | LOWERS_PRIVACY.keys():
        known = ", ".join(sorted(RAISES_PRIVACY | LOWERS_PRIVACY.keys()))
        raise InputError(
            f"{shorten(name)} cannot be calibrated; put the ? for a count or for one of"
            f" {known}."
        )
    once, twice = (number(marks[0].tree, name, Fraction(value)) for value in (1, 2))
    if once * 2 != twice or not once.bound().certainly_above(0):
        raise InputError(
            f"the ? stands in a formula for {name}; write it alone or times a positive"
            f" number, as in {name}=?/60000."
        )
    return name, once


def _value(aim: Target, name: str, factor: Expr) -> Calibration:
    """The value of a count or of a parameter."""
    if name == "count":
        return largest_count(aim)
    return parameter(aim, name, factor)
