"""The profile of Laplace losses below their largest value, in closed form."""

import math
from functools import lru_cache

from rdpacct.exact.ball import RealBall
from rdpacct.exact.raw import real
from rdpacct.provenance import by
from rdpacct.work import spend

TERM_WORK = 2
"""The work of a term of a profile."""


@by("sampling/laplace-apart")
def falling_profile(falls: int, x: RealBall) -> RealBall:
    """delta where the largest loss is 2 x above epsilon, each of ``falls`` >= 1 draws has it with
    probability 1/2, and else less twice an exponential variable.

    It is 1 - exp(-x) (the sum of b_m x**m/m!), where b_m is the probability that at least m of
    falls - 1 fair coins show heads.
    """
    x = x.max(real(0))
    return 1 - _polynomial(falls, x)[0] * (-x).exp()


def _polynomial(falls: int, x: RealBall) -> tuple[RealBall, RealBall]:
    """The sum of b_m x**m/m!, and its derivative."""
    spend(TERM_WORK * falls)
    total = real(0)
    slope = real(0)
    power = real(1)
    before = real(0)
    for m, tail in enumerate(coin_tails(falls - 1)):
        total = total + power * tail
        slope = slope + before * tail
        before = power
        power = power * x / (m + 1)
    return total / 2 ** (falls - 1), slope / 2 ** (falls - 1)


@lru_cache(maxsize=4096)
def coin_tails(coins: int) -> tuple[int, ...]:
    """In how many of 2**coins ways at least m coins show heads, for m from 0 on."""
    tails = [2**coins]
    ways = 1
    for m in range(coins):
        tails.append(tails[-1] - ways)
        ways = ways * (coins - m) // (m + 1)
    return tuple(tails)


def planned_falling(falls: int, gap: float) -> tuple[float, float]:
    """About the logarithms of that profile and of minus its derivative, where the largest loss is
    this much above epsilon.
    """
    if gap <= 0:
        return -math.inf, -math.inf
    x = real(gap / 2)
    total, slope = _polynomial(falls, x)
    shrink = (-x).exp()
    balls = (1 - total * shrink, (total - slope) * shrink / 2)
    delta, fall = (float(ball.log()) if ball > 0 else -math.inf for ball in balls)
    return delta, fall
