"""Noisy sums over samples in which a user has several records."""

from typing import Any

from rdpacct.arrays import Array
from rdpacct.testing.twins.twin import Twin

PRESENT = 1
ABSENT = 0
APART = (
    "GaussianMixture(sigma=1, sensitivities=[0, 1, 2], probabilities=[1/4, 1/2, 1/4])"
)
TOGETHER = "GaussianMixture(sigma=1, sensitivities=[0, 2], probabilities=[1/2, 1/2])"


def records_apart(user: int, rng: Any, size: int) -> Array:
    """Each of the two records of the user is sampled with probability 1/2, on its own."""
    sampled = rng.random((size, 2)) < 1 / 2
    return user * sampled.sum(axis=1) + rng.normal(size=size)


def records_together(user: int, rng: Any, size: int) -> Array:
    """The user is sampled with probability 1/2, with both records."""
    sampled = rng.random(size) < 1 / 2
    return user * 2 * sampled + rng.normal(size=size)


SAMPLED_TOGETHER = Twin(
    name="user-records-together",
    claim=APART,
    x=PRESENT,
    x_neighbor=ABSENT,
    right=records_apart,
    broken=records_together,
    trials=60_000,
    note="Users are sampled with all their records, and accounted as if each record were"
    " sampled on its own.",
    source="Schuchardt, Stoian, Kosmala, Guennemann: Unified mechanism-specific"
    " amplification by subsampling and group privacy amplification (2024)",
    right_law=lambda: APART,
    broken_law=lambda: TOGETHER,
)
