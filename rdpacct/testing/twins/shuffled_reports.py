"""Reports of fifty people, seen without their order or with it."""

import math
from typing import Any

from rdpacct.arrays import Array
from rdpacct.testing.twins.twin import Twin

PEOPLE = 50
KEPT = math.exp(2) / (1 + math.exp(2))
SHUFFLED = "Shuffled(RandomizedResponse(epsilon=2), people=50)"


def without_the_order(bit: int, rng: Any, size: int) -> Array:
    """How many of the reports are 1, if everybody else has 0: all that a random order shows."""
    own = rng.random(size) < (KEPT if bit else 1 - KEPT)
    return own + rng.binomial(PEOPLE - 1, 1 - KEPT, size=size)


def with_the_order(bit: int, rng: Any, size: int) -> Array:
    """The first report of the list, which is the one that came first."""
    return (rng.random(size) < (KEPT if bit else 1 - KEPT)).astype(int)


KEPT_ORDER = Twin(
    name="shuffle-keeps-the-order",
    claim="ApproxDP(epsilon=1, delta=0.05)",
    x=0,
    x_neighbor=1,
    right=without_the_order,
    broken=with_the_order,
    trials=2_000,
    note="The reports are listed as they come in, so that whoever knows who was first sees that"
    " report with its local epsilon, here 2.",
    source="Feldman, McMillan, Talwar: Hiding among the clones (2021)",
    right_law=lambda: SHUFFLED,
    broken_law=lambda: "RandomizedResponse(epsilon=2)",
)
