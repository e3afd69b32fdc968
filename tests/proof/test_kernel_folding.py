"""The rule that takes a number apart into whole steps and a rest, and sums of whole numbers."""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    Quantity,
    Refused,
    Whole,
    assume,
    at_most,
    below,
    combine,
    folded,
    real,
    specialize,
    under,
)
from rdpacct.proof.kernel.side import searching
from rdpacct.proof.kernel.terms import relations

j, x, y, W, a, N, n, k = (
    Symbol(name) for name in ("j", "x", "y", "W", "a", "N", "n", "k")
)
AT = x + j * W
STEPS = Whole("j", 0)
REST = ("0 <= x", "x <= W")
LAW = Law("P", ("z",))
GIVEN = ("0 < W", *REST, STEPS)


def g(at: Any) -> Any:
    return Quantity("g", (formula(at),))


def parts(claim: Any = None, *given: Any) -> Fact:
    """g(x + j W) <= a, assumed for all x and j, or another relation."""
    known = given or GIVEN
    return assume(claim or at_most(g(AT), a), *known, every=("x", "j"))


def test_a_relation_for_every_number() -> None:
    fact = folded(parts(), at_most(g(y), a), "y", W)
    assert fact.relation == at_most(g(y), a)
    assert {str(one) for one in fact.domain} == {"0 < W", "0 <= y"}
    at_five = specialize(fact, y=5, W=2)
    assert at_five.relation == at_most(g(5), a)


def test_a_relation_by_induction_over_the_steps() -> None:
    """exp(-y) <= 1 for every y >= 0, from one step to the next."""
    wanted = under(real(at_most(exp(-AT), 1), "0 < W", "0 <= x", "0 <= j"), *GIVEN)
    fact = folded(wanted, at_most(exp(-y), 1), "y", W)
    for value in (Fraction(0), Fraction(1, 3), Fraction(7)):
        assert fact.relation.at({"y": value}) is True


def test_every_number_is_whole_steps_and_a_rest() -> None:
    """The sentence of the rule, at random numbers."""
    rng = random.Random(5)
    for _ in range(300):
        step = Fraction(rng.randint(1, 50), rng.randint(1, 50))
        number = Fraction(rng.randint(0, 500), rng.randint(1, 50))
        steps = Fraction(number // step)
        values = {"x": number - steps * step, "j": steps, "W": step}
        assert all(one.at(values) is True for one in relations(*REST, "0 <= j"))
        assert AT.at(**values) == formula(number)


FOLDED: dict[str, Callable[[], Fact]] = {
    "another relation": lambda: folded(parts(), at_most(g(y), a + 1), "y", W),
    "another step": lambda: folded(parts(), at_most(g(y), a), "y", 2 * W),
    "a step that is not positive": lambda: folded(
        parts(None, *REST, STEPS), at_most(g(y), a), "y", W
    ),
    "a part in the relation": lambda: folded(
        parts(at_most(g(AT), g(x))), at_most(g(y), g(x)), "y", W
    ),
    "a number of steps in the relation": lambda: folded(
        parts(at_most(g(AT), j)), at_most(g(y), j), "y", W
    ),
    "some of the rests": lambda: folded(
        parts(None, *GIVEN, "x <= W/2"), at_most(g(y), a), "y", W
    ),
    "some numbers of steps": lambda: folded(
        parts(None, *GIVEN, "j <= 7"), at_most(g(y), a), "y", W
    ),
    "a later start": lambda: folded(
        parts(None, "0 < W", *REST, Whole("j", 1)), at_most(g(y), a), "y", W
    ),
    "a relation between the parts": lambda: folded(
        parts(None, *GIVEN, at_most(AT, 3)), at_most(g(y), a), "y", W
    ),
    "a rest that is assumed about": lambda: folded(
        assume(at_most(g(AT), a), *GIVEN, every="j"), at_most(g(y), a), "y", W
    ),
    "a step that moves": lambda: folded(
        parts(at_most(g(x + j * x), a), "0 < x", *REST, STEPS),
        at_most(g(y), a),
        "y",
        x,
    ),
    "a step that is the number": lambda: folded(
        parts(at_most(g(x + j * y), a), "0 < y", "0 <= x", "x <= y", STEPS),
        at_most(g(y), a),
        "y",
        y,
    ),
    "a condition on the number": lambda: folded(
        parts(None, *GIVEN, "y <= 1"), at_most(g(y), a), "y", W
    ),
    "the same name twice": lambda: folded(parts(), at_most(g(y), a), "y", W, rest="j"),
    "a mean": lambda: folded(
        assume(at_most(E(LAW, LAW.symbol("z") * AT), a), *GIVEN, every=("x", "j")),
        at_most(E(LAW, LAW.symbol("z") * y), a),
        "y",
        W,
    ),
    "undefined at the start": lambda: folded(
        parts(at_most(1 / AT, a)), at_most(1 / y, a), "y", W
    ),
    "undefined inside of a quantity": lambda: folded(
        parts(at_most(g(1 / AT), a)), at_most(g(1 / y), a), "y", W
    ),
}


@pytest.mark.parametrize("name", sorted(FOLDED))
def test_folding_refuses(name: str) -> None:
    with searching(1.0), pytest.raises(Refused):
        FOLDED[name]()


def counted(start: int = 0) -> Fact:
    """g(k) <= a for all whole k."""
    return assume(at_most(g(k), a), Whole("k", start), every="k")


def test_sums_of_whole_numbers_are_whole() -> None:
    fact = specialize(counted(), k=N + n + 1)
    assert fact.relation == at_most(g(N + n + 1), a)
    assert set(fact.domain) == {Whole("N", 0), Whole("n", 0)}
    later = under(fact, Whole("N", 2), Whole("n", 0))
    assert set(later.domain) == {Whole("N", 2), Whole("n", 0)}


SUMS: dict[str, Callable[[], Fact]] = {
    "a half": lambda: specialize(counted(), k=N + Fraction(1, 2)),
    "a part": lambda: specialize(counted(), k=N / 2 + n),
    "a hypothesis that would say less": lambda: specialize(
        assume(at_most(g(k), a), Whole("k", 0)), k=N + n
    ),
    "an earlier start": lambda: under(counted(1), Whole("k", 0)),
    "another number": lambda: under(counted(), Whole("n", 3)),
}


@pytest.mark.parametrize("name", sorted(SUMS))
def test_whole_numbers_refuse(name: str) -> None:
    with searching(1.0), pytest.raises(Refused):
        SUMS[name]()


def test_a_hypothesis_about_sums_would_prove_too_much() -> None:
    """With N = n = 1/2 nothing would be assumed, and g(1) <= a would follow."""
    assumed = assume(at_most(g(k), a), Whole("k", 0))
    fact = combine(below(g(k), a + 1), assumed, rest=1)
    with pytest.raises(Refused, match="not one that can be seen"):
        specialize(fact, k=N + n)
    assert specialize(fact, k=3).relation == below(g(3), a + 1)
