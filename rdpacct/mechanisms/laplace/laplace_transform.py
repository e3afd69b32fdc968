"""The transform of the Laplace mechanism's loss, and how fast it falls along a vertical line."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import mul
from typing import Self

from rdpacct.exact.ball import ComplexBall, RealBall
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import Expr, Scalar
from rdpacct.exact.raw import pi, real
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.cut import EVERYWHERE, Cut, LossRange
from rdpacct.privacy.nodes import FEW, NATS, Nodes, shifted_product
from rdpacct.privacy.patterns import Column, Row
from rdpacct.privacy.transform import Transform, on_either_side, variance_decay
from rdpacct.provenance import by


@dataclass(frozen=True)
class LaplaceTransform(Transform):
    """The loss of the Laplace mechanism, for a shift by mu scales."""

    shift: Expr
    cut_last = True

    @lazy_property
    def _shift(self) -> float:
        return about(self.shift)

    def patterns(self, count: int) -> Column | None:
        return Column(count + 1, count, 0, lambda: self._signs(count))

    def _signs(self, count: int) -> list[Row]:
        """The patterns of a number of draws, by how many of them have the lower sign."""
        mu = value(self.shift)
        planned = float(mu)
        scale = (-mu * count / 2).exp() / real(2) ** count
        return [
            Row(
                mu * (count - 2 * lower),
                planned * (count - 2 * lower),
                scale * math.comb(count, lower),
                lower,
            )
            for lower in range(count + 1)
        ]

    def planned(self, tilt: float) -> float:
        mu = self._shift
        s = tilt + 0.5
        lift = 0.25 / s
        return tilt * mu + math.log(0.5 + lift + (0.5 - lift) * math.exp(-2 * s * mu))

    @classmethod
    def planned_sum(cls, group: Sequence[Self], tilt: float) -> float:
        s = tilt + 0.5
        up = 0.5 + 0.25 / s
        down = 0.5 - 0.25 / s
        rate = -2 * s
        shifts = [transform._shift for transform in group]
        shrinks = map(math.exp, map(mul, shifts, repeat(rate)))
        logs = [math.log(up + down * shrink) for shrink in shrinks]
        return tilt * sum(shifts) + sum(logs)

    def planned_decay(self, tilt: float, height: float) -> float:
        return min(self._planned_decays(tilt, height))

    def _planned_decays(self, tilt: float, height: float) -> tuple[float, float]:
        """About the logarithms of the bound for all heights, and of the larger one of two: that up
        to pi/(2 mu), and that from there on.
        """
        mu = self._shift
        s = tilt + 0.5
        half = math.pi / (2 * mu)
        outside = tilt * mu - self.planned(tilt)
        everywhere = math.log(_laplace_peak(mu, s, height)[0]) + outside
        if height >= half:
            return everywhere, math.inf
        far = math.log(_laplace_peak(mu, s, half)[0]) + outside
        spread = laplace_variance(mu, s, math.tanh(s * mu))
        near = 0.5 * math.log(
            max(1 - spread * (1 - math.cos(2 * mu * height)) / (2 * mu * mu), 1e-300)
        )
        return everywhere, max(near, far)

    @by("laplace/transform")
    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:  # noqa: ARG002
        """M = (exp(mu z) (1 + w) + exp(-mu (z + 1)) (1 - w))/2 with w = 1/(2z + 1)."""
        mu = value(self.shift)
        up = (nodes.tilt * mu).exp() / 2
        down = (-(nodes.tilt + 1) * mu).exp() / 2
        values = []
        for turn, share in zip(nodes.turns(mu), nodes.shares, strict=True):
            above = turn * up
            below = turn.conjugate() * down
            values.append(above + below + (above - below) * share)
        return values

    @classmethod
    def product(
        cls, group: Sequence[Self], nodes: Nodes, nats: float = NATS
    ) -> list[ComplexBall]:
        """The product: of few, each by itself; of several, by powers from node to node."""
        if len(group) < FEW or not nodes.consecutive:
            return super().product(group, nodes, nats)
        return cls.shifted(group, nodes)

    @classmethod
    @by("laplace/transform")
    def shifted(cls, group: Sequence[Self], nodes: Nodes) -> list[ComplexBall]:
        """The product, since M = exp(mu z) z/(2z + 1) ((z + 1)/z + exp(-mu (2z + 1)))."""
        shifts = [value(transform.shift) for transform in group]
        points = nodes.points
        lifts = [(z + 1) / z for z in points]
        outside = [share ** len(group) for share in (1 / (lift + 1) for lift in lifts)]
        return list(map(mul, outside, shifted_product(shifts, nodes, lifts)))

    def decay(
        self,
        tilt: RealBall,
        height: RealBall,
        value_at_tilt: RealBall,
        nats: float = NATS,  # noqa: ARG002
    ) -> RealBall:
        """The bound for all heights, or, where that is likely to be smaller, the larger one of
        two: that up to pi/(2 mu), and that from there on.
        """
        mu = value(self.shift)
        s = tilt + real(1) / 2
        everywhere, either = self._planned_decays(float(tilt), float(height))
        half = pi() / (2 * mu)
        if everywhere <= either or not height < half:
            return laplace_far(mu, s, height, self._shift)
        near = (
            variance_decay(laplace_variance(mu, s, (s * mu).tanh()), 2 * mu, height)
            * value_at_tilt
        )
        beyond = laplace_far(mu, s, half, self._shift)
        return on_either_side(value_at_tilt, near, beyond)

    def planned_cells(self, losses: LossRange = EVERYWHERE) -> float:
        return losses.within(-self._shift, self._shift).length

    def cells(self, number: int, losses: LossRange = EVERYWHERE) -> Cut:
        return laplace_cells(value(self.shift), number, losses)

    def top(self) -> RealBall:
        return value(self.shift)

    def planned_top(self) -> float:
        return self._shift

    def planned_bottom(self) -> float:
        return -self._shift


def laplace_cells(mu: RealBall, number: int, losses: LossRange) -> Cut:
    """The atoms of a Laplace loss at both ends, and cells: of equal width in a range of losses, and
    one on either side of it.

    The loss is at least l with probability exp(-(l + mu)/2)/2 under Q, and at most l with exp((l -
    mu)/2)/2 under P.
    """
    points = laplace_edges(mu, number, losses.within(-float(mu), float(mu)))
    under_q = [(-(point + mu) / 2).exp() / 2 for point in points]
    under_p = [((point - mu) / 2).exp() / 2 for point in points]
    rows = [(under_p[0], under_q[0])]
    rows += [
        (under_p[k] - under_p[k + 1], under_q[k + 1] - under_q[k])
        for k in range(len(points) - 1)
    ]
    rows.append((under_p[-1], under_q[-1]))
    return [points[0], *points, points[-1]], rows


def laplace_edges(mu: RealBall, number: int, losses: LossRange) -> list[RealBall]:
    """Losses that certainly fall, from mu to -mu: they part a range into cells of equal width, but
    for an end of it that may not be between the two.
    """
    high = real(losses.high)
    low = real(losses.low)
    first = [mu] if -mu < high < mu else []
    if not first:
        high = mu
    last = [-mu] if -mu < low < high else []
    if not last:
        low = -mu
    inner = [high - (high - low) * k / number for k in range(number + 1)]
    return [*first, *inner, *last]


def laplace_far(
    mu: RealBall, s: RealBall, height: RealBall, planned: float
) -> RealBall:
    """The bound on |M| for y >= height whose tangent is taken at a planned point."""
    return laplace_tangent(
        mu, s, height, real(_laplace_peak(planned, float(s), float(height))[1])
    )


@by("engine/laplace-decay")
def laplace_tangent(
    mu: RealBall, s: RealBall, height: RealBall, point: RealBall
) -> RealBall:
    """For y >= height, |M| <= H(v) = sqrt((a+b)**2 - 4abv) + c sqrt(sinh(s mu)**2 + v), v = sin(y
    mu)**2.

    Here a and b are the tilted atoms and c = exp(-mu/2)/(2 |s + i height|). H is concave, so that
    its tangent at any point bounds it.
    """
    outside = (-mu / 2).exp()
    a = (s * mu).exp() * outside / 2
    b = (-s * mu).exp() * outside / 2
    c = outside / (2 * (s * s + height * height).sqrt())
    first = ((a + b) * (a + b) - 4 * a * b * point).sqrt()
    second = ((s * mu).sinh() ** 2 + point).sqrt()
    slope = c / (2 * second) - 2 * a * b / first
    return first + c * second + (slope * (1 - point)).max(-slope * point)


@by("engine/laplace-decay")
def laplace_variance(mu: Scalar, s: Scalar, tanh: Scalar) -> Scalar:
    """The variance of the tilted Laplace loss, from M = exp(-mu/2)(cosh(s mu) + sinh(s mu)/(2 s));
    floats or balls.
    """
    f = 1 + tanh / (2 * s)
    first = mu * tanh + mu / (2 * s) - tanh / (2 * s * s)
    second = mu * mu * f - mu / (s * s) + tanh / (s * s * s)
    return second / f - (first / f) * (first / f)


def _laplace_peak(mu: float, s: float, height: float) -> tuple[float, float]:
    """About the largest value of H over exp(s mu - mu/2), and where in [0, 1] it is taken.

    With r = exp(-2 s mu) and d = 4 (s**2 + height**2), this is the largest value of sqrt(p - r v) +
    sqrt((m + r v)/d), for p = ((1 + r)/2)**2 and m = ((1 - r)/2)**2.
    """
    r = math.exp(-2 * s * mu)
    d = 4 * (s * s + height * height)
    p = (0.5 + 0.5 * r) ** 2
    m = (0.5 - 0.5 * r) ** 2
    v = 0.0
    if r > 0 and d < math.inf:
        v = min(max((p - d * m) / (r * (d + 1)), 0.0), 1.0)
    return math.sqrt(max(p - r * v, 0.0)) + math.sqrt((m + r * v) / d), v
