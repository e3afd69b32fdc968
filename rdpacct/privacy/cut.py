"""A loss cut into cells: where it is cut, and what the cells are."""

import math
from typing import NamedTuple, TypeAlias

from rdpacct.exact.ball import RealBall

Cut: TypeAlias = tuple[list[RealBall], list[tuple[RealBall, RealBall]]]
"""The edges of cells, by falling loss, and the masses of each cell under P and Q."""


class LossRange(NamedTuple):
    """The losses between two, about: those that are cut finely."""

    low: float = -math.inf
    high: float = math.inf

    def within(self, low: float, high: float) -> "LossRange":
        """The part of it between two losses; all between them if there is none."""
        inner = LossRange(max(low, self.low), min(high, self.high))
        return inner if inner.low < inner.high else LossRange(low, high)

    @property
    def length(self) -> float:
        """The distance of its ends."""
        return self.high - self.low


EVERYWHERE = LossRange()
