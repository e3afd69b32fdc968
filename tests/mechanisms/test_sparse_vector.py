"""The sparse vector technique: its epsilon, against published variants and exact laws."""

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import InputError, Laplace, SparseVector, audit_code, delta, epsilon
from rdpacct.exact.ball import Ball
from rdpacct.exact.formula import formula
from rdpacct.mechanisms import Mechanism
from rdpacct.mechanisms.selection.sparse_vector import two_noises_above
from rdpacct.mechanisms.selection.threshold_levels import QueryLevels
from rdpacct.mechanisms.selection.threshold_noise import StandardLaplace
from rdpacct.mechanisms.selection.threshold_runs import one_event
from rdpacct.testing.twins import sparse_vector as twins

EPSILONS = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1))


def exactly(value: Any) -> Ball:
    ball: Ball = value.ball(96)
    return ball


@pytest.mark.parametrize("most", [1, 2, 3, 4, 5])
def test_published_epsilons(most: int) -> None:
    """Algorithm 1 of Lyu, Su and Li has epsilon 1 with scales 2 and 4c; Algorithm 4 has (1 +
    6c)/4; monotone queries need half of the noise.
    """
    assert epsilon(SparseVector(2, 4 * most, most), 0).upper == 1
    fourth = SparseVector(4, "4/3", most)
    assert epsilon(fourth, 0).upper == Fraction(1 + 6 * most, 4)
    assert epsilon(SparseVector(2, 2 * most, most, monotone=True), 0).upper == 1


PAIRS: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((0,), (1,)),
    ((0, 1), (1, 0)),
    ((0, 0, 1), (1, 1, 0)),
    ((0, 0, 1, 1), (1, 1, 0, 0)),
    ((0, 2, 0, 1), (1, 1, 1, 0)),
]


@pytest.mark.parametrize("most", [1, 2])
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_no_answers_exceed_the_law(pair: Any, most: int) -> None:
    """Exact laws of all rows of answers; those of the variant without the factor c do, for large
    c.
    """
    mechanism = SparseVector(2, 4 * most, most)
    code = twins.algorithm_1(most)
    first, second = (code.law(queries) for queries in pair)
    for level in EPSILONS:
        most_allowed = delta(mechanism, level).upper
        for p, q in ((first, second), (second, first)):
            growth = Ball.of(level, 96).exp()
            gains = [
                (exactly(p[row]) - growth * exactly(q[row])).positive_part()
                for row in p
            ]
            total = sum(gains[1:], start=gains[0])
            assert not (
                total - Ball.of(Fraction(most_allowed), 96)
            ).certainly_positive()


def test_too_little_noise_exceeds_the_law() -> None:
    """The comparison can fail: Algorithm 6 against the epsilon that it claims."""
    broken = twins.ALGORITHM_6.broken
    first = broken.law((0, 0, 0, 1, 1, 1))  # type: ignore[attr-defined]
    second = broken.law((1, 1, 1, 0, 0, 0))  # type: ignore[attr-defined]
    growth = Ball.of(1, 96).exp()
    gains = [
        (exactly(first[row]) - growth * exactly(second[row])).positive_part()
        for row in first
    ]
    assert sum(gains[1:], start=gains[0]).certainly_positive()
    assert delta(SparseVector(2, 24, 6), 1).upper == 0


def test_one_query_is_the_lower_end() -> None:
    """The chance that a query is above, by the exact race of the twins, for equal scales and
    others.
    """
    for scales in ((2, 4), (4, 2), (3, 3)):
        code = twins.PublishedVariant(*scales, 1)
        for query in (0, -1, -5):
            exact = code.law((query,))[1,]
            found = two_noises_above(*map(_formula, (*scales, -query)))
            gap = exactly(exact - found)
            assert not gap.certainly_positive()
            assert not gap.certainly_negative()
        bound = delta(SparseVector(*scales), "1/10")
        assert 0 <= bound.lower < bound.upper


def test_events_of_many_queries_are_the_lower_end() -> None:
    """Their chances by the exact race of the twins, and nearly all of epsilon at a small delta."""
    levels = QueryLevels(2, 2, 1, near=0.5, far=0.25, rise=1, fall=1)
    [loss] = one_event(StandardLaplace(), _formula(2), 1 / _formula(4), levels)
    atom: Any = loss.parts[0]
    code = twins.PublishedVariant(8, 4, 1)
    for queries, chance in (((-2, -2, -1, -1), atom.p), ((-1, -1, -2, -2), atom.q)):
        law = code.law(queries)
        exact = law[0, 0, 1, -1] + law[0, 0, 0, 1]
        assert abs(float((exact - chance).ball(96))) < 1e-15
    found = epsilon(SparseVector(2, 4), "1e-6")
    assert found.lower > Fraction("0.98") * Fraction(found.upper)


def _formula(number: int) -> Any:
    return formula(number)


def test_samples_follow_the_exact_law() -> None:
    """Rows of answers, cut after the last that is asked."""
    mechanism = SparseVector(2, 4)
    rng = random.Random(3)
    count = 3000
    drawn = Counter(mechanism.sample((0, 1, 2), rng) for _ in range(count))
    for row, chance in twins.algorithm_1(1).law((0, 1, 2)).items():
        asked = tuple(answer for answer in row if answer >= 0)
        p = float(chance.ball(64))
        assert abs(drawn[asked] / count - p) < 5 * (p / count) ** 0.5
    assert all(sum(row) <= 1 for row in drawn)


def test_running_code_keeps_its_claim() -> None:
    """Audited as code, with the rows of answers as outputs."""
    kept = audit_code(
        SparseVector(2, 4).sample, (0, 1), (1, 0), "PureDP(epsilon=1)", trials=800
    )
    assert kept.undecided


def test_answers_with_values_are_a_plan() -> None:
    """Two numeric answers beside it cost two Laplace releases."""
    found = epsilon(SparseVector(3, 12, 2) + 2 * Laplace(6), 0)
    assert found.upper == 1


def test_what_cannot_be_used_is_refused() -> None:
    """Counts, scales, flags and queries out of range, and queries that are not monotone."""
    for make in (
        lambda: SparseVector(0, 1),
        lambda: SparseVector(1, 0),
        lambda: SparseVector(1, 1, 0),
        lambda: SparseVector(1, 1, "1/2"),
        lambda: SparseVector(1, 1, monotone="no"),  # type: ignore[arg-type]
        lambda: SparseVector(1, 1).sample([]),
        lambda: SparseVector(1, 1).sample("12"),
    ):
        with pytest.raises(InputError):
            make()
    monotone: Mechanism = SparseVector(1, 1, monotone=True)
    assert "monotone" in monotone.uncovered(
        [Fraction(0)] * 2, [Fraction(1), Fraction(-1)]
    )
