"""A replaced record of a Poisson sample for mechanisms that are not Gaussian: between two ends."""

import itertools
from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp

from rdpacct import (
    Gaussian,
    InputError,
    Laplace,
    PoissonSampled,
    RandomizedResponse,
    Relation,
    SampledWithoutReplacement,
    Sensitivity,
    delta,
    epsilon,
)
from rdpacct.functions import log
from rdpacct.privacy.relation import Norm
from rdpacct.testing import check_laws

REPLACED = Relation.REPLACE_ONE


@pytest.mark.parametrize("level", ["0", "0.2", "0.6"])
def test_opposite_laplace_moves_lie_between_the_ends(level: str) -> None:
    """A record that moves the query up is replaced by one that moves it down, by mpmath: more than
    the lower end, and at most the upper one, which is that of a move by 2.
    """
    rate = mp.mpf("0.3")
    growth = mp.exp(mp.mpf(level))

    def density(x: Any, move: int) -> Any:
        return rate * mp.exp(-abs(x - move)) / 2 + (1 - rate) * mp.exp(-abs(x)) / 2

    def excess(x: Any) -> Any:
        return max(density(x, 1) - growth * density(x, -1), 0)

    truth = mp.quad(excess, [*mp.linspace(-1, 1, 41), 3, 9, 40], maxdegree=6)
    found = delta(PoissonSampled(Laplace(1), "0.3", relation=REPLACED), level)
    one = delta(PoissonSampled(Laplace(1), "0.3"), level)
    two = delta(PoissonSampled(Laplace(1, 2), "0.3"), level)
    assert abs(float(found.lower) - float(one.lower)) < 1e-15
    assert abs(float(found.upper) - float(two.upper)) < 1e-15
    assert float(one.upper) < truth <= float(two.upper) * (1 + 1e-9)


def test_every_replacement_of_an_answer_is_covered() -> None:
    """Randomized response: samples with one record, with the other and with neither have any of the
    two answers as their truth; the largest hockey stick is the delta.
    """
    rate = Fraction(1, 4)
    plan = PoissonSampled(RandomizedResponse(log(3)), rate, relation=REPLACED)
    rows = [(Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))]
    for level in ("0", "0.1", "0.3"):
        growth = Fraction(float(mp.exp(mp.mpf(level))))
        most = Fraction(0)
        for neither, one, other in itertools.product(rows, repeat=3):
            total = Fraction(0)
            for a, b, c in zip(neither, one, other, strict=True):
                rest = (1 - rate) * a
                gap = rest + rate * b - growth * (rest + rate * c)
                total += max(gap, Fraction(0))
            most = max(most, total)
        assert abs(float(most) - float(delta(plan, level).upper)) < 1e-12


def test_several_releases_have_the_ends_of_what_they_are_between() -> None:
    plan = PoissonSampled(RandomizedResponse(1), "0.1", relation=REPLACED)
    found = epsilon(100 * plan, "1e-5")
    one_way = epsilon(100 * PoissonSampled(RandomizedResponse(1), "0.1"), "1e-5")
    assert found.lower <= one_way.upper
    assert abs(float(found.lower) - float(one_way.lower)) < 1e-9
    assert float(found.upper) > float(found.lower)


def test_the_laws_hold_between_two_ends() -> None:
    check_laws(PoissonSampled(RandomizedResponse(1), "0.1", relation=REPLACED))


def test_several_replaced_records_are_still_refused() -> None:
    with pytest.raises(InputError, match="give it a Gaussian mechanism"):
        PoissonSampled(Laplace(1), "0.1", group=2, relation=REPLACED)


def test_batches_with_tiny_noise_have_a_pair() -> None:
    """The moments of the smaller pair beside a ramp have no size in balls: it is left out."""
    inside = Sensitivity(2, norm=Norm.L2, relation=REPLACED)
    for sigma, known in (("0.01", False), ("1", True)):
        noise = Gaussian(sigma, inside)
        batch = SampledWithoutReplacement(noise, 10, 600, relation=REPLACED)
        [direction] = batch.directions()
        assert (direction.beside_ramp is not None) is known
