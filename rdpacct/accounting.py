"""The privacy of a plan: its worst-case profile over neighbors."""

from rdpacct.composition.alternatives import among_plans
from rdpacct.composition.plans import compose
from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import ONE, ZERO
from rdpacct.exact.number import Number
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.plan import read_plan
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.profile import Profile


def epsilon(plan: Plan | Mechanism | str, delta: Number) -> Bound:
    """The smallest epsilon >= 0 of a plan at this delta; infinite if there is none."""
    return profile(plan).epsilon(delta)


def delta(plan: Plan | Mechanism | str, epsilon: Number) -> Bound:
    """The smallest delta of a plan at this epsilon."""
    return profile(plan).delta(epsilon)


def profile(plan: Plan | Mechanism | str) -> Profile:
    """The privacy profile of a plan: that of its mechanism if the plan is one release, else of all
    releases together.
    """
    if isinstance(plan, Mechanism):
        plan = Plan.of(plan)
    if isinstance(plan, str):
        plan = read_plan(plan)
    if not isinstance(plan, Plan):
        raise InputError(
            f"the plan is {plan!r}; give a mechanism, a plan or the text of one."
        )
    plan.check_relation()
    among = among_plans(plan, profile)
    if among is not None:
        return among
    if plan.single is not None and not plan.single.by_moments:
        return plan.single.profile()
    if not plan.terms:
        return Profile((PrivacyLoss((Atom(ONE, ONE, ZERO),), symmetric=True),))
    return compose(plan)
