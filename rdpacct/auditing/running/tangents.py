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
STEPS = 60
DIGITS = 9


def tangents(kind: str, parameters: Mapping[str, Any]) -> Iterator[Tangent]:
    """For each probability of a rare event the order that allows the least on the other input."""
    orders = ORDERS
    if kind == "RenyiDP":
        orders = (Fraction(parameters["alpha"]),)
    for rare in RARE:
        touching = min(
            (_largest(rare, float(order), _divergence(kind, parameters, order)), order)
            for order in orders
        )
        likely, order = touching
        if rare < likely < 1 - 1e-9:
            yield Tangent(
                order,
                _short(math.log(likely / rare)),
                _short(math.log((1 - likely) / (1 - rare))),
            )


def _divergence(kind: str, parameters: Mapping[str, Any], order: Fraction) -> float:
    """About the largest divergence of an order that a claim allows."""
    values = {name: Fraction(value) for name, value in parameters.items()}
    if kind == "RenyiDP":
        return float(values["epsilon"])
    if kind == "MeanCDP":
        rho = values["tau"] ** 2 / 2
        return float(values["mu"] + rho * (order - 1))
    return float(values["xi"] + values["rho"] * order)


def _largest(rare: float, order: float, divergence: float) -> float:
    """About the largest P(S) that a divergence allows at this Q(S)."""
    low = rare
    high = 1 - 1e-12
    if divergence <= 0:
        return rare
    for _ in range(STEPS):
        middle = (low + high) / 2
        if _between(middle, rare, order) < divergence:
            low = middle
        else:
            high = middle
    return high


def _between(likely: float, rare: float, order: float) -> float:
    """The Renyi divergence of two laws on two outcomes."""
    hit = order * math.log(likely) + (1 - order) * math.log(rare)
    missed = order * math.log1p(-likely) + (1 - order) * math.log1p(-rare)
    most = max(hit, missed)
    total = most + math.log(math.exp(hit - most) + math.exp(missed - most))
    return total / (order - 1)


def _short(value: float) -> Fraction:
    return Fraction(f"{value:.{DIGITS}f}")
