"""Smooth noise beside every other kind of release: enclosures, and the ends against other
computations.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from rdpacct import SmoothLaplace, profile
from rdpacct.exact.formula import formula
from rdpacct.mechanisms.smooth.smooth_laplace import LaplaceNoise
from rdpacct.mechanisms.smooth.smooth_noise import pair_loss
from tests.matrix import (
    BY_MOMENTS,
    KINDS,
    MOST_SECONDS,
    NARROW,
    QUESTIONS,
    ask,
    line,
)

SMOOTH = [
    "SmoothLaplace(alpha=1, beta=0.1)",
    "SmoothGaussian(alpha=0.5, beta=0.1)",
    "SmoothStudent(alpha=1, beta=0.1, degrees=3)",
    "SmoothPower(alpha=1, beta=0.1, power=3)",
]
EXACT = SMOOTH[:3]
"""Those whose profile is known at every epsilon."""
OTHERS = [*(texts[1] for texts in KINDS.values()), *SMOOTH]


def test_a_pair_is_enclosed() -> None:
    smooth = "SmoothStudent(alpha=1, beta=0.1, degrees=3)"
    other = "Laplace(scale=2)"
    both = profile(f"{smooth} + {other}")
    found = both.delta(1)
    assert found.relative_width < NARROW
    for alone in (smooth, other):
        assert found.upper >= profile(alone).delta(1).lower


@pytest.mark.slow
def test_two_releases_against_a_sum_over_cells() -> None:
    """Both ends are at least delta of every mix of corners, by a sum over many cells."""
    plan = "2*SmoothLaplace(alpha=1, beta=0.5)"
    corners = [corner_law(first) for first in (False, True)]
    for level in (0.5, 1.5):
        found = profile(plan).delta(Fraction(level))
        for one in corners:
            for two in corners:
                p = np.outer(one[0], two[0])
                q = np.outer(one[1], two[1])
                pooled = np.maximum(0, p - math.exp(level) * q).sum()
                assert pooled <= float(found.upper) + 1e-9
                assert pooled <= float(found.lower) * (1 + 1e-6) + 1e-9


def corner_law(narrow_first: bool) -> tuple[np.ndarray, np.ndarray]:
    """The masses of the corner with the largest ratio in cells of losses, by its event
    probabilities.
    """
    loss = pair_loss(
        LaplaceNoise(), formula(1), formula(Fraction(1, 2)), narrow_first=narrow_first
    )
    levels = [Fraction(k, 16) for k in range(-96, 97)]
    above = [loss.event_probabilities(level) for level in levels]
    p, q = (
        np.array([1.0, *(float(pair[k].lower) for pair in above), 0.0]) for k in (0, 1)
    )
    return -np.diff(p), -np.diff(q)


def test_one_release_composes_to_itself() -> None:
    """Beside a release that tells nothing, the answer is that of one release, as near as a grid of
    losses with steps of 1/40 shows it.
    """
    alone = SmoothLaplace(1, "0.1").profile()
    beside = profile("SmoothLaplace(alpha=1, beta=0.1) + PureDP(epsilon=0)")
    for level in ("0.5", "1.05"):
        exact = alone.delta(level)
        found = beside.delta(level)
        assert found.overlaps(exact)
        assert found.relative_width < 1e-2


def test_a_power_of_which_only_the_largest_loss_is_known() -> None:
    both = profile("SmoothPower(alpha=1, beta=0.1, power=3) + Laplace(scale=2)")
    largest = profile("SmoothPower(alpha=1, beta=0.1, power=3)").epsilon(0)
    assert both.epsilon(0).overlaps(
        profile(f"PureDP(epsilon={largest.upper}) + Laplace(scale=2)").epsilon(0)
    )
    assert 0 <= both.delta(1).lower < both.delta(1).upper < 1
    assert 0 <= both.tradeoff("0.1").lower < both.tradeoff("0.1").upper <= 1


@pytest.mark.slow
@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("smooth", SMOOTH)
def test_every_pair_answers(smooth: str, other: str) -> None:
    """Each smooth noise beside one of every kind: no refusal, no long wait, and narrow where the
    profile is known.
    """
    for question in QUESTIONS:
        found = ask(f"{smooth} + {other}", question)
        assert found.answer is not None, line(found)
        assert found.seconds < MOST_SECONDS, line(found)
        if smooth in EXACT and not other.endswith("power=3)"):
            assert found.answer.relative_width < NARROW, line(found)


@pytest.mark.slow
@pytest.mark.parametrize("other", BY_MOMENTS)
@pytest.mark.parametrize("smooth", SMOOTH)
def test_promises_beside_smooth_noise_answer(smooth: str, other: str) -> None:
    found = ask(f"{smooth} + {other}", QUESTIONS[0])
    assert found.answer is not None, line(found)
    assert math.isfinite(found.answer.upper), line(found)
