"""The transform of the loss of the discrete Gaussian mechanism, by a theta function.

Printed: not in the sources.
Proved: Let n have probability proportional to exp(-n**2/(2 v)) on the integers, L = m (2n + m)/(2
    v), z = t + i y and theta(c) the sum of exp(-(n - c)**2/(2 v)) over the integers. M(z) = E exp(z
    L) = exp(z (1 + z) m**2/(2 v)) theta(m z)/theta(0), for real and imaginary parts. By
    discrete-gaussian/theta theta(c)/theta(0) is also E cos(2 pi c j), where j has probability
    proportional to exp(-2 pi**2 v j**2): this is the Fourier series that is shipped for v >= 1. The
    terms of both series beyond the last fall at least as the shipped geometric ones. After a period
    2 pi v/m of y the angle y L has grown by whole half turns, 2n + m of them.
Idea: Complete the square, which is an identity term by term; a sum of E exp(a n/v) cos(b n/v) is
    one of its real and imaginary parts.
Source: Canonne, Kamath and Steinke, The discrete Gaussian for differential privacy, for the
    mechanism; Stein and Shakarchi, Complex Analysis, chapter 4, for the inversion.
"""

from rdpacct.book.words import (
    Any, Attack, Complex, DiscreteGaussianTransform, E, Expr, Fact, Falsehood, Fraction, Iterator,
    Nodes, PI, Refused, Statement, Status, Step, Symbol, Theorem, Whole, absolute, at_most, below,
    bump, bump_rest, by_prover, cast, combine, completed_square, complex_formula, complex_of, cos,
    cosh, defined_sums, dominated, equal, exists_by, exp, expect, falling_Terms as Terms,
    falling_geometric as geometric, falling_total as total, formula, formulas, given_by, integrable,
    lemma, linear, module, partial, precision, random, raw_pi as circle, raw_real as number, read,
    real, sin, sinh, specialize, summable, theta_direct, theta_fourier, under, wave, wave_rest,
    wave_sizes, whole, whole_product as product,
)  # fmt: skip

RENYI = module("discrete-gaussian/renyi")
n, v, m, j, t, y, a, b = (
    Symbol(name) for name in ("n", "v", "m", "j", "t", "y", "a", "b")
)
p, q, k, e = (Symbol(name) for name in ("p", "q", "k", "e"))
NOISE = RENYI.NOISE
WEIGHT = RENYI.WEIGHT
LOSS = RENYI.LOSS
INVERSION = module("discrete-gaussian/theta")
DUAL = INVERSION.DUAL
WAVES = INVERSION.WAVES
THETA_PARTS = ("real", "imaginary")


def turned() -> tuple[Expr, Expr]:
    """The real and imaginary parts of exp((a + i b) n/v)."""
    return exp(a * n / v) * cos(b * n / v), exp(a * n / v) * sin(b * n / v)


def inversion() -> tuple[Fact, Fact]:
    """E exp(c n/v) = exp(c**2/(2 v)) E cos(2 pi c j), c = a + i b: the real and the imaginary
    part.
    """
    first, second = (lemma("discrete-gaussian/theta", name) for name in THETA_PARTS)
    return first, second


def fourier(part: Statement, imaginary: bool) -> Iterator[Step]:
    """The loss is a multiple of the noise and a constant."""
    first, second = (
        specialize(under(one, "v > 0", *part.given), a=t * m, b=y * m)
        for one in inversion()
    )
    yield first, "the inversion of theta, the real part"
    yield second, "the inversion of theta, the imaginary part"
    up, down = (one.at(a=t * m, b=y * m) for one in turned())
    scale = exp(t * m**2 / (2 * v))
    angle = y * m**2 / (2 * v)
    parts = (
        {up: scale * sin(angle), down: scale * cos(angle)}
        if imaginary
        else {up: scale * cos(angle), down: -scale * sin(angle)}
    )
    body = exp(t * LOSS) * (sin if imaginary else cos)(y * LOSS)
    split = linear(
        NOISE,
        body,
        parts,
        integrable(first, E(NOISE, up)),
        integrable(second, E(NOISE, down)),
        where=("v > 0",),
    )
    yield split, "the loss is m n/v + m**2/(2 v)"
    yield (
        combine(part.claim, split, (first, parts[up]), (second, parts[down])),
        "together",
    )


ANGLE = (1 + 2 * t) * y * m**2 / (2 * v)
SIZE = exp((t * (1 + t) - y**2) * m**2 / (2 * v))
"""exp(z (1 + z) m**2/(2 v)) has this modulus and this angle."""
FOURIER = tuple(E(DUAL, one.at(a=t * m, b=y * m)) for one in WAVES)


def grows() -> Fact:
    """E exp(a n/v) is finite for every real a, without the inversion of theta."""
    positive, tail = RENYI.weights()
    body = exp(a * n / v)
    upper = INVERSION.falls()
    return summable(
        NOISE, body, upper, real(at_most(0, body * WEIGHT), "v > 0"), positive, tail
    )


GROWTH = exp((2 * n * a - a**2 + b**2) / (2 * v))
THETA = (GROWTH * cos((n - a) * b / v), GROWTH * sin((n - a) * b / v))
"""exp(-(n - c)**2/(2 v)), c = a + i b, over the weight of n."""


def direct(part: Statement, imaginary: bool) -> Iterator[Step]:
    """Term by term."""
    base = specialize(grows(), a=t * m)
    yield grows(), "the moments of the noise are finite"
    up, down = (one.at(a=t * m, b=y * m) for one in THETA)
    rate = t * m * n / v
    scale = exp((b**2 - a**2) / (2 * v)).at(a=t * m, b=y * m)
    found = []
    for f, body in ((cos, up), (sin, down)):
        wave = "cos" if f is cos else "sin"
        angle = (n - t * m) * y * m / v
        size = specialize(
            under(real(f"abs(exp(p)*{wave}(w)) <= exp(p)"), "v > 0"), p=rate, w=angle
        )
        bounded = dominated(size, NOISE, base)
        found.append(
            integrable(
                linear(
                    NOISE,
                    body,
                    {exp(rate) * f(angle): scale},
                    bounded,
                    where=("v > 0",),
                ),
                E(NOISE, body),
            )
        )
    parts = (
        {up: SIZE * sin(ANGLE), down: SIZE * cos(ANGLE)}
        if imaginary
        else {up: SIZE * cos(ANGLE), down: -SIZE * sin(ANGLE)}
    )
    body = exp(t * LOSS) * (sin if imaginary else cos)(y * LOSS)
    split = linear(NOISE, body, parts, *found, where=("v > 0",))
    yield combine(part.claim, split), "the square completed"


def dual_is_law() -> Fact:
    """The dual weights have a sum: those of the noise of variance 1/(4 pi**2 v)."""
    weight = DUAL.weight
    turned_ = 1 / (4 * PI**2 * v)
    any_ = under(specialize(RENYI.weights()[1], n=j, v=Symbol("u")), "u > 0", "v > 0")
    tail = under(specialize(any_, u=turned_), "v > 0")
    same = combine(at_most(weight, exp(turned_ / 2) * exp(-absolute(j))), tail)
    return exists_by(DUAL, real(below(0, weight), "v > 0"), same)


def generating() -> Fact:
    """E exp(y n) is at most that of a normal variable of variance v: the inversion at a = v y and b
    = 0.
    """
    base = specialize(inversion()[0], a=v * y, b=0)
    up = turned()[0].at(a=v * y, b=0)
    wave = WAVES[0].at(a=v * y, b=0)
    same = expect(
        real(equal(exp(y * n), up), "v > 0"), NOISE, integrable(base, E(NOISE, up))
    )
    finite = integrable(base, E(DUAL, wave))
    least = expect(specialize(real("cos(w) <= 1"), w=2 * PI * v * y * j), DUAL, finite)
    size = exp(v * y**2 / 2)
    found = combine(at_most(E(NOISE, exp(y * n)), size), same, base, (least, size))
    return given_by(found, dual_is_law())


def wave_size(part: Statement) -> Iterator[Step]:
    """The square of the modulus is cosh(b)**2 - sin(a)**2."""
    square = specialize(real("0 <= w**2"), w=sin(a))
    larger = real("cosh(b)**2 <= exp(b)**2", *part.given)
    yield larger, "the hyperbolic cosine"
    yield combine(part.claim, square, larger), "and less a square"


def falling(part: Statement) -> Iterator[Step]:
    """The square of k is at least k."""
    yield (
        combine(part.claim, (real("0 <= k*(k - 1)", "k >= 1"), p), given=("p > 0",)),
        "k is at least 1",
    )


def multiplied(re: Expr, im: Expr) -> Complex:
    """What the shipped function computes at t + i y from the parts of theta(m z)/theta(0)."""
    rate, whole_ = formulas(m**2 / (2 * v), 1)
    point, theta = (complex_formula(one) for one in (Complex(t, y), Complex(re, im)))
    return whole(completed_square(point, rate, theta, whole_))


WAVE_SAYS = (
    "the shipped term of the Fourier series: twice a weight and a wave, for j and -j"
)
BUMP_SAYS = "the shipped term of the sum: exp(-(n - c)**2/(2 v)), c = a + i b"
POINT = complex_formula(Complex(a, b))
NUMBERS: Any = formulas(2 * PI, 2 * PI**2 * v, j)
WAVE = whole(wave(POINT, *NUMBERS))
TERM = whole(bump(complex_formula(Complex(a - n, b)), *formulas(v)))
EXPONENT, SHRINK = (read(one) for one in wave_sizes(*cast(Any, formulas(p, q, j))))
WAVES_LEFT = read(wave_rest(*formulas(EXPONENT, SHRINK)))
BUMPS_LEFT = read(bump_rest(*formulas(exp(b**2 / (2 * v)), e, v)))


WAVE_POWER = -p * (j + k) ** 2 + q * (j + k)
BUMP_POWER = -((e + k) ** 2) / (2 * v)
LIFT = 2 * exp(b**2 / (2 * v))
"""The exponents of the terms of both series, and the factor of those of the second."""


def wave_terms() -> Terms:
    """Those of the Fourier series."""
    return formula(2), WAVE_POWER, -p * (2 * j + 1) + q, (product("k"), p)


def bump_terms() -> Terms:
    """Those of the sum itself, on both sides."""
    return LIFT, BUMP_POWER, -e / v, (real("0 <= k**2"), 1 / (2 * v))


def attack(seed: int) -> int:
    """The shipped transform, and both shipped series, against finite sums with room for the
    rest.
    """
    rng = random.Random(seed)
    with precision(160):
        for _ in range(30):
            variance = Fraction(rng.randint(1, 30), 10)
            steps = rng.randint(1, 3)
            tilt, height = (number(Fraction(rng.randint(1, 30), 20)) for _ in range(2))
            z = complex_of(tilt, height)
            spread = number(variance)
            losses = [
                (k, z * (steps * (2 * k + steps)) / (2 * spread))
                for k in range(-90, 91)
            ]
            sizes = [(number(-k * k) / (2 * spread)).exp() for k, _ in losses]
            found = DiscreteGaussianTransform(variance, steps).at(
                Nodes(tilt, height, 2)
            )[1]
            total = sum(
                (w * e.exp() for w, (_, e) in zip(sizes, losses, strict=True)),
                start=z * 0,
            )
            whole = sum(sizes, start=number(0))
            ratio = theta_direct(z, spread) / (
                (2 * circle() * spread).sqrt() * theta_fourier(z, spread)
            )
            if (
                abs(total / whole - found) > abs(found) * number(2) ** -60
                or abs(ratio - 1) > number(2) ** -60
            ):
                raise Refused(
                    f"the variance {variance} with {steps} steps has another transform"
                    f" at {z}."
                )
    return 30


DIRECT = tuple(E(NOISE, one.at(a=t * m, b=y * m)) for one in THETA)
REAL, IMAGINARY = (E(NOISE, exp(t * LOSS) * f(y * LOSS)) for f in (cos, sin))
THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "a turn by whole half turns is a sign, that of an even number of them is none:"
            " after a period of y the transform has changed by that of 2n + m half turns"
        ),
    ),
    parts=(
        Statement(
            "direct-real",
            "the real part of M is that of exp(z (1 + z) m**2/(2 v)) theta(m"
            " z)/theta(0)",
            equal(REAL, multiplied(DIRECT[0], DIRECT[1]).re),
            partial(direct, imaginary=False),
            ("v > 0",),
        ),
        Statement(
            "direct-imaginary",
            "the imaginary part of M is that of exp(z (1 + z) m**2/(2 v)) theta(m"
            " z)/theta(0)",
            equal(IMAGINARY, multiplied(DIRECT[0], DIRECT[1]).im),
            partial(direct, imaginary=True),
            ("v > 0",),
        ),
        Statement(
            "fourier-real",
            "the real part of M by the Fourier series of theta",
            equal(REAL, multiplied(FOURIER[0], -FOURIER[1]).re),
            partial(fourier, imaginary=False),
            ("v > 0",),
            axioms=(INVERSION.POISSON,),
        ),
        Statement(
            "fourier-imaginary",
            "the imaginary part of M by the Fourier series of theta",
            equal(IMAGINARY, multiplied(FOURIER[0], -FOURIER[1]).im),
            partial(fourier, imaginary=True),
            ("v > 0",),
            axioms=(INVERSION.POISSON,),
        ),
        Statement(
            "wave",
            "the square of the modulus of cos(a + i b) is at most exp(2 b)",
            at_most((cos(a) * cosh(b)) ** 2 + (sin(a) * sinh(b)) ** 2, exp(b) ** 2),
            wave_size,
            ("b >= 0",),
        ),
        Statement(
            "fourier-rest",
            "the exponents of the terms beyond the j-th of the Fourier series fall at"
            " least geometrically",
            at_most(
                -p * (j + k) ** 2 + q * (j + k),
                -p * j**2 + q * j + k * (-p * (2 * j + 1) + q),
            ),
            falling,
            ("p > 0", "k >= 1"),
        ),
        Statement(
            "waves left out",
            "any number of terms from the j-th on have moduli of at most the shipped sum;"
            " q = 2 pi abs(b)",
            at_most(total("W"), WAVES_LEFT),
            lambda part: geometric(part, wave_terms()),
            ("p > 0", "-p*(2*j + 1) + q < 0", Whole("k", 0)),
            defined_sums("W", 2 * exp(WAVE_POWER)),
        ),
        Statement(
            "bumps left out",
            "and so have any number of terms at the distances e, e + 1, ... on both sides",
            at_most(total("B"), BUMPS_LEFT),
            lambda part: geometric(part, bump_terms()),
            ("v > 0", "e > 0", Whole("k", 0)),
            defined_sums("B", LIFT * exp(BUMP_POWER)),
        ),
        *(
            Statement(
                name, says, equal(found, form), by_prover("as it stands"), ("v > 0",)
            )
            for name, says, found, form in (
                ("wave, real", WAVE_SAYS, WAVE.re, 2 * DUAL.weight * WAVES[0]),
                ("wave, imaginary", WAVE_SAYS, WAVE.im, -2 * DUAL.weight * WAVES[1]),
                ("bump, real", BUMP_SAYS, TERM.re, WEIGHT * THETA[0]),
                ("bump, imaginary", BUMP_SAYS, TERM.im, WEIGHT * THETA[1]),
            )
        ),
        Statement(
            "direct-rest",
            "the exponents of the terms beyond a distance e fall at least"
            " geometrically",
            at_most(-((e + k) ** 2) / (2 * v), -(e**2) / (2 * v) - k * e / v),
            lambda part: iter(
                [
                    (
                        combine(
                            part.claim,
                            (real("0 <= k**2"), 1 / (2 * v)),
                            given=part.given,
                        ),
                        "a square less",
                    )
                ]
            ),
            ("v > 0",),
        ),
        Statement(
            "period",
            "after the period the angle has grown by 2n + m half turns",
            equal((y + 2 * PI * v / m) * LOSS, y * LOSS + PI * (2 * n + m)),
            by_prover("the spacing of the losses is m/v"),
            ("v > 0", "m > 0"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the terms of the Fourier series fall by one step more",
            at_most(
                -p * (j + k) ** 2 + q * (j + k),
                -p * j**2 + q * j + k * (-p * (2 * j + 2) + q),
            ),
            ("p > 0", "k >= 1"),
        ),
    ),
    attacks=(Attack("the shipped transform and series against finite sums", attack),),
    rules=(completed_square, wave, wave_sizes, wave_rest, bump, bump_rest),
)
