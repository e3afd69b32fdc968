"""A quantile that is raised so that one record moves it by a bounded factor.

Printed: not in the sources. There the plain quantile d(X) is the scale, and s(X) <= exp(beta) s(X')
    holds but for a probability that depends on the law of h.
Proved: Let V(1) <= ... <= V(n) be the values of pairs of X, with the declared bound in all places
    beyond them, and W those of X', of which at most r values differ: r = 1 for disjoint pairs, and
    for all pairs of N records r = N - 1, which is how many pairs are left out with one record. Then
    W(k) <= V(k + r). The raised quantile S(X), the largest exp(-beta j) V(k + j r) over j = 0, 1,
    2, ..., has V(k) <= S(X) and S(X') <= exp(beta) S(X), for all neighbors and all values: gamma1 =
    0 in (10), both ways. The same holds for max(S, c) and for S + c with a constant c >= 0.
Idea: A term of S(X') is at most exp(beta) times the next term of S(X), since r values move ranks by
    r at most.
Source: after Nissim, Raskhodnikova and Smith (2007), who raise the local sensitivity of the median
    so; for the scale of Hall, Rinaldo and Wasserman, section 6, equation (10).
"""

from rdpacct.book.words import (
    Attack, Condition, Expr, Fact, Falsehood, Iterator, QuantileRule, Quantity, Records, Refused,
    Sample, Statement, Status, Step, Symbol, Theorem, Whole, all_zero, assume, at_most, at_rank,
    by_prover, cache, combinations, combine, equal, exp, formula, given_by, math, maximum, raised,
    random, real, specialize, steps, under, whole_cases,
)  # fmt: skip

beta, j, k, n, r, t = (Symbol(name) for name in ("beta", "j", "k", "n", "r", "t"))
a, c, u, v = (Symbol(name) for name in ("a", "c", "u", "v"))
DATA = Sample("c", "V")
OTHER = Sample("d", "W")
OLD = Records("lost", "A", r)
NEW = Records("gained", "B", r)
V = DATA.value
W = OTHER.value
S, MOVED = Quantity("S", ()), Quantity("Moved", ())
"""The raised quantiles of X and of X'."""


def common(at: Expr) -> Expr:
    """How many of the values that X and X' share are at most this."""
    return Quantity("s", (at,))


MINE = assume(equal(DATA.count(t), common(t) + OLD.count(t)), every="t")
THEIRS = assume(equal(OTHER.count(t), common(t) + NEW.count(t)), every="t")
BOUND = assume(at_most(W(k), V(n + 1)), Whole("k", 1), every="k")
NEIGHBORS = {
    **DATA.definition(),
    **OTHER.definition(),
    **OLD.definition(),
    **NEW.definition(),
    "X has the common values and r others": MINE,
    "X' has the common values and r others": THEIRS,
    "the declared bound": BOUND,
}
SAME = all_zero(
    {"n": 3, "k": 2, "r": 1, "j": 0, "beta": 1},
    *(DATA, OTHER, OLD, NEW),
    s=steps(0, (0, 2)),
    S=0,
    Moved=0,
)
"""Three values 0 of X and of X', two of them common."""
RANKS: tuple[str | Condition, ...] = (Whole("k", 1), Whole("n", 0), Whole("r", 0))
MAXIMUM = assume(at_most(exp(-beta * j) * V(k + j * r), S), Whole("j", 0), every="j")
ATTAINED = assume(at_most(MOVED, exp(-beta * j) * W(k + j * r)))


@cache
def shifted() -> Fact:
    """W(k) <= V(k + r)."""
    point = V(k + r)
    count = combine(
        at_most(DATA.count(t), OTHER.count(t) + r),
        (MINE, 1),
        (THEIRS, -1),
        OLD.no_more_than_all,
        NEW.some,
    )
    many = combine(
        at_most(k, OTHER.count(point)),
        specialize(count, t=point),
        specialize(DATA.reached, k=k + r),
    )
    inside = at_rank(OTHER, k, point, many)
    beyond = combine(at_most(W(k), point), BOUND, DATA.in_order(n + 1, k + r))
    return whole_cases(inside, beyond, at_most(k + r, n), *RANKS)


def interlaced(part: Statement) -> Iterator[Step]:
    """By counting."""
    found = combine(part.claim, shifted())
    yield (
        found,
        "at least k of the values of X' are at most V(k + r), or it is the bound",
    )


def quantile(part: Statement) -> Iterator[Step]:
    """The first term."""
    first = specialize(part.assuming["maximum"], j=0)
    yield under(combine(part.claim, first), *part.given), "the term with j = 0"


def smooth(part: Statement) -> Iterator[Step]:
    """The next term of the other maximum."""
    over = specialize(shifted(), k=k + j * r)
    yield over, "one replaced record moves ranks by r at most"
    order = DATA.in_order(k + j * r + r, k + (j + 1) * r)
    following = specialize(part.assuming["maximum"], j=j + 1)
    yield following, "the next term of S(X)"
    terms = (
        part.assuming["attained"],
        (over, exp(-beta * j)),
        (order, exp(-beta * j)),
        (following, exp(beta)),
    )
    found = combine(part.claim, *terms)
    yield under(found, *part.given), "is at most exp(beta) times smaller"


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


def ranked_value(values: list[int], rank: int) -> Expr:
    """The value of a rank."""
    return formula(sorted(values)[rank - 1])


def all_pairs(*records: int) -> list[int]:
    """The distances of all pairs."""
    return [abs(one - two) for one, two in combinations(records, 2)]


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
            RANKS,
            NEIGHBORS,
            witness=SAME,
        ),
        Statement(
            "all pairs",
            "of the pairs of N records, N - 1 hold a given one: the others are the pairs"
            " of N - 1 records",
            equal(u * (u - 1) / 2 - (u - 1) * (u - 2) / 2, u - 1),
            by_prover("multiplied out"),
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
            (*RANKS, Whole("j", 0)),
            {**NEIGHBORS, "maximum": MAXIMUM, "attained": ATTAINED},
            witness=SAME,
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
            "the plain quantile moves by a factor exp(beta) at most: the second smallest"
            " of 0, 1, 1 and of 0, 0, 1",
            at_most(ranked_value([0, 1, 1], 2), exp(beta) * ranked_value([0, 0, 1], 2)),
        ),
        Falsehood(
            "one replaced record moves the ranks of all pairs by one, as it does those"
            " of disjoint pairs: W(2) of 0, 0, 1 and V(3) of 0, 0, 0",
            at_most(
                ranked_value(all_pairs(0, 0, 1), 2), ranked_value(all_pairs(0, 0, 0), 3)
            ),
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
