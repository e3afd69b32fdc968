"""The moments of a sampled Laplace loss by Gauss-Legendre sums on panels, with their error.

Printed: not in the sources
Proved: Under Q the loss l of a Laplace release shifted by mu has the atoms 1/2 at -mu and
    exp(-mu)/2 at mu, and the density exp(-(l + mu)/2)/4 in between. Let R(l) = 1 - q + q exp(l), 0
    < q < 1. On a panel of half-width w inside (-mu, mu) the points of the ellipse with foci at its
    ends and sum rho of semi-axes (in half-widths) have |Re l| <= far = mu + w ((rho + 1/rho)/2 - 1)
    and |Im l| <= tall = w (rho - 1/rho)/2. If tall < pi, there |R(l)**(a + i theta)| <=
    max(R(-far)**a, R(far)**a) exp(theta turn), times cos(tall/2)**a if a < 0, with the turn tall,
    or tall q exp(far)/(1 - q) if tall < pi/2; and |exp(-(l + mu)/2)| <= exp((far - mu)/2). With B
    the product, the N-point Gauss-Legendre sum is off by at most (64/15) B rho**(-2 N)/(1 -
    rho**(-2)), N >= 2, in half-widths.
Idea: The bounds on R are those of sampling/gaussian-transform; the tangent bounds the argument
    where the cosine is positive. The quadrature error is a classical axiom: an N-point rule is
    exact up to degree 2 N - 1, and the terms of a Chebyshev series that remain are even, of degree
    k >= 4, at most 2 B rho**(-k) each, and each is off by at most 2 + 2/(k**2 - 1) <= 32/15; this
    sum is proved here, the axiom is that it bounds the error.
Source: Trefethen, Is Gauss quadrature better than Clenshaw-Curtis (2008), for the quadrature error.
"""

from rdpacct.book.words import (
    Atom, Attack, Axiom, Comparison, Complex, Condition, Fact, Falsehood, Fraction, Iterator, PI,
    Piece, Polar, Quantity, Refused, SampledLaplaceTransform, Statement, Status, Step, Symbol, TALL,
    Theorem, Whole, absolute, accuracies, argument_below, argument_small, assume, at_most, axiom,
    below, by_prover, combine, cos, ellipse_error, equal, example, exp, formula, formulas, given_by,
    induct, laplace_worst_pair as worst_pair, legendre, lemma, log, modulus_above, modulus_below,
    naming_named as named, on_both_sides, on_ellipse, parts_LOSS as LOSS, polar, positive_cosine,
    precision, random, raw_real as exactly, read, real, relations, size_of_argument, specialize,
    tilted_density, turned_RATE as RATE, turned_RATIO as RATIO, turned_cosine_falls as cosine_falls,
    turned_q as q, turned_u as u, under,
)  # fmt: skip

a, p, V, W, j, k, c, B, N, g, n = map(Symbol, "apVWjkcBNgn")
theta, far, tall, mu, wide, rho = map(
    Symbol, ("theta", "far", "tall", "mu", "wide", "rho")
)
loss = Symbol(LOSS.name)
middle = Symbol("middle")
PANELS = Quantity("Panels", (n,))
PANEL = Quantity("Panel", (n,))
"""The error of the n-th panel, and of the first n."""
PARTS = worst_pair(mu).parts
HIGH, LOW = (one for one in PARTS if isinstance(one, Atom))
(STRETCH,) = (one for one in PARTS if isinstance(one, Piece))
OFF = Quantity("panel_error", (N,))
"""The distance of the Gauss-Legendre sum from the integral over [-1, 1]."""
TERMS, NEXT, NONE = (Quantity("S", (formula(i),)) for i in (j, j + 1, 0))
LARGEST = Quantity("ellipse_most", (g,))
"""A bound on the modulus inside of the ellipse with rho = exp(g)."""
BOUND = formula(64) / 15 * B * exp(-2 * N * g) / (1 - exp(-2 * g))
"""The bound on the error, where g is log rho."""
NODES = ("g > 0", Whole("N", 2))
GAUSS = Axiom(
    "Gauss-Legendre quadrature of analytic functions",
    "Trefethen 2008, Is Gauss quadrature better than Clenshaw-Curtis, Theorem 4.5",
    "Let f be analytic in the open region bounded by the ellipse with foci -1 and 1 whose"
    " semi-axes add up to rho = exp(g), g > 0, and at most ellipse_most(g) in modulus"
    " there. The Gauss-Legendre sum of N points, N = 2, 3, ..., differs from the integral"
    " of f over [-1, 1] by panel_error(N) <= (64/15) ellipse_most(g) rho**(-2 N)/(1 -"
    " rho**(-2)).",
    (
        axiom(
            "Gauss-Legendre quadrature of analytic functions",
            at_most(OFF, BOUND.at(B=LARGEST)),
            *NODES,
        ),
    ),
)


def known_of(part: Statement) -> tuple[Comparison, ...]:
    """What is given, as relations."""
    return relations(*(one for one in part.given if isinstance(one, str | Comparison)))


def narrow(given: tuple[Comparison, ...]) -> Fact:
    """The angle is below pi."""
    return combine(below(p, PI), real("p <= tall", *given), real("tall < pi", *given))


def longest(part: Statement) -> Iterator[Step]:
    """The modulus is at most R at the real part, which rises."""
    given = known_of(part)
    grows = real(at_most(RATIO, RATIO.at(u=far)), "u <= far", *RATE)
    most = combine(at_most(V, RATIO.at(u=far)), modulus_below(p, V, W), grows)
    yield most, "the modulus"
    rule = specialize(
        real("log(v) <= log(w)", "0 < v", "v <= w"), v=V, w=RATIO.at(u=far)
    )
    yield (
        under(combine(part.claim, (given_by(rule, most), a), given=given), *given),
        "a rising power",
    )


def shortest(part: Statement) -> Iterator[Step]:
    """The modulus is at least R at the real part times a cosine that falls with the angle."""
    given = known_of(part)
    upper = (*relations("0 <= p"), *(one for one in given if one != FROM))
    bent = cosine_falls(p, tall)
    yield bent, "the cosine falls"
    least = given_by(modulus_above(p, V, W), narrow(upper))
    start = real(at_most(RATIO.at(u=-far), RATIO), "-far <= u", *RATE)
    known = real(equal(c, cos(tall / 2)), *upper)
    kept = combine(
        at_most(c * RATIO.at(u=-far), V),
        least,
        (bent, RATIO),
        (known, -RATIO),
        (start, c),
        given=upper,
    )
    yield kept, "the modulus"
    rule = specialize(
        real("log(c) + log(r) <= log(v)", "0 < c", "0 < r", "c*r <= v"),
        r=RATIO.at(u=-far),
        v=V,
    )
    logs = given_by(rule, kept, real(below(0, RATIO.at(u=-far)), *RATE))
    power = under(combine(part.claim, (logs, -a), given=upper), *upper)
    yield power, "a falling power, above the axis"
    yield on_both_sides(power, *given), "and below it"


def turn(part: Statement) -> Iterator[Step]:
    """The argument is at most the angle."""
    given = known_of(part)
    upper = relations("0 <= p", "p <= tall", "tall < pi", *RATE, *POLAR)
    most = given_by(argument_below(p, V, W), narrow(upper))
    most = combine(at_most(W, tall), most, real("p <= tall", *upper))
    yield most, "above the axis it is at most the angle"
    yield (
        size_of_argument(most, narrow(upper), *given),
        "below the axis it has the other sign",
    )


def small_turn(part: Statement) -> Iterator[Step]:
    """The argument is at most its tangent."""
    given = known_of(part)
    upper = relations("0 <= p", "p <= tall", "tall < pi/2", "u <= far", *RATE, *POLAR)
    order = real("p <= tall", *upper), real("tall < pi/2", *upper)
    whole = argument_small(p, V, W, combine(below(p, order[1].relation.right), *order))
    yield whole, "the argument is at most this multiple of the angle"
    grows = real(at_most(exp(u), exp(far)), "u <= far")
    rest = 1 / (1 - q)
    ends = (grows, p * q * rest), (order[0], q * exp(far) * rest)
    most = combine(at_most(W, part.claim.right), (whole, rest), *ends, given=upper)
    yield under(most, *upper), "at the far end"
    half = real("pi/2 < pi")
    yield (
        size_of_argument(
            under(most, *upper), combine(below(p, PI), *order, half), *given
        ),
        "below the axis it has the other sign",
    )


def reach(part: Statement) -> Iterator[Step]:
    """Each coordinate, in semi-axes, is at most half of 1 and its square."""
    given = known_of(part)
    inside = real(INSIDE, *given)
    ends = []
    for sign in (1, -1):
        if part.name == "real-part":
            part_of, axis = sign * (u - middle) / LONG, LONG
            other = p / SHORT
            text = "middle <= mu - wide" if sign > 0 else "wide - mu <= middle"
            side = [real(text, *given)]
        else:
            part_of, axis = sign * p / SHORT, SHORT
            other = (u - middle) / LONG
            side = []
        line = specialize(
            under(real("x <= (1 + x**2 + y**2)/2"), *given), x=part_of, y=other
        )
        claim = at_most(sign * part.claim.left.parts()[0], part.claim.right)
        ends.append(
            combine(claim, (line, axis), (inside, axis / 2), *side, given=given)
        )
        yield ends[-1], "one end of the axis"
    size = real("abs(x) <= y", "x <= y", "-x <= y", *given)
    size = specialize(size, x=part.claim.left.parts()[0], y=part.claim.right)
    yield under(given_by(size, *ends), *given), "both"


def series(part: Statement) -> Iterator[Step]:
    """A geometric sum."""
    given = relations(*(one for one in part.given if isinstance(one, str)))
    known: tuple[Condition, ...] = (*given, Whole("j", 0))
    one = real("2 + 2/(k**2 - 1) <= 32/15", "k >= 4")
    yield one, "one even Chebyshev polynomial is off by at most this"
    degree = combine(
        at_most(4, 2 * N + 2 * j),
        (real("2 <= N", *given), 2),
        (real("0 <= j", "0 <= j"), 2),
    )
    term = given_by(specialize(one, k=2 * N + 2 * j), degree)
    reached = BOUND * (1 - exp(-2 * j * g))
    before = assume(at_most(TERMS, reached), *known)
    weight = 2 * B * exp(-2 * (N + j) * g)
    step = combine(
        at_most(NEXT, reached.at(j=j + 1)),
        before,
        (part.assuming["next"], 1),
        (term, weight),
    )
    yield step, "one more term"
    start = under(
        combine(at_most(NONE, reached.at(j=0)), part.assuming["start"], given=given),
        *given,
    )
    total = induct(start, under(step, *known), "j")
    yield total, "a geometric sum"
    tail = specialize(real("0 <= exp(v)"), v=-2 * j * g)
    yield (
        under(combine(part.claim, total, (tail, BOUND)), *known),
        "is less than the whole series",
    )


def error(part: Statement) -> Iterator[Step]:
    """The axiom, with the bound on the ellipse."""
    (rule,) = GAUSS.forms
    yield rule, "the axiom"
    uses = (part.assuming["on the ellipse"], BOUND.at(B=1))
    yield combine(part.claim, rule, uses), "the bound put in"


PATHS = (
    ("shipped, a >= 0", "a >= 0 and tall >= pi/2", False, False),
    ("shipped, a >= 0, narrow", "a >= 0 and tall < pi/2", False, True),
    ("shipped, a < 0", "a < 0 and tall >= pi/2", True, False),
    ("shipped, a < 0, narrow", "a < 0 and tall < pi/2", True, True),
)


def shipped_error(name: str, path: str, negative: bool, is_narrow: bool) -> Statement:
    """The shipped bound, by `error`, where B is the product of the bounds on the ellipse, and g =
    log rho. Other ellipses on which B bounds the integrand have this error too.
    """
    found, size = on_ellipse(ellipse_error, negative, is_narrow)
    cosine = cos(TALL / 2)

    def proof(part: Statement) -> Iterator[Step]:
        known = known_of(part)
        rule = lemma("sampling/laplace-transform", "error")
        yield rule, "the error of the N-point rule"
        bound, shown = (named(side, {cosine: c}) for side in (size, part.claim.right))
        given = (*known, *relations("0 < c"))
        here = specialize(under(rule, *rule.domain, *given), B=bound, g=log(rho))
        here = given_by(here, real("0 < log(rho)", "rho > 1"))
        same = real(equal(BOUND.at(B=bound, g=log(rho)), shown), *given)
        total = combine(at_most(OFF, shown), here, same, given=given)
        yield total, "with the product of these bounds for B"
        positive = real("0 < 1")
        if negative:
            positive = positive_cosine(TALL, *map(str, known))
        here = specialize(total, c=cosine if negative else formula(1))
        yield under(given_by(here, positive), *part.given), "as it is shipped"

    return Statement(
        name,
        f"the shipped error of a panel of half-width wide, where {path}, for the product of"
        " these bounds on the ellipse",
        at_most(OFF, found),
        proof,
        (
            *(*RATE, "rho > 1", Whole("N", 2)),
            *(("wide > 0", below(TALL, PI)) if negative else ()),
        ),
        {"on the ellipse": assume(at_most(LARGEST.at(g=log(rho)), size))},
        axioms=(GAUSS,),
    )


def panels(part: Statement) -> Iterator[Step]:
    """One panel more."""
    before = assume(part.claim, Whole("n", 0))
    after = at_most(PANELS.at(n=n + 1), (n + 1) * B)
    step = combine(after, before, part.assuming["next"], part.assuming["each"])
    yield step, "one panel more"
    start = combine(at_most(PANELS.at(n=0), 0 * B), part.assuming["start"])
    yield induct(start, step, "n"), "all panels"


def precisions(seed: int) -> int:
    """The shipped transform with few and with many nodes, in balls."""
    return accuracies(SampledLaplaceTransform, 8.0, seed)


def poles(seed: int) -> int:
    """The error of 1/(s - x), which has a pole just outside the ellipse, against its bound, in
    balls.
    """
    rng = random.Random(seed)
    with precision(128):
        for _ in range(60):
            size = exactly(Fraction(rng.randint(11, 60), 10))
            number = rng.randint(2, 12)
            pole = (size + 1 / size) / 2 * exactly(Fraction(rng.randint(101, 200), 100))
            found = sum(
                (weight / (pole - at) for at, weight in legendre(number)), exactly(0)
            )
            largest = 1 / (pole - (size + 1 / size) / 2)
            most = largest * 64 / 15 / (size ** (2 * number) * (1 - 1 / (size * size)))
            if abs(found - ((pole + 1) / (pole - 1)).log()) > most:
                raise Refused(f"{number} nodes are off by more for a pole at {pole}.")
    return 60


POLAR = polar(p, V, W)
RANGE = ("-tall <= p", "p <= tall", "tall < pi")
(FROM,) = relations(RANGE[0])
LONG = wide * (rho + 1 / rho) / 2
SHORT = wide * (rho - 1 / rho) / 2
"""The semi-axes of the ellipse about a panel."""
INSIDE = at_most(((u - middle) / LONG) ** 2 + (p / SHORT) ** 2, 1)
"""The point u + i p lies on it, or inside."""
PANEL_AT = (INSIDE, "wide > 0", "rho > 1", "middle <= mu - wide", "wide - mu <= middle")
POWER = (Complex(a, theta) * Polar(V, W).log()).exp()
"""R**s, for s = a + i theta."""
NEXT_TERM = 2 * B * exp(-2 * (N + j) * g) * (2 + 2 / ((2 * N + 2 * j) ** 2 - 1))


AT_ONE = example(
    {
        **dict.fromkeys(("u", "p", "W", "far", "tall", "a"), 0),
        **{"V": 1, "c": 1, "q": "1/2"},
    }
)
"""R = 1, at u = 0 and p = 0."""


def theorem() -> Theorem:
    """The statement, with what the shipped code gives for symbols."""
    return Theorem(
        verdict=Status.PROVED,
        parts=(
            Statement(
                "density",
                "the density of the shipped loss under Q",
                equal(STRETCH.density * exp(-loss), exp(-(loss + mu) / 2) / 4),
                by_prover("as it stands"),
            ),
            *(
                Statement(
                    name,
                    "twice the density at an end is the mass of the atom there under Q",
                    equal(2 * (STRETCH.density * exp(-loss)).at(loss=end), atom.q),
                    by_prover("as it stands"),
                )
                for name, end, atom in (("atom", mu, HIGH), ("other-atom", -mu, LOW))
            ),
            Statement(
                "modulus",
                "inside of the ellipse |R|**a is at most R(far)**a, for a >= 0",
                at_most(a * log(V), a * log(RATIO.at(u=far))),
                longest,
                (*RATE, *POLAR, "u <= far", "a >= 0"),
                witness=AT_ONE,
            ),
            Statement(
                "modulus-negative",
                "inside of the ellipse |R|**a is at most (c R(-far))**a, for a <= 0 and c ="
                " cos(tall/2)",
                at_most(a * log(V), a * log(c) + a * log(RATIO.at(u=-far))),
                shortest,
                (
                    *RATE,
                    *POLAR,
                    *RANGE,
                    "-far <= u",
                    "a <= 0",
                    "0 < c",
                    "c == cos(tall/2)",
                ),
                witness=AT_ONE,
            ),
            Statement(
                "power",
                "the modulus of R**s, s = a + i theta, R having the modulus V and the"
                " argument W",
                equal(POWER.re**2 + POWER.im**2, exp(a * log(V) - theta * W) ** 2),
                by_prover("a turn has modulus 1"),
                ("V > 0",),
            ),
            Statement(
                "turn",
                "the argument is at most tall in size, above the axis and below it",
                at_most(absolute(W), tall),
                turn,
                (*RATE, *POLAR, *RANGE),
                witness=AT_ONE,
            ),
            Statement(
                "small-turn",
                "and at most tall q exp(far)/(1 - q) for tall < pi/2",
                at_most(absolute(W), tall * q * exp(far) / (1 - q)),
                small_turn,
                (*RATE, *POLAR, *RANGE[:2], "tall < pi/2", "u <= far"),
            ),
            Statement(
                "real-part",
                "the ellipse about a panel does not reach further than far, nor does its"
                " inside",
                at_most(absolute(u), mu + wide * ((rho + 1 / rho) / 2 - 1)),
                reach,
                PANEL_AT,
            ),
            Statement(
                "imaginary-part",
                "nor higher than tall",
                at_most(absolute(p), SHORT),
                reach,
                PANEL_AT[:3],
            ),
            Statement(
                "weight",
                "the density on the ellipse",
                at_most(exp(-(u + mu) / 2), exp((far - mu) / 2)),
                by_prover("an exponential"),
                ("-far <= u",),
            ),
            Statement(
                "series",
                "the sum over the Chebyshev polynomials of even degree from 2 N on",
                at_most(TERMS, BOUND),
                series,
                ("B >= 0", "g > 0", "N >= 2", Whole("j", 0)),
                {
                    "start": assume(equal(NONE, 0)),
                    "next": assume(
                        equal(NEXT, TERMS + NEXT_TERM), Whole("j", 0), every="j"
                    ),
                },
            ),
            Statement(
                "error",
                "the error of the N-point rule",
                at_most(OFF, BOUND),
                error,
                NODES,
                {"on the ellipse": assume(at_most(LARGEST, B))},
                axioms=(GAUSS,),
            ),
            *(shipped_error(*path) for path in PATHS),
            Statement(
                "panels",
                "the errors of n panels, each at most B, come to at most n B",
                at_most(PANELS, n * B),
                panels,
                (Whole("n", 0),),
                {
                    "start": assume(equal(PANELS.at(n=0), 0)),
                    "next": assume(
                        equal(PANELS.at(n=n + 1), PANELS + PANEL), every="n"
                    ),
                    "each": assume(at_most(PANEL, B), every="n"),
                },
            ),
            Statement(
                "weights",
                "what is shipped at a loss: R**a times four times its density, for the"
                " rule on a panel, where a weight w of the rule counts w wide/4, and for"
                " the atoms, which count 1/2",
                equal(
                    read(tilted_density(*formulas(loss, mu, q, 1 - q, a))[1]),
                    exp(a * log(1 - q + q * exp(loss)))
                    * 4
                    * STRETCH.density
                    * exp(-loss),
                ),
                by_prover("as it stands"),
                RATE,
            ),
        ),
        falsehoods=(
            Falsehood(
                "one Chebyshev polynomial is off by at most 2",
                at_most(2 + 2 / (k**2 - 1), 2),
                ("k >= 4",),
            ),
            Falsehood(
                "64/15 holds for N = 1 too, where k = 2",
                at_most(2 + 2 / (k**2 - 1), formula(32) / 15),
                ("k >= 2",),
            ),
        ),
        attacks=(
            Attack(
                "the shipped transform with few and many nodes, in balls", precisions
            ),
            Attack("functions with a pole near the ellipse, in balls", poles),
        ),
        rules=(ellipse_error, tilted_density),
    )
