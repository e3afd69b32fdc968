"""How each mechanism is run on two neighbors: what an audit of its sampled outputs needs.

A mechanism that names a pair of inputs needs no row here: its outputs are read by their losses. For
every mechanism there is a broken twin too: code that releases several outputs and counts one.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rdpacct import (
    BestOfPoissonRuns,
    BestOfRuns,
    DiscreteLaplace,
    DiscreteSparseHistogram,
    Exponential,
    Gaussian,
    GaussianSparseVector,
    PartitionSelection,
    PermuteAndFlip,
    PoissonSampled,
    PureDP,
    ReportNoisyMax,
    SampledBands,
    SampledWithoutReplacement,
    SampledWithReplacement,
    SmoothGaussian,
    SmoothLaplace,
    SmoothLaplaceLogNormal,
    SmoothPower,
    SmoothStudent,
    SmoothUniformLogNormal,
    SparseHistogram,
    SparseVector,
    StudyOnlyWarning,
    Thresholded,
    TruncatedPoissonSampled,
)
from rdpacct.mechanisms import Mechanism, Plan
from rdpacct.privacy.guarantee import Guarantee
from rdpacct.privacy.relation import Relation

EXEMPT = {
    "Promised": "a promise has no sampler: it stands for every mechanism that keeps it",
    "NonPrivate": "it claims nothing, so that no code can break its claim",
    "Parallel": "its parts are mechanisms, each of which is run and audited on its own",
    "RepeatAndSelect": "the runs are the user's; the twin best-of-ten-runs has some",
}
"""Mechanisms that are not run here, with the reason."""


@dataclass(frozen=True)
class Run:
    """A mechanism with two neighboring inputs, and what is looked at in its outputs."""

    mechanism: Mechanism
    x: Any
    x_neighbor: Any
    score: Callable[[Any], float] = float
    releases: int = 12
    """So many outputs that are counted as one are found out with few trials."""
    guarantee: Guarantee | None = None
    """What is claimed, if it is not the plan of the mechanism."""
    method: str = "sample"
    no_neighbor: Any = None
    """What a broken caller takes for a neighbor of x, if one output shows that."""

    @property
    def claim(self) -> Guarantee | Plan:
        return self.guarantee or Plan.of(self.mechanism)

    def right(self, data: Any, rng: Any) -> float:
        """One output."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StudyOnlyWarning)
            output = getattr(self.mechanism, self.method)(*data, rng)
        return self.score(output)

    def broken(self, data: Any, rng: Any) -> float:
        """Several outputs, added up; or one, for data that are no neighbors."""
        if self.no_neighbor is not None:
            return self.right(data, rng)
        return sum(self.right(data, rng) for _ in range(self.releases))


def chosen_first(index: int) -> float:
    return float(index == 0)


def below_zero(noisy: Any) -> float:
    """One side of the noise, so that rare large draws do not hide a shift."""
    return float(noisy < 0)


def is_large(noisy: Any) -> float:
    """Whether noise is larger than it mostly is for a smooth sensitivity of 1."""
    return float(abs(noisy) > 1000)


def is_positive(best: Any) -> float:
    """Whether there is a best run and it is rather near 1 than 0."""
    return float(best is not None and best > 1 / 2)


def is_shown(noisy: Any) -> float:
    return float(noisy is not None)


def first_rows(rows: Any) -> float:
    return float(sum(rows))


def second_cell(release: Any) -> float:
    return float(release.values[1] > 0.5 * release.values.sum())


def sampled(kind: Any, *numbers: Any, relation: Relation, noise: Any = None) -> Any:
    """A sampler around Gaussian noise that samples of its kind take."""
    inside = (noise or Gaussian(1)).stated_for(kind.inside)
    return kind(inside, *numbers, relation=relation)


ADDED = Relation.ADD_OR_REMOVE_ONE
ROWS = (
    Run(Exponential(1), ([0, 0],), ([1, -1],), chosen_first, 30),
    Run(PermuteAndFlip(1), ([0, 0],), ([1, -1],), chosen_first, 30),
    Run(ReportNoisyMax(1), ([0, 0],), ([1, -1],), chosen_first, 60),
    Run(SparseVector(1, 1), ([6],), ([5],), sum, no_neighbor=([-6],)),
    Run(GaussianSparseVector(2, 2, 4), ([0],), ([1],), sum, 100),
    Run(BestOfRuns(Gaussian(2), 2), (0,), (1,), is_positive, 100),
    Run(BestOfPoissonRuns(Gaussian(2), 2), (0,), (1,), is_positive, 150),
    Run(PartitionSelection(1, "0.1"), (2,), (1,), float, 30),
    Run(Thresholded(DiscreteLaplace(1), 2), (2,), (1,), is_shown, 30),
    Run(sampled(PoissonSampled, "1/2", relation=ADDED), ((1, 0),), ((0, 0),)),
    Run(sampled(SampledWithoutReplacement, 1, 2, relation=ADDED), ((1, 0),), ((0, 0),)),
    Run(
        sampled(SampledWithReplacement, 2, 4, relation=ADDED),
        ((0, 1, 2),),
        ((0, 0, 0),),
        releases=20,
    ),
    Run(
        sampled(TruncatedPoissonSampled, "1/2", 4, 3, relation=ADDED),
        ((1, 0, 2),),
        ((0, 0, 0),),
        releases=30,
    ),
    Run(
        SampledBands(1, 2, [1, "1/2"], "1/2"),
        ([(1, 0), (0, 0)],),
        ([(0, 0), (0, 0)],),
        first_rows,
        20,
    ),
    Run(SmoothLaplace(1, "0.1"), (0, 1), (1, 1), below_zero),
    Run(SmoothGaussian(1, "0.1"), (0, 1), (1, 1), below_zero),
    Run(SmoothPower(1, "0.1", 2), (0, 1), (1, 1), below_zero, 20),
    Run(SmoothStudent(1, "0.1", 3), (0, 1), (1, 1), below_zero, 20),
    Run(SmoothLaplaceLogNormal("0.5", "0.1", "0.5"), (0, 1), (1, 1), below_zero, 60),
    Run(
        SmoothUniformLogNormal("0.02", "0.1", "3/2"),
        (0, 1),
        (0, 1.1),
        is_large,
        no_neighbor=(0, 10_000),
    ),
    Run(
        SparseHistogram(4, 3, 1, "0.01"),
        ((0, 0, 0, 1),),
        ((0, 1, 1, 1),),
        second_cell,
        60,
        PureDP(1),
        "release",
    ),
    Run(
        DiscreteSparseHistogram(4, 3, 1, "0.01"),
        ((0, 0, 0, 1),),
        ((0, 1, 1, 1),),
        second_cell,
        60,
        PureDP(1),
        "release",
    ),
)
"""Those whose worst pair of inputs depends on the question, or is not known."""


def run_of(kind: type[Mechanism]) -> Run | None:
    """How a mechanism is run: by its row, or by the pair that one of its examples names."""
    for row in ROWS:
        if type(row.mechanism) is kind:
            return row
    for example in kind.examples():
        pair = example.pair()
        if pair is not None and example.has_sampler:
            return _by_losses(example, pair)
    return None


def _by_losses(example: Mechanism, pair: tuple[Any, Any]) -> Run:
    """Outputs on the two inputs of a pair, read by their losses."""
    first, second = pair
    return Run(example, (first,), (second,), example.observed, 12)
