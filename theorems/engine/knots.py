"""A convex profile that is known at points: above by its chords, below by the chords beside,
extended.

Printed: not in the sources.
Proved: Let h be convex. (1) Between two points, h is at most the shipped chord through values on or
    above h there: of two neighboring knots, or of two corners of the lower convex hull of such
    values. So the polygon through the values, and their hull, are nowhere below h. (2) Beyond a
    point b with a before it, h is at least the line through its values at a and b: at distances d
    and e, h(b + e) >= h(b) + (h(b) - h(a)) e/d. (3) Let two lines meet at a knot of height y, of
    slope -m before it and -n after it, n >= m. A chord from a dot on or below the first, at
    distance d before the knot, to a dot on or below the second, at distance e after it, is on or
    below the first line before the knot and the second after it. The shipped dots are the lower of
    the two chords beside their cell, extended; so the polygon through them is nowhere above h, nor
    is their lower convex hull, from which dots above the chord of their neighbors are left out. (4)
    A value on or above h at three points, the middle one above the chord of the others, can be
    lowered to that chord. (5) Where a chord below h falls below a value that h never falls below,
    the polygon may end at the shipped place, at which the chord has that value, and go on level:
    the larger of two numbers below h is below h.
Idea: Convexity at three points, and a chord of a function that bends down.
Source: not in the sources.
"""

from rdpacct.book.words import (
    Attack, Falsehood, Fraction, Iterator, Knots, RealBall, Refused, Statement, Status, Step,
    Symbol, Theorem, at_most, by_prover, combine, equal, formulas, interpolated, lower_dots,
    lower_hull, maximum, meeting, minimum, precision, random, raw_real as number, read, real, under,
)  # fmt: skip

d, e, ha, hb, hx, y, m, n, A, B, t = (
    Symbol(name) for name in ("d", "e", "ha", "hb", "hx", "y", "m", "n", "A", "B", "t")
)
CONVEX = "(d + e)*hb <= e*ha + d*hx"
CHORD = ((e - t) * A + (t + d) * B) / (d + e)
DOTS = ("d > 0", "e > 0", "A <= y + m*d", "B <= y - n*e", "m <= n")
TRIES = 12
left = Symbol("left")
PLACES = ("d > 0", "e > 0")
SHIPPED = read(
    interpolated(
        list(formulas(left, left + d + e)),
        list(formulas(A, B)),
        (0.0, 1.0),
        *formulas(left + d, given=PLACES, about=1.0),
    )
)
"""The shipped polygon between two points."""


def chord(part: Statement) -> Iterator[Step]:
    """Convexity at the three points, and the values at the ends."""
    middle, first, last = (
        under(real(one, one, *PLACES), one, *PLACES) for one in map(str, part.given[2:])
    )
    yield middle, "the middle value is below the chord of h"
    uses = ((middle, 1 / (d + e)), (first, e / (d + e)), (last, d / (d + e)))
    yield combine(part.claim, *uses), "which is below that of the values"


def extended(part: Statement) -> Iterator[Step]:
    """Convexity at the three points, divided by d."""
    middle = under(real(CONVEX, CONVEX), CONVEX, "d > 0")
    yield middle, "the middle value is below the chord"
    yield combine(part.claim, (middle, 1 / d)), "solved for the last value"


def extended_back(part: Statement) -> Iterator[Step]:
    """Convexity at the three points, divided by e."""
    middle = under(real(CONVEX, CONVEX), CONVEX, "e > 0")
    yield middle, "the middle value is below the chord"
    yield combine(part.claim, (middle, 1 / e)), "solved for the first value"


def bent(before: bool) -> Statement:
    """One side of the knot."""
    slope, side = (m, "-d <= t") if before else (n, "t <= e")
    other = "t <= 0" if before else "0 <= t"

    place = ("d > 0", "e > 0", side, other)

    def proof(part: Statement) -> Iterator[Step]:
        left, right = (
            under(real(one, one), one, *place)
            for one in ("A <= y + m*d", "B <= y - n*e")
        )
        bends = real("m <= n", "m <= n")
        yield left, "the dot before the knot"
        weights = ((e - t) / (d + e), (t + d) / (d + e))
        more = e * (t + d) / (d + e) if before else d * (e - t) / (d + e)
        yield (
            combine(part.claim, (left, weights[0]), (right, weights[1]), (bends, more)),
            "weighted",
        )

    return Statement(
        "before" if before else "after",
        f"the chord is not above the line {'before' if before else 'after'} the knot",
        at_most(CHORD, y - slope * t),
        proof,
        (*DOTS, side, other),
    )


z = Symbol("z")
ABOVE = "e*A + d*B <= (d + e)*z"
MET = read(meeting(*formulas(left, A, left + d + e, B, z)))
"""The shipped place where the chord from A down to B has the value z."""


def left_out(part: Statement) -> Iterator[Step]:
    """The chord of the outer dots is below the middle one, and meets that of the others at an
    end.
    """
    middle = under(real(ABOVE, ABOVE), ABOVE, *part.given)
    yield middle, "the middle dot is above the chord"
    share = (e - t) / e if part.name == "left out, after" else (d + t) / d
    yield combine(part.claim, (middle, share / (d + e))), "so are the points beside it"


def _profile(rows: list[tuple[RealBall, RealBall]], g: RealBall) -> RealBall:
    """The hockey stick of a law of losses, by its masses, at g."""
    gains = (p * (1 - g * (-loss).exp()).max(number(0)) for p, loss in rows)
    return sum(gains, number(0))


def attack(seed: int) -> int:
    """Random convex profiles at knots: the polygons above and below, between the knots."""
    rng = random.Random(seed)
    with precision(128):
        for _ in range(TRIES):
            atoms = [
                (
                    Fraction(rng.randint(1, 20)),
                    number(Fraction(rng.randint(-30, 30), 20)),
                )
                for _ in range(4)
            ]
            total = sum((mass for mass, _ in atoms), Fraction(0))
            rows = [(number(mass / total), loss) for mass, loss in atoms]

            step = Fraction(1, rng.randint(3, 9))
            count = int(Fraction(9, 5) / step) + 3
            shape = Knots(-count * step, step, [number(0)] * (2 * count + 1))
            knots = Knots(shape.origin, step, [_profile(rows, g) for g in shape.points])
            for _ in range(40):
                g = number(Fraction(rng.randint(-400, 400), 190)).exp()
                exact = _profile(rows, g)
                if knots.upper(g) < exact or knots.lower(g) > exact:
                    raise Refused(f"the polygons of {atoms} are on the wrong side.")
    return TRIES


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "chord",
            "a convex function is at most the shipped chord through values on or above"
            " it, at distances d and e",
            at_most(hb, SHIPPED),
            chord,
            (*PLACES, CONVEX, "ha <= A", "hx <= B"),
        ),
        Statement(
            "extended",
            "a chord, extended, is not above a convex function",
            at_most(hb + (hb - ha) * e / d, hx),
            extended,
            ("d > 0", CONVEX),
        ),
        Statement(
            "extended back",
            "and so is one that is extended the other way",
            at_most(hb + (hb - hx) * d / e, ha),
            extended_back,
            ("e > 0", CONVEX),
        ),
        *(
            Statement(
                f"dot, {side}",
                "a shipped dot, the lower of the two chords beside its cell, is on or"
                f" below that from the {side}",
                at_most(minimum(A, B), chord_there),
                by_prover("the smaller of two"),
            )
            for side, chord_there in (("left", A), ("right", B))
        ),
        bent(True),
        bent(False),
        Statement(
            "left out, after",
            "a dot z that is above the chord of its neighbors is left out of the hull,"
            " which only lowers the polygon after it",
            at_most(CHORD, z + t / e * (B - z)),
            left_out,
            (*PLACES, ABOVE, "t <= e"),
        ),
        Statement(
            "left out, before",
            "and before it",
            at_most(CHORD, z - t / d * (A - z)),
            left_out,
            (*PLACES, ABOVE, "-d <= t"),
        ),
        Statement(
            "met",
            "at the shipped place a falling chord has the least value",
            equal(A + (B - A) * (MET - left) / (d + e), z),
            by_prover("the chord is linear"),
            (*PLACES, "B < A"),
        ),
        Statement(
            "level",
            "of a chord below h and a value below h the larger is below h",
            at_most(maximum(A, z), hb),
            by_prover("both are"),
            ("A <= hb", "z <= hb"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the chord of two dots on a convex function is below it",
            at_most((ha + hx) / 2, hb),
            ("2*hb <= ha + hx", "0 <= hb"),
        ),
    ),
    attacks=(Attack("random profiles, above and below between their knots", attack),),
    rules=(lower_dots, lower_hull, interpolated, meeting),
)
