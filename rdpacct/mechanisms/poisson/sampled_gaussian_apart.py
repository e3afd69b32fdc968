"""The sampled Gaussian whose two laws are far apart: what its loss is near to, and its moments in
closed form.

With A = 1 - q and D = q exp(u), u = mu x - mu**2/2, the likelihood ratio is R = A + D. Under the
mixture x is drawn from N(0, 1) with probability A, where R is near A, and else from N(mu, 1), where
R is near D.
"""

import math
from dataclasses import dataclass

from rdpacct.exact.ball import RealBall
from rdpacct.exact.formula import Expr
from rdpacct.exact.raw import real
from rdpacct.privacy.constants import about, value
from rdpacct.provenance import by

ABOVE = 5.0
"""How many nats a Chernoff bound is above a profile, about."""
APART = 20.0
"""The shift above which the two laws are taken apart."""
LEAST_NATS = 20.0
"""A closed form of a moment is used if it has at least this accuracy, in nats."""


@dataclass(frozen=True)
class Gap:
    """How far the loss can be from that of the component that was drawn, and with which probability
    it is not.
    """

    distance: RealBall
    missed: RealBall


@by("sampling/gaussian-apart")
def gap(mu: RealBall, q: RealBall, distance: RealBall, removing: bool) -> Gap:
    """R <= A (1 + d) where D <= d A, and R <= D (1 + d) where A <= d D, apart from two tails of
    normal laws.
    """
    rest = 1 - q
    missed = most_tail(mu / 2 + (distance * rest / q).log() / mu)
    if removing:
        missed = rest * missed + q * most_tail(
            mu / 2 - (rest / (distance * q)).log() / mu
        )
    return Gap(distance, missed)


@by("sampling/gaussian-apart")
def missed_moment(
    mu: RealBall, q: RealBall, a: RealBall, distance: RealBall
) -> RealBall:
    """At least E R**a over the x at which neither D <= d A nor A <= d D, for a >= 1.

    There R**a is at most 2**(a - 1) (A**a + D**a), x is above the first edge, and below the second
    one.
    """
    rest = 1 - q
    reach = distance.log() / mu
    near = mu / 2 + (rest / q).log() / mu + reach
    far = mu / 2 + (rest / q).log() / mu - reach
    return real(2) ** (a - 1) * (
        rest**a * most_tail(near) + _far(mu, q, a) * most_tail(a * mu - far)
    )


def planned_missed_moment(mu: float, q: float, a: float, distance: float) -> float:
    """About the logarithm of that over E R**a."""
    edge = mu / 2 + math.log((1 - q) / q) / mu
    reach = math.log(distance) / mu
    tails = [edge + reach, a * mu - edge + reach]
    if min(tails) <= 0:
        return 0.0
    near = a * math.log1p(-q)
    far = a * math.log(q) + (a * a - a) * mu * mu / 2
    logs = [near - tails[0] ** 2 / 2, far - tails[1] ** 2 / 2]
    return max(logs) + (a - 1) * math.log(2) - max(near, far)


def most_tail(x: RealBall) -> RealBall:
    """At least the probability that a standard normal variable exceeds x, for any x."""
    return (-x * x / 2).exp() / 2 if x >= 0 else real(1)


def planned_missed(mu: float, q: float, distance: float, removing: bool) -> float:
    """About the logarithm of the probability that is missed."""
    ratio = math.log(q) - math.log1p(-q)
    near = mu / 2 + (math.log(distance) - ratio) / mu
    far = mu / 2 + (math.log(distance) + ratio) / mu
    if near <= 0 or (removing and far <= 0):
        return 0.0
    log_near = -near * near / 2
    if removing:
        return max(log_near, math.log(q) - far * far / 2)
    return log_near


def planned_moment(mu: float, q: float, a: float) -> float:
    """About log E R**a for laws that are apart."""
    if q == 1:  # in doubles
        return (a * a - a) * mu * mu / 2
    near = a * math.log1p(-q)
    if a <= 0:
        return near
    far = a * math.log(q) + (a * a - a) * mu * mu / 2
    return max(near, far) + math.log1p(math.exp(-abs(near - far)))


def closed_moment(mu: RealBall, q: RealBall, a: RealBall) -> RealBall | None:
    """A ball around E R**a, if the two laws are so far apart that it is a narrow one."""
    if a >= 1:
        shares = _shares(float(mu), float(q), float(a))
        most = [most_moment(mu, q, a, real(share)) for share in shares]
        if a <= 2:
            most.append(most_small_moment(mu, q, a))
        if not most:
            return None
        least = least_moment(mu, q, a)
    elif a < 0:
        if mu * mu / 8 < LEAST_NATS - 4:  # no point below mu/2 leaves so little out
            return None
        most = [(1 - q) ** a]
        least = least_negative_moment(
            mu, q, a, real(_planned_cut(float(mu), float(q), float(a)))
        )
    elif 0 < a < 1:
        most = [(1 - q) ** a + _far(mu, q, a)]
        least = least_root_moment(mu, q, a)
    else:
        return None
    upper = most[0]
    for other in most[1:]:
        upper = upper.min(other)
    moment = least.union(upper)
    if (upper / least - 1) < math.exp(-LEAST_NATS):
        return moment
    return None


def _shares(mu: float, q: float, a: float) -> list[float]:
    """The share of A in a convex bound that makes the two errors of it equally small, if it is
    one.
    """
    room = math.log(q / (1 - q)) + (a - 1) * mu * mu / 2
    nats = (a * room - math.log(a)) / a if a > 1 else 0.0
    if nats > LEAST_NATS:
        return [math.exp(-min(nats, 600.0)) / a]
    return []


def _planned_cut(mu: float, q: float, a: float) -> float:
    """A point x below which R is near A, but nearly all of the mass is."""
    cuts = [mu / 2 * k / 64 for k in range(65)]
    log = math.log(-a * q / (1 - q))
    return min(cuts, key=lambda x: max(log + mu * x - mu * mu / 2, -x * x / 2))


@by("sampling/gaussian-far-moment")
def least_moment(mu: RealBall, q: RealBall, a: RealBall) -> RealBall:
    """R**a >= A**a + D**a for a >= 1."""
    return (1 - q) ** a + _far(mu, q, a)


@by("sampling/gaussian-far-moment")
def most_moment(mu: RealBall, q: RealBall, a: RealBall, share: RealBall) -> RealBall:
    """R**a <= s**(1 - a) A**a + (1 - s)**(1 - a) D**a for a >= 1, by convexity, for any share s
    between 0 and 1.
    """
    return share ** (1 - a) * (1 - q) ** a + (1 - share) ** (1 - a) * _far(mu, q, a)


@by("sampling/gaussian-far-moment")
def most_small_moment(mu: RealBall, q: RealBall, a: RealBall) -> RealBall:
    """R**a <= A**a + D**a + a min(A**(a - 1) D, A D**(a - 1)) for 1 <= a <= 2; the minimum changes
    where D = A.
    """
    rest = 1 - q
    edge = _edge(mu, q)
    below = rest ** (a - 1) * q * most_tail(mu - edge)
    above = rest * _far(mu, q, a - 1) * most_tail(edge - (a - 1) * mu)
    return least_moment(mu, q, a) + a * (below + above)


@by("sampling/gaussian-far-moment")
def least_negative_moment(
    mu: RealBall, q: RealBall, a: RealBall, cut: RealBall
) -> RealBall:
    """R falls to the left, so that E R**a >= P(x <= cut) R(cut)**a for a <= 0."""
    ratio = 1 - q + q * (mu * cut - mu * mu / 2).exp()
    return ratio**a * (1 - most_tail(cut))


@by("sampling/gaussian-far-moment")
def least_root_moment(mu: RealBall, q: RealBall, a: RealBall) -> RealBall:
    """R >= A and R >= D, each on its side of where D = A, for 0 <= a <= 1."""
    edge = _edge(mu, q)
    return (1 - q) ** a * (1 - most_tail(edge)) + _far(mu, q, a) * (
        1 - most_tail(a * mu - edge)
    )


def _edge(mu: RealBall, q: RealBall) -> RealBall:
    """The point x at which D = A."""
    return mu / 2 + ((1 - q) / q).log() / mu


def _far(mu: RealBall, q: RealBall, a: RealBall) -> RealBall:
    """E D**a = q**a exp((a**2 - a) mu**2/2)."""
    return (a * q.log() + (a * a - a) * mu * mu / 2).exp()


@dataclass(frozen=True)
class ApartPair:
    """A sampled Gaussian whose two laws are far apart, in one direction."""

    mu: Expr
    rate: Expr
    removing: bool

    def planned_share(self, distance: float, tilt: float, log_delta: float) -> float:
        """About the logarithm of the share of delta that draws near neither component can have."""
        mu = about(self.mu)
        q = about(self.rate)
        absolute = planned_missed(mu, q, distance, self.removing) - log_delta
        if not self.removing:
            return absolute
        return min(absolute, planned_missed_moment(mu, q, 1 + tilt, distance) + ABOVE)

    def missed(self, distance: float) -> RealBall:
        """At least the probability that the loss is farther than that from a component."""
        pair = gap(value(self.mu), value(self.rate), real(distance), self.removing)
        return pair.missed

    def missed_moment(self, tilt: float, distance: float) -> RealBall:
        """At least the part of the tilted moment that such draws have, removing the record."""
        return missed_moment(
            value(self.mu), value(self.rate), 1 + real(tilt), real(distance)
        )
