"""The transform of finitely many losses."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rdpacct.exact.ball import ComplexBall, RealBall
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import ONE, ZERO, Expr
from rdpacct.exact.raw import complex_of, current_bits, real, real_inner
from rdpacct.privacy.binomial_curve import BinomialCurve
from rdpacct.privacy.cases import Case, Kind, binomial_cases, one_case
from rdpacct.privacy.closed_curve import ClosedCurve
from rdpacct.privacy.constants import about, common_spacing, value
from rdpacct.privacy.drawn_atoms import drawn
from rdpacct.privacy.lattice_law import LatticeLaw, planned_support
from rdpacct.privacy.patterns import Column, Row
from rdpacct.privacy.transform import NATS, Nodes, Transform
from rdpacct.provenance import by

FEW_ATOMS = 4
"""With up to this many atoms a node takes about as long as a closed form."""
SAME_DISTANCE = 1e-6
"""Doubles that differ by less than this part of the spacing may be the same distance of a lattice.
"""
MANY_DRAWS = 10_000
"""The patterns of this many draws or more are not counted."""


@dataclass(frozen=True)
class AtomsTransform(Transform):
    """Finitely many losses with their masses under P."""

    masses: tuple[Expr, ...]
    losses: tuple[Expr, ...]

    @property
    def outcomes(self) -> int:
        """How many losses there are."""
        return len(self.masses)

    def cases(self, count: int, log_least: float) -> list[Case] | None:
        if self.outcomes > 2:
            return None
        kinds = [Kind(mass, loss, real(0)) for mass, loss in self.atoms()]
        if len(kinds) == 1:
            return [one_case(real(1), kinds[0].offset * count, real(0))]
        return binomial_cases(kinds[0], kinds[1], count, log_least)

    def closed_curve(self, count: int) -> ClosedCurve | None:
        if self.outcomes != 2:
            return None
        first, second = self.atoms()
        curve = BinomialCurve.of(first, second, count)
        if curve is None:
            return None
        name = "exact sum over the draws (engine/binomial)"
        return ClosedCurve(curve, name, curve.invert)

    def patterns(self, count: int) -> Column | None:
        outcomes = self.outcomes
        number: float = math.inf
        if count < MANY_DRAWS:
            number = math.comb(count + outcomes - 1, outcomes - 1)
        return Column(number, 0, 0, lambda: drawn_patterns(self.atoms(), count))

    def listed_points(self, count: int) -> float:
        return math.comb(count + self.outcomes - 1, count)

    def tilted_atoms(self, tilt: RealBall) -> list[tuple[RealBall, RealBall]]:
        rows = self.atoms()
        sizes = [(tilt * loss).exp() * mass for mass, loss in rows]
        total = real_inner(sizes, [real(1)] * len(sizes))
        return [
            (loss, size / total) for (_, loss), size in zip(rows, sizes, strict=True)
        ]

    def atoms(self) -> list[tuple[RealBall, RealBall]]:
        return [
            (value(p), value(x)) for p, x in zip(self.masses, self.losses, strict=True)
        ]

    @lazy_property
    def _planned(self) -> list[tuple[float, float]]:
        return [
            (about(p), about(loss))
            for p, loss in zip(self.masses, self.losses, strict=True)
        ]

    def cost(self, tilt: float, height: float) -> float:  # noqa: ARG002
        return max(1.0, self.outcomes / FEW_ATOMS)

    def planned(self, tilt: float) -> float:
        top = max(tilt * loss for _, loss in self._planned)
        return top + math.log(
            sum(p * math.exp(tilt * loss - top) for p, loss in self._planned)
        )

    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:  # noqa: ARG002
        totals = [complex_of(real(0), real(0))] * nodes.count
        for p, loss in zip(self.masses, self.losses, strict=True):
            at = value(loss)
            size = (nodes.tilt * at).exp() * value(p)
            totals = [
                total + turn * size
                for total, turn in zip(totals, nodes.turns(at), strict=True)
            ]
        return totals

    def lattice(self) -> tuple[Expr, tuple[Expr, ...]] | None:
        return self.losses[0], self._gaps

    @lazy_property
    def _gaps(self) -> tuple[Expr, ...]:
        """How far each other loss is from the first one."""
        gaps = (loss - self.losses[0] for loss in self.losses[1:])
        return tuple(gap for gap in gaps if gap != ZERO)

    @lazy_property
    def _indices(self) -> tuple[Expr, Expr, list[int]] | None:
        """The smallest loss, the spacing of the coarsest lattice that holds all, and the place of
        each on it.
        """
        lowest = min(range(len(self.losses)), key=lambda i: self._planned[i][1])
        gaps = [loss - self.losses[lowest] for loss in self.losses]
        steps = [gap for gap in gaps if gap != ZERO]
        spacing = common_spacing(steps) if steps else ONE
        if spacing is None:
            return None
        size = about(spacing)
        return self.losses[lowest], spacing, [round(about(gap) / size) for gap in gaps]

    def planned_points(self, tilt: float, count: int, nats: float) -> float:
        if self._indices is None:
            return math.inf
        places = self._indices[2]
        top = max(tilt * loss for _, loss in self._planned)
        rows = [
            (p * math.exp(tilt * loss - top), k)
            for (p, loss), k in zip(self._planned, places, strict=True)
        ]
        return planned_support(rows, count, nats)

    def lattice_law(self, tilt: RealBall, nats: float) -> LatticeLaw | None:  # noqa: ARG002
        if self._indices is None:
            return None
        lowest, spacing, places = self._indices
        masses = [real(0)] * (max(places) + 1)
        for p, loss, place in zip(self.masses, self.losses, places, strict=True):
            masses[place] = masses[place] + (tilt * value(loss)).exp() * value(p)
        total = sum(masses[1:], start=masses[0])
        return LatticeLaw(
            value(lowest), value(spacing), [mass / total for mass in masses]
        )

    def planned_lattice_decay(
        self, tilt: float, height: float, spacing: float
    ) -> float:
        top = max(tilt * loss for _, loss in self._planned)
        sizes = [p * math.exp(tilt * loss - top) for p, loss in self._planned]
        near = sum(sizes[i] * sizes[j] for i, j in self._about_apart(spacing))
        lost = 2 * near / sum(sizes) ** 2 * (1 - math.cos(height * spacing))
        return 0.5 * math.log(max(1 - lost, 1e-300))

    def _may_be_apart(self, spacing: Expr) -> Iterable[tuple[int, int]]:
        """The pairs of atoms to be compared: all if they are few, otherwise those that are about
        this distance apart.
        """
        if self.outcomes <= FEW_ATOMS:
            every = range(self.outcomes)
            return ((i, j) for i in every for j in every)
        return self._about_apart(about(spacing))

    def _about_apart(self, spacing: float) -> Iterator[tuple[int, int]]:
        """The pairs of atoms that are about this distance apart, the larger loss first."""
        in_order = sorted((loss, i) for i, (_, loss) in enumerate(self._planned))
        losses = [loss for loss, _ in in_order]
        slack = SAME_DISTANCE * spacing
        for loss, i in in_order:
            first = bisect_left(losses, loss - spacing - slack)
            last = bisect_right(losses, loss - spacing + slack)
            for _, j in in_order[first:last]:
                yield i, j

    @by("engine/lattice-decay")
    def lattice_decay(
        self, tilt: RealBall, height: RealBall, spacing: Expr
    ) -> RealBall:
        """|phi(y)|**2 = 1 - E(1 - cos(y (L - L'))): the pairs at the distance of the lattice
        alone give a bound.
        """
        share = self._share_apart(tilt, spacing)
        lost = 2 * share * (1 - (height * value(spacing)).cos())
        return (1 - lost).max(real(0)).sqrt()

    def _share_apart(self, tilt: RealBall, spacing: Expr) -> RealBall:
        """The tilted mass of all pairs at this distance; the last one is kept."""
        asked = (tilt, spacing, current_bits())
        for before, share in self._last_share:
            if before[0] is tilt and before[1:] == asked[1:]:
                return share
        sizes = [
            (tilt * value(x)).exp() * value(p)
            for p, x in zip(self.masses, self.losses, strict=True)
        ]
        total = sum(sizes[1:], start=sizes[0])
        near = real(0)
        for i, j in self._may_be_apart(spacing):
            x = self.losses[i]
            y = self.losses[j]
            if x - y == spacing or y - x == -spacing:
                near = near + sizes[i] * sizes[j]
        share_apart = near / (total * total)
        self._last_share[:] = [(asked, share_apart)]
        return share_apart

    @lazy_property
    def _last_share(self) -> list[tuple[tuple[RealBall, Expr, int], RealBall]]:
        return []

    def top(self) -> RealBall:
        largest = value(self.losses[0])
        for loss in self.losses[1:]:
            largest = largest.max(value(loss))
        return largest

    def planned_top(self) -> float:
        return max(loss for _, loss in self._planned)


def drawn_patterns(rows: list[tuple[RealBall, RealBall]], times: int) -> list[Row]:
    """The patterns of a number of draws of atoms, each with its mass and its loss."""
    if times == 0:
        return [Row(real(0), 0.0, real(1), 0)]
    atoms = [(loss, mass) for mass, loss in rows]
    return [
        Row(offset, float(offset), weight * (-offset / 2).exp(), 0)
        for offset, weight in drawn(atoms, times)
    ]
