"""Propose, test, release: noise on a proposed scale, if the data are privately seen to be far from needing more."""

import random
from dataclasses import dataclass
from typing import Any

from rdpacct.by import by
from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import rational
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.mechanism import randomness
from rdpacct.privacy.guarantee import ApproxDP
from rdpacct.privacy.unpublishable import Unpublishable
from rdpacct.releases.distance_test import DistanceTest
from rdpacct.releases.released import Released, exact, noisy
from rdpacct.sensitivity.query import Query


@dataclass(frozen=True)
class ProposeTestRelease:
    """The query with Laplace noise of scale proposed/epsilon, if the test finds that no near data set moves it more."""

    query: Query
    test: DistanceTest
    proposed: Parameter = Parameter(above_least=True)
    epsilon: Parameter = Parameter(above_least=True)

    def distance(self, data: Any) -> Unpublishable[int]:
        """How many records must be replaced until the local sensitivity exceeds the proposed bound."""
        return Unpublishable(first_beyond(self.query, data, self.proposed), "the distance to a larger sensitivity")

    def release(self, data: Any, rng: random.Random | None = None) -> Released:
        """One run: None if the test fails."""
        source = randomness(rng)
        if not self.test.passes(self.distance(data).for_study(), source):
            return Released(None)
        scale = exact(self.proposed, "the proposed bound") / exact(self.epsilon, "epsilon")
        return Released(noisy(self.query.value(data), scale, source), scale)

    def guarantee(self) -> ApproxDP:
        """What holds for every pair of neighbors of the query."""
        return propose_test_release(self.test.epsilon, self.epsilon, self.test.slip())


@by("release/propose-test-release")
def propose_test_release(test: Expr, noise: Expr, slip: Expr) -> ApproxDP:
    """A test with that epsilon, and noise with that epsilon at a proposed bound: both, but for the slip of the test."""
    return ApproxDP(test + noise, slip)


def first_beyond(query: Query, data: Any, bound: Expr) -> int:
    """The smallest distance within which a local sensitivity exceeds the bound; one more than all distances if none."""
    low, high = -1, query.farthest(data) + 1
    while high - low > 1:
        middle = (low + high) // 2
        local = rational(query.local_within(data, middle), "the local sensitivity")
        if bound.bound().certainly_below(local):
            high = middle
        elif not bound.bound().lower < local:
            low = middle
        else:
            raise InputError(f"whether {local} exceeds the proposed bound {bound} is not decided; give another bound.")
    return high
