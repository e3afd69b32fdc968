"""The pairs of laws among which a release lets an adversary choose, and the best choice before
other releases.

Let h(g) be the largest delta that the releases still to come can have at exp(epsilon) = g. A
release with a pair whose ratios q/p are r then has E h(g r) under P, and the best pair the largest
of these. h is 1 at 0, convex, and never rises.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from rdpacct.exact.ball import Ball, RealBall
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import Scalar
from rdpacct.exact.raw import real, real_inner
from rdpacct.privacy.tradeoff_points import Merged, least_pair
from rdpacct.provenance import by
from rdpacct.work import spend

BITS = 128
"""The precision of all values of families."""
FamilyValue: TypeAlias = Callable[[RealBall], RealBall]
"""A ball that contains h(g), for a ball of g."""


class Family(ABC):
    """The pairs of laws of one release."""

    cost: float
    """About how many values of what follows one choice looks at."""

    @property
    def exchangeable(self) -> bool:
        """Whether each pair may be turned round, so that values at g < 1 follow from others."""
        return True

    least_law = True
    """Whether the direction of the release has the least law that dominates all pairs, for it
    alone.
    """

    @abstractmethod
    def reach(self) -> Fraction:
        """At least the largest finite loss, and minus the smallest."""

    @abstractmethod
    def first(self, g: RealBall) -> RealBall:
        """The largest delta of the release alone."""

    @abstractmethod
    def best(self, after: FamilyValue, g: RealBall, tolerance: float) -> RealBall:
        """The largest mean of what follows over the pairs, enclosed up to about a relative
        tolerance.
        """

    @abstractmethod
    def infinite(self) -> RealBall:
        """The largest mass at infinity."""

    def finite_pairs(self) -> "FinitePairs | None":
        """The pairs as tables, if they are finitely many finite ones."""
        return None

    def rational_range(self) -> Fraction | None:
        """The length epsilon, if the pairs are all those whose losses lie within such a range."""
        return None


@dataclass(frozen=True)
class FinitePair:
    """A finite pair: the masses under P at the ratios q/p with these places, and the mass at
    infinity.
    """

    places: tuple[int, ...]
    masses: tuple[RealBall, ...]
    infinite: RealBall


@dataclass(frozen=True, eq=False)
class FinitePairs(Family):
    """Finitely many finite pairs, given by the probabilities of each output under P and under Q."""

    tables: tuple[Merged, ...]

    def finite_pairs(self) -> "FinitePairs":
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FinitePairs) and self.tables == other.tables

    def __hash__(self) -> int:
        return hash(self.tables)

    @property
    def cost(self) -> float:  # type: ignore[override]
        """Every pair at every ratio."""
        return float(len(self._ratios))

    @cached_property
    def _ratios(self) -> list[Fraction]:
        return sorted({q / p for table in self.tables for p, q in table if p and q})

    @cached_property
    def _known(self) -> tuple[list[RealBall], list[FinitePair]]:
        """The ratios as balls, and the pairs."""
        place = {ratio: k for k, ratio in enumerate(self._ratios)}
        return [real(ratio) for ratio in self._ratios], [
            _pair(table, place) for table in self.tables
        ]

    def reach(self) -> Fraction:
        sizes = [max(ratio, 1 / ratio) for ratio in self._ratios]
        largest = max(sizes, default=Fraction(1))
        if largest > 1:
            return Fraction(Ball(real(largest).log(), BITS).upper())
        return Fraction(0)

    def infinite(self) -> RealBall:
        return real(max(_at_infinity(table) for table in self.tables))

    def first(self, g: RealBall) -> RealBall:
        return self._highest.at(g)

    @cached_property
    def _highest(self) -> "HockeyStick":
        return HockeyStick(least_pair(self.tables))

    @by("composition/adaptive-choice")
    def best(self, after: FamilyValue, g: RealBall, tolerance: float) -> RealBall:  # noqa: ARG002
        """The largest over the pairs of the mean under P."""
        ratios, pairs = self._known
        spend(2 * (len(ratios) + sum(len(pair.places) for pair in pairs)))
        values = [after(g * ratio) for ratio in ratios]
        return _largest(
            [
                (
                    pair.infinite
                    + real_inner(pair.masses, [values[k] for k in pair.places])
                    if pair.places
                    else pair.infinite
                )
                for pair in pairs
            ]
        )


@by("profile/exchange")
def exchanged(g: Scalar, h: Scalar) -> Scalar:
    """h(1/g) of a pair or of a game, from h(g) of the exchanged one."""
    return 1 - (1 - h) / g


class HockeyStick:
    """E max(p - g q, 0) of a finite pair, from sums over the outputs by falling p/q."""

    def __init__(self, table: Sequence[tuple[Fraction, Fraction]]) -> None:
        rows = sorted(((q / p, p, q) for p, q in table if p), key=lambda row: row[0])
        self.ratios = [float(ratio) for ratio, _, _ in rows]
        self.rows = [(real(p), real(q)) for _, p, q in rows]
        p = q = Fraction(0)
        self.sums = [(real(0), real(0))]
        for _, more_p, more_q in rows:
            p = p + more_p
            q = q + more_q
            self.sums.append((real(p), real(q)))

    def at(self, g: RealBall) -> RealBall:
        """The sum over the outputs with p > g q."""
        k = bisect_left(self.ratios, 1 / float(g)) if float(g) > 0 else len(self.ratios)
        while k > 0 and not self._excess(k - 1, g) >= 0:
            k -= 1
        p, q = self.sums[k]
        total = p - g * q
        while k < len(self.rows) and not (more := self._excess(k, g)) <= 0:
            total = total + more.max(real(0))
            k += 1
        return total

    def tail(self, g: RealBall) -> RealBall:
        """The mass under P of the outputs with p > g q."""
        k = bisect_left(self.ratios, 1 / float(g)) if float(g) > 0 else len(self.ratios)
        while k > 0 and not self._excess(k - 1, g) > 0:
            k -= 1
        total = self.sums[k][0]
        while k < len(self.rows) and not self._excess(k, g) <= 0:
            p = self.rows[k][0]
            total = total + (p if self._excess(k, g) > 0 else p.union(real(0)))
            k += 1
        return total

    def _excess(self, k: int, g: RealBall) -> RealBall:
        p, q = self.rows[k]
        return p - g * q


def _pair(
    table: Sequence[tuple[Fraction, Fraction]], place: dict[Fraction, int]
) -> FinitePair:
    masses: dict[int, Fraction] = {}
    for p, q in table:
        if p and q:
            k = place[q / p]
            masses[k] = masses.get(k, Fraction(0)) + p
    return FinitePair(
        tuple(masses), tuple(map(real, masses.values())), real(_at_infinity(table))
    )


def _at_infinity(table: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    return sum((p for p, q in table if not q), start=Fraction(0))


def _largest(values: Sequence[RealBall]) -> RealBall:
    """The largest of several balls; those that are certainly below another are left out."""
    top = max(values, key=float)
    for value in values:
        if value is not top and not value < top:
            top = top.max(value)
    return top
