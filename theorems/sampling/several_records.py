"""Several records of a Poisson sample, and replaced ones: mixtures over how many are sampled.

Printed: not in the sources
Proved: Let j of the records that neighbors differ in be sampled, with the binomial probabilities
    that are shipped, whatever the sample T of the others is. Given T, a is the density of the
    output without them, b with the j records in it, and d with the j others that they are replaced
    by. For all levels g and h >= 0 that may depend on j, with the same mean of (g - k h) a given
    the output as 0, E max(u - k v, 0) <= E max(b - g a, 0) + k E max(h a - d, 0), where u and v are
    the densities of the output alone. For Gaussian noise, b and d are at most j shifts from a, so
    that each excess is at most that of a move by j shifts; and if g and h are the ratios at one
    point of the line, of moves by j shifts up and by j down, then that sum is the excess of the
    shipped pair, sum w_j N(j shift) against sum w_j N(-j shift), or against N(0) if the records are
    removed and h = d = a. So the shipped pairs dominate, at every level k, and they are attained.
Idea: b - k d is (b - g a) + k (h a - d) + (g - k h) a. The positive part of a sum is at most the
    sum of those; it is the sum if all terms have the same sign, as on a half-line, where all ratios
    pass their levels at once.
Source: Schuchardt, Stoian, Kosmala and Guennemann (2024), Unified mechanism-specific amplification
    by subsampling and group privacy amplification, for groups; original to this package for
    replaced records, where Lebeda, Regehr, Kamath and Steinke (2024) have the pair as a conjecture.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Gaussian, Iterator, Law, PoissonSampled, Random, Refused,
    Relation, Statement, Status, Step, Symbol, Theorem, assume, at_most, averaged, by_prover,
    combine, conditional, dominated, equal, example, excess, exp, expect, finite_excess, formula,
    given_by, integrable, linear, math, maximum, mixtures_RATE as RATE, mixtures_k as k,
    mixtures_r as r, positive_part, real, relations, sampled_numbers, several_loss, several_pair,
    specialize, under,
)  # fmt: skip

a, b, d, g, h, x_out, y_out = map(
    Symbol, ("without", "with", "other", "g", "h", "x_out", "y_out")
)
s, t, w, x, c, mu, j = map(Symbol, ("s", "t", "w", "x", "c", "mu", "j"))
M = Law(
    "M",
    ("without", "with", "other", "g", "h", "x_out", "y_out"),
    tuple(at_most(0, one) for one in (a, b, d, g, h)),
)
OUT = ("x_out", "y_out")
FIRST = b - g * a
SECOND = h * a - d
KNOWN = {
    "with": assume(equal(E(M, b), 1)),
    "levels": assume(equal(E(M, (g - k * h) * a, OUT), 0), "k > 0"),
    "lower": assume(equal(E(M, h * a), c)),
    "output": assume(equal(E(M, b, OUT), x_out)),
    "other output": assume(equal(E(M, d, OUT), y_out)),
}
EACH = (("s", "0 <= s"), ("s", "s <= 0"))
"""All terms on one side of their levels."""
POINT = ("mu > 0", "0 <= j", "c <= x")


def together(part: Statement) -> Iterator[Step]:
    """Three terms, of which the last has no part in the mean."""
    got = part.assuming
    positive = relations("k > 0")
    sticks = (excess(b, a, g), maximum(SECOND, 0))
    body = sticks[0] + k * sticks[1]
    with_it = integrable(got["with"], E(M, b))
    first = finite_excess(M, b, a, g, with_it)
    room = specialize(real("max(v - z, 0) <= v", "v >= 0", "z >= 0"), v=h * a, z=d)
    product = real("0 <= x*z", "0 <= x", "0 <= z")
    place = specialize(product, x=h, z=a)
    least = specialize(real("0 <= max(v, 0)"), v=SECOND)
    lower = integrable(got["lower"], E(M, h * a))
    second = dominated(under(given_by(room, place), *M.support), M, lower, lower=least)
    total = linear(M, body, {sticks[0]: 1, sticks[1]: k}, first, second, where=positive)
    yield total, "the two excesses in the mean"
    whole = integrable(total, E(M, body))
    gap = FIRST + k * SECOND
    rest = (g - k * h) * a
    means = [
        integrable(got[n], got[n].relation.left)
        for n in ("output", "other output", "levels")
    ]
    line = linear(M, gap, {b: 1, d: -k, rest: -1}, *means, given=OUT, where=positive)
    yield line, "given the output, the levels cancel"
    up = real("x <= max(x, 0)")
    lines = (specialize(up, x=FIRST), (specialize(up, x=SECOND), k))
    pointwise = under(combine(at_most(gap, body), *lines, given=positive), *positive)
    kept = conditional(whole, OUT)
    above = expect(pointwise, M, integrable(line, E(M, gap, OUT)), kept, given=OUT)
    uses = (got["output"], (got["other output"], -k), (got["levels"], -1))
    upper = combine(at_most(x_out - k * y_out, E(M, body, OUT)), above, line, *uses)
    zero = specialize(real("0 <= max(x, 0)"), x=FIRST)
    floor = under(
        combine(at_most(0, body), zero, (least, k), given=positive), *positive
    )
    none = expect(floor, M, kept, given=OUT)
    bound = positive_part(upper, none, *positive)
    yield bound, "the positive part of a mean is at most the mean of those"
    over = averaged(
        bound,
        M,
        body,
        whole,
        OUT,
        specialize(real("0 <= max(v, 0)"), v=x_out - k * y_out),
    )
    yield combine(part.claim, over, total), "in the mean"


def same_sign(part: Statement) -> Iterator[Step]:
    """Where all terms have one sign, the positive part of the sum is the sum of those."""
    both = ("0 <= s", "0 <= t")
    first = real("max(s + t, 0) == max(s, 0) + max(t, 0)", *both)
    yield first, "above the point"
    none = ("s <= 0", "t <= 0")
    second = real("max(s + t, 0) == max(s, 0) + max(t, 0)", *none)
    yield second, "and below it"
    yield under(first, *part.given), "here above"


def passes(part: Statement) -> Iterator[Step]:
    """Both exponents pass their levels at c."""
    given = relations(*map(str, part.given))
    order = combine(
        at_most(j * mu * c, j * mu * x), (real("c <= x", *given), j * mu), given=given
    )
    rises = specialize(
        real("exp(v) <= exp(z)", "v <= z"),
        v=j * mu * c - (j * mu) ** 2 / 2,
        z=j * mu * x - (j * mu) ** 2 / 2,
    )
    shifted = combine(
        at_most(j * mu * c - (j * mu) ** 2 / 2, j * mu * x - (j * mu) ** 2 / 2), order
    )
    yield under(combine(part.claim, given_by(rises, shifted)), *part.given), "exp rises"


def peers(seed: int) -> int:
    """Two Gaussian moves in the plane, up to a length of 1, by random half-planes in doubles,
    against the shipped curve for a replaced record.
    """
    rng = Random(seed)
    for _ in range(40):
        rate = Fraction(rng.randint(1, 9), 10)
        level = Fraction(rng.randint(0, 20), 10)
        most = (
            PoissonSampled(Gaussian(1), rate, relation=Relation.REPLACE_ONE)
            .profile()
            .delta(level)
        )
        turn, other = (rng.uniform(0, 2 * math.pi) for _ in range(2))
        size = rng.uniform(0, 1)
        moves = [
            (math.cos(turn), math.sin(turn)),
            (size * math.cos(other), size * math.sin(other)),
        ]
        for _ in range(20):
            way = rng.uniform(0, 2 * math.pi)
            edge = rng.uniform(-2, 3)
            masses = []
            for move in moves:
                along = move[0] * math.cos(way) + move[1] * math.sin(way)
                there = math.erfc((edge - along) / math.sqrt(2)) / 2
                alone = math.erfc(edge / math.sqrt(2)) / 2
                masses.append(float(rate) * there + (1 - float(rate)) * alone)
            if (
                masses[0] - math.exp(float(level)) * masses[1]
                > float(most.upper) + 1e-9
            ):
                raise Refused(
                    f"{moves} at the rate {rate} exceed the curve at {level}."
                )
    return 800


ONE, TWO, THREE = (sampled_numbers(r, size) for size in (1, 2, 3))
PAIR = several_pair(formula(3), r, 2, replaced=True)
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "levels",
            "the excess of the outputs is at most the sum of those over the output without"
            " the records, and below it",
            at_most(
                E(M, maximum(x_out - k * y_out, 0)),
                E(M, excess(b, a, g)) + k * E(M, maximum(SECOND, 0)),
            ),
            together,
            ("k > 0",),
            KNOWN,
            example({"k": 1, "c": 1}, {"M": [((1, 1, 1, 1, 1, 1, 1), 1)]}),
        ),
        Statement(
            "same sign",
            "the positive part of a sum is the sum of those where all terms have one sign",
            equal(maximum(s + t, 0), maximum(s, 0) + maximum(t, 0)),
            same_sign,
            ("0 <= s", "0 <= t"),
        ),
        Statement(
            "passes",
            "beyond a point c the ratio of a move by j shifts is above its value at c",
            at_most(
                exp(j * mu * c - (j * mu) ** 2 / 2), exp(j * mu * x - (j * mu) ** 2 / 2)
            ),
            passes,
            POINT,
        ),
        Statement(
            "two records",
            "the shipped probabilities that so many of two records are sampled: one record"
            " more is sampled or not",
            equal(TWO[1], (1 - r) * ONE[1] + r * ONE[0]),
            by_prover("as it stands"),
        ),
        Statement(
            "three records",
            "and of three",
            equal(THREE[1], (1 - r) * TWO[1] + r * TWO[0]),
            by_prover("as it stands"),
        ),
        Statement(
            "all records",
            "they add up to 1",
            equal(THREE[0] + THREE[1] + THREE[2] + THREE[3], 1),
            by_prover("as it stands"),
        ),
        Statement(
            "shipped pair",
            "the places of two replaced records are twice the shift up, and down, here of 3",
            equal(PAIR.first.terms[2][1] - PAIR.second.terms[2][1], 4 * formula(3)),
            by_prover("as it stands"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the positive part of a sum is always the sum of those",
            at_most(maximum(s, 0) + maximum(t, 0), maximum(s + t, 0)),
            (),
        ),
        Falsehood(
            "two records are sampled with twice the probability of one",
            equal(TWO[1] + TWO[2], 2 * ONE[1]),
            RATE,
        ),
    ),
    attacks=(Attack("half-planes for two moves of a replaced record", peers),),
    rules=(several_loss, sampled_numbers, several_pair),
)
