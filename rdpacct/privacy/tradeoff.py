"""The trade-off function of a pair: false negatives against false positives, from the profile."""

import math
from fractions import Fraction

from rdpacct.by import by
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound
from rdpacct.privacy.loss import PrivacyLoss

BITS = 160
GAP = Fraction(1, 2**14)
"""How far apart, in epsilon, the points lie from which the curve is bounded above."""


@by("tradeoff/from-profile")
def tradeoff(loss: PrivacyLoss, rate: Fraction) -> Bound:
    """The largest 1 - delta(eps) - exp(eps) rate over eps; it is concave in exp(eps), so that three points bound it.

    Any eps gives a lower bound. Between two points about a third that is above both, a concave function stays below
    the two chords, extended.
    """
    at = _best(loss, rate)
    levels = [at - GAP, at, at + GAP]
    values = [_value(loss, level, rate) for level in levels]
    left, here, right = (Ball.of(level, BITS).exp() for level in levels)
    low = max(Fraction(0), *(Fraction(value.lower()) for value in values))
    first, middle, last = values
    if not ((middle - first).certainly_positive() and (middle - last).certainly_positive()):
        return Bound(low, 1 - rate, "the best test was not found sharply")
    one = middle + (middle - last) * (here - left) / (right - here)
    two = middle + (middle - first) * (right - here) / (here - left)
    high = max(Fraction(one.upper()), Fraction(two.upper()))
    return Bound(low, min(max(high, low), 1 - rate), "three points of the profile (tradeoff/from-profile)")


def _value(loss: PrivacyLoss, level: Fraction, rate: Fraction) -> Ball:
    delta = loss.delta(level)
    return 1 - Ball.hull(Fraction(delta.lower), Fraction(delta.upper), BITS) - Ball.of(level, BITS).exp() * rate


def _best(loss: PrivacyLoss, rate: Fraction) -> Fraction:
    """About where the largest value is taken: a search by thirds in doubles."""
    low, high = -40.0, -math.log(float(rate)) if float(rate) > 0 else 700.0
    for _ in range(60):
        if high - low < float(GAP) / 8:
            break
        third = (high - low) / 3
        ends = [float(_value(loss, Fraction(x), rate)) for x in (low + third, high - third)]
        low, high = (low + third, high) if ends[0] < ends[1] else (low, high - third)
    return Fraction((low + high) / 2)
