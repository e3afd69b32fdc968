"""One loss cut into cells that are fitted to a question, beside one other with a known profile.

Cells are short where the loss weighs much and the profile of the other bends, and long elsewhere:
a spike of losses and a long tail take few of them together.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from rdpacct.composition.atoms import ATOM_WORK, listed_atoms
from rdpacct.composition.cells import VALUE_WORK, CellSums, two_sums
from rdpacct.composition.few import Draw
from rdpacct.composition.fine import (
    BITS,
    GriddedLoss,
    gridded_loss,
    on_lattices_or_not,
    terms_of,
)
from rdpacct.composition.mixture import atoms_beside, planned_number
from rdpacct.composition.narrowest import Point
from rdpacct.composition.one_draw import OneDraw, one_draw
from rdpacct.composition.quadrature import log_moment
from rdpacct.composition.spread import spread
from rdpacct.composition.terms import Terms
from rdpacct.composition.tilt import Place
from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.invert import Curve
from rdpacct.exact.raw import real
from rdpacct.work import spend

FIRST_CELLS, NEXT_CELLS = 128, 768
"""How many cells a plan looks at, first evenly and then fitted."""
FEWEST_ROUGH, ROUGHER = 256, 6
"""A search takes that many times fewer cells than there may be, and at least so many."""
FEWEST_CELLS, MOST_CELLS, MOST_ATOMS = 512, 12_000, 12
"""How many cells there may be, beside one atom, and how many atoms."""
CELL_WORK, BEND_WORK = 60, 30
"""The work of a cell with its masses, and of looking at how the profile bends over it."""
MOST_VALUES, USUAL_WORK = 720_000, 30
"""The work that the values of the profile at the cells may take, once; and that of one value above
which they are not used.
"""
LEVELS, WIDE, NEAR = 7, 3.0, 0.05
"""At how many levels it is looked where epsilon is not known and there are atoms beside the two
losses, over how many standard deviations to each side, and how far slopes are taken.
"""
LEAST_SHARE = 0.02
"""The part of an equal share of the cells that each stretch has at least."""

Rows = list[tuple[RealBall, RealBall]]
"""Masses under P and under Q."""
Level = tuple[float, float]
"""An epsilon at which the two losses are asked for, and how much it counts."""


@dataclass(frozen=True)
class FittedCells:
    """The two sums over the cells, and what losses beyond the last cell add at most."""

    sums: CellSums
    beyond: RealBall
    profile_work: int

    @property
    def top(self) -> float:
        """About the largest loss of both together."""
        return self.sums.top

    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon)."""
        cells = len(self.sums.upper) + len(self.sums.lower)
        spend(cells * max(0, self.profile_work - VALUE_WORK))
        found = self.sums.enclosure(epsilon)
        return found.union(found + self.beyond)

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        return self.sums.planned_log(epsilon)


def fitted_cells(
    draws: Sequence[Draw], place: Place, point: Point, share: float
) -> Curve | None:
    """The two sums for two losses, which differ by about this share of delta, for each atom of
    those on lattices; None if there are too many of these, or none of the two can be cut into cells
    beside the other.
    """
    listed, others = on_lattices_or_not(draws)
    if sum(count for _, _, count in others) != 2:
        return None
    atoms = 1.0
    levels: list[Level] = [(point.epsilon, 1.0)]
    if listed:
        atoms = planned_number(terms_of(listed), place)
    if not atoms <= MOST_ATOMS:
        return None
    if listed:
        given = point.given_height
        levels = _spread(listed, point) if given else _levels(listed, place, point)
    curve = _two_losses(others, point, levels, (share, atoms))
    if curve is None or not listed:
        return curve
    return atoms_beside(terms_of(listed), terms_of(others), curve, place)


def _spread(listed: Sequence[Draw], point: Point) -> list[Level]:
    """The same where epsilon is asked for, which is known roughly: as far around the mean of the
    atoms under the tilted law as most of its mass is.
    """
    near = max(NEAR * point.tilt, 1e-3)
    before, here, after = (
        _planned(listed, point.tilt + side * near) for side in (-1, 0, 1)
    )
    mean = (after - before) / (2 * near)
    variance = max(after + before - 2 * here, 0.0) / near**2
    step = 2 * WIDE * math.sqrt(variance) / (LEVELS - 1)
    first = point.epsilon - mean - step * (LEVELS - 1) / 2
    return [(first + step * k, 1.0) for k in range(LEVELS)]


def _planned(draws: Sequence[Draw], tilt: float) -> float:
    """About the logarithm of the moment of some draws."""
    known = [(direction.transform, count) for direction, _, count in draws]
    return sum(count * one.planned(tilt) for one, count in known if one is not None)


def _levels(listed: Sequence[Draw], place: Place, point: Point) -> list[Level]:
    """Where the two losses are asked for beside the atoms of the others, about, with the masses of
    these: a profile may bend at one level alone.
    """
    terms = terms_of(listed)
    spend(ATOM_WORK * planned_number(terms, place))
    tilt, scale = log_moment(terms, place.tilt)
    atoms = listed_atoms(terms, place, tilt)
    return [
        (point.epsilon - float(loss), float((scale - tilt * loss).exp() * mass))
        for loss, mass in atoms
    ]


def _two_losses(
    draws: Sequence[Draw],
    point: Point,
    levels: list[Level],
    aims: tuple[float, float],
) -> FittedCells | None:
    """The two sums for two losses at some levels, with the share that is aimed at and the number of
    atoms beside them.
    """
    share, atoms = aims
    for cut, other in _orders(draws):
        profile = _profile(other)
        work = _work(other)
        affordable = int(min(MOST_CELLS, MOST_VALUES / work) / atoms)
        if profile is None or affordable < 2 * FEWEST_CELLS or work > USUAL_WORK:
            continue  # beside a slow profile grids are as narrow, and faster
        with precision(BITS):
            loss = gridded_loss(cut, point.tilt, point.log_delta)
            if loss is not None:
                return Fit(loss, profile, levels).cells(share, affordable)
    return None


def _orders(draws: Sequence[Draw]) -> list[tuple[Draw, Draw]]:
    """Which of the two is cut and which is not: first the one whose profile takes longer."""
    one, other = draws[0], draws[-1]
    found = [(one, other), (other, one)]
    if _work(other) > _work(one):
        found.reverse()
    return found


def _work(draw: Draw) -> int:
    transform = draw[0].transform
    return 1 if transform is None else transform.profile_work


def _profile(draw: Draw) -> OneDraw | None:
    """The profile of one draw in closed form, if it stands for itself."""
    direction = draw[0]
    if direction.below or direction.transform is None:
        return None
    return one_draw(Terms(((direction.transform, 1),)))


@dataclass(frozen=True)
class Fit:
    """A loss that is cut, the profile of the other, and about the epsilons that are asked for."""

    loss: GriddedLoss
    profile: OneDraw
    levels: list[Level]

    def cells(self, share: float, most: int) -> FittedCells:
        """The two sums over so many cells at most, which are fitted twice."""
        low = float(self.loss.low)
        high = float(self.loss.high)
        step = (high - low) / FIRST_CELLS
        edges = [low + step * k for k in range(FIRST_CELLS)] + [high]
        edges = self._placed(edges)
        edges = self._placed(_refitted(edges, self._bends(edges)[0], NEXT_CELLS))
        bends, delta = self._bends(edges)
        wanted = sum(bend ** (1 / 3) for bend in bends) ** 1.5
        wanted /= math.sqrt(max(share * delta, 1e-300))
        number = min(max(math.ceil(wanted), FEWEST_CELLS), most)
        roots = [bend ** (1 / 3) for bend in bends]
        rough_number = max(FEWEST_ROUGH, min(NEXT_CELLS, most // ROUGHER))
        few = self._placed(spread(edges, roots, rough_number))
        many = self._placed(_refitted(edges, bends, number))
        rough = self._sums(few, None)
        fine = self._sums(many, rough[0])
        return FittedCells(*fine, self.profile.transform.profile_work)

    def _placed(self, edges: list[float]) -> list[float]:
        """The edges, where a loss has them."""
        return edges

    def _bends(self, edges: list[float]) -> tuple[list[float], float]:
        """About how much each cell adds to the difference of the two sums, and about delta: both
        added up over the levels.
        """
        spend(BEND_WORK * len(edges) * len(self.levels))
        middles = [(a + b) / 2 for a, b in pairwise(edges)]
        masses = [float(p) for p, _ in self._rows(edges)[1:-1]]
        found = [0.0] * len(masses)
        total = 0.0
        for level, weight in self.levels:
            ends = self._deltas(edges, level)
            inside = self._deltas(middles, level)
            for k, mass in enumerate(masses):
                shorter = math.exp(middles[k] - edges[k + 1])
                longer = math.exp(middles[k] - edges[k])
                left = (1 - shorter) / (longer - shorter)
                chord = left * ends[k] + (1 - left) * ends[k + 1]
                found[k] += weight * mass * max(chord - inside[k], 0.0)
                total += weight * mass * inside[k]
        return found, total

    def _deltas(self, losses: Sequence[float], level: float) -> list[float]:
        """The profile of the other beside each of some losses, about."""
        levels = [real(level - loss) for loss in reversed(losses)]
        return [float(delta) for delta in reversed(self.profile.enclosures(levels))]

    def _rows(self, edges: Sequence[float]) -> Rows:
        """The masses before the first edge, between each two, and beyond the last."""
        exact = [Fraction(edge) for edge in edges]
        rows = [part.cells(exact, BITS) for part in self.loss.parts]
        found = rows[0]
        for more in rows[1:]:
            pairs = zip(found, more, strict=True)
            found = [(p + r, q + s) for (p, q), (r, s) in pairs]
        return found

    def _sums(
        self, edges: list[float], rough: CellSums | None
    ) -> tuple[CellSums, RealBall]:
        """The two sums over given cells and the one beyond them, which ends at infinity, and the
        mass that is moved there. What is before the first counts as if it were at its edge, or not
        at all.
        """
        spend(CELL_WORK * len(edges))
        before, *masses = self._rows(edges)
        ends = [real(math.inf), *(real(edge) for edge in reversed(edges))]
        upper, lower = two_sums(ends, masses[::-1])
        (_, infinite), *upper = upper
        upper.append((ends[-1], before[0]))
        lower = [row for row in lower if row[0].is_finite()]
        atoms = [(loss, mass) for mass, loss in self.loss.atoms]
        above = sorted([*upper, *atoms], key=fallen)
        below = sorted([*lower, *atoms], key=fallen)
        sums = CellSums(above, below, self.profile, rough, math.inf)
        return sums, infinite


def fallen(row: tuple[RealBall, RealBall]) -> float:
    """Larger losses first."""
    return -float(row[0])


def _refitted(edges: list[float], bends: list[float], number: int) -> list[float]:
    """About so many cells within those that there are, more of them where more is added to the
    difference of the sums.
    """
    weights = [bend ** (1 / 3) for bend in bends]
    least = LEAST_SHARE * max(sum(weights), 1e-300) / len(weights)
    weights = [max(weight, least) for weight in weights]
    scale = number / sum(weights)
    found = [edges[0]]
    for k, weight in enumerate(weights):
        low = edges[k]
        high = edges[k + 1]
        pieces = max(1, round(weight * scale))
        step = (high - low) / pieces
        inner = [low + step * j for j in range(1, pieces)]
        found += [edge for edge in inner if found[-1] < edge < high]
        if found[-1] < high:
            found.append(high)
    return found
