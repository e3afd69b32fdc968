"""The local sensitivity of the median, from the sorted data.

Printed: LS(x) = max of q(x) - q(x') over d(x, x') <= 1; for the median of sorted data D_1 <= ... <= D_n it is
    max(D_((n+1)/2) - D_((n-1)/2), D_((n+3)/2) - D_((n+1)/2)).
Proved: Let V(k) be the k-th smallest value of x and W(k) that of a data set that differs in one row. Then
    V(k-1) <= W(k) <= V(k+1); so |W(m) - V(m)| <= max(V(m) - V(m-1), V(m+1) - V(m)) for every rank m, and both gaps
    are attained, by moving one value at rank m to the next or to the previous one. Of the mean of the two middle values
    of an even number of rows the change is at most max(V(m+1) - V(m-1), V(m+2) - V(m))/2, m = n/2. At the ends
    V(0) = 0 and V(n+1) = U: write one value 0 and one value U beside the data of both sets, which changes no median.
Idea: V(k) <= t if and only if at least k values are at most t, and one row moves no such count by more than 1. Moving
    a value at rank m up to the next turns "at least m" into "at least m + 1", and down into "at least m - 1".
Source: Lecture 13 (smoothed sensitivity and median), section 13.2.
Finding: The definition lacks absolute values: as printed only falls of the query count, and the median of 0, 0, 1 has
    the sensitivity 0 by the definition and 1 by the formula. For n = 1 the printed indices 0 and 2 need the convention
    D_0 = 0, D_(n+1) = U. For even n the formula is that of the lower median; the mean of the middle two has another.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import absolute, maximum
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import Fact, Refused, assume, at_most, below, combine, real, specialize
from rdpacct.proof.tactics.smooth import HALF, Sample, divided
from rdpacct.proof.theorem import Attack, Falsehood, Part, Step, Theorem, Verdict

k, m, t = Symbol("k"), Symbol("m"), Symbol("t")
DATA, OTHER = Sample("c", "V"), Sample("d", "W")
V, W, c, d = DATA.value, OTHER.value, DATA.count, OTHER.count
KEPT = {
    "rank in x": DATA.least(),
    "rank in x'": OTHER.least(),
    "reached in x": DATA.reached(),
    "reached in x'": OTHER.reached(),
    "one row less": assume(at_most(c(t), d(t) + 1), every="t"),
    "one row more": assume(at_most(d(t), c(t) + 1), every="t"),
}
MOVED_UP = assume(below(0, (d(t) - m + HALF) * (c(t) - m - HALF)), every="t")
MOVED_DOWN = assume(below(0, (d(t) - m + HALF) * (c(t) - m + 3 * HALF)), every="t")


def some(*names: str) -> dict[str, Fact]:
    """Some of the hypotheses that make x and x' neighbors."""
    return {name: KEPT[name] for name in names}


def above(part: Part, rank: Expr) -> Fact:
    """W(k) <= V(k + 1)."""
    next_value = V(rank + 1)
    enough = specialize(part.assuming["reached in x"], k=rank + 1)
    near = specialize(part.assuming["one row less"], t=next_value)
    rule = specialize(part.assuming["rank in x'"], k=rank, t=next_value)
    positive = combine(below(0, d(next_value) - rank + HALF), near, enough, rest=HALF)
    return divided(at_most(W(rank), next_value), rule, positive)


def under(part: Part, rank: Expr) -> Fact:
    """V(k - 1) <= W(k)."""
    enough = specialize(part.assuming["reached in x'"], k=rank)
    near = specialize(part.assuming["one row more"], t=W(rank))
    rule = specialize(part.assuming["rank in x"], k=rank - 1, t=W(rank))
    positive = combine(below(0, c(W(rank)) - rank + 1 + HALF), near, enough, rest=HALF)
    return divided(at_most(V(rank - 1), W(rank)), rule, positive)


def one(step: Callable[[Part, Expr], Fact], rank: Expr, why: str) -> Callable[[Part], Iterator[Step]]:
    """A proof of one step."""

    def proof(part: Part) -> Iterator[Step]:
        yield step(part, rank), why

    return proof


def within(part: Part) -> Iterator[Step]:
    """Both sides of the interlacing, at the rank of the median."""
    low, high = under(part, m), above(part, m)
    yield low, "the median falls to the previous value at most"
    yield high, "and rises to the next at most"
    bound = specialize(
        real("abs(w - v) <= max(v - u, x - v)", "u <= w", "w <= x"), u=V(m - 1), v=V(m), w=W(m), x=V(m + 1)
    )
    raise NotImplementedError


def moved(rank: Expr, rule: str) -> Callable[[Part], Iterator[Step]]:
    """The median of the moved data is the value of the next, or previous, rank."""

    def proof(part: Part) -> Iterator[Step]:
        enough = specialize(part.assuming["reached in x'"], k=m)
        change = specialize(part.assuming["moved"], t=W(m))
        order = specialize(part.assuming["rank in x"], k=rank, t=W(m))
        yield divided(part.claim, order, c(W(m)) - rank + HALF, change, enough), rule

    return proof
