"""The slope of a ridge regression: how far it reaches, and how far a record moves it."""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import absolute
from rdpacct.proof.kernel import (
    Condition,
    E,
    Fact,
    Law,
    at_most,
    below,
    combine,
    dominated,
    expect,
    given_by,
    integrable,
    linear,
    real,
    relations,
    relations_of,
    specialize,
    under,
)
from rdpacct.proof.tactics.counting import divided
from rdpacct.proof.theorem import Statement, Step

a, p, r, t, theta, u, v, x, Y, y = map(
    Symbol,
    (
        "a",
        "p",
        "r",
        "t",
        "theta",
        "u",
        "v",
        "x",
        "Y",
        "y",
    ),
)
RECORDS = Law(
    "X", ("x", "y"), relations("abs(y) <= Y", "abs(x)*(t**2 + r) <= t*(x**2 + r)")
)
"""A record of X, each of which is as likely as the others."""


def short(part: Statement) -> Iterator[Step]:
    """The difference is (t - a) (r - t**2 + t (t - a))."""
    sign, order, turn = part.given
    room = real("0 <= r - t**2", turn)
    gap = real("0 <= t - a", order)
    yield (
        combine(part.claim, (room, t - a), (gap, t * (t - a)), given=(sign, order)),
        "a product of signs",
    )


def mean_reach(rate: Expr, squares: Fact, *given: str | Condition) -> Fact:
    """The mean of |x y| is at most R times the mean of x**2 + ridge, record by record; R is the
    rate Y t/(t**2 + ridge).
    """
    shape = real(at_most(absolute(x) * (t**2 + r), t * (x**2 + r)), *RECORDS.support)
    factors = real("abs(x*y) == abs(x)*abs(y)")
    size = real("abs(y) <= Y", *RECORDS.support)
    product = absolute(x * y)
    terms = factors, (size, absolute(x)), (shape, Y / (t**2 + r))
    line = combine(at_most(product, rate * (x**2 + r)), *terms, given=given)
    right = linear(
        RECORDS,
        rate * (x**2 + r),
        {x**2: rate},
        squares,
        constant=rate * r,
        where=given,
    )
    whole = integrable(right, right.relation.left)
    finite = dominated(
        line, RECORDS, whole, lower=specialize(real("0 <= abs(v)"), v=x * y)
    )
    claim = at_most(E(RECORDS, product), rate * (E(RECORDS, x**2) + r))
    return combine(claim, expect(line, RECORDS, finite, whole), right)


def slope_reach(part: Statement) -> Iterator[Step]:
    """|theta| (E x**2 + ridge) is |E x y|, and so at most E |x y|."""
    normal = part.assuming["normal equation"]
    squares = integrable(normal, E(RECORDS, x**2))
    product = integrable(normal, E(RECORDS, x * y))
    rate = part.claim.right
    bound = mean_reach(rate, squares, *part.given)
    yield bound, "the mean of |x y|"
    sizes = integrable(bound, E(RECORDS, absolute(x * y)))
    size = E(RECORDS, absolute(x * y))
    up = expect(specialize(real("v <= abs(v)"), v=x * y), RECORDS, product, sizes)
    turned = linear(RECORDS, -(x * y), {x * y: -1}, product)
    line = specialize(real("-v <= abs(v)"), v=x * y)
    down = expect(line, RECORDS, integrable(turned, turned.relation.left), sizes)
    down = combine(at_most(-E(RECORDS, x * y), size), down, turned)
    weight = expect(real("0 <= x**2"), RECORDS, squares)
    positive = combine(below(0, E(RECORDS, x**2) + r), weight, rest=r, given=part.given)
    yield positive, "the mean of x**2 + ridge is not 0"
    ends = []
    for sign, side in ((1, up), (-1, down)):
        claim = at_most(sign * theta, rate)
        scaled = combine(
            at_most((claim.left - rate) * (E(RECORDS, x**2) + r), 0),
            side,
            bound,
            (normal, sign),
        )
        ends.append(divided(claim, scaled, positive, *part.given))
    both = real("abs(v) <= s", "v <= s", "-v <= s", *part.given)
    both = specialize(both, v=theta, s=rate)
    yield under(given_by(both, *ends), *part.given), "divided by it, in both directions"


def products(part: Statement) -> Iterator[Step]:
    """The triangle inequality."""
    first = real("abs(x*y) == abs(x)*abs(y)")
    second = specialize(first, x=u, y=v)
    triangle = specialize(real("abs(v - q) <= abs(v) + abs(q)"), v=x * y, q=u * v)
    yield triangle, "the triangle inequality"
    near, far = (real(relation, relation) for relation in relations_of(*part.given))
    terms = first, second, (near, absolute(x)), (far, absolute(u))
    yield combine(part.claim, triangle, *terms), "each factor by itself"


def gradients(part: Statement) -> Iterator[Step]:
    """The triangle inequality."""
    triangle = specialize(real("abs(v - q) <= abs(v) + abs(q)"), v=p * theta)
    product = real("abs(p*theta) == abs(p)*abs(theta)")
    near = real("abs(theta) <= R", *part.given)
    yield triangle, "the triangle inequality"
    yield (
        combine(part.claim, triangle, product, (near, absolute(p))),
        "at the ends of the reach",
    )


def largest(part: Statement) -> Iterator[Step]:
    """Larger in a up to w, and in b up to the turn."""
    rate = Y / (t**2 + r)
    terms = (
        (real("0 <= (t - b)*(r - b*t)", *part.given), rate / r),
        (real("0 <= w**2 - a**2", *part.given), rate * t / r),
        (real("0 <= w - a", *part.given), Y / r),
    )
    yield (
        combine(part.claim, *terms, given=part.given),
        "the rest is a product of signs",
    )
