"""One loss cut into cells that are fitted to a question, beside others with a known profile.

Cells are short where the loss weighs much and the profile of the others bends, and long elsewhere:
a spike of losses and a long tail take few of them together.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise

from rdpacct.composition.draws import Draw
from rdpacct.composition.exact_sums.mixture import (
    AtomMixture,
    atoms_beside,
    planned_number,
)
from rdpacct.composition.exact_sums.one_draw import OneDraw, one_draw
from rdpacct.composition.grids.cells import VALUE_WORK, CellSums, two_sums
from rdpacct.composition.grids.fine_grids import (
    BITS,
    GriddedLoss,
    gridded_loss,
    on_lattices_or_not,
    terms_of,
)
from rdpacct.composition.grids.spread_cells import spread
from rdpacct.composition.many_levels import FEW, Values, sums_over, values_of
from rdpacct.composition.narrowest import NothingKnown, Point
from rdpacct.composition.quadrature.tilt import Place
from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.invert import Curve, newton
from rdpacct.exact.raw import real, real_inner
from rdpacct.privacy.drawn_atoms import Atoms
from rdpacct.work import spend

FIRST_CELLS, NEXT_CELLS = 128, 768
"""How many cells a plan looks at, first evenly and then fitted."""
FEWEST_ROUGH, ROUGHER = 256, 6
"""A search takes ``ROUGHER`` times fewer cells than the answer may take, but at least
``FEWEST_ROUGH``.
"""
THIN = 4
"""One edge in this many is enough to find where the profile has a given height."""
FEWEST_CELLS, MOST_CELLS, MOST_ATOMS = 512, 12_000, 12
"""How many cells there may be, beside one atom, and how many atoms."""
CELL_WORK, BEND_WORK = 60, 30
"""The work of a cell with its masses, and of looking at how the profile bends over it."""
MOST_VALUES, USUAL_WORK = 720_000, 30
"""The work that all values of the profile at the cells may take together; and the work of one value
above which they are not used.
"""
DEEPER = 8.0
"""The mass beyond the last cell is smaller than on grids by this many nats: long cells cost
nothing, and delta may be less than planned.
"""
LEAST_SHARE = 0.02
"""The part of an equal share of the cells that each stretch has at least."""

Rows = list[tuple[RealBall, RealBall]]
"""Masses under P and under Q."""


@dataclass(frozen=True)
class FittedCells:
    """The two sums over the cells, and what losses beyond the last cell add at most."""

    sums: CellSums
    beyond: RealBall
    profile_work: int
    fitted_to: float
    """The epsilon that the cells are fitted to."""

    @property
    def top(self) -> float:
        """About the largest loss of both together."""
        return self.sums.top

    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon)."""
        return self.enclosures([epsilon])[0]

    def enclosures(self, epsilons: Sequence[RealBall]) -> list[RealBall]:
        """Balls that contain delta at rising epsilons."""
        cells = len(self.sums.upper) + len(self.sums.lower)
        spend(cells * len(epsilons) * max(0, self.profile_work - VALUE_WORK))
        deltas = self.sums.enclosures(epsilons)
        return [delta.union(delta + self.beyond) for delta in deltas]

    @property
    def enclosed(self) -> Values:
        """Balls that contain delta at a few epsilons at once; each of them is a sum."""
        return Values(self.enclosures, FEW)

    @property
    def estimates(self) -> Values | None:
        """About delta at several epsilons."""
        return self.sums.estimates

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        return self.sums.planned_log(epsilon)


def fitted_cells(
    draws: Sequence[Draw], place: Place, point: Point, share: float
) -> tuple[Curve, float] | None:
    """The two sums for two losses, which differ by about this share of delta, for each atom of
    those on lattices, and the epsilon that they are fitted to.

    None if there are too many atoms, or none of the two can be cut into cells beside the other.
    """
    listed, others = on_lattices_or_not(draws)
    if sum(count for _, _, count in others) != 2:
        return None
    fitted = partial(_two_losses, others, point, share)
    return beside_atoms(listed, others, place, fitted)


def beside_atoms(
    listed: Sequence[Draw],
    others: Sequence[Draw],
    place: Place,
    fitted: Callable[[Atoms], FittedCells | None],
) -> tuple[Curve, float] | None:
    """Cells that are fitted to the atoms of the draws on lattices, beside each of them, and the
    epsilon that they are fitted to; None if there are too many atoms.
    """
    if not listed:
        curve = fitted([(real(0), real(1))])
        return None if curve is None else (curve, curve.fitted_to)
    on_lattices = terms_of(listed)
    if not planned_number(on_lattices, place) <= MOST_ATOMS:
        return None
    beside = atoms_beside(on_lattices, terms_of(others), NothingKnown(), place)
    curve = fitted(beside.atoms)
    if curve is None:
        return None
    return replace(beside, others=curve), curve.fitted_to


def _two_losses(
    draws: Sequence[Draw], point: Point, share: float, atoms: Atoms
) -> FittedCells | None:
    """The two sums for two losses beside some atoms, with the share that is aimed at."""
    for cut, other in _orders(draws):
        profile = _profile(other)
        work = _work(other)
        affordable = int(min(MOST_CELLS, MOST_VALUES / work) / len(atoms))
        if profile is None or affordable < 2 * FEWEST_CELLS or work > USUAL_WORK:
            continue  # beside a slow profile grids are as narrow, and faster
        with precision(BITS):
            loss = gridded_loss(cut, point.tilt, point.log_delta - DEEPER)
            if loss is not None:
                fit = Fit(loss, profile, work, atoms, point.epsilon)
                return fit.to(point).cells(share, affordable)
    return None


def _orders(draws: Sequence[Draw]) -> list[tuple[Draw, Draw]]:
    """The two ways to choose which loss is cut: first the one whose profile takes longer."""
    one, other = draws[0], draws[-1]
    orders = [(one, other), (other, one)]
    if _work(other) > _work(one):
        orders.reverse()
    return orders


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
    """A loss that is cut, the profile of the others with the work of a value of it, the atoms
    beside them, and about the epsilon that is asked for.
    """

    loss: GriddedLoss
    profile: Curve
    profile_work: int
    beside: Atoms
    epsilon: float

    def cells(self, share: float, most: int) -> FittedCells:
        """The two sums over at most a number of cells, which are fitted twice."""
        rough_number = max(FEWEST_ROUGH, min(NEXT_CELLS, most // ROUGHER))
        few, many = self.edges(share, most, rough_number)
        rough = self._sums(few, None)
        fine = self._sums(many, rough[0])
        return FittedCells(*fine, self.profile_work, self.epsilon)

    def edges(
        self, share: float, most: int, rough_number: int
    ) -> tuple[list[float], list[float]]:
        """The edges of about a number of cells to search with, and those of as many as the share
        asks for, up to a limit.
        """
        edges = self._fitted_edges()
        bends, delta = self._bends(edges)
        wanted = sum(bend ** (1 / 3) for bend in bends) ** 1.5
        wanted /= math.sqrt(max(share * delta, 1e-300))
        number = min(max(math.ceil(wanted), FEWEST_CELLS), most)
        roots = [bend ** (1 / 3) for bend in bends]
        few = self._placed(spread(edges, roots, rough_number))
        many = self._placed(_refitted(edges, bends, number))
        return few, many

    def _fitted_edges(self) -> list[float]:
        """Edges of the cells of a plan."""
        low = float(self.loss.low)
        high = float(self.loss.high)
        step = (high - low) / FIRST_CELLS
        edges = [low + step * k for k in range(FIRST_CELLS)] + [high]
        edges = self._placed(edges)
        return self._placed(_refitted(edges, self._bends(edges)[0], NEXT_CELLS))

    def to(self, point: Point) -> "Fit":
        """The same near a point. Where its height is given, a guess of epsilon from moments may be
        far off, and cells that are fitted to it miss where the profile of the others bends.
        """
        if not point.given_height:
            return self
        edges = self._fitted_edges()
        rough, _ = self._sums([*edges[:-1:THIN], edges[-1]], None)
        about = AtomMixture(real(1), real(0), real(0), self.beside, rough)
        epsilon, _ = newton(about, point.log_delta, self.epsilon)
        if not math.isfinite(epsilon):
            return self
        return replace(self, epsilon=epsilon)

    def _placed(self, edges: list[float]) -> list[float]:
        """The edges moved to where the loss can be cut; for a density they stay."""
        return edges

    def _bends(self, edges: list[float]) -> tuple[list[float], float]:
        """About how much each cell adds to the difference of the two sums, and about delta."""
        spend(BEND_WORK * len(edges) * len(self.beside))
        middles = [(a + b) / 2 for a, b in pairwise(edges)]
        masses = [float(p) for p, _ in self._rows(edges)[1:-1]]
        deltas = self._deltas([*edges, *middles])
        ends = deltas[: len(edges)]
        inside = deltas[len(edges) :]
        bends = []
        for k, mass in enumerate(masses):
            shorter = math.exp(middles[k] - edges[k + 1])
            longer = math.exp(middles[k] - edges[k])
            left = (1 - shorter) / (longer - shorter)
            chord = left * ends[k] + (1 - left) * ends[k + 1]
            bends.append(mass * max(chord - inside[k], 0.0))
        total = sum(p * delta for p, delta in zip(masses, inside, strict=True))
        return bends, total

    def share_of_others(self) -> float:
        """About the share of delta by which the two ends of the profile of the others differ."""
        edges = self._fitted_edges()
        edges = [*edges[:-1:THIN], edges[-1]]
        middles = [(a + b) / 2 for a, b in pairwise(edges)]
        masses = [p for p, _ in self._rows(edges)[1:-1]]
        masses += [mass for mass, _ in self.loss.atoms]
        losses = [*middles, *(float(loss) for _, loss in self.loss.atoms)]
        spend(self.profile_work * len(losses) * len(self.beside))
        levels = [real(self.epsilon - loss) for loss in losses]
        deltas = sums_over(self.beside, levels, values_of(self.profile))
        total = real_inner(masses, deltas)
        return float(2 * total.rad() / total.mid()) if total > 0 else math.inf

    def _deltas(self, losses: Sequence[float]) -> list[float]:
        """The profile of the other and the atoms beside each of some losses, about."""
        levels = [real(self.epsilon - loss) for loss in losses]
        deltas = sums_over(self.beside, levels, values_of(self.profile))
        return [float(delta) for delta in deltas]

    def _rows(self, edges: Sequence[float]) -> Rows:
        """The masses before the first edge, between each two, and beyond the last."""
        exact = [Fraction(edge) for edge in edges]
        rows = [part.cells(exact, BITS) for part in self.loss.parts]
        masses = rows[0]
        for more in rows[1:]:
            pairs = zip(masses, more, strict=True)
            masses = [(p + r, q + s) for (p, q), (r, s) in pairs]
        return masses

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
    """The key that sorts rows by falling loss."""
    return -float(row[0])


def _refitted(edges: list[float], bends: list[float], number: int) -> list[float]:
    """About this many cells within those that there are, more of them where more is added to the
    difference of the sums.
    """
    weights = [bend ** (1 / 3) for bend in bends]
    least = LEAST_SHARE * max(sum(weights), 1e-300) / len(weights)
    weights = [max(weight, least) for weight in weights]
    scale = number / sum(weights)
    new_edges = [edges[0]]
    for k, weight in enumerate(weights):
        low = edges[k]
        high = edges[k + 1]
        pieces = max(1, round(weight * scale))
        step = (high - low) / pieces
        inner = [low + step * j for j in range(1, pieces)]
        new_edges += [edge for edge in inner if new_edges[-1] < edge < high]
        if new_edges[-1] < high:
            new_edges.append(high)
    return new_edges
