"""A profile known at points of a grid: between them a chord lies above it, and the chords beside,
extended, below it.

From above it is the profile of a law on the grid; from below that of a law on the middles of its
cells.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball, RealBall
from rdpacct.exact.bound import Bound
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import Scalar
from rdpacct.exact.raw import powers, real, real_inner
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.dominating import connect_the_dots
from rdpacct.privacy.grid import Masses
from rdpacct.provenance import built_by, by, remembered_property

BEYOND = 3
"""How many cells of a table lie beyond the largest and the smallest loss, at each end."""
Dots = list[tuple[RealBall, RealBall]]
"""Points g with values there."""


@dataclass(frozen=True, eq=False)
class Knots:
    """Balls for a profile h at g = exp(origin + k step); linear before the first, constant from the
    last on.
    """

    origin: Fraction
    step: Fraction
    values: list[RealBall]

    @cached_property
    def points(self) -> list[RealBall]:
        """The points g."""
        first = real(self.origin).exp()
        return [
            first * growth for growth in powers(real(self.step).exp(), len(self.values))
        ]

    @cached_property
    def slopes(self) -> list[RealBall]:
        """The slopes of the chords: before the first knot, between knots, and beyond the last."""
        return chord_slopes(self.points, self.values)

    @cached_property
    def _planned(self) -> tuple[float, float]:
        return float(self.origin), float(self.step)

    def upper(self, g: RealBall) -> RealBall:
        """At least h(g): the chord of its cell."""
        return interpolated(self.points, self.values, self._planned, g)

    @remembered_property
    def _lowest(self) -> tuple[list[RealBall], list[RealBall], tuple[float, float]]:
        law = self._below_dots
        corners = dict(lower_hull(law))
        values = [value for _, value in law]
        kept = sorted(corners)
        for left, right in pairwise(kept):
            (g, h), (f, k) = corners[left], corners[right]
            for place in range(left + 1, right):
                values[place] = h + (k - h) * (law[place][0] - g) / (f - g)
        return (
            [g for g, _ in law],
            values,
            (self._planned[0] + self._planned[1] / 2, self._planned[1]),
        )

    def lower(self, g: RealBall) -> RealBall:
        """At most h(g): the chord of a polygon below it, which is convex."""
        points, values, planned = self._lowest
        return interpolated(points, values, planned, g)

    def above(self) -> Masses:
        """The law of the chords, on the grid."""
        last = self.values[-1].upper()
        tops = [value.upper().max(last).upper() for value in self.values]
        return law_through(
            self.origin, self.step, list(zip(self.points, tops, strict=True))
        )

    def below(self) -> Masses:
        """A law on the middles of the cells whose profile is nowhere above h."""
        return law_through(self.origin + self.step / 2, self.step, self._below_dots)

    @remembered_property
    def _below_dots(self) -> Dots:
        half = (real(self.step) / 2).exp()
        middles = [point * half for point in self.points[:-1]]
        dots = lower_dots(self.points, middles, self.values, self.slopes)
        least = at_least(self.values)
        kept = first_below(dots, least)
        # on a grid the last dot is lowered, not moved
        return [*dots[: kept - 1], (dots[kept - 1][0], least)]


def chord_slopes(
    points: Sequence[RealBall], values: Sequence[RealBall]
) -> list[RealBall]:
    """The slopes of chords: from 1 at 0 to the first point, between points, and beyond the last."""
    dots = [(real(0), real(1)), *zip(points, values, strict=True)]
    return [(k - h) / (f - g) for (g, h), (f, k) in pairwise(dots)] + [real(0)]


def at_least(values: Sequence[RealBall]) -> RealBall:
    """A lower bound on a profile with these values, which never rises."""
    return values[-1].lower().max(real(0)).lower()


@by("engine/knots")
def lower_dots(
    points: Sequence[RealBall],
    places: Sequence[RealBall],
    values: Sequence[RealBall],
    slopes: Sequence[RealBall],
) -> Dots:
    """Dots of a polygon that is nowhere above a convex h, at a place in each cell between the
    points.

    Each is the lower of the two chords beside its cell, extended: so two neighboring dots are on or
    below two lines that meet at the knot between them and bend down there, and so is their chord.
    """
    dots: Dots = []
    for k, place in enumerate(places):
        from_left = values[k] + slopes[k] * (place - points[k])
        from_right = values[k + 1] + slopes[k + 2] * (place - points[k + 1])
        dots.append((place, min(from_left.lower(), from_right.lower(), key=float)))
    return dots


def first_below(dots: Dots, least: RealBall) -> int:
    """The place of the first dot that is not certainly at least that; it is not the first of
    all.
    """
    rows = enumerate(dots)
    place = next((k for k, (_, value) in rows if not value >= least), len(dots))
    if place == 0:
        raise UndecidedError("the values of a profile on a grid are too uncertain.")
    return place


def ended_at(dots: Dots, least: RealBall) -> Dots:
    """The dots up to where their polygon meets the least value, with a last one there."""
    end = first_below(dots, least)
    (g, h), (f, k) = dots[end - 1], dots[min(end, len(dots) - 1)]
    if end == len(dots) or not h > k:
        return [*dots[: end - 1], (g, least)]
    return [*dots[:end], (meeting(g, h, f, k, least), least)]


@by("engine/knots")
def meeting(
    left: Scalar, high: Scalar, right: Scalar, low: Scalar, least: Scalar
) -> Scalar:
    """Where the chord from one dot down to another has the least value; balls or formulas."""
    return left + (right - left) * (high - least) / (high - low)


@by("engine/knots")
def interpolated(
    points: list[RealBall],
    values: list[RealBall],
    planned: tuple[float, float],
    g: RealBall,
) -> RealBall:
    """The polygon through 1 at 0 and the values at the points, constant from the last on.

    The logarithms of the points are a grid, planned to begin at the first number and to have the
    second as its step.
    """
    if g >= points[-1]:
        return values[-1]
    size = float(g)
    k = math.floor((math.log(size) - planned[0]) / planned[1]) if size > 0 else -1
    k = min(max(k, -1), len(values) - 1)
    while k >= 0 and not g >= points[k]:
        k -= 1
    height = _on_chord(points, values, k, g)
    while k < len(values) - 1 and not g <= points[k + 1]:
        k += 1
        height = height.union(_on_chord(points, values, k, g))
    return height


def _on_chord(
    points: list[RealBall], values: list[RealBall], k: int, g: RealBall
) -> RealBall:
    if k == len(values) - 1:
        return values[k]
    left, height = (points[k], values[k]) if k >= 0 else (real(0), real(1))
    # weights add up the radii of the two balls; a difference would count one of them twice
    share = (g - left) / (points[k + 1] - left)
    return height * (1 - share) + values[k + 1] * share


def law_through(origin: Fraction, step: Fraction, dots: Dots) -> Masses:
    """The law with an atom at each corner of the lower convex hull of the dots, of which none is
    below the last.
    """
    atoms, infinite = hull_atoms(dots)
    masses = [real(0)] * len(dots)
    for k, mass in atoms:
        masses[k] = mass
    return Masses(origin, step, masses, [], infinite)


def hull_atoms(dots: Dots) -> tuple[list[tuple[int, RealBall]], RealBall]:
    """The masses under P at the corners of the lower convex hull of the dots, with their places,
    and the mass at infinity.
    """
    corners = lower_hull(dots)
    atoms = connect_the_dots([dots_at for _, dots_at in corners])
    rows = zip(corners, atoms, strict=True)
    masses = [(k, p.max(real(0))) for (k, _), (p, _) in rows]
    return masses, corners[-1][1][1]


@by("engine/knots")
def lower_hull(dots: Dots) -> list[tuple[int, tuple[RealBall, RealBall]]]:
    """The corners, with their places, of the largest convex function that is at most 1 at 0 and at
    most each value.
    """
    hull: list[tuple[int, tuple[RealBall, RealBall]]] = [(-1, (real(0), real(1)))]
    for place, dot in enumerate(dots):
        while len(hull) > 1 and not _turns_up(hull[-2][1], hull[-1][1], dot):
            hull.pop()
        hull.append((place, dot))
    return hull[1:]


def _turns_up(
    before: tuple[RealBall, RealBall],
    middle: tuple[RealBall, RealBall],
    after: tuple[RealBall, RealBall],
) -> bool:
    """Whether the middle dot lies certainly below the chord of the other two."""
    (g, h), (f, k), (e, j) = before, middle, after
    return bool((j - h) * (f - g) > (k - h) * (e - g))


@dataclass(frozen=True, slots=True)
class GridLoss(Loss):
    """The loss of a law on a grid."""

    law: Masses
    rests_on: frozenset[str] = field(default_factory=built_by, compare=False)

    def log_moment(self, rate: Fraction, bits: int) -> Ball:
        masses, losses = _atoms(self.law)
        if rate > 0 and self.infinite.upper() != 0:
            return Ball.everything(bits)
        rates = [(real(rate) * loss).exp() for loss in losses]
        total = real_inner(masses, rates) + (self.infinite if rate == 0 else 0)
        return Ball(total.log(), bits)

    @property
    def infinite(self) -> RealBall:
        """The mass at infinity."""
        return self.law.infinite

    def max_divergence(self) -> Bound:
        if self.infinite.upper() != 0:
            return Bound.exactly(math.inf, "P has mass where Q has none")
        return Bound.exactly(
            self.law.origin + self.law.step * (len(self.law.masses) - 1),
            "the largest loss",
        )


def _atoms(law: Masses) -> tuple[Sequence[RealBall], Sequence[RealBall]]:
    return law.masses, [real(law.origin + law.step * k) for k in range(len(law.masses))]
