"""Smooth sensitivity of an order statistic, in n log n steps.

Printed: not in the sources for a distance k > 0 (smooth/median-local has k = 0).
Proved: Let V(1) <= ... <= V(n) be the records of x, V(0) and V(n + 1) the ends of the range, and y
    any data of which k records are not those of x. Let r of the common records be at most Y(m).
    Then Y(m + 1) - Y(m) <= V(r + 1 + k) - V(r) and m <= r + k, for m = 0, ..., n; and r <= m if the
    gap is not 0. The local sensitivity of y at rank m is the larger of the gaps at m and at m - 1
    (smooth/median-local). So it is at most the largest V(j) - V(i) over i <= m <= j with j - i = k
    + 1, which is attained, and the smooth sensitivity is the largest w(i, j) = (V(j) - V(i))
    exp(-beta (j - i - 1)). For i < i' the best j of i' is not below that of i. If j* is within a
    factor 1 + e of the best for i, then each j < j* is within that factor of j* for each larger i',
    and each j > j* for each smaller one. After L halvings the best pair found is within (1 + e)**L
    <= 1 + 2 L e, for L e <= 1.
Idea: The gap of y next to its rank m holds none of the records that y shares with x: counting up to
    V(r + 1 + k) finds r + 1 of them, and so m + 1 records of y. The rest is that w compares j and
    j2 by a function that is linear in V(i).
Source: Nissim, Raskhodnikova and Smith, Smooth sensitivity and sampling in private data analysis,
    the median (with exact numbers).
"""

from rdpacct.book.words import (
    Attack, Condition, Expr, Fact, Falsehood, FiniteQuery, Fraction, Iterator, OrderStatistic,
    Quantity, RankedRecord, Real, Records, Refused, Sample, Statement, Status, Step, Symbol,
    Theorem, Whole, all_zero, assume, at_most, at_rank, cache, combine, counts, either, equal,
    example, exp, formula, given_by, induct, instance_points as points, itemgetter, random, real,
    relation, search_slack, specialize, terms_replace as replace, under, whole_cases,
)  # fmt: skip

m, n, p, q, r, k, i, j, t, u, w, e, D, L, beta = (
    Symbol(name) for name in (*"mnpqrkijtuweDL", "beta")
)
here, there, best, other = (Symbol(name) for name in ("here", "there", "best", "other"))
"""Records: at the middle i, at another one, at the j* that was chosen, and at another j."""
DATA = Sample("c", "V")
OTHER = Sample("d", "Y")
COMMON = Records("s", "C", q)
LOST = Records("lost", "A", k)
GAINED = Records("gained", "B", k)
V = DATA.value
Y = OTHER.value
GAP = Y(m + 1) - Y(m)
LESS = relation("u < w")
MINE = assume(equal(DATA.count(t), COMMON.count(t) + LOST.count(t)), every="t")
THEIRS = assume(equal(OTHER.count(t), COMMON.count(t) + GAINED.count(t)), every="t")
BELOW = assume(equal(COMMON.count(Y(m)), r))
START = assume(at_most(V(0), Y(p)), Whole("p", 0), every="p")
END = assume(at_most(Y(p), V(n + 1)), Whole("p", 0), every="p")
RANKS: tuple[str | Condition, ...] = (
    *(Whole(name, 0) for name in ("m", "n", "r", "k", "q")),
    "m <= n",
)
REPLACED = {
    **DATA.definition(),
    **OTHER.definition(),
    **COMMON.definition(),
    **LOST.definition(),
    **GAINED.definition(),
    "x has the common records and k others": MINE,
    "y has the common records and k others": THEIRS,
    "r common records are at most Y(m)": BELOW,
    "y from the start of the range": START,
    "y to the end of the range": END,
}


WHOLE = RANKS[:-1]
MOVED = {
    **OTHER.definition(),
    **GAINED.definition(),
    "y has the common records and k others": THEIRS,
    "r common records are at most Y(m)": BELOW,
}


SAME = all_zero(
    {"n": 3, "q": 2, "k": 1, "m": 2, "r": 2, "beta": 1},
    *(DATA, OTHER, COMMON, LOST, GAINED),
)
"""Three records 0 in x and in y, two of them common."""


@cache
def shared() -> Fact:
    """r records of x are at most Y(m): the common ones."""
    terms = specialize(MINE, t=Y(m)), specialize(LOST.some, t=Y(m)), (BELOW, -1)
    return combine(at_most(r, DATA.count(Y(m))), *terms)


@cache
def at_the_left() -> Fact:
    """V(r) <= Y(m): r records of x are at most that, or r is 0."""
    inside = at_rank(DATA, r, Y(m), shared())
    all_ = combine(at_most(r, n), shared(), specialize(DATA.no_more_than_all, t=Y(m)))
    inside = given_by(inside, all_)
    claim = at_most(V(r), Y(m))
    first = combine(claim, DATA.in_order(r, 0), specialize(START, p=m))
    return whole_cases(first, inside, at_most(r, 0), *WHOLE)


@cache
def near() -> Fact:
    """m <= r + k: of the m records of y up to Y(m), r are common and at most k are not."""
    there = specialize(THEIRS, t=Y(m)), specialize(GAINED.no_more_than_all, t=Y(m))
    return combine(
        at_most(m, r + k), specialize(OTHER.reached, k=m), *there, (BELOW, 1)
    )


@cache
def not_before() -> Fact:
    """Y(m) <= u, if more than r common records are at most u."""
    known = [real(one, one) for one in ("r + 1 <= x", "x <= y", "y <= r")]
    wrong = combine(at_most(w, u), (combine("1 <= 0", *known), w - u), given=("u < w",))
    wrong = specialize(wrong, x=COMMON.count(u), y=COMMON.count(w))
    order = specialize(COMMON.rises, t=u, u=w)
    wrong = given_by(wrong, order)
    rest = [one for one in wrong.domain if one not in order.domain and one != LESS]
    wrong = under(wrong, LESS, *rest, Whole("q", 0))
    trivial = under(real("w <= u", "w <= u"), "w <= u", *rest, Whole("q", 0))
    found = specialize(either(trivial, wrong), w=Y(m))
    return given_by(found, combine(at_most(COMMON.count(Y(m)), r), BELOW))


@cache
def at_the_right() -> Fact:
    """Y(m + 1) <= V(r + 1 + k): m + 1 records of y are at most that, or it is the end."""
    point = V(r + 1 + k)
    more = combine(
        at_most(r + 1, COMMON.count(point)),
        specialize(DATA.reached, k=r + 1 + k),
        specialize(MINE, t=point),
        specialize(LOST.no_more_than_all, t=point),
    )
    after = given_by(specialize(not_before(), u=point), more)
    grown = given_by(specialize(GAINED.rises, t=Y(m), u=point), after)
    many = combine(
        at_most(m + 1, OTHER.count(point)),
        (specialize(THEIRS, t=point), -1),
        more,
        grown,
        (specialize(OTHER.reached, k=m), 1),
        (specialize(THEIRS, t=Y(m)), 1),
        (BELOW, 1),
    )
    room = combine(at_most(m + 1, n), near(), real("r + 1 + k <= n", "r + 1 + k <= n"))
    inside = given_by(at_rank(OTHER, m + 1, point, many), room)
    claim = at_most(Y(m + 1), point)
    last = combine(claim, specialize(END, p=m + 1), DATA.in_order(n + 1, r + 1 + k))
    return whole_cases(inside, last, at_most(r + 1 + k, n), *RANKS)


def within(part: Statement) -> Iterator[Step]:
    """The gap is between two records of x."""
    yield at_the_left(), "r common records are at most Y(m)"
    yield at_the_right(), "m + 1 records of y are at most V(r + 1 + k)"
    found = combine(part.claim, at_the_left(), at_the_right())
    yield under(found, *part.given), "so the gap is between these two"


def weighted(part: Statement) -> Iterator[Step]:
    """The same, less for each replaced record."""
    terms = (at_the_left(), exp(-beta * k)), (at_the_right(), exp(-beta * k))
    found = combine(part.claim, *terms)
    yield under(found, *part.given), "both ends times exp(-beta k)"


def right_of(part: Statement) -> Iterator[Step]:
    """r common records, and at most k others."""
    yield under(near(), *part.given), "m records of y are at most Y(m)"


def left_of(part: Statement) -> Iterator[Step]:
    """No more than m records of y are at most Y(m), if the next is larger."""
    few = specialize(OTHER.so_few, k=m + 1, t=Y(m))
    count = specialize(THEIRS, t=Y(m)), specialize(GAINED.some, t=Y(m))
    found = combine(part.claim, few, (count[0], -1), count[1], (BELOW, -1))
    yield under(found, *part.given), "all but the common ones among them"


def attained(part: Statement) -> Iterator[Step]:
    """The records between i and j are moved to the ends, so that rank m is next to the gap."""
    low = specialize(part.assuming["to i"], p=m)
    high = specialize(part.assuming["to j"], p=m + 1)
    found = combine(part.claim, (low, 1), (high, -1))
    yield under(found, *part.given), "y has the gap of x next to rank m"


def left(number: Expr | int) -> Expr:
    """The best of the pairs that are left after so many ancestors."""
    return Quantity("best", (formula(number),))


def gap_after(records: list[int], rank: int, width: int) -> Expr:
    """How far apart two values are, the one of a rank and one so many ranks beyond, in [0, 1]."""
    row = [0, *sorted(records), 1]
    return formula(row[rank + width] - row[rank])


def larger(part: Statement) -> Iterator[Step]:
    """Where the error outweighs D, the records are in order anyhow; else a larger i loses less from
    j to j*.
    """
    small, large = (real(one, one) for one in ("(1 + e)*D <= 1", "1 <= (1 + e)*D"))
    gain = combine(
        at_most(0, (there - here) * (1 - (1 + e) * D)),
        (small, there - here),
        given=(part.given[0],),
    )
    one = combine(part.claim, part.assuming["chosen"], gain)
    yield one, "the difference grows with the record, if (1 + e) D is at most 1"
    two = combine(
        part.claim,
        real("other <= best", "other <= best"),
        (large, best - there),
        given=("there <= best",),
    )
    yield two, "the records are in order, if it is at least 1"
    yield (
        either(
            under(one, *part.given, "(1 + e)*D <= 1"),
            under(two, *part.given, "1 <= (1 + e)*D"),
        ),
        "in both cases",
    )


def smaller(part: Statement) -> Iterator[Step]:
    """A smaller i gains more from j*."""
    given = tuple(part.given)
    weight = real("0 <= 1 + e - D", "D <= 1", "e >= 0")
    gain = combine(
        at_most(0, (here - there) * (1 + e - D)), (weight, here - there), given=given
    )
    yield gain, "the difference falls with the record"
    yield (
        combine(part.claim, part.assuming["chosen"], gain),
        "from the middle to the smaller one",
    )


def total(part: Statement) -> Iterator[Step]:
    """By exp(L e)."""
    given = tuple(part.given)
    one = real("(1 + e)**L <= exp(L*e)", *given[:2])
    yield one, "1 + e <= exp(e)"
    two = specialize(real("exp(x) <= 1 + 2*x", "0 <= x", "x <= 1"), x=L * e)
    yield two, "exp is below its chord to 1"
    two = given_by(two, real("0 <= L*e", *given[:2]))
    yield combine(part.claim, one, two, given=given), "so"


def ancestors(part: Statement) -> Iterator[Step]:
    """One factor for each."""
    before = assume(part.claim, Whole("p", 0), "0 <= e")
    step = combine(
        replace(part.claim, {"p": p + 1}),
        before,
        (part.assuming["one more"], (1 + e) ** p),
        given=("0 <= e",),
    )
    yield step, "one more ancestor"
    same = specialize(real("x <= x"), x=left(0))
    base = under(combine(replace(part.claim, {"p": 0}), same), "0 <= e")
    yield induct(base, step, "p"), "one after the other"


def wide(at: Real) -> Expr:
    """How many i the half has in which the search is after so many halvings."""
    return Quantity("wide", (formula(at),))


def halvings(part: Statement) -> Iterator[Step]:
    """Twice as many before each of them."""
    power = formula(2) ** p
    claim = at_most(power * wide(p), wide(0))
    before = assume(claim, Whole("p", 0))
    step = combine(
        replace(claim, {"p": p + 1}), before, (part.assuming["halved"], power)
    )
    yield step, "one more halving"
    same = specialize(real("x <= x"), x=wide(0))
    base = combine(replace(claim, {"p": 0}), same)
    whole = induct(base, step, "p")
    yield whole, "one after the other"
    yield combine(part.claim, whole, (part.assuming["an i is left"], power)), "so"


def exhaustive(seed: int) -> int:
    """Random order statistics on all small data sets, against the definition at each distance."""
    rng = random.Random(seed)
    tried = 0
    for _ in range(6):
        size = rng.randint(1, 4)
        values = sorted(rng.sample(range(9), rng.randint(2, 3)))
        rank = rng.randint(1, size)
        fast = OrderStatistic(rank, values[0], values[-1])
        slow = FiniteQuery.of_multisets(itemgetter(rank - 1), values, size)
        for data in slow.steps:
            for distance in range(size + 1):
                if fast.local_within(data, distance) != slow.local_within(
                    data, distance
                ):
                    raise Refused(
                        f"rank {rank} of {data} has another local sensitivity within"
                        f" {distance}."
                    )
                tried += 1
    return tried


def halved(
    row: list[Fraction], rank: int, decay: Fraction, e_: Fraction, rng: random.Random
) -> Fraction:
    """The search in halves, with comparisons that may be wrong by a factor 1 + e_, chosen at
    random.
    """

    def found(low: int, high: int, left: int, right: int) -> Fraction:
        if low > high:
            return Fraction(0)
        middle = (low + high) // 2
        values = {
            j_: pair(row, middle, j_, decay)
            for j_ in range(max(left, middle + 1), right + 1)
        }
        if not values:
            return found(low, middle - 1, left, right)
        top = max(values.values())
        chosen = rng.choice(
            [j_ for j_, value in values.items() if value * (1 + e_) >= top]
        )
        below = found(low, middle - 1, left, chosen)
        above = found(middle + 1, high, chosen, right)
        return max(values[chosen], below, above)

    return found(0, rank, rank, len(row) - 1)


def pair(row: list[Fraction], i_: int, j_: int, decay: Fraction) -> Fraction:
    """w(i, j), with decay = exp(-beta)."""
    return (row[j_] - row[i_]) * decay ** (j_ - i_ - 1)


def wrong_comparisons(seed: int) -> int:
    """Random records and random wrong comparisons: at most (1 + e)**L is lost."""
    rng = random.Random(seed)
    for _ in range(60):
        size = rng.randint(1, 12)
        decay = Fraction(rng.randint(1, 9), 10)
        rank = rng.randint(1, size)
        error = Fraction(rng.randint(0, 20), 10)
        row = [
            Fraction(0),
            *sorted(Fraction(rng.choice((0, 1, 5, 6, 20))) for _ in range(size)),
            Fraction(20),
        ]
        best_ = max(
            pair(row, i_, j_, decay)
            for i_ in range(rank + 1)
            for j_ in range(max(rank, i_ + 1), len(row))
        )
        if (
            halved(row, rank, decay, error, rng)
            * (1 + error) ** (size.bit_length() + 2)
            < best_
        ):
            raise Refused(f"the search loses more than it may on {row} at rank {rank}.")
    return 60


def shipped_search(seed: int) -> int:
    """The shipped search on records of all sizes down to subnormal ones, against all pairs in exact
    numbers.
    """
    rng = random.Random(seed)
    for _ in range(25):
        size = rng.randint(1, 15)
        rate = Fraction(rng.randint(1, 200), 100)
        data = [
            rng.choice((0.0, 1.0, rng.random(), 2.0 ** -rng.randint(1, 1074)))
            for _ in range(size)
        ]
        rank = rng.randint(1, size)
        row = [Fraction(0), *sorted(map(Fraction, data)), Fraction(1)]
        bound = OrderStatistic(rank, 0, 1).smooth(data, rate).value.for_study()
        ends = [
            (i_, j_)
            for i_ in range(rank + 1)
            for j_ in range(max(rank, i_ + 1), len(row))
        ]
        for i_, j_ in ends:
            term = exp(-rate * (j_ - i_ - 1)) * (row[j_] - row[i_])
            if (term - Fraction(bound.upper)).ball(160).certainly_positive():
                raise Refused(
                    f"a pair of {data} at rank {rank} is above the smooth sensitivity."
                )
        if bound.upper > bound.lower * (1 + 2 * search_slack(rate, size + 2)):
            raise Refused(f"the enclosure for {data} is too wide.")
    return 25


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "the values of doubles are off by at most 12 units of 2**-52 (750 + beta n)"
            " in logarithm: a difference, a logarithm to 4 units in the last place, a"
            " product and a difference; `search_slack` has 32"
        ),
    ),
    parts=(
        Statement(
            "within",
            "the gap next to rank m of a y within k replaced records is at most V(r + 1"
            " + k) - V(r)",
            at_most(GAP, V(r + 1 + k) - V(r)),
            within,
            RANKS,
            REPLACED,
            witness=SAME,
        ),
        Statement(
            "to the right",
            "rank m is at most r + k",
            at_most(m, r + k),
            right_of,
            (Whole("m", 0), Whole("n", 0), Whole("k", 0), "m <= n"),
            MOVED,
            witness=SAME,
        ),
        Statement(
            "to the left",
            "and at least r, if Y(m) < Y(m + 1), so that I(Y(m) - Y(m + 1)) is 0",
            at_most(r, m + n * counts(Y(m + 1), Y(m))),
            left_of,
            (Whole("m", 0), Whole("n", 0), Whole("k", 0)),
            MOVED,
            witness=SAME,
        ),
        Statement(
            "weighted",
            "with the weight exp(-beta k) the gap is at most w(r, r + 1 + k)",
            at_most(
                exp(-beta * k) * GAP,
                (V(r + 1 + k) - V(r)) * exp(-beta * (r + 1 + k - r - 1)),
            ),
            weighted,
            RANKS,
            REPLACED,
            witness=SAME,
        ),
        Statement(
            "attained",
            "for i <= m < j = i + k + 1: with the k records between moved to V(i) or"
            " V(j), the gap is V(j) - V(i)",
            at_most(V(j) - V(i), GAP),
            attained,
            (Whole("m", 0), "i <= m", "m + 1 <= j"),
            {
                "to i": assume(
                    equal(Y(p), V(i)), Whole("p", 0), "i <= p", "p <= m", every="p"
                ),
                "to j": assume(
                    equal(Y(p), V(j)), Whole("p", 0), "m + 1 <= p", "p <= j", every="p"
                ),
            },
            witness=example(
                {"i": 1, "m": 1, "j": 3},
                V=("rank", "rank"),
                Y=points((1, 1), (2, 3), (3, 3)),
            ),
        ),
        Statement(
            "larger i",
            "for a larger i, a smaller j than the chosen one is within the same factor"
            " of it",
            at_most(other - there, (1 + e) * D * (best - there)),
            larger,
            ("here <= there", "there <= best", "other <= best"),
            {"chosen": assume(at_most(other - here, (1 + e) * D * (best - here)))},
        ),
        Statement(
            "smaller i",
            "for a smaller i, a larger j than the chosen one is within the same factor"
            " of it",
            at_most(D * (other - there), (1 + e) * (best - there)),
            smaller,
            ("there <= here", "D <= 1", "e >= 0"),
            {"chosen": assume(at_most(D * (other - here), (1 + e) * (best - here)))},
        ),
        Statement(
            "ancestors",
            "if the pairs that are left after one more ancestor are worse by a factor of"
            " at most 1 + e, they are by (1 + e)**p after p of them",
            at_most(left(0), (1 + e) ** p * left(p)),
            ancestors,
            (Whole("p", 0), "0 <= e"),
            {
                "one more": assume(
                    at_most(left(p), (1 + e) * left(p + 1)), Whole("p", 0), every="p"
                )
            },
        ),
        Statement(
            "halvings",
            "an i that is left after p halvings of n = wide(0) has 2**p <= n: its"
            " ancestors are fewer than the bits of n",
            at_most(formula(2) ** p, wide(0)),
            halvings,
            (Whole("p", 0),),
            {
                "halved": assume(
                    at_most(2 * wide(p + 1), wide(p)), Whole("p", 0), every="p"
                ),
                "an i is left": assume(at_most(1, wide(p))),
            },
            example({"p": 1}, wide=("p", "4*exp(-p)")),
        ),
        Statement(
            "in all",
            "L factors are at most 1 + 2 L e",
            at_most((1 + e) ** L, 1 + 2 * L * e),
            total,
            ("L >= 1", "e >= 0", "L*e <= 1"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "a wrong comparison costs nothing: from here = there = 0, with j better by"
            " the factor 1 + e",
            at_most((1 + e) * D * best, D * best),
            ("e > 0", "0 < D < 1", "best > 0"),
        ),
        Falsehood(
            "the ends are k ranks apart: one record 0 in the range [0, 1], k = 0",
            at_most(gap_after([0], 1, 1), gap_after([0], 1, 0)),
        ),
    ),
    attacks=(
        Attack("order statistics on all small data sets", exhaustive),
        Attack("halving with wrong comparisons", wrong_comparisons),
        Attack("the shipped search on records of all sizes", shipped_search),
    ),
    rules=(RankedRecord.local_within, RankedRecord.smooth),
)
