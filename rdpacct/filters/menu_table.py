"""What the best strategy gains from a menu of releases, for each budget that it may still spend.

A strategy runs releases of the menu one after the other, each chosen by the outputs so far, while
their prices stay within a budget, and stops when it likes. With the loss x so far and nothing left
it has gained max(1 - exp(epsilon - x), 0), the delta at epsilon. With more left it has the largest
mean, over the releases that it can pay, of what it gains after one of them. Losses are moved to a
grid from above, so that this is worked out at its points, one budget after the other.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.formula import Expr
from rdpacct.exact.raw import real, whole_product
from rdpacct.privacy.constants import value
from rdpacct.privacy.dominating import dominating_masses
from rdpacct.privacy.grid import span
from rdpacct.privacy.parts import Part
from rdpacct.provenance import by

POINTS = 3000
"""How many steps the grid of the losses has."""
BITS = 128
ONE = 1 << BITS
FINE = 2**40
"""The step of the grid is a multiple of one over this."""
NEGLIGIBLE = Fraction(1, 2**40)
"""The share of delta below which a mass at an end is moved up."""
RARE = Fraction(1, 1000)
"""The share of delta that a release may have beyond the loss for which the grid is made."""
FARTHEST = 8

LawOfLoss = tuple[tuple[Part, ...], Expr]
"""The law of a loss: its parts, and the mass at infinity."""
Gains = list[int]
"""The gain at each point of the grid, in units of 2**-BITS, rounded up."""


@dataclass(frozen=True)
class MenuItem:
    """A release of a menu: its price in units, and laws that dominate it, of which each run may
    have any.
    """

    price: int
    laws: tuple[LawOfLoss, ...]


@dataclass(frozen=True)
class Moves:
    """The masses with which a release moves the loss by 0, 1, 2, ... steps more than its first
    move, and to infinity.
    """

    price: int
    first: int
    masses: list[RealBall]
    infinite: RealBall


@dataclass(frozen=True)
class RoundedMoves:
    """The moves of a release in units of 2**-BITS, rounded up."""

    price: int
    first: int
    masses: list[int]
    infinite: int

    def mean_of(self, gains: Gains) -> Gains:
        """The mean gain after this release, at each point.

        Below the grid nothing more is gained than at its first point, and nowhere more than 1.
        """
        size = len(self.masses)
        below = max(0, -self.first)
        above = max(0, self.first + size - 1)
        around = [gains[0]] * below + gains + [ONE] * above
        sums = whole_product(self.masses[::-1], around)
        start = size - 1 + self.first + below
        return [
            -(-total >> BITS) + self.infinite
            for total in sums[start : start + len(gains)]
        ]


@dataclass(frozen=True)
class MenuTable:
    """The grid of losses for one epsilon and one delta, which begins below the loss 0."""

    epsilon: Expr
    delta: Fraction
    step: Fraction
    below: int
    """How many points lie below the loss 0."""
    count: int

    @classmethod
    def of(
        cls,
        epsilon: Expr,
        delta: Fraction,
        menu: Sequence[MenuItem],
        points: int = POINTS,
    ) -> "MenuTable":
        """A grid from below 0 to beyond epsilon, and farther if the releases have large losses."""
        level = Fraction(epsilon.ball(64).upper())
        margin = (level + 1) / 2
        jump = max(_farthest(item, delta * RARE) for item in menu)
        under = max(margin, jump)
        width = under + level + max(margin, 2 * jump)
        step = Fraction(math.ceil(width / points * FINE), FINE)
        below = math.ceil(under / step)
        return cls(epsilon, delta, step, below, points + 1)

    def largest_gains(self, menu: Sequence[MenuItem]) -> Iterator[Fraction]:
        """The most that a strategy gains from the start, with a budget of 0, 1, 2, ... units."""
        moves = [self.moves(item) for item in menu]
        with precision(2 * BITS):
            level = value(self.epsilon)
            tables = [[rounded(gain_at(level, x)) for x in self.losses()]]
        while True:
            yield Fraction(tables[-1][self.below], ONE)
            budget = len(tables)
            payable = [release for release in moves if release.price <= budget]
            rows = [
                release.mean_of(tables[budget - release.price]) for release in payable
            ]
            tables.append(list(map(max, tables[-1], *rows, tables[-1])))

    def losses(self) -> list[RealBall]:
        """The points of the grid."""
        return [real(self.step * (k - self.below)) for k in range(self.count)]

    def moves(self, item: MenuItem) -> RoundedMoves:
        """A release on the grid, from above."""
        farthest = self.step * self.count
        parts = [part for inside, _ in item.laws for part in inside]
        low, high = span(parts, self.delta * NEGLIGIBLE) if parts else (0, 0)
        first = math.floor(max(low, -farthest) / self.step)
        last = max(math.ceil(min(high, farthest) / self.step), first + 1)
        origin = self.step * first
        law = dominating_masses(item.laws, origin, self.step, last - first)
        moves = Moves(item.price, first, law.masses, law.infinite)
        with precision(2 * BITS):
            kept = without_ends(moves, float(self.delta * NEGLIGIBLE))
            masses = [rounded(mass) for mass in kept.masses]
            return RoundedMoves(kept.price, kept.first, masses, rounded(kept.infinite))


def rounded(share: RealBall) -> int:
    """A number that is not negative, in units of 2**-BITS, rounded up."""
    upper = Fraction(Ball(share, 2 * BITS).upper())
    return max(0, math.ceil(upper * ONE))


def _farthest(item: MenuItem, rare: Fraction) -> Fraction:
    """About the loss that a release rarely exceeds; it only steers where the grid ends."""
    loss = Fraction(1, 64)
    parts = [part for inside, _ in item.laws for part in inside]
    while loss < FARTHEST:
        above = sum(part.tail(loss, 64).upper() for part in parts)
        if above <= rare:
            break
        loss *= 2
    return loss


@by("adaptive/menu")
def gain_at(epsilon: RealBall, loss: RealBall) -> RealBall:
    """The gain of stopping at a loss: one minus the odds left to it, if that is positive."""
    return (1 - (epsilon - loss).exp()).max(real(0))


@by("adaptive/menu")
def without_ends(moves: Moves, least: float) -> Moves:
    """The moves with small masses at both ends moved up: to the next loss, and to infinity."""
    masses = list(moves.masses)
    infinite = moves.infinite
    while len(masses) > 1 and float(masses[-1]) < least:
        infinite = infinite + masses.pop()
    start = 0
    while start < len(masses) - 1 and float(masses[start]) < least:
        masses[start + 1] = masses[start + 1] + masses[start]
        start += 1
    return Moves(moves.price, moves.first + start, masses[start:], infinite)
