"""How fast the transform of the discrete Gaussian loss decays over half a period.

Printed: not in the sources.
Proved: Let M be the transform of the discrete Gaussian loss of a shift by m
    (discrete-gaussian/transform), and look at cos(q) Re M + sin(q) Im M at z = t + i y, which is
    |M| for one of the angles q. For every q it is at most exp((t (1 + t) - y**2) m**2/(2 v)) E
    cosh(2 pi y m j), where j has probability proportional to exp(-2 pi**2 v j**2), while M(t) =
    exp(t (1 + t) m**2/(2 v)) E cos(2 pi t m j). With x = y m/v the terms of the first mean are
    those of the sum of exp(-v (x + 2 pi j)**2/2), a wrapped normal density. For v >= 1 and 0 <= w <
    x <= pi, its three largest terms are at most what they are at w, and the others at most those of
    a geometric series, so that it is at most the shipped bound at w.
Idea: The terms j = 0, 1 and -1 have the derivative -v exp(-v x**2/2) (x - ...), whose sign is that
    of x for x <= pi/2, since exp is convex, and is seen from one exponential beyond.
Source: original to this package; Canonne, Kamath and Steinke, The discrete Gaussian for
    differential privacy, for the mechanism.
"""

from rdpacct.book.words import (
    Attack, Density, DiscreteGaussianTransform, E, Expr, Fact, Falsehood, Fraction, Iterator, Nodes,
    PI, Real, Refused, Statement, Status, Step, Stretch, Symbol, Theorem, at_most, by_prover,
    combine, conditions_of, cos, cosh, either, equal, exp, expect, formulas, given_by, integrable,
    integrate, lemma, linear, module, precision, random, raw_pi as circle, raw_real as number, read,
    real, relations, relations_of, sin, specialize, under, wrapped_normal,
)  # fmt: skip

TRANSFORM = module("discrete-gaussian/transform")
x, low, high, K, v, w, h, j, k = (
    Symbol(name) for name in ("x", "low", "high", "K", "v", "w", "h", "j", "k")
)
UP = exp(-2 * K * (1 - x))
DOWN = exp(-2 * K * (1 + x))


def slope() -> Fact:
    """0 <= x - (2 - x) exp(-2 K (1 - x)) + (2 + x) exp(-2 K (1 + x)) for 0 <= x <= 1 and K >= 9."""
    claim = at_most(0, x - (2 - x) * UP + (2 + x) * DOWN)
    given = ("K >= 9", "0 <= x", "x <= 1")
    rises = real("exp(p) <= exp(q)", "p <= q")
    fast = specialize(
        under(rises, "p <= q", *given), p=-2 * K * (1 - x), q=-18 * (1 - x)
    )
    gap = combine(
        at_most(-2 * K * (1 - x), -18 * (1 - x)), (real("9 <= K", *given), 2 * (1 - x))
    )
    single = real("(2 - x)*exp(-18*(1 - x)) <= x", "1/2 <= x", "x <= 1")
    right = combine(claim, (given_by(fast, gap), 2 - x), single, rest=(2 + x) * DOWN)
    chord = real("exp(s*p) <= 1 + s*(exp(p) - 1)", "0 <= s", "s <= 1", "p >= 0")
    inside = ("K >= 9", "0 <= x", "x <= 1/2")
    convex = under(specialize(chord, s=2 * x, p=K), *inside)
    small = real("8*exp(-K) <= 1", "K >= 9")
    sine = specialize(
        under(real("exp(p) - exp(-p) <= 2*exp(p) - 2", "p >= 0"), "p >= 0", *inside),
        p=2 * K * x,
    )
    sine = under(sine, *inside)
    left = combine(
        claim,
        (sine, 2 * exp(-2 * K)),
        (convex, 4 * exp(-2 * K)),
        (small, x),
        rest=x * UP + x * DOWN + 8 * x * exp(-2 * K),
    )
    return either(
        under(left, *inside, "x <= 1"),
        under(right, "K >= 9", "0 <= x", "x <= 1", "1/2 <= x"),
    )


def three(place: Expr) -> Expr:
    """The three largest terms, at pi times this place, with K = pi**2 v."""
    return (
        exp(-K * place**2 / 2)
        + exp(-K * (2 - place) ** 2 / 2)
        + exp(-K * (2 + place) ** 2 / 2)
    )


UNIFORM = Density(
    "U",
    ("x",),
    relations("low <= x", "x <= high"),
    (Stretch(low, high, 1 / (high - low)),),
)
SHIPPED = read(wrapped_normal(*formulas(h, v, PI)))


def three_fall() -> Fact:
    """The three largest terms fall up to pi: the integral of their derivative is not positive."""
    given = ("K >= 9", "0 <= low", "low < high", "high <= 1")
    inside = (*given, "low <= x", "x <= high")
    body = -K * exp(-K * x**2 / 2) * (x - (2 - x) * UP + (2 + x) * DOWN)
    down = under(combine(at_most(body, 0), (slope(), K * exp(-K * x**2 / 2))), *inside)
    whole = three(x) / (high - low)
    mean = integrate(
        UNIFORM, body, (whole,), (x / (high - low),), *given, on=((down,),)
    )
    sign = expect(down, UNIFORM, integrable(mean, E(UNIFORM, body)))
    return combine(
        at_most(three(high), three(low)), (sign, high - low), (mean, -(high - low))
    )


def falls(part: Statement) -> Iterator[Step]:
    """The same in other units."""
    yield slope(), "the sign of the derivative"
    fall = three_fall()
    yield fall, "so the three largest terms fall"
    given = part.given
    named = specialize(
        under(fall, *fall.domain, *given), K=PI**2 * v, low=h / PI, high=w / PI
    )
    known = conditions_of(*given)
    needed = relations_of(*(one for one in named.domain if one not in known))
    proved = [real(one, *given) for one in needed]
    yield combine(part.claim, given_by(named, *proved)), "in other units"


t, y, m, q = (Symbol(name) for name in ("t", "y", "m", "q"))
DUAL, NOISE, LOSS, ANGLE, SIZE = (
    getattr(TRANSFORM, name) for name in ("DUAL", "NOISE", "LOSS", "ANGLE", "SIZE")
)
WAVES = tuple(one.at(a=t * m, b=y * m) for one in TRANSFORM.WAVES)
LARGEST = cosh(2 * PI * y * m * j)
PARTS = tuple(E(NOISE, exp(t * LOSS) * f(y * LOSS)) for f in (cos, sin))


def modulus(part: Statement) -> Iterator[Step]:
    """Turn M to the angle q, and take each term by its modulus."""
    found = (
        lemma("discrete-gaussian/transform", "fourier-real"),
        lemma("discrete-gaussian/transform", "fourier-imaginary"),
    )
    yield found[0], "the real part, by the inversion of theta"
    turn = q - ANGLE
    rate = 2 * PI * y * m * j
    angle = 2 * PI * t * m * j
    body = cos(turn) * WAVES[0] - sin(turn) * WAVES[1]
    least = under(real("0 <= 1 - cos(u)"), *part.given)
    sides = [specialize(least, u=one) for one in (turn + angle, turn - angle)]
    point = combine(
        at_most(body, LARGEST), (sides[0], exp(rate) / 2), (sides[1], exp(-rate) / 2)
    )
    yield point, "each term"
    known = [integrable(found[0], E(DUAL, one)) for one in WAVES]
    split = linear(
        DUAL,
        body,
        {WAVES[0]: cos(turn), WAVES[1]: -sin(turn)},
        *known,
        where=part.given,
    )
    flat = specialize(TRANSFORM.inversion()[0], a=0, b=y * m)
    over = expect(
        point,
        DUAL,
        integrable(split, E(DUAL, body)),
        integrable(flat, E(DUAL, LARGEST)),
    )
    uses = (over, SIZE), (split, -SIZE), (found[0], cos(q)), (found[1], sin(q))
    yield combine(part.claim, *uses), "together"


def at_the_tilt(part: Statement) -> Iterator[Step]:
    """The real part of M at y = 0."""
    flat = specialize(lemma("discrete-gaussian/transform", "fourier-real"), y=0)
    yield flat, "the real part, by the axiom"
    yield combine(part.claim, flat), "where nothing turns"


def rest(part: Statement) -> Iterator[Step]:
    """With the distance of w from pi, and k, all that is left is positive."""
    gap = real("0 <= pi - w", "w <= pi")
    factor = real("0 <= v*(3*pi + 2*pi*k)", "v >= 1", "k >= 0")
    squares = [specialize(real("0 <= z**2"), z=one) for one in (2 * PI * k, PI - w)]
    uses: list[tuple[Fact, Real]] = [
        (gap, factor.relation.right),
        (factor, 0),
        *((one, v / 2) for one in squares),
    ]
    yield (
        combine(part.claim, *uses, given=("v >= 1",)),
        "squares and products of what is positive",
    )


def attack(seed: int) -> int:
    """The shipped transform against the shipped bound, at random places of half a period."""
    rng = random.Random(seed)
    with precision(128):
        for _ in range(100):
            variance = Fraction(rng.randint(10, 60), 10)
            steps = rng.randint(1, 3)
            transform = DiscreteGaussianTransform(variance, steps)
            tilt = number(Fraction(rng.randint(1, 40), 20))
            half = circle() * number(variance) / steps
            low, high = sorted(
                number(Fraction(rng.randint(0, 32), 32)) * half for _ in range(2)
            )
            first, second = transform.at(Nodes(tilt, high, 2))
            if (
                abs(second)
                > transform.lattice_decay(tilt, low, transform.lattice()[1][0])
                * first.real
            ):
                raise Refused(
                    f"the variance {variance} with {steps} steps breaks the bound."
                )
    return 100


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "the sum over the integers is that of the three largest terms, j = 0, 1 and"
            " -1, and of the others, of which 1 + 1 for each j = 2 + k, k >= 0, are at"
            " most the term of the geometric series"
        ),
    ),
    parts=(
        Statement(
            "modulus",
            "M, seen from any angle, is at most the mean of a hyperbolic cosine",
            at_most(cos(q) * PARTS[0] + sin(q) * PARTS[1], SIZE * E(DUAL, LARGEST)),
            modulus,
            ("v > 0",),
            axioms=(module("discrete-gaussian/theta").POISSON,),
        ),
        Statement(
            "at the tilt",
            "M(t) is the mean of a cosine under the same law",
            equal(
                E(NOISE, exp(t * LOSS)), SIZE.at(y=0) * E(DUAL, cos(2 * PI * t * m * j))
            ),
            at_the_tilt,
            ("v > 0",),
            axioms=(module("discrete-gaussian/theta").POISSON,),
        ),
        Statement(
            "terms",
            "its terms are those of a wrapped normal density",
            equal(
                exp(-2 * PI**2 * v * j**2)
                * exp(-v * w**2 / 2)
                * cosh(2 * PI * v * w * j),
                (
                    exp(-v * (w + 2 * PI * j) ** 2 / 2)
                    + exp(-v * (w - 2 * PI * j) ** 2 / 2)
                )
                / 2,
            ),
            by_prover("the square completed"),
        ),
        Statement(
            "falls",
            "the shipped bound falls up to pi",
            at_most(SHIPPED.at(h=w), SHIPPED),
            falls,
            ("v >= 1", "0 <= h", "h < w", "w <= pi"),
        ),
        Statement(
            "rest",
            "the exponents of the other terms are at most those of the shipped"
            " geometric series",
            at_most(
                -v * (2 * PI * (2 + k) - w) ** 2 / 2,
                -9 * v * PI**2 / 2 - 6 * v * PI**2 * k,
            ),
            rest,
            ("v >= 1", "k >= 0", "w <= pi"),
        ),
        Statement(
            "far-rest",
            "on the other side they are smaller",
            at_most(
                -v * (2 * PI * (2 + k) + w) ** 2 / 2,
                -v * (2 * PI * (2 + k) - w) ** 2 / 2,
            ),
            lambda part: iter(
                [
                    (
                        combine(
                            part.claim,
                            (real("0 <= w*(2 + k)", "k >= 0", "0 <= w"), 4 * PI * v),
                            given=("v >= 1",),
                        ),
                        "by 4 pi v w (2 + k)",
                    )
                ]
            ),
            ("v >= 1", "k >= 0", "0 <= w"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the two largest terms alone fall up to pi, here at v = 1 from w = 0 on",
            at_most(
                exp(-(w**2) / 2) + exp(-((2 * PI - w) ** 2) / 2), 1 + exp(-2 * PI**2)
            ),
            ("0 < w", "w < 1/1000000000"),
        ),
    ),
    attacks=(Attack("the shipped transform over half a period", attack),),
    rules=(DiscreteGaussianTransform.lattice_decay, wrapped_normal),
)
