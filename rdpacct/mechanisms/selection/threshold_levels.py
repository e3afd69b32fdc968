"""QueryLevels of queries about a noisy threshold whose answers tell much, planned in doubles.

Some queries come first and must all be below the threshold; of those after them, some must be
above. Between neighbors the first rise and the others fall, as far as they may.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from operator import itemgetter

from rdpacct.mechanisms.selection.first_above_rules import run_chance

TARGETS = (0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8)
"""The deltas for which levels are planned."""
MOST_QUERIES = 2**12
"""The others of a longer run are so far below that they tell nothing."""
MOST_ABOVE = 8
"""No more answers above are looked for."""
SPACING = 0.35
NODES = tuple(SPACING * k for k in range(-21, 22))
DENSITY = tuple(math.exp(-(x**2) / 2) / math.sqrt(2 * math.pi) for x in NODES)
ROOT = math.sqrt(2)
STEPS = (1.0, 0.5, 0.25, 0.1)
"""How far levels are moved to improve them."""
MOST_ROUNDS = 12
NEGLIGIBLE = 2.0**-50
LEAST = 1e-300


@dataclass(frozen=True)
class QueryLevels:
    """Queries below the threshold, in standard deviations of their noise: so many first ones, and
    others of which at least ``least`` are to be above.
    """

    first: int
    others: int
    least: int
    near: float
    far: float
    rise: int
    fall: int
    """By how many sensitivities the first rise, and the others fall."""

    def moved(self, shift: float) -> "QueryLevels":
        """The queries of the neighbor."""
        near = self.near - self.rise * shift
        return replace(self, near=near, far=self.far + self.fall * shift)


@lru_cache(256)
def planned_levels(
    noise: float, shift: float, queries: int, most_above: int, monotone: bool
) -> tuple[QueryLevels, ...]:
    """About the best levels for each target, where the noise of the threshold is so many times that
    of a query.
    """
    starts = _first_levels(min(queries, MOST_QUERIES), most_above, monotone)
    found: list[QueryLevels] = []
    for target in TARGETS:
        searched = [_improved(start, noise, shift, target) for start in starts]
        epsilon, levels = max(searched, key=itemgetter(0))
        if epsilon > 0:
            found.append(levels)
            starts = _near_levels(levels)
    return tuple(dict.fromkeys(found))


def _first_levels(queries: int, most_above: int, monotone: bool) -> list[QueryLevels]:
    """Where the search begins."""
    high = math.sqrt(2 * math.log(queries + 1))
    moves = ((1, 0), (0, 1)) if monotone else ((1, 1),)
    leasts = {1, min(most_above, queries, MOST_ABOVE)}
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
        for first in sorted({levels.first, *_splits(queries)} - {0} or {0})
        if levels.least <= queries - first
    ]


def _splits(queries: int) -> list[int]:
    """How many queries may come first."""
    return sorted({0, queries // 2, queries - queries // 4 - 1})


def _improved(
    levels: QueryLevels, noise: float, shift: float, target: float
) -> tuple[float, QueryLevels]:
    """Better levels, by steps in each coordinate, and their epsilon."""
    best = planned_epsilon(levels, noise, shift, target)
    for step in STEPS:
        for _ in range(MOST_ROUNDS):
            before = best
            for near, far in ((step, 0), (-step, 0), (0, step), (0, -step)):
                tried = replace(levels, near=levels.near + near, far=levels.far + far)
                found = planned_epsilon(tried, noise, shift, target)
                if found > best:
                    best, levels = found, tried
            if best == before:
                break
    return best, levels


def planned_epsilon(
    levels: QueryLevels, noise: float, shift: float, target: float
) -> float:
    """About the epsilon of the event at the target; below 0, how far the event is from it."""
    likely = SPACING * math.fsum(planned_values(levels, noise))
    if likely <= target:
        return likely - 1
    rare = SPACING * math.fsum(planned_values(levels.moved(shift), noise))
    return math.log((likely - target) / max(rare, LEAST))


def planned_values(levels: QueryLevels, noise: float) -> list[float]:
    """The chance of the event times the density of the threshold, at each node."""
    values = []
    for node, density in zip(NODES, DENSITY, strict=True):
        place = noise * node
        near = math.erfc(-(place + levels.near) / ROOT) / 2
        far = math.erfc(-(place + levels.far) / ROOT) / 2
        values.append(density * _planned_chance(levels, near, far))
    return values


def _planned_chance(levels: QueryLevels, near: float, far: float) -> float:
    before: float = near**levels.first
    if before < LEAST:
        return 0.0
    if levels.least == 1:  # as below, faster
        return before * (1 - float(far**levels.others))
    return run_chance(near, far, levels.first, levels.others, levels.least)


def planned_range(levels: QueryLevels, noise: float) -> tuple[float, float]:
    """Between which noises of the threshold the event has nearly all of its chance."""
    values = planned_values(levels, noise)
    least = NEGLIGIBLE * max(values)
    places = [node for node, at in zip(NODES, values, strict=True) if at > least]
    if not places:
        return NODES[0], NODES[-1]
    return places[0] - SPACING, places[-1] + SPACING
