"""A profile in closed form, with the name of the method."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from rdpacct.exact.ball import RealBall
from rdpacct.exact.invert import Curve

Inverse: TypeAlias = Callable[[RealBall], RealBall | None]
"""The epsilon at which delta is a number, if that is found."""


class ClosedCurve(NamedTuple):
    """A profile that needs no quadrature, what its method is called, and its inverse if it has
    one.
    """

    curve: Curve
    name: str
    inverse: Inverse | None = None
