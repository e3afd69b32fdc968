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
    Callable, Condition, Expr, FALLING, Fact, Falsehood, Iterator, OTHER, RANKS, RISING, Statement,
    Status, Step, Symbol, Theorem, Whole, all_zero, assume, at_most, at_rank, combine, counted,
    counted_at, counting_HALF as HALF, counting_left_out as left_out, counts, either, equal,
    given_by, maximum, neighbors_DATA as DATA, next_above, previous_below, proves, real, specialize,
    steps, symbols, under,
)  # fmt: skip

k, m, n, t, u, v, w, y, z = symbols("k m n t u v w y z")
V = DATA.value
W = OTHER.value
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


Bound = Callable[[], Fact]


def interlaced(bound: Bound) -> Callable[[Statement], Iterator[Step]]:
    """The proof of one side of the interlacing."""

    def proof(part: Statement) -> Iterator[Step]:
        yield combine(part.claim, bound()), "by counting, and by the end of the range"

    return proof


def one_of_two(bound: Bound, which: str) -> Callable[[Statement], Iterator[Step]]:
    """The next value, or the previous one, bounds the new median."""

    def proof(part: Statement) -> Iterator[Step]:
        new = specialize(bound(), k=m)
        yield new, "the new median is between the previous and the next value"
        gap = real(f"{which} <= max(a, b)")
        most = specialize(gap, a=V(m) - V(m - 1), b=V(m + 1) - V(m))
        yield combine(part.claim, most, (new, 1)), "and that gap is one of the two"

    return proof


def middle(bound: Bound) -> Callable[[Statement], Iterator[Step]]:
    """Two ranks at once."""

    def proof(part: Statement) -> Iterator[Step]:
        first = specialize(bound(), k=m)
        second = specialize(bound(), k=m + 1)
        yield first, "the lower of the middle two"
        yield second, "the upper one"
        half = combine(part.claim, (first, HALF), (second, HALF))
        yield under(half, *part.given), "half the sum"

    return proof


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
            given=MEDIAN,
            assuming=with_one_moved(V(m + 1)),
            witness=SAME,
        ),
        Statement(
            "lowered",
            "the record of rank m moved to the previous one lowers it by that gap",
            at_most(W(m), V(m - 1)),
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


def known(text: str) -> Fact:
    """What is given."""
    return real(text, text)


def not_below() -> Fact:
    """v <= t, if m <= z - I(u, t) + I(v, t) where z is at most m, and at most m - 1 if t < u.

    At a point t below v, z <= m + n I(v, t) and z <= m - 1 + n I(u, t) would leave m - 1 at most.
    """
    many, upper, lower = map(
        known, ("m <= z - w + y", "z <= m + n*y", "z <= m - 1 + n*w")
    )
    none = known("y == 0")
    first = combine("1 <= 0", many, upper, (known("w == 1"), -1), (none, 1 + n))
    second = combine("1 <= 0", many, lower, (known("w == 0"), n - 1), (none, 1))
    indicators = {"w": counts(u, t), "y": counts(v, t)}
    facts = list[Fact]()
    for fact, rule in ((first, counted), (second, left_out)):
        fact = combine(at_most(v, t), (fact, v - t), given=("t < v",))
        fact = specialize(fact, **indicators)
        facts.append(given_by(fact, rule(u), left_out(v)))
    low, high = facts
    given = [one for fact in facts for one in fact.domain if "z" in one.symbols()]
    inside = either(
        under(low, "u <= t", "t < v", *given), under(high, "t < u", "t < v", *given)
    )
    return either(under(known("v <= t"), "v <= t", *given), inside)


@proves("raised")
def raised(part: Statement) -> Iterator[Step]:
    """At a point below V(m + 1), fewer than m records of x' count."""
    point = W(m)
    moved = specialize(part.assuming["one record is moved"], t=point)
    goal = DATA.count(point) - counts(V(m), point) + counts(V(m + 1), point)
    many = combine(at_most(m, goal), specialize(OTHER.reached, k=m), moved)
    yield many, "m records of x' are at most W(m)"
    found = specialize(not_below(), u=V(m), v=V(m + 1), z=DATA.count(point), t=point)
    next_few = specialize(DATA.so_few, k=m + 1, t=point)
    few = specialize(DATA.so_few, k=m, t=point)
    yield next_few, "below V(m + 1) there are at most m records of x"
    yield few, "below V(m) there are at most m - 1"
    yield under(given_by(found, many, next_few, few), *part.given), "so W(m) is not"


@proves("lowered")
def lowered(part: Statement) -> Iterator[Step]:
    """At V(m - 1), at least m records of x' count."""
    low = real("m <= z - w + 1", "m*w <= z", "w == 1")
    high = real("m <= z - w + 1", "m - 1 <= z", "w == 0")
    low = given_by(specialize(low, w=counts(u, t)), counted(u))
    high = given_by(specialize(high, w=counts(u, t)), left_out(u))
    given = [one for one in (*low.domain, *high.domain) if "z" in one.symbols()]
    found = either(under(low, "u <= t", *given), under(high, "t < u", *given))
    point = V(m - 1)
    there = specialize(found, u=V(m), z=DATA.count(point), t=point)
    same = specialize(DATA.so_many, k=m - 1, t=point)
    before = combine(
        at_most(m - 1, DATA.count(point)), same, (counted_at(point), -(m - 1))
    )
    yield before, "m - 1 records of x are at most V(m - 1), and m if V(m) is"
    there = given_by(there, before, specialize(DATA.so_many, k=m, t=point))
    moved = specialize(part.assuming["one record is moved"], t=point)
    many = combine(
        at_most(m, OTHER.count(point)), there, moved, (counted_at(point), -1)
    )
    yield many, "the record that is moved there makes m of them"
    yield (
        under(at_rank(OTHER, m, point, many), *part.given),
        "so the value of rank m is",
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
