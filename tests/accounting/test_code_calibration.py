"""Audits of right mechanisms at their exact epsilon: how often a true claim is refuted."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import ApproxDP, Guarantee, PureDP, audit_code, calibrate, delta
from rdpacct.exact.binomial import at_most
from rdpacct.functions import log

CONFIDENCE = "0.95"
TRIALS = 2000


def response(data: int, rng: Any, size: int) -> Any:
    """Randomized response with odds of 3."""
    return ((rng.random(size) < 0.75) == bool(data)).astype(float)


def laplace(data: float, rng: Any, size: int) -> Any:
    """Laplace noise of scale 1."""
    return data + rng.laplace(size=size)


def geometric(data: int, rng: Any, size: int) -> Any:
    """Geometric noise on both sides, of epsilon 1."""
    ends = 1 - math.exp(-1)
    return data + rng.geometric(ends, size=size) - rng.geometric(ends, size=size)


def gaussian(data: float, rng: Any, size: int) -> Any:
    """Normal noise of sigma 1."""
    return data + rng.normal(size=size)


def exact_delta() -> ApproxDP:
    """The smallest delta of that noise at epsilon 1."""
    return ApproxDP(1, Fraction(delta("Gaussian(sigma=1)", 1).upper))


TIGHT: dict[str, tuple[Callable[..., Any], Callable[[], Guarantee]]] = {
    "randomized response": (response, lambda: PureDP(log(3))),
    "Laplace": (laplace, lambda: PureDP(1)),
    "geometric": (geometric, lambda: PureDP(1)),
    "Gaussian": (gaussian, exact_delta),
}
"""Mechanisms that have their claim and no stronger one."""


def refutations(name: str, audits: int, method: str) -> int:
    """How many audits refute a true claim; a sequential one stops where its wealth is largest, if
    that is enough.
    """
    mechanism, claim = TIGHT[name]
    return sum(
        audit_code(
            mechanism, 0, 1, claim(), CONFIDENCE, TRIALS, seed=seed, method=method
        ).fails
        for seed in range(audits)
    )


def surprising(count: int, audits: int) -> bool:
    """Whether so many refutations, or more, have a probability below 0.001 at a rate of 0.05."""
    fewer = at_most(count - 1, audits, Fraction(1, 20), 128)
    return count > 0 and (1 - fewer - Fraction(1, 1000)).certainly_negative()


@pytest.mark.parametrize("name", TIGHT)
def test_a_true_claim_is_rarely_refuted(name: str) -> None:
    """A small number of audits of each."""
    assert not surprising(refutations(name, 12, "sequential"), 12)
    assert not surprising(refutations(name, 6, "fixed"), 6)


def test_a_rate_that_is_too_large_would_be_seen() -> None:
    """The check itself can fail: a claim that is a little too strong is refuted too often."""
    assert surprising(30, 200)
    strong = sum(
        audit_code(laplace, 0, 1, PureDP("0.8"), CONFIDENCE, TRIALS, seed=seed).fails
        for seed in range(12)
    )
    assert surprising(strong, 12)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["sequential", "fixed"])
def test_two_thousand_audits_of_right_mechanisms(method: str) -> None:
    """The rate of refutations of true claims is at most 0.05, but for its own binomial error."""
    count = sum(refutations(name, 500, method) for name in TIGHT)
    assert not surprising(count, 2000), count


def less_noise(part: float) -> Callable[..., Any]:
    """Normal noise with a part of the sigma that ApproxDP(1, 1e-3) needs."""
    sigma = float(calibrate("Gaussian(sigma=?)", epsilon=1, delta="1e-3").value.upper)

    def run(data: float, rng: Any, size: int) -> Any:
        return data + rng.normal(scale=part * sigma, size=size)

    return run


def test_a_tenth_less_noise_is_seen() -> None:
    """By a million trials, and the right noise is not refuted by the same ones."""
    claim = ApproxDP(1, "1e-3")
    assert audit_code(less_noise(0.9), 0.0, 1.0, claim, trials=10**6, seed=1).fails
    assert audit_code(less_noise(1.0), 0.0, 1.0, claim, trials=10**6, seed=1).undecided


@pytest.mark.slow
def test_a_tenth_less_noise_is_seen_in_ninety_of_a_hundred_audits() -> None:
    """At the documented number of trials."""
    broken = less_noise(0.9)
    claim = ApproxDP(1, "1e-3")
    seen = sum(
        audit_code(broken, 0.0, 1.0, claim, trials=10**6, seed=seed).fails
        for seed in range(100)
    )
    assert seen >= 90
