"""The smallest quadratic above a log moment: what makes a loss subgaussian, and what zCDP measures.

Write K(t) = log E exp(t L). A centered tau is the square root of the supremum over all t != 0 of
(K(t) - t E L) / (t**2/2); a rho of zCDP is the supremum over t > 0 of K(t) / (t + t**2). Both are
suprema of N(t) / (linear t + square t**2) for a convex N. Near zero N is enclosed by its Taylor
polynomial; further out its chord over an interval bounds it from above, so that values at single
points certify the supremum everywhere.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound, End
from rdpacct.exact.supremum import MAX_STEPS, supremum_over
from rdpacct.privacy.moment_chords import (
    at_crest,
    chord,
    crest,
    from_slope,
    quotient_at,
)
from rdpacct.privacy.moment_series import (
    SHORT_ORDER,
    TAYLOR_ORDER,
    log_series,
    moved_by,
    quotient_near_zero,
    slope_near_zero,
    slope_series,
)
from rdpacct.provenance import by

SHORT_STEPS = 60
"""The short polynomial shows this within this many steps, or never: it is too coarse."""
SHORTEST = Fraction(1, 2**128)
"""Moments are told apart if the range of losses is at least this long."""
NOTHING = Bound.exactly(Fraction(0))


@dataclass(frozen=True, slots=True)
class BoundedLaw:
    """A loss with values in [low, high], as a subgaussian bound needs it; ``central_moments(n)`` is
    E (L - mean)**k for k up to n.
    """

    log_moment: Callable[[Fraction], Ball]
    central_moments: Callable[[int], list[Ball]]
    mean: Ball
    low: Ball
    high: Ball
    bits: int

    def tau_squared(
        self, sides: tuple[int, ...] = (1, -1), least: Bound = NOTHING
    ) -> Bound:
        """The smallest tau**2 with log E exp(t (L - E L)) <= t**2 tau**2/2, for the t of the given
        signs.

        Or ``least`` if that is larger, which is seen sooner.
        """
        best = least
        for side in sides:
            quotient = Quotient(
                lambda t, side=side: self.log_moment(side * t) - side * t * self.mean,  # type: ignore[misc]
                Fraction(0),
                Fraction(1, 2),
                self.high - self.mean if side > 0 else self.mean - self.low,
                self.bits,
            )
            best = self._supremum(quotient, side, [], best)
        return best

    def rho_at_most(self, xi: Fraction) -> End:
        """An upper bound of rho for which only the largest loss is needed."""
        slope = (self.high - xi).positive_part()
        return from_slope(slope, Fraction(0), Fraction(1), Fraction(1)).upper()

    def rho(self, xi: Fraction, least: Bound = NOTHING) -> Bound:
        """The smallest rho >= 0 with log E exp(t L) <= t (xi + rho (1 + t)) for all t > 0, or
        ``least``.
        """
        quotient = Quotient(
            lambda t: self.log_moment(t) - xi * t,
            Fraction(1),
            Fraction(1),
            self.high - xi,
            self.bits,
        )
        return self._supremum(quotient, 1, [self.mean - xi], least)

    def _supremum(
        self, quotient: "Quotient", side: int, first: list[Ball], least: Bound
    ) -> Bound:
        """The supremum of a quotient, or ``least``: by a short polynomial if that shows ``least``
        to be larger.
        """
        reach = self._reach()
        if least.upper > 0:
            series = self._series(side, self.central_moments(SHORT_ORDER))
            near = quotient.near_zero(
                [*first, *series[2:]], reach, least.lower, SHORT_STEPS
            )
            if near.upper <= least.upper:
                return quotient.supremum(near, reach, least)
        series = self._series(side, self.central_moments(TAYLOR_ORDER))
        near = quotient.near_zero([*first, *series[2:]], reach, least.lower)
        return quotient.supremum(near, reach, least)

    def _reach(self) -> Fraction:
        """Up to where the Taylor polynomial is used."""
        return Fraction(1, 32) / Fraction((self.high - self.low).upper())

    def _series(self, side: int, moments: list[Ball]) -> list[Ball]:
        """Coefficients of log E exp(side t (L - E L)) in powers of t, for 0 <= t <= reach.

        The last one is taken over all expansion points up to the reach.
        """
        width = self.high - self.low
        reach = self._reach()
        here = []
        anywhere = []
        for order, central in enumerate(moments):
            moment = central * Fraction(side**order, math.factorial(order))
            slack = moved_by(order, moments[2], width, reach)
            here.append(moment)
            anywhere.append(moment + (-slack).union(slack))
        return [*log_series(here)[:-1], log_series(anywhere)[-1]]


def within_hoeffding(law: BoundedLaw, sides: tuple[int, ...]) -> Bound:
    """The smallest tau**2 of a law, or what Hoeffding's lemma says of it where no precision tells
    more.
    """
    bound = Bound(Fraction(0), math.inf)
    if (law.high - law.low).upper() > SHORTEST:
        bound = law.tau_squared(sides)
    return hoeffding(bound, law.low, law.high)


@by("cdp/hoeffding")
def hoeffding(tau_squared: Bound, low: Ball, high: Ball) -> Bound:
    """A square of tau, not above a quarter of the squared range of the losses."""
    most = ((high - low) * (high - low) / 4).upper()
    if tau_squared.upper <= most:
        return tau_squared
    return Bound(
        min(tau_squared.lower, most), most, "Hoeffding's lemma (cdp/hoeffding)"
    )


@dataclass(frozen=True, slots=True)
class Quotient:
    """N(t) / (linear t + square t**2) for t > 0, where N is convex with N(0) = 0 and slopes up to
    ``steepest``.
    """

    numerator: Callable[[Fraction], Ball]
    linear: Fraction
    square: Fraction
    steepest: Ball
    bits: int

    def supremum(self, near: Bound, reach: Fraction, least: Bound) -> Bound:
        """The supremum over t > 0, or ``least`` if that is larger, from the one over (0, reach]."""
        known = max(near.upper, least.upper)
        points = [reach]
        values = [self.numerator(reach)]
        best = near.lower
        while not self._beyond(points[-1]) <= max(best, known):
            points.append(2 * points[-1])
            values.append(self.numerator(points[-1]))
            best = max(best, self._at(points[-1], values[-1]).lower())
            if len(points) > 120:
                raise UndecidedError("the log moment could not be bounded at infinity.")
        cells = list(zip(points, points[1:], values, values[1:], strict=False))

        def split(cell: _Cell) -> tuple[End, list[_Cell]]:
            a, b, at_a, at_b = cell
            middle = (a + b) / 2
            at_middle = self.numerator(middle)
            halves = [(a, middle, at_a, at_middle), (middle, b, at_middle, at_b)]
            return self._at(middle, at_middle).lower(), halves

        far = supremum_over(
            cells, lambda cell: self._between(*cell), split, best, known
        )
        upper = max(far.upper, known, self._beyond(points[-1]))
        return Bound(far.lower, upper, "chords of the log moment")

    def _at(self, t: Fraction, value: Ball) -> Ball:
        return quotient_at(t, value, self.linear, self.square)

    def _beyond(self, t: Fraction) -> End:
        """A bound on the quotient from t on, as N(t) is at most t times its steepest slope."""
        slope = self.steepest.positive_part()
        return from_slope(slope, t, self.linear, self.square).upper()

    def _between(self, a: Fraction, b: Fraction, at_a: Ball, at_b: Ball) -> End:
        """A bound on the quotient over [a, b], from the chord slope t - drop through the values at
        the ends.
        """
        slope, drop = chord(a, b, at_a, at_b)
        if not (slope.certainly_positive() and drop.certainly_positive()):
            steepest = (at_b / b).positive_part()
            return from_slope(steepest, a, self.linear, self.square).upper()
        ends = self._at(a, slope * a - drop).larger(self._at(b, slope * b - drop))
        top = crest(slope, drop, self.linear, self.square)
        if (top - a).certainly_negative() or (top - b).certainly_positive():
            return ends.upper()
        return ends.larger(at_crest(top, slope, drop, self.linear, self.square)).upper()

    def near_zero(
        self,
        series: list[Ball],
        reach: Fraction,
        least: End,
        steps: int = MAX_STEPS,
    ) -> Bound:
        """The supremum over (0, reach], or ``least`` if that is larger.

        There N(t) is the polynomial with the coefficients ``series``, the lowest power left out: t
        for a quotient with a linear part, t**2 for one without. The polynomial is taken over u + v
        t.
        """
        u, v = (self.linear, self.square) if self.linear else (self.square, Fraction(0))
        slopes = slope_series(series, u, v)

        def value(t: Ball) -> Ball:
            return quotient_near_zero(series, t, u, v)

        def height(cell: tuple[Fraction, Fraction]) -> End:
            t = Ball.hull(*cell, self.bits)
            middle = Ball.of((cell[0] + cell[1]) / 2, self.bits)
            slope = slope_near_zero(slopes, t, u, v)
            if slope.certainly_negative() or slope.certainly_positive():
                return value(
                    Ball.of(cell[slope.certainly_positive()], self.bits)
                ).upper()
            return (value(middle) + slope * (t - middle)).upper()

        def split(
            cell: tuple[Fraction, Fraction],
        ) -> tuple[End, list[tuple[Fraction, Fraction]]]:
            middle = (cell[0] + cell[1]) / 2
            return value(Ball.of(middle, self.bits)).lower(), [
                (cell[0], middle),
                (middle, cell[1]),
            ]

        best = max(
            least,
            *(value(Ball.of(end, self.bits)).lower() for end in (Fraction(0), reach)),
        )
        whole = [(Fraction(0), reach)]
        return supremum_over(whole, height, split, best, best, steps=steps)


_Cell = tuple[Fraction, Fraction, Ball, Ball]
