"""A law on an interval that has a variance has a characteristic function that falls.

Printed: not in the sources.
Proved: Let the loss X lie in the interval [a, a + d], d > 0, and V be its variance, both after the
    tilt. For 0 <= h <= y, y > 0 and y d <= pi, |phi(y)|**2 = (E cos(y X))**2 + (E sin(y X))**2 is
    at most the square of the shipped bound, max(0, 1 - 2 V (1 - cos(h d))/d**2).
Idea: |phi(y)|**2 = E cos(y (X - Z)) for an independent copy Z of X, whose squared distance has the
    mean 2 V. With r = (X - Z)/d in [-1, 1] and m = y d, 1 - cos(r m) >= r**2 (1 - cos(m)), since
    the sine is concave on half a turn; and the cosine falls there.
Source: original to this package.
"""

from rdpacct.book.words import (
    Attack, Condition, E, Expr, Fact, Falsehood, Fraction, Iterator, Law, Quantity, Refused,
    Statement, Status, Step, Symbol, Table, Theorem, assume, at_most, below, combine, cos,
    cosine_chord, dominated, either, example, expect, formula, formulas, given_by, independent,
    independent_of, instance, integrable, linear, marginal, masses, maximum, on_either_side,
    precision, random, raw_pi as circle, raw_real as number, read, real, relations, sin, specialize,
    turns_cosine_falls as cosine_falls, two_turns, under, variance_decay,
)  # fmt: skip

x, z, a, d, y, h = (Symbol(name) for name in ("x", "z", "a", "d", "y", "h"))
ONE, COPY = (
    Law(name, (v,), relations(f"a <= {v}", f"{v} <= a + d"))
    for name, v in (("P", "x"), ("Q", "z"))
)
BOTH = independent_of(ONE, COPY)
A, B, C, s = (Symbol(name) for name in ("A", "B", "C", "s"))
SIZE = Quantity("Modulus", (y,))
RATE = (1 - cos(h * d)) / d**2


def modulus(law: Law) -> Expr:
    """The square of the modulus of the characteristic function."""
    return E(law, cos(y * x)) ** 2 + E(law, sin(y * x)) ** 2


def shipped(law: Law) -> Expr:
    """The square of the shipped bound."""
    variance = E(law, x**2) - E(law, x) ** 2
    return read(variance_decay(*formulas(variance, d, h))) ** 2


def pointwise(*given: str | Condition) -> Fact:
    """cos(y (x - z)) <= 1 - (x - z)**2 (1 - cos(h d))/d**2 for x and z in the interval."""
    ends = [real(one, one, *given) for one in (*ONE.support, *COPY.support)]
    low, high, low_z, high_z = ends
    chord = specialize(
        under(cosine_chord(), "-1 <= r", "r <= 1", "0 < m", "m <= pi", *given),
        r=(x - z) / d,
        m=y * d,
    )
    inside = [
        combine(at_most(-1, (x - z) / d), (low, 1 / d), (high_z, 1 / d)),
        combine(at_most((x - z) / d, 1), (high, 1 / d), (low_z, 1 / d)),
        real(below(0, y * d), *given),
    ]
    chord = given_by(chord, *inside)
    falls = specialize(
        under(cosine_falls(), "0 <= r", "r <= 1", "0 <= m", "m <= pi", *given),
        r=h / y,
        m=y * d,
    )
    share = [
        real(one, *given)
        for one in (at_most(0, h / y), at_most(h / y, 1), at_most(0, y * d))
    ]
    falls = given_by(falls, *share)
    return combine(
        at_most(cos(y * (x - z)), 1 - RATE * (x - z) ** 2),
        chord,
        (falls, (x - z) ** 2 / d**2),
    )


def squared(law: Law) -> tuple[Fact, Fact]:
    """A loss in the interval has a mean, and a mean square: so has its distance from the lower
    end.
    """
    v = Symbol(law.variables[0])
    low, high = (real(one, one) for one in law.support)
    positive = combine(at_most(0, v - a), low)
    least = combine(at_most(v - a, d), high)
    total = combine(at_most(0, v - a + d), (low, 2), high)
    more = combine(at_most((v - a) ** 2, d**2), (high, v - a + d), (total, 0))
    first = dominated(least, law, lower=positive)
    second = dominated(more, law, lower=real(at_most(0, (v - a) ** 2)))
    mean = linear(law, v, {v - a: 1}, first, constant=a)
    square = linear(
        law, v**2, {(v - a) ** 2: 1, v - a: 2 * a}, first, second, constant=a**2
    )
    return integrable(mean, E(law, v)), integrable(square, E(law, v**2))


def proof(part: Statement) -> Iterator[Step]:
    """Two laws on the interval first, and then twice the same."""
    given = tuple(map(str, part.given))
    point = pointwise(*given)
    yield point, "the cosine is below a parabola"
    left = two_turns(BOTH, y)
    yield left, "two independent losses"
    (first, square), (first_z, square_z) = squared(ONE), squared(COPY)
    means = (
        marginal(BOTH, ONE, x**2, square),
        marginal(BOTH, COPY, z**2, square_z),
        independent(BOTH, x, z, first, first_z),
    )
    parts = {x**2: -RATE, z**2: -RATE, x * z: 2 * RATE}
    known = [
        integrable(fact, E(BOTH, body)) for fact, body in zip(means, parts, strict=True)
    ]
    right = linear(
        BOTH, 1 - RATE * (x - z) ** 2, parts, *known, constant=1, where=("d > 0",)
    )
    over = expect(
        point,
        BOTH,
        integrable(left, left.relation.left),
        integrable(right, E(BOTH, 1 - RATE * (x - z) ** 2)),
    )
    two = at_most(
        E(ONE, cos(y * x)) * E(COPY, cos(y * z))
        + E(ONE, sin(y * x)) * E(COPY, sin(y * z)),
        1 - RATE * (E(ONE, x**2) - 2 * E(ONE, x) * E(COPY, z) + E(COPY, z**2)),
    )
    factors = (-RATE, -RATE, 2 * RATE)
    uses = zip(means, factors, strict=True)
    mixed = combine(two, over, (left, -1), right, *uses)
    yield mixed, "the means of both sides"
    same = instance(mixed, COPY, ONE, {"z": x})
    yield same, "the copy has the same law"
    largest = specialize(
        under(real("u <= max(u, 0)"), "d > 0"), u=part.claim.right.parts()[0]
    )
    yield combine(part.claim, same, largest), "so"


EVEN = Table(
    "T", ("x",), (), tuple(((formula(one),), formula(1) / 2) for one in (0, 1))
)


def sides(part: Statement) -> Iterator[Step]:
    """On each side one of the two bounds holds, and so the larger."""
    top = maximum(B, C)
    cases_ = []
    for name, own in (("near", "b"), ("beyond", "c")):
        known = part.assuming[name]
        larger = real("w <= max(b, c)", f"w <= {own}")
        places = specialize(larger, w=SIZE, b=B, c=C)
        cases_.append(given_by(places, known))
    both_sides = either(*cases_)
    yield both_sides, "the larger of the two bounds"
    smaller = real("w <= min(a, b)", "w <= a", "w <= b")
    put = specialize(smaller, w=SIZE, a=A, b=top)
    yield given_by(put, part.assuming["everywhere"], both_sides), "and the other"


def attack(seed: int) -> int:
    """Random finite laws on an interval, against the shipped bound."""
    rng = random.Random(seed)
    with precision(128):
        for _ in range(200):
            p = masses(rng, rng.randint(2, 4))
            places = [Fraction(rng.randint(0, 8), 8) for _ in p]
            width = Fraction(rng.randint(8, 20), 8)
            low, high = sorted(
                number(Fraction(rng.randint(1, 32), 32)) * circle() / number(width)
                for _ in range(2)
            )
            mean = sum((q * b for q, b in zip(p, places, strict=True)), Fraction(0))
            spread = sum(
                (q * (b - mean) ** 2 for q, b in zip(p, places, strict=True)),
                Fraction(0),
            )
            turns = [(high * number(place)).sin_cos() for place in places]
            real_part, other = (
                sum(
                    (number(q) * t[i] for q, t in zip(p, turns, strict=True)), number(0)
                )
                for i in (1, 0)
            )
            bound = variance_decay(number(spread), number(width), low)
            if real_part**2 + other**2 > bound**2:
                raise Refused(f"the law {p} on {places} breaks the bound.")
    return 200


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "interval",
            "the square of the modulus is at most that of the shipped bound",
            at_most(modulus(ONE), shipped(ONE)),
            proof,
            ("0 <= h", "h <= y", "y > 0", "d > 0", "y*d <= pi"),
        ),
        Statement(
            "sides",
            "a modulus at the height y that is at most A at all heights, at most B up to"
            " the height s and at most C from there on is at most the shipped bound",
            at_most(SIZE, read(on_either_side(*formulas(A, B, C)))),
            sides,
            (),
            {
                "everywhere": assume(at_most(SIZE, A)),
                "near": assume(at_most(SIZE, B), "y <= s"),
                "beyond": assume(at_most(SIZE, C), "s <= y"),
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "the bound holds at all heights",
            at_most(modulus(ONE), shipped(ONE)),
            ("0 <= h", "h <= y", "y > 0", "d > 0"),
            instance=example(
                {"a": 0, "d": "5/4", "y": "2*pi", "h": "2*pi"},
                {"P": [(0, "1/2"), (1, "1/2")]},
            ),
        ),
    ),
    attacks=(Attack("random finite laws on an interval", attack),),
    rules=(variance_decay, on_either_side),
)
