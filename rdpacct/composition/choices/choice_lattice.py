"""Many releases of one exponential mechanism: the value of their game on a lattice that holds its
choices.

On the lattice of step epsilon/m the losses t and t - epsilon with t on it lead from points to
points. The best of these choices is a lower end. For an upper end each cell between two choices
adds its bulge.
"""

import math
from fractions import Fraction
from itertools import pairwise

from rdpacct.composition.choices.game import Game, Tables
from rdpacct.composition.grids.knots import BEYOND, Knots
from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import powers, real
from rdpacct.privacy.bounded_range import bulge, masses
from rdpacct.privacy.family import exchanged
from rdpacct.provenance import by
from rdpacct.work import spend

FEWEST, MOST_WORK, FINEST = 5, 600_000.0, 256
"""From how many releases on it is used, how many choices are looked at in all, and the largest
m.
"""
COARSEST = 3
CHOICE_WORK = 1.5
"""The work of a choice, for both sides."""


def on_a_lattice(game: Game) -> bool:
    """Whether the releases are of one mechanism with a rational epsilon, several and not too
    many.
    """
    if len(game.families) != 1:
        return False
    [(family, count)] = game.families
    rational = family.rational_range() is not None
    return rational and count >= FEWEST and _cells(count) >= COARSEST


def lattice_tables(game: Game) -> Tables | None:
    """The value on a lattice, if there is one."""
    [(family, count), *_] = game.families
    length = family.rational_range()
    if length is None or not on_a_lattice(game):
        return None
    return ChoiceLattice(length, _cells(count)).tables(count)


def _cells(count: int) -> int:
    return min(FINEST, math.floor(math.sqrt(2 * MOST_WORK) / count))


class ChoiceLattice:
    """The choices v = exp(-j step) for j = 0, ..., m, with the weights of what follows them."""

    def __init__(self, epsilon: Fraction, cells: int) -> None:
        self.cells = cells
        self.step = epsilon / cells
        self.least = (-real(epsilon)).exp()
        ratios = powers((-real(self.step)).exp(), cells + 1)
        self.weights = [masses(self.least, v) for v in ratios]
        one = real(1)
        nothing = real(0)
        # the bulge is linear in the differences of h(g v) and h(g v/c) at the two ends of a cell
        self.bulges = [
            (
                bulge(self.least, w, one, nothing, v, nothing, nothing),
                bulge(self.least, w, nothing, nothing, v, one, nothing),
            )
            for v, w in pairwise(ratios)
        ]

    def tables(self, count: int) -> Tables:
        """The values of this many releases, from both sides."""
        spend(CHOICE_WORK * (count * self.cells) ** 2)
        number = count * self.cells + BEYOND
        growth = powers(real(self.step).exp(), number + 2)
        above, below = (self._values(count, growth, upper) for upper in (True, False))
        origin = -number * self.step
        return Tables(
            *(
                Knots(origin, self.step, _both_sides(side, growth, number))
                for side in (above, below)
            )
        )

    @by("composition/adaptive-choice")
    def _values(
        self, count: int, growth: list[RealBall], upper: bool
    ) -> list[RealBall]:
        """h at g >= 1 on the lattice, up to where it is 0: each release before those that are
        known.
        """
        values = [real(0)]
        for releases in range(count):
            reach = (releases + 1) * self.cells
            known = _both_sides(values, growth, reach + self.cells)
            start = reach + self.cells
            gaps = [h - k for h, k in zip(known, known[self.cells :], strict=False)]
            values = [
                self.best_choice(known, gaps, start + i, upper)
                for i in range(reach + 1)
            ]
        return values

    @by("exponential/choice")
    def best_choice(
        self, known: list[RealBall], gaps: list[RealBall], place: int, upper: bool
    ) -> RealBall:
        """The best mean of what follows over the lattice, or over all choices if an upper end is
        wanted.
        """
        m = self.cells
        means = [
            up * known[place - j] + down * known[place - j + m]
            for j, (up, down) in enumerate(self.weights)
        ]
        best = max(means, key=float)
        for mean in means:
            if not mean <= best:
                best = best.max(mean)
        if not upper:
            return best
        top = best
        for j, (left, right) in enumerate(self.bulges):
            more = left * gaps[place - j - 1] + right * gaps[place - j]
            if more <= 0:
                continue
            for mean in (means[j], means[j + 1]):
                bound = mean + more
                if not bound <= top:
                    top = top.max(bound)
        return top


def _both_sides(
    values: list[RealBall], growth: list[RealBall], number: int
) -> list[RealBall]:
    """h at the places -number to number, from those at 0, 1, ... after which it is 0."""
    zero = real(0)
    above = [*values, *([zero] * (number + 1 - len(values)))][: number + 1]
    while len(growth) <= number:
        growth.append(growth[-1] * growth[1])
    return [*(exchanged(growth[k], above[k]) for k in range(number, 0, -1)), *above]
