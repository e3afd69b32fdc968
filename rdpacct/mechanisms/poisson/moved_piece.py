"""A stretch of losses that is the image of another one, over which it is integrated.

The losses log(1 - q + q exp(l)) of a sampled release are nearly all the same where l is far below
0. In balls their density is a quotient of differences of nearly equal numbers; over l it is smooth.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.formula import ONE, ZERO, Expr, Symbol
from rdpacct.exact.functions import exp
from rdpacct.exact.integral import integrate
from rdpacct.exact.raw import real
from rdpacct.exact.taylor import integrals
from rdpacct.privacy.constants import value
from rdpacct.privacy.parts import CELL_BITS, LOSS, Part, Piece

CENTER = Symbol("shift")


@dataclass(frozen=True, slots=True)
class MovedPiece(Piece):
    """The losses ``image`` of a bounded stretch of numbers from ``first`` to ``last``, which have
    the density ``inner`` under P.

    These are formulas of the number, which is called as a loss is. ``preimage`` is the number of a
    loss. Losses rise with the number, or fall.
    """

    inner: Expr = ONE
    image: Expr = LOSS
    preimage: Expr = LOSS
    first: Expr = ZERO
    last: Expr = ZERO
    rising: bool = True

    def central_moments(self, orders: int, center: Ball, bits: int) -> list[Ball]:
        weights = ((LOSS - CENTER) ** order for order in range(orders + 1))
        return [
            self._over(weight, self.first, self.last, bits, shift=center)
            for weight in weights
        ]

    def reversed(self) -> "MovedPiece":
        turned = Piece.reversed(self)
        return MovedPiece(
            turned.density,
            turned.low,
            turned.high,
            turned.center,
            turned.spread,
            self.inner * exp(-self.image),
            -self.image,
            self.preimage.at(loss=-LOSS),
            self.first,
            self.last,
            not self.rising,
        )

    def scaled(self, weight: Expr) -> "MovedPiece":
        density = weight * self.density
        return replace(self, density=density, inner=weight * self.inner)

    def from_loss(self, low: Expr) -> "MovedPiece":
        if self.rising:
            return replace(self, low=low, first=self._place(low))
        return replace(self, low=low, last=self._place(low))

    def cells(
        self, edges: Sequence[Fraction], bits: int
    ) -> list[tuple[RealBall, RealBall]]:
        before, _, beyond = Part.cells(self, (edges[0], edges[-1]), bits)
        with precision(max(bits, CELL_BITS)):
            points = [self._clipped(edge) for edge in edges]
            if not self.rising:
                points.reverse()
            p, q = (
                integrals(density, LOSS.name, points)
                for density in (self.inner, self.inner * exp(-self.image))
            )
        inside = list(zip(p, q, strict=True))
        if not self.rising:
            inside.reverse()
        return [before, *inside, beyond]

    def _clipped(self, edge: Fraction) -> RealBall:
        """The number of a loss, or the nearer end if it is none of these losses."""
        loss = real(edge)
        lowest, highest = self.first, self.last
        if not self.rising:
            lowest, highest = highest, lowest
        if isinstance(self.low, Expr) and loss <= value(self.low):
            return value(lowest)
        if isinstance(self.high, Expr) and loss >= value(self.high):
            return value(highest)
        low = value(self.first)
        high = value(self.last)
        number = value(self.preimage.at(loss=edge))
        if not number.is_finite():
            return low.union(high)
        return number.max(low).min(high)

    def _expect(
        self,
        weight: Expr,
        majorant: Expr,  # noqa: ARG002
        middle: Fraction,  # noqa: ARG002
        bits: int,
    ) -> Ball:
        return self._over(weight, self.first, self.last, bits)

    def _from(self, start: Expr | Fraction, weight: Expr, bits: int) -> Ball:
        place = self._place(start)
        if self.rising:
            return self._over(weight, place, self.last, bits)
        return self._over(weight, self.first, place, bits)

    def _place(self, start: Expr | Fraction) -> Expr:
        """The number of a loss; that of the smallest one is an end."""
        if start == self.low:
            return self.first if self.rising else self.last
        return self.preimage.at(loss=start)

    def _over(
        self, weight: Expr, first: Expr, last: Expr, bits: int, **values: Ball
    ) -> Ball:
        """The integral of a weight of the loss against the density, between two numbers."""
        body = self.inner * weight.at(loss=self.image)
        return integrate(body, LOSS.name, first, last, bits, (), **values)
