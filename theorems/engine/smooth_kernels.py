"""The transforms of the two smoothed test functions.

Printed: not in the sources
Proved: Let z = t + i theta, t > 0, and X standard normal. (1) One more Gaussian release of shift h
    has the loss G = h X + h**2/2, and E exp(z G)/(z (z + 1)) is the upper kernel that the shipped
    function computes. For any loss L with a finite M(t), the transform of L + G is M(z) E exp(z G).
    (2) The lower test function is (1 - exp(-y)) Phi(y/h) = (1 - exp(-y)) P(h X <= y). Its
    transform, the integral of exp(-z y) times it, is the lower kernel: with y = h X + w and w >= 0
    of density t exp(-t w), the mean of exp(-t h X) exp(-i theta y) (1 - exp(-y))/t is what the
    shipped function computes, in its real and in its imaginary part.
Idea: The characteristic function of the normal law, and the integrals of exponentials.
Source: Feller, An Introduction to Probability Theory and Its Applications, volume 2, chapter 15.
"""

from rdpacct.book.words import (
    Complex, Density, E, Expr, Fact, Falsehood, Formal, Iterator, Law, PI, Real, Statement, Status,
    Step, Stretch, Symbol, Theorem, absolute, assume, at_most, cache, combine, complex_formula, cos,
    dominated, equal, exp, formula, formulas, independent, independent_of, integrable, integrate,
    kernels, linear, mean_of, normal_characteristic, normal_characteristic_sine, product_mean, read,
    real, relations, sin, specialize, standard_normal, whole,
)  # fmt: skip

t, theta, h, x, w, z = (Symbol(name) for name in ("t", "theta", "h", "x", "w", "z"))
NORMAL = standard_normal()
REST = Density(
    "W", ("w",), relations("0 <= w"), (Stretch(formula(0), None, t * exp(-t * w)),)
)
BOTH = independent_of(NORMAL, REST)
Z = Complex(t, theta)
UPPER, LOWER = map(whole, kernels(complex_formula(Z), *formulas(h)))
NOISE = h * x + h**2 / 2
Y = h * x + w
WAVES = {"cos": cos, "sin": sin}


@cache
def turned(wave: str) -> Fact:
    """The characteristic function of the normal law, tilted."""
    cosine = normal_characteristic(NORMAL)
    if wave == "cos":
        return cosine
    return normal_characteristic_sine(NORMAL, cosine)


def noise(wave: str) -> Fact:
    """The mean of exp(t G) cos(theta G), or of the sine, for the loss G of the noise."""
    shift = {"a": theta * h**2 / 2 - (0 if wave == "cos" else PI / 2)}
    found = specialize(turned("cos"), t=t * h, w=theta * h, **shift)
    body = exp(t * NOISE) * WAVES[wave](theta * NOISE)
    own = mean_of(found).body
    scaled = linear(
        NORMAL, body, {own: exp(t * h**2 / 2)}, integrable(found, mean_of(found))
    )
    size = exp(h**2 * (t**2 + t - theta**2) / 2)
    angle = h**2 * theta * (2 * t + 1) / 2
    return combine(
        equal(E(NORMAL, body), size * WAVES[wave](angle)),
        scaled,
        (found, exp(t * h**2 / 2)),
    )


def upper(part: Statement) -> Iterator[Step]:
    """The transform of the noise."""
    first, second = (noise(wave) for wave in WAVES)
    yield first, "the real part of the transform of the noise"
    yield second, "its imaginary part"
    factors = DIVIDED[part.name]
    yield (
        combine(
            part.claim, (first, factors[0]), (second, factors[1]), given=part.given
        ),
        "divided by z (z + 1)",
    )


def with_noise(part: Statement) -> Iterator[Step]:
    """cos(a + b) and sin(a + b), and independence."""
    size = integrable(part.assuming["moment"], E(P, F * exp(t * L)))
    found = {wave: noise(wave) for wave in WAVES}
    finite = {}
    for wave, body in LOSS.items():
        finite[wave] = dominated(
            real(at_most(absolute(body), F * exp(t * L)), "0 <= F"), P, size
        )
    products: list[tuple[Fact, Real]] = []
    parts = {}
    for one, two, sign in PAIRS[part.name]:
        noisy = mean_of(found[two])
        product = independent(
            SUM, LOSS[one], noisy.body, finite[one], integrable(found[two], noisy)
        )
        products += [(product, sign), (found[two], sign * E(P, LOSS[one]))]
        parts[mean_of(product).body] = formula(sign)
    known = [integrable(one, mean_of(one)) for one, _ in products[::2]]
    whole = linear(SUM, mean_body(part.name), parts, *known)
    yield whole, "the wave of a sum"
    yield combine(part.claim, whole, *products), "independent losses"


def mean_body(name: str) -> Expr:
    """exp(t x) cos(theta x), or the sine, at the sum of both losses, where the first is finite."""
    return F * exp(t * (L + NOISE)) * WAVES[name[-3:]](theta * (L + NOISE))


PAIRS = {
    "sum, cos": (("cos", "cos", 1), ("sin", "sin", -1)),
    "sum, sin": (("sin", "cos", 1), ("cos", "sin", 1)),
}
P = Law("P", ("L", "F"), relations("0 <= F <= 1"))
L = Symbol("L")
F = Symbol("F")
m = Symbol("m")
SUM = independent_of(P, NORMAL)
LOSS = {name: F * exp(t * L) * wave(theta * L) for name, wave in WAVES.items()}


def normal_part(wave: str, more: int) -> Fact:
    """E exp(-(t + more) h X) cos(theta h X), or the sine."""
    values = {"t": -(t + more) * h, "w": theta * h}
    return specialize(turned(wave), **values, **({"a": 0} if wave == "cos" else {}))


def rest_part(wave: str, more: int) -> Fact:
    """E exp(-more w) cos(theta w), or the sine, for w of density t exp(-t w)."""
    rate = t + more
    at = WAVES[wave](theta * w)
    body = exp(-more * w) * at if more else at
    finite = dominated(real(at_most(absolute(body), 1), "0 <= w"), REST)
    swing = (
        theta * sin(theta * w) - rate * cos(theta * w)
        if wave == "cos"
        else -rate * sin(theta * w) - theta * cos(theta * w)
    )
    whole = exp(-rate * w) * t * swing / (rate**2 + theta**2)
    found = integrate(REST, body, (whole,), (-exp(-t * w),), "0 < t", finite=finite)
    value = t * (rate if wave == "cos" else theta) / (rate**2 + theta**2)
    return combine(equal(E(REST, body), value), found)


def lower(part: Statement) -> Iterator[Step]:
    """cos(a + b) and sin(a + b), and independence."""
    wave = "cos" if part.name == "lower kernel, real" else "sin"
    pairs = (
        (("cos", "cos", 1), ("sin", "sin", -1))
        if wave == "cos"
        else (("sin", "cos", 1), ("cos", "sin", 1))
    )
    products: list[tuple[Fact, Real]] = []
    parts = {}
    for more, sign in ((0, 1), (1, -1)):
        for one, two, turn in pairs:
            found = product_mean(BOTH, normal_part(one, more), rest_part(two, more))
            products.append((found, sign * turn))
            parts[mean_of(found).body] = formula(sign * turn)
    yield from ((found, "independent") for found, _ in products)
    finite = [integrable(found, mean_of(found)) for found, _ in products]
    whole = linear(BOTH, test(wave), parts, *finite)
    yield whole, "the wave of a sum"
    sign = 1 if wave == "cos" else -1
    yield (
        combine(
            part.claim,
            (whole, sign / t),
            *((found, sign * turn / t) for found, turn in products),
        ),
        "G(z) - G(z + 1)",
    )


def test(wave: str) -> Expr:
    """exp(-t h x) (1 - exp(-y)) cos(theta y), or the sine."""
    return exp(-t * h * x) * (1 - exp(-Y)) * WAVES[wave](theta * Y)


COSINES, SINES = (
    E(NORMAL, exp(t * NOISE) * wave(theta * NOISE)) for wave in WAVES.values()
)
NOISES = Complex(COSINES, SINES)
MEAN = NOISES / (Z * (Z + 1))
SQUARE = t * (t + 1) - theta**2
SLANT = (2 * t + 1) * theta
SIZE = SQUARE**2 + SLANT**2
DIVIDED = {
    "upper kernel, real": (SQUARE / SIZE, SLANT / SIZE),
    "upper kernel, imaginary": (-SLANT / SIZE, SQUARE / SIZE),
}
ABOVE, BELOW = (read(kernel) for kernel in kernels(*formulas(z, h)))
CLAIMS = {
    "upper kernel, real": (equal(MEAN.re, UPPER.re), upper),
    "upper kernel, imaginary": (equal(MEAN.im, UPPER.im), upper),
    "lower kernel, real": (equal(E(BOTH, test("cos")) / t, LOWER.re), lower),
    "lower kernel, imaginary": (equal(-E(BOTH, test("sin")) / t, LOWER.im), lower),
}
PRODUCT = (
    Complex(E(P, LOSS["cos"]), E(P, LOSS["sin"]))
    * ((Formal(h) * h / 2) * Z * (Z + 1)).exp()
)
"""M(z), by its parts, times exp(h**2 z (z + 1)/2)."""
MOMENT = {"moment": assume(equal(E(P, F * exp(t * L)), exp(m)))}
SAYS = "the transform of the loss and an independent Gaussian loss is the product"

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=tuple(
        Statement(
            name,
            f"the {name} part, is what the shipped function computes",
            claim,
            proof,
            ("0 < t",),
        )
        for name, (claim, proof) in CLAIMS.items()
    )
    + tuple(
        Statement(
            name, SAYS, equal(E(SUM, mean_body(name)), value), with_noise, (), MOMENT
        )
        for name, value in (("sum, cos", PRODUCT.re), ("sum, sin", PRODUCT.im))
    ),
    falsehoods=(
        Falsehood(
            "on the real line, the two kernels are the same",
            equal(ABOVE, BELOW),
            ("0 < z", "0 < h"),
        ),
        Falsehood(
            "on the real line, the lower kernel is positive",
            at_most(0, BELOW),
            ("0 < z", "0 < h"),
        ),
    ),
    in_words=(
        (
            "Phi(y/h) is the probability that h X is at most y, so that the integral"
            " over y is one over X and w"
        ),
    ),
    rules=(kernels,),
)
