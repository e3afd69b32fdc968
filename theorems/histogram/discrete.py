"""The sparse histogram with integer noise on the counts.

Printed: not in the sources.
Proved: Let the noise N have probability proportional to exp(-r |N|) on the integers, r = alpha/2,
    independently on the count of each cell that has records. Where a record moves between two such
    cells, the probability of an output changes by a factor of at most exp(alpha); the losses alpha,
    0 and -alpha have the masses of two randomized responses. The noise is -1 with probability w =
    exp(-r) (1 - exp(-r))/(1 + exp(-r)). If each of two neighbors has a record alone in its cell
    that the other has not, their hockey stick is 1 - w at every epsilon >= 0. If only one has, it
    is no more, as w exp(r) <= 1 and w <= exp(-r). Noise without atoms is the case w = 0. So data
    are bad for the same draws as with Laplace noise, and histogram/privacy applies. The size of N
    is at most so far out as that of Laplace noise plus 1: P(|N| >= m) <= P(|L|/r + 1 >= m).
Idea: A count that moves by 1 has the two losses r and -r. Released as nonzero, a cell tells that it
    had a record.
Source: Ghosh, Roughgarden and Sundararajan, Universally utility-maximizing privacy mechanisms, for
    the noise.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Iterator, Law, Random, Refused, Statement, Status, Step, Symbol,
    Table, Theorem, absolute, assume, at_most, by_prover, combine,
    discrete_laplace_worst_pair as worst_pair, dominated, equal, excess, exp, expect, formula,
    given_by, independent, independent_of, integrable, lemma, linear, lone_records, minus_one,
    more_for_integers, pairwise, positive_part, product, real, relations, specialize, statement,
    table, tabled, two_counts, under,
)  # fmt: skip

u, v, r, w, k, m, p, q, eps, n, cells = map(
    Symbol, ("u", "v", "r", "w", "k", "m", "p", "q", "epsilon", "n", "cells")
)
SHIFT = absolute(u - 1) - absolute(u) + absolute(v + 1) - absolute(v)
"""By how much the noises look larger from the other data set: one cell gains a record, and one
loses it.
"""
ONE_COUNT = worst_pair(r, 1).parts
UP, NONE, DOWN = two_counts(2 * r).parts
INNER = statement("discrete-laplace/worst-pair", "inner")
TAIL = 2 * exp(-r * m) / (1 + exp(-r))
"""The probability that the noise has size m or more, m >= 1."""
LONE = Table(
    "M",
    ("p", "q"),
    (),
    (
        ((formula(2), formula(0)), (1 - w) / 2),
        ((formula(0), formula(2)), (1 - w) / 2),
        ((formula(1), formula(1)), w),
    ),
)
"""The outputs that only the one or only the other data set gives, and the zeros in both cells, by
densities.
"""
APART = lone_records(w)
c = Symbol("c")
"""The mass of the loss r of one count."""
FIRST_COUNT, SECOND_COUNT = (
    Table(
        name,
        (variable,),
        (),
        (((formula(1),), c), ((formula(0),), 1 - c)),
    )
    for name, variable in (("C1", "U1"), ("C2", "U2"))
)
COUNTS = independent_of(FIRST_COUNT, SECOND_COUNT)
"""Whether the losses of the two counts are r, or else -r."""
U1, U2 = Symbol("U1"), Symbol("U2")
WAYS = {
    "largest loss": ((U1, U2),),
    "smallest loss": ((1 - U1, 1 - U2),),
    "no loss": ((U1, 1 - U2), (1 - U1, U2)),
}
g, h = Symbol("g"), Symbol("h")
REST = Law(
    "R",
    ("g", "h"),
    (
        *relations("g >= 0", "h >= 0"),
        at_most(g, exp(r) * h),
        at_most(g * exp(-r), h),
    ),
)
"""The densities of the counts of the other cells from the two neighbors, one of which has a record
more in one of them.
"""


def ratio(part: Statement) -> Iterator[Step]:
    """Two triangle inequalities."""
    given = tuple(map(str, part.given))
    one = real("abs(u - 1) <= abs(u) + 1")
    two = real("abs(v + 1) <= abs(v) + 1")
    yield two, "a count moves by 1"
    bound = combine(at_most(r * SHIFT, 2 * r), (one, r), (two, r), given=given)
    yield bound, "in two cells"
    grows = under(
        specialize(real("exp(x) <= exp(y)", "x <= y"), y=2 * r),
        at_most(Symbol("x"), 2 * r),
        *given,
    )
    yield given_by(specialize(grows, x=r * SHIFT), bound), "exp grows"


def zero(part: Statement) -> Iterator[Step]:
    """The mass of one point of the noise."""
    given = tuple(map(str, part.given))
    inner = lemma("discrete-laplace/worst-pair", "inner")
    point = under(specialize(inner, k=formula(1)), *given)
    yield point, "the noise is 1, or by symmetry -1"
    value = real(equal(point.relation.right, minus_one(2 * r)), *given)
    yield combine(part.claim, point, value), "its mass"


def lone(part: Statement) -> Iterator[Step]:
    """Three cases."""
    given = tuple(map(str, part.given))
    yield (
        tabled(LONE, excess(p, q, exp(eps)), APART.at_infinity, *given),
        "all that only one of them gives is excess",
    )


def masses_of_two(part: Statement) -> Iterator[Step]:
    """The products of the masses of one count."""
    bodies, uses = [], []
    for first, second in WAYS[part.name]:
        one = table(FIRST_COUNT, first, *part.given)
        two = table(SECOND_COUNT, second, *part.given)
        finite = integrable(one, one.relation.left), integrable(two, two.relation.left)
        both = independent(COUNTS, first, second, *finite)
        less, more = sorted((one.relation.right, two.relation.right), key=str)
        value = less * more
        factors = (one, two.relation.left), (two, one.relation.right)
        bodies.append(first * second)
        uses.append(combine(equal(both.relation.left, value), both, *factors))
    yield uses[0], "the noises of the cells are independent"
    known = [integrable(fact, fact.relation.left) for fact in uses]
    body = sum(bodies, formula(0))
    total = linear(COUNTS, body, dict.fromkeys(bodies, 1), *known)
    value = len(uses) * uses[0].relation.right
    sum_ = combine(equal(total.relation.left, value), total, *uses)
    shipped = real(equal(value, part.claim.right), *part.given)
    yield combine(part.claim, sum_, shipped), "added up"


def nothing_left(part: Statement) -> Iterator[Step]:
    """With a zero in the lone cell, an output is no likelier than from the other neighbor."""
    given = (*part.given, *REST.support)
    rate = real("w*exp(r) <= 1", "w*exp(r) <= 1")
    close = real(REST.support[2], REST.support[2])
    least = combine(
        at_most(w * g, h),
        (close, w),
        (rate, h),
        given=given,
    )
    growth = real("1 <= exp(epsilon)", "epsilon >= 0")
    gap = combine(at_most(w * g - exp(eps) * h, 0), least, (growth, h), given=given)
    yield gap, "w g <= h"
    none = specialize(real("max(x, 0) == 0", "x <= 0"), x=gap.relation.left)
    line = under(given_by(none, gap), *given)
    yield expect(line, REST), "so nothing is left"


def other_order(part: Statement) -> Iterator[Step]:
    """Where the zero is surer, it is so by no more than 1 - w."""
    given = (*part.given, *REST.support)
    small = real("w <= exp(-r)", "w <= exp(-r)")
    close = real(REST.support[3], REST.support[3])
    least = combine(at_most(0, h - w * g), close, (small, g), given=given)
    growth = real("1 <= exp(epsilon)", "epsilon >= 0")
    upper = combine(
        at_most(h - exp(eps) * (w * g), h - w * g), (growth, w * g), given=given
    )
    line = under(positive_part(upper, least), *given)
    yield line, "the excess is at most h - w g"
    one, other = part.assuming["one"], part.assuming["other"]
    finite = integrable(other, E(REST, h)), integrable(one, E(REST, g))
    mean = linear(REST, h - w * g, {h: 1, g: -w}, *finite)
    bound = integrable(mean, mean.relation.left)
    positive = specialize(real("0 <= max(x, 0)"), x=h - exp(eps) * (w * g))
    over = expect(line, REST, dominated(line, REST, bound, lower=positive), bound)
    yield combine(part.claim, over, mean, other, (one, -w)), "averaged"


def attack(seed: int) -> int:
    """Pairs of small data sets: all outputs near the counts, by the masses of the noise."""
    rng = Random(seed)
    tried = 0
    for _ in range(6):
        rate = Fraction(rng.randint(1, 30), 10)
        noise = {x: exp(-rate * abs(x)).ball(96) for x in range(-12, 13)}
        for first, second in pairwise(product((1, 2, 3), repeat=2)):
            if abs(first[0] - second[0]) + abs(first[1] - second[1]) > 2:
                continue
            for x, y in product(range(-4, 8), repeat=2):
                one, two = (noise[x - a] * noise[y - b] for a, b in (first, second))
                if (
                    one - two * exp(2 * rate).ball(96) * (1 + Fraction(1, 2**60))
                ).certainly_positive():
                    raise Refused(
                        f"the counts {first} and {second} give {(x, y)} with too"
                        " different probabilities."
                    )
                tried += 1
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "a sum of independent noises is at most so far out as one whose summands are",
    ),
    parts=(
        Statement(
            "ratio",
            "moving one record changes the probability of an output by a factor of at"
            " most exp(alpha)",
            at_most(exp(r * SHIFT), exp(2 * r)),
            ratio,
            ("r > 0",),
        ),
        *(
            Statement(
                name,
                says,
                equal(E(COUNTS, sum((a * b for a, b in WAYS[name]), formula(0))), mass),
                masses_of_two,
                ("0 <= c <= 1",),
            )
            for name, says, mass in (
                ("largest loss", "both counts have the loss r", c**2),
                ("smallest loss", "both have the loss -r", (1 - c) ** 2),
                ("no loss", "one has the loss r and one -r", 2 * c * (1 - c)),
            )
        ),
        *(
            Statement(
                f"{name}, shipped",
                "the shipped mass, with that of one count as c",
                equal(mass, value.at(c=ONE_COUNT[0].p)),  # type: ignore[attr-defined]
                by_prover("1/(1 + exp(-r))"),
            )
            for name, mass, value in (
                ("largest loss", UP.p, c**2),  # type: ignore[attr-defined]
                ("smallest loss", DOWN.p, (1 - c) ** 2),  # type: ignore[attr-defined]
                ("no loss", NONE.p, 2 * c * (1 - c)),  # type: ignore[attr-defined]
            )
        ),
        Statement(
            "shown as zero",
            "the probability that a cell with one record is released as 0",
            equal(E(INNER.left.law, INNER.left.body.at(k=1)), minus_one(2 * r)),  # type: ignore[attr-defined]
            zero,
            ("r > 0",),
        ),
        Statement(
            "lone records",
            "where each neighbor has a record alone in its cell, all but the zeros is"
            " excess, at every epsilon",
            equal(E(LONE, excess(p, q, exp(eps))), APART.at_infinity),
            lone,
            ("0 <= w <= 1", "epsilon >= 0"),
        ),
        Statement(
            "the other cell",
            "a zero in the lone cell is rarer than any change in another cell",
            at_most(minus_one(2 * r), exp(-r)),
            by_prover("(1 - q)/(1 + q) <= 1"),
        ),
        Statement(
            "no more from the rest",
            "where only one neighbor has such a record, it gives no excess with a zero in"
            " its cell: g and h are the densities of the other cells",
            equal(E(REST, excess(w * g, h, exp(eps))), 0),
            nothing_left,
            ("w >= 0", "w*exp(r) <= 1", "epsilon >= 0"),
        ),
        Statement(
            "the other order",
            "and in the other order at most 1 - w",
            at_most(E(REST, excess(h, w * g, exp(eps))), 1 - w),
            other_order,
            ("w >= 0", "w <= exp(-r)", "epsilon >= 0"),
            {
                "one": assume(equal(E(REST, g), 1)),
                "other": assume(equal(E(REST, h), 1)),
            },
        ),
        Statement(
            "size",
            "the noise has size m or more no more often than Laplace noise has size m -"
            " 1 or more",
            at_most(TAIL, exp(-r * (m - 1))),
            by_prover("2 exp(-r) <= 1 + exp(-r)"),
            ("r > 0",),
        ),
        Statement(
            "error",
            "1 for each cell is 2 cells/n in the error of a nearest histogram, which is"
            " twice that of the frequencies",
            equal(more_for_integers(n, cells), 2 * (cells * 1 / n)),
            by_prover("a count of 1 is a frequency of 1/n"),
            ("n >= 1",),
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "where the one count is not reached and the other exceeded, the factor is"
            " exp(alpha)",
            equal(SHIFT, 2),
            by_prover("the signs are known"),
            ("u <= 0", "v >= 0"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "noise reduced by a tenth is enough",
            at_most(exp(r * 2 / Fraction(9, 10)), exp(2 * r)),
            ("r > 0",),
        ),
        Falsehood(
            "the integer noise is no larger than Laplace noise",
            at_most(TAIL, exp(-r * m)),
            ("r > 0", "m >= 1"),
        ),
        Falsehood(
            "a lone record is never shown as zero",
            at_most(minus_one(2 * r), 0),
            ("r > 0",),
        ),
    ),
    attacks=(Attack("outputs on pairs of small counts", attack),),
    rules=(two_counts, minus_one, more_for_integers, lone_records),
)
