"""The choice of an event to test, from real outputs: a search in floats that decides nothing."""

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from statistics import NormalDist

from rdpacct.privacy.guarantee import (
    ZCDP,
    ApproxDP,
    ApproxZCDP,
    GaussianDP,
    Guarantee,
    ProfileDP,
    PureDP,
    RenyiDP,
)

Excess = Callable[[float, float], float]
"""A score of an event with the probabilities p and q: the larger, the more it exceeds the claim."""
MOST_THRESHOLDS = 2000
AT_THE_ENDS = 200
ORDERS = (1.01, 1.5, 2.0, 4.0, 16.0, 64.0)
LARGEST_GROWTH = 1e300


@dataclass(frozen=True, slots=True)
class Beyond:
    """The outputs on one side of a threshold."""

    threshold: float
    above: bool

    def __call__(self, output: float) -> bool:
        if self.above:
            return output > self.threshold
        return output <= self.threshold

    def __str__(self) -> str:
        return (
            f"an output {'above' if self.above else 'of at most'} {self.threshold:.6g}"
        )


def best_event(
    likely: Sequence[float], rare: Sequence[float], claim: Guarantee, error: float
) -> Beyond:
    """The side of a threshold that exceeds the claim most, after each frequency is moved to a
    confidence limit in favor of the claim.
    """
    first = sorted(likely)
    second = sorted(rare)
    runs = len(likely)
    beyond = excess(claim)
    spread = NormalDist().inv_cdf(1 - max(error, 1e-15))
    best = Beyond(first[0], above=True)
    best_score = -math.inf
    for threshold in _thresholds(sorted({*first, *second})):
        low = bisect_right(first, threshold)
        high = bisect_right(second, threshold)
        for above, hits, others in (
            (False, low, high),
            (True, runs - low, runs - high),
        ):
            score = beyond(_limit(hits, runs, -spread), _limit(others, runs, spread))
            if score > best_score:
                best = Beyond(threshold, above)
                best_score = score
    return best


def _thresholds(values: list[float]) -> list[float]:
    """The candidates for a threshold: all values, or a selection that keeps those at both ends,
    where events are rare.
    """
    if len(values) <= MOST_THRESHOLDS:
        return values
    step = len(values) // MOST_THRESHOLDS
    return [
        *values[:AT_THE_ENDS],
        *values[AT_THE_ENDS:-AT_THE_ENDS:step],
        *values[-AT_THE_ENDS:],
    ]


def _limit(hits: int, runs: int, spread: float) -> float:
    """An approximate confidence limit, strictly between 0 and 1."""
    share = hits / runs
    moved = share + spread * math.sqrt(share * (1 - share) / runs + 1 / runs**2)
    return min(max(moved, 1e-12), 1 - 1e-12)


@singledispatch
def excess(claim: Guarantee) -> Excess:
    """The score that is maximized over the events, for a claim."""
    raise TypeError(f"no event refutes {claim}")


@excess.register
def _(claim: PureDP | ApproxDP) -> Excess:
    growth = _growth(float(claim.epsilon.bound().upper))
    return lambda p, q: p - growth * q


@excess.register
def _(claim: ProfileDP) -> Excess:
    points = [(_growth(float(level)), float(mass)) for level, mass in claim.points]
    return lambda p, q: max(p - growth * q - mass for growth, mass in points)


@excess.register
def _(claim: GaussianDP) -> Excess:  # noqa: ARG001
    quantile = NormalDist().inv_cdf
    return lambda p, q: quantile(p) - quantile(q)


@excess.register
def _(claim: RenyiDP) -> Excess:
    order = float(claim.alpha.bound().upper)
    return lambda p, q: _renyi(p, q, order)


@excess.register
def _(claim: ZCDP) -> Excess:
    xi = float(claim.xi.bound().upper)
    return lambda p, q: max((_renyi(p, q, order) - xi) / order for order in ORDERS)


@excess.register
def _(claim: ApproxZCDP) -> Excess:
    concentrated = excess(ZCDP(claim.rho, claim.xi))
    delta = float(claim.delta.bound().upper)
    return lambda p, q: concentrated(max(p - delta, 1e-12), q)


def _growth(epsilon: float) -> float:
    """Approximately exp(epsilon), within the range of doubles."""
    if epsilon < math.log(LARGEST_GROWTH):
        return math.exp(epsilon)
    return LARGEST_GROWTH


def _renyi(p: float, q: float, order: float) -> float:
    """Approximately the Renyi divergence of two laws on two outcomes, of which the first is more
    likely under P.
    """
    if p <= q:
        return p - q
    inside = order * math.log(p) + (1 - order) * math.log(q)
    outside = order * math.log1p(-p) + (1 - order) * math.log1p(-q)
    largest = max(inside, outside)
    return (
        largest + math.log(math.exp(inside - largest) + math.exp(outside - largest))
    ) / (order - 1)
