"""Noise that is correlated between steps: sensitivities by enumeration, and another accountant."""

import json
import math
from fractions import Fraction
from itertools import combinations, pairwise, product
from random import Random
from typing import Any

import pytest

from rdpacct import (
    Gaussian,
    InputError,
    Laplace,
    MatrixMechanism,
    Plan,
    PoissonSampled,
    SquareRootMechanism,
    ToeplitzMechanism,
    TreeAggregation,
    UndecidedError,
    audit_code,
    delta,
    epsilon,
    profile,
)
from rdpacct.cli import main
from rdpacct.functions import sqrt
from rdpacct.mechanisms import Mechanism
from rdpacct.mechanisms.correlated.gram import best_total, row_by_row
from rdpacct.mechanisms.correlated.participation import Participation

Columns = list[list[Fraction]]


def tree_columns(steps: int) -> Columns:
    """For each step, whether it is below each of the complete blocks."""
    blocks = [
        range(start, start + size)
        for size in (1, 2, 4, 8, 16)
        for start in range(0, steps - size + 1, size)
    ]
    return [[Fraction(step in block) for block in blocks] for step in range(steps)]


def moved_columns(steps: int, numbers: list[Fraction]) -> Columns:
    """One column of coefficients, moved down from step to step."""
    padded = [*numbers, *[Fraction(0)] * steps]
    return [[Fraction(0)] * step + padded[: steps - step] for step in range(steps)]


def enumerated(
    columns: Columns, taking_part: Participation
) -> tuple[Fraction, Fraction]:
    """The largest square for moves by 1 up or down, and the largest sum of sizes of products, over
    all patterns.
    """
    gram = [
        [sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0)) for y in columns]
        for x in columns
    ]
    attained = most = Fraction(0)
    for size in range(1, taking_part.times + 1):
        for pattern in combinations(range(len(columns)), size):
            gaps = (b - a for a, b in pairwise(pattern))
            if any(gap < taking_part.separation for gap in gaps):
                continue
            pairs = list(product(range(size), repeat=2))
            entries = [gram[pattern[i]][pattern[j]] for i, j in pairs]
            most = max(most, sum(map(abs, entries), Fraction(0)))
            for signs in product((1, -1), repeat=size - 1):
                way = (1, *signs)
                terms = (
                    way[i] * way[j] * entry
                    for (i, j), entry in zip(pairs, entries, strict=True)
                )
                attained = max(attained, sum(terms, Fraction(0)))
    return attained, most


def test_trees_by_all_patterns() -> None:
    """Up to nine steps, three participations and every separation; exact at powers of two."""
    for steps, times, apart in product(range(1, 10), (1, 2, 3), (1, 2, 3, 4)):
        law = TreeAggregation(1, steps, times, apart)
        squares = law.squares()
        attained, most = enumerated(tree_columns(steps), law.taking_part)
        assert squares.lower <= attained == most <= squares.upper
        if apart in (1, 2, 4) or times == 1:
            assert squares.exact


def test_moved_columns_and_matrices_by_all_patterns() -> None:
    """Random coefficients of both signs: enclosed, exact where it is said, and the same by the
    matrix.
    """
    rng = Random(3)
    exact = 0
    for _ in range(80):
        steps = rng.randint(1, 6)
        numbers = [
            Fraction(rng.randint(-3, 4), 2) for _ in range(rng.randint(1, steps))
        ]
        if rng.random() < 0.4:
            numbers = sorted(map(abs, numbers), reverse=True)
        numbers[0] = numbers[0] or Fraction(1)
        law = ToeplitzMechanism(1, steps, numbers, rng.randint(1, 3), rng.randint(1, 3))
        columns = moved_columns(steps, numbers)
        attained, most = enumerated(columns, law.taking_part)
        squares = law.squares()
        assert squares.lower <= attained <= squares.upper
        assert most <= squares.upper
        exact += squares.exact
        rows = list(zip(*columns, strict=True))
        matrix = MatrixMechanism(1, rows, law.participations, law.separation)
        found = matrix.squares()
        assert found.lower <= attained <= found.upper == most
        sizes = [[abs(x) for x in row] for row in matrix.gram()]
        assert row_by_row(sizes, law.taking_part) >= most
        if found.exact:
            moves = matrix.worst_moves()
            assert moves is not None
            moved = [sum(x * m for x, m in zip(r, moves, strict=True)) for r in rows]
            assert sum(x * x for x in moved) == found.upper
    assert 40 < exact < 80


def test_the_best_total_by_all_patterns() -> None:
    """Step by step, against all subsets."""
    rng = Random(5)
    for _ in range(50):
        weights = [Fraction(rng.randint(0, 9)) for _ in range(rng.randint(1, 8))]
        taking_part = Participation(len(weights), rng.randint(1, 3), rng.randint(1, 3))
        patterns = taking_part.patterns(1000)
        assert patterns is not None
        totals = (sum((weights[i] for i in one), Fraction(0)) for one in patterns)
        assert best_total(weights, taking_part) == max(totals)


PUBLISHED = {"eps20": ("1.13", "19.74"), "eps2": ("8.83", "2.04")}
"""The noise multipliers and epsilons of DP-FTRL for 1600 steps at delta 1e-6, in the tests of
dp-accounting; they are by Renyi divergences, and above the exact ones.
"""


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_trees(name: str) -> None:
    sigma, most = PUBLISHED[name]
    found = epsilon(f"TreeAggregation(sigma={sigma}, steps=1600)", "1e-6")
    assert found.relative_width < 1e-12
    assert Fraction(most) * Fraction(4, 5) < found.upper < Fraction(most)


def test_trees_against_another_library() -> None:
    """Its Renyi divergences are ours, and its epsilon is just above."""
    peer = pytest.importorskip("dp_accounting")
    module = pytest.importorskip("dp_accounting.rdp")
    orders = [2, 8, 32]
    for steps in (1, 2, 3, 4, 7, 8, 1023, 1024, 4096):
        accountant = module.RdpAccountant(
            orders, peer.NeighboringRelation.REPLACE_SPECIAL
        )
        accountant.compose(peer.SingleEpochTreeAggregationDpEvent(4.0, steps))
        law = profile(f"TreeAggregation(sigma=4, steps={steps})")
        for order, theirs in zip(orders, accountant._rdp, strict=True):
            gap = Fraction(law.renyi(order).upper) - Fraction(float(theirs))
            assert abs(gap) < 1e-12
        assert law.epsilon("1e-6").lower <= Fraction(accountant.get_epsilon(1e-6))


def test_the_square_root_of_prefix_sums() -> None:
    """By doubles: the root of the sum of the squares of binom(2k, k)/4**k."""
    squares = sum((math.comb(2 * k, k) / 4**k) ** 2 for k in range(512))
    found = SquareRootMechanism(1, 512).total_sensitivity()
    assert found.relative_width < 1e-15
    assert abs(float(found) - math.sqrt(squares)) < 1e-12


def test_what_it_is_in_simple_cases() -> None:
    """A strategy that changes nothing is a Gaussian release of each step; restarts add up."""
    same: dict[Mechanism, Plan | Mechanism] = {
        MatrixMechanism(2, [[1, 0], [0, 1]]): Gaussian(2),
        MatrixMechanism(2, [[1, 0], [0, 1]], 2): Gaussian(2) + Gaussian(2),
        MatrixMechanism(2, [[1, 0], [1, 1]], 2): Gaussian(2, sqrt(5)),
        ToeplitzMechanism(2, 9, [1], 3): 3 * Gaussian(2),
        TreeAggregation(2, 1): Gaussian(2),
        TreeAggregation(2, 2, sensitivity=3): 2 * Gaussian(2, 3),
    }
    for law, plan in same.items():
        found = epsilon(plan, "1e-5")
        assert epsilon(law, "1e-5").overlaps(found)
        assert epsilon(str(law), "1e-5").overlaps(found)
    both = TreeAggregation(3, 8) + Laplace(5) + PoissonSampled(Gaussian(1), "0.1")
    assert epsilon(both, "1e-5").relative_width < 1e-8


def test_two_ends_where_the_worst_pattern_is_not_known() -> None:
    """The answer has the ends of both sensitivities, and a single loss is refused."""
    law = ToeplitzMechanism(4, 30, [1, "-1/2", "1/4"], participations=3)
    moves = law.total_sensitivity()
    assert moves.lower < moves.upper
    found = epsilon(law, "1e-5")
    ends = [Gaussian(4, str(end)) for end in (moves.lower, moves.upper)]
    low, high = (float(epsilon(end, "1e-5")) for end in ends)
    assert abs(found.floats()[0] - low) < 1e-9
    assert abs(found.floats()[1] - high) < 1e-9
    both = epsilon(2 * law, "1e-5")
    assert both.certainly_above(Fraction(found.lower))
    assert not found.certainly_above(Fraction(both.upper))
    with pytest.raises(UndecidedError, match="only bounded"):
        law.loss()


def test_patterns_of_a_record() -> None:
    """What is a pattern, and what is one no more."""
    taking_part = Participation(10, 3, 4)
    assert taking_part.most == 3
    assert list(taking_part.first()) == [0, 4, 8]
    assert taking_part.allows([1, 5, 9])
    assert not taking_part.allows([1, 4])
    assert not Participation(10, 1, 1).allows([1, 4])
    assert not taking_part.allows([6, 10])
    law = TreeAggregation(1, 4)
    assert (
        law.uncovered([Fraction(0)] * 4, [Fraction(0), Fraction(1), *[Fraction(0)] * 2])
        == ""
    )
    assert "not a pattern" in law.uncovered([Fraction(0)] * 4, [Fraction(1)] * 4)
    assert "moved by 2" in law.uncovered(
        [Fraction(0)] * 4, [Fraction(2), *[Fraction(0)] * 3]
    )


@pytest.mark.filterwarnings("ignore::rdpacct.mechanisms.StudyOnlyWarning")
def test_its_sampler_passes_an_audit_and_a_second_participation_does_not() -> None:
    """By running code, scored by the loss."""
    law = TreeAggregation(1, 2)
    first, second = law.pair() or ([], [])

    def score(output: Any) -> float:
        return float(sum(output))

    verdict = audit_code(law.sample, first, second, str(law), trials=2000, score=score)
    assert verdict.undecided
    twice = [1.0, 1.0]
    broken = audit_code(law.sample, twice, second, str(law), trials=4000, score=score)
    assert broken.fails


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("TreeAggregation(sigma=1, steps=0)", "whole number"),
        ("TreeAggregation(sigma=1, steps=1.5)", "whole number"),
        ("TreeAggregation(sigma=1, steps=4, participations=0)", "whole number"),
        ("TreeAggregation(sigma=1, steps=4, separation=0)", "whole number"),
        ("TreeAggregation(sigma=1, steps=10000000)", "split it"),
        ("TreeAggregation(sigma=1)", "needs steps"),
        ("MatrixMechanism(sigma=1, strategy=[[1, 0], [1]])", "different lengths"),
        ("MatrixMechanism(sigma=1, strategy=[1, 2])", "list of rows"),
        ("MatrixMechanism(sigma=1, strategy=[])", "list of rows"),
        ("MatrixMechanism(sigma=1, strategy=[[0]])", "zeros only"),
        ("MatrixMechanism(sigma=1, strategy=[[sqrt(2)]])", "an entry"),
        ("ToeplitzMechanism(sigma=1, steps=4, coefficients=[])", "list of"),
        (
            "ToeplitzMechanism(sigma=1, steps=4, coefficients=[0, 1])",
            "first coefficient",
        ),
        ("SquareRootMechanism(sigma=1, steps=9999)", "as in bands=64"),
        (
            "PoissonSampled(TreeAggregation(sigma=1, steps=4), rate=0.1)",
            "one worst pair",
        ),
    ],
)
def test_mistakes_get_a_sentence(
    text: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match=says):
        delta(text, 1)
    assert main(["delta", text, "--epsilon", "1", "--json"]) == 2
    assert says in json.loads(capsys.readouterr().out)["error"]


def test_samplers_refuse_other_streams() -> None:
    with pytest.raises(InputError, match="each of the 4 steps"):
        TreeAggregation(1, 4).sample([1, 2])


def test_answers_name_their_theorems_each_time() -> None:
    """Also when a sensitivity was worked out before."""
    law = SquareRootMechanism(2, 8, participations=2)
    for _ in range(2):
        used = epsilon(law, "1e-6").rests_on
        assert {"matrix/sensitivity", "matrix/falling-columns"} <= used
