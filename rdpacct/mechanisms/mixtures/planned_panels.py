"""Panels planned in doubles: how wide they are, and how many points each has; no answer depends on
it.
"""

import math
from dataclasses import dataclass

from rdpacct.mechanisms.mixtures.exponential_sum import ExponentialSum
from rdpacct.mechanisms.mixtures.panels import SLICES, Panels

MOST_POINTS = 20_000
GROWTHS = (1.7, 2.2, 3.2)
"""The sums of semi-axes that are tried."""
SHARES = (0.9, 0.7, 0.49, 0.35, 0.25, 0.1, 0.04, 0.015, 0.005)
"""The shares of the strip without zeros that are tried for an ellipse."""
SAMPLES = 12
"""The number of points at which the integrand is looked at."""
BELOW = 20.0
"""Points up to this many nats below what counts are still looked at."""


@dataclass(frozen=True)
class PlannedSum:
    """One of the sums at a point, about: its power, the span and the spread of its places, and how
    fast its argument turns, there and at most.
    """

    power: float
    span: float
    spread: float
    turn: float
    most_turn: float


@dataclass(frozen=True)
class PlannedPoint:
    """The integrand at a point, about: its logarithm less than the largest, how much its slope
    changes, and both sums.
    """

    log: float
    bend: float
    sums: tuple[PlannedSum, ...]

    def lost(self, wide: float, growth: float, height: float) -> float:
        """By how many nats the bound on the ellipse exceeds the largest value, about."""
        tall = wide * (growth - 1 / growth) / 2
        slice_width = wide * (growth + 1 / growth) / SLICES
        nats = self.log + tall * tall / 2 + self.bend * slice_width * slice_width
        for column in self.sums:
            growing = math.exp(min(column.span * slice_width, 600.0))
            if column.power < 0:
                angle = min(column.span * tall / 2, 1.57)
                spread = column.spread * growing
                kept = max(math.cos(angle), 1 - tall * tall * spread / 2)
                nats += column.power * math.log(max(kept, 1e-3))
            turn = column.most_turn
            if 2 * turn * tall < math.pi:
                turn = min(turn, column.turn * growing)
            nats += height * turn * tall
        return nats


def planned_points(
    sums: tuple[ExponentialSum, ExponentialSum],
    powers: list[tuple[float, float]],
    ends: tuple[float, float],
) -> list[PlannedPoint]:
    """What the integrands are like between two ends."""
    places = [ends[0] + (ends[1] - ends[0]) * j / SAMPLES for j in range(SAMPLES + 1)]
    rows = []
    for x in places:
        for both in powers:
            pairs = list(zip(sums, both, strict=True))
            columns = tuple(_planned(mixture, power, x) for mixture, power in pairs)
            log = (
                sum(power * mixture.planned_log(x) for mixture, power in pairs)
                - x * x / 2
            )
            bend = 1 + sum(abs(column.power) * column.spread for column in columns)
            rows.append((log, bend, columns))
    top = max(log for log, _, _ in rows)
    return [PlannedPoint(log - top, bend, columns) for log, bend, columns in rows]


def _planned(mixture: ExponentialSum, power: float, x: float) -> PlannedSum:
    first, last = mixture.planned_ends
    most_turn = max(abs(first), abs(last))
    return PlannedSum(
        power,
        last - first,
        mixture.planned_spread(x),
        mixture.planned_turn(x),
        most_turn,
    )


def planned_panels(
    sums: tuple[ExponentialSum, ExponentialSum],
    powers: list[tuple[float, float]],
    height: float,
    ends: tuple[float, float],
    nats: float,
) -> Panels:
    """The panels with the fewest points that reach the accuracy, about."""
    span = max(mixture.planned_ends[1] - mixture.planned_ends[0] for mixture in sums)
    length = max(ends[1] - ends[0], 1e-3)
    best = Panels(ends[0], ends[0] + length, 1, 8, 2.0)
    fewest = math.inf
    every = planned_points(sums, powers, ends)
    looked_at = [point for point in every if point.log > -nats - BELOW]
    for growth in GROWTHS:
        tallness = (growth - 1 / growth) / 2
        fewest_each = (nats + 3) / (2 * math.log(growth))
        for share in SHARES:
            tall = min(share * math.pi / max(span, 1e-9), 4.0)
            count = max(1, math.ceil(length * tallness / (2 * tall)))
            if count * fewest_each >= fewest:
                break
            wide = length / (2 * count)
            lost = max(point.lost(wide, growth, height) for point in looked_at)
            number = math.ceil((nats + 3 + max(lost, 0.0)) / (2 * math.log(growth)))
            number = max(number, 2)
            if count * number < fewest:
                fewest = count * number
                best = Panels(ends[0], ends[0] + length, count, number, growth)
    return best
