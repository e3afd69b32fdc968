"""One loss cut into cells that are fitted to a question, beside grids of several others.

On grids alone the step is the same for all losses, and one with a long tail leaves it long for all.
Without that one the grids are finer.
"""

import math
from collections.abc import Sequence
from functools import partial

from rdpacct.composition.draws import Draw
from rdpacct.composition.grids.few_releases import OFFSET_WORK
from rdpacct.composition.grids.fine_grids import (
    BITS,
    MOST_DRAWS,
    MOST_POINTS,
    GriddedLoss,
    Grids,
    affordable_points,
    gridded_loss,
    on_lattices_or_not,
    planned_grids,
    points_wanted,
)
from rdpacct.composition.grids.fitted_cells import (
    DEEPER,
    FEWEST_CELLS,
    MOST_CELLS,
    MOST_VALUES,
    Fit,
    FittedCells,
    beside_atoms,
)
from rdpacct.composition.narrowest import Point
from rdpacct.composition.quadrature.tilt import Place
from rdpacct.exact.ball import precision
from rdpacct.exact.invert import Curve
from rdpacct.privacy.drawn_atoms import Atoms

FEWEST_DRAWS, MOST_PATTERNS = 3, 10
"""How many draws there are at least, and how many sums of atoms the grids may have."""
OF_GRIDS = 0.25
"""The part of the aimed width that is for the grids: they are asked where they are steeper than the
whole.
"""
FIRST_POINTS, MORE_POINTS = 6000, 60_000
"""The most points of the trial grids, on which the width beside the cut loss is measured, and of
the final grids.
"""
SPARE = 1.1
"""The final grids have this many times the points that the measurement asks for."""


def cells_beside_grids(
    draws: Sequence[Draw], place: Place, point: Point, share: float
) -> tuple[Curve, float] | None:
    """The two sums over the cells of the loss that reaches farthest, which differ by about this
    share of delta, for each atom of those on lattices, and the epsilon that they are fitted to.

    None if there are too few losses or too many atoms, or grids of all of them are fine enough.
    """
    listed, others = on_lattices_or_not(draws)
    if not FEWEST_DRAWS <= sum(count for _, _, count in others) <= MOST_DRAWS:
        return None
    return beside_atoms(listed, others, place, partial(_fitted, others, point, share))


def _fitted(
    draws: Sequence[Draw], point: Point, share: float, atoms: Atoms
) -> FittedCells | None:
    with precision(BITS):
        gridded = [gridded_loss(draw, point.tilt, point.log_delta) for draw in draws]
    losses = [loss for loss in gridded if loss is not None]
    if len(losses) < len(gridded):
        return None
    if points_wanted(losses, point.tilt, share) <= MOST_POINTS:
        return None
    widths = [loss.width / loss.count for loss in losses]
    farthest = widths.index(max(widths))
    with precision(BITS):
        loss = gridded_loss(draws[farthest], point.tilt, point.log_delta - DEEPER)
    grids = planned_grids(
        _without(draws, farthest), point.tilt, point.log_delta, share * OF_GRIDS
    )
    if loss is None or grids is None or not grids.fits(MOST_PATTERNS):
        return None
    return _beside(loss, grids, point, share, atoms)


def _beside(
    loss: GriddedLoss, grids: Grids, point: Point, share: float, atoms: Atoms
) -> FittedCells | None:
    """The cells of a loss beside grids whose fineness was measured on grids of few points."""
    points = min(grids.points, FIRST_POINTS)
    fit = _near(point, loss, grids.of_points(points), atoms)
    affordable = int(min(MOST_CELLS, MOST_VALUES / fit.profile_work) / len(atoms))
    if affordable < 2 * FEWEST_CELLS:
        return None
    with precision(BITS):
        wider = fit.share_of_others() / (share * OF_GRIDS)
    if wider > 1:
        points = min(SPARE * points * math.sqrt(wider), affordable_points(MORE_POINTS))
        fit = _near(point, loss, grids.of_points(points), atoms)
    with precision(BITS):
        return fit.cells(share * (1 - OF_GRIDS), affordable)


def _near(point: Point, loss: GriddedLoss, grids: Grids, atoms: Atoms) -> Fit:
    """A loss to be cut beside grids, near a point."""
    curve = grids.curve(MOST_PATTERNS)
    work = 2 * OFFSET_WORK * sum(len(share.offsets) for share in curve.upper)
    with precision(BITS):
        return Fit(loss, curve, work, atoms, point.epsilon).to(point)


def _without(draws: Sequence[Draw], which: int) -> list[Draw]:
    """All draws but one of a kind."""
    rest = list(draws)
    direction, answers, count = rest.pop(which)
    if count > 1:
        rest.append((direction, answers, count - 1))
    return rest
