"""Renyi divergences of pairs of mixtures at any order, against mpmath, and their bounds."""

import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from mpmath import mp

from rdpacct import (
    Gaussian,
    PoissonSampled,
    Relation,
    SampledWithoutReplacement,
    profile,
)
from rdpacct.exact.ball import precision
from rdpacct.exact.formula import formula
from rdpacct.exact.raw import real
from rdpacct.mechanisms.mixtures.exponential_sum import ExponentialSum, two_terms
from rdpacct.mechanisms.mixtures.integrand import (
    LinePoint,
    Powers,
    between,
    tail_beyond,
)

REPLACED = Relation.REPLACE_ONE


def mixture_log(x: Any, rate: Any, place: Any) -> Any:
    return mp.log(1 - rate + rate * mp.exp(place * x - place**2 / 2))


def about_the_peak(*given: Any) -> float:
    """The place of 4001, in doubles, at which the logarithm of the integrand is largest: it says
    where the integral is cut and what it is scaled by.
    """
    rate, mu, order, folded, start, end = map(float, given)
    x = np.linspace(start, end, 4001)
    kept = np.log(1 - rate)
    moved = np.log(rate) - mu**2 / 2
    first = np.logaddexp(kept, moved + mu * x)
    second = np.logaddexp(kept, moved - mu * x)
    log_sizes = order * first + (0 if folded else (1 - order) * second) - x * x / 2
    return float(x[np.argmax(log_sizes)])


def log_moment(rate: Any, mu: Any, order: Any, folded: bool) -> Any:
    """log of the integral of phi A**order B**(1 - order), about its peak, and of a folded pair."""

    def log_size(x: Any) -> Any:
        second = 0 if folded else mixture_log(x, rate, -mu)
        return order * mixture_log(x, rate, mu) + (1 - order) * second - x * x / 2

    start = mu / 2 if folded else mp.mpf(-14)
    end = max(start + 30, order * mu + 20)
    peak = mp.mpf(about_the_peak(rate, mu, order, folded, start, end))
    top = log_size(peak)
    edges = [max(start, peak - 16 + 2 * j) for j in range(17)]
    edges = sorted({start, *edges, *(e for e in range(-14, 30, 2) if e > start)})
    total = mp.quad(lambda x: mp.exp(log_size(x) - top), edges) / mp.sqrt(2 * mp.pi)
    if folded:
        edge = mu / 2
        atom = 1 - mp.ncdf(-edge) - (1 - rate) * mp.ncdf(-edge)
        atom -= rate * mp.ncdf(mu - edge)
        mirrored = mp.quad(
            lambda x: mp.npdf(x) * mp.exp((1 - order) * mixture_log(x, rate, mu)),
            mp.linspace(start, 14, 9),
        )
        total += (atom + mirrored) * mp.exp(-top)
    return mp.log(total) + top


@pytest.mark.parametrize("order", ["0.5", "3", "64", "4096", "100000"])
@pytest.mark.parametrize("kind", ["replaced", "folded"])
def test_divergences_against_mpmath_at_any_order(kind: str, order: str) -> None:
    folded = kind == "folded"
    plan: Any = PoissonSampled(Gaussian(1), "0.1", relation=REPLACED)
    if folded:
        inside = Gaussian(1).stated_for(REPLACED)
        plan = SampledWithoutReplacement(inside, 1, 10, relation=REPLACED)
    with mp.workdps(30):
        alpha = mp.mpf(order)
        truth = log_moment(mp.mpf("0.1"), mp.mpf(1), alpha, folded) / (alpha - 1)
        found = plan.loss().renyi(order)
        assert found.relative_width < 1e-12
        middle = mp.mpf(float(found.lower))
        assert abs(truth - middle) < mp.mpf("1e-12") * (1 + abs(truth))


def test_no_pair_has_the_divergence_of_the_folded_one() -> None:
    """The answer for replaced records is between those of one way and of the folded pair."""
    inside = Gaussian(1).stated_for(REPLACED)
    plan = SampledWithoutReplacement(inside, 1, 10, relation=REPLACED)
    found = profile(plan).renyi(2)
    one_way = max(loss.renyi(2).lower for loss in plan.attained())
    assert found.lower == one_way < found.upper == plan.loss().renyi(2).upper


def test_the_integrand_is_nowhere_above_its_falls() -> None:
    """Random powers and intervals: the falls from both ends bound all values between; with the
    slopes of the two ends exchanged they do not.
    """
    rng = random.Random(7)
    sums = (
        two_terms(formula(Fraction(1, 5)), formula(Fraction(3, 2))),
        two_terms(formula(Fraction(1, 3)), formula(-1)),
    )
    wrong = 0
    with precision(100):
        balls = (sums[0].balls(), sums[1].balls())
        for _ in range(60):
            tilt = rng.uniform(-3, 9)
            powers = Powers(real(1 + tilt), real(-tilt), real(0))
            low = LinePoint(balls, real(rng.uniform(-6, 6)))
            high = LinePoint(balls, low.x + rng.uniform(0.1, 2))
            falls = between(low, high, powers)
            exchanged = low.fall(powers, low.slopes, 1)
            for j in range(11):
                gap = (high.x - low.x) * j / 10
                here = LinePoint(balls, low.x + gap)
                size = here.fall(powers, here.slopes, 1).size
                bounds = falls[0].size * (-falls[0].rate * gap).exp()
                assert size <= bounds * (1 + 1e-12)
                back = (high.x - low.x) - gap
                other = falls[1].size * (-falls[1].rate * back).exp()
                assert size <= other * (1 + 1e-12)
                wrong += size > exchanged.size * (-exchanged.rate * gap).exp()
    assert wrong > 20


@pytest.mark.parametrize(("end", "upper"), [(3, True), (60, False), (-2, False)])
def test_tails_are_bounded_however_far_the_peak_is(end: int, upper: bool) -> None:
    """The integral of phi A**41 B**-40 beyond an end, by mpmath; it peaks near 41."""
    first = two_terms(formula(Fraction(1, 10)), formula(1))
    second = two_terms(formula(Fraction(1, 10)), formula(-1))
    with precision(100):
        powers = Powers(real(41), real(-40), real(0))
        sums = (first.balls(), second.balls())
        found = float(tail_beyond(sums, powers, real(end), upper).upper().log())
    with mp.workdps(15):

        def inside(x: Any) -> Any:
            log = 41 * mixture_log(x, mp.mpf("0.1"), 1)
            return mp.exp(log - 40 * mixture_log(x, mp.mpf("0.1"), -1) - x * x / 2)

        edges = mp.linspace(end, 59, 9) if upper else mp.linspace(-12, end, 13)
        truth = mp.log(mp.quad(inside, edges, maxdegree=5))
        assert truth <= found < truth + 12


def test_far_orders_of_several_components() -> None:
    """Three records that are removed: at a far order all of them are sampled, up to the rest."""
    found = profile(PoissonSampled(Gaussian(1), "0.1", group=3)).renyi(4096)
    leading = 4096 * 3 * math.log(0.1) / 4095 + 4096 * 9 / 2
    assert found.relative_width < 1e-12
    assert abs(float(found) - leading) < 1e-9 * leading


def test_planned_kinks_are_where_components_weigh_the_same() -> None:
    parts = [(Fraction(1, 2), 0), (Fraction(3, 10), 1), (Fraction(1, 5), 3)]
    one = ExponentialSum(tuple((formula(w), formula(c)) for w, c in parts))
    for kink, (near, far) in zip(one.planned_kinks, [(0, 1), (1, 2)], strict=True):
        logs = [weight + place * kink for weight, place in one.planned_terms]
        assert abs(logs[near] - logs[far]) < 1e-12
