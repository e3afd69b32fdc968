"""Noisy sums over batches of records in [-1, 1], as in a step of DP-SGD."""

from collections.abc import Sequence
from typing import Any

from rdpacct.arrays import Array
from rdpacct.exact.formula import Expr
from rdpacct.exact.functions import normal_cdf
from rdpacct.testing.pair_law import on_pair
from rdpacct.testing.twins.twin import Twin

ONE_RECORD = (0,)
TWO_RECORDS = (0, 0)
WITH = (1, -1)
WITHOUT = (-1,)
SAMPLED = "PoissonSampled(Gaussian(sigma=1), rate=1/2)"


def noisy_sum(batch: Sequence[int], rng: Any, size: int) -> Array:
    """Divided by a size that is public, here 1."""
    return sum(batch) + rng.normal(size=size)


def noisy_mean(batch: Sequence[int], rng: Any, size: int) -> Array:
    """Divided by the true number of records, the noise too."""
    return (sum(batch) + rng.normal(size=size)) / len(batch)


def distances(batch: Sequence[int]) -> dict[str, Expr]:
    """The exact probability that the noisy mean of zeros is 2 or more away from 0."""
    far = 2 * normal_cdf(-2 * len(batch))
    return {"far": far, "near": 1 - far}


TRUE_SIZE = Twin(
    name="mean-true-batch-size",
    claim="GaussianDP(mu=1)",
    x=ONE_RECORD,
    x_neighbor=TWO_RECORDS,
    right=noisy_sum,
    broken=noisy_mean,
    trials=50_000,
    note="The noisy sum is divided by the true size of the batch, so that the scale of the"
    " noise depends on whether a record is there.",
    source="meta-pytorch/opacus#571",
    right_law=lambda: "Gaussian(sigma=1)",
    broken_law=on_pair(distances, ONE_RECORD, TWO_RECORDS),
)


def poisson_sum(records: Sequence[int], rng: Any, size: int) -> Array:
    """Over a batch that has each record with probability 1/2, independently."""
    present = rng.random((size, len(records))) < 1 / 2
    return present @ list(records) + rng.normal(size=size)


def fixed_size_sum(records: Sequence[int], rng: Any, size: int) -> Array:
    """Over a batch of exactly one record, chosen at random."""
    return rng.choice(records, size=size) + rng.normal(size=size)


FIXED_SIZE = Twin(
    name="fixed-batch-as-poisson",
    claim=SAMPLED,
    x=WITH,
    x_neighbor=WITHOUT,
    right=poisson_sum,
    broken=fixed_size_sum,
    trials=2_000,
    note="The batch has a fixed size and is accounted as a Poisson sample, but a record that"
    " joins the data can take the place of another in the batch, which doubles the"
    " sensitivity.",
    source="Lebeda, Regehr, Kamath, Steinke: Avoiding pitfalls for privacy accounting (2024)",
    right_law=lambda: SAMPLED,
    broken_law=lambda: "PoissonSampled(Gaussian(sigma=1, sensitivity=2), rate=1/2)",
)


def clipped(number: float) -> float:
    """The nearest number from -1 to 1."""
    return max(-1, min(1, number))


def sum_of_clipped(records: Sequence[int], rng: Any, size: int) -> Array:
    """Each record is clipped before the sum."""
    return sum(map(clipped, records)) + rng.normal(size=size)


def clipped_sum(records: Sequence[int], rng: Any, size: int) -> Array:
    """The sum is clipped, and no record."""
    return clipped(sum(records)) + rng.normal(size=size)


CLIPPED_BATCH = Twin(
    name="clipped-batch",
    claim="GaussianDP(mu=1)",
    x=(-5, 10),
    x_neighbor=(-5,),
    right=sum_of_clipped,
    broken=clipped_sum,
    trials=500,
    note="The sum of the batch is clipped in place of each record, so that one record moves it"
    " from one end of the range to the other.",
    source="Tramer, Terzis, Steinke, Song, Jagielski, Carlini: Debugging DP (2022)",
    right_law=lambda: "Gaussian(sigma=1)",
    broken_law=lambda: "Gaussian(sigma=1, sensitivity=2)",
)
