"""The local sensitivity of the median, from the sorted data.

Printed: LS(x) = max of q(x) - q(x') over d(x, x') <= 1; for the median of sorted data D_1 <= ... <=
    D_n it is max(D_((n+1)/2) - D_((n-1)/2), D_((n+3)/2) - D_((n+1)/2)).
Proved: Let V(1) <= ... <= V(n) be the records of x and W(1) <= ... <= W(n) those of a data set that
    differs in one of them, all in the range from V(0) to V(n+1). Then V(k-1) <= W(k) <= V(k+1) for
    k = 1, ..., n; so |W(m) - V(m)| <= max(V(m) - V(m-1), V(m+1) - V(m)) for every rank m from 1 to
    n, ends included, and both gaps are attained, by moving the record of rank m to the next or to
    the previous one, or to the end of the range. Of the mean of the two middle values of an even
    number of rows the change is at most max(V(m+1) - V(m-1), V(m+2) - V(m))/2, m = n/2. What is
    assumed is what the words mean: c(j, t) adds 1 for each of the first j records that is at most
    t, the values are in order, and x and x' have the counts s(t) of their common records and one
    record more.
Idea: V(k) <= t if and only if at least k records are at most t, by induction over the records; one
    row moves no such count by more than 1. Moving the record of rank m up to the next turns "at
    least m" into "at least m + 1", and down into "at least m - 1".
Source: Lecture 13 (smoothed sensitivity and median), section 13.2.
Finding (gap): The definition lacks absolute values: as printed only falls of the query count, and
    the median of 0, 0, 1 has the sensitivity 0 by the definition and 1 by the formula. For n = 1
    the printed indices 0 and 2 need the convention D_0 = 0, D_(n+1) = U. For even n the formula is
    that of the lower median; the mean of the middle two has another.
"""

from rdpacct.book.words import (
    Condition, Expr, FALLING, Fact, Falsehood, OTHER, RANKS, RISING, Statement, Status, Symbol,
    Theorem, Whole, all_zero, assume, at_most, counts, equal, interlaced, lowered, maximum, middle,
    moved_record_V as V, moved_record_W as W, moved_record_raised as raised, neighbors_DATA as DATA,
    next_above, one_of_two, previous_below, steps, symbols,
)  # fmt: skip

k, m, t = symbols("k m t")
MEDIAN: tuple[str | Condition, ...] = (Whole("m", 1), Whole("n", 0), "m <= n")
MIDDLE: tuple[str | Condition, ...] = (Whole("m", 1), Whole("n", 0), "m + 1 <= n")
SAME = all_zero(
    {"n": 3, "k": 2, "m": 2, "old": 0, "new": 0}, DATA, OTHER, s=steps(0, (0, 2))
)
"""Three records 0 in x and in x'."""
GAPS = maximum(V(m) - V(m - 1), V(m + 1) - V(m))


def with_one_moved(to: Expr) -> dict[str, Fact]:
    """x' has the records of x, but for the one of rank m, which is at another place."""
    change = DATA.count(t) - counts(V(m), t) + counts(to, t)
    return {
        **DATA.definition(),
        **OTHER.definition(),
        "one record is moved": assume(equal(OTHER.count(t), change), every="t"),
    }


THEOREM = Theorem(
    verdict=Status.CORRECTED,
    parts=(
        Statement(
            "above",
            "W(k) <= V(k+1)",
            at_most(W(k), V(k + 1)),
            interlaced(next_above),
            RANKS,
            RISING,
            witness=SAME,
        ),
        Statement(
            "below",
            "V(k-1) <= W(k)",
            at_most(V(k - 1), W(k)),
            interlaced(previous_below),
            RANKS,
            FALLING,
            witness=SAME,
        ),
        Statement(
            "rise",
            "no neighbor raises the value of rank m by more",
            at_most(W(m) - V(m), GAPS),
            one_of_two(next_above, "b"),
            MEDIAN,
            RISING,
            witness=SAME,
        ),
        Statement(
            "fall",
            "no neighbor lowers the value of rank m by more",
            at_most(V(m) - W(m), GAPS),
            one_of_two(previous_below, "a"),
            MEDIAN,
            FALLING,
            witness=SAME,
        ),
        Statement(
            "raised",
            "the record of rank m moved to the next one raises the value by that gap",
            at_most(V(m + 1), W(m)),
            proof=raised,
            given=MEDIAN,
            assuming=with_one_moved(V(m + 1)),
            witness=SAME,
        ),
        Statement(
            "lowered",
            "the record of rank m moved to the previous one lowers it by that gap",
            at_most(W(m), V(m - 1)),
            proof=lowered,
            given=MEDIAN,
            assuming=with_one_moved(V(m - 1)),
            witness=SAME,
        ),
        Statement(
            "middle-rise",
            "the mean of the middle two rises to (V(m+1) + V(m+2))/2 at most, by half"
            " of V(m+2) - V(m)",
            at_most((W(m) + W(m + 1)) / 2, (V(m + 1) + V(m + 2)) / 2),
            middle(next_above),
            MIDDLE,
            RISING,
            witness=SAME,
        ),
        Statement(
            "middle-fall",
            "and falls to (V(m-1) + V(m))/2 at most, by half of V(m+1) - V(m-1)",
            at_most((V(m - 1) + V(m)) / 2, (W(m) + W(m + 1)) / 2),
            middle(previous_below),
            MIDDLE,
            FALLING,
            witness=SAME,
        ),
    ),
)


FALSEHOODS = (
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
)
