"""Noise on the scale of a smooth sensitivity, divided by alpha and not."""

from typing import Any

from rdpacct.arrays import Array
from rdpacct.testing.twins.twin import Twin

HALF = 0.5
"""alpha: the scale of the noise is twice the smooth sensitivity."""


def student(data: tuple[float, float], rng: Any, size: int) -> Array:
    """The value with Student noise of three degrees, on the scale of the smooth sensitivity over
    alpha.
    """
    value, sensitivity = data
    return value + sensitivity / HALF * rng.standard_t(3, size=size)


def student_without_alpha(data: tuple[float, float], rng: Any, size: int) -> Array:
    """On the scale of the smooth sensitivity itself."""
    value, sensitivity = data
    return value + sensitivity * rng.standard_t(3, size=size)


def log_normal(data: tuple[float, float], rng: Any, size: int) -> Array:
    """The value with Laplace noise of a log-normal size, drawn anew for each output."""
    value, sensitivity = data
    spread = rng.lognormal(0, 1 / 2, size=size)
    return value + sensitivity / HALF * spread * rng.laplace(size=size)


def uniform_of_one_size(data: tuple[float, float], rng: Any, size: int) -> Array:
    """Uniform noise whose log-normal size is left out."""
    value, sensitivity = data
    return value + sensitivity / HALF * rng.uniform(-1, 1, size=size)


WITHOUT_ALPHA = Twin(
    name="smooth-student-without-alpha",
    claim="PureDP(epsilon=0.625)",
    x=(0.0, 1.0),
    x_neighbor=(1.0, 1.0),
    right=student,
    broken=student_without_alpha,
    trials=4_000,
    note="The noise is on the scale of the smooth sensitivity itself, and alpha = 1/2 is"
    " forgotten.",
    source="Bun, Steinke: Average-case averages (2019), the theorem on Student's t",
    right_law=lambda: "SmoothStudent(alpha=0.5, beta=0.05, degrees=3)",
    broken_law=lambda: "SmoothStudent(alpha=1, beta=0.05, degrees=3)",
)

WITHOUT_SIZE = Twin(
    name="smooth-log-normal-without-size",
    claim="ApproxDP(epsilon=3, delta=0.01)",
    x=(0.0, 1.0),
    x_neighbor=(1.0, 1.0),
    right=log_normal,
    broken=uniform_of_one_size,
    trials=2_000,
    note="The noise is uniform, and the factor of a log-normal size, which reaches every output,"
    " is forgotten.",
    source="Bun, Steinke: Average-case averages (2019), on uniform log-normal noise",
    right_law=lambda: "SmoothLaplaceLogNormal(alpha=0.5, beta=0.01, sigma=0.5)",
    broken_law=lambda: "FiniteMechanism(rows=[[1/4, 3/4, 0], [0, 3/4, 1/4]])",
)
