"""The trade-off function from the profile, and bounds of it from three points.

Printed: not in the sources.
Proved: Let delta(g) = E max(p - g q, 0) be the profile of a pair at the factor g = exp(eps), and
    v(g) = 1 - delta(g) - g alpha. (1) Every test with false positive rate at most alpha has a false
    negative rate of at least v(g), for every g >= 0. (2) A test that accepts where p > g q and
    rejects where p < g q, with false positive rate alpha, has exactly v(g); accepting at random
    where p = g q gives one for each alpha between the probabilities of p > g q and of p >= g q
    under Q. So the smallest rate is the largest v(g). (3) v is concave in g. (4) If a concave
    function is larger at c than at a < c and at b > c, it is nowhere above the larger of v(c) +
    (v(c) - v(a)) (b - c)/(c - a) and v(c) + (v(c) - v(b)) (c - a)/(b - c): the shipped bounds.
Idea: Neyman and Pearson; beyond two points a concave function stays below the chord through them,
    extended.
Source: Dong, Roth and Su (2022), Gaussian differential privacy, Proposition 6; Neyman and Pearson
    (1933).
"""

from rdpacct.book.words import (
    Any, Attack, Comparison, ComposedLoss, E, Event, Expr, Falsehood, FiniteMechanism, Fraction,
    Iterator, Law, On, PrivacyLoss, Random, Real, Refused, Statement, Status, Step, Symbol, Theorem,
    any_pair, assume, at_most, below_chords, below_excess, cases, cast, combine, dominated, equal,
    event, example, excess, excess_is_positive, expect, formulas, integrable, line_height, linear,
    positive_part, read, real, relations, relations_of, searched_tradeoff, tradeoff_of_atoms, under,
    without_alarms,
)  # fmt: skip

p, q, F, g, h, w, delta, alpha, top = (
    Symbol(name) for name in ("p", "q", "F", "g", "h", "w", "delta", "alpha", "top")
)
TEST = Law("M", ("p", "q", "F"), relations("0 <= p", "0 <= q", "0 <= F", "F <= 1"))
PAIR = Law("M", ("p", "q"), relations("0 <= p", "0 <= q"))
STICK = excess(p, q, g)
THRESHOLD = equal((p - g * q) * F, STICK)
"""F is 1 where p > g q, 0 where p < g q, and anything where p = g q."""
BEST = Law("B", ("p", "q", "F"), (*TEST.support, THRESHOLD))
A, B, low, high = map(Symbol, ("A", "B", "low", "high"))
TWO = Law(
    "M",
    ("p", "q", "A", "B"),
    (
        *relations("0 <= p", "0 <= q", "0 <= A", "A <= B", "B <= 1"),
        *(equal((p - g * q) * one, STICK) for one in (A, B)),
    ),
)
"""The tests that accept where p > g q, and where p >= g q."""
CHANCE = (alpha - low) / (high - low)
MIX = A + CHANCE * (B - A)
"""The test that accepts where p > g q, and with this chance where p = g q."""


def every_test(part: Statement) -> Iterator[Step]:
    """p F <= max(p - g q, 0) + g q F, averaged."""
    stick = part.assuming["profile"]
    power = part.assuming["false positives"]
    given = tuple(map(str, part.given))
    line = combine(
        at_most(p * F, STICK + g * (q * F)),
        (below_excess(p, q, g), F),
        (excess_is_positive(p, q, g), 1 - F),
        given=("0 <= F", "F <= 1"),
    )
    yield line, "a test gains at most the excess"
    parts = integrable(stick, E(TEST, STICK)), integrable(power, E(TEST, q * F))
    mean = linear(TEST, line.relation.right, {STICK: 1, q * F: g}, *parts)
    most = integrable(mean, mean.relation.left)
    finite = dominated(line, TEST, most, lower=real("0 <= p*F", "0 <= p", "0 <= F"))
    over = expect(line, TEST, finite, most)
    yield over, "averaged"
    yield (
        combine(part.claim, over, mean, stick, (power, g), given=given),
        "the two rates",
    )


def best_test(part: Statement) -> Iterator[Step]:
    """The test takes all of the excess and nothing else."""
    stick = part.assuming["profile"]
    power = part.assuming["false positives"]
    parts = integrable(stick, E(BEST, STICK)), integrable(power, E(BEST, q * F))
    mean = linear(BEST, STICK + g * (q * F), {STICK: 1, q * F: g}, *parts)
    same = combine(equal(p * F, STICK + g * (q * F)), real(THRESHOLD, THRESHOLD))
    yield same, "at each output"
    over = expect(same, BEST, integrable(mean, mean.relation.left))
    yield combine(part.claim, over, mean, stick, (power, -g)), "averaged"


def accepted(law: Event) -> Statement:
    """The test that accepts where a relation holds."""
    strict = law.happens.sign == "<"

    def proof(part: Statement) -> Iterator[Step]:
        yield cases(law, part.claim), "on either side"

    return Statement(
        "strictly above" if strict else "above",
        f"the test that accepts where {law.happens} is by the threshold g",
        THRESHOLD,
        proof,
        (On(law),),
    )


def at_random(part: Statement) -> Iterator[Step]:
    """A mean of the two tests has a mean of their rates."""
    some = part.assuming["strictly above"]
    more = part.assuming["above"]
    stick = part.assuming["profile"]
    given = tuple(map(str, part.given))
    known = integrable(some, E(TWO, q * A)), integrable(more, E(TWO, q * B))
    rate = linear(TWO, q * MIX, {q * A: 1 - CHANCE, q * B: CHANCE}, *known, where=given)
    power = combine(
        equal(E(TWO, q * MIX), alpha),
        rate,
        (some, 1 - CHANCE),
        (more, CHANCE),
        given=given,
    )
    yield power, "the rate is alpha"
    one, two = (real(each, each) for each in TWO.support[-2:])
    same = combine(
        equal(p * MIX, STICK + g * (q * MIX)),
        (under(one, one.relation, *given), 1 - CHANCE),
        (under(two, two.relation, *given), CHANCE),
    )
    yield same, "at each output"
    parts = integrable(stick, E(TWO, STICK)), integrable(power, E(TWO, q * MIX))
    mean = linear(
        TWO, STICK + g * (q * MIX), {STICK: 1, q * MIX: g}, *parts, where=given
    )
    over = expect(same, TWO, integrable(mean, mean.relation.left))
    yield combine(part.claim, over, mean, stick, (power, -g)), "averaged"


def chances(
    claim: Comparison, signs: tuple[str, str], factors: tuple[Real, Real], rate: str
) -> Statement:
    """One end of the chance to accept."""

    def proof(part: Statement) -> Iterator[Step]:
        known = (real(one, one) for one in signs)
        uses = zip(known, factors, strict=True)
        yield combine(part.claim, *uses, given=part.given), "a mean of A and B"

    return Statement(
        "at most 1" if claim.left == MIX else "at least 0",
        f"its chance to accept, {claim}",
        claim,
        proof,
        (*signs, rate, "low < high"),
    )


def concave(part: Statement) -> Iterator[Step]:
    """The profile is convex, and the rest is linear."""
    *_, (found, why) = convex(part)
    yield found, why
    yield combine(part.claim, found), "1 less it and a line"


def convex(part: Statement) -> Iterator[Step]:
    """The excess is convex in the factor."""
    mixed = (1 - w) * g + w * h
    given = tuple(map(str, part.given))
    ends = excess(p, q, g), excess(p, q, h)
    bound = (1 - w) * ends[0] + w * ends[1]
    upper = combine(
        at_most(p - mixed * q, bound),
        (below_excess(p, q, g), 1 - w),
        (below_excess(p, q, h), w),
        given=given,
    )
    lower = combine(
        at_most(0, bound),
        (excess_is_positive(p, q, g), 1 - w),
        (excess_is_positive(p, q, h), w),
        given=given,
    )
    line = positive_part(upper, lower)
    yield line, "at each output"
    finite = [
        integrable(part.assuming[name], E(PAIR, one))
        for name, one in zip(("at g", "at h"), ends, strict=True)
    ]
    mean = linear(PAIR, bound, {ends[0]: 1 - w, ends[1]: w}, *finite)
    most = integrable(mean, E(PAIR, bound))
    over = expect(
        line,
        PAIR,
        dominated(line, PAIR, most, lower=excess_is_positive(p, q, mixed)),
        most,
    )
    uses = ((part.assuming["at g"], 1 - w), (part.assuming["at h"], w))
    claim = at_most(E(PAIR, excess(p, q, mixed)), (1 - w) * DG + w * DH)
    yield combine(claim, over, mean, *uses, given=given), "averaged"


a, b, c, d, x, va, vb, vc, vd, vx, la, lb, uc, ud, rise, fall = (
    Symbol(name)
    for name in (
        "a",
        "b",
        "c",
        "d",
        "x",
        "va",
        "vb",
        "vc",
        "vd",
        "vx",
        "la",
        "lb",
        "uc",
        "ud",
        "rise",
        "fall",
    )
)
CHORDS: dict[str, tuple[Comparison, tuple[str, ...], tuple[Expr, ...]]] = {
    "right": (
        at_most(vx, uc + rise * (x - c)),
        (
            "(x - c)*va + (c - a)*vx <= (x - a)*vc",
            "vc <= uc",
            "la <= va",
            "uc - la <= rise*(c - a)",
            "a < c",
            "c <= x",
        ),
        (1 / (c - a), (x - a) / (c - a), (x - c) / (c - a), (x - c) / (c - a)),
    ),
    "left": (
        at_most(vx, ud + fall * (d - x)),
        (
            "(b - d)*vx + (d - x)*vb <= (b - x)*vd",
            "vd <= ud",
            "lb <= vb",
            "ud - lb <= fall*(b - d)",
            "d < b",
            "x <= d",
        ),
        (1 / (b - d), (b - x) / (b - d), (d - x) / (b - d), (d - x) / (b - d)),
    ),
    "far right": (
        at_most(vx, vc),
        ("(x - b)*vc + (b - c)*vx <= (x - c)*vb", "vb <= vc", "b <= x", "c < b"),
        (1 / (b - c), (x - c) / (b - c)),
    ),
    "far left": (
        at_most(vx, vc),
        ("(a - x)*vc + (c - a)*vx <= (c - x)*va", "va <= vc", "x <= a", "a < c"),
        (1 / (c - a), (c - x) / (c - a)),
    ),
}
"""On each side: a bound of v(x), what concavity says of three points and what is known there, and
the factors.
"""


def chord(part: Statement) -> Iterator[Step]:
    """Concavity at three of the points, and what is known of the values."""
    factors = CHORDS[part.name][2]
    known = (real(one, one) for one in relations_of(*part.given))
    yield (
        combine(part.claim, *zip(known, factors, strict=False), given=part.given),
        "the chord, extended",
    )


FIRST = w * uc + (1 - w) * (ud + fall * (d - c))
SECOND = w * (uc + rise * (d - c)) + (1 - w) * ud
BETWEEN = ("0 <= w", "w <= 1", "c < d", "c <= x", "x <= d")


def between(part: Statement) -> Iterator[Step]:
    """A mean of the two chords is a line, which is largest at one of its ends."""
    given = part.given
    right, left = (real(one, one) for one in relations_of(*given[:2]))
    line = w * (uc + rise * (x - c)) + (1 - w) * (ud + fall * (d - x))
    mean = combine(at_most(vx, line), (right, w), (left, 1 - w), given=given)
    yield mean, "below the mean of the two chords"
    first, second = (real(one, one) for one in relations_of(*given[2:4]))
    ends = combine(
        at_most(line, top),
        (first, (d - x) / (d - c)),
        (second, (x - c) / (d - c)),
        given=given,
    )
    yield ends, "a line between its ends"
    yield combine(part.claim, mean, ends, given=given), "together"


def exact(
    pair_p: tuple[Fraction, ...], pair_q: tuple[Fraction, ...], rate: Fraction
) -> Fraction:
    """The smallest false negative rate of a finite pair: outputs are accepted in the order of
    falling ratios.
    """
    left = rate
    missed = Fraction(1)
    for one, two in sorted(
        zip(pair_p, pair_q, strict=True), key=lambda row: -row[0] / row[1]
    ):
        share = min(Fraction(1), left / two)
        left = left - share * two
        missed = missed - share * one
    return missed


def attack(seed: int) -> int:
    """The shipped bounds of random finite pairs, against the exact trade-off."""
    rng = Random(seed)
    for _ in range(8):
        pair = any_pair(rng, rng.randint(2, 4))
        rate = Fraction(rng.randint(1, 19), 20)
        loss = FiniteMechanism([pair.p, pair.q]).loss()
        wanted = exact(pair.p, pair.q, rate)
        for found in (loss.tradeoff(rate), searched_tradeoff(loss.missed, rate)):
            if not found.lower <= wanted <= found.upper:
                raise Refused(
                    f"the trade-off of {pair} at {rate} is {wanted}, not in {found}."
                )
    return 8


TENT = (
    "(x - c)*va + (c - a)*vx <= (x - a)*vc",
    "x <= b",
    "va <= vc",
    "vb <= vc",
    "a < c",
)


SAYS = {
    "right": (
        "to the right of a and c, below the chord from a to c, extended, also if its"
        " ends are bounds only"
    ),
    "left": (
        "to the left of d and b, below the chord from b to d, extended, also if its"
        " ends are bounds only"
    ),
    "far right": "beyond b, below the middle value",
    "far left": "below a, below the middle value",
}
RATES = {
    "profile": assume(equal(E(TEST, STICK), delta)),
    "false positives": assume(at_most(E(TEST, q * F), alpha)),
}
MIXED = (1 - w) * g + w * h
DG, DH = map(Symbol, ("dg", "dh"))
PROFILES = {
    "at g": assume(at_most(E(PAIR, excess(p, q, g)), DG)),
    "at h": assume(at_most(E(PAIR, excess(p, q, h)), DH)),
}

HEIGHT = read(line_height(*cast(Any, formulas(1 - delta, g, alpha))))
THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "every rate alpha lies between Q(p > g q) and Q(p >= g q) for some g, a quantile"
        " of the ratio p/q under Q",
    ),
    parts=(
        Statement(
            "every test",
            "the false negative rate of every test is at least v(g)",
            at_most(HEIGHT, 1 - E(TEST, p * F)),
            every_test,
            ("0 <= g",),
            RATES,
        ),
        Statement(
            "best test",
            "and that of a test by the threshold g is v(g)",
            equal(1 - E(BEST, p * F), HEIGHT),
            best_test,
            (),
            {
                "profile": assume(equal(E(BEST, STICK), delta)),
                "false positives": assume(equal(E(BEST, q * F), alpha)),
            },
        ),
        Statement(
            "random",
            "between them, a test that accepts at random where p = g q has v(g); it is"
            " one by the threshold g",
            equal(1 - E(TWO, p * MIX), 1 - delta - g * alpha),
            at_random,
            ("low < high",),
            {
                "profile": assume(equal(E(TWO, STICK), delta)),
                "strictly above": assume(equal(E(TWO, q * A), low)),
                "above": assume(equal(E(TWO, q * B), high)),
            },
        ),
        chances(at_most(0, MIX), ("0 <= A", "A <= B"), (1, CHANCE), "low <= alpha"),
        chances(
            at_most(MIX, 1), ("B <= 1", "A <= B"), (1, 1 - CHANCE), "alpha <= high"
        ),
        *(accepted(event(PAIR, "F", one)) for one in ("g*q < p", "g*q <= p")),
        Statement(
            "convex",
            "the profile is convex in the factor",
            at_most(E(PAIR, excess(p, q, MIXED)), (1 - w) * DG + w * DH),
            convex,
            ("0 <= w", "w <= 1"),
            PROFILES,
        ),
        Statement(
            "concave",
            "so that v is concave in it",
            at_most(
                (1 - w) * (1 - DG - g * alpha) + w * (1 - DH - h * alpha),
                1 - E(PAIR, excess(p, q, MIXED)) - MIXED * alpha,
            ),
            concave,
            ("0 <= w", "w <= 1"),
            PROFILES,
        ),
        *(
            Statement(name, SAYS[name], claim, chord, given)
            for name, (claim, given, _) in CHORDS.items()
        ),
        Statement(
            "between",
            "between c and d, where both chords bound v, it is below the larger end of"
            " every mean of them",
            at_most(vx, top),
            between,
            (
                CHORDS["right"][0],
                CHORDS["left"][0],
                at_most(FIRST, top),
                at_most(SECOND, top),
                *BETWEEN,
            ),
        ),
    ),
    falsehoods=(
        Falsehood(
            "a concave function is nowhere above the largest of three values, here"
            " min(x, 3 - x) at 0, 1, 2 and at 3/2",
            at_most(vx, vc),
            TENT,
            instance=example(
                {
                    **{"a": 0, "c": 1, "b": 2, "x": "3/2"},
                    **{"va": 0, "vc": 1, "vb": 1, "vx": "3/2"},
                }
            ),
        ),
    ),
    attacks=(
        Attack(
            "the shipped bounds against the exact trade-off of random finite pairs",
            attack,
        ),
    ),
    rules=(
        line_height,
        tradeoff_of_atoms,
        below_chords,
        PrivacyLoss.never_infinite,
        ComposedLoss.never_infinite,
        without_alarms,
    ),
)
