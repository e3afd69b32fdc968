"""The sampled Gaussian in doubles: they steer its transform and its decay, and never enter an
answer.
"""

import cmath
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from operator import mul

from rdpacct.mechanisms.poisson.sampled_gaussian_apart import planned_moment

SHIFTS = tuple(0.9 * 2.2**-k for k in range(16))
REACH = 8.0
"""The points of a plan go this far from the middle."""
FARTHEST = 2000.0
"""Beyond this the bump of the shifted law is all that counts."""
LEAST_MU = 1e-100
"""The least shift that is planned with; that of a huge noise would be 0 in doubles."""
FAR = 30.0
"""Beyond this the density of N(0, 1) is too small for doubles."""
ROOT = math.sqrt(2 * math.pi)
ASIDE = 7.5
"""The points of a contour go this far from the middle of each bump."""
STRIPS = (0.97, 0.85, 0.7, 0.55, 0.4, 0.25, 0.12)
"""How wide a strip about the line is, as shares of the widest one."""
NARROW, FAR_BELOW = (0.05, 0.02, 0.008, 0.003, 0.001), -1000.0
"""More of them, for powers below the second number."""
LOG_LEAST = -20.0
LEAST_MASS = math.exp(LOG_LEAST)
"""Masses that matter for the slopes."""


@dataclass(frozen=True)
class Grid:
    """A planned grid: the line Im x = shift, the strip up to ``above`` and down to ``below``, and
    the points.
    """

    shift: float
    above: float
    below: float
    step: float
    low: float
    count: int


class SampledGaussianPlan:
    """I and its decay in doubles, on points that are kept."""

    def __init__(self, mu: float, q: float) -> None:
        self.mu = mu
        self.q = q
        strip = min(0.8 * math.pi / mu, 5.0)
        self.step = 2 * math.pi * strip / (29.0 + strip * strip / 2)
        self.points: tuple[list[float], list[float]] = ([], [])
        """R at each point, and the density of N(0, 1) there, but for its constant."""
        self.logs: dict[float, float] = {}
        self.slopes: dict[float, tuple[float, float, float]] = {}
        self.contours: dict[tuple[float, float], list[tuple[float, float]]] = {}

    def _number_up_to(self, high: float) -> int:
        """How many points lie up to there, and one more."""
        return int((high + REACH) / self.step) + 2

    def _points_up_to(self, high: float) -> tuple[list[float], list[float]]:
        """The ratios of the points up to there: the same, however many are known, and in threads
        too. The densities are those of all known points.
        """
        number = self._number_up_to(high)
        ratios, bells = self.points
        if len(ratios) < number:
            mu = self.mu
            q = self.q
            shift = mu * mu / 2
            added = [self.step * k - REACH for k in range(len(ratios), number)]
            ratios = ratios + [1 + q * math.expm1(mu * x - shift) for x in added]
            bells = bells + [math.exp(-x * x / 2) for x in added]
            self.points = ratios, bells
        return ratios[:number], bells

    def log(self, a: float) -> float:
        """log I(a)."""
        if a * self.mu > FARTHEST:
            return a * math.log(self.q) + (a * a - a) * self.mu**2 / 2
        known = self.logs.get(a)
        if known is None:
            high = max(a * self.mu, 0.0) + REACH
            total = self._sum(a, high) if high < FAR else 0.0
            known = math.log(total) if total > 0 else self._far_log(a, high)
            self.logs[a] = known
        return known

    def _sum(self, a: float, high: float) -> float:
        """I(a) as the sum over the points up to there; 0 where it leaves the range of doubles."""
        ratios, bells = self._points_up_to(high)
        try:
            powers = map(pow, ratios, repeat(a))
            total = sum(map(mul, powers, bells))
        except OverflowError:
            return 0.0
        return total * self.step / ROOT if total < math.inf else 0.0

    def _far_log(self, a: float, high: float) -> float:
        """log I(a) where the terms of the sum are not doubles, from their logarithms."""
        exponents = [exponent for exponent, _ in self._far_points(a, high)]
        peak = max(exponents)
        total = sum([math.exp(exponent - peak) for exponent in exponents])
        return peak + math.log(total * self.step / ROOT)

    def _far_points(self, a: float, high: float) -> Iterator[tuple[float, float]]:
        """The logarithms of the terms up to there, and log R at each."""
        mu = self.mu
        log_q = math.log(self.q)
        for k in range(self._number_up_to(high)):
            x = self.step * k - REACH
            u = mu * x - mu * mu / 2
            log = math.log1p(self.q * math.expm1(u)) if u < 600 else u + log_q
            yield a * log - x * x / 2, log

    def _tilted(self, a: float) -> list[tuple[float, float]]:
        """The masses of the law with the density phi R**a, and l'/mu at each point."""
        total = self.log(a)
        rest = 1 - self.q
        high = max(a * self.mu, 0.0) + REACH
        scale = math.log(self.step / ROOT) - total
        if high < FAR and abs(scale) < 600:
            factor = math.exp(scale)
            return [
                (mass, 1 - rest / ratio)
                for ratio, bell in zip(*self._points_up_to(high), strict=False)
                if (mass := ratio**a * bell * factor) > LEAST_MASS
            ]
        return [
            (math.exp(exponent + scale), 1 - rest * math.exp(-log))
            for exponent, log in self._far_points(a, high)
            if exponent + scale > LOG_LEAST
        ]

    def decay(self, a: float, height: float) -> tuple[float, float]:
        """A small log J/I over shifts of the contour, and the shift.

        To second order log J/I is a parabola in the shift, which is enough at small heights; else
        shifts are tried downhill from there.
        """
        most = min(0.55 * math.pi / self.mu, 6.0)
        first, second, spread = self._slopes(a)
        wide = height * height * spread
        best = min(height * first / (second + wide), SHIFTS[0] * most)
        if wide < second:
            best = _short(best)
            return self._fallen(self._contour(a, best), height), best
        nearest = round(
            math.log(SHIFTS[0] * most / best) / math.log(SHIFTS[0] / SHIFTS[1])
        )
        index = min(max(nearest, 0), len(SHIFTS) - 1)
        log_ratio = self._fallen(self._contour(a, SHIFTS[index] * most), height)
        for step in (1, -1):
            moved = False
            while 0 <= index + step < len(SHIFTS):
                shift = SHIFTS[index + step] * most
                other = self._fallen(self._contour(a, shift), height)
                if other >= log_ratio:
                    break
                index = index + step
                log_ratio = other
                moved = True
            if moved:
                break
        return log_ratio, SHIFTS[index] * most

    def _slopes(self, a: float) -> tuple[float, float, float]:
        """Under the law with the density phi R**a: the mean of l', that of 1 - a l'', and the
        variance of l'.

        Here l = log R, l' = mu (1 - (1 - q)/R) and l'' = l' (mu - l').
        """
        if a not in self.slopes:
            mu = self.mu
            rows = self._tilted(a)
            mean = mu * sum([p * d for p, d in rows])
            square = mu * mu * sum([p * d * d for p, d in rows])
            self.slopes[a] = (
                mean,
                max(1 - a * (mu * mean - square), 1e-3),
                max(square - mean * mean, 0.0),
            )
        return self.slopes[a]

    def _contour(self, a: float, shift: float) -> list[tuple[float, float]]:
        """The rows of a contour, which are kept."""
        rows = self.contours.get((a, shift))
        if rows is None:
            rows = self.contours[a, shift] = self._rows(a, shift)
        return rows

    @staticmethod
    def _fallen(rows: list[tuple[float, float]], height: float) -> float:
        exp = math.exp
        total = sum([exp(base - height * angle) for base, angle in rows])
        return math.log(total) if total > 0 else -700.0

    def _rows(self, a: float, y: float) -> list[tuple[float, float]]:
        mu = self.mu
        q = self.q
        total = self.log(a)
        step = min(0.5, 0.8 / mu)
        scale = math.log(step / math.sqrt(2 * math.pi)) - total + y * y / 2
        turn = cmath.exp(1j * mu * y)
        rest = 1 - q
        shift = mu * mu / 2 - math.log(q)
        points = self._contour_points(a, step)
        exponents = [mu * x - shift for x in points]
        if exponents[-1] > 600:
            exponents = [min(exponent, 600.0) for exponent in exponents]
        growths = map(math.exp, exponents)
        logs = list(map(cmath.log, [rest + turn * growth for growth in growths]))
        return [
            (base, log.imag)
            for x, log in zip(points, logs, strict=True)
            if (base := a * log.real - x * x / 2 + scale) > -32
        ]

    def _contour_points(self, a: float, step: float) -> list[float]:
        """The points of a contour at which the integrand may matter."""
        return _points(
            min(0.0, self.farthest(a)) - ASIDE,
            max(0.0, self.farthest(a)) + ASIDE,
            step,
        )

    def farthest(self, a: float) -> float:
        """The bump of phi R**a is between zero and this: log R rises by at most mu, and below zero
        by at most q mu.
        """
        return a * self.mu if a > 0 else a * self.mu * self.q


class ApartGaussianPlan(SampledGaussianPlan):
    """The same for two laws that are far apart: two bumps, with nothing between them.

    One is that of N(0, 1), with R near 1 - q, and the other that of N(a mu, 1), with log R near a
    line. No grid is made, whose points would be as many as mu is large.
    """

    def __init__(self, mu: float, q: float) -> None:
        self.mu = mu
        self.q = q
        self.contours = {}

    def log(self, a: float) -> float:
        return planned_moment(self.mu, self.q, a)

    def _slopes(self, a: float) -> tuple[float, float, float]:
        """l' is 0 at one bump and mu at the other, and l'' is 0 at both."""
        near = math.exp(min(a * math.log1p(-self.q) - self.log(a), 0.0))
        return (1 - near) * self.mu, 1.0, near * (1 - near) * self.mu**2

    def _contour_points(self, a: float, step: float) -> list[float]:
        far = a * self.mu
        about_zero = _points(-ASIDE, ASIDE, step)
        if a <= 0:  # R is largest at the other bump
            return about_zero
        return about_zero + _points(max(far - ASIDE, ASIDE), far + ASIDE, step)


def strips_of(a: float) -> tuple[float, ...]:
    """The strips that are tried for a power, from wide to narrow: R**a with a far below zero grows
    fast away from the line.
    """
    return (*STRIPS, *NARROW) if a < FAR_BELOW else STRIPS


def _points(low: float, high: float, step: float) -> list[float]:
    return [low + step * k for k in range(int((high - low) / step) + 1)]


def _short(shift: float) -> float:
    """A shift within a 64th of this one, of six binary digits: heights close to each other then
    share a contour, which is flat about the best shift.
    """
    digits, exponent = math.frexp(shift)
    return math.ldexp(round(64 * digits), exponent - 6)
