"""Wagers, half planes and power of audits of running code, against independent computations."""

import math
import random
from fractions import Fraction
from typing import Any

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
    audit_code,
    delta,
)
from rdpacct.auditing.running.bets import Bet, Tally, OrientedEvent, stake, wealth
from rdpacct.auditing.running.claimed import claimed
from rdpacct.auditing.running.events import OneSide
from rdpacct.auditing.running.growth import best_wager
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
        assert float(plane.growth) == pytest.approx(math.exp(plane.epsilon), rel=1e-12)
        assert plane.growth >= Fraction(math.exp(plane.epsilon)) * (
            1 - Fraction(1, 10**14)
        )


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


def response(keep: float) -> Any:
    """Randomized response that keeps the bit with this probability."""

    def run(data: int, rng: Any, size: int) -> Any:
        return ((rng.random(size) < keep) == bool(data)).astype(float)

    return run


@pytest.mark.parametrize("method", ["sequential", "fixed"])
def test_the_power_is_what_is_measured(method: str) -> None:
    """A right mechanism's audit states an epsilon; a twin with that epsilon is refuted in at least
    0.9 of many audits, and one half way there is not always.
    """
    right = math.exp(1) / (1 + math.exp(1))
    audited = audit_code(response(right), 0, 1, PureDP(1), trials=4000, method=method)
    power = audited.power
    assert power is not None
    assert power.lower == 1
    assert 1.05 < power.upper < 1.6
    odds = math.exp(float(power.upper))
    refuted = sum(
        audit_code(
            response(odds / (1 + odds)),
            0,
            1,
            PureDP(1),
            trials=4000,
            seed=seed,
            method=method,
        ).fails
        for seed in range(1, 41)
    )
    assert refuted >= 34
    odds = math.exp((1 + float(power.upper)) / 2)
    half_way = sum(
        audit_code(
            response(odds / (1 + odds)),
            0,
            1,
            PureDP(1),
            trials=4000,
            seed=seed,
            method=method,
        ).fails
        for seed in range(1, 21)
    )
    assert half_way < 16


@pytest.mark.parametrize("method", ["sequential", "fixed"])
def test_the_power_is_at_most_the_exact_one(method: str) -> None:
    """Summed over all pairs of counts of a small audit: the event of the power is refuted with at
    least the probability that is stated.
    """
    from rdpacct.auditing.running.certificate import BetEvidence, LimitEvidence
    from rdpacct.auditing.running.fixed import refutes
    from rdpacct.auditing.running.power import Staircase, least_violation, violation

    found: list[Staircase] = []
    keep = math.exp(1) / (1 + math.exp(1))
    verdict = audit_code(
        response(keep), 0, 1, PureDP(1), "0.9", trials=400, method=method
    )
    import rdpacct.auditing.running.code_power as module

    def recorded(stairs: Staircase) -> Any:
        found.append(stairs)
        return least_violation(stairs)

    before = module.least_violation
    module.least_violation = recorded
    try:
        assert verdict.power is not None
    finally:
        module.least_violation = before
    stairs = found[0]
    bound = least_violation(stairs)
    assert bound is not None
    p = float(violation(stairs.q, stairs.plane, Fraction(bound.upper)))
    q = float(stairs.q)
    evidence = verdict.evidence
    refuting = _refuting(evidence, stairs, refutes)
    assert isinstance(evidence, BetEvidence | LimitEvidence)
    n = stairs.trials
    exact = 0.0
    for rare in range(n + 1):
        for likely in range(n + 1):
            chance = _binomial(n, likely, p) * _binomial(n, rare, q)
            if chance > 1e-9 and refuting(likely, rare):
                exact += chance
    assert exact >= 0.9
    assert float(stairs.probability(Fraction(p))) <= exact + 1e-6


def _refuting(evidence: Any, stairs: Any, refutes: Any) -> Any:
    """Whether two counts refute, by the test itself."""
    from dataclasses import replace

    if hasattr(evidence, "seen"):
        seen = next(each for each in evidence.seen if each.plane == stairs.plane)

        def by_limits(likely: int, rare: int) -> bool:
            return bool(refutes(replace(seen, likely_hits=likely, rare_hits=rare)))

        return by_limits
    goal = math.log(10)
    logs = [
        (bet, [math.log(float(f)) for f in (*bet.wager.likely, *bet.wager.rare)])
        for bet, tally in evidence.bets
        if tally.trials == stairs.trials
    ]

    def by_bets(likely: int, rare: int) -> bool:
        n = stairs.trials
        return any(
            math.log(float(bet.weight))
            + (n - likely) * f[0]
            + likely * f[1]
            + (n - rare) * f[2]
            + rare * f[3]
            >= goal
            for bet, f in logs
        )

    return by_bets


def _binomial(n: int, k: int, p: float) -> float:
    log_choose = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(log_choose + k * math.log(p) + (n - k) * math.log1p(-p))
