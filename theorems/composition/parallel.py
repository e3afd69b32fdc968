"""Parallel composition: releases on disjoint parts of the data cost as much as the worst part.

Printed: not in the sources.
Proved: Neighbors differ by one record more, which belongs to one part. (1) A release on another
    part has the same law for both, and a pair of equal laws dominates it: E max(u p - v p, 0) =
    max(u - v, 0). (2) Let a be the density of all that is published before the release on the part
    of the record, c that of all after, given the rest, both the same for both neighbors, and p, q
    those of that release, dominated given what came before by a pair r, s: then E max(a p c - k a q
    c, 0) <= E max(r - k s, 0) for every k >= 0. So the hockey stick of all releases is at most that
    of the part of the record, at every level and not only at one epsilon; over all records it is at
    most that of the worst part. (3) What is published first may also be chosen at random without
    the data, such as an order of the records. If it is bad with probability t, so that the pair
    dominates only otherwise, the hockey stick is at most (1 - t) E max(r - k s, 0) + t, that of the
    pair beside a mass t at infinity, as shipped. A record that is replaced may leave one part and
    enter another: then two parts change, and the worst of them is not enough.
Idea: What is the same for both neighbors is a weight of the hockey stick, and has mean one.
Source: McSherry (2009), Privacy integrated queries, Theorem 4, has it for pure privacy, as the
    largest of the epsilons.
"""

from rdpacct.book.words import (
    Attack, E, Expr, Fact, Falsehood, FiniteMechanism, Fraction, Iterator, Law, Pair, Parallel,
    Plan, Random, Refused, Sequence, Statement, Status, Step, Symbol, Theorem, any_pair, assume,
    at_most, bad_choice, combine, delta, delta_at, dominated, equal, excess, excess_is_positive,
    expect, formula, instances_Masses as Masses, integrable, linear, masses, maximum, product,
    profile, real, relations, specialize, tower, training_with, under, worst_part,
)  # fmt: skip

T, a, p, q, c, r, s, B = (
    Symbol(name) for name in ("T", "a", "p", "q", "c", "r", "s", "B")
)
k, t, u, v, e1, e2 = (Symbol(name) for name in ("k", "t", "u", "v", "e1", "e2"))
POSITIVE = relations("0 <= a", "0 <= p", "0 <= q", "0 <= c", "0 <= B", "B <= 1")
J = Law("J", ("T", "a", "p", "q", "c", "B"), POSITIVE)
"""What came before, its density, those of the release, that of all after, and whether the choice
was bad.
"""
D = Law("D", ("r", "s"), relations("0 <= r", "0 <= s"))
"""The dominating pair by its densities."""
BEFORE = ("T", "a", "B")
OWN = (*BEFORE, "p", "q")
STICK = excess(p, q, k)
WHOLE = maximum(a * c * p - a * c * (k * q), 0)
"""The excess of all releases together."""
PAIR = E(D, excess(r, s, k))
SHARE = 1 - bad_choice(t).loss().at_infinity
"""The probability that the choice is not bad, as shipped."""
APART = Law("P", ("p",), relations("0 <= p"))


def same(part: Statement) -> Iterator[Step]:
    """The density comes out of the positive part."""
    mass = part.assuming["density"]
    given = ("0 <= u", "0 <= v")
    line = real("max(u*p - v*p, 0) == p*max(u - v, 0)", "0 <= p", *given)
    yield line, "one density is a factor of both"
    factor = maximum(u - v, 0)
    scaled = linear(
        APART, p * factor, {p: factor}, integrable(mass, E(APART, p)), where=given
    )
    over = expect(line, APART, integrable(scaled, E(APART, p * factor)))
    yield over, "averaged"
    yield combine(part.claim, over, scaled, (mass, factor)), "a density has mean one"


def own(part: Statement) -> Fact:
    """A bound on the excess of the release given what came before: that of the pair, or 1 where the
    choice was bad.
    """
    dominating = part.assuming["dominating"]
    if "bad" not in part.assuming:
        return dominating
    density = part.assuming["density"]
    most = specialize(real("max(x - y, 0) <= x", "0 <= x", "0 <= y"), x=p, y=k * q)
    most = under(most, "0 <= k", *POSITIVE)
    least = excess_is_positive(p, q, k)
    there = integrable(density, E(J, p, BEFORE))
    finite = dominated(most, J, there, lower=least, given=BEFORE)
    one = expect(most, J, finite, there, given=BEFORE)
    bound = (1 - B) * PAIR + B
    uses = ((one, B), (density, B))
    return combine(at_most(E(J, STICK, BEFORE), bound), dominating, *uses)


def through(part: Statement) -> Iterator[Step]:
    """What is known goes out of the means, from the last release to the first."""
    got = part.assuming
    line = specialize(
        real("max(x*y - x*z, 0) == x*max(y - z, 0)", "0 <= x"), x=a * c, y=p, z=k * q
    )
    line = under(line, "0 <= k", *POSITIVE)
    yield line, "the weights come out of the positive part"
    bound = own(part)
    level = bound.relation.right
    yield bound, "the release on the part of the record, given what came before"
    there = integrable(bound, E(J, STICK, BEFORE))
    weight = linear(J, a * STICK, {STICK: a}, there, given=BEFORE)
    upper = combine(at_most(E(J, a * STICK, BEFORE), a * level), weight, (bound, a))
    yield upper, "what came before is known"
    after = linear(
        J,
        a * c * STICK,
        {c: a * STICK},
        integrable(got["after"], E(J, c, OWN)),
        given=OWN,
    )
    inner = combine(
        equal(E(J, a * c * STICK, OWN), a * STICK), after, (got["after"], a * STICK)
    )
    yield inner, "what comes after has mean one, given the rest"
    first, before = averaged(part, upper)
    yield before, "averaged over what came before"
    mean = integrable(first, E(J, a * STICK))
    over = expect(inner, J, mean)
    outer = tower(
        J,
        a * c * STICK,
        OWN,
        integrable(over, over.relation.left),
        positive=weighed(a * c),
    )
    whole = expect(line, J, integrable(outer, E(J, a * c * STICK)))
    yield whole, "and over all"
    yield combine(part.claim, whole, (outer, -1), over, before), "together"


def adaptive_parts(seed: int) -> int:
    """Random releases on three parts, each chosen after those before, against the one pair that
    differs: exactly, at random levels.
    """
    rng = Random(seed)
    tried = 0
    for _ in range(60):
        pair = any_pair(rng, 3)
        changed = rng.randrange(3)
        under_p, under_q = [Fraction(1)], [Fraction(1)]
        for part in range(3):
            following = [_one_release(rng, part == changed, pair) for _ in under_p]
            under_p = [
                m * x
                for m, (law, _) in zip(under_p, following, strict=True)
                for x in law
            ]
            under_q = [
                m * x
                for m, (_, law) in zip(under_q, following, strict=True)
                for x in law
            ]
        for _ in range(4):
            factor = Fraction(rng.randint(0, 40), rng.randint(5, 20))
            if _stick(under_p, under_q, factor) > _stick(pair.p, pair.q, factor):
                raise Refused(f"three parts are above {pair} at {factor}.")
            tried += 1
    return tried


def _one_release(rng: Random, changed: bool, pair: Pair) -> tuple[Masses, Masses]:
    """A release that processes the pair, or one with the same law for both neighbors."""
    if not changed:
        law = masses(rng, 2)
        return law, law
    channel = [masses(rng, 2) for _ in pair.p]
    both = [
        tuple(
            sum((m * row[j] for m, row in zip(law, channel, strict=True)), Fraction(0))
            for j in range(2)
        )
        for law in (pair.p, pair.q)
    ]
    return both[0], both[1]


def _stick(
    first: Sequence[Fraction], second: Sequence[Fraction], factor: Fraction
) -> Fraction:
    """The hockey stick of a finite pair."""
    return sum(
        (max(x - factor * y, Fraction(0)) for x, y in zip(first, second, strict=True)),
        Fraction(0),
    )


def shipped(seed: int) -> int:
    """The shipped delta of random tables in parallel, beside one on all of the data, against the
    larger of the two products.
    """
    rng = Random(seed)
    for _ in range(6):
        tables = [any_pair(rng, 2) for _ in range(3)]
        first, second, other = (FiniteMechanism([one.p, one.q]) for one in tables)
        level = Fraction(rng.randint(0, 12), 8)
        found = delta(Plan.of(Parallel([first, second]), other), level)
        wanted = [_product_delta(one, tables[2], level) for one in tables[:2]]
        alone = worst_part((profile(first), profile(second))).delta(level)
        if found.upper < max(wanted) or alone.upper > found.upper:
            raise Refused(f"{tables} in parallel have more than is shipped at {level}.")
    return 6


def _product_delta(one: Pair, other: Pair, level: Fraction) -> Fraction:
    """The smallest delta of two tables, in the worst direction, from below."""
    laws = [
        [x * y for x, y in product(*rows)]
        for rows in ((one.p, other.p), (one.q, other.q))
    ]
    return Fraction(delta_at(laws[0], laws[1], formula(level)).bound().lower)


def weighed(weight: Expr) -> Fact:
    """0 <= weight * STICK."""
    product_of = real("0 <= x*max(y, 0)", "0 <= x")
    return under(specialize(product_of, x=weight, y=p - k * q), "0 <= k", *POSITIVE)


def averaged(part: Statement, upper: Fact) -> tuple[Fact, Fact]:
    """The mean of a * STICK by that given what came before, and its bound."""
    got = part.assuming
    means = [integrable(got["before"], E(J, a))]
    right = upper.relation.right
    shares: dict[Expr, Expr] = {a: PAIR}
    uses = [(got["before"], PAIR)]
    if "bad" in got:
        means.append(integrable(got["bad"], E(J, a * B)))
        shares[a * B] = 1 - PAIR
        uses.append((got["bad"], 1 - PAIR))
    level = linear(J, right, shares, *means)
    known = integrable(upper, upper.relation.left)
    least = expect(weighed(a), J, known, given=BEFORE)
    finite = dominated(upper, J, integrable(level, E(J, right)), lower=least)
    joined = tower(J, a * STICK, BEFORE, finite, positive=weighed(a))
    over = expect(upper, J, finite, integrable(level, E(J, right)))
    most = part.claim.right
    bound = combine(at_most(E(J, a * STICK), most), (joined, -1), over, level, *uses)
    return joined, bound


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "several releases on the part of the record, and on all of the data, are one"
            " release with a product pair (composition/dominating-pairs), in which those"
            " on other parts have equal laws; the worst over the records, and over the"
            " directions"
        ),
        (
            "in training the batches are such a choice; given them, the steps without the"
            " example are releases on other parts, and fewer uses are dominated by more"
        ),
    ),
    parts=(
        Statement(
            "another part",
            "a release on another part is dominated by a pair of equal laws",
            equal(E(APART, maximum(u * p - v * p, 0)), maximum(u - v, 0)),
            same,
            ("0 <= u", "0 <= v"),
            {"density": assume(equal(E(APART, p), 1))},
        ),
        Statement(
            "the part of the record",
            "the excess of all releases is at most that of the pair of the one part",
            at_most(E(J, WHOLE), PAIR),
            through,
            ("0 <= k",),
            {
                "before": assume(equal(E(J, a), 1)),
                "after": assume(equal(E(J, c, OWN), 1)),
                "dominating": assume(
                    at_most(E(J, STICK, BEFORE), PAIR), "0 <= k", every="k"
                ),
            },
        ),
        Statement(
            "a choice that may be bad",
            "with probability t the pair need not dominate: it stands beside a mass t at"
            " infinity",
            at_most(E(J, WHOLE), SHARE * PAIR + 1 - SHARE),
            through,
            ("0 <= k",),
            {
                "before": assume(equal(E(J, a), 1)),
                "bad": assume(equal(E(J, a * B), t)),
                "after": assume(equal(E(J, c, OWN), 1)),
                "density": assume(equal(E(J, p, BEFORE), 1)),
                "dominating": assume(
                    at_most((1 - B) * E(J, STICK, BEFORE), (1 - B) * PAIR),
                    "0 <= k",
                    every="k",
                ),
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "a replaced record that moves to another part costs as much as the worse part:"
            " two answers by randomized response have the loss e1 + e2",
            at_most(e1 + e2, maximum(e1, e2)),
            ("e1 > 0", "e2 > 0"),
        ),
    ),
    attacks=(
        Attack("random releases on three parts, exactly", adaptive_parts),
        Attack("shipped parts of random tables, against their products", shipped),
    ),
    rules=(worst_part, bad_choice, training_with),
)
