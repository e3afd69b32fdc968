"""Releases with choices beside others, at knots that are fitted to the question."""

import math
from fractions import Fraction
from itertools import pairwise

import pytest

from rdpacct import delta, epsilon, profile, read_plan
from rdpacct.composition.choices.choices import Choices
from rdpacct.composition.choices.fitted_game import HOW
from rdpacct.composition.grids.knots import at_least, chord_slopes, ended_at, lower_dots
from rdpacct.composition.grids.spread_cells import spread
from rdpacct.composition.plans import composed_losses
from rdpacct.exact.ball import precision
from rdpacct.exact.raw import real

NARROW = 1e-6
PLANS = (
    "Laplace(scale=50) + Exponential(epsilon=1) + Exponential(epsilon=6)",
    "DiscreteGaussian(sigma=0.5) + Exponential(epsilon=0.1) + Exponential(epsilon=6)",
    "Laplace(scale=50) + Exponential(epsilon=1)"
    " + FiniteMechanism(rows=[[3/4, 1/4], [1/3, 2/3]])",
)
SLOW_PLANS = (
    "DiscreteGaussian(sigma=40) + Exponential(epsilon=0.1) + Exponential(epsilon=6)",
    "Exponential(epsilon=0.1) + Exponential(epsilon=1)"
    " + PoissonSampled(Gaussian(sigma=5), rate=0.5)",
    "Exponential(epsilon=1) + Exponential(epsilon=6) + SampledWithoutReplacement("
    "Gaussian(sigma=1, sensitivity=2), batch=10, of=1000)",
)


def single(g: float, length: float) -> float:
    """The largest delta of one release of bounded range, by its closed form."""
    c = math.exp(-length)
    if g <= c:
        return 1 - g
    if g * c >= 1:
        return 0.0
    return (1 - math.sqrt(g * c)) ** 2 / (1 - c)


def before(g: float, first: float, second: float) -> float:
    """The best of one release before another, over the choices by golden section near the best of
    a grid.
    """
    c = math.exp(-first)

    def mean(place: float) -> float:
        v = math.exp(-first * place)
        up = (1 - c / v) / (1 - c)
        return up * single(g * v, second) + (1 - up) * single(g * v / c, second)

    cells = 64
    best = max(range(cells + 1), key=lambda k: mean(k / cells))
    low, high = max(best - 1, 0) / cells, min(best + 1, cells) / cells
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(30):
        left, right = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, right) if mean(left) > mean(right) else (left, high)
    return max(mean((low + high) / 2), mean(best / cells))


def beside_gaussian(at: float, lengths: tuple[float, float], mu: float) -> float:
    """delta of two such releases after a Gaussian one, by the trapezoid rule over its loss."""
    step = 0.04
    total = 0.0
    for k in range(-200, 201):
        loss = mu * mu / 2 + mu * k * step
        g = math.exp(at - loss)
        value = max(before(g, *lengths), before(g, *lengths[::-1]))
        total += math.exp(-((k * step) ** 2) / 2) * value
    return total * step / math.sqrt(2 * math.pi)


@pytest.mark.slow
def test_it_encloses_what_a_search_finds() -> None:
    """Two exponential mechanisms beside a Gaussian, from scratch in doubles."""
    found = delta(
        "Exponential(epsilon=1) + Exponential(epsilon=0.5) + Gaussian(sigma=2)", 1
    )
    assert found.how == HOW
    assert found.relative_width < NARROW
    searched = beside_gaussian(1.0, (1.0, 0.5), 0.5)
    assert abs(searched / float(found.lower) - 1) < 1e-6
    assert abs(searched / float(found.upper) - 1) < 1e-6


@pytest.mark.parametrize("text", PLANS)
def test_plans_that_even_grids_leave_wide_are_narrow(text: str) -> None:
    """At a few hundred knots."""
    asked = profile(text)
    for answer in (asked.epsilon("1e-6"), asked.delta(1)):
        assert answer.how == HOW
        assert answer.relative_width < NARROW


@pytest.mark.slow
@pytest.mark.parametrize("text", SLOW_PLANS)
def test_so_are_those_that_take_longer(text: str) -> None:
    """Up to a few thousand knots."""
    for answer in (epsilon(text, "1e-6"), delta(text, 1)):
        assert answer.how == HOW
        assert answer.relative_width < NARROW


@pytest.mark.slow
@pytest.mark.parametrize("text", PLANS)
def test_they_have_what_even_grids_enclose(text: str) -> None:
    """Grids are wider, and meet the answer."""
    asked = profile(text)
    loss = composed_losses(read_plan(text))[0]
    choices = loss.choices  # type: ignore[attr-defined]
    on_grids = Choices(choices.game, choices.fixed, choices.compose)
    for answer, grids in (
        (asked.epsilon("1e-6"), on_grids.epsilon(Fraction(1, 10**6))),
        (asked.delta(1), on_grids.delta(Fraction(1))),
    ):
        assert grids.relative_width > answer.relative_width
        assert grids.lower <= answer.upper
        assert answer.lower <= grids.upper


def test_a_polygon_ends_where_it_meets_the_least_value() -> None:
    """Not before, and it stays below."""
    with precision(128):
        points = [real(x) for x in (1, 2, 3)]
        values = [real(Fraction(1, 2)), real(Fraction(1, 4)), real(0)]
        slopes = chord_slopes(points, values)
        places = [real(Fraction(3, 2)), real(Fraction(14, 5))]
        dots = lower_dots(points, places, values, slopes)
        ended = ended_at(dots, at_least(values))
    assert [round(float(g), 9) for g, _ in ended] == [1.5, 2.8]
    assert all(value <= max(1 - g / 4 - 0.25, 0) for g, value in map(_floats, ended))


def _floats(dot: tuple[object, object]) -> tuple[float, float]:
    return float(dot[0]), float(dot[1])  # type: ignore[arg-type]


def test_cells_have_equal_weights() -> None:
    """Heavy stretches are cut finely, and no cell is empty."""
    edges = [0.0, 1.0, 2.0, 3.0, 4.0]
    found = spread(edges, [0.0, 8.0, 1.0, 0.0], 100)
    assert found[0] == 0.0
    assert found[-1] == 4.0
    assert all(low < high for low, high in pairwise(found))
    heavy = sum(1 <= place < 2 for place in found)
    light = sum(3 <= place < 4 for place in found)
    assert heavy > 2 * light > 0
