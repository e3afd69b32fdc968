"""The transform of a stretch of losses with an analytic density, by rigorous integration at each node."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from rdpacct.exact.ball import Raw
from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.integral import complex_integral, complex_integral_beyond
from rdpacct.privacy.nodes import NATS, Nodes
from rdpacct.privacy.transform import Transform, about, value

LOSS = Symbol("loss")
"""The variable of the density of a piece."""

Edge: TypeAlias = Expr | float
"""An end of the range of a loss: an exact real number, or an infinity."""

PLANNED_POINTS = 200


@dataclass(frozen=True)
class PieceTransform(Transform):
    """The integral of density(loss) exp(z loss) from low to high; log-concave where an end is infinite."""

    density: Expr
    low: Edge
    high: Edge
    center: Expr
    spread: Expr

    def cost(self, tilt: float, height: float) -> float:  # noqa: ARG002
        return 1000.0 + 10 * height

    @cached_property
    def _grid(self) -> list[tuple[float, float]]:
        """Losses with their masses, about."""
        middle, wide = about(self.center), 12 * about(self.spread)
        low = about(self.low) if isinstance(self.low, Expr) else middle - wide
        high = about(self.high) if isinstance(self.high, Expr) else middle + wide
        step = (high - low) / PLANNED_POINTS
        points = [low + step * (k + 0.5) for k in range(PLANNED_POINTS)]
        return [(x, max(float(self.density.ball(53, loss=Fraction(x))), 0.0) * step) for x in points]

    def planned(self, tilt: float) -> float:
        top = max(tilt * x for x, _ in self._grid)
        return top + math.log(sum(mass * math.exp(tilt * x - top) for x, mass in self._grid))

    def at(self, nodes: Nodes, nats: float = NATS) -> list[Raw]:  # noqa: ARG002
        return [self._integral(z) for z in nodes.points]

    def _integral(self, z: Raw) -> Raw:
        if isinstance(self.low, Expr) and isinstance(self.high, Expr):
            return complex_integral(self.density, LOSS.name, z, value(self.low), value(self.high))
        return complex_integral_beyond(
            self.density,
            LOSS.name,
            z,
            value(self.low) if isinstance(self.low, Expr) else None,
            value(self.high) if isinstance(self.high, Expr) else None,
            about(self.center) + float(z.real) * about(self.spread) ** 2,
            about(self.spread),
        )

    def top(self) -> Raw | None:
        return value(self.high) if isinstance(self.high, Expr) else None

    def planned_top(self) -> float:
        return about(self.high) if isinstance(self.high, Expr) else math.inf
