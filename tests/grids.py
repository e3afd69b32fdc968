"""Grids of parameters of which the default run takes a part, spread evenly; the slow run takes the
rest.
"""

from itertools import product
from typing import Any

import pytest


def thinned(every: Any, *axes: Any) -> Any:
    """All combinations; those whose places do not add up to a multiple of a number are slow.

    Each value of each axis stays in the default run if another axis has at least that many values.
    """
    cases = []
    for places in product(*(range(len(axis)) for axis in axes)):
        marks = [] if sum(places) % every == 0 else [pytest.mark.slow]
        values = (axis[place] for axis, place in zip(axes, places, strict=True))
        cases.append(pytest.param(*values, marks=marks))
    return cases
