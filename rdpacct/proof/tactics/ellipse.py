"""The error of a Gauss-Legendre rule for a sampled Laplace loss, on each path of what ships."""

from collections.abc import Callable, Iterator

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import PI, cos, exp, log, maximum, minimum
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    at_most,
    below,
    equal,
    given_by,
    real,
    relations,
    specialize,
    under,
)
from rdpacct.proof.tactics.naming import named, positive_cosine
from rdpacct.proof.tactics.shipped import formulas, read
from rdpacct.proof.tactics.turned import RATE, RATIO, q
from rdpacct.proof.theorem import Statement, Step

a, theta, mu, wide, rho, N, c = map(
    Symbol, ("a", "theta", "mu", "wide", "rho", "N", "c")
)
FAR = mu + wide * ((rho + 1 / rho) / 2 - 1)
TALL = (rho - 1 / rho) / 2 * wide
"""How far the ellipses reach along the axis, and how high."""


def on_ellipse(
    shipped: Callable[..., object], negative: bool, is_narrow: bool
) -> tuple[Expr, Expr, tuple[str | Comparison, ...]]:
    """What the shipped function computes, the product of the bounds on the ellipse, and what is
    given on the path of this sign of a, and of ellipses that are narrow or not.
    """
    power = "a < 0" if negative else "a >= 0"
    width = below(2 * TALL, PI) if is_narrow else at_most(PI, 2 * TALL)
    given = (*RATE, power, "rho > 1", "N >= 2", below(TALL, PI), width)
    asked = tuple(map(str, given))
    numbers = formulas(mu, q, a, theta, wide, N, rho, given=asked)
    computed = read(shipped(*numbers))
    ends = [exp(a * log(RATIO.at(u=end))) for end in (-FAR, FAR)]
    size = maximum(*ends) * exp((FAR - mu) / 2) / 4
    if negative:
        size = size * exp(a * log(cos(TALL / 2)))
    turn = TALL * minimum(q * exp(FAR) / (1 - q), 1) if is_narrow else TALL
    return computed, wide * size * exp(theta * turn), given


def same_error(part: Statement) -> Iterator[Step]:
    """The same formula, where the cosine is positive."""
    given = relations(
        *(
            condition
            for condition in part.given
            if isinstance(condition, str | Comparison)
        )
    )
    positive = positive_cosine(TALL, *map(str, given))
    yield positive, "the cosine is positive"
    cosine = cos(TALL / 2)
    sides = (named(side, {cosine: c}) for side in (part.claim.left, part.claim.right))
    same = specialize(real(equal(*sides), *given, "0 < c"), c=cosine)
    yield under(given_by(same, positive), *given), "the same formula"
