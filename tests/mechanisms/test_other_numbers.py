"""Numbers, arrays and generators of other libraries go in wherever ours do."""

import random
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

from rdpacct import (
    ApproxDP,
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    FiniteMechanism,
    Gaussian,
    InputError,
    Laplace,
    MaximallyDivergent,
    Plan,
    PoissonSampled,
    ProfileDP,
    Promised,
    PureDP,
    RandomizedResponse,
    Relation,
    audit,
    calibrate,
    delta,
    epsilon,
    profile,
    read_plan,
)
from rdpacct.functions import log, sqrt

HALVES = [
    *(0.5, "0.5", "1/2", Fraction(1, 2), Decimal("0.5")),
    *(np.float16(0.5), np.float32(0.5), np.float64(0.5), np.longdouble("0.5")),
    *(np.array(0.5), np.str_("0.5"), sympy.Rational(1, 2), sympy.Float("0.5")),
    mpmath.mpf("0.5"),
]
TWOS = [2, np.int8(2), np.int64(2), np.uint64(2), np.array(2), sympy.Integer(2)]


@pytest.mark.parametrize("half", HALVES, ids=lambda half: type(half).__name__)
def test_a_half_is_a_half(half: Any) -> None:
    """As a parameter, a sensitivity, a delta, an epsilon, a rate, a target and a limit."""
    assert Gaussian(half) == Gaussian("1/2")
    assert Laplace(1, sensitivity=half) == Laplace(1, sensitivity="1/2")
    assert ApproxDP(1, half) == ApproxDP(1, "1/2")
    release = Laplace(1)
    assert epsilon(release, half) == epsilon(release, "1/2")
    assert delta(release, half) == delta(release, "1/2")
    assert profile(release).tradeoff(half) == profile(release).tradeoff("1/2")
    assert calibrate("Laplace(scale=?)", half, 0).short == 2
    assert delta(release, half).certainly_at_most(half)
    assert PoissonSampled(Gaussian(1), rate=half) == PoissonSampled(Gaussian(1), "1/2")


@pytest.mark.parametrize("two", TWOS, ids=lambda two: type(two).__name__)
def test_a_count_is_a_count(two: Any) -> None:
    """From both sides, and as a number of answers."""
    if getattr(two, "ndim", None) is None or not isinstance(two, np.ndarray):
        assert two * Gaussian(1) == Gaussian(1) * 2
    assert Gaussian(1) * two == 2 * Gaussian(1)
    assert RandomizedResponse(1, answers=two) == RandomizedResponse(1)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (sympy.sqrt(2), sqrt(2)),
        (sympy.log(3), log(3)),
        (sympy.sqrt(2) / 3 + 1, sqrt(2) / 3 + 1),
        (sympy.exp(sympy.Rational(1, 2)), "exp(1/2)"),
        (sympy.pi, "pi"),
        (sympy.E, "exp(1)"),
        (sympy.tanh(1) ** 3, "tanh(1)**3"),
        (sympy.Max(sympy.sqrt(5), sympy.log(5)), "max(sqrt(5), log(5))"),
    ],
    ids=str,
)
def test_exact_expressions_of_sympy(given: Any, meant: Any) -> None:
    """They stay exact: their enclosures are narrow and hold what sympy evaluates."""
    ours = Gaussian(given).sigma.bound()
    value = Fraction(str(sympy.N(given, 40)))
    assert ours.relative_width < 1e-18
    assert ours.lower - Fraction(1, 10**30) <= value <= ours.upper + Fraction(1, 10**30)
    if isinstance(meant, str):
        assert read_plan(f"Gaussian(sigma={meant})").single is not None
    else:
        assert ours.overlaps(meant.bound())


def test_symbols_of_sympy() -> None:
    """A symbol is an open parameter, as one of ours."""
    assert Gaussian(sympy.Symbol("s")).sigma.symbols() == {"s"}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (np.array([1.0, 2.0]), "array of 2 numbers"),
        (np.array([[1.0]]), "array of 1 numbers"),
        (np.float64("nan"), "not a finite number"),
        (np.float32("inf"), "not a finite number"),
        (np.bool_(True), "not a number"),
        (np.complex128(1), "not a number"),
        (sympy.oo, "not a"),
        (sympy.nan, "not a"),
        (sympy.I, "no exact form"),
        (sympy.sin(1), "no exact form"),
        (mpmath.mpf("inf"), "not a finite number"),
        (mpmath.mpf("nan"), "not a finite number"),
        (mpmath.mpf(2) ** 10**6, "bits"),
        (sympy.sqrt(-2), "no"),
    ],
    ids=str,
)
def test_what_is_no_real_number_is_refused(given: Any, says: str) -> None:
    """In a sentence about the parameter."""
    with pytest.raises(InputError, match=rf"^sigma .*{says}.*\.$"):
        Gaussian(given)


def test_arrays_as_tables() -> None:
    """Rows of probabilities, points of a profile, and scores."""
    array: Any = np.array
    rows = [[0.5, 0.5], [0.25, 0.75]]
    assert FiniteMechanism(array(rows)) == FiniteMechanism(rows)
    points = [[0, 0.5], [1, 0.25]]
    assert ProfileDP(array(points)) == ProfileDP(points)
    scores = array([1.0, 2.0, 4.0])
    assert Exponential(1).sample(scores, 7) == Exponential(1).sample([1, 2, 4], 7)
    deltas = array([1e-6, 1e-5])
    assert len(profile(Gaussian(1)).curve(deltas)) == 2


def test_sums() -> None:
    """Of mechanisms, plans and guarantees, as in text; the sum of nothing is a plan of nothing."""
    text = "Gaussian(sigma=1) + 2*Laplace(scale=2) + PureDP(epsilon=1)"
    parts: list[Any] = [Gaussian(1), PureDP(1), 2 * Laplace(2)]
    assert sum(parts) == read_plan(text)
    assert PureDP(1) + Gaussian(1) + 2 * Laplace(2) == read_plan(text)
    assert Gaussian(1) + (PureDP(1) + 2 * Laplace(2)) == read_plan(text)
    several: Any = sum(Gaussian(s) for s in np.array([1.0, 2.0]))
    assert several == Gaussian(1) + Gaussian(2)
    assert sum([PureDP(1)] * 3, start=Plan.of()) == 3 * Promised(PureDP(1))
    assert epsilon(sum(parts), "1e-6") == epsilon(text, "1e-6")
    assert epsilon(PureDP(1), 0).upper == 1
    assert audit(PureDP(1), PureDP(2)).holds


def test_a_promise_is_for_the_relation_of_its_plan() -> None:
    """So that the plan has one relation."""
    plan = Gaussian(1).stated_for(Relation.REPLACE_ONE) + PureDP(1)
    assert plan.relation is Relation.REPLACE_ONE


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: PureDP(1) + PureDP(1), "Plan.of()"),
        (lambda: sum([PureDP(1), PureDP(1)]), "Plan.of()"),
        (lambda: 3 * PureDP(1), "3*Promised(PureDP(epsilon=1))"),
        (lambda: Gaussian(1) + 1, "unsupported"),  # type: ignore[operator]
        (lambda: 1 + Gaussian(1), "unsupported"),
    ],
)
def test_what_cannot_be_added(ask: Callable[[], Any], says: str) -> None:
    """Guarantees alone are no plan, and the error says how to make one."""
    with pytest.raises(TypeError, match=re.escape(says)):
        ask()


SAMPLERS: list[tuple[Any, Any]] = [
    (Gaussian(1), 0.0),
    (Laplace(1), 0.0),
    (DiscreteGaussian(2), 3),
    (DiscreteLaplace(2), 3),
    (RandomizedResponse(1, answers=4), 1),
    (Exponential(1), [1, 2, 3]),
    (MaximallyDivergent(1, neutral="1/2"), 0),
    (FiniteMechanism([["1/2", "1/2"], ["1/4", "3/4"]]), 0),
]


@pytest.mark.parametrize(("mechanism", "value"), SAMPLERS, ids=str)
@pytest.mark.parametrize(
    "source",
    [
        lambda: 5,
        lambda: np.int64(5),
        lambda: random.Random(5),
        lambda: np.random.default_rng(5),
        lambda: np.random.Generator(np.random.PCG64(5)),
    ],
)
def test_every_sampler_takes_every_source(
    mechanism: Any, value: Any, source: Callable[[], Any]
) -> None:
    """A seed or a generator, and the same draws from the same one."""
    draws = [[mechanism.sample(value, source()) for _ in range(3)] for _ in range(2)]
    assert draws[0] == draws[1]
    assert mechanism.sample(value) is not None


@pytest.mark.parametrize("source", ["1", 0.5, True, [1], np.array([1, 2])], ids=str)
def test_other_sources_are_refused(source: Any) -> None:
    """In one sentence that names the sources."""
    for mechanism, value in SAMPLERS:
        with pytest.raises(InputError, match=r"give random\.Random, a generator"):
            mechanism.sample(value, source)
