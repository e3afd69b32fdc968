"""The transform of the Gaussian loss along a vertical line, and its modulus.

Printed: not in the sources.
Proved: Let L = mu X + mu**2/2 be the loss of a shift by mu standard deviations, X standard normal,
    and z = t + i y. E exp(t L) cos(y L) and E exp(t L) sin(y L) are the real and imaginary parts of
    the shipped M(z) = exp(z (1 + z) mu**2/2). The sum of their squares is, for y >= h >= 0, at most
    the square of the shipped bound M(t) exp(-h**2 mu**2/2), and equal to it for y = h.
Idea: The characteristic function of the normal law, from its differential equation; exp(A + i B)
    has the modulus exp(A).
Source: Feller, An Introduction to Probability Theory and Its Applications, volume 2, chapter 15,
    for the characteristic function of the normal law.
"""

from rdpacct.book.words import (
    Attack, E, Expectation, Expr, Falsehood, Formal, Fraction, GaussianTransform, Iterator, Nodes,
    PI, Refused, Statement, Status, Step, Symbol, Theorem, at_most, at_one_node, combine, cos,
    declared, equal, exp, formula, formulas, given_by, integrable, lemma, linear, normal,
    normal_characteristic, one_node, partial, precision, random, raw_real as number, read, real,
    sin, specialize, under,
)  # fmt: skip

x, t, y, h, w, mu = (Symbol(name) for name in ("x", "t", "y", "h", "w", "mu"))
N = normal.standard_normal()
LOSS = normal.loss(mu, x)
HEIGHT = (t * (1 + t) - y**2) * mu**2 / 2
PARTS = tuple(E(N, exp(t * LOSS) * f(y * LOSS)) for f in (cos, sin))
START = exp(t * (1 + t) * mu**2 / 2)
TILT, LEVEL, MOMENT = formulas(t, h, START)
TRANSFORM = GaussianTransform(declared(Formal(mu**2)))
VALUE = at_one_node(TRANSFORM.at(one_node(t, y)))
SHIPPED = read(TRANSFORM.decay(TILT, LEVEL, MOMENT))


def turned(part: Statement, shift: Expr) -> Iterator[Step]:
    """The characteristic function of the tilted noise, at the angle of the mean loss."""
    found = specialize(
        normal_characteristic(N), t=t * mu, w=y * mu, a=y * mu**2 / 2 - shift
    )
    yield found, "the characteristic function of the normal law"
    left = part.claim.left
    if not isinstance(left, Expectation):
        raise Refused(f"{left} is no mean.")
    inner = normal.mean_of(found)
    split = linear(
        N,
        left.body,
        {inner.body: exp(t * mu**2 / 2)},
        integrable(found, inner),
    )
    yield (
        combine(part.claim, split, (found, exp(t * mu**2 / 2))),
        "the loss is mu x + mu**2/2",
    )


def modulus(part: Statement) -> Iterator[Step]:
    """The turn has the modulus 1."""
    parts = [lemma("engine/gaussian-decay", name) for name in ("real", "imaginary")]
    lower = real("-y**2 <= -h**2", *part.given)
    rises = under(real("exp(a) <= exp(b)", "a <= b"), "a <= b", *part.given)
    rises = specialize(rises, a=-(y**2) * mu**2, b=-(h**2) * mu**2)
    falls = given_by(
        rises, combine(at_most(-(y**2) * mu**2, -(h**2) * mu**2), (lower, mu**2))
    )
    yield falls, "the bound falls"
    squares = [(fact, fact.relation.left + fact.relation.right) for fact in parts]
    flat = combine(equal(part.claim.left, exp(HEIGHT) ** 2), *squares)
    yield flat, "the turn has the modulus 1"
    yield combine(part.claim, flat, (falls, START**2)), "together"


def attained(part: Statement) -> Iterator[Step]:
    """The same at y = h."""
    parts = [lemma("engine/gaussian-decay", name) for name in ("real", "imaginary")]
    yield (
        combine(
            part.claim,
            *((fact, fact.relation.left + fact.relation.right) for fact in parts),
        ),
        "the same",
    )


def attack(seed: int) -> int:
    """The shipped transform against the shipped bound, at random places."""
    rng = random.Random(seed)
    with precision(128):
        for _ in range(200):
            transform = GaussianTransform(formula(Fraction(rng.randint(1, 60), 20)))
            tilt = number(Fraction(rng.randint(1, 80), 20))
            low = Fraction(rng.randint(0, 60), 20)
            height = low + Fraction(rng.randint(1, 20), 20)
            first, second = transform.at(Nodes(tilt, number(height), 2))
            if abs(second) > transform.decay(tilt, number(low), first.real):
                raise Refused(f"{transform} breaks the bound at the height {height}.")
    return 200


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "real",
            "the real part of the shipped value at any node",
            equal(PARTS[0], VALUE.re),
            partial(turned, shift=formula(0)),
        ),
        Statement(
            "imaginary",
            "its imaginary part",
            equal(PARTS[1], VALUE.im),
            partial(turned, shift=PI / 2),
        ),
        Statement(
            "modulus",
            "the square of the modulus is at most that of the shipped bound",
            at_most(PARTS[0] ** 2 + PARTS[1] ** 2, SHIPPED**2),
            modulus,
            ("0 <= h", "h <= y"),
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "at the height itself",
            equal(PARTS[0] ** 2 + PARTS[1] ** 2, SHIPPED.at(h=y) ** 2),
            attained,
        ),
    ),
    falsehoods=(
        Falsehood(
            "twice the exponent, here at t = 1 and mu = 1",
            at_most((exp(HEIGHT) ** 2).at(t=1, mu=1), exp(2 - 2 * y**2)),
            ("y > 0",),
        ),
    ),
    attacks=(Attack("the shipped transform at random places", attack),),
    rules=(GaussianTransform.at, GaussianTransform.decay),
)
