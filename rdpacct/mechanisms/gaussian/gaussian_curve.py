"""The profile of a Gaussian loss in closed form, and its certified inverse."""

import math
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr
from rdpacct.exact.invert import newton
from rdpacct.exact.raw import real
from rdpacct.privacy.constants import value
from rdpacct.privacy.gaussian_profile import gaussian_profile

BITS = 128
SHARP_BITS = 60
"""How sharp the bracket is; where it cannot be, the slower search is left to answer."""


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


def gaussian_epsilon(mu: Expr, delta: Fraction) -> Bound | None:
    """The epsilon >= 0 at which a shift by mu standard deviations has this delta; None if it was
    not found sharply.
    """
    with precision(BITS):
        curve = GaussianCurve(value(mu))
        target = real(delta)
        if curve.enclosure(real(0)) <= target:
            return Bound.exactly(Fraction(0), "delta(0) is small enough")
        size = float(curve.mu)
        start = size * size / 2 + size * math.sqrt(2 * max(-float(target.log()), 0.0))
        guess = real(newton(curve, float(target.log()), start)[0])
        found, slope = gaussian_profile(curve.mu, guess)
        point = (guess - (found - target) / slope).mid()
        ends = [
            point - point * real(2) ** -SHARP_BITS,
            point + point * real(2) ** -SHARP_BITS,
        ]
        if not (
            ends[0] > 0
            and curve.enclosure(ends[0]) > target
            and curve.enclosure(ends[1]) <= target
        ):
            return None
        low, high = (Ball(end, BITS) for end in ends)
    return Bound(
        max(low.lower(), Fraction(0)),
        high.upper(),
        "certified bracket of delta(epsilon) = delta",
    )
