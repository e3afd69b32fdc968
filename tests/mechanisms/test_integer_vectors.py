"""Discrete Gaussian noise by the square of sigma, and on integer vectors with an L2 sensitivity."""

import itertools
import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

from rdpacct import (
    ZCDP,
    DiscreteGaussian,
    InputError,
    Sensitivity,
    audit,
    calibrate,
    delta,
    epsilon,
    profile,
    read_plan,
)
from rdpacct.mechanisms.discrete.integer_shift import worst_shifts
from rdpacct.privacy.relation import Norm

REACH = 40


def losses(variance: Any, shift: Any) -> Any:
    """The law of the loss of one coordinate that moves by so much: outcomes with their probability
    and loss.
    """
    with mpmath.workdps(30):
        variance = (
            mpmath.mpf(Fraction(variance).numerator) / Fraction(variance).denominator
        )
        weights = {
            x: mpmath.exp(-mpmath.mpf(x * x) / (2 * variance))
            for x in range(-REACH, REACH + 1)
        }
        total = mpmath.fsum(weights.values())
        return [
            (w / total, mpmath.mpf(shift * (2 * x + shift)) / (2 * variance))
            for x, w in weights.items()
        ]


def delta_by_enumeration(variance: Any, shift: Any, level: Any) -> Any:
    """delta of a vector that moves by a shift: the coordinates' losses added up."""
    with mpmath.workdps(30):
        total = mpmath.mpf(0)
        for outcome in itertools.product(*(losses(variance, entry) for entry in shift)):
            loss = mpmath.fsum(one for _, one in outcome)
            if loss > level:
                total += mpmath.fprod(p for p, _ in outcome) * (
                    1 - mpmath.exp(level - loss)
                )
        return total


def near(bound: Any, truth: Any, width: float = 1e-8) -> None:
    """The truth is inside, up to the digits that the reference has."""
    with mpmath.workdps(30):
        low, high = (
            mpmath.mpf(end.numerator) / end.denominator
            for end in (bound.lower, bound.upper)
        )
        slack = mpmath.mpf(10) ** -24
        assert low * (1 - slack) <= truth <= high * (1 + slack)
    assert bound.relative_width < width


@pytest.mark.parametrize("level", ["0", "0.5", "2"])
@pytest.mark.parametrize("variance", ["5/2", "2", "1/3"])
def test_a_variance_with_an_irrational_root_against_enumeration(
    variance: str, level: str
) -> None:
    found = delta(DiscreteGaussian(sigma_squared=variance), level)
    near(found, delta_by_enumeration(Fraction(variance), [1], mpmath.mpf(level)))


def test_sigma_and_its_square_say_the_same() -> None:
    for left, right in (
        (DiscreteGaussian(2), DiscreteGaussian(sigma_squared=4)),
        (
            DiscreteGaussian("7/2", sensitivity=3),
            DiscreteGaussian(sigma_squared="49/4", sensitivity=3),
        ),
    ):
        assert delta(left, 1) == delta(right, 1)
        assert epsilon(3 * left, "1e-6") == epsilon(3 * right, "1e-6")
        assert left.sample([0] * 50, 1) == right.sample([0] * 50, 1)
        assert profile(left).renyi("1.3") == profile(right).renyi("1.3")


@pytest.mark.parametrize(
    "plan",
    [
        "DiscreteGaussian(sigma_squared=2.5)",
        "DiscreteGaussian(sensitivity=2, sigma_squared=1/3)",
        "DiscreteGaussian(sigma=2, dimension=5)",
        "DiscreteGaussian(sigma=2, shift=[1, -1, 0, 2])",
        "DiscreteGaussian(sigma=2, sensitivity=sqrt(2), dimension=5)",
    ],
)
def test_plans_read_back(plan: str) -> None:
    assert str(read_plan(plan)) == plan
    assert read_plan(str(read_plan(plan))) == read_plan(plan)


def test_a_variance_is_calibrated() -> None:
    found = calibrate("3*DiscreteGaussian(sigma_squared=?)", 1, "1e-6")
    assert found.name == "sigma_squared"
    enough, short = (
        delta(3 * DiscreteGaussian(sigma_squared=v), 1)
        for v in (found.sufficient, found.insufficient)
    )
    assert enough.certainly_at_most(Fraction(1, 10**6))
    assert short.certainly_above(Fraction(1, 10**6))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, "neither sigma nor its square"),
        ({"sigma": 1, "sigma_squared": 1}, "both sigma and its square"),
        ({"sigma_squared": 10**30}, "from 0.001 to 1000000000000"),
        ({"sigma": 1, "shift": [0, 0]}, "not all zero"),
        ({"sigma": 1, "shift": 3}, "give a list of whole numbers"),
        ({"sigma": 1, "shift": ["1/2"]}, "whole number"),
        ({"sigma": 1, "shift": [1], "sensitivity": 2}, "leave out the sensitivity"),
        ({"sigma": 1, "dimension": 2, "sensitivity": "0.5"}, "square 0.25"),
        ({"sigma": 1, "dimension": 0}, "dimension is 0"),
        ({"sigma": 1, "sensitivity": "1.5"}, "whole number"),
        ({"sigma": 1, "sensitivity": Sensitivity(1, norm=Norm.LINF)}, "norm Linf"),
    ],
)
def test_bad_parameters_get_a_sentence(given: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        DiscreteGaussian(**given)


@pytest.mark.parametrize("shift", [[1, 1], [2, -1], [1, 0, 1]])
@pytest.mark.parametrize("level", ["0.25", "1"])
def test_the_delta_of_a_shift_against_enumeration(shift: list[int], level: str) -> None:
    found = delta(DiscreteGaussian(sigma_squared=3, shift=shift), level)
    near(
        found,
        delta_by_enumeration(3, [entry for entry in shift if entry], mpmath.mpf(level)),
    )


def test_a_shift_is_as_bad_as_the_releases_of_its_coordinates() -> None:
    vector = DiscreteGaussian(3, shift=[1, 2, 1])
    parts = 2 * DiscreteGaussian(3) + DiscreteGaussian(3, sensitivity=2)
    assert epsilon(vector, "1e-6").overlaps(epsilon(parts, "1e-6"))
    assert epsilon(vector, "1e-6").relative_width < 1e-9
    assert epsilon(4 * vector, "1e-6").overlaps(epsilon(4 * parts, "1e-6"))
    assert (
        profile(vector).zcdp_rho(0).lower
        == profile(vector).zcdp_rho(0).upper
        == Fraction(6, 18)
    )


def all_shifts(square: Any, dimension: Any) -> Any:
    """Every vector of so many whole numbers >= 0 within the squared length, in falling order."""
    entries = range(math.isqrt(square), -1, -1)
    found = itertools.combinations_with_replacement(entries, dimension)
    return {
        tuple(x for x in shift if x)
        for shift in found
        if 0 < sum(x * x for x in shift) <= square
    }


@pytest.mark.parametrize(
    ("square", "dimension"), [(1, 3), (2, 1), (2, 4), (4, 3), (5, 5), (8, 4), (9, 2)]
)
def test_the_worst_shifts_exceed_all_others(square: int, dimension: int) -> None:
    worst, complete = worst_shifts(square, dimension)
    assert complete
    everything = all_shifts(square, dimension)
    assert set(worst) <= everything

    def exceeds(other: Any, one: Any) -> bool:
        return len(one) <= len(other) and all(
            a <= b for a, b in zip(one, other, strict=False)
        )

    for shift in everything:
        assert any(exceeds(other, shift) for other in worst)
    assert not any(exceeds(a, b) for a, b in itertools.permutations(worst, 2))


@pytest.mark.parametrize("level", ["0.25", "1", "2"])
def test_one_release_of_a_vector_is_as_bad_as_its_worst_shift(level: str) -> None:
    """Against enumeration of every integer vector within the sensitivity."""
    found = delta(DiscreteGaussian(sigma_squared=3, sensitivity=2, dimension=2), level)
    truth = max(
        delta_by_enumeration(3, shift, mpmath.mpf(level)) for shift in all_shifts(4, 2)
    )
    near(found, truth)


def test_many_releases_of_vectors_lie_between_what_can_happen_and_zcdp() -> None:
    vector = DiscreteGaussian(sigma_squared=16, sensitivity=2, dimension=5)
    found = epsilon(10 * vector, "1e-6")
    for shift in ([2], [1, 1, 1, 1]):
        assert (
            epsilon(10 * DiscreteGaussian(4, shift=shift), "1e-6").lower <= found.lower
        )
    assert found.upper <= epsilon(read_plan("10*ZCDP(rho=1/8)"), "1e-6").upper
    assert audit(10 * vector, ZCDP("1.25")).holds
    assert audit(10 * vector, ZCDP("1.24")).fails
    assert profile(10 * vector).renyi("0.5").relative_width < 1e-9


def test_a_huge_dimension_has_two_ends_at_once() -> None:
    found = epsilon(DiscreteGaussian(20, sensitivity=20, dimension=10**6), "1e-6")
    assert 4.8 < found.lower < found.upper < 5.3


def test_vectors_are_sampled_with_independent_noise() -> None:
    vector = DiscreteGaussian(sigma_squared="7/3", sensitivity=2, dimension=4)
    assert len(vector.sample([0, 1, 2, 3], 1)) == 4
    drawn = np.array(
        [vector.sample(np.zeros(4, dtype=int), seed) for seed in range(500)]
    )
    assert np.abs(np.corrcoef(drawn.T) - np.eye(4)).max() < 0.2
    for wrong in (0, [1, 2], np.zeros((2, 2), dtype=int)):
        with pytest.raises(InputError, match="vector of 4"):
            vector.sample(wrong, 1)


def test_samples_of_a_shift_have_its_loss() -> None:
    vector = DiscreteGaussian(sigma_squared=3, shift=[1, -2])
    first, second = vector.pair()
    assert [a - b for a, b in zip(first, second, strict=True)] == [1, -2]
    drawn = [vector.observed(vector.sample(first, seed)) for seed in range(3000)]
    mean = float(profile(vector).mean().upper)
    assert abs(sum(drawn) / len(drawn) - mean) < 5 * math.sqrt(5 / 3) / math.sqrt(
        len(drawn)
    )
