"""A loss whose exponential is cosh(eps) + sinh(eps) cos(phi), with phi uniform: that of two Cauchy laws."""

import math
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import Ball, Raw
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import PI, cos, cosh, exp, log, sinh
from rdpacct.exact.integral import exponential_integral, integrate
from rdpacct.exact.raw import pi, real
from rdpacct.privacy.parts import Edge, Part
from rdpacct.privacy.transform import NATS, Nodes, Transform, about, value

PHI, CENTER = Symbol("phi"), Symbol("center")
PLANNED_POINTS = 200


@dataclass(frozen=True, slots=True)
class Circle(Part):
    """All outcomes: an angle phi, uniform over half a circle under P, and the loss log(cosh(eps) + sinh(eps) cos(phi)).

    Exchanging P and Q does not change the law of the loss.
    """

    epsilon: Expr

    def range(self) -> tuple[Edge, Edge]:
        return -self.epsilon, self.epsilon

    def moment(self, rate: Fraction, bits: int) -> Ball:
        return self._expect(exp(rate * self._loss()), bits)

    def mean(self, bits: int) -> Ball:
        return self._expect(self._loss(), bits)

    def central_moments(self, orders: int, center: Ball, bits: int) -> list[Ball]:
        return [self._expect((self._loss() - CENTER) ** order, bits, center=center) for order in range(orders + 1)]

    def tail(self, threshold: Fraction, bits: int) -> Ball:
        cosine = (Ball.of(threshold, bits).exp() - cosh(self.epsilon).ball(bits)) / sinh(self.epsilon).ball(bits)
        if (cosine - 1).certainly_positive():
            return Ball.of(0, bits)
        if (cosine + 1).certainly_negative():
            return Ball.of(1, bits)
        share = cosine.arccos() / PI.ball(bits)
        return share if share.finite() else Ball.hull(0, 1, bits)

    def excess(self, threshold: Fraction, bits: int) -> Ball:
        other = 1 - self.tail(-threshold, bits)
        return (self.tail(threshold, bits) - Ball.of(threshold, bits).exp() * other).positive_part()

    def reversed(self) -> "Circle":
        return self

    def transform(self) -> Transform:
        return CircleTransform(self.epsilon)

    def _loss(self) -> Expr:
        return loss_at(self.epsilon)

    def _expect(self, body: Expr, bits: int, **values: Ball) -> Ball:
        if PHI.name not in body.symbols():
            return body.ball(bits, **values)
        return integrate(body, PHI.name, 0, PI, bits, (), **values) / PI.ball(bits)


def loss_at(epsilon: Expr) -> Expr:
    """The loss at the angle phi."""
    return log(cosh(epsilon) + sinh(epsilon) * cos(PHI))


@dataclass(frozen=True)
class CircleTransform(Transform):
    """M(z), the mean of exp(z loss) over the half circle, by rigorous integration at each node."""

    epsilon: Expr

    def cost(self, tilt: float, height: float) -> float:  # noqa: ARG002
        return 1000.0 + 10 * height

    @cached_property
    def _losses(self) -> list[float]:
        """The losses at evenly spread angles, about."""
        e = about(self.epsilon)
        angles = ((k + 0.5) * math.pi / PLANNED_POINTS for k in range(PLANNED_POINTS))
        return [math.log(math.cosh(e) + math.sinh(e) * math.cos(angle)) for angle in angles]

    def planned(self, tilt: float) -> float:
        top = max(tilt * loss for loss in self._losses)
        return top + math.log(sum(math.exp(tilt * loss - top) for loss in self._losses) / PLANNED_POINTS)

    def at(self, nodes: Nodes, nats: float = NATS) -> list[Raw]:  # noqa: ARG002
        loss = loss_at(self.epsilon)
        return [exponential_integral(loss, PHI.name, z, real(0), pi()) / pi() for z in nodes.points]

    def top(self) -> Raw:
        return value(self.epsilon)

    def planned_top(self) -> float:
        return about(self.epsilon)
