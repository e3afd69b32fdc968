"""Laplace noise on the scale of the global sensitivity.

Printed: If s is a constant that bounds the global sensitivity of g, the density proportional to
    exp(-alpha |z - g(X)|/s) gives alpha-DP.
Proved: For |g - h| <= s the densities at every z differ by a factor of at most exp(alpha), so that
    P(A) <= exp(alpha) Q(A) for every event, and for every test. The factor is attained at every z
    on the far side.
Idea: The triangle inequality.
Source: Hall, Rinaldo and Wasserman, section 6, equation (6); Dwork, McSherry, Nissim and Smith
    (2006).
"""

from rdpacct.book.words import (
    E, Expr, Falsehood, Iterator, Law, Statement, Status, Step, Theorem, absolute, assume, at_most,
    combine, dominated, equal, exp, formula, given_by, global_sensitivity, integrable, on_average,
    proves, real, relations, relations_of, specialize, symbols, under,
)  # fmt: skip

alpha, s, z, g, h, p, q, f, k = symbols("alpha s z g h p q f k")
M = Law(
    "M", ("p", "q", "f"), relations("0 <= p", "0 <= q", "p <= k*q", "0 <= f", "f <= 1")
)


def density(center: Expr) -> Expr:
    """The density at z of the noisy value."""
    return alpha / (2 * s) * exp(-alpha * absolute(z - center) / s)


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "pointwise",
            "the densities differ by a factor of at most exp(alpha)",
            at_most(density(g), exp(global_sensitivity(alpha).alpha) * density(h)),
            given=("0 < alpha", "0 < s", "abs(g - h) <= s"),
        ),
        Statement(
            "events",
            "so do the probabilities of all events and the means of all tests, whatever"
            " the two densities are",
            at_most(E(M, p * f), k * E(M, q * f)),
            assuming={"q has mass 1": assume(equal(E(M, q), 1))},
        ),
    ),
    sharp=(
        Statement(
            "far side",
            "left of both values, at distance s from each other, the exponents differ"
            " by exactly alpha",
            equal(
                alpha * absolute(z - (g + s)) / s - alpha * absolute(z - g) / s, alpha
            ),
            given=("0 < s", "z <= g"),
        ),
    ),
    rules=(global_sensitivity,),
)


@proves("pointwise")
def pointwise(part: Statement) -> Iterator[Step]:
    """|z - h| <= |z - g| + |g - h|."""
    given = relations_of(*part.given)
    triangle = specialize(real("abs(x + y) <= abs(x) + abs(y)"), x=z - g, y=g - h)
    yield triangle, "the triangle inequality"
    near = real(at_most(absolute(g - h), s), *given)
    order = combine(
        at_most(-alpha * absolute(z - g) / s, alpha - alpha * absolute(z - h) / s),
        (triangle, alpha / s),
        (near, alpha / s),
        given=given,
    )
    yield order, "scaled"
    grows = real("exp(x) <= exp(y)", "x <= y")
    there = specialize(
        under(grows, *grows.domain, *given),
        x=order.relation.left,
        y=order.relation.right,
    )
    yield (
        combine(part.claim, (under(given_by(there, order), *given), alpha / (2 * s))),
        "exponentiated",
    )


@proves("events")
def events(part: Statement) -> Iterator[Step]:
    """The densities, with respect to any law that dominates both, weighted by a test and
    integrated.
    """
    mass = part.assuming["q has mass 1"]
    ratio = real("p <= k*q", "p <= k*q")
    less = real("q*f <= q", "0 <= q", "0 <= f", "f <= 1")
    positive = real("0 <= q*f", "0 <= q", "0 <= f")
    other = dominated(less, M, integrable(mass, E(M, q)), lower=positive)
    line = combine(at_most(p * f, k * (q * f)), (ratio, f), given=("0 <= f",))
    over = on_average(line, M, other)
    yield over, "a test takes the same part of both densities"
    yield combine(part.claim, over), "linear"


@proves("far side")
def far_side(part: Statement) -> Iterator[Step]:
    """Left of both values."""
    given = relations_of(*part.given)
    left = real("abs(x) == -x", "x <= 0")
    one, two = (under(specialize(left, x=z - center), *given) for center in (g, g + s))
    first = combine(
        equal(alpha * absolute(z - g) / s, alpha * (g - z) / s),
        (one, alpha / s),
        given=given,
    )
    yield first, "the distance to g"
    second = combine(
        equal(alpha * absolute(z - (g + s)) / s, alpha * (g - z) / s + alpha),
        (two, alpha / s),
        given=given,
    )
    yield second, "the distance to g + s"
    yield combine(part.claim, first, (second, -1)), "the difference"


FALSEHOODS = (
    Falsehood(
        "half the sensitivity is enough: a shift of 2 s",
        at_most(exp(-absolute(z)), exp(formula(1)) * exp(-absolute(z - 2))),
    ),
)
