"""Cells of one loss beside grids of the others: three Gaussians, whose sum has a closed form."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rdpacct import Gaussian, delta
from rdpacct.composition.draws import Draw
from rdpacct.composition.grids import beside_grids
from rdpacct.composition.grids.beside_grids import cells_beside_grids
from rdpacct.composition.grids.fitted_cells import FittedCells
from rdpacct.composition.narrowest import Point
from rdpacct.composition.quadrature.tilt import Place
from rdpacct.exact.formula import formula
from rdpacct.exact.raw import real
from rdpacct.mechanisms.mixtures.exponential_sum import one_term
from rdpacct.mechanisms.mixtures.mixture_pair import MixturePair
from rdpacct.mechanisms.mixtures.mixture_part import MixtureLoss
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.transform import Direction

POINT = Point(3.0, -5.4, 2.0)
PLACE = Place(2.0, None, 1.0, 30.0)
SMALL, LARGE = 1e-6, 1e-3
"""A share of delta that grids of so few points do not reach, and one that they do."""


@pytest.fixture(autouse=True)
def _few_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside_grids, "MOST_POINTS", 1000)


def drawn(place: Fraction) -> Draw:
    """N(place, 1) against N(0, 1), as mixtures of one component."""
    part = MixtureLoss(MixturePair(one_term(formula(place)), one_term()))
    return Direction(part.transform()), lambda: PrivacyLoss((part,)), 1


GAUSSIANS = [drawn(Fraction(1, sigma)) for sigma in (1, 2, 3)]


def fitted(draws: list[Draw]) -> FittedCells:
    """The cells of the one that reaches farthest."""
    found = cells_beside_grids(draws, PLACE, POINT, SMALL)
    assert found is not None
    curve, epsilon = found
    assert isinstance(curve, FittedCells)
    assert epsilon == POINT.epsilon
    return curve


def test_three_gaussians_are_one() -> None:
    """A vector of three coordinates: the closed form lies in the enclosure, which is narrow."""
    expected = delta(Gaussian(1) + Gaussian(2) + Gaussian(3), 3)
    found = fitted(GAUSSIANS).enclosure(real(3))
    assert found.lower() <= float(expected.upper)
    assert found.upper() >= float(expected.lower)
    assert float(found.rad() / found.mid()) < SMALL


def test_without_the_cells_of_large_losses_the_sum_is_too_small() -> None:
    """The check above can fail."""
    curve = fitted(GAUSSIANS)
    kept = curve.sums.upper[len(curve.sums.upper) // 3 :]
    broken = replace(curve, sums=replace(curve.sums, upper=kept, lower=kept))
    expected = delta(Gaussian(1) + Gaussian(2) + Gaussian(3), 3)
    assert broken.enclosure(real(3)).upper() < float(expected.lower)


@pytest.mark.parametrize(
    ("draws", "share"),
    [
        (GAUSSIANS, LARGE),
        (GAUSSIANS[:2], SMALL),
        (GAUSSIANS * 3, SMALL),
    ],
)
def test_it_is_left_to_others(draws: list[Draw], share: float) -> None:
    """Where grids are fine enough, and for fewer losses or many."""
    assert cells_beside_grids(draws, PLACE, POINT, share) is None
