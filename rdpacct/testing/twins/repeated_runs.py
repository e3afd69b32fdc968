"""The best of several runs: a random number of them and a fixed one; by a score that the outputs
show and by one that they do not.
"""

from collections.abc import Callable
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import erfc, exp, sqrt
from rdpacct.exact.number import rational
from rdpacct.testing.pair_law import on_pair
from rdpacct.testing.twins.twin import Twin

GAMMA = 1 / 10
RUNS = 10


def _better(bit: int) -> float:
    """The chance that a run has the better output: randomized response at epsilon 1."""
    e: float = load().e
    return (e if bit else 1) / (1 + e)


def geometric_runs(bit: int, rng: Any, size: int) -> Array:
    """Whether some run has the better output, for a geometric number of them with mean 10."""
    counts = rng.geometric(GAMMA, size=size)
    return 1 - (rng.random(size) < (1 - _better(bit)) ** counts)


def ten_runs(bit: int, rng: Any, size: int) -> Array:
    """Whether one of ten runs has the better output."""
    return 1 - (rng.random(size) < (1 - _better(bit)) ** RUNS)


def _law(bit: int) -> dict[int, Expr]:
    """The exact probabilities for ten runs."""
    worse = (1 if bit else exp(1)) / (1 + exp(1))
    return {0: worse**RUNS, 1: 1 - worse**RUNS}


FIXED_NUMBER = Twin(
    name="best-of-ten-runs",
    claim="PureDP(epsilon=3)",
    x=0,
    x_neighbor=1,
    right=geometric_runs,
    broken=ten_runs,
    trials=10_000,
    note="The best of a random number of runs costs at most 3 epsilon; of a fixed number it costs"
    " up to as many epsilons as there are runs.",
    source="Liu, Talwar: Private selection from private candidates (2019)",
    right_law=lambda: "RepeatAndSelect(epsilon=1, gamma=1/10)",
    broken_law=on_pair(_law, 0, 1),
)

MEAN_RUNS = 100
SIGMA = 4
NEAR = "1/5"


def largest_run(value: float, rng: Any, size: int) -> Array:
    """The largest of a geometric number of noisy values."""
    counts = rng.geometric(1 / MEAN_RUNS, size=size)
    return _each_best(value, rng, counts, lambda noise: noise.max())


def nearest_run(value: float, rng: Any, size: int) -> Array:
    """That of the noisy values which is nearest to the value itself, which they do not show."""
    counts = rng.geometric(1 / MEAN_RUNS, size=size)
    return _each_best(value, rng, counts, lambda noise: noise[abs(noise).argmin()])


def _each_best(
    value: float, rng: Any, counts: Array, best: Callable[[Array], float]
) -> Array:
    """The best noisy value of each group of this many runs."""
    noise = rng.normal(0, SIGMA, size=int(counts.sum()))
    ends = counts.cumsum()
    kept = [
        best(noise[end - count : end])
        for end, count in zip(ends.tolist(), counts.tolist(), strict=True)
    ]
    return value + load().array(kept)


def _farther(distance: Real) -> Expr:
    """The chance that all of a geometric number of runs are farther than that."""
    chance = erfc(formula(distance) / (SIGMA * sqrt(2)))
    return chance / (MEAN_RUNS - (MEAN_RUNS - 1) * chance)


def _near_zero(value: int) -> dict[bool, Expr]:
    """The chance that the nearest run is near zero."""
    width = rational(NEAR)
    chance = 1 - _farther(width)
    if value:
        chance = (_farther(1 - width) - _farther(1 + width)) / 2
    return {True: chance, False: 1 - chance}


TRUE_SCORE = Twin(
    name="best-run-by-a-hidden-score",
    claim="ApproxDP(epsilon=2, delta=0.01)",
    x=0,
    x_neighbor=1,
    right=largest_run,
    broken=nearest_run,
    trials=2_000,
    note="The best run is to be found by a score that its output shows; the distance to the true"
    " value tells what the noise hid.",
    source="Papernot, Steinke: Hyperparameter tuning with Renyi differential privacy (2022)",
    right_law=lambda: f"BestOfRuns(run=Gaussian(sigma={SIGMA}), mean={MEAN_RUNS})",
    broken_law=on_pair(_near_zero, 0, 1),
)
