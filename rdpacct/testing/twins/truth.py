"""What is certain about a twin: whether each version keeps the claim, and what the broken has."""

import math
from fractions import Fraction

from rdpacct.auditing.claims import audit
from rdpacct.auditing.verdict import Outcome
from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.plan import read_claim
from rdpacct.questions import delta, epsilon
from rdpacct.testing.twins.twin import KnownPlan, Twin

LEVELS = tuple(Fraction(k, 4) for k in range(13))
"""The epsilons at which the curve of a plan is compared with a claimed one."""
MEASURES = ("epsilon", "mu", "rho")
"""By which parameter of a claim a violation is measured."""
GROSS = 2
"""A violation is gross if it is at least this many times the claim."""


def outcome(known: KnownPlan, claim: str) -> Outcome:
    """Whether what is known of a version keeps a claim, for certain.

    The curve of a plan is compared with a claimed one at some epsilons, and holds for certain only
    if the claim is that plan.
    """
    if _is_guarantee(claim):
        return audit(known(), claim).outcome
    if any(
        own_delta.certainly_above(most) for _, own_delta, most in _curves(known, claim)
    ):
        return Outcome.FAILS
    return Outcome.HOLDS if known() == claim else Outcome.UNDECIDED


def truly(twin: Twin) -> str:
    """What the broken version has at least, in the terms of the claim."""
    if _is_guarantee(twin.claim):
        tight = audit(twin.broken_law(), twin.claim).tight
        [(name, bound), *_] = tight.items()
        if bound.lower == math.inf:
            return f"no finite {name}"
        return f"{name} {_short(bound)}"
    curves = _curves(twin.broken_law, twin.claim)
    level, own_delta, most = max(curves, key=lambda each: each[1].lower - each[2].upper)
    return (
        f"delta {_short(own_delta)} at epsilon {level}, where {most.short()} is claimed"
    )


def _is_guarantee(claim: str) -> bool:
    """Whether a claim is a guarantee, and not a plan."""
    try:
        read_claim(claim)
    except InputError:
        return False
    return True


def _curves(known: KnownPlan, claim: str) -> list[tuple[Fraction, Bound, Bound]]:
    """The delta of a version and the claimed one, at each of the epsilons."""
    plan = known()
    return [(level, delta(plan, level), delta(claim, level)) for level in LEVELS]


def _short(bound: Bound) -> str:
    return bound.safe_below().short()


def excess(twin: Twin) -> Fraction | float:
    """How many times the claimed epsilon the broken version has at least, at the claimed delta; of
    other claims, the claimed mu or rho. Infinite if it has none that is finite.
    """
    if not _is_guarantee(twin.claim):
        return max(_curve_excess(twin, level) for level in LEVELS[1:])
    tight = audit(twin.broken_law(), twin.claim).tight
    name = next(name for name in MEASURES if name in tight)
    claimed = read_claim(twin.claim).parameters()[name].bound()
    return tight[name].lower / claimed.upper


def _curve_excess(twin: Twin, level: Fraction) -> Fraction | float:
    """The epsilon of the broken version at the delta of a claimed curve, as a part of the claimed
    one.
    """
    most = delta(twin.claim, level).upper
    return epsilon(twin.broken_law(), Fraction(most)).lower / level


def is_gross(twin: Twin) -> bool:
    """Whether the broken version has at least twice what is claimed."""
    return excess(twin) >= GROSS
