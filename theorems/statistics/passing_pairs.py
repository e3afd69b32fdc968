"""Pairs of neighbors that are drawn and all pass a test: how often bad ones can be drawn.

Printed: not in the sources.
Proved: Pairs are drawn independently of each other from one law, and each is tested with randomness
    of its own. Call a pair bad if the test refutes it with probability at least power; a test that
    decides has power 1 for every pair that breaks the claim. (1) A pair is refuted with probability
    at least power times gamma, where gamma is the probability that a bad one is drawn. (2) So n
    pairs all pass with probability at most (1 - power gamma)**n. (3) If gamma is at least (1 -
    doubt**(1/n))/power, as shipped, they do with at most doubt: whoever says after n passes that
    gamma is smaller is wrong with probability at most doubt. (4) If each of k audits, chosen by
    whatever was seen before, refutes a true claim with probability at most error/k, as shipped,
    then one of them does with probability at most error.
Idea: Independent draws multiply; the union bound. (3) is the limit of Clopper and Pearson without
    successes, divided by the power.
Source: Hall, Rinaldo and Wasserman, Random differential privacy, for what gamma is; Clopper and
    Pearson 1934.
"""

from rdpacct.book.words import (
    E, Fact, Falsehood, Iterator, Law, On, Statement, Status, Step, Symbol, Theorem, Whole, assume,
    at_first, at_most, at_start, by_prover, chain, combine, discharge, dominated, each_error,
    earned_gamma, equal, example, expect, for_all, integrable, later, linear, one_by_one, one_more,
    proves, real, relation, relations, renewed, specialize, symbols, tower, under, union_bound,
)  # fmt: skip

bad, refuted, all_, some, wrong = symbols("bad refuted all some wrong")
power, gamma, doubt, error, k, n, s = symbols("power gamma doubt error k n s")
FLAGS = relations("0 <= bad", "bad <= 1", "0 <= refuted", "refuted <= 1")
PAIR = Law("P", ("pair", "bad", "refuted"), FLAGS)
"""A pair of neighbors that is drawn, whether it is bad, and whether the test refutes it."""
KNOWN = ("pair", "bad")
PAIRS = chain(
    "N",
    {"all": (1, all_ * (1 - refuted))},
    PAIR,
    k,
    relations("0 <= all", "all <= 1"),
)
"""Whether the first k pairs all pass, and the next one."""
EITHER = some + wrong - some * wrong
AUDITS = chain(
    "A",
    {"some": (0, EITHER)},
    ("wrong",),
    k,
    relations("0 <= some", "some <= 1", "0 <= wrong", "wrong <= 1"),
)
"""Whether one of the first k audits refutes a true claim, and whether the next one does."""
LIMIT = earned_gamma(n, doubt, power)
HALF_BAD = [((0, 0, 0), "1/2"), ((1, 1, 1), "1/2")]
"""Two pairs, one of which is bad and always refuted."""
DETECTED = assume(at_most(power * bad, E(PAIR, refuted, KNOWN)), On(PAIR))
"""Whatever the pair is, a bad one is refuted with probability at least power."""

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "one pair",
            "a pair is refuted with probability at least power times that of a bad one",
            at_most(power * E(PAIR, bad), E(PAIR, refuted)),
            assuming={"bad pairs are refuted": DETECTED},
        ),
        Statement(
            "all pass",
            "so k independent pairs all pass with probability at most (1 - s)**k, if s is"
            " at most power times the probability of a bad one",
            at_most(E(PAIRS, all_), (1 - s) ** k),
            given=("0 <= s < 1", Whole("k", 0)),
            assuming={
                "bad pairs are refuted": DETECTED,
                "bad pairs are drawn": assume(at_most(s, power * E(PAIR, bad))),
            },
        ),
        Statement(
            "limit",
            "and n pairs with probability at most doubt, if bad ones are as likely as the"
            " shipped limit",
            at_most(E(PAIRS.at(k=n), all_), doubt),
            given=("0 < power", "0 < doubt < 1", "n >= 1", Whole("n", 0)),
            assuming={
                "bad pairs are refuted": DETECTED,
                "bad pairs are drawn": assume(at_most(LIMIT, E(PAIR, bad))),
            },
            witness=example({"power": 1, "doubt": "1/2", "n": 1}, {"P": HALF_BAD}),
        ),
        Statement(
            "false alarms",
            "one of k audits of a true claim, each with the shipped share of the error,"
            " refutes it with probability at most the error",
            at_most(E(AUDITS.at(k=n), some), error),
            given=("n >= 1", Whole("n", 0)),
            assuming={
                "each audit": assume(
                    at_most(E(AUDITS, wrong), each_error(error, n)),
                    Whole("k", 0),
                    "n >= 1",
                    every="k",
                )
            },
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "if bad pairs are refuted with probability power and no others are, then at"
            " the shipped limit all pass with probability doubt",
            equal((1 - power * LIMIT) ** n, doubt),
            by_prover("the n-th root"),
            ("0 < power", "0 < doubt < 1", "n >= 1"),
        ),
    ),
    rules=(earned_gamma, each_error),
)


def flag(one: Symbol) -> Fact:
    """The mean of an indicator of a pair is finite."""
    upper = real(at_most(one, 1), *FLAGS)
    return dominated(upper, PAIR, lower=real(at_most(0, one), *FLAGS))


@proves("one pair")
def one_pair(part: Statement) -> Iterator[Step]:
    """Averaged over the pairs."""
    detected = part.assuming["bad pairs are refuted"]
    joined = tower(PAIR, refuted, KNOWN, flag(refuted))
    yield joined, "the probability of a refutation, given the pair"
    scaled = linear(PAIR, power * bad, {bad: power}, flag(bad))
    means = (
        integrable(scaled, E(PAIR, power * bad)),
        integrable(joined, joined.relation.left),
    )
    over = expect(detected, PAIR, *means)
    yield over, "averaged over the pairs"
    yield combine(part.claim, over, joined, scaled), "together"


@proves("all pass")
def all_pass(part: Statement) -> Iterator[Step]:
    """Induction over the pairs."""
    refutes = THEOREM.part("one pair").fact()
    less = linear(PAIR, 1 - refuted, {refuted: -1}, flag(refuted), constant=1)
    drawn = part.assuming["bad pairs are drawn"]
    passes = combine(at_most(E(PAIR, 1 - refuted), 1 - s), less, refutes, drawn)
    yield passes, "a pair passes with probability at most 1 - s"
    each = renewed(PAIRS, passes)
    yield each, "whatever came before"
    yield from one_by_one(part.claim, PAIRS, 1 - refuted, each, "0 <= s < 1")


@proves("limit")
def limit(part: Statement) -> Iterator[Step]:
    """The n-th root of the doubt."""
    root = doubt ** (1 / n)
    drawn = part.assuming["bad pairs are drawn"]
    given = ("0 < power", "0 < doubt < 1", "n >= 1")
    general = specialize(THEOREM.part("all pass").fact(), k=n)
    general = under(general, Whole("n", 0), *given, "0 <= s < 1")
    general = under(specialize(general, s=1 - root), Whole("n", 0), *given)
    often = combine(
        at_most(1 - root, power * E(PAIR, bad)), (drawn, power), given=given
    )
    yield often, "refutations are as likely as 1 less the root"
    found = discharge(general, often)
    yield found, "so all pass with at most the n-th power of the root"
    whole = real(equal((1 - (1 - root)) ** n, doubt), *given)
    yield combine(part.claim, found, whole, given=given), "which is the doubt"


@proves("false alarms")
def false_alarms(part: Statement) -> Iterator[Step]:
    """The union bound, one audit after the other."""
    each = part.assuming["each audit"]
    share = each_error(error, n)
    claim = at_most(E(AUDITS, some), k * share)
    start = at_start(AUDITS.sequence, some)
    base = combine(at_first(claim, "k"), start, given=("n >= 1",))
    before = assume(claim, Whole("k", 0), "n >= 1")
    union = union_bound(AUDITS, EITHER, (before, each), *AUDITS.support)
    yield union, "one of k + 1 is one of the first k or the next"
    taken = one_more(AUDITS, some, integrable(union, E(AUDITS, EITHER)))
    step = combine(later(claim, "k"), taken, union, given=("n >= 1",))
    found = for_all(base, step, "k", "n >= 1")
    yield found, "the shares add up"
    yield combine(part.claim, specialize(found, k=n)), "to the error"


FALSEHOODS = (
    Falsehood(
        "if all pass, no bad pair is drawn",
        relation("(1 - gamma)**n <= doubt"),
        ("0 < gamma < 1", "n >= 1", "0 < doubt < 1"),
    ),
    Falsehood(
        "the limit need not be divided by the power",
        at_most((1 - power * earned_gamma(n, doubt, 1)) ** n, doubt),
        ("0 < power < 1", "n >= 1", "0 < doubt < 1"),
    ),
    Falsehood(
        "each audit may have the whole error",
        at_most(n * error, error),
        ("0 < error < 1", "n >= 1"),
    ),
)
