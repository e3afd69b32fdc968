"""Sequences of laws: their rules hold in random finite models, and refuse what is not so."""

import random
from collections.abc import Callable, Mapping
from fractions import Fraction

import pytest

from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import exp, log, sqrt
from rdpacct.proof.derivations import Writer
from rdpacct.proof.kernel import (
    E,
    Exists,
    Fact,
    Law,
    Quantity,
    Refused,
    Table,
    Whole,
    assume,
    at_most,
    at_start,
    chain,
    chains,
    combine,
    disintegrate,
    dominated,
    equal,
    exists,
    expect,
    given_by,
    induct,
    instance,
    integrable,
    one_more,
    real,
    relations,
    specialize,
    table,
    under,
)
from rdpacct.proof.kernel.derivation import Derivation
from rdpacct.proof.kernel.fact import make
from rdpacct.proof.kernel.laws import Chain
from rdpacct.proof.kernel.side import searching
from rdpacct.proof.tactics.sequences import averaged, multiplied, sum_by_sum
from tests.kernel_model import Model, Row, Value

S, L, B, k, t, a = (Symbol(name) for name in ("S", "L", "B", "k", "t", "a"))
BOX = relations("-2 <= L <= 2")
PLAIN = chain("C", {"S": (0, S + L)}, ("L",), k)
"""Losses that add up."""
BOUNDED = chain(
    "C", {"S": (0, S / 2 + L / 2)}, ("L",), k, BOX + relations("-2 <= S <= 2")
)
"""A moving average, which stays in the box."""
COIN = Table("T", ("L",), (), (((formula(1),), a), ((formula(-1),), 1 - a)))
TOSSED = chain("C", {"S": (a, S + L), "B": (0, B + L * S)}, COIN, k)
"""Tosses of a coin."""
BESIDE = chain("C", {"S": (a, S + L)}, COIN, k, beside=("T",))
"""Tosses, and a number beside them that may depend on all."""
COINS = relations("0 <= a <= 1")


def new_of(seed: int) -> Callable[[int, Mapping[str, Value]], list[Row]]:
    """Some new value in the box, whose law depends on the number and on the past."""

    def drawn(number: int, past: Mapping[str, Value]) -> list[Row]:
        rng = random.Random(f"{seed} {number} {sorted(past.items())}")
        share = Fraction(rng.randint(0, 8), 8)
        values = [Fraction(rng.randint(-8, 8), 4) for _ in range(2)]
        return [({"L": values[0]}, share), ({"L": values[1]}, 1 - share)]

    return drawn


def refuted(fact: Fact, law: Chain, models: int = 15) -> bool:
    """Some random model, with at most 3 steps, refutes the fact."""
    rng = random.Random(3)
    for turn in range(models):
        numbers = {
            "k": Fraction(rng.randint(-1, 2)) + Fraction(rng.choice((0, 0, 1)), 2),
            "t": Fraction(rng.randint(-4, 4), 3),
            "a": Fraction(rng.randint(1, 5), 6),
        }
        model = Model(numbers, sequences={"C": new_of(turn)})
        points = [point for point, mass in model.rows(law) if mass]
        if model.refutes(fact, points):
            return True
    return False


def bounded(body: str, most: int, law: Chain = BOUNDED) -> Fact:
    return dominated(real(f"abs({body}) <= {most}", *BOUNDED.support), law)


LAWFUL: dict[str, tuple[Callable[[], Fact], Chain]] = {
    "the start": (lambda: at_start(TOSSED.sequence, S**2 + t * B), TOSSED),
    "one more": (
        lambda: one_more(BOUNDED, S**2, bounded("(S/2 + L/2)**2", 4)),
        BOUNDED,
    ),
    "one more, by the next": (
        lambda: one_more(BOUNDED, S, bounded("S", 2, BOUNDED.next)),
        BOUNDED,
    ),
    "one more toss": (
        lambda: one_more(
            TOSSED,
            B,
            integrable(assume(equal(E(TOSSED, B + L * S), t)), E(TOSSED, B + L * S)),
        ),
        TOSSED,
    ),
    "what is new, given the past": (
        lambda: disintegrate(
            TOSSED,
            L**2 * S + L,
            TOSSED.past,
            integrable(table(COIN, L**2 * S + L, *COINS), E(COIN, L**2 * S + L)),
        ),
        TOSSED,
    ),
    "what is new, with more beside": (
        lambda: disintegrate(
            BESIDE,
            L * S,
            BESIDE.past,
            integrable(table(COIN, L * S, *COINS), E(COIN, L * S)),
        ),
        BESIDE,
    ),
}


@pytest.mark.parametrize("name", sorted(LAWFUL))
def test_rules_hold_in_models(name: str) -> None:
    make, law = LAWFUL[name]
    assert not refuted(make(), law)


@pytest.mark.parametrize("name", sorted(LAWFUL))
def test_derivations_are_read_again(name: str) -> None:
    fact = LAWFUL[name][0]()
    writer = Writer()
    number = writer.fact(fact)
    again = Derivation(writer.lines).fact(number)
    assert again.statement == fact.statement
    assert (again.domain, again.hypotheses) == (fact.domain, fact.hypotheses)


def test_models_see_what_is_false() -> None:
    """The mean of the past moves, and what is new depends on the past."""
    for wrong in (
        equal(E(BOUNDED.next, S), E(BOUNDED, S)),
        equal(E(BOUNDED, L, "S"), E(BOUNDED, L)),
    ):
        assert refuted(make("assume", wrong, domain=(), hypotheses=()), BOUNDED)


MEAN = assume(equal(E(PLAIN, S + L), t))
TOSS = assume(equal(E(TOSSED, S + L), t))
ANY = Law("P", ("L",))
NEW = chain("C", {"S": (0, S + L)}, ANY, k)
SQUARE = assume(equal(E(ANY, L**2), 1))
REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "a start somewhere else": (lambda: at_start(PLAIN, S), "does not start"),
    "what is new at the start": (
        lambda: at_start(PLAIN.sequence, S + L),
        "speaks of L",
    ),
    "a start that is undefined": (
        lambda: at_start(chain("C", {"S": (sqrt(a), S)}, ("L",), 0), S),
        "no proof",
    ),
    "a formula that is undefined at the start": (
        lambda: at_start(chain("C", {"S": (0, S)}, ("L",), 0), log(S)),
        "no proof",
    ),
    "what is new at the next": (
        lambda: one_more(PLAIN, L, integrable(MEAN, E(PLAIN, S + L))),
        "speaks of L",
    ),
    "one more that may be infinite": (
        lambda: one_more(PLAIN, S**2, integrable(MEAN, E(PLAIN, S + L))),
        "finite",
    ),
    "a mean inside": (
        lambda: one_more(PLAIN, S * E(PLAIN, S), integrable(MEAN, E(PLAIN, S + L))),
        "leaves alone",
    ),
    "an unknown of the past": (
        lambda: at_start(PLAIN.sequence, Quantity("M", (S,))),
        "leaves alone",
    ),
    "an update that is undefined": (
        lambda: one_more(
            chain("C", {"S": (1, log(S) + L)}, ("L",), k),
            formula(1),
            integrable(MEAN, E(PLAIN, S + L)),
        ),
        "finite",
    ),
    "what is new, though it depends on the past": (
        lambda: disintegrate(PLAIN, L, "S", integrable(MEAN, E(PLAIN, S + L))),
        "may depend on the past",
    ),
    "what is new, given a part of the past": (
        lambda: disintegrate(TOSSED, L, "S", integrable(TOSS, E(TOSSED, S + L))),
        "must be the past",
    ),
    "what is new, though it may be infinite": (
        lambda: disintegrate(NEW, L, "S", integrable(MEAN, E(PLAIN, S + L))),
        "finite",
    ),
    "what stands beside what is new": (
        lambda: disintegrate(
            BESIDE,
            L * Symbol("T"),
            BESIDE.past,
            integrable(
                assume(equal(E(COIN, L * Symbol("T")), 0)), E(COIN, L * Symbol("T"))
            ),
        ),
        "not a formula in the variables",
    ),
    "no past": (lambda: chain("C", {}, ("L",), k), "needs a past"),
    "nothing new": (lambda: chain("C", {"S": (0, S)}, (), k), "something new"),
    "an index that is random": (
        lambda: chain("C", {"S": (0, S)}, ("L",), S),
        "its own variable",
    ),
    "a start that is random": (
        lambda: chain("C", {"S": (L, S)}, ("L",), k),
        "its own variable",
    ),
    "what is new described by the past": (
        lambda: chain("C", {"S": (0, S)}, Law("P", ("L",), relations("L <= S")), k),
        "may not speak of the past",
    ),
    "a law of something else than what is new": (
        lambda: Chain("C", ("S", "L"), (), (S * 0,), (S,), k, Law("P", ("S",))),
        "not a law of what is new",
    ),
    "an index that becomes random": (
        lambda: specialize(combine(at_most(E(PLAIN, S + L), t), MEAN), k=S),
        "fixed number",
    ),
    "another law in the place of what is new": (
        lambda: instance(
            disintegrate(NEW, L**2, "S", integrable(SQUARE, E(ANY, L**2))),
            ANY,
            COIN,
            {"L": L},
        ),
        "single points",
    ),
    "a sequence before its start": (
        lambda: under(one_more(PLAIN, S, integrable(MEAN, E(PLAIN, S + L)))),
        "no proof",
    ),
    "a sequence with a support": (
        lambda: exists(BOUNDED.sequence),
        "not seen",
    ),
    "one law of a sequence": (lambda: exists(PLAIN), "not seen"),
    "a sequence that stops": (
        lambda: exists(chain("C", {"S": (1, log(S) + L)}, ("L",), 0)),
        "no proof",
    ),
}


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_rules_refuse(name: str) -> None:
    attempt, reason = REFUSED[name]
    with searching(1.0), pytest.raises(Refused, match=reason):
        attempt()


def test_a_sequence_that_is_none_says_nothing() -> None:
    """S is 0 at first, and at least 1: what follows needs such a sequence, and none is shown."""
    law = chain("C", {"S": (0, S)}, ("L",), 0, relations("1 <= S", "S <= 2"))
    large = expect(
        real("1 <= S", "1 <= S"), law, dominated(real("abs(S) <= 2", *law.support), law)
    )
    with pytest.raises(Refused, match="is a law"):
        combine(at_most(1, 0), large, at_start(law, S))
    with pytest.raises(Refused, match="not seen"):
        exists(law)


def test_a_sequence_is_there_if_what_is_new_is() -> None:
    there = exists(TOSSED.sequence)
    assert there.statement == Exists(TOSSED.sequence)
    assert there.domain == (Exists(COIN),)
    whole = given_by(there, exists(COIN, *COINS))
    assert whole.domain == COINS
    mean = given_by(at_start(TOSSED.sequence, S), whole)
    assert mean.domain == COINS


def test_moments_of_any_number_of_releases() -> None:
    """The tactic that multiplies, and the induction: E exp(S) <= exp(2 k) for losses of at most
    2.
    """
    law = chain("C", {"S": (0, S + L)}, ("L",), k, BOX)
    past = law.past
    claim = at_most(E(law, exp(S)), exp(2 * k))
    before = assume(claim, Whole("k", 0))
    new = expect(
        real("exp(L) <= exp(2)", *BOX),
        law,
        dominated(
            real("exp(L) <= exp(2)", *BOX), law, lower=real("0 <= exp(L)"), given=past
        ),
        given=past,
    )
    step = multiplied(law, exp(S), exp(L), before, new)
    step = under(
        combine(at_most(E(law.next, exp(S)), exp(2 * (k + 1))), step), Whole("k", 0)
    )
    base = combine(
        at_most(E(law.sequence, exp(S)), exp(2 * formula(0))),
        at_start(law.sequence, exp(S)),
    )
    fact = induct(base, step, "k")
    assert fact.relation == claim
    assert fact.hypotheses == ()
    assert not refuted(fact, law)
    assert not fact.loose


def test_sums_of_any_number_of_tosses() -> None:
    """The tactic that adds, with what is new independent: E S = a + k (2 a - 1)."""
    value = table(COIN, L, *COINS)
    past = TOSSED.past
    new = disintegrate(TOSSED, L, past, integrable(value, E(COIN, L)))
    again = combine(equal(E(TOSSED, L, past), 2 * a - 1), new, value)
    claim = equal(E(TOSSED, S), a + k * (2 * a - 1))
    some = assume(equal(E(TOSSED, L), 2 * a - 1), *COINS, every="k")
    finite = integrable(some, E(TOSSED, L))
    mean = averaged(TOSSED, again, finite)
    assert mean.relation == equal(E(TOSSED, L), 2 * a - 1)
    fact = list(sum_by_sum(claim, TOSSED, L, mean, *COINS))[-1][0]
    assert fact.relation == claim
    assert not refuted(fact, TOSSED)


g = Symbol("g")
CURVE = Quantity("h", (k, g))
START = assume(at_most(Quantity("h", (formula(0), g)), g), every="g")
SO_FAR = assume(at_most(CURVE, g), Whole("k", 0), every="g")
HALVED = assume(
    at_most(Quantity("h", (k + 1, g)), 2 * Quantity("h", (k, g / 2))),
    Whole("k", 0),
    every=("k", "g"),
)


def test_induction_for_all_values_at_once() -> None:
    """h(k + 1, g) <= 2 h(k, g/2) needs the bound of h(k) at another g than its own."""
    half = specialize(SO_FAR, g=g / 2)
    step = combine(at_most(Quantity("h", (k + 1, g)), g), HALVED, (half, 2))
    fact = induct(START, step, "k")
    assert fact.relation == SO_FAR.relation
    assert set(fact.hypotheses) == {*START.hypotheses, *HALVED.hypotheses}


def test_induction_for_all_values_refuses_a_step_for_one() -> None:
    half = specialize(SO_FAR, g=g / 2)
    single = assume(
        at_most(Quantity("h", (k + 1, g)), 2 * Quantity("h", (k, g / 2))), every="k"
    )
    step = combine(at_most(Quantity("h", (k + 1, g)), g), single, (half, 2))
    with pytest.raises(Refused, match="single values"):
        induct(START, step, "k")
    large = combine(
        at_most(Quantity("h", (k + 1, g)), g), HALVED, (half, 2), given=("1 <= g",)
    )
    with pytest.raises(Refused, match="domain of the step"):
        induct(START, large, "k")
    one = assume(at_most(Quantity("h", (formula(0), g)), g))
    whole = combine(at_most(Quantity("h", (k + 1, g)), g), HALVED, (half, 2))
    with pytest.raises(Refused, match="single values"):
        induct(one, whole, "k")


def test_induction_about_almost_all_points_refuses_a_step_at_one() -> None:
    """The step holds where y <= 0 is assumed, and would be used for all y."""
    law = Law("P", ("x", "y"))
    mean = Quantity("c", (k,)) * E(law, Symbol("x"), "y")
    so_far = assume(at_most(mean, 0), Whole("k", 0))
    low = assume(at_most(Symbol("y"), 0))
    later = at_most(mean.at(k=k + 1), 0)
    grows = assume(at_most(mean.at(k=k + 1), mean), Whole("k", 0), every="k")
    step = combine(later, grows, so_far, (low, 0))
    base = assume(at_most(mean.at(k=0), 0))
    with pytest.raises(Refused, match="single values"):
        induct(base, step, "k")


@pytest.mark.parametrize(
    ("check", "nothing", "attempt"),
    [
        ("_counted", list, lambda: one_more(BOUNDED, S, bounded("S/2 + L/2", 2))),
        ("_of_the_past", lambda: L, lambda: one_more(BOUNDED, L, bounded("L", 2))),
    ],
)
def test_a_rule_without_its_check_is_caught(
    check: str,
    nothing: Callable[..., object],
    attempt: Callable[[], Fact],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chains, check, lambda *_: nothing())
    assert refuted(attempt(), BOUNDED)
