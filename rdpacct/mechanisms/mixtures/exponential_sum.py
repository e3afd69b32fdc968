"""A mixture of Gaussians over the standard one: a sum of exponentials with positive weights.

With the noise as unit, sum w_j N(c_j, 1) has the density S(x) = sum w_j exp(c_j x - c_j**2/2) with
respect to N(0, 1).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from rdpacct.exact.ball import RealBall
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import ZERO, Expr, add, formula
from rdpacct.exact.raw import pi, real
from rdpacct.privacy.constants import about, value

FARTHEST = 700.0
"""Exponentials of larger numbers are not taken in doubles."""


@dataclass(frozen=True)
class ExponentialSum:
    """The weights of a mixture by the places of its components.

    They add up to 1, or to less if some of the mass has an infinite loss.
    """

    terms: tuple[tuple[Expr, Expr], ...]

    @cached_property
    def planned_terms(self) -> tuple[tuple[float, float], ...]:
        """The logarithm of each weight at x = 0, and its place, about."""
        terms = []
        for weight, place in self.terms:
            at = about(place)
            if (share := about(weight)) > 0:
                terms.append((math.log(share) - at * at / 2, at))
        return tuple(terms)

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
        if len(self.planned_terms) == 2:
            (weight, place), (other, further) = self.planned_terms
            gap = other - weight + (further - place) * x
            high = weight + place * x + max(gap, 0.0)
            return high + math.log1p(math.exp(-abs(gap)))
        logs = [weight + place * x for weight, place in self.planned_terms]
        top = max(logs)
        return top + math.log(sum(math.exp(log - top) for log in logs))

    def _planned_shares(self, x: float) -> list[float]:
        """Each term at x as a share of the largest, about."""
        logs = [weight + place * x for weight, place in self.planned_terms]
        top = max(logs)
        return [math.exp(log - top) for log in logs]

    def planned_spread(self, x: float) -> float:
        """About the bound on the mean square distance of the places from the largest term."""
        shares = self._planned_shares(x)
        middle = self.planned_terms[shares.index(1.0)][1]
        return sum(
            share * (place - middle) ** 2
            for share, (_, place) in zip(shares, self.planned_terms, strict=True)
        )

    def planned_bend(self, x: float, radius: float) -> float:
        """About the bound on how far the logarithm of S is from a straight line on the disk about
        x.
        """
        if len(self.planned_terms) == 1:
            return 0.0
        shares = self._planned_shares(x)
        mean = self.planned_slope(x)
        off = 0.0
        for share, (_, place) in zip(shares, self.planned_terms, strict=True):
            far = min(abs(place - mean) * radius, FARTHEST)
            off += share * (math.expm1(far) - far)
        off /= sum(shares)
        return -math.log1p(-off) if off < 1 else math.inf

    def planned_turn(self, x: float) -> float:
        """About the bound on how fast the argument turns above x."""
        most = max(map(abs, self.planned_ends))
        rows = list(zip(self._planned_shares(x), self.planned_terms, strict=True))
        still = sum(share for share, (_, place) in rows if place == 0)
        moved = sum(share * abs(place) for share, (_, place) in rows)
        return min(most, moved / still) if still > 0 else most

    @cached_property
    def planned_ends(self) -> tuple[float, float]:
        """The first and the last place, about."""
        places = [place for _, place in self.planned_terms]
        return min(places), max(places)

    @cached_property
    def planned_kinks(self) -> tuple[float, ...]:
        """Where two neighboring components weigh the same, about."""
        rows = sorted(self.planned_terms, key=lambda row: row[1])
        kinks = []
        for (weight, place), (other, further) in pairwise(rows):
            if further > place:
                kinks.append((weight - other) / (further - place))
        return tuple(kinks)

    def balls(self) -> "SumOfBalls":
        """The same sum at the current precision."""
        rows = [(value(weight), value(place)) for weight, place in self.terms]
        return SumOfBalls([(w * (-c * c / 2).exp(), c) for w, c in rows])

    def mirrored(self) -> "ExponentialSum":
        """The sum at -x."""
        return ExponentialSum(tuple((w, -c) for w, c in self.terms))

    def total(self) -> RealBall:
        """The probability of the whole line, which is less than 1 if some mass is elsewhere."""
        return value(add(*(weight for weight, _ in self.terms)))

    def beyond(self, x: RealBall) -> RealBall:
        """The probability under the mixture of what is above x."""
        return self.tail()(x)

    def tail(self) -> Callable[[RealBall], RealBall]:
        """From a point to the probability of what is above it, at the current precision."""
        shrink = 1 / real(2).sqrt()
        rows = [(value(w) / 2, value(c)) for w, c in self.terms]

        def beyond(x: RealBall) -> RealBall:
            total = real(0)
            for half, place in rows:
                total = total + half * ((x - place) * shrink).erfc()
            return total

        return beyond


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
        sums = [real(0)] * 3
        for w, c in self.rows:
            term = w * (c * x).exp()
            sums = [sums[0] + term, sums[1] + c * term, sums[2] + c * c * term]
        return sums[0], sums[1], sums[2]

    def between(self, low: RealBall, high: RealBall) -> "BoundsBetween":
        """Bounds on S between two points."""
        largest = []
        for w, c in self.rows:
            largest.append(w * (c * low).exp().max((c * high).exp()))
        return BoundsBetween(self, largest, self._spread(low, high))

    def _spread(self, low: RealBall, high: RealBall) -> RealBall:
        """At least the mean of (c - d)**2 weighted by the terms, for a place d of a large term: S
        is at least that term.
        """
        if len(self.rows) == 1:
            return real(0)
        middle = (low + high) / 2
        sizes = [float((w.log() + c * middle).mid()) for w, c in self.rows]
        weight, place = self.rows[sizes.index(max(sizes))]
        total = real(0)
        for w, c in self.rows:
            apart = c - place
            if apart == 0:
                continue
            most = (apart * low).exp().max((apart * high).exp())
            total = total + w / weight * most * apart * apart
        return total


class BoundsBetween:
    """Bounds on a sum between two points of the line: the most of each term, and the spread of the
    places.
    """

    def __init__(
        self, of: SumOfBalls, largest: list[RealBall], spread: RealBall
    ) -> None:
        self.of = of
        self.largest = largest
        self.spread = spread

    def turn(self, tall: RealBall) -> RealBall:
        """At least the argument of S within ``tall`` of the axis: that of its widest term, or the
        tangent of the argument where one term stays as it is.
        """
        whole = tall * abs(self.of.first).max(abs(self.of.last))
        if not (self.of.still > 0 and 2 * whole < pi()):
            return whole
        moved = real(0)
        for (_, c), most in zip(self.of.rows, self.largest, strict=True):
            moved = moved + most * abs(c)
        return whole.min(tall * moved / self.of.still)


def two_terms(rate: Expr, place: Expr) -> ExponentialSum:
    """A mixture of N(0, 1) with N(place, 1), which has the weight ``rate``."""
    return ExponentialSum(((1 - rate, ZERO), (rate, place)))


def one_term(place: Expr = ZERO) -> ExponentialSum:
    """A Gaussian alone."""
    return ExponentialSum(((formula(Fraction(1)), place),))
