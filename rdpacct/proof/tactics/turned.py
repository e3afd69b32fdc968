"""The complex number 1 - q + q exp(u + i p) in polar form: modulus V and argument W, for angles p
in [0, pi).

Its modulus is at most R = 1 - q + q exp(u) and at least R cos(p/2), and its argument lies in [0,
p].
"""

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import PI, cos, exp, sin
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Fact,
    at_most,
    below,
    combine,
    either,
    equal,
    given_by,
    real,
    relations,
    specialize,
    under,
)

q = Symbol("q")
u = Symbol("u")
RATE = ("0 < q", "q < 1")
RATIO = 1 - q + q * exp(u)


def polar(
    p: Expr, modulus: Expr, argument: Expr, at: Expr = u
) -> tuple[Comparison, ...]:
    """What makes the two the modulus and the argument of 1 - q + q exp(at + i p)."""
    return relations(
        below(0, modulus),
        below(-PI, argument),
        below(argument, PI),
        equal(modulus * cos(argument), 1 - q + q * exp(at) * cos(p)),
        equal(modulus * sin(argument), q * exp(at) * sin(p)),
    )


def angle(p: Expr) -> tuple[Comparison, ...]:
    """The angle lies in [0, pi)."""
    return relations(at_most(0, p), below(p, PI))


def square(p: Expr, modulus: Expr, argument: Expr) -> Fact:
    """The square of the modulus."""
    known = polar(p, modulus, argument)
    re = known[3].right
    im = known[4].right
    sides = [
        (real(known[3], *known), modulus * cos(argument) + re),
        (real(known[4], *known), modulus * sin(argument) + im),
    ]
    return combine(equal(modulus**2, re**2 + im**2), *sides)


def root() -> Fact:
    """v <= r for positive numbers with v**2 <= r**2."""
    v = Symbol("v")
    r = Symbol("r")
    known = relations("v**2 <= r**2", "0 < v", "0 < r")
    return combine(at_most(v, r), (real(known[0], *known), 1 / (v + r)))


def modulus_below(p: Expr, modulus: Expr, argument: Expr) -> Fact:
    """V <= R."""
    known = (*relations(*RATE), *polar(p, modulus, argument))
    room = specialize(
        real("2*a*b*c <= 2*a*b", "0 <= a", "0 <= b", "c <= 1"),
        a=1 - q,
        b=q * exp(u),
        c=cos(p),
    )
    room = given_by(
        room,
        real(at_most(0, 1 - q), *RATE),
        real(at_most(0, q * exp(u)), *RATE),
        specialize(real("cos(v) <= 1"), v=p),
    )
    squares = combine(at_most(modulus**2, RATIO**2), square(p, modulus, argument), room)
    rule = specialize(root(), v=modulus, r=RATIO)
    return under(given_by(rule, squares, real(below(0, RATIO), *RATE)), *known)


def modulus_above(p: Expr, modulus: Expr, argument: Expr) -> Fact:
    """R cos(p/2) <= V."""
    known = (*relations(*RATE), *angle(p), *polar(p, modulus, argument))
    bounds = [
        specialize(real(text), v=p / 2) for text in ("-1 <= cos(v)", "cos(v) <= 1")
    ]
    room = specialize(
        real("0 <= (1 - c**2)*d**2", "-1 <= c", "c <= 1"),
        c=cos(p / 2),
        d=1 - q - q * exp(u),
    )
    room = given_by(room, *bounds)
    squares = combine(
        at_most((cos(p / 2) * RATIO) ** 2, modulus**2),
        (square(p, modulus, argument), -1),
        room,
    )
    cosine = specialize(real("0 < cos(v/2)", "0 <= v", "v < pi"), v=p)
    product = specialize(real("0 < c*r", "0 < c", "0 < r"), c=cos(p / 2), r=RATIO)
    product = given_by(product, cosine, real(below(0, RATIO), *RATE))
    rule = specialize(root(), r=modulus, v=cos(p / 2) * RATIO)
    return under(given_by(rule, squares, product), *known)


def sign_of_angle() -> Fact:
    """0 <= w for angles in (-pi, pi) whose sine is not negative."""
    w = Symbol("w")
    s = Symbol("s")
    t = Symbol("t")
    inside = relations("-pi < w", "w < pi", "0 <= sin(w)")
    scaled = combine(
        at_most(0, s * w / t),
        (real("0 <= s", "0 <= s"), w / t),
        given=("w < 0", "t < 0"),
    )
    never = combine(at_most(0, w), scaled, (real("s*w/t == w", "s == t", "t < 0"), 1))
    falls = real("sin(w) < 0", "-pi < w", "w < 0")
    never = given_by(specialize(never, s=sin(w), t=sin(w)), falls)
    return either(
        under(never, *inside, "w < 0"), real(at_most(0, w), *inside, "0 <= w")
    )


def argument_positive(p: Expr, modulus: Expr, argument: Expr) -> Fact:
    """0 <= W."""
    known = (*relations(*RATE), *angle(p), *polar(p, modulus, argument))
    sine = given_by(specialize(real("0 <= sin(v)", "0 <= v", "v < pi"), v=p))
    up = combine(
        at_most(0, sin(argument)),
        (real(known[-1], *known), -1 / modulus),
        (sine, q * exp(u) / modulus),
    )
    return under(given_by(specialize(sign_of_angle(), w=argument), up), *known)


def argument_below(p: Expr, modulus: Expr, argument: Expr) -> Fact:
    """W <= p."""
    known = (*relations(*RATE), *angle(p), *polar(p, modulus, argument))
    positive = argument_positive(p, modulus, argument)
    sine = specialize(real("0 <= sin(v)", "0 <= v", "v < pi"), v=p)
    gap = p - argument
    turned = combine(
        at_most(0, sin(gap)),
        (sine, (1 - q) / modulus),
        (real(known[-1], *known), cos(p) / modulus),
        (real(known[-2], *known), -sin(p) / modulus),
    )
    low = combine(below(-PI, gap), real(known[2], *known), real(known[-3], *known))
    high = combine(below(gap, PI), real(known[3], *known), positive)
    sign = given_by(specialize(sign_of_angle(), w=gap), turned, low, high)
    return under(combine(at_most(argument, p), sign), *known)


def cosine_falls(near: Expr, far: Expr) -> Fact:
    """cos(far/2) <= cos(near/2) for 0 <= near <= far < pi: their difference is twice a product of
    sines.
    """
    known = relations(at_most(0, near), at_most(near, far), below(far, PI))
    start, order, end = (real(relation, *known) for relation in known)
    half = formula(1) / 2
    quarter = formula(1) / 4
    turn = real("0 < pi")
    sums = {
        (far + near) / 4: (
            [(start, half), (order, quarter)],
            [(end, half), (order, quarter), (turn, half)],
        ),
        (far - near) / 4: (
            [(order, quarter)],
            [(end, quarter), (start, quarter), (turn, 3 * quarter)],
        ),
    }
    sines = []
    for angle_, (above, under_pi) in sums.items():
        signs = (
            combine(at_most(0, angle_), *above),
            combine(below(angle_, PI), *under_pi),
        )
        sines.append(
            given_by(
                specialize(real("0 <= sin(v)", "0 <= v", "v < pi"), v=angle_), *signs
            )
        )
    product = specialize(
        real("0 <= x*y", "0 <= x", "0 <= y"),
        x=sines[0].relation.right,
        y=sines[1].relation.right,
    )
    return combine(at_most(cos(far / 2), cos(near / 2)), (given_by(product, *sines), 2))


def argument_small(p: Expr, modulus: Expr, argument: Expr, small: Fact) -> Fact:
    """W (1 - q) <= q exp(u) p, for a fact that the angle is below pi/2: W cos W <= sin W, and V cos
    W >= 1 - q.
    """
    known = polar(p, modulus, argument)
    weight = q * exp(u)
    near = combine(below(p, PI), small, (real("0 < pi"), formula(1) / 2))
    positive = given_by(argument_positive(p, modulus, argument), near)
    tangent = given_by(
        specialize(real("w*cos(w) <= sin(w)", "0 <= w", "w < pi"), w=argument), positive
    )
    cosine = given_by(specialize(real("0 <= cos(v)", "0 <= v", "v < pi/2"), v=p), small)
    product = specialize(real("0 <= x*y", "0 <= x", "0 <= y"), x=argument, y=cos(p))
    return combine(
        at_most(argument * (1 - q), weight * p),
        (tangent, modulus),
        (real(known[3], *known), -argument),
        (real(known[4], *known), 1),
        (given_by(product, positive, cosine), weight),
        (specialize(real("sin(v) <= v", "0 <= v"), v=p), weight),
    )
