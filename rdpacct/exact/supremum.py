"""Certified suprema by branch and bound."""

import heapq
import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from rdpacct.exact.bound import Bound, End
from rdpacct.work import Exhausted, spend

TOLERANCE = Fraction(1, 2**39)
MAX_STEPS = 5_000
STEP_WORK = 100
"""The least work of a step."""

Cell = TypeVar("Cell")


def supremum_over(
    cells: list[Cell],
    height: Callable[[Cell], End],
    split: Callable[[Cell], tuple[End, list[Cell]]],
    best: End,
    enough: End,
    tolerance: Fraction = TOLERANCE,
    steps: int = MAX_STEPS,
) -> Bound:
    """The supremum of a function over cells, or ``best`` if that is larger.

    ``height`` bounds the function on a cell from above; ``split`` gives a value that the function
    certainly reaches in the cell, and smaller cells that cover it. The search stops when the
    heights are below ``enough``, within the tolerance of the best value reached, or when no work is
    left; until then the enclosure is only wider.
    """
    order = itertools.count()
    heap = [(-height(cell), next(order), cell) for cell in cells]
    heapq.heapify(heap)
    for _ in range(steps):
        if (
            not heap
            or -heap[0][0] <= enough
            or -heap[0][0] - best <= tolerance * max(best, -best)
        ):
            break
        top = heapq.heappop(heap)
        try:
            spend(STEP_WORK)
            value, smaller = split(top[2])
        except Exhausted:
            heapq.heappush(heap, top)
            break
        best = max(best, value)
        for part in smaller:
            heapq.heappush(heap, (-height(part), next(order), part))
    return Bound(best, max([best, *(-entry[0] for entry in heap[:1])]))
