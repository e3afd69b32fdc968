"""The quantile of all pairs: its coverage, and how far it moves.

Printed: In principle the same approach works with U(X, t), the fraction of the n (n - 1)/2 pairs
    with h(x_i, x_j) <= t: an analog of the DKW inequality still applies, and the quantiles behave
    in the same way.
Proved: Let d(X) be the k-th smallest h of the pairs of X, and F the N = n (n + 1)/2 values of all
    pairs of the n + 1 points of X and X'. Then F(k) <= d(X) <= F(k + n), the same for X', and
    P(h(x_n, x_{n+1}) > min(d(X), d(X'))) <= (N - k)/N. If k >= (1 - delta) n (n - 1)/2 that is at
    most delta + 2 (1 - delta)/(n + 1). Nothing is asked of P or h.
Idea: Given the n + 1 points, the two that are exchanged are any two with equal probability; so
    their value is the last of the N in random order. X leaves out the n pairs of one point.
Source: Hall, Rinaldo and Wasserman, end of section 6.
Finding: No analog of the DKW inequality is needed for (11), and no repair for dependence either:
    here the exchanged points are the ones of the definition, not fresh ones; the bound is attained.
    The quantile moves by up to n ranks of N, a fraction 2/(n + 1); how far that is, and so beta in
    (10), depends on the law of h and is not bounded here.
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from rdpacct.exact.formula import Symbol, formula
from rdpacct.proof.kernel import (
    E,
    Fact,
    Refused,
    Table,
    at_most,
    combine,
    equal,
    ranked,
    real,
    table,
)
from rdpacct.proof.tactics.order_statistics import (
    FEW,
    MANY,
    beyond_rank,
    few_at_most,
    k,
    many_at_most,
    nested,
)
from rdpacct.proof.theorem import (
    Attack,
    Falsehood,
    Refutation,
    Statement,
    Status,
    Step,
    Theorem,
)
from rdpacct.sensitivity.pair_quantile import all_pairs_bad
from rdpacct.testing.instances import masses

n = Symbol("n")
delta = Symbol("delta")
ALL = n * (n + 1) / 2
ABOVE = E(ranked("V", ALL, k), Symbol("last"))
RANK = ("2 <= n", "k <= n*(n + 1)/2")
KNOWN = nested(n)


def some(*names: str) -> dict[str, Fact]:
    """Some of the hypotheses that make the pairs of X a part of all pairs, which are n more."""
    return {name: KNOWN[name] for name in names}


def upper(part: Statement) -> Iterator[Step]:
    """More pairs lower a rank, if anything."""
    yield many_at_most(part.assuming, k), "at least k of all pairs are at most d(X)"


def lower(part: Statement) -> Iterator[Step]:
    """n pairs less raise the rank by n at most."""
    yield (
        few_at_most(part.assuming, k, n),
        "at least k of the pairs of X are at most F(k + n)",
    )


def coverage(part: Statement) -> Iterator[Step]:
    """Exchange the pair with the others."""
    found = beyond_rank(ALL, k, *part.given)
    yield (
        found,
        "each pair is equally likely to be the exchanged one; above d it is above F(k)",
    )
    yield combine(part.claim, found), "counted"


def level(part: Statement) -> Iterator[Step]:
    """k >= (1 - delta) n (n - 1)/2."""
    found = beyond_rank(ALL, k, *part.given)
    yield found, "each pair is equally likely to be the exchanged one"
    rank = real(at_most((1 - delta) * n * (n - 1) / 2, k), *part.given)
    yield combine(part.claim, found, (rank, 1 / ALL), given=part.given), "at this rank"


CHANCE = Table(
    "C",
    ("bad",),
    rows=(((formula(1),), formula(2) / 3), ((formula(0),), formula(1) / 3)),
)


def attained(part: Statement) -> Iterator[Step]:
    """Three points in random order, whose pairs have the values 1, 2 and 3."""
    yield (
        combine(part.claim, table(CHANCE, Symbol("bad"))),
        "unless the exchanged pair is the one with the value 1",
    )


def counterexample() -> Refutation:
    """Three points in random order, whose pairs have the values 1, 2 and 3; n = 2, k = 1."""
    return Refutation(
        "n = 2, k = 1, pair values 1, 2, 3: the exchanged pair is above one of the"
        " others with probability 2/3",
        (table(CHANCE, Symbol("bad")),),
    )


def pairs(seed: int) -> int:
    """Exact probabilities for small populations and a random symmetric h, at every rank."""
    rng = random.Random(seed)
    tried = 0
    for _ in range(30):
        law = masses(rng, rng.randint(2, 3))
        size = rng.randint(2, 3)
        h = {
            pair: rng.randint(0, 4)
            for pair in product(range(len(law)), repeat=2)
            if pair[0] <= pair[1]
        }
        bad = dict.fromkeys(range(1, size * (size - 1) // 2 + 1), Fraction(0))
        for draw in product(range(len(law)), repeat=size + 1):
            weight = Fraction(1)
            for value in draw:
                weight *= law[value]
            values = {
                p: h[tuple(sorted((draw[p[0]], draw[p[1]])))]
                for p in combinations(range(size + 1), 2)
            }
            sides = [
                sorted(v for p, v in values.items() if gone not in p)
                for gone in (size, size - 1)
            ]
            for rank in bad:
                bad[rank] += weight * (
                    values[size - 1, size] > min(side[rank - 1] for side in sides)
                )
        whole = size * (size + 1) // 2
        for rank, chance in bad.items():
            tried += 1
            if chance > Fraction(whole - rank, whole):
                raise Refused(f"{law}, {size} points, rank {rank}: {chance}")
    return tried


THEOREM = Theorem(
    verdict=Status.SHARPENED,
    in_words=(
        (
            "the value of the exchanged pair is any of the N values with equal"
            " probability: all that `ranked` is used for"
        ),
    ),
    parts=(
        Statement(
            "upper",
            "F(k) <= d(X)",
            at_most(MANY.value(k), FEW.value(k)),
            upper,
            assuming=some("part", "ranks of many", "few reached"),
        ),
        Statement(
            "lower",
            "d(X) <= F(k + n)",
            at_most(FEW.value(k), MANY.value(k + n)),
            lower,
            assuming=some("extra", "ranks of few", "many reached"),
        ),
        Statement(
            "coverage",
            "the exchanged pair is above d(X) or d(X')",
            at_most(ABOVE, all_pairs_bad(n, k)),
            coverage,
            RANK,
        ),
        Statement(
            "level",
            "at the level delta",
            at_most(ABOVE, delta + 2 * (1 - delta) / (n + 1)),
            level,
            (*RANK, "(1 - delta)*n*(n - 1)/2 <= k"),
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "n = 2, k = 1: three points in random order with the pair values 1, 2 and 3"
            " attain (N - k)/N = 2/3",
            equal(E(CHANCE, Symbol("bad")), formula(2) / 3),
            attained,
        ),
    ),
    falsehoods=(
        Falsehood(
            "the chance is at most 1 - k/(N - n), as if the exchanged pair were one of"
            " X: 0 for n = 2, k = 1",
            at_most(E(CHANCE, Symbol("bad")), 0),
            refutation=counterexample,
        ),
        Falsehood(
            "at the level delta the chance is at most delta",
            at_most(delta + 2 * (1 - delta) / (n + 1), delta),
            ("2 <= n", "0 <= delta", "delta < 1"),
        ),
    ),
    attacks=(
        Attack(
            "points with ties and random pair values, every rank, by enumeration", pairs
        ),
    ),
    rules=(all_pairs_bad,),
)
