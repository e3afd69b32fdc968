"""Conversions between guarantees: what one promise says in the words of another.

Each takes and returns guarantees with exact parameters, numbers or formulas, and rests on a named
theorem. Where a conversion has a free order, any order gives a valid guarantee; a good one is found
in floating point. ``Guarantee.to`` chooses among them; here are also those that are only of
interest to compare with.
"""

import math
from collections.abc import Callable
from typing import NoReturn

from rdpacct.errors import InputError
from rdpacct.exact.formula import ZERO, Expr, Rational, Real, formula
from rdpacct.exact.functions import exp, log, maximum, sqrt, tanh
from rdpacct.exact.number import Number, rational
from rdpacct.privacy.gaussian_profile import gaussian_delta
from rdpacct.privacy.guarantee import (
    ZCDP,
    ApproxDP,
    GaussianDP,
    MeanCDP,
    PureDP,
    RandomDP,
    RenyiDP,
)
from rdpacct.provenance import by

__all__ = [
    "approx_to_random",
    "gaussian_dp_to_approx",
    "gaussian_dp_to_zcdp",
    "mean_cdp_to_approx",
    "mean_cdp_to_zcdp",
    "pure_to_approx",
    "pure_to_mean_cdp",
    "pure_to_mean_cdp_printed",
    "pure_to_renyi",
    "pure_to_zcdp",
    "pure_to_zcdp_classical",
    "random_to_approx",
    "renyi_at_smaller_order",
    "renyi_to_approx",
    "renyi_to_approx_classical",
    "zcdp_to_approx",
    "zcdp_to_approx_classical",
    "zcdp_to_renyi",
]


@by("conversion/pure-to-approx")
def pure_to_approx(pure: PureDP, epsilon: Number | Real) -> ApproxDP:
    """The smallest delta at another epsilon: that of randomized response."""
    at = _real(epsilon, "epsilon")
    return ApproxDP(
        at, maximum(0, (exp(pure.epsilon) - exp(at)) / (1 + exp(pure.epsilon)))
    )


@by("cdp/from-dp")
def pure_to_mean_cdp(pure: PureDP) -> MeanCDP:
    """The mean loss is at most epsilon tanh(epsilon/2), reached by randomized response; tau is
    epsilon.
    """
    return MeanCDP(pure.epsilon * tanh(pure.epsilon / 2), pure.epsilon)


@by("cdp/from-dp")
def pure_to_mean_cdp_printed(pure: PureDP) -> MeanCDP:
    """The mean and tau as Dwork and Rothblum print them: epsilon (exp(epsilon) - 1)/2 and
    epsilon.
    """
    return MeanCDP(pure.epsilon * (exp(pure.epsilon) - 1) / 2, pure.epsilon)


@by("cdp/from-dp")
def pure_to_zcdp(pure: PureDP) -> ZCDP:
    """rho is epsilon tanh(epsilon/2), reached by randomized response as the order falls to 1."""
    return ZCDP(pure.epsilon * tanh(pure.epsilon / 2))


@by("conversion/pure-to-zcdp-classical")
def pure_to_zcdp_classical(pure: PureDP) -> ZCDP:
    """rho is epsilon**2/2 (Bun and Steinke)."""
    return ZCDP(pure.epsilon**2 / 2)


@by("conversion/pure-to-renyi")
def pure_to_renyi(pure: PureDP, alpha: Number | Real) -> RenyiDP:
    """The largest Renyi divergence at this order: that of randomized response."""
    order = _order(alpha)
    epsilon = pure.epsilon
    moment = (exp(order * epsilon) + exp((1 - order) * epsilon)) / (1 + exp(epsilon))
    return RenyiDP(order, log(moment) / (order - 1))


@by("conversion/zcdp-to-renyi")
def zcdp_to_renyi(zcdp: ZCDP, alpha: Number | Real) -> RenyiDP:
    """The definition at one order."""
    order = _order(alpha)
    return RenyiDP(order, zcdp.xi + zcdp.rho * order)


@by("conversion/renyi-orders")
def renyi_at_smaller_order(renyi: RenyiDP, alpha: Number | Real) -> RenyiDP:
    """A divergence bounds those of all smaller orders."""
    order = _order(alpha)
    if not order.symbols() and not order.bound().certainly_at_most(renyi.alpha.bound()):
        raise InputError(
            f"alpha is {order}, but {renyi} says nothing about orders above its own;"
            f" give one of at most {renyi.alpha}."
        )
    return RenyiDP(order, renyi.epsilon)


@by("conversion/renyi-to-approx-classical")
def renyi_to_approx_classical(renyi: RenyiDP, delta: Number | Real) -> ApproxDP:
    """epsilon plus log(1/delta)/(alpha - 1) (Mironov)."""
    small = _small(delta)
    return ApproxDP(renyi.epsilon - log(small) / (renyi.alpha - 1), small)


@by("conversion/renyi-to-approx")
def renyi_to_approx(renyi: RenyiDP, delta: Number | Real) -> ApproxDP:
    """The classical conversion, improved by log(alpha)/(alpha - 1) - log(1 - 1/alpha) (Canonne,
    Kamath and Steinke).
    """
    small = _small(delta)
    order = renyi.alpha
    epsilon = (
        renyi.epsilon - (log(small) + log(order)) / (order - 1) + log(1 - 1 / order)
    )
    return ApproxDP(maximum(0, epsilon), small)


@by("conversion/zcdp-to-approx-classical")
def zcdp_to_approx_classical(zcdp: ZCDP, delta: Number | Real) -> ApproxDP:
    """xi + rho + 2 sqrt(rho log(1/delta)) (Bun and Steinke)."""
    small = _small(delta)
    return ApproxDP(
        maximum(0, zcdp.xi + zcdp.rho + 2 * sqrt(-zcdp.rho * log(small))), small
    )


@by("conversion/zcdp-to-approx")
def zcdp_to_approx(zcdp: ZCDP, delta: Number | Real) -> ApproxDP:
    """The best order of the improved conversion of Renyi divergences (Canonne, Kamath and
    Steinke).
    """
    small = _small(delta)
    if zcdp.rho == ZERO:
        return ApproxDP(maximum(0, zcdp.xi), small)
    rho = float(zcdp.rho.ball(64))
    bits = float(log(small).ball(64))
    order = _best_order(
        lambda a: a * rho - (bits + math.log(a)) / (a - 1) + math.log1p(-1 / a)
    )
    return renyi_to_approx(zcdp_to_renyi(zcdp, order), small)


@by("cdp/tail")
def mean_cdp_to_approx(promise: MeanCDP, delta: Number | Real) -> ApproxDP:
    """The loss exceeds mu + tau sqrt(2 log(1/delta)) with probability at most delta."""
    small = _small(delta)
    return ApproxDP(promise.mu + promise.tau * sqrt(-2 * log(small)), small)


@by("conversion/mean-cdp-to-zcdp")
def mean_cdp_to_zcdp(promise: MeanCDP) -> ZCDP:
    """The one-sided half of the definition: rho = tau**2/2 and xi = mu - tau**2/2."""
    rho = promise.tau**2 / 2
    return ZCDP(rho, promise.mu - rho)


@by("gaussian/delta")
def gaussian_dp_to_approx(promise: GaussianDP, epsilon: Number | Real) -> ApproxDP:
    """The smallest delta at this epsilon."""
    at = _real(epsilon, "epsilon")
    return ApproxDP(at, ZERO if promise.mu == ZERO else gaussian_delta(promise.mu, at))


@by("gaussian/zcdp")
def gaussian_dp_to_zcdp(promise: GaussianDP) -> ZCDP:
    """rho is mu**2/2."""
    return ZCDP(promise.mu**2 / 2)


@by("random-dp/relaxation")
def approx_to_random(promise: ApproxDP) -> RandomDP:
    """What holds for all data holds for drawn data, with no bad ones; both are about replacing one
    record.
    """
    return RandomDP(promise.epsilon, promise.delta, gamma=0)


@by("random-dp/remark-3")
def random_to_approx(promise: RandomDP) -> NoReturn:
    """Not possible: data that are never drawn from one population may be bad, even for gamma =
    0.
    """
    raise InputError(
        f"{promise} is a promise about drawn data and implies no differential privacy"
        " (random-dp/remark-3); keep it as RandomDP, or add noise for all data."
    )


def _real(value: Number | Real, name: str) -> Expr:
    if isinstance(value, Expr):
        return value
    return formula(rational(value, name))


def _order(value: Number | Real) -> Expr:
    """An order above 1."""
    return RenyiDP(value, 0).alpha


def _small(value: Number | Real) -> Expr:
    """A delta above 0 and below 1, whose logarithm is finite."""
    delta = _real(value, "delta")
    if not delta.symbols():
        bound = delta.bound()
        if bound.certainly_at_most(0) or not bound.certainly_below(1):
            raise InputError(
                f"delta is {delta}, but must be above 0 and below 1; give a probability"
                " such as 1e-6."
            )
    return delta


def _best_order(epsilon: Callable[[float], float]) -> Expr:
    """An order near the minimum of a function that falls and then rises, by golden section in
    log(order - 1).
    """
    low = -30.0
    high = 40.0
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(120):
        left = high - golden * (high - low)
        right = low + golden * (high - low)
        if epsilon(1 + math.exp(left)) <= epsilon(1 + math.exp(right)):
            high = right
        else:
            low = left
    return Rational(rational(1 + math.exp((low + high) / 2)))
