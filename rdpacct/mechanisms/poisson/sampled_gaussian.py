"""The loss of a Gaussian release of a Poisson sample: its transform by the trapezoid rule, with all
errors inside.

With the noise as unit and x standard normal, let R(x) = 1 - q + q exp(mu x - mu**2/2) and I(s) = E
R(x)**s. Removing the record has M(z) = I(1 + z), adding it M(z) = I(-z).
"""

import math
from dataclasses import dataclass
from itertools import accumulate, repeat
from operator import mul

from rdpacct.exact.ball import ComplexBall, RealBall
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import Expr, Scalar
from rdpacct.exact.raw import (
    angle,
    around,
    complex_of,
    error,
    pi,
    power_sums,
    real,
    turn_sums,
)
from rdpacct.mechanisms.poisson.sampled_gaussian_apart import (
    APART,
    ApartPair,
    closed_moment,
)
from rdpacct.mechanisms.poisson.sampled_gaussian_plan import (
    FARTHEST,
    LEAST_MU,
    ApartGaussianPlan,
    Grid,
    SampledGaussianPlan,
    strips_of,
)
from rdpacct.privacy.apart import Apart
from rdpacct.privacy.cases import Case, Kind, binomial_cases
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.nodes import NATS, Nodes
from rdpacct.privacy.transform import Transform
from rdpacct.provenance import by

SHIFTED = 2.2
"""A point off the real line takes this many times as long."""
MOST_POINTS = 30_000
"""A grid that would need more is cut off; what it leaves out is then in the bounds on its tails."""
ENOUGH = 0.75
"""A closed form that reaches this share of the accuracy that was asked for is not worked out
further.
"""


@dataclass(frozen=True)
class SampledGaussianTransform(Transform):
    """M(z) of a shift by mu standard deviations that is applied with probability ``rate``."""

    node_by_node = False
    plan_work = 100
    cost_work = 2.5

    mu: Expr
    rate: Expr
    removing: bool

    @lazy_property
    def _numbers(self) -> tuple[float, float]:
        return max(about(self.mu), LEAST_MU), about(self.rate)

    def power(self, tilt: Scalar) -> Scalar:
        """The real part of s in I(s), on the line of a tilt."""
        return 1 + tilt if self.removing else -tilt

    @lazy_property
    def _plan(self) -> SampledGaussianPlan:
        kind = ApartGaussianPlan if self._apart else SampledGaussianPlan
        return kind(*self._numbers)

    def cost(self, tilt: float, height: float) -> float:
        a = float(self.power(tilt))
        grid = self._grid(a, height, 36.0, self._plan.log(a))
        return 1 + grid.count / 30

    @lazy_property
    def _apart(self) -> bool:
        """Whether the two laws are so far apart that closed forms are used."""
        return self._numbers[0] >= APART

    def apart(self) -> Apart | None:
        if about(self.mu) < APART:
            return None
        return ApartPair(self.mu, self.rate, self.removing)

    def cases(self, count: int, log_least: float) -> list[Case] | None:
        if about(self.mu) < APART:
            return None
        q = value(self.rate)
        rest = 1 - q
        if not self.removing:
            offset = -rest.log() * count
            return [Case(real(1), offset, real(0), (0.0, float(offset), 0.0))]
        mu = value(self.mu)
        return binomial_cases(
            Kind(rest, rest.log(), real(0)),
            Kind(q, q.log(), mu * mu),
            count,
            log_least,
        )

    def planned(self, tilt: float) -> float:
        a = float(self.power(tilt))
        return self._plan.log(a)

    def planned_decay(self, tilt: float, height: float) -> float:
        a = float(self.power(tilt))
        if self._apart or not self._has_points(a, height):
            return 0.0
        return min(0.0, self._plan.decay(a, height)[0])

    def _has_points(self, a: float, height: float) -> bool:
        """Whether I is known at nodes up to a height, and a decay from there, from not too many
        points: for a < 0 the bump stays near zero, but the strip is the narrower the larger -a is.
        """
        if abs(a) * self._numbers[0] <= FARTHEST:
            return True
        if abs(self._plan.farthest(a)) > FARTHEST:
            return False
        return self._grid(a, height, NATS, self._plan.log(a)).count < MOST_POINTS

    def _grid(self, a: float, height: float, nats: float, log_total: float) -> Grid:
        """The grid with the least work that reaches the accuracy; one of two points, which does
        not, if the laws are apart by more than doubles hold.
        """
        mu = self._numbers[0]
        least = math.inf
        best = (0.0, 1 / mu, -1 / mu, 0.1 / mu, -1.0)
        points = 2
        low, high = self._ends(a, nats, log_total)
        if not math.isfinite((high - low) * mu):
            return Grid(0.0, 1.0, -1.0, 1.0, -1.0, points)
        for share in strips_of(a):
            strip = min(share * math.pi / mu, math.sqrt(2 * nats))
            edge = self._planned_edge(a, strip)
            step = 2 * math.pi * strip / (nats + 1 + edge + height * mu * strip)
            count = int((high - low) / step) + 2
            worse = count > least
            if count <= least:
                least = count
                best = (0.0, strip, -strip, step, low)
                points = count
            if height > 0:
                y = strip / 2
                step = 2 * math.pi * y / (nats + 1 + edge)
                worse = worse and SHIFTED * (high - low) / step > least
                if SHIFTED * (high - low) / step < least:
                    first, last = self._ends(
                        a, nats + self._planned_edge(a, y), log_total
                    )
                    count = int((last - first) / step) + 2
                    if SHIFTED * count < least:
                        least = SHIFTED * count
                        best = (y, strip, 0.0, step, first)
                        points = count
            if worse:
                break  # (nats + a convex function of the strip)/strip falls, then rises
        return Grid(*best, min(points, MOST_POINTS))

    def _planned_edge(self, a: float, edge: float) -> float:
        bend = a * math.log(math.cos(self._numbers[0] * edge / 2)) if a < 0 else 0.0
        return edge * edge / 2 + bend

    def _ends(self, a: float, nats: float, log_total: float) -> tuple[float, float]:
        """Where the tails of the two bumps are small."""
        mu, q = self._numbers
        reach = math.sqrt(2 * nats)
        bump = nats + math.log(q) + (a * a - a) * mu * mu / 2 - log_total
        far = math.sqrt(2 * bump) if bump > 0 else 0.0
        if a > 0:
            return -reach, max(reach, a * mu + far)
        plain = -math.sqrt(2 * max(nats + a * math.log1p(-q) - log_total, nats))
        return max(plain, min(-reach, a * mu - far)), reach

    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:
        """The sum over a grid, in balls that hold the errors of the strip and of the tails."""
        mu = value(self.mu)
        q = value(self.rate)
        a = self.power(nodes.tilt)
        step = nodes.step
        count = nodes.count
        closed = closed_moment(mu, q, a) if count == 1 or self._apart else None
        if count == 1 and closed is not None and _sharp(closed, nats):
            return [complex_of(closed, real(0))]
        height = step * (count - 1)
        grid = self._grid(float(a), float(height), nats, self._plan.log(float(a)))
        edges = strip_error(mu, a, grid, height)
        tails = self._tails(
            mu,
            q,
            a,
            real(grid.low),
            real(grid.low) + real(grid.step) * (grid.count - 1),
        )
        tails = tails * edge_size(mu, a, real(grid.shift), real(0))
        most = real(math.inf) if closed is None else closed
        if not (edges < 1 and tails < most):  # all that counts is beyond the grid
            first = error(most) if closed is None else closed
            others = around(complex_of(real(0), real(0)), most)
            return [complex_of(first, real(0)), *[others] * (count - 1)]
        if grid.shift:
            sums = power_sums(*self._raised_points(mu, q, a, step, grid), count)
        else:
            sums = self._level_sums(mu, q, a, nodes, grid)
        total = (abs(sums[0]) + tails) / (1 - edges)
        size = total * edges + tails
        blur = around(complex_of(real(0), real(0)), size)
        moments = [value + blur for value in sums]
        first = moments[0].real
        if closed is not None and _accuracy(closed) > _accuracy(first):
            first = closed
        moments[0] = complex_of(first, real(0))
        if self.removing:
            return moments
        return [value.conjugate() for value in moments]

    def _level_sums(
        self, mu: RealBall, q: RealBall, a: RealBall, nodes: Nodes, grid: Grid
    ) -> list[ComplexBall]:
        """The sums over the points of the real line: their weights, turned from one node to the
        next.
        """
        low = real(grid.low)
        h = real(grid.step)
        rest = 1 - q
        scale = h / (2 * pi()).sqrt()
        growth = q * (mu * low - mu * mu / 2).exp()
        grow = (mu * h).exp()
        half = real(-1) / 2
        growths = accumulate(repeat(grow, grid.count - 1), mul, initial=growth)
        levels = [
            level_point(low + h * j, rest + growth, a, half)
            for j, growth in enumerate(growths)
        ]
        weights = [bump * scale for _, bump in levels]
        if nodes.count == 1:
            return [complex_of(sum(weights[1:], start=weights[0]), real(0))]
        turns = []
        for log, _ in levels:
            sine, cosine = (nodes.step * log).sin_cos()
            turns.append(complex_of(cosine, sine))
        return turn_sums(weights, turns, nodes.count)

    def _raised_points(
        self, mu: RealBall, q: RealBall, a: RealBall, step: RealBall, grid: Grid
    ) -> tuple[list[ComplexBall], list[ComplexBall]]:
        """The weights of the points on a line above the real one, and the factors from one node to
        the next.
        """
        low = real(grid.low)
        h = real(grid.step)
        y = real(grid.shift)
        rest = 1 - q
        scale = h / (2 * pi()).sqrt()
        growth = q * (mu * low - mu * mu / 2).exp()
        grow = (mu * h).exp()
        weights = []
        ratios = []
        sine, cosine = (mu * y).sin_cos()
        turn = complex_of(cosine, sine)
        turned = complex_of(real(0), step)
        for j in range(grid.count):
            x = complex_of(low + h * j, y)
            bump, ratio = raised_point(x, turn * growth + rest, a, turned)
            weights.append(bump * scale)
            ratios.append(ratio)
            growth = growth * grow
        return weights, ratios

    def _tails(
        self, mu: RealBall, q: RealBall, a: RealBall, low: RealBall, high: RealBall
    ) -> RealBall:
        """What the sum of phi R**a leaves out below the first and above the last point."""
        return sampled_tail(mu, q, a, -low, lower=True) + sampled_tail(
            mu, q, a, high, lower=False
        )

    @by("sampling/gaussian-decay")
    def decay(
        self,
        tilt: RealBall,
        height: RealBall,
        value_at_tilt: RealBall,
        nats: float = NATS,
    ) -> RealBall:
        """On the contour Im x = y the modulus falls with the height, and its integral is again a
        trapezoid sum.
        """
        mu = value(self.mu)
        q = value(self.rate)
        a = self.power(tilt)
        is_known = value_at_tilt > 0 and not (self._apart and a <= 0)
        if not (is_known and self._has_points(float(a), float(height))):
            return value_at_tilt
        fallen, planned = self._plan.decay(float(a), float(height))
        nats = nats - fallen
        strip, step = self._decay_grid(float(a), planned, nats)
        y = real(planned)
        eta = real(strip)
        h = real(step)
        bend = real(1)
        if not a >= 0:
            bend = (((y + eta) * mu / 2).cos() * ((y - eta) * mu / 2).cos()) ** (a / 2)
        if not (mu * (y + eta) < pi() and 2 * mu * eta <= pi()):
            return value_at_tilt
        low, high = self._ends(
            float(a),
            nats + self._planned_edge(float(a), planned),
            float(value_at_tilt.log()),
        )
        first = real(low)
        count = min(int((high - low) / step) + 2, MOST_POINTS)
        tails = self._tails(mu, q, a, first, first + h * (count - 1)) * edge_size(
            mu, a, y, real(0)
        )
        if not tails < value_at_tilt:  # all that counts is beyond the grid
            return value_at_tilt
        sine, cosine = (mu * y).sin_cos()
        growth = q * (mu * first - mu * mu / 2).exp()
        grow = (mu * h).exp()
        rest = 1 - q
        power = a / 2
        total = real(0)
        for j in range(count):
            x = first + h * j
            re = rest + growth * cosine
            im = growth * sine
            log = (re * re + im * im).log() * power - height * angle(im, re)
            total = total + (log - x * x / 2).exp()
            growth = growth * grow
        outside = (y * y / 2).exp()
        total = total * outside * h / (2 * pi()).sqrt()
        strip_error = (
            2
            * outside
            * (eta * eta / 2).exp()
            * bend
            * value_at_tilt
            / ((2 * pi() * eta / h).exp() - 1)
        )
        return (total + strip_error + tails).min(value_at_tilt)

    def _decay_grid(self, a: float, shift: float, nats: float) -> tuple[float, float]:
        """The strip about the shifted contour that allows the widest step."""
        mu, _ = self._numbers
        best = (0.0, 0.0)
        for share in strips_of(a):
            strip = min(share * 0.51 * math.pi / mu, 0.97 * math.pi / mu - shift, 5.0)
            lost = (shift**2 + strip**2) / 2
            if a < 0:
                lost += (
                    a
                    / 2
                    * sum(
                        math.log(math.cos(mu * (shift + side * strip) / 2))
                        for side in (1, -1)
                    )
                )
            step = 2 * math.pi * strip / (nats + 1 + lost)
            best = max(best, (step, strip))
        return best[1], best[0]

    def profile(self, epsilon: RealBall) -> RealBall:
        under_p, under_q = sampled_events(
            value(self.mu), value(self.rate), epsilon, self.removing
        )
        return under_p - epsilon.exp() * under_q

    def top(self) -> RealBall | None:
        if self.removing:
            return None
        return -(1 - value(self.rate)).log()

    def planned_top(self) -> float:
        if self.removing:
            return math.inf
        return -math.log1p(-self._numbers[1])


def _accuracy(moment: RealBall) -> float:
    """How many nats of a moment are known, relative to its size."""
    return int(moment.rel_accuracy_bits()) * math.log(2)


def _sharp(moment: RealBall, nats: float) -> bool:
    """Whether a closed form is as accurate as a line needs it, or nearly as much as was asked
    for.
    """
    return nats <= NATS or _accuracy(moment) >= ENOUGH * nats


def level_point(
    x: RealBall, ratio: RealBall, a: RealBall, half: RealBall
) -> tuple[RealBall, RealBall]:
    """log R, and R**a times the density of N(0, 1) but for its constant; ``half`` is -1/2."""
    log = ratio.log()
    return log, (a * log + x * x * half).exp()


def raised_point(
    x: ComplexBall, ratio: ComplexBall, a: RealBall, turned: ComplexBall
) -> tuple[ComplexBall, ComplexBall]:
    """Off the real line, R**a times the density of N(0, 1) but for its constant, and R to the power
    by which the next node differs.
    """
    log = ratio.log()
    return (log * a - x * x / 2).exp(), (log * turned).exp()


@by("sampling/gaussian-transform")
def strip_error(mu: RealBall, a: RealBall, grid: Grid, height: RealBall) -> RealBall:
    """The error of the trapezoid rule over I(a), for all heights up to this one."""
    shift = real(grid.shift)
    above = real(grid.above)
    below = real(grid.below)
    if not (mu * above < pi() and -mu * below < pi() and below <= shift < above):
        return real(math.inf)
    turn = 2 * pi() / real(grid.step)
    up = edge_size(mu, a, above, real(0)) / ((turn * (above - shift)).exp() - 1)
    if not below < shift:
        return real(math.inf)
    return up + edge_size(mu, a, below, height) / ((turn * (shift - below)).exp() - 1)


@by("sampling/gaussian-transform")
def edge_size(mu: RealBall, a: RealBall, edge: RealBall, height: RealBall) -> RealBall:
    """A bound on the integral of |F(x + i edge)| over I(a), where F is the integrand at any height
    up to this one.
    """
    size = (edge * edge / 2).exp()
    if not a >= 0:
        size = size * (mu * edge / 2).cos() ** a
    if edge >= 0:
        return size
    return size * (-height * mu * edge).exp()


@by("sampling/gaussian-delta")
def sampled_events(
    mu: RealBall, q: RealBall, threshold: RealBall, removing: bool
) -> tuple[RealBall, RealBall]:
    """The probabilities under P and Q that the loss of one release exceeds a threshold: half-lines
    of x.
    """
    level = (threshold if removing else -threshold).exp() - 1 + q
    if level <= 0:
        if removing:
            return (real(1), real(1))
        return (real(0), real(0))
    if not level > 0:
        return real(0).union(real(1)), real(0).union(real(1))
    edge = (level / q).log() / mu + mu / 2
    root = real(2).sqrt()
    sign = 1 if removing else -1
    near = (sign * edge / root).erfc() / 2
    far = (sign * (edge - mu) / root).erfc() / 2
    mixed = (1 - q) * near + q * far
    return (mixed, near) if removing else (near, mixed)


@by("sampling/gaussian-tails")
def sampled_tail(
    mu: RealBall, q: RealBall, a: RealBall, beyond: RealBall, lower: bool
) -> RealBall:
    """A bound on a trapezoid sum of phi R**a past a point, by two decreasing Gaussian bumps (or by
    R >= 1 - q).

    R**a is at most (1 - q) + q exp(a u) where the power is convex, and (1 - q)**a + q**a exp(a u)
    for 0 < a < 1.
    """
    if not beyond >= 0:
        return real(math.inf)
    center = -a * mu if lower else a * mu
    plain = normal_tail(beyond)
    bound = real(math.inf)
    if lower and a < 0:
        bound = (1 - q) ** a * plain
    if beyond >= center:
        convex = a >= 1 or a <= 0
        first, second = (1 - q, q) if convex else ((1 - q) ** a, q**a)
        lift = ((a * a - a) * mu * mu / 2).exp()
        bumps = first * plain + second * lift * normal_tail(beyond - center)
        bound = bound.min(bumps) if lower and a < 0 else bumps
    return bound


def normal_tail(x: RealBall) -> RealBall:
    """At least the probability that a standard normal variable exceeds x >= 0."""
    return (-x * x / 2).exp() / 2
