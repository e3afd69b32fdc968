"""The sampled Laplace release whose two laws are far apart: what its loss is near to.

With A = 1 - q and D = q exp(l), where l is the loss of the release itself, the likelihood ratio is
R = A + D. Without the record l is near -mu and R near A. With it, l is mu with probability 1/2, and
else mu less twice an exponential variable, as long as that is above -mu; there R is near D.
"""

import math
from dataclasses import dataclass

from rdpacct.exact.ball import RealBall
from rdpacct.exact.formula import Expr
from rdpacct.exact.raw import real
from rdpacct.privacy.constants import about, value
from rdpacct.provenance import by

APART = 60.0
"""The shift, in scales, above which the two laws are taken apart."""


@by("sampling/laplace-apart")
def missed(mu: RealBall, q: RealBall, distance: RealBall, removing: bool) -> RealBall:
    """R <= A (1 + d) where D <= d A, and R <= D (1 + d) where A <= d D, but for two tails of l."""
    rest = 1 - q
    share = most_above(mu, (distance * rest / q).log())
    if removing:
        share = rest * share + q * most_above(mu, -(rest / (distance * q)).log())
    return share


@by("sampling/laplace-apart")
def most_above(mu: RealBall, level: RealBall) -> RealBall:
    """At least P(l > level) without the record, and P(l < -level) with it; 1 if the level is not
    between -mu and mu.
    """
    if level >= -mu and level < mu:
        return (-(level + mu) / 2).exp() / 2
    return real(1)


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
        log_share = min(0.0, -(reach - odds + mu) / 2)
        if self.removing:
            log_share = max(log_share, min(0.0, math.log(q) - (reach + odds + mu) / 2))
        return log_share - log_delta

    def missed(self, distance: float) -> RealBall:
        """At least the probability that the loss is farther than that from a component."""
        return missed(value(self.mu), value(self.rate), real(distance), self.removing)

    def missed_moment(self, tilt: float, distance: float) -> RealBall | None:  # noqa: ARG002
        """None: it is not known."""
        return None
