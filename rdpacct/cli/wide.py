"""Why an answer is wide: said with every answer whose ends differ by more than a thousandth."""

import math

from rdpacct.exact.bound import USED_UP, Bound
from rdpacct.exact.number import shorten
from rdpacct.mechanisms.mechanism import Mechanism, Plan


def why_wide(plan: Plan, bound: Bound) -> str:
    """What keeps the ends of a wide answer apart."""
    width = bound.relative_width
    ends = f"the ends differ by {100 * width:.2g} % of the upper one"
    if math.isinf(width):
        ends = "there is no finite upper end"
    return f"{ends}, as {_reason(plan, bound)}"


def _reason(plan: Plan, bound: Bound) -> str:
    by_moments = [mechanism for mechanism, _ in plan.terms if mechanism.by_moments]
    if by_moments:
        return f"only moments of the loss of {_named(by_moments)} are known"
    how = bound.how.removesuffix(USED_UP)
    if how != bound.how:
        return (
            f"the work of one answer was used up, and this is what {how or 'the rest'}"
            " gives"
        )
    vectors = [
        mechanism for mechanism, _ in plan.terms if mechanism.alternatives() is not None
    ]
    if vectors:
        return (
            f"the worst difference of {_named(vectors)} may change from release to"
            " release"
        )
    free = (
        []
        if plan.single
        else [mechanism for mechanism, _ in plan.terms if _may_change(mechanism)]
    )
    if free:
        return f"the worst pair of {_named(free)} may change from release to release"
    return f"this is what {bound.how or 'the method'} gives here"


def _may_change(mechanism: Mechanism) -> bool:
    """Whether what dominates the pairs of a mechanism is above each of them."""
    return any(direction.below for direction in mechanism.directions())


def _named(mechanisms: list[Mechanism]) -> str:
    names = sorted(shorten(str(mechanism), 60) for mechanism in mechanisms)
    if len(names) == 1:
        return names[0]
    return f"{names[0]} and {len(names) - 1} more"
