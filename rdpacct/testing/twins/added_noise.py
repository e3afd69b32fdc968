"""Noise of a wrong scale on one number."""

import math
from typing import Any

from rdpacct.arrays import Array
from rdpacct.testing.twins.twin import Twin

CLASSICAL = math.sqrt(2 * math.log(1.25 / 0.1)) / 8
"""sqrt(2 log(1.25/delta))/epsilon at epsilon 8 and delta 0.1."""
ENOUGH = 0.321456
"""The least sigma with that epsilon and delta, rounded up."""


def laplace(value: float, rng: Any, size: int) -> Array:
    """Noise of scale 1, as a sensitivity of 1 needs at epsilon 1."""
    return value + rng.laplace(scale=1, size=size)


def laplace_of_half_the_scale(value: float, rng: Any, size: int) -> Array:
    """Noise of scale 1/2."""
    return value + rng.laplace(scale=1 / 2, size=size)


def gaussian(value: float, rng: Any, size: int) -> Array:
    """Noise of the least sigma that an exact profile allows."""
    return value + rng.normal(scale=ENOUGH, size=size)


def gaussian_by_the_classical_formula(value: float, rng: Any, size: int) -> Array:
    """Noise of the sigma that the formula for epsilon below 1 gives."""
    return value + rng.normal(scale=CLASSICAL, size=size)


HALF_THE_SCALE = Twin(
    name="laplace-half-scale",
    claim="PureDP(epsilon=1)",
    x=0,
    x_neighbor=1,
    right=laplace,
    broken=laplace_of_half_the_scale,
    trials=1_000,
    note="The scale is half of sensitivity/epsilon, as for a sensitivity that is half of the"
    " true one.",
    source="Dwork, McSherry, Nissim, Smith: Calibrating noise to sensitivity (2006)",
    right_law=lambda: "Laplace(scale=1)",
    broken_law=lambda: "Laplace(scale=1/2)",
)

CLASSICAL_FORMULA = Twin(
    name="gaussian-classical-formula",
    claim="ApproxDP(epsilon=8, delta=0.1)",
    x=0,
    x_neighbor=1,
    right=gaussian,
    broken=gaussian_by_the_classical_formula,
    trials=2_000_000,
    note="The formula sigma = sqrt(2 log(1.25/delta))/epsilon is proved for epsilon below 1,"
    " and used for epsilon 8.",
    source="Balle, Wang: Improving the Gaussian mechanism (2018), Theorem 4",
    right_law=lambda: f"Gaussian(sigma={ENOUGH})",
    broken_law=lambda: "Gaussian(sigma=sqrt(2*log(12.5))/8)",
)
