"""The transform of a loss of any kind, between those of two laws on a lattice, one above it and one
below.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from rdpacct.exact.ball import Ball, ComplexBall, RealBall, precision
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import Expr, formula
from rdpacct.exact.raw import power_sums, powers, real
from rdpacct.privacy.constants import value
from rdpacct.privacy.dominating import dominating_masses
from rdpacct.privacy.grid import BITS, FINE, Cells, Masses, span
from rdpacct.privacy.lattice_law import LatticeLaw, planned_support
from rdpacct.privacy.parts import Atom, Part
from rdpacct.privacy.transform import NATS, Direction, Nodes, Transform
from rdpacct.provenance import by, planning, remembered_property

CELLS = 1024
FEW_MASSES = 50
"""This many masses take as long as a closed form, about, if the nodes are few."""
NODE_WORK, POWER_WORK = 1.5, 85.0
"""The work of these at a node, and of powers of which there are as many as the root of the nodes.
"""


@dataclass(frozen=True, eq=False)
class GridTransform(Transform):
    """The law above, or the one below, of some parts: masses at ``origin + k step``."""

    node_by_node = False
    gridded = True
    parts: tuple[Part, ...]
    above: bool
    given: Masses | None = None
    """The masses, if they are those of another law."""

    @property
    def rounds(self) -> bool:
        return self.given is None

    def rounds_as(self, other: Transform) -> bool:
        if not (isinstance(other, GridTransform) and self.rounds and other.rounds):
            return False
        return self.above != other.above and self.parts == other.parts

    @remembered_property
    def law(self) -> Masses:
        """The masses, worked out when they are first needed."""
        if self.given is not None:
            return self.given
        if self.above:
            return above_law(self.parts)
        return below_law(self.parts)

    @cached_property
    @planning
    def _planned(self) -> list[tuple[float, float, float]]:
        """The masses, their logarithms and the losses."""
        start = float(self.law.origin)
        step = float(self.law.step)
        return [
            (mass, math.log(mass), start + step * k)
            for k, mass in enumerate(map(float, self.law.masses))
            if mass > 0
        ]

    def cost(self, tilt: float, height: float) -> float:  # noqa: ARG002
        return len(self.law.masses) / FEW_MASSES

    def node_work(self, tilt: float, height: float, count: int) -> float:
        return self.cost(tilt, height) * (NODE_WORK + POWER_WORK / math.sqrt(count))

    def pay_for_plans(self) -> None:
        _ = self._planned

    def planned(self, tilt: float) -> float:
        known = self._planned
        top = max([log_mass + tilt * x for _, log_mass, x in known])
        return top + math.log(
            math.fsum([mass * math.exp(tilt * x - top) for mass, _, x in known])
        )

    def _tilted(self, tilt: RealBall) -> list[RealBall]:
        start = (tilt * real(self.law.origin)).exp()
        growth = powers((tilt * real(self.law.step)).exp(), len(self.law.masses))
        return [p * g * start for p, g in zip(self.law.masses, growth, strict=True)]

    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:  # noqa: ARG002
        weights = self._tilted(nodes.tilt)
        if nodes.count == 1:
            return [sum(weights[1:], start=weights[0]) + nodes.points[0] * 0]
        line = Nodes(real(0), nodes.step * real(self.law.step), len(weights))
        sums = power_sums(weights, line.turns(real(1)), nodes.count)
        return [
            x * turn
            for x, turn in zip(sums, nodes.turns(real(self.law.origin)), strict=True)
        ]

    def lattice(self) -> tuple[Expr, tuple[Expr, ...]]:
        return formula(self.law.origin), (formula(self.law.step),)

    def planned_points(self, tilt: float, count: int, nats: float) -> float:
        known = self._planned
        start = float(self.law.origin)
        step = float(self.law.step)
        top = max([log_mass + tilt * x for _, log_mass, x in known])
        rows = [
            (math.exp(log_mass + tilt * x - top), (x - start) / step)
            for _, log_mass, x in known
        ]
        return planned_support(rows, count, nats)

    def lattice_law(self, tilt: RealBall, nats: float) -> LatticeLaw:  # noqa: ARG002
        masses = self._tilted(tilt)
        total = sum(masses[1:], start=masses[0])
        return LatticeLaw(
            real(self.law.origin),
            real(self.law.step),
            [mass / total for mass in masses],
        )

    def planned_lattice_decay(
        self, tilt: float, height: float, spacing: float
    ) -> float:
        if abs(spacing / float(self.law.step) - 1) > 1e-9:
            return 0.0
        return 0.5 * math.log(
            max(1 - self._near(tilt) * (1 - math.cos(height * spacing)), 1e-300)
        )

    def _near(self, tilt: float) -> float:
        """Twice the probability, about, that the second of two draws is one step above the
        first.
        """
        known = self._planned
        top = max([log_mass + tilt * x for _, log_mass, x in known])
        sizes = [math.exp(log_mass + tilt * x - top) for _, log_mass, x in known]
        return 2 * sum(p * q for p, q in pairwise(sizes)) / sum(sizes) ** 2

    def lattice_decay(
        self, tilt: RealBall, height: RealBall, spacing: Expr
    ) -> RealBall:
        """The pairs at the distance of the lattice alone give a bound, as for atoms."""
        if spacing != formula(self.law.step):
            return real(1)
        sizes = self._tilted(tilt)
        total = sum(sizes[1:], start=sizes[0])
        near = sum((p * q for p, q in pairwise(sizes)), start=real(0))
        lost = 2 * near / (total * total) * (1 - (height * value(spacing)).cos())
        return (1 - lost).max(real(0)).sqrt()

    def top(self) -> RealBall:
        return real(self.law.origin + self.law.step * (len(self.law.masses) - 1))

    def planned_top(self) -> float:
        return float(self.law.origin + self.law.step * (len(self.law.masses) - 1))


def grid_direction(parts: tuple[Part, ...], at_infinity: Expr) -> Direction:
    """The direction of a loss whose parts have no transform."""
    origin, step = _grid(parts)
    beyond = [
        part.excess(origin + step * CELLS, BITS)
        for part in parts
        if not isinstance(part.range()[1], Expr)
    ]
    more = sum((Fraction(ball.upper()) for ball in beyond), start=Fraction(0))
    below = Direction(GridTransform(parts, above=False), at_infinity)
    return Direction(
        GridTransform(parts, above=True), at_infinity + more, below=(below,)
    )


@dataclass(frozen=True, eq=False)
class DominatingGrid(GridTransform):
    """The law on a grid that dominates several laws, each given by its parts and its mass at
    infinity.
    """

    laws: tuple[tuple[tuple[Part, ...], Expr], ...] = ()

    @property
    def rounds(self) -> bool:
        return False

    @remembered_property
    def law(self) -> Masses:
        """The masses, worked out when they are first needed."""
        origin, step = _grid([part for parts, _ in self.laws for part in parts])
        return dominating_masses(self.laws, origin, step, CELLS + 1)


def dominating_direction(
    laws: Sequence[tuple[tuple[Part, ...], Expr]], below: tuple[Direction, ...]
) -> Direction:
    """A direction that dominates several laws, of which each release may have another."""
    origin, step = _grid([part for parts, _ in laws for part in parts])
    end = origin + step * (CELLS + 1)
    beyond = [
        infinite.ball(BITS) + _beyond(parts, end) if parts else infinite.ball(BITS)
        for parts, infinite in laws
    ]
    most = max(Fraction(ball.upper()) for ball in beyond)
    transform = DominatingGrid((), above=True, laws=tuple(laws))
    return Direction(transform, formula(most), below)


def _beyond(parts: Sequence[Part], end: Fraction) -> Ball:
    """The part of delta at the end of a grid that comes from losses of some parts beyond it."""
    total = Ball.of(0, BITS)
    for part in parts:
        if not isinstance(part.range()[1], Expr):
            total = total + part.excess(end, BITS)
    return total


def _grid(parts: Sequence[Part]) -> tuple[Fraction, Fraction]:
    """The first point and the step; the last of the cells ends at or just beyond the largest
    loss.
    """
    low, high = span(parts)
    return low, max(math.ceil((high - low - FINE) / CELLS / FINE) * FINE, FINE)


def _smooth(parts: Sequence[Part]) -> list[Part]:
    return [part for part in parts if not isinstance(part, Atom)]


def above_law(parts: Sequence[Part]) -> Masses:
    """Densities and atoms on the grid, from above."""
    origin, step = _grid(parts)
    cells = Cells.of(_smooth(parts), origin, step, CELLS + 1)
    with precision(BITS):
        masses = cells.above()
        for atom in parts:
            if isinstance(atom, Atom):
                split_atom(masses, atom)
    return masses


@by("engine/connect-the-dots")
def split_atom(law: Masses, atom: Atom) -> None:
    """An atom moved to the two points of the grid beside it, keeping its masses under P and under
    Q.
    """
    p = value(atom.p)
    loss = value(atom.loss)
    k = max(math.floor(((loss - real(law.origin)) / real(law.step)).lower()), 0)
    while not (
        loss <= real(end := law.origin + law.step * (k + 1))
        or atom.loss == formula(end)
    ):
        k += 1
    moved = (
        (p * (1 - (real(end - law.step) - loss).exp()) / (1 - (-real(law.step)).exp()))
        .max(real(0))
        .min(p)
    )
    law.masses[k], law.masses[k + 1] = (
        law.masses[k] + (p - moved),
        law.masses[k + 1] + moved,
    )


def below_law(parts: Sequence[Part]) -> Masses:
    """Densities and atoms on the grid, from below: cells about each of its points, and atoms moved
    down.
    """
    origin, step = _grid(parts)
    half = Fraction(math.floor(step / 2 / FINE)) * FINE
    cells = Cells.of(_smooth(parts), origin - half, step, CELLS + 2)
    with precision(BITS):
        law = cells.below()
        masses = list(law.masses)
        first = law.origin
        rows = [
            (value(a.p), value(a.loss)) for a in parts if isinstance(a, Atom)
        ] + law.beside
        places = [
            math.floor(((loss - real(first)) / real(step)).lower()) for _, loss in rows
        ]
        more = max(0, -min(places, default=0))
        masses = [real(0)] * more + masses
        for (p, _), place in zip(rows, places, strict=True):
            k = min(place + more, len(masses) - 1)
            masses[k] = masses[k] + p
    return Masses(first - step * more, step, masses, [], real(0))
