"""Noise on a smooth scale: exact answers against quadrature, and the worst pair against all pairs
of the box.
"""

import math
import random
import warnings
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import mpmath
import numpy as np
import pytest

from rdpacct import (
    InputError,
    Relation,
    SmoothGaussian,
    SmoothLaplace,
    SmoothPower,
    UndecidedError,
    audit,
    calibrate,
    profile,
    read_plan,
)
from rdpacct.auditing import Outcome
from rdpacct.cli import main
from rdpacct.exact.formula import formula
from rdpacct.mechanisms import StudyOnlyWarning
from rdpacct.mechanisms.smooth.smooth_gaussian import GaussianNoise
from rdpacct.mechanisms.smooth.smooth_laplace import LaplaceNoise
from rdpacct.mechanisms.smooth.smooth_noise import SmoothNoise, pair_loss
from rdpacct.mechanisms.smooth.smooth_power import cauchy_epsilon, pure_epsilon
from rdpacct.sensitivity import exact_eta

mp = mpmath.mp.clone()
mp.dps = 30
ROOT = mp.sqrt(2 * mp.pi)
NOISES = {"laplace": LaplaceNoise(), "gaussian": GaussianNoise()}
SETTINGS = [("1", "0.1"), ("0.3", "0.8"), ("2", "1"), ("4", "0.3")]
QUESTIONS: list[tuple[Any, Any]] = [
    ("0", 1),
    ("0.3", Fraction(1, 3)),
    ("1", 1),
    ("2.5", Fraction(2, 3)),
]


def density(name: Any, power: int = 2) -> Any:
    """The densities, typed out."""
    return {
        "laplace": lambda z: mp.exp(-abs(z)) / 2,
        "gaussian": lambda z: mp.exp(-(z**2) / 2) / ROOT,
        "power": lambda z: (
            mp.sin(mp.pi / power) * power / (2 * mp.pi) / (1 + abs(z) ** power)
        ),
    }[name]


def crossings(gap: Any, low: Any, high: Any, count: int = 100) -> Any:
    """Where a function changes its sign: by a scan, then by bisection to full precision."""
    points = [low + (high - low) * k / mp.mpf(count) for k in range(count + 1)]
    values = [gap(point) for point in points]
    found = []
    for (a, fa), (b, fb) in pairwise(zip(points, values, strict=True)):
        if (fa > 0) != (fb > 0):
            for _ in range(105):
                middle = (a + b) / 2
                a, b = (middle, b) if (gap(middle) > 0) == (fa > 0) else (a, middle)
            found.append(a)
    return found


def by_quadrature(
    p_density: Any, shift: Any, ratio: Any, epsilon: Any, narrow_first: Any, reach: Any
) -> Any:
    """The integral of max(0, p - exp(epsilon) q) over all outputs, cut where it has kinks."""
    shift = mp.mpf(shift)
    ratio = mp.mpf(ratio)
    growth = mp.exp(mp.mpf(epsilon))
    shrink = mp.exp(-ratio)

    def laws(z: Any) -> Any:
        narrow = p_density(z)
        broad = p_density((z - shift) * shrink) * shrink
        if narrow_first:
            return (narrow, broad)
        return (broad, narrow)

    def gap(z: Any) -> Any:
        p, q = laws(z)
        return p - growth * q

    cuts = sorted({-reach, mp.mpf(0), shift, reach, *crossings(gap, -reach, reach)})
    total = mp.mpf(0)
    for low, high in pairwise(cuts):
        if gap((low + high) / 2) > 0:
            steps = [low + (high - low) * k / 4 for k in range(5)]
            total += mp.quad(gap, steps)
    return total


@pytest.mark.parametrize("name", NOISES)
@pytest.mark.parametrize(("alpha", "beta"), SETTINGS)
def test_pairs_against_quadrature(name: str, alpha: str, beta: str) -> None:
    """Every corner and inner pair, both orders, to 20 digits."""
    for (epsilon, share), narrow_first in product(QUESTIONS, (False, True)):
        ratio = Fraction(beta) * share
        reach = (
            mp.mpf(70 * mp.exp(mp.mpf(float(ratio))) + 5)
            if name == "laplace"
            else mp.mpf(25)
        )
        loss = pair_loss(
            NOISES[name], formula(Fraction(alpha)), formula(ratio), narrow_first
        )
        exact = loss.delta(epsilon)
        reference = by_quadrature(
            density(name),
            alpha,
            mp.mpf(ratio.numerator) / ratio.denominator,
            epsilon,
            narrow_first,
            reach,
        )
        upper = Fraction(exact.upper)
        middle = mp.mpf(upper.numerator) / upper.denominator
        assert (
            abs(middle - reference)
            < mp.mpf(10) ** -18 + abs(reference) * mp.mpf(10) ** -14
        )


@pytest.mark.parametrize(("alpha", "beta"), [*SETTINGS, ("1", "4.2")])
def test_laplace_at_twice_alpha_is_the_closed_form(alpha: str, beta: str) -> None:
    found = SmoothLaplace(alpha, beta).profile().delta(2 * Fraction(alpha))
    exact = exact_eta(alpha, beta).bound()
    assert found.overlaps(exact)
    assert found.relative_width < 1e-15


@pytest.mark.parametrize("cls", [SmoothLaplace, SmoothGaussian])
def test_no_pair_of_the_box_is_worse(cls: type[Any]) -> None:
    """Random settings, all shifts and ratios on a grid, both orders: none exceeds the answer, and
    one attains it.
    """
    noise = NOISES[cls.__name__.removeprefix("Smooth").lower()]
    rng = random.Random(3)
    for _ in range(12):
        alpha, beta, epsilon = (
            Fraction(rng.randint(1, most), 40) for most in (100, 60, 120)
        )
        claimed = cls(alpha, beta).profile().delta(epsilon)
        for i, j, narrow_first in product(range(1, 4), range(1, 5), (False, True)):
            pair = pair_loss(
                noise, formula(alpha * i / 3), formula(beta * j / 4), narrow_first
            )
            assert not pair.delta(epsilon).certainly_above(claimed)


@pytest.mark.parametrize("name", NOISES)
def test_the_worst_ratio_is_at_an_end_and_not_always_the_same(name: str) -> None:
    """delta falls and then rises with the ratio of scales; which end is worse depends on
    epsilon.
    """
    ends = set()
    for epsilon, narrow_first in product(("0.1", "0.6", "1.2", "2"), (False, True)):
        pairs = (
            pair_loss(NOISES[name], formula(1), formula(Fraction(j, 100)), narrow_first)
            for j in range(1, 25)
        )
        values = [float(pair.delta(epsilon)) for pair in pairs]
        lowest = values.index(min(values))
        assert values[: lowest + 1] == sorted(values[: lowest + 1], reverse=True)
        assert values[lowest:] == sorted(values[lowest:])
        ends.add(values[0] > values[-1])
    assert ends == {False, True}


def cauchy_by_cdf(shift: Any, ratio: Any, epsilon: Any, narrow_first: Any) -> Any:
    """P(A) - exp(epsilon) Q(A) for two Cauchy laws, A from the roots of a quadratic."""
    shift = mp.mpf(shift)
    scale = mp.exp(mp.mpf(ratio))
    growth = mp.exp(mp.mpf(epsilon))
    laws = [(mp.mpf(0), mp.mpf(1)), (shift, scale)]
    (m, s), (n, t) = laws if narrow_first else laws[::-1]
    square = s - growth * t
    linear = -2 * n * s + 2 * growth * m * t
    constant = s * (t**2 + n**2) - growth * t * (s**2 + m**2)
    inside = linear**2 - 4 * square * constant
    if inside <= 0:
        return mp.mpf(0) if square < 0 else 1 - growth
    roots = sorted(
        (-linear + sign * mp.sqrt(inside)) / (2 * square) for sign in (1, -1)
    )
    between = [
        (mp.atan((roots[1] - a) / b) - mp.atan((roots[0] - a) / b)) / mp.pi
        for a, b in ((m, s), (n, t))
    ]
    p, q = between if square < 0 else [1 - one for one in between]
    return p - growth * q


def cauchy_tau(shift: int, ratio: int) -> Any:
    """tau of the Cauchy laws of scales 1 and exp(ratio), by a search in the angle of the first."""
    scale = mp.exp(ratio)

    def odds(angle: Any) -> Any:
        cosine = mp.cos(angle)
        return (scale * cosine) ** 2 / scale + (
            mp.sin(angle) - shift * cosine
        ) ** 2 / scale

    edge = mp.atan(scale)
    ends = sorted([-mp.pi / 2, -edge, 0, mp.atan(shift), edge, mp.pi / 2])

    def average(of: Any) -> Any:
        return mp.quad(lambda angle: of(odds(angle)), ends) / mp.pi

    mean = average(mp.log)

    def square(rate: Any) -> Any:
        return 2 * (mp.log(average(lambda r: r**rate)) - rate * mean) / rate**2

    low, high = mp.mpf(-2), mp.mpf("-0.05")
    for _ in range(40):
        third = (high - low) / 3
        if square(low + third) < square(high - third):
            low += third
        else:
            high -= third
    return mp.sqrt(square((low + high) / 2))


def test_tau_of_cauchy_noise_takes_the_work_of_short_integrals() -> None:
    """Hundreds of integrals, each of thousands of values of a formula of few operations."""
    mean, tau = SmoothPower(1, 10, 2).profile().centered_cdp()
    assert mean.relative_width < 1e-12
    assert tau.relative_width < 1e-11
    reference = cauchy_tau(1, 10)
    assert abs(mp.mpf(float(tau.upper)) / reference - 1) < 1e-10


def test_cauchy_noise_against_its_cdf() -> None:
    """delta of the corner, to 20 digits, and no pair of the box above it."""
    for alpha, beta, epsilon in product(
        ("0.5", "1", "2"), ("0.1", "0.7"), ("0", "0.2", "0.6")
    ):
        found = SmoothPower(alpha, beta, 2).profile().delta(epsilon)
        middle = (
            mp.mpf(Fraction(found.upper).numerator) / Fraction(found.upper).denominator
        )
        corners = [
            cauchy_by_cdf(alpha, ratio, epsilon, order)
            for ratio, order in (("1e-25", True), (beta, True), (beta, False))
        ]
        assert abs(middle - max(corners)) < mp.mpf(10) ** -18
        for i, j, order in product(range(4), range(5), (False, True)):
            inner = cauchy_by_cdf(
                mp.mpf(alpha) * i / 3,
                mp.mpf(beta) * j / 4 + mp.mpf("1e-25"),
                epsilon,
                order,
            )
            assert inner <= middle + mp.mpf(10) ** -20


def test_cauchy_noise_answers_every_question() -> None:
    """One pair is worst for all questions: the mean is known in closed form, and the largest loss
    is the exact one.
    """
    mechanism = SmoothPower(1, "0.1", 2)
    epsilon = cauchy_epsilon(1, Fraction(1, 10))
    profile = mechanism.profile()
    assert profile.max_divergence().overlaps(epsilon.bound())
    size = mp.cosh(mp.mpf(float(epsilon.bound().upper)))
    assert float(profile.mean()) == pytest.approx(
        float(mp.log((1 + size) / 2)), rel=1e-12
    )
    assert profile.renyi(2).certainly_below(profile.renyi(3))
    assert audit(mechanism, "PureDP(epsilon=1)").outcome is Outcome.HOLDS
    assert audit(mechanism, "PureDP(epsilon=0.96)").outcome is Outcome.FAILS


def test_cauchy_noise_composes() -> None:
    """Two releases, against the mean over two independent angles; one pair is worst for every
    release.
    """
    plan = "2*SmoothPower(alpha=1, beta=0.1, power=2)"
    mechanism = SmoothPower(1, "0.1", 2)
    top = float(mechanism.profile().max_divergence())
    angles = [(k + 0.5) * math.pi / 1500 for k in range(1500)]
    losses = np.log(math.cosh(top) + math.sinh(top) * np.cos(angles))
    for epsilon in (0.25, 0.5, 1.2):
        excess = np.maximum(
            0, 1 - np.exp(epsilon - losses[:, None] - losses[None, :])
        ).mean()
        bound = profile(plan).delta(Fraction(epsilon))
        assert float(bound.lower) - 1e-5 <= excess <= float(bound.upper) + 1e-5
        assert bound.relative_width < 0.3
    assert (
        profile(plan)
        .epsilon(0)
        .overlaps((2 * cauchy_epsilon(1, Fraction(1, 10))).bound())
    )


@pytest.mark.parametrize("power", ["1.2", "1.5", "2", "3", "6"])
def test_the_largest_loss_of_power_noise_against_a_fine_grid(power: str) -> None:
    """Every loss on a grid of shifts, ratios and outputs is below it, and one comes near."""
    g = float(power)
    for alpha, beta in ((1.0, 0.1), (0.2, 0.5), (3.0, 1.0)):
        most = float(
            pure_epsilon(*map(formula, map(Fraction, (str(alpha), str(beta), power))))
        )
        best = 0.0
        for i, j, k in product(range(1, 3), range(3), range(-800, 801)):
            c = alpha * i / 2
            lam = beta * j / 2
            z = 1.02 ** abs(k) / 50 * (1 if k > 0 else -1)
            loss = (
                lam
                + math.log1p((abs(z - c) * math.exp(-lam)) ** g)
                - math.log1p(abs(z) ** g)
            )
            best = max(best, abs(loss))
        assert best <= most + 1e-9
        assert best >= most * 0.995


def test_power_noise_other_than_cauchy_is_only_bounded() -> None:
    """delta is enclosed between 0 and that of randomized response; from the largest loss on it is
    0.
    """
    profile = SmoothPower(1, "0.2", 4).profile()
    most = profile.epsilon(0)
    assert profile.delta(1).lower == 0 < profile.delta(1).upper < 1
    assert profile.delta(most.upper).upper == 0
    assert profile.epsilon("0.01").upper < most.lower
    verdict = audit(SmoothPower(1, "0.2", 4), "PureDP(epsilon=2)")
    assert (verdict.outcome, verdict.witness) == (Outcome.FAILS, None)
    assert (
        audit(SmoothPower(1, "0.2", 4), "ApproxDP(epsilon=1, delta=0.1)").outcome
        is Outcome.UNDECIDED
    )
    questions: tuple[Callable[[], Any], ...] = (
        lambda: profile.tradeoff("0.1"),
        lambda: profile.renyi(2),
        lambda: profile.mean(),
    )
    for question in questions:
        with pytest.raises(UndecidedError, match="known"):
            question()
    with pytest.raises(UndecidedError, match="power 2"):
        SmoothPower(1, "0.2", 4).loss()


def test_audits_give_the_tight_delta() -> None:
    verdict = audit(
        "SmoothLaplace(alpha=1, beta=0.1)", "ApproxDP(epsilon=2, delta=1e-5)"
    )
    assert verdict.outcome is Outcome.HOLDS
    assert float(verdict.tight["delta"]) == pytest.approx(
        1.3648298687873281e-06, rel=1e-12
    )
    refuted = audit(
        "SmoothLaplace(alpha=1, beta=0.1)", "ApproxDP(epsilon=2, delta=1.3e-6)"
    )
    assert refuted.outcome is Outcome.FAILS
    witness = refuted.witness
    assert witness is not None
    p, q = (mp.mpf(float(one)) for one in (witness.p, witness.q))
    assert float(p - mp.exp(2) * q) == pytest.approx(1.3648298687873281e-06, rel=1e-6)
    assert (
        audit("SmoothLaplace(alpha=1, beta=0.1)", "ZCDP(rho=1)").outcome
        is Outcome.UNDECIDED
    )
    assert (
        audit("SmoothGaussian(alpha=0.5, beta=0.1)", "PureDP(epsilon=9)").outcome
        is Outcome.FAILS
    )


@pytest.mark.parametrize(
    "plan", ["SmoothLaplace(alpha=1, beta=0.1)", "SmoothGaussian(alpha=0.2, beta=0.05)"]
)
def test_epsilon_inverts_delta_over_the_worst_of_three(plan: str) -> None:
    mechanism = read_plan(plan).single
    assert mechanism is not None
    profile = mechanism.profile()
    for delta in (Fraction(1, 10), Fraction(1, 1000), Fraction(1, 10**8)):
        bound = profile.epsilon(delta)
        assert not profile.delta(bound.upper).certainly_above(delta)
        assert profile.delta(bound.upper * (1 + Fraction(1, 10**9))).certainly_at_most(
            delta
        )
        assert bound.lower == 0 or profile.delta(
            bound.lower * (1 - Fraction(1, 10**6))
        ).certainly_above(delta)


def test_the_best_test_is_that_of_a_corner() -> None:
    """No interval or pair of tails tells a pair of the box apart better than the trade-off says."""
    profile = SmoothGaussian(1, "0.5").profile()
    noise = GaussianNoise()
    rate = Fraction(1, 10)
    least = profile.tradeoff(rate)
    for ratio in ("0.1", "0.5"):
        for narrow_first in (False, True):
            pair = pair_loss(noise, formula(1), formula(Fraction(ratio)), narrow_first)
            for level in range(-4, 5):
                detected, false_alarm = pair.event_probabilities(Fraction(level, 2))
                if false_alarm.upper <= rate:
                    assert 1 - detected.lower >= least.lower
    assert 0 < least.lower <= least.upper < least.lower + Fraction(1, 1000)


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        ("SmoothLaplace(alpha=0, beta=0.1)", "alpha is 0, but must be above 0"),
        ("SmoothLaplace(alpha=1, beta=-1)", "beta is -1, but must be above 0"),
        ("SmoothGaussian(alpha=nan, beta=1)", "not a finite number"),
        ("SmoothGaussian(alpha=1)", "needs beta"),
        ("SmoothPower(alpha=1, beta=1, power=1)", "power is 1, but must be above 1"),
    ],
)
def test_bad_input_is_refused_on_the_command_line(
    plan: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["epsilon", plan, "--delta", "1e-6"]) == 2
    assert why in capsys.readouterr().err


@pytest.mark.parametrize(
    "plan", ["SmoothLaplace(alpha=?, beta=0.05)", "SmoothGaussian(alpha=0.1, beta=?)"]
)
def test_one_number_can_be_calibrated(plan: str) -> None:
    found = calibrate(plan, 1, "1e-6")
    for value, meets in ((found.sufficient, True), (found.insufficient, False)):
        bound = profile(plan.replace("?", str(value))).delta(1)
        assert (
            bound.certainly_at_most(Fraction(1, 10**6))
            if meets
            else bound.certainly_above(Fraction(1, 10**6))
        )
    with pytest.raises(UndecidedError, match="bracketed"):
        calibrate("SmoothPower(alpha=?, beta=0.05, power=3)", 1, "1e-6")
    with pytest.raises(InputError, match="no alpha meets the target"):
        calibrate("SmoothLaplace(alpha=?, beta=0.5)", 1, "1e-6")


def test_the_relation_is_the_one_of_the_plan() -> None:
    plan = read_plan("SmoothLaplace(alpha=1, beta=0.1)", Relation.REPLACE_ONE)
    assert plan.single == SmoothLaplace(1, "0.1", relation=Relation.REPLACE_ONE)


def test_a_bad_scale_is_refused() -> None:
    for scale in (-1.0, math.nan, math.inf):
        with (
            pytest.warns(StudyOnlyWarning),
            pytest.raises(InputError, match="the scale is"),
        ):
            SmoothLaplace(1, 1).sample(0.0, scale)


@pytest.mark.parametrize(
    ("mechanism", "below"),
    [
        (
            SmoothLaplace(2, 1),
            lambda x: 0.5 * math.exp(x) if x < 0 else 1 - 0.5 * math.exp(-x),
        ),
        (SmoothGaussian(2, 1), lambda x: 0.5 * math.erfc(-x / math.sqrt(2))),
        (SmoothPower(2, 1, 2), lambda x: 0.5 + math.atan(x) / math.pi),
        (
            SmoothPower(2, 1, 4),
            lambda x: (
                0.5
                + math.copysign(
                    float(mp.betainc(0.25, 0.75, 0, x**4 / (1 + x**4), True)), x
                )
                / 2
            ),
        ),
    ],
    ids=["laplace", "gaussian", "power-2", "power-4"],
)
def test_samples_follow_the_noise(
    mechanism: SmoothNoise, below: Callable[..., Any]
) -> None:
    """By the Dvoretzky-Kiefer-Wolfowitz inequality, with an error below 1e-6."""
    rng = random.Random(8)
    runs = 10_000
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outputs = sorted(
            (mechanism.sample(5.0, 3.0, rng) - 5) / 1.5 for _ in range(runs)
        )
    allowed = math.sqrt(math.log(2e6) / (2 * runs)) + 1 / runs
    assert (
        max(abs((k + 1) / runs - below(outputs[k])) for k in range(0, runs, 97))
        <= allowed
    )
