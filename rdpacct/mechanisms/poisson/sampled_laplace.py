"""The loss of a Laplace release of a Poisson sample: two atoms, and an integral by Gauss-Legendre
nodes.

Under Q the loss l of the Laplace release itself is -mu with mass 1/2, mu with mass exp(-mu)/2, and
has the density exp(-(l + mu)/2)/4 in between. With R(l) = 1 - q + q exp(l) and I(s) = E_Q R**s,
removing the record has M(z) = I(1 + z) and adding it M(z) = I(-z).
"""

import math
from dataclasses import dataclass
from functools import lru_cache

from rdpacct.exact.ball import ComplexBall, RealBall, precision
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import Expr
from rdpacct.exact.raw import (
    around,
    complex_of,
    current_bits,
    legendre,
    pi,
    power_sums,
    real,
)
from rdpacct.mechanisms.laplace.laplace_transform import laplace_cells
from rdpacct.mechanisms.poisson.sampled_laplace_apart import (
    APART,
    LaplaceApart,
    planned_moment,
)
from rdpacct.privacy.apart import Apart
from rdpacct.privacy.cases import Case, Kind, binomial_cases, one_case
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.cut import EVERYWHERE, Cut, LossRange
from rdpacct.privacy.nodes import NATS, Nodes
from rdpacct.privacy.transform import Transform
from rdpacct.provenance import by
from rdpacct.work import spend

PLANNED_POINTS, PLANNED_BITS = 24, 64
MOST_NODES = 56
MOST_PANELS = 10_000
MOST_CELL_BITS = 2000
COUNTED_NATS, POINTS_A_NODE = 36.0, 30
"""The accuracy for which a node is counted, and how many points there cost as much as a node."""
FEW_POINTS, POINT_WORK = 2000, 3
"""So many points are counted with the nodes; each beyond them takes this work by itself."""
FAR = 600.0
"""A loss beside whose exponential 1 does not count."""
LARGEST_LOG, SMALLEST = 700.0, 1e-300
"""The largest logarithm, and the smallest number, that doubles hold."""


@dataclass(frozen=True)
class SampledLaplaceTransform(Transform):
    """M(z) of a shift by mu scales that is applied with probability ``rate``."""

    node_by_node = False
    plan_work = 20
    cost_work = 1.8

    mu: Expr
    rate: Expr
    removing: bool

    @lazy_property
    def _numbers(self) -> tuple[float, float]:
        return about(self.mu), about(self.rate)

    @lazy_property
    def _planned(self) -> list[tuple[float, float]]:
        """Losses with their masses under Q, about."""
        mu, q = self._numbers
        losses = [(-mu, 0.5), (mu, math.exp(-mu) / 2)]
        for x, w in planned_legendre(PLANNED_POINTS):
            losses.append((x * mu, w * mu * math.exp(-(x + 1) * mu / 2) / 4))
        return [(planned_log(q, x), w) for x, w in losses]

    def cost(self, tilt: float, height: float) -> float:
        panels, number, _ = self._planned_nodes(
            1 + tilt if self.removing else -tilt, height, COUNTED_NATS
        )
        return 1 + panels * number / POINTS_A_NODE

    def apart(self) -> Apart | None:
        if self._numbers[0] < APART:
            return None
        return LaplaceApart(self.mu, self.rate, self.removing)

    def cases(self, count: int, log_least: float) -> list[Case] | None:
        if self._numbers[0] < APART:
            return None
        q = value(self.rate)
        rest = 1 - q
        if not self.removing:
            return [one_case(real(1), -rest.log() * count, real(0))]
        return binomial_cases(
            Kind(rest, rest.log(), real(0)),
            Kind(q, q.log() + value(self.mu), real(0), falls=1),
            count,
            log_least,
        )

    def planned(self, tilt: float) -> float:
        a = 1 + tilt if self.removing else -tilt
        if self._numbers[0] >= APART:
            return planned_moment(*self._numbers, a)
        top = max(a * x for x, _ in self._planned)
        return top + math.log(sum(w * math.exp(a * x - top) for x, w in self._planned))

    def planned_decay(self, tilt: float, height: float) -> float:
        mu, q = self._numbers
        a = 1 + tilt if self.removing else -tilt
        low, high = (planned_log(q, x) for x in (-mu, mu))
        peak = self.planned(tilt)
        atoms = 0.5 * math.exp(a * low - peak) + 0.5 * math.exp(a * high - mu - peak)
        logs = [
            (a + 1) * r - (x + mu) / 2 - x - peak for x, r in ((-mu, low), (mu, high))
        ]
        if max(logs) > LARGEST_LOG:
            return 0.0
        ends = sum(map(math.exp, logs)) / (4 * q)
        return min(0.0, math.log(max(atoms + 2 * ends / height, SMALLEST)))

    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:
        """Two atoms and Gauss-Legendre sums over equal panels, with their error on ellipses where R
        has no zero.
        """
        mu = value(self.mu)
        q = value(self.rate)
        a = 1 + nodes.tilt if self.removing else -nodes.tilt
        step = nodes.step
        count = nodes.count
        height = step * (count - 1)
        panels, number, growth = self._planned_nodes(float(a), float(height), nats)
        self._spend_on(panels * number, float(a), float(height), count, nats)
        rest = 1 - q
        wide = mu / panels
        weights = []
        logs = []
        points = [(-mu, real(1) / 2), (mu, real(1) / 2)]
        for j in range(panels):
            middle = wide * (2 * j + 1 - panels)
            points += [(middle + wide * x, w * wide / 4) for x, w in legendre(number)]
        for loss, w in points:
            log, density = tilted_density(loss, mu, q, rest, a)
            weights.append(density * w)
            logs.append(log)
        ratios = []
        for log in logs:
            sine, cosine = (step * log).sin_cos()
            ratios.append(complex_of(cosine, sine))
        sums = (
            power_sums(weights, ratios, count)
            if count > 1
            else [complex_of(sum(weights[1:], start=weights[0]), real(0))]
        )
        size = panels * ellipse_error(mu, q, a, height, wide, number, real(growth))
        moments = [around(v, size) for v in sums]
        moments[0] = complex_of(moments[0].real, real(0))
        if self.removing:
            return moments
        return [v.conjugate() for v in moments]

    def _spend_on(
        self, points: int, a: float, height: float, nodes: int, nats: float
    ) -> None:
        """The work of very many points, and of those beyond what the nodes were counted for."""
        work: float = POINT_WORK * max(0, points - FEW_POINTS)
        if nats > COUNTED_NATS:
            panels, number, _ = self._planned_nodes(a, height, COUNTED_NATS)
            beyond = max(0, points - panels * number)
            each = self.cost_work / POINTS_A_NODE * (1 + current_bits() / 256)
            work += each * beyond * nodes
        spend(work)

    def _planned_nodes(
        self, a: float, height: float, nats: float
    ) -> tuple[int, int, float]:
        """Panels, nodes in each, and the ellipse, that make the error small with few points."""
        mu, q = self._numbers
        share = math.exp(min(0.0, mu + math.log(q / (1 - q))))
        panels = max(1, math.ceil(height * mu * share / 30))
        best = (math.inf, 1, MOST_NODES, 1.3)
        while best[0] == math.inf and panels < MOST_PANELS:
            for wider in (panels, 2 * panels):
                wide = mu / wider
                for rho in (1.3, 1.6, 2.0, 2.7, 3.6, 5.0, 7.0, 10.0, 16.0, 30.0, 60.0):
                    if (rho - 1 / rho) / 2 * wide > 0.97 * math.pi:
                        break
                    size = self._planned_ellipse(a, height, wide, rho)
                    number = max(
                        4,
                        math.ceil(
                            (nats + size + 3 + math.log(wider)) / (2 * math.log(rho))
                        ),
                    )
                    if number <= MOST_NODES:
                        best = min(best, (wider * number, wider, number, rho))
            panels *= 2
        return best[1], best[2], best[3]

    def _planned_ellipse(
        self, a: float, height: float, wide: float, rho: float
    ) -> float:
        mu, q = self._numbers
        far = mu + wide * ((rho + 1 / rho) / 2 - 1)
        tall = (rho - 1 / rho) / 2 * wide
        high = max(a * planned_log(q, x) for x in (-far, far))
        bend = a * math.log(math.cos(tall / 2)) if a < 0 else 0.0
        turn = tall
        if tall < 1.57:
            turn = tall * math.exp(min(0.0, far + math.log(q / (1 - q))))
        return (
            high
            + bend
            + height * turn
            + (far - mu) / 2
            - self.planned(a - 1 if self.removing else -a)
        )

    @by("sampling/laplace-decay")
    def decay(
        self,
        tilt: RealBall,
        height: RealBall,
        value_at_tilt: RealBall,
        nats: float = NATS,  # noqa: ARG002
    ) -> RealBall:
        """The atoms stay; exp(a L) times the density g of L has no maximum inside, so that its ends
        bound the rest.

        An integral of g(L) exp(i y L) is at most (g(low) + g(high) + variation of g)/y <= 2 (g(low)
        + g(high))/y.
        """
        mu = value(self.mu)
        q = value(self.rate)
        a = 1 + tilt if self.removing else -tilt
        rest = 1 - q
        low = (rest + q * (-mu).exp()).log()
        high = (rest + q * mu.exp()).log()
        atoms = ((a * low).exp() + (a * high - mu).exp()) / 2
        ends = [
            ((a + 1) * log - (x + mu) / 2 - x).exp() / (4 * q)
            for x, log in ((-mu, low), (mu, high))
        ]
        return (atoms + 2 * (ends[0] + ends[1]) / height).min(value_at_tilt)

    def profile(self, epsilon: RealBall) -> RealBall:
        """The profile of the release itself at another point, which the sampling shrinks."""
        mu = value(self.mu)
        q = value(self.rate)
        growth = epsilon.exp()
        if self.removing:
            level = growth - 1 + q
            if not level > 0:
                if level <= 0:
                    return 1 - growth
                return real(0).union(real(1))
            return q * laplace_profile(mu, (level / q).log())
        share = 1 - growth * (1 - q)
        if share > 0:
            return share * laplace_profile(mu, (growth * q / share).log())
        return real(0)

    def planned_cells(self, losses: LossRange = EVERYWHERE) -> float:
        return losses.within(self.planned_bottom(), self.planned_top()).length

    def cell_bits(self) -> int:
        """The losses of cells in which the record hardly matters differ by little."""
        return math.ceil(min(3 * self._numbers[0], MOST_CELL_BITS))

    def cells(self, number: int, losses: LossRange = EVERYWHERE) -> Cut:
        """The two atoms, and cells of equal width in the loss of the release itself."""
        mu = value(self.mu)
        q = value(self.rate)
        points, rows = laplace_cells(mu, number, self._before_sampling(losses))
        inner = [(1 - q + q * point.exp()).log() for point in points[1:-1]]
        masses = [((1 - q) * one + q * other, one) for other, one in rows]
        edges = [inner[0], *inner, inner[-1]]
        if self.removing:
            return edges, masses
        down = [-edge for edge in edges[1:-1][::-1]]
        return [down[0], *down, down[-1]], [(other, one) for one, other in masses[::-1]]

    def _before_sampling(self, losses: LossRange) -> LossRange:
        """The losses of the release itself that become these."""
        rate = self._numbers[1]
        if self.removing:
            return LossRange(*(planned_before(rate, loss) for loss in losses))
        low, high = losses
        return LossRange(planned_before(rate, -high), planned_before(rate, -low))

    def top(self) -> RealBall:
        mu = value(self.mu)
        q = value(self.rate)
        if self.removing:
            return (1 - q + q * mu.exp()).log()
        return -(1 - q + q * (-mu).exp()).log()

    def planned_top(self) -> float:
        edge = max if self.removing else min
        return abs(edge(x for x, _ in self._planned))

    def planned_bottom(self) -> float:
        edge = min if self.removing else max
        return -abs(edge(x for x, _ in self._planned))


def tilted_density(
    loss: RealBall, mu: RealBall, q: RealBall, rest: RealBall, a: RealBall
) -> tuple[RealBall, RealBall]:
    """log R at a loss, and R**a times four times the density of the loss under Q; ``rest`` is 1 -
    q.
    """
    log = (rest + q * loss.exp()).log()
    return log, (a * log - (loss + mu) / 2).exp()


@by("sampling/laplace-transform")
def ellipse_error(
    mu: RealBall,
    q: RealBall,
    a: RealBall,
    height: RealBall,
    wide: RealBall,
    number: int,
    rho: RealBall,
) -> RealBall:
    """(64/15) B rho**(-2n)/(1 - rho**-2), where B bounds the integrand on every ellipse with
    the sum rho of axes.

    On |Im l| <= tall the argument of R is at most tall, and for tall < pi/2 at most tall q
    exp(Re l)/(1 - q).
    """
    far = mu + wide * ((rho + 1 / rho) / 2 - 1)
    tall = (rho - 1 / rho) / 2 * wide
    if not (tall < pi() and rho > 1 and number >= 2):
        return real(math.inf)
    ends = [(a * (1 - q + q * x.exp()).log()).exp() for x in (-far, far)]
    size = ends[0].max(ends[1])
    if not a >= 0:
        size = size * (tall / 2).cos() ** a
    turn = tall * (q * far.exp() / (1 - q)).min(real(1)) if 2 * tall < pi() else tall
    size = size * (height * turn).exp() * wide / 4 * ((far - mu) / 2).exp()
    return size * 64 / 15 / (rho ** (2 * number) * (1 - 1 / (rho * rho)))


def laplace_profile(mu: RealBall, epsilon: RealBall) -> RealBall:
    """delta(epsilon) of a Laplace release with a shift by mu scales: 1 - exp((epsilon - mu)/2)
    between -mu and mu.
    """
    inside = 1 - ((epsilon - mu) / 2).exp()
    below = 1 - epsilon.exp()
    return inside.max(below).max(real(0))


def planned_log(rate: float, loss: float) -> float:
    """About log R at a loss of the release itself."""
    if loss > FAR:
        return loss + math.log(rate)
    return math.log1p(rate * math.expm1(loss))


def planned_before(rate: float, log: float) -> float:
    """About the loss of the release itself at which log R is this; minus infinity if it never is so
    small.
    """
    if log > FAR:
        return log - math.log(rate)
    above = math.expm1(log) / rate
    return math.log1p(above) if above > -1 else -math.inf


@lru_cache(maxsize=8)
def planned_legendre(count: int) -> list[tuple[float, float]]:
    """Gauss-Legendre nodes and weights in doubles, whatever the precision is."""
    with precision(PLANNED_BITS):
        return [(float(x), float(w)) for x, w in legendre(count)]
