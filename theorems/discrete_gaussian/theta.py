"""The inversion of the theta function, by Poisson summation.

Printed: not in the sources.
Proved: Let v > 0, n have probability proportional to exp(-n**2/(2 v)) on the integers, and j to
    exp(-2 pi**2 v j**2). For c = a + i b, E exp(c n/v) = exp(c**2/(2 v)) E cos(2 pi c j), for real
    and imaginary parts. In other words: with theta(c) the sum of exp(-(n - c)**2/(2 v)) over the
    integers, theta(c)/theta(0) = E cos(2 pi c j).
Idea: The sum of exp(-y**2/(2 v)) f(y) over the integers y, for f(y) = exp(a y/v) cos(b y/v) or with
    the sine, is that of its Fourier transform, which the characteristic function of the normal law
    gives; and so is the sum for f = 1, by which both are divided.
Source: Stein and Shakarchi, Complex Analysis, chapter 4; Stein and Weiss (1971) for Poisson
    summation.
"""

from rdpacct.book.words import (
    Attack, Ball, Bound, E, Expr, Fact, Falsehood, Fraction, Iterator, Lattice, PI, Refused,
    Statement, Status, Step, Symbol, Theorem, absolute, assume, at_most, axiom, cache, combine, cos,
    cosh, discharge, equal, exp, expect, finite, formula, given_by, integrable, is_law, linear,
    mean_of, module, normal_characteristic, placed, random, real, sin, sinh, specialize, sqrt,
    standard_normal, under,
)  # fmt: skip

RENYI = module("discrete-gaussian/renyi")
n, v, j, a, b, c, u, x, y, A, B = (
    Symbol(name) for name in ("n", "v", "j", "a", "b", "c", "u", "x", "y", "A", "B")
)
GIVEN = ("v > 0",)
NOISE = RENYI.NOISE
DUAL = Lattice("J", ("j",), (), exp(-2 * PI**2 * v * j**2))
NORMAL = standard_normal("G")
WAVES = (
    cos(2 * PI * a * j) * cosh(2 * PI * b * j),
    sin(2 * PI * a * j) * sinh(2 * PI * b * j),
)
"""cos(2 pi (a + i b) j) is the first less i times the second."""
SIZE = exp((a**2 - b**2) / (2 * v))
ANGLE = a * b / v
TURNED = {
    "real": exp(a * y / v) * cos(b * y / v),
    "imaginary": exp(a * y / v) * sin(b * y / v),
}
"""The parts of exp((a + i b) y/v)."""
DUALS = {
    "real": SIZE * (cos(ANGLE) * WAVES[0] + sin(ANGLE) * WAVES[1]),
    "imaginary": SIZE * (sin(ANGLE) * WAVES[0] - cos(ANGLE) * WAVES[1]),
}
"""The parts of exp((a + i b)**2/(2 v)) cos(2 pi (a + i b) j)."""
NAME = "Poisson summation"
HALF = formula(1) / 2
SLACK = Bound(Fraction(-1, 10**9), Fraction(1, 10**9))
WEIGHT = NOISE.weight.at(n=y)
TOP = exp((absolute(a) + v) ** 2 / (2 * v))


def turned(f: Expr) -> Expr:
    """What has to be integrated for the transform, at y = sqrt(v) x."""
    return (f * cos(2 * PI * j * y)).at(y=sqrt(v) * x)


def transform(f: Expr) -> Expr:
    """The integral of exp(-y**2/(2 v)) f(y) cos(2 pi j y), over sqrt(2 pi v)."""
    return E(NORMAL, turned(f))


def hypotheses(f: Expr, dual: Expr) -> tuple[Fact, ...]:
    """The transforms of the weight, and of f times it; both fall exponentially."""
    return (
        assume(equal(transform(formula(1)), DUAL.weight), every="j"),
        assume(equal(transform(f), DUAL.weight * dual), every="j"),
        assume(at_most(absolute(f) * WEIGHT, A * exp(-absolute(y))), every="y"),
        assume(at_most(absolute(dual) * DUAL.weight, B * exp(-absolute(j))), every="j"),
    )


def summed(part: str) -> Fact:
    """The sum of exp(-n**2/(2 v)) f(n) is that of the transform, and so without f."""
    f = TURNED[part].at(y=n)
    claim = equal(E(NOISE, f), E(DUAL, DUALS[part]))
    known = hypotheses(TURNED[part], DUALS[part])
    return axiom(NAME, claim, *GIVEN, assuming=known)


POISSON = module("engine/periodic-sum").POISSON.in_forms(*map(summed, TURNED))


@cache
def characteristic() -> Fact:
    """The characteristic function of the normal law, proved once."""
    return normal_characteristic(NORMAL)


def of_weight() -> Fact:
    """The transform of the weight alone."""
    found = placed(characteristic(), *GIVEN, t=0, w=2 * PI * j * sqrt(v), a=0)
    same = expect(
        real(equal(turned(formula(1)), mean_of(found).body), *GIVEN),
        NORMAL,
        finite(found),
    )
    return combine(equal(transform(formula(1)), DUAL.weight), same, found)


def of_part(part: str) -> Fact:
    """The transform with the factor f: a product of waves is a sum of two."""
    phase = formula(0) if part == "real" else -PI / 2
    rate = a * sqrt(v) / v
    up, down = (
        placed(
            characteristic(),
            *GIVEN,
            t=rate,
            w=(b / v + sign * 2 * PI * j) * sqrt(v),
            a=phase,
        )
        for sign in (1, -1)
    )
    mean = transform(TURNED[part])
    bodies = [mean_of(one).body for one in (up, down)]
    split = linear(
        NORMAL,
        turned(TURNED[part]),
        dict.fromkeys(bodies, HALF),
        finite(up),
        finite(down),
        where=GIVEN,
    )
    claim = equal(mean, DUAL.weight * DUALS[part])
    return combine(claim, split, (up, HALF), (down, HALF))


def falls() -> Fact:
    """exp(a n/v) times the weight falls exponentially."""
    product = real("a*n <= abs(a)*abs(n)")
    square = specialize(real("0 <= (abs(n) - w)**2"), w=absolute(a) + v)
    same = real("abs(n)**2 == n**2")
    exponents = combine(
        at_most(
            a * n / v - n**2 / (2 * v), (absolute(a) + v) ** 2 / (2 * v) - absolute(n)
        ),
        (product, 1 / v),
        (square, 1 / (2 * v)),
        (same, 1 / (2 * v)),
        given=GIVEN,
    )
    rises = specialize(
        under(real("exp(p) <= exp(q)", "p <= q"), "p <= q", *GIVEN),
        p=exponents.relation.left,
        q=exponents.relation.right,
    )
    return combine(
        at_most(exp(a * n / v) * NOISE.weight, TOP * exp(-absolute(n))),
        given_by(rises, exponents),
    )


def decay(part: str) -> tuple[Fact, Expr]:
    """f times the weight falls exponentially, from this number on."""
    wave = "cos" if part == "real" else "sin"
    size = placed(
        real(f"abs(exp(p)*{wave}(w)) <= exp(p)"), *GIVEN, p=a * y / v, w=b * y / v
    )
    bound = specialize(falls(), n=y)
    claim = at_most(absolute(TURNED[part]) * WEIGHT, bound.relation.right)
    return combine(claim, (size, WEIGHT), bound), TOP


def dual_decay(part: str) -> tuple[Fact, Expr]:
    """So does the transform."""
    sums = {
        "real": "cos(p)*cos(q)*cosh(s) + sin(p)*sin(q)*sinh(s)",
        "imaginary": "sin(p)*cos(q)*cosh(s) - cos(p)*sin(q)*sinh(s)",
    }
    line = real(f"abs(r*({sums[part]})) <= r*(exp(s) + exp(-s))/2", "r > 0")
    size = placed(line, *GIVEN, r=SIZE, p=ANGLE, q=2 * PI * a * j, s=2 * PI * b * j)
    width = 1 / (4 * PI**2 * v)
    moved = under(specialize(falls(), n=j, v=u, a=c), "u > 0", *GIVEN)
    ends = [
        under(specialize(moved, u=width, c=sign * b / (2 * PI * v)), *GIVEN)
        for sign in (1, -1)
    ]
    shift = [absolute(sign * b / (2 * PI * v)) + width for sign in (1, -1)]
    tops = [exp(one**2 / (2 * width)) for one in shift]
    most = SIZE / 2 * (tops[0] + tops[1])
    claim = at_most(absolute(DUALS[part]) * DUAL.weight, most * exp(-absolute(j)))
    uses = ((one, SIZE / 2) for one in ends)
    return combine(claim, (size, DUAL.weight), *uses), most


@cache
def summation(part: str) -> tuple[tuple[Fact, str], ...]:
    """The hypotheses of Poisson summation, one by one, and what follows."""
    transforms = of_weight(), of_part(part)
    narrow, first = decay(part)
    dual, second = dual_decay(part)
    there = specialize(summed(part), A=first, B=second)
    found = discharge(there, *transforms, narrow, dual)
    return (
        (transforms[0], "the transform of the weight"),
        (transforms[1], f"the transform with the factor, {part} part"),
        (narrow, "it falls exponentially"),
        (dual, "and so does its transform"),
        (given_by(found, is_law(NORMAL)), "Poisson summation"),
    )


def inversion(part: Statement) -> Iterator[Step]:
    """Poisson summation for both parts, and the two means apart."""
    for name in TURNED:
        yield from summation(name)
    sums = {name: summation(name)[-1][0] for name in TURNED}
    known = [integrable(sums[name], E(DUAL, DUALS[name])) for name in TURNED]
    ways = ((cos(ANGLE), sin(ANGLE)), (sin(ANGLE), -cos(ANGLE)))
    waves = []
    for wave, way in zip(WAVES, ways, strict=True):
        factors = dict(zip(DUALS.values(), (one / SIZE for one in way), strict=True))
        split = linear(DUAL, wave, factors, *known, where=GIVEN)
        waves.append(integrable(split, E(DUAL, wave)))
    way = ways[list(TURNED).index(part.name)]
    factors = dict(zip(WAVES, (SIZE * one for one in way), strict=True))
    whole = linear(DUAL, DUALS[part.name], factors, *waves, where=GIVEN)
    yield combine(part.claim, sums[part.name], whole), "a sum of two means"


def value(name: str) -> Expr:
    """exp(c**2/(2 v)) E cos(2 pi c j), the real or the imaginary part."""
    first, second = (E(DUAL, wave) for wave in WAVES)
    if name == "real":
        return SIZE * (cos(ANGLE) * first + sin(ANGLE) * second)
    return SIZE * (sin(ANGLE) * first - cos(ANGLE) * second)


def sums(seed: int) -> int:
    """Both sides at random a, b and v, as finite sums with room for the rest, in balls."""
    rng = random.Random(seed)
    for _ in range(20):
        at = {name: Fraction(rng.randint(-20, 20), 10) for name in ("a", "b")}
        at["v"] = Fraction(rng.randint(3, 30), 10)
        means = []
        for law, body in ((NOISE, TURNED["real"].at(y=n)), (DUAL, DUALS["real"])):
            (name,) = law.variables
            weights = [
                (law.weight.ball(160, v=at["v"], **{name: k}), k)
                for k in range(-60, 61)
            ]
            total = sum((w for w, _ in weights), Ball.of(0, 160))
            mean = sum(
                (w * body.ball(160, **at, **{name: k}) for w, k in weights),
                Ball.of(0, 160),
            )
            means.append(mean / total)
        gap = means[0] - means[1]
        if not gap.bound().overlaps(SLACK):
            raise Refused(f"the two sides differ by {gap} at {at}.")
    return 20


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=tuple(
        Statement(
            name,
            f"the {name} part of E exp((a + i b) n/v)",
            equal(E(NOISE, TURNED[name].at(y=n)), value(name)),
            inversion,
            GIVEN,
            axioms=(POISSON,),
        )
        for name in TURNED
    ),
    falsehoods=(
        Falsehood(
            "the weight of j = 1 is that of n = 1",
            equal(DUAL.weight.at(j=1), NOISE.weight.at(n=1)),
            GIVEN,
        ),
    ),
    attacks=(Attack("both sides as finite sums, in balls", sums),),
)
