"""The probability of a loss above a threshold, where only ends of the profile are known."""

from collections.abc import Callable
from fractions import Fraction

from rdpacct.composition.slopes import chord, under_p
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound

BITS = 192
GAPS = tuple(Fraction(1, 4**power) for power in range(0, 12, 2))
"""The distances before and after the threshold at which the profile is asked."""
HOW = "slopes between the ends of the profile (engine/event-probabilities)"


def tail_of_curve(delta: Callable[[Fraction], Bound], level: Fraction) -> Bound:
    """The tail of the pair that has the largest delta at the threshold: its profile there lies
    between the two ends, and is elsewhere at most the upper one.
    """
    here = delta(level)
    at_least, at_most = (
        Ball.of(Fraction(end), BITS) for end in (here.lower, here.upper)
    )
    growth = Ball.of(level, BITS).exp()
    lowest, highest = Fraction(0), Fraction(1)
    for gap in GAPS:
        before, after = (_upper_end(delta, level + side * gap) for side in (-1, 1))
        steep = chord(before[0], at_least, before[1], growth)
        flat = chord(at_least, after[0], growth, after[1])
        most = under_p(at_most, growth, steep).bound().upper
        least = under_p(at_least, growth, flat).bound().lower
        highest = min(highest, Fraction(most))
        lowest = max(lowest, Fraction(least), Fraction(here.lower))
    return Bound(min(lowest, highest), highest, HOW)


def _upper_end(
    delta: Callable[[Fraction], Bound], level: Fraction
) -> tuple[Ball, Ball]:
    """The upper end of the profile at a level, and the growth there."""
    most = Fraction(delta(level).upper)
    return Ball.of(most, BITS), Ball.of(level, BITS).exp()
