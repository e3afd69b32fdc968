"""Many batches of a fixed size, in which a record is replaced: the flattened pair beside a ramp.

Printed: not in the sources.
Proved: Let u and v be the densities of the output on batches with a record, and with the one that
    replaces it, given the rest T of the batch: u = r b + (1 - r) a and v = r d + (1 - r) a, where a
    is the density without the record and the noise is Gaussian, with means at most a shift apart.
    Beside a ramp (composition/ramp) hockey sticks are squares of the ratio s = v/u under u: at the
    level 2 k the mean of max(1 - k s, 0)**2, that is k**2 times that of max(1 + x - s, 0)**2, where
    k (1 + x) = 1. (1) For k >= 1 each level of the hockey sticks is above 1, where the mixture for
    removing dominates (sampling/without-replacement). (2) For k < 1, let e and g be at least the
    means of max(1 - s, 0) and of its square, and V at least that of (s - 1)**2. Then the mean of
    max(1 + x - s, 0)**2 is at most x**2 + (1 - c**2) g + c**2 V + 2 x (1 - c) e for all 0 <= c <=
    1, and at most x**2 + V. (3) That is what the flattened pair has, with c = x/drop up to the
    drop, and x**2 + V beyond: it has the losses of the mixture above 0, with e and g of its own,
    the shipped mass at -log(1 + drop), and the rest at 0. A larger drop has no less. (4) V is at
    most the shipped variance 2 r**2 (exp(D) - exp(D/2)), where D is the square of the shift: with
    p, q the squares of the distances of b and d from a, and of each other at most D, the mean of
    (b - d)**2/a**2 under a is exp(p) + exp(q) - 2 exp(t) with 2 t >= p + q - D.
Idea: The folded pair has the losses of removing above 0 and of adding below, which no release has
    both: the squares of its losses add up to more than any release has. An equilateral triangle of
    outputs has the largest variance; removing has the largest losses.
Source: original to this package.
"""

from rdpacct.book.words import (
    Attack, E, Fact, Falsehood, Fraction, Iterator, Law, Random, Refused, Statement, Status, Step,
    Symbol, Theorem, above_square, assume, at_most, by_prover, combine, dominated, drop,
    dropped_mass, either, equal, example, exp, expect, formulas, given_by, integrable, linear, math,
    maximum, proves, read, real, relations, replaced_variance, specialize, under,
)  # fmt: skip

s, x, y, c, e, g, V, k, w, r, a, b, z, p, q, h, m, D, R, S = map(
    Symbol,
    (
        *("s", "x", "y", "c", "e", "g", "V", "k", "w", "r", "a", "b", "z", "p", "q"),
        *("h", "m", "D", "R", "S"),
    ),
)
L = Law("L", ("s",), relations("0 <= s"))
"""The ratio of a release under u."""
SHARE = ("0 <= c", "c <= 1", "0 <= x")
UP = maximum(1 - s, 0)
SQUARE = maximum(1 + x - s, 0) ** 2
LINE = x**2 - 2 * x * (s - 1) + 2 * x * (1 - c) * (UP + s - 1)
BOUND = LINE + (1 - c**2) * UP**2 + c**2 * (s - 1) ** 2
KNOWN = {
    "law": assume(equal(E(L, s), 1)),
    "distance": assume(at_most(E(L, UP), e)),
    "above": assume(at_most(E(L, UP**2), g)),
    "variance": assume(at_most(E(L, (s - 1) ** 2), V)),
}
SAME = example({"x": 1, "c": "1/2", "e": 0, "g": 0, "V": 0}, {"L": [((1,), 1)]})
FALL = read(drop(*formulas(V, g, e)))
MASS = read(dropped_mass(*formulas(e, h)))


def triangles(seed: int) -> int:
    """Random Gaussian triples in the plane, by sums over a grid in doubles, against the shipped
    variance.
    """
    rng = Random(seed)
    step = 0.25
    places = [step * j for j in range(-28, 29)]
    for _ in range(12):
        rate = rng.choice((0.0625, 0.25, 0.75))
        shift = rng.uniform(0.2, 1.2)
        first = (shift * rng.uniform(0.5, 1), 0.0)
        turn = rng.uniform(0, math.pi)
        size = shift * rng.uniform(0.5, 1)
        second = (size * math.cos(turn), size * math.sin(turn))
        if math.dist(first, second) > shift:
            second = (first[0] / 2, shift * math.sqrt(3) / 2 * rng.uniform(0.5, 1))
        total = 0.0
        for one in places:
            for two in places:
                base = math.exp(-(one**2 + two**2) / 2) / (2 * math.pi) * step**2
                ratios = [
                    math.exp(c0 * one + c1 * two - (c0**2 + c1**2) / 2)
                    for c0, c1 in (first, second)
                ]
                u, v = (1 - rate + rate * each for each in ratios)
                total += base * (u - v) ** 2 / u
        square = Fraction(shift) ** 2
        most = replaced_variance(square, Fraction(rate)).bound().upper
        if total > float(most) * (1 + 1e-6):
            raise Refused(f"{first} and {second} vary by {total} at the rate {rate}.")
    return 12


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "above 1",
            "where 2 k is the level and w <= 2 the ratio of the ramp, the level of the"
            " release is at least 1",
            at_most(1, 2 * k / w),
            by_prover("as it stands"),
            ("k >= 1", "0 < w", "w <= 2"),
        ),
        Statement(
            "below 1",
            "the mean of the squares, from the distance, the squares above 0, and the"
            " variance",
            at_most(
                E(L, SQUARE),
                x**2 + (1 - c**2) * g + c**2 * V + 2 * x * (1 - c) * e,
            ),
            given=SHARE,
            assuming=KNOWN,
            witness=SAME,
        ),
        Statement(
            "far below 1",
            "and from the variance alone",
            at_most(E(L, SQUARE), x**2 + V),
            assuming={name: KNOWN[name] for name in ("law", "variance")},
            witness=SAME,
        ),
        Statement(
            "flattened",
            "what the flattened pair has up to its drop h, where c = x/h",
            equal(
                x**2 + (1 - c**2) * g + c**2 * (g + e * h) + 2 * x * (1 - c) * e,
                g + 2 * x * e + x**2 - MASS * x**2,
            ),
            by_prover("as it stands"),
            ("h > 0", "c*h == x"),
        ),
        Statement(
            "flattened, beyond",
            "and beyond its drop",
            equal(
                x**2 + (g + e * h),
                g + 2 * x * e + x**2 - MASS * x**2 + MASS * (x - h) ** 2,
            ),
            by_prover("as it stands"),
            ("h > 0",),
        ),
        Statement(
            "drop",
            "with the shipped drop that is the variance V",
            equal(g + e * FALL, V),
            by_prover("as it stands"),
            ("e > 0",),
        ),
        Statement(
            "larger drop",
            "a larger drop takes less off",
            at_most(read(dropped_mass(*formulas(e, h + y))) * x**2, MASS * x**2),
            by_prover("as it stands"),
            ("e >= 0", "h > 0", "y >= 0"),
        ),
        Statement(
            "squares above 0",
            "p (1 - q/p)**2, as it is shipped",
            equal(p * (1 - q / p) ** 2, read(above_square(*formulas(p, q, q**2 / p)))),
            by_prover("as it stands"),
            ("p > 0",),
        ),
        Statement(
            "mean of two",
            "1/u is at most the mean of 1/b and 1/a",
            at_most(z**2 / (r * b + (1 - r) * a), r * z**2 / b + (1 - r) * z**2 / a),
            given=("0 <= r", "r <= 1", "a > 0", "b > 0"),
        ),
        Statement(
            "triangle",
            "exp(p) + exp(q) - 2 exp(t), with R = exp(p/2), S = exp(q/2) and m = exp(D/2)",
            at_most(R**2 + S**2 - 2 * R * S / m, 2 * (m**2 - m)),
            given=("1 <= R", "R <= m", "1 <= S", "S <= m"),
        ),
        Statement(
            "two points",
            "exp(D) - 1, for the mean of (b - d)**2/b, is no more",
            at_most(m**2 - 1, 2 * (m**2 - m)),
            by_prover("a square"),
        ),
        Statement(
            "variance",
            "r**2 times that, as it is shipped",
            equal(2 * r**2 * (exp(D / 2) ** 2 - exp(D / 2)), replaced_variance(D, r)),
            by_prover("as it stands"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "removing a record has the largest variance",
            at_most(replaced_variance(D, r), r**2 * (exp(D) - 1)),
            ("0 < r", "r < 1", "D > 0", "D < 4"),
        ),
        Falsehood(
            "half of the squares above 0 and of the variance are enough",
            at_most(
                maximum(1 + x - s, 0) ** 2,
                x**2 - 2 * x * (s - 1) + UP**2 / 2 + (s - 1) ** 2 / 4,
            ),
            ("0 <= s", "0 <= x"),
        ),
    ),
    attacks=(Attack("the variance of random triples in the plane", triangles),),
    in_words=(
        "The mean of b d/a**2 under a is exp of the inner product of the two moves, for"
        " Gaussian densities with one covariance; and the square of the distance of b and d"
        " is p + q minus twice that.",
        "The integral of max(2 y u - 2 k v, 0) over the unit interval is max(u - k v,"
        " 0)**2/u.",
        "Whoever sees the rest T of the batch too sees more.",
    ),
    rules=(
        replaced_variance,
        above_square,
        drop,
        dropped_mass,
    ),
)


def pointwise() -> Fact:
    """Above the loss 0 both sides are the same; below, a positive part is at most a square."""
    text = at_most(SQUARE, BOUND)
    above = real(text, "0 <= s", "s <= 1", *SHARE)
    below = real(text, "0 <= s", "1 <= s", *SHARE)
    cases = [
        under(one, "0 <= s", *SHARE, at)
        for one, at in ((above, "s <= 1"), (below, "1 < s"))
    ]
    return either(*cases)


@proves("below 1")
def below_one(part: Statement) -> Iterator[Step]:
    """The mean of each term is known."""
    got = part.assuming
    line = pointwise()
    yield line, "pointwise"
    whole = [integrable(fact, fact.relation.left) for fact in got.values()]
    parts = {
        s: -2 * x + 2 * x * (1 - c),
        UP: 2 * x * (1 - c),
        UP**2: 1 - c**2,
        (s - 1) ** 2: c**2,
    }
    still = x**2 + 2 * x - 2 * x * (1 - c)
    flat = linear(L, BOUND, parts, *whole, constant=still)
    bound = integrable(flat, flat.relation.left)
    least = specialize(real("0 <= y**2"), y=maximum(1 + x - s, 0))
    over = expect(line, L, dominated(line, L, bound, lower=least), bound)
    yield over, "in the mean"
    shares = (1 - c**2, c**2, 2 * x * (1 - c))
    given = relations(*SHARE)
    signs = [real(at_most(0, share), *given) for share in shares]
    product = real("0 <= f*(z - y)", "0 <= f", "y <= z")
    names = ("above", "variance", "distance")
    uses = []
    for name, share, sign in zip(names, shares, signs, strict=True):
        mean = got[name].relation
        scaled = specialize(product, f=share, y=mean.left, z=mean.right)
        uses.append(given_by(scaled, sign, got[name]))
    law = (got["law"], parts[s])
    yield combine(part.claim, over, flat, law, *uses), "which are bounded"


@proves("mean of two")
def mean_of_two(part: Statement) -> Iterator[Step]:
    """The inverse is convex."""
    yield real(part.claim, *part.given), "a product of squares"


@proves("triangle")
def triangle(part: Statement) -> Iterator[Step]:
    """Larger distances from the third output are worse, one after the other."""
    given = relations(*map(str, part.given))
    share = real("S/m <= 1", *given)
    room = combine(
        at_most(0, m + R - 2 * S / m), (share, 2), rest=m + R - 2, given=given
    )
    product = real("0 <= x*y", "0 <= x", "0 <= y")
    product = under(product, "0 <= x", "0 <= y", *given)
    both = given_by(
        specialize(product, x=m - R, y=m + R - 2 * S / m),
        real(at_most(0, m - R), *given),
        room,
    )
    claim = at_most(R**2 - 2 * R * S / m, m**2 - 2 * S)
    one = combine(claim, both, given=given)
    yield one, "the first distance"
    two = real("S**2 - 2*S <= m**2 - 2*m", "1 <= S", "S <= m")
    yield two, "the second one"
    yield combine(part.claim, one, two, given=part.given), "together"


@proves("far below 1")
def by_variance(part: Statement) -> Iterator[Step]:
    """The square of a positive part is at most the square."""
    got = part.assuming
    line = specialize(real("max(y, 0)**2 <= y**2"), y=1 + x - s)
    shape = combine(at_most(SQUARE, x**2 - 2 * x * (s - 1) + (s - 1) ** 2), line)
    yield shape, "pointwise"
    means = [integrable(got[n], got[n].relation.left) for n in ("law", "variance")]
    body = shape.relation.right
    flat = linear(L, body, {s: -2 * x, (s - 1) ** 2: 1}, *means, constant=x**2 + 2 * x)
    least = specialize(real("0 <= y**2"), y=maximum(1 + x - s, 0))
    finite = dominated(shape, L, integrable(flat, flat.relation.left), lower=least)
    over = expect(shape, L, finite, integrable(flat, flat.relation.left))
    uses = ((got["law"], -2 * x), got["variance"])
    yield combine(part.claim, over, flat, *uses), "in the mean"
