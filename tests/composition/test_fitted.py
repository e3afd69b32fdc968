"""Cells that are fitted to a question: against mpmath, and a broken twin that mpmath refutes."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from rdpacct import Gaussian, Laplace, Mechanism, PoissonSampled, profile
from rdpacct.composition.grids.fitted_cells import FittedCells, fitted_cells
from rdpacct.composition.narrowest import Point
from rdpacct.composition.quadrature.tilt import Place
from rdpacct.exact.raw import real

SAMPLED = PoissonSampled(Gaussian("1/2"), "1/100")
SHARE = 1e-7


def by_mpmath(epsilon: str) -> mpmath.mpf:
    """delta of removing a record from the sampled Gaussian beside Laplace noise of scale 1: the
    mean of the profile of the latter over the losses of the former.
    """
    with mpmath.workdps(30):
        rate = mpmath.mpf(1) / 100
        level = mpmath.mpf(Fraction(epsilon).numerator) / Fraction(epsilon).denominator

        def laplace(at: mpmath.mpf) -> mpmath.mpf:
            if at < 0:
                return 1 - mpmath.exp(at) + mpmath.exp(at) * laplace(-at)
            return max(1 - mpmath.exp((at - 1) / 2), mpmath.mpf(0))

        def ratio(x: mpmath.mpf) -> mpmath.mpf:
            return 1 - rate + rate * mpmath.exp(2 * x - 2)

        def inside(x: mpmath.mpf) -> mpmath.mpf:
            return mpmath.npdf(x) * ratio(x) * laplace(level - mpmath.log(ratio(x)))

        def place(loss: mpmath.mpf) -> mpmath.mpf:
            return mpmath.log((mpmath.exp(loss) - 1 + rate) / rate) / 2 + 1

        kinks = [place(level - 1), place(level), place(level + 1)]
        kinks = [x for x in kinks if mpmath.im(x) == 0 and x > -15]
        return mpmath.quad(inside, [-15, -5, *kinks, 8, 20])


def fitted(epsilon: str, log_delta: float, tilt: float) -> FittedCells:
    """The two sums for the two mechanisms near a point."""
    both: list[Mechanism] = [SAMPLED, Laplace(1)]
    draws = [(one.directions()[0], one.loss, 1) for one in both]
    point = Point(float(Fraction(epsilon)), log_delta, tilt)
    found = fitted_cells(draws, Place(tilt, None, 1.0, 30.0), point, SHARE)
    assert found is not None
    curve, _ = found
    assert isinstance(curve, FittedCells)
    return curve


@pytest.mark.parametrize(
    ("epsilon", "log_delta", "tilt"), [("1/2", -2.0, 2.0), ("3/2", -7.0, 4.0)]
)
def test_both_sums_enclose_the_mean_over_one_loss(
    epsilon: str, log_delta: float, tilt: float
) -> None:
    """They are as near to each other as was asked for, and the number of mpmath is between."""
    curve = fitted(epsilon, log_delta, tilt)
    found = curve.enclosure(real(Fraction(epsilon)))
    expected = by_mpmath(epsilon)
    assert float(found.rad() / found.mid()) < SHARE
    assert float(found.lower()) <= expected <= float(found.upper())


def test_a_sum_that_loses_what_is_beyond_the_cells_is_found() -> None:
    """The check above can fail: without the last hundredth of the mass the sum is too small."""
    curve = fitted("3/2", -7.0, 4.0)
    kept = curve.sums.upper[len(curve.sums.upper) // 3 :]
    less = replace(curve.sums, upper=kept, lower=kept)
    broken = replace(curve, sums=less)
    assert float(broken.enclosure(real(Fraction(3, 2))).upper()) < by_mpmath("3/2")


@pytest.mark.parametrize(
    "plan",
    [
        "Exponential(epsilon=1) + PoissonSampled(Gaussian(sigma=0.5), rate=0.01)",
        pytest.param(
            "PoissonSampled(Gaussian(sigma=0.5), rate=0.01)"
            " + TruncatedLaplace(scale=1, bound=30)",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_spike_beside_a_bounded_loss_is_narrow(plan: str) -> None:
    """Plans that grids of equal cells leave 1e-5 wide."""
    answer: Any = profile(plan).delta(1)
    assert answer.relative_width < 2e-7
