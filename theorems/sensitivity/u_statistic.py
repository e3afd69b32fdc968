"""The quantile of all pairs: its coverage, and how far it moves.

Printed: In principle the same approach works with U(X, t), the fraction of the n (n - 1)/2 pairs
    with h(x_i, x_j) <= t: an analog of the DKW inequality still applies, and the quantiles behave
    in the same way.
Proved: Let d(X) be the k-th smallest h of the p = n (n - 1)/2 pairs of X, and F the N = p + n
    values of all pairs of the n + 1 points of X and X'. Then F(k) <= d(X) <= F(k + n), the same for
    X', and P(h(x_n, x_{n+1}) > min(d(X), d(X'))) <= (N - k)/N. If k >= (1 - delta) n (n - 1)/2 that
    is at most delta + 2 (1 - delta)/(n + 1). Nothing is asked of P or h. Let U(t) be the fraction
    of the pairs of n points with h <= t, D(t) that of m = floor(n/2) disjoint pairs, H(t) the mean
    of both; U is the mean of D over all orders of the points. At one t, P(U >= H + eps) <= exp(-2 m
    eps**2), and the same below. With T = sup |U - H|, and the DKW inequality for D: P(T > eps) <= 2
    (1 - c)/(eps - c) exp(-2 m c**2) for 0 <= c < eps, the analog. If the quantile function Q of h
    grows by at most a factor exp(Lambda (v - u)) from a level u to v, then d(X) <= exp(Lambda (2/(n
    + 1) + 2 eps)) d(X') and the reverse but for a probability of 2 exp(-2 m eps**2), m = floor((n +
    1)/2): a log ratio of the order n**(-1/2), as for disjoint pairs in print.
Idea: Given the n + 1 points, the two that are exchanged are any two with equal probability. X
    leaves out the n pairs of one point. Averages over orders keep convex bounds (Hoeffding): U is
    large only if D is large on the average given U. Unless U deviates at the levels k/N - eps or (k
    + n)/N + eps, both quantiles lie between the values of h there.
Source: Hall, Rinaldo and Wasserman, end of section 6; Hoeffding, Probability inequalities for sums
    of bounded random variables (1963), section 5a.
Finding: No analog of the DKW inequality is needed for (11), and no repair for dependence either:
    here the exchanged points are the ones of the definition, not fresh ones; the bound is attained.
    The analog is true, with another factor; the quantile moves by up to n ranks of N, a fraction
    2/(n + 1), where that of disjoint pairs moves by one rank of m.
"""

from rdpacct.book.words import (
    Condition, E, Expr, FAR, Fact, Falsehood, Fraction, Instance, Iterator, LARGE, Law, Nested,
    ORDERS, Quantity, Records, Sample, Statement, Status, Step, Symbol, Theorem, Whole,
    all_pairs_bad, all_zero, analog, assume, at_most, at_rank, by_prover, chain, combine, deviation,
    equal, exp, formula, lemma, not_before, on_average, one_by_one, order_statistics_k as k,
    permutations, proves, real, relations, renewed, specialize, symbols, under,
)  # fmt: skip

n, m, p, delta, eps, c, u, v, s, slope, at = symbols("n m p delta eps c u v s slope at")
A, B, D, G, H, S, T, U, X = symbols("A B D G H S T U X")
ALL = n * (n + 1) / 2
PAIRS = Sample("few", "d", p)
EVERY_PAIR = Sample("many", "F", p + n)
KNOWN = Nested(PAIRS, EVERY_PAIR, Records("added", "E", n))
"""The pairs of X, all pairs of the n + 1 points, and the n pairs of one point."""


def same(at_: int) -> Instance:
    """Pairs of points that are equal: all have the value 0."""
    values = {"n": 3, "p": 3, "k": 2, "at": at_}
    return all_zero(values, PAIRS, EVERY_PAIR, Records("added", "E", n))


SAME = same(0)
INSIDE: tuple[str | Condition, ...] = (
    Whole("k", 1),
    Whole("n", 0),
    Whole("p", 0),
    "k <= p",
)
AMONG_ALL: tuple[str | Condition, ...] = (*INSIDE[:3], "k <= p + n")
RANK = ("1 <= n",)
EXCHANGED = Law(
    "P",
    ("bad", "above"),
    (*relations("0 <= bad", "bad <= 1"), at_most(Symbol("above"), ALL - k)),
)
"""bad: the exchanged pair is above F(k); above: how many of all pairs are."""
BAD = E(EXCHANGED, Symbol("bad"))
UNIFORM = {
    "each pair is as likely to be exchanged": assume(
        equal(ALL * BAD, E(EXCHANGED, Symbol("above")))
    )
}
ONE_PAIR = Law("P", ("X",), relations("-H <= X", "X <= 1 - H"))
DISJOINT = chain("R", {"S": (0, S + X)}, ONE_PAIR, m)
"""The sum S of m independent indicators, each less its mean H."""
LOW = k / ALL - eps
HIGH = (k + n) / ALL + eps


def value_at(level: Expr) -> Expr:
    """The value of h at a level: its quantile function."""
    return Quantity("Q", (level,))


def bounded(value: Expr, bound: Expr) -> Fact:
    """It is assumed that this is at most that."""
    return assume(at_most(value, bound))


F = EVERY_PAIR.value
MINE = Quantity("d", (k,))
THEIRS = Quantity("e", (k,))
"""The quantiles of X and of X'."""
CHANCE = Fraction(
    sum(values[2] > min(values[:2]) for values in permutations((1, 2, 3))),
    6,
)
"""Three points in random order, whose pairs have the values 1, 2 and 3: how likely the exchanged
pair is above one of the others, which are the pairs of X and of X' (n = 2, k = 1).
"""

THEOREM = Theorem(
    verdict=Status.SHARPENED,
    in_words=(
        (
            "the points are exchangeable: given all n + 1 of them each pair is as likely"
            " to be the exchanged one, and given the points U is the mean of D over"
            " their orders, at each t; so sup |U - H| is at most the mean of sup |D - H|"
        ),
    ),
    parts=(
        Statement(
            "upper",
            "F(k) <= d(X)",
            at_most(EVERY_PAIR.value(k), PAIRS.value(k)),
            given=INSIDE,
            assuming=KNOWN.definition(),
            witness=SAME,
        ),
        Statement(
            "lower",
            "d(X) <= F(k + n)",
            at_most(PAIRS.value(k), EVERY_PAIR.value(k + n)),
            given=INSIDE,
            assuming=KNOWN.definition(),
            witness=SAME,
        ),
        Statement(
            "above",
            "at most N - k of all pairs are above F(k)",
            at_most(p + n - EVERY_PAIR.count(EVERY_PAIR.value(k)), p + n - k),
            given=AMONG_ALL,
            assuming=EVERY_PAIR.definition(),
            witness=SAME,
        ),
        Statement(
            "coverage",
            "the exchanged pair is above d(X) or d(X')",
            at_most(BAD, all_pairs_bad(n, k)),
            given=RANK,
            assuming=UNIFORM,
        ),
        Statement(
            "level",
            "at the level delta",
            at_most(BAD, delta + 2 * (1 - delta) / (n + 1)),
            given=(*RANK, "(1 - delta)*n*(n - 1)/2 <= k"),
            assuming=UNIFORM,
        ),
        Statement(
            "disjoint",
            "m disjoint pairs: the moments of the sum of the indicators less their mean",
            at_most(E(DISJOINT, exp(s * S)), exp(s**2 * m / 8)),
            given=(Whole("m", 0),),
            assuming={"mean": assume(equal(E(ONE_PAIR, X), 0))},
        ),
        Statement(
            "deviation",
            "at one t, the fraction of all pairs exceeds its mean by eps as rarely as"
            " that of m disjoint pairs",
            at_most(E(LARGE, A), exp(-2 * m * eps**2)),
            proof=deviation,
            given=("0 < m", "0 <= eps"),
            assuming={
                "U is the mean of D over the orders": assume(
                    equal(E(LARGE, D, ("A", "U")), U)
                ),
                "moments of D": assume(
                    at_most(E(ORDERS, exp(s * (D - H))), exp(s**2 / (8 * m))), every="s"
                ),
            },
        ),
        Statement(
            "analog of DKW",
            "the largest deviation of the fraction of all pairs, from that of m disjoint"
            " pairs",
            at_most(E(FAR, A), 2 * (1 - c) / (eps - c) * exp(-2 * m * c**2)),
            proof=analog,
            given=("c < eps", "c <= 1"),
            assuming={
                "T is at most the mean of G over the orders": assume(
                    at_most(T, E(FAR, G, ("A", "T")))
                ),
                "DKW for disjoint pairs": assume(
                    at_most(E(FAR, B), 2 * exp(-2 * m * c**2))
                ),
            },
        ),
        Statement(
            "not below",
            "F(k) is at least a value at or below which there are fewer than k pairs",
            at_most(at, F(k)),
            given=AMONG_ALL,
            assuming={
                **EVERY_PAIR.definition(),
                "few": bounded(EVERY_PAIR.count(at), k - 1),
            },
            witness=same(-1),
        ),
        Statement(
            "not above",
            "F(k) is at most a value at or below which there are k pairs",
            at_most(F(k), at),
            given=AMONG_ALL,
            assuming={
                **EVERY_PAIR.definition(),
                "many": bounded(k, EVERY_PAIR.count(at)),
            },
            witness=SAME,
        ),
        Statement(
            "moved",
            "quantiles between the same F(k) and F(k + n), and these between the values"
            " of h at the levels k/N - eps and (k + n)/N + eps, have a bounded ratio",
            at_most(MINE, exp(slope * (2 / (n + 1) + 2 * eps)) * THEIRS),
            given=("1 <= n", "0 <= eps"),
            assuming={
                "growth": assume(
                    at_most(value_at(v), exp(slope * (v - u)) * value_at(u)),
                    "u <= v",
                    every=("u", "v"),
                ),
                "d(X) <= F(k+n)": bounded(MINE, F(k + n)),
                "F(k+n) <= Q(high)": bounded(F(k + n), value_at(HIGH)),
                "Q(low) <= F(k)": bounded(value_at(LOW), F(k)),
                "F(k) <= d(X')": bounded(F(k), THEIRS),
            },
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "n = 2, k = 1: three points in random order with the pair values 1, 2 and 3"
            " attain (N - k)/N = 2/3",
            equal(formula(CHANCE), all_pairs_bad(formula(2), formula(1))),
            by_prover("by enumeration"),
        ),
    ),
    rules=(all_pairs_bad,),
)


@proves("upper")
def upper(part: Statement) -> Iterator[Step]:
    """More pairs lower a rank, if anything."""
    found = under(KNOWN.many_at_most(), *part.given)
    yield found, "at least k of all pairs are at most d(X)"


@proves("lower")
def lower(part: Statement) -> Iterator[Step]:
    """n pairs less raise the rank by n at most."""
    found = under(KNOWN.few_at_most(), *part.given)
    yield found, "at least k of the pairs of X are at most F(k + n)"


@proves("above")
def not_above(part: Statement) -> Iterator[Step]:
    """k pairs are at most F(k)."""
    found = combine(part.claim, EVERY_PAIR.reached)
    yield under(found, *part.given), "at least k are at most F(k)"


@proves("coverage", "level")
def coverage(part: Statement) -> Iterator[Step]:
    """Each pair is as likely to be the exchanged one."""
    same = part.assuming["each pair is as likely to be exchanged"]
    above = Symbol("above")
    line = real(at_most(above, ALL - k), *EXCHANGED.support)
    few = on_average(line, EXCHANGED, same)
    yield few, "at most N - k pairs are above F(k)"
    shares = (same, 1 / ALL), (few, 1 / ALL)
    found = combine(at_most(BAD, all_pairs_bad(n, k)), *shares, given=part.given)
    yield found, "and the exchanged one is any of N"
    if part.name == "level":
        rank = real(at_most((1 - delta) * n * (n - 1) / 2, k), *part.given)
        more = combine(part.claim, found, (rank, 1 / ALL), given=part.given)
        yield more, "at this rank"


@proves("disjoint")
def disjoint(part: Statement) -> Iterator[Step]:
    """Hoeffding's lemma, one pair after the other."""
    one = specialize(lemma("cdp/hoeffding", "hoeffding"), a=-H, b=1 - H, t=s)
    one = combine(at_most(E(ONE_PAIR, exp(s * X)), exp(s**2 / 8)), one)
    pair = renewed(DISJOINT, under(one))
    yield pair, "the moment of one pair, which is independent of the others"
    yield from one_by_one(part.claim, DISJOINT, exp(s * X), pair, name="m")


@proves("not below")
def not_below(part: Statement) -> Iterator[Step]:
    """Fewer than k are at most this."""
    found = not_before(EVERY_PAIR, k, at, part.assuming["few"])
    yield under(found, *part.given), "so the k-th smallest is not below"


@proves("not above")
def not_beyond(part: Statement) -> Iterator[Step]:
    """At least k are at most this."""
    found = at_rank(EVERY_PAIR, k, at, part.assuming["many"])
    yield under(found, *part.given), "so the k-th smallest is at most that"


@proves("moved")
def moved(part: Statement) -> Iterator[Step]:
    """From the one level to the other."""
    rate = exp(slope * (2 / (n + 1) + 2 * eps))
    growth = under(part.assuming["growth"], "u <= v", "1 <= n")
    growth = specialize(growth, u=LOW, v=HIGH)
    same = real(equal(exp(slope * (HIGH - LOW)), rate), "1 <= n")
    yield same, "the levels are 2/(n + 1) + 2 eps apart"
    terms = (
        (part.assuming["d(X) <= F(k+n)"], 1),
        (part.assuming["F(k+n) <= Q(high)"], 1),
        (growth, 1),
        (same, value_at(LOW)),
        (part.assuming["Q(low) <= F(k)"], rate),
        (part.assuming["F(k) <= d(X')"], rate),
    )
    found = combine(part.claim, *terms)
    yield under(found, *part.given), "so both quantiles are within this factor"


FALSEHOODS = (
    Falsehood(
        "the chance is at most 1 - k/(N - n), as if the exchanged pair were one of"
        " X: 0 for n = 2, k = 1, where it is 2/3",
        at_most(formula(CHANCE), 1 - formula(1) / 1),
    ),
    Falsehood(
        "at the level delta the chance is at most delta",
        at_most(delta + 2 * (1 - delta) / (n + 1), delta),
        ("2 <= n", "0 <= delta", "delta < 1"),
    ),
)
