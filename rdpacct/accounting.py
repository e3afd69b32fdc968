"""The privacy of a plan: its worst-case profile over neighbors."""

from rdpacct.calculus.compose import compose_gaussian_shifts
from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import ONE, ZERO
from rdpacct.exact.number import Number
from rdpacct.mechanisms.gaussian import Gaussian, worst_pair
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
    """The privacy of a plan of one release, of Gaussian releases only, or of none."""
    if isinstance(plan, Mechanism):
        return plan.profile()
    if isinstance(plan, str):
        plan = read_plan(plan)
    if not isinstance(plan, Plan):
        raise InputError(f"the plan is {plan!r}; give a mechanism, a plan or the text of one.")
    plan.check_relation()
    if plan.single is not None:
        return plan.single.profile()
    if not plan.terms:
        return Profile((PrivacyLoss((Atom(ONE, ONE, ZERO),), symmetric=True),))
    gaussians = [(mechanism.shift, count) for mechanism, count in plan.terms if isinstance(mechanism, Gaussian)]
    if len(gaussians) == len(plan.terms):
        return Profile(worst_pair(compose_gaussian_shifts(gaussians)).directions())
    raise InputError(
        f"the plan {plan} composes several releases, which this version does for Gaussian mechanisms only; "
        "ask for one release at a time."
    )


def rests_on(plan: Plan | Mechanism) -> tuple[str, ...]:
    """The theorems behind the answers for this plan."""
    if isinstance(plan, Mechanism):
        return plan.rests_on()
    ids = {theorem for mechanism, _ in plan.terms for theorem in mechanism.rests_on()}
    composed = () if plan.single or not plan.terms else ("gaussian/composition",)
    return tuple(sorted({*ids, *composed}))
