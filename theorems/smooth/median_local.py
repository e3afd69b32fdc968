"""The local sensitivity of the median, from the sorted data.

Printed: LS(x) = max of q(x) - q(x') over d(x, x') <= 1; for the median of sorted data D_1 <= ... <=
    D_n it is max(D_((n+1)/2) - D_((n-1)/2), D_((n+3)/2) - D_((n+1)/2)).
Proved: Let V(k) be the k-th smallest value of x and W(k) that of a data set that differs in one
    row. Then V(k-1) <= W(k) <= V(k+1); so |W(m) - V(m)| <= max(V(m) - V(m-1), V(m+1) - V(m)) for
    every rank m, and both gaps are attained, by moving one value at rank m to the next or to the
    previous one. Of the mean of the two middle values of an even number of rows the change is at
    most max(V(m+1) - V(m-1), V(m+2) - V(m))/2, m = n/2. At the ends V(0) = 0 and V(n+1) = U: write
    one value 0 and one value U beside the data of both sets, which changes no median.
Idea: V(k) <= t if and only if at least k values are at most t, and one row moves no such count by
    more than 1. Moving a value at rank m up to the next turns "at least m" into "at least m + 1",
    and down into "at least m - 1".
Source: Lecture 13 (smoothed sensitivity and median), section 13.2.
Finding (gap): The definition lacks absolute values: as printed only falls of the query count, and the
    median of 0, 0, 1 has the sensitivity 0 by the definition and 1 by the formula. For n = 1 the
    printed indices 0 and 2 need the convention D_0 = 0, D_(n+1) = U. For even n the formula is that
    of the lower median; the mean of the middle two has another.
"""

from collections.abc import Callable, Iterator
from itertools import product

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import maximum
from rdpacct.proof.kernel import (
    Fact,
    Refused,
    assume,
    at_most,
    below,
    combine,
    real,
    specialize,
)
from rdpacct.proof.tactics.smooth import HALF, Sample, divided, other_factor
from rdpacct.proof.theorem import Attack, Falsehood, Statement, Status, Step, Theorem

k = Symbol("k")
m = Symbol("m")
t = Symbol("t")
DATA = Sample("c", "V")
OTHER = Sample("d", "W")
V = DATA.value
W = OTHER.value
c = DATA.count
d = OTHER.count
KEPT = {
    "rank in x": DATA.least(),
    "rank in x'": OTHER.least(),
    "reached in x": DATA.reached(),
    "reached in x'": OTHER.reached(),
    "one row less": DATA.loses_one(OTHER),
    "one row more": OTHER.loses_one(DATA),
}
MOVED_UP = assume(below(0, (d(t) - m + HALF) * (c(t) - m - HALF)), every="t")
MOVED_DOWN = assume(below(0, (d(t) - m + HALF) * (c(t) - m + 3 * HALF)), every="t")


def some(*names: str) -> dict[str, Fact]:
    """Some of the hypotheses that make x and x' neighbors."""
    return {name: KEPT[name] for name in names}


def above(part: Statement, rank: Expr) -> Fact:
    """W(k) <= V(k + 1)."""
    next_value = V(rank + 1)
    enough = specialize(part.assuming["reached in x"], k=rank + 1)
    near = specialize(part.assuming["one row less"], t=next_value)
    rule = specialize(part.assuming["rank in x'"], k=rank, t=next_value)
    positive = combine(below(0, d(next_value) - rank + HALF), near, enough, rest=HALF)
    return divided(at_most(W(rank), next_value), rule, positive)


def under(part: Statement, rank: Expr) -> Fact:
    """V(k - 1) <= W(k)."""
    enough = specialize(part.assuming["reached in x'"], k=rank)
    near = specialize(part.assuming["one row more"], t=W(rank))
    rule = specialize(part.assuming["rank in x"], k=rank - 1, t=W(rank))
    positive = combine(below(0, c(W(rank)) - rank + 1 + HALF), near, enough, rest=HALF)
    return divided(at_most(V(rank - 1), W(rank)), rule, positive)


def interlaced(
    step: Callable[[Statement, Expr], Fact], why: str
) -> Callable[[Statement], Iterator[Step]]:
    """The proof of one side of the interlacing."""

    def proof(part: Statement) -> Iterator[Step]:
        yield step(part, k), why

    return proof


def rise(part: Statement) -> Iterator[Step]:
    """The next value bounds the new median."""
    yield above(part, m), "the new median is at most the next value"
    most = specialize(real("b <= max(a, b)"), a=V(m) - V(m - 1), b=V(m + 1) - V(m))
    yield (
        combine(part.claim, most, (above(part, m), 1)),
        "and that gap is one of the two",
    )


def fall(part: Statement) -> Iterator[Step]:
    """The previous value bounds the new median."""
    yield under(part, m), "the new median is at least the previous value"
    most = specialize(real("a <= max(a, b)"), a=V(m) - V(m - 1), b=V(m + 1) - V(m))
    yield (
        combine(part.claim, most, (under(part, m), 1)),
        "and that gap is one of the two",
    )


def middle(
    step: Callable[[Statement, Expr], Fact],
) -> Callable[[Statement], Iterator[Step]]:
    """Two ranks at once."""

    def proof(part: Statement) -> Iterator[Step]:
        first = step(part, m)
        second = step(part, m + 1)
        yield first, "the lower of the middle two"
        yield second, "the upper one"
        yield combine(part.claim, (first, HALF), (second, HALF)), "half the sum"

    return proof


def moved(
    here: Sample, low: Expr, there: Sample, high: Expr
) -> Callable[[Statement], Iterator[Step]]:
    """Where ``low`` values of one data set are reached, ``high`` of the other are: its value there
    is no larger.
    """

    def proof(part: Statement) -> Iterator[Step]:
        point = here.value(low)
        reached = specialize(part.assuming["reached"], k=low)
        positive = combine(below(0, here.count(point) - low + HALF), reached, rest=HALF)
        yield positive, "by definition of a rank"
        enough = other_factor(
            there.count(point) - high + HALF,
            specialize(part.assuming["moved"], t=point),
            positive,
        )
        yield enough, "so that many values of the other data set are there too"
        order = specialize(part.assuming["rank"], k=high, t=point)
        yield (
            divided(part.claim, order, enough),
            "and that bounds its value of this rank",
        )

    return proof


GAPS = maximum(V(m) - V(m - 1), V(m + 1) - V(m))
UP = ("rank in x'", "reached in x", "one row less")
DOWN = ("rank in x", "reached in x'", "one row more")


def median(values: list[int], universe: int, rank: int) -> int:
    """The value at a rank, with 0 and U written beside the data."""
    return [0, *sorted(values), universe][rank]


def exhaust(seed: int) -> int:  # noqa: ARG001
    """Every data set of small universes: the largest change of the median over all neighbors is the
    formula.
    """
    tried = 0
    for universe, size in ((1, 1), (3, 1), (3, 2), (3, 3), (2, 4), (2, 5)):
        for data in product(range(universe + 1), repeat=size):
            others = [
                [*data[:i], new, *data[i + 1 :]]
                for i in range(size)
                for new in range(universe + 1)
            ]
            tried += 1
            m = (size + 1) // 2
            v = [median(list(data), universe, rank) for rank in range(size + 2)]
            if max(abs(median(y, universe, m) - v[m]) for y in others) != max(
                v[m] - v[m - 1], v[m + 1] - v[m]
            ):
                raise Refused(
                    f"the local sensitivity of the median of {data} is another."
                )
            twice = max(
                abs(
                    median(y, universe, m)
                    + median(y, universe, m + 1)
                    - v[m]
                    - v[m + 1]
                )
                for y in others
            )
            if size % 2 == 0 and twice != max(v[m + 1] - v[m - 1], v[m + 2] - v[m]):
                raise Refused(
                    f"the local sensitivity of the mean of the middle two of {data} is"
                    " another."
                )
    return tried


THEOREM = Theorem(
    verdict=Status.CORRECTED,
    in_words=(
        (
            "V(k) <= t if and only if at least k values are at most t, and a neighbor"
            " moves that count by at most 1: the definitions, as hypotheses"
        ),
    ),
    parts=(
        Statement(
            "above",
            "W(k) <= V(k+1)",
            at_most(W(k), V(k + 1)),
            interlaced(above, "counts"),
            assuming=some(*UP),
        ),
        Statement(
            "below",
            "V(k-1) <= W(k)",
            at_most(V(k - 1), W(k)),
            interlaced(under, "counts"),
            assuming=some(*DOWN),
        ),
        Statement(
            "rise",
            "no neighbor raises the median by more",
            at_most(W(m) - V(m), GAPS),
            rise,
            assuming=some(*UP),
        ),
        Statement(
            "fall",
            "no neighbor lowers the median by more",
            at_most(V(m) - W(m), GAPS),
            fall,
            assuming=some(*DOWN),
        ),
        Statement(
            "raised",
            "a value at rank m moved to the next one raises the median by that gap",
            at_most(V(m + 1), W(m)),
            moved(OTHER, m, DATA, m + 1),
            assuming={
                "rank": DATA.least(),
                "reached": OTHER.reached(),
                "moved": MOVED_UP,
            },
        ),
        Statement(
            "lowered",
            "a value at rank m moved to the previous one lowers the median by that gap",
            at_most(W(m), V(m - 1)),
            moved(DATA, m - 1, OTHER, m),
            assuming={
                "rank": OTHER.least(),
                "reached": DATA.reached(),
                "moved": MOVED_DOWN,
            },
        ),
        Statement(
            "middle-rise",
            "the mean of the middle two rises to (V(m+1) + V(m+2))/2 at most, by half"
            " of V(m+2) - V(m)",
            at_most((W(m) + W(m + 1)) / 2, (V(m + 1) + V(m + 2)) / 2),
            middle(above),
            assuming=some(*UP),
        ),
        Statement(
            "middle-fall",
            "and falls to (V(m-1) + V(m))/2 at most, by half of V(m+1) - V(m-1)",
            at_most((V(m - 1) + V(m)) / 2, (W(m) + W(m + 1)) / 2),
            middle(under),
            assuming=some(*DOWN),
        ),
    ),
    falsehoods=(
        Falsehood(
            "falls of the query alone reach the larger gap, as the definition without"
            " absolute values has it",
            at_most(
                maximum(Symbol("v") - Symbol("u"), Symbol("w") - Symbol("v")),
                Symbol("v") - Symbol("u"),
            ),
            ("0 <= u", "u <= v", "v <= w"),
        ),
        Falsehood(
            "the mean of the middle two of an even number of rows has half the"
            " sensitivity of one of them",
            at_most(
                (Symbol("w") - Symbol("u")) / 2,
                maximum(Symbol("v") - Symbol("u"), Symbol("w") - Symbol("v")) / 2,
            ),
            ("0 <= u", "u <= v", "v <= w"),
        ),
    ),
    attacks=(
        Attack(
            "the formulas against all data sets of small universes, ends and even sizes"
            " included",
            exhaust,
        ),
    ),
)
