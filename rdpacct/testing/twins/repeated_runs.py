"""The best of several runs that tell one bit each: a random number of them, and a fixed one."""

from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.exact.formula import Expr
from rdpacct.exact.functions import exp
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
