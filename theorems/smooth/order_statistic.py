"""Smooth sensitivity of an order statistic, in n log n steps.

Printed: not in the sources for a distance k > 0 (smooth/median-local has k = 0).
Proved: Let V(1) <= ... <= V(n) be the records of x, V(i) = lower for i < 1 and upper for i > n.
    Within k replaced records, the record of rank m has the local sensitivity max of V(j) - V(i)
    over i <= m <= j with j - i = k + 1, and this is attained. So its smooth sensitivity is the
    largest w(i, j) = (V(j) - V(i)) exp(-beta (j - i - 1)). For i < i' the best j of i' is not below
    that of i. If j* is within a factor 1 + e of the best for i, then each j < j* is within that
    factor of j* for each larger i', and each j > j* for each smaller one. After L halvings the best
    pair found is within (1 + e)**L <= 1 + 2 L e, for L e <= 1.
Idea: The gap of y next to its rank m holds none of the records that y shares with x, so it lies
    between two of them that are adjacent there, and at most k + 1 ranks apart in x. The rest is
    that w compares j and j2 by a function that is linear in V(i).
Source: Nissim, Raskhodnikova and Smith, Smooth sensitivity and sampling in private data analysis,
    the median (with exact numbers).
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from operator import itemgetter

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.proof.instance import example
from rdpacct.proof.kernel import (
    Quantity,
    Refused,
    assume,
    at_most,
    combine,
    either,
    given_by,
    real,
    specialize,
    under,
)
from rdpacct.proof.theorem import (
    Attack,
    Falsehood,
    Statement,
    Status,
    Step,
    Theorem,
)
from rdpacct.sensitivity.finite import FiniteQuery
from rdpacct.sensitivity.order_statistic import OrderStatistic, RankedRecord, _slack

m, r, k, i, j, e, D, L = (
    Symbol(name) for name in ("m", "r", "k", "i", "j", "e", "D", "L")
)
here, there, best, other = (Symbol(name) for name in ("here", "there", "best", "other"))
"""Records: at the middle i, at another one, at the j* that was chosen, and at another j."""


def named(name: str, *places: Real) -> Expr:
    """Records by rank: V of x, Y of y, C of those that both share."""
    return Quantity(name, tuple(map(formula, places)))


GAP = named("Y", m + 1) - named("Y", m)


def within(part: Statement) -> Iterator[Step]:
    """From y to the common records, and from these to x."""
    common = combine(
        at_most(GAP, named("C", r + 1) - named("C", r)),
        part.assuming["left"],
        part.assuming["right"],
    )
    yield common, "no common record lies inside the gap"
    low = part.assuming["added below"]
    high = specialize(part.assuming["added above"], r=r + 1)
    yield (
        combine(part.claim, common, low, high),
        "k more records move a rank by at most k",
    )


def attained(part: Statement) -> Iterator[Step]:
    """The records between i and j are moved to the ends, so that rank m is next to the gap."""
    yield (
        combine(part.claim, part.assuming["to i"], part.assuming["to j"]),
        "y has the gap of x next to rank m",
    )


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
        if bound.upper > bound.lower * (1 + 2 * _slack(rate, size + 2)):
            raise Refused(f"the enclosure for {data} is too wide.")
    return 25


WITHIN = {
    "left": assume(at_most(named("C", r), named("Y", m))),
    "right": assume(at_most(named("Y", m + 1), named("C", r + 1))),
    "added below": assume(at_most(named("V", r), named("C", r)), every="r"),
    "added above": assume(at_most(named("C", r), named("V", r + k)), every="r"),
}
THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "y shares n - k records with x, C(1) <= ... <= C(n - k); r is how many of"
            " the m first records of y are common, so that r <= m <= r + k; the gap"
            " below rank m is the same with m - 1 (enumerated in the attack)"
        ),
        (
            "the smooth sensitivity is the largest exp(-beta k) times this, by"
            " smooth/efficient; k + 1 = j - i"
        ),
        (
            "the values of doubles are off by at most 12 units of 2**-52 (750 + beta n)"
            " in logarithm: a difference, a logarithm to 4 units in the last place, a"
            " product and a difference; `_slack` has 32"
        ),
        (
            "no i is below more than L ancestors in the halving, and each of them costs"
            " one factor"
        ),
    ),
    parts=(
        Statement(
            "within",
            "the gap next to rank m of a y within k replaced records is at most V(r + 1"
            " + k) - V(r)",
            at_most(GAP, named("V", r + 1 + k) - named("V", r)),
            within,
            assuming=WITHIN,
        ),
        Statement(
            "attained",
            "for i <= m < j = i + k + 1: with the k records between moved to V(i) or"
            " V(j), the gap is V(j) - V(i)",
            at_most(named("V", j) - named("V", i), GAP),
            attained,
            assuming={
                "to i": assume(at_most(named("Y", m), named("V", i))),
                "to j": assume(at_most(named("V", j), named("Y", m + 1))),
            },
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
            "the ends are k ranks apart",
            at_most(GAP, named("V", r + k) - named("V", r)),
            assuming=WITHIN,
            instance=example(
                {"m": 0, "r": 0, "k": 0}, Y=("x", "x"), V=("x", "x"), C=("x", "x")
            ),
        ),
    ),
    attacks=(
        Attack("order statistics on all small data sets", exhaustive),
        Attack("halving with wrong comparisons", wrong_comparisons),
        Attack("the shipped search on records of all sizes", shipped_search),
    ),
    rules=(RankedRecord.local_within, RankedRecord.smooth),
)
