"""Many atoms beside one loss with a known profile, pooled into cells that are fitted to the
question.

A cell with one atom counts as it is; of several, the sum above moves each cell to its two ends, and
the sum below takes it as one loss.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from rdpacct.composition.exact_sums.atoms import (
    ATOM_WORK,
    MOST_ATOMS,
    listed_atoms,
    share_left_out,
    total_mass,
)
from rdpacct.composition.exact_sums.mixture import AtomMixture, planned_number
from rdpacct.composition.exact_sums.one_draw import OneDraw, one_draw
from rdpacct.composition.grids.cells import CellSums, two_sums
from rdpacct.composition.grids.fine_grids import BITS, GriddedLoss
from rdpacct.composition.grids.fitted_cells import (
    MOST_CELLS,
    MOST_VALUES,
    USUAL_WORK,
    Fit,
    Rows,
)
from rdpacct.composition.narrowest import Point
from rdpacct.composition.quadrature.tilt import Place
from rdpacct.composition.quadrature.vertical_line import log_moment
from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.raw import real
from rdpacct.work import spend

APART = 2.0**-36
"""Atoms that are nearer than this, relative to the largest loss, are treated as one."""
POOL_WORK = 3
"""The work of an atom that is pooled, beside that of listing it."""
OUTSIDE = 1e-3
"""How far the first and the last cell reach beyond the atoms."""


AtomRow = tuple[RealBall, RealBall, RealBall]
"""A loss, and its masses under P and under Q."""


@dataclass(frozen=True)
class AtomFit(Fit):
    """Atoms by rising loss, with their masses under P and Q, in place of a loss with a density."""

    atoms: list[AtomRow]
    places: list[float]
    """The losses in doubles."""
    gaps: list[float]
    """Places between two neighboring atoms, and beyond all of them."""

    def _placed(self, edges: list[float]) -> list[float]:
        """The edges moved to the next gap, each once."""
        last = len(self.gaps) - 1
        places = {min(bisect_left(self.gaps, edge), last) for edge in edges}
        return [self.gaps[k] for k in sorted({0, *places, last})]

    def _rows(self, edges: Sequence[float]) -> Rows:
        """The masses before the first edge, between each two, and beyond the last: none, and those
        of the atoms there.
        """
        nothing = real(0), real(0)
        pooled = [self._pooled(*ends) for ends in self._inside(edges)]
        return [nothing, *pooled, nothing]

    def _inside(self, edges: Sequence[float]) -> list[tuple[int, int]]:
        """The places of the first atom of each cell, and of the first beyond it."""
        spend(POOL_WORK * len(self.atoms))
        return list(pairwise(bisect_left(self.places, edge) for edge in edges))

    def _pooled(self, begin: int, end: int) -> tuple[RealBall, RealBall]:
        inside = self.atoms[begin:end]
        p = sum((mass for _, mass, _ in inside), start=real(0))
        q = sum((mass for _, _, mass in inside), start=real(0))
        return p, q

    def _sums(
        self, edges: list[float], rough: CellSums | None
    ) -> tuple[CellSums, RealBall]:
        """The two sums over the atoms in each cell, from the smallest to the largest of them."""
        nothing = real(0)
        ends: list[RealBall] = []
        masses: Rows = []
        for begin, end in reversed(self._inside(edges)):
            if begin < end:
                ends += [self.atoms[end - 1][0], self.atoms[begin][0]]
                # between the cells there is nothing
                masses += [self._pooled(begin, end), (nothing, nothing)]
        above, below = two_sums(ends, masses[:-1])
        upper = [row for row in above if row[1].upper() != 0]
        lower = [row for row in below if row[0].is_finite()]
        return CellSums(upper, lower, self.profile, rough, math.inf), nothing


def pooled_atoms(
    terms: Terms, place: Place, point: Point, share: float
) -> AtomMixture | None:
    """The two sums over cells of the atoms of all losses on lattices, which differ by about this
    share of delta; None if these are too many, or there is not one other with a known profile.
    """
    listed = Terms(tuple(row for row in terms.factors if row[0].lattice() is not None))
    others = Terms(tuple(row for row in terms.factors if row[0].lattice() is None))
    profile = one_draw(others)
    if profile is None or not listed.factors:
        return None
    number = planned_number(listed, place)
    work = profile.transform.profile_work
    if number > MOST_ATOMS or work > USUAL_WORK:
        return None
    spend(ATOM_WORK * number)
    with precision(BITS):
        tilt, scale = log_moment(listed, place.tilt)
        tilted = listed_atoms(listed, place, tilt)
        left_out = share_left_out(total_mass([mass for _, mass in tilted]))
        rows = []
        for loss, mass in tilted:
            under_p = (scale - tilt * loss).exp() * mass
            rows.append((loss, under_p, under_p * (-loss).exp()))
        fit = _fit_of(rows, profile, point.epsilon)
        if fit is None:
            return None
        curve = fit.cells(share, int(min(MOST_CELLS, MOST_VALUES / work)))
    base = scale + log_moment(others, place.tilt)[1]
    top = listed.planned_top + others.planned_top
    return AtomMixture(tilt, base, left_out, [(real(0), real(1))], curve, top)


def _fit_of(rows: list[AtomRow], profile: OneDraw, epsilon: float) -> AtomFit | None:
    """Atoms in any order beside a profile; None if their losses are too uncertain to tell on which
    side of a gap they are.
    """
    rows.sort(key=_loss)
    places = [_loss(row) for row in rows]
    near = APART * max(abs(places[0]), abs(places[-1]), 1.0)
    if any(loss.rad() > near / 8 for loss, _, _ in rows):
        return None
    rows = _merged(rows, near)
    places = [_loss(row) for row in rows]
    apart = [(low + high) / 2 for low, high in pairwise(places)]
    gaps = [places[0] - OUTSIDE, *apart, places[-1] + OUTSIDE]
    cut = GriddedLoss([], [], 1, real(1), Fraction(gaps[0]), Fraction(gaps[-1]))
    alone = [(real(0), real(1))]
    work = profile.transform.profile_work
    return AtomFit(cut, profile, work, alone, epsilon, rows, places, gaps)


def _loss(row: AtomRow) -> float:
    return float(row[0])


def _merged(rows: Sequence[AtomRow], near: float) -> list[AtomRow]:
    """The atoms by rising loss, those that are not told apart as one."""
    atoms = [rows[0]]
    for row in rows[1:]:
        loss, p, q = atoms[-1]
        if _loss(row) - _loss(atoms[-1]) > near:
            atoms.append(row)
        else:
            atoms[-1] = (loss.union(row[0]), p + row[1], q + row[2])
    return atoms
