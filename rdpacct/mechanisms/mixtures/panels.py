"""Gauss-Legendre sums over panels of the line for integrals of phi A**alpha B**beta, with A and B
sums of exponentials and all errors inside.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import legendre, pi, real
from rdpacct.mechanisms.mixtures.integrand import (
    LinePoint,
    Powers,
    Sums,
    between,
    density_most,
)
from rdpacct.provenance import by

SLICES = 4
"""For its bound an ellipse is cut into this many slices."""


@dataclass(frozen=True)
class Panels:
    """Equal panels between two ends, with this many points in each, and the ellipse about each that
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
    sums: Sums,
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
    points = [LinePoint(sums, end) for end in ends]
    largest = [real(0) for _ in shares]
    for low, high in pairwise(points):
        slice_bounds = _slice_most(sums, shares, (low, high), tall)
        largest = [
            one.max(other) for one, other in zip(largest, slice_bounds, strict=True)
        ]
    return sum(largest[1:], start=largest[0])


def _slice_most(
    sums: Sums,
    shares: Sequence[Powers],
    ends: tuple[LinePoint, LinePoint],
    tall: RealBall,
) -> list[RealBall]:
    """The same between two points of the line, up to a distance of it, for each of the powers."""
    low, high = ends
    angles = [(mixture.last - mixture.first) * tall for mixture in sums]
    if not all(angle < pi() for angle in angles):
        return [real(math.inf) for _ in shares]
    first, second = (mixture.between(low.x, high.x) for mixture in sums)
    kept = [
        kept_by_angle(angle).max(kept_by_spread(tall, bounds.spread))
        for angle, bounds in zip(angles, (first, second), strict=True)
    ]
    size = density_most(real(0), tall)
    size = size * (shares[0].height * (first.turn(tall) + second.turn(tall))).exp()
    width = high.x - low.x
    largest = []
    for powers in shares:
        upwards, downwards = between(low, high, powers)
        on_line = upwards.most(width).min(downwards.most(width))
        off_line = off_axis(powers.first, kept[0]) * off_axis(powers.second, kept[1])
        largest.append(size * on_line * off_line)
    return largest


@by("sampling/mixture-transform")
def kept_by_angle(angle: RealBall) -> RealBall:
    """At most |S(x + i y)|/S(x), if the terms turn by at most this angle against each other."""
    return (angle / 2).cos()


@by("sampling/mixture-transform")
def kept_by_spread(tall: RealBall, spread: RealBall) -> RealBall:
    """The same up to ``tall`` of the line, from the mean square distance of the places from one of
    them, weighted by the terms.
    """
    return 1 - tall * tall * spread / 2


@by("sampling/mixture-transform")
def off_axis(power: RealBall, kept: RealBall) -> RealBall:
    """A bound on (|S(x + i y)|/S(x))**power, where the quotient is at most 1 and at least
    ``kept``.
    """
    if power >= 0:
        return real(1)
    return kept**power
