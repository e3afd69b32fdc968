"""The methods that answer for a sum of losses, as a table: when each applies, what it costs,
and what makes its answer ready.

They are tried in the order of the table, first those that are likely to be fast. Each is certified,
so that the table decides about time and width, never about validity.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from rdpacct.composition.exact_sums.atoms import atom_sums
from rdpacct.composition.exact_sums.far_apart import apart_curve
from rdpacct.composition.exact_sums.mixture import atom_mixture
from rdpacct.composition.exact_sums.patterns import MOST_WORK, patterns_of
from rdpacct.composition.narrowest import PreparedMethod, Ready
from rdpacct.composition.quadrature.lattice import lattice_line
from rdpacct.composition.quadrature.smoothed import smooth_line, windowed_line
from rdpacct.composition.quadrature.vertical_line import line_of
from rdpacct.composition.setting import (
    COARSE_NODES,
    FEW_ATOMS,
    LITTLE_WORK,
    REFINED,
    Setting,
    always,
    as_atoms,
    atoms,
    far_apart,
    few_kinds,
    finite,
    grids_on_lattice,
    lattice,
    mixture,
    no_lattice,
    nodes,
    not_fading,
    on_grids,
    one_beside,
    only_cells,
    patient,
    patient_not_fading,
    patient_on_lattice,
    planned,
    slow_beside_cells,
    summable,
    terms,
    unrefined,
)
from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import real

SERIES = "exact series over the draws (engine/exact-series)"
SUM_OF_DRAWS = "exact sum over the draws"
QUADRATURE = "certified quadrature (engine/quadrature)"
ON_LATTICE = "certified quadrature on a lattice (engine/lattice)"
ATOM_BY_ATOM = "exact sums over the atoms (engine/atom-sums)"
SMOOTHED = "certified smoothed quadrature (engine/smoothing)"
APART = "sum over the draws that had the record"
CELLS = "two sums over cells (engine/connect-the-dots)"
TWO_GRIDS = "two sums on grids (engine/connect-the-dots)"
FINE_GRIDS = "two sums on fine grids (engine/lines)"

SOME_WORK, MORE_WORK, MUCH_WORK = 60_000.0, 240_000.0, 1_000_000.0
"""The work of a quadrature that is tried first where nothing is fast, of one that is tried then,
and of one that is tried last, in closed forms.
"""
FINER, POOLED_FINER = 16.0, 4.0
"""The widths of fitted cells are smaller than those of grids by these factors, for one loss and for
atoms.
"""
WIDE_SHARE, ONCE_FINER, MORE_POINTS = 9e-7, 2.0, 48_000
"""Grids that differ by more than the first share of an answer are made once more: they then differ
by the second factor of what was planned, on at most the third number of points.
"""
ROUNDED = 1.01
"""Grids whose planned share is at most this many times what was asked for are as planned."""
NOTHING, ANYTHING = -1.0, math.inf
"""Bounds below and above every cost of a method."""


@dataclass(frozen=True)
class Method:
    """A row: a method is tried if it applies, and its cost is above ``above`` and at most ``most``.

    The unit of the cost is its own: nodes, terms, atoms, or closed forms. Where there is no
    function for it, the method finds out when it is made ready, and keeps within the two.
    """

    name: str
    applies: Callable[[Setting], bool]
    cost: Callable[[Setting], float] | None
    above: float
    most: float
    answer: "Callable[[Setting, Method], PreparedMethod | None]"

    def worth_trying(self, setting: Setting) -> bool:
        """Whether plans in doubles say that it applies, at a cost between the two."""
        if not self.applies(setting):
            return False
        return self.cost is None or self.above < self.cost(setting) <= self.most


def grids_ready(setting: Setting, row: Method) -> PreparedMethod | None:
    """Two sums on grids, one certainly above and one certainly below."""
    grids = setting.few()
    if grids is None:
        return None
    return PreparedMethod(grids, row.name, setting.epsilon, attained=True)


def fine_ready(setting: Setting, row: Method) -> PreparedMethod | None:
    """Two sums on fine grids that are made for the point, beside atoms that are listed."""
    from rdpacct.composition.grids.fine_grids import fine_grids

    point = setting.point
    grids = fine_grids(
        setting.few.draws, setting.place, point.log_delta, setting.grid_share
    )
    if grids is None:
        return None
    setting.refined = grids.planned_share <= REFINED * point.steep
    setting.fine = grids
    return PreparedMethod(grids.curve, row.name, point.epsilon)


def finer_ready(setting: Setting, row: Method) -> PreparedMethod | None:
    """The same on finer grids, where those that were planned for differ by more than an answer may:
    a spike beside which the other losses have to reach far bends more than all losses together.
    """
    from rdpacct.composition.grids.fine_grids import fine_grids

    point = setting.point
    fine = setting.fine
    if fine is None:
        return None
    reached = relative_width(fine.curve.enclosure(real(point.epsilon)))
    wider = reached / (WIDE_SHARE * point.steep)
    as_planned = fine.planned_share <= setting.grid_share * ROUNDED
    if not (as_planned and 1 < wider <= (MORE_POINTS / fine.points) ** 2):
        return None  # they are narrow enough, or finer ones would not be
    share = fine.planned_share * setting.grid_share * ONCE_FINER / reached
    grids = fine_grids(
        setting.few.draws, setting.place, point.log_delta, share, MORE_POINTS
    )
    if grids is None:
        return None
    return PreparedMethod(grids.curve, row.name, point.epsilon)


def relative_width(delta: RealBall) -> float:
    """How wide an enclosure is, about, as a share of its middle."""
    return float(2 * delta.rad() / delta.mid()) if delta > 0 else math.inf


def fitted_ready(setting: Setting, row: Method) -> PreparedMethod | None:
    """One of two losses cut into cells that are fitted to the point, beside the other."""
    from rdpacct.composition.grids.fitted_cells import fitted_cells

    point = setting.point
    share = setting.grid_share / FINER
    fitted = fitted_cells(setting.few.draws, setting.place, point, share)
    if fitted is None:
        return None
    curve, epsilon = fitted
    return PreparedMethod(curve, row.name, epsilon)


def beside_grids_ready(setting: Setting, row: Method) -> PreparedMethod | None:
    """The loss that reaches farthest cut into cells, beside grids of the others, which are as fine
    as the work allows.
    """
    from rdpacct.composition.grids.beside_grids import cells_beside_grids

    fitted = cells_beside_grids(
        setting.few.draws, setting.place, setting.point, setting.grid_share
    )
    if fitted is None:
        return None
    curve, epsilon = fitted
    return PreparedMethod(curve, row.name, epsilon, fewer_bits=1)


def pooled_ready(setting: Setting, row: Method) -> PreparedMethod | None:
    """Many atoms beside one other loss, in cells that are fitted to the point."""
    from rdpacct.composition.grids.pooled_atoms import pooled_atoms

    point = setting.point
    share = setting.grid_share / POOLED_FINER
    curve = pooled_atoms(setting.terms, setting.place, point, share)
    if curve is None:
        return None
    return PreparedMethod(curve, row.name, point.epsilon)


def apart_ready(setting: Setting, row: Method) -> PreparedMethod | None:
    """A sum over how many draws had the record, for sampled noise with two laws far apart."""
    point = setting.point
    curve = apart_curve(setting.terms, point.epsilon, point.log_delta, point.tilt)
    if curve is None:
        return None
    return PreparedMethod(curve, f"{row.name} ({curve.theorem})", point.epsilon)


def mixture_ready(setting: Setting, row: Method) -> PreparedMethod | None:
    """The profile of some losses, at each atom of the others."""
    curve = atom_mixture(setting.terms, setting.place, row.most)
    if curve is None:
        return None
    return PreparedMethod(curve, row.name, setting.epsilon)


def cells_ready(setting: Setting, row: Method) -> PreparedMethod | None:
    """One loss cut into cells, beside others with a known profile."""
    from rdpacct.composition.grids.cells import cell_sums

    fitted = cell_sums(setting.terms, setting.place, setting.point, row.most)
    if fitted is None:
        return None
    sums, epsilon = fitted
    return PreparedMethod(sums, row.name, epsilon)


def quadrature_ready(setting: Setting, row: Method) -> PreparedMethod | None:
    """The trapezoid rule on a vertical line."""
    if setting.plan is None:
        return None
    line = line_of(setting.terms, setting.plan)
    return PreparedMethod(line, row.name, setting.epsilon, local=True)


def sum_ready(setting: Setting, row: Method) -> PreparedMethod | None:
    """The exact sum over the patterns of the draws."""
    patterns = patterns_of(setting.terms)
    if patterns is None:
        return None
    name = row.name if patterns.count or patterns.power else SUM_OF_DRAWS
    start = setting.epsilon
    if patterns.top > 0:
        start = min(start, patterns.top * 0.99)
    return PreparedMethod(patterns, name, start)


def brief_lattice_ready(setting: Setting, row: Method) -> PreparedMethod | None:
    """The quadrature on the lattice, if it takes no longer than the atoms."""
    return _on_lattice(setting, row, as_atoms(setting))


def lattice_ready(setting: Setting, row: Method) -> PreparedMethod | None:
    """The quadrature on a lattice, which has finitely many nodes."""
    return _on_lattice(setting, row, row.most)


def _on_lattice(setting: Setting, row: Method, most: float) -> PreparedMethod | None:
    if setting.lattice is None:
        return None
    line = lattice_line(setting.terms, setting.place, *setting.lattice, most=most)
    if line is None:
        return None
    return PreparedMethod(line, row.name, setting.epsilon, local=True)


def atoms_ready(setting: Setting, row: Method) -> PreparedMethod:
    """Two lists of atoms."""
    sums = atom_sums(setting.terms, setting.place_of_atoms)
    return PreparedMethod(sums, row.name, setting.epsilon)


def faded_ready(setting: Setting, row: Method) -> PreparedMethod | None:
    """A smoothed quadrature without the nodes at which the transform is small."""
    line = windowed_line(
        setting.terms, setting.place, setting.epsilon, setting.share, row.most
    )
    setting.fading = line is not None
    if line is None:
        return None
    return PreparedMethod(line, row.name, setting.epsilon, local=True)


def smoothed_ready(setting: Setting, row: Method) -> PreparedMethod | None:
    """A smoothed quadrature with all nodes."""
    line = smooth_line(
        setting.terms,
        setting.planner,
        setting.place,
        setting.epsilon,
        row.most,
        row.above,
    )
    if line is None:
        return None
    return PreparedMethod(line, row.name, setting.epsilon, local=True)


ALONE = (
    # name, applies, cost, above, most, answer
    Method(TWO_GRIDS, on_grids, None, NOTHING, ANYTHING, grids_ready),
    Method(APART, far_apart, None, NOTHING, ANYTHING, apart_ready),
)
"""The methods that are not compared with others where they apply."""

METHODS = (
    # name, applies, cost, above, most, answer
    Method(ATOM_BY_ATOM, one_beside, mixture, NOTHING, LITTLE_WORK, mixture_ready),
    Method(CELLS, slow_beside_cells, None, NOTHING, ANYTHING, fitted_ready),
    Method(CELLS, only_cells, None, NOTHING, MOST_WORK, cells_ready),
    Method(QUADRATURE, planned, nodes, NOTHING, COARSE_NODES, quadrature_ready),
    Method(SERIES, summable, terms, NOTHING, MOST_WORK, sum_ready),
    Method(ON_LATTICE, lattice, as_atoms, NOTHING, LITTLE_WORK, brief_lattice_ready),
    Method(ATOM_BY_ATOM, always, atoms, NOTHING, FEW_ATOMS, atoms_ready),
    Method(ATOM_BY_ATOM, always, mixture, NOTHING, MOST_WORK, mixture_ready),
    Method(QUADRATURE, planned, nodes, COARSE_NODES, ANYTHING, quadrature_ready),
    Method(TWO_GRIDS, no_lattice, None, NOTHING, ANYTHING, grids_ready),
    Method(CELLS, few_kinds, None, NOTHING, ANYTHING, fitted_ready),
    Method(CELLS, one_beside, None, NOTHING, ANYTHING, pooled_ready),
    Method(CELLS, few_kinds, None, NOTHING, ANYTHING, beside_grids_ready),
    Method(FINE_GRIDS, few_kinds, None, NOTHING, ANYTHING, fine_ready),
    Method(FINE_GRIDS, few_kinds, None, NOTHING, ANYTHING, finer_ready),
    Method(SMOOTHED, unrefined, None, NOTHING, SOME_WORK, faded_ready),
    Method(ATOM_BY_ATOM, finite, atoms, FEW_ATOMS, ANYTHING, atoms_ready),
    Method(ON_LATTICE, lattice, None, NOTHING, SOME_WORK, lattice_ready),
    Method(ON_LATTICE, grids_on_lattice, None, NOTHING, 2 * MUCH_WORK, lattice_ready),
    Method(SMOOTHED, not_fading, None, NOTHING, SOME_WORK, smoothed_ready),
    Method(SMOOTHED, unrefined, None, NOTHING, MORE_WORK, faded_ready),
    Method(ON_LATTICE, lattice, None, NOTHING, MORE_WORK, lattice_ready),
    Method(SMOOTHED, not_fading, None, 2 * SOME_WORK, MORE_WORK, smoothed_ready),
    Method(SMOOTHED, patient, None, NOTHING, MUCH_WORK, faded_ready),
    Method(ON_LATTICE, patient_on_lattice, None, NOTHING, MUCH_WORK, lattice_ready),
    Method(
        SMOOTHED, patient_not_fading, None, 2 * MORE_WORK, MUCH_WORK, smoothed_ready
    ),
)
"""All other methods, in the order in which they are tried; the first that is narrow enough
answers.
"""


def ready(rows: Iterable[Method], setting: Setting) -> Iterator[Ready]:
    """The methods of a table that apply in a setting, each made ready when it is its turn."""
    for method in rows:
        if method.worth_trying(setting):
            yield partial(method.answer, setting, method)
