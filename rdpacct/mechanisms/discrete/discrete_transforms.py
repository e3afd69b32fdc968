"""Transforms of noise on the integers: the discrete Gaussian, and the discrete Laplace of many
steps.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import ComplexBall, RealBall
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import Expr, formula
from rdpacct.exact.raw import around, complex_of, pi, real
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.lattice_law import LatticeLaw
from rdpacct.privacy.nodes import NATS, Nodes
from rdpacct.privacy.transform import Transform
from rdpacct.provenance import by

SMALLEST = -98
"""Terms with a smaller logarithm are left out of a sum, and its ball holds them."""
SMALL = Fraction(1)
"""Below this variance the terms are added up as they are; above, their Fourier series is
shorter.
"""


@dataclass(frozen=True)
class DiscreteGaussianTransform(Transform):
    """The losses steps (2x + steps)/(2 variance) of the integers x, of weight exp(-x**2/(2
    variance)).
    """

    variance: Fraction
    steps: int

    def cost(self, tilt: float, height: float) -> float:  # noqa: ARG002
        return 4.0

    @lazy_property
    def _numbers(self) -> tuple[float, float]:
        return float(self.variance), float(self.steps)

    def planned(self, tilt: float) -> float:
        v, d = self._numbers
        smooth = tilt * (1 + tilt) * d * d / (2 * v)
        if v >= 1:
            return smooth
        return smooth + math.log(self._planned_sum(tilt * d) / self._planned_sum(0.0))

    def _planned_sum(self, center: float) -> float:
        v = self._numbers[0]
        near = round(center)
        return sum(
            math.exp(-((near + k - center) ** 2) / (2 * v)) for k in range(-12, 13)
        )

    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:  # noqa: ARG002
        """exp(z (1 + z) steps**2/(2 v)) theta(z steps)/theta(0), the height reduced to half a
        period of M.
        """
        v = real(self.variance)
        t = nodes.tilt
        turn = 2 * pi() * v / self.steps
        rate = self.steps**2 / (2 * v)
        share = nodes.step / turn
        whole = 1 / self.theta(complex_of(real(0), real(0)), v).real
        values = []
        for m in nodes.indices:
            periods = round(float(share * m))
            height = nodes.step * m
            z = complex_of(t, height - turn * periods if periods else height)
            size = completed_square(z, rate, self.theta(z * self.steps, v), whole)
            values.append(-size if (self.steps * periods) % 2 else size)
        return values

    def theta(self, c: ComplexBall, v: RealBall) -> ComplexBall:
        """The sum of exp(-(x - c)**2/(2 v)) over the integers, over sqrt(2 pi v) where the variance
        is not small.
        """
        if self.variance < SMALL:
            return theta_direct(c, v)
        return theta_fourier(c, v)

    def lattice(self) -> tuple[Expr, tuple[Expr, ...]]:
        return formula(self.steps**2 / (2 * self.variance)), (
            formula(self.steps / self.variance),
        )

    def planned_points(self, tilt: float, count: int, nats: float) -> float:  # noqa: ARG002
        return 2 * math.sqrt(2 * nats * count * self._numbers[0]) + 3

    def lattice_law(self, tilt: RealBall, nats: float) -> LatticeLaw:
        """Weights exp(-(x - c)**2/(2 v)) around c = tilt steps, over all of them."""
        v = real(self.variance)
        center = tilt * self.steps
        total = self.theta(complex_of(center, real(0)), v).real
        if self.variance >= SMALL:
            total = total * (2 * pi() * v).sqrt()
        middle = round(float(center))
        reach = math.ceil(math.sqrt(2 * nats * float(self.variance))) + 1
        points = range(middle - reach, middle + reach + 1)
        masses = [
            (-(x - center) * (x - center) / (2 * v)).exp() / total for x in points
        ]
        first = Fraction(self.steps * (2 * points[0] + self.steps)) / (
            2 * self.variance
        )
        return LatticeLaw(real(first), real(self.steps / self.variance), masses)

    def planned_lattice_decay(
        self,
        tilt: float,  # noqa: ARG002
        height: float,
        spacing: float,
    ) -> float:
        v, d = self._numbers
        w = height * d / v
        if v < 1 or abs(spacing * v / d - 1) > 1e-6:
            return 0.0
        return min(
            0.0,
            -v * w * w / 2
            + math.log1p(math.exp(min(-2 * math.pi * v * (math.pi - w), 0.0))),
        )

    @by("discrete-gaussian/lattice-decay")
    def lattice_decay(
        self, tilt: RealBall, height: RealBall, spacing: Expr
    ) -> RealBall:
        """The wrapped normal at w = height steps/v, over the theta value at the tilt; it decreases
        up to w = pi.
        """
        v = real(self.variance)
        if self.variance < SMALL or spacing != self.lattice()[1][0]:
            return real(1)
        return (
            wrapped_normal(height * self.steps / v, v, pi())
            / theta_fourier(complex_of(tilt * self.steps, real(0)), v).real
        )


@by("discrete-gaussian/lattice-decay")
def wrapped_normal(w: RealBall, v: RealBall, half: RealBall) -> RealBall:
    """For v >= 1 and w <= x <= half = pi, the sum of exp(-v (x + 2 pi j)**2/2) over all integers j
    is at most this.
    """
    near = 2 * half - w
    far = 2 * half + w
    largest = (
        (-v * w * w / 2).exp()
        + (-v * near * near / 2).exp()
        + (-v * far * far / 2).exp()
    )
    return largest + 2 * (-9 * v * half * half / 2).exp() / (
        1 - (-6 * v * half * half).exp()
    )


@by("discrete-gaussian/transform")
def completed_square(
    z: ComplexBall, rate: RealBall, theta: ComplexBall, whole: RealBall
) -> ComplexBall:
    """exp(z (1 + z) rate) theta whole, where ``whole`` is 1/theta(0)."""
    return (z * (1 + z) * rate).exp() * theta * whole


def theta_fourier(c: ComplexBall, v: RealBall) -> ComplexBall:
    """1 + 2 sum of exp(-2 pi**2 v j**2) cos(2 pi j c); the omitted terms are at most a geometric
    series.
    """
    circle = 2 * pi()
    rate = circle * pi() * v
    lift = circle * abs(c.imag)
    total = complex_of(real(1), real(0))
    j = 1
    while True:
        size, shrink = wave_sizes(rate, lift, j)
        if shrink < 1 and size < SMALLEST:
            return around(total, wave_rest(size, shrink))
        total = total + wave(c, circle, rate, j)
        j += 1


def wave(c: ComplexBall, circle: RealBall, rate: RealBall, j: int) -> ComplexBall:
    """The j-th term of the Fourier series, 2 exp(-rate j**2) cos(2 pi j c)."""
    return 2 * (-rate * j * j).exp() * (circle * c * j).cos()


def wave_sizes(rate: RealBall, lift: RealBall, j: int) -> tuple[RealBall, RealBall]:
    """The logarithm of half of the largest modulus of this term, and by which factor the next ones
    fall at least.
    """
    size = -rate * j * j + lift * j
    shrink = (-rate * (2 * j + 1) + lift).exp()
    return size, shrink


@by("discrete-gaussian/transform")
def wave_rest(size: RealBall, shrink: RealBall) -> RealBall:
    """At least the sum of the moduli of this term and of all after it."""
    return 2 * size.exp() / (1 - shrink)


def theta_direct(c: ComplexBall, v: RealBall) -> ComplexBall:
    """The sum of exp(-(x - c)**2/(2 v)) over the integers, outward from the nearest; the rest is
    geometric.
    """
    middle = round(float(c.real))
    total = complex_of(real(0), real(0))
    lift = (c.imag * c.imag / (2 * v)).exp()
    reach = max(3, math.ceil(math.sqrt(200 * float(v))) + 2)
    for x in range(middle - reach, middle + reach + 1):
        total = total + bump(c - x, v)
    edge = real(reach) - real(1) / 2
    return around(total, bump_rest(lift, edge, v))


def bump(gap: ComplexBall, v: RealBall) -> ComplexBall:
    """The term at this distance, exp(-gap**2/(2 v))."""
    return (-(gap * gap) / (2 * v)).exp()


@by("discrete-gaussian/transform")
def bump_rest(lift: RealBall, edge: RealBall, v: RealBall) -> RealBall:
    """At least the sum of the moduli of the terms at the distances edge, edge + 1, ... on both
    sides, where ``lift`` is exp(Im(c)**2/(2 v)).
    """
    return 2 * lift * (-edge * edge / (2 * v)).exp() / (1 - (-edge / v).exp())


@dataclass(frozen=True)
class DiscreteLaplaceTransform(Transform):
    """The losses rate (steps - 2x) of 0 <= x <= steps, for two-sided geometric noise."""

    rate: Expr
    steps: int

    @lazy_property
    def _rate(self) -> float:
        return about(self.rate)

    def planned(self, tilt: float) -> float:
        r = self._rate
        n = self.steps
        shrink = (1 + 2 * tilt) * r
        ends = 1 + math.exp(-n * shrink)
        inside = (
            -math.expm1(-r)
            * math.exp(-shrink)
            * -math.expm1(-(n - 1) * shrink)
            / -math.expm1(-shrink)
        )
        return tilt * n * r + math.log((ends + inside) / (1 + math.exp(-r)))

    @by("discrete-laplace/transform")
    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:  # noqa: ARG002
        """Two ends, and a geometric series in between."""
        r = value(self.rate)
        n = self.steps
        t = nodes.tilt
        shrink = (-r).exp()
        scale = 1 / (1 + shrink)
        size = (-(1 + 2 * t) * r).exp()
        values = []
        for lift, turn in zip(nodes.turns(r * n), nodes.turns(2 * r), strict=True):
            ratio = turn.conjugate() * size
            last = ratio**n
            inside = (ratio - last) / (1 - ratio) * (1 - shrink) if n > 1 else ratio * 0
            values.append(lift * (t * n * r).exp() * scale * (1 + last + inside))
        return values

    def lattice(self) -> tuple[Expr, tuple[Expr, ...]]:
        return self.steps * self.rate, (2 * self.rate,)

    def planned_points(self, tilt: float, count: int, nats: float) -> float:  # noqa: ARG002
        return count * self.steps + 1

    def lattice_law(self, tilt: RealBall, nats: float) -> LatticeLaw:  # noqa: ARG002
        """From the least loss to the largest: masses exp(-rate x), and 1 - exp(-rate) times that
        between the ends.
        """
        r = value(self.rate)
        n = self.steps
        ends = 1 / (1 + (-r).exp())
        inside = (1 - (-r).exp()) / (1 + (-r).exp())
        sizes = [
            (-r * x + tilt * r * (n - 2 * x)).exp() * (inside if 0 < x < n else ends)
            for x in range(n, -1, -1)
        ]
        total = sum(sizes[1:], start=sizes[0])
        return LatticeLaw(-r * n, 2 * r, [size / total for size in sizes])

    def top(self) -> RealBall:
        return value(self.rate) * self.steps

    def planned_top(self) -> float:
        return self._rate * self.steps
