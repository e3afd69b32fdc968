"""The sparse vector technique with Gaussian noise: with a limit on the number of queries, and
without one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.exact.formula import formula
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.selection.threshold_levels import QueryLevels
from rdpacct.mechanisms.selection.threshold_noise import StandardNormal
from rdpacct.mechanisms.selection.threshold_runs import one_event
from rdpacct.testing.pair_law import known_pair
from rdpacct.testing.twins.twin import Twin

HALF = 32
X = (-4.0,) * HALF + (-3.5,) * HALF
X_NEIGHBOR = (-3.0,) * HALF + (-4.5,) * HALF
THRESHOLD_SIGMA, QUERY_SIGMA = 1, 2
LIMIT = 2


@dataclass(frozen=True)
class GaussianComparisons:
    """How many queries are below a noisy 0 before the first that is not, of so many that are
    asked.
    """

    most_queries: int

    def __call__(self, queries: Sequence[float], rng: Any, size: int) -> Array:
        np = load()
        asked = np.array(queries[: self.most_queries])
        threshold = rng.normal(scale=THRESHOLD_SIGMA, size=(size, 1))
        noise = rng.normal(scale=QUERY_SIGMA, size=(size, len(asked)))
        above = asked + noise >= threshold
        return np.where(above.any(axis=1), above.argmax(axis=1), len(asked))


def in_the_second_half(first: Any) -> float:
    """Whether the first query above is one of those that fall."""
    return float(HALF <= first < 2 * HALF)


def _event() -> Mechanism:
    """Whether it is, on the two neighbors, as chances that are enclosed."""
    levels = QueryLevels(HALF, HALF, 1, near=2.0, far=1.75, rise=1, fall=1)
    sigmas = formula(THRESHOLD_SIGMA), formula(QUERY_SIGMA)
    [loss] = one_event(StandardNormal(), sigmas[0] / sigmas[1], 1 / sigmas[1], levels)
    return known_pair(loss)


ENDLESS = Twin(
    name="sparse-vector-gaussian",
    claim="ApproxDP(epsilon=1, delta=0.05)",
    x=X,
    x_neighbor=X_NEIGHBOR,
    right=GaussianComparisons(LIMIT),
    broken=GaussianComparisons(2 * HALF),
    trials=20_000,
    note="With Laplace noise any number of answers below the threshold is free; with Gaussian"
    " noise it is not, since far below the threshold an answer above tells ever more, and here 64"
    " queries are asked at the price of two.",
    source="Zhu, Wang: Improving sparse vector technique with Renyi differential privacy (2020),"
    " for the limit",
    right_law=lambda: (
        f"GaussianSparseVector(threshold_sigma={THRESHOLD_SIGMA},"
        f" query_sigma={QUERY_SIGMA}, most_queries={LIMIT})"
    ),
    broken_law=_event,
    score=in_the_second_half,
)
