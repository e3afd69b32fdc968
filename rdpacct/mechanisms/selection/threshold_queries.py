"""Queries that are compared with one noisy threshold: what the sparse vector techniques share."""

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from rdpacct.exact.number import Number
from rdpacct.exact.parameter import rational_of
from rdpacct.mechanisms.monotone import MaybeMonotone
from rdpacct.mechanisms.selection.lazy_noise import LazyNoise, largest
from rdpacct.mechanisms.selection.scored_choice import exact_scores
from rdpacct.mechanisms.source import Source, randomness


class ThresholdQueries(MaybeMonotone):
    """Whether each query with noise is at least a threshold with noise, until ``most_above`` are.

    The threshold has one draw of noise for all queries, each query has its own, and no noisy value
    is released. Queries are monotone if between neighbors they all move the same way.
    """

    most_above: Any
    most_queries: Any = None
    """The number of queries after which no more are asked; None if there is no such number."""
    several: ClassVar[str] = "queries"
    noise: ClassVar[type[LazyNoise]]
    """The kind of the noise, drawn bit by bit."""

    @property
    @abstractmethod
    def scales(self) -> dict[str, Any]:
        """The scales of the noise of the threshold and of a query, by their names."""

    def sample(self, queries: Sequence[Number], rng: Source = None) -> tuple[int, ...]:
        """For each query 1 if it is above the threshold 0 and 0 if not, up to the last that is
        asked; exactly distributed.
        """
        source = randomness(rng)
        of_threshold, of_query = (
            rational_of(scale, name) for name, scale in self.scales.items()
        )
        threshold = self.noise(Fraction(0), of_threshold, source)
        answers: list[int] = []
        for query in exact_scores(queries)[: self.most_queries]:
            noisy = self.noise(query, of_query, source)
            answers.append(1 - largest([noisy, threshold]))
            if sum(answers) == self.most_above:
                break
        return tuple(answers)


def worst_queries(threshold: Fraction) -> str:  # noqa: ARG001
    """The event of a law that dominates all queries."""
    return "the answers are those of the worst queries"
