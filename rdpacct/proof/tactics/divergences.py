"""Divergences of two laws by their densities: the hockey stick E max(p - k q, 0), and what processing does to means.

The densities p and q are taken with respect to a law M that dominates both, so that neither law need have a density
with respect to the other. Processing replaces them by their conditional means given what is kept.
"""

from rdpacct.exact.formula import Expr, Real, Symbol, formula
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


def product_excess(*given: str | Comparison) -> Fact:
    """max(p1 p2 - k1 k2 q1 q2, 0) <= min(p1, k1 q1) max(p2 - k2 q2, 0) + max(p1 - k1 q1, 0) p2, all not negative.

    With l = min(p1, k1 q1), the right side less p1 p2 - k1 k2 q1 q2 is a sum of two products of numbers that are not
    negative: l times max(p2 - k2 q2, 0) - (p2 - k2 q2), and k1 q1 - l times k2 q2.
    """
    p1, q1, k1, p2, q2, k2, m, n = map(Symbol, ("p1", "q1", "k1", "p2", "q2", "k2", "m", "n"))
    signs = real("0 <= x*y", "x >= 0", "y >= 0")
    rest, over, short = p1 - m, n - (p2 - k2 * q2), k1 * q1 - (p1 - m)
    bound = rest * n + m * p2
    upper = combine(
        at_most(p1 * p2 - k1 * k2 * (q1 * q2), bound),
        specialize(signs, x=rest, y=over),
        specialize(signs, x=short, y=k2 * q2),
    )
    lower = combine(at_most(0, bound), specialize(signs, x=rest, y=n), specialize(signs, x=m, y=p2))
    found = specialize(positive_part(upper, lower), m=excess(p1, q1, k1), n=excess(p2, q2, k2))
    a, b = Symbol("a"), Symbol("b")
    part = maximum(a - b, 0)
    room = specialize(real(at_most(0, a - part), "a >= 0", "b >= 0"), a=p1, b=k1 * q1)
    above = real(at_most(0, part - (a - b)))
    beyond = real(at_most(0, b - (a - part)))
    return under(
        given_by(
            found,
            under(room, *given),
            specialize(above, a=p2, b=k2 * q2),
            specialize(beyond, a=p1, b=k1 * q1),
            excess_is_positive(p1, q1, k1),
            excess_is_positive(p2, q2, k2),
        ),
        *given,
    )


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
    whole_excess = excess(p, q, factor)
    known: tuple[str | Comparison, ...] = (*law.support, *given)
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
