"""Atoms at the distance of the lattice make a characteristic function fall.

Printed: not in the sources.
Proved: Let X and Z be independent copies of a loss and I be 1 where |X - Z| = d, and else 0. For 0
    <= h <= y, y > 0, d > 0 and y d <= pi, |phi(y)|**2 = (E cos(y X))**2 + (E sin(y X))**2 is at
    most 1 - E[I] (1 - cos(h d)). For atoms with the tilted masses p_a, E[I] is 2 times the sum of
    p_a p_b over the pairs that are d apart, which the shipped bound adds up; for two atoms it is
    attained, with the shipped formula.
Idea: |phi(y)|**2 = E cos(y (X - Z)), and the cosine is at most 1, and cos(y d) where |X - Z| = d.
Source: original to this package.
"""

from rdpacct.book.words import (
    AtomsTransform, Attack, Condition, E, Expr, Fact, Falsehood, Formal, Fraction, Iterator, Law,
    Nodes, Refused, Statement, Status, Step, Symbol, Table, Theorem, absolute, assume, at_most,
    cases, combine, cos, declared, dominated, equal, event, example, exp, expect, formula, formulas,
    given_by, independent_of, integrable, linear, marginal, masses, precision, random,
    raw_pi as circle, raw_real as number, read, real, sin, specialize, table,
    turns_cosine_falls as cosine_falls, two_turns, under,
)  # fmt: skip

x, z, d, y, h, p, t, HIT = (
    Symbol(name) for name in ("x", "z", "d", "y", "h", "p", "t", "I")
)
ONE = Law("P", ("x",))
COPY = Law("Q", ("z",))
BOTH = independent_of(ONE, COPY)
NEAR = event(BOTH, "I", at_most(absolute(absolute(x - z) - d), 0))
MODULUS = E(ONE, cos(y * x)) ** 2 + E(ONE, sin(y * x)) ** 2
SAME = {
    "cosine": assume(equal(E(COPY, cos(y * z)), E(ONE, cos(y * x)))),
    "sine": assume(equal(E(COPY, sin(y * z)), E(ONE, sin(y * x)))),
}


def pointwise(*given: str | Condition) -> Fact:
    """cos(y (x - z)) <= 1 - I (1 - cos(h d))."""
    gap = absolute(x - z) - d
    near, low, high = (
        cases(NEAR, one)
        for one in (
            at_most(HIT * absolute(gap), 0),
            at_most(0, HIT),
            at_most(0, 1 - HIT),
        )
    )
    close = specialize(real("cos(b + w) <= cos(b) + abs(w)"), b=y * d, w=y * gap)
    scaled = specialize(real("abs(y*w) <= y*abs(w)", "y > 0"), w=gap)
    even = specialize(real("cos(y*w) == cos(y*abs(w))"), w=x - z)
    least = specialize(real("cos(w) <= 1"), w=y * (x - z))
    falls = specialize(
        under(cosine_falls(), "0 <= r", "r <= 1", "0 <= m", "m <= pi", *given),
        r=h / y,
        m=y * d,
    )
    share = [
        real(one, *given)
        for one in (at_most(0, h / y), at_most(h / y, 1), at_most(0, y * d))
    ]
    uses = (
        (least, 1 - HIT),
        (even, HIT),
        (close, HIT),
        (scaled, HIT),
        (near, y),
        (given_by(falls, *share), HIT),
        (low, 0),
        (high, 0),
    )
    return combine(at_most(cos(y * (x - z)), 1 - HIT * (1 - cos(h * d))), *uses)


def proof(part: Statement) -> Iterator[Step]:
    """The mean of the pointwise bound over two independent copies."""
    point = pointwise(*map(str, part.given))
    yield point, "where the distance is d, and where it is not"
    turned = two_turns(BOTH, y)
    yield turned, "two independent losses"
    same = marginal(
        NEAR, BOTH, cos(y * (x - z)), integrable(turned, turned.relation.left)
    )
    chance = dominated(
        cases(NEAR, at_most(HIT, 1)), NEAR, lower=cases(NEAR, at_most(0, HIT))
    )
    right = linear(
        NEAR, 1 - HIT * (1 - cos(h * d)), {HIT: -(1 - cos(h * d))}, chance, constant=1
    )
    bodies = (cos(y * (x - z)), 1 - HIT * (1 - cos(h * d)))
    over = expect(
        point,
        NEAR,
        *(
            integrable(fact, E(NEAR, body))
            for fact, body in zip((same, right), bodies, strict=True)
        ),
    )
    yield over, "the means of both sides"
    copies = (
        (part.assuming["cosine"], -E(ONE, cos(y * x))),
        (part.assuming["sine"], -E(ONE, sin(y * x))),
    )
    yield combine(part.claim, over, right, (same, -1), (turned, -1), *copies), "so"


TOTAL = p + (1 - p) * exp(t)
TWO = Table(
    "T",
    ("x",),
    (),
    (((formula(0),), p / TOTAL), ((formula(1),), (1 - p) * exp(t) / TOTAL)),
)


def shipped() -> Expr:
    """The shipped bound for atoms at 0 and 1 of the masses p and 1 - p, at the height y itself."""
    zero, one, low, high = (
        declared(Formal(value)) for value in (formula(0), formula(1), p, 1 - p)
    )
    atoms = AtomsTransform((low, high), (zero, one))
    tilt, height = formulas(t, y)
    return read(atoms.lattice_decay(tilt, height, one))


def attained(part: Statement) -> Iterator[Step]:
    """A finite sum."""
    given = tuple(map(str, part.given))
    turns = table(TWO, cos(y * x), *given), table(TWO, sin(y * x), *given)
    yield turns[0], "the real part"
    inside = part.claim.right.parts()[0]
    first, second = (fact.relation.right for fact in turns)
    squares = specialize(under(real("0 <= a**2 + b**2"), *given), a=first, b=second)
    positive = combine(at_most(0, inside), squares)
    yield positive, "the square of the modulus"
    whole = given_by(
        specialize(under(real("v == max(v, 0)", "0 <= v"), "0 <= v", *given), v=inside),
        positive,
    )
    uses = [(fact, fact.relation.left + fact.relation.right) for fact in turns]
    yield combine(part.claim, *uses, whole), "is the bound"


def attack(seed: int) -> int:
    """Random atoms on the integers, against the shipped bound."""
    rng = random.Random(seed)
    with precision(128):
        for _ in range(200):
            size = rng.randint(2, 5)
            places = rng.sample(range(-4, 5), size)
            transform = AtomsTransform(
                tuple(map(formula, masses(rng, size))), tuple(map(formula, places))
            )
            low, high = sorted(
                number(Fraction(rng.randint(0, 32), 32)) * circle() for _ in range(2)
            )
            tilt = number(Fraction(rng.randint(1, 40), 20))
            first, second = transform.at(Nodes(tilt, high, 2))
            if (
                abs(second)
                > transform.lattice_decay(tilt, low, formula(1)) * first.real
            ):
                raise Refused(f"atoms at {places} break the bound.")
    return 200


def theorem() -> Theorem:
    """The statement, with what the shipped code gives for symbols."""
    return Theorem(
        verdict=Status.PROVED,
        in_words=(
            (
                "for atoms of the tilted masses p_a, E[I] is the sum of p_a p_b over"
                " the ordered pairs of atoms that are d apart; the shipped loop adds"
                " those that it sees, and fewer only raise the bound"
            ),
        ),
        parts=(
            Statement(
                "pairs",
                "the square of the modulus is at most 1 - E[I] (1 - cos(h d))",
                at_most(MODULUS, 1 - E(NEAR, HIT) * (1 - cos(h * d))),
                proof,
                ("0 <= h", "h <= y", "y > 0", "d > 0", "y*d <= pi"),
                SAME,
            ),
        ),
        sharp=(
            Statement(
                "two-atoms",
                "two atoms attain the shipped bound",
                equal(
                    E(TWO, cos(y * x)) ** 2 + E(TWO, sin(y * x)) ** 2, shipped() ** 2
                ),
                attained,
                ("0 < p", "p < 1"),
            ),
        ),
        falsehoods=(
            Falsehood(
                "the bound holds beyond pi/d",
                at_most(MODULUS, 1 - E(NEAR, HIT) * (1 - cos(h * d))),
                ("0 <= h", "h <= y", "y > 0", "d > 0"),
                assuming=SAME,
                instance=example(
                    {"y": "2*pi", "h": "pi", "d": 1},
                    {name: [(0, "1/2"), (1, "1/2")] for name in ("P", "Q")},
                ),
            ),
        ),
        attacks=(Attack("random atoms on the integers", attack),),
        rules=(AtomsTransform.lattice_decay,),
    )
