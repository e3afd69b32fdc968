"""The sparse vector technique with Gaussian noise: the threshold, and the first answer above.

Printed: not in the sources.
Proved: Let the queries of neighbors differ by at most D, and take the noisy threshold at z against
    that at z + D, a Gaussian release of sensitivity D. With it known, an answer above has a chance
    a for the one neighbor and b <= a for the other, and is an event of a Gaussian release of
    sensitivity 2 D, or D if all queries move the same way: a - exp(level) b is at most its delta at
    the level. Let V be the largest hockey stick at eps >= 0 of k queries until the first answer
    above. One query more has at most max(0, a - exp(eps) b) + (1 - a) V. So V <= 1 - exp(s), where
    s is 0 at first, and becomes s + log(1 - d) with each query, for the delta d of the Gaussian
    release at the shipped level eps - s; n queries that each keep the share exp(l) or more keep
    exp(s + n l), the shipped share. E exp(s L) is at most 1 + k times that of the Gaussian release.
    Most_above answers are as many such runs in a row. In standard deviations of a query, all
    comparisons move by a vector of square n and sum t at most n - r t**2, where r = v/(1 + k v) for
    the ratio v of the variances: n is at most k, and at most t if all move up, so that the shipped
    square is not below it.
Idea: The best choice of a query, if V is what the others give, is that of a Gaussian release at a
    larger epsilon: (1 - V) times its delta is what one more query adds.
Source: ours; Zhu and Wang, Improving sparse vector technique with Renyi differential privacy
    (2020), have the moment with the number of queries in this form, stated from the known theorem
    and from what autodp computes, and not quoted. Lyu, Su and Li, Understanding the sparse vector
    technique (2017), have the move of the threshold.
"""

from rdpacct.book.words import (
    Condition, E, Fact, Falsehood, Iterator, Law, ONE, Quantity, Statement, Status, Step, Theorem,
    Whole, ZERO, all_queries_square, assume, at_most, below, by_prover, combine, dominated, equal,
    example, exp, expect, first_above_log_moment, formula, given_by, induct, integrable,
    level_after, linear, log, log_safe_after, maximum, proves, real, relations, shared_part,
    specialize, symbols, under,
)  # fmt: skip

a, b, d, g, s, eps, p, q = symbols("a b d g s eps p q")
k, n, t, v, x, y, z, B, h = symbols("k n t v x y z B h")
NEW = maximum(0, a - exp(eps) * b)
"""The hockey stick of an answer above."""
STICK = at_most(a - exp(level_after(eps, s)) * b, d)
QUERY: tuple[str | Condition, ...] = (
    *("0 <= a", "s <= 0", "0 <= d", "d < 1"),
    STICK,
)
LATER = Law("R", ("p", "q"), relations("0 <= p", "0 <= q"))
"""Densities of the later answers, on two neighbors."""
NOW = maximum(0, (1 - a) * p - g * ((1 - b) * q))
THEN = maximum(0, p - g * q)
V, A, C, S, M = (Quantity(name, (k,)) for name in ("V", "A", "C", "S", "M"))
"""The stick of k queries, the chance and the stick of an answer above, the logarithm of the safe
share, and the moment, each for the worst choice.
"""
RUN = {
    "start": assume(at_most(V.at(k=0), 1 - exp(S.at(k=0)))),
    "one more": assume(
        at_most(V.at(k=k + 1), C + (1 - A) * V), Whole("k", 0), every="k"
    ),
    "query": assume(
        at_most(C + (1 - A) * (1 - exp(S)), 1 - exp(S.at(k=k + 1))),
        Whole("k", 0),
        every="k",
    ),
    "chance": assume(at_most(A, 1), Whole("k", 0), every="k"),
}
SIZES = ("0 < v", "0 < k")
HIDDEN = shared_part(k, v)
SQUARE = n - HIDDEN * t**2
THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "the substitution of z + D for z, by which a run is a Gaussian release of the threshold and"
        " answers about a known one, of which the threshold is forgotten",
        "that a query which moves by at most D has no smaller chance to be below a threshold that"
        " is higher by D, and that to be above is an event of the noisy query, which moves by at"
        " most 2 D against it (gaussian/worst-pair)",
        "that what is asked next depends on the answers alone, so that each answer above begins a"
        " run of at most as many queries, and that the runs compose (composition/dominating-pairs)",
        "that an event has no more of a moment than the release that it is an event of",
        "that all comparisons are a Gaussian vector, of which the answers are a function, and that"
        " the inverse of its covariance is the identity less r times the matrix of ones",
    ),
    parts=(
        Statement(
            "rest",
            "the sticks of later answers count with the chance of an answer below",
            at_most(E(LATER, NOW), (1 - a) * E(LATER, THEN)),
            given=("a <= 1", "b <= a", "0 <= g"),
            assuming={"later": assume(at_most(E(LATER, THEN), 1))},
        ),
        Statement(
            "query",
            "one query takes the share of a Gaussian release at the shipped level",
            at_most(
                NEW + (1 - a) * (1 - exp(s)),
                1 - exp(log_safe_after(s, log(1 - d), ONE)),
            ),
            given=QUERY,
        ),
        Statement(
            "run",
            "query after query",
            at_most(V, 1 - exp(S)),
            given=(Whole("k", 0),),
            assuming=RUN,
            witness=example(
                {"k": 0}, V=("k", "0"), A=("k", "0"), C=("k", "0"), S=("k", "0")
            ),
        ),
        Statement(
            "level",
            "the level only rises",
            at_most(level_after(eps, t), level_after(eps, s)),
            given=("s <= t",),
        ),
        Statement(
            "together",
            "queries of which each keeps at least the same share",
            at_most(log_safe_after(s, h, k), S),
            given=(Whole("k", 0),),
            assuming={
                "start": assume(at_most(s, S.at(k=0))),
                "each": assume(at_most(S + h, S.at(k=k + 1)), Whole("k", 0), every="k"),
            },
            witness=example({"k": 0, "h": 0, "s": 0}, S=("k", "0")),
        ),
        Statement(
            "moment",
            "the moment grows by that of a Gaussian release with each query",
            at_most(M, 1 + k * B),
            given=(Whole("k", 0),),
            assuming={
                "start": assume(at_most(M.at(k=0), 1)),
                "one more": assume(
                    at_most(M.at(k=k + 1), B + (1 - A) * M), Whole("k", 0), every="k"
                ),
                "chance": assume(at_most(0, A), Whole("k", 0), every="k"),
                "positive": assume(at_most(0, M), Whole("k", 0), every="k"),
            },
            witness=example({"k": 0, "B": 0}, M=("k", "1"), A=("k", "0")),
        ),
        Statement(
            "shipped moment",
            "in the shipped form",
            equal(exp(first_above_log_moment(x, k)), 1 + k * exp(x)),
            by_prover("by its form"),
            ("0 < k",),
        ),
        Statement(
            "monotone",
            "all comparisons together, where all queries move up",
            at_most(SQUARE, all_queries_square(k, v, True)),
            given=("n <= t", "n <= k", *SIZES),
        ),
        Statement(
            "both ways",
            "and where they move either way",
            at_most(SQUARE, all_queries_square(k, v, False)),
            given=("n <= k", *SIZES),
        ),
        Statement(
            "one query",
            "a single comparison has the noise of both",
            equal(all_queries_square(1, v, False), 1 / (1 + v)),
            by_prover("one fraction"),
            ("0 < v",),
        ),
    ),
    rules=(
        *(level_after, log_safe_after, first_above_log_moment),
        all_queries_square,
    ),
)


@proves("rest")
def rest(part: Statement) -> Iterator[Step]:
    """Answer by answer."""
    given: tuple[str | Condition, ...] = (*LATER.support, *part.given)
    excess = p - g * q
    known = specialize(real("y <= max(0, y)"), y=excess)
    zero = specialize(real("0 <= max(0, y)"), y=excess)
    below = real("b <= a", "b <= a")
    first = combine(
        at_most((1 - a) * p - g * ((1 - b) * q), (1 - a) * THEN),
        (known, 1 - a),
        (below, g * q),
        given=given,
    )
    positive = combine(at_most(0, (1 - a) * THEN), (zero, 1 - a), given=given)
    larger = specialize(
        real("max(0, y) <= z", "0 <= z", "y <= z"),
        y=(1 - a) * p - g * ((1 - b) * q),
        z=(1 - a) * THEN,
    )
    line = under(given_by(larger, positive, first), *given)
    yield line, "an answer below is no less likely for the other neighbor"
    later = integrable(part.assuming["later"], E(LATER, THEN))
    scaled = linear(LATER, (1 - a) * THEN, {THEN: 1 - a}, later, where=part.given)
    bound = integrable(scaled, scaled.relation.left)
    least = specialize(real("0 <= max(0, y)"), y=(1 - a) * p - g * ((1 - b) * q))
    whole = dominated(line, LATER, bound, lower=least)
    over = expect(line, LATER, whole, bound)
    yield over, "averaged"
    yield combine(part.claim, over, scaled), "so"


@proves("query")
def query(part: Statement) -> Iterator[Step]:
    """Both terms of the maximum."""
    given = part.given
    share = kept(given)
    yield share, "the safe share is multiplied by 1 - d"
    limit = 1 - exp(s) * (1 - d) - (1 - a) * (1 - exp(s))
    stick = real(STICK, STICK)
    level = real(
        "exp(s)*(a - exp(eps - s)*b) == exp(s)*a - exp(eps)*b",
    )
    yield level, "the stick of the Gaussian release, times the safe share"
    line = combine(
        at_most(a - exp(eps) * b, limit), (stick, exp(s)), level, given=given
    )
    yield line, "an answer above"
    safe = real("exp(s) <= 1", "s <= 0")
    none = combine(
        at_most(0, limit),
        (real("0 <= a", "0 <= a"), 1 - exp(s)),
        (real("0 <= d", "0 <= d"), exp(s)),
        (safe, 0),
        given=given,
    )
    yield none, "or none"
    larger = specialize(
        real("max(0, y) <= z", "0 <= z", "y <= z"), y=a - exp(eps) * b, z=limit
    )
    both = under(given_by(larger, none, line), *given)
    yield combine(part.claim, both, share, given=given), "so"


def kept(given: tuple[str | Condition, ...]) -> Fact:
    """exp(s + log(1 - d)) is (1 - d) exp(s)."""
    return under(
        real(
            equal(exp(log_safe_after(s, log(1 - d), ONE)), exp(s) * (1 - d)),
            "d < 1",
        ),
        *given,
    )


@proves("run")
def run(part: Statement) -> Iterator[Step]:
    """By induction on the number of queries."""
    known = part.assuming
    base = combine(at_most(V.at(k=0), 1 - exp(S.at(k=0))), known["start"])
    yield base, "no queries at first"
    before = assume(at_most(V, 1 - exp(S)), Whole("k", 0))
    step = combine(
        at_most(V.at(k=k + 1), 1 - exp(S.at(k=k + 1))),
        known["one more"],
        (before, 1 - A),
        known["query"],
        (known["chance"], 0),
    )
    yield step, "one more"
    yield induct(base, step, "k"), "query after query"


@proves("level")
def level(part: Statement) -> Iterator[Step]:
    """By its form."""
    yield combine(part.claim, real("s <= t", "s <= t")), "by its form"


@proves("together")
def together(part: Statement) -> Iterator[Step]:
    """By induction on the number of queries."""
    base = combine(at_most(s + 0 * h, S.at(k=0)), part.assuming["start"])
    yield base, "no queries at first"
    before = assume(at_most(s + k * h, S), Whole("k", 0))
    step = combine(
        at_most(s + (k + 1) * h, S.at(k=k + 1)),
        before,
        part.assuming["each"],
    )
    yield step, "one more"
    yield induct(base, step, "k"), "query after query"


@proves("moment")
def moment(part: Statement) -> Iterator[Step]:
    """By induction on the number of queries."""
    known = part.assuming
    base = combine(at_most(M.at(k=0), 1 + 0 * B), known["start"])
    yield base, "no queries at first"
    before = assume(at_most(M, 1 + k * B), Whole("k", 0))
    step = combine(
        at_most(M.at(k=k + 1), 1 + (k + 1) * B),
        known["one more"],
        (known["positive"], A),
        before,
        (known["chance"], 0),
    )
    yield step, "one more"
    yield induct(base, step, "k"), "query after query"


@proves("monotone")
def monotone(part: Statement) -> Iterator[Step]:
    """A parabola in the sum of the moves."""
    given = part.given
    all_of_them = at_most_all()
    yield all_of_them, "no more than all queries"
    top = real("t - x*t**2 <= 1/(4*x)", "0 < x")
    yield top, "the top of a parabola"
    less = combine(at_most(n - x * t**2, 1 / (4 * x)), real("n <= t", "n <= t"), top)
    wider = under(less, "n <= t", "0 < x", *SIZES)
    highest = given_by(specialize(wider, x=HIDDEN), hides())
    yield highest, "at the noise of the threshold"
    limits = ("z <= x", "z <= y")
    least = under(real("z <= min(x, y)", *limits), *limits, *SIZES)
    both = specialize(least, z=SQUARE, x=k, y=1 / (4 * HIDDEN))
    smaller = given_by(both, all_of_them, highest)
    yield under(smaller, *given), "the smaller of both"


@proves("both ways")
def both_ways(part: Statement) -> Iterator[Step]:
    """The noise of the threshold hides something."""
    yield under(at_most_all(), *part.given), "no more than all queries"


def hides() -> Fact:
    """0 < r."""
    return real(below(0, HIDDEN), *SIZES)


def at_most_all() -> Fact:
    """n - r t**2 <= k."""
    least = combine(
        at_most(n - x * t**2, k),
        real("n <= k", "n <= k"),
        (real("0 < x", "0 < x"), t**2),
    )
    wider = under(least, "n <= k", "0 < x", *SIZES)
    return given_by(specialize(wider, x=HIDDEN), hides())


FALSEHOODS = (
    Falsehood(
        "two queries cost no more than one",
        at_most(1 - exp(log_safe_after(ZERO, log(1 - d), formula(2))), d),
        ("0 < d", "d < 1"),
    ),
    Falsehood(
        "the moment does not grow with the number of queries",
        at_most(exp(first_above_log_moment(x, k)), exp(first_above_log_moment(x, 1))),
        ("1 <= k",),
    ),
    Falsehood(
        "the noise of the threshold hides half of all comparisons",
        at_most(SQUARE, all_queries_square(k, v, False) / 2),
        ("n <= k", *SIZES),
    ),
    Falsehood(
        "a query counts at a level that is higher still",
        at_most(
            NEW + (1 - a) * (1 - exp(s)), 1 - exp(log_safe_after(s, log(1 - d), ONE))
        ),
        (*QUERY[:-1], at_most(a - exp(level_after(eps, 2 * s)) * b, d)),
        instance=example(
            {"a": "1/2", "b": "1/8", "s": -1, "d": "0", "eps": 0},
        ),
    ),
)
