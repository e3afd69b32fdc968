"""Gauss-Legendre sums over panels of the line for integrals of phi A**alpha B**beta, with A and B
sums of exponentials and all errors inside.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import legendre, pi, real
from rdpacct.mechanisms.mixtures.exponential_sum import ExponentialSum, SumOfBalls
from rdpacct.provenance import by

MOST_POINTS = 20_000
GROWTHS = (1.6, 2.0, 2.8)
"""The sums of semi-axes that are tried."""
SLICES = 4
"""Into how many slices an ellipse is cut for the bound on it."""
SHARES = (0.9, 0.5, 0.25, 0.1, 0.04)
"""How much of the strip without zeros an ellipse takes, as is tried."""


@dataclass(frozen=True)
class Panels:
    """Equal panels between two ends, with so many points in each, and the ellipse about each that
    bounds the error.
    """

    low: float
    high: float
    count: int
    number: int
    growth: float

    @property
    def points(self) -> int:
        """How many points there are."""
        return self.count * self.number

    def wide(self, start: RealBall) -> RealBall:
        """Half of the width of a panel, if the first begins at an exact start."""
        return (real(self.high) - start) / (2 * self.count)

    def middles(self, start: RealBall) -> list[RealBall]:
        """The middle of each panel."""
        wide = self.wide(start)
        return [start + wide * (2 * j + 1) for j in range(self.count)]

    def nodes(self, start: RealBall) -> list[tuple[RealBall, RealBall]]:
        """The points with their weights."""
        wide = self.wide(start)
        rule = legendre(self.number)
        return [
            (middle + wide * x, wide * w)
            for middle in self.middles(start)
            for x, w in rule
        ]


@dataclass(frozen=True)
class Powers:
    """The powers of A and of B at a tilt, and how fast the loss turns."""

    first: RealBall
    second: RealBall
    height: RealBall


def planned_panels(
    sums: tuple[ExponentialSum, ExponentialSum],
    powers: tuple[float, float, float],
    ends: tuple[float, float],
    nats: float,
) -> Panels:
    """The panels with the fewest points that reach the accuracy, about."""
    span = max(one.planned_ends[1] - one.planned_ends[0] for one in sums)
    length = max(ends[1] - ends[0], 1e-3)
    best = Panels(ends[0], ends[0] + length, 1, 8, 2.0)
    fewest = math.inf
    for growth in GROWTHS:
        tallness = (growth - 1 / growth) / 2
        for share in SHARES:
            tall = min(share * math.pi / max(span, 1e-9), 4.0)
            count = max(1, math.ceil(length * tallness / (2 * tall)))
            wide = length / (2 * count)
            lost = _planned_loss(sums, powers, ends, wide, growth)
            number = math.ceil((nats + 3 + lost) / (2 * math.log(growth)))
            if number >= 2 and count * number < fewest:
                fewest = count * number
                best = Panels(ends[0], ends[0] + length, count, number, growth)
    return best


def _planned_loss(
    sums: tuple[ExponentialSum, ExponentialSum],
    powers: tuple[float, float, float],
    ends: tuple[float, float],
    wide: float,
    growth: float,
) -> float:
    """By how many nats the bound on an ellipse exceeds the integrand, about, at the worst."""
    reach = wide * (growth + 1 / growth) / 2
    tall = wide * (growth - 1 / growth) / 2
    lost = tall * tall / 2
    slope = 0.0
    for one, power in zip(sums, powers[:2], strict=True):
        low, high = one.planned_ends
        if power < 0:
            bend = math.cos(min((high - low) * tall / 2, 1.57))
            lost += power * math.log(max(bend, 1e-3))
        lost += powers[2] * _planned_turn(one, ends, tall)
        slope += abs(power) * (high - low)
    return lost + 2 * reach / SLICES * (slope + 2.0)


def _planned_turn(one: ExponentialSum, ends: tuple[float, float], tall: float) -> float:
    """About the bound on the argument of a sum."""
    turn = max(map(abs, one.planned_ends)) * tall
    still = [w for w, c in one.planned_terms if c == 0]
    if not still or 2 * turn >= math.pi:
        return turn
    moved = sum(
        abs(c) * math.exp(min(w + max(c * end for end in ends), 600.0))
        for w, c in one.planned_terms
    )
    return min(turn, tall * moved / math.exp(still[0]))


@by("sampling/mixture-transform")
def panel_error(
    most: RealBall, wide: RealBall, number: int, growth: RealBall
) -> RealBall:
    """The error of a Gauss-Legendre sum over a panel, for an integrand that is at most ``most`` on
    the ellipse about it.
    """
    if not (growth > 1 and number >= 2):
        return real(math.inf)
    return (
        wide * most * 64 / 15 / (growth ** (2 * number) * (1 - 1 / (growth * growth)))
    )


def ellipse_most(
    sums: tuple[SumOfBalls, SumOfBalls],
    shares: Sequence[Powers],
    middle: RealBall,
    wide: RealBall,
    growth: RealBall,
) -> RealBall:
    """A bound on the modulus of exp(-x**2/2) A**(alpha + i t) B**(beta - i t) on the ellipse about
    a panel, for 0 <= t <= height, added up over several powers.
    """
    reach = wide * (growth + 1 / growth) / 2
    tall = wide * (growth - 1 / growth) / 2
    ends = [middle + reach * (2 * j - SLICES) / SLICES for j in range(SLICES + 1)]
    largest = [real(0) for _ in shares]
    for low, high in pairwise(ends):
        found = _slice_most(sums, shares, low, high, tall)
        largest = [one.max(other) for one, other in zip(largest, found, strict=True)]
    return sum(largest[1:], start=largest[0])


def _slice_most(
    sums: tuple[SumOfBalls, SumOfBalls],
    shares: Sequence[Powers],
    low: RealBall,
    high: RealBall,
    tall: RealBall,
) -> list[RealBall]:
    """The same between two points of the line, up to a distance of it, for each of the powers."""
    angles = [(one.last - one.first) * tall for one in sums]
    if not all(angle < pi() for angle in angles):
        return [real(math.inf) for _ in shares]
    first, second = (one.between(low, high) for one in sums)
    size = density_most(low.max(-high).max(real(0)), tall)
    size = size * (shares[0].height * (first.turn(tall) + second.turn(tall))).exp()
    return [
        size
        * power_most(first.least, first.most, powers.first, angles[0])
        * power_most(second.least, second.most, powers.second, angles[1])
        for powers in shares
    ]


@by("sampling/mixture-transform")
def density_most(nearest: RealBall, tall: RealBall) -> RealBall:
    """A bound on |exp(-z**2/2)| up to ``tall`` of the line, at least so far from 0."""
    return ((tall * tall - nearest * nearest) / 2).exp()


@by("sampling/mixture-transform")
def power_most(
    least: RealBall, most: RealBall, power: RealBall, angle: RealBall
) -> RealBall:
    """A bound on |S|**power where S on the line is between two values, and its terms turn by at
    most this angle against each other.
    """
    if power >= 0:
        return most**power
    return (least * (angle / 2).cos()) ** power


def tail_beyond(
    sums: tuple[SumOfBalls, SumOfBalls], powers: Powers, end: RealBall, upper: bool
) -> RealBall:
    """A bound on the integral of exp(-x**2/2) A**alpha B**beta above an end, or below it."""
    sign = 1 if upper else -1
    slope = real(0)
    size = (-end * end / 2).exp()
    for one, power in zip(sums, (powers.first, powers.second), strict=True):
        steepest = one.last if (power >= 0) == upper else one.first
        slope = slope + sign * power * steepest
        size = size * one.at(end) ** power
    return falling_tail(size, sign * end - slope)


@by("sampling/mixture-transform")
def falling_tail(size: RealBall, rate: RealBall) -> RealBall:
    """The integral of size exp(-rate s) over s >= 0."""
    if not rate > 0:
        return real(math.inf)
    return size / rate
