"""The epsilon of a plan for groups of records: release by release where a theorem gives it, and
else by the rule for chains of neighbors.
"""

import math
from fractions import Fraction

from rdpacct.composition.plans import planned_log_delta
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Real, formula
from rdpacct.mechanisms.grouped import for_group, has_group_rule
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.privacy.group import chained
from rdpacct.provenance import attempt
from rdpacct.questions import Questions

FURTHEST = 10.0**4
"""The largest epsilon of one record that is tried."""
HALVINGS = 30
STEPS = (1e-7, 1e-5, 1e-3, 1e-2, 1e-1)
"""By how much a planned epsilon is raised until it certainly suffices."""


def group_epsilon(plan: Plan, size: int, delta: Real) -> Bound:
    """Ends of the smallest epsilon at this delta for neighbors that differ in up to so many
    records.

    If no theorem gives every release for groups, the upper end is what a chain of neighbors gives
    (group/approx), and the lower end that of one record.
    """
    if size == 1 or has_group_rule(plan):
        return Questions(for_group(plan, size)).epsilon(delta)
    one = Questions(plan).epsilon(delta)
    least = Fraction(formula(delta).bound().lower)
    planned = _planned(plan, size, least) if least > 0 else None
    for raised in STEPS:
        if planned is None:
            break
        level = Fraction(f"{planned * (1 + raised):.10g}")
        most, used = _promised(plan, size, level)
        if most is not None and most.certainly_at_most(least):
            how = f"a chain of {size} neighbors (group/approx)"
            return Bound(one.lower, size * level, how).resting_on(used | one.rests_on)
    return Bound(one.lower, math.inf, "no chain of neighbors gives an epsilon")


def _promised(
    plan: Plan, size: int, level: Fraction
) -> tuple[Bound | None, frozenset[str]]:
    """The delta of the chain, if one record has this epsilon, and the theorems behind it."""
    with attempt() as used:
        one = Questions(plan).delta(level)
        if isinstance(one.upper, float):
            return None, frozenset()
        _, delta = chained(formula(level), formula(Fraction(one.upper)), size)
        return delta.bound(), frozenset(used)


def _planned(plan: Plan, size: int, delta: Fraction) -> float | None:
    """About the smallest epsilon of one record from which a chain meets the target; None if none
    does.
    """
    low, high = 0.0, 1.0
    while _excess(plan, size, delta, high) > 0:
        low = high
        high *= 2
        if high > FURTHEST:
            return None
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if _excess(plan, size, delta, middle) > 0:
            low = middle
        else:
            high = middle
    return high


def _excess(plan: Plan, size: int, delta: Fraction, level: float) -> float:
    """About the logarithm of the delta of a chain over the target."""
    grown = size * level + math.log(-math.expm1(-size * level))
    less = level + math.log(-math.expm1(-level))
    return planned_log_delta(plan, level) + grown - less - math.log(delta)
