"""How far a sample quantile moves when one record changes.

Printed: d(X)/d(X') <= 1 + O_p(n**(-1/2)) = O_p(exp(n**(-1/2))), by the Bahadur-Kiefer
    representation, for the sample quantiles of m = n/2 values of h on neighbors X and X'; so (10)
    holds with beta of the order n**(-1/2).
Proved: Let F(1) <= F(2) <= ... be the m - 1 values that X and X' have in common, and d the k-th
    smallest. Then F(k-1) <= d(X) <= F(k), and the same for X': if F(k-1) > 0, d(X)/d(X') <=
    F(k)/F(k-1), in both orders and for all data. If log H**(-1) has slope at most Lambda between
    the levels of F(k-1) and F(k), where H is the continuous law of h, the log ratio is at most
    Lambda times a gap between uniform order statistics, and P(gap > beta/Lambda) <= Lambda/(beta
    m): beta is of the order 1/n, for every n. That the m gaps of m - 1 uniform values are
    exchangeable is what the law of the gaps states. If the slope is bounded between the levels v
    and w only, add the probability that the level of F(k-1) is below v, which is that of at least k
    - 1 successes in m - 1 trials with probability v, and that the level of F(k) is above w: at most
    k - 1 successes with probability w.
Idea: X is the common values and one more: counting moves a rank by at most one. The gaps sum to 1,
    so that each has mean 1/m; then Markov.
Source: Hall, Rinaldo and Wasserman, section 6, the equations after (12).
Finding (gap): O_p(exp(n**(-1/2))) is O_p(1) and says nothing of beta; what is meant is a log ratio of
    order n**(-1/2). The representation is not needed, and hides two conditions: the quantile must
    be positive (if half of the values of h are 0 the ratio may be 0/0), and h must have a density
    that is positive there. X and X' share all but one point, so that the quantile moves by one gap,
    of order 1/n: eta is then exponentially small in n, not in sqrt(n). The probability printed 1 -
    gamma2 there is the 1 - gamma1 of (10).
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import absolute
from rdpacct.proof.kernel import (
    E,
    Fact,
    Refused,
    Table,
    at_most,
    below,
    cases,
    combine,
    dominated,
    equal,
    event,
    exchange,
    expect,
    integrable,
    linear,
    marginal,
    real,
    relations,
    table,
)
from rdpacct.proof.kernel.laws import Exchangeable
from rdpacct.proof.tactics.order_statistics import (
    FEW,
    MANY,
    few_at_most,
    k,
    many_at_most,
    nested,
)
from rdpacct.proof.theorem import (
    Attack,
    Falsehood,
    Refutation,
    Statement,
    Status,
    Step,
    Theorem,
)
from rdpacct.sensitivity import pair_quantile as rules

beta, slope, m, gap, A = (Symbol(name) for name in ("beta", "slope", "m", "gap", "A"))
U = Exchangeable("U", ("gap", "sum"), relations("0 <= gap", "gap <= 1", "sum == 1"), m)
WIDE = event(U, "A", below(beta, slope * gap))
CHAIN = nested(1)


def some(*names: str) -> dict[str, Fact]:
    """Some of the hypotheses that make the common values a part of the values of X."""
    return {name: CHAIN[name] for name in names}


def upper(part: Statement) -> Iterator[Step]:
    """One more value lowers a rank, if anything."""
    yield (
        many_at_most(part.assuming, k),
        "at least k of all values are at most the k-th common one",
    )


def lower(part: Statement) -> Iterator[Step]:
    """One value less raises the rank by one at most."""
    yield (
        few_at_most(part.assuming, k, 1),
        "at least k of the common values are at most the (k + 1)-th of all",
    )


def spacing(part: Statement) -> Iterator[Step]:
    """The gaps sum to 1; then Markov."""
    bounded = dominated(
        real("gap <= 1", "gap <= 1"), U, lower=real("0 <= gap", "0 <= gap")
    )
    swap = exchange(U, bounded)
    whole = expect(
        real("sum == 1", "sum == 1"), U, integrable(swap, E(U, Symbol("sum")))
    )
    mean = combine(
        equal(E(U, gap), 1 / m), (swap, -1 / m), (whole, 1 / m), given=("1 <= m",)
    )
    yield mean, "each gap has mean 1/m"
    line = cases(WIDE, at_most(beta * A, slope * gap), "0 < slope")
    yield line, "beta is exceeded, or the indicator is 0"
    there = marginal(WIDE, U, gap, integrable(mean, E(U, gap)))
    scaled = linear(WIDE, slope * gap, {gap: slope}, integrable(there, E(WIDE, gap)))
    limit = integrable(scaled, E(WIDE, slope * gap))
    flag = dominated(cases(WIDE, at_most(absolute(A), 1)), WIDE)
    chance = linear(WIDE, beta * A, {A: beta}, flag)
    over = expect(line, WIDE, integrable(chance, E(WIDE, beta * A)), limit)
    mean_gap = combine(
        at_most(beta * E(WIDE, A), slope / m), over, chance, scaled, there, mean
    )
    yield mean_gap, "averaged"
    yield combine(part.claim, (mean_gap, 1 / beta), given=part.given), "divided by beta"


def moved(seed: int) -> int:
    """Random samples that share all but one value: both quantiles lie between the two common
    values.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(200):
        common = sorted(
            Fraction(rng.randint(0, 9), 3) for _ in range(rng.randint(2, 7))
        )
        rank = rng.randint(2, len(common))
        for _ in range(2):
            value = sorted([*common, Fraction(rng.randint(-3, 12), 3)])[rank - 1]
            tried += 1
            if not common[rank - 2] <= value <= common[rank - 1]:
                raise Refused(f"{common}, rank {rank}: {value}")
    return tried


def levels(seed: int) -> int:
    """Uniform values, known by which of some equal intervals they are in: where two ranks are, by
    enumeration.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(12):
        count = rng.randint(1, 4)
        parts = rng.randint(2, 4)
        low = rng.randint(0, parts - 1)
        high = rng.randint(low + 1, parts)
        draws = [
            [-1, *sorted(draw), parts] for draw in product(range(parts), repeat=count)
        ]
        for rank in range(1, count + 2):
            tried += 1
            misses = [
                (low > 0 and draw[rank - 1] < low)
                + (high < parts and draw[rank] >= high)
                for draw in draws
            ]
            chance = min(Fraction(sum(misses), len(draws)), Fraction(1))
            rule = rules.QuantileRule(count + 1, rank, 1, formula(1))
            claimed = rules.outside(
                Fraction(low, parts), Fraction(high, parts), rule
            ).bound()
            if claimed.certainly_below(chance) or claimed.certainly_above(
                chance + Fraction(1, 10**9)
            ):
                raise Refused(
                    f"{count} values, rank {rank}, levels {low}/{parts} to"
                    f" {high}/{parts}: {chance}"
                )
    return tried


SAME = Table("S", ("d", "e"), rows=(((formula(2), formula(1)), formula(1)),))


def ends(part: Statement) -> Iterator[Step]:
    """The larger over the smaller end, one at a time."""
    positive, below_e, least, most = part.given
    smaller = real("d/e <= d/a", positive, below_e, least)
    yield smaller, "a smaller denominator"
    larger = real("d/a <= b/a", positive, most)
    yield combine(part.claim, smaller, larger), "a larger numerator"


def moves() -> Refutation:
    """The common values 1 and 2, and one more 2 or one more 1."""
    return Refutation(
        "values 1, 2, 2 and 1, 1, 2: the second smallest are 2 and 1",
        (table(SAME, Symbol("d") - Symbol("e")),),
    )


def attained(part: Statement) -> Iterator[Step]:
    """The values 1, 2, 2 and 1, 1, 2."""
    yield (
        combine(part.claim, table(SAME, Symbol("d") / Symbol("e"))),
        "values 1, 2, 2 and 1, 1, 2",
    )


THEOREM = Theorem(
    verdict=Status.CORRECTED,
    in_words=(
        (
            "the gaps of uniform order statistics are exchangeable; a log quantile of"
            " slope Lambda moves by Lambda times the gap"
        ),
        (
            "the k - 1-st smallest of m - 1 uniform values is below v if and only if at"
            " least k - 1 of them are, and the k-th above w if and only if at most k -"
            " 1 are not: `outside` computes both"
        ),
    ),
    parts=(
        Statement(
            "upper",
            "the k-th smallest of all values is at most the k-th smallest of the common"
            " ones",
            at_most(MANY.value(k), FEW.value(k)),
            upper,
            assuming=some("part", "ranks of many", "few reached"),
        ),
        Statement(
            "lower",
            "the k-th smallest of the common values is at most the (k + 1)-th smallest"
            " of all",
            at_most(FEW.value(k), MANY.value(k + 1)),
            lower,
            assuming=some("extra", "ranks of few", "many reached"),
        ),
        Statement(
            "ratio",
            "two quantiles between the same positive values a and b have a ratio of at"
            " most b/a",
            at_most(Symbol("d") / Symbol("e"), Symbol("b") / Symbol("a")),
            ends,
            ("0 < a", "a <= e", "0 <= d", "d <= b"),
        ),
        Statement(
            "spacing",
            "a gap between uniform order statistics is wider than beta/slope with"
            " probability at most slope/(beta m)",
            at_most(E(WIDE, A), rules.moves(slope, beta, m)),
            spacing,
            ("0 < beta", "0 < slope", "1 <= m"),
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "with the common values 1 and 2 the second smallest are 2 and 1",
            equal(E(SAME, Symbol("d") / Symbol("e")), 2),
            attained,
        ),
    ),
    falsehoods=(
        Falsehood(
            "a change of one record does not move the quantile",
            at_most(E(SAME, Symbol("d") - Symbol("e")), 0),
            refutation=moves,
        ),
    ),
    attacks=(
        Attack(
            "quantiles of samples that differ in one value lie between the same two",
            moved,
        ),
        Attack("the level of a rank, by enumeration", levels),
    ),
    rules=(rules.moves, rules.outside),
)
