"""Profiles in closed form beside atoms and cells, against integrals in mpmath."""

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from rdpacct import profile
from rdpacct.composition.composed_loss import ComposedLoss
from rdpacct.composition.exact_sums.one_draw import OneDraw
from rdpacct.composition.grids.cells import CellSums, bent, two_sums
from rdpacct.composition.many_levels import Values, planned_by
from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import precision
from rdpacct.exact.formula import formula
from rdpacct.exact.number import rational
from rdpacct.exact.raw import real
from rdpacct.mechanisms.laplace.laplace_transform import (
    LaplaceTransform,
    laplace_edges,
)
from rdpacct.mechanisms.poisson.sampled_laplace import SampledLaplaceTransform
from rdpacct.mechanisms.smooth.circle_transform import CircleTransform, circle_error
from rdpacct.privacy.cut import EVERYWHERE, LossRange
from rdpacct.privacy.nodes import Nodes

CUT = {
    "power noise": CircleTransform(formula(rational("2.3", "epsilon"))),
    "Laplace": LaplaceTransform(formula(rational("0.7", "shift"))),
    "sampled Laplace, removing": SampledLaplaceTransform(
        formula(1), formula(rational("0.3", "rate")), True
    ),
    "sampled Laplace, adding": SampledLaplaceTransform(
        formula(1), formula(rational("0.3", "rate")), False
    ),
}


def circle_loss(size: Any, phi: Any) -> Any:
    """The loss of power noise at an angle that is uniform under P."""
    return mp.log(mp.cosh(size) + mp.sinh(size) * mp.cos(phi))


@pytest.mark.parametrize("size", ["0.5", "2.3", "4.6"])
def test_the_transform_of_power_noise(size: str) -> None:
    """Against the mean over the angle that is uniform under P, which is not the one that the
    package sums over.
    """
    transform = CircleTransform(formula(rational(size, "epsilon")))
    with precision(90):
        found = transform.at(Nodes(real(1.5), real(0.75), 6))
    for m in (0, 1, 5):
        z = mp.mpc(1.5, 0.75 * m)
        ends = mp.linspace(0, mp.pi, 41)
        mean = (
            mp.quad(lambda phi, z=z: mp.exp(z * circle_loss(mp.mpf(size), phi)), ends)
            / mp.pi
        )
        assert complex(found[m]) == pytest.approx(complex(mean), rel=1e-12)


def test_too_few_points_show_in_the_error() -> None:
    """The error of eight points at a large tilt is real: without its bound the ball would miss the
    moment.
    """
    transform = CircleTransform(formula(rational("4.6", "epsilon")))
    with precision(90):
        half = real(rational("2.3", "half"))
        weight = sum(
            (
                ((half.cosh() + x) / (half.cosh() - x)) ** 20 / (half.cosh() - x)
                for x in eighths(half.sinh())
            ),
            real(0),
        )
        exact = transform.at(Nodes(real(20), real(1), 1), 60.0)[0].real
        error = circle_error(half, real(20), real(0), real(0.05), 8)
        assert abs(weight / 8 - exact) > exact / 100
        assert abs(weight / 8 - exact) <= error


def eighths(size: Any) -> Any:
    """S cos(theta) at eight angles."""
    return [size * (real(2) * real(k) / 8).cos_pi() for k in range(8)]


@pytest.mark.parametrize("losses", [EVERYWHERE, LossRange(0.05, 0.2), LossRange(7, 9)])
@pytest.mark.parametrize("name", CUT)
def test_cells_enclose_the_closed_profile(name: str, losses: LossRange) -> None:
    """The two sums over cells beside nothing else contain the closed form, wherever the cells are
    short; a sum that moves all mass down does not.
    """
    transform = CUT[name]
    with precision(160):
        edges, masses = transform.cells(64, losses)
        assert float(sum((p for p, _ in masses), real(0))) == pytest.approx(
            1, rel=1e-12
        )
        assert float(sum((q for _, q in masses), real(0))) == pytest.approx(
            1, rel=1e-12
        )
        upper, lower = two_sums(edges, masses)
        largest = transform.top()
        assert largest is not None
        top = float(largest)
        for share in (-0.3, 0.0, 0.4, 0.9):
            level = real(share * top)
            exact = stick_sum(laplace_like(transform, level))
            sums = [
                stick_sum([(p, loss - level) for loss, p in atoms])
                for atoms in (lower, upper)
            ]
            assert sums[0] <= exact + real(1e-14)
            assert exact <= sums[1] + real(1e-14)
        down = [(p, edges[k + 1] - level) for k, (p, _) in enumerate(masses)]
        assert stick_sum(down) < exact


def laplace_like(transform: Any, level: Any) -> Any:
    """The profile as one atom of excess 1 - exp(-v)."""
    if isinstance(transform, LaplaceTransform):
        delta = max(
            0.0, 1 - float(mp.exp((mp.mpf(str(float(level))) - mp.mpf("0.7")) / 2))
        )
        value = real(delta)
    else:
        value = OneDraw(transform).enclosure(level)
    return [(value, real(10**6))]


def stick_sum(atoms: Any) -> Any:
    """The sum of p (1 - exp(-v))_+."""
    return sum((p * (1 - (-v).exp()).max(real(0)) for p, v in atoms), real(0))


def test_power_noise_beside_laplace() -> None:
    """delta is the mean over the angle of the profile of the Laplace release."""
    found = profile("Laplace(scale=2) + SmoothPower(alpha=1, beta=0.1, power=2)").delta(
        1
    )
    size = mp.mpf(
        float(profile("SmoothPower(alpha=1, beta=0.1, power=2)").max_divergence())
    )

    def inside(phi: Any) -> Any:
        level = 1 - circle_loss(size, phi)
        return max(
            mp.mpf(0), 1 - mp.exp((level - mp.mpf(1) / 2) / 2), 1 - mp.exp(level)
        )

    reference = mp.quad(inside, mp.linspace(0, mp.pi, 401)) / mp.pi
    assert found.relative_width < 1e-6
    assert float(found) == pytest.approx(float(reference), rel=1e-6)


def test_a_sampled_gaussian_beside_atoms() -> None:
    """delta is the mean of the closed form of one release over the two answers."""
    found = profile(
        "PoissonSampled(Gaussian(sigma=0.5), rate=0.01) + RandomizedResponse(epsilon=1)"
    ).delta(1)
    up = mp.e / (1 + mp.e)

    def one(level: Any) -> Any:
        growth = mp.exp(level)
        mu = mp.mpf(2)
        q = mp.mpf("0.01")
        if growth <= 1 - q:
            return 1 - growth
        edge = mp.log((growth - 1 + q) / q) / mu + mu / 2
        return (
            (1 - q) * mp.ncdf(-edge) + q * mp.ncdf(mu - edge) - growth * mp.ncdf(-edge)
        )

    reference = up * one(mp.mpf(0)) + (1 - up) * one(mp.mpf(2))
    assert found.relative_width < 1e-12
    assert float(found) == pytest.approx(float(reference), rel=1e-12)


def test_a_sum_over_cells_is_what_its_parts_say() -> None:
    """The ball of the two sums contains the exact profile beside a Laplace release."""
    laplace = CUT["Laplace"]
    sampled = CUT["sampled Laplace, removing"]
    with precision(160):
        fine, rough = (
            CellSums(*two_sums(*laplace.cells(n)), OneDraw(sampled), None, 2.0)
            for n in (2048, 32)
        )
        for level in (0.1, 0.5, 0.9):
            one = fine.enclosure(real(level))
            two = rough.enclosure(real(level))
            assert one.overlaps(two)
            assert one.rel_accuracy_bits() > two.rel_accuracy_bits()


@pytest.mark.parametrize("size", [Fraction(1, 3), Fraction(2, 3), Fraction(1, 10)])
def test_edges_fall_for_certain(size: Fraction) -> None:
    """Also where a range ends at the double nearest to the largest loss, which may be above it."""
    end = float(size)
    assert Fraction(end) != size
    near = math.nextafter(end, 0)
    ranges = [
        LossRange(low, high)
        for low in (-end, -near, 0.0, near)
        for high in (end, near, 0.0, -near)
        if low < high
    ]
    with precision(160):
        mu = real(size)
        for losses in ranges:
            edges = laplace_edges(mu, 8, losses)
            assert all(high > low for high, low in pairwise(edges))
            assert edges[0].overlaps(mu)
            assert edges[-1].overlaps(-mu)


@pytest.mark.parametrize("name", CUT)
def test_cells_are_short_in_a_range_only(name: str) -> None:
    """All inner edges are on it, it is covered, and the ends stay where they are."""
    transform = CUT[name]
    with precision(160):
        everywhere, _ = transform.cells(64)
        edges, masses = transform.cells(64, LossRange(-0.03, 0.15))
        assert len(masses) == len(edges) - 1
        assert edges[0].overlaps(everywhere[0])
        assert edges[-1].overlaps(everywhere[-1])
        losses = [float(edge) for edge in edges]
        bottom, top = transform.planned_bottom(), transform.planned_top()
        assert [losses[-1], losses[0]] == pytest.approx([bottom, top])
        assert losses == sorted(losses, reverse=True)
        short = [loss for loss in losses if bottom < loss < top]
        assert len(short) >= 63
        assert min(short) == pytest.approx(max(-0.03, bottom), abs=0.01)
        assert max(short) == pytest.approx(min(0.15, top), abs=0.01)


def test_long_cells_cost_nothing_where_the_others_do_not_bend() -> None:
    """Beside a loss of a known range the sums are sharp with few cells: as sharp as with many cells
    everywhere, and far sharper than with as few.
    """
    loss = CUT["sampled Laplace, removing"]
    others = Terms(((loss, 1),))
    epsilon = 0.95 * (2 * loss.planned_top())
    with precision(160):
        losses = bent(others, epsilon, 2 * loss.planned_top())
        assert 0 < losses.low < loss.planned_top() <= losses.high
        sums = [
            CellSums(*two_sums(*cut), OneDraw(loss), None, 2.0)
            for cut in (loss.cells(64, losses), loss.cells(64))
        ]
        fitted, even = (found.enclosure(real(epsilon)) for found in sums)
        assert fitted.overlaps(even)
        assert fitted.rel_accuracy_bits() > even.rel_accuracy_bits() + 5


def test_cells_are_short_also_at_the_largest_loss() -> None:
    """An epsilon that is planned at the largest sum of losses, or beyond, is a little below it."""
    loss = CUT["sampled Laplace, removing"]
    others = Terms(((loss, 1),))
    top = 2 * loss.planned_top()
    for epsilon in (top, 1.1 * top):
        losses = bent(others, epsilon, top)
        inner = losses.within(loss.planned_bottom(), loss.planned_top())
        assert losses.low < loss.planned_top() <= losses.high
        assert inner.length < 1e-14


def test_epsilons_of_sampled_laplace_are_sharp_and_those_of_grids() -> None:
    """Steep profiles take few cells: epsilon is far sharper than delta, and within the two sums on
    grids.
    """
    [loss, *_] = profile("2*PoissonSampled(Laplace(scale=1), rate=0.1)").losses
    for delta in (Fraction(1, 10**6), Fraction(1, 1000)):
        found = loss.epsilon(delta)
        assert "cells" in found.how
        assert found.relative_width < 2e-9
        with precision(128):
            assert isinstance(loss, ComposedLoss)
            grids = loss.answers.few()
            assert grids is not None
            low, high = (
                grids.enclosure(real(Fraction(end)))
                for end in (found.lower, found.upper)
            )
            assert not low < real(delta)
            assert not high > real(delta)


@pytest.mark.parametrize("power", [8, 10, 14, 20, 40])
def test_epsilons_near_the_largest_loss_are_sharp(power: int) -> None:
    """There delta is about the probability that both losses are largest, times the distance to
    their sum; doubles are as near as they can be.
    """
    [loss, *_] = profile("2*PoissonSampled(Laplace(scale=1), rate=0.1)").losses
    delta = Fraction(1, 10**power)
    found = loss.epsilon(delta)
    with mp.workdps(60):
        q = mp.mpf("0.1")
        top = 2 * mp.log(1 - q + q * mp.e)
        share = (1 - q) / (2 * mp.e) + q / 2
        distance = -mp.log1p(-mp.mpf(delta.numerator) / delta.denominator / share**2)
        near = 10 * distance**2 + 4 * math.ulp(float(top))
        exact = top - distance
        assert abs(mp.mpf(float(found.lower)) - exact) <= near
        assert abs(mp.mpf(float(found.upper)) - exact) <= near
        assert found.lower < found.upper


def test_slopes_are_taken_between_here_and_the_largest_loss() -> None:
    """A distance that leads past the kink of another loss gives the wrong slope."""
    top = 1.0
    values = Values(
        lambda levels: [
            (top - level) + 100 * (top - 1e-8 - level).max(real(0)) for level in levels
        ],
        2,
    )
    for distance in (2.0**-30, 2.0**-40):
        with precision(144):
            _, slope = planned_by(values, top - distance, top)
            _, wrong = planned_by(values, top - distance, math.inf)
        assert slope == pytest.approx(-1 / distance, rel=1e-2)
        assert wrong != pytest.approx(-1 / distance, rel=1e-2)


def best_test_of_two(rate: float, false_positives: float) -> float:
    """The false negatives of the best test of two sampled Laplace releases with the record against
    two without it, both laws summed on many points.
    """
    steps = 1500
    x = np.linspace(0, 1, steps + 1)
    middles = (x[1:] + x[:-1]) / 2
    without = np.exp(-middles) / (
        2 * steps
    )  # noise of scale 1 about 0, between 0 and 1
    at_one = np.exp(middles - 1) / (2 * steps)
    half = math.exp(-1) / 2
    losses = np.concatenate(
        [[-1.0], 2 * middles - 1, [1.0]]
    )  # of the release itself, outside of the sample
    q = np.concatenate([[0.5], without, [half]])
    moved = np.concatenate([[half], at_one, [0.5]])
    p = (1 - rate) * q + rate * moved
    log_ratios = np.log1p(rate * np.expm1(losses))
    order = np.argsort(-np.add.outer(log_ratios, log_ratios).ravel(), kind="stable")
    alarms = np.cumsum(np.outer(q, q).ravel()[order])
    missed = 1 - np.cumsum(np.outer(p, p).ravel()[order])
    return float(np.interp(false_positives, alarms, missed))


def test_tests_of_two_sampled_laplace_releases_are_sharp() -> None:
    """A search for the best test asks for many points, which all fit into the work of an answer."""
    found = profile("2*PoissonSampled(Laplace(scale=1), rate=0.1)").losses[0]
    bound = found.tradeoff(Fraction(1, 10))
    assert bound.relative_width < 1e-9
    assert float(bound.upper) == pytest.approx(best_test_of_two(0.1, 0.1), abs=1e-5)
