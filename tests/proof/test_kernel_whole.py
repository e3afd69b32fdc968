"""Whole numbers in the kernel: the conditions of a replaced symbol, by enumeration, and misuse."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.proof.kernel import (
    Fact,
    Quantity,
    Refused,
    Whole,
    assume,
    at_most,
    combine,
    real,
    specialize,
    under,
)
from rdpacct.proof.kernel.side import searching
from rdpacct.proof.kernel.statements import Condition
from rdpacct.proof.kernel.whole import whole_at, wholes_for
from rdpacct.proof.tactics.ranks import Sample
from rdpacct.proof.tactics.whole import next_whole
from tests.kernel_model import Model

k, m, n, q = (Symbol(name) for name in "kmnq")
HALVES = [Fraction(number, 2) for number in range(-8, 9)]


def holds(conditions: list[Condition], values: dict[str, Fraction]) -> bool:
    """All conditions hold at these values."""
    model = Model(dict(values))
    return all(model._in(one, {}) for one in conditions)


def is_whole(one: Whole, value: Expr, values: dict[str, Fraction]) -> bool:
    """The value is one of these whole numbers, by evaluating it."""
    number = Fraction(str(value.at(**values)))
    return number.denominator == 1 and number >= one.start


@pytest.mark.parametrize("value", [m, m + 3, m - 2, -1 + m, formula(4)], ids=str)
@pytest.mark.parametrize("start", [-1, 0, 2])
def test_a_shifted_whole_number_is_one_exactly_where_the_condition_holds(
    value: Expr, start: int
) -> None:
    one = Whole("k", start)
    for number in HALVES:
        values = {"m": number}
        assert holds([whole_at(one, value)], values) == is_whole(one, value, values)


@pytest.mark.parametrize(
    "value", [m + n, m * n, 2 * m - n, m * n - 3 * m + 1, m + n * n], ids=str
)
@pytest.mark.parametrize("start", [-1, 0, 2])
def test_sums_and_products_of_whole_numbers_are_whole(value: Expr, start: int) -> None:
    one = Whole("k", start)
    conditions = wholes_for(one, value)
    met = 0
    for first, second in product(HALVES, repeat=2):
        values = {"m": first, "n": second}
        if holds(conditions, values):
            met += 1
            assert is_whole(one, value, values)
    assert met


def some(strict: str, *wholes: Whole) -> Fact:
    """A strict relation where it is given, between numbers that are whole."""
    return under(real(strict, strict), strict, *wholes)


def test_the_next_whole_number() -> None:
    fact = specialize(next_whole(), j=k + 2 * m, k=n * k)
    assert fact.relation == at_most(k + 2 * m + 1, n * k)
    assert {Whole("k", 0), Whole("m", 0), Whole("n", 0)} <= {*fact.domain}
    assert not fact.hypotheses


DATA = Sample("c", "V")
NATURAL = assume(at_most(Quantity("M", (k,)), q), Whole("k", 0))
MISUSED: dict[str, tuple[Callable[[], object], str]] = {
    "the next number of one that is not whole": (
        lambda: under(next_whole(), "j < k", Whole("j", 0), "0 <= k"),
        "does not contain: k",
    ),
    "the next number of half of a whole number": (
        lambda: specialize(next_whole(), j=m / 2),
        "not one that can be seen",
    ),
    "the next number of a quantity that may be a fraction": (
        lambda: specialize(next_whole(), k=Quantity("M", ())),
        "not one that can be seen",
    ),
    "a symbol plus a fraction": (
        lambda: specialize(some("k < q", Whole("k", 0)), k=m + Fraction(1, 2)),
        "not one that can be seen",
    ),
    "a number below the start": (
        lambda: specialize(some("k < q", Whole("k", 2)), k=1),
        "not one that can be seen",
    ),
    "half of a product": (
        lambda: specialize(some("k < q", Whole("k", 0)), k=m * n / 2),
        "not one that can be seen",
    ),
    "a quotient": (
        lambda: specialize(some("k < q", Whole("k", 0)), k=m / n),
        "not one that can be seen",
    ),
    "a sum in a hypothesis, which would be one for naturals only": (
        lambda: specialize(NATURAL, k=m + n),
        "not one that can be seen",
    ),
    "a later start": (
        lambda: under(some("k < q", Whole("k", 1)), "k < q", Whole("k", 0)),
        "no proof of 1 <= k",
    ),
    "a real number in place of a whole one": (
        lambda: under(some("k < q", Whole("k", 0)), "k < q", "0 <= k"),
        "does not contain",
    ),
    "a rank beyond the sample": (
        lambda: under(specialize(DATA.reached, k=n + 1), Whole("n", 0)),
        "no proof of n + 1 <= n",
    ),
    "what is least at a rank beyond the sample": (
        lambda: under(specialize(DATA.least, k=n + 1), Whole("n", 0)),
        "no proof of n + 1 <= n",
    ),
    "a rank that is no whole number": (
        lambda: specialize(DATA.reached, k=Fraction(1, 2)),
        "not one that can be seen",
    ),
}


@pytest.mark.parametrize("name", sorted(MISUSED))
def test_whole_numbers_are_not_misused(name: str) -> None:
    attempt, reason = MISUSED[name]
    with searching(1.0), pytest.raises(Refused) as refusal:
        attempt()
    assert reason in str(refusal.value)


def test_starts_are_compared() -> None:
    fact = some("k < q", Whole("k", 1))
    assert under(fact, "k < q", Whole("k", 2)).domain[1] == Whole("k", 2)
    assert under(fact, "k < q", Whole("k", 0), "1 <= k").relation == fact.relation


def test_a_hypothesis_is_moved_with_its_start() -> None:
    moved = specialize(NATURAL, k=m - 1)
    (hypothesis,) = moved.hypotheses
    assert hypothesis.domain == (Whole("m", 1),)
    assert moved.domain == (Whole("m", 1),)
    assert combine(at_most(Quantity("M", (m - 1,)), q), moved).hypotheses
