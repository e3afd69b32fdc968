"""The probabilities of large losses, from slopes of the profile."""

from collections.abc import Sequence
from fractions import Fraction

from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound
from rdpacct.provenance import by

BITS = 192
GAP = Fraction(1, 2**20)
"""How far before and after a level answers for delta are asked for."""
HOW = "slopes of the profile (engine/event-probabilities)"


def event_probabilities(
    level: Fraction, gap: Fraction, deltas: Sequence[Ball]
) -> tuple[Bound, Bound]:
    """The probabilities of a loss above a level under P and Q, from the profile a gap before it, at
    it, and a gap after it.
    """
    growth = [Ball.of(level + k * gap, BITS).exp() for k in (-1, 0, 1)]
    most = chord(deltas[0], deltas[1], growth[0], growth[1]).bound()
    least = chord(deltas[1], deltas[2], growth[1], growth[2]).bound()
    low = Fraction(max(Fraction(0), least.lower))
    high = Fraction(min(Fraction(1), most.upper))
    p = under_p(deltas[1], growth[1], Ball.hull(low, high, BITS)).bound()
    first = Bound(max(p.lower, Fraction(0)), min(p.upper, Fraction(1)), HOW)
    return first, Bound(low, high, HOW)


def intersections(
    first: tuple[Bound, Bound], second: tuple[Bound, Bound]
) -> tuple[Bound, Bound]:
    """What two answers for the two probabilities say together."""
    return intersection(first[0], second[0]), intersection(first[1], second[1])


def intersection(first: Bound, second: Bound) -> Bound:
    """What two bounds say together: the first one where the second is no closer."""
    if second.lower <= first.lower and first.upper <= second.upper:
        return first
    lower = max(first.lower, second.lower)
    return Bound(lower, min(first.upper, second.upper), second.how)


@by("engine/event-probabilities")
def chord(first: Ball, second: Ball, before: Ball, after: Ball) -> Ball:
    """Minus the slope of the profile between two points of g = exp(epsilon): at most the
    probability of a larger loss under Q before them, and at least that after them.
    """
    return (first - second) / (after - before)


@by("engine/event-probabilities")
def under_p(delta: Ball, growth: Ball, under_q: Ball) -> Ball:
    """The probability under P of a loss above epsilon, from that under Q."""
    return delta + growth * under_q
