"""Exact confidence limits for a probability from a number of successes (Clopper and Pearson)."""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist

from rdpacct.exact.ball import Ball, precision
from rdpacct.exact.planned_beta import planned_at_most
from rdpacct.exact.raw import real
from rdpacct.exact.root import bracket


def upper_limit(successes: int, trials: int, error: Fraction) -> Fraction:
    """The upper limit of Clopper and Pearson, rounded up: the true probability is at most this with
    confidence 1 - ``error``.
    """
    if successes == trials:
        return Fraction(1)
    low, high = _around(successes, trials, error)
    return bracket(
        lambda p, bits: at_most(successes, trials, p, bits) - error, low, high
    )[1]


def lower_limit(successes: int, trials: int, error: Fraction) -> Fraction:
    """The lower limit of Clopper and Pearson, rounded down: the true probability is at least this
    with confidence 1 - ``error``.
    """
    return 1 - upper_limit(trials - successes, trials, error)


def at_most(successes: int, trials: int, p: Fraction, bits: int) -> Ball:
    """The probability of at most this many successes in independent trials that succeed with
    probability p.
    """
    if successes >= trials:
        return Ball.of(1, bits)
    with precision(bits):
        return Ball(
            real(1 - p).beta_lower(trials - successes, successes + 1, True), bits
        )


NORMAL = NormalDist()
STEPS, NEAR = 40, 1e-7
"""How often a limit is guessed, and how near the guess comes, in the logarithm of the odds."""
WITHIN = Fraction(1, 10**5)
"""The relative distance of an outer limit to the best one, and that of one minus it."""
FURTHEST = 300.0
QUICK_BITS = 96


def outer_lower_limit(successes: int, trials: int, error: Fraction) -> Fraction:
    """At most the lower limit, near it, and found faster."""
    return 1 - outer_upper_limit(trials - successes, trials, error)


@lru_cache(maxsize=4000)
def outer_upper_limit(successes: int, trials: int, error: Fraction) -> Fraction:
    """At least the upper limit, near it, and found faster: a probability at which so few successes
    certainly have a probability of at most ``error``.
    """
    if successes == trials:
        return Fraction(1)
    _, high = _around(successes, trials, error)
    return high if high < 1 else upper_limit(successes, trials, error)


def _around(successes: int, trials: int, error: Fraction) -> tuple[Fraction, Fraction]:
    """Probabilities that are certainly below and above the upper limit: near it, or else 0 and 1.

    It is guessed in doubles by secants, since the quantile of the tail is almost a straight line in
    the logarithm of the odds. Then two odds around the guess are certain.
    """

    def tail(odds: float) -> Ball:
        return at_most(successes, trials, _of_odds(odds), QUICK_BITS)

    share = (successes + 0.5) / (trials + 1)
    goal = -NORMAL.inv_cdf(min(max(float(error), 1e-300), 0.49))
    odds = _guess(
        lambda at: _quantile(planned_at_most(successes, trials, at)),
        goal,
        share,
        trials,
    )
    for step in (2 * NEAR, 20 * NEAR):
        above = (tail(odds + step) - error).certainly_negative()
        if above and (tail(odds - step) - error).certainly_positive():
            return _of_odds(odds - step), _of_odds(odds + step)
    return Fraction(0), Fraction(1)


def _quantile(chance: float) -> float:
    """How far out a normal tail of this probability begins."""
    return -NORMAL.inv_cdf(min(max(chance, 1e-300), 1 - 1e-9))


def _guess(
    reaches: Callable[[float], float], goal: float, share: float, trials: int
) -> float:
    """About the odds that reach a goal: secants between odds that do not reach it and odds that
    do.
    """
    low = high = math.log(share / (1 - share))
    low_reach = high_reach = reaches(low)
    step = max(goal, 1.0) / math.sqrt(trials * share * (1 - share))
    while high_reach < goal and high < FURTHEST:
        low = high
        low_reach = high_reach
        high += step
        high_reach = reaches(high)
        step *= 2
    for _ in range(STEPS):
        part = (goal - low_reach) / max(high_reach - low_reach, 1e-300)
        odds = low + (high - low) * min(max(part, 0.02), 0.98)
        reached = reaches(odds)
        if high - low < NEAR or abs(reached - goal) < NEAR * goal:
            return odds
        if reached < goal:
            low = odds
            low_reach = reached
        else:
            high = odds
            high_reach = reached
    return high


def _of_odds(logarithm: float) -> Fraction:
    """A probability with about these odds, as an exact number."""
    rest = Fraction(math.exp(-logarithm))
    return 1 / (1 + rest)
