"""Planning in doubles: the line, the spacing and the number of nodes of a quadrature.

Nothing here enters an answer: whatever it returns, the quadrature adds up what the choice costs.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import repeat
from operator import sub, truediv
from typing import NamedTuple

from rdpacct.composition.terms import Terms
from rdpacct.privacy.transform import Transform
from rdpacct.work import spend

ACCURACY = 20.8
"""The accuracy that is aimed at: every error is at least this many nats below the answer."""
SPARE, MOST_LIFT = 2.0, 14.0
"""Nats to spare in each node, and how far above the lowest line another may lie if its period is
shorter.
"""
HIGH = 9.0
"""If a line lies this many nats high, a closer look for another one pays."""
GRID = 1.25
FINE = 1.07
LOG_GRID = math.log(GRID)
MOST_STEPS = 100
FEW, LITTLE_WORK = 50, 10_000.0
"""Up to this many nodes are never too much work, unless little work is allowed."""
CLOSE = 1.06
"""A number of nodes within this factor of the fewest is good enough."""
MOST_DECAYING = 12
COST_WORK = 10
"""A planned cost or decay takes this many times the work of a planned value."""
GOLDEN, CLOSE_STEPS = (math.sqrt(5) - 1) / 2, 40
"""The share that golden section keeps, and how often it does."""


@dataclass(slots=True)
class Tilt:
    """A vertical line Re z = tilt, nodes 2 pi/period apart up to a height, and a second tilt for
    the upper aliases.
    """

    tilt: float
    second: float | None
    period: float
    count: int
    epsilon: float
    decaying: frozenset[int]
    """The factors whose decay is used; the others are bounded by their value at the tilt."""
    nats: float
    """How far below its value at the tilt the transform of the sum must be known."""

    @property
    def step(self) -> float:
        """The distance of two nodes."""
        return 2 * math.pi / self.period


class Place(NamedTuple):
    """A line and a period; the nodes must reach where they are ``excess`` nats below the value at
    the tilt.
    """

    tilt: float
    second: float | None
    period: float
    excess: float


def planned_log_peak(tilt: float) -> float:
    """The logarithm of max over y > 0 of (1 - exp(-y)) exp(-tilt y)."""
    return -tilt * math.log1p(1 / tilt) - math.log1p(tilt)


def _around(start: float) -> list[float]:
    """Tilts about this one; powers of the grid if it is one, whose values are known."""
    index = round(math.log(start) / LOG_GRID)
    if GRID**index == start:
        return [GRID**j for j in range(index - 5, index + 7)]
    return [start * GRID**j for j in range(-5, 7)]


class Planner:
    """The log transform of a sum in doubles, remembered where it was asked for."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.known: dict[float, float] = {}
        self.plan_work = sum(transform.plan_work for transform, _ in terms.factors)
        self.costly = [
            transform
            for transform, _ in terms.factors
            if type(transform).pay_for_plans is not Transform.pay_for_plans
        ]
        """Transforms whose plans rest on what takes counted work."""

    def log(self, tilt: float) -> float:
        """log M at the tilt, infinite where it overflows."""
        spend(self.plan_work)
        return self._log(tilt)

    def _log(self, tilt: float) -> float:
        """log M at the tilt, where the work of several is counted at once."""
        known = self.known.get(tilt)
        if known is None:
            known = self.known[tilt] = self._log_at(tilt)
        elif self.costly:
            for transform in self.costly:
                transform.pay_for_plans()
        return known

    def _log_at(self, tilt: float) -> float:
        """log M at the tilt, which is not kept."""
        try:
            log = self.terms.planned(tilt)
        except (OverflowError, ValueError, ZeroDivisionError):
            return math.inf
        return log if log == log else math.inf

    def cost(self, tilt: float, height: float) -> float:
        """How long one of many nodes takes, about."""
        spend(COST_WORK * self.plan_work)
        return sum(transform.cost(tilt, height) for transform, _ in self.terms.factors)

    def chernoff_epsilon(self, log_delta: float) -> tuple[float, float]:
        """The smallest epsilon that a Chernoff bound allows, and its tilt."""
        return self._least(
            lambda t: (self._log(t) + planned_log_peak(t) - log_delta) / t,
            self.plan_work,
        )

    def chernoff_log_delta(self, epsilon: float) -> tuple[float, float]:
        """The smallest log delta that a Chernoff bound allows, and its tilt."""
        return self._least(
            lambda t: self._log(t) + planned_log_peak(t) - t * epsilon, self.plan_work
        )

    def smaller_tilt(self, epsilon: float, log_delta: float, tilt: float) -> float:
        """The smallest tilt of the grid below this one whose Chernoff bound is about the same; very
        large tilts are only known roughly.
        """
        while tilt > 1:
            smaller = tilt / GRID
            bound = self.log(smaller) + planned_log_peak(smaller) - smaller * epsilon
            if not bound <= log_delta:
                break
            tilt = smaller
        return tilt

    def tilts_for_epsilon(self, log_delta: float) -> tuple[float, float]:
        """Two tilts whose Chernoff bounds on epsilon are about the smallest."""
        return self._closely(
            lambda t: (self._log_at(t) + planned_log_peak(t) - log_delta) / t
        )

    def tilts_for_delta(self, epsilon: float) -> tuple[float, float]:
        """The same for delta."""
        return self._closely(
            lambda t: self._log_at(t) + planned_log_peak(t) - t * epsilon
        )

    def _closely(self, of: Callable[[float], float]) -> tuple[float, float]:
        """About where a function that falls and then rises is smallest: on the grid, and by golden
        section about that. At huge tilts doubles do not tell which of them is better.
        """
        last = self.terms.last_tilt or math.inf
        start = min(self._least(of, 0)[1], last)
        low = math.log(start / GRID)
        high = math.log(min(start * GRID, last))
        for _ in range(CLOSE_STEPS):
            left = high - GOLDEN * (high - low)
            right = low + GOLDEN * (high - low)
            low, high = (
                (low, right)
                if of(math.exp(left)) <= of(math.exp(right))
                else (left, high)
            )
        tilt = math.exp((low + high) / 2)
        if math.isfinite(last):
            tilt = min(tilt, last, key=of)
        return start, tilt

    def _least(self, of: Callable[[float], float], work: int) -> tuple[float, float]:
        """The smallest value over a geometric grid of tilts, and its tilt, in large strides first;
        ``work`` is that of one value.
        """
        index = 0
        best = of(1.0)
        for stride in (3, 1):
            for step in (stride, -stride):
                start = index
                while abs(index) < MOST_STEPS:
                    value = of(GRID ** (index + step))
                    if value >= best:
                        break
                    index += step
                    best = value
                spend(work * (1 + abs(index - start) // stride))
                if index != start:
                    break
        return best, GRID**index

    def saddle_epsilon(self, log_delta: float) -> tuple[float, float]:
        """About epsilon(delta) by a saddle point, and the tilt."""
        chernoff, tilt = self.chernoff_epsilon(log_delta)
        return chernoff - (
            planned_log_peak(tilt) + self._saddle_loss(tilt)
        ) / tilt, tilt

    def saddle_log_delta(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) by a saddle point, and the tilt."""
        chernoff, tilt = self.chernoff_log_delta(epsilon)
        if chernoff > -0.5:
            while tilt < 1 and self.log(tilt * GRID) - tilt * GRID * epsilon <= 2:
                tilt *= GRID
            return min(chernoff, 0.0), tilt
        return chernoff - planned_log_peak(tilt) - self._saddle_loss(tilt), tilt

    def _saddle_loss(self, tilt: float) -> float:
        bend = self._bend(tilt) + tilt**-2 + (1 + tilt) ** -2
        return math.log(tilt * (1 + tilt)) + 0.5 * math.log(2 * math.pi * bend)

    def _bend(self, tilt: float) -> float:
        """About the second derivative of log M."""
        spend(3 * self.plan_work)
        up = self._log(tilt * GRID)
        here = self._log(tilt)
        down = self._log(tilt / GRID)
        right = tilt * (GRID - 1)
        left = tilt * (1 - 1 / GRID)
        bend = 2 * ((up - here) / right - (here - down) / left) / (right + left)
        return bend if 0 < bend < math.inf else 0.0

    def place(
        self, epsilon: float, log_delta: float, start: float, accuracy: float = ACCURACY
    ) -> Place | None:
        """The line with the least work at which the aliases are small, or None if there is none."""
        best = self._period(_around(start), 8, epsilon, log_delta, accuracy)
        if best is None or self._poor(best, epsilon, log_delta, accuracy):
            # where the right tail is heavy, log M bends so fast that only a second tilt close by is
            # of use
            finer = self._period(
                [start * FINE**j for j in range(-8, 5)],
                10,
                epsilon,
                log_delta,
                accuracy,
            )
            best = min(
                (place for place in (best, finer) if place is not None), default=None
            )
        if best is None or not math.isfinite(best[0]):
            return None
        _, period, tilt, second = best
        excess = self.log(tilt) - tilt * epsilon - log_delta + accuracy
        return Place(tilt, second if second > tilt else None, period, excess)

    def _poor(
        self,
        place: tuple[float, ...],
        epsilon: float,
        log_delta: float,
        accuracy: float,
    ) -> bool:
        """Whether a line lies high, or needs a longer period than its lower aliases do."""
        _, period, tilt, _ = place
        return (
            self.log(tilt) - tilt * epsilon - log_delta > HIGH
            or period > 1.3 * (accuracy - log_delta) / tilt
        )

    def _period(
        self,
        grid: list[float],
        tilts: int,
        epsilon: float,
        log_delta: float,
        accuracy: float,
    ) -> tuple[float, float, float, float] | None:
        """About the least work, and its period, tilt, one of the first of the grid, and second tilt
        (0 for none).
        """
        spend(self.plan_work * len(grid))
        base = [self._log(t) - t * epsilon for t in grid]
        above = [
            size + planned_log_peak(t) - log_delta + accuracy
            for size, t in zip(base, grid, strict=True)
        ]
        least = min(base)
        shortest = accuracy - log_delta
        room = 1.01 * (self.terms.planned_top - epsilon) + 2 / grid[tilts // 2]
        if not math.isfinite(room):
            room = math.inf
        best: tuple[float, float, float, float] | None = None
        for j in reversed(range(tilts)):  # the first often has the shortest period
            if base[j] - least > MOST_LIFT or not math.isfinite(base[j]):
                continue
            t = grid[j]
            nodes = max(base[j] + shortest, 1.0) ** 1.5
            if best is not None and shortest / t * nodes > best[0]:
                continue
            others = grid[j + 1 :]
            widths = list(map(truediv, above[j + 1 :], map(sub, others, repeat(t))))
            high = min(widths)
            second = others[widths.index(high)]
            if not high < room:
                high = room
                second = 0.0
            period = max(shortest / t, high)
            candidate = (period * nodes, period, t, second)
            best = candidate if best is None else min(best, candidate)
        return best

    def tilt(
        self,
        epsilon: float,
        log_delta: float,
        start: float,
        most: float,
        accuracy: float = ACCURACY,
    ) -> Tilt | None:
        """The line with the fewest nodes that reaches the accuracy, or None if that takes too
        many.
        """
        place = self.place(epsilon, log_delta, start, accuracy)
        if place is None:
            return None
        step = 2 * math.pi / place.period
        decaying = self.decaying(place.tilt, 4 * step)
        height = self._height(place.tilt, place.excess, step, most, decaying)
        if height is None and len(decaying) < len(self.terms.factors):
            decaying = frozenset(range(len(self.terms.factors)))
            height = self._height(place.tilt, place.excess, step, most, decaying)
        if height is None:
            return None
        count = max(3, math.ceil(height / step) + 1)
        return Tilt(
            place.tilt,
            place.second,
            place.period,
            count,
            epsilon,
            decaying,
            place.excess + SPARE,
        )

    def decaying(self, tilt: float, height: float) -> frozenset[int]:
        """The factors that decay most; a bound from few of them is often as good as one from
        all.
        """
        factors = self.terms.factors
        if len(factors) <= MOST_DECAYING:
            return frozenset(range(len(factors)))
        widest = sorted(
            (-count * min(transform.planned_top(), 1e3) ** 2, i)
            for i, (
                transform,
                count,
            ) in enumerate(factors)
        )
        sizes = [
            (factors[i][1] * factors[i][0].planned_decay(tilt, height), i)
            for _, i in widest[: 2 * MOST_DECAYING]
        ]
        return frozenset(i for _, i in sorted(sizes)[:MOST_DECAYING])

    def _height(
        self,
        tilt: float,
        excess: float,
        step: float,
        most: float,
        decaying: frozenset[int],
    ) -> float | None:
        """Where the nodes may stop, if their work is at most that: steps as if log |M| fell with a
        power.
        """
        chosen = [self.terms.factors[i] for i in decaying]
        bend = self._bend(tilt)
        height = max(
            2 * step, math.sqrt(2 * max(excess, 1.0) / bend) if bend > 0 else 0.0
        )
        low = step
        high = math.inf
        before = (0.0, 0.0)
        power = 2.0
        while True:
            spend(COST_WORK * self.plan_work)
            fallen = -sum(
                count * transform.planned_decay(tilt, height)
                for transform, count in chosen
            )
            wanted = excess - math.log(math.pi * height)
            low, high = (low, height) if fallen >= wanted else (height, high)
            looked_at = low == height and (height > FEW * step or most < LITTLE_WORK)
            if looked_at and height / step * self.cost(tilt, height) > most:
                return None
            if high <= CLOSE * low or high <= 2 * step:
                return high
            if 0 < before[1] != fallen > 0:
                power = min(
                    max(
                        math.log(fallen / before[1]) / math.log(height / before[0]), 0.2
                    ),
                    2.0,
                )
            before = height, fallen
            after = (
                height * (max(wanted, 0.0) / fallen) ** (1 / power)
                if fallen > 0
                else math.inf
            )
            after = min(max(after, height / 4), 4 * height) * math.sqrt(CLOSE)
            if height == high and after >= height:
                return high
            height = (
                after
                if low * CLOSE**0.25 < after < high
                else math.sqrt(low * min(high, 4 * low))
            )
