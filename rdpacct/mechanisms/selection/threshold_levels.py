"""The levels of queries about a noisy threshold whose answers tell much, planned in doubles.

Some queries come first and must all be below the threshold; of those after them, some must be
above. Between neighbors the first rise and the others fall, as far as they may.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from operator import itemgetter

from rdpacct.mechanisms.selection.threshold_noise import ThresholdNoise

MANY_TARGETS = (0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8)
FEW_TARGETS = (3e-2, 1e-3, 1e-6)
"""The deltas for which levels are planned."""
MOST_ABOVE = 8
"""The most answers above that are looked for."""
STEPS = (1.0, 0.3, 0.1)
"""The steps by which levels are moved to improve them."""
MOST_ROUNDS = 6
FEW = 8
"""Up to this many queries, it is also tried to have none of them come first."""
NEGLIGIBLE = 2.0**-50
LEAST = 1e-300


@dataclass(frozen=True)
class QueryLevels:
    """Queries below the threshold, in standard deviations of their noise: the first ones, and
    others of which at least ``least`` are to be above.
    """

    first: int
    others: int
    least: int
    near: float
    far: float
    rise: int
    fall: int
    """By how many sensitivities the first queries rise, and the others fall."""

    def moved(self, shift: float) -> "QueryLevels":
        """The queries of the neighbor."""
        near = self.near - self.rise * shift
        return replace(self, near=near, far=self.far + self.fall * shift)


@dataclass(frozen=True)
class Comparisons:
    """Queries with noise against a threshold with noise that is ``ratio`` times as large, where the
    sensitivity is ``shift`` scales of a query.
    """

    noise: ThresholdNoise
    ratio: float
    shift: float


@dataclass(frozen=True)
class AskedQueries:
    """How many queries a run has, and how many answers above; whether they move the same way; and
    the deltas for which it is planned.
    """

    queries: int
    most_above: int
    monotone: bool
    targets: tuple[float, ...] = MANY_TARGETS


@lru_cache(256)
def planned_levels(
    setting: Comparisons, asked: AskedQueries
) -> tuple[QueryLevels, ...]:
    """About the best levels for each target."""
    starts = _first_levels(asked)
    best_levels: list[QueryLevels] = []
    for target in asked.targets:
        searched = [_improved(start, setting, target) for start in starts]
        epsilon, levels = max(searched, key=itemgetter(0))
        if epsilon > 0:
            best_levels.append(levels)
            starts = _near_levels(levels)
    return tuple(dict.fromkeys(best_levels))


def _first_levels(asked: AskedQueries) -> list[QueryLevels]:
    """Where the search begins."""
    queries = asked.queries
    high = math.sqrt(2 * math.log(queries + 1))
    moves = ((1, 0), (0, 1)) if asked.monotone else ((1, 1),)
    leasts = {1, min(asked.most_above, queries, MOST_ABOVE)}
    return [
        QueryLevels(first, queries - first, least, near, high, rise, fall)
        for first, least, (rise, fall) in product(_splits(queries), leasts, moves)
        for near in ((0.0, high) if first else (0.0,))
        if least <= queries - first
    ]


def _near_levels(levels: QueryLevels) -> list[QueryLevels]:
    """The same levels, with more or fewer queries first."""
    queries = levels.first + levels.others
    return [
        replace(levels, first=first, others=queries - first)
        for first in sorted({levels.first, *_splits(queries)})
        if levels.least <= queries - first
    ]


def _splits(queries: int) -> list[int]:
    """How many queries may come first."""
    halves = {queries // 2, queries - queries // 4 - 1}
    return sorted(halves if queries > FEW else {0, *halves})


def _improved(
    levels: QueryLevels, setting: Comparisons, target: float
) -> tuple[float, QueryLevels]:
    """Better levels, by steps in each coordinate, and their epsilon."""
    best = planned_epsilon(levels, setting, target)
    for step in STEPS:
        for _ in range(MOST_ROUNDS):
            before = best
            for near, far in ((step, 0), (-step, 0), (0, step), (0, -step)):
                tried = replace(levels, near=levels.near + near, far=levels.far + far)
                epsilon = planned_epsilon(tried, setting, target)
                if epsilon > best:
                    best, levels = epsilon, tried
            if best == before:
                break
    return best, levels


def planned_epsilon(levels: QueryLevels, setting: Comparisons, target: float) -> float:
    """About the epsilon of the event at the target; below 0, how far the event is from it."""
    spacing = setting.noise.spacing
    likely = spacing * math.fsum(planned_values(levels, setting))
    if likely <= target:
        return likely - 1
    moved = levels.moved(setting.shift)
    rare = spacing * math.fsum(planned_values(moved, setting))
    return math.log((likely - target) / max(rare, LEAST))


def planned_values(levels: QueryLevels, setting: Comparisons) -> list[float]:
    """The chance of the event times the density of the threshold, at each node."""
    noise = setting.noise
    values = []
    for node, density in _grid(noise):
        place = setting.ratio * node
        before = noise.planned_below(place + levels.near) ** levels.first
        chance = 0.0
        if before > NEGLIGIBLE**2:
            far = noise.planned_below(place + levels.far)
            chance = before * _planned_chance(levels, far)
        values.append(density * chance)
    return values


@lru_cache(8)
def _grid(noise: ThresholdNoise) -> list[tuple[float, float]]:
    """The nodes of a plan, each with its density."""
    return [(node, noise.planned_density(node)) for node in noise.nodes]


def _planned_chance(levels: QueryLevels, far: float) -> float:
    """The chance that enough of the others are above."""
    term = float(far**levels.others)
    fewer = term
    odds = (1 - far) / max(far, LEAST)
    for above in range(1, levels.least):
        term *= odds * (levels.others - above + 1) / above
        fewer += term
    return max(0.0, 1 - fewer)


def planned_range(levels: QueryLevels, setting: Comparisons) -> tuple[float, float]:
    """Two noises of the threshold between which the event has nearly all of its chance."""
    values = planned_values(levels, setting)
    least = NEGLIGIBLE * max(values)
    nodes = setting.noise.nodes
    spacing = setting.noise.spacing
    places = [node for node, at in zip(nodes, values, strict=True) if at > least]
    if not places:
        return nodes[0], nodes[-1]
    return places[0] - spacing, places[-1] + spacing
