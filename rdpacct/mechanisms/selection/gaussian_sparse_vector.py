"""The sparse vector technique with Gaussian noise: which of a limited number of queries are above
a threshold.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.functions import sqrt
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.alternatives import Alternatives
from rdpacct.mechanisms.gaussian.gaussian import Gaussian, worst_pair
from rdpacct.mechanisms.inside import WholeIn
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.mechanisms.selection.dominated_profile import DominatedProfile
from rdpacct.mechanisms.selection.first_above import _FirstAbove
from rdpacct.mechanisms.selection.first_above_rules import all_queries_square
from rdpacct.mechanisms.selection.lazy_noise import LazyNoise, LazyNormal
from rdpacct.mechanisms.selection.threshold_levels import AskedQueries
from rdpacct.mechanisms.selection.threshold_noise import StandardNormal
from rdpacct.mechanisms.selection.threshold_queries import (
    ThresholdQueries,
    worst_queries,
)
from rdpacct.mechanisms.selection.threshold_runs import _ThresholdRun, runs_that_occur
from rdpacct.privacy.constants import about
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Norm, Sensitivity, SensitivityIn
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt

MOST_QUERIES = 10**9
MOST_ASKED = 2**10
"""The other queries of a longer run that occurs are so far below that they tell nothing."""
LEAST_SHIFT, MOST_SHIFT = 2.0**-32, 32.0
"""The moves of a query, in standard deviations of its noise, for which the law of the first answer
above is worked out; beyond them, a release of all comparisons is what is known.
"""


@dataclass(frozen=True)
class GaussianSparseVector(ThresholdQueries):
    """Whether each query with normal noise is at least a threshold with normal noise, until
    ``most_above`` are, or ``most_queries`` were asked.

    The threshold has one draw of noise for all queries, each query has its own, and no noisy value
    is released. Queries are monotone if between neighbors they all move the same way.
    """

    threshold_sigma: Parameter = Parameter(above_least=True)
    query_sigma: Parameter = Parameter(above_least=True)
    most_queries: WholeIn = WholeIn("most_queries")
    most_above: WholeIn = WholeIn("most_above", 1)
    sensitivity: SensitivityIn = SensitivityIn(Norm.LINF)
    monotone: bool = False
    noise: ClassVar[type[LazyNoise]] = LazyNormal

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.most_queries > MOST_QUERIES:
            raise InputError(
                f"most_queries is {self.most_queries}, but with Gaussian noise every query"
                f" costs; give at most {MOST_QUERIES}, or SparseVector with Laplace noise,"
                " which may answer any number."
            )

    @property
    def scales(self) -> dict[str, Expr]:
        return {
            "threshold_sigma": self.threshold_sigma,
            "query_sigma": self.query_sigma,
        }

    @property
    def shift(self) -> Expr:
        """The sensitivity in standard deviations of the noise of a query."""
        return self.sensitivity.value / self.query_sigma

    @property
    def _ratio(self) -> Expr:
        return self.threshold_sigma / self.query_sigma

    def alternatives(self) -> Alternatives:
        """Events of concrete runs below; above, a release of the threshold with a first answer
        above for each that is asked for, or a Gaussian release of all comparisons.
        """
        runs = tuple(
            Plan.of(_ThresholdRun(loss, self.relation)) for loss in self.attained()
        )
        every = Plan.of(self._every_comparison())
        above = self._threshold_and_answers() or every
        return Alternatives(
            runs,
            above,
            all_of_them=False,
            why_apart="above, the queries are the worst ones for each noisy threshold, which"
            " nobody knows; below, they are on two levels",
            or_above=every,
        )

    def _threshold_and_answers(self) -> Plan | None:
        moves = 1 if self.monotone else 2
        if not LEAST_SHIFT <= about(self.shift) * moves <= MOST_SHIFT:
            return None
        first = _FirstAbove(moves * self.shift, self.most_queries, self.relation)
        threshold = self._gaussian(self.threshold_sigma)
        answers = min(self.most_above, self.most_queries)
        return Plan.of(threshold) + Plan.of(first) * answers

    def _every_comparison(self) -> Gaussian:
        """A release of each query minus the threshold, with the noise of both."""
        square = all_queries_square(self.most_queries, self._ratio**2, self.monotone)
        return self._gaussian(self.query_sigma, sqrt(square))

    def _gaussian(self, sigma: Expr, times: Expr | int = 1) -> Gaussian:
        move = times * self.sensitivity.value
        return Gaussian(sigma, Sensitivity(move, relation=self.relation, norm=Norm.L2))

    def loss(self) -> PrivacyLoss:
        """The loss of a release of all comparisons, which dominates."""
        return worst_pair(self._every_comparison().shift, worst_queries)

    def profile(self) -> Profile:
        """The profile without the law of the first answer above; the plan is asked for more."""
        laws = self.loss().directions()
        return DominatedProfile(laws, self.attained(), sharp=False)

    def directions(self) -> tuple[Direction, ...]:
        with attempt() as used:
            below = tuple(loss.direction() for loss in self.attained())
            above = self.loss().direction()
        return (replace(above, below=below, rests_on=above.rests_on | used),)

    def attained(self) -> tuple[PrivacyLoss, ...]:
        """Queries on two levels below the threshold, of which the first rise and the others
        fall.
        """
        queries = min(self.most_queries, MOST_ASKED)
        asked = AskedQueries(queries, self.most_above, self.monotone)
        return runs_that_occur(StandardNormal(), self._ratio, self.shift, asked)

    @classmethod
    def examples(cls) -> Iterable["GaussianSparseVector"]:
        return (cls(4, 8, 10, 2),)
