"""Laplace noise: exact on a grid, or by the inverse of its distribution function in doubles."""

import math
from typing import Any

from rdpacct.auditing.support import SupportVerdict, audit_support
from rdpacct.mechanisms.discrete.discrete_laplace import DiscreteLaplace
from rdpacct.testing.twins.floating.floating_twin import FloatingTwin

GRID = 1024
NOISE = DiscreteLaplace(scale=GRID, sensitivity=GRID)


def right(count: int, rng: Any) -> float:
    """A count with exact noise in steps of 1/1024, which doubles represent."""
    steps: int = NOISE.sample(count * GRID, rng)
    return steps / GRID


def broken(count: int, rng: Any) -> float:
    """A count with noise from a uniform double: of the doubles near an output, each count reaches
    some of its own.
    """
    uniform = rng.random() - 0.5
    return count - math.copysign(1, uniform) * math.log(1 - 2 * abs(uniform))


def audited(code: Any) -> SupportVerdict:
    """The outputs that only one of the counts 0 and 1 has."""
    return audit_support(code, 0, 1, "PureDP(epsilon=1)")


TWIN = FloatingTwin(
    name="naive Laplace noise",
    right=right,
    broken=broken,
    audited=audited,
    note="Noise by inversion in doubles leaves out outputs that depend on the count.",
    source="Mironov 2012, On significance of the least significant bits for differential"
    " privacy",
)
