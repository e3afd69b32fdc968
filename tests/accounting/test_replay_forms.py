"""Every way to add noise to a value: the move of the value is measured exactly, whichever it is."""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rdpacct import DiscreteLaplace, FindingKind, Laplace, audit_noise

Form = Callable[[Any, Any], Any]


def in_place(value: Any, rng: Any) -> Any:
    """Noise that is added into an array."""
    total = np.array([0.0, float(value)])
    total += rng.normal(scale=2.0, size=2)
    return total


def branch(value: Any, rng: Any) -> Any:
    """A second release whose scale is guided by the first."""
    noisy = value + rng.laplace(scale=1.0)
    return noisy, 5 + rng.laplace(scale=max(abs(noisy), 1.0))


def filled(value: Any, rng: Any) -> Any:
    """A vector that is filled number by number."""
    noise = rng.normal(size=3)
    return [float(value) + noise[0], 1.0 + noise[1], noise[2] - 4.0]


NUMPY: dict[str, Form] = {
    "value + noise": lambda v, rng: v + rng.laplace(scale=2.0),
    "noise + value": lambda v, rng: rng.laplace(0, 2.0) + v,
    "value - noise": lambda v, rng: v - rng.laplace(scale=2.0),
    "noise - value": lambda v, rng: rng.laplace(scale=2.0) - v,
    "location": lambda v, rng: rng.laplace(v, 2.0),
    "named location": lambda v, rng: rng.normal(loc=v, scale=2.0),
    "multiple": lambda v, rng: v + 2.0 * rng.laplace(),
    "quotient": lambda v, rng: v + rng.laplace() / 4,
    "negative multiple": lambda v, rng: v + -rng.normal() * np.float64(3),
    "standard": lambda v, rng: v + 2.0 * rng.standard_normal(),
    "number of NumPy": lambda v, rng: np.float64(v) + rng.gumbel(),
    "array": lambda v, rng: np.array([v, 0.0]) + rng.laplace(size=2),
    "scaled array": lambda v, rng: np.array([v, 0.0]) - 3 * rng.standard_normal(2),
    "location array": lambda v, rng: rng.laplace(np.array([v, 1.0]), 2.0),
    "matrix": lambda v, rng: np.full((2, 2), 1.0) * [v, 0] + rng.normal(size=(2, 2)),
    "in place": in_place,
    "filled": filled,
    "exponentials": lambda v, rng: v + (rng.exponential(2.0) - rng.exponential(2.0)),
    "guided": branch,
    "rounded": lambda v, rng: round(v + rng.laplace(scale=2.0)),
    "clipped": lambda v, rng: max(v + rng.laplace(scale=2.0), 0.0),
    "sum of a list": lambda v, rng: sum([v, rng.laplace(scale=2.0)]),
    "ours": lambda v, rng: Laplace(2, sensitivity=4).sample(v, rng),
    "ours, a list": lambda v, rng: Laplace(2, sensitivity=4).sample([v, 1], rng),
    "ours, whole": lambda v, rng: DiscreteLaplace(2, sensitivity=4).sample(int(v), rng),
}
PYTHON: dict[str, Form] = {
    "gauss": lambda v, rng: v + rng.gauss(0, 2),
    "around": lambda v, rng: rng.gauss(v, 2),
    "normalvariate": lambda v, rng: v - rng.normalvariate(0, 2),
    "exponentials": lambda v, rng: v + 2 * (rng.expovariate(1) - rng.expovariate(1)),
    "ours, from Python": lambda v, rng: Laplace(2, sensitivity=4).sample(v, rng),
}
FORMS = [
    *((name, form, None) for name, form in NUMPY.items()),
    *((name, form, np.random.RandomState) for name, form in NUMPY.items()),
    *((name, form, random.Random) for name, form in PYTHON.items()),
]
TWICE = {"matrix"}
"""The forms in which the value stands twice."""
IDS = [f"{name} ({getattr(source, '__name__', 'NumPy')})" for name, _, source in FORMS]


def released(form: Form, shift: Any) -> Form:
    """The release of a sum of integers, moved a little, by this form."""
    return lambda data, rng: form(sum(data) + shift, rng)


@pytest.mark.parametrize(("name", "form", "source"), FORMS, ids=IDS)
@settings(max_examples=12, derandomize=True, deadline=None)
@given(data=st.lists(st.integers(-9, 9), max_size=4), move=st.integers(-8, 8))
def test_a_move_is_found_if_it_is_beyond_the_declared_one(
    name: str, form: Form, source: Any, data: list[int], move: int
) -> None:
    """And never otherwise: for every form, on any data set and a neighbor."""
    whole = "whole" in name
    code = released(form, 0 if whole else 0.25)
    verdict = audit_noise(
        code, data, [*data, move], sensitivity=4, runs=1, source=source
    )
    times = 2 ** Fraction(1, 2) if name in TWICE else 1
    is_beyond = abs(move) * times > 4
    expected = {FindingKind.SENSITIVITY} if is_beyond else set()
    assert set(verdict.kinds) == expected
    assert verdict.notes == ()


@pytest.mark.parametrize(("name", "form", "source"), FORMS, ids=IDS)
def test_a_value_that_is_zero_by_chance_is_like_any_other(
    name: str, form: Form, source: Any
) -> None:
    """In the recorded run or in the replay, noise around zero is not mistaken for bare noise."""
    code = released(form, 0)
    for pair in (([0], [3]), ([3], [0]), ([0], [-3])):
        fine = audit_noise(code, *pair, sensitivity=5, source=source)
        assert (fine.findings, fine.notes) == ((), ())
    if "ours" not in name:
        wrong = audit_noise(code, [0], [3], sensitivity=2, source=source)
        assert wrong.kinds == {FindingKind.SENSITIVITY}
