"""Minimizers of two strongly convex objectives: as far apart as their gradients let them be."""

from collections.abc import Iterator

from rdpacct.exact.formula import Symbol
from rdpacct.exact.functions import absolute
from rdpacct.proof.kernel import (
    at_most,
    combine,
    either,
    given_by,
    real,
    specialize,
    under,
)
from rdpacct.proof.tactics.gradients import new, old, pushed
from rdpacct.proof.theorem import Statement, Step

d, lam, n, other, theta, w = map(
    Symbol,
    (
        "d",
        "lam",
        "n",
        "other",
        "theta",
        "w",
    ),
)


def minimizers(part: Statement) -> Iterator[Step]:
    """w**2 <= -d w, for w = lam n (theta - theta') and d = p - q, implies |w| <= |d|."""
    positive, many = part.given
    length = absolute(w)
    size = absolute(d)
    push = "w**2 <= -d*w"
    terms = real("abs(w)**2 == w**2"), real(push, push), real("-d*w <= abs(d)*abs(w)")
    product = combine(at_most((length - size) * length, 0), *terms)
    quotient = specialize(
        real("u <= z/v", "u*v <= z", "0 < v"), u=length - size, v=length, z=0
    )
    moved = combine(at_most(length, size), given_by(quotient, product))
    still = combine(
        at_most(length, size), real("abs(w) <= 0", "abs(w) <= 0"), real("0 <= abs(d)")
    )
    bound = either(moved, under(still, "abs(w) <= 0", push))
    yield bound, "divided by the move, if there is one"
    convex = pushed()
    yield convex, "the sum of the derivatives rises, and is 0 at the minimizers"
    move = lam * n * (theta - other)
    change = old(other) - new(other)
    far = combine(
        at_most(move**2, -change * move), (convex, lam * n**2), given=("0 < lam",)
    )
    yield far, "how far strong convexity lets the minimizers be apart"
    there = given_by(specialize(bound, w=move, d=change), far)
    factor = specialize(
        real("s*abs(v) <= abs(s*v)", "0 <= s"), s=lam * n, v=theta - other
    )
    factor = given_by(factor, real("0 <= lam*n", "0 < lam", "1 <= n"))
    claimed = combine(part.claim, factor, there)
    yield (
        under(claimed, positive, many),
        "so the move is at most the difference of the gradients",
    )
