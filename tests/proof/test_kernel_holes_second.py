"""More ways in which a kernel of this kind can prove a falsehood; each ends in a refusal.

What is bound where, what is defined, what is finite where, and what is no fact at all.
"""

from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from rdpacct.exact.formula import Apply, Expr, Symbol, formula
from rdpacct.exact.functions import exp, sqrt
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Density,
    E,
    Fact,
    Law,
    On,
    Refused,
    Stretch,
    Table,
    assume,
    at_most,
    axiom,
    cases,
    combine,
    conditional,
    discharge,
    dominated,
    draw,
    drawn,
    either,
    equal,
    exists,
    expect,
    given_by,
    instance,
    integrable,
    integrate,
    linear,
    marginal,
    real,
    relations,
    specialize,
    table,
    under,
)
from rdpacct.proof.kernel.laws import Event
from rdpacct.proof.kernel.side import searching

a, b, q, t, u, w, x, y, z, A, Z = (
    Symbol(name) for name in ("a", "b", "q", "t", "u", "w", "x", "y", "z", "A", "Z")
)
ABSURD = at_most(q + 1, q)
"""False, and not a plain number game."""
ANY = Law("P", ("x",))
FALLING = Density(
    "F", ("x",), relations("0 <= x"), (Stretch(formula(0), None, exp(-x)),)
)
FALLING_MASS = (-exp(-x),)
NO_ROOT: Expr = Apply("sqrt", (formula(-1),))
"""Its square folds to -1."""


def _at(
    value: Any,
    variable: str = "y",
    name: str = "T",
    support: tuple[Comparison, ...] = (),
) -> Table:
    """All mass at one point."""
    return Table(name, (variable,), support, (((formula(value),), formula(1)),))


# What is bound where.


def a_new_law_with_a_parameter_that_a_hypothesis_binds() -> Fact:
    """E x <= a for all a >= 1, at a law that sits at a."""
    law = _at(a)
    assumed = assume(at_most(E(ANY, x), a), "1 <= a", every="a")
    found = instance(under(specialize(assumed, a=1)), ANY, law, {"x": y})
    shown = discharge(found, combine(at_most(E(law, y), a), table(law, y)))
    there = given_by(shown, exists(law))
    return combine("2 <= 1", specialize(there, a=2), table(law.at(a=2), y))


def _family(value: Expr) -> Law:
    return Law("P", ("x",), relations(at_most(x, 1 + value**2)))


def one_law_of_a_family_and_then_the_rest() -> Fact:
    """E x <= 0 for all laws of a family: one is replaced, then what the others are assumed of."""
    assumed = assume(at_most(E(_family(b), x), 0), every="b")
    ones = _at(1, support=relations("y <= 1"))
    zeros = _at(0, "z", "T0", relations("z <= 0"))
    first = instance(specialize(assumed, b=a), _family(a), ones, {"x": y})
    second = instance(first, _family(b), zeros, {"x": z})
    shown = discharge(second, combine(at_most(E(zeros, z), 0), table(zeros, z)))
    there = given_by(shown, exists(ones), exists(zeros))
    return combine("1 <= 0", there, table(ones, y))


def a_family_replaced_at_one_parameter() -> Fact:
    """A law near a, for all a, is replaced at a near 0 only."""
    law = Law("P", ("x",), relations("x <= a + 1", "a - 1 <= x", "-9 <= x", "x <= 9"))
    finite = dominated(real("abs(x) <= 9", "-9 <= x", "x <= 9"), law)
    above = expect(real("a - 1 <= x", "a - 1 <= x"), law, finite)
    low = assume(at_most(E(law, x), 0), every="a")
    wrong = combine(at_most(a - 1 + q, q), above, low)
    wrong = given_by(wrong, exists(law, "-8 <= a", "a <= 8", point={"x": a}))
    zero = _at(0, support=relations("-1/4 <= y", "y <= 1/4"))
    near = "-1/4 <= a", "a <= 1/4"
    found = instance(specialize(wrong, a=5), law, zero, {"x": y}, *near)
    return discharge(found, combine(at_most(E(zero, y), 0), table(zero, y)))


def a_law_inside_of_another_mean() -> Fact:
    outer = Law("R", ("u",))
    same = linear(outer, E(ANY, x), {}, constant=E(ANY, x))
    found = []
    for value, name in ((0, "T0"), (1, "T1")):
        law = _at(value, name=name)
        moved = instance(same, ANY, law, {"x": y})
        mean = combine(equal(E(outer, E(ANY, x)), value), moved, table(law, y))
        laws = exists(outer, point={"u": 0}), exists(law), exists(ANY, point={"x": 0})
        found.append(given_by(mean, *laws))
    return combine("1 == 0", *found)


def a_law_inside_of_a_mean_that_captures() -> Fact:
    """E[u E x] = E[u] E x, at a law that sits at u."""
    outer = Law("R", ("u",), relations("-1 <= u", "u <= 1"))
    finite = dominated(real("abs(u) <= 1", *outer.support), outer)
    pulled = linear(outer, u * E(ANY, x), {u: E(ANY, x)}, finite)
    return instance(pulled, ANY, _at(u), {"x": y})


def a_hypothesis_on_a_variable_out_of_sight() -> Fact:
    base = _at(0, "x")
    law = draw(base, "Z", {formula(1): formula(1)})
    wrong = combine(ABSURD, cases(law, "1 <= Z"), assume("Z <= 0"))
    found = given_by(given_by(expect(wrong, base), exists(law)), exists(base))
    return discharge(specialize(found, Z=-1), real("-1 <= 0"))


def a_variable_with_the_name_of_an_atom() -> Fact:
    v = Symbol("atom_1")
    law, other = _at(1, "atom_1", "V"), _at(0, "x")
    gap = v - E(other, x)
    zero = linear(law, gap, {}, constant=0)
    finite = integrable(table(law, v), E(law, v))
    mean = linear(law, gap, {v: 1}, finite, constant=-E(other, x))
    both = [given_by(one, exists(law), exists(other)) for one in (zero, mean)]
    return combine("1 == 0", *both, table(law, v), table(other, x))


def a_law_that_is_there_for_some_values_of_what_is_bound() -> Fact:
    """The inner law exists for x >= 0, which the outer mean binds; not for x = -1."""
    inner = Table("Q", ("u",), relations("0 <= u", "u <= x"), (((x,), formula(1)),))
    outer = Law("L", ("x",), relations("0 <= x", "x <= 1"))
    finite = dominated(real("abs(x) <= 1", *outer.support), outer)
    nested = expect(table(inner, u, "0 <= x"), outer, finite)
    order = combine("0 <= x", real("0 <= u", "0 <= u"), real("u <= x", "u <= x"))
    found = given_by(expect(order, inner, nested), exists(outer, point={"x": 0}))
    return specialize(found, x=-1)


def a_null_set_for_each_value_of_a_variable_that_is_drawn() -> Fact:
    """E[exp(w (1 - (u - y)**2)) | u] is finite for each y, almost surely, but not at y = u."""
    law = Law("R", ("u", "w"))
    body = exp(w * (1 - (u - y) ** 2))
    assumed = assume(at_most(E(law, body), q), every="y")
    finite = conditional(integrable(assumed, E(law, body)), "u")
    copied = draw(law, "y", {u: formula(1)})
    positive = expect(real(at_most(0, body)), law, finite, given="u")
    found = combine(at_most(q, q + 1), (positive, 0), rest=1)
    return expect(found, copied)


# What is defined.


def a_point_that_is_undefined() -> Fact:
    law = Law("P", ("y",), relations("y**2 <= -1"))
    there = exists(law, point={"y": NO_ROOT})
    wrong = combine(ABSURD, real("y**2 <= -1", "y**2 <= -1"), real("0 <= y**2"))
    return given_by(expect(wrong, law), there)


def a_row_that_is_undefined() -> Fact:
    law = _at(NO_ROOT)
    mean = table(law, y**2)
    low = expect(real("0 <= y**2"), law, integrable(mean, E(law, y**2)))
    return combine("1 <= 0", low, mean)


def a_drawn_value_that_is_undefined() -> Fact:
    base = _at(0, "x")
    law = draw(base, "Z", {NO_ROOT: formula(1)})
    mean = drawn(law, Z**2)
    finite = integrable(mean, E(law, Z**2, "x"))
    low = expect(real("0 <= Z**2"), law, finite, given="x")
    wrong = expect(combine(ABSURD, low, mean), law)
    return given_by(given_by(wrong, exists(law)), exists(base))


def an_end_that_is_undefined() -> Fact:
    """x >= sqrt(a) with density 2 x exp(a - x**2): E x**2 = a + 1, at a = -2."""
    fall = exp(a - x**2)
    law = Density("D", ("x",), (), (Stretch(sqrt(a), None, 2 * x * fall),))
    mean = integrate(law, x**2, (-(x**2 + 1) * fall,), (-fall,))
    low = expect(real("0 <= x**2"), law, integrable(mean, E(law, x**2)))
    return specialize(combine("0 <= a + 1", low, mean), a=-2)


# What is finite, and where. E exp(t x) is finite for t < 1 only.


def _moment(name: str) -> tuple[Expr, Fact]:
    """E exp(t x) = 1/(1 - t) for t <= 1/2."""
    rate = Symbol(name)
    body = exp(rate * x)
    slope = (exp((rate - 1) * x) / (rate - 1),)
    mean = integrate(FALLING, body, slope, FALLING_MASS, f"{name} <= 1/2")
    return E(FALLING, body), mean


def _number(mean: Expr, *given: str) -> Fact:
    """mean <= mean + 1, as for any number."""
    plain = specialize(under(real("a <= a + 1"), *given), a=mean)
    return given_by(plain, exists(FALLING, mass=FALLING_MASS))


def _at_two(fact: Fact, **value: int) -> Fact:
    return integrable(under(specialize(fact, **value)), E(FALLING, exp(2 * x)))


def finite_in_one_case_of_two() -> Fact:
    mean, small = _moment("t")
    first = combine(at_most(mean, mean + 1), (small, 0), rest=1)
    return _at_two(either(first, _number(mean, "1/2 <= t")), t=2)


def finite_where_a_hypothesis_holds() -> Fact:
    mean, small = _moment("t")
    assumed = assume(at_most(mean, 2), "t <= 1/2")
    first = combine(at_most(mean, mean + 1), (assumed, 0), rest=1)
    joined = either(first, _number(mean, "1/2 <= t"))
    shown = discharge(joined, combine(at_most(mean, 2), small, rest=2 - 1 / (1 - t)))
    return _at_two(given_by(shown, exists(FALLING, mass=FALLING_MASS)), t=2)


def finite_for_the_values_of_what_is_bound() -> Fact:
    outer = Law("L", ("u",), relations("0 <= u", "u <= 1/2"))
    mean, small = _moment("u")
    upper = combine(at_most(mean, 2), small, rest=2 - 1 / (1 - u))
    lower = combine(at_most(0, mean), small, rest=1 / (1 - u))
    nested = expect(upper, outer, dominated(upper, outer, lower=lower))
    joined = combine(at_most(mean, mean + 1), _number(mean), (nested, 0))
    return _at_two(joined, u=2)


# Relations turned round, and what is no fact, law or condition at all.


def a_support_turned_round() -> Fact:
    law = Law("P", ("x", "y"), (Comparison(formula(5), ">=", x), at_most(x, y)))
    return under(real("5 <= y", "5 <= y"), On(law))


def an_event_turned_round() -> Fact:
    happens = Comparison(x, ">=", formula(0))
    return cases(Event("B", ("x", "A"), (), ANY, happens), "0 <= x")


def _made_up() -> Any:
    return SimpleNamespace(
        statement=at_most(1, 0),
        relation=at_most(1, 0),
        domain=(),
        hypotheses=(),
        axioms=(),
        loose=frozenset(),
    )


def something_else_than_a_fact() -> Fact:
    return under(_made_up())


def an_axiom_under_something_else_than_a_fact() -> Fact:
    return axiom("none", "1 <= 0", assuming=(_made_up(),))


def a_kind_of_law_that_skips_its_checks() -> Fact:
    class Mine(Law):
        def __post_init__(self) -> None:
            pass

        def covers(self, other: Law) -> bool:  # noqa: ARG002
            return True

    finite = integrable(table(_at(0), y), E(_at(0), y))
    return marginal(Mine("M", ("x", "y")), _at(0), y, finite)


def something_else_than_a_law() -> Fact:
    class Mine:
        name, variables, support = "M", ("x",), ()
        parameters, bases = frozenset, tuple

        def covers(self, other: Law) -> bool:  # noqa: ARG002
            return True

    law: Any = Mine()
    return expect(real("q <= q + 1"), law)


def a_piece_of_ones_own() -> Law:
    class Mine(Stretch):
        def where(self, name: str) -> tuple[Comparison, ...]:
            return (equal(Symbol(name), 0),)

    return Density("D", ("x",), (), (Mine(formula(0), formula(1), 1 + x),))


def a_condition_of_ones_own() -> Fact:
    class Mine(On):
        def symbols(self) -> frozenset[str]:
            return frozenset()

    return under(real("0 <= 1"), Mine(ANY))


HOLES: list[Callable[[], object]] = [
    value
    for name, value in list(globals().items())
    if getattr(value, "__module__", "") == __name__ and not name.startswith("_")
]


@pytest.mark.parametrize("hole", HOLES, ids=lambda hole: hole.__name__)
def test_a_hole_is_closed(hole: Callable[[], object]) -> None:
    with searching(1.0), pytest.raises(Refused):
        hole()


def test_a_kind_of_formula_of_ones_own_is_refused() -> None:
    """Its text, its value and its derivative could say three different things."""
    with pytest.raises(TypeError, match="not a kind of formula"):
        type("Mine", (Symbol,), {})


def test_what_the_repairs_leave() -> None:
    """A law inside of another mean is replaced there too; what is finite on a domain stays so."""
    outer = Law("R", ("u",))
    same = linear(outer, E(ANY, x), {}, constant=E(ANY, x))
    law = _at(Fraction(1, 2))
    moved = instance(same, ANY, law, {"x": y})
    assert moved.relation == equal(E(outer, E(law, y)), E(law, y))
    mean, small = _moment("t")
    first = combine(at_most(0, mean), small, rest=1 / (1 - t))
    halves = [under(first, "t <= 1/2", sign) for sign in ("t <= 0", "0 <= t")]
    assert not either(*halves).loose
