"""Sums of losses on one lattice: finitely many nodes are the whole quadrature.

If every loss lies on a lattice of spacing d, M is periodic along the line. With the period W = N d, and x the first
lattice point above epsilon,

    (1/N) sum over N nodes of M(z) exp(-z x) (1/(1 - exp(-z d)) - exp(eps - x)/(1 - exp(-(z + 1) d)))

is the same sum of aliases as for the infinite quadrature.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from rdpacct.by import by
from rdpacct.engine.quadrature import Line, aliases_above, aliases_below, log_moment, spectrum_of
from rdpacct.engine.terms import Terms
from rdpacct.engine.tilt import SPARE, Place
from rdpacct.exact.ball import Raw
from rdpacct.exact.formula import ZERO, Expr, Rational, multiply
from rdpacct.exact.raw import complex_of, error, inner, pi, real, unit_powers
from rdpacct.privacy.nodes import Nodes
from rdpacct.privacy.transform import value

MOST_NODES = 60_000
FARTHEST = 2.0**50
"""Beyond so many points of the lattice a double does not tell its cells apart."""


def common_lattice(terms: Terms) -> tuple[Expr, Expr] | None:
    """The sum of the origins and the greatest common spacing of the lattices of all losses, if there is one."""
    origin: Expr = ZERO
    spacings: list[Fraction] = []
    unit: tuple[Expr, ...] | None = None
    for transform, count in terms.factors:
        lattice = transform.lattice()
        if lattice is None:
            return None
        origin = origin + count * lattice[0]
        for step in lattice[1]:
            share, rest = split(step)
            if unit not in (None, rest):
                return None
            unit = rest
            spacings.append(abs(share))
    if not spacings or unit is None:
        return None
    common = Fraction(
        math.gcd(*(s.numerator * (math.lcm(*(t.denominator for t in spacings)) // s.denominator) for s in spacings)),
        math.lcm(*(t.denominator for t in spacings)),
    )
    size = value(multiply(common, *unit))
    if size > 0:
        return origin, multiply(common, *unit)
    return (origin, multiply(-common, *unit)) if size < 0 else None


def split(loss: Expr) -> tuple[Fraction, tuple[Expr, ...]]:
    """A number as a rational multiple of the rest of its factors."""
    first, *others = loss.factors_of()
    return (first.value, tuple(others)) if isinstance(first, Rational) else (Fraction(1), (first, *others))


@dataclass(frozen=True)
class LatticeLine:
    """The nodes of one half period, and the cells in which they were evaluated."""

    line: Line
    """Its values are M(z_m)/(M(tilt) N), twice that inside the half period; its truncation is that of M alone."""
    origin: Raw
    spacing: Raw
    cells: dict[int, tuple[Raw, Raw]]
    top = math.inf

    @cached_property
    def _kernels(self) -> tuple[list[Raw], list[Raw], Raw]:
        line, found = self.line, []
        for shift in (0, 1):
            shrink, turn = (-(line.tilt + shift) * self.spacing).exp(), self._turns(self.spacing)
            found.append([v / (1 - w * shrink) for v, w in zip(line.values, turn, strict=True)])
        loose = 1 / (1 - (-line.tilt * self.spacing).exp()) + 1 / (1 - (-(line.tilt + 1) * self.spacing).exp())
        return found[0], found[1], line.truncation * loose

    def _turns(self, loss: Raw) -> list[Raw]:
        sine, cosine = (-self.line.step * loss).sin_cos()
        return unit_powers(complex_of(cosine, sine), len(self.line.values))

    @by("engine/lattice")
    def _cell(self, index: int) -> tuple[Raw, Raw]:
        """A and B with delta(epsilon) + aliases = A - exp(epsilon - x) B below the lattice point x of this index."""
        if index not in self.cells:
            point = self.origin + self.spacing * index
            first, second, left = self._kernels
            turns = self._turns(point)
            factor = (self.line.base - self.line.tilt * point).exp()
            self.cells[index] = (
                factor * (inner(first, turns).real + error(left)),
                factor * inner(second, turns).real,
            )
        return self.cells[index]

    def _first(self, epsilon: Raw) -> int | None:
        """About the index of the first point above epsilon; None if it is beyond any use."""
        place = float((epsilon - self.origin) / self.spacing)
        return math.floor(place) + 1 if abs(place) < FARTHEST else None

    def enclosure(self, epsilon: Raw) -> Raw:
        """A ball that contains delta(epsilon); where it is open which cell holds epsilon, both are."""
        index = self._first(epsilon)
        found: list[Raw] = []
        for candidate in (index - 1, index, index + 1) if index is not None else ():
            point = self.origin + self.spacing * candidate
            if point < epsilon or point - self.spacing > epsilon:
                continue
            a, b = self._cell(candidate)
            found.append(a - (epsilon - point).exp() * b)
        if not found:
            return error(real(math.inf))
        total = found[0]
        for other in found[1:]:
            total = total.union(other)
        return total - (aliases_below(self.line) + aliases_above(self.line, epsilon)).union(real(0))

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        at = real(epsilon)
        index = self._first(at)
        if index is None:
            return -math.inf, -float(self.line.tilt)
        a, b = self._cell(index)
        growth = (at - self.origin - self.spacing * index).exp()
        found = a - growth * b
        return (float(found.log()), float(-growth * b / found)) if found > 0 else (-math.inf, -float(self.line.tilt))


def lattice_line(terms: Terms, place: Place, origin: Expr, spacing: Expr) -> LatticeLine | None:
    """The quadrature at a place, its period rounded up to the lattice; None if it takes too many nodes."""
    d = value(spacing)
    number = max(4, math.ceil(place.period / float(d)))
    period, half = float(d) * number, number // 2
    excess = place.excess + math.log(1 / -math.expm1(-place.tilt * float(d))) + 2
    low, high = 1, half + 1
    while high - low > max(1, low // 16):
        middle = (low + high) // 2
        fallen = sum(
            count * transform.planned_lattice_decay(place.tilt, 2 * math.pi / period * middle, float(d))
            for transform, count in terms.factors
        )
        low, high = (low, middle) if excess + fallen <= 0 else (middle, high)
    keep = min(half + 1, high + 1)
    if keep > MOST_NODES:
        return None
    return lattice_nodes(terms, place, origin, spacing, number, keep)


def lattice_nodes(terms: Terms, place: Place, origin: Expr, spacing: Expr, number: int, keep: int) -> LatticeLine:
    """The nodes, evaluated in balls, for any number of them in the period and any number of them kept."""
    d = value(spacing)
    period = d * number
    step = 2 * pi() / period
    nodes = Nodes(real(place.tilt), step, keep)
    spectrum = spectrum_of(terms, nodes, frozenset(), place.excess + SPARE)
    bound = real(0)
    if keep <= number // 2:
        bound = real(1)
        for transform, count in terms.factors:
            bound = bound * transform.lattice_decay(nodes.tilt, step * keep, spacing).min(real(1)) ** count
    values = []
    for m, v in enumerate(spectrum.values):
        alone = m == 0 or 2 * m == number
        values.append(v * (1 if alone else 2) / number)
    second = None if place.second is None else log_moment(terms, place.second)
    line = Line(nodes.tilt, period, step, spectrum.base, values, bound, second, terms.top())
    return LatticeLine(line, value(origin), d, {})
