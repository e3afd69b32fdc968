"""Claims on drawn pairs: what passing earns, what refutes them, and how the error is shared."""

import random
import re
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any

import mpmath
import pytest
from hypothesis import strategies as st

from rdpacct import (
    ApproxDP,
    GaussianDP,
    InputError,
    Outcome,
    ProfileDP,
    PureDP,
    RandomDP,
    UndecidedError,
    audit_code,
)
from rdpacct.functions import log
from rdpacct.testing import ClaimRefuted, assert_private, judges, population_pairs
from rdpacct.testing.drawing import draws_from
from rdpacct.testing.passing import earned_gamma
from rdpacct.testing.private import MOST_SHRINKS
from rdpacct.testing.strategies import dp_pairs, neighbors

ADDED = neighbors("add_or_remove_one")
TENTH = Fraction(1, 10)


def clipped(most: int) -> Any:
    """A noisy sum of clipped records, with noise for a sensitivity of 1."""

    def mechanism(data: Any, rng: Any, size: int) -> Any:
        return sum(min(each, most) for each in data) + rng.laplace(scale=1, size=size)

    return mechanism


def kinds(data: Any) -> dict[str, Fraction]:
    """The law of an output that is "few" less often, the more kinds of records there are."""
    many = Fraction(1 + min(len(set(data)), 3), 10)
    return {"few": 1 - many, "many": many}


@pytest.mark.parametrize("pairs", [ADDED, lambda rng: (rng.random(), rng.random())])
def test_draws_are_the_same_for_a_seed_and_number(pairs: Any) -> None:
    """Whatever was drawn before; and differ for others."""
    first = [draws_from(pairs, 1).pair(number) for number in range(1, 31)]
    again = [draws_from(pairs, 1).pair(number) for number in range(30, 0, -1)]
    other = [draws_from(pairs, 2).pair(number) for number in range(1, 31)]
    assert first == again[::-1]
    assert len({*map(repr, first)} & {*map(repr, other)}) < 10
    assert len({*map(repr, first)}) > 20


def test_draws_from_a_strategy_are_independent() -> None:
    """Neighboring numbers have no more in common than chance gives, and each value comes."""
    coins = draws_from(st.tuples(st.booleans(), st.just(0)), 5)
    tosses = [coins.pair(number)[0] for number in range(1, 401)]
    heads = sum(tosses)
    runs = sum(one != two for one, two in pairwise(tosses))
    assert 160 < heads < 240
    assert 160 < runs < 240


def test_what_is_earned_is_the_closed_form() -> None:
    """(1 - doubt**(1/n))/power, by mpmath; exact laws have power 1."""
    exact = assert_private(kinds, PureDP(log(2)), ADDED, count=40)
    audited = assert_private(
        clipped(1), "PureDP(epsilon=1)", ADDED, count=5, trials=500, power="0.8"
    )
    with mpmath.workdps(40):
        for earned, n, power in ((exact, 40, 1), (audited, 5, mpmath.mpf("0.8"))):
            true = (1 - mpmath.mpf("0.05") ** (mpmath.mpf(1) / n)) / power
            lower, upper = (
                mpmath.mpf(end.numerator) / end.denominator
                for end in (Fraction(earned.gamma.lower), Fraction(earned.gamma.upper))
            )
            assert lower <= true <= upper
            assert upper - lower < mpmath.mpf(10) ** -20
            assert true <= mpmath.mpf(earned.quoted_gamma) < true + mpmath.mpf("1e-6")
    assert exact.random_dp == RandomDP(log(2), gamma=exact.quoted_gamma)
    assert audited.random_dp is None


def test_what_is_earned_reads_well() -> None:
    """Each statement says of what it is, how sure it is, and by which theorem."""
    exact = assert_private(kinds, ApproxDP(log(2), TENTH), ADDED, count=59)
    assert str(exact) == (
        "passed: ApproxDP(epsilon=log(2), delta=0.1) on each of 59 independent pairs\n"
        "  with confidence 0.95, a pair that breaks it is drawn with probability at most"
        " 0.0495077 (statistics/passing-pairs)\n"
        "  that is (log(2), 0.1, 0.0495077)-Random differential privacy for pairs of this"
        " law"
    )
    one = assert_private(kinds, GaussianDP(3), ADDED, count=1)
    assert str(one).endswith("at most 0.95 (statistics/passing-pairs)")
    audited = assert_private(clipped(1), PureDP(1), ADDED, count=2, trials=200)
    assert audited.gamma.upper < 1
    weak = assert_private(
        clipped(1), PureDP(1), ADDED, count=2, trials=200, power="0.1"
    )
    assert weak.quoted_gamma == "1"
    assert str(weak).splitlines()[1:] == [
        "  with confidence 0.95, a pair on which this audit refutes it with probability"
        " at least 0.1 is drawn with probability at most 1 (statistics/passing-pairs)",
        "  nothing is said of pairs that break it in events which the audit misses",
    ]


def told(data: Any) -> dict[str, Fraction]:
    """Tells a record of the kind "bad", and nothing of others."""
    return {"bad" if "bad" in data else "none": Fraction(1)}


def test_bad_pairs_beyond_the_limit_pass_as_rarely_as_is_said() -> None:
    """With bad pairs as likely as the limit, 5 pairs all pass with probability 1/10: 200 runs are
    within four standard errors of that.
    """
    doubt = Fraction(1, 10)
    chance = float(earned_gamma(5, doubt, 1).bound().upper)

    def pairs(rng: Any) -> Any:
        return (["bad"] if rng.random() < chance else ["good"]), []

    passed = 0
    for seed in range(200):
        try:
            assert_private(
                told, PureDP(1), pairs, count=5, earned_confidence="0.9", seed=seed
            )
            passed += 1
        except ClaimRefuted:
            continue
    assert 20 - 17 <= passed <= 20 + 17


def test_a_wrong_sensitivity_is_refuted_on_the_smallest_pair() -> None:
    """Records that count twice: the pair is shrunk, and the message shows all of it."""
    with pytest.raises(ClaimRefuted) as raised:
        assert_private(clipped(2), "PureDP(epsilon=1)", ADDED)
    assert sorted(raised.value.pair, key=len) == [(), (2,)]
    assert raised.value.verdict.outcome is Outcome.FAILS
    lines = str(raised.value).splitlines()
    assert lines[0] == "fails: PureDP(epsilon=1)"
    assert lines[1].startswith("  x: ")
    assert lines[2].startswith("  x_neighbor: ")
    assert lines[3].startswith("  event: an output is ")
    assert "trials, so a probability of at least" in lines[4]
    assert "trials, so a probability of at most" in lines[5]
    assert lines[6] == "  bound: the first is at most 2.71829 times the second"
    assert "  shrunk from " in str(raised.value)
    assert lines[-1] == (
        "  in the whole run a true claim is refuted with probability at most 0.001"
    )
    with pytest.raises(ClaimRefuted) as again:
        assert_private(clipped(2), "PureDP(epsilon=1)", ADDED)
    assert str(again.value) == str(raised.value)


def test_a_pair_of_a_function_is_shown_as_it_was_drawn() -> None:
    """Nothing is known of how to make it smaller."""

    def pairs(rng: Any) -> Any:
        data = rng.integers(2, 5, size=3).tolist()
        return data, data[:-1]

    with pytest.raises(ClaimRefuted) as raised:
        assert_private(clipped(2), PureDP(1), pairs, seed=3)
    assert raised.value.pair == draws_from(pairs, 3).pair(1)
    assert "shrunk" not in str(raised.value)


EXACT_CLAIMS: list[tuple[Any, bool]] = [
    (PureDP(log(2)), True),
    (PureDP(log(Fraction(1999, 1000))), False),
    (PureDP("0.6931"), False),
    (PureDP("0.6932"), True),
    (ApproxDP(0, TENTH), True),
    (ApproxDP(0, TENTH - Fraction(1, 10**9)), False),
    (ApproxDP(log(Fraction(3, 2)), Fraction(1, 20)), True),
    (ProfileDP([[0, TENTH]]), True),
    (ProfileDP([[0, TENTH], [1, 0]]), True),
    (ProfileDP([[0, TENTH], ["0.1", "0.05"]]), False),
    (GaussianDP(1), True),
    (GaussianDP("0.1"), False),
]


@pytest.mark.parametrize(("claim", "holds"), EXACT_CLAIMS, ids=str)
def test_exact_laws_decide_at_the_tight_value(claim: Any, holds: bool) -> None:
    """On data of at most two kinds the outputs differ by 1/10 and by the ratio 2 at most."""
    pairs = neighbors("add_or_remove_one", st.integers(0, 1))
    if holds:
        assert_private(kinds, claim, pairs, count=80)
        return
    with pytest.raises(ClaimRefuted) as raised:
        assert_private(kinds, claim, pairs, count=80)
    if not isinstance(claim, GaussianDP):
        assert re.search(
            r"output in {'(many|few)'}, where D is x(_neighbor)?: probability 0.\d on D",
            str(raised.value),
        )


def test_exact_laws_against_private_pairs() -> None:
    """The judge agrees with what pairs of laws are drawn to be: at log(3) they hold, and below it
    some do not.
    """
    law = dp_pairs(log(3)).map(lambda pair: (pair.p, pair.q))
    assert_private(lambda data: dict(enumerate(data)), PureDP(log(3)), law, count=100)
    with pytest.raises(ClaimRefuted) as raised:
        assert_private(
            lambda data: dict(enumerate(data)), PureDP(log(Fraction(299, 100))), law
        )
    three, one = Fraction(3, 4), Fraction(1, 4)
    assert raised.value.pair in (
        ((three, one), (one, three)),
        ((one, three), (three, one)),
    )


def test_random_differential_privacy_of_a_population() -> None:
    """For pairs of n + 1 draws the statement is Random differential privacy, and the gamma that is
    earned is above the exact one.
    """
    from rdpacct import random_dp

    def draw(rng: Any, size: int) -> Any:
        return rng.choice(["bad", "good"], size=size, p=[0.004, 0.996]).tolist()

    earned = assert_private(
        told, PureDP(5), population_pairs(draw, 3), count=59, seed=1
    )
    truth = random_dp.exact(told, {"bad": "0.004", "good": "0.996"}, 3, alpha=5)
    assert earned.random_dp is not None
    assert earned.random_dp.gamma.bound().certainly_above(truth)


def test_a_claim_that_cannot_be_decided_neither_passes_nor_fails() -> None:
    """At a tight value that is no rational number."""
    tight = log(4) / 2
    with pytest.raises(UndecidedError, match="could not be decided on"):
        assert_private(kinds, PureDP(tight), ADDED)


def test_the_audits_share_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many smaller pairs are tried, the errors of all audits are at most that of the
    run.
    """
    errors = []
    right = audit_code

    def counting(*given: Any, **options: Any) -> Any:
        errors.append(1 - given[4])
        return right(*given, **options)

    monkeypatch.setattr(judges, "audit_code", counting)
    with pytest.raises(ClaimRefuted):
        assert_private(clipped(2), PureDP(1), ADDED, count=7, confidence="0.99")
    assert set(errors) == {Fraction(1, 100) / (7 + MOST_SHRINKS)}
    assert 3 < len(errors) <= 7 + MOST_SHRINKS
    errors.clear()
    with pytest.raises(ClaimRefuted):
        assert_private(clipped(9), PureDP(1), lambda _: ([9], []), count=4)
    assert errors == [Fraction(1, 4000)] * 2


def test_a_true_claim_is_seldom_refuted() -> None:
    """Ten runs of a mechanism at its tight epsilon, each with error 1/100."""
    for seed in range(10):
        assert_private(
            clipped(1),
            PureDP(1),
            ADDED,
            count=2,
            trials=1000,
            confidence="0.99",
            seed=seed,
        )


def test_the_union_bound_by_enumeration() -> None:
    """The share of each of k audits: the probability that one of k independent ones errs."""
    rng = random.Random(1)
    for _ in range(20):
        error = Fraction(1, rng.randint(2, 1000))
        k = rng.randint(1, 12)
        share = error / k
        some = sum(
            comb(k, j) * share**j * (1 - share) ** (k - j) for j in range(1, k + 1)
        )
        assert some <= error


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"mechanism": 3}, "the mechanism is 3; give a function"),
    ({"mechanism": lambda _: 3}, "a mechanism of the data alone gave 3"),
    ({"mechanism": lambda _: {0: "1/2"}}, "row 0 sums to 0.5, not to 1"),
    ({"mechanism": lambda _: {0: 2, 1: -1}}, "negative probability -1"),
    ({"mechanism": lambda _: {0: "one"}}, "one"),
    ({"claim": "RandomDP(alpha=1, gamma=0.1)"}, "give a guarantee about every pair"),
    ({"claim": "Laplace(scale=1)"}, "Laplace"),
    ({"pairs": [1, 2]}, r"the pairs are \[1, 2\]; give a strategy such as"),
    ({"pairs": lambda _: 5}, "a pair is 5; give two data sets"),
    ({"pairs": lambda _: ([], [], [])}, r"a pair is \(\[\], \[\], \[\]\)"),
    ({"pairs": st.integers()}, "a pair is .*; give two data sets"),
    ({"pairs": ADDED.filter(lambda _: False)}, "refused 100 draws"),
    ({"count": 0}, "the number of pairs is 0"),
    ({"confidence": 1}, "the confidence is 1, but must be above 0 and below 1"),
    ({"earned_confidence": "1.5"}, "the confidence in what is earned is 1.5"),
    ({"power": 0}, "the power is 0, but must be above 0"),
    ({"seed": -1}, "the seed is -1"),
    ({"score": float}, "score is for audits of real outputs"),
]


@pytest.mark.parametrize(
    ("wrong", "sentence"), MISTAKES, ids=[row[1] for row in MISTAKES]
)
def test_mistakes_get_one_sentence(wrong: dict[str, Any], sentence: str) -> None:
    """Before anything is claimed to be earned."""
    right: dict[str, Any] = {"mechanism": kinds, "claim": PureDP(1), "pairs": ADDED}
    with pytest.raises(InputError, match=sentence) as raised:
        assert_private(**right | wrong)
    assert str(raised.value).endswith(".")


def test_strategies_of_many_kinds_can_be_drawn_from() -> None:
    """Composites, filters, choices and builds, by fresh bytes."""
    pairs = st.one_of(
        ADDED,
        neighbors("replace_one", st.text(max_size=2)),
        st.builds(lambda data: (data, data[1:]), st.lists(st.booleans(), min_size=1)),
    )
    draws = draws_from(pairs.filter(lambda pair: len(pair[0]) < 6), 0)
    seen = Counter(type(draws.pair(number)[0]).__name__ for number in range(1, 60))
    assert set(seen) == {"tuple", "list"}


def mean(data: Any, rng: Any, size: int) -> Any:
    """A noisy mean that breaks down on no data."""
    return sum(data) / len(data) + rng.laplace(scale=1, size=size)


def leaky(data: Any) -> dict[str, Fraction]:
    """A law that tells the mean, and breaks down likewise."""
    return {str(sum(data) / len(data)): Fraction(1)}


def test_an_error_says_on_which_pair_it_was() -> None:
    """Without data there is no mean."""
    with pytest.raises(InputError, match="division by zero") as raised:
        assert_private(mean, PureDP(1), lambda _: ((), (1,)), count=3, seed=4)
    [note] = raised.value.__notes__
    assert note == "on pair 1 of 3, seed 4:\n  x: ()\n  x_neighbor: (1,)"


def test_a_smaller_pair_on_which_the_mechanism_breaks_down_is_passed_over() -> None:
    """The smallest pair is one on which it runs."""
    pairs = neighbors("add_or_remove_one", st.integers(0, 3), max_size=4)
    first_differs = (
        seed for seed in range(100) if _differs(*draws_from(pairs, seed).pair(1))
    )
    with pytest.raises(ClaimRefuted) as raised:
        assert_private(leaky, PureDP(1), pairs, seed=next(first_differs))
    assert sorted(map(len, raised.value.pair)) == [1, 2]


def _differs(first: Any, second: Any) -> bool:
    return bool(first and second) and leaky(first) != leaky(second)
