"""The smallest epsilon of a delta: a certified search in a profile known at single points."""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr
from rdpacct.exact.root import bracket, sign
from rdpacct.privacy.parts import Edge

LARGEST_EPSILON = 1e60
"""The largest epsilon that is looked for."""
ProfileBall: TypeAlias = Callable[[Fraction, int], Ball]
"""A ball for delta(epsilon), at a precision."""


def searched_epsilon(profile: ProfileBall, top: Edge, target: Fraction) -> Bound:
    """The epsilon at which delta passes a target that it is above at zero, and at most at the
    largest finite loss.
    """

    def log_ratio(epsilon: Fraction, bits: int) -> Ball:
        """A decreasing function of epsilon with the sign of delta(epsilon) - target."""
        delta = profile(epsilon, bits)
        if delta.certainly_positive():
            return (delta / target).log()
        return delta - target

    low, high = bracket(log_ratio, Fraction(0), _enough(log_ratio, top))
    return Bound(low, high, "certified bracket of delta(epsilon) = delta")


def _enough(log_ratio: ProfileBall, top: Edge) -> Fraction:
    """An epsilon at which delta is certainly at most the target."""
    largest = top.bound().upper if isinstance(top, Expr) else math.inf
    # the loss of chances that differ by 1e-3000 has no finite enclosure
    if largest < math.inf:
        return Fraction(max(largest, 0))
    point = Fraction(1)
    while sign(partial(log_ratio, point))[0] >= 0:
        point *= 2
        if point > LARGEST_EPSILON:
            raise UndecidedError(
                f"epsilon is beyond {LARGEST_EPSILON:.3g}, which is as far as it is"
                " looked for."
            )
    return point
