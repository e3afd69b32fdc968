"""A third row of ways to prove a falsehood: what a formula no longer says once it is folded.

0 E[X] becomes 0 and 0 log(y) becomes 0: that the mean is finite, and that y is positive, is said no
more. Numbers that are put in for what another mean binds, or for one step of an induction, are of
the same kind. Each attempt ends in a refusal.
"""

from collections.abc import Callable
from fractions import Fraction

import pytest

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import exp, log, maximum, tanh
from rdpacct.proof.claim import Comparison
from rdpacct.proof.evidence import refutation_of
from rdpacct.proof.instance import example
from rdpacct.proof.kernel import (
    Density,
    E,
    Fact,
    Law,
    Refused,
    Stretch,
    Table,
    assume,
    at_most,
    below,
    cases,
    combine,
    discharge,
    dominated,
    draw,
    drawn,
    either,
    event,
    exists,
    expect,
    given_by,
    induct,
    instance,
    integrable,
    integrate,
    marginal,
    real,
    relation,
    relations,
    specialize,
    table,
    under,
)
from rdpacct.proof.kernel.side import searching
from rdpacct.proof.theorem import Falsehood, Refutation

a, n, t, u, v, w, x, y, z, M = (
    Symbol(name) for name in ("a", "n", "t", "u", "v", "w", "x", "y", "z", "M")
)
ANY = Law("P", ("v",))
FALLING = Density(
    "F", ("x",), relations("0 <= x"), (Stretch(formula(0), None, exp(-x)),)
)
FALLING_MASS = (-exp(-x),)
BIG = exp(2 * x)
INFINITE = E(FALLING, BIG)
HALF = Fraction(1, 2)


# A mean that is folded away. Each of these would say that an infinite mean is finite.


def at_zero_a_hypothesis_says_nothing_of_its_mean() -> Fact:
    finite = integrable(assume(at_most(t * INFINITE, 5)), INFINITE)
    return discharge(specialize(finite, t=0), real("0 <= 5"))


def two_means_of_a_hypothesis_cancel() -> Fact:
    mean = E(FALLING, exp(t * x))
    assumed = assume(at_most(mean - INFINITE, 5))
    finite = integrable(assumed, mean)
    return discharge(specialize(finite, t=2), real("0 <= 5"))


def two_means_of_a_hypothesis_become_one() -> Fact:
    mean = E(ANY, exp(2 * v))
    finite = integrable(assume(at_most(mean - INFINITE, 5)), mean)
    return discharge(instance(finite, ANY, FALLING, {"v": x}), real("0 <= 5"))


def _times(number: Expr) -> Fact:
    return assume(at_most(number * INFINITE, number * INFINITE + 1))


def at_zero_the_base_says_nothing_of_the_mean() -> Fact:
    step = combine(_times(n + 1).relation, (_times(n), 0), rest=1)
    found = induct(real("0 <= 1"), step, "n")
    return integrable(under(specialize(found, n=1)), INFINITE)


def _above_every_number(finite: Fact, *given: str) -> Fact:
    """M <= E exp(c x) for all M >= 0, if that is finite and c >= 1."""
    body = finite.integrable.body
    split = event(FALLING, "A", "x <= M")
    inside = split.symbol("A")
    pieces = (x, 0), (-exp(-x), -exp(-x))
    low = integrate(split, exp(x) * inside, *pieces, "0 <= M", cuts=(M,))
    same = marginal(split, FALLING, body, finite)
    line = cases(split, at_most(exp(x) * inside, body), *given)
    known = (integrable(one, one.relation.left) for one in (low, same))
    over = expect(line, split, *known)
    return combine(at_most(M, E(FALLING, body)), over, same, low)


def _mean_at(k: Expr) -> Expr:
    """c(k) = 4 k - 2 k**2 is 0, 2, 0: the mean of exp(c x) is infinite for k = 1 only."""
    return E(FALLING, exp((4 * k - 2 * k**2) * x))


def _claim_at(k: Expr) -> Comparison:
    return at_most(50 * maximum(0, k - Fraction(3, 2)) + tanh(_mean_at(k)), 1)


def _in_the_middle(before: Fact, up: Fact) -> Fact:
    """The mean at n is finite by hypothesis, which is absurd."""
    mean = _mean_at(n)
    given = "1/2 <= n", "n <= 17/10"
    large = _above_every_number(integrable(before, mean), *given)
    square = specialize(real("0 <= a**2 + 1"), a=mean)
    absurd = given_by(specialize(large, M=mean**2 + 1), square)
    rest = 100 * (mean**2 - mean + 1) - 50 * maximum(0, n - HALF)
    found = combine(_claim_at(n + 1), (absurd, 100), up, rest=rest, given=given)
    return under(given_by(found, exists(FALLING, mass=FALLING_MASS)), *given)


def a_number_for_one_step_of_an_induction() -> Fact:
    """n = 0 leads to n = 1 whatever number is put in there, and n = 1 to all that is false."""
    before = assume(_claim_at(n))
    bounds = real("tanh(a) <= 1"), real("-1 <= tanh(a)")
    up = specialize(bounds[0], a=_mean_at(n + 1))
    down = specialize(bounds[1], a=_mean_at(n))
    rest = -50 * maximum(0, n - HALF)
    first = combine(_claim_at(n + 1), up, (before, 0), rest=rest, given=("n <= 1/2",))
    late = 500 * maximum(0, n - 3 * HALF) - 20 - 50 * maximum(0, n - HALF)
    uses = (before, 10), (down, 10), up
    last = combine(_claim_at(n + 1), *uses, rest=late, given=("17/10 <= n",))
    last = under(last, "1/2 <= n", "17/10 <= n")
    step = either(first, either(_in_the_middle(before, up), last))
    unit = integrate(FALLING, formula(1), FALLING_MASS, FALLING_MASS)
    one = unit.relation.left
    start = combine(_claim_at(formula(0)), specialize(bounds[0], a=one), (unit, 0))
    wrong = specialize(induct(start, step, "n"), n=2)
    there = exists(FALLING, mass=FALLING_MASS)
    least = specialize(bounds[1], a=one)
    known = [given_by(fact, there) for fact in (wrong, least)]
    rates = (4 * n - 2 * n**2, 4 * (n + 1) - 2 * (n + 1) ** 2, formula(-6))
    finite = [(_moment(rate), 0) for rate in rates]
    found = combine("24 <= 1", *known, (unit, 0), *finite)
    return under(specialize(found, n=-1))


def _moment(rate: Expr) -> Fact:
    """E exp(t x) = 1/(1 - t) for t <= 1/2."""
    slope = (exp((t - 1) * x) / (t - 1),)
    mean = integrate(FALLING, exp(t * x), slope, FALLING_MASS, "t <= 1/2")
    return specialize(mean, t=rate)


# A formula that is folded away, and with it where it is defined: -exp(x) <= y if z log(y) <= x.


def _where_defined() -> Fact:
    return real("-exp(x) <= y", "z*log(y) <= x")


NOWHERE = {"x": 0, "y": -5, "z": 0}


def at_zero_a_condition_says_nothing_of_a_logarithm() -> Fact:
    return under(specialize(_where_defined(), **NOWHERE))


def at_zero_a_hypothesis_says_nothing_of_a_logarithm() -> Fact:
    fact = given_by(_where_defined(), assume("z*log(y) <= x"))
    return discharge(specialize(fact, **NOWHERE), real("0 <= 0"))


def _absurd() -> Fact:
    low = real("y <= -5", "y <= -5")
    small = real("exp(x) <= 1", "x <= 0")
    return combine("a + 4 <= a", _where_defined(), low, small)


SUPPORT = relations("z*log(y) <= x", "y <= -5", "x <= 0")


def a_point_where_the_support_is_undefined() -> Fact:
    law = Law("P", ("x", "y", "z"), SUPPORT)
    return given_by(expect(_absurd(), law), exists(law, point=NOWHERE))


def a_parameter_at_which_the_support_is_undefined() -> Fact:
    law = Law("P", ("x", "y"), SUPPORT)
    moved = specialize(expect(_absurd(), law), z=0)
    return given_by(moved, exists(law.at(z=0), point={"x": 0, "y": -5}))


def _at_nowhere(support: tuple[Comparison, ...] = ()) -> Table:
    point = tuple(map(formula, NOWHERE.values()))
    return Table("T", tuple(NOWHERE), support, ((point, formula(1)),))


def a_row_where_the_support_is_undefined() -> Fact:
    law = _at_nowhere(SUPPORT)
    return given_by(expect(_absurd(), law), exists(law))


def a_case_in_which_a_relation_is_undefined() -> Fact:
    law = _at_nowhere()
    conditions = [cases(law, one) for one in SUPPORT]
    return given_by(expect(given_by(_absurd(), *conditions), law), exists(law))


def an_instance_where_the_support_is_undefined() -> Fact:
    law = Law("P", ("x", "y", "z"), SUPPORT)
    other = Law("Q", ("w",))
    moved = instance(expect(_absurd(), law), law, other, NOWHERE)
    return given_by(moved, exists(other, point={"w": 0}))


def a_row_where_a_body_is_undefined() -> Fact:
    return table(_at_nowhere(), z * log(y))


def a_drawn_value_where_a_body_is_undefined() -> Fact:
    law = draw(Law("P", ("y",)), "z", {formula(0): formula(1)})
    return drawn(law, z * log(y))


# What is bound in another mean.


def a_number_put_in_for_what_is_bound() -> Fact:
    """E tanh(E exp(u x)) <= 1, where the inner mean is infinite for u >= 1."""
    outer = Law("L", ("u",), relations("0 <= u", "u <= 3"))
    inner = E(FALLING, exp(u * x))
    finite = dominated(specialize(real("abs(tanh(a)) <= 1"), a=inner), outer)
    mean = expect(specialize(real("tanh(a) <= 1"), a=inner), outer, finite)
    slope = (exp((u - 1) * x) / (u - 1),)
    small = integrate(FALLING, exp(u * x), slope, FALLING_MASS, "u <= 1/2")
    joined = combine(mean.relation, mean, (small, 0))
    if joined.loose:
        raise Refused("the inner mean may be infinite.")
    return joined


def a_true_claim_as_a_falsehood() -> Refutation:
    """0 <= x for all x would be absurd; for x >= 0 it is true."""
    every = assume("0 <= x", every="x")
    absurd = combine(below(0, 0), (specialize(every, x=-1), 1), rest=1)
    claim = Falsehood(
        "x is not negative",
        relation("0 <= x"),
        ("0 <= x",),
        refutation=lambda: Refutation(facts=(absurd,)),
        instance=example({"x": 1}),
    )
    return refutation_of(claim)


HOLES: list[Callable[[], object]] = [
    value
    for name, value in list(globals().items())
    if getattr(value, "__module__", "") == __name__ and not name.startswith("_")
]


@pytest.mark.parametrize("hole", HOLES, ids=lambda hole: hole.__name__)
def test_a_hole_is_closed(hole: Callable[[], object]) -> None:
    with searching(3.0), pytest.raises(Refused):
        hole()
