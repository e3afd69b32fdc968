"""Releases with choices beside others: point by point where that is enough, else between two laws
on a grid.

A release with one pair is best run before those with choices, which can then depend on what it
gave. So delta is the mean of h over its loss: h is the value of the game of the releases with
choices, itself the profile of a pair of laws.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Protocol, TypeAlias

from rdpacct.composition.asked_curve import delta_of, ends, epsilon_of, within
from rdpacct.composition.choice_lattice import lattice_tables, on_a_lattice
from rdpacct.composition.exact_tables import game_pair
from rdpacct.composition.few import Draw
from rdpacct.composition.fitted_game import FittedGame, GameBeside, game_beside
from rdpacct.composition.fixed import (
    MOST_POINTS,
    FixedLosses,
    Sums,
    few_sums,
    grid_sums,
)
from rdpacct.composition.game import COARSE_TOLERANCE, Game, Tables
from rdpacct.composition.knots import GridLoss
from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.bound import Bound
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import formula
from rdpacct.exact.raw import real, real_inner
from rdpacct.privacy.family import BITS, Family, Value
from rdpacct.privacy.grid import Masses
from rdpacct.privacy.grid_transform import GridTransform
from rdpacct.privacy.table_loss import table_direction, table_loss
from rdpacct.privacy.test_curve import Merged
from rdpacct.privacy.transform import NATS, Direction
from rdpacct.provenance import by
from rdpacct.work import Exhausted, share, spend

MOST_VALUES = 60_000.0
"""For answers point by point: how many values of one release in all."""
MOST_WORK, MOST_CELLS, FEWEST_CELLS = 300_000.0, 6000, 300
"""For grids: how many values are looked at, and how many cells a grid has."""
POINTS = "best choices, point by point (composition/adaptive-choice)"
GRIDS = "best choices (composition/adaptive-choice) between two grids (engine/knots)"
VALUE_WORK = 6
"""The work of the value of the game at a fixed loss, beside that of its best choices."""
FITTED, NARROW = 0.6, 2e-6
"""The part of the work for knots that are fitted to a question, and up to which width nothing else
is tried.
"""
STEP = 2.0**-20
"""The distance of the points from which a slope is planned."""


class Composed(Protocol):
    """What a composition of losses answers."""

    def delta(self, epsilon: Fraction) -> Bound:
        """The smallest delta at this epsilon."""

    def epsilon(self, delta: Fraction) -> Bound:
        """The smallest epsilon at this delta."""


Compose: TypeAlias = Callable[[Sequence[Draw]], Composed]


@dataclass(frozen=True, eq=False)
class Exactly:
    """Releases whose choices are those of one pair, composed with the others."""

    composed: Composed

    def delta(self, epsilon: Fraction) -> Bound:
        """delta at an epsilon, which may be negative."""
        return self._named(self.composed.delta(epsilon))

    def epsilon(self, delta: Fraction) -> Bound:
        """epsilon at a delta above 0."""
        return self._named(self.composed.epsilon(delta))

    @staticmethod
    def _named(bound: Bound) -> Bound:
        return Bound(
            bound.lower,
            bound.upper,
            f"{bound.how}, best choices of inputs (composition/finite-choice)",
        )


@dataclass(frozen=True, eq=False)
class Choices:
    """Releases with choices, and the others."""

    game: Game
    fixed: tuple[Draw, ...]
    compose: Compose
    draws: tuple[Draw, ...] = ()
    """All of them."""

    @classmethod
    def of(cls, draws: Sequence[Draw], compose: Compose) -> "Choices | Exactly | None":
        """The releases of a plan, if some have choices whose product is above what they do, and are
        few enough.
        """
        chosen = tuple(
            (d.family, count) for d, _, count in draws if d.family is not None
        )
        number = sum(count for _, count in chosen)
        if number == 0 or (number == 1 and chosen[0][0].least_law):
            return None
        fixed = tuple(draw for draw in draws if draw[0].family is None)
        exact = _of_tables(chosen)
        if exact is not None:
            return Exactly(
                compose(
                    [*fixed, (table_direction(exact), partial(table_loss, exact), 1)]
                )
            )
        choices = cls(Game(chosen), fixed, compose, tuple(draws))
        return choices if choices._few_enough else None

    @cached_property
    def _few_enough(self) -> bool:
        """Whether there are few enough releases for a grid, a lattice, or answers point by
        point.
        """
        return (
            on_a_lattice(self.game)
            or self._cells >= FEWEST_CELLS
            or self._points is not None
        )

    def delta(self, epsilon: Fraction) -> Bound:
        """delta at an epsilon, which may be negative."""
        fitted = self._beside_others(
            lambda beside: beside.near_epsilon(float(epsilon)),
            lambda curve: delta_of(curve, epsilon),
        )
        return _narrow_or_both(fitted, lambda: self._delta(epsilon))

    def _delta(self, epsilon: Fraction) -> Bound:
        if self._points is not None:
            return delta_of(self._points, epsilon)
        above, below = (side.delta(epsilon) for side in self._laws)
        return ends(below.lower, above.upper, GRIDS)

    def epsilon(self, delta: Fraction) -> Bound:
        """epsilon at a delta above 0."""
        fitted = self._beside_others(
            lambda beside: beside.near_delta(float(real(delta).log())),
            lambda curve: epsilon_of(curve, delta),
        )
        return _narrow_or_both(fitted, lambda: self._epsilon(delta))

    def _epsilon(self, delta: Fraction) -> Bound:
        if self._points is not None:
            return epsilon_of(self._points, delta)
        above, below = (side.epsilon(delta) for side in self._laws)
        return ends(below.lower, above.upper, GRIDS)

    def _beside_others(
        self,
        fitted: Callable[[GameBeside], FittedGame | None],
        ask: Callable[[FittedGame], Bound],
    ) -> Bound | None:
        """What the game says at knots that are fitted to the question; None if the fixed losses are
        few or their profile is not known, or that takes too much work.
        """
        if self._few is not None or self._beside is None:
            return None
        try:
            with precision(BITS), share(FITTED):
                curve = fitted(self._beside)
                return None if curve is None else ask(curve)
        except UndecidedError:
            return None

    @cached_property
    def _beside(self) -> GameBeside | None:
        with precision(BITS):
            return game_beside(self.game, self.draws)

    @cached_property
    def _points(self) -> "Points | None":
        """What answers point by point, if the fixed releases have few atoms and nothing else."""
        with precision(BITS):
            few = self._few
            if few is not None:
                rough = Game(self.game.families, COARSE_TOLERANCE)
                return Points(self.game.value(), rough.value(), few, self.game, POINTS)
            few = few_sums(self.fixed)
            if not on_a_lattice(self.game) and self._cells < FEWEST_CELLS:
                return None
            if few is None and not _composes_on_grids(self.fixed):
                few = grid_sums(self.fixed)
            if few is None:
                return None
            return Points(self._table, self._table, few, self.game, GRIDS)

    @cached_property
    def _few(self) -> FixedLosses | None:
        """The fixed losses, if they are so few that the game is played at each of them."""
        with precision(BITS):
            few = few_sums(self.fixed)
        if few is None or self.game.direct_work * len(few.above) > MOST_VALUES:
            return None
        return few

    @property
    def _cells(self) -> int:
        return min(MOST_CELLS, math.floor(MOST_WORK / self.game.work))

    @cached_property
    def _table(self) -> Tables:
        with precision(BITS):
            if self._lattice is None:
                return self.game.tabulated(self._cells)
            return self._lattice

    @cached_property
    def _lattice(self) -> Tables | None:
        with precision(BITS):
            return lattice_tables(self.game)

    @cached_property
    def _laws(self) -> tuple[Composed, Composed]:
        """The fixed releases with the laws above and below the game."""
        with precision(BITS):
            laws = self._table.above.above(), self._table.below.below()
        above, below = (
            self.compose([*self.fixed, _draw(law, side)])
            for law, side in zip(laws, (1, 0), strict=True)
        )
        return above, below


@dataclass(frozen=True, eq=False)
class Points:
    """The mean of h over finitely many fixed losses."""

    exactly: Value
    roughly: Value
    fixed: FixedLosses
    game: Game
    how: str

    @cached_property
    def infinite(self) -> RealBall:
        """The mass at infinity in all."""
        return (
            self.fixed.infinite[0] + (1 - self.fixed.infinite[0]) * self.game.infinite
        )

    @cached_property
    def top(self) -> float:
        """About the largest finite loss."""
        return float(self.game.reach) + max(float(loss) for _, loss in self.fixed.above)

    @property
    def start(self) -> float:
        """Where a search begins."""
        return self.top / 2

    @by("composition/adaptive-choice")
    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon)."""
        above = self.fixed.infinite[1] + self._mean(
            self.exactly, self.fixed.above, epsilon
        )
        if self.fixed.exact:
            return above
        return above.union(
            self.fixed.infinite[0] + self._mean(self.exactly, self.fixed.below, epsilon)
        )

    @staticmethod
    def _mean(h: Value, sums: Sums, epsilon: RealBall) -> RealBall:
        spend(VALUE_WORK * len(sums))
        growth = epsilon.exp()
        return real_inner(
            [mass for mass, _ in sums], [h(growth * (-loss).exp()) for _, loss in sums]
        )

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        here, there = (
            float(
                self.fixed.infinite[0]
                + self._mean(self.roughly, self.fixed.above, real(x))
            )
            for x in (epsilon, epsilon + STEP)
        )
        if here <= 0 or there <= 0:
            return -math.inf, -1.0
        return math.log(here), (math.log(there) - math.log(here)) / STEP


def _of_tables(chosen: Sequence[tuple[Family, int]]) -> Merged | None:
    """The exact pair of tables, if there is nothing but tables and they are small enough."""
    pairs = [(family.finite_pairs(), count) for family, count in chosen]
    tables = tuple((family, count) for family, count in pairs if family is not None)
    if len(tables) == len(chosen):
        return game_pair(tables)
    return None


def _composes_on_grids(fixed: Sequence[Draw]) -> bool:
    """Whether a law on a grid composes well with these: beside a Gaussian, or if all have few atoms
    or series.
    """
    transforms = [(direction.transform, count) for direction, _, count in fixed]
    if any(direction.below for direction, _, _ in fixed):
        return True
    known = [(one, count) for one, count in transforms if one is not None]
    if any(transform.smooths for transform, _ in known):
        return True
    return all(
        transform.patterns(count) is not None
        or transform.planned_points(0.5, count, NATS) < MOST_POINTS
        for transform, count in known
    )


def attained_alone(draws: list[Draw]) -> list[Draw]:
    """The draws; if just one release has choices, its least dominating law is what it does, when it
    is run last.
    """
    if sum(count for direction, _, count in draws if direction.family is not None) != 1:
        return draws
    return [
        (
            (
                replace(one, below=())
                if one.family is not None and one.family.least_law
                else one
            ),
            answers,
            count,
        )
        for one, answers, count in draws
    ]


def _narrow_or_both(fitted: Bound | None, on_grids: Callable[[], Bound]) -> Bound:
    """An answer at fitted knots if there is one and it is narrow; else what grids say too, if that
    is not too much work.
    """
    if fitted is None:
        return on_grids()
    if fitted.relative_width <= NARROW:
        return fitted
    try:
        return within(fitted, on_grids())
    except Exhausted:
        return fitted


def narrower(chosen: Bound, other: Bound) -> Bound:
    """What two enclosures of the same number say together."""
    both = within(other, chosen)
    told = "the best choices of so many releases are not found sharply"
    return ends(both.lower, both.upper, f"{both.how}; {told}")


def _draw(law: Masses, above: int) -> Draw:
    """A law on a grid as a loss to compose."""
    with precision(BITS):
        mass = Ball(law.infinite, BITS)
        infinite = formula(Fraction(mass.upper() if above else mass.lower()))
    return (
        Direction(GridTransform((), bool(above), law), infinite),
        lambda: GridLoss(law),
        1,
    )
