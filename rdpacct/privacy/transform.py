"""The transform of a privacy loss, M(z) = E exp(z L) on a vertical line: what composition
multiplies.

Every method with raw values runs at the precision that holds and returns balls that contain the
true value. The ``planned`` methods work in doubles; they steer the engine and never enter an
answer.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self

from rdpacct.exact.ball import REAL_FUNCTIONS, Raw
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import ONE, ZERO, Expr, Rational, multiply
from rdpacct.exact.number import near_double
from rdpacct.exact.raw import complex_of, real, row_product
from rdpacct.privacy.family import Family
from rdpacct.privacy.gaussian_profile import gaussian_profile
from rdpacct.privacy.lattice_law import LatticeLaw
from rdpacct.privacy.nodes import NATS as NATS
from rdpacct.privacy.nodes import Nodes as Nodes
from rdpacct.provenance import built_by, by


class Transform(ABC):
    """M(z) = E exp(z L) over the finite losses L, for Re z > 0."""

    node_by_node = True
    """Whether each node is evaluated on its own, so that some of them may be left out."""

    plan_work, cost_work = 3, 4.0
    """The work of one planned value, and of a node for each unit of its cost."""

    def cost(self, tilt: float, height: float) -> float:  # noqa: ARG002
        """How long a node takes if the nodes reach up to a height, about, in units of a closed
        form.
        """
        return 1.0

    @abstractmethod
    def planned(self, tilt: float) -> float:
        """log M(tilt), about."""

    @classmethod
    def planned_sum(cls, group: Sequence[Self], tilt: float) -> float:
        """The sum of ``planned`` over several transforms of this kind."""
        return math.fsum(transform.planned(tilt) for transform in group)

    def planned_decay(self, tilt: float, height: float) -> float:  # noqa: ARG002
        """About the logarithm of ``decay`` over M(tilt)."""
        return 0.0

    @abstractmethod
    def at(self, nodes: Nodes, nats: float = NATS) -> list[Raw]:
        """M at each node; the first is real and positive.

        Where a value is itself computed by quadrature, its error is to be so many nats below
        M(tilt).
        """

    @classmethod
    def product(
        cls, group: Sequence[Self], nodes: Nodes, nats: float = NATS
    ) -> list[Raw]:
        """The product of several transforms of this kind at each node."""
        return row_product(transform.at(nodes, nats) for transform in group)

    def decay(self, tilt: Raw, height: Raw, value: Raw, nats: float = NATS) -> Raw:  # noqa: ARG002
        """A bound on |M(tilt + i y)| for all y >= height, where ``value`` is M(tilt): itself, if
        nothing better.
        """
        return value

    def lattice(self) -> tuple[Expr, tuple[Expr, ...]] | None:
        """A loss, and distances of which every other loss is a sum of multiples away; None if that
        is not known.
        """
        return None

    def planned_lattice_decay(
        self,
        tilt: float,  # noqa: ARG002
        height: float,  # noqa: ARG002
        spacing: float,  # noqa: ARG002
    ) -> float:
        """About the logarithm of ``lattice_decay``."""
        return 0.0

    def lattice_decay(self, tilt: Raw, height: Raw, spacing: Expr) -> Raw:  # noqa: ARG002
        """A bound on |M(tilt + i y)|/M(tilt) for height <= y <= pi/spacing, for losses on a
        lattice.
        """
        return real(1)

    def planned_points(self, tilt: float, count: int, nats: float) -> float:  # noqa: ARG002
        """About how many points of its lattice a sum of so many draws has within so many nats;
        infinite for none.
        """
        return math.inf

    def lattice_law(self, tilt: Raw, nats: float) -> LatticeLaw | None:  # noqa: ARG002
        """The tilted law on the coarsest lattice that holds it, where it is not far below so many
        nats.
        """
        return None

    def profile(self, epsilon: Raw) -> Raw | None:  # noqa: ARG002
        """delta(epsilon) of one draw, if it has a closed form."""
        return None

    def planned_cells(self) -> float:
        """Into how many cells one draw can be cut whose losses differ by about 1; 0 if it
        cannot.
        """
        return 0.0

    def cell_bits(self) -> int:
        """How many bits more than the accuracy of their masses the edges of cells take."""
        return 0

    def cells(self, number: int) -> tuple[list[Raw], list[tuple[Raw, Raw]]]:
        """The edges of so many cells, by falling loss, and the masses of each under P and Q."""
        raise NotImplementedError(
            f"{type(self).__name__} cannot be cut into {number} cells"
        )

    def top(self) -> Raw | None:
        """The largest loss, or None if it is not bounded."""
        return None

    def planned_top(self) -> float:
        """About the largest loss."""
        return math.inf


def value(expr: Expr) -> Raw:
    """A number without symbols, as a backend value at the precision that holds."""
    if isinstance(expr, Rational):
        return real(expr.value)
    return expr.raw(REAL_FUNCTIONS, {})


def about(expr: Expr) -> float:
    """A number without symbols as a double, good for planning only."""
    if isinstance(expr, Rational):
        return near_double(expr.value)
    return float(expr.ball(64))


def common_spacing(steps: Sequence[Expr]) -> Expr | None:
    """The greatest number of which all steps are whole multiples, or None if none is known or there
    is no step.
    """
    shares: list[Fraction] = []
    unit: tuple[Expr, ...] | None = None
    for step in steps:
        share, rest = split(step)
        if unit not in (None, rest):
            return None
        unit = rest
        shares.append(abs(share))
    if unit is None:
        return None
    below = math.lcm(*(share.denominator for share in shares))
    above = math.gcd(
        *(share.numerator * (below // share.denominator) for share in shares)
    )
    common = Fraction(above, below)
    size = value(multiply(common, *unit))
    if size > 0:
        return multiply(common, *unit)
    return multiply(-common, *unit) if size < 0 else None


def split(loss: Expr) -> tuple[Fraction, tuple[Expr, ...]]:
    """A number as a rational multiple of the rest of its factors."""
    first, *others = loss.factors_of()
    if isinstance(first, Rational):
        return (first.value, tuple(others))
    return (Fraction(1), (first, *others))


@dataclass(frozen=True)
class GaussianTransform(Transform):
    """The loss N(mu**2/2, mu**2) of a shift by mu standard deviations."""

    square: Expr
    """mu squared."""

    @cached_property
    def _square(self) -> float:
        return about(self.square)

    def planned(self, tilt: float) -> float:
        return tilt * (1 + tilt) * self._square / 2

    def planned_decay(self, tilt: float, height: float) -> float:  # noqa: ARG002
        return -height * height * self._square / 2

    def profile(self, epsilon: Raw) -> Raw:
        return gaussian_profile(value(self.square).sqrt(), epsilon)[0]

    @by("engine/gaussian-decay")
    def at(self, nodes: Nodes, nats: float = NATS) -> list[Raw]:  # noqa: ARG002
        """M(z) = exp(z (1 + z) mu**2/2)."""
        half = value(self.square) / 2
        return [(z * (1 + z) * half).exp() for z in nodes.points]

    @by("engine/gaussian-decay")
    def decay(
        self,
        tilt: Raw,  # noqa: ARG002
        height: Raw,
        value_at_tilt: Raw,
        nats: float = NATS,  # noqa: ARG002
    ) -> Raw:
        """|M(t + i y)| = M(t) exp(-y**2 mu**2/2), which decreases in y."""
        return value_at_tilt * (-height * height * value(self.square) / 2).exp()


@by("engine/variance-decay")
def variance_decay(variance: Raw, width: Raw, height: Raw) -> Raw:
    """For height <= y <= pi/width: |phi(y)| of a law of this variance on an interval of this width
    is at most this.
    """
    return (
        (1 - 2 * variance * (1 - (height * width).cos()) / (width * width))
        .max(real(0))
        .sqrt()
    )


@dataclass(frozen=True)
class AtomsTransform(Transform):
    """Finitely many losses with their masses under P."""

    masses: tuple[Expr, ...]
    losses: tuple[Expr, ...]

    @cached_property
    def _planned(self) -> list[tuple[float, float]]:
        return [
            (about(p), about(loss))
            for p, loss in zip(self.masses, self.losses, strict=True)
        ]

    def planned(self, tilt: float) -> float:
        top = max(tilt * loss for _, loss in self._planned)
        return top + math.log(
            sum(p * math.exp(tilt * loss - top) for p, loss in self._planned)
        )

    def at(self, nodes: Nodes, nats: float = NATS) -> list[Raw]:  # noqa: ARG002
        found = [complex_of(real(0), real(0))] * nodes.count
        for p, loss in zip(self.masses, self.losses, strict=True):
            at = value(loss)
            size = (nodes.tilt * at).exp() * value(p)
            found = [
                total + turn * size
                for total, turn in zip(found, nodes.turns(at), strict=True)
            ]
        return found

    def lattice(self) -> tuple[Expr, tuple[Expr, ...]] | None:
        gaps = (loss - self.losses[0] for loss in self.losses[1:])
        return self.losses[0], tuple(gap for gap in gaps if gap != ZERO)

    @cached_property
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
        total = sum(p for p, _ in rows)
        mean = sum(p * k for p, k in rows) / total
        variance = sum(p * (k - mean) ** 2 for p, k in rows) / total
        return (
            min(count * max(places), 2 * math.sqrt(2 * nats * count * variance) + nats)
            + 1
        )

    def lattice_law(self, tilt: Raw, nats: float) -> LatticeLaw | None:  # noqa: ARG002
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
        rows = [(p * math.exp(tilt * loss - top), loss) for p, loss in self._planned]
        near = sum(
            p * q
            for p, x in rows
            for q, y in rows
            if abs(x - y - spacing) < 1e-6 * spacing
        )
        lost = (
            2 * near / sum(p for p, _ in rows) ** 2 * (1 - math.cos(height * spacing))
        )
        return 0.5 * math.log(max(1 - lost, 1e-300))

    @by("engine/lattice-decay")
    def lattice_decay(self, tilt: Raw, height: Raw, spacing: Expr) -> Raw:
        """|phi(y)|**2 = 1 - E(1 - cos(y (L - L'))): the pairs at the distance of the lattice
        alone give a bound.
        """
        sizes = [
            (tilt * value(x)).exp() * value(p)
            for p, x in zip(self.masses, self.losses, strict=True)
        ]
        total = sum(sizes[1:], start=sizes[0])
        near = real(0)
        for p, x in zip(sizes, self.losses, strict=True):
            for q, y in zip(sizes, self.losses, strict=True):
                if x - y == spacing or y - x == -spacing:
                    near = near + p * q
        lost = 2 * near / (total * total) * (1 - (height * value(spacing)).cos())
        return (1 - lost).max(real(0)).sqrt()

    def top(self) -> Raw:
        largest = value(self.losses[0])
        for loss in self.losses[1:]:
            largest = largest.max(value(loss))
        return largest

    def planned_top(self) -> float:
        return max(loss for _, loss in self._planned)


@dataclass(frozen=True)
class Direction:
    """One direction of a pair: the transform of its finite losses, if any, and the mass of infinite
    ones.

    Where it is above what a mechanism does, each of those ``below`` is certainly not. Where a
    release lets an adversary choose among several pairs, ``family`` has them all, and the transform
    is that of a law which dominates them.
    """

    transform: Transform | None
    at_infinity: Expr = ZERO
    below: "tuple[Direction, ...]" = ()
    family: Family | None = None
    draws: "tuple[tuple[Direction, Any, int], ...]" = field(default=(), compare=False)
    """The draws that a sum of losses is made of, with what answers for each; none for a single
    loss.
    """
    rests_on: frozenset[str] = field(default_factory=built_by, compare=False)
    """The theorems by which this stands for a release: those of the rule that built it."""
