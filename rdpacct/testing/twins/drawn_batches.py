"""Noisy sums over batches that are drawn with replacement, or cut at a cap."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, compress, product
from typing import Any

from rdpacct.arrays import Array
from rdpacct.exact.formula import ZERO, Expr, formula
from rdpacct.exact.functions import normal_cdf
from rdpacct.testing.pair_law import on_pair
from rdpacct.testing.twins.twin import Twin

DRAWS = 4
WITH = (1, 0)
WITHOUT = (0,)
ONE_COPY = "PoissonSampled(Gaussian(sigma=1), rate=15/16)"
SEVERAL_COPIES = "SampledWithReplacement(Gaussian(sigma=1), batch=4, of=2)"


def each_record_once(records: Sequence[int], rng: Any, size: int) -> Array:
    """A record that is drawn several times is added once."""
    drawn = rng.integers(len(records), size=(size, DRAWS))
    present = [records[k] * (drawn == k).any(axis=1) for k in range(len(records))]
    return sum(present) + rng.normal(size=size)


def each_draw(records: Sequence[int], rng: Any, size: int) -> Array:
    """Every draw is added, copies of a record too."""
    return rng.choice(records, size=(size, DRAWS)).sum(axis=1) + rng.normal(size=size)


COPIES_COUNT = Twin(
    name="batch-with-copies",
    claim=ONE_COPY,
    x=WITH,
    x_neighbor=WITHOUT,
    right=each_record_once,
    broken=each_draw,
    trials=2_000,
    note="The batch is drawn with replacement and accounted by the probability that it has the"
    " record, but it may have several copies, each of which moves the sum.",
    source="Balle, Barthe, Gaboardi: Privacy amplification by subsampling (2018), section 5",
    right_law=lambda: ONE_COPY,
    broken_law=lambda: SEVERAL_COPIES,
)

RATE = Fraction(9, 10)
CAP = 2
OTHERS = (-1, -1, -1)
NEVER_CUT = "TruncatedPoissonSampled(Gaussian(sigma=1/2), rate=9/10, of=4, cap=4)"


def sum_of_sample(cap: int, records: Sequence[int], rng: Any, size: int) -> Array:
    """Over the first of the sampled records, up to a cap, in a random order."""
    weights = rng.random((size, len(records)))
    sampled = rng.random((size, len(records))) < float(RATE)
    order = (weights + ~sampled).argsort(axis=1)
    kept = (order.argsort(axis=1) < cap) & sampled
    return kept @ list(records) + rng.normal(scale=1 / 2, size=size)


def sums_above(cap: int, records: Sequence[int]) -> dict[str, Expr]:
    """The exact probability that the noisy sum is above -1/2."""
    above: Expr = ZERO
    for drawn in product((False, True), repeat=len(records)):
        sample = list(compress(records, drawn))
        share = RATE ** len(sample) * (1 - RATE) ** (len(records) - len(sample))
        kept = list(combinations(sample, min(cap, len(sample))))
        for batch in kept:
            chance = normal_cdf(formula(2 * sum(batch) + 1))
            above = above + share / len(kept) * chance
    return {"above": above, "below": 1 - above}


CUT_AS_POISSON = Twin(
    name="cut-sample-as-poisson",
    claim=NEVER_CUT,
    x=(1, *OTHERS),
    x_neighbor=OTHERS,
    right=partial(sum_of_sample, 1 + len(OTHERS)),
    broken=partial(sum_of_sample, CAP),
    trials=20_000,
    note="Samples that are too large are cut at a cap and accounted as Poisson samples, but a"
    " record in a cut sample takes the place of another one, which moves the sum twice.",
    source="Chua, Ghazi, Harrison, Leeman, Kamath, Kumar, Manurangsi, Sinha, Zhang: Scalable"
    " DP-SGD: shuffling vs. Poisson subsampling (2024)",
    right_law=lambda: NEVER_CUT,
    broken_law=on_pair(partial(sums_above, CAP), (1, *OTHERS), OTHERS),
)
