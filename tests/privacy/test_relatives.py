"""Relatives of random differential privacy, by enumeration: what follows from each, and what does
not.
"""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import InputError, RandomDP, random_dp
from rdpacct.functions import log
from rdpacct.privacy.random_dp import Masses, smallest_gamma
from rdpacct.privacy.relatives import smallest_beta

CORNERS = {
    (0, 0): (4, 2, 4, 2),
    (0, 1): (2, 4, 2, 4),
    (1, 0): (4, 4, 2, 2),
    (1, 1): (2, 2, 4, 4),
}
BITS = {0: Fraction(1, 2), 1: Fraction(1, 2)}


def corner(data: Any) -> Masses:
    return {place: Fraction(one, 12) for place, one in enumerate(CORNERS[data])}


def count(data: Any) -> Masses:
    return {sum(data): Fraction(1)}


def random_release(seed: int, ordered: bool) -> Callable[[Any], Masses]:
    """A random law of three outputs for each data set, or for each number of ones."""
    rng = random.Random(seed)
    rows: dict[Any, Masses] = {}

    def release(data: Any) -> Masses:
        key = data if ordered else sum(data)
        if key not in rows:
            weights = [rng.randint(1, 6) for _ in range(3)]
            rows[key] = {k: Fraction(w, sum(weights)) for k, w in enumerate(weights)}
        return rows[key]

    return release


@pytest.mark.parametrize("seed", range(6))
def test_distributional_privacy_is_random_privacy(seed: int) -> None:
    """Also of releases that depend on the order of the records."""
    rng = random.Random(seed)
    release = random_release(seed, ordered=True)
    people = {0: Fraction(1, 3), 1: Fraction(2, 3)}
    for _ in range(3):
        factor = Fraction(rng.randint(10, 25), 10)
        eta = Fraction(rng.randint(0, 10), 50)
        found = random_dp.distributional(release, people, 2, log(factor), eta)
        beta = smallest_beta(release, people, 2, factor, eta)
        assert found.lower <= beta <= found.upper
        promise = random_dp.from_distributional(log(factor), beta, eta)
        assert promise.alpha.bound().overlaps(log(factor**2).bound())
        slips = (1 + factor) * eta
        gamma = smallest_gamma(release, people, 2, factor**2, slips, both_ways=True)
        assert gamma <= promise.gamma.bound().upper


@pytest.mark.parametrize("seed", range(4))
def test_random_privacy_is_distributional_privacy(seed: int) -> None:
    """For releases that do not depend on the order of three records."""
    release = random_release(seed, ordered=False)
    people = {0: Fraction(1, 4), 1: Fraction(3, 4)}
    factor = Fraction(3, 2)
    eta = Fraction(seed, 40)
    gamma = smallest_gamma(release, people, 3, factor, eta, both_ways=True)
    whole = random_dp.to_distributional(RandomDP(log(factor), eta, gamma=gamma), 3)
    slips = (1 + factor + factor**2) * eta
    assert whole.eta.bound().overlaps(
        RandomDP(1, min(slips, Fraction(1)), gamma=0).eta.bound()
    )
    assert smallest_beta(release, people, 3, factor**3, slips) <= 3 * gamma
    assert whole.beta.bound().upper >= min(Fraction(1), 3 * gamma)


def test_neither_keeps_its_numbers() -> None:
    """Twice beta is attained, and a count is distributionally worse than it is randomly."""
    sixth = Fraction(1, 6)
    gamma = random_dp.exact(corner, BITS, 2, 0, sixth)
    beta = random_dp.distributional(corner, BITS, 2, 0, sixth)
    assert gamma.upper == 2 * Fraction(beta.lower) == Fraction(1, 2)
    assert random_dp.exact(count, BITS, 2, 0).upper == Fraction(1, 2)
    assert random_dp.distributional(count, BITS, 2, 0).lower == Fraction(5, 8)


def test_the_order_of_records_matters_for_the_way_back() -> None:
    """A release of the first record alone never changes if the last one is drawn anew."""

    def first(data: Any) -> Masses:
        return {data[0]: Fraction(1)}

    assert random_dp.exact(first, BITS, 2, 0).upper == 0
    assert random_dp.distributional(first, BITS, 2, 0).lower == Fraction(1, 2)


@pytest.mark.parametrize("seed", range(4))
def test_a_mean_tail_is_random_privacy(seed: int) -> None:
    release = random_release(seed, ordered=True)
    people = {0: Fraction(2, 5), 1: Fraction(3, 5)}
    for factor in (Fraction(1), Fraction(7, 5), Fraction(2)):
        tail = random_dp.tail_on_average(release, people, 2, log(factor))
        by_hand = sum(
            (
                mass * people[a] * people[b] * people[c]
                for a in people
                for b in people
                for c in people
                for output, mass in release((a, b)).items()
                if mass > factor * release((a, c))[output]
            ),
            Fraction(0),
        )
        assert tail.lower <= by_hand <= tail.upper
        gamma = smallest_gamma(release, people, 2, factor, both_ways=True)
        assert by_hand <= gamma
        for eta in (Fraction(1, 20), Fraction(1, 4)):
            promise = random_dp.from_tail_on_average(tail.upper, log(factor), eta)
            bad = smallest_gamma(release, people, 2, factor, eta, both_ways=True)
            assert bad <= promise.gamma.bound().upper


@pytest.mark.parametrize(
    ("made", "word"),
    [
        (lambda: random_dp.from_distributional(1, 2), "gamma"),
        (lambda: random_dp.to_distributional(RandomDP(1, gamma=0), 0), "n"),
        (lambda: random_dp.to_distributional("x", 2), "give a RandomDP"),  # type: ignore[arg-type]
        (lambda: random_dp.from_tail_on_average(2, 1, "0.1"), "probability"),
        (lambda: random_dp.from_tail_on_average("0.1", 1, 0), "above 0"),
        (lambda: random_dp.distributional(count, BITS, 20, 0), "fewer records"),
        (lambda: random_dp.distributional(count, {0: 1, 1: 1}, 2, 0), "sum to 1"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(made: Any, word: str) -> None:
    with pytest.raises(InputError, match=word):
        made()
