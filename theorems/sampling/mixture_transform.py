"""The transform of the loss of two mixtures of Gaussians, by Gauss-Legendre sums, with its error.

Printed: not in the sources
Proved: Let S(x) = E exp(c x) be a mixture of Gaussians over the standard one, with its places c
    between lo and hi. At x + i y, y >= 0 and (hi - lo) y < pi, the part of S in every direction is
    at most S(x); turned back by the mean of lo and hi it is at least S(x) cos((hi - lo) y/2), and
    by any place d at least S(x) (1 - V y**2/2), where V is the mean of (c - d)**2 under the terms;
    so S has no zero and |S| is between; and its argument is between lo y and hi y. So |S/S(x)|**p
    is at most 1, or the power of what is kept for p < 0. On the line log S lies above its
    tangents, so its slope between two points is between those at the points, and |exp(-z**2/2)| <=
    exp((tall**2 - near**2)/2 - near (x - near)). With the bound B of their product on an ellipse,
    the N-point sum over a panel of half-width wide is off by at most what is shipped, and a tail is
    a sum of pieces that fall at known rates. If no place of A is below one of B, then log(A/B)
    rises: the losses above a level are a half-line.
Idea: Each term of S has its modulus on the line and turns by c y. Squares, and tangents of exp and
    of cos. The quadrature error is the axiom of sampling/laplace-transform.
Source: Trefethen, Is Gauss quadrature better than Clenshaw-Curtis (2008), for the quadrature error.
"""

from rdpacct.book.words import (
    Attack, Callable, Condition, E, Expr, Fact, Falsehood, Iterator, Law, MixturePair,
    MixtureTransform, Nodes, PI, Random, Refused, Statement, Status, Step, Symbol, Theorem, Whole,
    absolute, assume, at_most, below, by_prover, combine, cos, cosh, density_most, dominated, equal,
    example, exp, expect, falling_tail, formula, formulas, given_by, integrable, kept_by_angle,
    kept_by_spread, lemma, linear, log, module, off_axis, one_term, panel_error, precision,
    raw_real as number, read, real, relations, sin, specialize, steepest, tanh, two_terms, under,
)  # fmt: skip

LAPLACE = module("sampling/laplace-transform")
x, y, w, c, lo, hi, S, s, X, z = map(
    Symbol, ("x", "y", "w", "c", "lo", "hi", "S", "s", "X", "z")
)
V, p, m, u, v, bend, near, tall, wide, rho, B, N, T, rate = map(
    Symbol,
    (
        *("V", "p", "m", "u", "v", "bend", "near", "tall", "wide", "rho", "B", "N"),
        *("T", "rate"),
    ),
)
J = Law("J", ("c",), relations("lo <= c", "c <= hi"))
K = Law("K", ("d",), relations("d <= lo"))
d = Symbol("d")
STRIP = ("0 <= y", "(hi - lo)*y < pi")
TERM = exp(c * x)
MIXTURE = {"S": assume(equal(E(J, TERM), S))}
ONE_PLACE = example(
    {"x": 1, "y": 1, "w": 0, "lo": 0, "hi": 0, "S": 1}, {"J": [((0,), 1)]}
)


def sized(body: Expr, turn: Expr, of: str = "cos") -> tuple[Fact, Fact]:
    """A term times the cosine or sine of an angle is integrable, as the term is, and at most the
    term.
    """
    cosine = specialize(real(f"{of}(v) <= 1"), v=turn)
    back = specialize(real(f"-1 <= {of}(v)"), v=turn)
    upper = combine(at_most(body, TERM), (cosine, TERM))
    lower = combine(at_most(-TERM, body), (back, TERM))
    size = specialize(real("abs(v) <= m", "v <= m", "-m <= v"), v=body, m=TERM)
    finite = integrable(MIXTURE["S"], E(J, TERM))
    return upper, dominated(given_by(size, upper, lower), J, finite)


def modulus(part: Statement) -> Iterator[Step]:
    """A cosine is at most 1."""
    upper, whole = sized(TERM * cos(c * y - w), c * y - w)
    yield upper, "each term"
    finite = integrable(MIXTURE["S"], E(J, TERM))
    mean = expect(upper, J, whole, finite)
    yield combine(part.claim, mean, part.assuming["S"]), "in the mean"


def cosine_between(
    angle: Expr, half: Expr, above: Fact, beneath: Fact, given: tuple[Condition, ...]
) -> Fact:
    """cos(half) <= cos(angle) for an angle between -half and half, which is below pi/2: the
    difference is twice a product of sines.
    """
    strip = real("(hi - lo)*y < pi", *given)
    rule = real("0 <= sin(v)", "0 <= v", "v < pi")
    sines = []
    for one in (half + angle, half - angle):
        near_end = beneath if one == half + angle else above
        far_end = above if one == half + angle else beneath
        least = combine(at_most(0, one / 2), (near_end, formula(1) / 2))
        uses = ((far_end, formula(1) / 2), (strip, formula(1) / 2), real("0 < pi/2"))
        most = combine(below(one / 2, PI), *uses)
        sines.append(given_by(specialize(rule, v=one / 2), least, most))
    product = real("0 <= x*z", "0 <= x", "0 <= z")
    first, second = (fact.relation.right for fact in sines)
    both = given_by(specialize(product, x=first, z=second), *sines)
    same = specialize(
        real("cos(v) - cos(h) == 2*sin((h + v)/2)*sin((h - v)/2)"), v=angle, h=half
    )
    return combine(at_most(cos(half), cos(angle)), same, (both, 2))


def turned_back(part: Statement) -> Iterator[Step]:
    """The places are at most half of their range from the middle."""
    angle = (c - (lo + hi) / 2) * y
    given = (*J.support, *relations(*STRIP))
    half = (hi - lo) * y / 2
    ends = [real(text, *given) for text in ("lo <= c", "c <= hi")]
    above = combine(at_most(angle, half), (ends[1], y), given=given)
    beneath = combine(at_most(-half, angle), (ends[0], y), given=given)
    cosine = under(cosine_between(angle, half, above, beneath, given), *given)
    yield cosine, "each term turns by less than a quarter"
    body = TERM * cos(angle)
    line = under(combine(at_most(TERM * cos(half), body), (cosine, TERM)), *given)
    yield line, "times the term"
    _, whole = sized(body, angle)
    finite = integrable(MIXTURE["S"], E(J, TERM))
    scaled = linear(J, TERM * cos(half), {TERM: cos(half)}, finite)
    mean = expect(line, J, integrable(scaled, E(J, TERM * cos(half))), whole)
    uses = (mean, scaled, (part.assuming["S"], cos(half)))
    yield under(combine(part.claim, *uses), *part.given), "in the mean"


def one_side(upper: bool) -> Callable[[Statement], Iterator[Step]]:
    """No term has turned further than the last place, or less than the first."""

    def proof(part: Statement) -> Iterator[Step]:
        angle = (hi - c) * y if upper else (c - lo) * y
        given = (*J.support, *relations(*STRIP))
        ends = [real(text, *given) for text in ("lo <= c", "c <= hi")]
        near_end, far_end = (ends[1], ends[0]) if upper else (ends[0], ends[1])
        least = combine(at_most(0, angle), (near_end, y), given=given)
        strip = real("(hi - lo)*y < pi", *given)
        high = combine(below(angle, PI), (far_end, y), strip, given=given)
        rule = real("0 <= sin(v)", "0 <= v", "v < pi")
        sine = under(given_by(specialize(rule, v=angle), least, high), *given)
        yield sine, "each term"
        body = TERM * sin(angle)
        line = under(combine(at_most(0, body), (sine, TERM)), *given)
        _, whole = sized(body, angle, "sin")
        yield under(expect(line, J, whole), *part.given), "in the mean"

    return proof


def squares(part: Statement) -> Iterator[Step]:
    """The exponent, whose square lies above its tangent, and exp rises."""
    given = relations("y**2 <= tall**2")
    half = formula(1) / 2
    upper = (tall * tall - near * near) / 2 - near * (x - near)
    order = combine(
        at_most((y**2 - x**2) / 2, upper),
        (real(given[0], *given), half),
        rest=(x - near) ** 2 / 2,
    )
    yield order, "a tangent of the square"
    rises = real("exp(v) <= exp(z)", "v <= z")
    rises = specialize(rises, v=order.relation.left, z=order.relation.right)
    yield under(combine(part.claim, given_by(rises, order)), *part.given), "exp rises"


def near_one_place(part: Statement) -> Iterator[Step]:
    """A cosine is at least 1 - v**2/2."""
    angle = (c - d) * y
    bend_of = specialize(real("1 - v**2/2 <= cos(v)"), v=angle)
    apart = (c - d) ** 2 * TERM
    body = TERM * cos(angle)
    lower = TERM - y**2 / 2 * apart
    line = combine(at_most(lower, body), (bend_of, TERM))
    yield line, "each term"
    _, whole = sized(body, angle)
    finite = integrable(MIXTURE["S"], E(J, TERM))
    spread = integrable(part.assuming["spread"], E(J, apart))
    mean = linear(J, lower, {TERM: formula(1), apart: -(y**2) / 2}, finite, spread)
    taken = expect(line, J, integrable(mean, E(J, lower)), whole)
    yield taken, "in the mean"
    uses = (taken, (mean, -1), part.assuming["S"], (part.assuming["spread"], y**2 / 2))
    given = relations("y**2 <= tall**2")
    square = combine(at_most(0, tall**2 - y**2), real(given[0], *given))
    rest = given_by(
        specialize(real("0 <= x*z", "0 <= x", "0 <= z"), x=tall**2 - y**2, z=S * V),
        square,
        real("0 <= S*V", "0 <= S", "0 <= V"),
    )
    found = combine(part.claim, *uses, (rest, formula(1) / 2))
    yield under(found, *part.given), "together"


def tangent(part: Statement) -> Iterator[Step]:
    """exp lies above its tangent at the mean slope."""
    line = specialize(real("1 + v <= exp(v)"), v=(c - m) * s)
    factor = exp(c * x + m * s)
    moved = c * TERM
    lower = factor * (1 + (c - m) * s)
    body = exp(c * (x + s))
    pointwise = combine(at_most(lower, body), (line, factor))
    yield pointwise, "each term"
    finite = integrable(MIXTURE["S"], E(J, TERM))
    finite_slope = integrable(part.assuming["slope"], E(J, moved))
    whole = integrable(part.assuming["there"], E(J, body))
    scale = exp(m * s)
    parts = {TERM: scale * (1 - m * s), moved: scale * s}
    mean = linear(J, lower, parts, finite, finite_slope)
    taken = expect(pointwise, J, integrable(mean, E(J, lower)), whole)
    yield taken, "in the mean"
    uses = (
        taken,
        (mean, -1),
        (part.assuming["S"], scale * (1 - m * s)),
        (part.assuming["slope"], scale * s),
        part.assuming["there"],
    )
    yield combine(part.claim, *uses), "the terms in c - m cancel"


def small_turn(part: Statement) -> Iterator[Step]:
    """A sine is at most its angle."""
    angle = c * y
    given = relations("0 <= y")
    size = specialize(real("sin(v) <= abs(v)"), v=angle)
    product = specialize(real("abs(x*y) == y*abs(x)", "0 <= y"), x=c)
    body = TERM * sin(angle)
    moved = absolute(c) * TERM
    line = under(
        combine(at_most(body, y * moved), (size, TERM), (product, TERM)), *given
    )
    yield line, "each term"
    _, whole = sized(body, angle, "sin")
    finite = integrable(part.assuming["moved"], E(J, moved))
    scaled = linear(J, y * moved, {moved: y}, finite)
    mean = expect(line, J, whole, integrable(scaled, E(J, y * moved)))
    uses = (mean, scaled, (part.assuming["moved"], y))
    yield under(combine(part.claim, *uses), *part.given), "in the mean"


def rising(part: Statement) -> Iterator[Step]:
    """The slope of each logarithm is a mean of its places."""
    given = relations("0 < S", "0 < T")
    first = combine(at_most(lo, X / S), (part.assuming["first"], 1 / S), given=given)
    second = combine(at_most(z / T, lo), (part.assuming["second"], 1 / T), given=given)
    yield combine(part.claim, first, second), "one is above lo and the other below"


def between_slopes(negative: bool) -> Statement:
    """How fast a power of S rises from one point to another, by its tangents at both."""
    sign = "p < 0" if negative else "p >= 0"
    shipped = read(steepest(*formulas(p, lo, hi, given=(sign,))))
    used = "u + s*lo <= v" if negative else "v - s*hi <= u"
    given = (sign, "0 <= s", "u + s*lo <= v", "v - s*hi <= u")

    def proof(part: Statement) -> Iterator[Step]:
        weight = -p if negative else p
        line = real(used, *given)
        yield line, "the tangent at one of the points"
        found = combine(part.claim, (line, weight), given=given)
        yield under(found, *part.given), "times the power"

    return Statement(
        "slope, negative" if negative else "slope",
        "so that with u = log S here, v = log S there, s further on, and the slopes lo here and hi"
        " there, the power rises at most as is shipped",
        at_most(p * (v - u), s * shipped),
        proof,
        given,
    )


BETWEEN = (("0 < V", "V <= 1"), ("0 < bend", "bend <= V"))
"""What bounds a power of the quotient that is not below 0, and one that is."""


def power(negative: bool) -> Statement:
    """The bound on a power of the quotient of moduli, in logarithms."""
    sign = "p < 0" if negative else "p >= 0"
    given = (sign, *BETWEEN[negative])

    def proof(part: Statement) -> Iterator[Step]:
        rule = real("log(v) <= log(m)", "0 < v", "v <= m")
        if negative:
            order = specialize(rule, v=bend, m=V)
        else:
            order = combine(
                at_most(log(V), 0), specialize(rule, v=V, m=1), real("log(1) == 0")
            )
        yield order, "the quotient"
        weight = -p if negative else p
        found = combine(part.claim, (order, weight), given=given)
        yield under(found, *part.given), "its power"

    right = p * log(bend) if negative else formula(0)
    return Statement(
        "power, negative" if negative else "power",
        "a power of the quotient V of S off the line and on it, which is between bend and 1",
        at_most(p * log(V), right),
        proof,
        given,
    )


def shipped_power(negative: bool) -> Statement:
    """The shipped bound on that power."""
    sign = "p < 0" if negative else "p >= 0"
    found = read(off_axis(*formulas(p, bend, given=(sign,))))
    right = p * log(bend) if negative else formula(0)

    def proof(part: Statement) -> Iterator[Step]:
        order = power(negative).fact()
        yield order, "in logarithms"
        rises = real("exp(v) <= exp(m)", "v <= m", *BETWEEN[negative])
        grown = given_by(specialize(rises, v=p * log(V), m=right), order)
        found = combine(part.claim, grown, given=BETWEEN[negative])
        yield under(found, *part.given), "exp rises"

    return Statement(
        "shipped power, negative" if negative else "shipped power",
        "which is at most what is shipped",
        at_most(exp(p * log(V)), found),
        proof,
        (sign, *BETWEEN[negative]),
    )


def transforms(seed: int) -> int:
    """The shipped transform of a sampled Gaussian pair on coarse and on fine panels, in balls."""
    rng = Random(seed)
    tried = 0
    for _ in range(12):
        shift = formula(rng.randint(1, 8)) / 4
        share = formula(rng.randint(1, 9)) / 10
        pair = MixturePair(
            two_terms(share, shift), rng.choice((one_term(), two_terms(share, -shift)))
        )
        transform = MixtureTransform(pair)
        with precision(160):
            nodes = Nodes(number(rng.uniform(0.1, 4)), number(0.5), 6)
            coarse, fine = (transform.at(nodes, nats) for nats in (12.0, 60.0))
            for one, two in zip(coarse, fine, strict=True):
                tried += 1
                if not one.overlaps(two):
                    raise Refused(f"the transform of {pair} has {one} and {two}.")
    return tried


def on_a_panel(part: Statement) -> Iterator[Step]:
    """The error on [-1, 1], scaled."""
    rule = lemma("sampling/laplace-transform", "error")
    yield rule, "the error of the N-point rule"
    given = ("rho > 1", "wide > 0")
    here = specialize(under(rule, *rule.domain, *given), g=log(rho))
    here = given_by(here, real("0 < log(rho)", "rho > 1"))
    yield under(combine(part.claim, (here, wide), given=given), *part.given), "scaled"


FOUND = read(panel_error(*formulas(B, wide, N, rho, given=("rho > 1", "N >= 2"))))  # type: ignore[arg-type]
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "modulus",
            "the part of S at x + i y in every direction w is at most S(x)",
            at_most(E(J, TERM * cos(c * y - w)), S),
            modulus,
            (),
            MIXTURE,
            ONE_PLACE,
        ),
        Statement(
            "no zero",
            "turned back by the middle place, it is at least S(x) cos((hi - lo) y/2)",
            at_most(
                S * read(kept_by_angle(formulas((hi - lo) * y)[0])),
                E(J, TERM * cos((c - (lo + hi) / 2) * y)),
            ),
            turned_back,
            STRIP,
            MIXTURE,
            ONE_PLACE,
        ),
        Statement(
            "near one place",
            "it is at least as much as is shipped, if (c - d)**2 is at most V in the mean for some"
            " place d",
            at_most(
                S * read(kept_by_spread(*formulas(tall, V))),
                E(J, TERM * cos((c - d) * y)),
            ),
            near_one_place,
            ("y**2 <= tall**2", "0 <= S", "0 <= V"),
            {
                **MIXTURE,
                "spread": assume(at_most(E(J, (c - d) ** 2 * TERM), V * S)),
            },
            example(
                {"x": 1, "y": 1, "tall": 1, "lo": 0, "hi": 0, "S": 1, "d": 0, "V": 0},
                {"J": [((0,), 1)]},
            ),
        ),
        Statement(
            "argument, from below",
            "the argument is at least lo y",
            at_most(0, E(J, TERM * sin((c - lo) * y))),
            one_side(False),
            STRIP,
            MIXTURE,
            ONE_PLACE,
        ),
        Statement(
            "argument, from above",
            "and at most hi y",
            at_most(0, E(J, TERM * sin((hi - c) * y))),
            one_side(True),
            STRIP,
            MIXTURE,
            ONE_PLACE,
        ),
        Statement(
            "small turn",
            "and its tangent at most y E[abs(c) exp(c x)] over the real part, which is not below"
            " the weight of a place at 0 while no term turns by more than a quarter",
            at_most(E(J, TERM * sin(c * y)), y * T),
            small_turn,
            ("0 <= y",),
            {**MIXTURE, "moved": assume(equal(E(J, absolute(c) * TERM), T))},
            example(
                {"x": 1, "y": 1, "lo": 0, "hi": 0, "S": 1, "T": 0}, {"J": [((0,), 1)]}
            ),
        ),
        power(False),
        power(True),
        shipped_power(False),
        shipped_power(True),
        Statement(
            "density",
            "the modulus of exp(-z**2/2) at x + i y, as it is bounded from a point near",
            at_most(
                exp((y**2 - x**2) / 2),
                read(density_most(*formulas(near, tall))) * exp(-near * (x - near)),
            ),
            squares,
            ("y**2 <= tall**2",),
        ),
        Statement(
            "error",
            "the N-point sum over [-1, 1] is off by at most this, if B bounds the integrand on"
            " the ellipse",
            at_most(LAPLACE.OFF, LAPLACE.BOUND),
            LAPLACE.error,
            LAPLACE.NODES,
            {"on the ellipse": assume(at_most(LAPLACE.LARGEST, B))},
            axioms=(LAPLACE.GAUSS,),
        ),
        Statement(
            "shipped error",
            "over a panel of half-width wide by at most what is shipped, with g = log(rho)",
            at_most(wide * LAPLACE.OFF, FOUND),
            on_a_panel,
            ("rho > 1", "wide > 0", Whole("N", 2)),
            {"on the ellipse": assume(at_most(LAPLACE.LARGEST.at(g=log(rho)), B))},
            axioms=(LAPLACE.GAUSS,),
        ),
        Statement(
            "tangent",
            "log S lies above its tangent: S(x + s) is at least S(x) exp(m s), m its slope at x",
            at_most(S * exp(m * s), T),
            tangent,
            (),
            {
                **MIXTURE,
                "slope": assume(equal(E(J, c * TERM), m * S)),
                "there": assume(equal(E(J, exp(c * (x + s))), T)),
            },
            example(
                {"x": 1, "s": 1, "lo": 0, "hi": 0, "S": 1, "T": 1, "m": 0},
                {"J": [((0,), 1)]},
            ),
        ),
        between_slopes(False),
        between_slopes(True),
        Statement(
            "tail, shipped",
            "what falls at a rate integrates to the shipped bound: minus it is the slope of its"
            " tail",
            equal(
                -read(falling_tail(*formulas(S, rate, given=("rate > 0",)))) * rate, -S
            ),
            by_prover("a quotient"),
            ("rate > 0",),
        ),
        Statement(
            "rises",
            "the slope of log A is at least that of log B, if no place of A is below lo, and"
            " none of B above",
            at_most(0, X / S - z / T),
            rising,
            ("0 < S", "0 < T"),
            {
                "first": assume(at_most(lo * S, X)),
                "second": assume(at_most(z, lo * T)),
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "a place that turns by more than a quarter keeps its sign",
            at_most(0, cos(y)),
            ("0 <= y", "y < 2*pi"),
        ),
        Falsehood(
            "half of the spread is enough for what is kept",
            at_most(read(kept_by_spread(*formulas(y, formula(1) / 2))), cos(y)),
            ("0 <= y", "y <= 1"),
        ),
        Falsehood(
            "the slope here bounds a positive power from above as well",
            at_most(cosh(x + s), cosh(x) * exp(s * tanh(x))),
            ("0 <= s",),
        ),
    ),
    attacks=(
        Attack(
            "the shipped transform with coarse and fine panels, in balls", transforms
        ),
    ),
    rules=(
        panel_error,
        kept_by_angle,
        kept_by_spread,
        off_axis,
        steepest,
        density_most,
        falling_tail,
    ),
)
