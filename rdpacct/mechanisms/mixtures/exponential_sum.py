"""A mixture of Gaussians over the standard one: a sum of exponentials with positive weights.

With the noise as unit, sum w_j N(c_j, 1) has the density S(x) = sum w_j exp(c_j x - c_j**2/2) with
respect to N(0, 1).
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import RealBall
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import ZERO, Expr, formula
from rdpacct.exact.raw import pi, real
from rdpacct.privacy.constants import about, value

FARTHEST = 700.0
"""Exponentials of more are not taken in doubles."""


@dataclass(frozen=True)
class ExponentialSum:
    """The weights of a mixture, which add up to 1, by the places of its components."""

    terms: tuple[tuple[Expr, Expr], ...]

    @cached_property
    def planned_terms(self) -> tuple[tuple[float, float], ...]:
        """The logarithm of each weight at x = 0, and its place, about."""
        found = []
        for weight, place in self.terms:
            at = about(place)
            if (share := about(weight)) > 0:
                found.append((math.log(share) - at * at / 2, at))
        return tuple(found)

    def planned_slope(self, x: float) -> float:
        """The slope of log S(x), about."""
        if len(self.planned_terms) == 1:
            return self.planned_terms[0][1]
        logs = [weight + place * x for weight, place in self.planned_terms]
        top = max(logs)
        shares = [math.exp(log - top) for log in logs]
        places = [place for _, place in self.planned_terms]
        weighted = sum(s * c for s, c in zip(shares, places, strict=True))
        return weighted / sum(shares)

    def planned_log(self, x: float) -> float:
        """log S(x), about."""
        if len(self.planned_terms) == 1:
            weight, place = self.planned_terms[0]
            return weight + place * x
        logs = [weight + place * x for weight, place in self.planned_terms]
        top = max(logs)
        return top + math.log(sum(math.exp(log - top) for log in logs))

    @cached_property
    def planned_ends(self) -> tuple[float, float]:
        """The first and the last place, about."""
        places = [place for _, place in self.planned_terms]
        return min(places), max(places)

    def balls(self) -> "SumOfBalls":
        """The same at the current precision."""
        rows = [(value(weight), value(place)) for weight, place in self.terms]
        return SumOfBalls([(w * (-c * c / 2).exp(), c) for w, c in rows])

    def mirrored(self) -> "ExponentialSum":
        """The sum at -x."""
        return ExponentialSum(tuple((w, -c) for w, c in self.terms))

    def beyond(self, x: RealBall) -> RealBall:
        """The probability under the mixture of what is above x."""
        root = real(2).sqrt()
        return sum(
            (value(w) * ((x - value(c)) / root).erfc() / 2 for w, c in self.terms),
            start=real(0),
        )


class SumOfBalls:
    """S at the current precision: pairs of a weight and a place."""

    def __init__(self, rows: list[tuple[RealBall, RealBall]]) -> None:
        self.rows = rows
        self.moving = [(w, c) for w, c in rows if (c == 0) is False]
        self.still = sum((w for w, c in rows if c == 0), start=real(0))
        places = [c for _, c in rows]
        self.first = places[0]
        self.last = places[0]
        for place in places[1:]:
            self.first = self.first.min(place)
            self.last = self.last.max(place)

    def at(self, x: RealBall) -> RealBall:
        """S(x)."""
        total = self.still
        for w, c in self.moving:
            total = total + w * (c * x).exp()
        return total

    def log(self, x: RealBall) -> RealBall:
        """log S(x)."""
        if not self.moving and self.still == 1:
            return real(0)
        return self.at(x).log()

    def slopes(self, x: RealBall) -> tuple[RealBall, RealBall, RealBall]:
        """S, its slope and the slope of that."""
        found = [real(0)] * 3
        for w, c in self.rows:
            term = w * (c * x).exp()
            found = [found[0] + term, found[1] + c * term, found[2] + c * c * term]
        return found[0], found[1], found[2]

    def between(self, low: RealBall, high: RealBall) -> "BoundsBetween":
        """Bounds on S between two points."""
        least = most = self.still
        moved = real(0)
        for w, c in self.moving:
            ends = (c * low).exp(), (c * high).exp()
            largest = w * ends[0].max(ends[1])
            least = least + w * ends[0].min(ends[1])
            most = most + largest
            moved = moved + largest * abs(c)
        return BoundsBetween(self, least, most, moved)


class BoundsBetween:
    """Bounds on a sum between two points of the line: the least and the most of it, and the most of
    its terms times the sizes of their places.
    """

    def __init__(
        self, of: SumOfBalls, least: RealBall, most: RealBall, moved: RealBall
    ) -> None:
        self.of = of
        self.least = least
        self.most = most
        self.moved = moved

    def turn(self, tall: RealBall) -> RealBall:
        """At least the argument of S within ``tall`` of the axis: that of its widest term, or the
        tangent of the argument where one term stays as it is.
        """
        whole = tall * abs(self.of.first).max(abs(self.of.last))
        if not (self.of.still > 0 and 2 * whole < pi()):
            return whole
        return whole.min(tall * self.moved / self.of.still)


def two_terms(rate: Expr, place: Expr) -> ExponentialSum:
    """A mixture of N(0, 1) with N(place, 1), which has the weight ``rate``."""
    return ExponentialSum(((1 - rate, ZERO), (rate, place)))


def one_term(place: Expr = ZERO) -> ExponentialSum:
    """A Gaussian alone."""
    return ExponentialSum(((formula(Fraction(1)), place),))
