"""Histograms that do not mention what is rare."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.exact.formula import Expr
from rdpacct.exact.functions import exp
from rdpacct.mechanisms.histogram.sparse_histogram import SparseHistogram
from rdpacct.testing.pair_law import on_pair
from rdpacct.testing.twins.twin import Twin

CELLS = 3
RECORDS = 4
SCALE = 2 / RECORDS


def frequencies(keep_zeros: bool, records: Sequence[int], rng: Any, size: int) -> Array:
    """The share of each cell with noise, or with exact zeros in cells that have no record."""
    shares = load().bincount(records, minlength=CELLS) / RECORDS
    noise = rng.laplace(scale=SCALE, size=(size, CELLS))
    return shares + noise * (shares > 0) if keep_zeros else shares + noise


SPARSE = Twin(
    name="histogram-zeros-kept",
    claim="PureDP(epsilon=1)",
    x=(0, 0, 0, 1),
    x_neighbor=(0, 0, 0, 2),
    right=partial(frequencies, False),
    broken=partial(frequencies, True),
    trials=200,
    note="Empty cells are released as exact zeros, which is private for drawn data where there"
    " are many records for each cell (Random DP), and not for all data.",
    source="Hall, Rinaldo, Wasserman: Random differential privacy (2013)",
    right_law=lambda: SparseHistogram(RECORDS, CELLS, 1, "0.01"),
    broken_law=lambda: SparseHistogram(RECORDS, CELLS, 1),
)


@dataclass(frozen=True)
class ThresholdedCount:
    """A count with two-sided geometric noise of scale 1, if that is at least this large; else
    0. A count of 0 is never noised, since its category may be unknown.
    """

    least: int

    def __call__(self, count: int, rng: Any, size: int) -> Array:
        up, down = rng.geometric(-math.expm1(-1), size=(2, size))
        noisy = count + up - down
        return load().where((noisy >= self.least) & (count > 0), noisy, 0)

    def law(self, count: int) -> dict[str, Expr | int]:
        """The exact probability that a count of 0 or 1 is released."""
        if not count:
            return {"not released": 1}
        released = exp(1 - self.least) / (1 + exp(-1))
        return {"released": released, "not released": 1 - released}


ABOVE = ThresholdedCount(4)
FROM_ON = ThresholdedCount(3)

THRESHOLD = Twin(
    name="threshold-counts-itself",
    claim="ApproxDP(epsilon=1, delta=0.0365)",
    x=1,
    x_neighbor=0,
    right=ABOVE,
    broken=FROM_ON,
    trials=5_000,
    note="delta is the probability that a noisy count of 1 is above the threshold 3, and the"
    " code also releases those that are equal to it.",
    source="opendp/opendp#2922",
    right_law=on_pair(ABOVE.law, 1, 0),
    broken_law=on_pair(FROM_ON.law, 1, 0),
)
