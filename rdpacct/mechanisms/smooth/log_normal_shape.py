"""Where the loss beyond the center of the broader of two log-normal laws rises and falls.

Beyond both centers the loss of the narrower law against the broader one has the slope r(u)/s - r(z)
at z, with u = (z - c)/s: it may rise first, and then falls. Cells show it: r falls and z r(z)
rises, so that the ends of a cell bound both of its terms.
"""

import math
from dataclasses import dataclass

from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.formula import Expr
from rdpacct.exact.raw import real
from rdpacct.mechanisms.smooth.log_normal_law import LogNormalLaw
from rdpacct.privacy.constants import value
from rdpacct.provenance import remembered
from rdpacct.work import spend

BITS = 48
"""The precision at which slopes are compared."""
DEEPEST = 150.0
"""The broader law is looked at down to this many nats."""
CLOSE, FIRST = 1e-3, 1e-9
"""The shape is shown up to this close to its turn, and to the center, as shares of the distance."""
SCANNED = 400
MOST_CELLS = 15_000
WIDTH = 1.25
"""The factor between the ends of a cell at first, where the loss rises."""
LEAST_WIDTH = 1e-4
CELL_WORK = 150


@dataclass(frozen=True)
class RiseAndFall:
    """The loss rises from the center up to ``rises``, and falls from ``falls`` up to ``far``; these
    are distances from the center. Nothing is said of what is between or beyond.
    """

    rises: float
    falls: float
    far: float


@dataclass(frozen=True)
class BeyondBoth:
    """The outputs beyond both centers, where the broader law has a scale of its own."""

    law: LogNormalLaw
    shift: Expr
    ratio: Expr
    """The logarithm of that scale, at least 0."""

    @property
    def shape(self) -> RiseAndFall | None:
        """The shape for a ratio above 0, or None if it is not shown."""
        return _shape(self)


@remembered(64)
def _shape(beyond: BeyondBoth) -> RiseAndFall | None:
    """Kept for further questions about the same noise, as it takes half of the time of one."""
    with precision(BITS):
        shift = value(beyond.shift)
        stretch = value(beyond.ratio).exp()
        return Slopes(beyond.law, shift, stretch).shape()


@dataclass(frozen=True)
class Slopes:
    """The slope of the loss at distances beyond the center of the broader law."""

    law: LogNormalLaw
    shift: RealBall
    stretch: RealBall

    def planned(self, distance: float) -> float:
        """About the slope, relative to that of the narrower law."""
        here = self.law.rate(real(distance) + self.shift)
        there = self.law.rate(real(distance) / self.stretch)
        return float(there / self.stretch / here) - 1

    def shape(self) -> RiseAndFall | None:
        """Planned on a grid of distances, and shown in cells."""
        far = self._far()
        scale = (far / FIRST) ** (1 / SCANNED)
        grid = [FIRST * scale**k for k in range(SCANNED + 1)]
        spend(CELL_WORK * SCANNED)
        slopes = list(map(self.planned, grid))
        if any(map(math.isnan, slopes)):
            return None
        signs = [slope > 0 for slope in slopes]
        turns = [k for k in range(SCANNED) if signs[k] != signs[k + 1]]
        if len(turns) > 1 or (turns and not signs[0]) or (signs[0] and not turns):
            return None
        if not turns:
            shown = RiseAndFall(0.0, 0.0, far)
        else:
            turn = self._turn(grid[turns[0]], grid[turns[0] + 1])
            shown = RiseAndFall(turn * (1 - CLOSE), turn * (1 + CLOSE), far)
        if self._shown(shown):
            return shown
        return None

    def _far(self) -> float:
        high = 1.0
        while self.law.depth(high / float(self.stretch)) < DEEPEST:
            high *= 2
        return high

    def _turn(self, low: float, high: float) -> float:
        for _ in range(40):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self.planned(middle) > 0 else (low, middle)
        return math.sqrt(low * high)

    def _shown(self, shape: RiseAndFall) -> bool:
        """Cell by cell, halved where its ends do not say enough."""
        widest = max(float(self.stretch), 1 + LEAST_WIDTH)
        cells = _cells(shape.rises)
        start = shape.falls
        if start == 0.0:
            cells.append((0.0, FIRST, False))
            start = FIRST
        while start < shape.far:
            end = min(start * widest, shape.far)
            cells.append((start, end, False))
            start = end
        looked_at = 0
        while cells:
            looked_at += 1
            spend(CELL_WORK)
            if looked_at > MOST_CELLS:
                return False
            low, high, rising = cells.pop()
            if self._certain(real(low), real(high), rising):
                continue
            middle = (low + high) / 2
            if not low < middle < high:
                return False
            cells += [(low, middle, rising), (middle, high, rising)]
        return True

    def _certain(self, low: RealBall, high: RealBall, rising: bool) -> bool:
        """Whether the loss certainly rises, or falls, all over a cell of distances."""
        if rising:
            return self._rises(low, high)
        if low > 0 and self._falls_far(low, high):
            return True
        return self._falls_near(low, high)

    def _rises(self, low: RealBall, high: RealBall) -> bool:
        """r(u) > s r(z) at every distance, as r falls."""
        rate = self.law.rate
        return bool(rate(high / self.stretch) > self.stretch * rate(low + self.shift))

    def _falls_near(self, low: RealBall, high: RealBall) -> bool:
        """r(u) < s r(z) at every distance, as r falls."""
        rate = self.law.rate
        return bool(rate(low / self.stretch) < self.stretch * rate(high + self.shift))

    def _falls_far(self, low: RealBall, high: RealBall) -> bool:
        """The same, u r(u) < (z - c) r(z), as z r(z) and (z - c)/z rise."""
        rate = self.law.rate
        last = high / self.stretch
        return bool(last * rate(last) < low * rate(low + self.shift))


def _cells(last: float) -> list[tuple[float, float, bool]]:
    """Cells on which the loss should rise, from 0 up to the last distance."""
    cells = []
    start = last
    while start > last * FIRST:
        cells.append((start / WIDTH, start, True))
        start /= WIDTH
    return [(0.0, start, True), *cells] if last > 0 else []
