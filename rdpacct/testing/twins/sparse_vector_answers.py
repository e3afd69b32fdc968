"""The sparse vector technique that answers: the first query above a threshold, and its value."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.exact.formula import Expr
from rdpacct.mechanisms.laplace.laplace import Laplace
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.testing.laplace_race import Below, Between, NoisyValue, chance
from rdpacct.testing.pair_law import on_pair
from rdpacct.testing.twins.sparse_vector import SOURCE
from rdpacct.testing.twins.twin import Twin

X = (0, 0, 0, 0, 1)
X_NEIGHBOR = (1, 1, 1, 1, 0)
LIMIT = Fraction(2)


@dataclass(frozen=True)
class AnsweringSparseVector:
    """How many queries are below a noisy 0 before the first that is not, and an answer to that.

    The answer has noise of its own, or, where ``answer_scale`` is None, that of the comparison. It
    is 0 if no query is above.
    """

    threshold_scale: int
    query_scale: int
    answer_scale: int | None = None

    def __call__(self, queries: Sequence[int], rng: Any, size: int) -> Array:
        np = load()
        threshold = rng.laplace(scale=self.threshold_scale, size=(size, 1))
        noisy = queries + rng.laplace(scale=self.query_scale, size=(size, len(queries)))
        above = noisy >= threshold
        any_above = above.any(axis=1)
        first = np.where(any_above, above.argmax(axis=1), len(queries))
        chosen = np.minimum(first, len(queries) - 1)
        if self.answer_scale is None:
            answer = noisy[np.arange(size), chosen]
        else:
            fresh = rng.laplace(scale=self.answer_scale, size=size)
            answer = np.take(queries, chosen) + fresh
        return np.column_stack([first, np.where(any_above, answer, 0)])

    def positions(self, queries: Sequence[int]) -> dict[int, Expr]:
        """The exact law of the number of queries below, without the answer."""
        law = {i: self._first(queries, i, None) for i in range(len(queries))}
        return {**law, len(queries): chance(self._threshold, self._below(queries))}

    def answers(self, queries: Sequence[int]) -> dict[tuple[int, bool], Expr]:
        """The same, with whether the answer, with the noise of the comparison, is at most 2."""
        law = {}
        for i, whole in self.positions(queries).items():
            low = whole if i == len(queries) else self._first(queries, i, LIMIT)
            law[i, True] = low
            if i < len(queries):
                law[i, False] = whole - low
        return law

    @property
    def _threshold(self) -> NoisyValue:
        return NoisyValue(Fraction(0), Fraction(self.threshold_scale))

    def _noisy(self, query: int) -> NoisyValue:
        return NoisyValue(Fraction(query), Fraction(self.query_scale))

    def _below(self, queries: Sequence[int]) -> tuple[Below, ...]:
        return tuple(Below(self._noisy(query)) for query in queries)

    def _first(self, queries: Sequence[int], i: int, most: Fraction | None) -> Expr:
        """The chance that query i is the first above, and its noisy value at most a limit."""
        above = Between(self._noisy(queries[i]), most)
        return chance(self._threshold, (*self._below(queries[:i]), above))


RIGHT = AnsweringSparseVector(3, 6, 3)
BROKEN = AnsweringSparseVector(2, 2)


def _right() -> Plan:
    """A third of the budget each: for the threshold, for the comparisons and for the answer."""
    return on_pair(RIGHT.positions, X, X_NEIGHBOR)() + Laplace(3)


ALGORITHM_3 = Twin(
    name="sparse-vector-3",
    claim="PureDP(epsilon=1)",
    x=X,
    x_neighbor=X_NEIGHBOR,
    right=RIGHT,
    broken=BROKEN,
    trials=100_000,
    note="It answers with the noisy value that was compared, which tells how large the noisy"
    " threshold can have been, and that value has half of the noise that a comparison needs.",
    source=SOURCE.format(3),
    right_law=_right,
    broken_law=on_pair(BROKEN.answers, X, X_NEIGHBOR),
)
