"""The transform of a Gaussian loss."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from rdpacct.exact.ball import ComplexBall, RealBall
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import Expr, add
from rdpacct.exact.raw import real
from rdpacct.mechanisms.gaussian.gaussian_curve import GaussianCurve
from rdpacct.privacy.cases import Case
from rdpacct.privacy.closed_curve import ClosedCurve
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.gaussian_profile import gaussian_profile
from rdpacct.privacy.transform import NATS, Nodes, Transform
from rdpacct.provenance import by


@dataclass(frozen=True)
class GaussianTransform(Transform):
    """The loss N(mu**2/2, mu**2) of a shift by mu standard deviations."""

    square: Expr
    """mu squared."""
    merges = True
    smooths = True

    @classmethod
    def together(cls, group: Sequence[tuple[Self, int]]) -> "GaussianTransform":
        """The squares of the shifts add up."""
        squares = (
            transform.square if count == 1 else count * transform.square
            for transform, count in group
        )
        return cls(add(*squares))

    def cases(self, count: int, log_least: float) -> list[Case]:  # noqa: ARG002
        square = value(self.square) * count
        return [Case(real(1), real(0), square, (0.0, 0.0, float(square)))]

    def closed_curve(self, count: int) -> ClosedCurve | None:
        if count != 1:
            return None
        curve = GaussianCurve(value(self.square).sqrt())
        return ClosedCurve(curve, "closed form (gaussian/delta)")

    @lazy_property
    def _square(self) -> float:
        return about(self.square)

    def planned(self, tilt: float) -> float:
        return tilt * (1 + tilt) * self._square / 2

    def planned_decay(self, tilt: float, height: float) -> float:  # noqa: ARG002
        return -height * height * self._square / 2

    def profile(self, epsilon: RealBall) -> RealBall:
        return gaussian_profile(value(self.square).sqrt(), epsilon)[0]

    @by("engine/gaussian-decay")
    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:  # noqa: ARG002
        """M(z) = exp(z (1 + z) mu**2/2)."""
        half = value(self.square) / 2
        return [(z * (1 + z) * half).exp() for z in nodes.points]

    @by("engine/gaussian-decay")
    def decay(
        self,
        tilt: RealBall,  # noqa: ARG002
        height: RealBall,
        value_at_tilt: RealBall,
        nats: float = NATS,  # noqa: ARG002
    ) -> RealBall:
        """|M(t + i y)| = M(t) exp(-y**2 mu**2/2), which decreases in y."""
        return value_at_tilt * (-height * height * value(self.square) / 2).exp()
