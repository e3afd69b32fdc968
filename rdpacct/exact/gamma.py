"""Sums of independent standard exponential variables: their tails and quantiles, certified."""

from fractions import Fraction

from rdpacct.exact.ball import Ball, precision
from rdpacct.exact.bound import Bound
from rdpacct.exact.raw import real
from rdpacct.exact.root import bracket


def gamma_tail(count: int, level: Fraction, bits: int) -> Ball:
    """The probability that the sum of a number of variables exceeds the level."""
    if level <= 0:
        return Ball.of(1, bits)
    with precision(bits):
        return Ball(real(level).gamma_upper(count, 1), bits)


def gamma_quantile(count: int, beta: Fraction) -> Bound:
    """The level that the sum of ``count`` variables exceeds with probability beta, for 0 < beta <
    1.
    """
    high = Fraction(count)
    while not (beta - gamma_tail(count, high, 96)).certainly_positive():
        high *= 2
    low, high = bracket(
        lambda level, bits: gamma_tail(count, level, bits) - beta, Fraction(0), high
    )
    return Bound(low, high, "the inverse of the incomplete gamma function")
