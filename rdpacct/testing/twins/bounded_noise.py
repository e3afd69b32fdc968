"""Truncated Laplace noise with a bound that is too small, and staircase noise on two numbers."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.exact.formula import Expr, formula
from rdpacct.exact.functions import exp
from rdpacct.testing.pair_law import on_pair
from rdpacct.testing.twins.twin import Twin

DELTA = "1/20"
ENOUGH = "log(1 + 10*(exp(1) - 1))"
"""The bound of scale 1 that has this delta at epsilon 1."""
TAIL = "log(10)"
"""Laplace noise of scale 1 exceeds this with probability 1/20."""
GAMMA = Fraction(1, 2)


def _truncated(value: float, bound: float, rng: Any, size: int) -> Array:
    """By inversion of the distribution of |noise|."""
    inside = -math.expm1(-bound)
    sizes = -load().log1p(-inside * rng.random(size))
    return value + sizes * rng.choice((-1, 1), size)


def truncated(value: float, rng: Any, size: int) -> Array:
    """Truncated where the delta at epsilon 1 is 1/20."""
    return _truncated(value, math.log1p(10 * math.expm1(1)), rng, size)


def truncated_at_the_tail(value: float, rng: Any, size: int) -> Array:
    """Truncated where Laplace noise has a tail of 1/20."""
    return _truncated(value, math.log(10), rng, size)


TOO_SMALL_A_BOUND = Twin(
    name="truncated-laplace-tail",
    claim=f"ApproxDP(epsilon=1, delta={DELTA})",
    x=1,
    x_neighbor=0,
    right=truncated,
    broken=truncated_at_the_tail,
    trials=10_000,
    note="The noise is cut off where the tail of Laplace noise has the probability delta, but"
    " the outputs that only one neighbor can give have exp(epsilon) - 1 times that.",
    source="Geng, Ding, Guo, Kumar: Tight analysis of privacy and utility tradeoff (2020)",
    right_law=lambda: f"TruncatedLaplace(scale=1, bound={ENOUGH})",
    broken_law=lambda: f"TruncatedLaplace(scale=1, bound={TAIL})",
)


def two_laplaces(values: Sequence[float], rng: Any, size: int) -> Array:
    """Noise of scale 1 on each number, which is right for an L1 sensitivity of 1."""
    return values + rng.laplace(size=(size, 2))


def two_staircases(values: Sequence[float], rng: Any, size: int) -> Array:
    """Staircase noise of epsilon 1 on each number."""
    cells = rng.geometric(-math.expm1(-1), size=(size, 2)) - 1
    first = rng.random((size, 2)) < 1 / (1 + math.exp(-1))
    places = (rng.random((size, 2)) + ~first) / 2
    return values + (cells + places) * rng.choice((-1, 1), size=(size, 2))


def likelier(outputs: Sequence[float]) -> float:
    """How many of the outputs are likelier from 0 than from 1/2: those within 1/2 below a whole
    number up to 0.
    """
    return sum(output <= 0 and -output % 1 < 1 / 2 for output in outputs)


def _chances(values: Sequence[float]) -> dict[str, Expr]:
    """The exact probability that both outputs are likelier from 0 than from 1/2."""
    high = (1 - exp(-1)) / (1 + exp(-1))
    chance = high * (GAMMA + GAMMA * exp(-1) / (1 - exp(-1)))
    if values[0]:
        chance = chance * exp(formula(-1))
    return {"both": chance**2, "not both": 1 - chance**2}


TWO_NUMBERS = Twin(
    name="staircase-two-numbers",
    claim="PureDP(epsilon=1)",
    x=(0, 0),
    x_neighbor=(0.5, 0.5),
    right=two_laplaces,
    broken=two_staircases,
    trials=10_000,
    note="Staircase noise loses all of its epsilon on a small move already, so that two numbers"
    " that share the sensitivity lose it twice.",
    source="Geng, Viswanath: The optimal mechanism in differential privacy (2014), for one number",
    right_law=lambda: "Laplace(scale=1)",
    broken_law=on_pair(_chances, (0, 0), (0.5, 0.5)),
    score=likelier,
)
