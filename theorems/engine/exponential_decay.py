"""How fast the transform of the loss that dominates the exponential mechanism decays along a
vertical line.

Printed: not in the sources.
Proved: Let the loss X have the density exp((x - eps)/2)/(2 (1 - exp(-eps))) on [-eps, eps]
    (exponential/worst-law), eps > 0, t > 0 and s = t + 1/2. E exp(t X) cos(y X) and E exp(t X)
    sin(y X) are the real and imaginary parts of the shipped transform. For y >= h >= 0, |M(t + i
    y)|**2 = (E exp(t X) cos(y X))**2 + (E exp(t X) sin(y X))**2 is at most the square of the
    shipped bound. The law of X tilted by exp(t X) has the shipped variance, with which
    engine/variance-decay bounds it below pi/(2 eps). So it is at most the square of what the
    shipped `decay` says, from the value m = M(t), for h below pi/(2 eps) and for others.
Idea: The integral of exp(s x) cos(y x) is elementary. The modulus of a difference is at most the
    sum of the moduli.
Source: original to this package.
"""

from rdpacct.book.words import (
    Attack, Condition, Density, E, ExponentialTransform, Expr, Fact, Falsehood, Formal, Fraction,
    Iterator, Nodes, PI, Refused, Statement, Status, Step, Stretch, Symbol, Theorem, Weighted,
    Witness, absolute, assume, at_most, at_one_node, at_spread, combine, cos, cut_at_zero,
    decay_m as m, declared, dominated, equal, example, exp, exponential_far, exponential_variance,
    formula, formulas, integrable, integrate, near_or_far, one_node, partial, precision, random,
    raw_real as number, read, real, relations, sin, smaller, specialize, under,
)  # fmt: skip

x, eps, t, y, h = (Symbol(name) for name in ("x", "eps", "t", "y", "h"))
S = t + formula(1) / 2
DENSITY = exp((x - eps) / 2) / (2 * (1 - exp(-eps)))
LOSS = Density(
    "D", ("x",), relations("-eps <= x", "x <= eps"), (Stretch(-eps, eps, DENSITY),)
)
GIVEN = ("eps > 0", "t > 0")
TURNED = tuple(exp(t * x) * f(y * x) for f in (cos, sin))
FAR, VARIANCE = (
    read(one(*formulas(*vs)))
    for one, vs in ((exponential_far, (eps, t, h)), (exponential_variance, (eps, t)))
)
MOMENTS = tuple(E(LOSS, exp(t * x) * x**order) for order in range(3))


def moment(order: int, *given: str | Condition) -> Fact:
    """The mean of exp(t x) x**order."""
    inner = (1 / S, x / S - 1 / S**2, x**2 / S - 2 * x / S**2 + 2 / S**3)[order]
    whole = inner * exp(S * x - eps / 2) / (2 * (1 - exp(-eps)))
    return integrate(
        LOSS,
        exp(t * x) * x**order,
        (whole, whole),
        (2 * DENSITY,) * 2,
        *given,
        cuts=(0,),
    )


def parts(*given: str | Condition) -> tuple[Fact, Fact]:
    """The real and imaginary parts of the transform."""
    finite = moment(0, *given)
    scale = exp(-eps / 2) / (2 * (1 - exp(-eps)) * (S**2 + y**2))
    tops = (S * cos(y * x) + y * sin(y * x), S * sin(y * x) - y * cos(y * x))
    found = []
    for body, top in zip(TURNED, tops, strict=True):
        size = real(at_most(absolute(body), exp(t * x)))
        known = dominated(size, LOSS, integrable(finite, MOMENTS[0]))
        found.append(
            integrate(
                LOSS,
                body,
                (scale * exp(S * x) * top,),
                (2 * DENSITY,),
                *given,
                finite=known,
            )
        )
    return found[0], found[1]


def transform(part: Statement, index: int) -> Iterator[Step]:
    """The integral, over one denominator."""
    found = parts(*map(str, part.given))[index]
    yield found, "the integral"
    yield combine(part.claim, found), "as it is shipped"


VALUE = at_one_node(ExponentialTransform(declared(Formal(eps))).at(one_node(t, y)))
"""What the shipped transform computes at any node t + i y."""


def far(part: Statement) -> Iterator[Step]:
    """The two integrals, and a sum instead of a difference."""
    given = ("eps > 0", "t > 0")
    found = parts(*given)
    yield found[0], "the real part"
    yield found[1], "the imaginary part"
    weight = exp(-eps) / (4 * (1 - exp(-eps)) ** 2)
    up = exp(S * eps)
    down = exp(-S * eps)
    top = weight * (up**2 + down**2 - 2 * up * down * cos(2 * y * eps))
    square = combine(
        equal(part.claim.left, top / (S**2 + y**2)),
        *((fact, fact.relation.left + fact.relation.right) for fact in found),
    )
    yield square, "the square of the modulus"
    least = under(specialize(real("-cos(w) <= 1"), w=2 * y * eps), *given)
    sum_ = combine(
        at_most(top, weight * (up + down) ** 2), (least, 2 * weight * up * down)
    )
    lower = real(
        "1/((t + 1/2)**2 + y**2) <= 1/((t + 1/2)**2 + h**2)",
        "t > 0",
        "0 <= h",
        "h <= y",
    )
    uses = (sum_, 1 / (S**2 + y**2)), (lower, weight * (up + down) ** 2)
    yield combine(part.claim, square, *uses), "the sum of the moduli"


def variance(part: Statement) -> Iterator[Step]:
    """Three integrals."""
    zero, one, two = (moment(order, *map(str, part.given)) for order in range(3))
    yield zero, "the transform"
    yield one, "its derivative"
    yield two, "its second derivative"
    total = zero.relation.left + zero.relation.right
    uses = (
        (two, -MOMENTS[0]),
        (zero, VARIANCE * total - two.relation.right),
        (one, MOMENTS[1] + one.relation.right),
    )
    yield combine(part.claim, *uses, given=part.given), "so the variance is this"


HEIGHTS = (*GIVEN, "0 <= h", "h <= y", "0 < m")
WEIGHTED = Weighted(LOSS, x, exp(t * x), -eps, 2 * eps)
HALF = PI / (2 * eps)


def shipped(where: str) -> Expr:
    """The shipped bound from the value m on the axis, where a comparison with pi/(2 eps) holds."""
    given = ("eps > 0", where)
    law = ExponentialTransform(declared(Formal(eps, given)))
    tilt, height, value = formulas(t, h, m, given=given)
    return read(law.decay(tilt, height, value))


NEAR = shipped("h < pi/(2*eps)")
BEYOND = shipped("pi/(2*eps) <= h")


def everywhere(part: Statement) -> Fact:
    """At all heights: the far bound, and the value on the axis."""
    far = under(fact_of("far"), *part.given)
    least = under(WEIGHTED.below_value(part.assuming["value"]), *part.given)
    return smaller(far, least, FAR, m)


def fact_of(name: str) -> Fact:
    """Another part of this entry."""
    (part,) = (one for one in THEOREM.parts if one.name == name)
    return part.fact()


def beyond(part: Statement) -> Iterator[Step]:
    """The far bound, and the value on the axis."""
    yield everywhere(part), "the smaller of the two"


def near(part: Statement) -> Iterator[Step]:
    """The variance up to pi/(2 eps), and the far bound from there on."""
    both = everywhere(part)
    yield both, "at all heights"
    moments = {
        x**order: integrable(moment(order, *GIVEN), MOMENTS[order]) for order in (1, 2)
    }
    value = part.assuming["value"]
    close = WEIGHTED.near(value, moments, fact_of("variance"), *GIVEN)
    yield close, "up to pi/(2 eps), by the variance of the tilted law"
    spread = at_spread(VARIANCE, 2 * eps)
    far = specialize(fact_of("far"), h=HALF)
    larger = near_or_far(close, far, spread, HALF, *part.given)
    yield larger, "the larger of the two, on either side of pi/(2 eps)"
    one, two = (fact.relation.right.parts()[0] for fact in (both, larger))
    cut = cut_at_zero(spread, *part.given)
    yield smaller(both, larger, one, two, cut), "the smaller of all"


def at_one() -> Witness:
    """eps = t = y = 1, with the value of the transform there."""
    ones = {"eps": 1, "t": 1}
    value = under(specialize(moment(0, *GIVEN), **ones))
    there = example({**ones, "h": 0, "y": 1, "m": value.relation.right})
    return Witness(there, (value,))


def attack(seed: int) -> int:
    """The shipped transform against the shipped bound, at random places."""
    rng = random.Random(seed)
    with precision(128):
        for _ in range(300):
            epsilon = Fraction(rng.randint(1, 60), rng.randint(5, 20))
            tilt = Fraction(rng.randint(1, 80), 20)
            low = Fraction(rng.randint(1, 200), 10)
            height = low + Fraction(rng.randint(0, 40), 20)
            transform = ExponentialTransform(formula(epsilon))
            nodes = Nodes(number(tilt), number(height), 2)
            first, second = transform.at(nodes)
            for bound in (
                exponential_far(*map(number, (epsilon, tilt, low))),
                transform.decay(nodes.tilt, number(low), first.real),
            ):
                if abs(second) > bound:
                    raise Refused(
                        f"epsilon {epsilon} breaks the bound at {tilt} and {height}."
                    )
    return 300


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        *(
            Statement(
                name,
                f"the {name} part of the transform is the shipped one",
                equal(E(LOSS, TURNED[index]), value),
                partial(transform, index=index),
                ("eps > 0", "t > 0"),
            )
            for index, (name, value) in enumerate(
                (("real", VALUE.re), ("imaginary", VALUE.im))
            )
        ),
        Statement(
            "far",
            "the square of the modulus is at most that of the shipped bound",
            at_most(E(LOSS, TURNED[0]) ** 2 + E(LOSS, TURNED[1]) ** 2, FAR**2),
            far,
            ("eps > 0", "t > 0", "0 <= h", "h <= y"),
        ),
        Statement(
            "variance",
            "the variance of the tilted loss is the shipped one",
            equal(
                VARIANCE * MOMENTS[0] ** 2, MOMENTS[2] * MOMENTS[0] - MOMENTS[1] ** 2
            ),
            variance,
            ("eps > 0", "t > 0"),
        ),
        *(
            Statement(
                name,
                "the square of the modulus is at most that of what `decay` says, for h"
                f" {where} pi/(2 eps)",
                at_most(WEIGHTED.square, bound**2),
                proof,
                given,
                {"value": assume(equal(MOMENTS[0], m))},
                witness=at_one,
            )
            for name, where, bound, proof, given in (
                ("decay", "below", NEAR, near, (*HEIGHTS, "0 < y")),
                ("decay beyond", "from", BEYOND, beyond, HEIGHTS),
            )
        ),
    ),
    falsehoods=(
        Falsehood(
            "the modulus of the difference is at most the difference of the moduli, at"
            " t = 1",
            at_most(
                exp(2 * eps) + exp(-4 * eps) - 2 * exp(-eps) * cos(2 * y * eps),
                (exp(eps) - exp(-2 * eps)) ** 2,
            ),
            ("eps > 0", "y > 0"),
        ),
    ),
    attacks=(Attack("the shipped transform at random places", attack),),
    rules=(ExponentialTransform.at, exponential_far, exponential_variance),
)
