"""Ends of bounds and of ranges: roots, probabilities and largest values."""

import math
from fractions import Fraction

from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound, End
from rdpacct.exact.formula import Expr
from rdpacct.exact.functions import maximum, sqrt
from rdpacct.privacy.parts import Edge

BITS = 256


def root_of(square: Bound) -> Bound:
    """The square root of a nonnegative bound."""
    if square.is_exact and math.isinf(square.upper):
        return square
    if square.is_exact:
        return sqrt(Fraction(square.lower)).bound(square.how)
    low = _root(square.lower).lower()
    if isinstance(square.upper, float):
        return Bound(low, square.upper, square.how)
    return Bound(low, _root(square.upper).upper(), square.how)


def _root(square: End) -> Ball:
    return Ball.of(Fraction(max(square, 0)), BITS).sqrt()


def at_least_zero(bound: Bound) -> Bound:
    """The bound on the larger one of an unknown number and zero."""
    return Bound(
        max(bound.lower, Fraction(0)), max(bound.upper, Fraction(0)), bound.how
    )


def probability(ball: Ball, how: str) -> Bound:
    """The ball as a bound, cut to what a probability can be."""
    bound = ball.bound(how)
    return Bound(
        min(max(bound.lower, Fraction(0)), 1),
        max(min(bound.upper, Fraction(1)), 0),
        how,
    )


def extreme(edges: list[Edge]) -> Edge:
    """The largest of several ends, as an exact real number where they are finite."""
    if not edges or math.inf in edges:
        return math.inf if edges else -math.inf
    largest, *others = sorted(
        (edge for edge in edges if isinstance(edge, Expr)),
        key=lambda e: float(e.ball(128)),
        reverse=True,
    )
    for other in others:
        if other != largest and not (largest - other).ball(128).certainly_positive():
            largest = maximum(largest, other)
    return largest
