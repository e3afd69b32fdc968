"""Few releases of any kind: their densities on two grids, one certainly above and one below, beside
exact atoms.

A sum of losses is a sum over which of them were atoms. Given that, the others are densities, and on
a grid their sum is a convolution, with the profile A - exp(epsilon) B between two of its points.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from rdpacct.composition.draws import Draw
from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.formula import Expr
from rdpacct.exact.raw import convolution, error, powers, real
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.constants import value
from rdpacct.privacy.grid import FINE, Cells, Masses, span
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom, Part
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import remembered_property
from rdpacct.work import spend

MOST_RELEASES = 60
MOST_DENSITIES = 8
MOST_PATTERNS = 600
MOST_POINTS = 24_000
FEWEST_CELLS = 512
MOST_CELLS = 8192
WIDEST = 100
POINT_WORK, OFFSET_WORK = 2, 10
"""The work of a point of a sum, and of a sum of atoms at an epsilon."""
FEW_POINTS = 8
"""If a level is only known to lie somewhere among more points than these, its ends are asked."""

BITS = 128
"""The precision of the sums."""


@dataclass(frozen=True)
class Share:
    """Releases in which the same losses were densities: their sum on a grid, and what the atoms add
    to it.
    """

    origin: RealBall
    step: RealBall
    above: list[tuple[RealBall, RealBall]]
    """For each point of the grid the masses under P and Q from it on."""
    offsets: list[tuple[RealBall, RealBall]]
    """The sums of the atoms, with their weights."""

    def profile(self, epsilon: RealBall) -> tuple[RealBall, RealBall]:
        """The share of delta, and of the mass under Q above epsilon times exp(epsilon)."""
        spend(OFFSET_WORK * len(self.offsets))
        total = real(0)
        slope = real(0)
        for weight, offset in self.offsets:
            delta, mass = self._beyond(epsilon - offset)
            total = total + weight * delta
            slope = slope + weight * mass
        return total, slope

    def _beyond(self, level: RealBall) -> tuple[RealBall, RealBall]:
        """The same for the sum on the grid alone."""
        place = (level - self.origin) / self.step
        if not place.is_finite():
            return error(real(math.inf)), error(real(math.inf))
        first = self._index(place.lower())
        last = self._index(place.upper())
        growth = level.exp()
        if last - first > FEW_POINTS:  # both fall
            most, _ = self._beyond(level.lower())
            least, _ = self._beyond(level.upper())
            mass = self.above[first][1].union(self.above[last][1])
            return most.union(least), growth * mass
        tails = self.above[first : last + 1]
        deltas = [p - growth * q for p, q in tails]
        delta = deltas[0]
        mass_above = growth * tails[0][1]
        for other, (_, q) in zip(deltas[1:], tails[1:], strict=True):
            delta = delta.union(other)
            mass_above = mass_above.union(growth * q)
        return delta, mass_above

    def _index(self, place: RealBall) -> int:
        """The first point of the grid above an exact place, or the nearest end of the grid."""
        before = math.floor(min(max(float(place), -1.0), len(self.above) - 2.0))
        if before >= 0 and place < before:  # just below a point, which the double is at
            return before
        return before + 1


@dataclass(frozen=True)
class GridCurve:
    """A profile between those of two sums on grids."""

    upper: list[Share]
    lower: list[Share]
    left: RealBall
    """The mass that the upper sum has at infinity."""
    top: float = math.inf

    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon)."""
        above = sum(
            (share.profile(epsilon)[0] for share in self.upper), start=self.left
        )
        below = sum((share.profile(epsilon)[0] for share in self.lower), start=real(0))
        return above.union(below)

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        profiles = [
            share.profile(real(epsilon)) for share in (*self.upper, *self.lower)
        ]
        delta, slope = (
            sum((pair[k] for pair in profiles), start=real(0)) / 2 for k in (0, 1)
        )
        if delta > 0:
            return (float(delta.log()), -float(slope / delta))
        return (-math.inf, -1.0)


@dataclass(frozen=True, eq=False)
class FewReleases:
    """The two sums of some draws, worked out when they are first asked for."""

    draws: Sequence[Draw]

    def __call__(self) -> GridCurve | None:
        return self._curve

    @remembered_property
    def _curve(self) -> GridCurve | None:
        """The two sums, or None if there are too many releases or atoms."""
        if sum(count for _, _, count in self.draws) > MOST_RELEASES:
            return None
        with precision(BITS):
            return _two_sums(self.draws)


def _two_sums(draws: Sequence[Draw]) -> GridCurve | None:
    rows = [row_of(direction, answers) for direction, answers, _ in draws]
    counts = [count for _, _, count in draws]
    if any(row is None for row in rows):
        return None
    known = [row for row in rows if row is not None]
    sizes = [len(atoms) + bool(parts) for atoms, parts in known]
    patterns = math.prod(
        math.comb(count + size - 1, count)
        for size, count in zip(sizes, counts, strict=True)
    )
    smooth = [count for (_, parts), count in zip(known, counts, strict=True) if parts]
    if not 1 <= sum(smooth) <= MOST_DENSITIES or patterns > MOST_PATTERNS:
        return None
    grid = _fill([parts for _, parts in known], counts)
    if grid is None:
        return None
    step, filled = grid
    upper, lower = (
        [side(cells) if cells else None for cells in filled]
        for side in (Cells.above, Cells.below)
    )
    whole = real(1)
    finite = real(1)
    for (direction, _, count), masses in zip(draws, upper, strict=True):
        seen = 1 - value(direction.at_infinity)
        whole = whole * seen**count
        finite = finite * (seen - (masses.infinite if masses else 0)) ** count
    atoms = [own for own, _ in known]
    left = (whole - finite).max(real(0))
    return GridCurve(
        grid_shares(atoms, upper, counts, step),
        grid_shares(atoms, lower, counts, step),
        left,
    )


def row_of(
    direction: Direction,
    answers: Callable[[], Loss | Profile],
    unbounded: bool = False,
) -> tuple[list[tuple[RealBall, RealBall]], list[Part]] | None:
    """The atoms and the other parts of a single loss; None unless it is bounded or on a grid, or
    ``unbounded`` ones are asked for too.
    """
    transform = direction.transform
    atoms = None if transform is None else transform.atoms()
    if atoms is not None:
        return atoms, []
    gridded = transform is not None and transform.gridded
    if transform is not None and gridded and not transform.rounds:
        return None
    loss = answers()
    loss = (
        loss.losses[0] if isinstance(loss, Profile) and len(loss.losses) == 1 else loss
    )
    if not isinstance(loss, PrivacyLoss):
        return None
    parts = [part for part in loss.parts if not isinstance(part, Atom)]
    bounded = all(isinstance(edge, Expr) for part in parts for edge in part.range())
    if not (bounded or gridded or unbounded):
        return None
    return [
        (value(a.p), value(a.loss)) for a in loss.parts if isinstance(a, Atom)
    ], parts


def atoms_of(
    direction: Direction, answers: Callable[[], Loss | Profile]
) -> list[tuple[RealBall, RealBall]] | None:
    """The masses under P and the losses of a law that has atoms only, and stands for itself; None
    for another.
    """
    if direction.below:
        return None
    row = row_of(direction, answers)
    if row is not None and not row[1]:
        return row[0]
    return None


def parts_of(answers: Callable[[], Loss | Profile]) -> tuple[Part, ...] | None:
    """The parts of a loss, if there is one loss only."""
    loss = answers()
    alone = loss.only_loss if isinstance(loss, Profile) else loss
    if isinstance(alone, PrivacyLoss):
        return alone.parts
    return None


def _fill(
    laws: list[list[Part]], counts: list[int]
) -> tuple[Fraction, list[Cells | None]] | None:
    """The step of a grid for all laws, and their cells; None if they are too wide or vary too
    much.
    """
    spans = [span(parts) if parts else None for parts in laws]
    widths = [s[1] - s[0] if s else Fraction(0) for s in spans]
    reach = sum(
        (width * count for width, count in zip(widths, counts, strict=True)),
        start=Fraction(0),
    )
    quick = all(part.quick for parts in laws for part in parts)
    most = MOST_CELLS if quick else MOST_CELLS // 4
    cells = max(FEWEST_CELLS, min(most, math.floor(MOST_POINTS * max(widths) / reach)))
    step = math.ceil(max(widths) / cells / FINE) * FINE
    if max(widths) > WIDEST:
        return None
    try:
        return step, [
            Cells.of(parts, s[0], step, math.ceil((s[1] - s[0]) / step)) if s else None
            for parts, s in zip(laws, spans, strict=True)
        ]
    except UndecidedError:
        return None


def grid_shares(
    atoms: list[list[tuple[RealBall, RealBall]]],
    grids: Sequence[Masses | None],
    counts: list[int],
    step: Fraction,
) -> list[Share]:
    """One share for each choice of how often each loss is a density."""
    shares = []
    longest = sum(
        len(grid.masses) * count
        for grid, count in zip(grids, counts, strict=True)
        if grid
    )
    shrink = powers((-real(step)).exp(), longest + 1)
    rows = [
        [*own, *(grid.beside if grid else [])]
        for own, grid in zip(atoms, grids, strict=True)
    ]
    for times in product(
        *(
            range(count + 1) if grid else (0,)
            for grid, count in zip(grids, counts, strict=True)
        )
    ):
        draws = [
            [(w * math.comb(count, j), x) for w, x in weighted_sums(row, count - j)]
            for row, count, j in zip(rows, counts, times, strict=True)
        ]
        if not all(draws):
            continue
        offsets = []
        for chosen in product(*draws):
            weight = real(1)
            offset = real(0)
            for w, x in chosen:
                weight = weight * w
                offset = offset + x
            offsets.append((weight, offset))
        used = [(grid, j) for grid, j in zip(grids, times, strict=True) if grid and j]
        origin = sum((grid.origin * j for grid, j in used), start=Fraction(0))
        spend(POINT_WORK * sum(len(grid.masses) * j for grid, j in used) * sum(times))
        masses = convolution([(grid.masses, j) for grid, j in used])
        start = real(origin)
        shares.append(
            Share(start, real(step), _from_here_on(masses, start, shrink), offsets)
        )
    return shares


def weighted_sums(
    atoms: list[tuple[RealBall, RealBall]], count: int
) -> list[tuple[RealBall, RealBall]]:
    """The sums of this many draws of atoms, with their weights; none if there are no atoms."""
    if not atoms:
        return [(real(1), real(0))] if count == 0 else []
    (mass, loss), *others = atoms
    return [
        (weight * mass**n * math.comb(count, n), offset + loss * n)
        for n in range(count + 1)
        for weight, offset in weighted_sums(others, count - n)
    ]


def _from_here_on(
    masses: list[RealBall], origin: RealBall, shrink: list[RealBall]
) -> list[tuple[RealBall, RealBall]]:
    """The masses under P and Q of each point of a grid and of all above it; a zero last."""
    p = real(0)
    q = real(0)
    tails = [(real(0), real(0))]
    first = (-origin).exp()
    for mass, share in reversed(list(zip(masses, shrink, strict=False))):
        p = p + mass
        q = q + mass * share
        tails.append((p, q * first))
    return tails[::-1]
