"""Noise that is followed: numbers and arrays that behave like any others, and tell what they were
added to.
"""

import operator
import pickle
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rdpacct.auditing.replay import NoiseCall, record_noise
from rdpacct.auditing.replay.recording_generators import (
    RecordingGenerator,
    RecordingRandomState,
)
from rdpacct.auditing.replay.tape import Tape

OPERATIONS = (operator.add, operator.sub, operator.mul, operator.truediv)
NUMBERS = st.one_of(
    st.integers(-(10**6), 10**6),
    st.floats(-1e6, 1e6),
    st.floats(-1e6, 1e6).map(np.float64),
    st.integers(-1000, 1000).map(np.int64),
    st.booleans(),
)


def calls(code: Callable[[Any], Any], **options: Any) -> tuple[NoiseCall, ...]:
    """What is recorded of code that needs no data."""
    return record_noise(lambda _, rng: code(rng), None, **options).calls


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.__name__)
@settings(max_examples=60, derandomize=True, deadline=None)
@given(number=NUMBERS)
def test_noise_is_a_number_like_any_other(operation: Any, number: Any) -> None:
    """Every operation with a number, either way round, has the result of plain doubles."""
    rng = RecordingGenerator(Tape(1))
    noise = rng.laplace()
    plain = float(noise)
    assert operation(number, noise) == operation(number, plain)
    if number or operation is not operator.truediv:
        assert operation(noise, number) == operation(plain, number)


@settings(max_examples=40, derandomize=True, deadline=None)
@given(number=st.floats(-100, 100), factor=st.floats(0.01, 100))
def test_multiples_and_sums_are_written_down(number: float, factor: float) -> None:
    """The factor is an exact product, and the value is what the noise was added to."""
    [one] = calls(lambda rng: number + factor * rng.laplace(scale=2.0))
    [use] = one.uses
    assert (use.value, use.factor) == (number, Fraction(factor))
    [two] = calls(lambda rng: number - rng.normal() / 4 * factor)
    assert two.uses[0].factor == -Fraction(factor) / 4
    [three] = calls(lambda rng: -rng.normal() - number)
    assert (three.uses[0].value, three.uses[0].factor) == (number, Fraction(1))


ARRAY_CODES: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda rng: np.arange(3) + rng.laplace(size=3), [0, 1, 2]),
    (lambda rng: np.add(rng.laplace(size=3), [0, 1, 2]), [0, 1, 2]),
    (lambda rng: np.arange(3) + 2 * rng.standard_normal(3), [0, 1, 2]),
    (lambda rng: np.arange(3) - np.float64(2) * rng.standard_normal(3), [0, 1, 2]),
    (lambda rng: np.add(np.arange(3), rng.normal(size=3)), [0, 1, 2]),
    (lambda rng: np.arange(3.0) + rng.normal(size=(3, 1)).reshape(3), [0, 1, 2]),
    (lambda rng: np.arange(3.0) + rng.normal(size=(3, 1)).ravel(), [0, 1, 2]),
    (lambda rng: np.arange(4).reshape(2, 2) + rng.normal(size=(2, 2)), [0, 1, 2, 3]),
    (
        lambda rng: np.arange(4).reshape(2, 2) + rng.normal(size=(2, 2)).copy(),
        [*range(4)],
    ),
    (lambda rng: np.arange(3.0) + rng.normal(size=(1, 3)).squeeze(), [0, 1, 2]),
    (lambda rng: np.arange(3.0) - rng.normal(size=(1, 3)).flatten(), [0, 1, 2]),
    (lambda rng: rng.normal(size=(1, 2)).T - np.ones((2, 1)), [1, 1]),
    (lambda rng: 5 + rng.normal(size=2), [5, 5]),
    (lambda rng: np.arange(3) + rng.laplace(), [0, 1, 2]),
)


@pytest.mark.parametrize(("code", "values"), ARRAY_CODES)
def test_arrays_of_noise_tell_what_they_are_added_to(
    code: Callable[[Any], Any], values: list[Any]
) -> None:
    """One use, with the value of each coordinate."""
    [call] = calls(code)
    [use] = call.uses
    assert np.ravel(use.value).tolist() == values
    size = max(call.size, 1)
    assert list(use.cells) == [cell % size for cell in range(len(values))]


def test_noise_is_added_in_place() -> None:
    """The array that is added to has the noisy values, under all its names."""

    def code(rng: Any) -> Any:
        total = np.zeros(3)
        alias = total
        total += rng.normal(size=3)
        assert alias is total
        assert alias.any()
        alias += rng.laplace()
        return alias.tolist()

    first, second = calls(code)
    assert first.uses[0].value.tolist() == [0, 0, 0]
    assert second.uses[0].value.tolist() == first.uses[0].noisy.tolist()
    assert second.uses[0].cells == (0, 0, 0)


def test_noise_is_multiplied_in_place() -> None:
    """It stays noise, of another scale; a value that is added in place ends it."""

    def code(rng: Any) -> Any:
        noise = rng.normal(size=2)
        noise *= 3.0
        noise /= 2
        noise += np.ones(2)
        return noise + 7

    [call] = calls(code)
    [use] = call.uses
    assert use.factor == Fraction(3, 2)
    assert use.value.tolist() == [1, 1]


def test_each_number_of_an_array_is_followed() -> None:
    """In a loop, by index, and in a slice."""

    def code(rng: Any) -> Any:
        noise = rng.laplace(size=4)
        pairs = [value + z for value, z in zip([5, 6], noise[:2], strict=True)]
        return pairs, 7 + noise[2], np.ones(1) + noise[3:]

    [call] = calls(code)
    assert [use.cells for use in call.uses] == [(0,), (1,), (2,), (3,)]
    assert [np.ravel(use.value)[0] for use in call.uses] == [5, 6, 7, 1]


def test_noise_that_is_overwritten_is_noise_no_more() -> None:
    """What is done beyond sums and multiples is not followed, and has plain results."""

    def code(rng: Any) -> Any:
        noise = rng.laplace(size=2)
        noise[0] = 7
        other = rng.laplace(size=2)
        return (
            (np.ones(2) + noise).tolist(),
            np.concatenate([other, [1.0]]).sum(),
            np.exp(other).tolist(),
            (other @ np.ones(2)).item(),
            np.add.reduce(other),
            other.sum(),
            np.where(other > 0, other, 0).tolist(),
        )

    log = record_noise(lambda _, rng: code(rng), None)
    assert [call.uses for call in log.calls] == [[], []]
    drawn = log.calls[1].outcome
    assert log.output[1] == np.append(drawn, 1.0).sum()
    assert log.output[2] == np.exp(drawn).tolist()
    assert log.output[4] == log.output[5] == drawn.sum()


def test_every_method_of_both_generators_is_recorded() -> None:
    """A method that were not would draw noise that no replay gives again."""
    for usual, recording in (
        (np.random.Generator, RecordingGenerator),
        (np.random.RandomState, RecordingRandomState),
    ):
        drawn = {name for name in dir(usual) if not name.startswith("_")}
        left = drawn - set(vars(recording))
        assert left <= {"get_state", "seed", "set_state"}
    rng = RecordingGenerator(Tape(3)).as_python()
    kept = {"seed", "getstate", "setstate", "as_python", "hear_noise", "hear_release"}
    methods = {name for name in dir(random.Random) if not name.startswith("_")}
    own = set(vars(type(rng)))
    left = {name for name in methods - own - kept if callable(getattr(rng, name))}
    assert left == set()


def test_recorded_draws_are_those_of_the_generator() -> None:
    """With the seed of the call, for every kind of argument."""

    def code(rng: Any) -> Any:
        return (
            rng.laplace(1.0, 2.0),
            rng.laplace(scale=3.0, size=(2, 2)).tolist(),
            rng.integers(10, size=3).tolist(),
            rng.random(),
            rng.permutation(4).tolist(),
            rng.choice([5, 6, 7]),
        )

    log = record_noise(lambda _, rng: code(rng), None, seed=9)

    def plain(track: int, index: int) -> np.random.Generator:
        return np.random.default_rng((9, track, index))

    assert log.output == (
        plain(0, 0).laplace(1.0, 2.0),
        plain(0, 1).laplace(scale=3.0, size=(2, 2)).tolist(),
        plain(1, 0).integers(10, size=3).tolist(),
        plain(1, 1).random(),
        plain(1, 2).permutation(4).tolist(),
        plain(1, 3).choice([5, 6, 7]),
    )


def test_the_older_generator_of_numpy_is_followed() -> None:
    """With its own names for normal and uniform numbers."""

    def code(rng: Any) -> Any:
        chosen = np.arange(4)[rng.rand(4) < 0.5]
        return 3 + 2 * rng.randn(), chosen + rng.laplace(scale=1.0, size=chosen.shape)

    state = np.random.RandomState
    log = record_noise(lambda _, rng: code(rng), None, source=state)
    assert [call.kind for call in log.calls] == ["randn", "laplace"]
    assert [call.law for call in log.calls] == ["normal", "laplace"]
    [use] = log.calls[0].uses
    assert (use.value, use.factor) == (3, Fraction(2))
    assert [call.selects for call in log.others] == [True]


def test_children_of_a_generator_record_too() -> None:
    """They write on the tape of their parent."""

    def code(rng: Any) -> Any:
        [child] = rng.spawn(1)
        return 4 + child.normal()

    [call] = calls(code)
    assert call.uses[0].value == 4


def test_a_number_of_noise_has_what_doubles_have() -> None:
    """Those of Python, and those of NumPy where a product with one is taken."""

    def code(rng: Any) -> Any:
        noise = rng.laplace()
        assert noise.hex() == float(noise).hex()
        assert (np.float64(2) * noise).item() == 2 * float(noise)
        assert float(pickle.loads(pickle.dumps(float(noise)))) == noise
        with pytest.raises(AttributeError):
            noise.no_such_thing  # noqa: B018
        with pytest.raises(TypeError):
            noise + "text"
        return None

    [call] = calls(code)
    assert call.uses == []


def test_coins_are_no_noise_until_they_are_used_otherwise() -> None:
    """Uniform numbers that are only compared select records; other uses make them possible
    noise.
    """

    def coins(rng: Any) -> Any:
        return (rng.random(4) < 0.5).tolist()

    def escaped(rng: Any) -> list[Any]:
        logs = [rng.random(4) for _ in range(4)]
        return [np.log(logs[0]), logs[1][0], logs[2].copy(), -logs[3]]

    kept = record_noise(lambda _, rng: coins(rng), None)
    assert [call.selects for call in kept.others] == [True]
    lost = record_noise(lambda _, rng: escaped(rng), None)
    assert [call.selects for call in lost.others] == [False] * 4
