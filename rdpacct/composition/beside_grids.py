"""One loss cut into cells that are fitted to a question, beside grids of several others.

On grids alone the step is the same for all losses, and one with a long tail leaves it long for all.
Without that one the grids are finer.
"""

from collections.abc import Sequence
from functools import partial

from rdpacct.composition.few import OFFSET_WORK, Draw
from rdpacct.composition.fine import (
    BITS,
    MOST_DRAWS,
    MOST_POINTS,
    gridded_loss,
    on_lattices_or_not,
    planned_grids,
    points_wanted,
)
from rdpacct.composition.fitted import (
    DEEPER,
    FEWEST_CELLS,
    MOST_CELLS,
    MOST_VALUES,
    Fit,
    FittedCells,
    beside_atoms,
)
from rdpacct.composition.narrowest import Point
from rdpacct.composition.tilt import Place
from rdpacct.exact.ball import precision
from rdpacct.exact.invert import Curve
from rdpacct.privacy.drawn_atoms import Atoms

FEWEST_DRAWS, MOST_PATTERNS = 3, 10
"""How many draws there are at least, and how many sums of atoms the grids may have."""
OF_GRIDS = 0.1
"""Which part of the width that is aimed at is that of the grids: beside the loss that is cut they
are asked for where they are steeper than the whole is.
"""


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
        found = [gridded_loss(draw, point.tilt, point.log_delta) for draw in draws]
    losses = [loss for loss in found if loss is not None]
    if len(losses) < len(found):
        return None
    if points_wanted(losses, point.tilt, share) <= MOST_POINTS:
        return None
    widths = [loss.width / loss.count for loss in losses]
    farthest = widths.index(max(widths))
    rest = _without(draws, farthest)
    grids = planned_grids(rest, point.tilt, point.log_delta, share * OF_GRIDS)
    if grids is None or not grids.fits(MOST_PATTERNS):
        return None
    curve = grids.curve(MOST_PATTERNS)
    work = 2 * OFFSET_WORK * sum(len(one.offsets) for one in curve.upper)
    affordable = int(min(MOST_CELLS, MOST_VALUES / work) / len(atoms))
    if affordable < 2 * FEWEST_CELLS:
        return None
    with precision(BITS):
        loss = gridded_loss(draws[farthest], point.tilt, point.log_delta - DEEPER)
        if loss is None:
            return None
        fit = Fit(loss, curve, work, atoms, point.epsilon).to(point)
        return fit.cells(share * (1 - OF_GRIDS), affordable)


def _without(draws: Sequence[Draw], which: int) -> list[Draw]:
    """All draws but one of a kind."""
    rest = list(draws)
    direction, answers, count = rest.pop(which)
    if count > 1:
        rest.append((direction, answers, count - 1))
    return rest
