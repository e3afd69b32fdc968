"""The global sensitivity of the median is the whole range of the data.

Printed: For an odd number n of rows in {0, ..., U} the data of (n+1)/2 zeros and (n-1)/2 values U
    has the median 0, and with one zero replaced by U the median U: |median(x) - median(x')| = U.
Proved: For n >= m rows, of which m are 0 in x and m - 1 in x', and the others U, the values of rank
    m are at most 0 and at least U: they differ by U, and no pair in [0, U] differs by more. For n =
    2m - 1 that is the median, for n = 2m the lower one. The mean of the middle two of n = 2m rows
    changes by at most U/2, and does so for m + 1 zeros in x and m in x'.
Idea: V(k) <= t if and only if at least k rows are at most t. In x, m rows are at most 0; in x' only
    m - 1 are below U. The middle two interlace (smooth/median-local): their sum moves by at most
    V(m+2) - V(m).
Source: Lecture 13 (smoothed sensitivity and median), section 13.1.1.
"""

from rdpacct.book.words import (
    Comparison, Condition, Expr, Fact, Falsehood, Iterator, OTHER, RISING, Sample, Statement,
    Status, Step, Symbol, Theorem, Whole, all_zero, assume, at_most, at_rank, atoms_of, by_prover,
    combine, counted_at, counting_HALF as HALF, counting_at_most_one as at_most_one,
    counting_left_out as left_out, counts, either, equal, formula, given_by, lemma,
    neighbors_DATA as DATA, not_negative, proves, real, relation, specialize, steps, symbols,
    terms_replace as replace, under,
)  # fmt: skip

m, n, t, w, z, U = symbols("m n t w z U")
V = DATA.value
W = OTHER.value
RANK: tuple[str | Condition, ...] = (Whole("m", 1), Whole("n", 0), "m <= n")
MIDDLE: tuple[str | Condition, ...] = (Whole("m", 1), Whole("n", 0), "m + 1 <= n")


def two_values(sample: Sample, zeros: Expr) -> Fact:
    """So many rows are 0, and the others U."""
    number = zeros * counts(0, t) + (n - zeros) * counts(U, t)
    return assume(equal(sample.count(t), number), every="t")


ZEROS = two_values(DATA, m)
ONE_LESS = two_values(OTHER, m - 1)
LOW = {**DATA.definition(), "m rows of x are 0, the others U": ZEROS}
HIGH = {**OTHER.definition(), "m - 1 rows of x' are 0, the others U": ONE_LESS}
SAME = all_zero(
    {"n": 3, "m": 2, "U": 0, "old": 0, "new": 0}, DATA, OTHER, s=steps(0, (0, 2))
)
"""Three records 0 in x and in x', in the range [0, 0]."""

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "bounded",
            "two medians in [0, U] differ by at most U",
            claim=at_most(Symbol("v"), Symbol("w") + U),
            given=("v <= U", "0 <= w"),
            proof=by_prover("both lie in the range"),
        ),
        Statement(
            "median-of-x",
            "with m zeros among the data the value of rank m is at most 0",
            claim=at_most(V(m), 0),
            given=RANK,
            assuming=LOW,
            witness=SAME,
        ),
        Statement(
            "median-of-x'",
            "with m - 1 zeros, and all others U, the value of rank m is at least U",
            claim=at_most(U, W(m)),
            given=RANK,
            assuming=HIGH,
            witness=SAME,
        ),
        Statement(
            "difference",
            "so the two values of rank m differ by U",
            claim=at_most(U, W(m) - V(m)),
            given=RANK,
            assuming={**LOW, **HIGH},
            witness=SAME,
        ),
        Statement(
            "middle-two",
            "the mean of the middle two of an even number of rows rises by at most U/2",
            claim=at_most((W(m) + W(m + 1)) / 2, (V(m) + V(m + 1)) / 2 + U / 2),
            given=MIDDLE,
            assuming={
                **RISING,
                "V(0) is 0": assume(equal(V(0), 0)),
                "V(n+1) is U": assume(equal(V(n + 1), U)),
            },
            witness=SAME,
        ),
    ),
    sharp=(
        Statement(
            "half",
            "with m + 1 zeros in x and m in x' the mean of the middle two rises by U/2",
            claim=at_most(U / 2, (W(m) + W(m + 1)) / 2 - (V(m) + V(m + 1)) / 2),
            given=MIDDLE,
            assuming={
                **DATA.definition(),
                **OTHER.definition(),
                "m + 1 rows of x are 0, the others U": specialize(ZEROS, m=m + 1),
                "m rows of x' are 0, the others U": specialize(ONE_LESS, m=m + 1),
                "rows from 0 on": assume(at_most(0, W(m))),
            },
            witness=SAME,
        ),
    ),
)


def at_zero() -> Fact:
    """V(m) <= 0: m rows are at most 0."""
    enough = combine(
        at_most(m, DATA.count(0)),
        specialize(ZEROS, t=0),
        (counted_at(formula(0)), -m),
        (specialize(not_negative(U), t=0), n - m),
        given=("m <= n",),
    )
    return at_rank(DATA, m, 0, enough)


def at_top() -> Fact:
    """U <= W(m): only m - 1 rows are below U."""
    many, most, none = (
        real(one, one) for one in ("m <= (m - 1)*w + (n - m + 1)*z", "w <= 1", "z == 0")
    )
    few = combine("1 <= 0", many, (most, m - 1), (none, n - m + 1), given=("1 <= m",))
    wrong = combine(at_most(U, t), (few, U - t), given=("t < U",))
    wrong = specialize(wrong, w=counts(0, t), z=counts(U, t))
    below = given_by(wrong, at_most_one(formula(0)), left_out(U))
    given = [one for one in below.domain if one != relation("t < U")]
    found = either(
        under(real("U <= t", "U <= t"), "U <= t", *given), under(below, "t < U", *given)
    )
    (needed,) = [one for one in given if isinstance(one, Comparison) and atoms_of(one)]
    point = W(m)
    there = specialize(found, t=point)
    count = combine(
        replace(needed, {"t": point}),
        specialize(OTHER.reached, k=m),
        specialize(ONE_LESS, t=point),
    )
    return given_by(there, count)


@proves("median-of-x")
def low(part: Statement) -> Iterator[Step]:
    """m rows are at most 0."""
    yield under(at_zero(), *part.given), "m rows are at most 0"


@proves("median-of-x'")
def high(part: Statement) -> Iterator[Step]:
    """Fewer than m rows are below U."""
    yield under(at_top(), *part.given), "fewer than m rows are below U"


@proves("difference")
def apart(part: Statement) -> Iterator[Step]:
    """From 0 to U."""
    yield at_zero(), "the median of x"
    yield at_top(), "the median of x'"
    yield under(combine(part.claim, at_zero(), at_top()), *part.given), "so"


@proves("middle-two")
def middle(part: Statement) -> Iterator[Step]:
    """The sums telescope, and lie in the range."""
    moved = lemma("smooth/median-local", "middle-rise")
    yield moved, "the middle two interlace with those of a neighbor"
    first = combine(at_most(0, V(m)), DATA.in_order(0, m), part.assuming["V(0) is 0"])
    last = combine(
        at_most(V(m + 2), U), DATA.in_order(m + 2, n + 1), part.assuming["V(n+1) is U"]
    )
    ends = (first, HALF), (last, HALF)
    yield first, "the records are at least 0"
    yield last, "and at most U"
    found = combine(part.claim, (moved, 1), *ends)
    yield under(found, *part.given), "so half of V(m+2) - V(m) is at most U/2"


@proves("half")
def half(part: Statement) -> Iterator[Step]:
    """Three of the four are 0."""
    low_ = specialize(at_zero(), m=m + 1)
    high_ = specialize(at_top(), m=m + 1)
    order = DATA.in_order(m, m + 1)
    yield low_, "the upper of the middle two of x"
    yield high_, "that of x'"
    terms = (
        (low_, 1),
        (order, HALF),
        (high_, HALF),
        (part.assuming["rows from 0 on"], HALF),
    )
    yield under(combine(part.claim, *terms), *part.given), "half the sum"


FALSEHOODS = (
    Falsehood(
        "half the range bounds the change of the median of an odd number of rows",
        at_most(Symbol("w"), Symbol("v") + U / 2),
        ("0 <= v", "v <= U", "0 <= w", "w <= U"),
    ),
)
