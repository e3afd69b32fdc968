"""How often one example is used in training: a cap that random batches keep but for a chance."""

import math
from fractions import Fraction

from rdpacct.exact.ball import refine
from rdpacct.exact.binomial import at_most
from rdpacct.exact.bound import Bound, decimal_up
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.provenance import by

FIGURES = 3
"""The figures of a chance, which is rounded up."""


def chance_above(cap: int, steps: int, rate: Fraction) -> Bound:
    """The probability that an example is in more batches than the cap, if it is in each of them
    with probability ``rate``, independently.
    """
    if cap >= steps:
        return Bound.exactly(Fraction(0))
    ball = refine(lambda bits: at_most(steps - cap - 1, steps, 1 - rate, bits))
    return ball.bound()


def rounded_chance(cap: int, steps: int, rate: Fraction) -> Fraction:
    """The same as a short decimal that is not too small."""
    return Fraction(decimal_up(chance_above(cap, steps, rate).upper, FIGURES))


def smallest_cap(steps: int, rate: Fraction, chance: Fraction) -> int:
    """The smallest cap that an example exceeds with at most this probability."""
    low, high = -1, steps
    guess = _guess(steps, rate, chance)
    if -1 < guess < steps:
        if chance_above(guess, steps, rate).certainly_at_most(chance):
            high = guess
        else:
            low = guess
    while high - low > 1:
        middle = (low + high) // 2
        if chance_above(middle, steps, rate).certainly_at_most(chance):
            high = middle
        else:
            low = middle
    return high


def _guess(steps: int, rate: Fraction, chance: Fraction) -> int:
    """A cap that is as many deviations above the mean as a normal law would need."""
    mean = float(steps * rate)
    reach = math.sqrt(max(-2 * math.log(float(chance)), 0.0)) if chance > 0 else 40.0
    return math.ceil(mean + 2 * reach * math.sqrt(mean) + reach**2)


@by("composition/parallel")
def training_with(uses: int, release: Gaussian) -> Plan:
    """All steps of training in which an example is used at most ``uses`` times: the other steps
    have the same law for both neighbors, and so has the choice of the batches.
    """
    return uses * release
