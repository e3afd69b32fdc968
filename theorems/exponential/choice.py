"""The best choice among the pairs of bounded range, before other releases.

Printed: not in the sources.
Proved: Let h be what follows, convex in g (composition/adaptive-choice) and between 0 and 1, and
    let the ratios U = q/p of a pair lie in [v, v/c], where c = exp(-eps). (1) The two-point pair
    with the ratios v and v/c has the shipped masses, which are those of two laws. (2) No pair with
    the same v has a larger E h(g U) under P. (3) On a cell v = l + s (r - l), 0 <= s <= 1, h(g v)
    and h(g v/c) are at most their chords, so that the mean is at most the interpolated one plus the
    shipped bulge times 4 s (1 - s) l**2/(v r), a factor between 0 and 1. So the mean is nowhere on
    the cell above its larger value at the ends plus the bulge, if that is positive.
Idea: A chord in U leaves two points. On a cell the mean is A + B v + C/v, and 1/v is near its own
    chord.
Source: two points as in Dong, Durfee and Rogers, Optimal differential privacy composition for
    exponential mechanisms.
"""

from rdpacct.book.words import (
    AtomsTransform, Attack, BITS, BoundedRangePairs, ChoiceLattice, Condition, E, Expr, Fact,
    Falsehood, Fraction, Iterator, Law, Quantity, Real, Refused, Statement, Status, Step, Symbol,
    Theorem, absolute, assume, at_most, bounded_range_masses as masses, bulge, by_prover, cast,
    combine, conditions_of, dominated, equal, exp, expect, formula, given_by, integrable, linear,
    maximum, precision, random, raw_real as number, real, relations, specialize, two_point, under,
)  # fmt: skip

c, v, U = map(Symbol, ("c", "v", "U"))
ell, r, s, d = map(Symbol, ("l", "r", "s", "d"))
UP, DOWN = masses(c, v)
P = Law("P", ("U",), relations("v <= U", "c*U <= v"))
"""A pair of bounded range under P: its ratios."""
g, t, x, y, z = map(Symbol, ("g", "t", "x", "y", "z"))


def after(at: Real) -> Expr:
    """What follows, h, at a number."""
    return Quantity("h", (formula(at),))


CONVEX = assume(
    at_most(after(z), (1 - t) * after(x) + t * after(y)),
    "0 <= t",
    "t <= 1",
    "(1 - t)*x + t*y == z",
    "0 <= x",
    "0 <= y",
    every=("t", "x", "y", "z"),
)
SIZE = assume(at_most(absolute(after(z)), 1), every="z")
WHERE = ("0 < c", "c < 1", "0 < v", "0 <= g")
TRIES = 40


V = ell + s * (r - ell)


def chord(part: Statement, place: Expr, share: Expr, *ends: Expr) -> Fact:
    """h at a place between two others, by its chord."""
    given = tuple(map(str, part.given))
    known: tuple[str | Condition, ...] = (*P.support, *given)
    known = known if "U" in place.symbols() else given
    line = specialize(
        under(CONVEX, *CONVEX.domain, *known),
        t=share,
        x=ends[0],
        y=ends[1],
        z=place,
    )
    conditions = (
        at_most(0, share),
        at_most(share, 1),
        equal((1 - share) * ends[0] + share * ends[1], place),
        *(at_most(0, end) for end in ends),
    )
    shown = [
        real(one, *known) for one in conditions if one not in conditions_of(*known)
    ]
    return under(given_by(line, *shown), *known)


def two(part: Statement) -> Iterator[Step]:
    """The chord in U, averaged."""
    mass = part.assuming["ratio of laws"]
    given = tuple(map(str, part.given))
    share = c * (U - v) / (v * (1 - c))
    line = chord(part, g * U, share, g * v, g * (v / c))
    yield line, "what follows lies below its chord"
    finite = dominated(specialize(part.assuming["size"], z=g * U), P)
    right = line.relation.right
    high, low = after(g * v), after(g * (v / c))
    slope = c * (low - high) / (v * (1 - c))
    flat = linear(
        P,
        right,
        {U: slope},
        integrable(mass, E(P, U)),
        constant=high - slope * v,
        where=given,
    )
    over = expect(line, P, finite, integrable(flat, E(P, right)))
    yield over, "averaged"
    yield (
        combine(part.claim, over, flat, (mass, slope), given=given),
        "the mean of U is 1",
    )


def cell_chord(part: Statement) -> Iterator[Step]:
    """Convexity at the two ends of a cell."""
    yield chord(part, g * V, s, g * ell, g * r), "h is convex"


F, K, f1, f2, k1, k2, A, B = map(Symbol, ("F", "K", "f1", "f2", "k1", "k2", "A", "B"))
BULGE = bulge(c, ell, f1, k1, r, f2, k2)
"""The shipped bulge, from what follows at the two ends."""
ENDS = tuple(
    up * one + down * two
    for (up, down), one, two in (
        (masses(c, ell), f1, k1),
        (masses(c, r), f2, k2),
    )
)
ON_CELL = ("F <= (1 - s)*f1 + s*f2", "K <= (1 - s)*k1 + s*k2", "l + s*(r - l) == v")
POSITIVE = ("0 < c", "c < 1", "c <= v", "v <= 1", "0 < l", "0 < r")


def on_cell(part: Statement) -> Iterator[Step]:
    """The chords, and what 1/v exceeds its own chord by."""
    where = ("0 < v", *POSITIVE)
    first, second, place = (
        under(real(one, one, *where), one, *where) for one in ON_CELL
    )
    signs = [real(at_most(0, one), *where) for one in (UP, DOWN)]
    chords = combine(
        at_most(
            UP * F + DOWN * K,
            UP * ((1 - s) * f1 + s * f2) + DOWN * ((1 - s) * k1 + s * k2),
        ),
        (first, UP),
        (second, DOWN),
        *((one, 0) for one in signs),
    )
    yield chords, "h(g v) and h(g v/c) are at most their chords"
    d1, d2 = f1 - k1, f2 - k2
    gap = (d1 * r - d2 * ell) * (r - ell)
    cell = combine(
        equal(
            (d1 + s * (d2 - d1)) * ell * r,
            v * ((1 - s) * d1 * r + s * d2 * ell) - gap * s * (1 - s),
        ),
        (place, -((1 - s) * d1 * r + s * d2 * ell)),
    )
    yield cell, "1/v against its chord"
    yield (
        combine(part.claim, chords, (cell, -c / ((1 - c) * v * ell * r)), given=where),
        "together",
    )


def bounded(part: Statement) -> Iterator[Step]:
    """A mean is at most the larger, and a share of the bulge at most its positive part."""
    given = tuple(map(str, part.given))
    first, second, whole, zero = (
        real(one)
        for one in (
            "A <= max(A, B)",
            "B <= max(A, B)",
            "d <= max(d, 0)",
            "0 <= max(d, 0)",
        )
    )
    uses = ((first, 1 - s), (second, s), (whole, t), (zero, 1 - t))
    yield combine(part.claim, *uses, given=given), "weighted"


def attack(seed: int) -> int:
    """The best choice before one more release, against many pairs of the family."""
    rng = random.Random(seed)
    with precision(BITS):
        for _ in range(TRIES):
            family = BoundedRangePairs(formula(Fraction(rng.randint(1, 40), 10)))
            g = number(Fraction(rng.randint(-20, 20), 10)).exp()
            best = family.best(family.first, g, 1e-9)
            least = (-number(family.epsilon.value)).exp()  # type: ignore[attr-defined]
            for _ in range(20):
                at = least ** number(Fraction(rng.randint(0, 97), 97))
                up, down = masses(least, at)
                if (
                    up * family.first(g * at) + down * family.first(g * at / least)
                    > best
                ):
                    raise Refused(f"{family} has a better choice at {g}.")
    return TRIES


e = Symbol("e")
w = Symbol("w")
PAIR = cast(AtomsTransform, two_point(e, cast(Fraction, w)).transform)


def moment(rate: int) -> Expr:
    """The moment of the two losses that ship, for the largest loss w e."""
    rows = zip(PAIR.masses, PAIR.losses, strict=True)
    return sum((mass * exp(rate * loss) for mass, loss in rows), formula(0))


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "mass",
            "the masses under P add up to 1",
            equal(UP + DOWN, 1),
            by_prover("algebra"),
            ("c < 1", "v > 0"),
        ),
        Statement(
            "ratios",
            "so do those under Q",
            equal(UP * v + DOWN * v / c, 1),
            by_prover("algebra"),
            ("c > 0", "c < 1", "v > 0"),
        ),
        Statement(
            "composed",
            "what composition is given of the pair with the largest loss w e: its masses"
            " add up to 1",
            equal(moment(0), 1),
            by_prover("algebra"),
            ("e > 0",),
        ),
        Statement(
            "composed, under Q",
            "the same under Q",
            equal(moment(-1), 1),
            by_prover("algebra"),
            ("e > 0",),
        ),
        Statement(
            "two points",
            "the two-point pair is the best with this v",
            at_most(E(P, after(g * U)), UP * after(g * v) + DOWN * after(g * (v / c))),
            two,
            WHERE,
            {
                "ratio of laws": assume(equal(E(P, U), 1)),
                "convex": CONVEX,
                "size": SIZE,
            },
        ),
        Statement(
            "chord on a cell",
            "what follows on a cell is at most its chord, at v and, with g/c for g, at"
            " v/c",
            at_most(after(g * V), (1 - s) * after(g * ell) + s * after(g * r)),
            cell_chord,
            ("0 <= g", "0 <= l", "0 <= r", "0 <= s", "s <= 1"),
            {"convex": CONVEX},
        ),
        Statement(
            "cell",
            "so the mean on a cell is at most the interpolated one and a share of the"
            " shipped bulge",
            at_most(
                UP * F + DOWN * K,
                (1 - s) * ENDS[0]
                + s * ENDS[1]
                + BULGE * (4 * s * (1 - s) * ell**2 / (v * r)),
            ),
            on_cell,
            (*POSITIVE, "0 < v", *ON_CELL),
        ),
        Statement(
            "share",
            "the factor of the bulge, for r = (1 + d) l",
            at_most(4 * s * (1 - s) / ((1 + s * d) * (1 + d)), 1),
            by_prover("4 s (1 - s) <= 1"),
            ("d >= 0", "0 <= s"),
        ),
        Statement(
            "bound",
            "so it is at most the larger of the ends A and B, and the bulge d if that"
            " is positive; t is the factor",
            at_most((1 - s) * A + s * B + d * t, maximum(A, B) + maximum(d, 0)),
            bounded,
            ("0 <= s", "s <= 1", "0 <= t", "t <= 1"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the mean on a cell is at most its larger value at the ends",
            at_most((UP * (1 - v / 2)).at(c=Fraction(1, 4)), Fraction(1, 2)),
            ("1/4 <= v", "v <= 1"),
        ),
    ),
    attacks=(Attack("random choices before one more release", attack),),
    rules=(masses, bulge, two_point, ChoiceLattice.best_choice),
)
