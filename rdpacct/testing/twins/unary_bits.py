"""A noisy bit for each of two values, as in basic RAPPOR."""

import math
from functools import partial
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.testing.twins.twin import Twin


def report(epsilon_of_a_bit: float, value: int, rng: Any, size: int) -> Array:
    """The two bits as one number from 0 to 3; each is flipped by the odds of its epsilon."""
    flipped = rng.random((size, 2)) < 1 / (1 + math.exp(epsilon_of_a_bit))
    bits = flipped ^ (load().arange(2) == value)
    return bits @ [1, 2]


BUDGET_PER_BIT = Twin(
    name="unary-encoding-budget-per-bit",
    claim="PureDP(epsilon=1)",
    x=0,
    x_neighbor=1,
    right=partial(report, 1 / 2),
    broken=partial(report, 1.0),
    trials=2_000,
    note="Each bit is flipped by the odds of the whole epsilon, but two bits change with the"
    " value, so that each may have half of it.",
    source="Erlingsson, Pihur, Korolova: RAPPOR (2014), Section 3.1",
    right_law=lambda: "SymmetricUnaryEncoding(epsilon=1)",
    broken_law=lambda: "SymmetricUnaryEncoding(epsilon=2)",
)
