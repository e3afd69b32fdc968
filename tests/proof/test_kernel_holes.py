"""Ways in which a kernel of this kind can be made to prove a falsehood; each ends in a refusal."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Density,
    E,
    Exists,
    Fact,
    Lattice,
    Law,
    On,
    Quantity,
    Refused,
    Stretch,
    Table,
    Whole,
    apart,
    assume,
    at_most,
    below,
    cases,
    closed,
    combine,
    discharge,
    dominated,
    draw,
    drawn,
    equal,
    event,
    exists,
    exists_by,
    expect,
    given_by,
    independent_of,
    induct,
    instance,
    integrable,
    linear,
    marginal,
    real,
    relations,
    specialize,
    table,
    tilted,
    under,
)
from rdpacct.proof.kernel.laws import Draw, Exchangeable, Ranked
from rdpacct.proof.kernel.side import searching
from rdpacct.proof.kernel.terms import Expectation
from rdpacct.proof.tactics.ratios import P as LOSSES

x, y, z, a, b, c, k, p, n, t, M, A, Z = (
    Symbol(name)
    for name in ("x", "y", "z", "a", "b", "c", "k", "p", "n", "t", "M", "A", "Z")
)
ABSURD = "1 <= 0"
HALF = Fraction(1, 2)


def _at(
    value: int,
    variable: str = "x",
    name: str = "T",
    support: tuple[Comparison, ...] = (),
) -> Table:
    """All mass at one number."""
    return Table(name, (variable,), support, (((formula(value),), formula(1)),))


COIN = Table("C", ("x",), (), (((formula(1),), p), ((formula(0),), 1 - p)))
ANY = Law("P", ("x",))
UNIT = Law("P", ("x",), relations("0 <= x", "x <= 1"))
SIGNED = Law("P", ("z",), relations("-1 <= z", "z <= 1"))
FALLING = Density(
    "P", ("x",), relations("0 <= x"), (Stretch(formula(0), None, exp(-x)),)
)
BIG = exp(2 * x)
"""Its mean under FALLING is infinite."""


# Laws that do not exist.


def no_rows() -> Fact:
    nothing = Table("T", ("x",), (), ())
    return expect(cases(nothing, ABSURD), nothing)


def no_values() -> Fact:
    nothing = draw(ANY, "Z", {})
    return expect(cases(nothing, ABSURD), ANY)


def contradictory_support() -> Fact:
    law = Law("P", ("x", "y"), relations("x <= y", "y + 1 <= x"))
    return expect(
        combine(ABSURD, real("x <= y", "x <= y"), real("y + 1 <= x", "y + 1 <= x")), law
    )


def an_interval_turned_round() -> Fact:
    low = real("-eps <= L", "-eps <= L")
    high = real("L <= eps", "L <= eps")
    wide = expect(combine("0 <= 2*eps", low, high), LOSSES)
    return combine(ABSURD, under(specialize(wide, eps=-1)), rest=1)


def _between_ends() -> tuple[Law, Fact]:
    """a <= E x <= b, and so a <= b, for a law on [a, b] that is not negative."""
    law = Law("P", ("x",), relations("0 <= x", "a <= x", "x <= b"))
    upper = real("x <= b", "x <= b")
    finite = dominated(upper, law, lower=real("0 <= x", "0 <= x"))
    low = expect(real("a <= x", "a <= x"), law, finite)
    return law, combine(at_most(a, b), low, expect(upper, law, finite))


def means_between_ends() -> Fact:
    return specialize(_between_ends()[1], a=1, b=0)


def a_condition_is_not_forgotten_under_another_domain() -> Fact:
    low = real("-eps <= L", "-eps <= L")
    high = real("L <= eps", "L <= eps")
    wide = under(expect(combine("0 <= 2*eps", low, high), LOSSES))
    return under(specialize(wide, eps=-1))


def a_law_without_points_is_shown() -> Fact:
    return exists(LOSSES, point={"L": 0})


def masses_that_are_no_probabilities_are_shown() -> Fact:
    return exists(COIN)


def a_density_with_another_mass_is_shown() -> Fact:
    law = Density("D", ("x",), (), (Stretch(formula(0), formula(2), formula(1)),))
    return exists(law, mass=(x,))


def a_ratio_with_another_mean_is_shown() -> Fact:
    law = tilted("Q", _at(2), x)
    return exists_by(law, table(_at(2), x))


def weights_that_grow_are_shown() -> Fact:
    law = Lattice("N", ("n",), (), exp(n))
    return exists_by(law, real(below(0, exp(n))), real(at_most(exp(n), exp(n))))


def another_law_is_shown() -> Fact:
    law, ends = _between_ends()
    other = exists(law.at(a=0, b=1), point={"x": 0})
    return specialize(given_by(ends, other), a=1, b=0)


# Random names in hypotheses.


def a_single_value_read_as_all() -> Fact:
    law = _at(2, name="P")
    mean = table(law, x)
    assumed = assume(at_most(x + 1, E(law, x)))
    line = linear(law, x + 1, {x: 1}, integrable(mean, E(law, x)), constant=1)
    found = expect(assumed, law, integrable(line, E(law, x + 1)))
    proof = combine(at_most(1, E(law, x)), mean, rest=1)
    return combine(ABSURD, discharge(specialize(found, x=0), proof), line)


def a_conditional_mean_at_some_points() -> Fact:
    """E[x | y] <= 0 is assumed for all y, and shown for y <= 0 only."""
    base = Table("Y", ("y",), (), (((formula(1),), formula(1)),))
    law = draw(base, "x", {y: formula(1)})
    same = drawn(law, x)
    assumed = assume(at_most(E(law, x, "y"), 0))
    bounded = dominated(cases(base, "abs(y) <= 1"), base)
    averaged = linear(
        law, y, {y: 1}, integrable(marginal(law, base, y, bounded), E(law, y))
    )
    inner = expect(same, law, integrable(averaged, E(law, y)))
    mean = expect(assumed, law, integrable(inner, E(law, E(law, x, "y"))))
    shown = combine(at_most(E(law, x, "y"), 0), same, rest=-y, given=("y <= 0",))
    return discharge(mean, shown)


def a_slack_that_is_random() -> Fact:
    law = Law("P", ("x", "s"))
    assumed = assume(at_most(E(law, x), Symbol("s")))
    return closed(
        combine(at_most(E(law, x), 0 + Symbol("s")), under(assumed, "0 < s")), "s"
    )


def a_hypothesis_for_each_number_at_a_random_one() -> Fact:
    law = Law("P", ("x",))
    assumed = assume(at_most(E(law, x), t), every="t")
    return specialize(assumed, t=x)


# What is given of bound variables, and reserved names.


def given_of_the_new_law() -> Fact:
    law = Law("P", ("z",), relations("z <= 0", "-5 <= z"))
    finite = dominated(real("abs(z) <= 5", *law.support), law)
    mean = expect(real("z <= 0", "z <= 0"), law, finite)
    return instance(mean, law, _at(1), {"z": x}, "x <= 0", "-5 <= x")


def a_condition_about_the_old_law() -> Fact:
    finite = dominated(real("abs(z) <= 1", *SIGNED.support), SIGNED)
    upper = expect(real("z <= 1", "z <= 1"), SIGNED, finite)
    trivial = specialize(real("0 <= a", "0 <= a"), a=E(SIGNED, z))
    sure = combine(at_most(0, E(SIGNED, z)), trivial, (upper, 0))
    less, ones = (
        Table(
            name,
            (variable,),
            relations(f"-1 <= {variable}", f"{variable} <= 1"),
            (((formula(value),), formula(1)),),
        )
        for name, variable, value in (("T", "x", -1), ("U", "y", 1))
    )
    low = instance(sure, SIGNED, less, {"z": x})
    wrong = combine(ABSURD, low, table(less, x))
    assumed = given_by(wrong, assume(at_most(0, E(SIGNED, z))))
    moved = instance(assumed, SIGNED, ones, {"z": y})
    return discharge(moved, combine(at_most(0, E(ones, y)), table(ones, y), rest=1))


def the_name_of_an_atom() -> Fact:
    finite = dominated(real("abs(x) <= 1", *UNIT.support), UNIT)
    mean = expect(real("x <= 1", "x <= 1"), UNIT, finite)
    return combine(
        at_most(E(UNIT, x), 0), (mean, 0), rest=-E(UNIT, x), given=("atom_1 <= 0",)
    )


def the_name_of_an_atom_in_a_hypothesis() -> Fact:
    return assume("atom_1 <= 0")


# Expectations that are not numbers.


def a_number_put_in_becomes_finite() -> Fact:
    loose = specialize(real("a <= a + 1"), a=E(FALLING, BIG))
    assumed = assume(at_most(E(FALLING, BIG), E(FALLING, BIG) + 1))
    return discharge(integrable(assumed, E(FALLING, BIG)), loose)


def a_number_put_in_becomes_finite_by_induction() -> Fact:
    mean = E(ANY, x)
    base = specialize(real("a <= a + 1"), a=mean)
    claim = at_most(mean, mean + 1)
    before = assume(at_most(Quantity("u", (n,)) * 0 + mean, mean + 1), Whole("n", 0))
    assert before.relation == claim
    return integrable(induct(base, before, "n"), mean)


def two_numbers_show_each_other() -> Fact:
    other = Density(
        "Q", ("y",), relations("0 <= y"), (Stretch(formula(0), None, exp(-y)),)
    )
    one, two = E(FALLING, BIG), E(other, exp(2 * y))
    first = specialize(under(assume(equal(one, one)), "0 <= a"), a=two)
    second = specialize(under(assume(equal(two, two)), "0 <= a"), a=one)
    positive = [specialize(real("0 <= a**2"), a=atom) for atom in (one, two)]
    assert all(fact.loose for fact in (first, second, *positive))
    both = combine(equal(one + two, one + two), first, second)
    return integrable(discharge(both, first, second), one)


def a_condition_shown_of_what_may_be_infinite() -> Fact:
    """A number put in for another may not show a condition of its own being a number."""
    mean = E(FALLING, BIG)
    some = specialize(under(assume(equal(mean, mean)), "b <= 0"), b=mean)
    loose = specialize(real("a <= 0", "a <= -1"), a=mean)
    return integrable(given_by(some, loose), mean)


# Laws that are not well formed, and what depends on what.


def rows_of_their_own_variable() -> Law:
    return Table("T", ("x",), (), (((x + 1,), formula(1)),))


def masses_of_their_own_variable() -> Law:
    return Table("T", ("x",), (), (((formula(1),), x), ((formula(0),), 1 - x)))


def ends_of_their_own_variable() -> Law:
    return Density("D", ("x",), (), (Stretch(formula(0), x, formula(1)),))


def a_drawn_variable_that_chooses_itself() -> Law:
    return draw(ANY, "Z", {formula(0): HALF + Z / 4, formula(1): HALF - Z / 4})


def another_support_than_the_base() -> Law:
    return Draw("D", ("x", "Z"), relations("1 <= x"), UNIT, ((formula(1), formula(1)),))


def an_event_of_itself() -> Law:
    return event(ANY, "A", "A <= 0")


def beside_a_law_that_depends_on_it() -> Law:
    return independent_of(ANY, Law("Q", ("y",), relations("x <= y", "y <= x")))


def a_rank_with_another_support() -> Law:
    return Ranked("R", ("last", "total"), relations("1 <= last", "total <= 0"), n, k)


def a_count_of_its_own_variable() -> Law:
    return Exchangeable("X", ("last", "total"), (), Symbol("last"))


def a_support_with_a_mean() -> Law:
    return Law("Q", ("y",), (at_most(y, E(ANY, x)),))


def a_row_of_another_length() -> Law:
    return Table("T", ("x", "y"), (), (((formula(1),), formula(1)),))


def a_variable_twice() -> Law:
    return Law("P", ("x", "x"))


def a_kind_of_law_of_ones_own() -> Law:
    class Mine(Law):
        def covers(self, other: Law) -> bool:  # noqa: ARG002
            return True

    return Mine("M", ("x",))


def a_condition_on_no_variable() -> Expr:
    return Expectation(ANY, x, ("q",))


def parameters_of_the_base_are_its_own() -> Fact:
    """An event under a coin depends on the coin's probability."""
    known = ("0 <= p", "p <= 1")
    mean = table(COIN, x, *known)
    tails = event(COIN, "A", "x <= 0")
    same = marginal(tails, COIN, x, integrable(mean, E(COIN, x)), *known)
    found = combine(equal(E(tails, x), p), same, mean)
    one, zero = (under(specialize(found, p=value)) for value in (1, 0))
    return combine("1 == 0", zero, one)


def parameters_of_the_base_of_a_draw() -> Fact:
    known = ("0 <= p", "p <= 1")
    mean = table(COIN, x, *known)
    copied = draw(COIN, "Z", {formula(1): formula(1)})
    same = marginal(copied, COIN, x, integrable(mean, E(COIN, x)), *known)
    found = combine(equal(E(copied, x), p), same, mean)
    one, zero = (under(specialize(found, p=value)) for value in (1, 0))
    return combine("1 == 0", zero, one)


def a_parameter_becomes_random() -> Fact:
    law = Law("P", ("x",), relations("x <= a"))
    return specialize(under(real("x <= a", "x <= a"), On(law)), a=x)


# Whole numbers.


def two_starts() -> Fact:
    def claim(number: Expr) -> Comparison:
        return at_most(number * (5 - number), 0)

    assumed = assume(claim(n))
    step = real(claim(n + 1), "5 <= n")
    next_ = combine(claim(n + 1), (step, 1), (assumed, 0))
    whole = under(next_, Whole("n", 0), Whole("n", 5))
    found = induct(real(claim(formula(0))), whole, "n")
    return under(specialize(found, n=1))


def a_start_between_whole_numbers() -> Fact:
    return assume(at_most(0, n), Whole("n", HALF))  # type: ignore[arg-type]


def a_cut_between_integers() -> Fact:
    law = Lattice("N", ("n",), (), exp(-(n**2)))
    return apart(law, "0 < n**2*(n - 1)**2", HALF)  # type: ignore[arg-type]


HOLES: list[Callable[[], object]] = [
    value
    for name, value in list(globals().items())
    if getattr(value, "__module__", "") == __name__ and not name.startswith("_")
]


@pytest.mark.parametrize("hole", HOLES, ids=lambda hole: hole.__name__)
def test_a_hole_is_closed(hole: Callable[[], object]) -> None:
    with searching(1.0), pytest.raises(Refused):
        hole()


def test_a_law_that_is_shown_to_exist_is_no_condition() -> None:
    law, ends = _between_ends()
    assert ends.domain == (Exists(law),)
    shown = given_by(ends, exists(law, "0 <= a", "a <= b", point={"x": a}))
    assert shown.domain == relations("0 <= a", "a <= b")


def test_existence_of_what_is_built_is_that_of_the_base() -> None:
    """A draw is there if its base is and its masses are probabilities; an event always."""
    drawn_ = draw(ANY, "Z", {formula(1): p, formula(0): 1 - p})
    shown = exists(drawn_, "0 <= p", "p <= 1")
    assert shown.domain == (*relations("0 <= p", "p <= 1"), Exists(ANY))
    mean = drawn(drawn_, Z, "0 <= p", "p <= 1")
    assert Exists(drawn_) in mean.domain
    small = event(COIN, "A", "x <= 0")
    values = cases(small, at_most(A, 1))
    assert On(small) in values.domain
