"""The engine itself: bad plans cost width and never validity, and independent methods agree."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from itertools import product as all_of
from typing import Any

import mpmath as mp
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rdpacct import (
    ApproxDP,
    FiniteMechanism,
    Gaussian,
    Laplace,
    PoissonSampled,
    Promised,
    RandomizedResponse,
    delta,
    epsilon,
    profile,
)
from rdpacct.composition.exact_sums.patterns import Series, patterns_of
from rdpacct.composition.grids.few_releases import Share
from rdpacct.composition.plans import compose, composed_losses
from rdpacct.composition.quadrature.lattice import (
    common_lattice,
    lattice_line,
    lattice_nodes,
)
from rdpacct.composition.quadrature.smoothed import kernels, smooth_truncation, smoothed
from rdpacct.composition.quadrature.tilt import Place, Planner, Tilt
from rdpacct.composition.quadrature.vertical_line import (
    Line,
    aliases_above,
    aliases_below,
    chernoff,
    line_of,
    truncation,
)
from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import precision
from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import PI, log
from rdpacct.exact.raw import (
    complex_of,
    error,
    pi,
    power_sums,
    product,
    real,
    row_product,
    turn_sums,
)
from rdpacct.mechanisms.discrete.discrete_transforms import DiscreteLaplaceTransform
from rdpacct.mechanisms.exponential.exponential_transform import (
    ExponentialTransform,
    exponential_far,
)
from rdpacct.mechanisms.gaussian.gaussian_transform import GaussianTransform
from rdpacct.mechanisms.laplace.laplace_transform import (
    LaplaceTransform,
    laplace_tangent,
)
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.mechanisms.poisson.sampled_gaussian import SampledGaussianTransform
from rdpacct.mechanisms.poisson.sampled_gaussian_plan import SampledGaussianPlan
from rdpacct.mechanisms.poisson.sampled_laplace import SampledLaplaceTransform
from rdpacct.mechanisms.randomized_response.response_transform import ResponseTransform
from rdpacct.privacy.atoms_transform import AtomsTransform
from rdpacct.privacy.binomial_curve import BinomialCurve
from rdpacct.privacy.drawn_atoms import drawn
from rdpacct.privacy.transform import Nodes, Transform, variance_decay
from rdpacct.proof.kernel import Refused
from rdpacct.proof.tactics.shipped import Formal, formulas
from rdpacct.proof.tactics.shipped_complex import Complex, at_one_node, complex_formula
from rdpacct.testing.formal_nodes import one_node
from rdpacct.work import question
from tests.references import (
    exponential_expectation,
    gaussian_delta,
    laplace_expectation,
    sampled_gaussian_expectation,
    sampled_laplace_expectation,
)

THIRD = formula(Fraction(1, 3))
LAWS: dict[str, tuple[Any, Any]] = {
    "laplace": (
        LaplaceTransform(THIRD),
        lambda f: laplace_expectation(mp.mpf(1) / 3, f),
    ),
    "exponential": (
        ExponentialTransform(THIRD),
        lambda f: exponential_expectation(mp.mpf(1) / 3, f),
    ),
    **{
        f"sampled gaussian, removing={removing}": (
            SampledGaussianTransform(
                formula(Fraction(5, 4)), formula(Fraction(1, 10)), removing
            ),
            lambda f, r=removing: sampled_gaussian_expectation(
                mp.mpf(5) / 4, mp.mpf(1) / 10, r, f
            ),
        )
        for removing in (True, False)
    },
    **{
        f"sampled laplace, removing={removing}": (
            SampledLaplaceTransform(THIRD, formula(Fraction(1, 4)), removing),
            lambda f, r=removing: sampled_laplace_expectation(
                mp.mpf(1) / 3, mp.mpf(1) / 4, r, f
            ),
        )
        for removing in (True, False)
    },
}


def inside(ball: Any, number: Any, slack: float = 1e-18) -> None:
    """A complex ball holds an mpmath number, up to that number's own error."""
    for part, exact in ((ball.real, mp.re(number)), (ball.imag, mp.im(number))):
        middle = mp.mpf(str(part.mid().str(30, radius=False)))
        radius = mp.mpf(float(part.rad()))
        assert abs(middle - exact) <= radius * (1 + slack) + slack * (
            1 + abs(number)
        ), (ball, number)


@pytest.mark.parametrize("name", LAWS)
def test_transforms_contain_the_integral(name: str) -> None:
    """M(z) at several points of two lines, against mpmath quadrature."""
    transform, expectation = LAWS[name]
    with mp.workdps(25), precision(90):
        for tilt in (Fraction(1, 2), Fraction(3)):
            values = transform.at(Nodes(real(tilt), real(Fraction(7, 2)), 4))
            for m, found in enumerate(values):
                z = mp.mpc(mp.mpf(tilt.numerator) / tilt.denominator, mp.mpf(7) / 2 * m)
                inside(found, expectation(lambda x, z=z: mp.exp(z * x)))


@pytest.mark.parametrize("name", LAWS)
def test_the_decay_bounds_what_lies_above(name: str) -> None:
    """From a height on, no value of the transform exceeds the bound."""
    transform, _ = LAWS[name]
    with precision(90):
        for tilt in (Fraction(1, 2), Fraction(3)):
            for height in (Fraction(1), Fraction(9, 2), Fraction(20)):
                step = height / 8
                values = transform.at(Nodes(real(tilt), real(step), 60))
                bound = transform.decay(real(tilt), real(height), values[0].real)
                assert all(not abs(value) > bound for value in values[8:])


@pytest.mark.parametrize("count", [1, 2, 3, 50, 200])
@pytest.mark.parametrize(
    "kind", [LaplaceTransform, lambda shift: ResponseTransform(shift, 2)]
)
def test_the_product_of_many_is_that_of_each(kind: Any, count: int) -> None:
    """Powers from node to node give what evaluating one by one does."""
    group = [kind(formula(Fraction(k, 7))) for k in (1, 2, 5, 9, 20, 41)]
    with precision(90):
        nodes = Nodes(real(Fraction(5, 4)), real(Fraction(3, 8)), count)
        found = type(group[0]).product(group, nodes)
        plainly: Any = Transform.product
        one_by_one = plainly.__func__(type(group[0]), group, nodes)
        for together, apart in zip(found, one_by_one, strict=True):
            assert together.overlaps(apart)
            assert abs(together - apart) < abs(apart) * 1e-20
        logs = sum(transform.planned(1.25) for transform in group)
        assert type(group[0]).planned_sum(group, 1.25) == pytest.approx(logs, rel=1e-13)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 64, 1000])
def test_a_product_of_many_turns_stays_narrow(count: int) -> None:
    """Every factor is there, and a thousand turns cost few of the bits."""
    with precision(90):
        rows = [
            [complex_of(*reversed(real(Fraction(k + j, 7)).sin_cos())) for j in (0, 3)]
            for k in range(count)
        ]
        for j, found in zip((0, 3), row_product(rows), strict=True):
            sine, cosine = real(Fraction(sum(k + j for k in range(count)), 7)).sin_cos()
            for value in (found, product([row[j // 3] for row in rows])):
                assert value.overlaps(complex_of(cosine, sine))
                assert abs(value - complex_of(cosine, sine)) < 1e-21


@pytest.mark.parametrize("count", [2, 3, 5, 8, 40, 129])
def test_sums_of_turns_are_sums_of_powers(count: int) -> None:
    """With conjugates or without, every power is there."""
    with precision(90):
        turns = [
            complex_of(*reversed(real(Fraction(k, 3)).sin_cos())) for k in range(7)
        ]
        weights = [real(Fraction(1, k + 1)) for k in range(7)]
        sums = turn_sums(weights, turns, count)
        powers = power_sums(weights, turns, count)
        assert len(sums) == len(powers) == count
        for m, (one, other) in enumerate(zip(sums, powers, strict=True)):
            direct = sum(
                (w * t**m for w, t in zip(weights, turns, strict=True)),
                start=complex_of(real(0), real(0)),
            )
            assert one.overlaps(direct)
            assert other.overlaps(direct)
            assert abs(one - direct) < 1e-20


@pytest.mark.parametrize(
    "text",
    ["1000*PoissonSampled(Gaussian(sigma=1), rate=0.01)", "500*Laplace(scale=10)"],
)
def test_a_quick_bound_never_says_too_much(text: str) -> None:
    """What a coarse quadrature shows is true, and a little above the truth it shows it."""
    losses: Any = profile(text).losses
    for loss in losses:
        for level in (1, 2, 5):
            exact = loss.delta(level)
            assert not loss.certainly_within(
                Fraction(level), exact.lower * Fraction(999_999, 10**6)
            )
            assert exact.upper > 1e-2 or loss.certainly_within(
                Fraction(level), exact.upper * 4
            )


def gaussian_terms() -> Any:
    """A Laplace loss beside a Gaussian one, for which every line converges."""
    return Terms.of(
        [(LaplaceTransform(THIRD), 1), (GaussianTransform(formula(Fraction(1, 2))), 1)]
    )


def reference(level: Any) -> Any:
    """The profile of a Laplace loss and a Gaussian one, as an integral over the former."""
    half = mp.sqrt(mp.mpf(1) / 2)
    return laplace_expectation(mp.mpf(1) / 3, lambda x: gaussian_delta(half, level - x))


plans = st.builds(
    Tilt,
    tilt=st.floats(1e-3, 60),
    second=st.one_of(st.none(), st.floats(1e-3, 200)),
    period=st.floats(1e-2, 200),
    count=st.integers(2, 40),
    epsilon=st.just(0.0),
    decaying=st.sampled_from([frozenset(), frozenset({0}), frozenset({0, 1})]),
    nats=st.floats(1, 60),
)


@pytest.fixture(scope="module")
def exact() -> Any:
    """The reference at a few points, worked out once."""
    with mp.workdps(15):
        return {level: reference(mp.mpf(level)) for level in (0, 1, 2)}


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(plans)
def test_a_bad_plan_costs_width_and_never_validity(exact: Any, plan: Any) -> None:
    """Whatever the line, the period, the number of nodes and the second tilt, the enclosure
    holds.
    """
    terms = gaussian_terms()
    with precision(90):
        line = line_of(terms, plan)
        for level, value in exact.items():
            found = line.enclosure(real(level))
            if found.is_finite():
                assert found.lower() <= float(value) * (1 + 1e-10), (plan, level)
                assert found.upper() >= float(value) * (1 - 1e-10), (plan, level)


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(plans, st.floats(1e-4, 2))
def test_a_bad_smoothing_costs_width_and_never_validity(
    exact: Any, plan: Any, width: float
) -> None:
    """The same for the smoothed sums."""
    place = Place(plan.tilt, plan.second, plan.period, 0.0)
    with precision(90):
        line = smoothed(gaussian_terms(), place, width, plan.count, plan.decaying)
        for level, value in exact.items():
            found = line.enclosure(real(level))
            if found.is_finite():
                assert found.lower() <= float(value) * (1 + 1e-10), (plan, level)
                assert found.upper() >= float(value) * (1 - 1e-10), (plan, level)


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(plans, st.integers(2, 60), st.integers(2, 30))
def test_a_bad_lattice_plan_costs_width_and_never_validity(
    plan: Any, number: int, keep: int
) -> None:
    """The same on a lattice, against the exact sum over the draws."""
    loss: Any = profile(40 * RandomizedResponse("1/2", answers=3)).losses[0]
    terms = loss.answers.terms
    lattice: Any = common_lattice(terms)
    with precision(90):
        patterns: Any = patterns_of(terms)
        place = Place(plan.tilt, plan.second, plan.period, 0.0)
        origin, spacing = lattice
        most = min(keep, number // 2 + 1)
        line = lattice_nodes(terms, place, origin, spacing, number, most)
        for level in (Fraction(1), Fraction(7, 3), Fraction(9)):
            found = line.enclosure(real(level))
            assert not found.is_finite() or found.overlaps(
                patterns.enclosure(real(level))
            ), (plan, level)


@pytest.mark.parametrize("degree", [3, 6, 12, 40])
@pytest.mark.parametrize(
    ("count", "lower", "power"),
    [(0, 0, 1), (1, 0, 0), (3, 1, 0), (3, 2, 2), (12, 5, 0)],
)
def test_a_short_series_still_encloses(
    count: int, lower: int, power: int, degree: int
) -> None:
    """However few terms are kept, the ball holds the whole sum; the coefficients come from mpmath's
    own Taylor rows.
    """
    with mp.workdps(40), precision(100):
        kept = mp.taylor(
            lambda w: (1 + w) ** (count - lower) * (1 - w) ** lower, 0, count
        )
        series = Series(count, lower, power, degree)
        for x in (Fraction(1, 2), Fraction(2), Fraction(9)):
            at = number(x)
            total = mp.mpf(0)
            slope = mp.mpf(0)
            for n in range(1, 200):
                a = 2 * sum(
                    kept[r]
                    for r in range(count + 1)
                    if r + power < n and (n - 1 - r - power) % 2 == 0
                )
                total += a * at**n / mp.factorial(n)
                slope += a * at ** (n - 1) / mp.factorial(n - 1)
            balls = (*series.at(real(x)), *series.at(real(x), 0))
            for ball, exact in zip(balls, (total, slope, total), strict=True):
                if ball.is_finite():
                    middle = mp.mpf(ball.mid().str(40, radius=False))
                    radius = mp.mpf(ball.rad().str(20, radius=False))
                    assert (
                        abs(middle - exact)
                        <= radius * (1 + mp.mpf(10) ** -15) + mp.mpf(10) ** -25
                    )


def number(x: Any) -> Any:
    """An exact fraction as an mpmath number."""
    return mp.mpf(x.numerator) / x.denominator


@pytest.mark.parametrize(
    "target", [Fraction(1, 10**2), Fraction(1, 10**6), Fraction(1, 10**12)]
)
def test_independent_methods_agree(target: Fraction) -> None:
    """Quadrature, lattice, smoothing and exact patterns on the same sum of atoms and Laplace
    losses.
    """
    loss: Any = profile(12 * RandomizedResponse("1/2") + 100 * Laplace(1)).losses[0]
    terms = loss.answers.terms
    planner = Planner(terms)
    level, tilt = planner.saddle_epsilon(math.log(target))
    place: Any = planner.place(level, math.log(target), tilt)
    with precision(terms.bits() + 60):
        patterns: Any = patterns_of(terms)
        exact = patterns.enclosure(real(level))
        plan: Any = planner.tilt(level, math.log(target), tilt, 10**6)
        assert line_of(terms, plan).enclosure(real(level)).overlaps(exact)
        assert (
            smoothed(terms, place, 0.02, 600, frozenset({0, 1}))
            .enclosure(real(level))
            .overlaps(exact)
        )
    many: Any = profile(80 * RandomizedResponse("1/2", answers=3)).losses[0]
    atoms = many.answers.terms
    planner = Planner(atoms)
    level, tilt = planner.saddle_epsilon(math.log(target))
    place = planner.place(level, math.log(target), tilt)
    with precision(atoms.bits() + 60):
        patterns = patterns_of(atoms)
        exact = patterns.enclosure(real(level))
        lattice: Any = common_lattice(atoms)
        origin, spacing = lattice
        line: Any = lattice_line(atoms, place, origin, spacing, 1e6)
        assert line.enclosure(real(level)).overlaps(exact)
        assert (
            smoothed(atoms, place, 0.02, 600, frozenset())
            .enclosure(real(level))
            .overlaps(exact)
        )


def test_a_wrong_truncation_would_be_found(exact: Any) -> None:
    """The test of bad plans can fail: without the truncation bound an enclosure misses the
    truth.
    """
    plan = Tilt(1.0, 4.0, 12.0, 3, 0.0, frozenset(), 30.0)
    with precision(90):
        line = line_of(gaussian_terms(), plan)
        assert truncation(real(1), real(1)) > 0
        broken = replace(line, truncation=real(0))
        assert not broken.enclosure(real(1)).overlaps(real(float(exact[1])))


@pytest.mark.parametrize("count", [3, 6, 12])
def test_the_truncation_is_that_of_the_first_node_left_out(count: int) -> None:
    """It is at least what all further nodes have, and bounded by the transform at the first of
    them.
    """
    terms = Terms.of([(GaussianTransform(formula(Fraction(1, 2))), 1)])
    plan = Tilt(1.0, 4.0, 12.0, count, 0.0, frozenset({0}), 60.0)
    with precision(120):
        line = line_of(terms, plan)
        further = line_of(terms, replace(plan, count=count + 60)).values[count:]
        left_out = sum(map(abs, further), start=real(0))
        first = plan.step * count
        bell = (-real(Fraction(1, 4)) * real(first) ** 2).exp()
        assert left_out < line.truncation
        assert line.truncation < bell / (pi() * real(first - plan.step)) * 1.000001


SCALES = [
    (10 * Laplace(4), 11 * Laplace(4)),
    (10 * Laplace(5), 10 * Laplace(4)),
    (50 * PoissonSampled(Gaussian(1), "0.1"), 50 * PoissonSampled(Gaussian(1), "0.2")),
    (50 * PoissonSampled(Gaussian(1), "0.1"), 51 * PoissonSampled(Gaussian(1), "0.1")),
    (50 * PoissonSampled(Gaussian(2), "0.1"), 50 * PoissonSampled(Gaussian(1), "0.1")),
    (50 * PoissonSampled(Gaussian(2), "0.1"), 50 * Gaussian(2)),
    (20 * RandomizedResponse("0.1"), 20 * RandomizedResponse("0.2")),
    (20 * RandomizedResponse("0.1"), 20 * RandomizedResponse("0.1") + Laplace(9)),
]


@pytest.mark.parametrize(("better", "worse"), SCALES, ids=lambda plan: str(plan))
def test_more_releases_and_less_noise_are_worse(better: Plan, worse: Plan) -> None:
    """Monotone in the count, the noise, the rate and what is added."""
    assert epsilon(better, "1e-6").certainly_below(epsilon(worse, "1e-6"))


def test_sampling_every_record_or_none_is_no_sampling() -> None:
    """rate=1 is the mechanism itself, and rate=0 releases nothing."""
    twice = epsilon(2 * Gaussian(2) + 2 * Laplace(3), "1e-6")
    every = 2 * PoissonSampled(Gaussian(2), 1) + 2 * PoissonSampled(Laplace(3), 1)
    assert epsilon(every, "1e-6").overlaps(twice)
    assert epsilon(every + 5 * PoissonSampled(Gaussian(1), 0), "1e-6").overlaps(twice)
    assert delta(3 * PoissonSampled(Gaussian(1), 0), 0).upper == 0
    assert (
        profile(every).mean().overlaps(profile(2 * Gaussian(2) + 2 * Laplace(3)).mean())
    )
    assert (
        profile(every)
        .renyi(2)
        .overlaps(profile(2 * Gaussian(2) + 2 * Laplace(3)).renyi(2))
    )


def test_a_trade_off_is_found_where_delta_is_wide() -> None:
    """Points further apart show the peak that the width of delta hides between close ones."""
    found = profile(2 * Gaussian(1) + Laplace(1)).tradeoff("0.1")
    assert found.upper - found.lower < Fraction(1, 10**6)


def test_asking_does_not_change_the_answer() -> None:
    """Nodes made ready for one question may serve another, and every answer still holds."""
    asked = profile(300 * Laplace(8))
    first = [asked.epsilon(Fraction(1, 10**k)) for k in range(2, 12)]
    again = [
        profile(300 * Laplace(8)).epsilon(Fraction(1, 10**k)) for k in range(2, 12)
    ]
    assert all(x.overlaps(y) for x, y in zip(first, again, strict=True))
    assert all(a.certainly_below(b) for a, b in pairwise(first))


def test_a_renyi_bound_is_above_the_profile() -> None:
    """The best conversion of the composed Renyi divergence is never below the certified epsilon."""
    plan = 200 * PoissonSampled(Gaussian(1), "0.05")
    exact = epsilon(plan, "1e-6")
    for order in (2, 4, 8, 16):
        divergence = profile(plan).renyi(order)
        bound = float(divergence.upper) + math.log(1e6) / (order - 1)
        assert bound >= float(exact.lower)


LOPSIDED = FiniteMechanism(
    (
        (Fraction(1, 2), Fraction(1, 2), 0),
        (Fraction(1, 5), Fraction(7, 10), Fraction(1, 10)),
    )
)


def test_a_quick_bound_does_not_hide_mass_at_infinity() -> None:
    """The second direction has mass 0.19 at infinity and no finite loss above epsilon: it
    decides.
    """
    both = compose(2 * LOPSIDED)
    assert both.epsilon(Fraction(1, 10)).lower == math.inf
    assert both.delta(Fraction(8, 5)).lower > Fraction(18, 100)


def test_a_mass_at_infinity_that_is_barely_too_large_is_not_overlooked() -> None:
    loss = FiniteMechanism(
        (
            (Fraction(1, 2), Fraction(1, 6), Fraction(1, 3)),
            (Fraction(1, 2), Fraction(1, 2), 0),
        )
    )
    (one,) = composed_losses(2 * loss)
    mass = Fraction(5, 9)
    assert one.epsilon(mass - Fraction(1, 10**60)).upper == math.inf
    assert one.epsilon(mass).upper < math.inf


def test_losses_that_balls_barely_tell_apart_are_all_looked_at() -> None:
    """A thousand draws of two losses that differ by 4e-24; epsilon is half way between the two
    sums.
    """
    tiny = Fraction(1, 10**24)
    half = formula(Fraction(1, 2))
    atoms = AtomsTransform((half, half), (log(2), log(2 / (1 + 4 * formula(tiny)))))
    with mp.workdps(60), precision(Terms.of([(atoms, 1000)]).bits()):
        low = mp.log(2 / (1 + 4 * mp.mpf(tiny.numerator) / tiny.denominator))
        at = 500 * (mp.log(2) + low)
        level = Fraction(int(at * mp.mpf(10) ** 50), 10**50)
        sums = [mp.log(2) * (1000 - j) + low * j - at for j in range(1001)]
        exact = mp.fsum(
            mp.binomial(1000, j) * mp.mpf(2) ** -1000 * max(0, 1 - mp.exp(-y))
            for j, y in enumerate(sums)
        )
        curve: Any = BinomialCurve.of(*atoms.atoms(), 1000)  # type: ignore[call-arg, arg-type]
        found = curve.enclosure(real(level))
        assert float(found.lower()) <= exact <= float(found.upper())


SHIPPED: dict[str, tuple[Any, Any]] = {
    "chernoff": (chernoff, ("a", "b", "c")),
    "truncation": (truncation, ("a", "b")),
    "laplace tangent": (lambda a, b, c: laplace_tangent(c, a, a, b), ("a", "b", "c")),
    "variance decay": (lambda a, b: variance_decay(b / 4, a, b), ("a", "b")),
    "exponential far": (exponential_far, ("a", "b", "c")),
    "smooth truncation": (smooth_truncation, ("a", "b", "c", "d")),
    "aliases below": (
        lambda a, b: aliases_below(Line(a, b, b, b, [], b, None, None)),
        ("a", "b"),
    ),
}


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_the_formula_of_a_rule_is_what_the_rule_computes(name: str) -> None:
    """The book calls the rules with formulas in the place of balls: both give the same numbers."""
    rule, names = SHIPPED[name]
    values = dict(
        zip(
            names,
            (Fraction(7, 3), Fraction(4, 5), Fraction(9, 7), Fraction(11, 5)),
            strict=False,
        )
    )
    found = rule(*formulas(*map(Symbol, names))).value
    with precision(100):
        number = rule(*(real(values[name]) for name in names))
        assert found.ball(100, **values).raw.overlaps(number)
        assert (
            not (found + Fraction(1, 10**20)).ball(100, **values).raw.overlaps(number)
        )


def test_the_formulas_of_the_smoothed_kernels_are_what_is_computed() -> None:
    values = {"t": Fraction(5, 4), "y": Fraction(7, 3), "h": Fraction(1, 3)}
    point = complex_formula(Complex(Symbol("t"), Symbol("y")))
    symbols: Any = kernels(point, *formulas(Symbol("h")))
    with precision(100):
        numbers = kernels(
            complex_of(real(values["t"]), real(values["y"])), real(values["h"])
        )
        for formal, number in zip(symbols, numbers, strict=True):
            assert formal.re.ball(100, **values).raw.overlaps(number.real)
            assert formal.im.ball(100, **values).raw.overlaps(number.imag)


def test_the_formulas_of_transforms_are_what_is_computed_at_a_node() -> None:
    """The book calls transforms with formulas at one node: both give the same numbers."""
    values = {"t": Fraction(5, 4), "y": Fraction(7, 3), "r": Fraction(2, 3)}
    rate: Any = Formal(Symbol("r"))
    for kind in (
        lambda shift: GaussianTransform(shift**2),
        LaplaceTransform,
        ExponentialTransform,
        lambda shift: DiscreteLaplaceTransform(shift, 3),
    ):
        found = at_one_node(kind(rate).at(one_node(Symbol("t"), Symbol("y"))))
        with precision(100):
            nodes = Nodes(real(values["t"]), real(values["y"]), 2)
            number = kind(formula(values["r"])).at(nodes)[1]
            for part, ball in ((found.re, number.real), (found.im, number.imag)):
                assert part.ball(100, **values).raw.overlaps(ball)
                moved = part + Fraction(1, 10**20)
                assert not moved.ball(100, **values).raw.overlaps(ball)


def test_complex_formulas_refuse_what_they_do_not_know() -> None:
    z = Complex(Symbol("x"), Symbol("y"))
    for ask in (
        lambda: z**0,
        lambda: z**-1,
        lambda: z ** Fraction(1, 2),
        lambda: bool(z),
        lambda: z * 0.5,
    ):
        with pytest.raises(Refused):
            ask()
    others: list[Any] = [[1], {}]
    for other in others:
        with pytest.raises(TypeError):
            real(other)
        with pytest.raises(TypeError):
            complex_of(real(1), other)


def test_a_ball_that_is_no_known_number_has_no_formula() -> None:
    with pytest.raises(Refused):
        Formal(Symbol("x")) * (real(1) / 3)
    with precision(53):
        assert (Formal(Symbol("x")) * pi()).value == Symbol("x") * PI
        assert (Formal(Symbol("x")) * pi().mid()).value != Symbol("x") * PI
    for other in (real(math.inf), complex_of(real(1), real(1)), 0.5, "1/3", None):
        with pytest.raises(Refused):
            Formal(Symbol("x")) + other


def test_formulas_are_compared_by_proofs_alone() -> None:
    """A comparison holds or fails if that is proved from what is given to either side, and else is
    refused.
    """
    x: Any
    y: Any
    (x,), (y,) = formulas(Symbol("x"), given=("0 < x", "x < y")), formulas(Symbol("y"))
    assert y > x
    assert x < y
    assert y * 2 >= x + y
    assert x <= 2 * x
    assert real(0) < x
    assert x > real(0)
    assert not x > y
    assert not y < x
    assert not x >= y
    assert not y <= x
    assert x == x + 0
    assert x != y
    second: Any = Formal(Symbol("s"))
    open_ones = (
        lambda: y > Formal(Symbol("z")),
        lambda: Formal(Symbol("x")) < y,
        lambda: Formal(Symbol("z")) >= y,
        lambda: x == 1,
        lambda: x != 1,
        lambda: bool(x),
        lambda: Complex(Symbol("x"), Symbol("y")) == Complex(Symbol("y"), Symbol("x")),
        lambda: aliases_above(Line(y, y, y, y, [], y, (second, y), None), y),
    )
    for ask in open_ones:
        with pytest.raises(Refused):
            ask()


def test_a_formula_steers_only_where_a_double_is_declared() -> None:
    x: Any
    y: Any
    x, (y,) = Formal(Symbol("x")), formulas(Symbol("y"), about=0.25)
    assert float(y) == 0.25
    assert math.isfinite(float((2 * y - real(1)).exp()))
    for other in (x, x + y, y + x, (y * y).max(x)):
        with pytest.raises(Refused):
            float(other)
    with pytest.raises(Refused):
        y > 0  # noqa: B015


def test_a_lattice_has_a_positive_spacing_in_whatever_order_the_losses_stand() -> None:
    """With log(3) before log(1/3) the distance is found with the wrong sign; it must be turned
    around.
    """
    up = log(formula(3))
    down = log(THIRD)
    found = []
    for losses, turned in (((up, down), False), ((down, up), True)):
        masses = [
            (formula(Fraction(3, 4)), formula(Fraction(1, 4))),
            (formula(Fraction(2, 3)), THIRD),
        ]
        laws = [AtomsTransform(one[::-1] if turned else one, losses) for one in masses]
        terms = Terms.of([(laws[0], 50), (laws[1], 30)])
        with precision(128):
            lattice: Any = common_lattice(terms)
            origin, spacing = lattice
            assert float(spacing.ball(64)) == pytest.approx(2 * math.log(3))
            line: Any = lattice_line(
                terms, Place(0.5, 1.0, 400.0, 30.0), origin, spacing, 1e6
            )
            found.append((line.enclosure(real(20)), len(line.line.values)))
    assert found[0][0].overlaps(found[1][0])
    assert found[0][0].rel_accuracy_bits() > 20
    assert found[0][1] == found[1][1], (
        "both see the atoms at the distance of the lattice"
    )


def test_losses_that_only_may_differ_have_no_lattice() -> None:
    """2 log(2) is log(4), which no structure shows."""
    same = AtomsTransform((THIRD, 1 - THIRD), (2 * log(formula(2)), log(formula(4))))
    with precision(128):
        assert common_lattice(Terms.of([(same, 3)])) is None


@pytest.mark.parametrize(
    "transform", [SampledGaussianTransform, SampledLaplaceTransform]
)
@pytest.mark.parametrize("removing", [True, False])
def test_a_tilt_beyond_all_reach_costs_width_and_not_time(
    transform: type[Any], removing: bool
) -> None:
    """A grid that would need billions of points is cut off: the ball is wide, and it is there at
    once.
    """
    with precision(96):
        (found,) = transform(
            formula(Fraction(1, 2)), formula(Fraction(1, 10)), removing
        ).at(Nodes(real(7.67e9), real(1), 1), 7.0)
    assert not found.is_exact()


@pytest.mark.parametrize(
    ("other", "noise", "rate", "level", "least", "most"),
    [
        (RandomizedResponse("0.05"), 5, Fraction(3, 500), 1, 0, Fraction(1, 10**90)),
        (
            Promised(ApproxDP("0.05", "0.001")),
            "3.5",
            Fraction(1, 500),
            Fraction(18, 5),
            Fraction(999, 10**6),
            Fraction(1001, 10**6),
        ),
    ],
)
def test_a_line_that_lies_below_the_answer_is_planned_too(
    other: Mechanism,
    noise: int | str,
    rate: Fraction,
    level: Fraction | int,
    least: Fraction | int,
    most: Fraction,
) -> None:
    """Where delta is far below what the plan expects, the excess of a line is negative."""
    found = delta(other + PoissonSampled(Gaussian(noise), rate), level)
    assert least <= found.lower <= found.upper <= most


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_draws_of_many_atoms_are_those_of_all_orders(count: int) -> None:
    """Losses and masses of all ordered draws, added up, are the moments that the sums have."""
    rows = [(Fraction(k * k, 7), Fraction(k + 1, 28)) for k in range(7)]
    sums = drawn([(real(loss), real(mass)) for loss, mass in rows], count)
    assert len(sums) == math.comb(len(rows) + count - 1, count)
    for power in range(4):
        wanted = sum(
            math.prod(mass for _, mass in row) * sum(loss for loss, _ in row) ** power
            for row in all_of(rows, repeat=count)
        )
        found = sum((mass * loss**power for loss, mass in sums), start=real(0))
        assert float(found) == pytest.approx(float(wanted), rel=1e-12)


@pytest.mark.parametrize("rate", [Fraction(1, 10**6), Fraction(1, 2)])
@pytest.mark.parametrize("removing", [False, True])
def test_far_tilts_of_a_sampled_gaussian_are_not_planned_point_by_point(
    removing: bool, rate: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On both sides: millions of points would be drawn, uncounted, for a decay of nothing."""
    transform = SampledGaussianTransform(formula(2), formula(rate), removing)
    points_of = SampledGaussianPlan._contour_points
    numbers: list[int] = []

    def counted(plan: SampledGaussianPlan, a: float, step: float) -> list[float]:
        points = points_of(plan, a, step)
        numbers.append(len(points))
        return points

    monkeypatch.setattr(SampledGaussianPlan, "_contour_points", counted)
    assert transform.planned_decay(1.0, 1.0) < 0
    assert numbers
    for tilt in (1e6, -1e6, 1e15, -1e15):
        transform.planned_decay(tilt, 1.0)
    assert max(numbers) < 100


def test_adding_a_rarely_used_record_falls_along_lines_of_huge_tilts() -> None:
    """The bump of R**a is near zero for a < 0, where R is hardly below one; without the decay
    there, sums of such losses took eight seconds on cells.
    """
    adding = SampledGaussianTransform(
        formula(Fraction(1, 8)), formula(Fraction(1, 5000)), False
    )
    assert adding.planned_decay(28_000.0, 10_000.0) < -0.01
    with question() as budget:
        bound = delta("5*PoissonSampled(Gaussian(sigma=8), rate=1/5000)", 0)
    assert bound.relative_width < 1e-8
    assert budget.spent < 500_000


def test_a_delta_below_all_doubles_is_bracketed() -> None:
    """What is planned in doubles does not hold 1/delta."""
    plan = "SampledBands(sigma=4, steps=8, coefficients=[1, 1/2], rate=0.1)"
    found = epsilon(plan, "1e-400")
    assert found.relative_width < 1e-9
    assert delta(plan, Fraction(found.lower) / 2).lower > Fraction(1, 10**400)
    assert delta(plan, found.upper).lower <= Fraction(1, 10**400)


@pytest.mark.parametrize("tilt", [0.5, 30.0, 900.0])
@pytest.mark.parametrize("scale", ["2", "0.01", "0.0004"])
def test_plans_of_sampled_laplace_noise_stay_in_doubles(
    scale: str, tilt: float
) -> None:
    """A far tilt of a large loss has no decay that doubles hold."""
    for removing in (True, False):
        shift, rate = 1 / Fraction(scale), Fraction(3, 100)
        law = SampledLaplaceTransform(formula(shift), formula(rate), removing)
        assert -700 < law.planned_decay(tilt, 1.0) <= 0


@pytest.mark.parametrize(
    ("count", "epsilon_0", "target"),
    [(3, "1/3", "1e-100"), (10, "0.1", "1e-100"), (100, "0.1", "1e-60")],
)
def test_an_epsilon_next_to_the_largest_loss_is_narrow(
    count: int, epsilon_0: str, target: str
) -> None:
    """Against the top atom alone, which is all that there is above the next one; the answer was as
    wide as the sum of all losses.
    """
    bound = profile(f"{count}*RandomizedResponse(epsilon={epsilon_0})").epsilon(target)
    with mp.workdps(200):
        loss = number(Fraction(epsilon_0))
        mass = (1 / (1 + mp.exp(-loss))) ** count
        truth = count * loss + mp.log1p(-number(Fraction(target)) / mass)
        assert number(Fraction(bound.lower)) <= truth <= number(Fraction(bound.upper))
    assert bound.relative_width < 1e-6


def test_so_is_that_of_a_sampled_sum_at_an_ordinary_delta() -> None:
    """The top atom gives a lower bound on the true epsilon."""
    bound = profile("10*PoissonSampled(Laplace(scale=15.2), rate=0.00371)").epsilon(
        "1e-9"
    )
    with mp.workdps(60):
        mu = 1 / number(Fraction("15.2"))
        rate = number(Fraction("0.00371"))
        mass = ((1 - rate) * mp.exp(-mu) + rate) / 2
        top = 10 * mp.log(1 - rate + rate * mp.exp(mu))
        least = top + mp.log1p(-number(Fraction("1e-9")) / mass**10)
        assert least <= number(Fraction(bound.upper)) <= top * (1 + mp.mpf(10) ** -9)
    assert bound.relative_width < 1e-3


def test_a_level_that_is_hardly_known_is_asked_at_its_ends() -> None:
    """A ball over a whole grid of levels holds what each of them has, and reads few points."""
    step = Fraction(1, 1000)
    masses = [Fraction(1, 2**k) for k in range(1, 40)]
    tails = [
        (
            real(sum(masses[k:])),
            sum(
                (
                    real(masses[j]) * (-real(step * j)).exp()
                    for j in range(k, len(masses))
                ),
                start=real(0),
            ),
        )
        for k in range(len(masses) + 1)
    ]

    class Read(list[Any]):
        """Points that count how many are read."""

        number = 0

        def __getitem__(self, key: Any) -> Any:
            found = super().__getitem__(key)
            Read.number += len(found) if isinstance(key, slice) else 1
            return found

    share = Share(real(0), real(step), Read(tails), [(real(1), real(0))])
    middle, reach = step * 20, step * 19
    delta_of_all, mass_of_all = share.profile(real(middle) + error(real(reach)))
    assert Read.number < 12
    for k in range(1, 39):
        one_delta, one_mass = share.profile(real(step * k))
        assert delta_of_all.contains(one_delta)
        assert mass_of_all.contains(one_mass)
    assert float(delta_of_all.upper()) <= float(share.profile(real(step / 2))[0]) * 1.01


@pytest.mark.parametrize(
    ("plan", "truth"),
    [
        ("2*PoissonSampled(Gaussian(sigma=13.2), rate=3.78e-05)", 1.61659382153725e-6),
        ("2*PoissonSampled(Gaussian(sigma=4.71), rate=7.39e-06)", 8.89189903e-7),
    ],
)
def test_two_rarely_used_records_at_level_zero(plan: str, truth: float) -> None:
    """Against double integrals by mpmath; at the tilts of thousands that are planned here a
    transform is not always known, and its decay ended in a nan.
    """
    found = delta(plan, 0)
    assert found.relative_width < 1e-7
    assert float(found.lower) <= truth * (1 + 1e-8)
    assert truth * (1 - 1e-8) <= float(found.upper)
    many = delta("1000*PoissonSampled(Gaussian(sigma=13), rate=1e-6)", "1e-6")
    assert many.relative_width < 1e-8
    assert delta("2*PoissonSampled(Gaussian(sigma=1), rate=1e-5)", 0).upper < 6e-6


@pytest.mark.parametrize("below", [Fraction(1, 10**20), Fraction(1, 10**30), 0])
def test_a_level_just_below_a_point_of_a_grid_has_its_mass(below: Fraction) -> None:
    """Nearer than doubles tell: the double of its place is the point."""
    step = Fraction(21, 64)
    with precision(160):
        masses = [real(Fraction(1, k)) for k in (3, 5, 7)]
        losses = [real(step * k) for k in range(3)]
        under_q = [m * (-loss).exp() for m, loss in zip(masses, losses, strict=True)]
        tails = [
            (
                sum(masses[k:], start=real(0)),
                sum(under_q[k:], start=real(0)),
            )
            for k in range(4)
        ]
        share = Share(real(0), real(step), tails, [(real(1), real(0))])
        level = real(step - below)
        delta_there, mass_there = share.profile(level)
        first = 1 if below else 2
        assert mass_there.overlaps(level.exp() * sum(under_q[first:], start=real(0)))
        assert float(mass_there.rad()) < 1e-30
        truth = tails[1][0] - level.exp() * tails[1][1]
        assert abs(delta_there - truth) < 1e-40


def test_the_tail_of_tiny_losses_is_bounded_by_moments_too() -> None:
    """Quadratures do not reach so far down, and the answer was everything from 0 to 1."""
    tiny = profile("5*PoissonSampled(Gaussian(sigma=8), rate=1/5000)").losses[0]
    tail = tiny.tail(3)
    assert 0 <= tail.lower <= tail.upper < Fraction(1, 10**100)
    assert "engine/chernoff" in tail.rests_on


def test_few_atoms_are_listed_to_sixty_bits() -> None:
    """Against the sums of all losses in 60 digits."""
    count = 1000
    first, other = (
        "RandomizedResponse(epsilon=3/10)",
        "RandomizedResponse(epsilon=1/7)",
    )
    found = delta(f"{count}*{first} + {other}", "1/3")
    assert found.relative_width < 1e-17
    with mp.workdps(60):
        sums = []
        for k in range(count + 1):
            for sign in (1, -1):
                loss = (2 * k - count) * mp.mpf(3) / 10 + sign * mp.mpf(1) / 7
                keep = mp.exp(mp.mpf(3) / 10)
                near = keep / (1 + keep)
                mass = mp.binomial(count, k) * near**k * (1 - near) ** (count - k)
                kept = mp.exp(mp.mpf(1) / 7)
                mass *= kept / (1 + kept) if sign > 0 else 1 / (1 + kept)
                sums.append(mass * max(mp.mpf(0), 1 - mp.exp(mp.mpf(1) / 3 - loss)))
        truth = mp.fsum(sums)
        low, high = (
            mp.mpf(end.numerator) / end.denominator
            for end in (Fraction(found.lower), Fraction(found.upper))
        )
        slack = mp.mpf(10) ** -40
        assert low - slack <= truth <= high + slack
