"""Releases on a smooth scale: all neighbors on small spaces, broken twins, and real outputs under
audit.
"""

import random
import warnings
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from rdpacct import (
    ZCDP,
    ApproxDP,
    InputError,
    Laplace,
    PureDP,
    Relation,
    SmoothGaussian,
    SmoothLaplace,
    SmoothLaplaceLogNormal,
    SmoothPower,
)
from rdpacct.auditing import Outcome
from rdpacct.auditing.sampled import audit_samples
from rdpacct.exact.formula import formula
from rdpacct.exact.functions import log
from rdpacct.mechanisms import StudyOnlyWarning
from rdpacct.mechanisms.smooth.shift_and_scale import Noise
from rdpacct.mechanisms.smooth.smooth_gaussian import GaussianNoise
from rdpacct.mechanisms.smooth.smooth_laplace import LaplaceNoise
from rdpacct.mechanisms.smooth.smooth_noise import SmoothNoise, pair_loss
from rdpacct.mechanisms.smooth.smooth_power import largest_log_ratio
from rdpacct.releases.smooth_release import SmoothRelease
from rdpacct.sensitivity import FiniteQuery, Median, OrderStatistic

GROWTH = Fraction("1.6487")
LADDER = (Fraction(0), Fraction(0), Fraction(1), 1 + GROWTH, 1 + GROWTH + GROWTH**2)
"""Values of a count whose steps grow by just less than exp(1/2): neighbors at the corner for beta =
1/2.
"""


def spaces() -> Any:
    """A function of a count, the median of 5 records, and the product of the least and the largest
    of 4.
    """
    ladder = FiniteQuery.of_multisets(lambda data: LADDER[sum(data)], (0, 1), 4)
    median = FiniteQuery.of_multisets(lambda data: data[2], (0, 1, 3, 7), 5)
    product = FiniteQuery.of_multisets(lambda data: data[0] * data[-1], (0, 1, 2, 4), 4)
    return {
        "ladder": (ladder, ladder),
        "median": (median, Median(0, 7)),
        "product": (product, product),
    }


SPACES = spaces()


def pairs(name: Any, scale_of: Any, alpha: Any) -> Any:
    """Shift and ratio, in scales of the narrower noise, of every ordered pair of neighbors, once
    each.
    """
    space, _ = SPACES[name]
    scales = {data: scale_of(data) for data in space.steps}
    found = set()
    for data, near in space.steps.items():
        for other in near:
            narrow, broad = sorted((scales[data], scales[other]))
            moved = abs(space.value(data) - space.value(other))
            if narrow == 0:
                found.add((None, broad > 0 or moved > 0))
            else:
                found.add((alpha * moved / narrow, broad / narrow))
    return found


@cache
def delta_of(noise: Any, shift: Any, ratio: Any, epsilon: Any) -> Any:
    """The larger of the two orders."""
    if shift is None:
        return Fraction(int(ratio))
    if shift == 0 and ratio == 1:
        return Fraction(0)
    turn = log(ratio) if ratio != 1 else formula(Fraction(1, 10**12))
    orders = (pair_loss(noise, formula(shift), turn, first) for first in (False, True))
    return max(Fraction(loss.delta(epsilon).lower) for loss in orders)


def smooth_scales(name: Any, beta: Any) -> Any:
    """The scale that the release uses, for each data set."""
    _, query = SPACES[name]
    release = SmoothRelease(query, SmoothLaplace(1, beta))
    return lambda data: release._sensitivity(data).scale().for_study()


def worst(name: Any, scale_of: Any, noise: Any, alpha: Any, epsilon: Any) -> Any:
    return max(
        delta_of(noise, shift, ratio, epsilon)
        for shift, ratio in pairs(name, scale_of, alpha)
    )


HALF = Fraction(1, 2)
TENTH = Fraction(1, 10)
CASES = [
    ("ladder", SmoothLaplace, LaplaceNoise(), Fraction(1), HALF, Fraction(2)),
    ("ladder", SmoothGaussian, GaussianNoise(), Fraction(1), HALF, Fraction(2)),
    ("median", SmoothLaplace, LaplaceNoise(), Fraction(1), TENTH, Fraction(1, 5)),
    ("median", SmoothGaussian, GaussianNoise(), Fraction(1), TENTH, HALF),
    ("product", SmoothLaplace, LaplaceNoise(), Fraction(1), TENTH, Fraction(1, 5)),
    ("product", SmoothGaussian, GaussianNoise(), Fraction(1), TENTH, HALF),
]


@pytest.mark.parametrize(("name", "cls", "noise", "alpha", "beta", "epsilon"), CASES)
def test_all_neighbors_of_small_spaces(
    name: str,
    cls: type[Any],
    noise: Noise,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
) -> None:
    """The worst real pair is within the claim and near it; 10 % less noise or the raw local scale
    breaks it.
    """
    claimed = cls(alpha, beta).profile().delta(epsilon)
    smooth = smooth_scales(name, beta)
    real = worst(name, smooth, noise, alpha, epsilon)
    assert claimed.upper * Fraction(99, 100) < real <= claimed.upper
    assert worst(name, smooth, noise, alpha / Fraction(9, 10), epsilon) > claimed.upper
    space, _ = SPACES[name]
    assert (
        worst(name, lambda data: space.local_within(data, 0), noise, alpha, epsilon)
        > claimed.upper
    )


@pytest.mark.parametrize("power", [2, 4])
def test_all_neighbors_with_power_noise(power: int) -> None:
    """The largest loss of every real pair, in closed form, within the claim; broken by 10 % less
    noise.
    """
    alpha = Fraction(1)
    beta = HALF
    claimed = SmoothPower(alpha, beta, power).profile().max_divergence()
    smooth = smooth_scales("ladder", beta)

    def largest(scale_of: Any, alpha: Any) -> Any:
        found = []
        for shift, ratio in pairs("ladder", scale_of, alpha):
            if shift is None:
                found.append(float("inf") if ratio else 0.0)
                continue
            shift = formula(max(shift, Fraction(1, 10**12)))
            orders = (
                (shift, formula(ratio), -1),
                (shift / ratio, formula(1 / ratio), 1),
            )
            for start, slope, side in orders:
                bound = largest_log_ratio(start, slope, formula(power))
                found.append(
                    float(bound.lower) + side * float(log(ratio).bound())
                    if ratio != 1
                    else float(bound.lower)
                )
        return max(found)

    assert (
        float(claimed.upper) * 0.99
        < largest(smooth, alpha)
        <= float(claimed.upper) + 1e-12
    )
    assert largest(smooth, alpha / Fraction(9, 10)) > float(claimed.upper)
    space, _ = SPACES["ladder"]
    assert largest(lambda data: space.local_within(data, 0), alpha) > float(
        claimed.upper
    )


def test_the_rounding_of_the_scale_is_inside_beta() -> None:
    """The logarithm of the scale that is used moves by at most beta between neighbors, rounding
    included.
    """
    for name, beta in (("median", Fraction(1, 3)), ("product", Fraction(1, 10))):
        scales = smooth_scales(name, beta)
        for _, ratio in pairs(name, scales, Fraction(1)):
            assert ratio == 1 or (log(ratio) - beta).bound().certainly_at_most(0)


def outputs(release: Any, data: Any, seed: Any) -> Any:
    rng = random.Random(seed)
    return lambda: release.release(data, rng).value


NEIGHBORS = [1.0, 1.0, 1.0, 1.0, 7.0], [1.0, 1.0, 1.0, 3.0, 7.0]
"""Neighbors with the same median; the raw local scale of the first is 0."""


class RawLocal(Median):
    """The broken twin: the local sensitivity where the smooth one belongs."""

    def smooth(self, data: Any, beta: Any) -> Any:
        found = super().smooth(data, beta)
        raw = Fraction(self.local_within(data, 0))
        object.__setattr__(
            found,
            "value",
            type(found.value)(
                type(found.value.for_study())(raw, raw), "the broken scale"
            ),
        )
        return found


@pytest.mark.parametrize(
    "mechanism",
    [SmoothLaplace(1, 1), SmoothGaussian("0.5", "0.5"), SmoothPower(1, 1, 2)],
    ids=str,
)
def test_real_outputs_pass_and_those_of_the_raw_scale_fail(
    mechanism: SmoothNoise,
) -> None:
    """400 runs on each neighbor to choose an event, as many to test it, with fixed seeds."""
    claim = SmoothRelease(Median(0, 7), mechanism, epsilon=1).guarantee()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StudyOnlyWarning)
        for query, fails in ((Median(0, 7), False), (RawLocal(0, 7), True)):
            release = SmoothRelease(query, mechanism)
            runs = [outputs(release, data, seed) for seed, data in enumerate(NEIGHBORS)]
            verdict = audit_samples(runs[1], runs[0], claim, 400)
            assert (verdict.outcome is Outcome.FAILS) == fails


def test_less_noise_fails_the_audit_of_its_outputs() -> None:
    """At the corner of equal scales, 10 % less noise than claimed is found from 20000 outputs."""
    query = OrderStatistic(1, 0, 1)
    data = ([0.0], [1.0])
    claim = SmoothRelease(query, SmoothLaplace(5, 1), epsilon=1).guarantee()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StudyOnlyWarning)
        for alpha, fails in ((Fraction(5), False), (5 / Fraction(9, 10), True)):
            rng = random.Random(5)
            scale = float(query.smooth(data[0], 1).scale().for_study())
            runs = [
                partial(SmoothLaplace(alpha, 1).sample, one[0], scale, rng)
                for one in data
            ]
            verdict = audit_samples(runs[0], runs[1], claim, 20_000)
            assert (verdict.outcome is Outcome.FAILS) == fails


def test_calibration_meets_the_target_closely() -> None:
    """delta just below the target, exactly; with the default beta, alpha is half of what a fixed
    scale could have.
    """
    query = Median(0, 1)
    release = SmoothRelease.calibrated(query, 1, "1e-6")
    claim = release.guarantee()
    assert isinstance(claim, ApproxDP)
    assert Fraction(999_999, 10**12) < claim.delta.bound().upper <= Fraction(1, 10**6)
    assert float(release.mechanism.alpha.bound()) == pytest.approx(0.5, rel=1e-4)
    assert release.mechanism.relation is Relation.REPLACE_ONE
    fixed = SmoothRelease.calibrated(query, 1, "1e-6", SmoothGaussian, beta="0.01")
    assert fixed.mechanism.beta == formula(Fraction(1, 100))
    promised = fixed.guarantee()
    assert isinstance(promised, ApproxDP)
    assert Fraction(99, 10**8) < promised.delta.bound().upper <= Fraction(1, 10**6)
    pure = SmoothRelease.calibrated(
        query, 1, 0, lambda alpha, beta: SmoothPower(alpha, beta, 2)
    )
    assert pure.guarantee() == PureDP(1)
    assert isinstance(SmoothRelease(query, pure.mechanism).guarantee(), PureDP)


def test_more_noise_than_the_exact_calibration_is_wasted() -> None:
    """The exact profile allows a smoother scale than the textbook rule for the same alpha and the
    same target.
    """
    release = SmoothRelease.calibrated(Median(0, 1), 1, "1e-6")
    assert float(release.mechanism.beta.bound()) > 1.5 * 0.0345


def test_the_answer_keeps_its_scale_to_itself() -> None:
    release = SmoothRelease.calibrated(Median(0, 1), 1, "1e-6")
    with pytest.warns(StudyOnlyWarning):
        answer = release.release(np.linspace(0, 1, 101), random.Random(0))
    assert isinstance(answer.value, float)
    assert str(float(answer.scale.for_study())) not in str(answer)


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (lambda: SmoothRelease(Median(0, 1), Laplace(1)), "fixed scale"),  # type: ignore[arg-type]
        (
            lambda: SmoothRelease(Median(0, 1), SmoothLaplace(1, 1)).guarantee(),
            "give the epsilon",
        ),
        (lambda: SmoothRelease.calibrated(Median(0, 1), 1, 0), "give a larger delta"),
        (lambda: SmoothRelease.calibrated(Median(0, 1), -1, "1e-6"), "the target is"),
        (lambda: SmoothRelease.calibrated(Median(0, 1), 1, float("nan")), "delta is"),
        (
            lambda: SmoothRelease.calibrated(Median(0, 1), 1, "1e-6", beta=0),
            "beta is 0",
        ),
        (
            lambda: SmoothRelease.calibrated(Median(0, 1), 1, "1e-6", beta=3),
            "give a smaller beta",
        ),
        (
            lambda: SmoothRelease(Median(0, 1), SmoothLaplace(1, 1)).release([]),
            "empty|no records",
        ),
        (
            lambda: SmoothRelease(Median(0, 1), SmoothLaplace(1, 1)).release(
                [0.1, 0.2]
            ),
            "even number",
        ),
        (
            lambda: SmoothRelease(Median(0, 1), SmoothLaplace(1, 1)).release(
                [float("nan")]
            ),
            "not finite",
        ),
        (
            lambda: SmoothRelease(Median(0, 1), SmoothLaplace(1, 1)).release([2.0]),
            "range|outside",
        ),
    ],
)
def test_bad_input_is_refused_in_a_sentence(ask: Callable[..., Any], why: str) -> None:
    with pytest.raises(InputError, match=why):
        ask()


def test_a_share_of_a_budget_of_rho() -> None:
    """The noise certainly keeps rho, and a little less of it would not."""

    def noise(alpha: Any, beta: Any) -> SmoothNoise:
        return SmoothLaplaceLogNormal(alpha, beta, "0.3")

    for beta in (None, "0.02"):
        release = SmoothRelease.sharing(Median(0, 10), "0.05", noise, beta)
        alpha, rate = (
            Fraction(one.bound().lower)
            for one in (release.mechanism.alpha, release.mechanism.beta)
        )
        promise = noise(alpha, rate).promise()
        less = noise(alpha * Fraction(1001, 1000), rate).promise()
        assert promise is not None
        assert less is not None
        assert promise.rho.bound().certainly_at_most(Fraction(1, 20))
        assert less.rho.bound().certainly_above(Fraction(1, 20))
        guarantee = release.guarantee()
        assert isinstance(guarantee, ZCDP)
        assert 0.0499 < float(guarantee.rho.bound()) <= 0.05


@pytest.mark.parametrize(
    ("attempt", "why"),
    [
        (
            lambda: SmoothRelease.sharing(Median(0, 1), "0.1", SmoothLaplace),
            "no rho of its own; use SmoothRelease.calibrated",
        ),
        (
            lambda: SmoothRelease.calibrated(
                Median(0, 1), 1, "1e-6", partial(SmoothLaplaceLogNormal, sigma=1)
            ),
            "known by its rho only; use SmoothRelease.sharing",
        ),
        (
            lambda: SmoothRelease.sharing(
                Median(0, 1), 0, partial(SmoothLaplaceLogNormal, sigma=1)
            ),
            "rho is 0, but must be above 0",
        ),
    ],
)
def test_the_wrong_kind_of_target_is_refused(attempt: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        attempt()
