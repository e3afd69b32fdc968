"""The integrand phi A**alpha B**beta on the line: how fast it falls from one point to another.

The logarithm of a sum of exponentials is convex. So between two points its slope is between those
at the points, and the integrand falls from one of them at a rate that is known for all points
between.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import real
from rdpacct.mechanisms.mixtures.exponential_sum import SumOfBalls
from rdpacct.provenance import by

Sums = tuple[SumOfBalls, SumOfBalls]
MOST_CELLS = 400
"""A tail is cut into at most this many cells."""
SHORTEST = 0.25
"""A cell shorter than this is not cut further."""


@dataclass(frozen=True)
class Powers:
    """The powers of A and of B at a tilt, and how fast the loss turns."""

    first: RealBall
    second: RealBall
    height: RealBall


@dataclass(frozen=True)
class Fall:
    """A bound on the integrand between two points: its size at one, and the rate at which it falls
    from there at least.
    """

    size: RealBall
    rate: RealBall

    def most(self, width: RealBall) -> RealBall:
        """A bound on all values within a width."""
        if self.rate >= 0:
            return self.size
        return self.size * (-self.rate * width).exp()

    def integral(self, width: RealBall) -> RealBall:
        """A bound on the integral over a width."""
        if self.rate > 0:
            return falling_tail(self.size, self.rate).min(self.size * width)
        return self.most(width) * width


class LinePoint:
    """A point of the line with what both sums are there: their logarithms, and the slopes of
    these.
    """

    def __init__(self, sums: Sums, x: RealBall) -> None:
        self.x = x
        self.logs = []
        self.slopes = []
        for mixture in sums:
            total, slope, _ = mixture.slopes(x)
            self.logs.append(total.log())
            self.slopes.append(slope / total)

    def fall(self, powers: Powers, far: Sequence[RealBall], sign: int) -> Fall:
        """How the integrand falls from here towards larger x (sign 1) or smaller x (sign -1), up to
        where the slopes of the logarithms are ``far``.
        """
        log = real(0)
        rate = self.x
        both = (powers.first, powers.second)
        for j, power in enumerate(both):
            log = log + power * self.logs[j]
            near = self.slopes[j]
            # towards smaller x the slopes exchange their roles, as the line is turned round
            rate = rate - sign * steepest(power, sign * near, sign * far[j])
        return Fall(log.exp() * density_most(self.x, real(0)), sign * rate)


@by("sampling/mixture-transform")
def steepest(power: RealBall, near: RealBall, far: RealBall) -> RealBall:
    """At most how fast the logarithm of S**power rises from one point towards another, on average,
    from the slopes of log S at both.
    """
    if power >= 0:
        return power * far
    return power * near


@by("sampling/mixture-transform")
def density_most(near: RealBall, tall: RealBall) -> RealBall:
    """A bound on |exp(-z**2/2)| up to ``tall`` of the line, but for the factor exp(-near (x -
    near)).
    """
    return ((tall * tall - near * near) / 2).exp()


@by("sampling/mixture-transform")
def falling_tail(size: RealBall, rate: RealBall) -> RealBall:
    """The integral of size exp(-rate s) over s >= 0."""
    if not rate > 0:
        return real(math.inf)
    return size / rate


def between(low: LinePoint, high: LinePoint, powers: Powers) -> tuple[Fall, Fall]:
    """The falls from both ends of an interval into it, the lower end first."""
    return low.fall(powers, high.slopes, 1), high.fall(powers, low.slopes, -1)


def tail_beyond(
    sums: Sums,
    powers: Powers,
    end: RealBall,
    upper: bool,
    limit: RealBall | None = None,
) -> RealBall:
    """A bound on the integral of exp(-x**2/2) A**alpha B**beta above an end, or below it, down to a
    limit if there is one.
    """
    sign = 1 if upper else -1
    last = [mixture.last if upper else mixture.first for mixture in sums]
    here = LinePoint(sums, end)
    width = 1.0
    total = real(0)
    for _ in range(MOST_CELLS):
        fall = here.fall(powers, last, sign)
        if fall.rate > 0:
            return total + falling_tail(fall.size, fall.rate)
        x = (here.x + sign * width).mid()
        if limit is not None and not x > limit:
            x = limit
        there = LinePoint(sums, x)
        ends = (here, there) if upper else (there, here)
        falls = between(*ends, powers)
        if width > SHORTEST and not any(end_fall.rate > 0 for end_fall in falls):
            width /= 2
            continue
        length = abs(there.x - here.x)
        total = total + falls[0].integral(length).min(falls[1].integral(length))
        if limit is not None and x is limit:
            return total
        here = there
        width *= 2
    return real(math.inf)
