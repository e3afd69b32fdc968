"""The losses of releases with one pair each, as finitely many masses: exactly, or above and below
on a grid.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from rdpacct.composition.draws import Draw
from rdpacct.composition.grids.few_releases import (
    POINT_WORK,
    atoms_of,
    parts_of,
    weighted_sums,
)
from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import convolution, real
from rdpacct.privacy.constants import value
from rdpacct.privacy.grid import FINE, Cells, Masses, span
from rdpacct.privacy.parts import Atom
from rdpacct.work import spend

MOST_SUMS = 64
"""How many sums of atoms are listed."""
CELLS, MOST_POINTS, WIDEST = 8192, 20_000, 60
"""How many cells a loss on a grid has, how many points a sum of them, and the widest range, in
nats.
"""
NEGLIGIBLE = Fraction(1, 2**70)
"""The mass of what lies beyond the grid of an unbounded loss, at most."""
Sums: TypeAlias = list[tuple[RealBall, RealBall]]
"""Masses under P, with their losses."""


@dataclass(frozen=True)
class FixedLosses:
    """Two sums of losses, one above what the releases have and one below, with their masses at
    infinity.
    """

    above: Sums
    below: Sums
    infinite: tuple[RealBall, RealBall]
    """At most and at least the mass at infinity."""

    @property
    def exact(self) -> bool:
        """Whether the two are the same."""
        return self.above is self.below


def few_sums(fixed: Sequence[Draw]) -> FixedLosses | None:
    """The sums of losses that have few atoms and nothing else; None for others."""
    rows = []
    number = 1
    finite = real(1)
    for direction, answers, count in fixed:
        atoms = atoms_of(direction, answers)
        if atoms is None or count > MOST_SUMS:
            return None
        number *= math.comb(count + len(atoms) - 1, count) if atoms else 1
        if number > MOST_SUMS:
            return None
        finite = finite * (1 - value(direction.at_infinity)) ** count
        rows.append(weighted_sums(atoms, count))
    sums = _added(rows)
    left = (1 - finite).max(real(0))
    return FixedLosses(sums, sums, (left, left))


def _added(rows: Sequence[Sums]) -> Sums:
    """The sums of one loss of each row."""
    sums: Sums = []
    for chosen in product(*rows):
        mass = real(1)
        loss = real(0)
        for p, x in chosen:
            mass = mass * p
            loss = loss + x
        sums.append((mass, loss))
    return sums


def grid_sums(fixed: Sequence[Draw]) -> FixedLosses | None:
    """The sums of bounded or unbounded losses on two grids; None if they are too wide, or no single
    losses.
    """
    number = sum(count for _, _, count in fixed)
    laws = []
    atoms: Sums = []
    for direction, answers, count in fixed:
        parts = None if direction.below else parts_of(answers)
        if parts and number == 1:
            # the atoms of one release are kept as they are
            atoms = [
                (value(part.p), value(part.loss))
                for part in parts
                if isinstance(part, Atom)
            ]
            parts = tuple(part for part in parts if not isinstance(part, Atom))
        if not parts:
            return None
        laws.append((parts, span(parts, NEGLIGIBLE), count))
    width = sum((high - low) * count for _, (low, high), count in laws)
    if width > WIDEST * number:
        return None
    step = max(math.ceil(width / min(CELLS * number, MOST_POINTS) / FINE) * FINE, FINE)
    above = []
    below = []
    finite = real(1)
    for parts, (low, high), count in laws:
        try:
            cells = Cells.of(parts, low, step, math.ceil((high - low) / step) + 1)
            above.append((cells.above(), count))
            below.append((cells.below(), count))
        except UndecidedError:
            return None
    for direction, _, count in fixed:
        finite = finite * (1 - value(direction.at_infinity)) ** count
    seen = real(1)
    for masses, count in above:
        seen = seen * (1 - masses.infinite) ** count
    least = (1 - finite).max(real(0))
    most = least + (1 - seen).max(real(0))
    upper, lower = ([*atoms, *_convolved(side, step)] for side in (above, below))
    return FixedLosses(upper, lower, (least, most))


def _convolved(laws: Sequence[tuple[Masses, int]], step: Fraction) -> Sums:
    """The sums on a grid; the masses beside the lower grids, which are small and below all, are
    left out.
    """
    origin = sum((law.origin * count for law, count in laws), start=Fraction(0))
    spend(POINT_WORK * sum(len(law.masses) * count * count for law, count in laws))
    masses = convolution([(law.masses, count) for law, count in laws])
    return [
        (mass, real(origin + step * k))
        for k, mass in enumerate(masses)
        if mass.upper() != 0
    ]
