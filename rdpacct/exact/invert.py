"""Inverting a certified profile: two doubles of at least zero between which delta(epsilon) passes a
target.
"""

import math
from typing import Protocol

from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import real

MOST_STEPS = 60
FEW_STEPS, FAR = 4, 4
"""A guess is improved by enclosures at most the first number of times: while it is farther off than
the second number of their widths, and by more than the distance of two doubles.
"""
SURE = 100
"""The slope of a chord is believed if its ends differ by this many times their errors."""
BEYOND = 1.007
"""An end is first tried this factor beyond its planned errors."""
FAR_BELOW_TOP = 700.0
"""So far below the largest loss, doubles have no use for the convexity of a profile."""
SMALLEST = 1e-300
"""A point below this is taken to be zero."""


class Curve(Protocol):
    """A profile near a point: an estimate to steer by, and an enclosure to answer with."""

    @property
    def top(self) -> float:
        """About the largest loss, infinite if it does not matter."""

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""

    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon)."""


def newton(curve: Curve, log_target: float, start: float) -> tuple[float, float]:
    """About where log delta passes the target, and the slope there; zero if it does so before.

    Below a finite top the steps are taken in log(top - epsilon), in which log delta is nearly
    straight.
    """
    at = max(start, 0.0)
    slope = -1.0
    top = curve.top
    low = -math.inf
    high = top
    for _ in range(MOST_STEPS):
        size, slope = curve.planned_log(at)
        if at == 0.0 and size <= log_target:
            return at, slope
        low, high = (at, high) if size > log_target else (low, at)
        after = max(_step(at, size - log_target, slope, top), 0.0)
        if abs(after - at) <= max(
            1e-7 * min(abs(after), top - after), 1e-14, 2 * math.ulp(after)
        ):
            return after, slope
        if not low < after < high or abs(after - at) > 2 * abs(at) + 50:
            # where the profile is flat, a slope leads anywhere
            after = _between(low, high)
        at = after
    return at, slope


def _between(low: float, high: float) -> float:
    """A point between the ends of which at least one is finite: never below zero, where nothing is
    asked.
    """
    if not math.isfinite(high):
        return 2 * low + 1
    if high > SMALLEST:
        return (max(low, 0.0) + high) / 2
    return 0.0


def _step(at: float, excess: float, slope: float, top: float) -> float:
    if not (math.isfinite(excess) and slope < 0):
        return math.nan
    if not math.isfinite(top):
        return at - excess / slope
    rate = slope * (top - at)
    if rate < 0:
        return top - (top - at) * math.exp(min(excess / rate, 50.0))
    return math.nan


def crossing(
    curve: Curve, target: RealBall, log_target: float, guess: float, slope: float
) -> tuple[float, float]:
    """Doubles a <= b with delta(a) > target >= delta(b), each certified; infinite where none was
    found near.

    The guess, and the slope there, are what ``newton`` finds for the logarithm of the target.
    """
    if not (math.isfinite(guess) and slope < 0):
        return -math.inf, math.inf
    slope = min(slope, flattest(guess, curve.top))
    low, high = _planned_ends(curve, target, log_target, guess, slope)
    if math.isfinite(low) and math.isfinite(high):
        return low, high
    guess, slope, ratio = _closer(curve, target, guess, slope)
    walked_low, walked_high = _walks(curve, target, guess, slope, ratio)
    return max(low, walked_low), min(high, walked_high)


def _planned_ends(
    curve: Curve, target: RealBall, log_target: float, guess: float, slope: float
) -> tuple[float, float]:
    """The ends that a curve plans by its own errors, each infinite where it is not certain.

    An upper end is only tried if the lower one holds.
    """
    errors = _planned_errors(curve, guess, log_target)
    if errors is None:
        return -math.inf, math.inf
    least = _least(guess)
    low = max(guess - max(least, BEYOND * errors[0] / -slope), 0.0)
    if not curve.enclosure(real(low)) > target:
        return -math.inf, math.inf
    high = guess + max(least, BEYOND * errors[1] / -slope)
    if not curve.enclosure(real(high)) <= target:
        return low, math.inf
    return low, high


def flattest(epsilon: float, top: float) -> float:
    """The slope of log delta is at most this: delta is convex in exp(epsilon), and zero from the
    top on.
    """
    below_top = max(top - epsilon, math.ulp(epsilon))
    return -1 / math.expm1(min(below_top, FAR_BELOW_TOP))


def _least(guess: float) -> float:
    """The least distance of an end from a guess: two doubles, as they lie below it."""
    return 2 * math.ulp(math.nextafter(guess, 0.0))


def _planned_errors(
    curve: Curve, guess: float, log_target: float
) -> tuple[float, float] | None:
    """About how far below and above its estimate the ends of its enclosure lie, as shares of
    delta, for a curve that knows that.
    """
    planned_errors = getattr(curve, "planned_errors", None)
    if planned_errors is None:
        return None
    errors: tuple[float, float] | None = planned_errors(guess, log_target)
    return errors


def _walks(
    curve: Curve, target: RealBall, guess: float, slope: float, ratio: RealBall
) -> tuple[float, float]:
    """The ends on both sides of a guess, where delta over the target, less 1, is that."""
    if not ratio.is_finite():
        return -math.inf, math.inf
    if guess == 0.0 and ratio <= 0:
        return -math.inf, 0.0
    least = _least(guess)
    down = max(least, -BEYOND * float(ratio.lower()) / -slope)
    up = max(least, BEYOND * float(ratio.upper()) / -slope)
    return (
        _walk(curve, target, guess, -down, above=True),
        _walk(curve, target, guess, up, above=False),
    )


def _closer(
    curve: Curve, target: RealBall, guess: float, slope: float
) -> tuple[float, float, RealBall]:
    """A guess that is as good as the enclosure there allows, the slope of log delta about it, and
    delta over the target there, less 1.
    """
    ratio = curve.enclosure(real(guess)) / target - 1
    for _ in range(FEW_STEPS):
        if not (
            ratio.is_finite()
            and ratio > -1
            and abs(ratio.mid()) > FAR * ratio.rad() - slope * math.ulp(guess)
        ):
            break
        missing = float((1 + ratio.mid()).log())
        after = max(guess - missing / slope, 0.0)
        if after == guess or not after < curve.top:
            break
        there = curve.enclosure(real(after)) / target - 1
        if abs(ratio.mid()) > SURE * (ratio.rad() + there.rad()) and there > -1:
            chord = (float((1 + there.mid()).log()) - missing) / (after - guess)
            slope = chord if chord < 0 else slope
        guess = after
        ratio = there
    return guess, slope, ratio


def _walk(
    curve: Curve, target: RealBall, guess: float, step: float, above: bool
) -> float:
    """The first point in growing steps at which delta is certainly above the target, or certainly
    at most it.
    """
    for _ in range(MOST_STEPS):
        point = max(guess + step, 0.0)
        delta = curve.enclosure(real(point))
        if delta > target if above else delta <= target:
            return point
        if point == 0.0:
            break
        step *= 2
    return -math.inf if above else math.inf
