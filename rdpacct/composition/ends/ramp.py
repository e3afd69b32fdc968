"""The ramp: the pair of the densities 2y and 1 on the unit interval, beside which sums are bounded.

A release that is not dominated by a small pair on its own may be so beside a ramp. The ramp is then
taken out again: its losses above a level are one event, with known probabilities.
"""

import math
from dataclasses import dataclass

from rdpacct.exact.ball import ComplexBall, RealBall
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.raw import AnyBall, complex_of, real
from rdpacct.privacy.nodes import NATS, Nodes
from rdpacct.privacy.transform import Direction, Transform
from rdpacct.provenance import by


@dataclass(frozen=True)
class RampTransform(Transform):
    """M(z) = 2**(z + 1)/(z + 2), of the loss log(2 y), where y has the density 2 y."""

    def planned(self, tilt: float) -> float:
        return (tilt + 1) * math.log(2) - math.log(tilt + 2)

    def planned_decay(self, tilt: float, height: float) -> float:
        return -math.log1p((height / (tilt + 2)) ** 2) / 2

    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:  # noqa: ARG002
        size = ((nodes.tilt + 1) * real(2).log()).exp()
        turns = nodes.turns(real(2).log())
        pairs = zip(turns, nodes.points, strict=True)
        moments = [ramp_moment(size * turn, z) for turn, z in pairs]
        moments[0] = complex_of(moments[0].real, real(0))
        return moments

    def decay(
        self,
        tilt: RealBall,
        height: RealBall,
        value: RealBall,
        nats: float = NATS,  # noqa: ARG002
    ) -> RealBall:
        return ramp_decay(tilt, height) * value

    def profile(self, epsilon: RealBall) -> RealBall:
        growth = epsilon.exp()
        if growth >= 2:
            return real(0)
        return (2 - growth).max(real(0)) ** 2 / 4

    def top(self) -> RealBall:
        return real(2).log()

    def planned_top(self) -> float:
        return math.log(2)


@by("composition/ramp")
def ramp_moment(growth: AnyBall, z: AnyBall) -> AnyBall:
    """The integral of (2 y)**z 2 y over the unit interval, where ``growth`` is 2**(z + 1)."""
    return growth / (z + 2)


@by("composition/ramp")
def ramp_decay(tilt: RealBall, height: RealBall) -> RealBall:
    """At least |M(tilt + i y)|/M(tilt) for all y >= height: |z + 2| grows with y."""
    rise = height / (tilt + 2)
    return 1 / (1 + rise * rise).sqrt()


def ramp() -> Direction:
    """The ramp as one more release."""
    return Direction(RampTransform())


@by("composition/ramp")
def ramp_event(share: Real) -> tuple[Expr, Expr]:
    """The probabilities under P and Q that y is within 2 ``share`` of 1."""
    part = formula(share)
    return 4 * part * (1 - part), 2 * part
