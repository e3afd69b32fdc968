"""Sums of fair signs: how likely a sum reaches a value, and its mean there."""

import math

from rdpacct.exact.ball import Ball, RealBall
from rdpacct.exact.binomial_tails import exactly
from rdpacct.exact.formula import Scalar
from rdpacct.exact.raw import current_bits, real
from rdpacct.provenance import by, recorded_property
from rdpacct.work import spend

LEAST = 2.0**-120
"""Sums and counts that are less likely than this, and all beyond, are cut off."""


class SignSums:
    """The sum of ``count`` independent signs, each 1 or -1 as likely, from 0 on.

    Place k is the sum 2 k - count. Those from ``last + 1`` on are cut off; ``cut`` is at least
    their mass.
    """

    def __init__(self, count: int) -> None:
        spend(8 * (2 + 14 * math.isqrt(count)))
        self.count = count
        self.first = (count + 1) // 2
        half = Ball.of(1, current_bits()) / 2
        mass = exactly(self.first, count, half, half).raw
        self.masses = [mass]
        place = self.first
        while place < count and float(mass) > LEAST:
            mass = mass * (count - place) / (place + 1)
            place += 1
            self.masses.append(mass)
        self.last = count if place == count else place - 1
        self.tails = self._tails()

    def _tails(self) -> list[RealBall]:
        """The mass from each place on, up to the last one."""
        total = real(0)
        tails = [total]
        for mass in reversed(self.masses[: self.last - self.first + 1]):
            total = total + mass
            tails.append(total)
        tails.reverse()
        return tails

    @property
    def cut(self) -> RealBall:
        """At least the mass of the sums that are cut off, on one side."""
        if self.last == self.count:
            return real(0)
        following = self.masses[self.last - self.first + 1]
        place = self.last + 1
        ratio = falling_ratio(real(place), real(self.count), real(1), real(1))
        return geometric_tail(following, ratio)

    def tail(self, place: int) -> RealBall:
        """The mass from a place on, up to the last one."""
        if place > self.last:
            return real(0)
        return self.tails[max(place - self.first, 0)]

    def moment(self, place: int) -> RealBall:
        """The mean of the sum from a place on, up to the last one."""
        if place > self.last:
            return real(0)
        return weighted_tail(real(place), self._mass(place)) - self._moment_cut

    @recorded_property
    def _moment_cut(self) -> RealBall:
        """The mean of the sums that are cut off."""
        place = self.last + 1
        return weighted_tail(real(place), self._mass(place))

    def _mass(self, place: int) -> RealBall:
        if place > self.count:
            return real(0)
        return self.masses[place - self.first]


@by("shuffling/sign-sums")
def weighted_tail(place: Scalar, mass: Scalar) -> Scalar:
    """The mean of a sum of signs from a place on: the place times its probability."""
    return mass * place


def at_least(successes: int, trials: int, p: RealBall, q: RealBall) -> RealBall:
    """At least the probability of this many successes or more: those that follow are below a
    geometric series.
    """
    if not p > 0:
        return trials * p.abs_upper()
    if not q > 0:
        return real(1)
    bits = current_bits()
    mass = exactly(successes, trials, Ball(p, bits), Ball(q, bits)).raw
    ratio = falling_ratio(real(successes), real(trials), p, q)
    if not ratio < 1:
        return real(1)
    return geometric_tail(mass, ratio)


@by("shuffling/sign-sums")
def falling_ratio(successes: Scalar, trials: Scalar, p: Scalar, q: Scalar) -> Scalar:
    """The probability of one success more over that of this number; formulas or balls."""
    return (trials - successes) * p / ((successes + 1) * q)


@by("shuffling/sign-sums")
def geometric_tail(mass: Scalar, ratio: Scalar) -> Scalar:
    """A geometric series that begins with a mass; formulas or balls."""
    return mass / (1 - ratio)
