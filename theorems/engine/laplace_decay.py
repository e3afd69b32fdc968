"""How fast the transform of the Laplace loss decays along a vertical line.

Printed: not in the sources.
Proved: Let L = |x - mu| - |x| be the loss of a shift by mu > 0 scales, x standard Laplace, and s =
    t + 1/2 > 0. For all y >= h >= 0 and all p in [0, 1], |M(t + i y)|**2 = (E exp(t L) cos(y L))**2
    + (E exp(t L) sin(y L))**2 is at most the square of the shipped bound: the tangent at p of H(v)
    = sqrt((a+b)**2 - 4 a b v) + c sqrt(sinh(s mu)**2 + v) in v = sin(y mu)**2, at the worse end of
    [0, 1]. The law of the loss, tilted by exp(t L), has the shipped variance, with which
    engine/variance-decay is used below pi/(2 mu): its moments are integrals over the noise.
Idea: M is the sum of two complex numbers with known moduli; (x + y)**2 <= (1 + l) x**2 + (1 + 1/l)
    y**2 bounds the modulus of the sum, and with l = c e/f, where f and c e are the moduli at v = p,
    what remains is the tangent.
Source: original to this package.
"""

import random
from collections.abc import Iterator
from fractions import Fraction

from rdpacct.exact.ball import precision
from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import absolute, cos, exp, sin, sinh, sqrt, tanh
from rdpacct.exact.raw import real as number
from rdpacct.mechanisms.laplace.laplace_transform import (
    LaplaceTransform,
    laplace_tangent,
    laplace_variance,
)
from rdpacct.privacy.transform import Nodes
from rdpacct.proof.kernel import (
    Condition,
    Density,
    E,
    Fact,
    Refused,
    Stretch,
    at_most,
    below,
    combine,
    dominated,
    equal,
    given_by,
    integrable,
    integrate,
    real,
    relations_of,
    specialize,
    under,
)
from rdpacct.proof.tactics.shipped import formulas, read
from rdpacct.proof.theorem import Attack, Falsehood, Statement, Status, Step, Theorem

mu, s, y, h, p, C, S = (Symbol(name) for name in ("mu", "s", "y", "h", "p", "C", "S"))
T, G, k, f, e, c, m, g = (
    Symbol(name) for name in ("T", "G", "k", "f", "e", "c", "m", "g")
)
BOUND = read(laplace_tangent(*formulas(mu, s, h, p)))
x = Symbol("x")
HALF = formula(1) / 2
CIRCLE = "C**2 + S**2 == 1"


def parts(total: Expr, gap: Expr) -> tuple[Expr, Expr, Expr, Expr]:
    """The real and imaginary parts of the two numbers whose sum is M, from the sum and the gap of
    the tilted atoms.
    """
    scale = 2 * (s**2 + y**2)
    return (
        total * C,
        gap * S,
        (s * gap * C + y * total * S) / scale,
        (s * total * S - y * gap * C) / scale,
    )


def square(total: Expr, gap: Expr) -> Expr:
    """The square of the modulus of M."""
    one, two, three, four = parts(total, gap)
    return (one + three) ** 2 + (two + four) ** 2


UP = exp(s * mu) * exp(-mu / 2) / 2
DOWN = exp(-s * mu) * exp(-mu / 2) / 2
MODULUS = square(UP + DOWN, UP - DOWN)


CONDITIONS = ("f > 0", "e > 0", "c > 0", "k > 0", "s > 0", "0 <= h", "h <= y")
SLOPE = c / (2 * e) - k / (2 * f)
RELATIONS = (
    CIRCLE,
    "T**2 - G**2 == k",
    "f**2 == T**2 - k*p",
    "k*e**2 == G**2 + k*p",
    "4*c**2*(s**2 + h**2) == k",
    at_most(SLOPE * (1 - p), m),
    at_most(-SLOPE * p, m),
)


def tangent() -> Iterator[Step]:
    """The bound for numbers with these relations between them."""
    x1, x2, y1, y2 = parts(T, G)
    circle, atoms, inside, outside, size, right, left = (
        real(one, one, *CONDITIONS) for one in RELATIONS
    )
    young = under(
        real("(u + v)**2 <= (1 + l)*u**2 + (1 + 1/l)*v**2", "l > 0"),
        "l > 0",
        *CONDITIONS,
    )
    both = [
        under(specialize(young, u=a, v=b, l=c * e / f), *CONDITIONS)
        for a, b in ((x1, y1), (x2, y2))
    ]
    split = combine(
        at_most(
            square(T, G),
            (1 + c * e / f) * (x1**2 + x2**2) + (1 + f / (c * e)) * (y1**2 + y2**2),
        ),
        *both,
    )
    yield split, "the square of a sum"
    first = combine(
        equal(x1**2 + x2**2, f**2 - k * (S**2 - p)),
        (circle, T**2),
        (atoms, -(S**2)),
        (inside, -1),
    )
    yield first, "the square of the first modulus"
    top = combine(
        equal(G**2 * C**2 + T**2 * S**2, G**2 + k * S**2), (circle, G**2), (atoms, S**2)
    )
    lower = real(
        "1/(4*(s**2 + y**2)) <= 1/(4*(s**2 + h**2))", "s > 0", "0 <= h", "h <= y"
    )
    second = combine(
        at_most(y1**2 + y2**2, (G**2 + k * S**2) / (4 * (s**2 + h**2))),
        (top, 1 / (4 * (s**2 + y**2))),
        (lower, G**2 + k * S**2),
        given=CONDITIONS,
    )
    yield second, "the square of the second modulus"
    scale = 1 / (4 * (s**2 + h**2))
    known = combine(
        equal((G**2 + k * S**2) * scale, c**2 * (e**2 + S**2 - p)),
        (outside, -scale),
        (size, -scale * (e**2 + S**2 - p)),
        given=CONDITIONS,
    )
    yield known, "at the height h"
    total = f + c * e
    value = combine(
        at_most(square(T, G), total * (total + 2 * SLOPE * (S**2 - p))),
        split,
        (first, 1 + c * e / f),
        (second, 1 + f / (c * e)),
        (known, 1 + f / (c * e)),
    )
    yield value, "together"
    ends = combine(
        at_most(SLOPE * (S**2 - p), m),
        (right, S**2),
        (left, C**2),
        (circle, SLOPE * p + m),
    )
    yield ends, "the tangent is largest at an end"
    yield (
        combine(
            at_most(square(T, G), (total + m) ** 2), value, (ends, 2 * total), rest=m**2
        ),
        "so",
    )


ROOTS = {
    "f": BOUND.parts()[0],
    "e": sqrt(sinh(s * mu) ** 2 + p),
    "g": sqrt(s * s + h * h),
}
"""The square roots in the bound."""


def named(expr: Expr) -> Expr:
    """The formula with the square roots called by their names."""
    for name, root in ROOTS.items():
        if expr == root:
            return Symbol(name)
    if expr.parts():
        return expr.rebuild(tuple(map(named, expr.parts())))
    return expr


LARGEST = named(BOUND).parts()[2]
VALUES = {
    "T": UP + DOWN,
    "G": UP - DOWN,
    "k": exp(-mu),
    "c": exp(-mu / 2) / (2 * g),
    "m": LARGEST,
}


LOSS = absolute(x - mu) - absolute(x)
RISING = exp(x) / 2
FALLING = exp(-x) / 2
ENDS = ((None, formula(0)), (formula(0), mu / 2), (mu / 2, mu), (mu, None))
NOISE = Density(
    "N",
    ("x",),
    (),
    tuple(Stretch(low, high, RISING if low is None else FALLING) for low, high in ENDS),
)
TILTED = exp((s - HALF) * LOSS)
MOMENTS = tuple(E(NOISE, one) for one in (TILTED, TILTED * LOSS, TILTED * LOSS**2))
VARIANCE = laplace_variance(mu, s, tanh(s * mu))


def moment(order: int, *given: str | Condition) -> Fact:
    """The mean of exp(t L) L**order over the noise, from antiderivatives on four pieces."""
    signs = (
        ("x <= 0",),
        ("0 <= x", "x <= mu/2"),
        ("mu/2 <= x", "x <= mu"),
        ("mu <= x",),
    )
    losses = (mu, mu - 2 * x, mu - 2 * x, -mu)
    on: list[tuple[Fact, ...]] = [
        (real(equal(LOSS, loss), "mu > 0", *where),)
        for loss, where in zip(losses, signs, strict=True)
    ]
    if order == 1:
        body = exp((s - HALF) * (mu - 2 * x)) * (mu - 2 * x)
        factor = exp((s - HALF) * (mu - 2 * x))
        on[1] += (
            combine(at_most(0, body), (real("0 <= mu - 2*x", "x <= mu/2"), factor)),
        )
        on[2] += (
            combine(at_most(body, 0), (real("mu - 2*x <= 0", "mu/2 <= x"), factor)),
        )
    inner = (
        -1 / (2 * s),
        -(mu - 2 * x) / (2 * s) + 1 / (2 * s**2),
        -((mu - 2 * x) ** 2) / (2 * s) + (mu - 2 * x) / s**2 - 1 / s**3,
    )[order]
    between = inner * exp((s - HALF) * mu - 2 * s * x) / 2
    first = mu**order * exp((s - HALF) * mu) * RISING
    last = -((-mu) ** order) * exp(-(s - HALF) * mu) * FALLING
    body = TILTED * LOSS**order if order else TILTED
    return integrate(
        NOISE,
        body,
        (first, between, between, last),
        (RISING, *[-FALLING] * 3),
        *given,
        on=tuple(on),
    )


TURNED = tuple(TILTED * f(y * LOSS) for f in (cos, sin))


def turned(imaginary: bool, *given: str | Condition) -> Fact:
    """The mean of exp(t L) cos(y L) over the noise, or of exp(t L) sin(y L)."""
    rate = (s - HALF) * LOSS
    body = TURNED[imaginary]
    wave = "sin" if imaginary else "cos"
    size = specialize(real(f"abs(exp(p)*{wave}(w)) <= exp(p)"), p=rate, w=y * LOSS)
    known = dominated(size, NOISE, integrable(moment(0, *given), MOMENTS[0]))
    signs = (
        ("x <= 0",),
        ("0 <= x", "x <= mu/2"),
        ("mu/2 <= x", "x <= mu"),
        ("mu <= x",),
    )
    losses = (mu, mu - 2 * x, mu - 2 * x, -mu)
    on = tuple(
        (real(equal(LOSS, loss), "mu > 0", *where),)
        for loss, where in zip(losses, signs, strict=True)
    )
    angle = y * (mu - 2 * x)
    scale = 4 * (s**2 + y**2)
    inner = (
        y * cos(angle) - s * sin(angle)
        if imaginary
        else -s * cos(angle) - y * sin(angle)
    )
    between = exp((s - HALF) * mu - 2 * s * x) * inner / scale
    f = sin if imaginary else cos
    first = exp((s - HALF) * mu) * f(y * mu) * RISING
    last = -exp(-(s - HALF) * mu) * f(-y * mu) * FALLING
    mass = (RISING, *[-FALLING] * 3)
    return integrate(
        NOISE, body, (first, between, between, last), mass, *given, on=on, finite=known
    )


def bound(part: Statement) -> Iterator[Step]:
    """The shipped bound has those relations."""
    *_, (general, _) = tangent()
    yield general, "for all numbers with these relations"
    signs = ("f > 0", "e > 0", "g > 0")
    larger, smaller = (
        specialize(under(real(one), *signs), u=LARGEST.parts()[0], v=LARGEST.parts()[1])
        for one in ("u <= max(u, v)", "v <= max(u, v)")
    )
    slope = SLOPE.at(**VALUES)
    proved = [
        real(below(0, VALUES["c"]), "g > 0"),
        real(below(0, VALUES["k"])),
        real(equal(VALUES["T"] ** 2 - VALUES["G"] ** 2, VALUES["k"])),
        combine(at_most(slope * (1 - p), LARGEST), larger),
        combine(at_most(-slope * p, LARGEST), smaller),
    ]
    shaped = given_by(
        specialize(under(general, *general.domain, *signs), **VALUES), *proved
    )
    yield shaped, "for the shipped terms"
    turn = {"C": cos(y * mu), "S": sin(y * mu)}
    circle = real(equal(turn["C"] ** 2 + turn["S"] ** 2, 1))
    flat = given_by(specialize(shaped, **turn), circle)
    one, two, three, four = (term.at(**turn) for term in parts(UP + DOWN, UP - DOWN))
    uses = []
    for imaginary, value in ((False, one + three), (True, two + four)):
        mean = turned(imaginary, "mu > 0", "s > 0")
        named_mean = combine(equal(mean.relation.left, value), mean)
        yield (
            named_mean,
            ("the imaginary part of M" if imaginary else "the real part of M"),
        )
        uses.append((named_mean, mean.relation.left + value))
    square_ = combine(equal(part.claim.left, flat.relation.left), *uses)
    shaped = combine(at_most(part.claim.left, flat.relation.right), flat, square_)
    yield shaped, "so"
    given = part.given
    sine = under(specialize(real("0 < sinh(u)**2", "u > 0"), u=s * mu), *given)
    values = {name: root.parts()[0] for name, root in ROOTS.items()}
    inside = {
        "f": combine(
            below(0, values["f"]),
            (sine, exp(-mu)),
            rest=exp(-mu) * (1 - p),
            given=given,
        ),
        "e": combine(below(0, values["e"]), sine, rest=p, given=given),
        "g": under(real(below(0, values["g"]), "s > 0"), *given),
    }
    yield inside["f"], "what is below the first root is positive"
    radicands = {f"r_{name}": value for name, value in values.items()}
    ready = specialize(
        under(shaped, *shaped.domain, *(f"0 <= {name}" for name in radicands)),
        **radicands,
    )
    last = specialize(ready, **ROOTS)
    settled = [combine(at_most(0, values[name]), fact) for name, fact in inside.items()]
    settled += [
        given_by(specialize(real("0 < sqrt(r)", "0 < r"), r=values[name]), fact)
        for name, fact in inside.items()
    ]
    settled += [
        real(one, "s > 0")
        for one in relations_of(*last.domain)
        if one.sign == "==" and one.symbols() & {"mu"}
    ]
    yield given_by(last, *settled), "with the roots themselves"


def variance(part: Statement) -> Iterator[Step]:
    """Three integrals."""
    zero, one, two = (moment(order, *part.given) for order in range(3))
    yield zero, "the transform"
    yield one, "its derivative"
    yield two, "its second derivative"
    (m0, v0), (m1, v1), v2 = (
        (zero.relation.left, zero.relation.right),
        (one.relation.left, one.relation.right),
        two.relation.right,
    )
    uses = (two, -m0), (zero, VARIANCE * (m0 + v0) - v2), (one, m1 + v1)
    yield combine(part.claim, *uses, given=part.given), "so the variance is this"


def attack(seed: int) -> int:
    """The shipped transform against the shipped bound, at random places."""
    rng = random.Random(seed)
    with precision(128):
        for _ in range(300):
            shift = Fraction(rng.randint(1, 60), rng.randint(1, 30))
            tilt = Fraction(rng.randint(1, 80), 20)
            low = Fraction(rng.randint(1, 200), 10)
            point = Fraction(rng.randint(0, 16), 16)
            step = low + Fraction(rng.randint(0, 40), 20)
            value = LaplaceTransform(formula(shift)).at(
                Nodes(number(tilt), number(step), 2)
            )[1]
            if abs(value) > laplace_tangent(
                *map(number, (shift, tilt + Fraction(1, 2), low, point))
            ):
                raise Refused(
                    f"the shift {shift} breaks the bound at {tilt} and {step}."
                )
    return 300


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "tangent",
            "the square of the modulus is at most that of the shipped bound",
            at_most(E(NOISE, TURNED[0]) ** 2 + E(NOISE, TURNED[1]) ** 2, BOUND**2),
            bound,
            ("mu > 0", "s > 0", "0 <= h", "h <= y", "0 <= p", "p <= 1"),
        ),
        Statement(
            "variance",
            "the variance of the tilted loss is the shipped one",
            equal(
                VARIANCE * MOMENTS[0] ** 2, MOMENTS[2] * MOMENTS[0] - MOMENTS[1] ** 2
            ),
            variance,
            ("mu > 0", "s > 0"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the second term can be left out, here at mu = s = 1 and y = 0",
            at_most(
                MODULUS.at(mu=1, s=1, y=0, C=1, S=0), ((UP + DOWN) ** 2).at(mu=1, s=1)
            ),
        ),
    ),
    attacks=(Attack("the shipped transform at random places", attack),),
    rules=(laplace_tangent, laplace_variance),
)
