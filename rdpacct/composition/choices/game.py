"""The largest delta of several releases that let an adversary choose among pairs, adaptively and in
the worst order.

The value of the game is found backwards: h of no release is max(0, 1 - g), and h of some releases
is the largest over which of them runs next of the best choice of its pair before the others.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

from rdpacct.composition.grids.knots import BEYOND, Knots
from rdpacct.exact.ball import RealBall
from rdpacct.exact.cached import cached_property
from rdpacct.exact.raw import real
from rdpacct.privacy.family import Family, FamilyValue, exchanged
from rdpacct.privacy.grid import FINE
from rdpacct.provenance import by
from rdpacct.work import spend

FINE_TOLERANCE = 1e-9
COARSE_TOLERANCE = 1e-5
MOST_DIRECT = 3
"""Up to this many releases are answered point by point."""
MOST_PARTS, CELL_WORK = 100_000, 10
"""The parts of the releases that a table may look at, and the work of a cell beside that of its
best choices.
"""
Counts = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Game:
    """Releases with choices, each with the number of times that it is run."""

    families: tuple[tuple[Family, int], ...]
    tolerance: float = FINE_TOLERANCE
    known: dict[Counts, FamilyValue] = field(default_factory=dict)

    @cached_property
    def whole(self) -> Counts:
        """All releases."""
        return tuple(count for _, count in self.families)

    @cached_property
    def reach(self) -> Fraction:
        """At least the largest finite sum of losses."""
        return self.reach_of(self.whole)

    def reach_of(self, counts: Counts) -> Fraction:
        """At least the largest finite sum of losses of some of the releases."""
        rows = zip(self.families, counts, strict=True)
        return sum(
            (family.reach() * count for (family, _), count in rows), start=Fraction(0)
        )

    @cached_property
    def infinite(self) -> RealBall:
        """The largest mass at infinity."""
        share = real(1)
        for family, count in self.families:
            share = share * (1 - family.infinite()) ** count
        return 1 - share

    @cached_property
    def direct_work(self) -> float:
        """How many values of single releases one value looks at, about; infinite if there are many
        releases.
        """
        if sum(self.whole) > MOST_DIRECT:
            return math.inf
        return self._direct(self.whole)

    def _direct(self, counts: Counts) -> float:
        if sum(counts) <= 1:
            return 1.0
        options = [
            (self.families[k][0], _less_one(counts, k))
            for k, n in enumerate(counts)
            if n
        ]
        return sum(family.cost * self._direct(rest) for family, rest in options)

    @cached_property
    def work(self) -> float:
        """How many values a table looks at for each of its cells, about."""
        if math.prod(count + 1 for count in self.whole) > MOST_PARTS:
            return math.inf
        total = 0.0
        for counts in (*_fewer(self.whole), self.whole):
            if sum(counts) > 1 or counts == self.whole:
                share = (
                    self.reach_of(counts) / self.reach if self.reach else Fraction(1)
                )
                costs = sum(self.families[k][0].cost for k, n in enumerate(counts) if n)
                total += float(share) * costs / 2
        return total

    def value(self, counts: Counts | None = None) -> FamilyValue:
        """h of some of the releases, or of all."""
        counts = self.whole if counts is None else counts
        known = self.known.get(counts)
        if known is None:
            known = self.known[counts] = self._value(counts)
        return known

    def _value(self, counts: Counts) -> FamilyValue:
        if sum(counts) == 0:
            return nothing_left
        if sum(counts) == 1:
            return self.families[counts.index(1)][0].first
        options = [
            (self.families[k][0], self.value(_less_one(counts, k)))
            for k, n in enumerate(counts)
            if n
        ]
        top = real(self.reach_of(counts)).exp()
        return lambda g: self._best(options, g, top)

    def _best(
        self, options: Sequence[tuple[Family, FamilyValue]], g: RealBall, top: RealBall
    ) -> RealBall:
        if len(options) == 1 and g > top and self.infinite.upper() == 0:
            return real(0)
        return best_next(
            [family.best(after, g, self.tolerance) for family, after in options]
        )

    def tabulated(self, cells: int) -> "Tables":
        """h of all releases on a grid with this many cells, by way of those of fewer releases on
        the same step.
        """
        step = max(Fraction(math.ceil(2 * self.reach / cells / FINE)) * FINE, FINE)
        known: dict[Counts, Tables] = {}
        for counts in (*_fewer(self.whole), self.whole):
            if sum(counts) > 1 or counts == self.whole:
                known[counts] = self._tables(counts, step, known)
        return known[self.whole]

    def _tables(
        self, counts: Counts, step: Fraction, known: "dict[Counts, Tables]"
    ) -> "Tables":
        rests = [_less_one(counts, k) for k, n in enumerate(counts) if n]
        if not any(rest in known for rest in rests):
            exact = self._table(counts, step, self._value(counts))
            return Tables(exact, exact)
        above, below = (
            self._table(counts, step, self._after(counts, known, side))
            for side in (True, False)
        )
        return Tables(above, below)

    def _after(
        self, counts: Counts, known: "dict[Counts, Tables]", above: bool
    ) -> FamilyValue:
        """h where the next release is followed by what the tables say."""
        options = []
        for k, n in enumerate(counts):
            if n:
                rest = _less_one(counts, k)
                if rest not in known:
                    after = self._value(rest)
                elif above:
                    after = known[rest].upper
                else:
                    after = known[rest].lower
                options.append((self.families[k][0], after))
        return lambda g: best_next(
            [family.best(after, g, self.tolerance) for family, after in options]
        )

    def _table(self, counts: Counts, step: Fraction, h: FamilyValue) -> Knots:
        """The values at g >= 1; those below follow if every family is closed under exchange."""
        number = math.ceil(self.reach_of(counts) / step) + BEYOND
        points = Knots(Fraction(0), step, [real(0)] * (number + 1)).points
        spend(CELL_WORK * number)
        above = [h(g) for g in points]
        if not all(family.exchangeable for family, _ in self.families):
            spend(CELL_WORK * number)
            others = [h(1 / g) for g in points[:0:-1]]
            return Knots(-number * step, step, [*others, *above])
        below = [
            exchanged(g, value)
            for g, value in zip(points[:0:-1], above[:0:-1], strict=True)
        ]
        return Knots(-number * step, step, [*below, *above])


@dataclass(frozen=True, eq=False)
class Tables:
    """A profile between two convex functions, each known at the points of a grid."""

    above: Knots
    below: Knots

    def upper(self, g: RealBall) -> RealBall:
        """At least h(g)."""
        return self.above.upper(g)

    def lower(self, g: RealBall) -> RealBall:
        """At most h(g)."""
        return self.below.lower(g)

    def __call__(self, g: RealBall) -> RealBall:
        """A ball that contains h(g)."""
        return self.upper(g).union(self.lower(g))


def nothing_left(g: RealBall) -> RealBall:
    """h of no release."""
    return (1 - g).max(real(0))


@by("composition/adaptive-choice")
def best_next(values: Sequence[RealBall]) -> RealBall:
    """The largest of the values that each choice of the next release gives."""
    best = values[0]
    for value in values[1:]:
        if not value <= best:
            best = best.max(value)
    return best


def _less_one(counts: Counts, k: int) -> Counts:
    return (*counts[:k], counts[k] - 1, *counts[k + 1 :])


def _fewer(counts: Counts) -> Iterator[Counts]:
    """Every part of the releases but all of them, the smaller ones first."""
    every = product(*(range(n + 1) for n in counts))
    yield from sorted((part for part in every if part != counts), key=sum)
