"""The profile of one loss that has a closed form."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rdpacct.composition.many_levels import MANY, Values, planned_by
from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.raw import real
from rdpacct.privacy.transform import Transform

BITS = 144
"""The precision: tails of a small delta are nearly equal, and their difference must be sharp."""


@dataclass(frozen=True)
class OneDraw:
    """The profile of one draw of a loss."""

    transform: Transform
    top = math.inf

    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon)."""
        with precision(BITS):
            return self._known(self.transform.profile(epsilon))

    def enclosures(self, epsilons: Sequence[RealBall]) -> list[RealBall]:
        """Balls that contain delta at rising epsilons."""
        with precision(BITS):
            return [self._known(delta) for delta in self.transform.profiles(epsilons)]

    def _known(self, delta: RealBall | None) -> RealBall:
        if delta is None:
            raise TypeError(
                f"{type(self.transform).__name__} has no profile in closed form"
            )
        return delta.max(real(0))

    @property
    def enclosed(self) -> Values:
        """Balls that contain delta at many epsilons at once."""
        return Values(self.enclosures, MANY)

    @property
    def estimates(self) -> Values:
        """Doubles near these values, to plan with."""
        return self.enclosed

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        return planned_by(self.enclosed, epsilon, self.transform.planned_top())


def one_draw(terms: Terms) -> OneDraw | None:
    """The profile of a single loss, if it has a closed form."""
    if terms.count != 1:
        return None
    [(transform, _)] = terms.factors
    if _closed(type(transform)):
        return OneDraw(transform)
    return None


@lru_cache(maxsize=64)
def _closed(kind: type[Transform]) -> bool:
    """Whether losses of a kind have a profile in closed form."""
    return kind.profile is not Transform.profile
