"""How far a sample quantile moves when one record changes.

Printed: d(X)/d(X') <= 1 + O_p(n**(-1/2)) = O_p(exp(n**(-1/2))), by the Bahadur-Kiefer
    representation, for the sample quantiles of m = n/2 values of h on neighbors X and X'; so (10)
    holds with beta of the order n**(-1/2).
Proved: Let F(1) <= F(2) <= ... be the m - 1 values that X and X' have in common, and d the k-th
    smallest of the m values. Then F(k-1) <= d(X) <= F(k), and the same for X': if F(k-1) > 0,
    d(X)/d(X') <= F(k)/F(k-1), in both orders and for all data, 2 <= k <= m - 1. Let the law of h be
    continuous, low and high the levels of F(k-1) and F(k), which are those of m - 1 uniform values.
    A further uniform value is above low with probability 1 - E[low] and below high with probability
    E[high]; all m being exchangeable, E[high - low] <= 1/m. If the quantile function of h grows by
    at most a factor exp(Lambda (b - a)) from a level a to b, F(k) <= exp(beta) F(k-1) unless Lambda
    (high - low) > beta, and P(Lambda (high - low) > beta) <= Lambda/(beta m): beta is of the order
    1/n, for every n. If the growth is bounded between the levels v and w only, add the probability
    that low is below v, which is that of at least k - 1 successes in m - 1 trials with probability
    v, and that high is above w: at most k - 1 successes with probability w.
Idea: X is the common values and one more: counting moves a rank by at most one. A further value
    falls into the gap with probability its length, and has each rank with the same probability, so
    the mean length is 1/m; then Markov.
Source: Hall, Rinaldo and Wasserman, section 6, the equations after (12).
Finding (gap): O_p(exp(n**(-1/2))) is O_p(1) and says nothing of beta; what is meant is a log ratio
    of order n**(-1/2). The representation is not needed, and hides two conditions: the quantile
    must be positive (if half of the values of h are 0 the ratio may be 0/0), and h must have a
    density that is positive there. X and X' share all but one point, so that the quantile moves by
    one gap, of order 1/n: eta is then exponentially small in n, not in sqrt(n). The probability
    printed 1 - gamma2 there is the 1 - gamma1 of (10).
"""

from rdpacct.book.words import (
    Condition, E, Expr, Falsehood, Iterator, Law, Nested, Quantity, Sample, Statement, Status, Step,
    Symbol, Theorem, Whole, absolute, all_zero, assume, at_most, at_rank, below, beyond_rank,
    by_prover, cases, combine, dominated, equal, event, exp, expect, formula, integrable, linear,
    marginal, not_before, order_statistics_k as k, pair_quantile as rules, proves, ranked, real,
    relations, specialize, symbols, under,
)  # fmt: skip

beta, slope, m, low, high, at, A, a, b = symbols("beta slope m low high at A a b")
COMMON = Sample("few", "F", m - 1)
VALUES = Sample("many", "M", m)
CHAIN = Nested(COMMON, VALUES)
SAME = all_zero({"m": 3, "k": 1, "x": 0}, COMMON, VALUES)
"""Three values 0, two of them common."""
RANK: tuple[str | Condition, ...] = (Whole("k", 1), Whole("m", 1), "k <= m - 1")
ENDS: tuple[str, ...] = ("1 <= m", "1 <= k", "k <= m")
LEVELS = Law("P", ("low", "high"), relations("0 <= low", "low <= high", "high <= 1"))
"""The levels of F(k-1) and F(k): of m - 1 independent uniform values the smallest but k - 2 and k -
1, or 0 and 1 if there is none.
"""
WIDE = event(LEVELS, "A", below(beta, slope * (high - low)))
LAST = Symbol("last")
FRESH_ABOVE = ranked("V", m, k - 1)
FRESH_BELOW = ranked("W", m, m - k)
"""One more uniform value: k - 1 others are below it, or m - k above it (turn all signs)."""


def level(at: Expr) -> Expr:
    """The value of h at a level: its quantile function."""
    return Quantity("Q", (at,))


FRESH = {
    "above low": assume(equal(E(FRESH_ABOVE, LAST), 1 - E(LEVELS, low))),
    "below high": assume(equal(E(FRESH_BELOW, LAST), E(LEVELS, high))),
}


def second_smallest(*values: int) -> Expr:
    """The second smallest of some values."""
    return formula(sorted(values)[1])


THEOREM = Theorem(
    verdict=Status.CORRECTED,
    in_words=(
        (
            "of m - 1 independent uniform values the number up to a level is binomial,"
            " and `outside` sums its probabilities"
        ),
    ),
    parts=(
        Statement(
            "upper",
            "the k-th smallest of all values is at most the k-th smallest of the common"
            " ones",
            at_most(VALUES.value(k), COMMON.value(k)),
            given=RANK,
            assuming=CHAIN.definition(),
            witness=SAME,
        ),
        Statement(
            "lower",
            "the k-th smallest of the common values is at most the (k + 1)-th smallest"
            " of all",
            at_most(COMMON.value(k), VALUES.value(k + 1)),
            given=RANK,
            assuming=CHAIN.definition(),
            witness=SAME,
        ),
        Statement(
            "ratio",
            "two quantiles between the same positive values a and b have a ratio of at"
            " most b/a",
            at_most(Symbol("d") / Symbol("e"), Symbol("b") / Symbol("a")),
            given=("0 < a", "a <= e", "0 <= d", "d <= b"),
        ),
        Statement(
            "not below",
            "a common value is at least a level up to which there are too few of them",
            at_most(at, COMMON.value(k)),
            given=RANK,
            assuming={
                **COMMON.definition(),
                "few": assume(at_most(COMMON.count(at), k - 1)),
            },
            witness=all_zero({"m": 3, "k": 1, "at": -1}, COMMON),
        ),
        Statement(
            "not above",
            "and at most a level up to which there are enough of them",
            at_most(COMMON.value(k), at),
            given=RANK,
            assuming={
                **COMMON.definition(),
                "many": assume(at_most(k, COMMON.count(at))),
            },
            witness=all_zero({"m": 3, "k": 1, "at": 0}, COMMON),
        ),
        Statement(
            "gap",
            "the mean gap between the two levels is at most 1/m",
            at_most(E(LEVELS, high) - E(LEVELS, low), 1 / m),
            given=ENDS,
            assuming=FRESH,
        ),
        Statement(
            "spacing",
            "the gap is wider than beta/slope with probability at most slope/(beta m)",
            at_most(E(WIDE, A), rules.moves(slope, beta, m)),
            given=("0 < beta", "0 < slope", "1 <= m"),
            assuming={"mean": assume(at_most(E(LEVELS, high) - E(LEVELS, low), 1 / m))},
        ),
        Statement(
            "steady",
            "and if it is not, the value at the one level is at most exp(beta) times"
            " that at the other",
            at_most(level(high), exp(beta) * level(low)),
            given=("low <= high", "slope*(high - low) <= beta"),
            assuming={
                "growth": assume(
                    at_most(level(b), exp(slope * (b - a)) * level(a)),
                    "a <= b",
                    every=("a", "b"),
                ),
                "positive": assume(at_most(0, level(low))),
            },
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "of the values 1, 2, 2 and 1, 1, 2, which have 1 and 2 in common, the second"
            " smallest have the ratio 2/1",
            equal(second_smallest(1, 2, 2) / second_smallest(1, 1, 2), 2),
            by_prover("2 and 1"),
        ),
    ),
    rules=(rules.moves, rules.outside),
)


@proves("upper")
def upper(part: Statement) -> Iterator[Step]:
    """One more value lowers a rank, if anything."""
    found = CHAIN.many_at_most()
    yield (
        under(found, *part.given),
        "at least k of all values are at most the k-th common one",
    )


@proves("lower")
def lower(part: Statement) -> Iterator[Step]:
    """One value less raises the rank by one at most."""
    found = CHAIN.few_at_most()
    yield (
        under(found, *part.given),
        "at least k of the common values are at most the (k + 1)-th of all",
    )


@proves("not below")
def not_below(part: Statement) -> Iterator[Step]:
    """Fewer than k are at most this."""
    found = not_before(COMMON, k, at, part.assuming["few"])
    yield under(found, *part.given), "so the k-th smallest is not below"


@proves("not above")
def not_above(part: Statement) -> Iterator[Step]:
    """At least k are at most this."""
    found = at_rank(COMMON, k, at, part.assuming["many"])
    yield under(found, *part.given), "so the k-th smallest is at most that"


@proves("gap")
def gap(part: Statement) -> Iterator[Step]:
    """Where one more value is."""
    above = beyond_rank(m, k - 1, *ENDS)
    yield above, "k - 1 others are below the new value"
    below_ = beyond_rank(m, m - k, *ENDS, name="W")
    yield below_, "m - k others are above it"
    start = part.assuming["above low"]
    end = part.assuming["below high"]
    terms = (above, 1), (below_, 1), (start, -1), (end, -1)
    yield combine(part.claim, *terms, given=ENDS), "so it is between them as often"


@proves("spacing")
def spacing(part: Statement) -> Iterator[Step]:
    """Markov."""
    mean = part.assuming["mean"]
    line = cases(WIDE, at_most(beta * A, slope * (high - low)), "0 < slope")
    yield line, "beta is exceeded, or the indicator is 0"
    same = [
        marginal(WIDE, LEVELS, one, integrable(mean, E(LEVELS, one)))
        for one in (high, low)
    ]
    finite = [integrable(fact, fact.relation.left) for fact in same]
    body = slope * (high - low)
    scaled = linear(WIDE, body, {high: slope, low: -slope}, *finite)
    limit = integrable(scaled, E(WIDE, body))
    flag = dominated(cases(WIDE, at_most(absolute(A), 1)), WIDE)
    chance = linear(WIDE, beta * A, {A: beta}, flag)
    over = expect(line, WIDE, integrable(chance, E(WIDE, beta * A)), limit)
    bound = combine(
        at_most(beta * E(WIDE, A), slope / m),
        over,
        chance,
        scaled,
        (same[0], slope),
        (same[1], -slope),
        (mean, slope),
        given=("0 < slope", "1 <= m"),
    )
    yield bound, "averaged"
    yield combine(part.claim, (bound, 1 / beta), given=part.given), "divided by beta"


@proves("steady")
def steady(part: Statement) -> Iterator[Step]:
    """The growth from one level to the other, at most exp(beta)."""
    growth = specialize(part.assuming["growth"], a=low, b=high)
    yield growth, "from the one level to the other"
    factor = specialize(
        real("exp(u) <= exp(v)", "u <= v"), u=slope * (high - low), v=beta
    )
    terms = growth, (factor, level(low))
    positive = part.assuming["positive"], 0
    yield (
        under(combine(part.claim, *terms, positive), *part.given),
        "by a factor of at most exp(beta)",
    )


@proves("ratio")
def ends(part: Statement) -> Iterator[Step]:
    """The larger over the smaller end, one at a time."""
    positive, below_e, least, most = part.given
    smaller = real("d/e <= d/a", positive, below_e, least)
    yield smaller, "a smaller denominator"
    larger = real("d/a <= b/a", positive, most)
    yield combine(part.claim, smaller, larger), "a larger numerator"


FALSEHOODS = (
    Falsehood(
        "a change of one record does not move the quantile: values 1, 2, 2 and 1, 1, 2",
        at_most(second_smallest(1, 2, 2), second_smallest(1, 1, 2)),
    ),
    Falsehood(
        "the gap has half that mean, as if there were twice as many values",
        at_most(1 / m, 1 / (2 * m)),
        ("1 <= m",),
    ),
)
