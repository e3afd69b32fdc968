"""The transform of the Laplace loss at complex rates.

Printed: not in the sources.
Proved: E exp(z L) = (exp(mu z) (1 + w) + exp(-mu (z + 1)) (1 - w))/2 with w = 1/(2 z + 1), for
    every z = t + i y with t > -1/2: its real and imaginary parts are E exp(t L) cos(y L) and E
    exp(t L) sin(y L), and these are what the shipped function computes at z. It is also exp(mu z)
    z/(2 z + 1) ((z + 1)/z + exp(-mu (2 z + 1))), by which products over several shifts are
    evaluated: for one shift the shipped product is the transform, and for two it is the product of
    those of one, in both parts.
Idea: The loss is -mu, mu and between them uniform under exp(-L/2); antiderivatives on the three
    pieces.
Source: Mironov (2017), Renyi differential privacy, Proposition 6, for real orders.
"""

from rdpacct.book.words import (
    Attack, Ball, Complex, E, Expr, Falsehood, Formal, Fraction, Iterator, LEFT, LaplaceTransform,
    Nodes, RIGHT, Refused, Statement, Status, Step, Symbol, Theorem, around, at_most, at_one_node,
    by_prover, cmath, combine, complex_of, cos, declared, dominated, equal, exp, formula, formulas,
    integrable, integrate, laplace_log_moment as log_moment, laplace_pair_LOSS as LOSS,
    laplace_pair_s as s, laplace_pair_x as x, lemma, mul, one_node, precision, random,
    raw_real as raw, real, reduce, sin, specialize, under, whole,
)  # fmt: skip

t = Symbol("rate")
y = Symbol("y")
P = around()
TILTED = exp(t * LOSS)
SIZE = (2 * t + 1) ** 2 + 4 * y**2
"""The square of the modulus of 2 z + 1."""


def value(*shifts: Expr) -> Complex:
    """What the shipped transforms of these shifts come to at any node z = rate + i y."""
    group = [LaplaceTransform(declared(Formal(shift))) for shift in shifts]
    found = [at_one_node(transform.at(one_node(t, y))) for transform in group]
    return reduce(mul, found)


def shifted(*shifts: Expr) -> Complex:
    """The product that is shipped for several shifts, at the second of two nodes."""
    group = [LaplaceTransform(declared(Formal(shift))) for shift in shifts]
    tilt, step = formulas(t, y)
    found = LaplaceTransform.shifted(group, Nodes(tilt, step, 2))
    return whole(found[1])


VALUE = value(s)
FORMS = {"real part": (cos, VALUE.re), "imaginary part": (sin, VALUE.im)}


def turned(part: Statement) -> Iterator[Step]:
    """Antiderivatives on the three pieces; the moment dominates."""
    turn, _ = FORMS[part.name]
    size = lemma("laplace/renyi", "above")
    body = TILTED * turn(y * LOSS)
    bound = real(f"abs(exp(rate*l)*{turn.__name__}(y*l)) <= exp(rate*l)")
    finite = dominated(specialize(bound, l=LOSS), P, integrable(size, E(P, TILTED)))
    yield size, "the moment at the real part of the rate"
    given = part.given
    pieces = P.pieces
    values = (-s, 2 * x - s, s)
    wheres = (
        ("output <= 0", "s > 0"),
        ("0 <= output", "output <= s"),
        ("s <= output", "s > 0"),
    )
    on = tuple(
        (under(real(equal(LOSS, value), *where), *piece.where("output"), *given),)
        for value, where, piece in zip(values, wheres, pieces, strict=True)
    )
    here = turn(y * values[1])
    other = sin(y * values[1]) if turn is cos else -cos(y * values[1])
    middle = exp(t * values[1]) * LEFT * ((2 * t + 1) * here + 2 * y * other) / SIZE
    parts = (
        exp(-t * s) * turn(-y * s) * LEFT,
        middle,
        -exp(t * s) * turn(y * s) * RIGHT,
    )
    total = integrate(
        P, body, parts, (LEFT, LEFT, -RIGHT), *given, on=on, finite=finite
    )
    yield total, "the antiderivatives on the three pieces"
    yield combine(part.claim, total, given=given), "sorted by w"


def form(z: Expr) -> Expr:
    """The transform at a real rate."""
    w = 1 / (2 * z + 1)
    return (exp(s * z) * (1 + w) + exp(-s * (z + 1)) * (1 - w)) / 2


def products(seed: int) -> int:
    """The shipped products over several shifts, against the products of the transforms, in
    balls.
    """
    rng = random.Random(seed)
    for _ in range(10):
        shifts = [Fraction(rng.randint(1, 40), 10) for _ in range(rng.randint(1, 12))]
        with precision(128):
            nodes = Nodes(
                raw(Fraction(rng.randint(1, 30), 10)),
                raw(Fraction(rng.randint(1, 30), 10)),
                6,
            )
            laws = [LaplaceTransform(formula(shift)) for shift in shifts]
            found = LaplaceTransform.product(laws, nodes)
            wanted = [complex_of(raw(1), raw(0))] * 6
            for law in laws:
                wanted = [
                    one * two for one, two in zip(wanted, law.at(nodes), strict=True)
                ]
            if not all(
                one.overlaps(two) for one, two in zip(found, wanted, strict=True)
            ):
                raise Refused(
                    f"the product over the shifts {shifts} is not that of the"
                    " transforms."
                )
    return 60


def attack(seed: int) -> int:
    """The shipped values at random nodes, against the form in double precision, and M at the first
    against the log.
    """
    rng = random.Random(seed)
    for _ in range(40):
        shift, tilt, step = (Fraction(rng.randint(1, 40), 10) for _ in range(3))
        with precision(96):
            found = LaplaceTransform(formula(shift)).at(Nodes(raw(tilt), raw(step), 4))
            first = Ball(found[0].real, 96)
        if not first.bound().overlaps(
            exp(log_moment(formula(shift), formula(tilt))).bound()
        ):
            raise Refused(
                f"the transform of the shift {shift} at {tilt} is not its moment."
            )
        for number, value in enumerate(found):
            z = complex(float(tilt), number * float(step))
            w = 1 / (2 * z + 1)
            mu = float(shift)
            wanted = (
                cmath.exp(mu * z) * (1 + w) + cmath.exp(-mu * (z + 1)) * (1 - w)
            ) / 2
            if abs(complex(value) - wanted) > 1e-9 * abs(cmath.exp(mu * z.real)):
                raise Refused(
                    f"the transform of the shift {shift} at {z} is not {wanted}."
                )
    return 160


u = Symbol("u")
PRODUCTS = {
    "product of one": (shifted(s), value(s)),
    "product of two": (shifted(s, u), shifted(s) * shifted(u)),
}
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        *(
            Statement(
                name,
                f"the shipped {name} of the transform at rate + i y",
                equal(E(P, TILTED * turn(y * LOSS)), value),
                turned,
                ("s > 0", "rate > -1/2"),
            )
            for name, (turn, value) in FORMS.items()
        ),
        *(
            Statement(
                f"{name}, {part}",
                f"the {part} part of the shipped {name} shifts: with several, each has"
                " its factor",
                claim,
                by_prover("sorted by w"),
                ("s > 0", "u > 0", "rate > 0"),
            )
            for name, (left, right) in PRODUCTS.items()
            for part, claim in (
                ("real", equal(left.re, right.re)),
                ("imaginary", equal(left.im, right.im)),
            )
        ),
    ),
    sharp=(
        Statement(
            "on the line",
            "at a real rate it is the moment behind the Renyi divergences",
            equal(FORMS["real part"][1].at(y=0), exp(log_moment(s, t))),
            by_prover("sorted by w"),
            ("s > 0", "rate > -1/2"),
        ),
        Statement(
            "symmetric",
            "the transform does not change when z becomes -1 - z, as the pair is"
            " exchanged",
            equal(form(-1 - t), form(t)),
            by_prover("w changes its sign"),
            ("rate > -1/2",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the density between may be left out",
            at_most(form(t), (exp(s * t) + exp(-s * (t + 1))) / 2),
            ("s > 0", "rate > 0"),
        ),
    ),
    attacks=(
        Attack("shipped values at random nodes", attack),
        Attack("shipped products over random shifts", products),
    ),
    rules=(LaplaceTransform.at, LaplaceTransform.shifted),
)
