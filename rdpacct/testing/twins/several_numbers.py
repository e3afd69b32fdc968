"""Several noisy numbers at once: their budgets add up, and each needs noise of its own."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from rdpacct.arrays import Array
from rdpacct.testing.pair_law import pair_law
from rdpacct.testing.twins.twin import Twin


def four_answers(scale: int, value: int, rng: Any, size: int) -> Array:
    """Four noisy answers to one query of sensitivity 1."""
    return value + rng.laplace(scale=scale, size=(size, 4))


def counts(cells: Sequence[int], rng: Any, size: int) -> Array:
    """Counts of which a record changes one, by 1, each with noise of its own."""
    return cells + rng.laplace(scale=1, size=(size, len(cells)))


def counts_with_one_draw(cells: Sequence[int], rng: Any, size: int) -> Array:
    """The same noise on all counts."""
    return cells + rng.laplace(scale=1, size=(size, 1))


DROPPED_COUNT = Twin(
    name="composition-dropped-count",
    claim="PureDP(epsilon=1)",
    x=0,
    x_neighbor=1,
    right=partial(four_answers, 4),
    broken=partial(four_answers, 1),
    trials=2_000,
    note="Four releases are claimed at the epsilon of one.",
    source="Dwork, Roth: The algorithmic foundations of differential privacy (2014), 3.5",
    right_law=lambda: "4*Laplace(scale=4)",
    broken_law=lambda: "4*Laplace(scale=1)",
)

ONE_DRAW = Twin(
    name="vector-one-draw",
    claim="PureDP(epsilon=1)",
    x=(5, 3),
    x_neighbor=(6, 3),
    right=counts,
    broken=counts_with_one_draw,
    trials=200,
    note="One draw of noise serves for the whole vector, so that the differences of its"
    " entries are exact.",
    source="Dwork, Roth: The algorithmic foundations of differential privacy (2014), 3.3",
    right_law=lambda: "Laplace(scale=1)",
    broken_law=lambda: pair_law({"a difference of 2": 1}, {"a difference of 3": 1}),
)

L2_FOR_L1 = Twin(
    name="vector-l2-sensitivity",
    claim="PureDP(epsilon=1)",
    x=0,
    x_neighbor=1,
    right=partial(four_answers, 4),
    broken=partial(four_answers, 2),
    trials=100_000,
    note="A record moves each of four numbers by 1, and the scale of the Laplace noise is the"
    " L2 sensitivity, 2, in place of the L1 sensitivity, 4.",
    source="Dwork, Roth: The algorithmic foundations of differential privacy (2014), 3.5",
    right_law=lambda: "4*Laplace(scale=4)",
    broken_law=lambda: "4*Laplace(scale=2)",
)
