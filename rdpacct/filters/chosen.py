"""The largest budget of one kind whose whole interaction is promised what is wanted."""

from collections.abc import Callable
from fractions import Fraction

from rdpacct.errors import InputError
from rdpacct.filters.amounts import enclosed
from rdpacct.privacy.guarantee import ApproxDP, GaussianDP, Guarantee

STEPS = 48
MOST = Fraction(2) ** 40
"""The largest budget that is tried."""


def largest(promised: Callable[[Fraction], Guarantee], wanted: ApproxDP) -> Fraction:
    """The largest parameter, up to a few of its figures, whose guarantee certainly implies the one
    that is wanted.
    """
    if not isinstance(wanted, ApproxDP):
        raise InputError(
            f"the whole is to be {wanted}; give an ApproxDP(epsilon, delta)."
        )
    low = Fraction(0)
    high = Fraction(1)
    while high < MOST and _implies(promised(high), wanted):
        low = high
        high *= 2
    for _ in range(STEPS):
        middle = (low + high) / 2
        if _implies(promised(middle), wanted):
            low = middle
        else:
            high = middle
    if low == 0:
        raise InputError(f"no such budget is within {wanted}; give larger numbers.")
    return low


def _implies(held: Guarantee, wanted: ApproxDP) -> bool:
    """Whether the one certainly follows from the other, at the delta that is wanted."""
    if isinstance(held, GaussianDP):
        mass = held.to(ApproxDP, epsilon=wanted.epsilon).delta
        return enclosed(mass).certainly_at_most(enclosed(wanted.delta))
    level = held.to(ApproxDP, delta=wanted.delta).epsilon
    return enclosed(level).certainly_at_most(enclosed(wanted.epsilon))
