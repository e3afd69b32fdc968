"""Plans whose choices run last, in one direction: against the best of all strategies."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from statistics import NormalDist

import pytest

from rdpacct import Gaussian, PartitionSelection, Plan, RandomizedResponse
from rdpacct.cli import main
from rdpacct.questions import Questions, Way

Rows = Sequence[tuple[float, float]]
"""The probabilities of each output under P and under Q."""
SELECTION = PartitionSelection(epsilon="0.7", delta="0.05")
NOTHING: Rows = [(1.0, 1.0)]
RESPONSE: Rows = [
    (math.e / (1 + math.e), 1 / (1 + math.e)),
    (1 / (1 + math.e), math.e / (1 + math.e)),
]
CELLS = 1500


def cells(sigma: float) -> Rows:
    """Gaussian noise in cells, which tells a little less than the noise itself."""
    high, low = NormalDist(1, sigma), NormalDist(0, sigma)
    edges = [(1 + 18 * sigma) * k / CELLS - 9 * sigma for k in range(CELLS + 1)]
    return [
        (high.cdf(b) - high.cdf(a), low.cdf(b) - low.cdf(a)) for a, b in pairwise(edges)
    ]


def pairs(way: Way) -> Sequence[Rows]:
    """Whether a category is shown, with each number of users that changes by one."""
    chances = [0.0]
    while chances[-1] < 1:
        chances.append(float(SELECTION.chance(len(chances)).bound().upper))
    found = []
    for without, with_user in pairwise(chances):
        shown = (with_user, without), (1 - with_user, 1 - without)
        removing = way is Way.REMOVE
        found.append([(p, q) if removing else (q, p) for p, q in shown])
    return found


def best(p: float, q: float, left: int, menu: Sequence[Rows], growth: float) -> float:
    """The gain of the best strategy for the releases that are left, after outputs of these
    probabilities.
    """
    if left == 0:
        return max(0.0, p - growth * q)
    return max(
        sum(best(p * a, q * b, left - 1, menu, growth) for a, b in rows)
        for rows in menu
    )


def every_strategy(count: int, fixed: Rows, way: Way, level: str) -> float:
    """The delta of so many choices, each after all outputs before it."""
    growth = math.exp(float(level))
    menu = pairs(way)
    return math.fsum(best(p, q, count, menu, growth) for p, q in fixed)


BESIDE: dict[str, tuple[Plan, int, Rows]] = {
    "alone": (Plan.of(SELECTION), 1, NOTHING),
    "two": (2 * SELECTION, 2, NOTHING),
    "three": (3 * SELECTION, 3, NOTHING),
    "one after a response": (SELECTION + RandomizedResponse(epsilon=1), 1, RESPONSE),
    "two after a response": (
        2 * SELECTION + RandomizedResponse(epsilon=1),
        2,
        RESPONSE,
    ),
}


@pytest.mark.parametrize("way", list(Way))
@pytest.mark.parametrize("level", ["0.2", "1"])
@pytest.mark.parametrize("name", BESIDE)
def test_one_direction_is_that_of_the_best_strategy(
    name: str, level: str, way: Way
) -> None:
    plan, count, fixed = BESIDE[name]
    expected = every_strategy(count, fixed, way, level)
    found = Questions(plan, way).delta(Fraction(level))
    assert found.relative_width < 1e-9
    assert float(found.upper) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("count", "way", "level"),
    [
        (1, Way.REMOVE, "0.2"),
        (1, Way.ADD, "1"),
        (2, Way.REMOVE, "0.2"),
        pytest.param(2, Way.REMOVE, "1", marks=pytest.mark.slow),
        pytest.param(2, Way.ADD, "0.2", marks=pytest.mark.slow),
        pytest.param(2, Way.ADD, "1", marks=pytest.mark.slow),
    ],
)
def test_selections_beside_gaussian_noise_in_one_direction(
    count: int, way: Way, level: str
) -> None:
    """In cells the noise tells less, by a ten thousandth at most."""
    plan = count * SELECTION + Gaussian(sigma=2)
    least = every_strategy(count, cells(2), way, level)
    found = Questions(plan, way).delta(Fraction(level))
    assert least <= found.upper
    assert found.lower <= least * (1 + 1e-4)
    assert found.relative_width < 1e-4


@pytest.mark.parametrize("count", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_selections_beside_gaussian_noise(count: int) -> None:
    """Both directions together are the worse of them."""
    plan = count * SELECTION + Gaussian(sigma=2)
    least = max(every_strategy(count, cells(2), way, "1") for way in Way)
    found = Questions(plan).delta(Fraction(1))
    assert least <= found.upper
    assert found.lower <= least * (1 + 1e-4)


def test_the_other_direction_is_another_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The command line tells the directions apart, and the strategies do."""
    text = "2*PartitionSelection(epsilon=0.7, delta=0.05)"
    told = {}
    for way in Way:
        command = ["delta", text, "--epsilon", "1", "--direction", way.value]
        assert main(command) == 0
        told[way] = capsys.readouterr().out.split("\n")[0]
    assert told[Way.REMOVE].startswith("delta <= 0.17051")
    assert told[Way.ADD].startswith("delta <= 0.192167")
