"""Noisy sums of eight batches, of which a record is in one drawn at random, or in the first."""

from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.testing.twins.twin import Twin

STEPS = 8
ALLOCATED = "RandomAllocation(Gaussian(sigma=1), steps=8)"


def in_a_random_batch(record: int, rng: Any, size: int) -> Array:
    """The mean of the likelihood ratios of all batches: all that the sums tell of the record."""
    sums = rng.normal(size=(size, STEPS))
    sums[range(size), rng.integers(STEPS, size=size)] += record
    return load().exp(sums - 0.5).mean(axis=1)


def in_the_first_batch(record: int, rng: Any, size: int) -> Array:
    """The likelihood ratio of the first batch, in which the record is known to be."""
    return load().exp(record + rng.normal(size=size) - 0.5)


KNOWN_BATCH = Twin(
    name="allocation-without-drawing",
    claim="ApproxDP(epsilon=1, delta=0.01)",
    x=1,
    x_neighbor=0,
    right=in_a_random_batch,
    broken=in_the_first_batch,
    trials=2_000,
    note="The records are cut into batches in the order in which they are stored, so that whoever"
    " knows the order looks at one batch, which has the noise of one step.",
    source="Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha, Zhang: How private are DP-SGD"
    " implementations? (2024)",
    right_law=lambda: ALLOCATED,
    broken_law=lambda: "Gaussian(sigma=1)",
)
