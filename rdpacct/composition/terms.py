"""The terms of a composition: independent losses, each with how often it is drawn."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from rdpacct.exact.ball import ComplexBall, RealBall
from rdpacct.exact.cached import cached_property, lazy_property
from rdpacct.exact.raw import row_product
from rdpacct.privacy.nodes import NATS, Nodes
from rdpacct.privacy.patterns import Column
from rdpacct.privacy.transform import Transform
from rdpacct.provenance import planning

LEAST_BITS, SPARE_BITS = 72, 16
"""The least precision of a sum, and how much more than its accuracy it has."""
MOST_NATS = 800.0
"""The highest accuracy of a sum; a plan that asks for more is a bad one, and its answer is wide."""

MOST_BESIDE_CELLS = 8
"""One loss may be cut into cells if there are at most this many losses."""


@dataclass(frozen=True)
class SumOfDraws(Transform):
    """The transform of a sum of independent losses: the product of their powers."""

    factors: tuple[tuple[Transform, int], ...]

    def draws(self) -> tuple[tuple[Transform, int], ...]:
        return tuple(_flat(self.factors))

    def planned(self, tilt: float) -> float:
        return math.fsum(
            count * transform.planned(tilt) for transform, count in self.factors
        )

    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:
        return row_product(
            [v**count for v in transform.at(nodes, nats)]
            for transform, count in self.factors
        )


def _flat(
    factors: "Iterable[tuple[Transform, int]]",
) -> "Iterator[tuple[Transform, int]]":
    """The factors, with those of a sum in place of it."""
    for transform, count in factors:
        for inner, times in transform.draws():
            yield inner, times * count


def _plan_of(
    kind: type[Transform], group: "list[Transform]"
) -> "Callable[[float], float]":
    """A function that plans for the sum of a group of transforms."""
    if len(group) == 1:
        return group[0].planned
    return partial(kind.planned_sum, group)


class Terms:
    """A sum of independent finite losses: transforms with counts, the Gaussian ones merged into
    one.
    """

    def __init__(self, factors: tuple[tuple[Transform, int], ...]) -> None:
        self.factors = factors
        alike: dict[tuple[type[Transform], int], list[Transform]] = {}
        number = 0
        self.gridded = False
        """Whether some law is on a grid, which takes time to fill."""
        for transform, count in factors:
            number += count
            self.gridded = self.gridded or transform.gridded
            alike.setdefault((type(transform), count), []).append(transform)
        self.count = number
        """How many losses are added."""
        self.groups = [(kind, count, group) for (kind, count), group in alike.items()]
        """The transforms of each kind that are drawn equally often."""
        self._plans = [
            (_plan_of(kind, group), count) for kind, count, group in self.groups
        ]
        self._only = self._plans[0] if len(self._plans) == 1 else None

    @classmethod
    def of(cls, factors: "list[tuple[Transform, int]]") -> "Terms":
        """The terms of a list in which a transform may stand several times."""
        inner = list(_flat(factors))
        if len(inner) == 1 and not inner[0][0].merges:
            return cls(tuple(inner))
        counts: dict[Transform, int] = {}
        merging: dict[type[Transform], list[tuple[Transform, int]]] = {}
        for transform, count in inner:
            if transform.merges:
                merging.setdefault(type(transform), []).append((transform, count))
            else:
                counts[transform] = counts.get(transform, 0) + count
        merged = [(kind.together(group), 1) for kind, group in merging.items()]
        return cls((*merged, *counts.items()))

    @property
    def far_apart(self) -> bool:
        """Whether some loss may be that of sampled noise with two laws far apart."""
        return any(transform.apart() is not None for transform, _ in self.factors)

    @property
    def with_cells(self) -> Transform | None:
        """A loss that is cut into cells beside the others, if these are few; a Gaussian one makes
        that needless.
        """
        smooth = any(transform.smooths for transform, _ in self.factors)
        if smooth or self.count > MOST_BESIDE_CELLS:
            return None
        cut = [transform for transform, _ in self.factors if transform.planned_cells()]
        return min(cut, key=lambda transform: transform.cut_last, default=None)

    @lazy_property
    def has_nodes(self) -> bool:
        """Whether the transforms of all losses are known at nodes."""
        return all(transform.has_nodes for transform, _ in self.factors)

    @lazy_property
    def last_tilt(self) -> float | None:
        """The largest tilt at which moments are bounded, if only moments are known of some loss."""
        known = (transform.planned_last for transform, _ in self.factors)
        return min((last for last in known if last is not None), default=None)

    def planned(self, tilt: float) -> float:
        """About the logarithm of the transform of the sum."""
        if self._only is not None:
            planned, count = self._only
            return count * planned(tilt)
        return math.fsum([count * planned(tilt) for planned, count in self._plans])

    @lazy_property
    def columns(self) -> list[Column] | None:
        """The columns of patterns that the losses bring to an exact sum, or None if one of them has
        no patterns.
        """
        columns = []
        for transform, count in self.factors:
            column = transform.patterns(count)
            if column is None:
                return None
            columns.append(column)
        return columns

    @property
    def planned_top(self) -> float:
        """About the largest sum of losses; on grids, it costs the work of filling them."""
        return self._top_of_grids if self.gridded else self._planned_top

    @lazy_property
    def _planned_top(self) -> float:
        return self._sum_of_tops()

    @cached_property
    @planning
    def _top_of_grids(self) -> float:
        return self._sum_of_tops()

    @property
    def planned_bottom(self) -> float:
        """About the least sum of losses, or minus infinity if that is not known."""
        return sum(
            count * transform.planned_bottom() for transform, count in self.factors
        )

    def _sum_of_tops(self) -> float:
        return sum(count * transform.planned_top() for transform, count in self.factors)

    def top(self) -> RealBall | None:
        """The largest sum of losses, or None if it is not bounded."""
        total = None
        for transform, count in self.factors:
            largest = transform.top()
            if largest is None:
                return None
            total = largest * count if total is None else total + largest * count
        return total

    def bits(self, nats: float = 0.0) -> int:
        """A precision at which powers of the transforms keep the accuracy of a double, or the given
        number of nats if that is more.
        """
        wanted = math.ceil(min(nats, MOST_NATS) / math.log(2)) + SPARE_BITS
        return max(LEAST_BITS, wanted) + self.count.bit_length()
