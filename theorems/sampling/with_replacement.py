"""Batches drawn with replacement: the number of copies of a record is binomial, and the pairs of
    each number of copies, side by side, dominate.

Printed: not in the sources
Proved: Each of b draws is the record with probability s = 1/n, so that the number of copies has the
    shipped binomial probabilities, 1 - r for none, and at most C(b, j) s**j for j or more. If case
    by case the excess of one density over another is at most that of a pair, and the cases have the
    same probabilities, then the excess over all cases is at most that of the pairs side by side. So
    these dominate batches with the record against batches without it, or with another record: the
    condition of sampling/without-replacement, with the rate r and the level 1 + (k - 1)/r, which
    gives the bound by group profiles of the source, and that of sampling/poisson for a record more
    or less. Cases of probability t of which nothing is known raise an excess by at most t, and so
    may take mass from one copy. For Gaussian noise, j copies are moves by at most j shifts, and
    sampling/several-records has their mixture against no move for a record more or less: it is
    attained.
Idea: Condition on the number of copies. The positive part of a mean is at most the mean of those.
Source: Balle, Barthe and Gaboardi (2018), Privacy amplification by subsampling: tight analyses via
    couplings and divergences, Theorem 10.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Iterator, Law, Quantity, Random, Refused, Statement, Status,
    Step, Symbol, Theorem, Whole, any_copy, assume, at_least_copies, at_most, by_prover, combine,
    copies_Copies as Copies, copies_pair, equal, exactly_copies, example, excess, expect,
    fewer_copies, finite_excess, folded_copies, formula, induct, instances_Masses as Masses,
    integrable, masses, maximum, mixtures_g as g, mixtures_k as k, one_copy, positive_part, real,
    relations, specialize, tower, under, with_copies,
)  # fmt: skip

s, b, n, j, h = map(Symbol, ("s", "b", "n", "j", "h"))
a, c, P, Q, C = map(Symbol, ("without", "curve", "P", "Q", "C"))
w = Symbol("with")
u, q, t = map(Symbol, ("u", "q", "t"))
SHARE = ("0 < s", "s < 1")
M = Law("M", ("curve", "without", "with"), (at_most(0, a), at_most(0, w)))
D = Law("D", ("curve", "P", "Q"), (at_most(0, P), at_most(0, Q)))
TAIL, EXACT, WAYS, ALL = (
    Quantity(name, (j,)) for name in ("tail", "exact", "ways", "all")
)
"""Of j draws: the probability of at least so many copies, and of one copy less; how many sets of
draws have one element less, and how many have so many.
"""
CASES = {
    "with": assume(equal(E(M, w), 1)),
    "P": assume(equal(E(D, P), 1)),
    "in each case": assume(at_most(E(M, excess(w, a, g), "curve"), c), "g >= 0"),
    "of its pair": assume(equal(E(D, excess(P, Q, g), "curve"), c), "g >= 0"),
    "as likely": assume(equal(E(M, c), C)),
    "and here": assume(equal(E(D, c), C)),
}


ONE_CASE = example(
    {"g": 1, "C": 0},
    {"M": [((0, 1, 1), 1)], "D": [((0, 1, 1), 1)]},
)


def side_by_side(part: Statement) -> Iterator[Step]:
    """Each mean is that of the means in the cases."""
    got = part.assuming
    given = ("g >= 0",)
    stick = excess(w, a, g)
    whole = finite_excess(M, w, a, g, integrable(got["with"], E(M, w)), *given)
    joined = tower(M, stick, "curve", whole)
    over = expect(
        got["in each case"],
        M,
        integrable(joined, joined.relation.left),
        integrable(got["as likely"], E(M, c)),
    )
    yield over, "in the mean over the cases"
    other = excess(P, Q, g)
    finite = finite_excess(D, P, Q, g, integrable(got["P"], E(D, P)), *given)
    pairs = tower(D, other, "curve", finite)
    theirs = expect(got["of its pair"], D, integrable(pairs, pairs.relation.left))
    yield theirs, "and for the pairs"
    found = combine(
        part.claim,
        *(over, (joined, -1), got["as likely"], (got["and here"], -1)),
        *((theirs, -1), pairs),
    )
    yield under(found, *part.given), "which are the same cases"


def cases() -> Statement:
    """The part for cases that an observer can tell apart."""
    return Statement(
        "cases",
        "the excess over all cases is at most that of their pairs, side by side",
        at_most(E(M, excess(w, a, g)), E(D, excess(P, Q, g))),
        side_by_side,
        ("g >= 0",),
        CASES,
        ONE_CASE,
    )


def union(part: Statement) -> Iterator[Step]:
    """One draw more: a new set of draws that are all copies ends with it."""
    got = part.assuming
    before = assume(at_most(TAIL, h * ALL), Whole("j", 0))
    uses = (before, got["next"], got["one less"], (got["sets"], -h))
    step = combine(at_most(TAIL.at(j=j + 1), h * ALL.at(j=j + 1)), *uses)
    yield step, "one draw more"
    base = combine(
        at_most(TAIL.at(j=0), h * ALL.at(j=0)),
        got["none"],
        (got["no set"], -h),
    )
    yield base, "no draw"
    yield under(specialize(induct(base, step, "j"), j=n), *part.given), "all draws"


def more_mass(part: Statement) -> Iterator[Step]:
    """A sum with what is not negative."""
    given = relations("t >= 0")
    gap = u - k * q
    line = specialize(real("x <= max(x, 0)"), x=gap)
    upper = combine(at_most(gap + t, maximum(gap, 0) + t), line)
    yield under(upper, *given), "at most its positive part"
    zero = specialize(real("0 <= max(x, 0)"), x=gap)
    lower = combine(at_most(0, maximum(gap, 0) + t), zero, real(given[0], *given))
    found = positive_part(under(upper, *given), under(lower, *given), *given)
    yield under(combine(part.claim, found), *part.given), "which is not negative"


def less_excess(part: Statement) -> Iterator[Step]:
    """The same, taken away."""
    given = relations("t >= 0", "k >= 0")
    gap = q - k * u
    product = real("0 <= k*t", *given)
    line = specialize(real("x <= max(x, 0)"), x=gap)
    upper = combine(at_most(gap - k * t, maximum(gap, 0)), line, product)
    yield under(upper, *given), "at most the positive part without it"
    zero = specialize(real("0 <= max(x, 0)"), x=gap)
    found = positive_part(under(upper, *given), under(zero, *given), *given)
    yield under(combine(part.claim, found), *part.given), "which is not negative"


def recursion(copies: int) -> Statement:
    """One draw more is the record or not."""
    more = exactly_copies(b + 1, s, copies)
    rest = (1 - s) * exactly_copies(b, s, copies)
    if copies:
        rest = rest + s * exactly_copies(b, s, copies - 1)
    return Statement(
        f"{copies} copies",
        "the shipped probability of so many copies: the last draw is the record or not",
        equal(more, rest),
        by_prover("powers of 1 - s"),
        ("s < 1",),
    )


def hockey(one: Masses, two: Masses, factor: Fraction) -> Fraction:
    """The hockey-stick divergence of two finite laws."""
    pairs = zip(one, two, strict=True)
    return sum((max(Fraction(0), x - factor * y) for x, y in pairs), Fraction(0))


def release(laws: dict[str, Masses], records: str) -> Masses:
    """The law of the output for batches of two draws: a law for each batch, in any order."""
    names = ["".join(sorted(x + y)) for x in records for y in records]
    columns = zip(*(laws[name] for name in names), strict=True)
    return tuple(sum(column, Fraction(0)) / len(names) for column in columns)


def batches(seed: int) -> int:
    """Random mechanisms on two draws from three records, against the bound by the exact
    group profiles of the mechanism.
    """
    rng = Random(seed)
    share = Fraction(1, 3)
    rate = 1 - (1 - share) ** 2
    for _ in range(60):
        every = "wxyz"
        names = {"".join(sorted(x + y)) for x in every for y in every}
        laws = {name: masses(rng, 3) for name in sorted(names)}
        level = 1 + Fraction(rng.randint(0, 30), 10)
        inner = 1 + (level - 1) / rate
        near = [(x, y) for x in laws for y in laws if x != y and set(x) & set(y)]
        one, two = (
            max(hockey(laws[x], laws[y], inner) for x, y in pairs)
            for pairs in (near, [(x, y) for x in laws for y in laws])
        )
        most = 2 * share * (1 - share) * one + share**2 * two
        for other in ("wyz", "yz"):
            found = hockey(release(laws, "xyz"), release(laws, other), level)
            if found > most:
                raise Refused(f"{other} exceeds the bound at {level}: {laws}.")
    return 60


def shipped(seed: int) -> int:
    """The shipped probabilities of copies add up to 1, and follow the binomial law exactly."""
    rng = Random(seed)
    for _ in range(40):
        copies = Copies(rng.randint(1, 6), rng.randint(2, 9))
        shares = [one.bound() for one in copies.shares(formula(0))]
        left = 1 - copies.share
        for number, found in enumerate(shares):
            ways = formula(1)
            for i in range(number):
                ways = ways * (copies.batch - i) / (i + 1)
            exact = ways.bound().lower * copies.share**number
            exact = exact * left ** (copies.batch - number)
            if not found.lower <= exact <= found.upper:
                raise Refused(f"{copies} has {found} for {number} copies.")
    return 40


PAIR = copies_pair(formula(3), (1 - s, formula(0), s))
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        cases(),
        recursion(0),
        recursion(1),
        recursion(2),
        recursion(3),
        Statement(
            "any copy",
            "the shipped rate is the probability of at least one",
            equal(1 - any_copy(b, s), exactly_copies(b, s, 0)),
            by_prover("as it stands"),
            ("s < 1",),
        ),
        Statement(
            "more copies",
            "of n draws m or more are the record with at most the number of sets of m draws"
            " times h = s**m",
            at_most(TAIL.at(j=n), h * ALL.at(j=n)),
            union,
            (Whole("n", 0),),
            {
                "none": assume(equal(TAIL.at(j=0), 0)),
                "no set": assume(equal(ALL.at(j=0), 0)),
                "next": assume(
                    equal(TAIL.at(j=j + 1), TAIL + s * EXACT), Whole("j", 0), every="j"
                ),
                "one less": assume(
                    at_most(s * EXACT, h * WAYS), Whole("j", 0), every="j"
                ),
                "sets": assume(
                    equal(ALL.at(j=j + 1), ALL + WAYS), Whole("j", 0), every="j"
                ),
            },
        ),
        Statement(
            "shipped bound",
            "the sets of two draws, as they are shipped: one draw more makes b new ones",
            equal(
                at_least_copies(b + 1, s, 2) - at_least_copies(b, s, 2),
                s * at_least_copies(b, s, 1),
            ),
            by_prover("as it stands"),
        ),
        Statement(
            "unknown cases",
            "mass t of which nothing is known raises the excess of P by at most t",
            at_most(maximum(u - k * q + t, 0), maximum(u - k * q, 0) + t),
            more_mass,
            ("t >= 0",),
        ),
        Statement(
            "unknown cases, exchanged",
            "and does not raise that of Q",
            at_most(maximum(q - k * u - k * t, 0), maximum(q - k * u, 0)),
            less_excess,
            ("t >= 0", "k >= 0"),
        ),
        Statement(
            "one copy",
            "what is left for one copy: all that is shipped adds up to the rate",
            equal(one_copy(u, q, t) + q + t, u),
            by_prover("as it stands"),
        ),
        Statement(
            "shipped pair",
            "two copies move a query by twice the shift, here of 3",
            equal(PAIR.first.terms[2][1], 2 * formula(3)),
            by_prover("as it stands"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the batch has the record with probability b s",
            equal(any_copy(b, s), b * s),
            (*SHARE, "b >= 1"),
        ),
        Falsehood(
            "a record has at most one copy",
            equal(any_copy(b, s), exactly_copies(b, s, 1)),
            (*SHARE, "b >= 1"),
        ),
    ),
    attacks=(
        Attack("random mechanisms on two draws from three records", batches),
        Attack("the shipped probabilities of copies, exactly", shipped),
    ),
    rules=(
        any_copy,
        exactly_copies,
        at_least_copies,
        one_copy,
        copies_pair,
        with_copies,
        folded_copies,
        fewer_copies,
    ),
)
