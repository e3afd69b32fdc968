"""The transform of the loss of the discrete Laplace mechanism: two ends, and a geometric series in
between.

Printed: not in the sources.
Proved: The loss r (n - 2 k), 0 <= k <= n, has the mass 1/(1 + exp(-r)) at k = 0, exp(-r n)/(1 +
    exp(-r)) at k = n, and exp(-r k) (1 - exp(-r))/(1 + exp(-r)) in between
    (discrete-laplace/worst-pair). With u = exp(-(1 + 2 z) r), z = t + i y, exp(-r k) exp(z r (n - 2
    k)) = exp(z n r) u**k, and the sum of u**k over 0 <= k < n is (1 - u**n)/(1 - u), for real and
    imaginary parts, all whole n >= 0 and (1 + 2 t) r > 0; without its first term it is (u -
    u**n)/(1 - u). So M(z) = exp(z n r) (1 + u**n + (1 - exp(-r)) (u - u**n)/(1 - u))/(1 + exp(-r)),
    as shipped.
Idea: Induction over the number of terms; 1 - u is not 0 as |u| < 1.
Source: Ghosh, Roughgarden and Sundararajan, Universally utility-maximizing privacy mechanisms, for
    the mechanism.
"""

from rdpacct.book.words import (
    Attack, Complex, Condition, DiscreteLaplaceTransform, Fact, Falsehood, Formal, Fraction,
    Iterator, Nodes, Refused, Statement, Status, Step, Symbol, Theorem, Whole, at_one_node, base_in,
    below, by_prover, cast, closed_forms, coefficient, combine, complex_of, cos, de_moivre,
    declared, definitions, discrete_laplace_worst_pair as worst_pair, equal, example, exp, formula,
    geometric_RATIO as RATIO, geometric_g as g, geometric_n as n, geometric_sums as sums, given_by,
    lemma, one_node, partial, phi, power_definitions, precision, random, raw_real as number, real,
    recursive, relations_of, sin, specialize, under, value,
)  # fmt: skip

r, t, y, k = (Symbol(name) for name in ("r", "t", "y", "k"))
BELOW = (1 - RATIO * cos(phi), RATIO * sin(phi))
"""The real and imaginary parts of 1 - u."""
TOP = (1 - exp(-g * n) * cos(n * phi), exp(-g * n) * sin(n * phi))
"""Those of 1 - u**n."""
SQUARE = BELOW[0] ** 2 + BELOW[1] ** 2
QUOTIENT = (
    (TOP[0] * BELOW[0] + TOP[1] * BELOW[1]) / SQUARE,
    (TOP[1] * BELOW[0] - TOP[0] * BELOW[1]) / SQUARE,
)


def positive(*given: str | Condition) -> Fact:
    """The square of |1 - u| is positive."""
    gap = real(below(0, (1 - RATIO) ** 2), *given)
    turn = under(specialize(real("0 <= 1 - cos(w)"), w=phi), *given)
    return combine(below(0, SQUARE), gap, (turn, 2 * RATIO))


def quotient(part: Statement, imaginary: bool) -> Iterator[Step]:
    """Two equations for the two sums."""
    first, second = closed_forms(part.assuming)
    yield first, "the real part of (1 - u) times the sum"
    yield second, "the imaginary part"
    given = tuple(str(one) for one in part.given if not isinstance(one, Whole))
    size = positive(*given)
    yield size, "1 - u is not 0"
    texts = ("c*b1 + s*b2 == p", "c*b2 - s*b1 == q", "d == b1**2 + b2**2")
    one, two, whole = (real(text, text) for text in texts)
    b1, b2, p, q, c, s, d = (
        Symbol(name) for name in ("b1", "b2", "p", "q", "c", "s", "d")
    )
    solved = (
        combine(
            equal(-s, (q * b1 - p * b2) / d),
            (one, -b2 / d),
            (two, b1 / d),
            (whole, -s / d),
            given=("0 < d",),
        )
        if imaginary
        else combine(
            equal(c, (p * b1 + q * b2) / d),
            (one, b1 / d),
            (two, b2 / d),
            (whole, c / d),
            given=("0 < d",),
        )
    )
    (cosines, sines), tops = (
        sums(n),
        {
            "p": first.relation.right,
            "q": second.relation.right,
        },
    )
    put = specialize(
        solved, c=cosines, s=sines, b1=BELOW[0], b2=BELOW[1], d=SQUARE, **tops
    )
    shaped = [
        combine(one, fact)
        for one, fact in zip(relations_of(*put.domain), (first, second), strict=False)
    ]
    yield (
        combine(part.claim, given_by(put, *shaped, real(equal(SQUARE, SQUARE)), size)),
        "so",
    )


def attack(seed: int) -> int:
    """The shipped transform against the sum over the shipped law, at random places."""
    rng = random.Random(seed)
    with precision(128):
        for _ in range(60):
            rate = formula(Fraction(rng.randint(1, 40), 10))
            steps = rng.randint(1, 5)
            z = complex_of(
                number(Fraction(rng.randint(1, 40), 10)),
                number(Fraction(rng.randint(1, 60), 10)),
            )
            found = DiscreteLaplaceTransform(rate, steps).at(Nodes(z.real, z.imag, 2))[
                1
            ]
            total = complex_of(number(0), number(0))
            for one in worst_pair(rate, steps).parts:
                first, second = value(one.p), value(one.q)  # type: ignore[attr-defined]
                total = total + (z * (first / second).log()).exp() * first
            if not found.overlaps(total):
                raise Refused(
                    f"the rate {rate} with {steps} steps has another transform at {z}."
                )
    return 60


def shipped(steps: Formal | int, *given: str) -> Complex:
    """What the shipped transform computes at any node t + i y."""
    transform = DiscreteLaplaceTransform(declared(Formal(r, given)), cast(int, steps))
    return at_one_node(transform.at(one_node(t, y, given)))


AT = {"g": (1 + 2 * t) * r, "phi": 2 * r * y}
LAST = Complex(-AT["g"] * n, -AT["phi"] * n).exp()
SUM = Complex(sums(n)[0], -sums(n)[1])
LIFT = Complex(t * n * r, y * n * r).exp() / (1 + exp(-r))
MOMENT = LIFT * (1 + LAST + (SUM - 1) * (1 - exp(-r)))
"""The sum over the losses: u**0, u**n and, times 1 - exp(-r), what is between."""
KNOWN = {name: specialize(fact, **AT) for name, fact in definitions().items()}
ENDS = Complex(t * r, y * r).exp() / (1 + exp(-r))
ENDS = ENDS * (1 + Complex(-AT["g"], -AT["phi"]).exp())


def at_node(part: Statement) -> Iterator[Step]:
    """The powers by de Moivre, the sums by the parts above."""
    powers = de_moivre(part.assuming, base_in(part.claim.left), AT["g"], AT["phi"])
    yield powers[0], "the real part of u**n"
    yield powers[1], "its imaginary part"
    uses = [(fact, coefficient(part.claim.left, fact.relation.left)) for fact in powers]
    for name, sign, atom in zip(("real", "imaginary"), (-1, 1), sums(n), strict=True):
        fact = specialize(lemma("discrete-laplace/transform", name), **AT)
        fact = under(fact, *part.given)
        yield fact, f"the {name} part of the sum"
        uses.append((fact, sign * coefficient(part.claim.right, atom)))
    given = ("r > 0", "t > 0", "n > 1")
    yield combine(part.claim, *uses, given=given), "together"


GROWTH = exp(-(1 + 2 * t) * r)
INSIDE = (1 - exp(-r)) * (GROWTH - GROWTH**3) / (1 - GROWTH)
SHIPPED_LAW = sum(
    (
        part.p * exp(t * r * (3 - 2 * place))  # type: ignore[attr-defined]
        for part, place in zip(worst_pair(r, 3).parts, (0, 3, 1, 2), strict=True)
    ),
    formula(0),
)
"""The moment of the shipped law for three steps, whose ratios are exp(r (3 - 2 k))."""


def theorem() -> Theorem:
    """The statement, with what the shipped code gives for symbols."""
    value = shipped(Formal(n, ("n > 1",)), "n > 1")
    single = shipped(1)
    return Theorem(
        verdict=Status.PROVED,
        parts=(
            Statement(
                "term",
                "the real part of the term of the loss r (n - 2 k)",
                equal(
                    exp(-r * k) * exp(t * r * (n - 2 * k)) * cos(y * r * (n - 2 * k)),
                    exp(t * n * r)
                    * exp(-(1 + 2 * t) * r * k)
                    * (
                        cos(n * r * y) * cos(k * 2 * r * y)
                        + sin(n * r * y) * sin(k * 2 * r * y)
                    ),
                ),
                by_prover("the exponents agree"),
            ),
            Statement(
                "turned-term",
                "its imaginary part",
                equal(
                    exp(-r * k) * exp(t * r * (n - 2 * k)) * sin(y * r * (n - 2 * k)),
                    exp(t * n * r)
                    * exp(-(1 + 2 * t) * r * k)
                    * (
                        sin(n * r * y) * cos(k * 2 * r * y)
                        - cos(n * r * y) * sin(k * 2 * r * y)
                    ),
                ),
                by_prover("the exponents agree"),
            ),
            *(
                Statement(
                    name,
                    f"the {name} part of the sum of u**k over 0 <= k < n, with u = exp(-g -"
                    " i phi)",
                    claim,
                    partial(quotient, imaginary=name == "imaginary"),
                    ("g > 0", Whole("n", 0)),
                    definitions(),
                )
                for name, claim in (
                    ("real", equal(sums(n)[0], QUOTIENT[0])),
                    ("imaginary", equal(-sums(n)[1], QUOTIENT[1])),
                )
            ),
            *(
                Statement(
                    name,
                    f"the {name.split()[0]} part of M, its ends and the sum between, is what the"
                    " shipped function computes at any node t + i y",
                    claim,
                    at_node,
                    ("r > 0", "t > 0", "n > 1", Whole("n", 0)),
                    {**KNOWN, **power_definitions()},
                    example(
                        {"r": 1, "t": 1, "n": 2, "y": 0},
                        C=recursive(),
                        S=recursive(),
                        RePower=recursive(),
                        ImPower=recursive(),
                    ),
                )
                for name, claim in (
                    ("real value", equal(value.re, MOMENT.re)),
                    ("imaginary value", equal(value.im, MOMENT.im)),
                )
            ),
            *(
                Statement(
                    f"{name} value of one step",
                    f"the {name} part for n = 1, without a sum",
                    claim,
                    by_prover("two losses"),
                )
                for name, claim in (
                    ("real", equal(single.re, ENDS.re)),
                    ("imaginary", equal(single.im, ENDS.im)),
                )
            ),
        ),
        sharp=(
            Statement(
                "three-steps",
                "the moments of the shipped law of three steps",
                equal(
                    SHIPPED_LAW,
                    exp(3 * t * r) * (1 + GROWTH**3 + INSIDE) / (1 + exp(-r)),
                ),
                by_prover("a geometric series"),
                ("r > 0", "t > 0"),
            ),
        ),
        falsehoods=(
            Falsehood(
                "the ends have the weight of the terms between, here for one step at t = 1",
                equal(
                    (exp(r) + exp(-2 * r)) * (1 - exp(-r)) / (1 + exp(-r)),
                    (exp(r) + exp(-2 * r)) / (1 + exp(-r)),
                ),
                ("r > 0",),
            ),
        ),
        attacks=(
            Attack(
                "the shipped transform against the sum over the shipped law", attack
            ),
        ),
        rules=(DiscreteLaplaceTransform.at,),
    )
