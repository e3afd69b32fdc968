"""What once made an answer take minutes, each at its cause and by counting, not on a clock."""

import math
from collections import Counter
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from rdpacct import (
    Gaussian,
    SampledWithoutReplacement,
    calibrate,
    delta,
    epsilon,
    profile,
)
from rdpacct.errors import InputError
from rdpacct.exact import backend_integral
from rdpacct.exact.formula import formula
from rdpacct.exact.raw import precision, real, turn_sums
from rdpacct.mechanisms.mixtures.mixture_transform import MixtureTransform
from rdpacct.mechanisms.poisson import sampled_gaussian
from rdpacct.mechanisms.poisson.sampled_gaussian import SampledGaussianTransform
from rdpacct.mechanisms.poisson.sampled_gaussian_plan import (
    ApartGaussianPlan,
    SampledGaussianPlan,
)
from rdpacct.privacy.atoms_transform import AtomsTransform
from rdpacct.privacy.nodes import Nodes
from rdpacct.privacy.relation import Norm, Relation, Sensitivity
from rdpacct.work import question

MANY = 10**6
TWO = Sensitivity(2, norm=Norm.L2, relation=Relation.REPLACE_ONE)


def batches(sigma: int, batch: int, of: int) -> SampledWithoutReplacement:
    """Batches of fixed size for replaced records."""
    inside = Gaussian(sigma, TWO)
    return SampledWithoutReplacement(inside, batch, of, relation=Relation.REPLACE_ONE)


@pytest.mark.parametrize(
    ("sigma", "batch", "of"), [(10, 1, MANY), (2, 1, MANY), (1, 256, 60_000)]
)
def test_plans_of_folded_pairs_are_right_for_a_million_releases(
    sigma: int, batch: int, of: int
) -> None:
    """The sum of steps begins at a fold, whose error of 6e-4 was one of 600 nats in all."""
    [direction] = batches(sigma, batch, of).directions()
    assert direction.beside_ramp is not None
    for transform in (direction.transform, direction.beside_ramp.transform):
        assert transform is not None
        for tilt in (0.5, 1.0, 2.0):
            with precision(128):
                nodes = Nodes(real(tilt), real(1), 1)
                [exact] = transform.at(nodes, 80.0)
                log = float(exact.real.log())
            assert abs(transform.planned(tilt) - log) * MANY < 0.05 + 0.01 * MANY * log


def test_many_batches_of_one_need_few_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    products = []

    def counted(weights: Any, turns: Any, count: int) -> Any:
        products.append(len(turns) * count)
        return turn_sums(weights, turns, count)

    monkeypatch.setattr(f"{MixtureTransform.__module__}.turn_sums", counted)
    bound = epsilon(100_000 * batches(5, 1, 100_000), "1e-6")
    assert sum(products) < 1_000_000
    assert Fraction("0.00369") < bound.lower < bound.upper < Fraction("0.00429")


@pytest.mark.slow
def test_batches_of_one_are_close() -> None:
    """With a wrong plan the upper ends were 0.429 and 8.73."""
    bound = epsilon(60_000 * batches(1, 1, 60_000), "1e-5")
    assert Fraction("0.317") < bound.lower < bound.upper < Fraction("0.323")
    bound = epsilon(MANY * batches(1, 1, MANY), "1e-5")
    assert Fraction("0.026") < bound.lower < bound.upper < Fraction("0.039")


@pytest.mark.parametrize("share", ["0", "1/2", "0.99999", "1", "1.00001"])
def test_the_tail_far_below_a_center_takes_few_values(
    share: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is bounded beyond some spreads, and not integrated."""
    values = []
    integrated = backend_integral.integrated

    def counted(integrand: Any, *ends: Any, **tolerances: Any) -> Any:
        def value(point: Any, analytic: bool) -> Any:
            values.append(1)
            return integrand(point, analytic)

        return integrated(value, *ends, **tolerances)

    monkeypatch.setattr(backend_integral, "integrated", counted)
    mu = 10**6
    threshold = Fraction(share) * mu**2 / 2
    tail = Gaussian(Fraction(1, mu)).loss().tail(threshold)
    standard = float((threshold - Fraction(mu**2, 2)) / mu)
    with mpmath.workdps(30):
        exact = mpmath.erfc(standard / mpmath.sqrt(2)) / 2
        assert mpmath.mpf(float(tail.lower)) * (1 - 1e-9) <= exact
        assert exact <= mpmath.mpf(float(tail.upper)) * (1 + 1e-9)
    assert len(values) < 20_000


def test_pairs_of_atoms_a_spacing_apart_are_all_found() -> None:
    """Against the same sum over all pairs, in doubles."""
    losses = [Fraction(k, 7) for k in (0, 1, 3, 4, 5, 9)]
    masses = [Fraction(k, 21) for k in (1, 2, 3, 4, 5, 6)]
    transform = AtomsTransform(tuple(map(formula, masses)), tuple(map(formula, losses)))
    tilt, height, spacing = 0.3, 2.0, Fraction(1, 7)
    weights = [
        float(p) * math.exp(tilt * float(x))
        for p, x in zip(masses, losses, strict=True)
    ]
    near = sum(
        weights[i] * weights[j]
        for i, x in enumerate(losses)
        for j, y in enumerate(losses)
        if x - y == spacing
    )
    lost = 2 * near / sum(weights) ** 2 * (1 - math.cos(height * float(spacing)))
    at = real(tilt)
    for _ in range(2):  # the second time from what was kept
        decay = transform.lattice_decay(at, real(height), formula(spacing))
        assert float(decay) == pytest.approx(math.sqrt(1 - lost), rel=1e-12)
    planned = transform.planned_lattice_decay(tilt, height, float(spacing))
    assert planned == pytest.approx(math.log(1 - lost) / 2, rel=1e-12)
    other = transform.lattice_decay(real(1), real(height), formula(spacing))
    assert float(other) != pytest.approx(math.sqrt(1 - lost), rel=1e-6)


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """The points of a sampled Gaussian that are evaluated, in balls and in doubles."""
    counted: Counter[str] = Counter()
    for name in ("level_point", "raised_point", "angle"):
        made = getattr(sampled_gaussian, name)

        def point(*taken: Any, made: Any = made) -> Any:
            counted["in balls"] += 1
            return made(*taken)

        monkeypatch.setattr(sampled_gaussian, name, point)
    plans = (
        (SampledGaussianPlan, "_far_points"),
        (SampledGaussianPlan, "_rows"),
        (SampledGaussianPlan, "_contour_points"),
        (ApartGaussianPlan, "_contour_points"),
    )
    for kind, name in plans:
        listed = getattr(kind, name)

        def each(*taken: Any, listed: Any = listed) -> Any:
            made = list(listed(*taken))
            counted["in doubles"] += len(made)
            return made

        monkeypatch.setattr(kind, name, each)
    points_up_to = SampledGaussianPlan._points_up_to

    def counted_points(plan: SampledGaussianPlan, high: float) -> Any:
        made = points_up_to(plan, high)
        counted["in doubles"] += len(made[0])
        return made

    monkeypatch.setattr(SampledGaussianPlan, "_points_up_to", counted_points)
    return counted


@pytest.mark.parametrize("sigma", ["1e-3", "1e-6", "1e-9", "1e-90"])
def test_two_laws_far_apart_take_no_grid_of_a_million_points(
    sigma: str, points: Counter[str]
) -> None:
    """Their shift was the number of points, up to all memory, and none of them was counted."""
    plan = (
        "ZCDP(rho=0.1) + MaximallyDivergent(epsilon=1, neutral=0.5) +"
        f" 2*PoissonSampled(Gaussian(sigma={sigma}), rate=0.1)"
    )
    bound = delta(plan, 100_100)
    assert bound.lower < Fraction("0.19") < bound.upper
    assert bound.upper - bound.lower < (Fraction("0.11") if "90" in sigma else 1e-9)
    assert points["in balls"] + points["in doubles"] < 100_000


def test_a_sigma_is_not_sought_on_grids_of_a_million_points(
    points: Counter[str],
) -> None:
    """A line of the fuzzer that took minutes, and then all memory."""
    plan = (
        "ZCDP(rho=0.1) + MaximallyDivergent(epsilon=1, neutral=0.5) +"
        " 2*PoissonSampled(Gaussian(sigma=?), rate=0.1)"
    )
    with pytest.raises(InputError, match="every sigma down to 1e-09 meets the target"):
        calibrate(plan, 100_100, "0.5")
    assert points["in balls"] + points["in doubles"] < 1_000_000


@pytest.mark.parametrize("mu", [20, 45, 120, 900])
@pytest.mark.parametrize("removing", [True, False])
@pytest.mark.parametrize("tilt", [0.01, 0.3, 1.5])
def test_moments_of_laws_far_apart_hold_the_exact_ones(
    mu: int, removing: bool, tilt: float, points: Counter[str]
) -> None:
    """Where all that counts is beyond a grid, no value of it is worked out."""
    transform = SampledGaussianTransform(
        formula(mu), formula(Fraction(1, 10)), removing
    )
    with precision(128):
        nodes = Nodes(real(tilt), real(2), 3)
        values = transform.at(nodes, 44.0)
        fallen = transform.decay(nodes.tilt, real(2), values[0].real)
    with mpmath.workdps(60):
        for m, value in enumerate(values):
            at = mpmath.mpf(tilt)
            power = (1 + at if removing else -at) + (2j * m if removing else -2j * m)
            exact = mpmath.mpf("0.9") ** power
            far = power * mpmath.log("0.1") + (power**2 - power) * mu**2 / 2
            exact = exact + mpmath.exp(far) * (power.real > 1)
            size = abs(exact) * mpmath.mpf("1e-12")
            for part, ball_part in ((exact.real, value.real), (exact.imag, value.imag)):
                middle = mpmath.mpf(ball_part.mid().str(50, radius=False))
                radius = mpmath.mpf(ball_part.rad().upper().str(20, radius=False))
                assert abs(part - middle) <= radius * (1 + mpmath.mpf("1e-9")) + size
        assert abs(exact) <= mpmath.mpf(fallen.upper().str(30, radius=False)) * 1.001
    assert points["in balls"] < 100_000


@pytest.mark.parametrize(
    "plan", ["2*Laplace(scale=1e-9)", "3*Gaussian(sigma=1e-6) + Laplace(scale=1)"]
)
def test_the_tail_of_losses_that_are_almost_surely_large_takes_little(
    plan: str,
) -> None:
    """It is at least delta, which moments show to be nearly one."""
    loss = profile(plan).losses[0]
    with question() as budget:
        tail = loss.tail("0.1")
    assert 1 - Fraction(1, 2**40) < tail.lower <= 1 == tail.upper
    assert budget.spent < 50_000
