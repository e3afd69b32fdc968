"""Divergences of two laws by their densities: the hockey stick E max(p - k q, 0), and what processing does to means.

The densities p and q are taken with respect to a law M that dominates both, so that neither law need have a density
with respect to the other. Processing replaces them by their conditional means given what is kept.
"""

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import maximum
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    at_most,
    combine,
    dominated,
    expect,
    given_by,
    integrable,
    linear,
    real,
    specialize,
    tower,
)


def excess(p: Real, q: Real, factor: Real) -> Expr:
    """max(p - factor q, 0): its mean is the largest P(S) - factor Q(S) over all events S."""
    return maximum(formula(p) - formula(factor) * q, 0)


def below_excess(p: Real, q: Real, factor: Real) -> Fact:
    """p - factor q <= max(p - factor q, 0)."""
    return specialize(real("x <= max(x, 0)"), x=formula(p) - formula(factor) * q)


def excess_is_positive(p: Real, q: Real, factor: Real) -> Fact:
    """0 <= max(p - factor q, 0)."""
    return specialize(real("0 <= max(x, 0)"), x=formula(p) - formula(factor) * q)


def positive_part(upper: Fact, lower: Fact) -> Fact:
    """max(a, 0) <= b, from a <= b and 0 <= b."""
    a, b = upper.relation.left, upper.relation.right
    return given_by(specialize(real("max(a, 0) <= b", "a <= b", "0 <= b"), a=a, b=b), upper, lower)


def positive_product(first: Fact, second: Fact) -> Fact:
    """0 <= x y, from 0 <= x and 0 <= y."""
    x, y = first.relation.right, second.relation.right
    return given_by(specialize(real("0 <= x*y", "x >= 0", "y >= 0"), x=x, y=y), first, second)


def excess_below(p: Real, q: Real, factor: Real, *signs: Fact) -> Fact:
    """max(p - factor q, 0) <= p; ``signs`` say that p, q and the factor are not negative."""
    found = specialize(real("max(a - b, 0) <= a", "a >= 0", "b >= 0"), a=p, b=formula(factor) * q)
    return given_by(found, signs[0], positive_product(signs[2], signs[1]))


def sign_of(name: str) -> Fact:
    """0 <= x where 0 <= x."""
    return real(at_most(0, Symbol(name)), at_most(0, Symbol(name)))


def processed_mean(
    bound: Fact, law: Law, inner: Fact, body: Expr, whole: Fact, lower: Fact, given: tuple[str, ...]
) -> Fact:
    """E y <= E x, from y <= E[x | what is kept], where y, known from it, is not negative and x is integrable."""
    joined = tower(law, body, given, whole)
    outer = integrable(joined, E(law, E(law, body, given)))
    finite = dominated(bound, law, outer, lower=lower)
    over = expect(bound, law, finite, outer)
    del inner
    return combine(at_most(over.relation.left, E(law, body)), over, joined)
