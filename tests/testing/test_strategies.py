"""The strategies that users draw from: what is drawn is what it is called, boundary cases come, and
false laws shrink to small examples.
"""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

import mpmath
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from rdpacct import (
    ApproxDP,
    FiniteMechanism,
    InputError,
    Laplace,
    Mechanism,
    Plan,
    ProfileDP,
    PureDP,
    RandomizedResponse,
    Relation,
    delta,
    read_claim,
    read_plan,
)
from rdpacct.exact.number import rational
from rdpacct.exact.parameter import Parameter
from rdpacct.functions import log, sqrt
from rdpacct.mechanisms import PrivacyLoss, ours
from rdpacct.privacy.guarantee import GUARANTEES
from rdpacct.privacy.relation import RelationIn
from rdpacct.testing import strategies as drawn
from rdpacct.testing.instances import Masses, Pair
from rdpacct.testing.strategies.drawn_laws import growth_below

SEARCH = settings(database=None, derandomize=True, max_examples=2000, deadline=None)
RELATIONS = tuple(Relation)
NULL = -1


def are_neighbors(first: Any, second: Any, relation: Relation) -> bool:
    """By the definition: every way to take one record out, or to change one."""
    if relation is Relation.ADD_OR_REMOVE_ONE:
        larger, smaller = sorted((first, second), key=len, reverse=True)
        return smaller in [
            larger[:place] + larger[place + 1 :] for place in range(len(larger))
        ]
    changed = [pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]]
    nulled = [NULL in pair for pair in changed]
    if relation is Relation.ZERO_OUT:
        return len(first) == len(second) and nulled == [True]
    return len(first) == len(second) and nulled == [False]


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
def test_neighbors_are_neighbors(relation: Relation) -> None:
    """Each pair by the definition, of every size within the limits, either way round."""
    seen = Counter[Any]()

    @settings(max_examples=400)
    @given(drawn.neighbors(relation, min_size=1, max_size=3, null=NULL))
    def each(pair: tuple[Any, Any]) -> None:
        assert are_neighbors(*pair, relation)
        seen[len(pair[0]), len(pair[1])] += 1

    each()
    steps = [(2, 1), (1, 2), (3, 2), (2, 3)]
    same = [(1, 1), (2, 2), (3, 3)]
    added = relation is Relation.ADD_OR_REMOVE_ONE
    assert set(seen) == set(steps if added else same)
    assert min(seen.values()) > 10


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
def test_all_neighbors_are_drawn(relation: Relation) -> None:
    """Of at most two bits, every pair that there is."""
    bits = (0, 1, NULL) if relation is Relation.ZERO_OUT else (0, 1)
    sets = [each for size in range(3) for each in product(bits, repeat=size)]
    sets = [each for each in sets if each.count(NULL) < 2]
    there_are = {
        (one, two)
        for one in sets
        for two in sets
        if are_neighbors(one, two, relation) and (*one, *two).count(NULL) < 2
    }
    seen = set[Any]()

    @settings(max_examples=1000)
    @given(drawn.neighbors(relation.value, st.integers(0, 1), max_size=2, null=NULL))
    def each(pair: tuple[Any, Any]) -> None:
        seen.add(pair)

    each()
    assert seen == there_are


@given(drawn.datasets(st.booleans(), min_size=2, max_size=4))
def test_data_sets_have_the_given_records(data: tuple[bool, ...]) -> None:
    """As many as the limits say."""
    assert 2 <= len(data) <= 4
    assert set(data) <= {False, True}


def events(pair: Pair) -> Any:
    """All sets of outputs."""
    outputs = range(len(pair.p))
    return chain.from_iterable(combinations(outputs, size) for size in range(5))


def mass(law: Masses, event: tuple[int, ...]) -> Fraction:
    """The probability of an event."""
    return sum((law[output] for output in event), Fraction(0))


def excess(pair: Pair, growth: Fraction) -> Fraction:
    """The smallest delta at exp(epsilon), over all events in both orders."""
    return max(
        max(
            mass(pair.p, event) - growth * mass(pair.q, event),
            mass(pair.q, event) - growth * mass(pair.p, event),
        )
        for event in events(pair)
    )


PRIVATE = [
    (log(3), 0, Fraction(3)),
    (log(3), "1/10", Fraction(3)),
    (log(Fraction(5, 4)), "1e-6", Fraction(5, 4)),
    (0, 0, Fraction(1)),
    (0, "1/3", Fraction(1)),
    (1, "1/7", Fraction(1264, 465)),
    (5, 1, growth_below(5)),
]


@pytest.mark.parametrize(("level", "loose", "growth"), PRIVATE, ids=str)
def test_drawn_pairs_are_private(level: Any, loose: Any, growth: Fraction) -> None:
    """By all events, in both orders; and the bound is attained in many, with masses of 0 among
    them.
    """
    allowed = Fraction(loose)
    seen = Counter[str]()

    @settings(max_examples=200)
    @given(drawn.dp_pairs(level, loose))
    def each(pair: Pair) -> None:
        assert sum(pair.p) == sum(pair.q) == 1
        assert min(*pair.p, *pair.q) >= 0
        worst = excess(pair, growth)
        assert worst <= allowed
        attained = worst == allowed and (allowed > 0 or _touches(pair, growth))
        seen["attained"] += attained
        seen["below"] += not attained
        seen["equal laws"] += pair.p == pair.q
        seen["one output"] += len(pair.p) == 1
        seen["an output that never comes"] += any(
            a == b == 0 for a, b in zip(*_both(pair), strict=True)
        )
        seen["an output of one law alone"] += any(
            (a == 0) != (b == 0) for a, b in zip(*_both(pair), strict=True)
        )

    each()
    assert seen["attained"] >= 30
    assert seen["equal laws"] >= 5
    assert seen["one output"] >= 5
    assert seen["an output that never comes"] >= 5
    assert (seen["an output of one law alone"] >= 30) == (allowed > 0)
    assert (seen["below"] >= 20) == (level != 0 or allowed > 0)


def _both(pair: Pair) -> tuple[Masses, Masses]:
    return pair.p, pair.q


def _touches(pair: Pair, growth: Fraction) -> bool:
    """Whether some output is exp(epsilon) times as likely, in one order."""
    both = list(zip(pair.p, pair.q, strict=True))
    return any(a and (a == growth * b or b == growth * a) for a, b in both)


def test_a_pair_beyond_the_bound_is_seen() -> None:
    """The check itself can fail: on a randomized response with a slightly larger ratio."""
    share = Fraction(3, 4) + Fraction(1, 10**9)
    pair = Pair((share, 1 - share), (1 - share, share))
    assert excess(pair, Fraction(3)) > 0
    assert excess(Pair((share,), (share,)), Fraction(3)) == 0


@pytest.mark.parametrize("level", [Fraction(1, 100), 1, Fraction(7, 3), 9])
def test_the_rational_growth_is_just_below(level: Any) -> None:
    """At most exp(epsilon), and within a thousandth of it."""
    with mpmath.workdps(50):
        true = mpmath.exp(
            mpmath.mpf(Fraction(level).numerator) / Fraction(level).denominator
        )
        growth = growth_below(level)
        found = mpmath.mpf(growth.numerator) / growth.denominator
        assert true - mpmath.mpf(1) / 1000 < found < true


def moved(query: Callable[[Any], int]) -> Callable[[Any], int]:
    """How far a query moves between two data sets."""
    return lambda pair: abs(query(pair[0]) - query(pair[1]))


def variation(pair: Pair) -> Fraction:
    """The total variation distance."""
    return sum(abs(a - b) for a, b in zip(*_both(pair), strict=True)) / Fraction(2)


def tells(table: FiniteMechanism) -> bool:
    """Whether an output excludes an input."""
    return delta(table, 100).lower > 0


def total(plan: Any) -> Fraction:
    """The sum of the epsilons of the releases."""
    return sum(
        (rational(str(each.epsilon)) * count for each, count in plan.terms),
        Fraction(0),
    )


HALF = Fraction(1, 2)
TENTH = Fraction(1, 10)
RESPONSE = Pair((Fraction(1, 4), Fraction(3, 4)), (Fraction(3, 4), Fraction(1, 4)))
FALSE_LAWS: list[tuple[str, Any, Callable[[Any], bool], Any]] = [
    (
        "a sum moves by less than 3 if a record is added",
        drawn.neighbors("add_or_remove_one"),
        lambda pair: moved(sum)(pair) >= 3,
        (((), (3,)), ((3,), ())),
    ),
    (
        "a sum moves by less than 3 if a record is replaced",
        drawn.neighbors("replace_one"),
        lambda pair: moved(sum)(pair) >= 3,
        (((0,), (3,)), ((3,), (0,))),
    ),
    (
        "the number of values never falls",
        drawn.neighbors("replace_one"),
        lambda pair: len(set(pair[1])) < len(set(pair[0])),
        (((0, 1), (1, 1)), ((1, 0), (0, 0)), ((0, 1), (0, 0))),
    ),
    (
        "no data set has two records that are equal and not 0",
        drawn.datasets(),
        lambda data: max(Counter(one for one in data if one).values(), default=0) > 1,
        ((1, 1),),
    ),
    (
        "log(3)-DP laws differ by less than 1/2",
        drawn.dp_pairs(log(3)),
        lambda pair: variation(pair) >= HALF,
        (RESPONSE, Pair(RESPONSE.q, RESPONSE.p)),
    ),
    (
        "with delta = 1/10 no output excludes a law",
        drawn.dp_pairs(log(3), "1/10"),
        lambda pair: 0 in pair.q and pair.p[pair.q.index(0)] > 0,
        (
            Pair((TENTH, 1 - TENTH), (0 * TENTH, 10 * TENTH)),
            Pair((1 - TENTH, TENTH), (10 * TENTH, 0 * TENTH)),
        ),
    ),
    (
        "no output excludes an input",
        drawn.finite_mechanisms(),
        tells,
        (FiniteMechanism([[0, 1], [1, 0]]), FiniteMechanism([[1, 0], [0, 1]])),
    ),
    (
        "epsilon is below 3",
        drawn.guarantees(PureDP),
        lambda claim: claim.epsilon.bound().lower >= 3,
        (PureDP(3),),
    ),
    (
        "the losses of responses add up to less than 3",
        drawn.plans(RandomizedResponse),
        lambda plan: total(plan) >= 3,
        (Plan.of(RandomizedResponse(3)), 3 * RandomizedResponse(1)),
    ),
]


@pytest.mark.parametrize(
    ("strategy", "broken", "smallest"),
    [row[1:] for row in FALSE_LAWS],
    ids=[row[0] for row in FALSE_LAWS],
)
def test_a_false_law_shrinks(strategy: Any, broken: Any, smallest: Any) -> None:
    """To one of the smallest counterexamples."""
    assert find(strategy, broken, settings=SEARCH) in smallest


def test_guarantees_of_every_kind_read_back() -> None:
    """From their own text, at and away from the ends of their limits."""
    seen = Counter[str]()

    @settings(max_examples=300)
    @given(drawn.guarantees())
    def each(claim: Any) -> None:
        assert read_claim(str(claim)) == claim
        seen[type(claim).__name__] += 1

    each()
    assert set(seen) == {kind.__name__ for kind in GUARANTEES}


@given(drawn.guarantees(ApproxDP, ProfileDP))
def test_guarantees_of_some_kinds(claim: Any) -> None:
    """And no other."""
    assert isinstance(claim, ApproxDP | ProfileDP)


def test_mechanisms_of_every_class_are_drawn() -> None:
    """Of the package, and no class of another test."""
    seen = Counter[str]()

    @settings(max_examples=1200)
    @given(drawn.mechanisms())
    def each(mechanism: Mechanism) -> None:
        seen[type(mechanism).__name__] += 1

    each()
    assert set(seen) == set(ours())


@given(drawn.plans(most_terms=2, most_times=5))
def test_plans_read_back(plan: Any) -> None:
    """From their own text, and have no more terms than asked for."""
    assert read_plan(str(plan)) == plan
    assert len(plan.terms) <= 2
    assert all(count <= 10 for _, count in plan.terms)


@settings(max_examples=5)
@given(drawn.plans(most_terms=2, most_times=2))
def test_plans_have_answers(plan: Any) -> None:
    """delta is a probability."""
    assert 0 <= delta(plan, 1).upper <= 1


@dataclass(frozen=True)
class _OfAUser(Mechanism):
    """With a parameter above 2, a truth value, and a default that nobody draws."""

    size: Parameter = Parameter(least=2, above_least=True)
    loud: bool = False
    label: str = "none"
    relation: RelationIn = RelationIn()

    def loss(self) -> PrivacyLoss:
        return Laplace(self.size).loss()


@dataclass(frozen=True)
class _Unknown(Mechanism):
    """With a field that has no limits and no default."""

    table: tuple[int, ...]
    relation: RelationIn = RelationIn()

    def loss(self) -> PrivacyLoss:
        return Laplace(1).loss()


@given(drawn.mechanisms(_OfAUser))
def test_mechanisms_of_a_user_are_drawn(mechanism: _OfAUser) -> None:
    """Within the limits that the fields declare."""
    assert mechanism.size.bound().lower > 2
    assert mechanism.label == "none"


MISTAKES: list[tuple[Callable[[], Any], str]] = [
    (lambda: drawn.neighbors("close"), "the relation 'close' is not known"),
    (lambda: drawn.neighbors("replace_one", max_size=0), "no two neighbors have"),
    (lambda: drawn.neighbors("zero_out", max_size=0), "no two neighbors have"),
    (lambda: drawn.neighbors("zero_out"), "give null, such as 0"),
    (
        lambda: drawn.neighbors("add_or_remove_one", min_size=2, max_size=2),
        "no two neighbors have from 2 to 2 records",
    ),
    (
        lambda: drawn.datasets(min_size=3, max_size=2),
        "min_size is 3, but max_size is 2",
    ),
    (lambda: drawn.datasets(min_size=-1), "min_size is -1"),
    (lambda: drawn.datasets([1, 2]), r"the records are \[1, 2\]; give a strategy"),  # type: ignore[arg-type]
    (lambda: drawn.dp_pairs(-1), "epsilon is -1, but must be from 0 to 50"),
    (lambda: drawn.dp_pairs("1e9"), "epsilon is 1000000000"),
    (lambda: drawn.dp_pairs(1, "1.5"), "delta is 1.5, but must be from 0 to 1"),
    (lambda: drawn.dp_pairs(1, outputs=0), "the number of outputs is 0"),
    (lambda: drawn.dp_pairs("many"), "many"),
    (lambda: drawn.guarantees(Laplace), "is not a guarantee"),  # type: ignore[arg-type]
    (lambda: drawn.mechanisms(PureDP), "is not a class of mechanisms"),  # type: ignore[arg-type]
    (lambda: drawn.mechanisms(_Unknown), "how to draw table of _Unknown is not known"),
    (lambda: drawn.plans(most_terms=0), "most_terms is 0"),
]


@pytest.mark.parametrize(
    ("ask", "sentence"), MISTAKES, ids=[row[1] for row in MISTAKES]
)
def test_mistakes_get_one_sentence(ask: Callable[[], Any], sentence: str) -> None:
    """When the strategy is made, and not when it is drawn from."""
    with pytest.raises(InputError, match=sentence) as raised:
        ask()
    assert str(raised.value).endswith(".")


def test_formulas_are_levels_too() -> None:
    """An epsilon may be a formula; its growth is below it."""
    assert growth_below(sqrt(2)) < growth_below(Fraction(15, 10))


def run(code: str) -> str:
    """What a program prints."""
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return ran.stdout.strip()


def test_hypothesis_is_optional() -> None:
    """The kit without strategies does not load it; with them it says what to install."""
    assert (
        run("import sys, rdpacct.testing\nprint('hypothesis' in sys.modules)")
        == "False"
    )
    said = run(
        "import sys\nsys.modules['hypothesis'] = None\nfrom rdpacct import NotInstalledError\n"
        "try:\n    from rdpacct.testing import strategies\n"
        "except NotInstalledError as error:\n    print(error.needs, error)"
    )
    assert said == (
        "hypothesis strategies are drawn by hypothesis, which is not installed; install"
        " rdpacct[test]."
    )
