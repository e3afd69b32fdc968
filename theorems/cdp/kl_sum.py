"""The sum of the two divergences of a pair with bounded log ratio.

Printed: If the log ratio of D and D' lies in [-eps, eps], then KL(D || D') <= KL(D || D') + KL(D'
    || D) <= eps (exp(eps) - 1).
Proved: KL(D' || D) >= 0, and the sum is at most 2 eps tanh(eps/2), which is below eps (exp(eps) -
    1); for eps > 0 (for eps = 0 the laws are the same). Randomized response attains the first
    bound.
Idea: The sum is E (1 - exp(-L)) L under D, and (1 - y) log(1/y) is convex: it lies below its chord
    over [exp(-eps), exp(eps)], which is eps tanh(eps/2) (1 + y); and y = exp(-L) has mean 1.
Source: Dwork and Rothblum, Lemma 5.
Finding: The constant eps (exp(eps) - 1) can be replaced by 2 eps tanh(eps/2), which is attained:
    the same for small eps to first order (eps**2), but at most 2 eps instead of eps exp(eps) for
    large eps.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Law, RESPONSE, Statement, Status, Step, Theorem, absolute, assume,
    at_most, combine, dominated, equal, example, exp, integrable, linear, on_average, on_the_line,
    proves, ratios_B as B, ratios_L as L, ratios_MASS as MASS, ratios_P as P, ratios_Q as Q,
    ratios_eps as eps, real, relations, table, tanh, tilt, tilted,
)  # fmt: skip

SUM = E(P, L) + E(Q, -L)
TWICE = 2 * eps * tanh(eps / 2)

THEOREM = Theorem(
    verdict=Status.SHARPENED,
    parts=(
        Statement(
            "reverse",
            "KL(D' || D) >= 0",
            at_most(0, E(Q, -L)),
            given=(),
            assuming={"mass": MASS},
        ),
        Statement(
            "sum",
            "the sum is at most 2 eps tanh(eps/2)",
            at_most(SUM, TWICE),
            given=("eps > 0",),
            assuming={"mass": MASS},
        ),
        Statement(
            "printed",
            "the sum is at most eps (exp(eps) - 1)",
            at_most(SUM, eps * (exp(eps) - 1)),
            given=("eps > 0",),
            assuming={"mass": MASS},
        ),
    ),
    sharp=(
        Statement(
            "response",
            "randomized response attains 2 eps tanh(eps/2)",
            equal(E(RESPONSE, eps * B - eps * B * exp(-eps * B)), TWICE),
        ),
    ),
)


@proves("reverse")
def reverse(part: Statement) -> Iterator[Step]:
    """The divergence of D' from D, as a mean under D: log y >= 1 - 1/y, times y."""
    mass = part.assuming["mass"]
    bounded = dominated(
        real(at_most(absolute(exp(-L) * -L), eps * exp(eps)), *P.support, *part.given),
        P,
    )
    other = tilt(Q, -L, mass, bounded)
    yield other, "KL(D' || D), under D"
    line = real(at_most(exp(-L) - 1, exp(-L) * -L))
    yield line, "the logarithm is below its tangent"
    over = on_average(line, P, bounded, mass)
    yield combine(part.claim, other, over, mass), "averaged"


@proves("sum")
def total(part: Statement) -> Iterator[Step]:
    """The chord of (1 - y) log(1/y)."""
    mass = part.assuming["mass"]
    half = eps * tanh(eps / 2)
    slopes = real(
        "L <= eps*(exp(eps) + exp(-eps) - 2*exp(-L))/(exp(eps) - exp(-eps))",
        *P.support,
        *part.given,
    )
    yield slopes, "-log y lies below its chord"
    back = real(
        "-L*exp(-L) <= eps*((exp(eps) + exp(-eps))*exp(-L) - 2)/(exp(eps) - exp(-eps))",
        *P.support,
        *part.given,
    )
    yield back, "and so does y log y"
    first = dominated(real(at_most(absolute(L), eps), *P.support, *part.given), P)
    second = dominated(
        real(at_most(absolute(exp(-L) * -L), eps * exp(eps)), *P.support, *part.given),
        P,
    )
    body = L + exp(-L) * -L
    chord = combine(at_most(body, half + half * exp(-L)), slopes, back)
    yield chord, "together"
    both = linear(P, body, {L: 1, exp(-L) * -L: 1}, first, second)
    bound = on_the_line(
        chord, P, integrable(both, E(P, body)), mass, half, half, *part.given
    )
    yield bound, "averaged, with E exp(-L) = 1"
    yield (
        combine(part.claim, tilt(Q, -L, mass, second), (both, -1), bound),
        "as divergences",
    )


@proves("printed")
def printed(part: Statement) -> Iterator[Step]:
    """The bound in print is larger."""
    sharper = THEOREM.part("sum").fact()
    yield sharper, "the sharper bound"
    gap = real(at_most(TWICE, eps * (exp(eps) - 1)), *part.given)
    yield gap, "which is smaller"
    yield combine(part.claim, sharper, gap), "than the printed one"


@proves("response")
def attained(part: Statement) -> Iterator[Step]:
    """A finite sum."""
    body = eps * B - eps * B * exp(-eps * B)
    mean = table(RESPONSE, body)
    yield mean, "the mean of (1 - exp(-L)) L"
    yield combine(part.claim, mean), "is the bound"


FROM_ABOVE = Law("P", ("L",), relations("L <= eps"))

FALSEHOODS = (
    Falsehood(
        "the sum is at most eps tanh(eps/2), here for randomized response",
        at_most(TWICE, eps * tanh(eps / 2)),
        ("eps > 0",),
    ),
    Falsehood(
        "a bound on the loss from above is enough",
        at_most(
            E(FROM_ABOVE, L) + E(tilted("Q", FROM_ABOVE, exp(-L)), -L),
            eps * (exp(eps) - 1),
        ),
        ("eps > 0",),
        assuming={"mass": assume(equal(E(FROM_ABOVE, exp(-L)), 1))},
        instance=example(
            {"eps": "log(2)"}, {"P": [("log(2)", "14/15"), ("-log(8)", "1/15")]}
        ),
    ),
)
