"""The losses of a record that is in one of several steps, on a grid: laws that are certainly above
theirs, and laws that are certainly below.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, pairwise

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.parameter import rational_of
from rdpacct.exact.raw import real, whole_part
from rdpacct.mechanisms.allocation.ratio_sums import ratio_sums
from rdpacct.mechanisms.allocation.rounded_sums import RoundedSums
from rdpacct.privacy.grid import BITS, FINE, Cells, Masses
from rdpacct.provenance import by, remembered
from rdpacct.work import spend

MOST_CELLS = 2048
FAR = 2.0**-66
"""Losses beyond the last cells have less mass than this."""
HEAVY = 2.0**-36
"""Nodes with less mass than this are ignored when it is decided by how much all losses are lowered.
"""
ROW_WORK = 6
POINTS_IN_CELL = 2.5
"""A cell of losses has about this many points of the rounded sum, or more."""
SHARE_BITS = 60
MOST_TAKEN = 0.9
"""A node of losses takes at most this share of a neighbor."""


@dataclass(frozen=True)
class Laws:
    """The laws of removing the record and of adding it, from above and from below."""

    above: tuple[Masses, Masses]
    below: tuple[Masses, Masses]


@remembered(16)
def allocation_laws(mu: Expr, steps: int) -> Laws:
    """The laws of the losses of Gaussian steps of which one has the record."""
    with precision(BITS):
        table = PointTable.of(ratio_sums(mu, steps))
        spend(ROW_WORK * (len(table.points) + 20 * MOST_CELLS))
        grid = table.grid()
        return Laws(table.above(grid), table.below(grid))


@dataclass(frozen=True)
class LossGrid:
    """Equal cells of losses: where the first one begins, how wide each is, and how many there
    are.
    """

    origin: Fraction
    step: Fraction
    count: int

    def edges(self) -> list[Fraction]:
        """The ends of the cells."""
        return [self.origin + self.step * k for k in range(self.count + 1)]

    def reversed(self) -> "LossGrid":
        """The grid of the losses with the other sign."""
        first = -self.origin - self.step * self.count
        return LossGrid(first, self.step, self.count)


@dataclass(frozen=True)
class PointTable:
    """The points of a rounded sum in order, as whole numbers of a scale, with their masses and
    moments in units.
    """

    points: list[int]
    masses: list[int]
    moments: list[int]
    scale: Fraction
    """The mean of the ratios at a point, over the point."""
    mass_unit: Fraction
    moment_unit: Fraction
    rounded: tuple[int, int]
    """At most how many units were rounded off from all masses, and from all moments."""
    widest: float
    """The largest distance of two neighboring points, over the smaller one."""

    @classmethod
    def of(cls, sums: RoundedSums) -> "PointTable":
        """All octaves in a row."""
        lowest = min(sums.octaves)
        rows = list[tuple[int, int, int]]()
        for octave in sorted(sums.octaves):
            shift = octave - lowest
            rows += [
                (place << shift, mass, moment)
                for place, mass, moment in sums.octaves[octave].rows()
            ]
        points, masses, moments = (list(column) for column in zip(*rows, strict=True))
        weight = rational_of(weight_of_each(sums.count), "the weight of a step")
        return cls(
            points,
            masses,
            moments,
            Fraction(2) ** (lowest - sums.bits) * weight,
            Fraction(1, sums.unit),
            Fraction(1, sums.unit) * weight,
            sums.rounded,
            2.0**-sums.bits,
        )

    def grid(self) -> LossGrid:
        """Cells of losses that hold all but little of the mass, each with several points."""
        before = accumulate(self.masses)
        behind = accumulate(reversed(self.moments))
        least = FAR / self.mass_unit
        low = next(k for k, mass in enumerate(before) if mass > least)
        least = FAR / self.moment_unit
        far = next(k for k, mass in enumerate(behind) if mass > least)
        first = self._loss(low)
        width = self._loss(len(self.points) - 1 - far) - first
        step = max(width / MOST_CELLS, POINTS_IN_CELL * self.widest)
        origin = math.floor(Fraction(first - step / 2) / FINE) * FINE
        step_of_fine = math.ceil(Fraction(step) / FINE) * FINE
        return LossGrid(origin, step_of_fine, math.ceil(width / step) + 1)

    def _loss(self, place: int) -> float:
        """About the loss at a point."""
        return math.log(self.points[place]) + math.log(self.scale)

    def sums_up_to(self, grid: LossGrid) -> list[tuple[RealBall, RealBall]]:
        """The masses with the record and without it of the points up to each edge of the cells, and
        of all of them.
        """
        weighted = map(int.__mul__, self.points, self.masses)
        upper = [0, *accumulate(weighted)]
        lower = [0, *accumulate(self.masses)]
        ends = [self._count_up_to(edge) for edge in grid.edges()]
        unit = real(self.mass_unit)
        factor = real(self.scale * self.mass_unit)
        return [(upper[k] * factor, lower[k] * unit) for k in (*ends, len(self.points))]

    def _count_up_to(self, loss: Fraction) -> int:
        """How many points have at most a loss."""
        edge = real(loss).exp() / real(self.scale)
        whole = whole_part(edge)
        place = bisect_right(self.points, whole)
        while place < len(self.points) and not edge < self.points[place]:
            if not edge >= self.points[place]:
                raise UndecidedError(
                    "a point of the grid is too near the edge of a cell."
                )
            place += 1
        return place

    def above(self, grid: LossGrid) -> tuple[Masses, Masses]:
        """Each cell of losses moved to its ends; all that is missing counts as told for certain."""
        sums = self.sums_up_to(grid)
        back = grid.reversed()
        inside = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(sums)]
        before, beyond = sums[0], inside.pop()
        removing = Cells(grid.origin, grid.step, inside, before, beyond)
        adding = Cells(
            back.origin,
            back.step,
            [(q, p) for p, q in reversed(inside)],
            beyond[::-1],
            before[::-1],
        )
        return _completed(removing.above()), _completed(adding.above())

    def below(self, grid: LossGrid) -> tuple[Masses, Masses]:
        """Each point given to the two nodes of losses beside it; what is missing tells nothing."""
        moments = [0] * (grid.count + 1)
        masses = [0] * (grid.count + 1)
        first = float(grid.origin)
        width = float(grid.step)
        for place in range(len(self.points)):
            at = (self._loss(place) - first) / width
            node = min(max(math.floor(at), 0), grid.count - 1)
            share = int(min(max(at - node, 0.0), 1.0) * (1 << SHARE_BITS))
            for k, part in ((node, (1 << SHARE_BITS) - share), (node + 1, share)):
                moments[k] += self.moments[place] * part >> SHARE_BITS
                masses[k] += self.masses[place] * part >> SHARE_BITS
        self._center(moments, masses, first, width)
        # each share is rounded down
        floors = 3 * (len(self.points) + len(masses))
        with_it = _weighed(moments, self.moment_unit, self.rounded[1] + floors)
        without = _weighed(masses, self.mass_unit, self.rounded[0] + floors)
        removing = _lowered(with_it[0], without[1], grid)
        adding = _lowered(without[0][::-1], with_it[1][::-1], grid.reversed())
        return removing, adding

    def _center(
        self, moments: list[int], masses: list[int], first: float, width: float
    ) -> None:
        """Give each node enough of a neighbor for its loss to be about that of the node.

        A node whose loss is too small takes from the next one, and one whose loss is too large from
        the one before, which has its own loss by then.
        """
        ratio = float(self.moment_unit / self.mass_unit)
        for k in range(len(masses)):
            level = math.exp(first + width * k) / ratio
            missing = level * masses[k] - moments[k]
            other = k + 1 if missing > 0 else k - 1
            if not 0 <= other < len(masses):
                continue
            room = moments[other] - level * masses[other]
            share = missing / room if room * missing > 0 else 0.0
            if share > MOST_TAKEN:
                continue
            part = int(share * (1 << SHARE_BITS)) + 1
            for column in (moments, masses):
                taken = column[other] * part >> SHARE_BITS
                column[k] += taken
                # a unit more is lost, so that nothing is rounded up
                column[other] = max(column[other] - taken - 1, 0)


def _weighed(
    wholes: Sequence[int], unit: Fraction, rounded: int
) -> tuple[list[RealBall], list[RealBall]]:
    """Masses that are certainly not larger than those before rounding, and masses that are not
    smaller.
    """
    factor = real(unit)
    rest = real(unit * rounded)
    least = [whole * factor for whole in wholes]
    return least, [mass + rest for mass in least]


def _completed(law: Masses) -> Masses:
    """The law with all missing mass at infinity."""
    finite = sum(law.masses[1:], start=law.masses[0])
    return replace(law, infinite=(1 - finite).max(real(0)))


def _lowered(
    first: Sequence[RealBall], second: Sequence[RealBall], grid: LossGrid
) -> Masses:
    """Outcomes with these masses under the two laws at losses of a grid that are no larger than
    theirs; outcomes far below their node are left out.
    """
    step = grid.step
    gaps = [
        (p / q).log() - real(node) if p > 0 else None
        for p, q, node in zip(first, second, grid.edges(), strict=True)
    ]
    short = [
        -float(gap)
        for gap, p in zip(gaps, first, strict=True)
        if gap is not None and float(p) > HEAVY
    ]
    lowered = Fraction(max(0.0, *short) * (1 + 1e-9)) + step / 2**40
    masses = [real(0)] * len(gaps)
    for k, (gap, p) in enumerate(zip(gaps, first, strict=True)):
        if gap is None:
            continue
        down = max(0, math.ceil(-(float(gap) + float(lowered)) / float(step)))
        if gap < real(-lowered - step * down):
            down += 1
        if k >= down and gap >= real(-lowered - step * down):
            masses[k - down] = masses[k - down] + p
    return Masses(grid.origin - lowered, step, masses, [], real(0))


@by("sampling/random-allocation")
def weight_of_each(steps: Real) -> Expr:
    """The probability that the record is in a step, which is the weight of its ratio."""
    return 1 / formula(steps)
