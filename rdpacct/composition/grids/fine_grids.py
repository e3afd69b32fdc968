"""Few losses of any kind on fine grids that reach as far as a question needs: a law certainly above
each of them, and one certainly below, convolved with those of the others.

Both errors fall with the square of the step, whatever the losses are like: where a density has
structure in one cell, that cell stands for itself.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rdpacct.composition.draws import Draw
from rdpacct.composition.exact_sums.mixture import atoms_beside, planned_number
from rdpacct.composition.grids.few_releases import GridCurve, grid_shares, row_of
from rdpacct.composition.grids.laws_below import LawBelow, standing_alone
from rdpacct.composition.quadrature.tilt import Place
from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.formula import Expr
from rdpacct.exact.invert import Curve
from rdpacct.exact.raw import real
from rdpacct.privacy.constants import value
from rdpacct.privacy.grid import Cells
from rdpacct.privacy.parts import Edge, Part
from rdpacct.work import fitting, less_than_wanted, spend

BITS = 144
"""The precision of masses that are differences of tails."""
MOST_DRAWS = 8
MOST_POINTS, FEWEST_POINTS = 30_000, 512
POINT_WORK, LAW_WORK, LEVEL_WORK = 80, 16, 100
"""The work of a point of a grid, with its cells, laws and sums, that of its laws alone, and of a
level that is tried.
"""
UNSEEN, BEYOND = 23.0, 19.0
"""How many nats below the tilted mass, and below delta, the mass left out at the two ends is."""
FARTHEST, HALVINGS = 1000, 6
FINE = Fraction(1, 2**60)
CURVED = 8.0
"""Between the two laws a step h changes the transform of a loss at a tilt t by about t (t + 1) h**2
over this, relatively.
"""
MOST_ATOMS, MOST_PATTERNS = 10_000, 200
"""The most sums of atoms in all, and the most of them on the grids alone."""
ALONE = (16, 12, 8, 6, 4, 3, 2, 1)
"""The numbers of cells of each law that may stand for themselves, in the order in which they are
tried.
"""


@dataclass(frozen=True)
class GriddedLoss:
    """The atoms and the other parts of a loss, how often it is drawn, and from where to where its
    losses count.
    """

    atoms: list[tuple[RealBall, RealBall]]
    parts: list[Part]
    count: int
    seen: RealBall
    """The mass of its finite losses."""
    low: Fraction
    high: Fraction

    @property
    def width(self) -> float:
        """How far the sum of all its draws reaches."""
        return float(self.high - self.low) * self.count

    def cells(self, step: Fraction) -> Cells:
        """Its cells on a grid that ends where its losses do, so that the last cell is a whole
        one.
        """
        number = max(4, math.ceil((self.high - self.low) / step))
        return Cells.of(self.parts, self.high - number * step, step, number, BITS)


@dataclass(frozen=True)
class Grids:
    """Losses to be put on grids of one step, for a question at a tilt."""

    losses: list[GriddedLoss]
    tilt: float
    step: Fraction

    @property
    def planned_share(self) -> float:
        """About the share of delta by which the two sums differ."""
        number = sum(loss.count for loss in self.losses)
        return number * self.tilt * (self.tilt + 1) * float(self.step) ** 2 / CURVED

    @property
    def points(self) -> float:
        """About how many points all of them have."""
        return sum(loss.width for loss in self.losses) / float(self.step)

    def of_points(self, points: float) -> "Grids":
        """The grids with about this many points in all."""
        return replace(self, step=_step(self.losses, points))

    def curve(self, most_patterns: int) -> GridCurve:
        """The two sums, with this many sums of atoms at most."""
        spend(LAW_WORK * self.points)
        with precision(BITS):
            return self._curve(self._alone(most_patterns))

    def _curve(self, alone: int) -> GridCurve:
        cells = [loss.cells(self.step) for loss in self.losses]
        upper = [law.above() for law in cells]
        lower = [
            LawBelow(law, standing_alone(law, self.tilt, alone)).law() for law in cells
        ]
        atoms = [loss.atoms for loss in self.losses]
        counts = [loss.count for loss in self.losses]
        whole = real(1)
        finite = real(1)
        for loss, law in zip(self.losses, upper, strict=True):
            whole = whole * loss.seen**loss.count
            finite = finite * (loss.seen - law.infinite) ** loss.count
        return GridCurve(
            grid_shares(atoms, upper, counts, self.step),
            grid_shares(atoms, lower, counts, self.step),
            (whole - finite).max(real(0)),
        )

    def _alone(self, most_patterns: int) -> int:
        """How many cells of each law stand for themselves."""
        for number in ALONE:
            if self._patterns(number) <= most_patterns:
                return number
        return 0

    def _patterns(self, alone: int) -> int:
        """How many sums of atoms there are, with this many cells of each law."""
        return math.prod(
            math.comb(loss.count + len(loss.atoms) + alone, loss.count)
            for loss in self.losses
        )

    def fits(self, most_patterns: int) -> bool:
        """Whether the sums of atoms are few enough if no cell stands for itself."""
        return self._patterns(0) <= most_patterns


@dataclass(frozen=True)
class FineGrids:
    """The profile of all losses, the share of delta by which its two ends differ, about, and the
    number of points.
    """

    curve: Curve
    planned_share: float
    points: float


def fine_grids(
    draws: Sequence[Draw],
    place: Place,
    log_delta: float,
    share: float,
    most_points: int = MOST_POINTS,
) -> FineGrids | None:
    """Grids for the draws that lie on no lattice, and for each atom of the others their profile;
    None if there are too many.
    """
    listed, others = on_lattices_or_not(draws)
    number = 1.0
    if listed:
        on_lattices = terms_of(listed)
        number = planned_number(on_lattices, place)
    if not number <= MOST_ATOMS:
        return None
    grids = planned_grids(others, place.tilt, log_delta, share, most_points)
    most_patterns = max(1, min(MOST_PATTERNS, int(MOST_ATOMS / number)))
    if grids is None or not grids.fits(most_patterns):
        return None
    curve: Curve = grids.curve(most_patterns)
    if listed:
        curve = atoms_beside(on_lattices, terms_of(others), curve, place)
    return FineGrids(curve, grids.planned_share, grids.points)


def on_lattices_or_not(draws: Sequence[Draw]) -> tuple[list[Draw], list[Draw]]:
    """The draws that lie on lattices, and those that do not."""
    listed: list[Draw] = []
    others: list[Draw] = []
    for draw in draws:
        transform = draw[0].transform
        known = transform is not None and transform.lattice() is not None
        (listed if known else others).append(draw)
    return listed, others


def terms_of(draws: Sequence[Draw]) -> Terms:
    """The transforms of some draws, all of which have one."""
    known = [(direction.transform, count) for direction, _, count in draws]
    return Terms.of(
        [(transform, count) for transform, count in known if transform is not None]
    )


def planned_grids(
    draws: Sequence[Draw],
    tilt: float,
    log_delta: float,
    share: float,
    most_points: int = MOST_POINTS,
) -> Grids | None:
    """Grids for some draws that change delta by about this share of it; coarser ones if that takes
    too many points, and none if a loss has no parts.
    """
    number = sum(count for _, _, count in draws)
    if not 1 <= number <= MOST_DRAWS:
        return None
    with precision(BITS):
        losses = []
        for draw in draws:
            loss = gridded_loss(draw, tilt, log_delta)
            if loss is None:
                return None
            losses.append(loss)
    most = affordable_points(most_points)
    points = max(points_wanted(losses, tilt, share), FEWEST_POINTS)
    if points > most:
        less_than_wanted()
        points = most
    if points < FEWEST_POINTS:
        return None
    return Grids(losses, tilt, _step(losses, points))


def affordable_points(most: int) -> int:
    """How many points grids may have for the remaining work, at most the number given."""
    return min(most, fitting(POINT_WORK))


def _step(losses: Sequence[GriddedLoss], points: float) -> Fraction:
    """The step of grids that have about this many points in all."""
    width = sum(loss.width for loss in losses)
    return math.ceil(Fraction(width / points) / FINE) * FINE


def points_wanted(losses: Sequence[GriddedLoss], tilt: float, share: float) -> float:
    """How many points grids have in all that change delta by about this share of it."""
    number = sum(loss.count for loss in losses)
    width = sum(loss.width for loss in losses)
    return width / math.sqrt(CURVED * share / (number * tilt * (tilt + 1)))


def gridded_loss(draw: Draw, tilt: float, log_delta: float) -> GriddedLoss | None:
    """The part of a draw that counts at a tilt, if it stands for itself and has densities."""
    direction, answers, count = draw
    transform = direction.transform
    if direction.below or transform is None or transform.gridded:
        return None
    row = row_of(direction, answers, unbounded=True)
    if row is None or not row[1]:
        return None
    atoms, parts = row
    base = transform.planned(tilt)
    nothing = Ball.of(0, BITS)
    whole = sum((part.mass(BITS) for part in parts), start=nothing)

    def unlikely(level: Fraction) -> bool:
        spend(LEVEL_WORK)
        above = sum((part.tail(level, BITS) for part in parts), start=nothing)
        return _log(whole - above) + tilt * float(level) < base - UNSEEN

    def beyond(level: Fraction) -> bool:
        spend(LEVEL_WORK)
        left = sum((part.excess(level, BITS) for part in parts), start=nothing)
        return _log(left) < log_delta - BEYOND

    ends = [part.range() for part in parts]
    low = _cut(unlikely, -1, [first for first, _ in ends])
    high = _cut(beyond, 1, [last for _, last in ends])
    if low is None or high is None or not low < high:
        return None
    return GriddedLoss(atoms, parts, count, 1 - value(direction.at_infinity), low, high)


def _log(ball: Ball) -> float:
    """About the logarithm of the upper end."""
    upper = float(ball.upper())
    return math.log(upper) if upper > 0 else -math.inf


def _cut(
    enough: Callable[[Fraction], bool], side: int, ends: Sequence[Edge]
) -> Fraction | None:
    """A level beyond which little mass lies, or the end of the range if that is nearer; None if
    there is none near.
    """
    level = _searched(lambda far: enough(side * far))
    limits = [
        side * Fraction((side * end).ball(128).upper()) + side * FINE
        for end in ends
        if isinstance(end, Expr)
    ]
    if len(limits) < len(ends):
        return None if level is None else side * level
    limit = side * max(side * edge for edge in limits)
    if level is None:
        return limit
    return side * min(side * limit, level)


def _searched(enough: Callable[[Fraction], bool]) -> Fraction | None:
    """About the smallest level at which a condition holds that holds for all larger ones."""
    far = Fraction(1, 16)
    near = -far
    while not enough(far):
        near = far
        far *= 2
        if far > FARTHEST:
            return None
    while near < 0 and enough(near):
        far = near
        near *= 2
        if near < -FARTHEST:
            return None
    for _ in range(HALVINGS):
        middle = (near + far) / 2
        if enough(middle):
            far = middle
        else:
            near = middle
    return far
