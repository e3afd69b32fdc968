"""The sparse vector technique: which queries of a stream are above a threshold, at the price of the
few that are.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import exp, log
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.inside import WholeIn
from rdpacct.mechanisms.laplace.laplace_transform import LaplaceTransform
from rdpacct.mechanisms.selection.dominated_profile import DominatedProfile
from rdpacct.mechanisms.selection.halfway import halfway_law
from rdpacct.mechanisms.selection.lazy_noise import LazyLaplace, LazyNoise
from rdpacct.mechanisms.selection.report_noisy_max import sum_above
from rdpacct.mechanisms.selection.threshold_levels import FEW_TARGETS, AskedQueries
from rdpacct.mechanisms.selection.threshold_noise import StandardLaplace
from rdpacct.mechanisms.selection.threshold_queries import (
    ThresholdQueries,
    worst_queries,
)
from rdpacct.mechanisms.selection.threshold_runs import runs_that_occur
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Norm, SensitivityIn
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt, by

BELOW = (0, 2, 8)
"""The query of a lower bound is this many scales of the larger noise below the threshold."""
RUN_OF_QUERIES = 16
"""The number of queries in the events of a lower bound."""


@dataclass(frozen=True)
class SparseVector(ThresholdQueries):
    """Whether each query with Laplace noise is at least a threshold with Laplace noise, until
    ``most_above`` are.

    The threshold has one draw of noise for all queries, each query has its own, and no noisy value
    is released. Queries are monotone if between neighbors they all move the same way.
    """

    also_called: ClassVar[tuple[str, ...]] = ("SVT", "AboveThreshold")
    threshold_scale: Parameter = Parameter(above_least=True)
    query_scale: Parameter = Parameter(above_least=True)
    most_above: WholeIn = WholeIn("most_above", 1)
    sensitivity: SensitivityIn = SensitivityIn(Norm.LINF)
    monotone: bool = False
    noise: ClassVar[type[LazyNoise]] = LazyLaplace

    @property
    def scales(self) -> dict[str, Expr]:
        return {
            "threshold_scale": self.threshold_scale,
            "query_scale": self.query_scale,
        }

    @property
    def epsilon(self) -> Expr:
        """The epsilon of the threshold, and of each answer above it."""
        move = self.sensitivity.value
        return sparse_vector_epsilon(
            move / self.threshold_scale,
            move / self.query_scale,
            self.most_above,
            self.monotone,
        )

    def loss(self) -> PrivacyLoss:
        return halfway_law(self.epsilon, worst_queries)

    def profile(self) -> Profile:
        laws = self.loss().directions()
        return DominatedProfile(laws, self.attained(), sharp=False)

    def directions(self) -> tuple[Direction, ...]:
        """The law that dominates all pairs, and those of one query below it."""
        with attempt() as used:
            rests_on = self.loss().rests_on
            below = tuple(loss.direction() for loss in self.attained())
        law = LaplaceTransform(self.epsilon)
        return (Direction(law, below=below, rests_on=rests_on | used),)

    def attained(self) -> tuple[PrivacyLoss, ...]:
        """One query that moves away from the threshold, and events of many on two levels."""
        scales = self.threshold_scale, self.query_scale
        large = max(scales, key=lambda scale: float(scale.ball(64)))
        move = self.sensitivity.value
        asked = AskedQueries(
            RUN_OF_QUERIES, self.most_above, self.monotone, FEW_TARGETS
        )
        runs = runs_that_occur(
            StandardLaplace(), scales[0] / scales[1], move / scales[1], asked
        )
        return *(one_query(*scales, far * large, move) for far in BELOW), *runs

    @classmethod
    def examples(cls) -> Iterable["SparseVector"]:
        return (cls(2, 8, 2),)


@by("selection/sparse-vector")
def sparse_vector_epsilon(
    threshold_rate: Real, query_rate: Real, most_above: Real, monotone: bool = False
) -> Expr:
    """Epsilon, from the sensitivity in scales of the noise of the threshold and of a query."""
    moves = 1 if monotone else 2
    return formula(threshold_rate) + moves * formula(most_above) * formula(query_rate)


def one_query(first: Expr, second: Expr, level: Expr, move: Expr) -> PrivacyLoss:
    """The loss of one query at a level below the threshold that moves farther away, for noises of
    two scales.
    """
    near = two_noises_above(first, second, level)
    far = two_noises_above(first, second, level + move)
    return PrivacyLoss(
        (
            Atom(near, far, log(near / far)),
            Atom(1 - near, 1 - far, log((1 - near) / (1 - far))),
        )
    )


def two_noises_above(first: Expr, second: Expr, level: Expr) -> Expr:
    """The probability that Laplace variables of two scales add up to more than a level >= 0."""
    if first == second:
        return sum_above(level / first)
    return unequal_above(1 / first, 1 / second, level)


@by("selection/sparse-vector")
def unequal_above(first: Expr, second: Expr, level: Expr) -> Expr:
    """The probability that Laplace variables of two different rates add up to more than a level
    >= 0.
    """
    falling = first**2 * exp(-second * level) - second**2 * exp(-first * level)
    return falling / (2 * (first**2 - second**2))
