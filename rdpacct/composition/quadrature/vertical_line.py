"""The profile of a sum of losses by the trapezoid rule on a vertical line, with every error inside.

With z_m = t + i m D and D = 2 pi/W, Poisson summation gives

    (D/2 pi) sum_m M(z_m) exp(-z_m eps)/(z_m (z_m + 1)) = sum_j exp(t j W) delta(eps + j W),

whose terms are all nonnegative: the sum is above delta(eps), and two geometric series bound by how
much.
"""

import cmath
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate, count, repeat
from operator import mul
from typing import NamedTuple

from rdpacct.composition.quadrature.tilt import Tilt
from rdpacct.composition.terms import LEAST_BITS, Terms
from rdpacct.exact.ball import ComplexBall, RealBall, precision
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.raw import (
    PowerSum,
    complex_of,
    error,
    pi,
    real,
    row_product,
)
from rdpacct.privacy.nodes import Nodes
from rdpacct.provenance import by
from rdpacct.work import spend

KERNEL_WORK, POWER_WORK, NODE_WORK, PLANNED_WORK = 4, 0.3, 0.6, 0.3
"""The work of a node beside its factors, of a power for each bit of it, and of adding up a node
in balls or doubles.
"""
LEAST_NODES = 20
"""The work beside the nodes, counted as this many more nodes."""
DOUBLE_BITS = 90
"""Above this precision doubles do not follow a sum."""
ROUNDING, SHARP = 2e-13, 1e-12
"""The relative error of a sum in doubles, and the relative error below which none is planned."""
LARGEST_LOG = 700.0
"""Doubles hold what has a smaller logarithm."""
DECAY_NATS = 3.0
"""The error of a bound on the decay is this many nats below what would change its power."""


@dataclass(eq=False)
class Line:
    """The nodes of a quadrature: everything that does not depend on epsilon."""

    tilt: RealBall
    period: RealBall
    step: RealBall
    base: RealBall
    """log M(tilt) of the sum."""
    values: list[ComplexBall]
    """M(z_m)/(M(tilt) z_m (z_m + 1)), times D/(2 pi), and twice that beyond the first."""
    truncation: RealBall
    """The part of the nodes that are left out, relative to M(tilt) exp(-tilt epsilon)."""
    second: tuple[RealBall, RealBall] | None
    """A second tilt and log M there."""
    largest: RealBall | None
    """The largest loss, if it is bounded."""
    bits: int = LEAST_BITS
    """The precision at which the nodes are turned and added up."""
    below: RealBall = field(init=False)
    """At most the aliases below any epsilon."""
    above: "tuple[RealBall, RealBall] | None" = field(init=False)
    """The logarithm of Chernoff's bound at 0 with the second tilt, and the sum of the powers by
    which it falls from one alias to the next; none without a larger tilt.
    """
    top = math.inf

    def __post_init__(self) -> None:
        self.below = _geometric((-self.tilt * self.period).exp())
        self.above = None
        if self.second is not None:
            tilt, log = self.second
            if tilt > self.tilt:
                shrink = ((self.tilt - tilt) * self.period).exp()
                self.above = log_chernoff(log, tilt), _geometric(shrink)

    @lazy_property
    def planned(self) -> list[complex]:
        """The values in doubles."""
        return list(map(complex, self.values))

    @lazy_property
    def _sum(self) -> PowerSum:
        return PowerSum(self.values)

    def sum(self, epsilon: RealBall) -> tuple[RealBall, RealBall]:
        """The factor exp(log M - tilt epsilon), and the trapezoid sum relative to it, over all
        nodes.
        """
        spend(NODE_WORK * len(self.values))
        with precision(self.bits):
            angle = -self.step * epsilon
            sine, cosine = angle.sin_cos()
            middle = self._sum.middle_at(complex_of(cosine, sine)).real
            factor = (self.base - self.tilt * epsilon).exp()
            return factor, middle + error(self.truncation + self._sum.radius)

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        if self.bits > DOUBLE_BITS:
            return self._planned_in_balls(real(epsilon))
        spend(PLANNED_WORK * len(self.values))
        step = float(self.step)
        turn = cmath.exp(-1j * step * epsilon)
        turns = accumulate(repeat(turn, len(self.values) - 1), mul, initial=1 + 0j)
        terms = list(map(mul, self.planned, turns))
        total = sum(terms).real
        slope = sum(map(mul, terms, count())).imag
        tilt = float(self.tilt)
        if total <= 0:
            return -math.inf, -tilt
        return (
            float(self.base) - tilt * epsilon + math.log(total),
            slope * step / total - tilt,
        )

    def planned_errors(self, epsilon: float, log: float) -> tuple[float, float] | None:
        """The nodes that are left out and the radii of the others on both sides, and the aliases
        below.
        """
        if self.bits > DOUBLE_BITS:
            return None
        lost_log = float(self.base) - float(self.tilt) * epsilon - log
        if max(lost_log, -log) > LARGEST_LOG:
            return None
        lost = math.exp(lost_log)
        spread = float(self.truncation) + float(self._sum.radius)
        left_out = spread * lost + float(self.base.rad()) + ROUNDING
        aliases = self.below + aliases_above(self, real(epsilon))
        below = left_out + float(aliases) * math.exp(-log)
        return None if below < SHARP else (below, left_out)

    def _planned_in_balls(self, epsilon: RealBall) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative, where doubles are not accurate enough."""
        with precision(self.bits):
            factor, total = self.sum(epsilon)
            sine, cosine = (-self.step * epsilon).sin_cos()
            numbered = PowerSum([v * m for m, v in enumerate(self.values)])
            moved = numbered.at(complex_of(cosine, sine)).imag
            middle = total.mid()
            if not middle > 0:
                return -math.inf, -float(self.tilt)
            return float((factor * middle).log()), float(
                moved * self.step / middle - self.tilt
            )

    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon)."""
        return enclosure(self, epsilon)


class Spectrum(NamedTuple):
    """The transform of a sum at the nodes of a line, with what bounds it beyond them.

    All that is made of the values is relative to the first; who weights them multiplies each once,
    by the weight times ``scale``.
    """

    nodes: Nodes
    values: list[ComplexBall]
    base: RealBall
    """The logarithm of the first value."""
    scale: RealBall
    """One over the first value."""
    bound: RealBall
    """A bound on the relative values from the first node on that is left out."""


def spectrum_of(
    terms: Terms, nodes: Nodes, decaying: frozenset[int], accuracy: float
) -> Spectrum:
    """The product of the transforms, evaluated in balls."""
    spend(spectrum_work(terms, nodes, accuracy))
    first: dict[int, RealBall] = {}
    bound = real(1)
    beyond = nodes.step * nodes.count
    nats = math.log(terms.count)

    def powers() -> Iterator[list[ComplexBall]]:
        for kind, count, group in terms.groups:
            values = kind.product(group, nodes, accuracy + nats)
            if len(group) == 1:
                first[id(group[0])] = values[0].real
            yield values if count == 1 else [v**count for v in values]

    product = row_product(powers()) if len(terms.groups) > 1 else next(powers())
    for index in decaying:
        transform, count = terms.factors[index]
        start = first.get(id(transform))
        if start is None:
            start = transform.at(Nodes(nodes.tilt, nodes.step, 1), accuracy + nats)[
                0
            ].real
        share = transform.decay(nodes.tilt, beyond, start, DECAY_NATS + nats) / start
        bound = bound * share.min(real(1)) ** count
    total = product[0].real
    return Spectrum(nodes, product, total.log(), 1 / total, bound)


def spectrum_work(terms: Terms, nodes: Nodes, accuracy: float) -> float:
    """The work of the nodes: their kernels, and each factor there, at the precision that the
    accuracy takes.
    """
    tilt = float(nodes.tilt)
    height = float(nodes.step) * (nodes.count - 1)
    factors = factors_work(terms, tilt, height, nodes.count)
    return node_work(nodes.count, factors, terms.bits(accuracy))


def factors_work(terms: Terms, tilt: float, height: float, count: int) -> float:
    """The work of all factors, and of their powers, at one of this many nodes."""
    work = (transform.node_work(tilt, height, count) for transform, _ in terms.factors)
    return sum(work) + powers_work(terms)


def powers_work(terms: Terms) -> float:
    """The work of the powers of all factors at a node."""
    return sum(
        POWER_WORK * count.bit_length() for _, count in terms.factors if count > 1
    )


def node_work(count: int, factors: float, bits: int) -> float:
    """The work of this many nodes with this work of all factors at each, at a low precision."""
    return (count + LEAST_NODES) * (KERNEL_WORK + factors) * (1 + bits / 256)


def log_moment(terms: Terms, tilt: float) -> tuple[RealBall, RealBall]:
    """A tilt, and a ball for the logarithm of the transform of the sum there, good enough for a
    bound.

    Every number, where a plan of the transform leaves the range of doubles.
    """
    nodes = Nodes(real(tilt), real(1), 1)
    log = real(0)
    nats = math.log(terms.count)
    try:
        for kind, count, group in terms.groups:
            log = log + kind.product(group, nodes, 6 + nats)[0].real.log() * count
    except OverflowError:
        return nodes.tilt, error(real(math.inf))
    return nodes.tilt, log


def line_of(terms: Terms, plan: Tilt) -> Line:
    """The nodes of a plan, evaluated in balls."""
    bits = terms.bits(plan.nats)
    with precision(bits):
        return _line_of(terms, plan, bits)


def _line_of(terms: Terms, plan: Tilt, bits: int) -> Line:
    tilt = real(plan.tilt)
    period = real(plan.period)
    step = 2 * pi() / period
    spectrum = spectrum_of(
        terms, Nodes(tilt, step, plan.count), plan.decaying, plan.nats
    )
    weight = step / (2 * pi())
    square = tilt * (tilt + 1)
    turn = 2 * tilt + 1
    values = [complex_of(weight / square, real(0))]
    twice = 2 * weight * spectrum.scale
    for m, v in enumerate(spectrum.values[1:], start=1):
        y = step * m
        values.append(v * twice / complex_of(square - y * y, turn * y))
    second = None if plan.second is None else log_moment(terms, plan.second)
    left = truncation(spectrum.bound, step * (plan.count - 1))
    return Line(
        tilt, period, step, spectrum.base, values, left, second, terms.top(), bits
    )


@by("engine/truncation")
def truncation(bound: RealBall, last: RealBall) -> RealBall:
    """The nodes beyond the last, if |M| there is at most ``bound`` M(tilt): bound/(pi last)."""
    return bound / (pi() * last)


@by("engine/quadrature")
def sum_at_least(line: Line, epsilon: RealBall) -> RealBall:
    """The trapezoid sum: at least delta(epsilon), since its aliases are nonnegative."""
    factor, total = line.sum(epsilon)
    return factor * total


@by("engine/quadrature")
def enclosure(line: Line, epsilon: RealBall) -> RealBall:
    """A ball around delta(epsilon): the sum, which has only nonnegative aliases, less what these
    can be.
    """
    factor, total = line.sum(epsilon)
    aliases = line.below + aliases_above(line, epsilon)
    return factor * total - aliases.union(real(0))


@by("engine/aliases")
def aliases_below(line: Line) -> RealBall:
    """At most the sum of exp(-t j W) over j >= 1, since delta <= 1."""
    return line.below


@by("engine/aliases")
def aliases_above(line: Line, epsilon: RealBall) -> RealBall:
    """Zero beyond the largest loss; else delta(x) <= M(s) exp(-s x) c(s) at a second tilt s makes
    them geometric.
    """
    if line.largest is not None and epsilon + line.period >= line.largest:
        return real(0)
    if line.above is None or line.second is None:
        return real(math.inf)
    log, powers = line.above
    return (log - line.second[0] * epsilon).exp() * powers


def _geometric(ratio: RealBall) -> RealBall:
    """The sum of the powers of a ratio, from the first on."""
    return ratio / (1 - ratio)


@by("engine/chernoff")
def chernoff(log_moment: RealBall, tilt: RealBall, epsilon: RealBall) -> RealBall:
    """delta(epsilon) is at most M(s) exp(-s epsilon) max over y > 0 of (1 - exp(-y)) exp(-s y), at
    any tilt s > 0.
    """
    return (log_chernoff(log_moment, tilt) - tilt * epsilon).exp()


@by("engine/chernoff")
def log_chernoff(log_moment: RealBall, tilt: RealBall) -> RealBall:
    """The logarithm of that bound at epsilon 0."""
    return log_moment + log_peak(tilt)


def log_peak(tilt: RealBall) -> RealBall:
    """The logarithm of the largest (1 - exp(-y)) exp(-tilt y) over y > 0."""
    return tilt * (tilt / (1 + tilt)).log() - (1 + tilt).log()
