"""On-average KL privacy: the mean divergence and the gamma that follows, against enumeration."""

import math
import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rdpacct import InputError, random_dp
from rdpacct.privacy.on_average import kullback_leibler
from rdpacct.privacy.random_dp import Masses, smallest_gamma


def table(seed: int) -> Any:
    """A release of two records with two values each: a random law for each data set."""
    rng = random.Random(seed)
    rows = {}
    for data in product((0, 1), repeat=2):
        weights = [rng.randint(1, 20) for _ in range(3)]
        rows[data] = {k: Fraction(w, sum(weights)) for k, w in enumerate(weights)}
    return lambda data: rows[data]


def mean_in_doubles(release: Any, share: Fraction) -> float:
    """The mean divergence over all three draws, term by term."""
    weight = {0: float(share), 1: float(1 - share)}
    total = 0.0
    for first, last, other in product((0, 1), repeat=3):
        p, q = release((first, last)), release((first, other))
        divergence = sum(
            float(p[k]) * math.log(float(p[k]) / float(q[k])) for k in range(3)
        )
        total += weight[first] * weight[last] * weight[other] * divergence
    return total


@pytest.mark.parametrize("seed", range(5))
def test_the_mean_against_doubles(seed: int) -> None:
    release = table(seed)
    share = Fraction(seed + 1, 7)
    found = random_dp.on_average_kl(release, {0: share, 1: 1 - share}, 2)
    assert float(found) == pytest.approx(mean_in_doubles(release, share), rel=1e-12)
    assert found.relative_width < 1e-15


def test_gamma_follows_for_every_eta() -> None:
    """The exact gamma of random releases is below the one that follows, and near it for some."""
    nearest = 0.0
    for seed, eta in product(range(20), ("0.02", "0.1", "0.3")):
        release = table(seed)
        half = Fraction(1, 2)
        mean = random_dp.on_average_kl(release, {0: half, 1: half}, 2)
        promise = random_dp.from_on_average_kl(mean.upper, eta)
        gamma = smallest_gamma(
            release, {0: half, 1: half}, 2, Fraction(1), Fraction(eta), both_ways=True
        )
        assert gamma <= promise.gamma.bound().upper
        nearest = max(nearest, float(gamma) / float(promise.gamma.bound()))
    assert nearest > 0.25


def test_the_constant_cannot_be_halved() -> None:
    """One record, and two coins that are 0.1 apart: gamma is 1/2 at an eta just below."""
    laws: dict[Any, Masses] = {
        (0,): {0: Fraction(1, 2), 1: Fraction(1, 2)},
        (1,): {0: Fraction(3, 5), 1: Fraction(2, 5)},
    }
    half = Fraction(1, 2)
    population = {0: half, 1: half}
    mean = random_dp.on_average_kl(lambda data: laws[data], population, 1)
    eta = Fraction(99, 1000)
    gamma = smallest_gamma(
        lambda data: laws[data], population, 1, Fraction(1), eta, both_ways=True
    )
    promise = random_dp.from_on_average_kl(mean.upper, eta)
    assert gamma == half
    assert float(promise.gamma.bound()) == pytest.approx(0.5, rel=0.05)
    assert float(promise.gamma.bound()) / 2 < gamma


def test_outputs_that_show_the_data_have_an_infinite_mean() -> None:
    def shown(data: Any) -> Masses:
        return {data: Fraction(1)}

    rare = {0: Fraction(999, 1000), 1: Fraction(1, 1000)}
    assert random_dp.on_average_kl(shown, rare, 1).upper == math.inf
    assert random_dp.exact(shown, rare, 1, alpha=0).upper < Fraction(1, 400)
    constant = random_dp.on_average_kl(lambda _: {0: Fraction(1)}, rare, 1)
    assert constant.upper == 0


def test_a_divergence_in_closed_form() -> None:
    p = {0: Fraction(3, 4), 1: Fraction(1, 4)}
    q = {0: Fraction(1, 4), 1: Fraction(3, 4)}
    found = kullback_leibler(p, q)
    assert found is not None
    assert float(found.bound()) == pytest.approx(math.log(3) / 2)
    assert kullback_leibler(p, {0: Fraction(1)}) is None


@pytest.mark.parametrize(
    ("kl", "eta"), [("-0.1", "0.1"), ("0.1", "0"), ("0.1", "1.1"), ("0.1", "-1")]
)
def test_bad_numbers_are_refused(kl: str, eta: str) -> None:
    with pytest.raises(InputError, match="give a divergence of at least 0"):
        random_dp.from_on_average_kl(kl, eta)


def test_a_population_must_have_mass_one() -> None:
    with pytest.raises(InputError, match="sum to 1"):
        random_dp.on_average_kl(table(0), {0: "0.5", 1: "0.4"}, 2)
