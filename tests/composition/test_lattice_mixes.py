"""Mixes of losses on different lattices, against sums over all pairs of atoms in doubles."""

import math
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from rdpacct import profile

SIGMAS = ("0.5", "1", "2", "3", "5", "10", "20", "50", "100")
PAIRS = list(combinations(SIGMAS, 2))
BESIDE = (
    "DiscreteLaplace(scale=3, sensitivity=2)",
    "DiscreteLaplace(scale=0.5)",
    "RandomizedResponse(epsilon=0.5, answers=4)",
    "RandomizedResponse(epsilon=2, answers=10)",
    "MaximallyDivergent(epsilon=1, neutral=0.3)",
)


@cache
def discrete_gaussian(sigma: Any) -> Any:
    """Losses of the discrete Gaussian of sensitivity 1, with their probabilities."""
    size = float(sigma)
    x = np.arange(-math.ceil(12 * size) - 12, math.ceil(12 * size) + 13)
    p = np.exp(-(x**2) / (2 * size**2))
    return (2 * x + 1) / (2 * size**2), p / p.sum()


def discrete_laplace(scale: Any, steps: Any) -> Any:
    """Noise of masses proportional to exp(-|x|/scale), against the same shifted by so many
    steps.
    """
    x = np.arange(-math.ceil(60 * scale), math.ceil(60 * scale) + steps)
    p = np.exp(-np.abs(x) / scale)
    return (np.abs(x - steps) - np.abs(x)) / scale, p / p.sum()


def response(epsilon: Any, answers: Any) -> Any:
    """The true answer is exp(epsilon) times as likely as each of the others."""
    total = math.exp(epsilon) + answers - 1
    p = np.array([math.exp(epsilon), 1.0, answers - 2.0]) / total
    return np.array([epsilon, -epsilon, 0.0]), p


def divergent(epsilon: Any, neutral: Any) -> Any:
    """Losses of plus and minus epsilon, and none with the neutral probability."""
    up = (1 - neutral) * math.exp(epsilon) / (1 + math.exp(epsilon))
    return np.array([epsilon, -epsilon, 0.0]), np.array([up, 1 - neutral - up, neutral])


LAWS = {
    BESIDE[0]: discrete_laplace(3.0, 2),
    BESIDE[1]: discrete_laplace(0.5, 1),
    BESIDE[2]: response(0.5, 4),
    BESIDE[3]: response(2.0, 10),
    BESIDE[4]: divergent(1.0, 0.3),
}


def brute_delta(first: Any, second: Any, epsilon: Any) -> float:
    """delta of the sum of two independent losses."""
    loss = first[0][:, None] + second[0][None, :]
    excess = np.where(loss > epsilon, -np.expm1(np.minimum(epsilon - loss, 0)), 0.0)
    return float(first[1] @ excess @ second[1])


def check(text: Any, first: Any, second: Any) -> None:
    """Narrow answers for delta and epsilon, each with the brute sum inside, but for its
    rounding.
    """
    both = profile(text)
    epsilon = both.epsilon("1e-6")
    assert epsilon.relative_width < 1e-6
    before = float(epsilon.lower) * (1 - 1e-9)
    after = float(epsilon.upper) * (1 + 1e-9)
    assert (
        brute_delta(first, second, before)
        >= 1e-6 * (1 - 1e-7)
        >= brute_delta(first, second, after) * (1 - 2e-7)
    )
    level = round(0.6 * float(epsilon), 3)
    delta = both.delta(str(level))
    assert delta.relative_width < 1e-6
    assert float(delta) == pytest.approx(brute_delta(first, second, level), rel=2e-6)


@pytest.mark.parametrize(("one", "two"), PAIRS, ids=["-".join(pair) for pair in PAIRS])
def test_two_discrete_gaussians(one: str, two: str) -> None:
    """All 36 pairs; 27 of them ended in an exception."""
    text = f"DiscreteGaussian(sigma={one}) + DiscreteGaussian(sigma={two})"
    check(text, discrete_gaussian(one), discrete_gaussian(two))


@pytest.mark.parametrize("sigma", ["0.5", "3", "20"])
@pytest.mark.parametrize("beside", BESIDE)
def test_a_discrete_gaussian_beside_another_lattice(sigma: str, beside: str) -> None:
    """Each kind of lattice beside a discrete Gaussian."""
    check(
        f"DiscreteGaussian(sigma={sigma}) + {beside}",
        discrete_gaussian(sigma),
        LAWS[beside],
    )


@pytest.mark.parametrize(("one", "two"), list(combinations(BESIDE, 2)))
def test_two_other_lattices(one: str, two: str) -> None:
    """Few atoms on two lattices."""
    check(f"{one} + {two}", LAWS[one], LAWS[two])
