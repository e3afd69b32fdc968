"""Tails of binomial laws in doubles, to plan with: the incomplete beta integral as a continued
fraction.
"""

import math

MOST_STEPS, CLOSE = 10_000, 1e-14
"""The most steps of a fraction, and the size of the last one at which it ends."""
TINY = 1e-300
"""Stands for a denominator of zero."""
LARGEST = 700.0
"""The largest exponent of doubles."""


def planned_at_most(successes: int, trials: int, log_odds: float) -> float:
    """About the probability of at most this many successes, fewer than all trials, each of which
    has these odds.
    """
    odds = math.exp(min(max(log_odds, -LARGEST), LARGEST))
    failure = 1 / (1 + odds)
    success = odds * failure
    failures = float(trials - successes)
    others = successes + 1.0
    log_peak = _log_power(failures, failure) + _log_power(others, success)
    log_peak -= math.lgamma(failures) + math.lgamma(others)
    peak = math.exp(log_peak + math.lgamma(failures + others))
    if failure * (failures + others + 2) < failures + 1:
        return peak * _fraction(failures, others, failure) / failures
    return 1 - peak * _fraction(others, failures, success) / others


def _log_power(power: float, base: float) -> float:
    return power * math.log(max(base, TINY))


def _fraction(a: float, b: float, x: float) -> float:
    """About a B(x; a, b)/(x**a (1 - x)**b), by the modified method of Lentz."""
    numerator = 1.0
    denominator = 1 / _nonzero(1 - (a + b) * x / (a + 1))
    value = denominator
    for k in range(1, MOST_STEPS):
        at = a + 2 * k
        even = k * (b - k) * x / ((at - 1) * at)
        odd = -(a + k) * (a + b + k) * x / (at * (at + 1))
        for part in (even, odd):
            denominator = 1 / _nonzero(1 + part * denominator)
            numerator = _nonzero(1 + part / numerator)
            value *= denominator * numerator
        if abs(denominator * numerator - 1) < CLOSE:
            break
    return value


def _nonzero(value: float) -> float:
    return value if abs(value) > TINY else TINY
