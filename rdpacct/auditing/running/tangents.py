"""Where tangents touch what a Renyi divergence allows the probabilities of an event: planned in
doubles.
"""

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from rdpacct.proof.audit.half_plane import Tangent

RARE = (
    *(1e-6, 1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.02, 0.04),
    *(0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6),
)
"""The probabilities Q(S) at which tangents touch."""
ORDERS = tuple(
    Fraction(k, 16) for k in (17, 18, 20, 22, 24, 28, 32, 40, 48, 64)
) + tuple(Fraction(k) for k in (5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 128, 256, 1024))
"""The orders that are tried for a claim about all orders."""
LARGEST_ORDER = Fraction(10**4)
LARGEST_DIVERGENCE = Fraction(10**6)
LEAST_APART = 1e-3
NEAR_ONE = Fraction(1, 10**6)
STEPS = 60
STEEPER = 1e-8
"""A slope is steeper by this share than asked for, so that rounding does not make it less steep."""
DIGITS = 9


def tangents(kind: str, parameters: Mapping[str, Any]) -> Iterator[Tangent]:
    """For each probability of a rare event the order that allows the least on the other input."""
    orders = _orders(kind, parameters)
    for rare in RARE if orders else ():
        touching = min(
            (_largest(rare, float(order), _divergence(kind, parameters, order)), order)
            for order in orders
        )
        likely, order = touching
        if rare < likely < 1 - 1e-9:
            yield _touching(rare, order, _divergence(kind, parameters, order))


def tangent_at(kind: str, parameters: Mapping[str, Any], level: Fraction) -> Tangent:
    """The tangent whose slope is about exp(level), of an order with about the least slack."""
    wanted = float(level) + STEEPER

    def slack(order: Fraction) -> float:
        alpha = float(order)
        allowed = _divergence(kind, parameters, order)
        return (alpha - 1) * (allowed - wanted + math.log1p(-1 / alpha)) - math.log(
            alpha
        )

    order = min(_orders(kind, parameters) or ORDERS[:1], key=slack)
    allowed = _divergence(kind, parameters, order)
    low = math.log(1e-14)
    high = math.log(1 - 1e-6)
    for _ in range(STEPS):
        middle = (low + high) / 2
        if _slope(math.exp(middle), float(order), allowed) > wanted:
            low = middle
        else:
            high = middle
    return _touching(math.exp(low), order, allowed)


def _slope(rare: float, order: float, divergence: float) -> float:
    """The logarithm of the slope of the tangent at a probability of a rare event."""
    likely = _largest(rare, order, divergence)
    inside = math.log(likely / rare)
    outside = math.log1p(-likely) - math.log1p(-rare)
    rise = order * inside + math.log1p(
        -math.exp(min(order * (outside - inside), -1e-12))
    )
    scale = (order - 1) * inside
    scale += math.log1p(-math.exp(min((order - 1) * (outside - inside), -1e-12)))
    return math.log1p(-1 / order) + rise - scale


def _touching(rare: float, order: Fraction, divergence: float) -> Tangent:
    likely = min(_largest(rare, float(order), divergence), 1 - 1e-9)
    inside = _short(math.log(likely / rare))
    outside = _short(math.log1p(-likely) - math.log1p(-rare))
    return Tangent(order, max(inside, outside + Fraction(1, 10**6)), outside)


def _orders(kind: str, parameters: Mapping[str, Any]) -> tuple[Fraction, ...]:
    """The orders that a claim speaks of; none if it is too near to 1 for doubles."""
    if kind != "RenyiDP":
        return ORDERS
    alpha = min(Fraction(parameters["alpha"]), LARGEST_ORDER)
    return (alpha,) if alpha - 1 > NEAR_ONE else ()


def _divergence(kind: str, parameters: Mapping[str, Any], order: Fraction) -> float:
    """About the largest divergence of an order that a claim allows, or a very large one."""
    values = {name: Fraction(value) for name, value in parameters.items()}
    if kind == "RenyiDP":
        most = values["epsilon"]
    elif kind == "MeanCDP":
        most = values["mu"] + values["tau"] ** 2 / 2 * (order - 1)
    else:
        most = values["xi"] + values["rho"] * order
    return float(max(min(most, LARGEST_DIVERGENCE), -LARGEST_DIVERGENCE))


def _largest(rare: float, order: float, divergence: float) -> float:
    """About the largest P(S) that a divergence allows at this Q(S), and a little above Q(S)."""
    low = rare
    high = 1 - 1e-12
    least = rare + LEAST_APART * min(rare, 1 - rare)
    if divergence <= 0:
        return least
    for _ in range(STEPS):
        middle = (low + high) / 2
        if _between(middle, rare, order) < divergence:
            low = middle
        else:
            high = middle
    return max(high, least)


def _between(likely: float, rare: float, order: float) -> float:
    """The Renyi divergence of two laws on two outcomes."""
    hit = order * math.log(likely) + (1 - order) * math.log(rare)
    missed = order * math.log1p(-likely) + (1 - order) * math.log1p(-rare)
    most = max(hit, missed)
    total = most + math.log(math.exp(hit - most) + math.exp(missed - most))
    return total / (order - 1)


def _short(value: float) -> Fraction:
    return Fraction(f"{value:.{DIGITS}f}")
