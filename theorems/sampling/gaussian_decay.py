"""How the transform of a sampled Gaussian loss falls along a line, by a contour above the axis.

Printed: not in the sources
Proved: In the notation of sampling/gaussian-transform, |I(a + i theta)| is at most J, the integral
    of |phi R**s| along Im x = y, 0 <= mu y < pi, and J falls with theta. J is itself an integral of
    a function that is analytic where |mu Im x| < pi - mu y; on Im x = eta or -eta with eta <= pi/(2
    mu) and mu (y + eta) < pi its modulus integrates to at most I(a) exp((y**2 + eta**2)/2), times
    (cos(mu (y + eta)/2) cos(mu (y - eta)/2))**(a/2) if a < 0. So the trapezoid sum of step h for J
    is off by at most twice that over exp(2 pi eta/h) - 1; what is not kept of it is bounded in
    sampling/gaussian-transform.
Idea: |R(x + i y)|**2 = R(x + i y) R(x - i y), and twice the argument is the difference of the two
    logarithms over i; for complex x these are values of R at the heights eta + y and eta - y, of
    which the first has the larger argument. The trapezoid sum on the line tends to I(a + i theta),
    that of the moduli to J.
Source: Trefethen and Weideman, The exponentially convergent trapezoidal rule (2014), for the
    trapezoid rule.
"""

from rdpacct.book.words import (
    Attack, Comparison, Complex, E, Expr, Fact, Falsehood, Fraction, Iterator, Law, Nodes, PI,
    Polar, Quantity, Refused, SampledGaussianTransform, Statement, Status, Step, Symbol, Theorem,
    angle, argument_positive, assume, at_most, below, by_prover, closed, combine, cos, dominated,
    equal, example, exp, expect, formula, given_by, integrable, linear, log, module, modulus_above,
    modulus_below, polar, precision, random, raw_real as exactly, real, relations,
    sampled_line_X as X, sign_of_angle, sin, specialize, turned_RATE as RATE, turned_RATIO as RATIO,
    turned_q as q, turned_u as u, under,
)  # fmt: skip

TRANSFORM = module("sampling/gaussian-transform")
a, m, n, p, theta, more, eta, y, h, J, c, k = map(
    Symbol, ("a", "m", "n", "p", "theta", "more", "eta", "y", "h", "J", "c", "k")
)
V, W, V2, W2, G, A, w, x = map(Symbol, ("V", "W", "V2", "W2", "G", "A", "w", "x"))
up, d, slack, whole = map(Symbol, ("up", "d", "slack", "I"))
HIGH, LOW = m + n, m - n
"""The angles mu (eta + y) and mu (eta - y), where y <= eta."""
BOTH = (*polar(HIGH, V, W), *polar(LOW, V2, W2))
ANGLES = ("0 <= n", "n <= m", "m <= pi/2", "m + n < pi")
LINE = X
ON_LINE = exp(a * log(V) - theta * W)
MODULUS = Law("Y", ("G", "A"), relations("G >= 0"))
PROJECTED = G * (cos(A) * cos(w) + sin(A) * sin(w))


def falls(part: Statement) -> Iterator[Step]:
    """The argument is not negative above the axis."""
    given = relations(*(one for one in part.given if isinstance(one, str | Comparison)))
    known = (*given, *LINE.support)
    turn = argument_positive(p, V, W)
    yield turn, "the argument on the line"
    product = specialize(real("t*w <= s*w", "t <= s", "0 <= w"), t=theta, s=more, w=W)
    product = given_by(product, turn)
    lower = combine(
        at_most(a * log(V) - more * W, a * log(V) - theta * W), product, given=known
    )
    rule = specialize(
        real("exp(v) <= exp(z)", "v <= z", "0 < V"),
        v=a * log(V) - more * W,
        z=a * log(V) - theta * W,
    )
    bound = under(given_by(rule, lower), *known)
    yield bound, "the larger theta has the smaller modulus"
    finite = integrable(part.assuming["J"], E(LINE, ON_LINE))
    positive = specialize(real("0 <= exp(v)", "0 < V"), v=a * log(V) - more * W)
    mean = expect(bound, LINE, dominated(bound, LINE, finite, lower=positive), finite)
    yield under(combine(part.claim, mean, part.assuming["J"]), *given), "in the mean"


def modulus(part: Statement) -> Iterator[Step]:
    """A projection is at most the length."""
    turn = specialize(real("cos(v) <= 1"), v=A - w)
    bound = under(
        combine(at_most(PROJECTED, G), (turn, G), given=MODULUS.support),
        *MODULUS.support,
    )
    yield bound, "pointwise"
    back = specialize(real("-1 <= cos(v)"), v=A - w)
    least = under(
        combine(at_most(-G, PROJECTED), (back, G), given=MODULUS.support),
        *MODULUS.support,
    )
    size = specialize(real("abs(v) <= g", "v <= g", "-g <= v"), v=PROJECTED, g=G)
    finite = integrable(part.assuming["J"], E(MODULUS, G))
    whole = dominated(
        under(given_by(size, bound, least), *MODULUS.support), MODULUS, finite
    )
    mean = expect(bound, MODULUS, whole, finite)
    yield combine(part.claim, mean, part.assuming["J"]), "in the mean"


def larger_argument(part: Statement) -> Iterator[Step]:
    """The sine of the difference."""
    given = relations(*(one for one in part.given if isinstance(one, str | Comparison)))
    one = polar(HIGH, V, W)
    two = polar(LOW, V2, W2)
    first = argument_positive(HIGH, V, W)
    second = argument_positive(LOW, V2, W2)
    gap = W - W2
    scale = 1 / (V * V2)
    facts = [real(known, *one, *two) for known in (one[3], one[4], two[3], two[4])]
    order = relations(*ANGLES)
    quarter = combine(
        at_most(n, order[2].right), real(order[1], *order), real(order[2], *order)
    )
    least = combine(at_most(0, m), real(order[0], *order), real(order[1], *order))
    sines = [given_by(real("0 <= cos(m)", "0 <= m", "m <= pi/2"), least)]
    sines += [
        given_by(real(text, "0 <= n", "n <= pi/2"), quarter)
        for text in ("0 <= sin(n)", "0 <= sin(2*n)")
    ]
    room = given_by(
        specialize(real("0 <= x*y", "0 <= x", "0 <= y"), x=cos(m), y=sin(n)), *sines[:2]
    )
    b = q * exp(u)
    turned = combine(
        at_most(0, sin(gap)),
        (room, 2 * (1 - q) * b * scale),
        (sines[2], b**2 * scale),
        (facts[0], V2 * sin(W2) * scale),
        (facts[1], -V2 * cos(W2) * scale),
        (facts[2], -one[4].right * scale),
        (facts[3], one[3].right * scale),
        given=relations(*RATE),
    )
    yield turned, "the sine of the difference"
    low = combine(below(-PI, gap), first, real(two[2], *two))
    high = combine(below(gap, PI), real(one[2], *one), second)
    found = given_by(specialize(sign_of_angle(), w=gap), turned, low, high)
    yield under(combine(part.claim, found), *given), "so the difference is not negative"


def strip_part(name: str, says: str, negative: bool, crossing: bool) -> Statement:
    """The part for the modulus on the edge of the strip; it lies across the axis from the mirror
    image, or not.
    """
    low = LOW if crossing else -LOW
    law = Law(
        "X", ("u", "V", "W", "V2", "W2"), (*polar(HIGH, V, W), *polar(low, V2, W2))
    )
    turn = W - W2 if crossing else W + W2
    body = exp(a * (log(V) + log(V2)) / 2 - theta * turn / 2)
    whole = exp(a * log(RATIO))
    size = exp(a * (log(c) + log(k)) / 2) if negative else formula(1)
    bent = (equal(c, cos(HIGH / 2)), equal(k, cos(low / 2)))

    def proof(part: Statement) -> Iterator[Step]:
        given = relations(
            *(one for one in part.given if isinstance(one, str | Comparison))
        )
        known = (*given, *law.support)
        if crossing:
            order = combine(at_most(0, turn), ARGUMENT.fact())
        else:
            order = combine(
                at_most(0, turn),
                argument_positive(HIGH, V, W),
                argument_positive(low, V2, W2),
            )
        order = under(order, *known)
        yield order, "the turn is not negative"
        logs = []
        for factor, at, size_of, arg, cosine in (
            (c, HIGH, V, W, bent[0]),
            (k, low, V2, W2, bent[1]),
        ):
            if negative:
                least = modulus_above(at, size_of, arg)
                moved = combine(
                    at_most(factor * RATIO, size_of),
                    least,
                    (real(cosine, cosine), -RATIO),
                )
                rule = real("log(c) + log(r) <= log(v)", "0 < c", "0 < r", "c*r <= v")
                rule = specialize(rule, c=factor, r=RATIO, v=size_of)
                logs.append(
                    under(given_by(rule, moved, real(below(0, RATIO), *RATE)), *known)
                )
            else:
                rule = specialize(
                    real("log(v) <= log(w)", "0 < v", "v <= w"), v=size_of, w=RATIO
                )
                logs.append(
                    under(given_by(rule, modulus_below(at, size_of, arg)), *known)
                )
        exponent = body.arguments[0]  # type: ignore[attr-defined]
        target = a * log(RATIO) + (a * (log(c) + log(k)) / 2 if negative else 0)
        parts = [(one, (-a if negative else a) / 2) for one in logs]
        less = under(
            combine(at_most(exponent, target), *parts, (order, theta / 2), given=known),
            *known,
        )
        positive = ("0 < V", "0 < V2", *RATE, *(("0 < c", "0 < k") if negative else ()))
        rule = specialize(
            real("exp(v) <= exp(z)", "v <= z", *positive), v=exponent, z=target
        )
        bound = under(
            combine(at_most(body, size * whole), given_by(rule, less), given=known),
            *known,
        )
        yield bound, "pointwise"
        finite = integrable(part.assuming["moment"], E(law, whole))
        scaled = linear(law, size * whole, {whole: size}, finite, where=given)
        over = integrable(scaled, E(law, size * whole))
        lower = specialize(real("0 <= exp(v)", "0 < V", "0 < V2"), v=exponent)
        mean = expect(bound, law, dominated(bound, law, over, lower=lower), over)
        yield (
            under(
                combine(part.claim, mean, scaled, (part.assuming["moment"], size)),
                *given,
            ),
            "in the mean",
        )

    sign = ("a <= 0", "0 < c", "0 < k", *bent) if negative else ("a >= 0",)
    order = ANGLES if crossing else ("0 <= m", "m <= n", "m + n < pi")
    claim = at_most(E(law, body), size * J)
    return Statement(
        name,
        says,
        claim,
        proof,
        (*RATE, *order, "theta >= 0", *sign),
        {"moment": assume(equal(E(law, whole), J))},
        example(
            {
                **dict.fromkeys(("m", "n", "theta", "a"), 0),
                **dict.fromkeys(("J", "c", "k"), 1),
                "q": "1/2",
            },
            {"X": [((0, 1, 0, 1, 0), 1)]},
        ),
    )


def error(part: Statement) -> Iterator[Step]:
    """Both edges are bounded by the same number."""
    _, general = TWO_SUMS.forms
    rule = specialize(general, up=eta, d=eta, y=0, rise=eta, fall=eta)
    yield rule, "the axiom"
    far = exp(2 * PI * eta / h) - 1
    uses = ((part.assuming[name], 1 / far) for name in ("upper edge", "lower edge"))
    known = tuple(one for one in part.given if isinstance(one, str))
    yield under(combine(part.claim, rule, *uses), *known), "twice"


def lines(seed: int) -> int:
    """The shipped bound against the shipped transform at random points of random lines, in
    balls.
    """
    rng = random.Random(seed)
    with precision(128):
        for _ in range(10):
            shift = formula(Fraction(rng.randint(2, 30), 10))
            rate = formula(Fraction(rng.randint(1, 19), 20))
            transform = SampledGaussianTransform(shift, rate, rng.random() < 0.5)
            tilt = exactly(Fraction(rng.randint(1, 50), 10))
            step = exactly(Fraction(rng.randint(1, 40), 10))
            values = transform.at(Nodes(tilt, step, 6), 40.0)
            for start in range(1, 6):
                most = transform.decay(tilt, step * start, values[0].real, 40.0)
                if any(abs(value) > most for value in values[start:]):
                    raise Refused(
                        f"the transform of {transform} exceeds its bound at {tilt} +"
                        f" {step * start} i."
                    )
    return 10


LOGS = {
    "crossing": (Polar(V, W).log(), Polar(V2, W2).log()),
    "high": (Polar(V, W).log(), Polar(V2, W2).log().conjugate()),
}
"""log R at the heights eta + y and eta - y; for y >= eta the second is that of the conjugate."""


def continued(above: Complex, beneath: Complex, z: Complex) -> Complex:
    """The function that is |phi R**s| over the line at y on the axis, from log R(z + i y) and
    log R(z - i y): half of their sum is log |R|, half of their difference over i the argument.
    """
    half = Complex(a / 2, formula(0)) * (above + beneath)
    turn = Complex(formula(0), theta / 2) * (above - beneath)
    return (half + turn + (Complex(y**2, formula(0)) - z * z) / 2).exp()


def continuation(name: str, says: str, value: Complex, size: Expr) -> Statement:
    """The modulus of that function at a height."""
    return Statement(
        name,
        says,
        equal(value.re**2 + value.im**2, size**2),
        by_prover("a turn has modulus 1"),
        ("V > 0", "V2 > 0"),
    )


def continuations() -> Iterator[Statement]:
    """On the axis and at the two edges of the strip."""
    log_r = Polar(V, W).log()
    on_axis = continued(log_r, log_r.conjugate(), Complex(x, formula(0)))
    weight = exp((y**2 - x**2) / 2)
    apart = on_axis - weight * exp(a * log(V) - theta * W)
    yield Statement(
        "axis",
        "the function that is |phi R**s| on the line at y, as one of log R(x + i y) and log"
        " R(x - i y), its conjugate, and real there: they are no distance apart",
        equal(apart.re**2 + apart.im**2, 0),
        by_prover("as it stands"),
        ("V > 0",),
    )
    for kind, (above, beneath) in LOGS.items():
        turn = W - W2 if kind == "crossing" else W + W2
        size = exp(a * (log(V) + log(V2)) / 2 - theta * turn / 2)
        lifted = size * exp((y**2 + eta**2) / 2) * exp(-(x**2) / 2)
        where = "y <= eta" if kind == "crossing" else "y >= eta"
        yield continuation(
            f"{kind}, upper edge",
            f"its modulus at the height eta, {where}: phi(x) exp((y**2 + eta**2)/2) and"
            " what the means below are of",
            continued(above, beneath, Complex(x, eta)),
            lifted,
        )
        yield continuation(
            f"{kind}, lower edge",
            f"and at the height -eta, {where}, where the two logarithms are conjugate to"
            " those",
            continued(beneath.conjugate(), above.conjugate(), Complex(x, -eta)),
            lifted,
        )


SUM = Quantity("line_sum", (h,))
MODULI = Quantity("moduli_sum", (h,))
GAP = Quantity("moduli_error", (h, y))
"""The sum of phi R**s on the line at y, in one direction, that of its moduli, and the distance of
the latter from the integral J of the modulus.
"""


def moduli_edge(line: Expr) -> Expr:
    """The integral of the modulus of the continued function along a line."""
    return Quantity("moduli_edge", (line,))


TWO_SUMS = TRANSFORM.TRAPEZOID.in_forms(
    *TRANSFORM.TRAPEZOID.forms,
    TRANSFORM.rule_in_a_strip(GAP, moduli_edge),
)
"""The rule for phi R**s, and for its modulus on the line at y, continued."""
STRIP = ("-d < y", "y < up", "eta > 0", "c > 0")
LINE_SUMS = {
    "sum on the line": assume(at_most(whole - SUM, TRANSFORM.OFF), "h > 0", every="h"),
    "moduli": assume(at_most(SUM, MODULI), "h > 0", every="h"),
    "sum of moduli": assume(at_most(MODULI - J, GAP.at(y=0)), "h > 0", every="h"),
    "upper edge": assume(at_most(TRANSFORM.edge(up), c)),
    "lower edge": assume(at_most(TRANSFORM.edge(-d), c)),
    "upper edge, modulus": assume(at_most(moduli_edge(eta), c)),
    "lower edge, modulus": assume(at_most(moduli_edge(-eta), c)),
}


def on_the_line(part: Statement) -> Iterator[Step]:
    """The errors of both sums vanish with the step."""
    first, second = TWO_SUMS.forms
    first = specialize(first, rise=up - y, fall=y + d)
    second = specialize(second, y=0, up=eta, d=eta, rise=eta, fall=eta)
    yield first, "the axiom, for phi R**s"
    yield second, "and for its modulus, continued"
    small = real("1/(exp(2*pi*r/h) - 1) <= h/(2*pi*r)", "h > 0", "r > 0")
    uses = list[tuple[Fact, Expr]]()
    for gap, name in (
        (up - y, "upper edge"),
        (y + d, "lower edge"),
        (eta, "upper edge, modulus"),
        (eta, "lower edge, modulus"),
    ):
        uses.append((part.assuming[name], 1 / (exp(2 * PI * gap / h) - 1)))
        uses.append((specialize(small, r=gap), c))
    names = ("sum on the line", "moduli", "sum of moduli")
    sums = [part.assuming[name] for name in names]
    rate = (1 / (up - y) + 1 / (y + d) + 2 / eta) / (2 * PI)
    near = combine(
        at_most(whole, J + c * h * rate), *sums, first, second, *uses, given=STRIP
    )
    near = under(near, *STRIP, "h > 0")
    yield near, "exp(2 pi r/h) - 1 is at least 2 pi r/h"
    step = slack / (c * rate)
    positive = real(below(0, step), *STRIP, "slack > 0")
    here = given_by(
        specialize(under(near, *near.domain, "slack > 0"), h=step), positive
    )
    close = combine(at_most(whole, J + slack), here, given=(*STRIP, "slack > 0"))
    yield close, "with a small step"
    yield under(closed(under(close, *STRIP, "slack > 0"), "slack"), *STRIP), "for each"


ARGUMENT = Statement(
    "argument",
    "the number at the larger angle m + n has the larger argument, for m = mu eta <="
    " pi/2 and n = mu y <= m",
    at_most(W2, W),
    larger_argument,
    (*RATE, *ANGLES, *BOTH),
    witness=example(
        {
            **dict.fromkeys(("m", "n", "u", "W", "W2"), 0),
            **{"V": 1, "V2": 1, "q": "1/2"},
        }
    ),
)
EDGE = J * exp((y**2 + eta**2) / 2)
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "falls",
            "the integral of the modulus falls with theta",
            at_most(E(LINE, exp(a * log(V) - more * W)), J),
            falls,
            (*RATE, *angle(p), "theta <= more"),
            {"J": assume(equal(E(LINE, ON_LINE), J))},
        ),
        Statement(
            "modulus",
            "the projection of an integral on every direction w, and so its modulus, is"
            " at most that of the modulus",
            at_most(E(MODULUS, PROJECTED), J),
            modulus,
            (),
            {"J": assume(equal(E(MODULUS, G), J))},
        ),
        Statement(
            "line",
            "I(s), projected on a direction, is at most J, the integral of |phi R**s| along"
            " the line at y",
            at_most(whole, J),
            on_the_line,
            STRIP,
            LINE_SUMS,
            example(
                {
                    **dict.fromkeys(("I", "J", "y"), 0),
                    **dict.fromkeys(("up", "d", "eta", "c"), 1),
                },
                line_sum=("x", 0),
                moduli_sum=("x", 0),
                strip_edge=("x", 0),
                moduli_edge=("x", 0),
                strip_error=("x", "z", 0),
                moduli_error=("x", "z", 0),
            ),
            axioms=(TWO_SUMS,),
        ),
        *continuations(),
        ARGUMENT,
        strip_part("strip", "on the edge of the strip, y <= eta, a >= 0", False, True),
        strip_part(
            "strip-negative", "on the edge of the strip, y <= eta, a <= 0", True, True
        ),
        strip_part(
            "high-strip", "on the edge of the strip, y >= eta, a >= 0", False, False
        ),
        strip_part(
            "high-strip-negative",
            "on the edge of the strip, y >= eta, a <= 0",
            True,
            False,
        ),
        Statement(
            "error",
            "the error of the trapezoid sum for J, where c is the factor of the"
            " cosines",
            at_most(GAP.at(y=0), 2 * c * EDGE / (exp(2 * PI * eta / h) - 1)),
            error,
            ("h > 0", "eta > 0"),
            {
                "upper edge": assume(at_most(moduli_edge(eta), c * EDGE)),
                "lower edge": assume(at_most(moduli_edge(-eta), c * EDGE)),
            },
            axioms=(TWO_SUMS,),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the sine of the difference is not negative for any m, here q = 1/2, exp(u)"
            " = 1/10 and n = 1/10",
            at_most(0, (2 * cos(m) * sin(n) + sin(2 * n) / 10).at(n=Fraction(1, 10))),
            ("0 <= m", "m <= 3"),
        ),
    ),
    attacks=(
        Attack("the shipped bound against the shipped transform, in balls", lines),
    ),
    rules=(SampledGaussianTransform.decay,),
)
