"""A grid of outputs: fixed, or as fine as the data allow."""

from typing import Any

from rdpacct.auditing.support import GridVerdict, audit_grid
from rdpacct.mechanisms.discrete.discrete_laplace import DiscreteLaplace
from rdpacct.testing.twins.floating.floating_twin import FloatingTwin

STEPS = 8
DATA = ([3, 4, 5], [3, 4, 500])


def right(data: list[int], rng: Any) -> float:
    """A sum with noise in steps of 1/8."""
    return _noisy_steps(sum(data) * STEPS, rng) / STEPS


def broken(data: list[int], rng: Any) -> float:
    """A sum with noise in steps that a large record makes finer."""
    steps = max(data)
    return _noisy_steps(sum(data) * steps, rng) / steps


def _noisy_steps(steps: int, rng: Any) -> int:
    noisy: int = DiscreteLaplace(scale=100, sensitivity=100).sample(steps, rng)
    return noisy


def audited(code: Any) -> GridVerdict:
    """Whether all outputs are multiples of 1/8."""
    return audit_grid(code, DATA, "1/8")


TWIN = FloatingTwin(
    name="grid by the data",
    right=right,
    broken=broken,
    audited=audited,
    note="The grid of the outputs depends on the largest record.",
    source="Mironov 2012, whose snapping rounds to a grid that is fixed beforehand",
)
