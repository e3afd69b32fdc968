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
from rdpacct.provenance import by

TAYLOR_ORDER, SHORT_ORDER = 14, 5
"""The orders of the polynomial near zero; the short one is enough to show most laws to be no worse
than another.
"""
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

        The last one is taken over all expansion points up to the reach. There a moment of order k
        >= 2 differs from the one at zero by at most variance width**(k - 2) (exp(reach width) - 1),
        and those of order 0 and 1 by at most variance reach**2 exp(reach width)/2 and variance
        reach exp(reach width).
        """
        width = self.high - self.low
        reach = self._reach()
        growth = (width * reach).exp()
        here = []
        anywhere = []
        for order, central in enumerate(moments):
            moment = central * Fraction(side**order, math.factorial(order))
            spill = (
                (growth - 1) * width ** (order - 2)
                if order >= 2
                else growth * reach ** (2 - order) / (2 - order)
            )
            slack = moments[2] * spill / math.factorial(order)
            here.append(moment)
            anywhere.append(moment + (-slack).union(slack))
        return [*_log_series(here)[:-1], _log_series(anywhere)[-1]]


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
        return value / (self.linear * t + self.square * t**2)

    def _beyond(self, t: Fraction) -> End:
        """A bound on the quotient from t on, as N(t) is at most t times its steepest slope."""
        return (self.steepest.positive_part() / (self.linear + self.square * t)).upper()

    def _between(self, a: Fraction, b: Fraction, at_a: Ball, at_b: Ball) -> End:
        """A bound on the quotient over [a, b], from the chord slope t - drop through the values at
        the ends.
        """
        slope = (at_b - at_a) / (b - a)
        drop = slope * a - at_a
        if not (slope.certainly_positive() and drop.certainly_positive()):
            return (
                (at_b / b).positive_part() / (self.linear + self.square * a)
            ).upper()
        ends = self._at(a, slope * a - drop).larger(self._at(b, slope * b - drop))
        scaled = drop * self.square
        top = (scaled + (scaled * scaled + slope * scaled * self.linear).sqrt()) / (
            slope * self.square
        )
        if (top - a).certainly_negative() or (top - b).certainly_positive():
            return ends.upper()
        return ends.larger(
            (slope * top - drop) / (top * (self.linear + self.square * top))
        ).upper()

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
        above = [
            (k + 1) * coefficient
            for k, coefficient in enumerate([*series[1:], series[-1] * 0])
        ]
        slopes = [
            u * up + (k - 1) * v * here
            for k, (up, here) in enumerate(zip(above, series, strict=True))
        ]

        def value(t: Ball) -> Ball:
            return _horner(series, t) / (u + v * t)

        def height(cell: tuple[Fraction, Fraction]) -> End:
            t = Ball.hull(*cell, self.bits)
            middle = Ball.of((cell[0] + cell[1]) / 2, self.bits)
            slope = _horner(slopes, t) / (u + v * t) ** 2
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


def _horner(series: list[Ball], t: Ball) -> Ball:
    value = series[-1]
    for coefficient in reversed(series[:-1]):
        value = value * t + coefficient
    return value


def _log_series(series: list[Ball]) -> list[Ball]:
    """The Taylor coefficients of the logarithm of a series, its constant term left as it is."""
    logs = [series[0]]
    for n in range(1, len(series)):
        carried = sum(
            (k * logs[k] * series[n - k] for k in range(1, n)), start=series[0] * 0
        )
        logs.append((n * series[n] - carried) / (n * series[0]))
    return logs
