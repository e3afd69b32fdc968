"""Disjoint parts in a filter: releases on a part cost its records only, also if parts, releases and
costs are chosen on the way.

Printed: not in the sources.
Proved: The data fall into disjoint parts, by the records alone. An adversary chooses each release
    after the outputs before it: on all of the data, with a cost u for each record, or on one part.
    Neighbors differ by one record more, or by a null record in its place, and so in one part. A
    release on that part has a cost v; one on another part has u = v = 0. C and D are what has been
    spent on all of the data and on the part of the record. No release is made with which the
    shipped C + D would exceed c. (1) A release on another part has the same law for both neighbors:
    its loss is 0, which has the cost 0 in each kind of budget. (2) Given all that was seen, let E
    exp(t L) <= exp(t f (u + v)): then E exp(t S) <= exp(t f c), as in adaptive/renyi, with f = 1 +
    t as in adaptive/zcdp. (3) If L <= u + v, the loss is almost surely at most c, as in
    adaptive/pure. What a colleague spends from a share that was reserved is a release of the same
    interaction: while the share is kept out of the budget, all of them together stay within it. A
    replaced record may leave one part and enter another: then both are spent, and the worse of them
    is not enough.
Idea: For one record, a release on another part is one that tells nothing and costs nothing, and
    filters allow those.
Source: McSherry (2009), Privacy integrated queries, for costs fixed in advance; Feldman and Zrnic
    (2021), Individual privacy accounting via a Renyi filter, for costs of single records.
"""

from rdpacct.book.words import (
    E, Expr, Falsehood, Iterator, Law, On, Real, Statement, Status, Step, Theorem, Whole, assume,
    at_most, chain, combine, dominated, example, exp, expect, maximum, module, proves,
    pure_behind_filter, real, relations, renyi_behind_filter, spent_after, spent_for_record,
    symbols,
)  # fmt: skip

t, f, a, b, c, k, S, L = symbols("t f a b c k S L")
C, D, u, v, n, m, y = symbols("C D u v n m y")
PAST: dict[str, tuple[Real, Expr]] = {
    "S": (0, S + L),
    "C": (0, spent_after(C, u)),
    "D": (0, spent_after(D, v)),
    "u": (a, n),
    "v": (b, m),
}
"""The loss for the record, what was spent on all of the data and on its part, and what the next
release costs on each.
"""
NEW = ("L", "n", "m")
"""The loss of the next release, and the costs of the one after it."""
PAID = spent_for_record(C + u, D + v)
G = chain("G", PAST, NEW, k, (*relations("0 <= u", "0 <= v"), at_most(PAID, c)))
WORSE = relations("u == a", "v == b", "C <= c", "D <= c")
MOVED = chain("F", PAST, NEW, k, WORSE)
"""A replaced record that is in one part before and in the other after, which cost a and b each
time: what was spent on either is compared with c alone.
"""
SPENT = spent_for_record(C, D)
APART = Law("Z", ("L", "y"), relations("L == 0", "y == 1"))
"""The loss of a release on another part, and the ratio of its probabilities."""
SIGNS = ("0 <= t", "0 <= f")
NOTHING = example(
    {"k": 2, "t": 1, "f": 1, "a": 1, "b": 0, "c": 1}, {"G": [((0, 0, 0), 1)]}
)
EACH = {"each": assume(at_most(L, u + v), Whole("k", 0), On(G), every="k")}

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "another part",
            "a release on another part has the moments of one that costs 0",
            at_most(E(APART, exp(t * L)), exp(t * f * 0)),
        ),
        Statement(
            "another part, exceeded",
            "and exceeds an epsilon of 0 by a delta of 0",
            at_most(E(APART, maximum(1 - exp(0) * y, 0)), 0),
        ),
        Statement(
            "the part of the record",
            "after any number k of releases, with f c the budget of the order 1 + t",
            at_most(
                E(G, exp(t * S)), exp(t * renyi_behind_filter(1 + t, f * c).epsilon)
            ),
            given=(Whole("k", 0), *SIGNS),
            assuming={
                "each": assume(
                    at_most(E(G, exp(t * L), G.past), exp(t * f * (u + v))),
                    Whole("k", 0),
                    every="k",
                )
            },
            witness=NOTHING,
        ),
        Statement(
            "largest losses, spent",
            "the loss is almost surely at most what was spent for the record",
            at_most(E(G, maximum(0, S - SPENT)), 0),
            given=(Whole("k", 0),),
            assuming=EACH,
            witness=NOTHING,
        ),
        Statement(
            "largest losses",
            "the loss is almost surely at most c, after any number k of releases",
            at_most(E(G, maximum(0, S - pure_behind_filter(c).epsilon)), 0),
            given=(Whole("k", 0),),
            assuming=EACH,
            witness=NOTHING,
        ),
    ),
    in_words=(
        "For other budgets it is adaptive/approx, adaptive/gaussian and adaptive/orders"
        " for the pair of neighbors at hand, where a release on another part is one that"
        " costs 0.",
    ),
    rules=(spent_for_record,),
)


@proves("another part")
def tells_nothing(part: Statement) -> Iterator[Step]:
    """Its loss is 0."""
    line = real(at_most(exp(t * L), 1), *APART.support)
    least = real(at_most(0, exp(t * L)))
    over = expect(line, APART, dominated(line, APART, lower=least))
    yield combine(part.claim, over), "the exponential of 0"


@proves("another part, exceeded")
def exceeds_nothing(part: Statement) -> Iterator[Step]:
    """Its ratio is 1."""
    body = maximum(1 - exp(0) * y, 0)
    line = real(at_most(body, 0), *APART.support)
    least = real(at_most(0, body), *APART.support)
    over = expect(line, APART, dominated(line, APART, lower=least))
    yield combine(part.claim, over), "the positive part of 0"


@proves("the part of the record")
def own(part: Statement) -> Iterator[Step]:
    """The filter for the record, which pays on all of the data and on its part."""
    yield from module("adaptive/renyi").behind_filter(part, G, SPENT, u + v)


@proves("largest losses, spent")
def spent(part: Statement) -> Iterator[Step]:
    """The loss beyond what was spent does not grow."""
    yield from module("adaptive/pure").paid(part, G, SPENT)


@proves("largest losses")
def limited(part: Statement) -> Iterator[Step]:
    """What was spent is at most c."""
    before = THEOREM.part("largest losses, spent").fact()
    yield before, "the loss is at most what was spent"
    yield from module("adaptive/pure").within(part, G, SPENT, before)


FALSEHOODS = (
    Falsehood(
        "a replaced record that moves to another part costs as much as the worse part",
        at_most(E(MOVED, maximum(0, S - c)), 0),
        (Whole("k", 0),),
        assuming={
            "each": assume(at_most(L, u + v), Whole("k", 0), On(MOVED), every="k")
        },
        instance=example({"k": 1, "a": 1, "b": 1, "c": 1}, {"F": [((2, 1, 1), 1)]}),
    ),
)
