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

from rdpacct.composition.choices.asked_curve import delta_of, ends, epsilon_of, within
from rdpacct.composition.choices.best_ratio import two_with_ratios
from rdpacct.composition.choices.choice_lattice import lattice_tables, on_a_lattice
from rdpacct.composition.choices.choice_points import Points
from rdpacct.composition.choices.exact_tables import game_pair
from rdpacct.composition.choices.fitted_game import FittedGame, GameBeside, game_beside
from rdpacct.composition.choices.fixed_losses import (
    MOST_POINTS,
    FixedLosses,
    few_sums,
    grid_sums,
)
from rdpacct.composition.choices.game import COARSE_TOLERANCE, Game, Tables
from rdpacct.composition.choices.last_choice import run_last
from rdpacct.composition.draws import Draw
from rdpacct.composition.grids.knots import GridLoss
from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball, precision
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import formula
from rdpacct.exact.raw import real
from rdpacct.privacy.family import BITS, Family
from rdpacct.privacy.grid import Masses
from rdpacct.privacy.grid_transform import GridTransform
from rdpacct.privacy.table_loss import table_direction, table_loss
from rdpacct.privacy.tradeoff_points import Merged
from rdpacct.privacy.transform import NATS, Direction
from rdpacct.provenance import by, remembered_property
from rdpacct.work import Exhausted, share

MOST_VALUES = 60_000.0
"""The most values of one release that answers point by point may look at in all."""
MOST_WORK, MOST_CELLS, FEWEST_CELLS = 300_000.0, 6000, 300
"""For grids: how many values are looked at, and how many cells a grid has."""
POINTS = "best choices, point by point (composition/adaptive-choice)"
GRIDS = "best choices (composition/adaptive-choice) between two grids (engine/knots)"
BY_RATIO = "the other choice made last (composition/adaptive-choice)"
LAST = "the choice made last (composition/adaptive-choice)"
FITTED, NARROW = 0.6, 2e-6
"""The part of the work for knots that are fitted to a question, and the width below which nothing
else is tried.
"""


class Composed(Protocol):
    """The answers of a composition of losses."""

    def delta(self, epsilon: Fraction) -> Bound:
        """The smallest delta at this epsilon."""

    def epsilon(self, delta: Fraction) -> Bound:
        """The smallest epsilon at this delta."""


Compose: TypeAlias = Callable[[Sequence[Draw]], Composed]


@dataclass(frozen=True, eq=False)
class Exactly:
    """Releases whose choices are exactly those of one pair, composed with the others."""

    composed: Composed
    name: str = "best choices of inputs (composition/finite-choice)"

    def delta(self, epsilon: Fraction) -> Bound:
        """delta at an epsilon, which may be negative."""
        return self._named(self.composed.delta(epsilon))

    def epsilon(self, delta: Fraction) -> Bound:
        """epsilon at a delta above 0."""
        return self._named(self.composed.epsilon(delta))

    def _named(self, bound: Bound) -> Bound:
        return Bound(bound.lower, bound.upper, f"{bound.how}, {self.name}")


@dataclass(frozen=True, eq=False)
class Choices:
    """Releases with choices, and the others."""

    game: Game
    fixed: tuple[Draw, ...]
    compose: Compose
    draws: tuple[Draw, ...] = ()
    """All of the releases."""

    @classmethod
    def of(cls, draws: Sequence[Draw], compose: Compose) -> "Choices | Exactly | None":
        """The releases of a plan, if some have choices whose product is above what they do, and are
        few enough.
        """
        two = two_with_ratios(draws)
        if two is not None:
            return Exactly(two, BY_RATIO)
        lasting = [d for d, _, _ in draws if d.last is not None]
        if lasting and all(direction.family is not None for direction in lasting):
            game = cls._played(draws, compose, lambda _: True)
            sharp = game._few is not None or game._beside is not None
            if sum(game.game.whole) > 1 and sharp:
                return game
        game = cls._played(draws, compose, lambda direction: direction.last is None)
        number = sum(game.game.whole)
        if number <= 1:
            sum_of_draws = run_last(draws)
            if sum_of_draws:
                return Exactly(compose(sum_of_draws), LAST)
        if number == 0 or (number == 1 and game.game.families[0][0].least_law):
            return None
        fixed = game.fixed
        exact = _of_tables(game.game.families)
        if exact is not None:
            return Exactly(
                compose(
                    [*fixed, (table_direction(exact), partial(table_loss, exact), 1)]
                )
            )
        return game if game._few_enough else None

    @classmethod
    def _played(
        cls,
        draws: Sequence[Draw],
        compose: Compose,
        plays: Callable[[Direction], bool],
    ) -> "Choices":
        """The game of those releases with families that play; each of the others has one pair."""
        chosen: list[tuple[Family, int]] = []
        players = []
        fixed = []
        for direction, answers, count in draws:
            family = direction.family
            if family is not None and plays(direction):
                chosen.append((family, count))
                players.append((direction, answers, count))
            else:
                one_pair = replace(direction, family=None, last=None)
                fixed.append((one_pair, answers, count))
        every = (*fixed, *players)
        return cls(Game(tuple(chosen)), tuple(fixed), compose, every)

    @remembered_property
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
        """The answer of the game at knots that are fitted to the question; None if the fixed losses
        are few or their profile is not known, or that takes too much work.
        """
        if self._few is not None or self._beside is None:
            return None
        try:
            with precision(BITS), share(FITTED):
                curve = fitted(self._beside)
                return None if curve is None else ask(curve)
        except UndecidedError:
            return None

    @remembered_property
    def _beside(self) -> GameBeside | None:
        with precision(BITS):
            return game_beside(self.game, self.draws)

    @remembered_property
    def _points(self) -> Points | None:
        """The answers point by point, if the fixed releases have few atoms and nothing else."""
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

    @remembered_property
    def _few(self) -> FixedLosses | None:
        """The fixed losses, if they are so few that the game is played at each of them."""
        with precision(BITS):
            few = few_sums(self.fixed)
        if few is None or math.isinf(self.game.direct_work):
            return None
        if self.game.direct_work * len(few.above) > MOST_VALUES:
            return None
        return few

    @property
    def _cells(self) -> int:
        return min(MOST_CELLS, math.floor(MOST_WORK / self.game.work))

    @remembered_property
    def _table(self) -> Tables:
        with precision(BITS):
            if self._lattice is None:
                return self.game.tabulated(self._cells)
            return self._lattice

    @remembered_property
    def _lattice(self) -> Tables | None:
        with precision(BITS):
            return lattice_tables(self.game)

    @remembered_property
    def _laws(self) -> tuple[Composed, Composed]:
        """The fixed releases with the laws above and below the game."""
        with precision(BITS):
            laws = self._table.above.above(), self._table.below.below()
        return self._after_fixed(*laws)

    @by("composition/adaptive-choice")
    def _after_fixed(self, above: Masses, below: Masses) -> tuple[Composed, Composed]:
        """The fixed releases first, and after them a law that is above the game, or one below."""
        return (
            self.compose([*self.fixed, _draw(above, 1)]),
            self.compose([*self.fixed, _draw(below, 0)]),
        )


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
    known = [
        (transform, count) for transform, count in transforms if transform is not None
    ]
    if any(transform.smooths for transform, _ in known):
        return True
    return all(
        transform.patterns(count) is not None
        or transform.planned_points(0.5, count, NATS) < MOST_POINTS
        for transform, count in known
    )


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
    """The intersection of two enclosures of the same number."""
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
