"""A point of a curve of ApproxDP where the rule gives the other coordinate: searched, and certified
by the rule itself.

The number that is found is rounded up to fifteen digits, and the rule shows that it is enough; that
no smaller one is does not enter.
"""

from collections.abc import Callable
from fractions import Fraction

from rdpacct.errors import InputError
from rdpacct.exact.bound import decimal_up
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.number import Number, rational
from rdpacct.privacy.guarantee import ApproxDP

DIGITS = 15
STEPS = 55
"""The number of halvings that show all these digits."""
LARGEST, MOST_HALVINGS = Fraction(2**40), 2000
"""The largest epsilon that is looked for, and the most halvings below 1."""
MOST_BITS = 2**12
"""The most halvings of a delta; the smallest that is looked at has about twice as many bits."""


def smallest_epsilon_for(
    at: Callable[[Expr], ApproxDP], delta: Number | Real
) -> ApproxDP:
    """The ApproxDP with this delta and, but for rounding, the smallest epsilon whose delta is
    not larger.
    """
    wanted = ApproxDP(0, delta)

    def is_enough(epsilon: Fraction) -> bool:
        return (
            at(formula(epsilon)).delta.bound().certainly_at_most(wanted.delta.bound())
        )

    if is_enough(Fraction(0)):
        return wanted
    most = Fraction(1)
    while not is_enough(most):
        most *= 2
        if most > LARGEST:
            raise InputError(
                f"no epsilon up to {LARGEST} has a delta of at most {wanted.delta};"
                " give a larger delta."
            )
    for _ in range(MOST_HALVINGS):
        if not is_enough(most / 2):
            break
        most /= 2
    return ApproxDP(_halved(is_enough, most / 2, most), wanted.delta)


def smallest_delta_for(
    at: Callable[[Expr], ApproxDP], epsilon: Number | Real
) -> ApproxDP:
    """The ApproxDP with this epsilon and, but for rounding, the smallest delta whose epsilon is
    not larger.
    """
    wanted = ApproxDP(epsilon, 1)

    def is_enough(delta: Fraction) -> bool:
        return delta == 1 or at(formula(delta)).epsilon.bound().certainly_at_most(
            wanted.epsilon.bound()
        )

    if not is_enough(Fraction(1, 2)):
        return ApproxDP(wanted.epsilon, _halved(is_enough, Fraction(1, 2), Fraction(1)))
    bits = 1
    while bits < MOST_BITS and is_enough(Fraction(1, 2 ** (2 * bits))):
        bits *= 2
    step = bits
    while step > 1:
        step //= 2
        if is_enough(Fraction(1, 2 ** (bits + step))):
            bits += step
    return ApproxDP(
        wanted.epsilon,
        _halved(is_enough, Fraction(1, 2 ** (bits + 1)), Fraction(1, 2**bits)),
    )


def _halved(
    is_enough: Callable[[Fraction], bool], low: Fraction, high: Fraction
) -> Fraction:
    """The upper end of a range that is halved, rounded up; the upper end given is known to be
    enough.
    """
    for _ in range(STEPS):
        middle = (low + high) / 2
        if is_enough(middle):
            high = middle
        else:
            low = middle
    rounded = rational(decimal_up(high, DIGITS))
    return rounded if is_enough(rounded) else high
