"""Local randomizers against tables that follow from their definitions, output by output."""

import itertools
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import (
    FiniteMechanism,
    HadamardResponse,
    InputError,
    OptimizedUnaryEncoding,
    SubsetSelection,
    SymmetricUnaryEncoding,
    delta,
    epsilon,
)
from rdpacct.functions import log
from rdpacct.testing import check_laws

Row = dict[Any, Fraction]


def bits_table(keep: Fraction, stray: Fraction, answers: int) -> list[Row]:
    """The probability of each vector of independent bits, on each value."""
    rows = list[Row]()
    for value in range(answers):
        row = Row()
        for bits in itertools.product((0, 1), repeat=answers):
            mass = Fraction(1)
            for place, bit in enumerate(bits):
                one = keep if place == value else stray
                mass *= one if bit else 1 - one
            row[bits] = mass
        rows.append(row)
    return rows


def symmetric(answers: int) -> tuple[Any, list[Row]]:
    """Odds of 3 for each bit: epsilon is log(9)."""
    rows = bits_table(Fraction(3, 4), Fraction(1, 4), answers)
    return SymmetricUnaryEncoding(log(9), answers), rows


def optimized(answers: int) -> tuple[Any, list[Row]]:
    """Odds of 3 against a stray bit: epsilon is log(3)."""
    rows = bits_table(Fraction(1, 2), Fraction(1, 4), answers)
    return OptimizedUnaryEncoding(log(3), answers), rows


def matrix(order: int) -> list[list[int]]:
    """The Hadamard matrix of an order that is a power of two, by doubling."""
    rows = [[1]]
    while len(rows) < order:
        rows = [row + row for row in rows] + [row + [-x for x in row] for row in rows]
    return rows


def hadamard(answers: int) -> tuple[Any, list[Row]]:
    """The rows of Sylvester's matrix after the first, with odds of 3."""
    order = 2
    while order <= answers:
        order *= 2
    rows = list[Row]()
    for signs in matrix(order)[1 : answers + 1]:
        weights = [3 if sign == 1 else 1 for sign in signs]
        total = sum(weights)
        rows.append({y: Fraction(w, total) for y, w in enumerate(weights)})
    return HadamardResponse(log(3), answers), rows


def subsets(answers: int, size: int) -> tuple[Any, list[Row]]:
    """All sets of a size, those with the value three times as likely."""
    rows = list[Row]()
    for value in range(answers):
        sets = list(itertools.combinations(range(answers), size))
        weights = [3 if value in chosen else 1 for chosen in sets]
        total = sum(weights)
        rows.append(
            {
                chosen: Fraction(w, total)
                for chosen, w in zip(sets, weights, strict=True)
            }
        )
    return SubsetSelection(log(3), answers, size), rows


CASES = {
    "symmetric 2": symmetric(2),
    "symmetric 3": symmetric(3),
    "optimized 2": optimized(2),
    "optimized 4": optimized(4),
    "Hadamard 2": hadamard(2),
    "Hadamard 3": hadamard(3),
    "Hadamard 4": hadamard(4),
    "subsets 2 of 4": subsets(4, 2),
    "subsets 1 of 3": subsets(3, 1),
    "subsets 3 of 5": subsets(5, 3),
}
each_case = pytest.mark.parametrize("name", CASES)


def columns(rows: list[Row]) -> list[list[Fraction]]:
    """The rows with the outputs in one order."""
    return [[row[output] for output in rows[0]] for row in rows]


@each_case
def test_the_loss_is_that_of_every_pair_of_values(name: str) -> None:
    """delta of each ordered pair, from the whole table, in exact arithmetic."""
    mechanism, rows = CASES[name]
    table = FiniteMechanism(columns(rows))
    for at in (0, "0.3", 1, "1.09", 2):
        known = delta(mechanism, at)
        for i, j in itertools.permutations(range(len(rows)), 2):
            assert table.loss_between(i, j).delta(at).overlaps(known)
    assert epsilon(mechanism, 0).overlaps(epsilon(table, 0))


@each_case
def test_which_outputs_favor_a_value(name: str) -> None:
    """The observed loss of each output is that of the table."""
    mechanism, rows = CASES[name]
    for output, p in rows[1].items():
        ratio = p / rows[0][output]
        loss = log(ratio).bound()
        assert abs(mechanism.observed(output) - float(loss)) < 1e-12


@each_case
def test_samples_have_the_probabilities_of_the_table(name: str) -> None:
    """Within Hoeffding's bound at error 1e-9, where epsilon is rational."""
    mechanism, rows = CASES[name]
    rounded = mechanism.epsilon.bound().lower.limit_denominator(10**6)
    sampled = type(mechanism)(rounded, *_after_epsilon(mechanism))
    rng = random.Random(7)
    seen = Counter(sampled.sample(1, rng) for _ in range(4000))
    assert set(seen) <= set(rows[1])
    for output, mass in rows[1].items():
        assert abs(seen[output] / 4000 - mass) < 0.055


def _after_epsilon(mechanism: Any) -> tuple[int, ...]:
    if isinstance(mechanism, SubsetSelection):
        return mechanism.answers, mechanism.size
    return (mechanism.answers,)


def test_a_stated_epsilon_that_is_too_small_is_found() -> None:
    """The laws refuse bits that are flipped by the odds of epsilon, not of half of it."""

    class _Doubled(SymmetricUnaryEncoding):
        def neutral(self) -> Any:
            return SymmetricUnaryEncoding(2 * self.epsilon).neutral()

    with pytest.raises(AssertionError, match="exceeds loss"):
        check_laws(_Doubled(2))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: HadamardResponse(1, answers=1), "answers is 1"),
        (lambda: SubsetSelection(1, answers=4, size=4), "size is 4"),
        (lambda: SubsetSelection(1, answers=4, size=0), "size is 0"),
        (lambda: OptimizedUnaryEncoding(-1), "epsilon is -1"),
        (lambda: SymmetricUnaryEncoding(1).sample(2), "must be one of 0 to 1"),
        (lambda: HadamardResponse(1).sample(9), "must be one of 0 to 1"),
        (lambda: SubsetSelection(1, 4, 2).sample(True), "must be one of 0 to 3"),
        (lambda: OptimizedUnaryEncoding(1, 10**8).sample(0), "to sample"),
    ],
)
def test_bad_values_get_a_sentence(make: Any, said: str) -> None:
    """What is wrong and what to give."""
    with pytest.raises(InputError, match=said):
        make()
