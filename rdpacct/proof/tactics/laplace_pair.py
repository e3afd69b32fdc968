"""The pair of the Laplace mechanism: noise of scale 1 around ``s`` and around 0, and the loss of an
output.
"""

from itertools import pairwise

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import absolute, exp, maximum
from rdpacct.proof.kernel import (
    Condition,
    Density,
    Fact,
    Law,
    Stretch,
    at_most,
    combine,
    dominated,
    equal,
    expect,
    given_by,
    integrate,
    real,
    relations,
    specialize,
    under,
)

x = Symbol("output")
s = Symbol("s")
LOSS = absolute(x) - absolute(x - s)
LEFT, RIGHT = exp(x - s) / 2, exp(s - x) / 2
"""The density around s, and its antiderivatives but for a sign."""


def around(*cuts: Real) -> Density:
    """The Laplace law of scale 1 around s, cut at 0, at s and at points between them."""
    ends: list[Expr | None] = [None, *map(formula, (0, *cuts)), s]
    left = tuple(Stretch(low, high, LEFT) for low, high in pairwise(ends))
    return Density("P", ("output",), (), (*left, Stretch(s, None, RIGHT)))


def average(
    law: Density,
    body: Expr,
    *antiderivatives: Expr,
    given: tuple[str | Condition, ...],
) -> Fact:
    """E[body], from antiderivatives of body times density on each piece."""
    mass = (*(LEFT for _ in law.pieces[1:]), -RIGHT)
    return integrate(law, body, antiderivatives, mass, *given)


FactTable = tuple[tuple[Fact, ...], ...]


def on_pieces(
    law: Density,
    exponent: Expr,
    values: tuple[Expr, ...],
    counts: tuple[bool, ...],
    *given: str | Condition,
) -> FactTable:
    """What the loss is on each piece, and max(0, 1 - exp(exponent)), for an exponent in the loss
    ``l``.
    """
    bases = {
        -s: real(equal(LOSS, -s), "output <= 0", "s > 0"),
        2 * x - s: real(equal(LOSS, 2 * x - s), "0 <= output", "output <= s"),
        s: real(equal(LOSS, s), "s <= output", "s > 0"),
    }
    kept = [
        real(text, "u <= 0")
        for text in ("max(0, 1 - exp(u)) == 1 - exp(u)", "0 <= 1 - exp(u)")
    ]
    lost = [real("max(0, 1 - exp(u)) == 0", "u >= 0")]
    facts = []
    for piece, value, positive in zip(law.pieces, values, counts, strict=True):
        here: tuple[str | Condition, ...] = (*piece.where("output"), *given)
        gains = [
            specialize(fact, u=exponent.at(l=value))
            for fact in (kept if positive else lost)
        ]
        facts.append(tuple(under(fact, *here) for fact in (bases[value], *gains)))
    return tuple(facts)


def farther(
    near: Expr, far: Expr, star: Fact, law: Law, *given: str | Condition
) -> Fact:
    """delta(eps) of a smaller shift is at most that of a larger one, at eps >= 0, from near <= p
    far with 0 <= p <= 1.

    Both are losses of the same noise, whatever its law, and are defined where what is given holds.
    """
    eps = Symbol("eps")
    p = Symbol("p")
    a = Symbol("a")
    b = Symbol("b")
    share = relations("0 <= p", "p <= 1", "eps >= 0")
    short = at_most(a, p * b)
    power = specialize(real("1 - exp(p*y) <= max(0, 1 - exp(y))", *share), y=eps - b)
    ahead = combine(
        at_most(p * (eps - b), eps - a),
        real(short, short),
        rest=(1 - p) * eps,
        given=share,
    )
    smaller = specialize(
        real("1 - exp(u) <= 1 - exp(w)", "w <= u"), u=eps - a, w=p * (eps - b)
    )
    bound = maximum(0, 1 - exp(eps - b))
    line = combine(at_most(1 - exp(eps - a), bound), power, given_by(smaller, ahead))
    joined = specialize(
        real("max(0, x) <= y", "x <= y", "0 <= y"), x=1 - exp(eps - a), y=bound
    )
    pointwise = given_by(
        joined, line, specialize(real("0 <= max(0, x)"), x=1 - exp(eps - b))
    )
    there = specialize(under(pointwise, *share, short, *given), a=near, b=far)
    return expect(
        given_by(there, star),
        law,
        *(excess_is_finite(eps - loss, law, *given) for loss in (near, far)),
    )


def excess_is_finite(exponent: Expr, law: Law, *given: str | Condition) -> Fact:
    """E max(0, 1 - exp(y)) is finite: it lies in [0, 1]."""
    upper, lower = (
        real(text, *given)
        for text in ("max(0, 1 - exp(y)) <= 1", "0 <= max(0, 1 - exp(y))")
    )
    return dominated(
        specialize(upper, y=exponent), law, lower=specialize(lower, y=exponent)
    )
