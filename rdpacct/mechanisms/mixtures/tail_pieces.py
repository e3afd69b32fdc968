"""The tails of the loss of two mixtures near one loss: Taylor polynomials with Cauchy's bound, for
many values near each other.

At x + t the loss is e + k t + h(t). On the disk |t| <= R each of the sums A and B, over its value
at x and but for its mean slope, is within m = sum s_i (exp(|d_i| R) - 1 - |d_i| R) of 1, for the
shares s_i of its terms and the distances d_i of their places from the mean; so |h| is at most
-log(1 - m) for both together. By Rouche's theorem each e + u with |u| < r = k R - |h| is the loss
at exactly one t in the disk, which is real for a real u. The inverse t(u) is analytic there, and
with it the tails: a series of N terms leaves out at most M (u/r)**N/(1 - u/r) if its sum is at
most M.
"""

import math
from dataclasses import dataclass

from rdpacct.exact.ball import RealBall
from rdpacct.exact.cached import cached_property
from rdpacct.exact.raw import (
    RealPolynomial,
    RealSeries,
    current_bits,
    error,
    inverse_series,
    pi,
    polynomial_and_derivative,
    power_series,
    real,
    series_terms,
)
from rdpacct.mechanisms.mixtures.exponential_sum import ExponentialSum, SumOfBalls

NEAR = 1 / 8
"""The part of the radius of convergence up to which a polynomial is used."""
LONGEST = 4.0
"""The largest radius of convergence that is used."""
GROWING = 10.0
"""The most nats by which a density may grow from the middle of a disk to its edge, about."""
WIDEST, SHRINK, DISKS = 2.0, 0.75, 10
"""The largest disk, the factor by which the next one is smaller, and how many are tried."""


class SumNear:
    """One of the sums near a point of the line: its value, and the shares of its terms."""

    def __init__(self, sums: SumOfBalls, x: RealBall) -> None:
        terms = [w * (c * x).exp() for w, c in sums.rows]
        self.x = x
        self.value = _total(terms)
        self.rows = [
            (term / self.value, place)
            for term, (_, place) in zip(terms, sums.rows, strict=True)
        ]
        self.mean = _total([share * place for share, place in self.rows])

    def bend(self, radius: RealBall) -> RealBall:
        """A bound on the logarithm, but for the constant and the mean slope, on the disk of this
        radius.
        """
        if len(self.rows) == 1:
            return real(0)
        off = real(0)
        for share, place in self.rows:
            far = abs(place - self.mean) * radius
            off = off + share * (far.exp() - 1 - far)
        if not off < 1:
            return real(math.inf)
        return -(1 - off).log()

    def most(self, radius: RealBall) -> RealBall:
        """A bound on the modulus of the density on the disk of this radius."""
        rows = [s * (abs(c - self.x) * radius).exp() for s, c in self.rows]
        height = (radius * radius / 2).exp()
        return _total(rows) * height * self.density()

    def density(self) -> RealBall:
        """The density of the mixture at the point."""
        return self.value * (-self.x * self.x / 2).exp() / (2 * pi()).sqrt()

    def series(self) -> RealSeries:
        """The sum over its value at the point."""
        rows = [
            share * power_series([real(0), place]).exp() for share, place in self.rows
        ]
        return sum(rows[1:], start=rows[0])


def _total(values: list[RealBall]) -> RealBall:
    return sum(values[1:], start=values[0])


@dataclass(frozen=True)
class TailPiece:
    """The probabilities under P and Q that the loss exceeds ``middle + u``, for |u| <= radius, and
    the profile there.
    """

    middle: RealBall
    radius: RealBall
    under_p: list[RealBall]
    """The coefficients of the polynomials, lowest first."""
    under_q: list[RealBall]
    left_out: tuple[RealBall, RealBall]
    """The most that they leave out."""
    profile_leaves_out: RealBall

    def holds(self, level: RealBall) -> bool:
        """Whether a level is certainly within the radius."""
        return bool(abs(level - self.middle) <= self.radius)

    @cached_property
    def _tails(self) -> tuple[RealPolynomial, RealPolynomial]:
        p, q = self.left_out
        return _polynomial(self.under_p, p), _polynomial(self.under_q, q)

    def events(self, level: RealBall) -> tuple[RealBall, RealBall]:
        """The probabilities under P and Q that the loss exceeds a level."""
        p, q = self._tails
        off = level - self.middle
        return p(off), q(off)

    @cached_property
    def _profile(self) -> RealPolynomial:
        """P - exp(epsilon) Q."""
        with series_terms(len(self.under_p)):
            growth = power_series([self.middle, real(1)]).exp()
            series = power_series(self.under_p) - growth * power_series(self.under_q)
            return _polynomial(list(series), self.profile_leaves_out)

    def profile(self, level: RealBall) -> RealBall:
        """delta at a level."""
        return self._profile(level - self.middle)


def _polynomial(coefficients: list[RealBall], left_out: RealBall) -> RealPolynomial:
    """The polynomial with what it leaves out in its constant."""
    first, *others = coefficients
    polynomial, _ = polynomial_and_derivative([first + error(left_out), *others])
    return polynomial


class TailPieces:
    """Makes pieces of a pair of mixtures, at the current precision."""

    def __init__(self, first: ExponentialSum, second: ExponentialSum) -> None:
        self.sums = first.balls(), second.balls()
        self.tails = first.tail(), second.tail()
        self.terms = math.ceil(current_bits() / (2 * -math.log2(NEAR))) + 4

    def about(self, place: float, radius: float) -> TailPiece | None:
        """The piece about a point of the line, by the disk of this radius; None if the disk does
        not show that losses rise.
        """
        x = real(place)
        wide = real(radius)
        near_p, near_q = (SumNear(sums, x) for sums in self.sums)
        reach = (
            (near_p.mean - near_q.mean) * wide - near_p.bend(wide) - near_q.bend(wide)
        )
        if not reach > 0:
            return None
        reach = reach.lower().min(real(LONGEST))
        masses = [tail(x) for tail in self.tails]
        middle = near_p.value.log() - near_q.value.log()
        under_p, under_q = self._series((near_p, near_q), middle, masses)
        share = wide * real(NEAR) ** self.terms / (1 - real(NEAR))
        p, q = (near.most(wide) * share for near in (near_p, near_q))
        radius_used = reach * NEAR
        of_growth = self._exponential_leaves_out(radius_used) * masses[1]
        d = p + middle.exp() * (reach.exp() * q + of_growth)
        return TailPiece(middle, radius_used, under_p, under_q, (p, q), d)

    def _series(
        self,
        sums: tuple[SumNear, SumNear],
        middle: RealBall,
        masses: list[RealBall],
    ) -> tuple[list[RealBall], list[RealBall]]:
        """The Taylor coefficients of both tails in the loss: what the line has between two points,
        at the inverse of the loss.
        """
        near_p, near_q = sums
        x = near_p.x
        with series_terms(self.terms):
            first = near_p.series()
            inverse = inverse_series(first.log() - near_q.series().log())
            bump = power_series([real(0), -x, real(-1) / 2]).exp()
            between = (near_p.density() * bump * first).integral()
            more_p = between(inverse)
            ratio = power_series([-middle, real(-1)]).exp()
            more_q = (more_p.derivative() * ratio).integral()
            return list(masses[0] - more_p), list(masses[1] - more_q)

    def _exponential_leaves_out(self, far: RealBall) -> RealBall:
        """What the same number of terms of the exponential series leaves out up to a distance."""
        return far**self.terms * far.exp() / math.factorial(self.terms)


def planned_disk(
    first: ExponentialSum, second: ExponentialSum, x: float
) -> tuple[float, float]:
    """The disk about a point whose piece reaches farthest, and how far that is, about."""
    means = first.planned_slope(x), second.planned_slope(x)
    farthest = max(abs(mean - x) for mean in means)
    radius = min(WIDEST, GROWING / (farthest + 1))
    best = radius, 0.0
    for _ in range(DISKS):
        reach = (means[0] - means[1]) * radius
        if NEAR * min(reach, LONGEST) <= best[1]:
            break
        reach -= first.planned_bend(x, radius) + second.planned_bend(x, radius)
        used = NEAR * min(reach, LONGEST)
        if used > best[1]:
            best = radius, used
        radius *= SHRINK
    return best
