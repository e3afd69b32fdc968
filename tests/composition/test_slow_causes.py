"""What once made an answer take minutes, each at its cause and by counting, not on a clock."""

import math
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from rdpacct import Gaussian, SampledWithoutReplacement, epsilon
from rdpacct.exact import ball
from rdpacct.exact.formula import formula
from rdpacct.exact.raw import precision, real, turn_sums
from rdpacct.mechanisms.mixtures.mixture_transform import MixtureTransform
from rdpacct.privacy.atoms_transform import AtomsTransform
from rdpacct.privacy.nodes import Nodes
from rdpacct.privacy.relation import Norm, Relation, Sensitivity

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
    integrated = ball._integrated

    def counted(integrand: Any, *ends: Any, **tolerances: Any) -> Any:
        def value(point: Any, analytic: bool) -> Any:
            values.append(1)
            return integrand(point, analytic)

        return integrated(value, *ends, **tolerances)

    monkeypatch.setattr(ball, "_integrated", counted)
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
