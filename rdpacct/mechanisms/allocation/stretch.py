"""Masses at neighboring points of a grid, as polynomials with whole coefficients.

A product of two is the law of a sum of independent numbers. Nothing is rounded but downwards, to
whole numbers of a unit: what is lost is what the total lacks.
"""

from dataclasses import dataclass

from rdpacct.exact.raw import WholePolynomial


@dataclass(frozen=True, slots=True)
class GridStretch:
    """The masses at the points ``start``, ``start + 1``, ... of a grid, and beside each of them the
    part of the mean that is there.
    """

    start: int
    masses: WholePolynomial
    moments: WholePolynomial

    @classmethod
    def of(cls, start: int, masses: list[int], moments: list[int]) -> "GridStretch":
        """From the coefficients."""
        return cls(start, WholePolynomial(masses), WholePolynomial(moments))

    @property
    def length(self) -> int:
        """The number of points over which it reaches."""
        return max(self.masses.length(), self.moments.length())

    def __add__(self, other: "GridStretch") -> "GridStretch":
        if not other.length:
            return self
        if not self.length:
            return other
        if other.start < self.start:
            return other + self
        gap = other.start - self.start
        return GridStretch(
            self.start,
            self.masses + other.masses.left_shift(gap),
            self.moments + other.moments.left_shift(gap),
        )

    def __mul__(self, other: "GridStretch") -> "GridStretch":
        """The law of the sum: means add up."""
        return GridStretch(
            self.start + other.start,
            self.masses * other.masses,
            self.moments * other.masses + self.masses * other.moments,
        )

    def twice(self) -> "GridStretch":
        """Twice the masses and moments."""
        return GridStretch(self.start, 2 * self.masses, 2 * self.moments)

    def divided(self, unit: int) -> "GridStretch":
        """The same in units that are ``unit`` times as large, rounded down."""
        return GridStretch(self.start, self.masses // unit, self.moments // unit)

    def within(self, first: int, last: int) -> "GridStretch":
        """The part from the first point on and before the last one, without zeros in front."""
        low = max(first - self.start, 0)
        high = max(last - self.start, 0)
        masses = self.masses.truncate(high).right_shift(low)
        moments = self.moments.truncate(high).right_shift(low)
        zeros = _zeros(masses, moments)
        return GridStretch(
            self.start + low + zeros,
            masses.right_shift(zeros),
            moments.right_shift(zeros),
        )

    def finer(self) -> "GridStretch":
        """On a grid with twice as many points."""
        return GridStretch(2 * self.start, _spaced(self.masses), _spaced(self.moments))

    def coarser(self) -> "GridStretch":
        """On a grid with every second point: what is between two goes to both of them in halves."""
        odd = self.start % 2
        return GridStretch(
            (self.start - odd) // 2,
            _halved(self.masses.left_shift(odd)),
            _halved(self.moments.left_shift(odd)),
        )

    def totals(self) -> tuple[int, int]:
        """The whole mass and the whole moment."""
        return int(self.masses(1)), int(self.moments(1))

    def rows(self) -> list[tuple[int, int, int]]:
        """Each point with its mass and its moment."""
        masses = list(map(int, self.masses.coeffs()))
        moments = list(map(int, self.moments.coeffs()))
        masses += [0] * (self.length - len(masses))
        moments += [0] * (self.length - len(moments))
        places = range(self.start, self.start + self.length)
        return list(zip(places, masses, moments, strict=True))


NOTHING = GridStretch(0, WholePolynomial([]), WholePolynomial([]))


def _zeros(masses: WholePolynomial, moments: WholePolynomial) -> int:
    """How many points in front have nothing."""
    pairs = zip(masses.coeffs(), moments.coeffs(), strict=False)
    for place, (mass, moment) in enumerate(pairs):
        if mass or moment:
            return place
    return 0


def _spaced(coefficients: WholePolynomial) -> WholePolynomial:
    if not coefficients.length():
        return coefficients
    return coefficients.inflate(2)


def _halved(coefficients: WholePolynomial) -> WholePolynomial:
    spread = coefficients * WholePolynomial([1, 2, 1])
    return WholePolynomial(spread.coeffs()[1::2]) // 2
