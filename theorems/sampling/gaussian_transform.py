"""The moments of a sampled Gaussian loss by the trapezoid rule, with its error.

Printed: not in the sources
Proved: Let R(x) = 1 - q + q exp(mu x - mu**2/2), 0 < q < 1, x standard normal, I(s) = E R**s, s = a
    + i theta with theta >= 0. On Im x = b with |mu b| < pi the number R(x + i b) has a modulus
    between R(x) cos(mu b/2) and R(x), and an argument between 0 and mu b. So the integral of |phi
    R**s| along that line is at most I(a) exp(b**2/2), times cos(mu b/2)**a if a < 0, times
    exp(theta mu |b|) if b < 0. The trapezoid sum of step h on the line Im x = y between -d and up
    differs from I(s) by at most I(a) times the two edges over exp(2 pi (up - y)/h) - 1 and exp(2 pi
    (y + d)/h) - 1. If e is the sum of the two, I(a) <= (S + t)/(1 - e), where S is the modulus of
    the kept part of the sum at theta = 0 and t bounds what is not kept: the terms on a line are at
    most those on the axis (sampling/gaussian-tails) times the factor of the line.
Idea: Squares of moduli, and the sine of the argument. Turned back by mu b/2, R(x + i b) has a
    positive real part, so that log R is analytic in the strip; phi R**s falls there like
    exp(-x**2/4). The trapezoid rule in a strip is a classical
    axiom, with one term for each edge: the theorem in print has the larger edge twice, and its
    proof has each once.
Source: Trefethen and Weideman, The exponentially convergent trapezoidal rule (2014).
"""

from rdpacct.book.words import (
    Any, Attack, Axiom, Callable, Comparison, Complex, E, EXPONENT, Expectation, Expr, Fact,
    Falsehood, Grid, HALF, Iterator, MOMENT, MOMENT_BELOW, PI, Polar, Quantity, Refused,
    SampledGaussianTransform, Statement, Status, Step, Symbol, Theorem, absolute, accuracies,
    assume, at_most, axiom, below, by_prover, cast, combine, cos, dataclasses_replace as replace,
    discharge, edge_size, equal, example, exp, expect, formula, formulas, given_by,
    grid_points_points as points, integrable, lemma, level_point, line_part, lines, log,
    naming_named as named, on_line, point_part, positive_cosine, raised_point, read, real,
    relations, share, sin, specialize, strip_error, terms_part, turned_RATE as RATE,
    turned_RATIO as RATIO, turned_q as q, turned_u as u, under,
)  # fmt: skip

a, mu, p, r, c, k, theta, up, d, y, h, rise, fall = map(
    Symbol,
    ("a", "mu", "p", "r", "c", "k", "theta", "up", "d", "y", "h", "rise", "fall"),
)
height = Symbol("height")
V, W, J, e, S, T, x, b, t = map(Symbol, ("V", "W", "I", "e", "S", "T", "x", "b", "t"))
RATIO_AT = RATIO.at(u=mu * x - mu**2 / 2)
INTEGRAND = (Complex(a, theta) * Polar(V, W).log() - Complex(x, b) ** 2 / 2).exp()
"""phi R**s at x + i b, but for the constant of the density."""
OFF = Quantity("strip_error", (h, y))
"""The distance of the trapezoid sum from the integral."""


def edge(line: Expr) -> Expr:
    """The integral of the modulus of a function along the line at this height."""
    return Quantity("strip_edge", (line,))


def rule_in_a_strip(off: Expr, on_edge: Callable[[Expr], Expr]) -> Fact:
    """The rule for one function, by the names of its error and of the integrals of its modulus."""
    return axiom(
        "trapezoid rule in a strip",
        at_most(
            off,
            on_edge(up) / (exp(2 * PI * rise / h) - 1)
            + on_edge(-d) / (exp(2 * PI * fall / h) - 1),
        ),
        "h > 0",
        "rise > 0",
        "fall > 0",
        "rise == up - y",
        "fall == y + d",
    )


TRAPEZOID = Axiom(
    "trapezoid rule in a strip",
    "Trefethen and Weideman 2014, The exponentially convergent trapezoidal rule,"
    " Theorem 5.1, with the two terms of its proof",
    "Let f be analytic in the closed strip -d <= Im x <= up, tend to 0 uniformly there"
    " as abs(Re x) grows, and have finite integrals strip_edge(b) of its modulus along the"
    " lines Im x = b. The sum of h f over points of step h on the line Im x = y, -d < y <"
    " up, wherever they begin, converges and differs from the integral of f, which is the"
    " same along all these lines, by strip_error(h, y) <="
    " strip_edge(up)/(exp(2 pi rise/h) - 1) + strip_edge(-d)/(exp(2 pi fall/h) - 1), where"
    " rise = up - y and fall = y + d. (The theorem in print has y = 0, up = d, and a common"
    " bound on strip_edge in the place of both; its proof has one term for each edge.)",
    (rule_in_a_strip(OFF, edge),),
)


def turned_down(one: Expr) -> Expr:
    """The same for the lower edge, whose angle is r, and k its cosine."""
    return one.at(p=r, c=k)


HALF_SAMPLED = example(
    {
        **dict.fromkeys(("up", "d", "h", "mu", "I"), 1),
        **{"y": 0, "theta": 0, "a": 0, "q": "1/2"},
        **dict.fromkeys(("c", "k"), "cos(1/2)"),
    },
    {"X": [((0, "cos(1/2)", HALF), 1)], "Y": [((0, "cos(1/2)", -HALF), 1)]},
    strip_edge=("x", 0),
)
"""At u = 0 and q = 1/2, R = cos(p/2) at the angle p/2."""


def error_part(name: str, says: str, negative: bool) -> Statement:
    """The part for the error of the trapezoid sum: the angles are mu times the heights of the
    edges.
    """
    upper, lower = (E(on_line(side), exp(EXPONENT)) for side in (False, True))
    gaps = exp(2 * PI * rise / h) - 1, exp(2 * PI * fall / h) - 1
    above = exp(up**2 / 2) * share(negative, False)
    beneath = exp(d**2 / 2) * turned_down(share(negative, True))
    claim = at_most(OFF, J * (above / gaps[0] + beneath / gaps[1]))
    hypotheses = {
        "upper edge": at_most(edge(up), exp(up**2 / 2) * upper),
        "lower edge": at_most(edge(-d), exp(d**2 / 2) * turned_down(lower)),
        "moment on the upper edge": equal(MOMENT, J),
        "moment on the lower edge": equal(turned_down(MOMENT_BELOW), J),
    }
    angles = {"p": mu * up, "r": mu * d}
    places = {**angles, "rise": up - y, "fall": y + d}
    moved = {
        key: Comparison(one.left.at(**angles), one.sign, one.right.at(**angles))
        for key, one in hypotheses.items()
    }

    def proof(part: Statement) -> Iterator[Step]:
        given = relations(*(one for one in part.given if isinstance(one, str)))
        (rule,) = TRAPEZOID.forms
        yield rule, "the axiom"
        first = line_part("", "", negative, False).fact()
        second = specialize(line_part("", "", negative, True).fact(), p=r, c=k)
        yield first, "the integral along the upper edge"
        yield second, "the integral along the lower edge"
        weights = [1 / gap for gap in gaps]
        together = combine(
            claim,
            rule,
            (assume(hypotheses["upper edge"]), weights[0]),
            (first, exp(up**2 / 2) * weights[0]),
            (assume(hypotheses["lower edge"]), weights[1]),
            (second, exp(d**2 / 2) * weights[1]),
        )
        here = specialize(together, **places)
        sides = [
            under(combine(at_most(0, mu * line), rest=mu * line, given=given), *given)
            for line in (up, d)
        ]
        yield under(given_by(here, *sides), *given), "together"

    sign = (
        ("a <= 0", "0 < c", "0 < k", "c == cos(mu*up/2)", "k == cos(mu*d/2)")
        if negative
        else ("a >= 0",)
    )
    given = (*RATE, "mu > 0", "mu*up < pi", "mu*d < pi", "theta >= 0", *sign)
    assuming = {name: assume(one) for name, one in moved.items()}
    stated = at_most(OFF, claim.right.at(**places))
    return Statement(
        name,
        says,
        stated,
        proof,
        (*given, "0 <= up", "0 <= d", "h > 0", "y < up", "-d < y"),
        assuming,
        HALF_SAMPLED,
        axioms=(TRAPEZOID,),
    )


def positive_moment(moment: Fact) -> Fact:
    """A mean of what is positive."""
    mean = moment.relation.left
    if not isinstance(mean, Expectation):
        raise Refused(f"{mean} is no mean.")
    positive = real(at_most(0, mean.body), *RATE)
    above = expect(positive, mean.law, integrable(moment, mean))
    return combine(at_most(0, J), above, moment)


def shipped_strip(name: str, says: str, negative: bool) -> Statement:
    """The error with the shipped bound, for all theta up to a height."""
    lemma_ = error_part("", "", negative)
    sign = "a < 0" if negative else "a >= 0"
    line = (sign, "mu*up < pi", "mu*d < pi", "-d < y", "y < up", "0 < d", "0 <= up")
    numbers = formulas(mu, a, y, up, -d, h, height, given=line)
    mu_, a_, shift, above, below_, step, high = (cast(Any, one) for one in numbers)
    found = strip_error(mu_, a_, Grid(shift, above, below_, step, 0.0, 0), high)
    kept = (one for one in lemma_.given if one not in ("a >= 0", "a <= 0", "0 <= d"))
    known = (*kept, sign, "0 < d", "theta <= height")
    angles = {"c": cos(mu * up / 2), "k": cos(mu * (-d) / 2)} if negative else {}
    given = tuple(one for one in known if not about_cosines(one))
    claim = at_most(OFF, J * read(found))

    def proof(part: Statement) -> Iterator[Step]:
        fact = lemma_.fact()
        yield fact, "the error at theta"
        rises = real("exp(v) <= exp(w)", "v <= w", "mu > 0", "d > 0")
        order = combine(
            at_most(theta * mu * d, height * mu * d),
            (real("theta <= height", "theta <= height"), mu * d),
            given=("mu > 0", "d > 0"),
        )
        grown = given_by(
            specialize(rises, v=order.relation.left, w=order.relation.right), order
        )
        yield grown, "which rises with theta"
        least = positive_moment(part.assuming["moment on the upper edge"])
        yield least, "the moment is not negative"
        bend = exp(a * log(k)) if negative else formula(1)
        gap = 1 / (exp(2 * PI * (y + d) / h) - 1)
        room = real(at_most(0, gap), "h > 0", "-d < y")
        product = real("0 <= u*v", "0 <= u", "0 <= v", "h > 0", "-d < y")
        factor = given_by(specialize(product, u=J, v=gap), least, room)
        lift = bend * exp(d**2 / 2)
        more = real("u*v <= u*w", "0 <= u", "v <= w", "h > 0", "-d < y")
        more = specialize(
            more, u=J * gap, v=grown.relation.left, w=grown.relation.right
        )
        larger = given_by(more, factor, grown)
        needed = (
            "h > 0",
            "y < up",
            "-d < y",
            *(("0 < c", "0 < k") if negative else ()),
        )
        right = named(
            claim.right, {cosine: Symbol(name) for name, cosine in angles.items()}
        )
        shape = combine(
            at_most(OFF, right),
            assume(fact.relation),
            (assume(larger.relation), lift),
            given=needed,
        )
        shape = discharge(discharge(shape, fact), larger)
        yield shape, "as it is shipped, but for the names of the cosines"
        bent = [positive_cosine(mu * line, *map(str, given)) for line in (up, d)]
        here = specialize(under(shape, *known), **angles)
        if negative:
            even = specialize(real("cos(-v) == cos(v)"), v=mu * d / 2)
            least_cosine = combine(below(0, angles["k"]), bent[1], even)
            here = given_by(
                here, bent[0], least_cosine, real(equal(angles["c"], angles["c"])), even
            )
        yield under(here, *part.given), "as it is shipped"

    order = {"a": formula(-1 if negative else 0), "height": formula(0)}
    witness = replace(HALF_SAMPLED, values={**HALF_SAMPLED.values, **order})
    return Statement(
        name,
        says,
        claim,
        proof,
        given,
        lemma_.assuming,
        witness,
        axioms=(TRAPEZOID,),
    )


def about_cosines(one: object) -> bool:
    """Whether a condition is about c or k."""
    return bool({"c", "k"} & relations(cast(str, one))[0].symbols())


def half_plane(part: Statement) -> Iterator[Step]:
    """1 - q and q exp(u) turn by p/2 each, one back and one forth."""
    cosine = specialize(real("0 < cos(v/2)", "-pi < v", "v < pi"), v=p)
    yield cosine, "half of the angle is below pi/2"
    product = specialize(real("0 < c*r", "0 < c", "0 < r"), c=cos(p / 2), r=RATIO)
    found = given_by(product, cosine, real(below(0, RATIO), *RATE))
    yield combine(part.claim, found), "the real part is R(x) cos(p/2)"


def falls(part: Statement) -> Iterator[Step]:
    """log R is at most mu |x|, and a mu |x| at most a**2 mu**2 + x**2/4."""
    known = ("mu > 0", *RATE)
    far = mu * absolute(x)
    rule = real("log(1 - q + q*exp(u)) <= v", "u <= v", "0 <= v", *known)
    place = specialize(rule, u=mu * x - mu**2 / 2, v=far)
    logs = given_by(
        place,
        real(at_most(mu * x - mu**2 / 2, far), "mu > 0"),
        real(at_most(0, far), "mu > 0"),
    )
    yield logs, "R is at most exp(mu |x|)"
    square = specialize(real("v*abs(x) <= v**2 + x**2/4"), v=a * mu)
    less = combine(
        at_most(a * log(RATIO_AT) - x**2 / 2, a**2 * mu**2 - x**2 / 4),
        (logs, a),
        square,
        given=(*known, "a >= 0"),
    )
    yield less, "a square"
    rises = real("exp(v) <= exp(w)", "v <= w", *known)
    grown = specialize(rises, v=less.relation.left, w=less.relation.right)
    yield combine(part.claim, given_by(grown, less)), "exp rises"


def falls_flat(part: Statement) -> Iterator[Step]:
    """R is at least 1 - q."""
    flat = specialize(lemma("sampling/gaussian-tails", "flat"), u=mu * x - mu**2 / 2)
    yield flat, "a falling power of R, which is at least 1 - q"
    yield combine(part.claim, (flat, exp(-(x**2) / 2))), "times the density"


def closing(part: Statement) -> Iterator[Step]:
    """The error is a share of the moment itself."""
    given = tuple(one for one in part.given if isinstance(one, str))
    uses = ((part.assuming[name], 1 / (1 - e)) for name in ("sum", "error"))
    yield combine(part.claim, *uses, given=given), "solve for the moment"


def precisions(seed: int) -> int:
    """The shipped transform with a coarse and with a fine grid, in balls."""
    return accuracies(SampledGaussianTransform, 15.0, seed)


def theorem() -> Theorem:
    """The statement, with what the shipped code gives for symbols."""
    return Theorem(
        verdict=Status.PROVED,
        parts=(
            *(point_part(*line) for line in lines()),
            *(line_part(*line) for line in lines()),
            Statement(
                "removing",
                "the moment of order t of log R under the mixture is the one of order 1 + t"
                " under N(0, 1)",
                equal(RATIO * exp(t * log(RATIO)), exp((1 + t) * log(RATIO))),
                by_prover("the mixture has the density R"),
                RATE,
            ),
            Statement(
                "integrand",
                "the modulus of phi R**s at x + i b, R having the modulus V and the"
                " argument W there: exp(b**2/2) times that of R**s and phi(x)",
                equal(
                    INTEGRAND.re**2 + INTEGRAND.im**2,
                    (exp(b**2 / 2) * exp(EXPONENT) * exp(-(x**2) / 2)) ** 2,
                ),
                by_prover("a turn has modulus 1"),
                ("V > 0",),
            ),
            Statement(
                "half-plane",
                "in the strip R has no zero, and no value below 0: turned back by p/2 it"
                " has a positive real part",
                below(
                    0,
                    (1 - q + q * exp(u) * cos(p)) * cos(p / 2)
                    + q * exp(u) * sin(p) * sin(p / 2),
                ),
                half_plane,
                (*RATE, "-pi < p", "p < pi"),
            ),
            Statement(
                "falls",
                "phi R**a falls fast along the axis, a >= 0, and so does |phi R**s| in the"
                " strip, by `integrand` and the bounds at a point",
                at_most(
                    exp(a * log(RATIO_AT)) * exp(-(x**2) / 2),
                    exp(a**2 * mu**2) * exp(-(x**2) / 4),
                ),
                falls,
                (*RATE, "mu > 0", "a >= 0"),
            ),
            Statement(
                "falls-negative",
                "a <= 0",
                at_most(
                    exp(a * log(RATIO_AT)) * exp(-(x**2) / 2),
                    exp(a * log(1 - q)) * exp(-(x**2) / 2),
                ),
                falls_flat,
                (*RATE, "a <= 0"),
            ),
            *(
                terms_part(*kind)
                for kind in (("not kept", False), ("not kept, negative", True))
            ),
            error_part("error", "the error of the trapezoid sum, a >= 0", False),
            error_part(
                "error-negative", "the error of the trapezoid sum, a <= 0", True
            ),
            Statement(
                "moment",
                "the moment from the sum at theta = 0, with the error e I and T for what is"
                " not kept",
                at_most(J, (S + T) / (1 - e)),
                closing,
                ("e < 1",),
                {
                    "sum": assume(at_most(J, S + T + OFF)),
                    "error": assume(at_most(OFF, e * J)),
                },
            ),
            shipped_strip("shipped error", "the shipped error, a >= 0", False),
            shipped_strip("shipped error, negative", "the shipped error, a < 0", True),
            *(
                Statement(
                    name,
                    says,
                    equal(left, right),
                    by_prover("the same formula"),
                    given,
                )
                for name, says, left, right, given in points(level_point, raised_point)
            ),
        ),
        falsehoods=(
            Falsehood(
                "the modulus is at least R cos(p/4), here for q = 1/2 and u = 0",
                at_most(cos(p / 4) ** 2, (1 + cos(p)) / 2),
                ("0 <= p", "p <= 3"),
            ),
        ),
        attacks=(Attack("the shipped transform on two grids, in balls", precisions),),
        rules=(strip_error, edge_size, level_point, raised_point),
    )
