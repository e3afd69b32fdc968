"""Laplace noise of a log-normal size in balls: how likely it is beyond a place, and how fast its
density falls.

|X| exp(sigma Y) is beyond z with probability S(z) = E exp(-z exp(sigma Y)), by symmetry of Y. The
density and its slope are values of S too, as exp(sigma Y) weighted with itself is again log-normal.
"""

import math
from dataclasses import dataclass

from rdpacct.exact.ball import RealBall
from rdpacct.exact.formula import Expr
from rdpacct.exact.raw import current_bits, error, pi, real
from rdpacct.privacy.constants import about, value
from rdpacct.provenance import by, remembered
from rdpacct.work import spend

SECTOR = 1.5
"""The largest angle, below pi/2, by which the nodes may turn the sizes."""
ROUNDED_NATS = 16
"""Accuracies are rounded up to multiples of this, so that nodes serve several places."""
TERM_WORK = 0.7
"""The work of one node, at a low precision."""
MOST_NODES = 20_000
DEEPEST_NATS = 3000.0
"""Values more than this many nats below 1 may be taken for 0."""
LARGEST = 1e300
"""Places beyond this are not told apart."""
LOST_BITS = 8
LOG_TWO = math.log(2)


@dataclass(frozen=True)
class LogNormalLaw:
    """The law of |X| exp(sigma Y), X of density exp(-|x|)/2 and Y standard normal."""

    sigma: Expr

    def beyond(self, place: RealBall) -> RealBall:
        """S at places of at least 0; it falls, so that the ends of a ball suffice."""
        if place > 0 and _sharp(place):
            return self._beyond(place)
        low = place.lower()
        high = place.upper()
        most = self._beyond(low) if low > 0 else real(1)
        if low == high:
            return most
        if not high > 0:
            return most
        if self.depth(float(high)) > DEEPEST_NATS:
            return most.union(real(0))
        return most.union(self._beyond(high))

    def log_density(self, place: RealBall) -> RealBall:
        """The logarithm of the density of X exp(sigma Y), but for a constant."""
        return self.beyond(place * self._weight).log()

    def rate(self, place: RealBall) -> RealBall:
        """How fast that falls; it falls with the place, so that the ends of a ball suffice."""
        if place > 0 and _sharp(place):
            return self._rate(place)
        first = self._rate(place.lower().max(real(0)))
        return first.union(self._rate(place.upper()))

    def _rate(self, place: RealBall) -> RealBall:
        weight = self._weight
        once = place * weight
        scale = weight * weight.sqrt()
        return falling_rate(scale, self.beyond(once), self.beyond(once * weight))

    @property
    def _weight(self) -> RealBall:
        sigma = value(self.sigma)
        return (sigma * sigma).exp()

    def depth(self, place: float) -> float:
        """About how many nats S is below 1."""
        return depth(about(self.sigma), place)

    def _beyond(self, place: RealBall) -> RealBall:
        at = float(place)
        below = self.depth(at)
        if not below < DEEPEST_NATS:
            return real(0).union(real(1))
        nats = current_bits() * LOG_TWO + below
        bucket = ROUNDED_NATS * math.ceil(nats / ROUNDED_NATS)
        nodes = nodes_for(self.sigma, bucket, current_bits())
        last = _last_node(nodes, at, nats)
        spend(TERM_WORK * last * (1 + (current_bits() / 128) ** 1.5))
        return trapezoid(nodes, last, place)


def _sharp(place: RealBall) -> bool:
    """Whether a ball is so small that it may stand in a formula as it is."""
    return place.rel_accuracy_bits() > current_bits() - LOST_BITS


def depth(sigma: float, place: float) -> float:
    """About min over y of y**2/2 + place exp(sigma y), with Lambert's W."""
    if place <= 0:
        return 0.0
    turned = sigma * sigma * place
    if not turned < LARGEST:
        return math.inf
    w = math.log1p(turned)
    for _ in range(20):
        power = math.exp(w)
        closer = w - (w * power - turned) / (power * (w + 1))
        if closer == w:
            break
        w = closer
    return (w * w / 2 + w) / (sigma * sigma)


@dataclass(frozen=True)
class SizeNodes:
    """Sizes exp(sigma y) at equidistant y and their weights, and the error of such a sum."""

    sizes: tuple[RealBall, ...]
    weights: tuple[RealBall, ...]
    planned_sizes: tuple[float, ...]
    left_out: RealBall


@remembered(256)
def nodes_for(sigma: Expr, nats: int, bits: int) -> SizeNodes:  # noqa: ARG001
    """Nodes whose sum is accurate to this many nats, at the current precision."""
    about_sigma = about(sigma)
    reach = math.sqrt(2 * nats)
    height = min(SECTOR / about_sigma * (1 - 1e-9), reach)
    step = 2 * math.pi * height / (nats + 1 + height * height / 2)
    most = math.ceil(reach / step) + 1
    if 2 * most > MOST_NODES:
        step = 2 * reach / MOST_NODES
        most = MOST_NODES // 2
    spread = value(sigma)
    gap = real(step)
    scale = gap / (2 * pi()).sqrt()
    places = [gap * k for k in range(-most, most + 1)]
    sizes = tuple((spread * y).exp() for y in places)
    weights = tuple(scale * (-y * y / 2).exp() for y in places)
    planned = tuple(map(float, sizes))
    tall = real(height)
    left_out = real(1)
    if 2 * spread * tall < pi():
        left_out = node_error(tall, 2 * pi() * tall / gap, gap * most)
    return SizeNodes(sizes, weights, planned, left_out)


def _last_node(nodes: SizeNodes, place: float, nats: float) -> int:
    """How many of the nodes count: beyond them the exponential is below the accuracy."""
    most = nats + 4
    sizes = nodes.planned_sizes
    low = 0
    high = len(sizes)
    while low < high:
        middle = (low + high) // 2
        if sizes[middle] * place > most:
            high = middle
        else:
            low = middle + 1
    return max(low, 1)


def trapezoid(nodes: SizeNodes, last: int, place: RealBall) -> RealBall:
    """S at a place, from the first nodes; all weights together are at most 2."""
    total = real(0)
    turned = -place
    for size, weight in zip(nodes.sizes[:last], nodes.weights[:last], strict=True):
        total = total + weight * (turned * size).exp()
    rest = nodes.left_out
    if last < len(nodes.sizes):
        rest = rest + 2 * (turned * nodes.sizes[last]).exp()
    return (total + error(rest)).max(real(0)).min(real(1))


@by("smooth/log-normal-halves")
def node_error(height: RealBall, turn: RealBall, last: RealBall) -> RealBall:
    """At most the error of the trapezoid rule with nodes up to ``last`` on both sides: aliases, for
    a height times sigma below pi/2 and turn = 2 pi height/step, and the nodes that are left out.
    """
    aliases = 2 * (height * height / 2).exp() / (turn.exp() - 1)
    return aliases + (-last * last / 2).exp()


@by("smooth/log-normal-halves")
def falling_rate(scale: RealBall, once: RealBall, twice: RealBall) -> RealBall:
    """-g'/g of the density g, from S at the place times exp(sigma**2) and times its square, for the
    scale exp(3 sigma**2/2).
    """
    return scale * twice / once
