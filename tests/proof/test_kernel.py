"""The kernel: its rules hold in random finite models, refuse what they must, and without their
checks are caught.
"""

import random
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import PI, erfc, exp, log, sqrt
from rdpacct.exact.functions import absolute as abs_
from rdpacct.proof.kernel import (
    Density,
    E,
    Fact,
    Lattice,
    Law,
    Quantity,
    Refused,
    Stretch,
    Table,
    Whole,
    arithmetic,
    assume,
    at_most,
    axiom,
    below,
    cases,
    closed,
    combine,
    discharge,
    disintegrate,
    dominated,
    draw,
    drawn,
    either,
    equal,
    event,
    exchange,
    existence,
    exists,
    expect,
    given_by,
    independent,
    independent_of,
    induct,
    instance,
    integrable,
    integrate,
    linear,
    marginal,
    ranked,
    real,
    reindex,
    relations,
    specialize,
    summable,
    table,
    tilt,
    tilted,
    tower,
    under,
)
from rdpacct.proof.kernel import fact as fact_module
from rdpacct.proof.kernel import finite as finite_module
from rdpacct.proof.kernel import logic as logic_module
from rdpacct.proof.kernel import means as means_module
from rdpacct.proof.kernel import terms as terms_module
from rdpacct.proof.kernel.laws import Event
from rdpacct.proof.kernel.side import searching
from rdpacct.proof.kernel.statements import Believed
from tests.kernel_model import Model

x, y, z, a, b, t, R, eps = (
    Symbol(name) for name in ("x", "y", "z", "a", "b", "t", "R", "eps")
)
BOX = relations("-3 <= x <= 3", "-3 <= y <= 3")
P = Law("P", ("x", "y"), BOX)
Q = Law("Q", ("R",), relations("1/4 <= R", "R <= 4"))
Q_ANY = Law("A", ("x",))
BOUNDED = [
    dominated(real(f"abs({name}) <= {limit}", *BOX), P)
    for name, limit in (("x", 3), ("y", 3), ("x*y", 9))
]
GIVEN_X = dominated(real("abs(y) <= 3", *BOX), P, given="x")


def random_model(
    rng: random.Random, law: Any = P, parameters: Any = ("a", "b", "t")
) -> Any:
    """Random rows in the support of the law, some with equal first values, and random
    parameters.
    """
    rows: list[Any] = []
    while len(rows) < 5:
        point = {name: Fraction(rng.randint(-12, 12), 4) for name in law.variables}
        if rows and rng.random() < 0.4:
            first = law.variables[0]
            point[first] = rows[0][0][first]
        if all(Model({}).relation(one, point) is True for one in law.support):
            rows.append((point, Fraction(rng.randint(1, 9))))
    total = sum(weight for _, weight in rows)
    values = {name: Fraction(rng.randint(-8, 8), 3) for name in parameters}
    shares: list[Any] = [(point, weight / total) for point, weight in rows]
    return Model(values, {law.name: shares})


def ratio_model(rng: random.Random) -> Any:
    """A law of a density ratio: mean 1 in [1/4, 4]."""
    low = Fraction(rng.randint(1, 3), 4)
    high = Fraction(rng.randint(5, 16), 4)
    weight = (1 - low) / (high - low)
    neutral = Fraction(rng.randint(0, 3), 4)
    rows = [
        (low, (1 - weight) * (1 - neutral)),
        (high, weight * (1 - neutral)),
        (Fraction(1), neutral),
    ]
    return Model(
        {"a": Fraction(rng.randint(-5, 5))},
        {"Q": [({"R": value}, mass) for value, mass in rows if mass]},
    )


def points_of(model: Any, law: Any) -> Any:
    return [point for point, _ in model.rows(law)]


def attack(
    fact: Any, law: Any = P, models: int = 60, make: Any = random_model, seed: int = 7
) -> bool:
    """Whether some random model refutes the fact."""
    rng = random.Random(seed)
    for _ in range(models):
        model = make(rng)
        if model.refutes(fact, points_of(model, law)):
            return True
    return False


E_X = E(P, x)
E_Y = E(P, y)
E_XY = E(P, x * y)


LAWFUL = (
    *("linear", "linear, unconditional", "tower", "expect", "expect, conditional"),
    *("combine", "drawn", "marginal", "cases", "independent", "disintegrate"),
    *("disintegrate, the other way", "tilt", "table"),
)


@cache
def lawful_facts() -> Any:
    """One fact for each rule about expectations, and the law whose points it speaks of."""
    pulled = linear(P, x * y, {y: x}, GIVEN_X, given="x")
    whole = tower(P, x * y, "x", BOUNDED[2])
    square = dominated(real("abs(x**2) <= 9", *BOX), P)
    mean_square = expect(real("2*x - 1 <= x**2"), P, linear_finite("2*x - 1"), square)
    coin = draw(P, "c", {formula(1): (3 + x) / 6, formula(0): (3 - x) / 6})
    above = event(P, "A", "1 <= x")
    markov = cases(above, at_most(4 * Symbol("A") - 3, x))
    both = independent_of(P, Law("P2", ("u",), relations("0 <= u <= 1")))
    finite_u = dominated(real("abs(u) <= 1", "0 <= u <= 1"), both.second)
    mass = assume(equal(E(Q, R), 1))
    finite = dominated(real("abs(R*log(R)) <= 8", *Q.support), Q)
    tilted_mean = tilt(tilted("T", Q, R), log(R), mass, finite)
    coin_table = Table(
        "C",
        ("v",),
        (),
        (
            ((formula(2),), formula(Fraction(1, 3))),
            ((formula(-1),), formula(Fraction(2, 3))),
        ),
    )
    return {
        "linear": (pulled, P, random_model),
        "linear, unconditional": (
            linear(P, a * x + b, {x: a}, BOUNDED[0], constant=b),
            P,
            random_model,
        ),
        "tower": (whole, P, random_model),
        "expect": (mean_square, P, random_model),
        "expect, conditional": (
            expect(real("y <= 3", *BOX), P, GIVEN_X, given="x"),
            P,
            random_model,
        ),
        "combine": (
            combine(
                at_most(a**2 * E_X, 3 * a**2),
                (expect(real("x <= 3", *BOX), P, BOUNDED[0]), a**2),
            ),
            P,
            random_model,
        ),
        "drawn": (drawn(coin, x * Symbol("c")), coin, random_model),
        "marginal": (marginal(coin, P, x, BOUNDED[0]), coin, random_model),
        "cases": (markov, above, random_model),
        "independent": (
            independent(both, x, Symbol("u"), BOUNDED[0], finite_u),
            both,
            product_model,
        ),
        "disintegrate": (disintegrated(both, ("x", "y")), both, product_model),
        "disintegrate, the other way": (
            disintegrated(both, "u"),
            both,
            product_model,
        ),
        "tilt": (tilted_mean, Q, ratio_model),
        "table": (table(coin_table, Symbol("v") ** 2), coin_table, random_model),
    }


def disintegrated(both: Any, given: Any) -> Any:
    """x u + y, given the one or the other of two independent laws."""
    body = x * Symbol("u") + y
    bound = real(at_most(abs_(body), 6), *BOX, "0 <= u <= 1")
    return disintegrate(both, body, given, dominated(bound, both, given=given))


def product_model(rng: random.Random) -> Any:
    one = random_model(rng)
    two = random_model(rng, Law("P2", ("u",), relations("0 <= u <= 1")))
    return Model(one.parameters, {**one.tables, **two.tables})


def linear_finite(text: Any) -> Any:
    return dominated(real(f"abs({text}) <= 7", *BOX), P)


@pytest.mark.parametrize("name", sorted(LAWFUL))
def test_facts_hold_in_random_models(name: str) -> None:
    fact, law, make = lawful_facts()[name]
    assert not attack(fact, law, make=make)


def test_every_lawful_fact_is_tried() -> None:
    assert set(LAWFUL) == set(lawful_facts())


def test_the_attack_sees_falsehoods() -> None:
    """The same statements with one thing wrong are refuted by some model, so the attack is not
    blind.
    """
    wrong = [
        equal(E(P, x * y, "x"), y * E(P, x, "x")),
        equal(E_XY, E_X * E_Y),
        at_most(E(P, x**2), 2 * E_X - 1),
        below(E(P, x, "y"), x),
        equal(E(P, a * x + b), a * E_X),
    ]
    for one in wrong:
        assert attack(fact_module.make("axiom", one, domain=(), hypotheses=())), str(
            one
        )


# Each of these would prove something false, or speak of something undefined, if the rule let it
# pass.
REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a fact made by hand": (
        lambda: Fact(object(), "real", at_most(1, 0), (), (), (), (), ()),
        "by the rules",
    ),
    "a fact that changes": (
        lambda: setattr(real("1 <= 2"), "statement", at_most(1, 0)),
        "does not change",
    ),
    "a false real claim": (lambda: real("x**2 > 0"), "no proof"),
    "a side that is undefined": (lambda: real("log(x) <= x - 1"), "no proof of 0 < x"),
    "an expectation in a real claim": (lambda: real(at_most(E_X, 3)), "no expectation"),
    "a mean that may be infinite": (
        lambda: expect(real("x <= x + 1"), Law("C", ("x",))),
        "finite",
    ),
    "a domain beyond the support": (
        lambda: expect(real("x <= x**2", "x >= 1"), P, *BOUNDED),
        "no proof of 1 <= x",
    ),
    "a factor that is not known": (
        lambda: linear(P, x * y, {y: x}, BOUNDED[1]),
        "not known from",
    ),
    "a sum that is none": (
        lambda: linear(P, x * y, {y: formula(1)}, BOUNDED[1]),
        "no proof",
    ),
    "a tower without finiteness": (lambda: tower(P, x * y, "x", BOUNDED[0]), "neither"),
    "a tower the wrong way": (
        lambda: tower(P, x, (), BOUNDED[0], coarse="y"),
        "know less",
    ),
    "a random value for a fixed number": (
        lambda: specialize(
            assume(at_most(E(P, exp(t * x)), exp(9 * t**2)), every="t"), t=x
        ),
        "fixed number",
    ),
    "a random value under a condition": (
        lambda: specialize(
            assume(at_most(E(P, y, "x"), t), "t >= 0", every="t"), t=x**2
        ),
        "fixed number",
    ),
    "a point of a law moved": (
        lambda: specialize(
            expect(real("y <= 3", *BOX), P, GIVEN_X, given="x"), x=formula(9)
        ),
        "not free",
    ),
    "a negative factor": (
        lambda: combine(at_most(-a * E_X, -3 * a), (upper_mean(), -a)),
        "no proof of 0 <=",
    ),
    "an unknown expectation": (
        lambda: combine(
            at_most(E(P, y) + E(P, exp(x)), 3 + E(P, exp(x))), BOUNDED_FACT
        ),
        "may be infinite",
    ),
    "an equation from an inequality": (
        lambda: combine(equal(E_X, 3), upper_mean()),
        "equations only",
    ),
    "a strict relation from a weak one": (
        lambda: combine(below(E_X, 3), upper_mean()),
        "no proof of 0 < 0",
    ),
    "a slack that is not small": (
        lambda: closed(real("x <= x + t", "t >= 1"), "t"),
        "any positive number",
    ),
    "a slack on both sides": (
        lambda: closed(real("x - t <= x + t", "t > 0"), "t"),
        "extra term",
    ),
    "a hypothesis proved for some values only": (
        lambda: discharge(
            assume(at_most(t * E_X, t), every="t"),
            combine(
                at_most(t * E_X, t), (assume(at_most(E_X, 1)), t), given=("t >= 0",)
            ),
        ),
        "only for some values",
    ),
    "a condition established from itself": (
        lambda: given_by(real("x <= x**2", "x >= 1"), real("1 <= x", "x >= 1")),
        "from itself",
    ),
    "a larger domain": (
        lambda: under(real("x <= x**2", "x >= 1"), "x >= 0"),
        "no proof of 1 <= x",
    ),
    "an induction with a wrong base": (
        lambda: induct(real("1 <= 2"), STEP, "k"),
        "the base is not",
    ),
    "a whole number that is none": (
        lambda: specialize(induct(BASE, STEP, "k"), k=formula(Fraction(1, 2))),
        "whole numbers",
    ),
    "a change of measure without mass": (
        lambda: tilt(
            tilted("T", Q, R), log(R), assume(equal(E(Q, R**2), 1)), LOGARITHM
        ),
        "is 1",
    ),
    "a ratio that may be negative": (
        lambda: tilt(tilted("T", P, x), y, assume(equal(E_X, 1)), BOUNDED[2]),
        "0 <= x",
    ),
    "masses that are no probability": (
        lambda: table(
            Table("C", ("v",), (), (((formula(1),), formula(2)),)), Symbol("v")
        ),
        "no proof of 2 == 1",
    ),
    "negative masses": (
        lambda: table(
            Table(
                "C",
                ("v",),
                (),
                (((formula(1),), formula(2)), ((formula(0),), formula(-1))),
            ),
            Symbol("v"),
        ),
        "0 <= -1",
    ),
    "weights that are no probability": (
        lambda: drawn(draw(P, "c", {formula(1): x, formula(0): 1 - x}), Symbol("c")),
        "0 <= x",
    ),
    "a case that fails": (
        lambda: cases(event(P, "A", "1 <= x"), at_most(2 * Symbol("A"), x)),
        "2 <= x",
    ),
    "dependent factors": (
        lambda: independent(
            independent_of(P, Law("P2", ("u",))), x, y, BOUNDED[0], BOUNDED[1]
        ),
        "belong to one",
    ),
    "a part of what is independent": (
        lambda: disintegrated(independent_of(P, UNIT), "x"),
        "all variables",
    ),
    "given one of two that depend": (
        lambda: disintegrate(P, x * y, "x", GIVEN_X),  # type: ignore[arg-type]
        "side by side",
    ),
    "a mean given one law that may be infinite": (
        lambda: disintegrate(
            independent_of(P, Law("P2", ("u",))), Symbol("u"), ("x", "y"), BOUNDED[0]
        ),
        "is finite",
    ),
    "a mean that is finite for another formula": (
        lambda: disintegrate(
            independent_of(P, UNIT), x * y * Symbol("u"), "u", BOUNDED[2]
        ),
        "is finite",
    ),
    "a formula that is known almost surely only": (
        lambda: disintegrate(
            independent_of(P, UNIT), E(P, y, "x") * Symbol("u"), ("x", "y"), BOUNDED[0]
        ),
        "not a formula",
    ),
    "a formula that is undefined": (
        lambda: disintegrate(
            independent_of(P, UNIT),
            log(x),
            "u",
            integrable(assume(at_most(E(P, log(x)), 1)), E(P, log(x))),
        ),
        "no proof of 0 < x",
    ),
    "a law that shares a variable": (
        lambda: independent_of(P, Law("P2", ("x",))),
        "already speaks",
    ),
    "a fact of another law": (
        lambda: expect(
            expect(real("y <= 3", *BOX), P, GIVEN_X, given="x"), Law("S", ("x",))
        ),
        "under P only",
    ),
    "a wrong antiderivative": (
        lambda: integrate(
            NORMAL, exp(t * x), (exp(t**2 / 2) * NORMAL_MASS,), (NORMAL_MASS,)
        ),
        "no proof",
    ),
    "a density of another mass": (
        lambda: integrate(
            Density("D", ("x",), (), (Stretch(formula(0), formula(2), formula(1)),)),
            1,
            (x,),
            (x,),
        ),
        "no proof of 2 == 1",
    ),
    "an integral that is not absolute": (
        lambda: integrate(NORMAL, x, (-exp(-(x**2) / 2),), (NORMAL_MASS,)),
        "no proof of 0 <= x or of x <= 0",
    ),
    "an instance outside the support": (
        lambda: instance(
            upper_mean(), P, Law("S", ("u",)), {"x": Symbol("u"), "y": formula(0)}
        ),
        "-3 <= u",
    ),
    "a condition that is undefined in the new domain": (
        lambda: under(specialize(real("y <= y + 1", "y >= 0"), y=sqrt(a)), "a <= 7"),
        "no proof of 0 <= a",
    ),
    "a mean that is finite only because it was put in for a number": (
        lambda: integrable(
            specialize(real("a <= a + 1"), a=E(Q_ANY, exp(x))), E(Q_ANY, exp(x))
        ),
        "does not show",
    ),
    "a mean that was put in, at another parameter": (
        lambda: integrable(
            specialize(specialize(real("a <= a + 1"), a=E(Q_ANY, exp(t * x))), t=2),
            E(Q_ANY, exp(2 * x)),
        ),
        "does not show",
    ),
    "a mean that was put in as a factor": (
        lambda: integrable(
            linear(P, E(Q_ANY, exp(x)), {}, constant=E(Q_ANY, exp(x))), E(Q_ANY, exp(x))
        ),
        "does not show",
    ),
    "an event that may be undefined": (
        lambda: cases(event(P, "A", "log(x) <= 0"), at_most(0, Symbol("A"))),
        "no proof of 0 < x",
    ),
    "a random whole number": (
        lambda: expect(specialize(induct(BASE, STEP, "k"), k=x), P),
        "random variable",
    ),
    "two cases that leave something out": (
        lambda: either(real("0 <= x", "x > 1"), real("0 <= x", "x > 2")),
        "leave something out",
    ),
    "two cases, both strict": (
        lambda: either(real("0 < x**2", "x < 0"), real("0 < x**2", "0 < x")),
        "leave something out",
    ),
    "a shift that is not the same for all": (
        lambda: reindex(WHOLE, *SUMS, Symbol("n")),
        "the same for all",
    ),
    "a shift that is not whole": (
        lambda: reindex(WHOLE, *SUMS, formula(Fraction(1, 2))),
        "whole number",
    ),
    "a weight without a finite sum": (
        lambda: reindex(WHOLE, SUMS[0], SUMS[1], real("exp(-n**2/8) <= 2"), formula(1)),
        "is not a number times",
    ),
    "a factor known on a part of the law only": (
        lambda: linear(
            P, x * abs_(y), {x * y: formula(1)}, BOUNDED[2], where=("y >= 0",)
        ),
        "no proof",
    ),
    "a condition of a mean that is random": (
        lambda: marginal(LARGE, P, x, BOUNDED[0], "x >= 1"),
        "may not speak",
    ),
    "an instance that captures": (
        lambda: instance(
            expect(real("x <= 3 + a**2", *BOX), P, BOUNDED[0]),
            P,
            Law("S", ("a",), relations("0 <= a <= 1")),
            {"x": a, "y": formula(0)},
        ),
        "already stands",
    ),
}
UNIT: Law = Law("P2", ("u",), relations("0 <= u <= 1"))
LARGE: Event = event(P, "A", "1 <= x")
WHOLE: Lattice = Lattice("D", ("n",), (), exp(-(Symbol("n") ** 2) / 8))
FALL = "exp(-abs(n))"
SUMS: tuple[Fact, Fact, Fact] = (
    summable(
        WHOLE,
        1,
        real(f"exp(-n**2/8) <= 8*{FALL}"),
        real("0 <= exp(-n**2/8)"),
        real("0 < exp(-n**2/8)"),
        real(f"exp(-n**2/8) <= 8*{FALL}"),
    ),
    real("0 < exp(-n**2/8)"),
    real(f"exp(-n**2/8) <= 8*{FALL}"),
)
LOGARITHM: Fact = dominated(real("abs(R*log(R)) <= 8", *Q.support), Q)
NORMAL: Density = Density(
    "N", ("x",), (), (Stretch(None, None, exp(-(x**2) / 2) / sqrt(2 * PI)),)
)
NORMAL_MASS: Expr = (2 - erfc(x / sqrt(2))) / 2
K = Symbol("k")
M_K = Quantity("M", (K,))
BASE: Fact = assume(at_most(Quantity("M", (formula(0),)), 1))
GROWS = assume(at_most(Quantity("M", (K + 1,)), 2 * M_K), every="k")


def induction_step() -> Any:
    return combine(
        at_most(Quantity("M", (K + 1,)), formula(2) ** (K + 1)),
        GROWS,
        (assume(at_most(M_K, formula(2) ** K)), 2),
    )


def upper_mean() -> Any:
    return expect(real("x <= 3", *BOX), P, BOUNDED[0])


BOUNDED_FACT: Fact = expect(real("y <= 3", *BOX), P, BOUNDED[1])
STEP: Fact = induction_step()


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_rules_refuse(name: str) -> None:
    attempt, reason = REFUSED[name]
    with searching(1.0), pytest.raises(Refused, match=re.escape(reason)):
        attempt()


def test_induction() -> None:
    fact = induct(BASE, STEP, "k")
    assert fact.relation == at_most(M_K, formula(2) ** K)
    assert Whole("k", 0) in fact.domain
    assert [str(one) for one in fact.hypotheses if "k" in one.free()] == []
    assert specialize(fact, k=3).relation == at_most(Quantity("M", (formula(3),)), 8)


def test_axioms_and_hypotheses_stay_visible() -> None:
    believed = axiom("a classical result (reference)", at_most(E_X, 1))
    fact = combine(at_most(2 * E_X, 2), believed)
    (kept,) = fact.axioms
    assert kept == Believed("a classical result (reference)", at_most(E_X, 1))
    (other,) = axiom("a result", "x <= 1", "x >= 0", assuming=(fact,)).axioms
    assert (other.name, other.domain) == ("a result", relations("x >= 0"))
    assumed = assume(at_most(E_X, a))
    follows = combine(at_most(2 * E_X, 2 * a), assumed)
    assert follows.hypotheses == assumed.hypotheses
    proved = discharge(specialize(follows, a=3), upper_mean())
    assert proved.hypotheses == ()
    assert proved.relation == at_most(2 * E_X, 6)


def test_certificates_of_side_conditions_are_accepted_by_the_checker() -> None:
    from rdpacct.proof.check import check

    fact, _, _ = lawful_facts()["combine"]
    certificates = fact.all_certificates()
    assert certificates
    assert {check(one).verdict for one in certificates} == {"proved"}


def test_gaussian_moments_without_axioms() -> None:
    fact = integrate(
        NORMAL,
        exp(t * x),
        (exp(t**2 / 2) * (2 - erfc((x - t) / sqrt(2))) / 2,),
        (NORMAL_MASS,),
    )
    assert fact.relation == equal(E(NORMAL, exp(t * x)), exp(t**2 / 2))
    assert not fact.axioms


def test_cases_join() -> None:
    fact = either(
        real("0 <= x**2 + x + 1", "x <= 0"), real("0 <= x**2 + x + 1", "0 <= x")
    )
    assert fact.domain == ()


def test_sums_over_the_integers_are_reindexed_right() -> None:
    """Both sides of a shift and of a reflection, summed over enough integers."""
    for by, reflect in ((1, False), (3, True), (-2, False)):
        fact = reindex(WHOLE, *SUMS, formula(by), reflect=reflect)
        left, right = (
            side.body
            for side in (fact.relation.left, fact.relation.right)
            if isinstance(side, terms_module.Expectation)
        )
        sums = [
            sum(
                float((side * WHOLE.weight).at(n=Fraction(n)).bound())
                for n in range(-60, 61)
            )
            for side in (left, right)
        ]
        assert abs(sums[0] - sums[1]) < 1e-12 * sums[0]


def test_strict_relations_stay_strict() -> None:
    fact = expect(real("x < 4", *BOX), P, BOUNDED[0])
    assert fact.relation == below(E_X, 4)


def test_exchangeable_ranks() -> None:
    n = Symbol("n")
    k = Symbol("k")
    law = ranked("V", n, k)
    last = law.symbol("last")
    total = law.symbol("total")
    finite = dominated(real("abs(last) <= 1", "0 <= last <= 1"), law)
    swapped = exchange(law, finite)
    finite_total = integrable(swapped, E(law, total))
    most = expect(real(at_most(total, n - k), at_most(total, n - k)), law, finite_total)
    fact = combine(
        at_most(E(law, last), (n - k) / n), (most, 1 / n), swapped, given=("n >= 1",)
    )
    assert fact.relation == at_most(E(law, last), (n - k) / n)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_ranks_are_counted_right(size: int) -> None:
    """Of any numbers, at most count - rank have at least ``rank`` of them strictly below: all
    patterns of ties.
    """
    from itertools import product

    for values in product(range(size), repeat=size):
        for rank in range(size + 1):
            large = sum(
                sum(other < value for other in values) >= rank for value in values
            )
            assert large <= size - rank


def captured(self: Any, **values: Any) -> Any:
    return terms_module.Expectation(self.law, self.body.at(**values), self.given)


DRAWN = draw(P, "c", {formula(1): (9 + x) / 10, formula(0): (9 + x) / 10})
# A check taken out of the kernel, the false fact that it then makes, and the law whose points that
# speaks of.
BROKEN: dict[str, tuple[Any, ...]] = {
    "what may be pulled out": (
        [(means_module, "_is_known", lambda *_: None)],
        lambda: linear(P, x * y, {y: x}, BOUNDED[1]),
        P,
    ),
    "the sign of a factor": (
        [(arithmetic, "settle", lambda *_: [])],
        lambda: combine(at_most(-E_X, -3), (upper_mean(), -1)),
        P,
    ),
    "the domain under a law": (
        [(means_module, "_integrated", lambda *_: ([], [], []))],
        lambda: expect(
            real("x <= x**2", "x >= 1"),
            P,
            BOUNDED[0],
            dominated(real("abs(x**2) <= 9", *BOX), P),
        ),
        P,
    ),
    "the probabilities of a draw": (
        [(module, "masses_of", lambda *_: []) for module in (finite_module, existence)],
        lambda: given_by(drawn(DRAWN, Symbol("c") + 1), exists(DRAWN)),
        DRAWN,
    ),
    "cases": (
        [(finite_module, "establish_at", lambda *_: [])],
        lambda: cases(LARGE, at_most(2 * Symbol("A"), x)),
        LARGE,
    ),
    "capture": (
        [
            (logic_module, "_may_replace", lambda *_: None),
            (terms_module.Expectation, "at", captured),
        ],
        lambda: specialize(linear(P, t * x, {x: t}, BOUNDED[0]), t=x),
        P,
    ),
}


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_a_rule_without_its_check_is_caught(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    removed, make, law = BROKEN[name]
    with searching(1.0), pytest.raises(Refused):
        make()
    for module, check, nothing in removed:
        monkeypatch.setattr(module, check, nothing)
    assert attack(make(), law, models=200)
