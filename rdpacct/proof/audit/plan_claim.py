"""Claims about plans: the epsilons of certified budgets, or points that are stated and not checked.

A plan is claimed with certificates of its budget, which the checker of budgets reads; each says
that the plan is (most, delta)-private. For a plan that has none, points of its profile are stated
with it, and what is refuted is these points.
"""

from fractions import Fraction

from rdpacct.proof.audit.half_plane import ClaimKind, HalfPlane, profile_delta
from rdpacct.proof.budget import CertifiedBudget, check_budget
from rdpacct.proof.budget.reading import Values, one_line
from rdpacct.proof.check.effort import Rejected

MAX_BUDGETS = 8
MAX_TEXT = 10_000


def read_budgets(given: object) -> list[CertifiedBudget]:
    """The budgets of a claim about a plan, each accepted, all of the same releases."""
    if not isinstance(given, list) or not 0 < len(given) <= MAX_BUDGETS:
        raise Rejected(f"the budgets are not a list of 1 to {MAX_BUDGETS}.")
    budgets = [check_budget(each) for each in given]
    plans = {(budget.releases, budget.relation) for budget in budgets}
    if len(plans) > 1:
        raise Rejected("the budgets are of different plans.")
    return budgets


def _certified(values: Values, plane: HalfPlane) -> Fraction:
    """The smallest delta of budgets, which were read before, at the epsilon of a half plane."""
    deltas = [
        budget.delta for budget in values["budgets"] if budget.most <= plane.epsilon
    ]
    if not deltas:
        raise Rejected("no budget of the claim has such a small epsilon.")
    return Fraction(min(deltas))


def _stated(values: Values, plane: HalfPlane) -> Fraction:
    one_line(values["plan"], "a plan", MAX_TEXT)
    return profile_delta(values, plane)


PLAN_KINDS = {
    "CertifiedPlan": ClaimKind(frozenset({"budgets"}), _certified, ()),
    "StatedPlan": ClaimKind(frozenset({"plan", "points"}), _stated, ()),
}
"""The kinds of claims about plans."""
