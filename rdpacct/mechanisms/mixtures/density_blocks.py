"""Blocks below the tilted density of a loss, from cells of the line: first in doubles, then in
balls.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import pi, real
from rdpacct.mechanisms.mixtures.blocks import lost_in_blocks
from rdpacct.mechanisms.mixtures.mixture_pair import MixturePair
from rdpacct.privacy.constants import value

Real = TypeVar("Real", float, RealBall)
"""Numbers of a plan in doubles, or of an answer in balls."""
CELLS = 26
"""The number of cells on each side of the law."""
ENOUGH = 6.0
"""A block counts if it loses at most this many nats less than the best one."""
DEEPEST = 40.0
APART = 1.5
"""If the two largest places are at least this far apart, each has cells of its own."""


@dataclass(frozen=True)
class CellEdges:
    """The edges of cells to one side, whether they are mirrored losses, and which way losses
    rise.
    """

    edges: list[float]
    mirrored: bool
    way: int


def roughly(value: float) -> float:
    """A number to two figures: cells are as good for all tilts that are about the same."""
    return float(f"{value:.2g}")


@lru_cache(maxsize=256)
def families(pair: MixturePair, tilt: float) -> list[tuple[CellEdges, CellEdges]]:
    """The edges of cells to both sides of where the density of the loss is largest, and of where
    the law has most of its mass, if that is elsewhere.
    """
    start = pair.planned_start
    if start == -math.inf:
        start = _largest(pair, tilt, False)
    bump = _largest(pair, tilt, True)
    if bump - start < APART:
        return [_around(pair, tilt, start, math.inf)]
    places = [start + (bump - start) * j / 20 for j in range(1, 20)]
    valley = min(places, key=lambda x: planned_density(pair, x, tilt, False))
    right = CellEdges(_outwards(pair, tilt, bump, 1, math.inf), False, 1)
    left = CellEdges(_outwards(pair, tilt, bump, -1, bump - valley), False, -1)
    return [_around(pair, tilt, start, valley - start), (right, left)]


def _around(
    pair: MixturePair, tilt: float, start: float, most: float
) -> tuple[CellEdges, CellEdges]:
    right = _outwards(pair, tilt, start, 1, most)
    if pair.folded_at is not None:
        return CellEdges(right, False, 1), CellEdges(right, True, 1)
    left = _outwards(pair, tilt, start, -1, math.inf)
    return CellEdges(right, False, 1), CellEdges(left, False, -1)


def planned_density(pair: MixturePair, x: float, tilt: float, mirrored: bool) -> float:
    """The logarithm of the tilted density of the loss at x, about."""
    a = pair.first.planned_log(x)
    b = pair.second.planned_log(x)
    slope = pair.first.planned_slope(x) - pair.second.planned_slope(x)
    powers = (-tilt, 1 + tilt) if mirrored else (1 + tilt, -tilt)
    log = powers[0] * a + powers[1] * b - x * x / 2 - math.log(2 * math.pi) / 2
    return log - math.log(max(slope, 1e-300))


def _largest(pair: MixturePair, tilt: float, of_law: bool) -> float:
    """Where the tilted density of the loss is largest, about, or that of the law on the line."""
    slope = (1 + tilt) * pair.first.planned_ends[1]
    slope -= tilt * pair.second.planned_ends[0]
    low = max(-6.0, pair.planned_start)
    high = max(low, min(slope, 200.0)) + 6

    def log(x: float) -> float:
        if not of_law:
            return planned_density(pair, x, tilt, False)
        a = pair.first.planned_log(x)
        b = pair.second.planned_log(x)
        return (1 + tilt) * a - tilt * b - x * x / 2

    return max((low + (high - low) * j / 32 for j in range(33)), key=log)


def _outwards(
    pair: MixturePair, tilt: float, start: float, side: int, most: float
) -> list[float]:
    """Edges from a start to where further blocks lose little more: a block loses about the cube of
    its length.
    """
    begin = pair.planned_loss(start)
    far = 0.25
    best = -math.inf
    while far < min(DEEPEST, most):
        x = start + side * far
        length = abs(pair.planned_loss(x) - begin)
        if length <= 0:
            break
        lost = planned_density(pair, x, tilt, False) + 3 * math.log(length)
        if lost < best - ENOUGH:
            break
        best = max(best, lost)
        far *= 1.2
    far = min(far, most)
    return [start + side * far * j / CELLS for j in range(CELLS + 1)]


def nested(
    right: list[tuple[Real, Real]], left: list[tuple[Real, Real]], zero: Real
) -> list[tuple[Real, Real]]:
    """The lengths and own heights of nested blocks below a density, from how far cells reach and
    how high the density is in each, to both sides.
    """
    sides = [list(right), list(left)]
    reach = [zero, zero]
    levels: list[tuple[Real, Real]] = []
    while any(sides):
        side = 0 if sides[0] else 1
        if all(sides) and float(sides[1][0][1]) > float(sides[0][0][1]):
            side = 1
        edge, height = sides[side].pop(0)
        if levels and not height < levels[-1][1]:
            height = levels[-1][1]
        reach[side] = edge
        levels.append((reach[0] + reach[1], height))
    levels.append((zero, zero))
    return [(length, high - low) for (length, high), (_, low) in pairwise(levels)]


class PlannedBlocks:
    """The blocks of a pair at a tilt, in doubles."""

    def __init__(self, pair: MixturePair, tilt: float, mirrored: bool = True) -> None:
        self.blocks: list[tuple[float, float]] = []
        for both in families(pair, roughly(tilt)):
            right, left = (
                self._rows(pair, tilt, cells) if mirrored or not cells.mirrored else []
                for cells in both
            )
            self.blocks += nested(right, left, 0.0)

    @staticmethod
    def _rows(
        pair: MixturePair, tilt: float, cells: CellEdges
    ) -> list[tuple[float, float]]:
        losses = [pair.planned_loss(x) for x in cells.edges]
        logs = [planned_density(pair, x, tilt, cells.mirrored) for x in cells.edges]
        return [
            (cells.way * (loss - losses[0]), math.exp(min(before, after, 700.0)))
            for loss, (before, after) in zip(losses[1:], pairwise(logs), strict=True)
        ]

    def lost(self, height: float) -> float:
        """At least what a modulus loses from this height on, about."""
        total = 0.0
        for length, own in self.blocks:
            angle = length * height / 2
            square = min(angle, 1.875) ** 2
            share = square / 6 - square * square / 120
            if angle > 1:
                share = max(share, 1 - 1 / angle)
            total += length * own * share
        return total


Point = tuple[RealBall, RealBall]
"""A point of the line, and the density there."""


class BallBlocks:
    """The blocks of a pair at a tilt, in balls: each is certainly below the density; with mirror
    images or without them.
    """

    def __init__(
        self, pair: MixturePair, tilt: RealBall, mirrored: bool = True
    ) -> None:
        self.pair = pair
        self.tilt = tilt
        self.sums = pair.first.balls(), pair.second.balls()
        self.constant = 1 / (2 * pi()).sqrt()
        self.blocks: list[tuple[RealBall, RealBall]] = []
        for both in families(pair, roughly(float(tilt))):
            right, left = (
                self._rows(cells) if mirrored or not cells.mirrored else []
                for cells in both
            )
            self.blocks += nested(right, left, real(0))

    def _rows(self, cells: CellEdges) -> list[tuple[RealBall, RealBall]]:
        """How far each cell reaches, and how high the density is in it at least."""
        edges = [real(x) for x in cells.edges]
        start = self._loss(edges[0])
        if (
            cells.edges[0] == self.pair.planned_start
            and self.pair.folded_at is not None
        ):
            edges[0] = value(self.pair.folded_at)
            start = real(0)
        powers = (1 + self.tilt, -self.tilt)
        if cells.mirrored:
            powers = (-self.tilt, 1 + self.tilt)
        points = [(x, *self._at(x, powers)) for x in edges]
        return [
            (
                cells.way * (there[1] - start),
                self._least((here[0], here[2]), (there[0], there[2]), powers),
            )
            for here, there in pairwise(points)
        ]

    def _loss(self, x: RealBall) -> RealBall:
        return self.sums[0].at(x).log() - self.sums[1].at(x).log()

    def _least(
        self, first: Point, second: Point, powers: tuple[RealBall, RealBall]
    ) -> RealBall:
        """A lower bound on the tilted density of the loss between two points, with what it is
        there: that at one of them if it rises or falls, and else less by how much its logarithm can
        change.
        """
        first_x, second_x = first[0], second[0]
        x = first_x.union(second_x)
        a, a_slope, a_bend = self.sums[0].slopes(x)
        b, b_slope, b_bend = self.sums[1].slopes(x)
        rise = a_slope / a - b_slope / b
        if not rise > 0:
            return real(0)
        bend = a_bend / a - (a_slope / a) ** 2 - b_bend / b + (b_slope / b) ** 2
        change = powers[0] * a_slope / a + powers[1] * b_slope / b - x - bend / rise
        least = first[1].min(second[1])
        if not (change >= 0 or change <= 0):
            half = abs(second_x - first_x) / 2
            least = least * (-abs(change) * half).exp()
        return real(least.lower()).max(real(0))

    def _at(
        self, x: RealBall, powers: tuple[RealBall, RealBall]
    ) -> tuple[RealBall, RealBall]:
        """The loss at a point, and its tilted density there."""
        a, a_slope, _ = self.sums[0].slopes(x)
        b, b_slope, _ = self.sums[1].slopes(x)
        a_log, b_log = a.log(), b.log()
        size = (powers[0] * a_log + powers[1] * b_log - x * x / 2).exp()
        return a_log - b_log, size * self.constant / (a_slope / a - b_slope / b)

    def lost(self, height: RealBall) -> RealBall:
        """At least what the modulus of the transform loses from this height on."""
        return real(lost_in_blocks(self.blocks, height).lower()).max(real(0))
