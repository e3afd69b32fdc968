"""Divergences of two laws by their densities: the hockey stick E max(p - k q, 0), and what processing does to means.

The densities p and q are taken with respect to a law M that dominates both, so that neither law need have a density
with respect to the other. Processing replaces them by their conditional means given what is kept.
"""

from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import maximum
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    Refused,
    at_most,
    combine,
    conditional,
    dominated,
    expect,
    given_by,
    integrable,
    linear,
    real,
    specialize,
    tower,
    under,
)
from rdpacct.proof.kernel.terms import Expectation


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


def excess_below(p: Real, q: Real, factor: Real, *given: str | Comparison) -> Fact:
    """max(p - factor q, 0) <= p, where what is given shows that p, q and the factor are not negative."""
    found = specialize(real("max(a - b, 0) <= a", "a >= 0", "b >= 0"), a=p, b=formula(factor) * q)
    return under(found, *given)


def averaged(bound: Fact, law: Law, body: Expr, whole: Fact, given: tuple[str, ...], lower: Fact) -> Fact:
    """E y <= E x, from y <= E[x | what is kept] and 0 <= y, for an integrable x."""
    joined = tower(law, body, given, whole)
    outer = integrable(joined, E(law, E(law, body, given)))
    over = expect(bound, law, dominated(bound, law, outer, lower=lower), outer)
    return combine(at_most(over.relation.left, E(law, body)), over, joined)


def processed(law: Law, factor: Expr, mass: Fact, p_kept: Fact, q_kept: Fact, *given: str) -> Fact:
    """The hockey stick of what is kept is at most that of all: both conditional means are given as facts."""
    p, q = (_body(one) for one in (p_kept, q_kept))
    new_p, new_q = p_kept.relation.right, q_kept.relation.right
    names = tuple(sorted({*new_p.symbols(), *new_q.symbols()}))
    whole_excess, known = excess(p, q, factor), (*law.support, *given)
    positive = excess_is_positive(p, q, factor)
    whole = dominated(excess_below(p, q, factor, *known), law, integrable(mass, E(law, p)), lower=positive)
    finite = conditional(whole, names)
    gap = p - factor * q
    means = [integrable(fact, fact.relation.left) for fact in (p_kept, q_kept)]
    line = linear(law, gap, {p: 1, q: -factor}, *means, given=names)
    above = expect(below_excess(p, q, factor), law, integrable(line, E(law, gap, names)), finite, given=names)
    upper = combine(at_most(new_p - factor * new_q, E(law, whole_excess, names)), above, line, p_kept, q_kept)
    bound = positive_part(upper, expect(positive, law, finite, given=names))
    return averaged(bound, law, whole_excess, whole, names, excess_is_positive(new_p, new_q, factor))


def _body(fact: Fact) -> Expr:
    """The formula whose conditional mean a fact gives."""
    left = fact.relation.left
    if not isinstance(left, Expectation):
        raise Refused(f"this is no conditional mean: {left}.")
    return left.body
