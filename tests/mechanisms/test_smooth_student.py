"""Student noise on a smooth scale: exact answers against quadrature, and the worst pair against all
pairs of the box.
"""

import math
import random
import warnings
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import mpmath
import pytest

from rdpacct import SmoothPower, SmoothStudent, audit, calibrate, delta, epsilon
from rdpacct.auditing import Outcome
from rdpacct.cli import main
from rdpacct.exact.ball import precision
from rdpacct.exact.formula import formula
from rdpacct.exact.raw import real
from rdpacct.mechanisms import StudyOnlyWarning
from rdpacct.mechanisms.smooth.smooth_student import (
    student_corners,
    student_epsilon,
    sufficient_student_epsilon,
)
from rdpacct.mechanisms.smooth.student_law import below, beyond
from rdpacct.mechanisms.smooth.student_pair import StudentPair

mp = mpmath.mp.clone()
mp.dps = 25
PUBLISHED = [
    ("1/2", "1/10"),
    ("1", "1/4"),
    ("3", "1/20"),
    ("10", "1/100"),
    ("7/2", "1"),
]
"""Degrees and betas at which the published epsilon is worked out by hand, for alpha = 1."""


def density(degrees: Any) -> Any:
    """The density of Student's t, typed out."""
    d = mp.mpf(degrees)
    factor = mp.gamma((d + 1) / 2) / (mp.sqrt(d * mp.pi) * mp.gamma(d / 2))
    return lambda z: factor * (1 + z * z / d) ** (-(d + 1) / 2)


def by_quadrature(pair: StudentPair, level: Any) -> Any:
    """The integral of max(0, p - exp(epsilon) q) over all outputs, cut at the roots of the
    quadratic.
    """
    shift, ratio, degrees = (
        mp.mpf(float(one.ball(80))) for one in (pair.shift, pair.ratio, pair.degrees)
    )
    p = density(degrees)
    shrink = mp.exp(-ratio)

    def laws(z: Any) -> Any:
        both = p(z), p((z - shift) * shrink) * shrink
        return both if pair.narrow_first else both[::-1]

    def gap(z: Any) -> Any:
        first, second = laws(z)
        return first - mp.exp(level) * second

    sign = 1 if pair.narrow_first else -1
    growth = mp.exp(2 * (sign * mp.mpf(level) - ratio) / (degrees + 1))
    roots = mp.polyroots(
        [
            shrink**2 - growth,
            -2 * shrink**2 * shift,
            degrees * (1 - growth) + (shrink * shift) ** 2,
        ]
    )
    cuts = sorted({mp.mpf(0), *(mp.re(root) for root in roots)})
    cuts = [-mp.inf, *cuts, mp.inf]
    total = mp.mpf(0)
    for low, high in pairwise(cuts):
        middle = (max(low, cuts[1] - 2) + min(high, cuts[-2] + 2)) / 2
        if gap(middle) > 0:
            total += mp.quad(gap, [low, high])
    return total


@pytest.mark.parametrize("degrees", ["1/2", "1", "3", "7/2"])
@pytest.mark.parametrize("narrow_first", [False, True])
def test_pairs_against_quadrature(degrees: str, narrow_first: bool) -> None:
    for ratio, level in (("1/8", "1/4"), ("1/2", "0"), ("1/2", "3/4")):
        pair = StudentPair(
            formula(Fraction(3, 4)),
            formula(Fraction(ratio)),
            formula(Fraction(degrees)),
            narrow_first,
        )
        exact = pair.excess(Fraction(level), 128)
        reference = by_quadrature(pair, mp.mpf(float(Fraction(level))))
        assert abs(mp.mpf(float(exact)) - reference) < mp.mpf(10) ** -12


def test_probabilities_against_the_distribution_function() -> None:
    """Below a number, and beyond one over a number, with balls about 0 too."""
    with precision(100):
        for degrees, x in product((0.5, 3, 10), (-4, -0.25, 0, 0.5, 30)):
            exact = mp.quad(density(degrees), [-mp.inf, min(x, 0), x])
            assert float(below(real(x), real(degrees))) == pytest.approx(float(exact))
        around = below(real(0).union(real(Fraction(1, 100))), real(3))
        assert around.contains(real(Fraction(1, 2)))
        assert beyond(real(0), real(3)) == 0
        both = beyond(real(-1).union(real(1)), real(1))
        assert both.contains(real(Fraction(1, 4)))
        assert both.contains(real(Fraction(-1, 4)))


def test_one_degree_is_cauchy_noise() -> None:
    """Every answer agrees with that of power 2."""
    for alpha, beta in product(("0.3", "2"), ("0.05", "0.7")):
        cauchy = SmoothPower(alpha, beta, 2)
        student = SmoothStudent(alpha, beta, 1)
        assert epsilon(student, 0).overlaps(epsilon(cauchy, 0))
        for level in ("0", "0.2", "0.5"):
            assert delta(student, level).overlaps(delta(cauchy, level))


@pytest.mark.parametrize(("degrees", "beta"), PUBLISHED)
def test_the_exact_epsilon_is_below_the_published_one(degrees: str, beta: str) -> None:
    """beta (d + 1) + alpha (d + 1)/(2 sqrt(d)), worked out in mpmath."""
    d, ratio = (
        mp.mpf(Fraction(x).numerator) / Fraction(x).denominator for x in (degrees, beta)
    )
    published = ratio * (d + 1) + (d + 1) / (2 * mp.sqrt(d))
    exact = student_epsilon(1, Fraction(beta), Fraction(degrees)).bound()
    enough = sufficient_student_epsilon(1, Fraction(beta), Fraction(degrees)).bound()
    assert exact.certainly_below(enough)
    assert float(enough) == pytest.approx(float(published - ratio * min(1, d)))


def test_the_largest_loss_against_a_fine_grid() -> None:
    """Every loss on a grid of shifts, ratios and outputs is below it, and one comes near."""
    for d, (alpha, beta) in product((0.5, 3.0, 8.0), ((1.0, 0.1), (0.2, 0.5))):
        exact = student_epsilon(*map(Fraction, map(str, (alpha, beta, d))))
        most = float(exact.bound())
        best = 0.0
        for i, j, k in product(range(1, 3), range(3), range(-500, 501)):
            c = alpha * i / 2
            lam = beta * j / 2
            z = 1.03 ** abs(k) / 50 * (1 if k > 0 else -1)
            moved = (z - c) * math.exp(-lam)
            loss = lam + (d + 1) / 2 * math.log((d + moved**2) / (d + z**2))
            best = max(best, abs(loss))
        assert best <= most + 1e-9
        assert best >= most * 0.995


def test_no_pair_of_the_box_is_worse() -> None:
    """Random settings, all shifts and ratios on a grid, both orders, and each corner is needed."""
    rng = random.Random(5)
    worst = set()
    for _ in range(10):
        alpha, beta, level = (
            Fraction(rng.randint(1, most), 40) for most in (100, 60, 60)
        )
        degrees = formula(Fraction(rng.randint(1, 20), 3))
        profile = student_corners(formula(alpha), formula(beta), degrees)
        claimed = profile.delta(level)
        worst.add(profile.losses.index(profile.worst_at(level)))
        for i, j, narrow_first in product(range(1, 4), range(5), (False, True)):
            inner = formula(alpha * i / 3), formula(beta * j / 4)
            pair = StudentPair(*inner, degrees, narrow_first)
            assert not pair.excess(level, 128).bound().certainly_above(claimed)
    assert worst == {0, 1}


def test_a_scale_that_is_left_out_would_be_seen() -> None:
    """The corner of equal scales alone is too small an answer at a large epsilon."""
    equal, broad, _ = SmoothStudent(1, "0.1", 3).profile().losses
    assert broad.delta(1).certainly_above(equal.delta(1))
    assert broad.max_divergence().certainly_above(equal.max_divergence())


def test_means_and_moments_against_quadrature() -> None:
    pair = StudentPair(
        formula(1), formula(Fraction(1, 4)), formula(3), narrow_first=True
    )
    p = density(3)

    def loss(z: Any) -> Any:
        moved = (z - 1) * mp.exp(mp.mpf(-1) / 4)
        return mp.mpf(1) / 4 + 2 * mp.log((3 + moved**2) / (3 + z**2))

    cuts = [-mp.inf, 0, 1, mp.inf]
    mean = mp.quad(lambda z: p(z) * loss(z), cuts)
    moment = mp.quad(lambda z: p(z) * mp.exp(2 * loss(z)), cuts)
    assert float(pair.mean(100)) == pytest.approx(float(mean))
    assert float(pair.moment(Fraction(2), 100)) == pytest.approx(float(moment))


def test_audits_and_calibration() -> None:
    plan = "SmoothStudent(alpha=1, beta=0.1, degrees=3)"
    assert audit(plan, "PureDP(epsilon=1.2025)").outcome is Outcome.HOLDS
    assert audit(plan, "PureDP(epsilon=1.2024)").outcome is Outcome.FAILS
    found = calibrate("SmoothStudent(alpha=?, beta=0.1, degrees=3)", 1, "1e-6")
    assert found.sufficient is not None
    assert found.insufficient is not None
    assert epsilon(SmoothStudent(found.sufficient, "0.1", 3), "1e-6").upper <= 1
    assert epsilon(SmoothStudent(found.insufficient, "0.1", 3), "1e-6").lower > 1


def test_samples_follow_the_distribution_function() -> None:
    """The share of draws below some numbers is within five standard deviations."""
    mechanism = SmoothStudent(2, "0.1", 3)
    rng = random.Random(11)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StudyOnlyWarning)
        draws = [mechanism.sample(5, 4, rng) for _ in range(20_000)]
    for x in (-2.0, -0.5, 0.7, 3.0):
        share = sum(one < 5 + 2 * x for one in draws) / len(draws)
        expected = float(mp.quad(density(3), [-mp.inf, 0, x]))
        assert abs(share - expected) < 5 * math.sqrt(expected * (1 - expected) / 20_000)


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        (
            "SmoothStudent(alpha=1, beta=1, degrees=0)",
            "degrees is 0, but must be above 0",
        ),
        ("SmoothStudent(alpha=1, beta=1)", "needs degrees"),
        ("SmoothStudent(alpha=1, beta=0, degrees=3)", "beta is 0, but must be above 0"),
    ],
)
def test_bad_input_is_refused(
    plan: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["epsilon", plan, "--delta", "0"]) == 2
    assert why in capsys.readouterr().err


@pytest.mark.parametrize("x", ["1e-9", "0.3", "7", "3000"])
@pytest.mark.parametrize("degrees", ["3/2", "56/3"])
def test_probabilities_near_the_middle_and_far_out_agree_with_mpmath(
    x: str, degrees: str
) -> None:
    """Whichever of the two shares of the incomplete beta function is the smaller one."""
    with precision(128):
        found = below(real(Fraction(x)), real(Fraction(degrees)))
        assert found.rel_accuracy_bits() > 100
        out = 1 - below(-real(Fraction(x)), real(Fraction(degrees)))
        assert found.overlaps(out)
    count = Fraction(degrees)
    with mpmath.workdps(30):
        nu = mpmath.mpf(count.numerator) / count.denominator
        at = mpmath.mpf(x)
        tail = mpmath.betainc(nu / 2, 0.5, 0, nu / (nu + at * at), regularized=True)
        assert abs(mpmath.mpf(float(found)) - (1 - tail / 2)) < 1e-14


def test_a_ratio_of_scales_of_many_nats_takes_little_work() -> None:
    """The share near 1 of the incomplete beta function took seconds for each value."""
    profile = SmoothStudent("116/37", "56/3", "56/3").profile()
    values = [profile.delta(level) for level in (1, 20, 100, 200, 300)]
    assert all(one.relative_width < 1e-12 for one in values)
    assert values == sorted(values, key=float, reverse=True)
