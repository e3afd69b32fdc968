"""How fast the transform of the Laplace loss decays along a vertical line.

Printed: not in the sources.
Proved: Let L = |x - mu| - |x| be the loss of a shift by mu > 0 scales, x standard Laplace, and s =
    t + 1/2 > 0. For all y >= h >= 0 and all p in [0, 1], |M(t + i y)|**2 = (E exp(t L) cos(y L))**2
    + (E exp(t L) sin(y L))**2 is at most the square of the shipped bound: the tangent at p of H(v)
    = sqrt((a+b)**2 - 4 a b v) + c sqrt(sinh(s mu)**2 + v) in v = sin(y mu)**2, at the worse end of
    [0, 1]. The law of the loss, tilted by exp(t L), has the shipped variance, its moments being
    integrals over the noise, with which engine/variance-decay bounds it below pi/(2 mu). So for h
    below pi/(2 mu) it is at most the square of what the shipped `decay` says: the tangent at h, or
    the larger of that at pi/(2 mu) and of the bound by the variance, each of which holds on its
    side of pi/(2 mu).
Idea: M is the sum of two complex numbers with known moduli; (x + y)**2 <= (1 + l) x**2 + (1 + 1/l)
    y**2 bounds the modulus of the sum, and with l = c e/f, where f and c e are the moduli at v = p,
    what remains is the tangent.
Source: original to this package.
"""

from rdpacct.book.words import (
    Attack, Condition, Density, E, Expr, Fact, Falsehood, Fraction, Iterator, LaplaceTransform,
    Nodes, PI, Refused, SLOPE, Statement, Status, Step, Stretch, Symbol, Theorem, Weighted, Witness,
    absolute, assume, at_most, at_spread, below, combine, cos, cut_at_zero,
    decay_m as value_on_axis, dominated, equal, example, exp, formula, formulas, given_by,
    integrable, integrate, laplace_tangent, laplace_variance, maximum, minimum, near_or_far, parts,
    precision, random, raw_real as number, read, real, relations_among, relations_of, sin, sinh,
    smaller, specialize, sqrt, square, tangent, tanh, under, variance_decay,
)  # fmt: skip

mu, s, y, h, p, C, S = (Symbol(name) for name in ("mu", "s", "y", "h", "p", "C", "S"))
T, G, k, f, e, c, m, g = (
    Symbol(name) for name in ("T", "G", "k", "f", "e", "c", "m", "g")
)
BOUND = read(laplace_tangent(*formulas(mu, s, h, p)))
x = Symbol("x")
HALF = formula(1) / 2


UP = exp(s * mu) * exp(-mu / 2) / 2
DOWN = exp(-s * mu) * exp(-mu / 2) / 2
MODULUS = square(UP + DOWN, UP - DOWN)


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
    (at_most(-mu, LOSS),),
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


SQUARE = E(NOISE, TURNED[0]) ** 2 + E(NOISE, TURNED[1]) ** 2
SIGNS = ("f > 0", "e > 0", "g > 0")


def named_bound() -> Iterator[Step]:
    """The shipped bound has those relations, with its square roots called by their names."""
    *_, (general, _) = tangent()
    yield general, "for all numbers with these relations"
    proved = [
        real(below(0, VALUES["c"]), "g > 0"),
        real(below(0, VALUES["k"])),
        real(equal(VALUES["T"] ** 2 - VALUES["G"] ** 2, VALUES["k"])),
        *tangent_ends(),
    ]
    shaped = given_by(
        specialize(under(general, *general.domain, *SIGNS), **VALUES), *proved
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
    square_ = combine(equal(SQUARE, flat.relation.left), *uses)
    yield combine(at_most(SQUARE, flat.relation.right), flat, square_), "so"


def tangent_ends() -> tuple[Fact, Fact]:
    """The larger end of the tangent is at least each of them."""
    larger, smaller_ = (
        specialize(under(real(one), *SIGNS), u=LARGEST.parts()[0], v=LARGEST.parts()[1])
        for one in ("u <= max(u, v)", "v <= max(u, v)")
    )
    slope = SLOPE.at(**VALUES)
    return (
        combine(at_most(slope * (1 - p), LARGEST), larger),
        combine(at_most(-slope * p, LARGEST), smaller_),
    )


def named_is_positive() -> Fact:
    """The bound is not negative: of the ends of a tangent one is not."""
    first, second = tangent_ends()
    where = ("0 <= p", "p <= 1")
    rest = f + VALUES["c"] * e
    return combine(
        at_most(0, named(BOUND)),
        (first, p),
        (second, 1 - p),
        rest=rest,
        given=(*where, "mu > 0"),
    )


def rooted(fact: Fact, given: tuple[str, ...], **values: Expr) -> Fact:
    """A fact about numbers f, e and g with those relations, for the square roots themselves.

    The values are those of p and h, and the names begin with f, e and g.
    """
    tag = "" if not values else "2"
    sine = under(specialize(real("0 < sinh(u)**2", "u > 0"), u=s * mu), *given)
    place = values.get("p", p)
    inner = {name: root.parts()[0].at(**values) for name, root in ROOTS.items()}
    inside = {
        "f": combine(
            below(0, inner["f"]),
            (sine, exp(-mu)),
            rest=exp(-mu) * (1 - place),
            given=given,
        ),
        "e": combine(below(0, inner["e"]), sine, rest=place, given=given),
        "g": under(real(below(0, inner["g"]), "s > 0", "mu > 0"), *given),
    }
    radicands = {f"r_{name}": value for name, value in inner.items()}
    ready = specialize(
        under(fact, *fact.domain, *(f"0 <= {name}" for name in radicands)), **radicands
    )
    last = specialize(
        ready, **{name + tag: sqrt(value) for name, value in inner.items()}
    )
    settled = [combine(at_most(0, inner[name]), fact) for name, fact in inside.items()]
    root = under(real("0 < sqrt(r)", "0 < r"), "0 < r", *given)
    settled += [
        given_by(specialize(root, r=inner[name]), fact) for name, fact in inside.items()
    ]
    named_still = {name + more for name in ROOTS for more in ("", "2")}
    settled += [
        real(one, "s > 0", "mu > 0")
        for one in relations_among(last.domain)
        if one.sign == "==" and not one.symbols() & named_still
    ]
    return given_by(last, *settled)


def bound(part: Statement) -> Iterator[Step]:
    """The shipped bound has those relations."""
    steps = list(named_bound())
    yield from steps
    yield rooted(steps[-1][0], tuple(map(str, part.given))), "with the roots themselves"


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


HALF_TURN = PI / (2 * mu)
p2 = Symbol("p2")
SECOND = {"f": Symbol("f2"), "e": Symbol("e2"), "g": Symbol("g2")}
BEYOND = BOUND.at(h=HALF_TURN, p=p2)
"""The shipped bound from pi/(2 mu) on, with its tangent at another point."""
AXIS = Weighted(NOISE, LOSS, TILTED, -mu, 2 * mu)
SPREAD = at_spread(VARIANCE, 2 * mu)
NEAR = read(variance_decay(*formulas(VARIANCE, 2 * mu, h))) * value_on_axis
GIVEN = ("mu > 0", "s > 0")
HEIGHTS = (
    *(*GIVEN, "0 <= h", "h <= y", "0 < y", "0 < m"),
    *("0 <= p", "p <= 1", "0 <= p2", "p2 <= 1"),
)


def glued(part: Statement) -> Iterator[Step]:
    """The variance up to pi/(2 mu), and the tangent from there on."""
    given = tuple(map(str, part.given))
    value = part.assuming["value"]
    *_, (far, _) = named_bound()
    there = specialize(far, **SECOND, p=p2, h=HALF_TURN)
    moments = {
        body: integrable(moment(order, *GIVEN), MOMENTS[order])
        for order, body in ((1, LOSS), (2, LOSS**2))
    }
    (spread,) = (one.fact() for one in THEOREM.parts if one.name == "variance")
    close = AXIS.near(value, moments, spread, *GIVEN)
    yield close, "up to pi/(2 mu), by the variance of the tilted law"
    names = {str(name) for name in SECOND.values()}
    more = [one for one in relations_of(*there.domain) if one.symbols() & names]
    where: tuple[str | Condition, ...] = (*given, *more)
    positive = specialize(named_is_positive(), **SECOND, p=p2, h=HALF_TURN)
    larger = near_or_far(close, there, SPREAD, HALF_TURN, *where, positive=positive)
    yield larger, "the larger of the two, on either side of pi/(2 mu)"
    own = [one for one in relations_of(*far.domain) if one.symbols() & set(ROOTS)]
    all_ = (*where, *own)
    low = under(far, *all_)
    high = under(larger, *all_)
    sides = [fact.relation.right.parts()[0] for fact in (low, high)]
    cut = cut_at_zero(SPREAD, *all_)
    both = smaller(low, high, sides[0], sides[1], cut)
    yield both, "the smaller of that and the tangent at the least height"
    found = rooted(rooted(both, given, p=p2, h=HALF_TURN), given)
    yield under(found, *given), "with the roots themselves"


def at_one() -> Witness:
    """mu = s = y = 1, with the value of the transform there."""
    ones = {"mu": 1, "s": 1}
    value = under(specialize(moment(0, *GIVEN), **ones))
    points = {"h": 0, "y": 1, "p": 0, "p2": 0}
    return Witness(example({**ones, **points, "m": value.relation.right}), (value,))


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
        Statement(
            "decay",
            "below pi/(2 mu) the square of the modulus is at most that of the shipped"
            " bound: the tangent, or the larger of that from pi/(2 mu) on and of the"
            " bound by the variance, from the value m on the axis",
            at_most(SQUARE, minimum(BOUND, maximum(NEAR, BEYOND)) ** 2),
            glued,
            HEIGHTS,
            {"value": assume(equal(MOMENTS[0], value_on_axis))},
            witness=at_one,
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
