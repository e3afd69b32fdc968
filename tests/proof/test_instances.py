"""Instances: what the evaluator accepts as a witness or as a counterexample, and what not."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import absolute, exp, log, maximum
from rdpacct.proof.claim import Comparison
from rdpacct.proof.evaluate import Known, World
from rdpacct.proof.evidence import refutation_of
from rdpacct.proof.instance import (
    Instance,
    example,
    image,
    points,
    read,
    recursive,
    steps,
)
from rdpacct.proof.kernel import (
    Density,
    E,
    Law,
    On,
    Quantity,
    Refused,
    Stretch,
    Whole,
    assume,
    at_most,
    below,
    chain,
    combine,
    draw,
    equal,
    event,
    independent_of,
    ranked,
    real,
    relations,
    tilted,
)
from rdpacct.proof.search.witnesses import find_witness
from rdpacct.proof.tactics import normal
from rdpacct.proof.tactics.equal_records import all_zero
from rdpacct.proof.tactics.ranks import Sample
from rdpacct.proof.theorem import (
    Falsehood,
    Refutation,
    Statement,
    by_prover,
    without,
)
from rdpacct.proof.witness import is_witnessed

x, y, t, k, n, eps, m = map(Symbol, ("x", "y", "t", "k", "n", "eps", "m"))
P = Law("P", ("x",), relations("-eps <= x", "x <= eps"))
PAIR = Law("J", ("x", "y"))
TRUE = at_most(0, 1)


def part(claim: Comparison = TRUE, *given: Any, **assuming: Any) -> Statement:
    """A statement of which only what it supposes matters here."""
    return Statement("part", "", claim, by_prover(""), given, assuming)


def mean(law: Law, value: Any) -> Any:
    return assume(equal(E(law, x), value))


HALVES = [(-1, "1/2"), (1, "1/2")]
CENTERED = part(TRUE, "eps > 0", centered=mean(P, 0))
SUBGAUSSIAN = part(
    TRUE, moment=assume(at_most(E(PAIR, exp(t * x)), exp(t**2 / 2)), every="t")
)
GIVEN_FIRST = part(TRUE, second=assume(at_most(E(PAIR, y, "x"), x)))
RECURSION = part(
    TRUE,
    start=assume(equal(Quantity("S", (formula(0),)), 1)),
    step=assume(
        equal(Quantity("S", (n + 1,)), 2 * Quantity("S", (n,))),
        Whole("n", 0),
        every="n",
    ),
)
COUNTS = part(
    TRUE,
    ranks=assume(
        at_most(
            (Quantity("V", (k,)) - t) * (Quantity("c", (t,)) - k + Fraction(1, 2)), 0
        ),
        Whole("k", 1),
        "k <= n",
        every=("k", "t"),
    ),
)
HOLDS: dict[str, tuple[Statement, Instance]] = {
    "two atoms": (CENTERED, example({"eps": 1}, {"P": HALVES})),
    "irrational atoms": (
        part(TRUE, mass=assume(equal(E(PAIR, exp(-x)), 1))),
        example(laws={"J": [(("log(2)", 0), "2/3"), (("-log(2)", 0), "1/3")]}),
    ),
    "for all t": (
        SUBGAUSSIAN,
        example(laws={"J": [((1, 0), "1/2"), ((-1, 0), "1/2")]}),
    ),
    "given the first": (
        GIVEN_FIRST,
        example(laws={"J": [((0, -1), "1/4"), ((0, 1), "1/4"), ((1, 1), "1/2")]}),
    ),
    "recursion": (RECURSION, example(S=recursive())),
    "a sample with a count": (
        COUNTS,
        example({"n": 2}, V=points((1, 0), (2, 1)), c=steps(0, (0, 1), (1, 2))),
    ),
    "a count of the first records": (
        part(TRUE, **Sample("c", "V").definition()),
        all_zero({}, Sample("c", "V")),
    ),
    "exchangeable": (
        part(at_most(E(ranked("V", formula(2), formula(1)), Symbol("last")), 1)),
        example(laws={"V": [((0, 1), "1/2"), ((1, 0), "1/2")]}),
    ),
    "made from a density": (
        part(TRUE, mean=assume(equal(E(PAIR, x), 0))),
        example(laws={"J": image(normal.standard_normal("N", "z"), "z", 0)}),
    ),
}
FACTS: dict[str, Callable[[], Any]] = {
    "made from a density": lambda: [
        normal.mean(normal.standard_normal("N", "z")),
        normal.is_law(normal.standard_normal("N", "z")),
    ]
}


@pytest.mark.parametrize("name", HOLDS)
def test_an_instance_in_which_all_holds_is_a_witness(name: str) -> None:
    statement, found = HOLDS[name]
    facts = FACTS.get(name, list)()
    is_witnessed(statement, found, Known(facts, facts))
    assert read(found.data()) == found


X_OR_0 = draw(Law("B", ("x",)), "d", {x: formula(1) / 2, formula(0): formula(1) / 2})
FAILS: dict[str, tuple[Statement, Instance, str]] = {
    "another mean": (CENTERED, example({"eps": 1}, {"P": [(1, 1)]}), "is false"),
    "outside of the support": (
        CENTERED,
        example({"eps": "1/2"}, {"P": HALVES}),
        "is false",
    ),
    "a condition": (CENTERED, example({"eps": 0}, {"P": [(0, 1)]}), "is false"),
    "masses below 1": (
        CENTERED,
        example({"eps": 1}, {"P": [(0, "1/2")]}),
        "is false",
    ),
    "a negative mass": (
        CENTERED,
        example({"eps": 2}, {"P": [(0, 3), (1, -1), (-1, -1)]}),
        "is false",
    ),
    "nearly 1": (
        part(TRUE, mass=assume(equal(E(PAIR, exp(-x)), 1))),
        example(laws={"J": [(("1/10**40", 0), 1)]}),
        "is false",
    ),
    "no law": (CENTERED, example({"eps": 1}), "does not say what P is"),
    "no value": (CENTERED, example(laws={"P": [(0, 1)]}), "no proof of -eps"),
    "a row that is too long": (
        CENTERED,
        example({"eps": 1}, {"P": [((0, 0), 1)]}),
        "another length",
    ),
    "not for all t": (
        SUBGAUSSIAN,
        example(laws={"J": [((2, 0), "1/2"), ((-2, 0), "1/2")]}),
        "no proof",
    ),
    "at one place only": (
        GIVEN_FIRST,
        example(laws={"J": [((0, -1), "1/2"), ((1, 2), "1/2")]}),
        "is false",
    ),
    "no whole number": (
        part(TRUE, Whole("n", 1)),
        example({"n": "1/2"}),
        "no whole number",
    ),
    "recursion that is none": (
        part(TRUE, step=assume(equal(Quantity("S", (n + 1,)), 1), every="n")),
        example(S=recursive()),
        "not defined by one start",
    ),
    "recursion, and more": (
        replace(
            RECURSION,
            assuming={
                **RECURSION.assuming,
                "more": assume(at_most(Quantity("S", (formula(3),)), 0)),
            },
        ),
        example(S=recursive()),
        "not defined by one start",
    ),
    "recursion for all reals": (
        part(
            TRUE,
            start=assume(equal(Quantity("S", (formula(0),)), 1)),
            step=assume(
                equal(Quantity("S", (n + 1,)), Quantity("S", (n,)) + log(n)), every="n"
            ),
        ),
        example(S=recursive()),
        "not defined from 0 on",
    ),
    "a count of another sample": (
        COUNTS,
        example({"n": 2}, V=points((1, 0), (2, 1)), c=steps(0, (0, 1), (2, 2))),
        "no proof",
    ),
    "a count of one record too many": (
        part(TRUE, **Sample("c", "V").definition()),
        example(
            I=steps(0, (0, 1)), V=("k", 0), c=steps(0, (0, "j + 1"), of=("j", "t"))
        ),
        "is false",
    ),
    "a count that begins elsewhere": (
        part(TRUE, **Sample("c", "V").definition()),
        example(I=steps(0, (0, 1)), V=("k", 0), c=steps(0, (1, "j"), of=("j", "t"))),
        "is false",
    ),
    "steps of another number of arguments": (
        part(TRUE, **Sample("c", "V").definition()),
        example(I=steps(0, (0, 1)), V=("k", 0), c=steps(0, (0, 1))),
        "does not say what c",
    ),
    "a rank that has no value": (
        COUNTS,
        example({"n": 3}, V=points((1, 0), (2, 1)), c=steps(0, (0, 1), (1, 2))),
        "does not say what V",
    ),
    "not exchangeable": (
        part(at_most(E(ranked("V", formula(2), formula(1)), Symbol("last")), 1)),
        example(laws={"V": [((0, 1), 1)]}),
        "is false",
    ),
    "a hypothesis about nothing": (
        part(TRUE, few=assume(at_most(k, 0), Whole("k", 1), "k <= 0", every="k")),
        example(),
        "says nothing",
    ),
    "an undefined square": (
        part(at_most(0, 1), at_most(maximum(0, log(y)), 1)),
        example({"y": -1}),
        "is false",
    ),
    "a division by zero": (part(TRUE, at_most(1 / y, 1)), example({"y": 0}), "zero"),
    "a quantity with a free symbol": (
        part(TRUE, value=assume(at_most(Quantity("M", (k,)), 1), every="k")),
        example(M=("k", "z")),
        "has no value",
    ),
    "a density that is none": (
        part(TRUE, bounded=assume(at_most(E(PAIR, x), 1))),
        example(
            laws={
                "J": image(
                    Density(
                        "U", ("z",), (), (Stretch(formula(0), formula(1), formula(2)),)
                    ),
                    "z",
                    0,
                )
            }
        ),
        "not shown that U",
    ),
    "a tilt that is no law": (
        part(at_most(E(tilted("Q", PAIR, exp(-x)), x), 9)),
        example(laws={"J": [((1, 0), 1)]}),
        "is false",
    ),
    "a draw with a value too many": (
        part(at_most(E(draw(PAIR, "d", {formula(1): x}), Symbol("d")), 9)),
        example(laws={"J": [(("1/2", 0), 1)]}),
        "is false",
    ),
    "a claim that fails": (
        part(at_most(E(PAIR, x), 0)),
        example(laws={"J": [((1, 0), 1)]}),
        "fails in its witness",
    ),
}


@pytest.mark.parametrize("name", FAILS)
def test_an_instance_in_which_something_fails_is_none(name: str) -> None:
    statement, found, why = FAILS[name]
    with pytest.raises(Refused, match=why):
        is_witnessed(statement, found)


def test_a_part_that_denies_its_hypotheses_needs_all_else() -> None:
    """The claim 0 < 0 says that the hypotheses cannot hold; the conditions can."""
    denied = part(below(0, 0), "eps > 0", centered=mean(P, 5))
    is_witnessed(denied, example({"eps": 1}, {"P": HALVES}))
    with pytest.raises(Refused):
        is_witnessed(denied, example({"eps": 0}, {"P": [(0, 1)]}))


def test_the_search_finds_what_can_hold() -> None:
    for name in ("two atoms", "for all t", "given the first", "recursion"):
        statement, _ = HOLDS[name]
        found = find_witness(statement, Known())
        is_witnessed(statement, found.instance)


UNSATISFIABLE = {
    "ranks of all real k": part(
        TRUE,
        ranks=assume(
            at_most(
                (Quantity("V", (k,)) - t) * (Quantity("c", (t,)) - k + Fraction(1, 2)),
                0,
            ),
            every=("k", "t"),
        ),
        reached=assume(at_most(k, Quantity("c", (Quantity("V", (k,)),))), every="k"),
    ),
    "a mean outside of the support": part(TRUE, "eps > 0", mean=mean(P, 2 * eps)),
    "conditions that exclude each other": part(TRUE, "x > 1", "x**2 < 1/2"),
    "0 < 0 assumed": part(TRUE, absurd=assume(below(0, 0))),
    "an empty support": part(
        at_most(E(Law("P", ("x",), relations("x < 0", "0 < x")), x), 1)
    ),
}


@pytest.mark.parametrize("name", UNSATISFIABLE)
def test_the_search_finds_nothing_where_nothing_is(name: str) -> None:
    with pytest.raises(Refused, match="was found"):
        find_witness(UNSATISFIABLE[name], Known())


@pytest.mark.parametrize(("step", "stays"), [(0, True), (1, False)])
def test_a_sequence_is_the_same_at_every_number_only_if_nothing_moves_it(
    step: int, stays: bool
) -> None:
    walk = chain("W", {"s": (0, Symbol("s") + Symbol("d"))}, ("d",), k)
    at_rest = assume(equal(E(walk, exp(Symbol("s"))), 1), Whole("k", 0), every="k")
    part = Statement(
        "part", "", at_most(0, 1), by_prover("plain"), (), {"rests": at_rest}
    )
    found = example(laws={"W": [((step,), 1)]})
    if stays:
        is_witnessed(part, found, Known())
    else:
        with pytest.raises(Refused):
            is_witnessed(part, found, Known())


@pytest.mark.parametrize(("mean", "right"), [(1, True), (2, False)])
def test_what_is_given_of_one_law_does_not_matter_to_the_other(
    mean: int, right: bool
) -> None:
    walk = chain("W", {"s": (1, Symbol("s") * Symbol("d"))}, ("d",), k)
    both = independent_of(walk, Law("Q", ("z",)))
    next_one = E(both, Symbol("s") * Symbol("d"), "s")
    scaled = assume(equal(next_one, mean * Symbol("s")), Whole("k", 0), every="k")
    part = Statement(
        "part", "", at_most(0, 1), by_prover("plain"), (), {"scaled": scaled}
    )
    found = example(laws={"W": [((2,), "1/2"), ((0,), "1/2")], "Q": [((5,), 1)]})
    if right:
        is_witnessed(part, found, Known())
    else:
        with pytest.raises(Refused):
            is_witnessed(part, found, Known())


def test_a_chain_of_laws_has_places_from_number_to_number() -> None:
    """Two fair steps of 1 or -1, from 0."""
    walk = chain("W", {"s": (0, Symbol("s") + Symbol("d"))}, ("d",), 2)
    world = World(example(laws={"W": HALVES}))
    square = world.formula(E(walk, Symbol("s") ** 2), {})
    assert square == formula(2)


BROKEN = Falsehood(
    "a centered variable is nowhere positive",
    at_most(E(event(P, "A", below(0, x)), Symbol("A")), 0),
    ("eps > 0",),
    assuming={"centered": mean(P, 0)},
    instance=example({"eps": 1}, {"P": HALVES}),
)


def test_a_falsehood_is_broken_by_its_instance() -> None:
    assert refutation_of(BROKEN).instance == BROKEN.instance


@pytest.mark.parametrize(
    "instance",
    [
        example({"eps": 1}, {"P": [(0, 1)]}),
        example({"eps": 1}, {"P": [(1, 1)]}),
        example({"eps": 0}, {"P": [(0, 1)]}),
        example({"eps": "1/2"}, {"P": HALVES}),
        example({"eps": 1}),
        example({}, {"P": HALVES}),
    ],
    ids=["true there", "not assumed", "not given", "support", "no law", "no value"],
)
def test_a_falsehood_stands_in_other_instances(instance: Instance) -> None:
    with pytest.raises(Refused):
        refutation_of(replace(BROKEN, instance=instance))


def test_a_point_of_a_law_is_one_of_its_places() -> None:
    """A claim that holds almost surely is broken at a place of the law, and nowhere else."""
    false = Falsehood(
        "the second is at most 0, given the first",
        at_most(E(PAIR, y, "x"), 0),
        (On(PAIR),),
        instance=example({"x": 1}, {"J": [((0, 0), "1/2"), ((1, 1), "1/2")]}),
    )
    assert refutation_of(false)
    for value in (0, 2):
        other = example({"x": value}, {"J": [((0, 0), "1/2"), ((1, 1), "1/2")]})
        with pytest.raises(Refused):
            refutation_of(replace(false, instance=other))
    pointwise = replace(
        false, claim=at_most(x, 1), instance=example({"x": 2}, {"J": [((0, 0), 1)]})
    )
    with pytest.raises(Refused, match="is not on J"):
        refutation_of(pointwise)


def test_facts_that_do_not_contradict_the_claim_refute_nothing() -> None:
    """Words and true facts beside the claim, about a law that no finite sum is about."""
    law = normal.standard_normal("N", "z")
    second = normal.second_moment(law)
    claim = at_most(E(law, Symbol("z") ** 2), Fraction(1, 2))
    half = real("1/2 < 1")
    opposite = combine(below(Fraction(1, 2), second.relation.left), second, half)

    def refute(*facts: Any) -> Refutation:
        return refutation_of(
            Falsehood("", claim, refutation=lambda: Refutation("", facts))
        )

    assert refute(opposite).facts
    for facts in ((), (half,), (second,), (real("0 < 0 + 1"),)):
        with pytest.raises(Refused):
            refute(*facts)


def test_a_fact_about_some_numbers_does_not_refute_at_others() -> None:
    """The fact holds for k > 1; the instance has k = 0, and bound symbols have no value."""
    law = normal.standard_normal("N", "z")
    second = normal.second_moment(law)
    some = combine(
        below(1, k * second.relation.left), (second, -k), rest=k - 1, given=("k > 1",)
    )
    false = Falsehood(
        "",
        at_most(k * E(law, Symbol("z") ** 2), 1),
        refutation=lambda: Refutation("", (some,)),
        instance=example({"k": 2}),
    )
    assert refutation_of(false).facts
    with pytest.raises(Refused):
        refutation_of(replace(false, instance=example({"k": 0})))


def test_without_a_hypothesis() -> None:
    claim = at_most(E(P, x), 0)
    stated = part(claim, "eps > 0", centered=mean(P, 0))
    found = example({"eps": 1}, {"P": [(1, 1)]})
    assert refutation_of(without(stated, "centered", "", found)).instance == found
    with pytest.raises(Refused, match="does not assume"):
        without(stated, "another", "", found)


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"values": [], "laws": {}, "unknown": {}, "images": {}},
        {"values": {"x": "1 +"}, "laws": {}, "unknown": {}, "images": {}},
        {"values": {"x": "1 <= 2"}, "laws": {}, "unknown": {}, "images": {}},
        {"values": {}, "laws": {"P": [["1"]]}, "unknown": {}, "images": {}},
        {"values": {}, "laws": {}, "unknown": {"M": {}}, "images": {}},
        {"values": {}, "laws": {}, "unknown": {}, "images": {"P": {"pieces": 1}}},
    ],
)
def test_what_is_no_instance_is_refused(data: Any) -> None:
    with pytest.raises(Refused):
        read(data)


def test_laws_side_by_side_are_finite_given_the_other() -> None:
    """E[x + z given z] under a coin beside a normal variable, for every z."""
    both = independent_of(Law("C", ("x",)), normal.standard_normal("N", "z"))
    z = Symbol("z")
    stated = part(TRUE, bound=assume(at_most(E(both, x + z, "z"), absolute(z))))
    facts = [normal.is_law(normal.standard_normal("N", "z"))]
    is_witnessed(stated, example(laws={"C": HALVES}), Known(facts, facts))
    with pytest.raises(Refused):
        is_witnessed(stated, example(laws={"C": [(1, 1)]}), Known(facts, facts))
