"""Why an answer is wide: said with every answer whose ends differ by more than a thousandth."""

import math

from rdpacct.exact.bound import USED_UP, WIDE, Bound
from rdpacct.exact.number import shorten
from rdpacct.mechanisms.alternatives import Alternatives
from rdpacct.mechanisms.mechanism import Mechanism, Plan

BETWEEN = "between a pair", "a dominating law", "slopes between"
"""How answers begin whose two ends are those of different pairs."""


def wide_lines(plan: Plan, bound: Bound) -> list[str]:
    """A line that warns of a wide answer and says what to do; none if the answer is not wide."""
    if bound.relative_width <= WIDE:
        return []
    return [f"  wide: {why_wide(plan, bound)}"]


def why_wide(plan: Plan, bound: Bound) -> str:
    """What keeps the ends of a wide answer apart, and what to do."""
    width = bound.relative_width
    ends = f"the ends differ by {100 * width:.2g} % of the upper one"
    if math.isinf(width):
        ends = "there is no finite upper end"
    reason, remedy = _reason(plan, bound)
    return f"{ends}, as {reason}; {remedy}"


def _alternatives(mechanism: Mechanism) -> Alternatives | None:
    return mechanism.alternatives()


def _reason(plan: Plan, bound: Bound) -> tuple[str, str]:
    """Why an answer is wide, and the remedy."""
    by_moments = [mechanism for mechanism, _ in plan.terms if mechanism.by_moments]
    if by_moments:
        return (
            f"only moments of the loss of {_named(by_moments)} are known",
            "give the mechanism itself or an ApproxDP in place of the promise",
        )
    how = bound.how.removesuffix(USED_UP)
    if how != bound.how:
        return (
            "the work of one answer was used up, and this is what"
            f" {how or 'the rest'} gives",
            "the upper end is safe; ask about fewer kinds of releases for a closer one",
        )
    vectors = [mechanism for mechanism, _ in plan.terms if _is_among_several(mechanism)]
    said = [
        alternatives.why_apart
        for alternatives in map(_alternatives, vectors)
        if alternatives
    ]
    if any(said):
        return (next(filter(None, said)), "the upper end is safe")
    bounded = [mechanism for mechanism in vectors if mechanism.only_bounded]
    if bounded:
        return (
            f"the worst steps for a record are not known exactly for {_named(bounded)}",
            "the upper end is safe; a separation that is a power of two, or coefficients"
            " that are positive and fall, have one answer",
        )
    if vectors:
        return (
            f"the worst difference of {_named(vectors)} may change from release to"
            " release",
            "the upper end is safe; give one release for a closer one",
        )
    if plan.single is None:
        free = [mechanism for mechanism, _ in plan.terms if _may_change(mechanism)]
        if free:
            return (
                f"the worst pair of {_named(free)} may change from release to release",
                "the upper end is safe for releases that adapt to each other",
            )
    if bound.how.startswith(BETWEEN):
        return (
            "no pair of neighbors is known to be the worst: the ends are those of pairs"
            " that occur and of a law above all of them",
            f"the {bound.safe.value} end is safe",
        )
    return (
        f"this is what {bound.how or 'the method'} gives here",
        f"the {bound.safe.value} end is safe",
    )


def _is_among_several(mechanism: Mechanism) -> bool:
    """Whether it is one of several plans that a release of a mechanism amounts to."""
    alternatives = mechanism.alternatives()
    if alternatives is None:
        return False
    return len(alternatives.plans) > 1 or not alternatives.all_of_them


def _may_change(mechanism: Mechanism) -> bool:
    """Whether what dominates the pairs of a mechanism is above each of them."""
    return any(direction.below for direction in mechanism.directions())


def _named(mechanisms: list[Mechanism]) -> str:
    names = sorted(shorten(str(mechanism), 60) for mechanism in mechanisms)
    if len(names) == 1:
        return names[0]
    return f"{names[0]} and {len(names) - 1} more"
