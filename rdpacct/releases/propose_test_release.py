"""Propose, test, release: noise on a proposed scale, if a private test finds the data far from all
data sets that need more.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.exact.formula import Expr
from rdpacct.exact.number import rational
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.guarantee import ApproxDP
from rdpacct.privacy.relation import Relation
from rdpacct.privacy.unpublishable import Unpublishable
from rdpacct.provenance import by
from rdpacct.releases.distance_test import DistanceTest
from rdpacct.releases.released import Released, noisy
from rdpacct.sensitivity.query import Query


@dataclass(frozen=True)
class ProposeTestRelease:
    """The query with Laplace noise of scale proposed/epsilon, if the test finds no data set nearby
    whose local sensitivity exceeds the proposed one.
    """

    query: Query
    test: DistanceTest
    proposed: Parameter = Parameter(above_least=True)
    epsilon: Parameter = Parameter(above_least=True)

    def distance(self, data: Any) -> Unpublishable[int]:
        """The number of records that must be replaced until the local sensitivity exceeds the
        proposed bound.
        """
        bound = rational_of(self.proposed, "the proposed bound")
        return Unpublishable(
            first_beyond(self.query, data, bound),
            "the distance to a larger sensitivity",
        )

    def release(self, data: Any, rng: Source = None) -> Released:
        """One run: None if the test fails."""
        source = randomness(rng)
        scale = rational_of(self.proposed, "the proposed bound") / rational_of(
            self.epsilon, "epsilon"
        )
        if not self.test.passes(self.distance(data).for_study(), source):
            return Released(None)
        return Released(noisy(self.query, data, scale, source), scale)

    @property
    def relation(self) -> Relation:
        """The neighbors for which the guarantee holds."""
        return self.query.relation

    def guarantee(self) -> ApproxDP:
        """The guarantee for every pair of neighbors of the query."""
        failing = self.test.failure_probability()
        return propose_test_release(self.test.epsilon, self.epsilon, failing)


@by("release/propose-test-release")
def propose_test_release(test: Expr, noise: Expr, failing: Expr) -> ApproxDP:
    """The epsilons of the test and of the noise add up; delta is the probability that the test
    passes wrongly.
    """
    return ApproxDP(test + noise, failing)


@by("release/propose-test-release")
def first_beyond(query: Query, data: Any, bound: Fraction) -> int:
    """The smallest distance within which a local sensitivity exceeds the bound; if there is none,
    one more than the largest distance.
    """
    low = -1
    high = query.farthest(data) + 1
    while high - low > 1:
        middle = (low + high) // 2
        if rational(query.local_within(data, middle), "the local sensitivity") > bound:
            high = middle
        else:
            low = middle
    return high
