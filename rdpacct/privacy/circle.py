"""A loss whose exponential is cosh(eps) + sinh(eps) cos(phi), with phi uniform: that of two Cauchy laws."""

from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import Ball
from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import PI, cos, cosh, exp, log, sinh
from rdpacct.exact.integral import integrate
from rdpacct.privacy.parts import Edge, Part

PHI, CENTER = Symbol("phi"), Symbol("center")


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

    def _loss(self) -> Expr:
        return log(cosh(self.epsilon) + sinh(self.epsilon) * cos(PHI))

    def _expect(self, value: Expr, bits: int, **values: Ball) -> Ball:
        if PHI.name not in value.symbols():
            return value.ball(bits, **values)
        return integrate(value, PHI.name, 0, PI, bits, (), **values) / PI.ball(bits)
