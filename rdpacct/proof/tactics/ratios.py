"""Pairs of laws through the privacy loss: P with its loss L, and Q, whose density with respect to P is exp(-L).

A bound on E f(L) for a pair with abs(L) <= eps is a line above f, in exp(-L), averaged: E exp(-L) is 1.
"""

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    assume,
    at_most,
    cases,
    combine,
    dominated,
    draw,
    equal,
    expect,
    integrable,
    linear,
    real,
    relations,
    tilted,
)
from rdpacct.proof.kernel.fact import Condition
from rdpacct.proof.kernel.laws import Draw, Table

eps, L, B = Symbol("eps"), Symbol("L"), Symbol("B")

P = Law("P", ("L",), relations("-eps <= L", "L <= eps"))
"""Any law whose loss lies in [-eps, eps]."""

Q = tilted("Q", P, exp(-L))
"""The other law of the pair."""

MASS = assume(equal(E(P, exp(-L)), 1))
"""Q is a law."""

UP = (exp(eps) - exp(-L)) / (exp(eps) - exp(-eps))
"""The part of an outcome of loss L that gets the loss eps, so that exp(-loss) keeps its mean; the rest gets -eps."""

M = draw(P, "B", {formula(1): UP, formula(-1): 1 - UP})
"""The pair with each outcome split in two, of losses eps B: it is maximally divergent."""

Given = tuple[str | Comparison | Condition, ...]


def plain(given: Given) -> tuple[str | Comparison, ...]:
    """The relations among what is given."""
    return tuple(one for one in given if isinstance(one, str | Comparison))


def on_the_line(line: Fact, law: Law, finite: Fact, mass: Fact, slope: Real, constant: Real, *given: str) -> Fact:
    """E x <= constant + slope, from the line x <= constant + slope y and the mass E y = 1."""
    (body,) = (side.body for side in (mass.relation.left, mass.relation.right) if hasattr(side, "body"))
    right = line.relation.right
    mean = linear(law, right, {body: slope}, integrable(mass, E(law, body)), constant=constant, where=given)
    over = expect(line, law, finite, integrable(mean, E(law, right)))
    return combine(at_most(E(law, line.relation.left), formula(constant) + slope), over, mean, mass)


def bernoulli() -> Fact:
    """exp(a z) is above its tangent as a function of exp(z)."""
    return real("1 + a*(exp(z) - 1) <= exp(a*z)", "a >= 1")


def balanced(law: Draw | Table, mass: Fact, *given: str) -> tuple[Fact, Fact]:
    """For losses eps B with B one of -1, 0, 1: (1 + exp(-loss)) loss is a multiple of 1 - exp(-loss), and has mean 0."""
    loss, ratio = eps * B, exp(-eps * B)
    line = cases(law, equal(loss + loss * ratio, eps * (exp(eps) + 1) / (exp(eps) - 1) * (1 - ratio)), *given)
    first = dominated(cases(law, at_most(_abs(loss), eps), *given), law)
    second = dominated(cases(law, at_most(_abs(loss * ratio), eps * exp(eps)), *given), law)
    both = linear(law, line.relation.left, {loss: 1, loss * ratio: 1}, first, second)
    slope = eps * (exp(eps) + 1) / (exp(eps) - 1)
    finite = integrable(mass, E(law, ratio))
    right = linear(law, line.relation.right, {ratio: -slope}, finite, constant=slope, where=given)
    over = expect(line, law, integrable(both, E(law, line.relation.left)))
    same = combine(equal(E(law, loss), -E(law, loss * ratio)), both, over, right, mass)
    return line, same


def _abs(x: Expr) -> Expr:
    from rdpacct.exact.functions import absolute

    return absolute(x)
