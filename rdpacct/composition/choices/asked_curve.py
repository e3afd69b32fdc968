"""Answers from a curve with a mass at infinity: delta at an epsilon, and epsilon at a delta."""

import math
from fractions import Fraction
from typing import Protocol

from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.bound import Bound, End
from rdpacct.exact.invert import Curve, crossing, newton
from rdpacct.exact.raw import real
from rdpacct.privacy.family import BITS


class AskedCurve(Curve, Protocol):
    """A profile that includes the mass of infinite losses."""

    @property
    def infinite(self) -> RealBall:
        """The mass of the infinite losses."""

    @property
    def start(self) -> float:
        """Where a search for an epsilon begins."""

    @property
    def how(self) -> str:
        """The name of the method."""


def delta_of(curve: AskedCurve, epsilon: Fraction) -> Bound:
    """delta at an epsilon, which may be negative."""
    with precision(BITS):
        bound = Ball(curve.enclosure(real(epsilon)), BITS).bound()
    return ends(max(bound.lower, Fraction(0)), min(bound.upper, Fraction(1)), curve.how)


def epsilon_of(curve: AskedCurve, delta: Fraction) -> Bound:
    """epsilon at a delta above 0."""
    with precision(BITS):
        return _inverted(curve, real(delta))


def _inverted(curve: AskedCurve, delta: RealBall) -> Bound:
    if curve.infinite > delta:
        return Bound.exactly(math.inf, "the mass at infinity exceeds delta")
    if curve.enclosure(real(0)) <= delta:
        return Bound.exactly(Fraction(0), "delta(0) is small enough")
    if not curve.infinite < delta:
        largest = _end(curve.top)
        upper = largest * (1 + Fraction(1, 2**40)) if largest < math.inf else math.inf
        return ends(Fraction(0), upper, "the mass at infinity is close to delta")
    log_delta = float(delta.log())
    near = newton(curve, log_delta, curve.start)
    low, high = crossing(curve, delta, log_delta, *near)
    return ends(Fraction(max(low, 0.0)), _end(high), curve.how)


def _end(number: float) -> End:
    return Fraction(number) if math.isfinite(number) else math.inf


def ends(lower: End, upper: End, how: str) -> Bound:
    """A bound of two ends that may be out of order by rounding."""
    return Bound(min(lower, upper), upper, how)


def within(one: Bound, other: Bound) -> Bound:
    """The intersection of two enclosures of the same number."""
    upper = min(one.upper, other.upper)
    how = one.how if upper == one.upper < other.upper else other.how
    return ends(max(one.lower, other.lower), upper, how)
