"""The sparse vector technique as published six times: which queries are above a threshold, at the
price of the few that are.

Lyu, Su and Li number the variants. Algorithms 1 and 2 keep their claim. Algorithm 4 has 1 + 6c
quarters of the epsilon that it claims, where it stops after c answers; 3, 5 and 6 have no finite
epsilon for all numbers of queries.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.exact.formula import Expr, formula
from rdpacct.testing.laplace_race import (
    Below,
    Between,
    Indicator,
    NoisyValue,
    RaceFactor,
    chance,
)
from rdpacct.testing.pair_law import on_pair
from rdpacct.testing.twins.twin import Twin

BELOW, ABOVE, NOT_ASKED = 0, 1, -1
SOURCE = "Lyu, Su, Li: Understanding the sparse vector technique (2017), Algorithm {}"


@dataclass(frozen=True)
class PublishedVariant:
    """Whether each query, with noise, is at least 0 with other noise, until ``most_above`` of them
    are.

    The threshold has one draw of noise for all queries; if it is ``renewed``, a new one after each
    query that is above.
    """

    threshold_scale: Fraction | int
    query_scale: Fraction | int
    most_above: int
    renewed: bool = False

    def __call__(self, queries: Sequence[int], rng: Any, size: int) -> Array:
        np = load()
        draws = self.most_above if self.renewed else 1
        thresholds = rng.laplace(scale=float(self.threshold_scale), size=(size, draws))
        noise = rng.laplace(scale=float(self.query_scale), size=(size, len(queries)))
        answers = np.full((size, len(queries)), NOT_ASKED)
        count = np.zeros(size, dtype=int)
        for i, query in enumerate(queries):
            current = np.minimum(count, draws - 1)
            above = query + noise[:, i] >= thresholds[np.arange(size), current]
            asked = count < self.most_above
            answers[asked, i] = above[asked]
            count += above & asked
        return answers

    def law(self, queries: Sequence[int]) -> dict[tuple[int, ...], Expr]:
        """The exact probability of each row of answers."""
        return {
            answers: self._chance(queries, answers)
            for answers in self._rows(len(queries), 0)
        }

    def _rows(self, left: int, above: int) -> Iterator[tuple[int, ...]]:
        """The rows of answers to the queries that are left, after so many that were above."""
        if above == self.most_above or not left:
            yield (NOT_ASKED,) * left
            return
        for answer in (BELOW, ABOVE):
            for rest in self._rows(left - 1, above + answer):
                yield (answer, *rest)

    def _chance(self, queries: Sequence[int], answers: Sequence[int]) -> Expr:
        """The product over the draws of a threshold of the chance of the answers that use it."""
        used: list[list[RaceFactor]] = [[]]
        for query, answer in zip(queries, answers, strict=True):
            if answer != NOT_ASKED:
                used[-1].append(self._factor(query, answer))
            if answer == ABOVE and self.renewed:
                used.append([])
        threshold = NoisyValue(Fraction(0), Fraction(self.threshold_scale))
        product = formula(1)
        for factors in used:
            product = product * chance(threshold, tuple(factors))
        return product

    def _factor(self, query: int, answer: int) -> RaceFactor:
        if not self.query_scale:
            return Indicator(Fraction(query), above=answer == BELOW)
        noisy = NoisyValue(Fraction(query), Fraction(self.query_scale))
        return Between(noisy) if answer == ABOVE else Below(noisy)


def twin(
    algorithm: int,
    neighbors: tuple[tuple[int, ...], tuple[int, ...]],
    right: PublishedVariant,
    broken: PublishedVariant,
    note: str,
    trials: int,
) -> Twin:
    """One of the variants beside the one that is right, both claimed to have epsilon 1."""
    return Twin(
        name=f"sparse-vector-{algorithm}",
        claim="PureDP(epsilon=1)",
        x=neighbors[0],
        x_neighbor=neighbors[1],
        right=right,
        broken=broken,
        trials=trials,
        note=note,
        source=SOURCE.format(algorithm),
        right_law=on_pair(right.law, *neighbors),
        broken_law=on_pair(broken.law, *neighbors),
    )


def algorithm_1(most_above: int) -> PublishedVariant:
    """The standard one at epsilon 1: half of it for the threshold, half for the queries."""
    return PublishedVariant(2, 4 * most_above, most_above)


ALGORITHM_2 = twin(
    2,
    ((0, 1) * 4, (1, 0) * 4),
    right=PublishedVariant(2 * 4, 4 * 4, 4, renewed=True),
    broken=PublishedVariant(2, 4, 4, renewed=True),
    note="The threshold is renewed after each answer above it, but both scales of noise lack"
    " the factor c, the number of such answers: c runs at the price of one.",
    trials=500_000,
)

ALGORITHM_4 = twin(
    4,
    ((0, 0, 1, 1), (1, 1, 0, 0)),
    right=algorithm_1(2),
    broken=PublishedVariant(4, Fraction(4, 3), 2),
    note="The noise of the queries does not grow with c, the number of answers above the"
    " threshold.",
    trials=20_000,
)

ALGORITHM_5 = twin(
    5,
    ((0, 1), (1, 0)),
    right=algorithm_1(2),
    broken=PublishedVariant(2, 0, 2),
    note="The queries have no noise, so that one answer below and one above the threshold"
    " prove that the second query is the larger one.",
    trials=1_000,
)

ALGORITHM_6 = twin(
    6,
    ((0, 0, 0, 1, 1, 1), (1, 1, 1, 0, 0, 0)),
    right=algorithm_1(6),
    broken=PublishedVariant(2, 2, 6),
    note="It never stops, and the noise of the queries does not grow with the number of"
    " answers above the threshold.",
    trials=10_000,
)
