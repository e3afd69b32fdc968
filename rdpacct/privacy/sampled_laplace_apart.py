"""The sampled Laplace release whose two laws are far apart: what its loss is near to.

With A = 1 - q and D = q exp(l), where l is the loss of the release itself, the likelihood ratio is
R = A + D. Without the record l is near -mu and R near A. With it, l is mu with probability 1/2, and
else mu less twice an exponential variable, as long as that is above -mu; there R is near D.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

from rdpacct.exact.ball import RealBall
from rdpacct.exact.formula import Expr
from rdpacct.exact.raw import real
from rdpacct.privacy.constants import about, value
from rdpacct.provenance import by
from rdpacct.work import spend

APART = 60.0
"""The shift, in scales, from which the two laws are taken apart."""
TERM_WORK = 2
"""The work of a term of a profile."""


@by("sampling/laplace-apart")
def missed(mu: RealBall, q: RealBall, distance: RealBall, removing: bool) -> RealBall:
    """R <= A (1 + d) where D <= d A, and R <= D (1 + d) where A <= d D, but for two tails of l."""
    rest = 1 - q
    found = most_above(mu, (distance * rest / q).log())
    if removing:
        found = rest * found + q * most_above(mu, -(rest / (distance * q)).log())
    return found


@by("sampling/laplace-apart")
def most_above(mu: RealBall, level: RealBall) -> RealBall:
    """At least P(l > level) without the record, and P(l < -level) with it; 1 if the level is not
    between -mu and mu.
    """
    if level >= -mu and level < mu:
        return (-(level + mu) / 2).exp() / 2
    return real(1)


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
    so much above epsilon.
    """
    if gap <= 0:
        return -math.inf, -math.inf
    x = real(gap / 2)
    total, slope = _polynomial(falls, x)
    shrink = (-x).exp()
    found = (1 - total * shrink, (total - slope) * shrink / 2)
    delta, fall = (float(one.log()) if one > 0 else -math.inf for one in found)
    return delta, fall


def planned_moment(mu: float, q: float, a: float) -> float:
    """About log E R**a for laws that are apart, without the record."""
    near = a * math.log1p(-q)
    if a <= 0.75:
        return near
    far = a * math.log(q) + (a - 1) * mu + math.log(0.5 + 0.25 / (a - 0.5))
    return max(near, far) + math.log1p(math.exp(-abs(near - far)))


@dataclass(frozen=True)
class LaplaceApart:
    """A sampled Laplace release whose two laws are far apart, in one direction."""

    mu: Expr
    rate: Expr
    removing: bool

    def planned_share(self, distance: float, tilt: float, log_delta: float) -> float:  # noqa: ARG002
        """About the logarithm of the share of delta that draws near neither component can have."""
        mu = about(self.mu)
        q = about(self.rate)
        odds = math.log(q) - math.log1p(-q)
        reach = math.log(distance)
        found = min(0.0, -(reach - odds + mu) / 2)
        if self.removing:
            found = max(found, min(0.0, math.log(q) - (reach + odds + mu) / 2))
        return found - log_delta

    def missed(self, distance: float) -> RealBall:
        """At least the probability that the loss is farther than that from a component."""
        return missed(value(self.mu), value(self.rate), real(distance), self.removing)

    def missed_moment(self, tilt: float, distance: float) -> RealBall | None:  # noqa: ARG002
        """Not known."""
        return None
