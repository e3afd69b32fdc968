"""A loss cut into cells beside others whose profile is known: one sum that is certainly above, and
one below.

Let p and q be the masses of a cell of losses under P and Q. Given the loss l of the one, the
profile of the others at epsilon - l is convex in exp(-l). So a cell counts at most as its two ends,
with masses that keep p and q, and at least as one loss log(p/q).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from rdpacct.composition.exact_sums.mixture import atom_mixture
from rdpacct.composition.exact_sums.one_draw import one_draw
from rdpacct.composition.exact_sums.patterns import patterns_of, planned_work
from rdpacct.composition.many_levels import (
    FEW,
    Values,
    estimates_of,
    planned_by,
    sums_over,
    values_of,
)
from rdpacct.composition.narrowest import Point
from rdpacct.composition.quadrature.tilt import Place
from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.invert import Curve, newton
from rdpacct.exact.raw import real
from rdpacct.privacy.cut import EVERYWHERE, LossRange
from rdpacct.provenance import by
from rdpacct.work import spend

BITS = 144
"""The precision: cells are small, and their masses are differences of tails."""
SHARE, FEWEST_CELLS, MOST_CELLS, FEW_CELLS = 1e-7, 256, 8192, 64
"""The relative width that is aimed at; the fewest and the most cells, and how many a search takes.
"""
SPARE = 0.05
"""Cells are short a little beyond where the profile of the others bends: this share of what is
above epsilon, as that is only planned.
"""
LEAST_DISTANCE = 8
"""An epsilon is taken to be below the largest loss by this many units in the last place at least.
"""
CELL_WORK, VALUE_WORK = 16, 9
"""The work of a cell, and of the profile of the others at one."""
DRAW_WORK = 50.0
"""How many terms of a pattern take as long as a closed form at the precision of the cells,
about.
"""


@dataclass(frozen=True)
class CellSums:
    """The two sums over the cells of a loss: atoms under P, and the profile of the others."""

    upper: list[tuple[RealBall, RealBall]]
    """The ends of all cells, each with its mass."""
    lower: list[tuple[RealBall, RealBall]]
    """The cells, each with its loss and its mass."""
    others: Curve
    rough: "CellSums | None"
    """The same with fewer cells, to search with."""
    top: float
    """About the largest loss of all together."""

    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon)."""
        return self.enclosures([epsilon])[0]

    def at_most(self, epsilon: RealBall) -> RealBall:
        """At least delta(epsilon)."""
        return self._sums(self.upper, values_of(self.others), [epsilon])[0]

    @by("engine/connect-the-dots")
    def enclosures(self, epsilons: Sequence[RealBall]) -> list[RealBall]:
        """Balls that contain delta at rising epsilons."""
        values = values_of(self.others)
        below, above = (
            self._sums(atoms, values, epsilons) for atoms in (self.lower, self.upper)
        )
        return [low.union(high) for low, high in zip(below, above, strict=True)]

    def _sums(
        self,
        atoms: list[tuple[RealBall, RealBall]],
        values: Values,
        epsilons: Sequence[RealBall],
    ) -> list[RealBall]:
        spend(VALUE_WORK * len(atoms) * len(epsilons))
        with precision(BITS):
            return sums_over(atoms, epsilons, values)

    @property
    def enclosed(self) -> Values:
        """Balls that contain delta at a few epsilons at once; each of them is a sum."""
        return Values(self.enclosures, FEW)

    @property
    def estimates(self) -> Values | None:
        """About delta at several epsilons, if the others have that."""
        if self.rough is not None:
            return self.rough.estimates
        values = estimates_of(self.others)
        if values is None:
            return None
        return Values(partial(self._sums, self.lower, values), FEW)

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        if self.rough is not None:
            return self.rough.planned_log(epsilon)
        estimated = self.estimates
        if estimated is not None:
            return planned_by(estimated, epsilon, self.top)
        spend(VALUE_WORK * len(self.lower))
        delta = slope = 0.0
        for loss, mass in self.lower:
            size, rate = self.others.planned_log(epsilon - float(loss))
            share = float(mass) * math.exp(size)
            delta += share
            slope += share * rate
        if delta > 0:
            return (math.log(delta), slope / delta)
        return (-math.inf, -1.0)


@by("engine/connect-the-dots")
def two_sums(
    edges: Sequence[RealBall], masses: Sequence[tuple[RealBall, RealBall]]
) -> tuple[list[tuple[RealBall, RealBall]], list[tuple[RealBall, RealBall]]]:
    """For cells between falling losses, with their masses: the atoms of the sum above, and of the
    one below.

    A cell whose ends are one and the same is an atom.
    """
    above = [real(0)] * len(edges)
    below = []
    for k, (p, q) in enumerate(masses):
        high = edges[k]
        low = edges[k + 1]
        if high is low:
            above[k] = above[k] + p
            below.append((low, p))
            continue
        moved = (
            ((p * (-low).exp() - q) / ((-low).exp() - (-high).exp()))
            .max(real(0))
            .min(p)
        )
        above[k], above[k + 1] = above[k] + moved, above[k + 1] + (p - moved)
        below.append(((p / q).log(), p))
    return list(zip(edges, above, strict=True)), below


def cell_sums(
    terms: Terms, place: Place, point: Point, most: float
) -> tuple[CellSums, float] | None:
    """The two sums for a loss with cells, drawn once, beside others with a known profile, and the
    epsilon that they are fitted to; None if there is none.
    """
    first = terms.with_cells
    if first is None:
        return None
    left = [
        (transform, count - (transform is first)) for transform, count in terms.factors
    ]
    others = Terms(tuple((transform, count) for transform, count in left if count > 0))
    known = known_profile(others, place, most)
    if known is None:
        return None
    profile, work = known
    top = terms.planned_top
    bits = BITS + first.cell_bits()
    with precision(bits):
        rough = CellSums(*two_sums(*first.cells(FEW_CELLS)), profile, None, top)
    epsilon = point.epsilon
    if point.given_height:
        epsilon = newton(rough, point.log_delta, epsilon)[0]
    losses = bent(others, epsilon, top)
    wanted = first.planned_cells(losses) * (place.tilt + 1)
    wanted /= math.sqrt(SHARE * point.steep)
    number = min(max(FEWEST_CELLS, math.ceil(wanted)), MOST_CELLS, int(most / work))
    if number < FEWEST_CELLS:
        return None
    spend(CELL_WORK * number * bits / BITS)
    with precision(bits):
        sums = two_sums(*first.cells(number, losses))
    return CellSums(*sums, profile, rough, top), epsilon


def bent(others: Terms, epsilon: float, top: float) -> LossRange:
    """The losses of the one at which the profile of the others bends: it is zero beyond their
    largest loss, and before their least one a line in exp(-l), so that long cells are exact there.
    """
    if not math.isfinite(epsilon):
        return EVERYWHERE
    distance = max(top - epsilon, LEAST_DISTANCE * math.ulp(top))
    level = top - distance
    spare = SPARE * distance
    return LossRange(
        level - others.planned_top - spare, level - others.planned_bottom + spare
    )


def known_profile(
    others: Terms, place: Place, most: float
) -> tuple[Curve, float] | None:
    """The profile of other losses, and how long one value of it takes, about."""
    if not others.factors:
        return None
    alone = one_draw(others)
    if alone is not None:
        return alone, DRAW_WORK
    work = planned_work(others, -others.planned_top)
    patterns = patterns_of(others) if work * FEWEST_CELLS <= most else None
    if patterns is not None:
        return patterns, work
    mixture = atom_mixture(others, place, most / FEWEST_CELLS)
    if mixture is None:
        return None
    return (mixture, DRAW_WORK * len(mixture.atoms))
