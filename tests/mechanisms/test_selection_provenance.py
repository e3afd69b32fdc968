"""Every answer about a selection names the theorems that it rests on, alone and composed."""

import pytest

from rdpacct import (
    BestOfPoissonRuns,
    BestOfRuns,
    Laplace,
    PartitionSelection,
    PermuteAndFlip,
    RepeatAndSelect,
    ReportNoisyMax,
    SparseVector,
    Staircase,
    Thresholded,
    TruncatedLaplace,
    epsilon,
)
from rdpacct.mechanisms import Mechanism

NAMED: list[tuple[Mechanism, tuple[str, ...]]] = [
    (PermuteAndFlip(1), ("selection/halfway", "selection/permute-and-flip")),
    (ReportNoisyMax(1), ("selection/halfway", "selection/noisy-max")),
    (SparseVector(2, 8), ("selection/halfway", "selection/sparse-vector")),
    (PartitionSelection(1, "1e-3"), ("selection/partition",)),
    (RepeatAndSelect(1, "1/10"), ("selection/repeated",)),
    (BestOfRuns(Laplace(2), 10), ("selection/best-run", "laplace/worst-pair")),
    (BestOfPoissonRuns(Laplace(2), 3), ("selection/poisson-runs",)),
    (Thresholded(Laplace(2), 20), ("selection/threshold", "laplace/worst-pair")),
    (TruncatedLaplace(1, 10), ("noise/unimodal", "noise/truncated-laplace")),
    (Staircase(1), ("noise/unimodal", "noise/staircase")),
]


@pytest.mark.parametrize(("mechanism", "theorems"), NAMED, ids=str)
def test_answers_name_their_theorems(
    mechanism: Mechanism, theorems: tuple[str, ...]
) -> None:
    for plan in (1 * mechanism, 3 * mechanism):
        assert set(theorems) <= epsilon(plan, "0.2").rests_on, plan
