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
    adaptive/pure. (4) So it is with epsilons and deltas, as in adaptive/approx, (5) with squares of
    mus, as in adaptive/gaussian, and (6) at each of several orders, as in adaptive/orders. What a
    colleague spends from a share that was reserved is a release of the same interaction: while the
    share is kept out of the budget, all of them together stay within it. A replaced record may
    leave one part and enter another: then both are spent, and the worse of them is not enough.
Idea: For one record, a release on another part is one that tells nothing and costs nothing, and
    filters allow those.
Source: McSherry (2009), Privacy integrated queries, for costs fixed in advance; Feldman and Zrnic
    (2021), Individual privacy accounting via a Renyi filter, for costs of single records.
"""

from rdpacct.book.words import (
    E, Expr, Falsehood, Iterator, Law, On, Real, Statement, Status, Step, Theorem, Whole,
    approx_behind_filter, assume, at_most, below, chain, combine, dominated, example, exp, expect,
    gaussian_behind_filter, gaussian_delta, maximum, module, proves, pure_behind_filter, real,
    relations, renyi_behind_filter, spent_after, spent_for_record, symbols, taken_in,
)  # fmt: skip

t, f, a, b, c, k, S, L = symbols("t f a b c k S L")
C, D, u, v, n, m, o, y = symbols("C D u v n m o y")
r, A1, A2, D1, D2, e1, e2, u1, u2 = symbols("r A1 A2 D1 D2 e1 e2 u1 u2")
n1, n2, n3, n4, d, x, eps, alpha = symbols("n1 n2 n3 n4 d x eps alpha")
PAST: dict[str, tuple[Real, Expr]] = {
    "S": (0, S + L),
    "C": (0, spent_after(C, u)),
    "D": (0, spent_after(D, v)),
    "u": (a, n),
    "v": (b, o),
}
"""The loss for the record, what was spent on all of the data and on its part, and what the next
release costs on each.
"""
NEW = ("L", "n", "o")
"""The loss of the next release, and the costs of the one after it."""
PAID = spent_for_record(C + u, D + v)
SPENT = spent_for_record(C, D)
G = chain("G", PAST, NEW, k, (*relations("0 <= u", "0 <= v"), at_most(PAID, c)))
WORSE = relations("u == a", "v == b", "C <= c", "D <= c")
MOVED = chain("F", PAST, NEW, k, WORSE)
"""A replaced record that is in one part before and in the other after, which cost a and b each
time: what was spent on either is compared with c alone.
"""
OPEN = chain("H", PAST, NEW, k, relations("0 <= u", "0 <= v"))
"""Without any limit."""
ROOM = (below(0, m + x - PAID), below(0, m + x - SPENT))
"""What follows from the rest, and is said for the roots in the proof."""
LIMITED = (*relations("0 <= u", "0 <= v"), at_most(PAID, m), *ROOM)
SQUARES = chain("M", PAST, NEW, k, LIMITED)
"""The same where the costs are squares of mus."""
BOTH: dict[str, tuple[Real, Expr]] = {
    "r": (1, r * y),
    "A1": (0, spent_after(A1, e1)),
    "A2": (0, spent_after(A2, e2)),
    "D1": (0, spent_after(D1, u1)),
    "D2": (0, spent_after(D2, u2)),
    "e1": (0, n1),
    "e2": (0, n2),
    "u1": (0, n3),
    "u2": (0, n4),
}
"""The ratio of the outputs, epsilons and deltas on all of the data and on the part of the record,
and what the next release costs in each.
"""
SIGNED = relations(*(f"0 <= {name}" for name in ("r", "y", "e1", "e2", "u1", "u2")))
EPSILONS = at_most(spent_for_record(A1 + e1, A2 + e2), c)
DELTAS = at_most(spent_for_record(D1 + u1, D2 + u2), d)
SUMS = chain("D", BOTH, ("y", "n1", "n2", "n3", "n4"), k, (*SIGNED, EPSILONS, DELTAS))
APART = Law("Z", ("L", "y"), relations("L == 0", "y == 1"))
"""The loss of a release on another part, and the ratio of its probabilities."""
STILL = module("adaptive/gaussian").still(SPENT)
"""What is still to be gained with what is left for the record."""
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
        Statement(
            "epsilons and deltas",
            "after any number k of releases, with the budgets c and d",
            at_most(
                E(SUMS, maximum(1 - exp(approx_behind_filter(c, d).epsilon) * r, 0)), d
            ),
            given=(Whole("k", 0),),
            assuming={
                "each": assume(
                    at_most(
                        E(SUMS, maximum(1 - exp(e1 + e2) * y, 0), SUMS.past), u1 + u2
                    ),
                    Whole("k", 0),
                    every="k",
                )
            },
            witness=example({"k": 2, "c": 1, "d": 1}, {"D": [((1, 0, 0, 0, 0), 1)]}),
        ),
        Statement(
            "squares of mus",
            "after any number k of releases, at every level eps; m + x is above the budget",
            at_most(
                E(SQUARES, maximum(0, 1 - exp(eps - S))),
                gaussian_delta(gaussian_behind_filter(m + x).mu, eps),
            ),
            given=(Whole("k", 0), "0 <= m", "0 < x"),
            assuming={
                "one release": assume(
                    at_most(E(SQUARES, taken_in(SQUARES, STILL), SQUARES.past), STILL),
                    Whole("k", 0),
                    every="k",
                ),
            },
            witness=example(
                {"k": 2, "m": 1, "x": 1, "a": 0, "b": 0, "eps": 1},
                {"M": [((0, 0, 0), 1)]},
            ),
        ),
        Statement(
            "each order",
            "after any number k of releases, at the order alpha, whatever is spent",
            at_most(E(OPEN, exp((alpha - 1) * (S - SPENT))), 1),
            given=(Whole("k", 0),),
            assuming={
                "each": assume(
                    at_most(
                        E(OPEN, exp((alpha - 1) * L), OPEN.past),
                        exp((alpha - 1) * (u + v)),
                    ),
                    Whole("k", 0),
                    every="k",
                )
            },
            witness=example(
                {"k": 2, "alpha": 2, "a": 1, "b": 0}, {"H": [((0, 1, 0), 1)]}
            ),
        ),
    ),
    in_words=(
        "The hypothesis of `squares of mus`, and the step from the budgets above m to m,"
        " are those of adaptive/gaussian.",
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


@proves("epsilons and deltas")
def sums(part: Statement) -> Iterator[Step]:
    """What was exceeded, and the delta that is left for the record."""
    approx = module("adaptive/approx")
    spent = spent_for_record(A1, A2)
    mass = spent_for_record(D1, D2)
    held = approx.Sums(SUMS, spent, e1 + e2, mass, u1 + u2)
    yield from approx.behind_filter(part, held)


@proves("squares of mus")
def squares(part: Statement) -> Iterator[Step]:
    """What is still to be gained with what is left for the record."""
    yield from module("adaptive/gaussian").behind_filter(part, SQUARES, SPENT)


@proves("each order")
def each_order(part: Statement) -> Iterator[Step]:
    """The loss less what was spent for the record."""
    yield from module("adaptive/orders").at_order(part, OPEN, SPENT, u + v)


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
