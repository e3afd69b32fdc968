"""Sums beside a ramp: replaced records in many batches of a fixed size."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from mpmath import mp

from rdpacct import Gaussian, Relation, delta, epsilon
from rdpacct.composition.composed_loss import ComposedLoss
from rdpacct.composition.ends.ramp import RampTransform, ramp_event
from rdpacct.exact.ball import precision
from rdpacct.exact.formula import formula
from rdpacct.exact.raw import real
from rdpacct.mechanisms.fixed_size.flattened import FlattenedTransform
from rdpacct.privacy.nodes import Nodes

REPLACED = "replace_one"
STEPS = "14063*SampledWithoutReplacement(Gaussian(sigma=2.2), batch=256, of=60000)"


def triple(shift: float, rate: float, turn: float, points: int) -> tuple[Any, Any, Any]:
    """The base measure and the densities u and v on a grid of the plane: a Gaussian at the origin,
    one at a shift from it, and one at that shift from both or nearer to the first.
    """
    line = np.linspace(-7, 8, points)
    step = line[1] - line[0]
    one, two = np.meshgrid(line, line, indexing="ij")
    base = np.exp(-(one**2 + two**2) / 2) / (2 * math.pi) * step**2
    length = shift * turn
    along = length**2 / (2 * shift)
    aside = math.sqrt(length**2 - along**2)
    first = np.exp(shift * one - shift**2 / 2)
    second = np.exp(along * one + aside * two - length**2 / 2)
    return base, 1 - rate + rate * first, 1 - rate + rate * second


def flattened(shift: str, rate: str) -> FlattenedTransform:
    inside = Gaussian(1, shift).stated_for(Relation.REPLACE_ONE)
    found = inside.flattened_transform(formula(Fraction(rate)))
    assert isinstance(found, FlattenedTransform)
    return found


def squares(
    transform: FlattenedTransform, shift: float, rate: float, k: float
) -> float:
    """The mean of max(1 - k Q/P, 0)**2 under P, for the flattened pair, in doubles."""
    line = np.linspace(shift / 2, 12, 40001)
    step = line[1] - line[0]
    above = 1 - rate + rate * np.exp(shift * line - shift**2 / 2)
    weights = np.exp(-(line**2) / 2) / math.sqrt(2 * math.pi) * step * above
    weights[0] /= 2
    total = float(np.sum(weights * np.maximum(1 - k / above, 0) ** 2))
    with precision(64):
        still, low = (float(mass) for mass in transform.masses())
    fall = float(transform.drop.bound().upper)
    total += still * max(1 - k, 0) ** 2
    return total + low * max(1 - k * (1 + fall), 0) ** 2


@pytest.mark.parametrize(("shift", "rate"), [("1/2", "1/100"), ("1", "1/10")])
def test_the_flattened_pair_dominates_triples_in_squares(shift: str, rate: str) -> None:
    """At levels around 1, for triangles from flat to equilateral; these vary by more than removing
    alone, so that its variance would not do.
    """
    pair = flattened(shift, rate)
    mu, share = float(Fraction(shift)), float(Fraction(rate))
    variances = []
    for turn in (0.0, 0.4, 0.8, 1.0):
        base, u, v = triple(mu, share, turn, 301)
        for k in (
            1.1,
            1 + share / 4,
            1.0,
            1 - share / 4,
            1 - share,
            1 - 4 * share,
            0.5,
        ):
            found = float(np.sum(base * u * np.maximum(1 - k * v / u, 0) ** 2))
            assert found <= squares(pair, mu, share, k) * (1 + 1e-6)
        variances.append(float(np.sum(base * (u - v) ** 2 / u)))
    assert variances[-1] > variances[0] * 1.04


def composed_epsilon(u: Any, v: Any, base: Any, count: int, target: float) -> float:
    """epsilon of so many independent releases, by a Fourier transform in doubles."""
    size, reach = 2**16, 4.0
    step = 2 * reach / size
    place = (np.log(u / v) / step).ravel()
    low = np.floor(place).astype(int)
    share = place - low
    mass = (base * u).ravel()
    law = np.zeros(size)
    np.add.at(law, low % size, mass * (1 - share))
    np.add.at(law, (low + 1) % size, mass * share)
    law = np.maximum(np.fft.ifft(np.fft.fft(law) ** count).real, 0)
    losses = np.arange(size) * step
    losses[losses > reach] -= 2 * reach
    order = np.argsort(losses)
    losses, law = losses[order], law[order]
    deltas = [
        float(np.sum((law * -np.expm1(at - losses))[losses > at]))
        for at in losses[size // 2 :: 16]
    ]
    return float(losses[size // 2 :: 16][np.searchsorted(-np.array(deltas), -target)])


def test_many_batches_are_above_an_equilateral_triangle() -> None:
    """The outputs of a release can form a triangle: worse than one way in every release, and within
    three hundredths of the upper end.
    """
    base, u, v = triple(1 / 2.2, 256 / 60000, 1.0, 401)
    there = composed_epsilon(u, v, base, 14_063, 1e-6)
    found = epsilon(STEPS, "1e-6", relation=REPLACED)
    assert float(found.lower) * 1.01 < there < float(found.upper) < there * 1.03
    assert {"composition/ramp", "sampling/replaced-together"} <= found.rests_on


def test_the_ramp_narrows_both_questions() -> None:
    """Without the ramp the upper end is that of the folded pair; delta and epsilon agree."""
    found = epsilon(STEPS, "1e-6", relation=REPLACED)
    assert found.upper < Fraction(108, 100)
    back = delta(STEPS, found.upper, relation=REPLACED)
    assert back.lower < Fraction("1e-6")
    assert Fraction("0.95e-6") < back.upper < Fraction("1.01e-6")
    beside = epsilon(f"{STEPS} + Laplace(scale=20)", "1e-6", relation=REPLACED)
    assert found.upper < beside.upper < found.upper + Fraction(1, 20)


def test_few_batches_keep_the_folded_pair() -> None:
    """For few batches the ramp is not asked."""
    found = epsilon(
        "16*SampledWithoutReplacement(Gaussian(sigma=2), batch=1, of=10)",
        "1e-3",
        relation=REPLACED,
    )
    assert "composition/ramp" not in found.rests_on


def test_no_ramp_for_a_promise() -> None:
    """A promise of Gaussian privacy says nothing of the triangle of its outputs."""
    plan = "1000*SampledWithoutReplacement(GaussianDP(mu=0.5), batch=1, of=100)"
    found = epsilon(plan, "1e-6", relation=REPLACED)
    assert "composition/ramp" not in found.rests_on


def test_the_transforms_against_mpmath() -> None:
    """Of the ramp and of a flattened pair, at complex points; the masses under Q add up to 1."""
    pair = flattened("3/2", "1/8")
    mu, rate, fall = (
        mp.mpf(3) / 2,
        mp.mpf(1) / 8,
        mp.mpf(float(pair.drop.bound().upper)),
    )

    def above(x: Any) -> Any:
        return 1 - rate + rate * mp.exp(mu * x - mu**2 / 2)

    with precision(128):
        found = pair.at(Nodes(real(2), real(3), 3))
        ramp = RampTransform().at(Nodes(real(2), real(3), 3))
        still, low = (
            mp.mpf(str(mass.mid().str(30, radius=False))) for mass in pair.masses()
        )
        bounds = [
            float(one.decay(real(2), real(5), values[0].real))
            for one, values in ((pair, found), (RampTransform(), ramp))
        ]

    def moment(z: Any) -> Any:
        whole = mp.quad(lambda x: mp.npdf(x) * above(x) ** (1 + z), [mu / 2, 2, 6, 16])
        return whole + still + low * (1 + fall) ** -z

    def ramp_moment(z: Any) -> Any:
        return mp.quad(lambda y: (2 * y) ** (z + 1), [0, 1])

    for number in range(3):
        z = mp.mpc(2, 3 * number)
        assert mp.almosteq(moment(z), complex(found[number]), 1e-12)
        assert mp.almosteq(ramp_moment(z), complex(ramp[number]), 1e-12)
    assert abs(complex(found[2])) <= bounds[0] < abs(complex(found[0]))
    assert abs(complex(ramp[2])) <= bounds[1] < abs(complex(ramp[0]))
    with precision(64):
        profiles = [float(pair.profile(real(Fraction(at)))) for at in ("1/5", "-1/5")]
    for at, profile in zip((0.2, -0.2), profiles, strict=True):
        level = mp.exp(at)
        excess = mp.quad(
            lambda x, g=level: mp.npdf(x) * max(above(x) - g, 0), [mu / 2, 1, 2, 4, 16]
        )
        excess += still * max(1 - level, 0) + low * max(1 - level * (1 + fall), 0)
        assert mp.almosteq(excess, profile, 1e-4)
    under_q = mp.ncdf(-mu / 2) + still + low * (1 + fall)
    assert mp.almosteq(under_q, 1, 1e-12)


def test_the_event_of_the_ramp() -> None:
    """Its probabilities, and the profile of the ramp, against integrals of mpmath."""
    p, q = (one.bound() for one in ramp_event(Fraction(1, 8)))
    assert mp.almosteq(mp.quad(lambda y: 2 * y, [0.75, 1]), float(p.upper))
    assert float(q.upper) == 0.25
    with precision(64):
        found = float(RampTransform().profile(real(Fraction(1, 4))))
    level = mp.exp(0.25)
    wanted = mp.quad(lambda y: max(2 * y - level, 0), [0, level / 2, 1])
    assert mp.almosteq(wanted, found, 1e-9)


def test_sums_without_replaced_batches_have_no_ramp() -> None:
    """Nothing is asked beside a ramp where no release needs it."""
    from rdpacct.composition.plans import composed_losses
    from rdpacct.mechanisms.mechanism import Plan

    for loss in composed_losses(Plan.of(Gaussian(1)) * 3):
        assert isinstance(loss, ComposedLoss)
        assert loss.beside_ramp is None
