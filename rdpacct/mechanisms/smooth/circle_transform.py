"""The transform of the loss of two Cauchy laws, by the trapezoid rule on a circle that lies between
them.

With C = cosh(eps/2), S = sinh(eps/2) and an angle theta that is uniform under the Cauchy law
halfway between P and Q, exp(L) = (C + S cos(theta))/(C - S cos(theta)), P has the density 1/(C - S
cos(theta)), and

    M(z) = mean over the circle of (C + S cos(theta))**z (C - S cos(theta))**(-z - 1).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from rdpacct.exact.ball import ComplexBall, RealBall
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import Expr
from rdpacct.exact.raw import around, complex_of, pi, real, turn_sums
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.cut import EVERYWHERE, Cut, LossRange
from rdpacct.privacy.transform import NATS, Nodes, Transform
from rdpacct.provenance import by

PLANNED_POINTS = 200
MOST_POINTS = 20_000
GROWTH = 2
"""The power with which the angles of cells grow."""
SHARES = (0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97)
"""The shares of the way to the nearest zero up to which the strip may reach on which the integrand
is bounded.
"""


@dataclass(frozen=True)
class CircleTransform(Transform):
    """M(z) of a loss whose exponential is cosh(eps) + sinh(eps) cos(phi), with phi uniform under
    P.
    """

    node_by_node = False

    epsilon: Expr

    @lazy_property
    def _size(self) -> float:
        return about(self.epsilon)

    def cost(self, tilt: float, height: float) -> float:
        return 1 + self._planned_points(tilt, height, 36.0)[0] / 60

    @lazy_property
    def _losses(self) -> list[float]:
        """The losses at evenly spread angles, about."""
        e = self._size
        angles = ((k + 0.5) * math.pi / PLANNED_POINTS for k in range(PLANNED_POINTS))
        return [
            math.log(math.cosh(e) + math.sinh(e) * math.cos(angle)) for angle in angles
        ]

    def planned(self, tilt: float) -> float:
        top = max(tilt * loss for loss in self._losses)
        return top + math.log(
            sum(math.exp(tilt * loss - top) for loss in self._losses) / PLANNED_POINTS
        )

    def _planned_points(
        self, tilt: float, height: float, nats: float
    ) -> tuple[int, float]:
        """The number of points with which the error is small enough, and the height of a strip that
        shows it.
        """
        c = math.cosh(self._size / 2)
        s = math.sinh(self._size / 2)
        best = (math.inf, 0.0)
        peak = self.planned(tilt)
        for share in SHARES:
            strip = share * math.asinh(1 / s)
            up = c + s * math.cosh(strip)
            down = c - s * math.cosh(strip)
            size = (
                tilt * math.log(up)
                - (tilt + 1) * math.log(down)
                + 2 * height * math.asin(s * math.sinh(strip))
            )
            best = min(best, ((nats + 1 + size - peak) / strip, strip))
        return min(math.ceil(best[0]) // 2 * 2 + 2, MOST_POINTS), best[1]

    @by("smooth/circle-transform")
    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:
        """The trapezoid rule at evenly spread angles, of which those below the axis repeat those
        above it.
        """
        count = nodes.count
        height = nodes.step * (nodes.count - 1)
        points, strip = self._planned_points(float(nodes.tilt), float(height), nats)
        half = value(self.epsilon) / 2
        c = half.cosh()
        s = half.sinh()
        weights = []
        ratios = []
        for j in range(points // 2 + 1):
            cosine = s * (2 * pi() * j / points).cos()
            loss = ((c + cosine) / (c - cosine)).log()
            times = 1 if j in (0, points // 2) else 2
            weights.append((nodes.tilt * loss).exp() / (c - cosine) * times / points)
            sine, turned = (nodes.step * loss).sin_cos()
            ratios.append(complex_of(turned, sine))
        if count == 1:
            sums = [complex_of(sum(weights[1:], start=weights[0]), real(0))]
        else:
            sums = turn_sums(weights, ratios, count)
        size = circle_error(half, nodes.tilt, height, real(strip), points)
        values = [around(v, size) for v in sums]
        values[0] = complex_of(values[0].real, real(0))
        return values

    def profile(self, epsilon: RealBall) -> RealBall:
        return self._profiles([epsilon])[0]

    def profiles(self, levels: Sequence[RealBall]) -> list[RealBall | None]:
        return [*self._profiles(levels)]

    def _profiles(self, levels: Sequence[RealBall]) -> list[RealBall]:
        size = value(self.epsilon)
        c = size.cosh()
        s = size.sinh()
        deltas = []
        for level in levels:
            growth = level.exp()
            under_p = angles_above((growth - c) / s)
            under_q = 1 - angles_above((1 / growth - c) / s)
            deltas.append(under_p - growth * under_q)
        return deltas

    def planned_cells(self, losses: LossRange = EVERYWHERE) -> float:
        return losses.within(-self._size, self._size).length / 2

    def cells(self, number: int, losses: LossRange = EVERYWHERE) -> Cut:
        """Cells of angles halfway between the two laws, which grow away from the largest loss."""
        size = value(self.epsilon)
        c = (size / 2).cosh()
        s = (size / 2).sinh()
        cosines = [
            (pi() * real(turn**GROWTH)).cos() for turn in self._turns(number, losses)
        ]
        edges = [size, *(((c + s * x) / (c - s * x)).log() for x in cosines), -size]
        under_p = [
            real(0),
            *(((c * x - s) / (c - s * x)).acos() / pi() for x in cosines),
            real(1),
        ]
        under_q = [
            real(0),
            *(((c * x + s) / (c + s * x)).acos() / pi() for x in cosines),
            real(1),
        ]
        return edges, [
            (p_after - p, q_after - q)
            for (p, p_after), (q, q_after) in zip(
                pairwise(under_p), pairwise(under_q), strict=True
            )
        ]

    def _turns(self, number: int, losses: LossRange) -> list[Fraction]:
        """Where the cells meet, as shares of the way from the largest loss to the least one before
        it grows.
        """
        low, high = losses.within(-self._size, self._size)
        first = Fraction(self._planned_turn(high))
        last = Fraction(self._planned_turn(low))
        turns = [
            first + (last - first) * Fraction(k, number) for k in range(number + 1)
        ]
        return [turn for turn in turns if 0 < turn < 1]

    def _planned_turn(self, loss: float) -> float:
        """About the share of the way at which there is a loss."""
        cosine = math.tanh(loss / 2) / math.tanh(self._size / 2)
        share = math.acos(min(max(cosine, -1.0), 1.0)) / math.pi
        return float(share ** (1 / GROWTH))

    def top(self) -> RealBall:
        return value(self.epsilon)

    def planned_top(self) -> float:
        return self._size

    def planned_bottom(self) -> float:
        return -self._size


@by("smooth/circle-transform")
def circle_error(
    half: RealBall, tilt: RealBall, height: RealBall, strip: RealBall, points: int
) -> RealBall:
    """The error of the trapezoid rule at all heights up to this one: 2 B/(exp(points strip) - 1).

    B bounds the integrand on the edges Im theta = -strip and Im theta = strip, where S sinh(strip)
    < 1.
    """
    c = half.cosh()
    s = half.sinh()
    turn = s * strip.sinh()
    if not turn < 1:
        return real(math.inf)
    up = c + s * strip.cosh()
    down = c - s * strip.cosh()
    edge = (tilt * up.log() - (tilt + 1) * down.log() + 2 * height * turn.asin()).exp()
    return 2 * edge / ((strip * points).exp() - 1)


def circle_tail(epsilon: RealBall, threshold: RealBall) -> RealBall:
    """The probability under P that the loss exceeds a threshold: a share of the angles."""
    return angles_above((threshold.exp() - epsilon.cosh()) / epsilon.sinh())


def angles_above(cosine: RealBall) -> RealBall:
    """The share of the angles whose cosine exceeds a number."""
    if cosine >= 1:
        return real(0)
    if cosine <= -1:
        return real(1)
    least = cosine.upper().acos() if cosine < 1 else real(0)
    most = cosine.lower().acos() if cosine > -1 else pi()
    return least.union(most) / pi()
