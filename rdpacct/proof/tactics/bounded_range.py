"""Pairs of bounded range: the loss lies in an interval of length ``eps`` whose upper end is
``eta``.

A convex function of exp(-L) is at most its chord between the ends of the range, and E exp(-L) is 1.
"""

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Condition,
    E,
    Fact,
    Law,
    assume,
    combine,
    equal,
    expect,
    integrable,
    linear,
    relations,
)

eps = Symbol("eps")
eta = Symbol("eta")
L = Symbol("L")

P = Law("P", ("L",), relations("eta - eps <= L", "L <= eta"))
"""Any law whose loss lies in [eta - eps, eta]."""

MASS = assume(equal(E(P, exp(-L)), 1))
"""The other law of the pair, of density exp(-L) with respect to P, is a law."""

UP = (exp(eps - eta) - exp(-L)) / (exp(eps - eta) - exp(-eta))
DOWN = (exp(-L) - exp(-eta)) / (exp(eps - eta) - exp(-eta))
"""The parts of an outcome of loss L that get the losses eta and eta - eps, so that exp(-loss) keeps
its mean.
"""

HIGH, LOW = (exp(eps) - exp(eta)) / (exp(eps) - 1), (exp(eta) - 1) / (exp(eps) - 1)
"""Their means: the masses of the two losses of the split pair."""


def on_the_chord(
    chord: Fact,
    finite: Fact,
    mass: Fact,
    high: Real,
    low: Real,
    *given: str | Condition,
) -> Fact:
    """E x <= HIGH high + LOW low, or the other way, from the same relation between x and UP high +
    DOWN low.
    """
    width = exp(eps - eta) - exp(-eta)
    relation = chord.relation
    line = UP * high + DOWN * low
    slope = (formula(low) - high) / width
    constant = (exp(eps - eta) * formula(high) - exp(-eta) * formula(low)) / width
    mean = linear(
        P,
        line,
        {exp(-L): slope},
        integrable(mass, E(P, exp(-L))),
        constant=constant,
        where=given,
    )
    over = expect(chord, P, finite, integrable(mean, E(P, line)))
    value: Expr = HIGH * high + LOW * low
    sides = [
        value if side == line else E(P, side)
        for side in (relation.left, relation.right)
    ]
    return combine(
        Comparison(sides[0], relation.sign, sides[1]), over, mean, mass, given=given
    )
