"""Profiles of arbitrary sums: two smoothed quadratures, one certainly above and one certainly
below.

Above: releasing one more Gaussian of a small shift h can only raise delta. Below: rejecting with
    probability
Phi((L - eps)/h) is a test, and every test gives a lower bound. Both need no decay of the transform.
"""

import cmath
import math
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.composition.quadrature.tilt import Place, Planner
from rdpacct.composition.quadrature.vertical_line import (
    NODE_WORK,
    Line,
    Spectrum,
    aliases_above,
    aliases_below,
    factors_work,
    log_moment,
    node_work,
    spectrum_of,
)
from rdpacct.composition.quadrature.windows import TURN, fadings, kept_nodes
from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import ComplexBall, RealBall, precision
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import formula
from rdpacct.exact.raw import AnyBall, error, inner, pi, real
from rdpacct.privacy.nodes import ChosenNodes, Nodes
from rdpacct.provenance import by
from rdpacct.work import fitting, less_than_wanted, spend

WIDTH, SPARE = 2e-9, 5.0
"""The share of delta by which a smoothing may change it, about, and nats to spare in each node."""
KERNEL_WORK = 14
"""The work of both kernels at a node, at a low precision."""
FEW_NODES = 100
"""Up to this many nodes are never too much work."""


@dataclass(frozen=True)
class SmoothLine:
    """The nodes of the two quadratures."""

    line: Line
    """The upper quadrature; its truncation bounds both."""
    lower: list[ComplexBall]
    width: float
    """The width of the smoothing."""
    nodes: Nodes
    top = math.inf

    @lazy_property
    def _planned(self) -> list[complex]:
        return [
            (complex(u) + complex(v)) / 2
            for u, v in zip(self.line.values, self.lower, strict=True)
        ]

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        spend(2 * NODE_WORK * len(self.lower))
        line = self.line
        total = 0.0
        slope = 0.0
        step = float(line.step)
        tilt = float(line.tilt)
        for m, v in zip(self.nodes.indices, self._planned, strict=True):
            term = v * cmath.exp(-1j * step * epsilon * m)
            total += term.real
            slope += m * term.imag
        if total <= 0:
            return -math.inf, -tilt
        return (
            float(line.base) - tilt * epsilon + math.log(total),
            slope * step / total - tilt,
        )

    @by("engine/smoothing")
    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon): from the lower sum less its aliases to the upper
        sum.
        """
        line = self.line
        spend(4 * NODE_WORK * len(self.lower))
        with precision(line.bits):
            turns = self.nodes.turns(-epsilon)
            factor = (line.base - line.tilt * epsilon).exp()
            left = error(line.truncation)
            above = factor * (inner(line.values, turns).real + left)
            below = factor * (inner(self.lower, turns).real + left)
            return above.union(
                below - aliases_below(line) - aliases_above(line, epsilon)
            )


@by("engine/smooth-kernels")
def kernels(z: AnyBall, width: RealBall) -> tuple[AnyBall, AnyBall]:
    """The transforms of the two test functions: exp(h**2 (z**2 + z)/2)/(z (z + 1)), and G(z) - G(z
    + 1).

    Here G(w) = exp(h**2 w**2/2)/w.
    """
    half = width * width / 2
    after = z + 1
    first = (half * z * z).exp() / z
    second = (half * after * after).exp() / after
    return (half * z * after).exp() / (z * after), first - second


@by("engine/smooth-truncation")
def smooth_truncation(
    bound: RealBall, width: RealBall, tilt: RealBall, last: RealBall
) -> RealBall:
    """The nodes beyond the last: bound/(pi last) exp(h**2 ((t + 1)**2 - last**2)/2)."""
    return (
        bound
        / (pi() * last)
        * (width * width / 2 * ((tilt + 1) ** 2 - last * last)).exp()
    )


def smooth_line(
    terms: Terms,
    planner: Planner,
    place: Place,
    epsilon: float,
    most: float,
    least: float = 0.0,
) -> SmoothLine | None:
    """The two quadratures at a place, with the smallest smoothing that the most work allows, and
    what is left of it.

    None if what is left allows less than the least.
    """
    step = 2 * math.pi / place.period
    decaying = planner.decaying(place.tilt, 64 * step)
    fallen = sum(
        count * transform.planned_decay(place.tilt, 1000 * step)
        for transform, count in (terms.factors[i] for i in decaying)
    )
    reach = math.sqrt(2 * max(place.excess + fallen, 8.0))
    width = math.sqrt(WIDTH * max(abs(epsilon), 1e-3) / (place.tilt + 1))
    wanted = max(8, math.ceil(reach / (width * step)) + 1)
    count = wanted
    bits = terms.bits(place.excess + SPARE)
    while count > 64:
        height = count * step
        cost = planner.cost(place.tilt, height)
        factors = factors_work(terms, place.tilt, height, count)
        over = max(count * cost / most, _share(count, factors, bits))
        if over <= 1:
            break
        if count * cost < least:
            return None
        count = math.floor(count * min(0.99, over**-0.5))
    width = max(width, reach / (count * step))
    if count < wanted:
        less_than_wanted()
    return smoothed(terms, place, width, count, decaying)


def _share(count: int, factors: float, bits: int) -> float:
    """The part of the remaining work that this many nodes take, with this work of all factors at
    each and a few values of the sums over them.
    """
    wanted = 1.2 * (node_work(count, factors, bits) + kernel_work(count, bits))
    return wanted / max(fitting(1), 1)


def kernel_work(count: int, bits: int) -> float:
    """The work of both kernels at this many nodes."""
    return KERNEL_WORK * count * (1 + bits / 256)


def smoothed(
    terms: Terms, place: Place, width: float, count: int, decaying: frozenset[int]
) -> SmoothLine:
    """The two quadratures, evaluated in balls, for any width of the smoothing and any number of
    nodes.
    """
    bits = terms.bits(place.excess + SPARE)
    with precision(bits):
        tilt = real(place.tilt)
        h = real(width)
        spend(kernel_work(count, bits))
        nodes = Nodes(tilt, 2 * pi() / real(place.period), count)
        spectrum = spectrum_of(terms, nodes, decaying, place.excess + SPARE)
        left = smooth_truncation(spectrum.bound, h, tilt, nodes.step * (count - 1))
        return _smooth_line(terms, place, h, spectrum, left, bits)


def windowed_line(
    terms: Terms, place: Place, epsilon: float, share: float, most: float
) -> SmoothLine | None:
    """The two quadratures without the nodes at which the transform is small; None if none is known
    to be.

    The smoothing changes delta by about the given share of it, or by more if that takes more work
    than the most.
    """
    if not all(transform.node_by_node for transform, _ in terms.factors):
        return None
    needed = place.excess + max(0.0, math.log(place.period / 20))
    windows = fadings(terms, place.tilt, formula(Fraction(place.period)), needed)
    if not windows:
        return None
    step = 2 * math.pi / place.period
    reach = math.sqrt(2 * max(place.excess, 8.0))
    width = math.sqrt(
        share * min(1 / place.tilt, max(abs(epsilon), 1e-3)) / (place.tilt + 1)
    )
    wanted = math.ceil(reach / (width * step))
    last = min(wanted, math.ceil(most * TURN / windows[0].rate))
    cost = sum(transform.cost(place.tilt, 0.0) for transform, _ in terms.factors)
    factors = factors_work(terms, place.tilt, 0.0, FEW_NODES)
    bits = terms.bits(place.excess + SPARE)
    indices = [0]
    for m in kept_nodes(windows, last, needed):
        if len(indices) > FEW_NODES and not (
            len(indices) * cost <= most and _share(len(indices), factors, bits) <= 1
        ):
            last = m - 1
            break
        indices.append(m)
    if last < wanted:
        less_than_wanted()
    return chosen_nodes(
        terms, place, max(width, reach / (last * step)), indices, last, needed
    )


def chosen_nodes(
    terms: Terms,
    place: Place,
    width: float,
    indices: list[int],
    last: int,
    needed: float,
) -> SmoothLine:
    """The two quadratures with these nodes, if at all others up to the last one the transform is
    small.

    It must be this many nats below its value at the tilt there.
    """
    bits = terms.bits(place.excess + SPARE) + last.bit_length()
    with precision(bits):
        tilt = real(place.tilt)
        h = real(width)
        spend(kernel_work(len(indices), bits))
        nodes = ChosenNodes(tilt, 2 * pi() / real(place.period), indices)
        spectrum = spectrum_of(terms, nodes, frozenset(), place.excess + SPARE)
        first = next((m for m, kept in enumerate(indices) if m != kept), len(indices))
        left = smooth_truncation(real(1), h, tilt, nodes.step * last)
        left = left + smooth_truncation(
            real(-needed).exp(), h, tilt, nodes.step * (first - 1)
        )
        return _smooth_line(terms, place, h, spectrum, left, bits)


def _smooth_line(
    terms: Terms,
    place: Place,
    width: RealBall,
    spectrum: Spectrum,
    left: RealBall,
    bits: int,
) -> SmoothLine:
    """Both kernels at the nodes of a spectrum, with what the other nodes can add."""
    nodes = spectrum.nodes
    weight = nodes.step / (2 * pi()) * spectrum.scale
    upper = []
    lower = []
    for m, (z, v) in enumerate(zip(nodes.points, spectrum.values, strict=True)):
        scaled = v * (weight if m == 0 else 2 * weight)
        above, below = kernels(z, width)
        upper.append(scaled * above)
        lower.append(scaled * below)
    second = None if place.second is None else log_moment(terms, place.second)
    line = Line(
        nodes.tilt,
        real(place.period),
        nodes.step,
        spectrum.base,
        upper,
        left,
        second,
        terms.top(),
        bits,
    )
    return SmoothLine(line, lower, float(width), nodes)
