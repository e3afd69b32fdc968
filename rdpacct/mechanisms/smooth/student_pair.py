"""Two laws of Student's t that differ in place and in scale: the loss, which is bounded."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.formula import Expr, Real, Scalar, Symbol, formula
from rdpacct.exact.functions import absolute, cosh, exp, log, sqrt
from rdpacct.exact.raw import real
from rdpacct.mechanisms.smooth.student_law import DECAY, below, beyond, mean_over
from rdpacct.mechanisms.smooth.whole_degrees import whole
from rdpacct.privacy.constants import value
from rdpacct.privacy.parts import Part, whole_law_cells
from rdpacct.provenance import by

CENTER = Symbol("center")
EDGE_WORK, WHOLE_WORK = 100, 40
"""The work of a probability; the second with a whole number of degrees."""


@dataclass(frozen=True, slots=True)
class StudentPair(Part):
    """Every output of the pair Z, shift + exp(ratio) Z: ``narrow_first`` says which of the two is
    P.
    """

    quick = True

    shift: Expr
    """Above 0."""
    ratio: Expr
    """At least 0."""
    degrees: Expr
    narrow_first: bool

    @property
    def edge_work(self) -> int:  # type: ignore[override]
        """The work of the tails at one edge, less if they have a closed form."""
        return EDGE_WORK if whole(value(self.degrees)) is None else WHOLE_WORK

    def range(self) -> tuple[Expr, Expr]:
        turn = cauchy_turn(self.shift / sqrt(self.degrees), self.ratio)
        low, high = narrow_range(turn, self.ratio, self.degrees)
        if self.narrow_first:
            return low, high
        return -high, -low

    def masses(self, level: Fraction, bits: int) -> tuple[Ball, Ball]:
        """The probabilities under P and under Q that the loss exceeds the level."""
        with precision(bits):
            [(p, q)] = self.events([level])
        return Ball(p, bits), Ball(q, bits)

    def events(
        self, edges: Sequence[Fraction | RealBall]
    ) -> list[tuple[RealBall, RealBall]]:
        known = value(self.shift), value(self.ratio), value(self.degrees)
        if self.narrow_first:
            return [narrow_exceeds(*known, real(edge)) for edge in edges]
        others = [narrow_exceeds(*known, -real(edge)) for edge in edges]
        return [(1 - broad, 1 - narrow) for narrow, broad in others]

    def tail(self, threshold: Fraction, bits: int) -> Ball:
        return self.masses(threshold, bits)[0]

    def excess(self, threshold: Fraction, bits: int) -> Ball:
        high = self.range()[1]
        if (high - threshold).ball(bits).bound().certainly_at_most(0):
            return Ball.of(0, bits)
        p, q = self.masses(threshold, bits)
        return (p - Ball.of(threshold, bits).exp() * q).positive_part()

    def cells(
        self, edges: Sequence[Fraction], bits: int
    ) -> list[tuple[RealBall, RealBall]]:
        """From the probabilities above each edge; all of both laws is above none."""
        return whole_law_cells(self, edges, bits)

    def moment(self, rate: Fraction, bits: int) -> Ball:
        if rate in (0, -1):
            return Ball.of(1, bits)
        most = exp(abs(rate) * self._most()).ball(bits)
        right, left = self._losses()
        bodies = exp(rate * right), exp(rate * left)
        return mean_over(bodies, self.degrees, most, bits)

    def mean(self, bits: int) -> Ball:
        return mean_over(self._losses(), self.degrees, self._most().ball(bits), bits)

    def central_moments(self, orders: int, center: Ball, bits: int) -> list[Ball]:
        most = self._most().ball(bits) + center.larger(-center)
        right, left = self._losses()
        return [
            mean_over(
                ((right - CENTER) ** order, (left - CENTER) ** order),
                self.degrees,
                most**order,
                bits,
                center=center,
            )
            for order in range(orders + 1)
        ]

    def reversed(self) -> "StudentPair":
        return StudentPair(self.shift, self.ratio, self.degrees, not self.narrow_first)

    def _most(self) -> Expr:
        """At least the size of every loss."""
        low, high = self.range()
        return absolute(low) + absolute(high)

    def _losses(self) -> tuple[Expr, Expr]:
        """The losses at the outputs above the center of P and below it, in the decay of these.

        An output sqrt(degrees) sinh(stretch) has 1 + sinh(stretch)**2 = ((1 + decay**2)/(2
        decay))**2 in its density; the ratio of two such is multiplied with (2 decay)**2.
        """
        shift = self.shift / sqrt(self.degrees)
        power = (self.degrees + 1) / 2
        ratio = self.ratio if self.narrow_first else -self.ratio
        if not self.narrow_first:
            shift = -shift * exp(-self.ratio)
        moved = 2 * shift * DECAY
        losses = []
        for twice in (1 - DECAY**2, DECAY**2 - 1):
            other = (twice - moved) * exp(-ratio)
            top = 4 * DECAY**2 + other**2
            losses.append(ratio + power * log(top / (1 + DECAY**2) ** 2))
        return losses[0], losses[1]


def narrow_exceeds(
    shift: RealBall, ratio: RealBall, degrees: RealBall, level: RealBall
) -> tuple[RealBall, RealBall]:
    """The probabilities under the narrower and the broader law that the loss of the narrower one
    exceeds the level.
    """
    shrink = (-ratio).exp()
    growth = (2 * (level - ratio) / (degrees + 1)).exp()
    square, linear, constant = quadratic(shift, shrink, degrees, growth)
    inside = linear * linear - square * constant
    if inside < 0:
        all_or_none = real(1) if square > 0 else real(0)
        return all_or_none, all_or_none
    reach = linear + inside.max(real(0)).sqrt()
    near = constant / reach
    far = square / reach
    moved = far / ((1 - shift * far) * shrink)
    narrow = below(near, degrees) + beyond(far, degrees)
    broad = below((near - shift) * shrink, degrees) + beyond(moved, degrees)
    if not inside > 0:
        narrow = narrow.union(real(0)).union(real(1))
        broad = broad.union(real(0)).union(real(1))
    return _share(narrow), _share(broad)


def _share(mass: RealBall) -> RealBall:
    return mass.max(real(0)).min(real(1))


@by("smooth/student")
def cauchy_turn(shift: Real, ratio: Real) -> Expr:
    """The largest loss for one degree of freedom: cosh of it is cosh(ratio) + shift**2
    exp(-ratio)/2.
    """
    moved = formula(shift)
    size = cosh(ratio) + moved**2 * exp(-formula(ratio)) / 2
    return log(size + sqrt(size**2 - 1))


@by("smooth/student")
def narrow_range(turn: Real, ratio: Real, degrees: Real) -> tuple[Expr, Expr]:
    """The smallest and the largest loss of the narrower law against the broader one, from that of
    two Cauchy laws.
    """
    count = formula(degrees)
    width = (count + 1) / 2 * turn
    middle = (count - 1) / 2 * ratio
    return -width - middle, width - middle


@by("smooth/student-corners")
def quadratic(
    shift: Scalar, shrink: Scalar, degrees: Scalar, growth: Scalar
) -> tuple[Scalar, Scalar, Scalar]:
    """(a, b, c): the loss is above the level where a z**2 - 2 b z + c > 0, for growth = exp(2
    (level - ratio)/(degrees + 1)) and shrink = exp(-ratio).
    """
    square = shrink * shrink
    return (
        square - growth,
        square * shift,
        degrees * (1 - growth) + square * shift * shift,
    )
