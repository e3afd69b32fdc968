"""The losses of subset selection: epsilon, -epsilon and 0.

Printed: not in the sources.
Proved: Let a set of d of k values be e**eps times as likely if it has the true value. It has it
    with probability d e**eps/(d e**eps + k - d). Given that, all other d - 1 members are as likely
    as any others, so that another value is among them with probability (d - 1)/(k - 1), and
    otherwise with d/(k - 1). So both values are in the set, or none, with the shipped probability,
    and the other sets have e**eps or e**-eps times their probability on the other value.
Idea: Counting by symmetry; two draws.
Source: Ye and Barg, Optimal schemes for discrete distribution estimation under locally differential
    privacy (2018), Section II; Wang, Huang, Wang, Nie, Xu, Yang, Li and Qiao (2016).
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Statement, Status, Step, Symbol, Table, Theorem, Whole, assume, at_most,
    both_or_none, by_prover, combine, equal, exp, formula, kept, module, one_of_two_others, proves,
    symbols, table,
)  # fmt: skip

BATCHES = module("sampling/without-replacement")
eps = Symbol("epsilon")
k, d, X, Y, b, s = symbols("k d X Y b s")
DRAWN = BATCHES.DRAWN
j = BATCHES.j
KEPT = kept(eps, k, d)
ONE = formula(1)
ZERO = formula(0)
WITH = (d - 1) / (k - 1)
WITHOUT = d / (k - 1)
P = Table(
    "P",
    ("X", "Y"),
    (),
    (
        ((ONE, ONE), KEPT * WITH),
        ((ONE, ZERO), KEPT * (1 - WITH)),
        ((ZERO, ONE), (1 - KEPT) * WITHOUT),
        ((ZERO, ZERO), (1 - KEPT) * (1 - WITHOUT)),
    ),
)
"""Whether the set has the true value, and another one."""
SIZES = ("k >= 2", "1 <= d", "d <= k - 1")
COUNTED = {
    "none": assume(equal(DRAWN.at(j=0), 0)),
    "each": assume(equal(DRAWN.at(j=j + 1), DRAWN + s), every="j"),
    "all": assume(equal(DRAWN.at(j=Symbol("n")), b)),
}

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "share",
            "of n values of which b are drawn by symmetry, each is with probability b/n",
            equal(s, b / Symbol("n")),
            BATCHES.counted,
            (Whole("n", 1),),
            COUNTED,
        ),
        Statement(
            "kept",
            "sets with the true value are e**eps times as likely: d of k sets have it",
            equal(KEPT * (k - d), exp(eps) * d * (1 - KEPT)),
            by_prover("the two weights"),
            SIZES,
        ),
        Statement(
            "neutral",
            "the set has both values, or none, with the shipped probability",
            equal(E(P, 1 - (X - Y) ** 2), both_or_none(eps, k, d)),
            given=SIZES,
        ),
        Statement(
            "third value",
            "on a third value, the set has one of two others and not the second with the shipped"
            " probability: with d - 1 or d of k - 1 others, as that is in the set or not",
            equal(
                KEPT * WITH * (1 - (d - 2) / (k - 2))
                + (1 - KEPT) * WITHOUT * (1 - (d - 1) / (k - 2)),
                one_of_two_others(eps, k, d),
            ),
            by_prover("two draws without replacement"),
            ("k >= 3", "1 <= d", "d <= k - 1"),
        ),
        Statement(
            "telling",
            "a set with the true value only has e**eps times its probability on the other"
            " value",
            equal(KEPT * (1 - WITH), exp(eps) * (1 - KEPT) * WITHOUT),
            by_prover("both are multiples of d (k - d)/(k - 1)"),
            SIZES,
        ),
    ),
    sharp=(
        Statement(
            "one",
            "with size 1 it is randomized response",
            equal(both_or_none(eps, k, 1), (k - 2) / (exp(eps) + k - 1)),
            by_prover("the set is the answer"),
            ("k >= 2",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the set has the true value with probability e**eps/(1 + e**eps), whatever its size",
            at_most(exp(eps) / (1 + exp(eps)), KEPT),
            (*SIZES, "epsilon > 0"),
        ),
        Falsehood(
            "another value is in the set with probability d/(k - 1), with the true one too",
            at_most(KEPT * (1 - WITH), exp(eps) * (1 - KEPT) * (1 - WITHOUT)),
            (*SIZES, "epsilon > 0"),
        ),
    ),
    in_words=(
        "A set with both values, or with none, has the same probability on both; given whether it"
        " has the true value, all sets of its size are as likely, so that no other value is"
        " preferred.",
    ),
    rules=(kept, both_or_none, one_of_two_others),
)


@proves("neutral")
def neutral(part: Statement) -> Iterator[Step]:
    """The sum over the four outcomes."""
    total = table(P, 1 - (X - Y) ** 2, *part.given)
    yield total, "four outcomes"
    yield combine(part.claim, total), "added up"
