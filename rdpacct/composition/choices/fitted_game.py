"""The game of few releases with choices beside others with a known profile: its value at knots that
are fitted to the question.

Between knots the value h of the game lies below its chords and above the chords beside, extended.
Both are profiles of laws with an atom at each corner, and each atom counts as the profile of the
others beside it. Knots are near each other where h bends and the others weigh much.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, TypeAlias

from rdpacct.composition.choices.game import COARSE_TOLERANCE, FINE_TOLERANCE, Game
from rdpacct.composition.draws import Draw
from rdpacct.composition.exact_sums.atoms import atom_sums, planned_atoms
from rdpacct.composition.grids.cells import CellSums, known_profile
from rdpacct.composition.grids.fitted_cells import fallen
from rdpacct.composition.grids.knots import (
    at_least,
    chord_slopes,
    ended_at,
    hull_atoms,
    lower_dots,
)
from rdpacct.composition.grids.spread_cells import spread
from rdpacct.composition.quadrature.tilt import Place, Planner
from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import RealBall
from rdpacct.exact.invert import Curve, newton
from rdpacct.exact.raw import real
from rdpacct.privacy.constants import value
from rdpacct.privacy.family import FamilyValue
from rdpacct.provenance import by
from rdpacct.work import fitting, less_than_wanted, spend

FIRST_KNOTS, NEXT_KNOTS = 96, 256
"""How many knots a plan looks at, first evenly and then fitted."""
FEWEST_KNOTS, MOST_KNOTS, MOST_DIRECT = 256, 3600, 400.0
"""How many knots there may be, and how many values of single releases one value of the game may
look at.
"""
SHARE, SHARPER, ROUGHEST = 2e-7, 16.0, 1e-7
"""By which share of the answer the two ends may differ, as planned; how much sharper the values at
the knots are, and their largest tolerance.
"""
MOST_WORK, MOST_ATOMS = 300_000.0, 20_000.0
"""The most work of the profile of the others at a number of knots, in terms of a pattern, and the
most atoms it may have.
"""
SHORTEST, LONGEST, LEAST = 1e-3, 300, 1e-280
"""The reach of a game below which doubles do not show how its value bends, the reach beyond which
they overflow, and the least delta that they hold.
"""
CURVED = 3.3
"""The difference of the two ends over that between a value and the middle of its chord, about."""
KNOT_WORK, VALUE_WORK = 20, 9
"""The work of a knot beside that of the value there, and that of the value for each value of a
single release that it looks at.
"""
NEAREST = 2.0**-30
"""How near to an end of its cell a corner may be, as a part of the cell."""
STEP = 2.0**-20
"""The distance of the points from which a slope is planned."""
HOW = "best choices (composition/adaptive-choice) at fitted knots (engine/knots)"


@dataclass(frozen=True, eq=False)
class FittedGame:
    """The sums over the atoms of the laws above and below the game, beside the others."""

    how: ClassVar[str] = HOW

    sums: CellSums
    infinite: RealBall
    """The mass at infinity of all together."""
    top: float
    start: float
    """About the epsilon that is asked for."""
    rough: "FittedGame | None"

    @by("composition/adaptive-choice")
    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon)."""
        return self.sums.enclosure(epsilon) + self.infinite

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        if self.rough is not None:
            return self.rough.planned_log(epsilon)
        here, there = (self.planned(at) for at in (epsilon, epsilon + STEP))
        if here <= 0 or there <= 0:
            return -math.inf, -1.0
        return math.log(here), (math.log(there) - math.log(here)) / STEP

    def planned(self, epsilon: float) -> float:
        """About delta(epsilon), from the upper sum; the lower one of rough values is far off."""
        return float(self.sums.at_most(real(epsilon)) + self.infinite)


Asked: TypeAlias = Callable[[FittedGame], tuple[float, float]]
"""From the two sums to about the epsilon that is asked for, and how many times as sharp as delta
the answer is.
"""


@dataclass(frozen=True, eq=False)
class GameBeside:
    """A game, the other losses with their mass at infinity, and what plans for all of them."""

    game: Game
    terms: Terms
    planner: Planner
    beyond: RealBall

    def near_epsilon(self, epsilon: float) -> FittedGame | None:
        """The two sums for a given epsilon."""
        log_delta, tilt = self.planner.saddle_log_delta(epsilon)
        place = self.planner.place(epsilon, log_delta, tilt)
        return self._fitted(place, lambda _: (epsilon, 1.0))

    def near_delta(self, log_delta: float) -> FittedGame | None:
        """The two sums for a given delta, if infinite losses alone have less."""
        infinite = self.beyond + (1 - self.beyond) * self.game.infinite
        if not infinite < real(log_delta).exp():
            return None
        start, tilt = self.planner.saddle_epsilon(log_delta)
        place = self.planner.place(start, log_delta, tilt)

        def passed(curve: FittedGame) -> tuple[float, float]:
            epsilon, slope = newton(curve, log_delta, min(start, 0.99 * curve.top))
            return epsilon, max(1.0, -slope * epsilon)

        return self._fitted(place, passed)

    def _fitted(self, place: Place | None, asked: Asked) -> FittedGame | None:
        others = None if place is None else _profile_beside(self.terms, place)
        if others is None:
            return None
        return _Fit(self.game, others, self.beyond).curve(asked)


def game_beside(game: Game, draws: Sequence[Draw]) -> GameBeside | None:
    """A game beside the other draws, if it is one of few releases and the others stand for
    themselves.
    """
    fixed = [draw for draw in draws if draw[0].family is None]
    transforms = [(direction.transform, count) for direction, _, count in draws]
    known = [
        (transform, count) for transform, count in transforms if transform is not None
    ]
    if not (
        fixed and game.direct_work <= MOST_DIRECT and SHORTEST < game.reach < LONGEST
    ):
        return None
    if len(known) < len(draws):
        return None
    if any(
        pair.below or (pair.transform and pair.transform.gridded) for pair, *_ in fixed
    ):
        return None
    others = Terms.of([(pair.transform, n) for pair, _, n in fixed if pair.transform])
    finite = real(1)
    for direction, _, count in fixed:
        finite = finite * (1 - value(direction.at_infinity)) ** count
    beyond = (1 - finite).max(real(0))
    return GameBeside(game, others, Planner(Terms.of(known)), beyond)


def _profile_beside(terms: Terms, place: Place) -> Curve | None:
    """The profile of the other losses, if its values take little time at every epsilon."""
    known = known_profile(terms, place, MOST_WORK)
    if known is not None:
        return known[0]
    if planned_atoms(terms, place) <= MOST_ATOMS:
        return atom_sums(terms, place)
    return None


@dataclass(frozen=True, eq=False)
class _Fit:
    """A game, and the profile of the others with their mass at infinity."""

    game: Game
    others: Curve
    beyond: RealBall

    def curve(self, asked: Asked) -> FittedGame | None:
        """The two sums at knots that are fitted to the epsilon that is asked for; None if delta is
        so small there that doubles do not tell where knots should be.
        """
        reach = float(self.game.reach) * (1 + 2.0**-40) + 2.0**-40
        step = 2 * reach / FIRST_KNOTS
        places = [step * k - reach for k in range(FIRST_KNOTS)] + [reach]
        roughly = Game(self.game.families, COARSE_TOLERANCE).value()
        sketch = self._sketch(roughly, places)
        level, _ = asked(sketch.curve)
        weights = sketch.weights(level)
        # once is enough: rough values at nearer places do not tell how the value bends
        sketch = self._sketch(roughly, spread(places, weights, NEXT_KNOTS))
        level, steep = asked(sketch.curve)
        weights = sketch.weights(level)
        share = SHARE * steep * sketch.curve.planned(level)
        if share < LEAST:
            return None
        wanted = max(math.ceil(math.sqrt(sum(weights) ** 3 / share)), FEWEST_KNOTS)
        most = min(MOST_KNOTS, fitting(VALUE_WORK * self.game.direct_work))
        if wanted > most:
            less_than_wanted()
        places = spread(sketch.places, weights, min(wanted, most))
        tolerance = min(max(SHARE * steep / SHARPER, FINE_TOLERANCE), ROUGHEST)
        values = self._values(Game(self.game.families, tolerance).value(), places)
        return self._sums(places, values, level, sketch.curve)

    def _sketch(self, h: FamilyValue, places: list[float]) -> "_Sketch":
        values = self._values(h, places)
        curve = self._sums(places, values)
        return _Sketch(
            self.others, places, [float(ball.mid()) for ball in values], curve
        )

    def _values(self, h: FamilyValue, places: Sequence[float]) -> list[RealBall]:
        spend(KNOT_WORK * len(places))
        return [h(real(place).exp()) for place in places]

    def _sums(
        self,
        places: Sequence[float],
        values: list[RealBall],
        start: float = 0.0,
        rough: FittedGame | None = None,
    ) -> FittedGame:
        """The two sums for balls of the value of the game at some places; without rough ones to
        search with, they are rough themselves, and both the one above.
        """
        losses = [real(place) for place in places]
        points = [loss.exp() for loss in losses]
        last = values[-1].upper()
        tops = [ball.upper().max(last).upper() for ball in values]
        above, most = hull_atoms(list(zip(points, tops, strict=True)))
        upper = sorted([(losses[k], mass) for k, mass in above], key=fallen)
        lower, least = upper, most
        if rough is not None:
            lower, least = _below(points, values)
        top = float(self.game.reach) + self.others.top
        sums = CellSums(upper, lower, self.others, None, top)
        infinite = self.beyond + (1 - self.beyond) * most.union(least)
        return FittedGame(sums, infinite, top, start, rough)


def _below(
    points: Sequence[RealBall], values: Sequence[RealBall]
) -> tuple[list[tuple[RealBall, RealBall]], RealBall]:
    """The atoms of the law below a game with these values, by falling loss, and its mass at
    infinity.
    """
    slopes = chord_slopes(points, values)
    corners = _corners(points, values, slopes)
    dots = ended_at(lower_dots(points, corners, values, slopes), at_least(values))
    below, least = hull_atoms(dots)
    return sorted([(dots[k][0].log(), mass) for k, mass in below], key=fallen), least


def _corners(
    points: Sequence[RealBall], values: Sequence[RealBall], slopes: Sequence[RealBall]
) -> list[RealBall]:
    """About where the two chords beside each cell, extended, meet in it; the middle where they do
    not.
    """
    corners = []
    for k, (left, right) in enumerate(pairwise(points)):
        width = right - left
        bend = (slopes[k + 2] - slopes[k]) * width
        rise = values[k] - values[k + 1] + slopes[k + 2] * width
        share = float((rise / bend).mid()) if bend > 0 else 0.5
        if not NEAREST < share < 1 - NEAREST:
            share = 0.5
        corners.append(left + width * real(share))
    return corners


@dataclass(frozen=True)
class _Sketch:
    """About the value of a game at some places, and the sums there."""

    others: Curve
    places: list[float]
    values: list[float]
    curve: FittedGame

    def weights(self, level: float) -> list[float]:
        """How near each other knots should be in each cell: by the cube root of what it adds to the
        difference of the two sums at an epsilon.
        """
        spend(KNOT_WORK * len(self.places))
        growth = [math.exp(place) for place in self.places]
        levels = [level - place for place in reversed(self.places)]
        deltas = [
            float(self.others.enclosure(real(epsilon)).mid()) for epsilon in levels
        ]
        # the scale of the ratios exp(level - place) does not matter
        ratios = [math.exp(-place) for place in reversed(self.places)]
        bends = _rises(growth, self.values)
        masses = [q * p for q, p in zip(_rises(ratios, deltas), ratios, strict=False)]
        masses.reverse()
        widths = [after - before for before, after in pairwise(growth)]
        rows = zip(bends, widths, masses, strict=True)
        return [
            (CURVED / 8 * bend * width * mass) ** (1 / 3) for bend, width, mass in rows
        ]


def _rises(points: Sequence[float], values: Sequence[float]) -> list[float]:
    """By how much the slope of a convex function rises over each cell, about."""
    dots = zip(points, values, strict=True)
    slopes = [(k - h) / (f - g) for (g, h), (f, k) in pairwise(dots)]
    padded = [slopes[0], *slopes, slopes[-1]]
    return [
        max(after - before, 0.0) / 2
        for before, after in zip(padded, padded[2:], strict=False)
    ]
