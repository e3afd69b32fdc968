"""Noise on the integers whose weights are even: the profile of a shift at negative epsilons.

The loss of a shift by b has exp(-L(n)) = w(n + b)/w(n), and L(-b - n) = -L(n): the exchanged pair
is the reflected one, so that its profile is that of the pair itself.
"""

from rdpacct.exact.formula import Expr, Real, Symbol
from rdpacct.exact.functions import exp, maximum
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    E,
    Fact,
    Lattice,
    at_most,
    combine,
    equal,
    expect,
    given_by,
    integrable,
    linear,
    real,
    reindex,
    specialize,
)
from rdpacct.proof.tactics.laplace_pair import excess_is_finite

n, eps = map(Symbol, ("n", "eps"))


def stick(exponent: Expr) -> Expr:
    """max(0, 1 - exp(y))."""
    return maximum(0, 1 - exp(exponent))


def at_minus(law: Lattice, loss: Expr) -> Comparison:
    """delta(-eps) of a symmetric pair, from delta(eps)."""
    there = E(law, stick(eps - loss))
    return equal(E(law, stick(-eps - loss)), 1 - exp(-eps) * (1 - there))


def mirrored(
    law: Lattice,
    loss: Expr,
    shift: Expr,
    weights: tuple[Fact, Fact],
    ratio: Fact,
    turned: Fact,
    *given: str,
    rate: Real = 1,
) -> Fact:
    """The profile of the loss of a shift at -eps.

    ``ratio`` says that w(-b - n)/w(n) is exp(-L(n)), and ``turned`` that L(-b - n) is -L(n).
    """

    def renamed(finite: Fact) -> Fact:
        return reindex(law, finite, *weights, -shift, reflect=True, rate=rate)

    unit = linear(law, 1, {}, constant=1)
    total = renamed(integrable(unit, E(law, 1)))
    same_mass = expect(ratio, law, integrable(total, total.relation.right))
    mass = combine(equal(E(law, exp(-loss)), 1), same_mass, total, unit)
    here = excess_is_finite(eps - loss, law, *given)
    moved = renamed(here)
    other = loss.at(n=-shift - n)
    alike = given_by(
        specialize(
            real("max(0, 1 - exp(x)) == max(0, 1 - exp(y))", "x == y", *given),
            x=eps - other,
            y=eps + loss,
        ),
        combine(equal(eps - other, eps + loss), (turned, -1)),
    )
    left = exp(-loss) * stick(eps + loss)
    shape = combine(
        equal(moved.relation.right.body, left),  # type: ignore[attr-defined]
        (ratio, stick(eps - other)),
        (alike, exp(-loss)),
    )
    over = expect(shape, law, integrable(moved, moved.relation.right))
    split = given_by(
        specialize(
            real(
                "max(0, 1 - exp(x)) == 1 - exp(x) + exp(x)*max(0, 1 - exp(y))",
                "x == -y",
                *given,
            ),
            x=-eps - loss,
            y=eps + loss,
        ),
        real(equal(-eps - loss, -(eps + loss)), *given),
    )
    parts = linear(
        law,
        split.relation.right,
        {exp(-loss): -exp(-eps), left: exp(-eps)},
        integrable(mass, E(law, exp(-loss))),
        integrable(over, E(law, left)),
        constant=1,
        where=given,
    )
    mean = expect(split, law, integrable(parts, parts.relation.left))
    return combine(at_minus(law, loss), mean, parts, mass, over, moved)


def at_negative(claim: Comparison, near: Fact, first: Fact, second: Fact) -> Fact:
    """A smaller profile at eps is smaller at -eps, if both pairs are symmetric."""
    return combine(claim, first, (second, -1), (near, exp(-eps)))


def smaller(law: Lattice, near: Expr, far: Expr) -> Comparison:
    """delta(-eps) of a smaller shift against that of a larger one."""
    return at_most(E(law, stick(-eps - near)), E(law, stick(-eps - far)))
