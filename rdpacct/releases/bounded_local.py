"""Noise on a private upper bound of the local sensitivity, for queries whose local sensitivity
changes little between neighbors.
"""

import math
import random
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import rational
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.mechanisms.sampling import discrete_laplace
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.privacy.guarantee import ApproxDP
from rdpacct.privacy.relation import Relation
from rdpacct.provenance import by
from rdpacct.releases.distance_test import DistanceTest
from rdpacct.releases.released import Released, noisy
from rdpacct.sensitivity.query import Query


@dataclass(frozen=True)
class BoundedLocalRelease:
    """A query with noise of scale b/epsilon, where b is a private upper bound on the local
    sensitivity.

    ``steps`` bounds the change of the local sensitivity between neighbors. b is the local
    sensitivity, rounded up, plus X + t - 1, and at least 1. X is an integer of probability
    proportional to exp(-bound_epsilon |x|/steps), and X <= -t has probability at most delta.
    """

    query: Query
    steps: int
    bound_epsilon: Parameter = Parameter(above_least=True)
    epsilon: Parameter = Parameter(above_least=True)
    delta: Parameter = Parameter(most=1, above_least=True)

    def __post_init__(self) -> None:
        if not isinstance(self.steps, int) or self.steps < 1:
            raise InputError(
                f"steps is {self.steps}, but must be a whole number of at least 1; give"
                " one."
            )
        self.test()

    def test(self) -> DistanceTest:
        """The noise on the local sensitivity, and the threshold t that it reaches with probability
        at most delta.
        """
        return self._test

    @cached_property
    def _test(self) -> DistanceTest:
        return DistanceTest(self.bound_epsilon / self.steps, self.delta)

    def release(self, data: Any, rng: Source = None) -> Released:
        """One run; the bound may be published too, as the scale of the noise."""
        source = randomness(rng)
        scale = self.bound(data, source) / rational_of(self.epsilon, "epsilon")
        return Released(noisy(self.query, data, scale, source), scale)

    @property
    def relation(self) -> Relation:
        """The neighbors for which the guarantee holds."""
        return self.query.relation

    def bound(self, data: Any, rng: random.Random) -> Fraction:
        """The private upper bound on the local sensitivity, at least 1."""
        local = math.ceil(
            rational(self.query.local_within(data, 0), "the local sensitivity")
        )
        noise = discrete_laplace(
            self.steps / rational_of(self.bound_epsilon, "bound_epsilon"), rng
        )
        return Fraction(max(local + noise + self.test().threshold() - 1, 1))

    def guarantee(self) -> ApproxDP:
        """The guarantee for every pair of neighbors of the query."""
        failing = self.test().failure_probability()
        return bounded_local(self.bound_epsilon, self.epsilon, failing)


@by("release/private-local-bound")
def bounded_local(bound: Expr, noise: Expr, failing: Expr) -> ApproxDP:
    """The epsilons of the bound and of the noise add up; delta is the probability that the bound is
    too small.
    """
    return ApproxDP(bound + noise, failing)
