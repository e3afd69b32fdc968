"""A loss whose exponential is cosh(eps) + sinh(eps) cos(phi), with phi uniform: that of two Cauchy
laws.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import PI, exp, log, sin, sinh
from rdpacct.exact.integral import integrate
from rdpacct.exact.raw import real
from rdpacct.mechanisms.smooth.circle_transform import CircleTransform, circle_tail
from rdpacct.privacy.constants import value
from rdpacct.privacy.parts import Edge, Part
from rdpacct.privacy.transform import Transform

PSI = Symbol("psi")
"""The angle (pi - phi)/2."""
CENTER = Symbol("center")


@dataclass(frozen=True, slots=True)
class Circle(Part):
    """All outcomes: an angle phi, uniform over half a circle under P, and the loss log(cosh(eps) +
        sinh(eps) cos(phi)).

    Exchanging P and Q does not change the law of the loss.
    """

    quick = True

    epsilon: Expr

    def range(self) -> tuple[Edge, Edge]:
        return -self.epsilon, self.epsilon

    def moment(self, rate: Fraction, bits: int) -> Ball:
        """The moment at the rate or at -1 - rate, which is the same with P and Q exchanged: the
        larger of the two rates, whose integrand has no peak.
        """
        return self._expect(exp(max(rate, -1 - rate) * self._loss()), bits)

    def mean(self, bits: int) -> Ball:
        return self._expect(self._loss(), bits)

    def central_moments(self, orders: int, center: Ball, bits: int) -> list[Ball]:
        return [
            self._expect((self._loss() - CENTER) ** order, bits, center=center)
            for order in range(orders + 1)
        ]

    def tail(self, threshold: Fraction, bits: int) -> Ball:
        with precision(bits):
            return Ball(circle_tail(value(self.epsilon), real(threshold)), bits)

    def excess(self, threshold: Fraction, bits: int) -> Ball:
        other = 1 - self.tail(-threshold, bits)
        return (
            self.tail(threshold, bits) - Ball.of(threshold, bits).exp() * other
        ).positive_part()

    def events(
        self, edges: Sequence[Fraction | RealBall]
    ) -> list[tuple[RealBall, RealBall]]:
        size = value(self.epsilon)
        levels = map(real, edges)
        return [(circle_tail(size, x), 1 - circle_tail(size, -x)) for x in levels]

    def reversed(self) -> "Circle":
        return self

    def transform(self) -> Transform:
        return CircleTransform(self.epsilon)

    def _loss(self) -> Expr:
        return loss_at(self.epsilon)

    def _expect(self, body: Expr, bits: int, **values: Ball) -> Ball:
        if PSI.name not in body.symbols():
            return body.ball(bits, **values)
        quarter = PI / 2
        whole = integrate(body, PSI.name, 0, quarter, bits, (), **values)
        return whole / quarter.ball(bits)


def loss_at(epsilon: Expr) -> Expr:
    """The loss at the angle phi = pi - 2 psi.

    The cosine of phi is 2 sin(psi)**2 - 1. So written nothing is subtracted: near the smallest loss
    cosh(eps) + sinh(eps) cos(phi) is a small difference of large numbers, of which balls around an
    angle know nothing.
    """
    return log(exp(-epsilon) + 2 * sinh(epsilon) * sin(PSI) ** 2)
