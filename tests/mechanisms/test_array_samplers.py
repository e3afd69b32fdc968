"""Samplers of lists and arrays: independent draws for each coordinate, of the right law, from any
source.
"""

import math
import random
import warnings
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from rdpacct import (
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    InputError,
    Laplace,
    SmoothLaplace,
    epsilon,
)
from rdpacct.mechanisms.source import Uniform, randomness
from rdpacct.mechanisms.study_only import StudyOnlyWarning

CONTINUOUS = [Gaussian(2), Laplace(2)]
DISCRETE = [
    DiscreteGaussian(2),
    DiscreteLaplace(2),
    DiscreteGaussian(sigma_squared="7/3"),
]
ALL: list[Any] = [*CONTINUOUS, *DISCRETE]
NAMES = [str(mechanism) for mechanism in ALL]


@pytest.fixture(autouse=True)
def for_study() -> Iterator[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StudyOnlyWarning)
        yield


@pytest.mark.parametrize("mechanism", ALL, ids=NAMES)
@pytest.mark.parametrize("shape", [(3,), (2, 3), (), (0,), (4, 0)])
def test_an_array_comes_back_in_its_shape(
    mechanism: Any, shape: tuple[int, ...]
) -> None:
    found = mechanism.sample(np.zeros(shape, dtype=np.int64), 1)
    assert isinstance(found, np.ndarray)
    assert found.shape == shape
    assert found.dtype == (np.int64 if mechanism in DISCRETE else np.float64)


@pytest.mark.parametrize("mechanism", ALL, ids=NAMES)
def test_the_coordinates_of_an_array_have_independent_noise(
    mechanism: Any,
) -> None:
    """Fails where one draw is added to all of them."""
    found = mechanism.sample(np.zeros(20_000, dtype=np.int64), 5)
    assert len(set(found.tolist())) > 5
    near = found[:-1]
    next_ = found[1:]
    assert abs(np.corrcoef(near, next_)[0, 1]) < 5 / math.sqrt(20_000)
    assert abs(found.mean()) < 5 * found.std() / math.sqrt(20_000)


@pytest.mark.parametrize("mechanism", ALL, ids=NAMES)
def test_a_value_of_any_kind_of_number_or_list(mechanism: Any) -> None:
    whole = [3, np.int64(3), np.int32(3), np.uint8(3)]
    for value in whole:
        found = mechanism.sample(value, 7)
        assert type(found) is (int if mechanism in DISCRETE else float)
        assert found == mechanism.sample(3, 7)
    assert (
        len(mechanism.sample([1, 2, 3], 7)) == len(mechanism.sample((1, 2, 3), 7)) == 3
    )
    assert mechanism.sample([], 7) == []
    nested = mechanism.sample([[0, 0], [0, 0]], 7)
    assert len({x for row in nested for x in row}) > 1


@pytest.mark.parametrize("mechanism", CONTINUOUS, ids=str)
def test_real_values_of_other_libraries(mechanism: Any) -> None:
    for value in (
        0.5,
        np.float64(0.5),
        np.float32(0.5),
        Fraction(1, 2),
        Decimal("0.5"),
        sympy.Rational(1, 2),
    ):
        assert mechanism.sample(value, 3) == mechanism.sample(0.5, 3)


@pytest.mark.parametrize("mechanism", ALL, ids=NAMES)
@pytest.mark.parametrize(
    "value",
    [
        "3",
        None,
        True,
        1j,
        {},
        b"3",
        np.array(["a"]),
        np.array([True]),
        np.array([1j]),
        np.bool_(True),
        [None],
    ],
    ids=repr,
)
def test_what_is_no_number_gets_a_sentence(mechanism: Any, value: Any) -> None:
    with pytest.raises(InputError, match="give"):
        mechanism.sample(value, 1)


@pytest.mark.parametrize("mechanism", DISCRETE, ids=str)
@pytest.mark.parametrize(
    "value",
    [0.5, np.float64(1), np.array([1.0]), [1, 2.5], np.array([2**63], dtype=np.uint64)],
)
def test_discrete_noise_is_added_to_integers_only(mechanism: Any, value: Any) -> None:
    with pytest.raises(InputError, match="integer"):
        mechanism.sample(value, 1)


@pytest.mark.parametrize("mechanism", ALL, ids=NAMES)
def test_every_source_of_randomness_is_taken(mechanism: Any) -> None:
    sources: list[Any] = [
        lambda: 4,
        lambda: np.int64(4),
        lambda: random.Random(4),
        lambda: np.random.default_rng(4),
    ]
    for source in sources:
        assert mechanism.sample(0, source()) == mechanism.sample(0, source())
        first, second = (
            mechanism.sample(np.zeros(4, dtype=int), source()) for _ in range(2)
        )
        assert first.tolist() == second.tolist()
    mechanism.sample(0)
    mechanism.sample(0, random.SystemRandom())
    mechanism.sample(np.zeros(3, dtype=int))


@pytest.mark.parametrize("source", ["seed", 1.5, True, [1], random], ids=repr)
def test_what_is_no_source_gets_a_sentence(source: Any) -> None:
    for mechanism in ALL:
        with pytest.raises(InputError, match="source of randomness"):
            mechanism.sample(0, source)


def test_a_source_moves_on() -> None:
    """Two releases from one source are not the same."""
    for source in (random.Random(1), np.random.default_rng(1)):
        for mechanism in ALL:
            draws = [
                tuple(np.asarray(mechanism.sample(np.zeros(4, dtype=int), source)))
                for _ in range(4)
            ]
            assert len(set(draws)) > 1


def chi_square(drawn: Any, weight: Any, reach: Any) -> Any:
    """The statistic of integer draws against weights, with the tails together, and how many cells
    it has.
    """
    total = math.fsum(weight(x) for x in range(-40 * reach, 40 * reach + 1))
    counts = Counter(int(x) for x in drawn)
    inside = [
        (counts[x], len(drawn) * weight(x) / total) for x in range(-reach, reach + 1)
    ]
    beyond = (
        len(drawn) - sum(count for count, _ in inside),
        len(drawn) - sum(wanted for _, wanted in inside),
    )
    return sum(
        (count - wanted) ** 2 / wanted for count, wanted in [*inside, beyond]
    ), len(inside)


@pytest.mark.parametrize("variance", ["1/4", "1", "7/3", "50", "123456789/1000000"])
def test_arrays_of_discrete_gaussians_have_their_law(variance: str) -> None:
    size = Fraction(variance)
    drawn = DiscreteGaussian(sigma_squared=size).sample(
        np.zeros(60_000, dtype=np.int64), 11
    )
    reach = max(1, math.ceil(2.5 * math.sqrt(size)))
    statistic, cells = chi_square(
        drawn, lambda x: math.exp(-(x**2) / (2 * float(size))), reach
    )
    assert statistic < cells + 5 * math.sqrt(2 * cells)


@pytest.mark.parametrize("scale", ["1/3", "1", "5/2", "20", f"{2**50 + 1}/{2**49}"])
def test_arrays_of_discrete_laplaces_have_their_law(scale: str) -> None:
    """The last scale is too long for 64 bits, and is drawn one by one."""
    size = Fraction(scale)
    drawn = DiscreteLaplace(size).sample(np.zeros(20_000, dtype=np.int64), 12)
    reach = max(1, math.ceil(4 * size))
    statistic, cells = chi_square(
        drawn, lambda x: math.exp(-abs(x) / float(size)), reach
    )
    assert statistic < cells + 5 * math.sqrt(2 * cells)


@pytest.mark.parametrize(
    ("mechanism", "deviation"),
    [(Gaussian(3), 3), (Laplace(3), 3 * math.sqrt(2))],
    ids=str,
)
def test_arrays_of_continuous_noise_have_their_size(
    mechanism: Any, deviation: float
) -> None:
    drawn = mechanism.sample(np.zeros(100_000), 13)
    assert abs(drawn.std() / deviation - 1) < 0.02


def test_large_scales_stay_exact_and_huge_ones_are_refused() -> None:
    drawn = DiscreteGaussian(10**10).sample(np.zeros(2000, dtype=np.int64), 3)
    assert abs(drawn.std() / 1e10 - 1) < 0.1
    with pytest.raises(InputError, match="64-bit"):
        DiscreteLaplace(10**20).sample(np.zeros(100, dtype=np.int64), 3)
    assert len(DiscreteLaplace(10**20).sample([0] * 5, 3)) == 5


def test_a_tie_of_62_bits_is_decided_by_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the random word agrees with the bits of a probability, an exact coin for what is left
    of it decides.
    """
    from rdpacct.mechanisms import array_sampling

    asked = []

    def refuse(rest: Any, _: Any) -> bool:
        asked.append(rest)
        return False

    monkeypatch.setattr(array_sampling, "bernoulli", refuse)
    third = Fraction(1, 3)
    uniform = Uniform(random.Random(1))
    monkeypatch.setattr(
        uniform, "integers", lambda high, size: np.full(size, math.floor(third * high))
    )
    found = array_sampling._coins_of_shares(
        [third], np.zeros(2, dtype=np.int64), uniform
    )
    assert found.tolist() == [True, True]
    assert asked == [third * 2**62 - math.floor(third * 2**62)] * 2


@pytest.mark.parametrize("high", [1, 2, 3, 10, 1000, 2**40 + 1])
def test_uniform_words_fill_their_range(high: int) -> None:
    drawn = Uniform(random.Random(2)).integers(high, 20_000)
    assert drawn.min() >= 0
    assert drawn.max() < high
    expected = (high - 1) / 2
    assert abs(drawn.mean() - expected) <= 5 * high / math.sqrt(12 * 20_000)


def test_a_generator_of_numpy_is_asked_as_one_of_python() -> None:
    source = randomness(np.random.default_rng(1))
    assert {source.randrange(3) for _ in range(50)} == {0, 1, 2}
    assert 0 <= source.random() < 1
    assert source.getrandbits(70) < 2**70


def test_a_generator_that_derives_from_one_of_numpy_is_asked_too() -> None:
    class Logged(np.random.Generator):
        pass

    source = randomness(Logged(np.random.PCG64(1)))
    assert source.random() == np.random.default_rng(1).random()


def test_smooth_noise_is_refused_for_arrays() -> None:
    with pytest.raises(InputError, match="give a number"):
        SmoothLaplace(1, "0.1").sample(np.zeros(3), 1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "two",
    [
        np.int64(2),
        np.float64(2),
        np.float32(2),
        Decimal(2),
        Fraction(2),
        sympy.Integer(2),
    ],
)
def test_parameters_of_other_libraries(two: Any) -> None:
    assert str(Gaussian(sigma=two)) == "Gaussian(sigma=2)"
    assert epsilon(Laplace(scale=two), 0).upper == Fraction(1, 2)


def test_numbers_of_sympy_without_an_exact_form_get_a_sentence() -> None:
    with pytest.raises(InputError, match="give"):
        Gaussian(sigma=sympy.sin(2))
