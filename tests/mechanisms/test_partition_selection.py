"""Which categories are shown: optimal chances, thresholds, and the mass at infinity."""

import random
import warnings
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp
import pytest

from rdpacct import (
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    InputError,
    Laplace,
    PartitionSelection,
    Promised,
    StudyOnlyWarning,
    Thresholded,
    audit_code,
    delta,
    epsilon,
)
from rdpacct.functions import log
from rdpacct.privacy.guarantee import ApproxDP

LIMITS: list[tuple[Any, Any]] = [
    ("1", "1e-3"),
    ("0.1", "1e-5"),
    ("3", "1e-9"),
    ("0.5", "0.2"),
    ("0.01", "1e-2"),
]


def recursion(rate: str, mass: str, count: int) -> list[Any]:
    """The chances for 0, 1, ... users, one after the other."""
    mp.mp.dps = 40
    growth, extra = mp.exp(mp.mpf(rate)), mp.mpf(mass)
    chances = [mp.mpf(0)]
    for _ in range(count):
        last = chances[-1]
        following = min(growth * last + extra, 1 - (1 - last - extra) / growth, 1)
        chances.append(following)
    return chances


@pytest.mark.parametrize(("rate", "mass"), LIMITS, ids=str)
def test_chances_are_those_of_the_recursion(rate: str, mass: str) -> None:
    """Through the turn and up to certainty."""
    mechanism = PartitionSelection(rate, mass)
    expected = recursion(rate, mass, 600)
    for users in (0, 1, 2, 3, 5, 8, 13, 21, 50, 100, 200, 599):
        found = mechanism.chance(users).bound()
        value = Fraction(str(expected[users]))
        slack = Fraction(1, 10**25)
        assert found.lower - slack <= value <= found.upper + slack
    assert expected[-1] < 1 or mechanism.chance(599).bound().contains(1)


@pytest.mark.parametrize(("rate", "mass"), LIMITS[:4], ids=str)
def test_every_user_more_is_close_and_no_chance_can_be_larger(
    rate: str, mass: str
) -> None:
    """The (epsilon, delta) of the parameters holds with equality in one of the inequalities."""
    growth, extra = mp.exp(mp.mpf(rate)), mp.mpf(mass)
    chances = recursion(rate, mass, 120)
    for less, more in pairwise(chances):
        gaps = [
            growth * less + extra - more,
            growth * (1 - more) + extra - (1 - less),
            1 - more,
        ]
        assert min(gaps) > -(mp.mpf(10) ** -30)
        assert min(gaps) < mp.mpf(10) ** -30
    found = delta(PartitionSelection(rate, mass), rate)
    assert found.contains(Fraction(mass))


def test_certainty_is_reached_exactly() -> None:
    """With exp(epsilon) = 2 and delta = 1/4 the chances are 0, 1/4, 3/4 and 1."""
    chances = [PartitionSelection(log(2), "1/4").chance(n).bound() for n in range(6)]
    for chance, exact in zip(chances, ("0", "1/4", "3/4", "1", "1", "1"), strict=True):
        assert chance.contains(Fraction(exact))
    assert chances[3].is_exact
    assert PartitionSelection(1, 1).chance(1).bound().is_exact


def test_several_categories_cost_no_more_than_the_promise() -> None:
    """The upper end is that of the opaque guarantee; the lower one is not far from it."""
    for count in (1, 3, 10):
        found = epsilon(count * PartitionSelection("1/10", "1e-6"), "1e-3")
        promised = epsilon(count * Promised(ApproxDP("1/10", "1e-6")), "1e-3")
        assert found.upper == promised.upper
        assert found.lower > promised.lower * Fraction(9, 10)


PEER: list[tuple[Any, int, str]] = [
    (DiscreteLaplace(1), 3, "0.098938"),
    (DiscreteLaplace(1), 4, "0.036397"),
    (DiscreteLaplace(2), 20, "0.0000465922"),
    (Laplace(1), 11, "0.0000226999649"),
    (Gaussian(2), 11, "2.866515719e-7"),
]


@pytest.mark.parametrize(("noise", "threshold", "value"), PEER, ids=str)
def test_the_delta_of_a_threshold(noise: Any, threshold: int, value: str) -> None:
    """The chance that a lone user is released, the threshold included: sums and tails in mpmath.

    The first two are those of opendp/opendp#2922: 0.0365 is claimed where 0.0989 is true.
    """
    found = Thresholded(noise, threshold).delta.bound()
    expected = Fraction(value)
    assert abs(Fraction(found.lower) - expected) < expected * Fraction(1, 10**4)


def test_discrete_tails_are_sums() -> None:
    """Of exp(-|n|/scale) over the integers."""
    mp.mp.dps = 30
    for scale, threshold in ((1, 3), (2, 5), (7, 8)):
        total = mp.nsum(
            lambda n, s=scale: mp.exp(-abs(n) / mp.mpf(s)), [-mp.inf, mp.inf]
        )
        tail = mp.nsum(
            lambda n, s=scale: mp.exp(-n / mp.mpf(s)), [threshold - 1, mp.inf]
        )
        found = Thresholded(DiscreteLaplace(scale), threshold).delta.bound()
        assert abs(float(found.lower) - tail / total) < 1e-14


NOISES: list[Any] = [Laplace(2), DiscreteLaplace(2), Gaussian(3)]


@pytest.mark.parametrize("noise", NOISES, ids=str)
def test_a_threshold_is_between_its_parts_and_their_sum(noise: Any) -> None:
    """delta of the noise, of new categories, and d + (1 - d) v above both; far away it is noise."""
    near, far = Thresholded(noise, 8), Thresholded(noise, 120)
    mass = near.delta.bound()
    for level in (Fraction(0), Fraction(1, 4), Fraction(2)):
        found = delta(near, level)
        alone = delta(noise, level)
        assert found.lower >= max(alone.lower, mass.lower)
        limit = mass.upper + (1 - mass.lower) * alone.upper
        assert found.upper <= limit + Fraction(1, 10**20)
        gap = Fraction(delta(far, level).upper) - Fraction(alone.upper)
        assert abs(gap) < Fraction(1, 10**20)


def test_releases_of_discrete_counts() -> None:
    """None without users, below the threshold nothing, and the delta for a lone user."""
    mechanism = Thresholded(DiscreteLaplace(1), 3)
    rng = random.Random(2)
    assert {mechanism.sample(0, rng) for _ in range(50)} == {None}
    drawn = [mechanism.sample(1, rng) for _ in range(3000)]
    kept = [count for count in drawn if count is not None]
    assert min(kept) == 3
    assert abs(len(kept) / 3000 - 0.098938) < 0.03
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StudyOnlyWarning)
        assert Thresholded(Gaussian(1), 5).sample(100, 1) > 90


def test_samples_of_a_decision() -> None:
    """With the chance, exactly; and audited as code, where a larger chance is refuted."""
    mechanism = PartitionSelection(1, "1e-3")
    rng = random.Random(4)
    shown = sum(mechanism.sample(7, rng) for _ in range(2000)) / 2000
    assert abs(shown - float(mechanism.chance(7).ball(64))) < 0.06
    assert mechanism.sample(0, rng) == 0
    assert mechanism.sample(10**6, rng) == 1
    claim = "ApproxDP(epsilon=1, delta=1e-3)"
    kept = audit_code(mechanism.sample, 7, 6, claim, trials=1000)
    assert kept.undecided
    larger = PartitionSelection(3, "1e-3")
    assert audit_code(larger.sample, 3, 2, claim, trials=4000).fails


def test_what_cannot_be_used_is_refused() -> None:
    """Thresholds below the sensitivity or between counts, other noise, and counts of no users."""
    for make in (
        lambda: Thresholded(Laplace(1), "1/2"),
        lambda: Thresholded(DiscreteLaplace(1), "5/2"),
        lambda: Thresholded(DiscreteGaussian(1), 5),
        lambda: Thresholded("Laplace", 5),
        lambda: Thresholded(DiscreteLaplace(1), 5).sample([1, 2]),
        lambda: Thresholded(DiscreteLaplace(1), 5).sample(-3),
        lambda: Thresholded(DiscreteLaplace(1), 5).sample("3"),
        lambda: PartitionSelection(0, "1e-3"),
        lambda: PartitionSelection(1, 0),
        lambda: PartitionSelection(1, "1e-3").chance(-1),
        lambda: PartitionSelection(1, "1e-3").sample("two"),  # type: ignore[arg-type]
    ):
        with pytest.raises(InputError):
            make()
    told = PartitionSelection(1, "1e-3").uncovered([Fraction(1)], [Fraction(3)])
    assert "more than 1" in told


@pytest.mark.parametrize("small", ["1e-15", "1e-60", "1e-300"])
def test_epsilons_near_zero_end(small: str) -> None:
    # exp(epsilon) - 1 is 0 in 128 bits, and the turn may be beyond all users
    mechanism = PartitionSelection(small, "0.01")
    chances = [float(mechanism.chance(users).bound()) for users in (1, 50, 101)]
    assert chances == pytest.approx([0.01, 0.5, 1])
    assert delta(mechanism, 0).upper >= Fraction(1, 100)
    rare = PartitionSelection(small, "1e-30")
    assert delta(rare, 0).upper >= Fraction(1, 10**30)
    assert epsilon(rare, "1e-2").upper == 0
