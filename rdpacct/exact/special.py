"""Sums that are not formulas: Gaussian and geometric weights added up over integers."""

import math
from fractions import Fraction

from rdpacct.exact.backend_integral import integral
from rdpacct.exact.ball import Ball, ComplexBall, precision
from rdpacct.exact.formula import formula
from rdpacct.exact.functions import PI, erfc, exp, sqrt
from rdpacct.exact.raw import real

MOST_TERMS = 20_000
GUARD_BITS = 48
"""More bits than the multiplications here can lose."""


def gaussian_sum(center: Fraction, variance: Fraction, bits: int) -> Ball:
    """The sum of exp(-(k - center)**2/(2 variance)) over all integers k."""
    center -= round(center)
    if variance < 1:
        up = _sum_by_terms(1, center, variance, bits)
        return (
            _weight(center, variance, bits)
            + up
            + _sum_by_terms(1, -center, variance, bits)
        )
    frequency = (2 * PI**2 * variance).ball(bits)
    total = Ball.of(1, bits)
    rest = Ball.of(1, bits)
    j = 0
    while not (total / 2**bits - rest).certainly_positive():
        j += 1
        with precision(bits):
            wave = Ball((2 * real(j * center)).cos_pi(), bits)
        total = total + 2 * (-(frequency * j**2)).exp() * wave
        step = (-(frequency * (2 * j + 1))).exp()
        rest = 2 * (-(frequency * (j + 1) ** 2)).exp() / (1 - step)
    return (total + (-rest).union(rest)) * sqrt(2 * PI * variance).ball(bits)


def gaussian_tail_sum(first: int, variance: Fraction, bits: int) -> Ball:
    """The sum of exp(-k**2/(2 variance)) over all integers k >= first."""
    if first <= 0:
        return gaussian_sum(Fraction(0), variance, bits) - gaussian_tail_sum(
            1 - first, variance, bits
        )
    spread = 2 * variance * bits
    terms = math.isqrt(int(first**2 + spread)) - first
    if terms > MOST_TERMS:
        return _tail_by_contour(first, variance, bits)
    return _sum_by_terms(first, Fraction(0), variance, bits)


def geometric_moments(
    mass: Ball, shrink: Ball, gap: Ball, step: Ball, terms: int, orders: int
) -> list[Ball]:
    """For each k up to ``orders``, the sum over x = 1 ..

    terms of mass shrink**x (gap - x step)**k.
    """
    bits = mass.bits
    with precision(bits):
        totals = [mass.raw * 0] * (orders + 1)
        power = mass.raw
        for x in range(1, terms + 1):
            power = power * shrink.raw
            weighted = power
            distance = gap.raw - x * step.raw
            for order in range(orders + 1):
                totals[order] = totals[order] + weighted
                weighted = weighted * distance
    return [Ball(total, bits) for total in totals]


def _weight(point: Fraction, variance: Fraction, bits: int) -> Ball:
    return exp(-(formula(point) ** 2) / (2 * variance)).ball(bits)


def _sum_by_terms(first: int, center: Fraction, variance: Fraction, bits: int) -> Ball:
    """Term by term from first > center on; the ratio of terms falls, so a geometric series bounds
    the rest.
    """
    start = first - center
    with precision(bits + GUARD_BITS):
        term = real(-(start**2) / (2 * variance)).exp()
        ratio = real(-(2 * start + 1) / (2 * variance)).exp()
        shrink = real(-1 / variance).exp()
        total = term
        while True:
            term = term * ratio
            ratio = ratio * shrink
            total = total + term
            rest = term * ratio / (1 - ratio)
            if total > rest * 2**bits:
                return Ball(total + rest.union(0), bits)


def _tail_by_contour(first: int, variance: Fraction, bits: int) -> Ball:
    """By the midpoint form of the Abel-Plana formula, cut at a height h in the complex plane.

    With f(z) = exp(-z**2/(2v)) and c = first - 1/2 the sum is the integral of f over (c, oo) less
    the integral over 0 < y < h of 2 exp((y**2 - c**2)/(2v)) sin(c y/v) / (exp(2 pi y) + 1), up to 2
    exp(h**2/(2v)) / (exp(2 pi h) - 1) times that first integral.
    """
    c = Fraction(2 * first - 1, 2)
    height = Fraction(bits, 8)

    def correction(y: ComplexBall, _: bool) -> ComplexBall:
        twice = real(1 / (2 * variance))
        wave = (y * real(c / variance)).sin()
        return 2 * (y * y * twice).exp() * wave / ((2 * y * y.pi()).exp() + 1)

    body = (sqrt(PI * variance / 2) * erfc(formula(c) / sqrt(2 * variance))).ball(bits)
    less = integral(
        correction, Ball.of(0, bits), Ball.of(height, bits), bits
    ) * _weight(c, variance, bits)
    share = (2 * exp(height**2 / (2 * variance)) / (exp(2 * PI * height) - 1)).ball(
        bits
    )
    error = body * share
    return body - less + (-error).union(error)
