"""Poisson samples that are cut at a cap: against enumeration, and what a published bound adds."""

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp

from rdpacct import (
    Gaussian,
    InputError,
    Laplace,
    PoissonSampled,
    RandomizedResponse,
    Relation,
    TruncatedPoissonSampled,
    delta,
    epsilon,
)

RELATIONS = ["add_or_remove_one", "zero_out", "replace_one"]


def cut(cap: int, relation: str = "add_or_remove_one", of: int = 50) -> Any:
    return TruncatedPoissonSampled(Gaussian(1), "0.1", of, cap, relation=relation)


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_cap_that_no_sample_reaches_changes_nothing(relation: str) -> None:
    plain = PoissonSampled(Gaussian(1), "0.1", relation=Relation(relation))
    ours = epsilon(10 * cut(50, relation), "1e-5")
    theirs = epsilon(10 * plain, "1e-5")
    assert (ours.lower, ours.upper) == (theirs.lower, theirs.upper)


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_cap_that_is_rarely_reached_hardly_does(relation: str) -> None:
    plain = PoissonSampled(Gaussian(1), "0.1", relation=Relation(relation))
    ours = epsilon(100 * cut(40, relation), "1e-5")
    assert ours.relative_width < 1e-9
    assert ours.overlaps(epsilon(100 * plain, "1e-5"))


@pytest.mark.parametrize("relation", RELATIONS)
def test_smaller_caps_are_wider(relation: str) -> None:
    """The chance of a cut is that of a binomial tail, and widens both ends."""
    ends = [delta(cut(cap, relation), 1) for cap in (30, 16, 12, 8)]
    for one, other in itertools.pairwise(ends):
        assert other.lower <= one.lower <= one.upper <= other.upper
    wanted = mp.fsum(
        mp.binomial(49, j) * mp.mpf("0.1") ** j * mp.mpf("0.9") ** (49 - j)
        for j in range(12, 50)
    )
    assert mp.almosteq(wanted, float(cut(12).chance.bound().upper), 1e-12)


def cut_sums(values: list[float], cap: int, rate: float) -> list[tuple[float, float]]:
    """The sums of cut samples of these values, with their probabilities."""
    found = []
    for picked in itertools.product((0, 1), repeat=len(values)):
        sample = [x for x, use in zip(values, picked, strict=True) if use]
        chance = rate ** len(sample) * (1 - rate) ** (len(values) - len(sample))
        kept = list(itertools.combinations(sample, min(cap, len(sample))))
        found += [(sum(one), chance / len(kept)) for one in kept]
    return found


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("cap", [1, 2])
def test_no_data_of_four_records_exceed_the_upper_end(cap: int, relation: str) -> None:
    """Values of at most 1 in size, all others alike or opposite, by half-lines in doubles."""
    plan = TruncatedPoissonSampled(Gaussian(1), "0.4", 4, cap, relation=relation)
    level = 0.3
    bound = delta(plan, "0.3")
    largest = 0.0
    for others in ([0.0] * 3, [-1.0] * 3, [1.0, -1.0, -1.0], [1.0] * 3):
        changed = {
            "add_or_remove_one": others,
            "zero_out": [*others, 0.0],
            "replace_one": [*others, -1.0],
        }[relation]
        laws = [cut_sums(data, cap, 0.4) for data in ([*others, 1.0], changed)]
        for edge in (j / 10 for j in range(-40, 50)):
            masses = [
                sum(p * math.erfc((edge - x) / math.sqrt(2)) / 2 for x, p in law)
                for law in laws
            ]
            for p, q in (masses, masses[::-1]):
                largest = max(largest, p - math.exp(level) * q)
                largest = max(largest, 1 - p - math.exp(level) * (1 - q))
    assert float(bound.lower) * 0.999 <= largest <= float(bound.upper)


def test_the_published_bound_adds_more() -> None:
    """Chua et al. (2024) add (1 + exp(epsilon)) times the chance of a cut to the delta of each
    release; their bound is above the upper end, and the Poisson sample itself is within.
    """
    for cap in (12, 16, 20):
        plan = cut(cap)
        for level in ("0.5", "1"):
            plain = delta(PoissonSampled(Gaussian(1), "0.1"), level)
            ours = delta(plan, level)
            chance = float(cut(cap, of=51).chance.bound().upper)
            added = float(plain.upper) + (1 + math.exp(float(level))) * chance
            assert float(ours.lower) <= float(plain.upper)
            assert float(plain.lower) <= float(ours.upper) <= added


def test_other_mechanisms_are_cut_as_well() -> None:
    plan = TruncatedPoissonSampled(Laplace(1), "0.1", 20, 8)
    found = epsilon(plan, "1e-3")
    plain = epsilon(PoissonSampled(Laplace(1), "0.1"), "1e-3")
    assert found.lower <= plain.upper <= found.upper
    assert float(found.upper) < 1.01 * float(found.lower)


def test_replaced_records_of_other_mechanisms_lie_between_two_ends() -> None:
    """The lower end is a record that adds nothing in the place of the other, at a smaller rate."""
    answers = RandomizedResponse(1)
    plan = TruncatedPoissonSampled(answers, "0.1", 20, 8, relation="replace_one")
    rarer = Fraction(1, 10) * (1 - Fraction(plan.chance.bound().upper))
    for count in (1, 20):
        found = epsilon(count * plan, "1e-3")
        known = epsilon(count * PoissonSampled(answers, rarer), "1e-3")
        assert abs(float(found.lower) - float(known.lower)) < 1e-9
        assert found.lower < found.upper


@pytest.mark.parametrize(
    ("build", "match"),
    [
        (lambda: cut(0), "the cap"),
        (lambda: TruncatedPoissonSampled(Gaussian(1), "1.5", 10, 5), "rate"),
        (lambda: cut(5, of=0), "number of records"),
        (
            lambda: TruncatedPoissonSampled(
                Gaussian(1).stated_for(Relation.REPLACE_ONE), "0.1", 10, 5
            ),
            "state it for add_or_remove_one",
        ),
    ],
)
def test_bad_input_gets_a_sentence(build: Any, match: str) -> None:
    with pytest.raises(InputError, match=match):
        build()


def test_the_lower_end_is_a_poisson_sample_that_is_rarer() -> None:
    plan = cut(12)
    rarer = Fraction(1, 10) * (1 - Fraction(plan.chance.bound().upper))
    known = delta(PoissonSampled(Gaussian(1), rarer), 1)
    assert abs(float(delta(plan, 1).lower) - float(known.lower)) < 1e-15
