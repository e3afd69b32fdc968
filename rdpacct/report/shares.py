"""The share of each release in the budget: what it costs alone, and what leaving it out saves.

Budgets do not add up, so a share is not a percentage. It is two budgets, each an enclosure: that
of the release alone, and that of all others.
"""

from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.plan.document import PlanDocument, PlannedRelease
from rdpacct.questions import Questions

MOST_RELEASES = 40
"""Shares are worked out for up to this many releases."""


@dataclass(frozen=True)
class ReleaseShare:
    """A release, its budget alone, and the budget of the plan without it."""

    release: PlannedRelease
    alone: Bound
    without: Bound
    saved: Bound
    """By how much the budget is smaller without it."""


def release_shares(
    document: PlanDocument, delta: Expr, whole: Bound
) -> tuple[ReleaseShare, ...]:
    """The share of each release, at the delta of the whole."""
    known: dict[Plan, Bound] = {}

    def budget(plan: Plan) -> Bound:
        if plan not in known:
            known[plan] = Questions(plan).epsilon(delta)
        return known[plan]

    shares = []
    for place, release in enumerate(document.releases[:MOST_RELEASES]):
        others = [other.plan for k, other in enumerate(document.releases) if k != place]
        rest = Plan(Plan.total(others).terms, document.plan.relation)
        alone = budget(release.plan)
        without = budget(rest)
        shares.append(ReleaseShare(release, alone, without, _saved(whole, without)))
    return tuple(shares)


def _saved(whole: Bound, without: Bound) -> Bound:
    """The difference of two budgets, which is not negative: less is released without."""
    how = "the difference of the two budgets"
    used = whole.rests_on | without.rests_on
    if isinstance(without.upper, float) or isinstance(whole.lower, float):
        least = Fraction(0)
    else:
        least = max(Fraction(0), whole.lower - without.upper)
    if isinstance(without.lower, float):
        return Bound(Fraction(0), float("inf"), how, used)
    return Bound(least, max(least, whole.upper - without.lower), how, used)
