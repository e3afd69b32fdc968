"""A bound on the terms of a sum that lie beyond its ends, for powers of the likelihood ratio of a
sampled Gaussian.

Printed: not in the sources
Proved: Let R = 1 - q + q exp(u), 0 < q < 1. Then R**a <= 1 - q + q exp(a u) for a >= 1 and for a <=
    0, R**a <= (1 - q)**a + q**a exp(a u) for a <= 1, and R**a <= (1 - q)**a for a <= 0. With u = mu
    x - mu**2/2 the second term times exp(-x**2/2) is the bump exp((a**2 - a) mu**2/2) exp(-(x - a
    mu)**2/2). A sum of h times the normal density at x + h, x + 2 h, ..., x >= 0, is at most
    Phi(-x), which is at most exp(-x**2/2)/2. So the terms of the trapezoid sum of phi R**a beyond a
    point past both bumps are at most what the package ships.
Idea: Jensen for a convex power by its tangent at R; a power a <= 1 of a number in (0, 1] is no
    smaller than the number. Each term of a falling density is at most its integral over the step
    before it.
Source: elementary.
"""

from rdpacct.book.words import (
    Attack, Callable, Comparison, Condition, Expr, Fact, Falsehood, Fraction, Iterator, NEXT, NONE,
    POWER, POWER_AT, Refused, SUM, SUMMED, Statement, Status, Step, Symbol, Theorem, Unknown, Whole,
    assume, at_most, combine, discharge, equal, erfc, example, exp, formula, formulas, given_by,
    induct, left_out_POINT as POINT, lemma, log, normal_cdf, normal_density, partial, precision,
    random, raw_pi as pi, raw_real as exactly, read, real, recursive, relations, sampled_tail,
    specialize, sqrt, under,
)  # fmt: skip

q, u, a, mu, x, h, n, lam, y, f, g = (
    Symbol(name) for name in ("q", "u", "a", "mu", "x", "h", "n", "lam", "y", "f", "g")
)
RATE = ("0 < q", "q < 1")
RATIO = 1 - q + q * exp(u)
Proof = Callable[[Statement], Iterator[Step]]


def power(base: Expr) -> Expr:
    """The power a, for a positive base."""
    return exp(a * log(base))


def jensen(part: Statement) -> Iterator[Step]:
    """The tangent of the power at R, at the two values 1 and exp(u)."""
    given = relations(*(one for one in part.given if isinstance(one, str)))
    (side,) = (one for one in given if a in (one.left, one.right))
    tangent = real("1 + a*(exp(v) - 1) <= exp(a*v)", side)
    yield tangent, "a convex power lies above its tangent"
    sum_ = equal(exp(lam), RATIO)
    level = real(sum_, sum_, *RATE)
    ends = (
        (specialize(tangent, v=-lam), (1 - q) * exp(a * lam)),
        (
            specialize(tangent, v=u - lam),
            q * exp(a * lam),
        ),
    )
    mean = combine(
        at_most(exp(a * lam), 1 - q + q * exp(a * u)),
        *ends,
        (level, a * exp((a - 1) * lam)),
    )
    yield mean, "in the mean, where exp(lam) = R"
    yield under(specialize(mean, lam=log(RATIO)), *given), "at log R"


def subadditive(part: Statement) -> Iterator[Step]:
    """The shares of the two terms in R are at most one."""
    given = relations(*(one for one in part.given if isinstance(one, str)))
    grows = real("exp(v) <= exp(a*v)", "v <= 0", "a <= 1")
    yield grows, "a share is no larger than its power"
    one = log(1 - q)
    two = log(q) + u
    sides = [
        real(at_most(one - log(RATIO), 0), *RATE),
        real(at_most(two - log(RATIO), 0), *RATE),
    ]
    shares = [
        (
            given_by(
                specialize(
                    under(grows, "v <= 0", "a <= 1", *RATE), v=value - log(RATIO)
                ),
                side,
            ),
            power(RATIO),
        )
        for value, side in zip((one, two), sides, strict=True)
    ]
    whole = real(equal(exp(one - log(RATIO)) + exp(two - log(RATIO)), 1), *RATE)
    yield whole, "the shares add up to one"
    yield (
        under(combine(part.claim, *shares, (whole, -power(RATIO))), *given),
        "so R**a is at most the sum",
    )


def falls(part: Statement) -> Iterator[Step]:
    """R is at least 1 - q."""
    rule = real("exp(a*v) <= exp(a*w)", "w <= v", "a <= 0")
    least = real(at_most(log(1 - q), log(RATIO)), *RATE)
    yield least, "R >= 1 - q"
    moved = specialize(
        under(rule, "w <= v", "a <= 0", *RATE), v=log(RATIO), w=log(1 - q)
    )
    yield (
        under(
            given_by(moved, least), *(one for one in part.given if isinstance(one, str))
        ),
        "a falling power",
    )


def mass(at: Expr, end: Expr) -> Expr:
    """The probability of an interval under the normal law."""
    return (erfc(at / sqrt(2)) - erfc(end / sqrt(2))) / 2


LIFT = exp((a**2 - a) * mu**2 / 2)
GROWTH = exp(a * (mu * POINT - mu**2 / 2))
BOUNDED = assume(at_most(POWER_AT, f + g * GROWTH), every="n")
"""A bound on the power of R at all points beyond x, by which the sum is bounded."""


def weighed(first: Expr, second: Expr) -> Expr:
    """What the package adds for the terms beyond x."""
    return (
        first * exp(-(x**2) / 2) / 2 + second * LIFT * exp(-((x - a * mu) ** 2) / 2) / 2
    )


def summed(
    two: bool, given: tuple[Comparison, ...], start: Fact, after: Fact
) -> Iterator[Step]:
    """The sum beyond x, for a power that is at most f + g exp(a u), or at most f."""
    known = (*given, *relations("f >= 0", *(("g >= 0",) if two else ())))
    falling = real(
        at_most(h * normal_density(y + h, 0, 1), mass(y, y + h)), "y >= 0", "h > 0"
    )
    yield (
        falling,
        "each term of a falling density is at most the mass of the step before it",
    )
    where: tuple[Condition, ...] = (*known, Whole("n", 0))
    bumps = [(formula(0), f), (a * mu, g * LIFT)] if two else [(formula(0), f)]
    bound = BOUNDED if two else assume(at_most(POWER_AT, f), every="n")
    reached = sum(
        (weight * mass(x - c, x + n * h - c) for c, weight in bumps), formula(0)
    )
    steps = [(bound, h * normal_density(POINT, 0, 1))]
    for c, weight in bumps:
        side = combine(
            at_most(0, x + n * h - c),
            real(at_most(c, x), *known),
            rest=n * h,
            given=(*known, "n >= 0"),
        )
        steps.append(
            (
                given_by(
                    specialize(under(falling, "y >= 0", *known), y=x + n * h - c), side
                ),
                weight,
            )
        )
    before = assume(at_most(SUM, reached), *where)
    more = under(
        combine(at_most(NEXT, reached.at(n=n + 1)), before, (after, 1), *steps), *where
    )
    yield more, "one more term"
    first = under(combine(at_most(NONE, reached.at(n=0)), start, given=known), *known)
    total = induct(first, more, "n")
    yield total, "all terms, by induction"
    tail = real("erfc(v/sqrt(2))/2 <= exp(-v**2/2)/2", "v >= 0")
    further = real("0 <= erfc(v/sqrt(2))/2")
    yield tail, "the normal tail"
    ends = [(specialize(further, v=x + n * h - c), weight) for c, weight in bumps]
    for c, weight in bumps:
        end = specialize(under(tail, "v >= 0", *known), v=x - c)
        if c != formula(0):
            end = given_by(
                end,
                combine(at_most(0, x - c), real(at_most(c, x), *known), given=known),
            )
        ends.append((end, weight))
    claim = at_most(SUM, weighed(f, g if two else formula(0)))
    yield (
        under(combine(claim, total, *ends), *where),
        "of which what lies further out is no part",
    )


def beyond(
    name: str, says: str, bound: str, weights: tuple[Expr, ...], *given: str | Condition
) -> Statement:
    """The part for the sum beyond x, by a bound on the power of R."""
    past = ("x >= 0", "h > 0", "a*mu <= x")[: 1 + len(weights)]
    values = dict(zip("fg", weights, strict=False))

    def proof(part: Statement) -> Iterator[Step]:
        known = relations(*(one for one in part.given if isinstance(one, str)))
        steps = list(
            summed(
                len(weights) == 2,
                relations(*past),
                part.assuming["start"],
                part.assuming["next"],
            )
        )
        yield from steps
        power_bound = specialize(POWERS[bound].fact(), u=mu * POINT - mu**2 / 2)
        right = values["f"] + values.get("g", formula(0)) * GROWTH
        power_bound = combine(
            at_most(POWER_AT, right), power_bound, part.assuming["power"], given=known
        )
        yield power_bound, "the bound on the power of R"
        where: tuple[Condition, ...] = (*known, Whole("n", 0))
        here = specialize(under(steps[-1][0], *steps[-1][0].domain, *known), **values)
        yield under(discharge(here, under(power_bound, *known)), *where), "put in"

    first, second = (*weights, formula(0))[:2]
    return Statement(
        name,
        says,
        at_most(SUM, weighed(first, second)),
        proof,
        (*RATE, *given, *past, Whole("n", 0)),
        SUMMED,
        example(
            {
                "q": "1/2",
                "a": 1 if "a >= 1" in given else 0,
                "x": 1,
                "h": 1,
                "mu": 1,
                "n": 1,
            },
            S=recursive(),
            W=Unknown(("n",), POWER),
        ),
    )


def a_power(
    name: str, says: str, right: Expr, proof: Proof, *given: str | Condition
) -> Statement:
    """A bound on R**a."""
    return Statement(name, says, at_most(power(RATIO), right), proof, (*RATE, *given))


CASE = {"q": Fraction(1, 2), "a": Fraction(1, 2)}
CONVEX = (1 - q, q)
SPLIT = (power(1 - q), power(q))
FLAT = (power(1 - q),)
POWERS = {
    one.name: one
    for one in (
        a_power(
            "above-one",
            "a power of at least 1",
            1 - q + q * exp(a * u),
            jensen,
            "a >= 1",
        ),
        a_power(
            "negative", "a power of at most 0", 1 - q + q * exp(a * u), jensen, "a <= 0"
        ),
        a_power(
            "below-one",
            "a power of at most 1",
            power(1 - q) + power(q) * exp(a * u),
            subadditive,
            "a <= 1",
        ),
        a_power("flat", "a power of at most 0, flat", power(1 - q), falls, "a <= 0"),
    )
}


Path = tuple[str, bool, tuple[str, ...], tuple[str, ...]]
"""A path through the shipped function: what it is called, whether it is about the terms below the
first point, the conditions on the power, and the sums that bound the terms.
"""
PATHS: tuple[Path, ...] = (
    ("above, a >= 1", False, ("a >= 1",), ("sum-above-one",)),
    ("above, 0 < a < 1", False, ("0 < a", "a < 1"), ("sum-below-one",)),
    ("above, a <= 0", False, ("a <= 0",), ("sum-negative",)),
    ("below, a >= 1", True, ("a >= 1",), ("sum-above-one",)),
    ("below, 0 < a < 1", True, ("0 < a", "a < 1"), ("sum-below-one",)),
    ("below, a = 0", True, ("a == 0",), ("sum-negative",)),
    ("below, a < 0", True, ("a < 0",), ("sum-flat", "sum-negative")),
    ("below, a < 0, near", True, ("a < 0",), ("sum-flat",)),
)

BEYOND: dict[str, tuple[str | Comparison, ...]] = {
    "above, 0 < a < 1": ("0 < a",),
    "below, 0 < a < 1": ("0 < a",),
    "below, a = 0": (at_most(-a * mu, x),),
    "below, a < 0, near": ("x < -a*mu",),
}
"""Conditions of a path without which its formula is a bound as well, though it is not shipped
there.
"""


ORDERS = {
    ("a >= 1",): "1",
    ("0 < a", "a < 1"): "1/2",
    ("a <= 0",): "0",
    ("a == 0",): "0",
    ("a < 0",): "-1",
}
"""A power of each kind."""


def shipped(path: Path) -> Statement:
    """The part for one path: the terms below the first point are those above it with -x and -mu for
    x and mu.
    """
    name, lower, powers, _ = path
    side = -mu if lower else mu
    near = "x < -a*mu" if name.endswith("near") else at_most(a * side, x)
    spare = BEYOND.get(name, ())
    given = (
        *RATE,
        *(one for one in (*powers, "x >= 0", "h > 0", near) if one not in spare),
    )
    asked = tuple(map(str, (*powers, "x >= 0", near)))
    point, rate, order, edge = formulas(mu, q, a, x, given=asked)
    bound = read(sampled_tail(point, rate, order, edge, lower))
    return Statement(
        name,
        f"the terms {'below -x' if lower else 'above x'} are at most what is shipped:"
        f" {name}{', which bounds them elsewhere as well' if spare else ''}",
        at_most(SUM, bound),
        partial(on_path, path=path),
        (*given, Whole("n", 0)),
        {key: specialize(fact, mu=side) for key, fact in SUMMED.items()},
        example(
            {
                **{"q": "1/2", "x": 1, "h": 1, "n": 1},
                "mu": 2 if name.endswith("near") else 1,
                "a": ORDERS[powers],
            },
            S=recursive(),
            W=Unknown(("n",), POWER.at(mu=side)),
        ),
    )


def on_path(part: Statement, path: Path) -> Iterator[Step]:
    """Each bound on the sum, and the smaller of two."""
    _, lower, _, names = path
    bounds = []
    for name in names:
        fact = specialize(
            lemma("sampling/gaussian-tails", name), mu=-mu if lower else mu
        )
        bounds.append(under(fact, *part.given))
        yield bounds[-1], "the terms beyond x"
    if len(bounds) == 1:
        yield combine(part.claim, *bounds, given=RATE), "as it is shipped"
        return
    limits = dict(zip("yz", part.claim.right.parts(), strict=True))
    smaller = real("w <= min(y, z)", "w <= y", "w <= z", *RATE)
    held = [
        combine(at_most(SUM, limit), fact, given=RATE)
        for limit, fact in zip(limits.values(), bounds, strict=True)
    ]
    put = given_by(specialize(smaller, w=SUM, **limits), *held)
    yield under(put, *part.given), "the smaller of the two"


def sums(seed: int) -> int:
    """The shipped bounds against the sums of many terms, on both sides, in balls."""
    rng = random.Random(seed)
    with precision(128):
        for _ in range(60):
            shift = exactly(Fraction(rng.randint(1, 30), 10))
            rate = exactly(Fraction(rng.randint(1, 19), 20))
            order = exactly(Fraction(rng.randint(-30, 40), 10))
            step = exactly(Fraction(rng.randint(1, 10), 10))
            start = exactly(Fraction(rng.randint(0, 50), 10))
            lower = rng.random() < 0.5
            total = exactly(0)
            for j in range(1, 60):
                at = start + step * j
                ratio = (
                    1
                    - rate
                    + rate * ((-at if lower else at) * shift - shift * shift / 2).exp()
                )
                total += step * (-at * at / 2).exp() * ratio**order / (2 * pi()).sqrt()
            if total > sampled_tail(shift, rate, order, start, lower):
                raise Refused(
                    f"the terms beyond {start} of the power {order} of the ratio exceed"
                    " their bound."
                )
    return 60


def theorem() -> Theorem:
    """The statement, with what the shipped code gives for symbols."""
    return Theorem(
        verdict=Status.PROVED,
        parts=(
            *POWERS.values(),
            beyond(
                "sum-above-one",
                "the terms beyond x, for a >= 1",
                "above-one",
                CONVEX,
                "a >= 1",
            ),
            beyond(
                "sum-negative",
                "the terms beyond x, for a <= 0",
                "negative",
                CONVEX,
                "a <= 0",
            ),
            beyond(
                "sum-below-one",
                "the terms beyond x, for a <= 1",
                "below-one",
                SPLIT,
                "a <= 1",
            ),
            beyond(
                "sum-flat",
                "the terms beyond x, for a <= 0, flat",
                "flat",
                FLAT,
                "a <= 0",
            ),
            *map(shipped, PATHS),
        ),
        falsehoods=(
            Falsehood(
                "a power between 0 and 1 is convex",
                at_most(power(RATIO).at(**CASE), (1 - q + q * exp(a * u)).at(**CASE)),
                ("u >= 0",),
            ),
            Falsehood(
                "a normal tail is at most exp(-x**2/2)/3",
                at_most(normal_cdf(-x), exp(-(x**2) / 2) / 3),
                ("x >= 0",),
            ),
        ),
        attacks=(Attack("shipped bounds against sums of many terms, in balls", sums),),
        rules=(sampled_tail,),
    )
