"""Smooth sensitivity of a trimmed mean: the largest difference of two records that are so many
ranks apart.

Printed: not in the sources. Bun and Steinke have, for n records of which t at each end are left
    out, S = max over k of exp(-beta k) max over l from 0 to k + 1 of (x(n - t + 1 + k - l) - x(t +
    1 - l))/(n - 2 t), with the ends of the range beyond the data.
Proved: The same. If one record of y is replaced by a larger one, the kept sum grows by at most Y(n
    - t + 1) - Y(t + 1), and if by a smaller one, it falls by at most Y(n - t) - Y(t); both occur.
    Let k records of y not be those of x, m = t + 1 or m = t, g = n - 2 t, and let r of the common
    records be at most Y(m). Then Y(m + g) - Y(m) <= V(r + g + k) - V(r), and m <= r + k. If r > m,
    then V(m) <= Y(m), and Y(m + g) <= V(m + g + k): the ranks are the shipped ones, with l = m -
    min(r, m) of the records moved down. Each such difference is attained, by moving records between
    the two to the ends of the range.
Idea: Counting the records up to V(r + g + k) finds r + g common ones, and so m + g records of y.
Source: Bun and Steinke 2019, Average-case averages: private algorithms for smooth sensitivity and
    mean estimation, the smooth sensitivity of the trimmed mean.
"""

from rdpacct.book.words import (
    Attack, Condition, Expr, Fact, Falsehood, FiniteQuery, Iterator, Refused, Statement, Status,
    Step, Symbol, Theorem, TrimmedMean, Whole, all_zero, at_most, at_rank, by_prover, cache,
    combine, equal, given_by, module, random, real, specialize, under, whole_cases, window,
)  # fmt: skip

g, k, m, n, q, r, t = map(Symbol, ("g", "k", "m", "n", "q", "r", "t"))
RANKED = module("smooth/order-statistic")
DATA, OTHER, COMMON, LOST, GAINED = (
    RANKED.DATA,
    RANKED.OTHER,
    RANKED.COMMON,
    RANKED.LOST,
    RANKED.GAINED,
)
V = DATA.value
Y = OTHER.value
LOW, HIGH = window(m - 1, g, k, m - r)
WHOLE: tuple[str | Condition, ...] = tuple(
    Whole(name, 0) for name in ("m", "n", "r", "k", "q", "g")
)
RANKS = (*WHOLE, "m <= n", "1 <= g")
TIED = {
    name: RANKED.REPLACED[name]
    for name in (
        *DATA.definition(),
        *LOST.definition(),
        "x has the common records and k others",
        "r common records are at most Y(m)",
        "y from the start of the range",
    )
}
"""What is known of x, and where the common records are in y."""
LATER = {
    name: RANKED.REPLACED[name]
    for name in (
        *DATA.definition(),
        *OTHER.definition(),
        *LOST.definition(),
        *GAINED.definition(),
        "x has the common records and k others",
        "y has the common records and k others",
        "y to the end of the range",
    )
}
"""What is known of x and y, but for how the common records are counted."""
SAME = all_zero(
    {"n": 3, "q": 2, "k": 1, "m": 2, "r": 2, "g": 1}, DATA, OTHER, COMMON, LOST, GAINED
)


@cache
def up_to(rank: Expr) -> Fact:
    """So many common records, less k, are at most the record of a rank of x."""
    return combine(
        at_most(rank - k, COMMON.count(V(rank))),
        specialize(DATA.reached, k=rank),
        specialize(RANKED.MINE, t=V(rank)),
        specialize(LOST.no_more_than_all, t=V(rank)),
    )


def right_end() -> Fact:
    """Y(m + g) <= V(r + g + k): m + g records of y are at most that, or it is the end."""
    point = V(r + g + k)
    more = up_to(r + g + k)
    one_more = combine(
        at_most(r + 1, COMMON.count(point)), more, real("1 <= g", "1 <= g")
    )
    after = given_by(specialize(RANKED.not_before(), u=point), one_more)
    grown = given_by(specialize(GAINED.rises, t=Y(m), u=point), after)
    many = combine(
        at_most(m + g, OTHER.count(point)),
        (specialize(RANKED.THEIRS, t=point), -1),
        more,
        grown,
        (specialize(OTHER.reached, k=m), 1),
        (specialize(RANKED.THEIRS, t=Y(m)), 1),
        (RANKED.BELOW, 1),
    )
    room = combine(
        at_most(m + g, n), RANKED.near(), real("r + g + k <= n", "r + g + k <= n")
    )
    inside = given_by(at_rank(OTHER, m + g, point, many), room)
    claim = at_most(Y(m + g), point)
    end = specialize(RANKED.END, p=m + g)
    last = combine(claim, end, DATA.in_order(n + 1, r + g + k))
    return whole_cases(inside, last, at_most(r + g + k, n), *RANKS)


def within(part: Statement) -> Iterator[Step]:
    """Both ends between records of x."""
    left = RANKED.at_the_left()
    right = right_end()
    yield left, "r common records are at most Y(m)"
    yield right, "m + g records of y are at most V(r + g + k)"
    found = combine(part.claim, left, right)
    yield under(found, *part.given), "so the difference is between these two"


def tied(part: Statement) -> Iterator[Step]:
    """V(m) <= V(r)."""
    order = DATA.in_order(m, r)
    yield order, "records are in order"
    found = combine(part.claim, order, RANKED.at_the_left())
    yield under(found, *part.given), "and V(r) <= Y(m)"


def later(part: Statement) -> Iterator[Step]:
    """Of the records of x up to V(m + k), m are common."""
    point = V(m + k)
    common = up_to(m + k)
    many = combine(
        at_most(m, OTHER.count(point)),
        (specialize(RANKED.THEIRS, t=point), -1),
        common,
        specialize(GAINED.some, t=point),
    )
    yield many, "so many records of y are at most V(m + k)"
    inside = at_rank(OTHER, m, point, many)
    claim = at_most(Y(m), point)
    last = combine(claim, specialize(RANKED.END, p=m), DATA.in_order(n + 1, m + k))
    found = whole_cases(inside, last, at_most(m + k, n), *part.given)
    yield under(found, *part.given), "or it is beyond the data"


def right_of(part: Statement) -> Iterator[Step]:
    """r common records, and at most k others."""
    yield under(RANKED.near(), *part.given), "m records of y are at most Y(m)"


def exhaustive(seed: int) -> int:
    """Random trimmed means on all small data sets, against the definition at each distance."""
    rng = random.Random(seed)
    tried = 0
    for _ in range(4):
        size = rng.randint(1, 4)
        values = sorted(rng.sample(range(9), rng.randint(2, 3)))
        trim = rng.randint(0, (size - 1) // 2)
        fast = TrimmedMean(trim, values[0], values[-1])
        slow = FiniteQuery.of_multisets(fast.value, values, size)
        for data in slow.steps:
            for distance in range(size + 1):
                exact = slow.local_within(data, distance)
                if fast.local_within(data, distance) != exact:
                    raise Refused(
                        f"{data} without {trim} at each end has another local"
                        f" sensitivity within {distance}."
                    )
                tried += 1
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "if one record is replaced by a larger one, each Y(i) grows, and to Y(i + 1) at most:"
            " the kept sum grows by at most the sum of the differences Y(i + 1) - Y(i), which is"
            " that of its ends; all of it if a record up to Y(t + 1) moves to the end of the range"
        ),
        (
            "each of these differences is attained: between the ranks i and j of x there are g + k"
            " - 1 records, and k of them are moved to the ends of the range"
        ),
    ),
    parts=(
        Statement(
            "ranks",
            "the shipped ranks, if l = m - r of the records are moved down",
            equal(LOW, r),
            by_prover("t + 1 is m"),
        ),
        Statement(
            "apart",
            "are g + k apart",
            equal(HIGH - LOW, g + k),
            by_prover("the same sum"),
        ),
        Statement(
            "within",
            "the difference of the records of y of ranks m and m + g, within k replaced records",
            at_most(Y(m + g) - Y(m), V(r + g + k) - V(r)),
            within,
            RANKS,
            RANKED.REPLACED,
            witness=SAME,
        ),
        Statement(
            "to the right",
            "at most k records are moved down",
            at_most(m, r + k),
            right_of,
            (Whole("m", 0), Whole("n", 0), Whole("k", 0), "m <= n"),
            RANKED.MOVED,
            witness=SAME,
        ),
        Statement(
            "tied",
            "with more common records up to Y(m) none has to be moved down: from below",
            at_most(V(m), Y(m)),
            tied,
            (*WHOLE[:-1], "m <= r"),
            TIED,
            witness=SAME,
        ),
        Statement(
            "later",
            "and from above, at any rank",
            at_most(Y(m), V(m + k)),
            later,
            (Whole("m", 1), Whole("n", 0), Whole("k", 0), "m <= n"),
            LATER,
            witness=SAME,
        ),
    ),
    falsehoods=(
        Falsehood(
            "the ends are as far apart as the kept records are: 0 and 1 in the range [0, 1]",
            at_most(RANKED.gap_after([0, 1], 1, 2), RANKED.gap_after([0, 1], 1, 0)),
        ),
    ),
    attacks=(Attack("trimmed means on all small data sets", exhaustive),),
    rules=(window,),
)
