"""The transform of the law that dominates the exponential mechanism: a density exp((L - epsilon)/2)
on an interval.
"""

import math
from dataclasses import dataclass

from rdpacct.exact.ball import ComplexBall, RealBall
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import Expr
from rdpacct.exact.raw import complex_of, pi
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.nodes import NATS, Nodes
from rdpacct.privacy.patterns import Column, Row
from rdpacct.privacy.transform import Transform, on_either_side, variance_decay
from rdpacct.provenance import by


@dataclass(frozen=True)
class ExponentialTransform(Transform):
    """M(z) = (exp(epsilon z) - exp(-epsilon (z + 1)))/((2z + 1)(1 - exp(-epsilon)))."""

    epsilon: Expr

    @lazy_property
    def _epsilon(self) -> float:
        return about(self.epsilon)

    def patterns(self, count: int) -> Column | None:
        return Column(count + 1, 0, count, lambda: self._signs(count))

    def _signs(self, count: int) -> list[Row]:
        """M = exp(-eps/2)/(1 - exp(-eps)) w (exp(eps s) - exp(-eps s)), with s = z + 1/2."""
        e = value(self.epsilon)
        planned = float(e)
        scale = ((-e / 2).exp() / (1 - (-e).exp())) ** count
        return [
            Row(
                e * (count - 2 * lower),
                planned * (count - 2 * lower),
                scale * (-1) ** lower * math.comb(count, lower),
                0,
            )
            for lower in range(count + 1)
        ]

    def planned(self, tilt: float) -> float:
        e = self._epsilon
        return tilt * e + math.log(
            -math.expm1(-(1 + 2 * tilt) * e) / ((1 + 2 * tilt) * -math.expm1(-e))
        )

    def planned_decay(self, tilt: float, height: float) -> float:
        e = self._epsilon
        s = tilt + 0.5
        half = math.pi / (2 * e)
        far = self._planned_far(tilt, max(height, half))
        if height >= half:
            return far
        spread = 1 / s**2 - (e / math.sinh(s * e)) ** 2 if s * e < 300 else 1 / s**2
        near = 0.5 * math.log(
            max(1 - spread * (1 - math.cos(2 * e * height)) / (2 * e * e), 1e-300)
        )
        return min(self._planned_far(tilt, height), max(near, far))

    def _planned_far(self, tilt: float, height: float) -> float:
        e = self._epsilon
        s = tilt + 0.5
        size = (
            tilt * e
            + math.log1p(math.exp(-2 * s * e))
            - math.log(2 * math.hypot(s, height) * -math.expm1(-e))
        )
        return min(0.0, size - self.planned(tilt))

    @by("engine/exponential-decay")
    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:  # noqa: ARG002
        """The closed form at each node."""
        e = value(self.epsilon)
        t = nodes.tilt
        scale = 1 / (1 - (-e).exp())
        up = (t * e).exp() * scale
        down = (-(1 + t) * e).exp() * scale
        total = up + down
        gap = up - down
        rows = zip(nodes.angles(e), nodes.shares, strict=True)
        return [
            complex_of(gap * cosine, total * sine) * share
            for (sine, cosine), share in rows
        ]

    def decay(
        self,
        tilt: RealBall,
        height: RealBall,
        value_at_tilt: RealBall,
        nats: float = NATS,  # noqa: ARG002
    ) -> RealBall:
        """The far bound; below pi/(2 epsilon) also the larger of that at pi/(2 epsilon) and of that
        by the variance.
        """
        e = value(self.epsilon)
        half = pi() / (2 * e)
        everywhere = exponential_far(e, tilt, height).min(value_at_tilt)
        if not height < half:
            return everywhere
        near = (
            variance_decay(exponential_variance(e, tilt), 2 * e, height) * value_at_tilt
        )
        return on_either_side(everywhere, near, exponential_far(e, tilt, half))

    def top(self) -> RealBall:
        return value(self.epsilon)

    def planned_top(self) -> float:
        return self._epsilon


@by("engine/exponential-decay")
def exponential_far(epsilon: RealBall, tilt: RealBall, height: RealBall) -> RealBall:
    """For y >= height, |M| <= (exp(epsilon t) + exp(-epsilon (t + 1)))/(2 |s + i y| (1 -
    exp(-epsilon))).
    """
    s = (2 * tilt + 1) / 2
    top = ((tilt * epsilon).exp() + (-(1 + tilt) * epsilon).exp()) / (
        2 * (1 - (-epsilon).exp())
    )
    return top / (s * s + height * height).sqrt()


@by("engine/exponential-decay")
def exponential_variance(epsilon: RealBall, tilt: RealBall) -> RealBall:
    """The variance of the tilted loss: 1/s**2 - epsilon**2/sinh(s epsilon)**2 with s = t + 1/2."""
    s = (2 * tilt + 1) / 2
    return 1 / (s * s) - (epsilon / (s * epsilon).sinh()) ** 2
