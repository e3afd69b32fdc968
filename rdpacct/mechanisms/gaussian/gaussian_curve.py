"""The profile of a Gaussian loss in closed form, and its certified inverse."""

import math
import sys
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr
from rdpacct.exact.invert import newton
from rdpacct.exact.raw import error, real
from rdpacct.privacy.constants import value
from rdpacct.privacy.gaussian_profile import gaussian_profile

FEW_BITS, BITS = 80, 128
"""The precision that is enough for most shifts, and that for the others."""
ROOT = math.sqrt(2)
FAR = 700.0
"""For a larger epsilon the exponential exceeds the doubles."""
SHARP_BITS = 61
"""The accuracy of the bracket; where it cannot be reached, the slower search answers."""


@dataclass(frozen=True)
class GaussianCurve:
    """The profile of the loss N(mu**2/2, mu**2)."""

    mu: RealBall
    top = math.inf

    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon)."""
        return gaussian_profile(self.mu, epsilon)[0]

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        delta, slope = gaussian_profile(self.mu, real(epsilon))
        if delta > 0:
            return (float(delta.log()), float(slope / delta))
        return (-math.inf, -1.0)


SMALLEST = sys.float_info.min
"""Smaller doubles lose digits."""


@dataclass(frozen=True)
class PlannedCurve:
    """The profile of a Gaussian loss in doubles, to steer by."""

    mu: float
    top = math.inf

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative; nothing where it leaves the range of
        doubles.
        """
        if epsilon > FAR:
            return -math.inf, -1.0
        below = math.exp(epsilon) * math.erfc((epsilon / self.mu + self.mu / 2) / ROOT)
        twice = math.erfc((epsilon / self.mu - self.mu / 2) / ROOT) - below
        if twice > SMALLEST:
            return math.log(twice / 2), -below / twice
        return -math.inf, -1.0

    def enclosure(self, epsilon: RealBall) -> RealBall:  # noqa: ARG002
        """Every number."""
        return error(real(math.inf))


def gaussian_epsilon(mu: Expr, delta: Fraction) -> Bound | None:
    """The epsilon >= 0 at which a shift by mu standard deviations has this delta; None if it was
    not found sharply.
    """
    with precision(FEW_BITS):
        target = real(delta)
        log_target = float(target.log())
        curve = GaussianCurve(value(mu))
        size = float(curve.mu)
        start = size * size / 2 + size * math.sqrt(2 * max(-log_target, 0.0))
        planned = newton(PlannedCurve(size), log_target, start)[0] if size else 0.0
        ends = _ends(curve, target, planned)
    if ends is not None:
        return _between(*ends)
    with precision(BITS):
        target = real(delta)
        curve = GaussianCurve(value(mu))
        if curve.enclosure(real(0)) <= target:
            return Bound.exactly(Fraction(0), "delta(0) is small enough")
        ends = _ends(curve, target, newton(curve, log_target, start)[0])
    return None if ends is None else _between(*ends)


def _between(low: RealBall, high: RealBall) -> Bound:
    return Bound(
        Ball(low, BITS).lower(),
        Ball(high, BITS).upper(),
        "certified bracket of delta(epsilon) = delta",
    )


def _ends(
    curve: GaussianCurve, target: RealBall, guess: float
) -> tuple[RealBall, RealBall] | None:
    """Two sharp ends of epsilon, each certified, about one more step of Newton's from a guess; None
    if they do not hold.
    """
    if not 0 < guess < math.inf:
        return None
    at = real(guess)
    delta, slope = gaussian_profile(curve.mu, at)
    point = (at - (delta - target) / slope).mid()
    reach = point * real(2) ** -SHARP_BITS
    low = point - reach
    high = point + reach
    if low > 0 and curve.enclosure(low) > target and curve.enclosure(high) <= target:
        return low, high
    return None
