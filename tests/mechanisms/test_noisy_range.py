"""How far the losses of a noisy maximum are apart, and what many of them cost for that."""

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from rdpacct import Exponential, ReportNoisyMax, delta, epsilon
from rdpacct.exact.formula import formula
from rdpacct.mechanisms.exponential.exponential import rare_large_loss
from rdpacct.mechanisms.selection.report_noisy_max import (
    four_noisy_scores,
    noisy_range,
)
from rdpacct.privacy.atoms_transform import AtomsTransform

MOST = 29 / 20
PLACES = np.linspace(-30, 40, 14001)


def chosen(scores: list[float]) -> list[float]:
    """The law of the noisy maximum for noise of scale 1, by the trapezoid rule."""
    sides = [PLACES - score for score in scores]
    below = [
        np.where(side < 0, np.exp(-abs(side)) / 2, 1 - np.exp(-abs(side)) / 2)
        for side in sides
    ]
    every = np.prod(below, axis=0)
    weights = [
        float(np.sum(np.exp(-abs(side)) / 2 * every / one))
        for side, one in zip(sides, below, strict=True)
    ]
    return [weight / sum(weights) for weight in weights]


def apart(scores: list[float], moves: tuple[float, ...]) -> float:
    """The distance of the largest and the smallest loss."""
    moved = [score + move for score, move in zip(scores, moves, strict=True)]
    both = zip(chosen(scores), chosen(moved), strict=True)
    losses = [math.log(p / q) for p, q in both]
    return max(losses) - min(losses)


def test_no_scores_have_losses_farther_apart() -> None:
    """Random scores of up to six candidates, each of which rises by epsilon or stays."""
    rng = random.Random(7)
    most = 0.0
    for _ in range(12):
        scores = [rng.choice((0, rng.uniform(-2, 2))) for _ in range(rng.randint(2, 6))]
        moved = rng.choice((0.1, 1.0))
        for moves in itertools.product((0.0, moved), repeat=len(scores)):
            if 0 in moves:
                most = max(most, apart(scores, moves) / moved)
    assert 1.1 < most < MOST


def test_five_equal_candidates_have_more_than_epsilon() -> None:
    """The rate n/(n - 1) (1 - 2**(1 - n)), which the exponential mechanism does not have."""
    found = apart([0.0] * 5, (0.001, 0.001, 0.0, 0.0, 0.0)) / 0.001
    assert abs(found - 75 / 64) < 1e-3
    assert float(noisy_range(1).ball(64)) > found > 1


def test_four_candidates_have_the_shipped_chances() -> None:
    """Two against two, by quadrature."""
    loss = four_noisy_scores(formula(2), formula(Fraction(1, 2)))
    first, second = chosen([0.5, 0.5, 0, 0]), chosen([-1.5, -1.5, 0, 0])
    up, down = (atom.p.ball(64) for atom in loss.parts)  # type: ignore[attr-defined]
    assert abs(float(up) - first[0] - first[1]) < 1e-5
    assert abs(float(down) - first[2] - first[3]) < 1e-5
    q = loss.parts[0].q.ball(64)  # type: ignore[attr-defined]
    assert abs(float(q) - second[0] - second[1]) < 1e-5


@pytest.mark.parametrize("largest", ["1/10", "1", "3"])
def test_the_rare_large_loss_dominates_in_squares(largest: str) -> None:
    """All pairs of two points whose losses lie in the range, at many levels."""
    top = float(Fraction(largest))
    length = top * MOST
    pair = rare_large_loss(formula(Fraction(largest)), noisy_range(Fraction(largest)))
    shipped = pair.transform
    assert isinstance(shipped, AtomsTransform)
    points = [
        (float(mass.ball(64)), math.exp(-float(loss.ball(64))))
        for mass, loss in zip(shipped.masses, shipped.losses, strict=True)
    ]
    assert abs(sum(mass * ratio for mass, ratio in points) - 1) < 1e-12
    equal = 0
    for part in range(41):
        high = length - top + (2 * top - length) * part / 40
        low, other = math.exp(-high), math.exp(length - high)
        mass = (other - 1) / (other - low)
        two = ((mass, low), (1 - mass, other))
        for step in range(120):
            level = math.exp(-top + 3 * top * step / 100)
            mine, theirs = (
                sum(m * max(level - ratio, 0) ** 2 for m, ratio in law)
                for law in (points, two)
            )
            assert theirs <= mine * (1 + 1e-9) + 1e-15
            equal += theirs > mine * (1 - 1e-3) and mine > 1e-12
    assert equal


def test_many_noisy_maxima_cost_less_than_laplace_noise() -> None:
    """By the range of their losses, for epsilon and for delta."""
    many = 1000 * ReportNoisyMax("1/10")
    found = epsilon(many, "1e-6")
    laplace = epsilon("1000*Laplace(scale=10)", "1e-6")
    assert Fraction("9.94") < found.lower < found.upper < Fraction("13.57")
    assert found.upper < laplace.lower
    assert {"selection/noisy-max-range", "exponential/beside-ramp"} <= found.rests_on
    at = delta(many, "13.57")
    assert at.upper < Fraction(1, 10**6)
    assert delta(many, "9.94").lower > Fraction(1, 10**6)


def test_few_noisy_maxima_keep_their_law() -> None:
    """No loss exceeds epsilon, though the range alone would allow it."""
    assert epsilon(2 * ReportNoisyMax(1), "1e-6").upper < 2
    profile = ReportNoisyMax(1).profile()
    assert profile.max_divergence().upper == 1
    rho = profile.zcdp_rho()
    assert rho.upper < Fraction("0.256")
    assert "selection/noisy-max-range" in rho.rests_on


def test_many_exponential_ones_are_near_their_worst_pair() -> None:
    """By divergences for a thousand, and beside a ramp for more."""
    found = epsilon(1000 * Exponential("1/10"), "1e-6")
    assert found.upper < Fraction("8.85")
    small = epsilon(100_000 * Exponential("1/100"), "1e-6")
    assert small.upper < Fraction("8.45")
    assert "exponential/beside-ramp" in small.rests_on
    assert small.relative_width < 0.02
