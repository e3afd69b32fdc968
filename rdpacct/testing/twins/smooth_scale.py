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
