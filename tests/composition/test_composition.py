"""Composed plans against independent references: the workloads of the field, and drawn plans
against mpmath.
"""

from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from rdpacct import (
    ApproxDP,
    Exponential,
    Gaussian,
    Laplace,
    Plan,
    PoissonSampled,
    Promised,
    RandomizedResponse,
    delta,
    epsilon,
    profile,
    read_plan,
)
from rdpacct.composition.composed_loss import ComposedLoss
from tests.references import (
    composed_delta,
    exponential_expectation,
    laplace_expectation,
    response_atoms,
    sampled_gaussian_expectation,
    sampled_laplace_expectation,
)

MIXED = Plan.total(
    [Plan.of(Gaussian(20 + i)) for i in range(100)]
    + [Plan.of(Laplace(Fraction(40 + i, 2))) for i in range(100)]
    + [Plan.of(RandomizedResponse(Fraction(i + 1, 200))) for i in range(50)]
)

WORKLOADS = {
    "W1": ("Gaussian(sigma=1)", "1e-6", "4.8865541174622120"),
    "W2": ("1000*Gaussian(sigma=20)", "1e-6", "8.3062250499547282"),
    "W3a": ("10*Laplace(scale=1)", "1e-6", "9.9989780894472"),
    "W3b": ("100*Laplace(scale=1)", "1e-6", "71.54600365967"),
    "W3c": ("1000*Laplace(scale=10)", "1e-6", "18.95028736754"),
    "W3d": ("10000*Laplace(scale=10)", "1e-6", "94.235865394926"),
    "W4a": (
        "1000*PoissonSampled(Gaussian(sigma=0.8), rate=0.01)",
        "1e-5",
        "3.14101413945",
    ),
    "W4b": (
        "10000*PoissonSampled(Gaussian(sigma=0.8), rate=0.01)",
        "1e-5",
        "10.05363477065",
    ),
    "W4c": (
        "100000*PoissonSampled(Gaussian(sigma=0.8), rate=0.01)",
        "1e-5",
        "43.54454697646",
    ),
    "W4d": (
        "14063*PoissonSampled(Gaussian(sigma=1), rate=256/60000)",
        "1e-5",
        "2.82265269405",
    ),
    "W5a": ("50*RandomizedResponse(epsilon=0.5)", "1e-6", "20.30100066484"),
    "W5b": ("500*RandomizedResponse(epsilon=0.5)", "1e-6", "110.85981949859"),
    "W9a": ("1000*Laplace(scale=10)", "1e-12", "26.02130125637"),
    "W9b": ("1000*Laplace(scale=10)", "1e-15", "28.80597699512"),
    "W9c": ("1000*Laplace(scale=10)", "1e-20", "32.83379379872"),
}

ADDING = {
    "W4a": "1.98317674516",
    "W4b": "8.38508518983",
    "W4c": "39.58136662162",
    "W4d": "2.61513106307",
}


def near(bound: Any, text: Any) -> None:
    """The enclosure is narrow, and meets the reference to the digits given."""
    half = Fraction(1, 2 * 10 ** len(text.partition(".")[2]))
    reference = Fraction(text)
    assert bound.lower <= reference + half, (bound, text)
    assert bound.upper >= reference - half, (bound, text)
    assert bound.relative_width <= 1e-8, bound


@pytest.mark.parametrize("name", WORKLOADS)
def test_the_workloads_are_enclosed(name: str) -> None:
    """Each reference value lies in the enclosure, whose relative width is at most 1e-8."""
    plan, target, reference = WORKLOADS[name]
    near(epsilon(plan, target), reference)


@pytest.mark.parametrize("name", ADDING)
def test_the_other_direction_is_enclosed(name: str) -> None:
    """Adding a record is worked out too, although removing one is worse."""
    plan, target, _ = WORKLOADS[name]
    removing, adding = profile(plan).losses
    assert isinstance(adding, ComposedLoss)
    near(adding.epsilon(target), ADDING[name])
    assert adding.epsilon(target).certainly_below(removing.epsilon(target))


def test_many_distinct_mechanisms_are_enclosed() -> None:
    """The mixed workload of 250 mechanisms."""
    near(epsilon(MIXED, "1e-6"), "5.03372089909")


@pytest.mark.parametrize(
    "text",
    [
        "1000*Laplace(scale=10)",
        "1000*PoissonSampled(Gaussian(sigma=0.8), rate=0.01)",
        "1000*Gaussian(sigma=20)",
        "1000*RandomizedResponse(epsilon=0.1)",
    ],
)
def test_tiny_deltas_and_large_counts(text: str) -> None:
    """Down to 1e-50 and up to a billion repetitions the enclosures stay narrow."""
    assert epsilon(text, "1e-50").relative_width <= 1e-8
    assert epsilon(text.replace("1000", "1000000000", 1), "1e-6").relative_width <= 1e-8


DIGITS = 17
small = st.fractions(Fraction(1, 20), Fraction(3), max_denominator=40)
sigmas = st.fractions(Fraction(1, 2), Fraction(20), max_denominator=20)
rates = st.fractions(Fraction(1, 500), Fraction(9, 10), max_denominator=500)


def number(x: Any) -> Any:
    """An exact fraction as an mpmath number."""
    return mp.mpf(x.numerator) / x.denominator


@st.composite
def described_plans(draw: Any) -> Any:
    """A plan of at least two releases, and for each direction the data of its reference."""
    with mp.workdps(2 * DIGITS):
        return _described(draw)


def _described(draw: Any) -> Any:
    """The parts of such a plan, drawn one after the other."""
    kind = draw(
        st.sampled_from(
            ["none", "laplace", "exponential", "sampled gaussian", "sampled laplace"]
        )
    )
    kinds, most = (2, 6) if kind == "none" else (1, 3)
    plans = []
    mu_squared = mp.mpf(0)
    atoms = []
    infinite = mp.mpf(0)
    for _ in range(draw(st.integers(0, 2))):
        sigma = draw(sigmas)
        count = draw(st.integers(1, 300))
        plans.append(count * Gaussian(sigma))
        mu_squared += count / number(sigma) ** 2
    for _ in range(draw(st.integers(0, kinds))):
        level = draw(small)
        answers = draw(st.integers(2, 3))
        count = draw(st.integers(1, most))
        plans.append(count * RandomizedResponse(level, answers=answers))
        atoms.append((response_atoms(number(level), answers), count))
    if draw(st.booleans()):
        level = draw(small)
        mass = Fraction(1, draw(st.integers(10**3, 10**9)))
        count = draw(st.integers(1, kinds))
        plans.append(count * Promised(ApproxDP(level, mass)))
        atoms.append(
            (
                [(p * (1 - number(mass)), x) for p, x in response_atoms(number(level))],
                count,
            )
        )
        infinite = -mp.expm1(count * mp.log1p(-number(mass)))
    directions: list[Any] = [None]
    if kind == "laplace":
        scale = draw(sigmas)
        plans.append(Plan.of(Laplace(scale)))
        directions = [lambda f, kinks: laplace_expectation(1 / number(scale), f, kinks)]
    elif kind == "exponential":
        level = draw(small)
        plans.append(Plan.of(Exponential(level)))
        directions = [lambda f, kinks: exponential_expectation(number(level), f, kinks)]
    elif kind != "none":
        noise = draw(sigmas)
        rate = draw(rates)
        base = Gaussian(noise) if kind == "sampled gaussian" else Laplace(noise)
        plans.append(Plan.of(PoissonSampled(base, rate)))
        of = (
            sampled_gaussian_expectation
            if kind == "sampled gaussian"
            else sampled_laplace_expectation
        )
        directions = [
            lambda f, kinks, removing=removing: of(
                1 / number(noise), number(rate), removing, f, kinks
            )
            for removing in (True, False)
        ]
    plan = Plan.total(plans)
    return plan, mp.sqrt(mu_squared), atoms, infinite, directions


def check_drawn_plan(drawn: Any, level: Any) -> None:
    """delta(epsilon) contains the reference, and epsilon(delta) leads back."""
    plan, mu, atoms, infinite, directions = drawn
    if sum(count for _, count in plan.terms) < 2:
        return
    bound = delta(plan, level)
    if bound.upper < Fraction(1, 10**18):
        # the references cut integrals over the line at ten standard deviations: they miss 1e-18
        return
    # mpmath integrates to an absolute error, so that a small delta needs as many more digits as it
    # has zeros
    with mp.workdps(DIGITS + len(str(int(1 / max(bound.upper, Fraction(1, 10**60)))))):
        at = number(level)
        references = [
            composed_delta(at, mu, atoms, infinite, direction)
            for direction in directions
        ]
        exact = max(references)
        slack = mp.mpf(10) ** -12
        cut = mp.mpf(10) ** -18
        low, high = (
            mp.mpf(end.numerator) / end.denominator
            for end in (Fraction(bound.lower), Fraction(bound.upper))
        )
        assert low - slack * exact - cut <= exact <= high + slack * exact, (
            str(plan),
            level,
            bound,
            exact,
        )
        if not (mp.mpf(10) ** -40 < exact < 0.99 and exact - infinite > exact / 10**6):
            return
        target = Fraction(mp.nstr(exact, 17, strip_zeros=False))
        back = epsilon(plan, target)
        loose = Fraction(1, 10**6)
        assert back.lower <= level * (1 + loose) + loose, (str(plan), level, back)
        assert back.upper >= level * (1 - loose) - loose, (str(plan), level, back)


levels = st.fractions(Fraction(0), Fraction(8), max_denominator=16)


@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(described_plans(), levels)
def test_drawn_plans_contain_the_reference(drawn: Any, level: Fraction) -> None:
    """Plans of Gaussians, atoms, opaque guarantees and one continuous loss, against mpmath."""
    check_drawn_plan(drawn, level)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_two_thousand_drawn_plans_contain_the_reference(part: int) -> None:
    """The same on 2000 draws, in four parts of 500; no bound is reversed, or its constructor would
    raise.
    """
    checked = []

    @seed(part)
    @settings(
        max_examples=500,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(described_plans(), levels)
    def check(drawn: Any, level: Any) -> None:
        checked.append(level)
        check_drawn_plan(drawn, level)

    check()
    assert len(checked) >= 500


@pytest.mark.parametrize("level", ["0", "0.3", "1", "2"])
def test_two_releases_against_a_double_integral(level: str) -> None:
    """2*M for Laplace and for both directions of the sampled Gaussian, by mpmath on the closed form
    of one.
    """
    with mp.workdps(20):
        at = mp.mpf(level)
        mu = mp.mpf(1) / 2
        q = mp.mpf(1) / 4

        def one_laplace(x: Any) -> Any:
            if x > -mu:
                return max(mp.mpf(0), 1 - mp.exp((x - mu) / 2))
            return 1 - mp.exp(x)

        twice = laplace_expectation(
            mu, lambda x: one_laplace(at - x), [at - mu, at + mu]
        )
        contains(delta(2 * Laplace(2), level), twice)

        def one_sampled(x: Any, removing: Any) -> Any:
            level = mp.exp(x if removing else -x) - 1 + q
            if level <= 0:
                if removing:
                    return 1 - mp.exp(x)
                return mp.mpf(0)
            edge = mp.log(level / q) / mu + mu / 2
            if removing:
                return q * mp.ncdf(mu - edge) - level * mp.ncdf(-edge)
            return (1 - mp.exp(x) * (1 - q)) * mp.ncdf(edge) - q * mp.exp(x) * mp.ncdf(
                edge - mu
            )

        both = [
            sampled_gaussian_expectation(
                mu, q, removing, lambda x, r=removing: one_sampled(at - x, r)
            )
            for removing in (True, False)
        ]
        contains(delta(2 * PoissonSampled(Gaussian(2), "1/4"), level), max(both), 1e-9)


def contains(bound: Any, value: Any, slack: float = 1e-15) -> None:
    """The enclosure holds an mpmath number, up to that number's own error."""
    low, high = (
        mp.mpf(end.numerator) / end.denominator
        for end in map(Fraction, (bound.lower, bound.upper))
    )
    assert low - slack * value <= value <= high + slack * value, (bound, value)


def test_the_order_does_not_matter_and_equal_parts_are_grouped() -> None:
    """M + N + M is 2*M + N."""
    m = Laplace(3)
    n = RandomizedResponse("1/2")
    assert m + n + m == 2 * m + n == n + 2 * m
    assert epsilon(m + n + m, "1e-6") == epsilon(
        read_plan("RandomizedResponse(epsilon=0.5) + 2*Laplace(scale=3)"), "1e-6"
    )
