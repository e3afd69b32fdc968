"""Releases with choices beside finitely many fixed losses, point by point."""

import math
from dataclasses import dataclass

from rdpacct.composition.choices.fixed_losses import FixedLosses, Sums
from rdpacct.composition.choices.game import Game
from rdpacct.exact.ball import RealBall
from rdpacct.exact.cached import cached_property
from rdpacct.exact.raw import real, real_inner
from rdpacct.privacy.family import FamilyValue
from rdpacct.provenance import by
from rdpacct.work import spend

VALUE_WORK = 6
"""The work of the value of the game at a fixed loss, beside that of its best choices."""
STEP = 2.0**-20
"""The distance of the points from which a slope is planned."""


@dataclass(frozen=True, eq=False)
class Points:
    """The mean of h over finitely many fixed losses."""

    exactly: FamilyValue
    roughly: FamilyValue
    fixed: FixedLosses
    game: Game
    how: str

    @cached_property
    def infinite(self) -> RealBall:
        """The mass at infinity in all."""
        return (
            self.fixed.infinite[0] + (1 - self.fixed.infinite[0]) * self.game.infinite
        )

    @cached_property
    def top(self) -> float:
        """About the largest finite loss."""
        return float(self.game.reach) + max(float(loss) for _, loss in self.fixed.above)

    @property
    def start(self) -> float:
        """Where a search begins."""
        return self.top / 2

    @by("composition/adaptive-choice")
    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon)."""
        above = self.fixed.infinite[1] + self._mean(
            self.exactly, self.fixed.above, epsilon
        )
        if self.fixed.exact:
            return above
        return above.union(
            self.fixed.infinite[0] + self._mean(self.exactly, self.fixed.below, epsilon)
        )

    @staticmethod
    def _mean(h: FamilyValue, sums: Sums, epsilon: RealBall) -> RealBall:
        spend(VALUE_WORK * len(sums))
        growth = epsilon.exp()
        return real_inner(
            [mass for mass, _ in sums], [h(growth * (-loss).exp()) for _, loss in sums]
        )

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        here, there = (
            float(
                self.fixed.infinite[0]
                + self._mean(self.roughly, self.fixed.above, real(x))
            )
            for x in (epsilon, epsilon + STEP)
        )
        if here <= 0 or there <= 0:
            return -math.inf, -1.0
        return math.log(here), (math.log(there) - math.log(here)) / STEP
