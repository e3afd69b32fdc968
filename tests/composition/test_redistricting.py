"""A plan like that of the 2020 redistricting data: rho 2.56 over 96 releases, delta 1e-10, against
a plain convolution.

Once the enclosure was [2.3999, 17.1754], whose upper end exceeded the package's own conversion of
rho; another accountant says 16.5285 on a grid that rounds up.
"""

import json
import math

import numpy as np
import pytest

from rdpacct import ZCDP, audit, epsilon, read_plan
from rdpacct.cli import main
from rdpacct.exact.bound import Bound
from rdpacct.privacy.convert import zcdp_to_approx

TARGET = 1e-10
NEGLIGIBLE = 1e-60
BY_RHO, BY_GRID = 17.1583, 16.5285


def repeated(law: np.ndarray, count: int) -> np.ndarray:
    """The law of the sum of so many draws; nonnegative numbers add up without cancellation."""
    if count == 1:
        return law
    half = repeated(law, count // 2)
    half[half < NEGLIGIBLE] = 0
    found = np.convolve(half, half)
    return np.convolve(found, law) if count % 2 else found


def truth(square: float, count: int) -> float:
    """The epsilon at 1e-10 of so many coordinates that each move by one, by bisection."""
    reach = math.ceil(9 * math.sqrt(square))
    weights = np.exp(-(np.arange(-reach, reach + 1.0) ** 2) / (2 * square))
    law = repeated(weights / weights.sum(), count)
    total = np.arange(len(law)) - reach * count
    losses = (count - 2 * total) / (2 * square)
    low, high = 0.0, 40.0
    for _ in range(60):
        level = (low + high) / 2
        above = losses > level
        if law[above] @ -np.expm1(level - losses[above]) > TARGET:
            low = level
        else:
            high = level
    return low


def agrees(found: Bound, expected: float) -> None:
    """Narrow, right, and below what the others say."""
    assert found.relative_width < 1e-9
    assert float(found) == pytest.approx(expected, rel=1e-8)
    assert float(found.upper) < BY_GRID < BY_RHO


def test_ninety_six_releases_of_two_cells(capsys: pytest.CaptureFixture[str]) -> None:
    """Each cell is a release of variance 18.75; a record that is replaced moves two of them."""
    words = ["96*DiscreteGaussian(sigma_squared=18.75)", "--relation", "replace_one"]
    assert main(["epsilon", *words, "--delta", "1e-10", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["relation"] == "replace_one"
    bound = printed["epsilon"]
    expected = truth(18.75, 96)
    assert bound["lower"] - 1e-7 <= expected <= bound["upper"] + 1e-7
    assert bound["upper"] - bound["lower"] < 1e-7
    agrees(epsilon(read_plan(words[0]), "1e-10"), expected)


def test_ninety_six_vectors() -> None:
    """The same rho by vectors of sensitivity sqrt(2) in L2, with variance 37.5: both coordinates
    move by one.
    """
    plan = read_plan(
        "96*DiscreteGaussian(sigma_squared=37.5, sensitivity=sqrt(2), dimension=2)"
    )
    agrees(epsilon(plan, "1e-10"), truth(37.5, 192))


def test_the_conversion_of_its_rho_is_no_narrower() -> None:
    """And the plan has this rho."""
    by_rho = zcdp_to_approx(ZCDP("2.56"), "1e-10")
    assert float(by_rho.epsilon.bound()) == pytest.approx(BY_RHO, abs=1e-4)
    plan = read_plan("96*DiscreteGaussian(sigma_squared=18.75)")
    assert audit(plan, ZCDP("2.56")).holds
    assert audit(plan, ZCDP("2.559")).fails
