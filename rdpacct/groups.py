"""The epsilon of a plan for groups of records, by the rule for chains of neighbors."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

from rdpacct.composition.plans import planned_log_delta
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import formula
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.privacy.group import chained
from rdpacct.provenance import attempt

FURTHEST = 10.0**4
"""The largest epsilon of one record that is tried."""
HALVINGS = 30
STEPS = (1e-7, 1e-5, 1e-3, 1e-2, 1e-1)
"""By how much a planned epsilon is raised until it certainly suffices."""


def chained_epsilon(
    plan: Plan,
    size: int,
    delta: Fraction,
    record_epsilon: Bound,
    delta_at: Callable[[Fraction], Bound],
) -> Bound:
    """Ends of the smallest epsilon at this delta for neighbors that differ in up to this many
    records: above, what a chain of neighbors gives (group/approx) with the deltas of one record;
    below, the epsilon of one.
    """
    for level in _levels(plan, size, delta, record_epsilon):
        most, used = _promised(delta_at, size, level)
        if most is not None and most.certainly_at_most(delta):
            how = f"a chain of {size} neighbors (group/approx)"
            return Bound(record_epsilon.lower, size * level, how).resting_on(
                used | record_epsilon.rests_on
            )
    return Bound(
        record_epsilon.lower, math.inf, "no chain of neighbors gives an epsilon"
    )


def _levels(
    plan: Plan, size: int, delta: Fraction, record_epsilon: Bound
) -> Iterator[Fraction]:
    """The epsilons of one record that are tried: the largest loss if delta is 0, or else what is
    planned, and a little more each time.
    """
    if delta == 0:
        if isinstance(record_epsilon.upper, Fraction):
            yield Fraction(record_epsilon.upper)
        return
    planned = _planned(plan, size, delta)
    if planned is None:
        return
    for raised in STEPS:
        yield Fraction(f"{planned * (1 + raised):.10g}")


def _promised(
    delta_at: Callable[[Fraction], Bound], size: int, level: Fraction
) -> tuple[Bound | None, frozenset[str]]:
    """The delta of the chain, if one record has this epsilon, and the theorems behind it."""
    with attempt() as used:
        record_delta = delta_at(level)
        if isinstance(record_delta.upper, float):
            return None, frozenset()
        _, delta = chained(formula(level), formula(Fraction(record_delta.upper)), size)
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
