"""Exact confidence limits for a probability from a number of successes (Clopper and Pearson)."""

from fractions import Fraction

from rdpacct.exact.ball import Ball, precision
from rdpacct.exact.raw import real
from rdpacct.exact.root import bracket


def upper_limit(successes: int, trials: int, error: Fraction) -> Fraction:
    """At least the largest p for which so few successes have probability ``error``: above p but for
    that error.
    """
    if successes == trials:
        return Fraction(1)
    return bracket(
        lambda p, bits: at_most(successes, trials, p, bits) - error,
        Fraction(0),
        Fraction(1),
    )[1]


def lower_limit(successes: int, trials: int, error: Fraction) -> Fraction:
    """At most the smallest p for which so many successes have probability ``error``: below p but
    for that error.
    """
    return 1 - upper_limit(trials - successes, trials, error)


def at_most(successes: int, trials: int, p: Fraction, bits: int) -> Ball:
    """The probability of at most so many successes in independent trials that succeed with
    probability p.
    """
    if successes >= trials:
        return Ball.of(1, bits)
    with precision(bits):
        return Ball(
            real(1 - p).beta_lower(trials - successes, successes + 1, True), bits
        )
