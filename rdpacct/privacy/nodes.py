"""The nodes of a vertical line, at which transforms are evaluated."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from operator import add, mul

from rdpacct.exact.ball import ComplexBall, RealBall
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.raw import (
    complex_of,
    power_rows,
    product,
    real,
    scaled_rows,
    unit_powers,
)

FEW = 4
"""Up to this many transforms of a kind are evaluated one by one."""
NATS = 44.0
"""The accuracy of a quadrature inside a transform, unless another is asked for."""


class Nodes:
    """The points tilt + i m step of a vertical line, for m from 0 to count - 1."""

    consecutive = True

    def __init__(self, tilt: RealBall, step: RealBall, count: int) -> None:
        self.tilt = tilt
        self.step = step
        self.count = count

    @property
    def indices(self) -> Sequence[int]:
        """The m of each point."""
        return range(self.count)

    @lazy_property
    def points(self) -> list[ComplexBall]:
        """The points themselves."""
        return [complex_of(self.tilt, self.step * m) for m in self.indices]

    @lazy_property
    def shares(self) -> list[ComplexBall]:
        """w = 1/(2z + 1) at each point z."""
        rate = 2 * self.tilt + 1
        step = 2 * self.step
        return [1 / complex_of(rate, step * m) for m in self.indices]

    def angles(self, loss: RealBall) -> list[tuple[RealBall, RealBall]]:
        """Sine and cosine of m step loss for each m."""
        angle = self.step * loss
        return [(angle * m).sin_cos() for m in self.indices]

    def turns(self, loss: RealBall) -> list[ComplexBall]:
        """exp(i m step loss) for each m."""
        if self.count == 1:
            return [complex_of(real(1), real(0))]
        sine, cosine = (self.step * loss).sin_cos()
        return unit_powers(complex_of(cosine, sine), self.count)


class ChosenNodes(Nodes):
    """The points tilt + i m step of a vertical line for some m only, 0 first."""

    consecutive = False

    def __init__(self, tilt: RealBall, step: RealBall, indices: Sequence[int]) -> None:
        super().__init__(tilt, step, len(indices))
        self._indices = indices

    @property
    def indices(self) -> Sequence[int]:
        return self._indices

    def turns(self, loss: RealBall) -> list[ComplexBall]:
        return [complex_of(cosine, sine) for sine, cosine in self.angles(loss)]


def shifted_product(
    shifts: Sequence[RealBall], nodes: Nodes, lifts: Sequence[ComplexBall]
) -> list[ComplexBall]:
    """exp(z sum of mu) times the product of lift + exp(-mu (2z + 1)) over the shifts mu, at each
    node.
    """
    total = sum(shifts[1:], start=shifts[0])
    outside = (nodes.tilt * total).exp()
    products = [
        product(list(map(add, repeat(lift), shrinks)))
        for lift, shrinks in zip(lifts, _shrinks(shifts, nodes), strict=True)
    ]
    return [
        value * turn * outside
        for value, turn in zip(products, nodes.turns(total), strict=True)
    ]


def _shrinks(
    shifts: Sequence[RealBall], nodes: Nodes
) -> Iterator[Iterable[RealBall | ComplexBall]]:
    """exp(-mu (2z + 1)) for each shift mu, node by node."""
    rate = -(2 * nodes.tilt + 1)
    sizes = [(rate * mu).exp() for mu in shifts]
    yield sizes  # at the tilt itself nothing turns
    if nodes.count == 1:
        return
    steps = []
    for mu in shifts:
        sine, cosine = (nodes.step * mu * -2).sin_cos()
        steps.append(complex_of(cosine, sine))
    stride = math.isqrt(nodes.count) + 1
    small = power_rows(steps, stride + 1)
    large = scaled_rows(sizes, small[stride], -(-nodes.count // stride))
    for m in range(1, nodes.count):
        if m % stride:
            yield map(mul, small[m % stride], large[m // stride])
        else:
            yield large[m // stride]
