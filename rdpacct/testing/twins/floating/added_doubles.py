"""Noise of a library: rounded to a grid that is fixed, or added in doubles as it comes."""

from typing import Any

from rdpacct.auditing.support import SupportVerdict, audit_support
from rdpacct.mechanisms.discrete.discrete_gaussian import DiscreteGaussian
from rdpacct.testing.twins.floating.floating_twin import FloatingTwin

GRID = 64
NOISE = DiscreteGaussian(sigma=GRID, sensitivity=GRID)


def right(count: int, rng: Any) -> float:
    """A count with exact noise in steps of 1/64."""
    steps: int = NOISE.sample(count * GRID, rng)
    return steps / GRID


def broken(count: int, rng: Any) -> float:
    """A count with normal noise in doubles: small outputs of 0 have digits that sums with 1 do not
    have.
    """
    noisy: float = count + rng.normal(scale=1.0)
    return noisy


def audited(code: Any) -> SupportVerdict:
    """The outputs that only one of the counts 0 and 1 has, against a claim with a delta."""
    return audit_support(code, 0, 1, "ApproxDP(epsilon=5, delta=0.05)", outputs=300)


TWIN = FloatingTwin(
    name="noise added in doubles",
    right=right,
    broken=broken,
    audited=audited,
    note="The last digits of a sum tell which value noise was added to.",
    source="Haney, Desfontaines, Hartman, Shrestha and Hay 2022, Precision-based attacks"
    " and interval refining",
)
