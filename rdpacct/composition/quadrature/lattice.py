"""Sums of losses on one lattice: finitely many nodes are the whole quadrature.

If every loss lies on a lattice of spacing d, M is periodic along the line. With the period W = N d,
and x the first lattice point above epsilon,

(1/N) sum over N nodes of M(z) exp(-z x) (1/(1 - exp(-z d)) - exp(eps - x)/(1 - exp(-(z + 1) d)))

is the same sum of aliases as for the infinite quadrature.
"""

import math
from dataclasses import dataclass

from rdpacct.composition.quadrature.tilt import SPARE, Place
from rdpacct.composition.quadrature.vertical_line import (
    NODE_WORK,
    Line,
    aliases_above,
    aliases_below,
    log_moment,
    spectrum_of,
)
from rdpacct.composition.quadrature.windows import fadings, kept_nodes
from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import ComplexBall, RealBall, precision
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import ZERO, Expr
from rdpacct.exact.raw import error, inner, pi, real
from rdpacct.privacy.constants import about, common_spacing, value
from rdpacct.privacy.nodes import ChosenNodes, Nodes
from rdpacct.provenance import by
from rdpacct.work import spend

FEW_NODES, MOST_NODES = 300, 60_000
"""Up to the first number, all nodes are evaluated; among up to the second, those are chosen at
which the transform is not small.
"""
FARTHEST = 2.0**50
"""Beyond this many points a double cannot tell the cells of the lattice apart."""


def common_lattice(terms: Terms) -> tuple[Expr, Expr] | None:
    """The sum of the origins and the greatest common spacing of the lattices of all losses, if
    there is one.
    """
    origin: Expr = ZERO
    steps: list[Expr] = []
    for transform, count in terms.factors:
        lattice = transform.lattice()
        if lattice is None:
            return None
        origin = origin + count * lattice[0]
        steps += lattice[1]
    spacing = common_spacing(steps)
    return None if spacing is None else (origin, spacing)


@dataclass(frozen=True)
class LatticeLine:
    """The nodes of one half period, and the cells in which they were evaluated."""

    line: Line
    """Its values are M(z_m)/(M(tilt) N), twice that inside the half period; its truncation is that
    of M alone.
    """
    nodes: Nodes
    origin: RealBall
    spacing: RealBall
    cells: dict[int, tuple[RealBall, RealBall]]
    top = math.inf

    @cached_property
    def _kernels(self) -> list[tuple[list[ComplexBall], RealBall]]:
        """The values times each of the two kernels, and what the nodes that are left out can
        add.
        """
        line = self.line
        turns = self._turns(self.spacing)
        kernels = []
        for shift in (0, 1):
            shrink = (-(line.tilt + shift) * self.spacing).exp()
            values = [
                v / (1 - w * shrink) for v, w in zip(line.values, turns, strict=True)
            ]
            kernels.append((values, error(line.truncation / (1 - shrink))))
        return kernels

    def _turns(self, loss: RealBall) -> list[ComplexBall]:
        return self.nodes.turns(-loss)

    @by("engine/lattice")
    def _cell(self, index: int) -> tuple[RealBall, RealBall]:
        """A and B with delta(epsilon) + aliases = A - exp(epsilon - x) B below the lattice point x
        of this index.
        """
        if index not in self.cells:
            with precision(self.line.bits):
                self.cells[index] = self._sums(self.origin + self.spacing * index)
        return self.cells[index]

    def _sums(self, point: RealBall) -> tuple[RealBall, RealBall]:
        spend(4 * NODE_WORK * len(self.line.values))
        turns = self._turns(point)
        factor = (self.line.base - self.line.tilt * point).exp()
        first, second = (
            factor * (inner(values, turns).real + left)
            for values, left in self._kernels
        )
        return first, second

    def _first(self, epsilon: RealBall) -> int | None:
        """About the index of the first point above epsilon; None if it is beyond any use."""
        place = float((epsilon - self.origin) / self.spacing)
        if abs(place) < FARTHEST:
            return math.floor(place) + 1
        return None

    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon); where it is open which cell holds epsilon, both
        are.
        """
        index = self._first(epsilon)
        delta: list[RealBall] = []
        for candidate in (index - 1, index, index + 1) if index is not None else ():
            point = self.origin + self.spacing * candidate
            if point < epsilon or point - self.spacing > epsilon:
                continue
            a, b = self._cell(candidate)
            delta.append(a - (epsilon - point).exp() * b)
        if not delta:
            return error(real(math.inf))
        total = delta[0]
        for other in delta[1:]:
            total = total.union(other)
        return total - (
            aliases_below(self.line) + aliases_above(self.line, epsilon)
        ).union(real(0))

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        at = real(epsilon)
        index = self._first(at)
        if index is None:
            return -math.inf, -float(self.line.tilt)
        a, b = self._cell(index)
        growth = (at - self.origin - self.spacing * index).exp()
        delta = a - growth * b
        if delta > 0:
            return (float(delta.log()), float(-growth * b / delta))
        return (-math.inf, -float(self.line.tilt))


def lattice_line(
    terms: Terms, place: Place, origin: Expr, spacing: Expr, most: float
) -> LatticeLine | None:
    """The quadrature at a place, its period rounded up to the lattice; None if it takes more work
    than that.
    """
    d = about(spacing)
    number = max(4, math.ceil(place.period / d))
    half = number // 2
    excess = place.excess + math.log(1 / -math.expm1(-place.tilt * d)) + 2
    low = 1
    high = half + 1
    while high - low > max(1, low // 16):
        middle = (low + high) // 2
        fallen = sum(
            count
            * transform.planned_lattice_decay(
                place.tilt, 2 * math.pi / (d * number) * middle, d
            )
            for transform, count in terms.factors
        )
        low, high = (low, middle) if excess + fallen <= 0 else (middle, high)
    keep = min(half + 1, high + 1)
    cost = sum(transform.cost(place.tilt, 0.0) for transform, _ in terms.factors)
    if keep <= FEW_NODES:
        return lattice_nodes(terms, place, origin, spacing, number, keep)
    chosen = _chosen(terms, place.tilt, number * spacing, half, excess)
    if chosen is not None and 2 * len(chosen) < keep and len(chosen) * cost <= most:
        return some_lattice_nodes(terms, place, origin, spacing, number, chosen, excess)
    if keep * cost <= most:
        return lattice_nodes(terms, place, origin, spacing, number, keep)
    return None


def _chosen(
    terms: Terms, tilt: float, period: Expr, half: int, needed: float
) -> list[int] | None:
    """The nodes of half a period at which the transform is not certainly small, if they are few."""
    if half > MOST_NODES or not all(
        transform.node_by_node for transform, _ in terms.factors
    ):
        return None
    fading = fadings(terms, tilt, period, needed)
    if fading:
        return [0, *kept_nodes(fading, half, needed)]
    return None


def lattice_nodes(
    terms: Terms, place: Place, origin: Expr, spacing: Expr, number: int, keep: int
) -> LatticeLine:
    """The nodes, evaluated in balls, for any number of them in the period and any number of them
    kept.
    """
    with precision(terms.bits(place.excess + SPARE)):
        nodes = Nodes(real(place.tilt), 2 * pi() / (value(spacing) * number), keep)
        bound = real(0)
        if keep <= number // 2:
            bound = real(1)
            for transform, count in terms.factors:
                bound = (
                    bound
                    * transform.lattice_decay(
                        nodes.tilt, nodes.step * keep, spacing
                    ).min(real(1))
                    ** count
                )
        return _lattice_line(terms, place, origin, spacing, number, nodes, bound)


def some_lattice_nodes(
    terms: Terms,
    place: Place,
    origin: Expr,
    spacing: Expr,
    number: int,
    chosen: list[int],
    needed: float,
) -> LatticeLine:
    """The quadrature with these nodes of half a period, if at all others the transform is this many
    nats smaller.
    """
    with precision(terms.bits(place.excess + SPARE)):
        nodes = ChosenNodes(
            real(place.tilt), 2 * pi() / (value(spacing) * number), chosen
        )
        return _lattice_line(
            terms, place, origin, spacing, number, nodes, real(-needed).exp()
        )


def _lattice_line(
    terms: Terms,
    place: Place,
    origin: Expr,
    spacing: Expr,
    number: int,
    nodes: Nodes,
    bound: RealBall,
) -> LatticeLine:
    spectrum = spectrum_of(terms, nodes, frozenset(), place.excess + SPARE)
    once = spectrum.scale / number
    twice = 2 * once
    values = []
    for m, v in zip(nodes.indices, spectrum.values, strict=True):
        alone = m == 0 or 2 * m == number
        values.append(v * (once if alone else twice))
    second = None if place.second is None else log_moment(terms, place.second)
    d = value(spacing)
    bits = terms.bits(place.excess + SPARE)
    line = Line(
        nodes.tilt,
        d * number,
        nodes.step,
        spectrum.base,
        values,
        bound,
        second,
        terms.top(),
        bits,
    )
    return LatticeLine(line, nodes, value(origin), d, {})
