"""Wagers, half planes and power of audits of running code, against independent computations."""

import math
import random
from fractions import Fraction

import pytest

from rdpacct import (
    ZCDP,
    ApproxDP,
    ApproxZCDP,
    GaussianDP,
    Guarantee,
    MeanCDP,
    PureDP,
    RenyiDP,
    delta,
)
from rdpacct.auditing.running.bets import Bet, OrientedEvent, Tally, stake, wealth
from rdpacct.auditing.running.claimed import claimed
from rdpacct.auditing.running.growth import best_wager
from rdpacct.auditing.running.output_events import OneSide
from rdpacct.auditing.running.scores import TheNumber
from rdpacct.auditing.running.shares import share_at_look
from rdpacct.auditing.running.wager import largest_mean, mean_factor
from rdpacct.functions import log
from rdpacct.proof.audit.half_plane import HalfPlane

CLAIMS: list[Guarantee] = [
    PureDP(1),
    PureDP(log(3)),
    ApproxDP("0.7", "1e-3"),
    GaussianDP("1.2"),
    RenyiDP(3, "0.4"),
    ZCDP("0.2"),
    ZCDP("0.2", "-0.05"),
    ApproxZCDP("0.2", "1e-3"),
    MeanCDP("0.1", "0.5"),
]


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_half_planes_are_those_of_the_engine(claim: Guarantee) -> None:
    """The slack is at least the delta that the engine has for the promise, and for most claims near
    it.
    """
    planes = claimed(claim).planes
    assert planes
    for plane in planes:
        smallest = delta(claim, plane.epsilon)
        assert plane.slack >= smallest.lower
        assert plane.slack <= Fraction(smallest.upper) * Fraction(3, 2) + Fraction(
            1, 10**9
        )
        assert float(plane.growth) == pytest.approx(math.exp(plane.epsilon), rel=1e-5)
        least = Fraction(math.exp(plane.epsilon)) * (1 - Fraction(1, 10**14))
        assert plane.growth >= least


@pytest.mark.parametrize("order", [Fraction(3, 2), Fraction(2), Fraction(8)])
def test_tangents_touch_what_a_divergence_allows(order: Fraction) -> None:
    """No pair of probabilities with this divergence is beyond a half plane, and some is on it."""
    alpha = float(order)
    most = 0.3
    planes = claimed(RenyiDP(order, Fraction(3, 10))).planes
    assert len(planes) > 5
    for plane in planes:
        growth = float(plane.growth)
        slack = float(plane.slack)
        for q in (k / 200 for k in range(1, 200, 3)):
            for p in (k / 200 for k in range(math.ceil(200 * q), 200)):
                if renyi(p, q, alpha) <= most:
                    assert p <= growth * q + slack
        assert plane.tangent is not None
        inside = math.exp(plane.tangent.inside)
        outside = math.exp(plane.tangent.outside)
        q = (1 - outside) / (inside - outside)
        p = inside * q
        assert renyi(p, q, alpha) == pytest.approx(most, rel=1e-5)
        assert growth * q + slack == pytest.approx(p, rel=1e-6)


@pytest.mark.parametrize("claim", ["ZCDP(rho=0)", "RenyiDP(alpha=2, epsilon=0)"])
def test_no_divergence_is_a_claim_too(claim: str) -> None:
    """That both laws are the same: the lines are near p = q."""
    for plane in claimed(claim).planes:
        assert 1 <= plane.growth < 1 + Fraction(1, 100)
        assert plane.slack < Fraction(1, 1000)


def renyi(p: float, q: float, alpha: float) -> float:
    """The Renyi divergence of two laws on two outcomes."""
    total = p**alpha * q ** (1 - alpha) + (1 - p) ** alpha * (1 - q) ** (1 - alpha)
    return math.log(total) / (alpha - 1)


def test_a_wager_is_fair_on_the_whole_half_plane() -> None:
    """On a grid of pairs that the claim allows no mean factor is above 1, and some are near."""
    import numpy as np

    rng = random.Random(1)
    for _ in range(60):
        slack = rng.choice([0.0, 0.001, 0.1])
        growth = math.exp(rng.choice([0.0, 0.3, 1.0, 3.0]))
        plane = HalfPlane(Fraction(0), Fraction(growth), Fraction(slack))
        q = rng.choice([1e-6, 0.01, 0.3, 0.9 / growth])
        p = min(growth * q + slack + rng.random() * 0.3, 1 - 1e-4)
        wager = best_wager(np, p, q, plane)
        means = [
            mean_factor(a, b, wager.likely, wager.rare)
            for b in (Fraction(k, 60) for k in range(61))
            for part in range(5)
            for a in [
                min(plane.growth * b + plane.slack, Fraction(1)) * Fraction(part, 4)
            ]
        ]
        assert max(means) <= 1
        assert 1 - Fraction(1, 10**10) <= largest_mean(wager, plane) <= 1
        assert max(means) > Fraction(1, 2)


def test_wealth_is_the_product_of_the_factors() -> None:
    """By rationals, for two bets and some hundreds of trials."""
    import numpy as np

    plane = claimed(PureDP(1)).planes[0]
    event = OrientedEvent(OneSide(TheNumber(), 0.0, True), 1)
    bets = []
    total = Fraction(0)
    for p, q, hits in ((0.5, 0.1, (30, 140)), (0.3, 0.1, (100, 50))):
        wager = best_wager(np, p, q, plane)
        tally = Tally(300, hits)
        bet = Bet(event, plane, wager, Fraction(1, 3), 0)
        rare, likely = hits
        product = (
            wager.likely[1] ** likely
            * wager.likely[0] ** (300 - likely)
            * wager.rare[1] ** rare
            * wager.rare[0] ** (300 - rare)
        )
        total += product / 3
        bound = stake(bet, tally).bound()
        assert bound.lower <= product / 3 <= bound.upper
        bets.append((bet, tally))
    bound = wealth(bets).bound()
    assert bound.lower <= total <= bound.upper
    assert bound.upper - bound.lower < total / 10**20


def test_shares_of_all_looks_add_up_to_the_error() -> None:
    """However many looks there are."""
    error = Fraction(1, 20)
    spent = sum(
        7 * share_at_look(error, Fraction(7), Fraction(look)) for look in range(1, 200)
    )
    assert spent == error * (1 - Fraction(1, 200))
