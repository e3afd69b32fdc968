"""The release of a stable value: exactly, without noise, if a private test finds the data far from
a change of the value.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.guarantee import ApproxDP
from rdpacct.privacy.unpublishable import Unpublishable
from rdpacct.provenance import by
from rdpacct.releases.distance_test import DistanceTest
from rdpacct.releases.released import Released


@dataclass(frozen=True)
class StabilityRelease:
    """The value itself, of any kind, if the test passes.

    ``to_change`` is the smallest number of replaced records that change the value, or a lower bound
    on it that moves by at most 1 between neighbors and is 1 wherever one record changes the value.
    """

    value: Callable[[Any], Any]
    to_change: Callable[[Any], int]
    test: DistanceTest

    def distance(self, data: Any) -> Unpublishable[int]:
        """The number of records that must be replaced until one more can change the value."""
        distance = self.to_change(data)
        if not isinstance(distance, int) or distance < 1:
            raise InputError(
                f"the distance to a change is {distance}, but must be a whole number of at"
                " least 1."
            )
        return Unpublishable(distance - 1, "the distance to instability")

    def release(self, data: Any, rng: Source = None) -> Released:
        """One run: None if the test fails."""
        passed = self.test.passes(self.distance(data).for_study(), randomness(rng))
        return Released(self.value(data) if passed else None)

    def guarantee(self) -> ApproxDP:
        """The guarantee for every pair of neighbors."""
        return stable(self.test.epsilon, self.test.failure_probability())


@by("release/stability")
def stable(test: Expr, failing: Expr) -> ApproxDP:
    """The epsilon is that of the test; delta is the probability that the test passes wrongly."""
    return ApproxDP(test, failing)
