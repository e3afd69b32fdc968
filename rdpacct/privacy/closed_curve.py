"""A profile in closed form, with the name of the method."""

from typing import NamedTuple

from rdpacct.exact.invert import Curve


class ClosedCurve(NamedTuple):
    """A profile that needs no quadrature, and what its method is called."""

    curve: Curve
    name: str
