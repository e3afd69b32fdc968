"""The transform of the loss of two Cauchy laws, by the trapezoid rule on the circle halfway between
them.

Printed: not in the sources
Proved: Let C**2 = 1 + S**2, C > S > 0, for C = cosh(eps/2) and S = sinh(eps/2). With cos(phi) = (C
    cos(theta) - S) / (C - S cos(theta)), the ratio cosh(eps) + sinh(eps) cos(phi) is (C + S
    cos(theta))/(C - S cos(theta)), and phi grows with theta at the rate 1/(C - S cos(theta)), so
    that M(z) is the mean of (C + S cos(theta))**z (C - S cos(theta))**(-z - 1) over the circle. At
    theta = x + i b, with V = sinh(b) and S V < 1, both C + S cos(theta) and C - S cos(theta) have a
    modulus between C - S cosh(b) > 0 and C + S cosh(b), and a sine of the argument of at most S V.
    So the integrand is at most B = up**t down**(-t - 1) exp(2 y asin(S V)) on both edges, for 0 <=
    Im z <= y, and the trapezoid rule with n points is off by at most 2 B/(exp(n b) - 1).
Idea: Squares of moduli; 1 - cos**2 - |C + S cos(theta)|**2 is minus a square. The rule on the
    circle is classical.
Source: Trefethen and Weideman, The exponentially convergent trapezoidal rule (2014), Theorem 3.2.
"""

from rdpacct.book.words import (
    Attack, Axiom, CircleTransform, Falsehood, Fraction, Iterator, Nodes, PI, Quantity, RealBall,
    Refused, Statement, Status, Step, Symbol, Theorem, Whole, assume, at_most, axiom, by_prover,
    circle_error, combine, complex_of, cos, cosh, equal, exp, formula, precision, random,
    raw_pi as pi, raw_real as ball, real, relations, sin, sinh,
)  # fmt: skip

C, S, c, u, t, y, n, b, B = map(Symbol, ("C", "S", "c", "u", "t", "y", "n", "b", "B"))
k, most, o, p, r, w, x = map(Symbol, ("k", "most", "o", "p", "r", "w", "x"))
OFF = Quantity("circle_error", (n,))
"""The distance of the mean over n points of the circle from the mean over the circle."""
EDGE = Quantity("circle_edge", (b,))
"""A bound on the modulus between the edges at -b and b."""
POINTS = (Whole("n", 1), "b > 0")
CIRCLE = Axiom(
    "trapezoid rule on a circle",
    "Trefethen and Weideman 2014, The exponentially convergent trapezoidal rule,"
    " Theorem 3.2",
    "Let v have period 2 pi, be analytic in the strip -b < Im theta < b, b > 0, and at"
    " most circle_edge(b) in modulus there. The mean of v over n equally spaced points of"
    " a period, n = 1, 2, ..., differs from the mean of v over the period by"
    " circle_error(n) <= 2 circle_edge(b)/(exp(n b) - 1). (In print both are multiplied by"
    " 2 pi.)",
    (
        axiom(
            "trapezoid rule on a circle",
            at_most(OFF, 2 * EDGE / (exp(n * b) - 1)),
            *POINTS,
        ),
    ),
)
ONE = C**2 - S**2
"""It is 1."""
SQUARE = C**2 + 2 * C * S * u * c + S**2 * (c**2 + u**2 - 1)
"""The square of the modulus of C + S cos(x + i b), with c = cos(x) and u = cosh(b)."""


def error(part: Statement) -> Iterator[Step]:
    """The axiom, and the bound on the edges."""
    (rule,) = CIRCLE.forms
    yield rule, "the axiom"
    weight = 2 / (exp(n * b) - 1)
    yield combine(part.claim, rule, (part.assuming["edge"], weight)), "the edges"


def on_the_edge(part: Statement) -> Iterator[Step]:
    """Linear in the logarithms of the moduli and in the arguments."""
    given = relations(*(one for one in part.given if isinstance(one, str)))
    uses = [
        (real("o <= most", "o <= most"), t),
        (real("p <= k", "p <= k"), t + 1),
        (real("w <= r", "w <= r"), y),
    ]
    yield combine(part.claim, *uses, given=given), "each with its own weight"


def twins(seed: int) -> int:
    """The shipped sum against one of many more points, and its error against theirs, in balls."""
    rng = random.Random(seed)
    tried = 0
    for _ in range(12):
        size = Fraction(rng.randint(1, 50), 10)
        tilt = Fraction(rng.randint(1, 60), 10)
        with precision(160):
            nodes = Nodes(
                ball(tilt), ball(Fraction(rng.randint(1, 30), 10)), rng.randint(2, 9)
            )
            rough, fine = (
                CircleTransform(formula(size)).at(nodes, nats) for nats in (12.0, 80.0)
            )
            if not all(one.overlaps(two) for one, two in zip(rough, fine, strict=True)):
                raise Refused(
                    f"two sums for epsilon = {size} at {tilt} do not overlap."
                )
            tried += _first_form(size, ball(tilt), fine[0].real)
    return tried


def _first_form(size: Fraction, tilt: RealBall, found: RealBall) -> int:
    """The moment by the angle that is uniform under P, with many points."""
    e = ball(size)
    points = 4000
    total = ball(0)
    for j in range(points):
        total = (
            total
            + (tilt * (e.cosh() + e.sinh() * (2 * pi() * j / points).cos()).log()).exp()
        )
    if not abs(complex(complex_of(total / points / found, ball(0))) - 1) < 1e-9:
        raise Refused(f"the two forms of the moment for epsilon = {size} differ.")
    return 1


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "ratio",
            "the likelihood ratio in the angle halfway, where cosh(eps) = C**2 + S**2"
            " and sinh(eps) = 2 C S",
            equal(
                (C**2 + S**2) * (C - S * c) + 2 * C * S * (C * c - S), ONE * (C + S * c)
            ),
            by_prover("algebra"),
        ),
        Statement(
            "sine",
            "sin(phi) is sin(theta)/(C - S cos(theta))",
            equal((C - S * c) ** 2 - (C * c - S) ** 2, ONE * (1 - c**2)),
            by_prover("algebra"),
        ),
        Statement(
            "rate",
            "the derivative of cos(phi) in theta is -sin(theta)/(C - S cos(theta))**2:"
            " phi grows at the rate shipped",
            equal(C * (C - S * c) + (C * c - S) * S, ONE),
            by_prover("the numerator of the quotient rule"),
        ),
        Statement(
            "square",
            "the square of the modulus of C + S cos(x + i b)",
            equal((C + S * u * c) ** 2 + S**2 * (u**2 - 1) * (1 - c**2), SQUARE),
            by_prover("algebra"),
        ),
        Statement(
            "opposite",
            "the square of the modulus of C - S cos(x + i b) is that at -c",
            equal(
                (C - S * u * c) ** 2 + S**2 * (u**2 - 1) * (1 - c**2), SQUARE.at(c=-c)
            ),
            by_prover("algebra"),
        ),
        Statement(
            "edges, real part",
            "C + S cos(x + i b) has the same real part on both edges",
            equal(C + S * cos(x) * cosh(-b), C + S * cos(x) * cosh(b)),
            by_prover("cosh is even"),
        ),
        Statement(
            "edges, imaginary part",
            "and the opposite imaginary part, so that the moduli and the sizes of the"
            " arguments are the same",
            equal(-S * sin(x) * sinh(-b), S * sin(x) * sinh(b)),
            by_prover("sinh is odd"),
        ),
        Statement(
            "points",
            "the points below the axis have the cosines of those above it",
            equal(cos(2 * PI * (n - k) / n), cos(2 * PI * k / n)),
            by_prover("after a turn"),
            ("n > 0",),
        ),
        Statement(
            "modulus-below",
            "the modulus is at most C + S cosh(b): the difference of squares has no"
            " negative term",
            equal(
                (C + S * u) ** 2 - SQUARE,
                2 * C * S * u * (1 - c) + S**2 * (1 - c) * (1 + c),
            ),
            by_prover("algebra"),
        ),
        Statement(
            "modulus-above",
            "the modulus is at least C - S cosh(b): the difference of squares is a"
            " product",
            equal(SQUARE - (C - S * u) ** 2, S * (1 + c) * (2 * C * u - S * (1 - c))),
            by_prover("algebra"),
        ),
        Statement(
            "factor",
            "of which the last factor is not negative either",
            at_most(S * (1 - c), 2 * C * u),
            by_prover("S < C, and 1 - c is at most 2"),
            ("S > 0", "C > S", "u >= 1", "-1 <= c", "c <= 1"),
        ),
        Statement(
            "argument",
            "1 - c**2 is at most the square of the modulus; S**2 V**2 (1 - c**2) is"
            " that of the imaginary part",
            equal(SQUARE, ONE * (1 - c**2) + (S * u + C * c) ** 2),
            by_prover("algebra"),
        ),
        Statement(
            "positive",
            "C - S cosh(b) is positive where S V < 1, with V**2 = u**2 - 1",
            equal((C - S * u) * (C + S * u), ONE - S**2 * (u**2 - 1)),
            by_prover("algebra"),
        ),
        Statement(
            "edge",
            "the logarithm of the integrand, from those of the moduli, o <= most and k"
            " >= p, and the arguments",
            at_most(t * o - (t + 1) * k + y * w, t * most - (t + 1) * p + y * r),
            on_the_edge,
            ("t > 0", "y >= 0", "o <= most", "p <= k", "w <= r"),
        ),
        Statement(
            "error",
            "the error of the sum",
            at_most(OFF, 2 * B / (exp(n * b) - 1)),
            error,
            POINTS,
            {"edge": assume(at_most(EDGE, B))},
            axioms=(CIRCLE,),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the sine of the argument is at most S V/2, here for S = 3/4, C = 5/4 and"
            " cosh(b) = 1",
            at_most(1 - c**2, SQUARE.at(S=Fraction(3, 4), C=Fraction(5, 4), u=1) / 4),
            ("-1 <= c", "c <= 1"),
        ),
    ),
    attacks=(
        Attack(
            "the shipped sum with few and with many points, and in the first angle, in"
            " balls",
            twins,
        ),
    ),
    rules=(CircleTransform.at, circle_error),
    in_words=(
        (
            "the arguments of C + S cos(theta) and C - S cos(theta) have opposite signs"
            " and add up to at most twice asin(S V) in size, as both real parts are"
            " positive"
        ),
    ),
)
