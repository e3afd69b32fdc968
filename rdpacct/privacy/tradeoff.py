"""The trade-off function of a pair: false negatives against false positives, from the profile."""

import math
from fractions import Fraction

from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.provenance import by

BITS = 160
GAPS = tuple(Fraction(1, 2**bits) for bits in (14, 11, 8, 5))
"""How far apart, in epsilon, the points lie from which the curve is bounded above; the first that shows a peak."""


@by("tradeoff/from-profile")
def tradeoff(loss: PrivacyLoss, rate: Fraction) -> Bound:
    """The largest 1 - delta(eps) - exp(eps) rate over eps; it is concave in exp(eps), so that three points bound it.

    Any eps gives a lower bound. Between two points about a third that is above both, a concave function stays below
    the two chords, extended.
    """
    at = _best(loss, rate)
    middle, here = _value(loss, at, rate), Ball.of(at, BITS).exp()
    low = max(Fraction(0), Fraction(middle.lower()))
    for gap in GAPS:
        first, last = (_value(loss, level, rate) for level in (at - gap, at + gap))
        low = max(low, Fraction(first.lower()), Fraction(last.lower()))
        if (middle - first).certainly_positive() and (middle - last).certainly_positive():
            left, right = (Ball.of(level, BITS).exp() for level in (at - gap, at + gap))
            one = middle + (middle - last) * (here - left) / (right - here)
            two = middle + (middle - first) * (right - here) / (here - left)
            high = max(Fraction(one.upper()), Fraction(two.upper()))
            return Bound(low, min(max(high, low), 1 - rate), "three points of the profile (tradeoff/from-profile)")
    return Bound(low, 1 - rate, "the best test was not found sharply")


def _value(loss: PrivacyLoss, level: Fraction, rate: Fraction) -> Ball:
    delta = loss.delta(level)
    return 1 - Ball.hull(Fraction(delta.lower), Fraction(delta.upper), BITS) - Ball.of(level, BITS).exp() * rate


def _best(loss: PrivacyLoss, rate: Fraction) -> Fraction:
    """About where the largest value is taken: a search by thirds in doubles."""
    low, high = -40.0, -math.log(float(rate)) if float(rate) > 0 else 700.0
    for _ in range(60):
        if high - low < float(GAPS[0]) / 8:
            break
        third = (high - low) / 3
        ends = [float(_value(loss, Fraction(x), rate)) for x in (low + third, high - third)]
        low, high = (low + third, high) if ends[0] < ends[1] else (low, high - third)
    return Fraction((low + high) / 2)
