"""The sparse vector technique with Gaussian noise: its two ends, against laws of answers that are
worked out by mpmath, choices that are tried out, and what autodp says.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import mpmath
import pytest

from rdpacct import (
    Gaussian,
    InputError,
    SparseVector,
    UndecidedError,
    audit_code,
    delta,
    epsilon,
)
from rdpacct import GaussianSparseVector as SparseGaussian
from rdpacct.exact.formula import formula
from rdpacct.functions import sqrt
from rdpacct.mechanisms import Mechanism
from rdpacct.mechanisms.selection.first_above import first_above_delta, first_above_law
from rdpacct.mechanisms.selection.threshold_levels import QueryLevels
from rdpacct.mechanisms.selection.threshold_noise import StandardNormal
from rdpacct.mechanisms.selection.threshold_runs import one_event
from rdpacct.questions import Questions, profile

EPSILONS = (Fraction(0), Fraction(1, 4), Fraction(1), Fraction(2))
NORMAL = NormalDist()
Row = tuple[int, ...]
NODES = [-9 + k / 12 for k in range(217)]
"""The trapezoid rule on these is good to fifteen digits for the integrands of few queries."""


@lru_cache
def row_laws(
    queries: tuple[float, ...], threshold: float, query: float, most_above: int
) -> dict[Row, float]:
    """The probability of each row of answers, by integration over the noise of the threshold."""
    law = defaultdict[Row, float](float)
    for node in NODES:
        weight = math.exp(-(node**2) / 2) / (12 * math.sqrt(2 * math.pi))
        above = [
            math.erfc((threshold * node - each) / (query * math.sqrt(2))) / 2
            for each in queries
        ]
        for row, chance in _rows(above, most_above):
            law[row] += weight * chance
    return dict(law)


def _rows(above: Sequence[float], left: int) -> list[tuple[Row, float]]:
    """Each row of answers to these queries with its chance, until so many are above."""
    if not above or not left:
        return [((), 1.0)]
    found = []
    for answer, chance in ((0, 1 - above[0]), (1, above[0])):
        for row, rest in _rows(above[1:], left - answer):
            found.append(((answer, *row), chance * rest))
    return found


def stick(first: dict[Row, float], second: dict[Row, float], level: Fraction) -> float:
    growth = math.exp(level)
    return sum(max(0.0, first[row] - growth * second[row]) for row in first)


def test_the_integrals_of_this_test_are_right() -> None:
    """One query by the sum of the two noises, and two by mpmath."""
    law = row_laws((-1.0,), 2.0, 3.0, 1)
    assert law[1,] == pytest.approx(float(mpmath.ncdf(-1 / mpmath.sqrt(13))), rel=1e-12)

    def both(z: Any) -> Any:
        below = mpmath.ncdf((2 * z + 1) / 3)
        return mpmath.npdf(z) * below * (1 - mpmath.ncdf((2 * z - 2) / 3))

    law = row_laws((-1.0, 2.0), 2.0, 3.0, 1)
    total = mpmath.quad(both, [-12, -4, 0, 4, 12])
    assert law[0, 1] == pytest.approx(float(total), rel=1e-12)


PAIRS = [
    ((-1.0,), (-2.0,)),
    ((0.0, 0.0), (1.0, -1.0)),
    ((-2.0, -2.0, -4.0), (-1.0, -1.0, -5.0)),
    ((-3.0, -6.0, -6.0, -6.0), (-2.0, -7.0, -7.0, -7.0)),
    ((-1.0, -1.0, -1.0, -9.0), (0.0, 0.0, 0.0, -10.0)),
]


MONOTONE = [
    ((-2.0, -2.0, -3.0, -3.0), (-1.0, -1.0, -3.0, -3.0)),
    ((-3.0, -3.0, -3.0, -3.0), (-4.0, -4.0, -4.0, -4.0)),
]


@pytest.mark.slow
def test_no_monotone_answers_exceed_the_upper_end() -> None:
    """Where some queries rise and none falls, and where all fall."""
    mechanism = SparseGaussian(2, 3, 4, monotone=True)
    for level in EPSILONS:
        allowed = float(delta(mechanism, level).upper)
        for pair in MONOTONE:
            laws = [row_laws(queries, 2.0, 3.0, 1) for queries in pair]
            assert stick(laws[0], laws[1], level) <= allowed
            assert stick(laws[1], laws[0], level) <= allowed


@pytest.mark.parametrize("most", [1, 2])
def test_no_answers_exceed_the_upper_end(most: int) -> None:
    """In both orders, for queries on one and on several levels."""
    mechanism = SparseGaussian(2, 3, 4, most)
    for level in EPSILONS:
        allowed = float(delta(mechanism, level).upper)
        for pair in PAIRS:
            laws = [row_laws(queries, 2.0, 3.0, most) for queries in pair]
            assert stick(laws[0], laws[1], level) <= allowed
            assert stick(laws[1], laws[0], level) <= allowed


def test_the_comparison_can_fail() -> None:
    """Eight queries exceed what one query allows, and one with a tenth of the noise."""
    level = Fraction(1, 4)
    first, second = ((-2.0,) * 4 + (-4.0,) * 4, (-1.0,) * 4 + (-5.0,) * 4)
    found = stick(row_laws(first, 2.0, 3.0, 1), row_laws(second, 2.0, 3.0, 1), level)
    assert found > float(delta(SparseGaussian(2, 3, 1), level).upper)
    assert found <= float(delta(SparseGaussian(2, 3, 8), level).upper)


def test_lower_ends_are_those_of_queries() -> None:
    """The event of a planned run has the probabilities of its queries, by enumeration: the second
    half of the queries is on another level, and some of it is above.
    """
    ratio, shift = formula(Fraction(2, 3)), formula(Fraction(1, 3))
    levels = QueryLevels(2, 3, 2, 0.5, 1.25, 1, 1)
    [loss] = one_event(StandardNormal(), ratio, shift, levels)
    atom: Any = loss.parts[0]
    queries = (-1.5, -1.5, -3.75, -3.75, -3.75)
    moved = (-0.5, -0.5, -4.75, -4.75, -4.75)
    for each, chance in ((queries, atom.p), (moved, atom.q)):
        law = row_laws(each, 2.0, 3.0, 5)
        event = sum(p for row, p in law.items() if not sum(row[:2]) and sum(row) >= 2)
        assert float(chance.ball(64)) == pytest.approx(event, rel=1e-11)


@pytest.mark.parametrize(
    "queries", [2, *(pytest.param(k, marks=pytest.mark.slow) for k in (1, 3, 5))]
)
def test_choices_that_are_tried_out(queries: int) -> None:
    """The best of many chances for each query, from the last to the first: never above the shipped
    delta, and near it.
    """
    shift = 0.75
    chances = [k / 2000 for k in range(2001)]
    falls = [NORMAL.cdf(_quantile(a) - shift) for a in chances]
    for level in (0.0, 0.5, 1.5):
        growth = math.exp(level)
        best = 0.0
        for _ in range(queries):
            gains = zip(chances, falls, strict=True)
            best = max(max(0.0, a - growth * b) + (1 - a) * best for a, b in gains)
        shipped = first_above_delta(
            formula(Fraction(shift)), queries, Fraction(level).limit_denominator()
        )
        assert best <= shipped
        assert shipped < best * 1.01


def _quantile(chance: float) -> float:
    if chance in (0, 1):
        return math.inf if chance else -math.inf
    return NORMAL.inv_cdf(chance)


@pytest.mark.slow
def test_the_law_has_the_points() -> None:
    """The law that composes lies above the recursion and near it, also for many queries."""
    for shift, queries in ((Fraction(1, 4), 1000), (Fraction(3), 20)):
        law = first_above_law(formula(shift), queries)
        for level in (Fraction(1, 3), Fraction(1), Fraction(5, 2)):
            least = float(first_above_delta(formula(shift), queries, level))
            found = float(law.delta(level).lower)
            assert 0.99 * least < found < 1.2 * least


def test_one_query_is_a_gaussian_release() -> None:
    """The noises add up, and levels for a delta have nearly all of it."""
    one = SparseGaussian(3, 4, 1)
    found = epsilon(one, "1e-6")
    assert found.upper == epsilon(Gaussian(5), "1e-6").upper
    assert found.lower > Fraction("0.999") * Fraction(found.upper)


PEER = [
    ((4, 8, 10), "1e-6", 2.26813194),
    ((4, 8, 1000), "1e-3", 2.06804319),
    ((4, 8, 1000), "1e-6", 2.62393440),
    ((10, 20, 100), "1e-6", 0.93051381),
    ((2, 2, 10), "1e-6", 7.12510689),
]
"""What GaussianSVT_Mechanism of autodp (06489ea, one answer above, with k) gives as epsilon: the
bound by Renyi divergences of Zhu and Wang.
"""


@pytest.mark.parametrize(
    ("sigmas", "at", "theirs"),
    [PEER[0], *(pytest.param(*row, marks=pytest.mark.slow) for row in PEER[1:])],
)
def test_against_autodp(sigmas: tuple[int, int, int], at: str, theirs: float) -> None:
    """Their bound is above ours, and ours is not below what occurs."""
    ours = epsilon(SparseGaussian(*sigmas), at)
    assert 0 < ours.lower < ours.upper < Fraction(theirs) * Fraction(9, 10)


@pytest.mark.slow
def test_renyi_divergences_between_both_ends() -> None:
    """Those of rows of answers are below; Zhu and Wang's are above, for many queries."""
    few = profile(SparseGaussian(2, 3, 4))
    many = Questions(plan_of(SparseGaussian(4, 8, 1000)))
    for order in (Fraction(2), Fraction(8)):
        most = few.renyi(order).upper
        for first, second in PAIRS:
            p, q = (row_laws(queries, 2.0, 3.0, 1) for queries in (first, second))
            moment = sum(
                p[row] ** float(order) * q[row] ** float(1 - order) for row in p
            )
            assert math.log(moment) / float(order - 1) <= most
        theirs = math.log(1000) / float(order - 1) + float(order) * (1 / 16 + 1 / 32)
        assert many.renyi(order).upper < theirs


def plan_of(mechanism: Mechanism) -> Any:
    return 1 * mechanism


@pytest.mark.slow
def test_more_queries_answers_or_less_noise_cost_more() -> None:
    """And monotone queries, which need not move against the threshold, cost less."""
    base = epsilon(SparseGaussian(4, 8, 50), "1e-5").upper
    for worse in (
        SparseGaussian(4, 8, 100),
        SparseGaussian(4, 8, 50, 2),
        SparseGaussian(3, 8, 50),
        SparseGaussian(4, 7, 50),
        SparseGaussian(4, 8, 50, sensitivity="1.1"),
    ):
        assert epsilon(worse, "1e-5").upper > base
    assert epsilon(SparseGaussian(4, 8, 50, monotone=True), "1e-5").upper < base


@pytest.mark.parametrize(("queries", "most"), [(1, 3), (2, 2), (3, 3), (5, 4)])
def test_all_queries_may_be_above(queries: int, most: int) -> None:
    """Events of runs are planned for any numbers of queries and answers."""
    found = delta(SparseGaussian(2, 3, queries, most), "1/4")
    assert 0 < found.lower < found.upper


def test_numeric_answers_are_a_plan() -> None:
    """Gaussian releases beside it merge with the threshold."""
    which = SparseGaussian(2, 3, 4, 2)
    alone = epsilon(which, "1e-6")
    values = epsilon(which + 2 * Gaussian(4), "1e-6")
    assert alone.upper < values.upper < alone.upper + 1
    assert alone.lower < values.lower


def test_samples_follow_the_law() -> None:
    """Rows of answers, cut after the last that is asked for and after the last query."""
    mechanism = SparseGaussian(2, 3, 3)
    rng = random.Random(5)
    count = 1000
    drawn = Counter(mechanism.sample((0, 1, -2, 9), rng) for _ in range(count))
    for row, p in row_laws((0.0, 1.0, -2.0), 2.0, 3.0, 1).items():
        assert abs(drawn[row] / count - p) < 5 * (p / count) ** 0.5


@pytest.mark.slow
def test_running_code_keeps_its_claim() -> None:
    """Audited as code, with the rows of answers as outputs."""
    kept = audit_code(
        SparseGaussian(2, 3, 2).sample,
        (0, 1),
        (1, 0),
        "GaussianSparseVector(threshold_sigma=2, query_sigma=3, most_queries=2)",
        trials=500,
    )
    assert kept.undecided


def test_what_is_not_known_is_said() -> None:
    """Losses about their mean are not bounded by a law above."""
    with pytest.raises(UndecidedError):
        profile(SparseGaussian(2, 3, 4)).one_sided_tau()


@pytest.mark.parametrize(
    "mechanism",
    [
        SparseGaussian(1, "1e-9", 3),
        SparseGaussian("1e9", 1, 5),
        SparseGaussian(4, "1/30", 10),
        SparseGaussian(2, 3, 4, sensitivity="1e-12"),
        SparseVector(1, "1e-9"),
    ],
    ids=str,
)
def test_noises_of_any_size_have_an_answer(mechanism: Mechanism) -> None:
    """Where no event or no law is worked out, what is left answers."""
    found = epsilon(mechanism, "1e-6")
    assert 0 <= found.lower <= found.upper < math.inf


@pytest.mark.slow
def test_small_noise_is_a_release_of_all_comparisons() -> None:
    """Where one answer tells nearly all, only that law is left."""
    found = epsilon(SparseGaussian(1, "1/100", 3), "1e-6")
    all_of_them = epsilon(Gaussian("1/100", sqrt(3)), "1e-6")
    assert found.upper == all_of_them.upper


def test_what_cannot_be_used_is_refused() -> None:
    """Counts, sigmas, flags and queries out of range, and queries that are not monotone."""
    for make in (
        lambda: SparseGaussian(0, 1, 1),
        lambda: SparseGaussian(1, 0, 1),
        lambda: SparseGaussian(1, 1, 0),
        lambda: SparseGaussian(1, 1, 10**10),
        lambda: SparseGaussian(1, 1, 1, 0),
        lambda: SparseGaussian(1, 1, 1, monotone="no"),  # type: ignore[arg-type]
        lambda: SparseGaussian(1, 1, 1).sample([]),
        lambda: SparseGaussian(1, 1, 1).sample("12"),
        lambda: SparseGaussian(1, sqrt(2), 1).sample([1]),
    ):
        with pytest.raises(InputError):
            make()
    monotone: Mechanism = SparseGaussian(1, 1, 2, monotone=True)
    assert "monotone" in monotone.uncovered(
        [Fraction(0)] * 2, [Fraction(1), Fraction(-1)]
    )
