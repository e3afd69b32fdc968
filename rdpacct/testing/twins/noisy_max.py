"""Which of several queries is largest with Laplace noise, and what must not be said beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.arrays import Array
from rdpacct.exact.formula import Expr, formula
from rdpacct.testing.laplace_race import Below, NoisyValue, chance, chance_below
from rdpacct.testing.pair_law import on_pair
from rdpacct.testing.twins.twin import Twin


@dataclass(frozen=True)
class NoisyMax:
    """The number of the query that is largest with noise of this scale, or that noisy value."""

    scale: int
    shows_value: bool = False

    def __call__(self, queries: Sequence[int], rng: Any, size: int) -> Array:
        noisy = queries + rng.laplace(scale=self.scale, size=(size, len(queries)))
        return noisy.max(axis=1) if self.shows_value else noisy.argmax(axis=1)

    def law(self, queries: Sequence[int]) -> dict[int, Expr]:
        """The exact probability that each query is the largest."""
        noisy = self._noisy(queries)
        return {
            i: chance(
                largest, tuple(Below(other) for other in (*noisy[:i], *noisy[i + 1 :]))
            )
            for i, largest in enumerate(noisy)
        }

    def signs(self, queries: Sequence[int]) -> dict[str, Expr]:
        """The exact probability that the largest noisy value is below 0."""
        below = formula(1)
        for noisy in self._noisy(queries):
            below = below * chance_below(noisy, Fraction(0))
        return {"below": below, "above": 1 - below}

    def _noisy(self, queries: Sequence[int]) -> list[NoisyValue]:
        return [NoisyValue(Fraction(query), Fraction(self.scale)) for query in queries]


RIGHT = NoisyMax(scale=2)
WITH_VALUE = NoisyMax(scale=2, shows_value=True)
HALF_THE_NOISE = NoisyMax(scale=1)
ALL_LOW = (0,) * 5
ALL_HIGH = (1,) * 5
TIED = (0,) * 10
LAST = (-1,) + (1,) * 9

VALUE = Twin(
    name="noisy-max-value",
    claim="PureDP(epsilon=1)",
    x=ALL_LOW,
    x_neighbor=ALL_HIGH,
    right=RIGHT,
    broken=WITH_VALUE,
    trials=10_000,
    note="It returns the largest noisy value, which depends on the noise of all queries, in"
    " place of the number of its query.",
    source="Ding, Wang, Wang, Zhang, Kifer: Detecting violations of differential privacy (2018)",
    right_law=on_pair(RIGHT.law, ALL_LOW, ALL_HIGH),
    broken_law=on_pair(WITH_VALUE.signs, ALL_LOW, ALL_HIGH),
)

RATE = Twin(
    name="noisy-max-half-noise",
    claim="PureDP(epsilon=1)",
    x=TIED,
    x_neighbor=LAST,
    right=RIGHT,
    broken=HALF_THE_NOISE,
    trials=10_000,
    note="The noise has scale 1/epsilon, which is enough if all queries move the same way, and"
    " not if some grow while others fall.",
    source="Dwork, Roth: The algorithmic foundations of differential privacy (2014), 3.3",
    right_law=on_pair(RIGHT.law, TIED, LAST),
    broken_law=on_pair(HALF_THE_NOISE.law, TIED, LAST),
)
