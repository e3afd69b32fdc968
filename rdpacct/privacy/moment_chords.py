"""A log moment less a line, over a quadratic: what its values at some points say of all others.

The numerator N is convex with N(0) = 0, as every log moment is. Between two points it lies below
its chord, and up to a point below the line from the origin to it.
"""

from fractions import Fraction

from rdpacct.exact.ball import Ball
from rdpacct.provenance import by


@by("cdp/chord")
def quotient_at(t: Fraction, value: Ball, linear: Fraction, square: Fraction) -> Ball:
    """N(t) / (linear t + square t**2), where N(t) has this value."""
    return value / (linear * t + square * t**2)


@by("cdp/chord")
def from_slope(slope: Ball, t: Fraction, linear: Fraction, square: Fraction) -> Ball:
    """A bound on the quotient from t on, as far as N(t) is at most t times a slope that is not
    negative.
    """
    return slope / (linear + square * t)


@by("cdp/chord")
def chord(a: Fraction, b: Fraction, at_a: Ball, at_b: Ball) -> tuple[Ball, Ball]:
    """The slope and the drop of the line slope t - drop through two values."""
    slope = (at_b - at_a) / (b - a)
    return slope, slope * a - at_a


@by("cdp/chord")
def crest(slope: Ball, drop: Ball, linear: Fraction, square: Fraction) -> Ball:
    """Where the quotient of the line slope t - drop is largest, for a positive slope and drop."""
    scaled = drop * square
    return (scaled + (scaled * scaled + slope * scaled * linear).sqrt()) / (
        slope * square
    )


@by("cdp/chord")
def at_crest(
    top: Ball, slope: Ball, drop: Ball, linear: Fraction, square: Fraction
) -> Ball:
    """The quotient of the line slope t - drop at a point."""
    return (slope * top - drop) / (top * (linear + square * top))
