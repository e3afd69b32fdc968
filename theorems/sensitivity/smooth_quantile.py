"""A quantile that is raised so that one record moves it by a bounded factor.

Printed: not in the sources. There the plain quantile d(X) is the scale, and s(X) <= exp(beta) s(X')
    holds but for a probability that depends on the law of h.
Proved: Let V(1) <= V(2) <= ... be the values of pairs of X, with the declared bound in all places
    beyond them, and W those of X', of which at most r values differ. Then W(k) <= V(k + r). The
    raised quantile S(X), the largest exp(-beta j) V(k + j r) over j = 0, 1, 2, ..., has V(k) <=
    S(X) and S(X') <= exp(beta) S(X), for all neighbors and all values: gamma1 = 0 in (10), both
    ways. The same holds for max(S, c) and for S + c with a constant c >= 0.
Idea: A term of S(X') is at most exp(beta) times the next term of S(X), since r values move ranks by
    r at most.
Source: after Nissim, Raskhodnikova and Smith (2007), who raise the local sensitivity of the median
    so; for the scale of Hall, Rinaldo and Wasserman, section 6, equation (10).
"""

import math
import random
from collections.abc import Iterator

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import exp, maximum
from rdpacct.proof.kernel import (
    E,
    Fact,
    Quantity,
    Refused,
    Table,
    assume,
    at_most,
    below,
    combine,
    given_by,
    real,
    specialize,
    table,
)
from rdpacct.proof.tactics.smooth import HALF, Sample, divided
from rdpacct.proof.theorem import (
    Attack,
    Falsehood,
    Refutation,
    Statement,
    Status,
    Step,
    Theorem,
)
from rdpacct.sensitivity.pair_quantile import QuantileRule, raised

beta, j, k, r, t = (Symbol(name) for name in ("beta", "j", "k", "r", "t"))
a, c, u, v = (Symbol(name) for name in ("a", "c", "u", "v"))
DATA = Sample("c", "V")
OTHER = Sample("d", "W")
V = DATA.value
W = OTHER.value
S, MOVED = Quantity("S", ()), Quantity("Moved", ())
"""The raised quantiles of X and of X'."""

NEIGHBORS = {
    "ranks of X'": OTHER.least(),
    "reached in X": DATA.reached(),
    "moved": assume(at_most(DATA.count(t), OTHER.count(t) + r), every="t"),
}
MAXIMUM = assume(at_most(exp(-beta * j) * V(k + j * r), S), every="j")
ATTAINED = assume(at_most(MOVED, exp(-beta * j) * W(k + j * r)))


def shifted(part: Statement, rank: Expr, above: Expr) -> Fact:
    """W(rank) <= V(above), where above = rank + r."""
    there = V(above)
    enough = specialize(part.assuming["reached in X"], k=above)
    near = specialize(part.assuming["moved"], t=there)
    positive = combine(
        below(0, OTHER.count(there) - rank + HALF), near, enough, rest=HALF
    )
    rule = specialize(part.assuming["ranks of X'"], k=rank, t=there)
    return divided(at_most(W(rank), there), rule, positive)


def interlaced(part: Statement) -> Iterator[Step]:
    """By counting."""
    yield shifted(part, k, k + r), "at least k of the values of X' are at most V(k + r)"


def quantile(part: Statement) -> Iterator[Step]:
    """The first term."""
    yield (
        combine(part.claim, specialize(part.assuming["maximum"], j=0)),
        "the term with j = 0",
    )


def smooth(part: Statement) -> Iterator[Step]:
    """The next term of the other maximum."""
    over = shifted(part, k + j * r, k + (j + 1) * r)
    yield over, "one replaced record moves ranks by r at most"
    following = specialize(part.assuming["maximum"], j=j + 1)
    yield following, "the next term of S(X)"
    terms = part.assuming["attained"], (over, exp(-beta * j)), (following, exp(beta))
    yield combine(part.claim, *terms), "is at most exp(beta) times smaller"


def floor(part: Statement) -> Iterator[Step]:
    """Each of the two by itself."""
    growth, sign, near = part.given
    larger = maximum(u, c)
    below_u = real("u <= max(u, c)")
    first = combine(
        at_most(v, a * larger),
        real(at_most(v, a * u), near),
        (below_u, a),
        given=(growth,),
    )
    yield first, "the scale"
    constant = real("c <= max(u, c)")
    second = combine(
        at_most(c, a * larger),
        (constant, a),
        (real("0 <= c", sign), a - 1),
        given=(growth,),
    )
    yield second, "the constant"
    both = real("max(v, c) <= w", "v <= w", "c <= w")
    yield given_by(specialize(both, w=a * larger), first, second), "so their maximum"


def margin(part: Statement) -> Iterator[Step]:
    """Each of the two by itself."""
    growth, sign, near = part.given
    terms = real(at_most(v, a * u), near), (real("0 <= c", sign), a - 1)
    yield (
        combine(part.claim, *terms, given=(growth,)),
        "the constant is multiplied by at least 1",
    )


FEW = Table("F", ("plain", "next"), rows=(((formula(1), formula(0)), formula(1)),))
"""Three values 0, 0, 1 of X and 0, 1, 1 of X', or 0, 0, 0 and 0, 1, 1: an order statistic of X' and
one of X.
"""


def unsteady() -> Refutation:
    """The second smallest of 0, 1, 1 and of 0, 0, 1."""
    return Refutation(
        "values 0, 0, 1 and 0, 1, 1: the second smallest are 0 and 1",
        (table(FEW, Symbol("plain")),),
    )


def too_short() -> Refutation:
    """All pairs of three records 0, 0, 0, one of which is replaced by 1."""
    by = (
        "the pairs of 0, 0, 0 have the values 0, 0, 0, those of 0, 0, 1 have 0, 1, 1:"
        " W(2) = 1 and V(3) = 0"
    )
    return Refutation(by, (table(FEW, Symbol("plain") - Symbol("next")),))


def values(seed: int) -> int:
    """The shipped function on random values, some of which are replaced: up to the rounding of
    doubles.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(300):
        size = rng.randint(1, 9)
        bound = rng.choice((1.0, 5.0, 1e9))
        stride = rng.randint(1, size)
        mine = [
            rng.choice((0.0, 1e-30, rng.random(), 1.0)) * bound for _ in range(size)
        ]
        other = [
            rng.choice((0.0, 1e-30, 1.0)) * bound if place < stride else mine[place]
            for place in range(size)
        ]
        rate = rng.choice((0.01, 0.5, 3.0, 50.0))
        rank = rng.randint(1, size + 1)
        rule = QuantileRule(size, rank, stride, formula(1))
        one, two = (
            raised([*sorted(each), bound], rule, rate) for each in (mine, other)
        )
        tried += 1
        if (
            abs(math.log(one / two)) > rate + 2**-40
            or one < [*sorted(mine), bound][rank - 1]
        ):
            raise Refused(
                f"{mine} and {other}, rank {rank}, stride {stride}, beta {rate}: {one}"
                f" and {two}"
            )
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "r = 1 for disjoint pairs and r = n - 1 for all pairs: so many pairs hold"
            " the replaced record"
        ),
        (
            "`raised` computes this maximum in doubles, and leaves out terms below the"
            " constant FLOOR times the bound, with which it takes the maximum"
        ),
    ),
    parts=(
        Statement(
            "interlaced",
            "W(k) <= V(k + r)",
            at_most(W(k), V(k + r)),
            interlaced,
            assuming=NEIGHBORS,
        ),
        Statement(
            "quantile",
            "V(k) <= S(X)",
            at_most(V(k), S),
            quantile,
            assuming={"maximum": MAXIMUM},
        ),
        Statement(
            "smooth",
            "S(X') <= exp(beta) S(X), where j attains the maximum for X'",
            at_most(MOVED, exp(beta) * S),
            smooth,
            assuming={**NEIGHBORS, "maximum": MAXIMUM, "attained": ATTAINED},
        ),
        Statement(
            "floor",
            "the larger of a smooth scale and a constant is as smooth",
            at_most(maximum(v, c), a * maximum(u, c)),
            floor,
            ("1 <= a", "0 <= c", "v <= a*u"),
        ),
        Statement(
            "margin",
            "and so is the sum",
            at_most(v + c, a * (u + c)),
            margin,
            ("1 <= a", "0 <= c", "v <= a*u"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the plain quantile moves by a factor exp(beta) at most: 1 <= exp(beta) 0",
            at_most(E(FEW, Symbol("plain")), exp(beta) * 0),
            refutation=unsteady,
        ),
        Falsehood(
            "one replaced record moves the ranks of all pairs by one, as it does those"
            " of disjoint pairs",
            at_most(E(FEW, Symbol("plain") - Symbol("next")), 0),
            refutation=too_short,
        ),
    ),
    attacks=(
        Attack(
            "values of which some are replaced, in doubles, by the shipped function",
            values,
        ),
    ),
    rules=(raised,),
)
