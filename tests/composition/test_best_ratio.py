"""Smooth noise before another choice: the best ratio of scales, against all pairs on a fine grid of
outputs in doubles.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import (
    Exponential,
    FiniteMechanism,
    Plan,
    SmoothGaussian,
    SmoothLaplace,
    SmoothStudent,
    delta,
    epsilon,
)
from rdpacct.composition.choices.ratio_knots import BITS, RatioKnots
from rdpacct.composition.choices.ratio_search import ChosenRatio, Order, RatioSearch
from rdpacct.exact.ball import precision
from rdpacct.mechanisms.smooth.smooth_noise import SmoothNoise
from rdpacct.privacy.highest import Highest
from rdpacct.privacy.loss import PrivacyLoss

np = pytest.importorskip("numpy")
Array = Any
Density = Callable[[Array], Array]
NARROW = 1e-6
STRETCHES = np.linspace(-9, 9, 200_001)
OUTPUTS = np.sinh(STRETCHES)
"""Far enough for the heavy tails of Student's t."""
WIDTHS = np.cosh(STRETCHES) * (STRETCHES[1] - STRETCHES[0])
LEVELS = np.linspace(-12, 12, 12_001)
CLOSE = 3e-6
"""How far off the grids are, relatively."""


def laplace(z: Array) -> Array:
    return np.exp(-abs(z)) / 2


def normal(z: Array) -> Array:
    return np.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def student(z: Array) -> Array:
    """Three degrees of freedom."""
    return 2 / (math.pi * math.sqrt(3)) / (1 + z * z / 3) ** 2


def pair(
    density: Density, shift: float, ratio: float, narrow_first: bool
) -> tuple[Array, Array]:
    narrow = density(OUTPUTS)
    scale = math.exp(ratio)
    broad = density((OUTPUTS - shift) / scale) / scale
    return (narrow, broad) if narrow_first else (broad, narrow)


def losses(p: Array, q: Array) -> Array:
    return np.log(np.maximum(p, 1e-300)) - np.log(np.maximum(q, 1e-300))


def largest_profile(density: Density, alpha: float, beta: float) -> Array:
    """The largest delta of the corners at each level."""
    best = np.maximum(0, 1 - np.exp(LEVELS))
    for ratio, narrow_first in ((0.0, True), (beta, True), (beta, False)):
        p, q = pair(density, alpha, ratio, narrow_first)
        rows = losses(p, q)
        order = np.argsort(rows)
        above_p, above_q = (
            np.append(np.cumsum((law * WIDTHS)[order][::-1])[::-1], 0) for law in (p, q)
        )
        place = np.searchsorted(rows[order], LEVELS, side="right")
        best = np.maximum(best, above_p[place] - np.exp(LEVELS) * above_q[place])
    return best


def gained(p: Array, q: Array, after: Array, level: float) -> float:
    """The mean of what follows over the outputs of a pair."""
    values = np.interp(level - losses(p, q), LEVELS, after)
    return float((p * values * WIDTHS).sum())


def best_of_all(
    first: tuple[Density, float, float], after: Array, level: float
) -> float:
    """The largest gain over shifts and ratios, both orders of the two laws."""
    density, alpha, beta = first
    return max(
        gained(*pair(density, shift, ratio, narrow_first), after, level)
        for narrow_first in (False, True)
        for ratio in np.linspace(0, beta, 4)
        for shift in (alpha, alpha / 2)
    )


TWO: list[tuple[Plan, Sequence[tuple[Density, float, float]]]] = [
    (
        SmoothStudent(1, "0.1", 3) + SmoothLaplace(1, "0.1"),
        [(student, 1, 0.1), (laplace, 1, 0.1)],
    ),
    (2 * SmoothGaussian("0.5", "0.1"), [(normal, 0.5, 0.1)] * 2),
    (
        SmoothGaussian(1, "0.5") + SmoothLaplace("0.3", "0.5"),
        [(normal, 1, 0.5), (laplace, 0.3, 0.5)],
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("level", [0.0, 0.3, 1.0])
@pytest.mark.parametrize(("plan", "noises"), TWO, ids=[str(plan) for plan, _ in TWO])
def test_no_pair_of_all_gains_more_and_one_gains_it(
    plan: Plan, noises: Sequence[tuple[Density, float, float]], level: float
) -> None:
    """Either of the two first, the other one last with its best corner for each output."""
    one, two = noises
    best = max(
        best_of_all(first, largest_profile(*last), level)
        for first, last in ((one, two), (two, one))
    )
    found = delta(plan, Fraction(level))
    assert found.relative_width < NARROW
    assert float(found.lower) == pytest.approx(best, rel=CLOSE)


def test_student_noise_twice() -> None:
    """Near the largest loss too."""
    plan = 2 * SmoothStudent(1, "0.1", 3)
    after = largest_profile(student, 1, 0.1)
    best = best_of_all((student, 1, 0.1), after, 1.0)
    found = delta(plan, 1)
    assert found.relative_width < NARROW
    assert float(found.lower) == pytest.approx(best, rel=CLOSE)
    assert epsilon(plan, "1e-6").relative_width < NARROW


def test_beside_an_exponential_mechanism() -> None:
    """The pair of losses t and t - 1 is chosen first, or the ratio of scales."""
    found = delta(SmoothStudent(1, "0.1", 3) + Exponential(1), 1)
    after = largest_profile(student, 1, 0.1)
    least = math.exp(-1)
    first = 0.0
    for top in np.linspace(0.01, 0.99, 99):
        high = (1 - math.exp(top - 1)) / (1 - least)
        ends = np.interp([1 - top, 2 - top], LEVELS, after)
        first = max(first, high * float(ends[0]) + (1 - high) * float(ends[1]))
    root = np.sqrt(np.exp(LEVELS - 1))
    alone = np.where(LEVELS < 1, (1 - root) ** 2 / (1 - least), 0)
    alone = np.where(LEVELS < -1, 1 - np.exp(LEVELS), alone)
    best = max(first, best_of_all((student, 1, 0.1), alone, 1.0))
    assert found.relative_width < NARROW
    assert float(found.lower) == pytest.approx(best, rel=1e-4)
    assert float(found.upper) >= best * (1 - CLOSE)


@pytest.mark.slow
@pytest.mark.parametrize("level", [0.2, 1.0])
def test_beside_a_table(level: float) -> None:
    """Two inputs in either order: the table first, or the ratio of scales."""
    table = FiniteMechanism([["3/4", "1/4"], ["1/3", "2/3"]])
    found = delta(SmoothGaussian("0.5", "0.1") + table, Fraction(level))
    pairs = [[(3 / 4, 1 / 3), (1 / 4, 2 / 3)], [(1 / 3, 3 / 4), (2 / 3, 1 / 4)]]
    after = largest_profile(normal, 0.5, 0.1)
    first = max(
        sum(
            p * float(np.interp(level - math.log(p / q), LEVELS, after)) for p, q in one
        )
        for one in pairs
    )
    growth = np.exp(LEVELS)
    sticks = [sum(np.maximum(p - growth * q, 0) for p, q in one) for one in pairs]
    alone = np.maximum(*sticks)
    best = max(first, best_of_all((normal, 0.5, 0.1), alone, level))
    assert found.relative_width < NARROW
    assert float(found.lower) == pytest.approx(best, rel=CLOSE)


def search_of(noise: SmoothNoise, knots: int) -> RatioSearch:
    """All ratios of a noise before the same one."""
    [direction] = noise.directions()
    assert direction.last is not None
    assert direction.ratios is not None
    assert isinstance(direction.last.loss, PrivacyLoss)
    [law] = direction.last.loss.parts
    assert isinstance(law, Highest)
    levels = [Fraction(6 * k, knots) for k in range(-knots, knots + 1)]
    order = Order(direction.ratios, RatioKnots.of(law.losses, levels))
    return RatioSearch([order], Fraction(1))


@pytest.mark.parametrize("narrow_first", [False, True])
@pytest.mark.parametrize(
    "noise",
    [SmoothLaplace(1, "0.5"), SmoothGaussian(1, "0.5"), SmoothStudent(1, "0.5", 3)],
    ids=str,
)
def test_no_ratio_within_a_stretch_gains_more(
    noise: SmoothNoise, narrow_first: bool
) -> None:
    """Stretches of every eighth, against a ratio within each; and the ends alone are not enough."""
    search = search_of(noise, 16)
    with precision(BITS):
        for k in range(8):
            ends = [
                ChosenRatio(0, narrow_first, Fraction(share, 8)) for share in (k, k + 1)
            ]
            within = ChosenRatio(0, narrow_first, Fraction(3 * k + 1, 24))
            bound = search.stretch(ends[0], ends[1]).bound
            inside = search.gained(within)
            assert inside.most <= bound
            least = search.orders[0].knots.least(inside.before)
            assert least <= inside.most


def test_both_bounds_are_needed() -> None:
    """The polygon below is below, and one with heavier knots is not above any more."""
    search = search_of(SmoothLaplace(1, "0.5"), 40)
    knots = search.orders[0].knots
    with precision(BITS):
        found = search.gained(ChosenRatio(0, False, Fraction(1)))
        lighter = [weight / 2 for weight in knots.weights]
        broken = RatioKnots(
            knots.levels, knots.growth, lighter, knots.rest, knots.events
        )
        assert knots.least(found.before) > broken.most(found.deltas)
