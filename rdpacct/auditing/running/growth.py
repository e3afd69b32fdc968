"""How fast a bet grows against a half plane, and which bet grows fastest: planned in doubles.

If the event has the probabilities p1 and q1, the best bet is the likelihood ratio of these against
the pair of the half plane that is nearest in Kullback-Leibler divergence, and that divergence is
the growth of its logarithm in each trial.
"""

import math
from typing import Any

from rdpacct.arrays import Array
from rdpacct.auditing.running.wager import Wager, fair
from rdpacct.proof.audit.half_plane import HalfPlane

STEPS = 50
TINY = 1e-300


def nearest(np: Any, p: Array, q: Array, plane: HalfPlane) -> tuple[Array, Array]:
    """The nearest pairs with p = growth q + slack, by bisection: the divergence is convex."""
    growth = float(plane.growth)
    slack = float(plane.slack)
    low = np.zeros_like(p)
    high = np.full_like(p, (1 - slack) / growth)
    with np.errstate(all="ignore"):
        for _ in range(STEPS):
            rare = (low + high) / 2
            likely = growth * rare + slack
            slope = growth * (likely - p) / (likely * (1 - likely)) + (rare - q) / (
                rare * (1 - rare)
            )
            falling = slope < 0
            low = np.where(falling, rare, low)
            high = np.where(falling, high, rare)
    return growth * high + slack, high


def growth_rates(np: Any, p: Array, q: Array, plane: HalfPlane) -> Array:
    """The divergence of pairs (p, q) from a half plane; 0 inside it."""
    rates = np.zeros_like(p)
    outside = p > float(plane.growth) * q + float(plane.slack)
    if outside.any():
        p = p[outside]
        q = q[outside]
        likely, rare = nearest(np, p, q, plane)
        rate = _divergence(np, p, likely) + _divergence(np, q, rare)
        rates[outside] = np.nan_to_num(rate, posinf=0.0)
    return rates


def _divergence(np: Any, p: Array, other: Array) -> Array:
    with np.errstate(all="ignore"):
        hit = np.where(p > 0, p * np.log(p / np.maximum(other, TINY)), 0.0)
        rest = 1 - p
        missed = np.where(
            rest > 0, rest * np.log(rest / np.maximum(1 - other, TINY)), 0.0
        )
    return hit + missed


def best_wager(np: Any, p: float, q: float, plane: HalfPlane) -> Wager:
    """The wager that grows fastest if the event has these probabilities, rounded to decimals."""
    likely, rare = nearest(np, np.array([p]), np.array([q]), plane)
    p0 = float(likely[0])
    q0 = float(rare[0])
    return fair(
        ((1 - p) / max(1 - p0, TINY), p / p0),
        ((1 - q) / (1 - q0), q / max(q0, TINY)),
        plane,
    )


def far_enough(
    p: float, q: float, plane: HalfPlane, nats: float
) -> tuple[float, float]:
    """A pair outside of a half plane, about this many nats from the pair (p, q) on its side.

    The step goes along the steepest rise of the divergence.
    """
    growth = float(plane.growth)
    likely_spread = p * (1 - p)
    rare_spread = q * (1 - q)
    step = math.sqrt(2 * nats / (likely_spread + growth**2 * rare_spread))
    return (
        min(p + step * likely_spread, (1 + p) / 2),
        max(q - step * growth * rare_spread, q / 10),
    )
