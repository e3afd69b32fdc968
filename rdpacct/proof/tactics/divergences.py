"""Divergences of two laws by their densities: the hockey stick E max(p - k q, 0), and what
processing does to means.

The densities p and q are taken with respect to a law M that dominates both, so that neither law
need have a density with respect to the other. Processing replaces them by their conditional means
given what is kept.
"""

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import maximum
from rdpacct.proof.kernel import (
    Condition,
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


def excess_is_positive(p: Real, q: Real, factor: Real, *given: str | Condition) -> Fact:
    """0 <= max(p - factor q, 0), where what is given shows that it is defined."""
    return specialize(
        real("0 <= max(x, 0)", *given), x=formula(p) - formula(factor) * q
    )


def positive_part(upper: Fact, lower: Fact, *given: str | Condition) -> Fact:
    """max(a, 0) <= b, from a <= b and 0 <= b, where what is given shows that they are defined."""
    a = upper.relation.left
    b = upper.relation.right
    bound = specialize(real("max(a, 0) <= b", "a <= b", "0 <= b", *given), a=a)
    return given_by(specialize(bound, b=b), upper, lower)


def excess_below(p: Real, q: Real, factor: Real, *given: str | Condition) -> Fact:
    """max(p - factor q, 0) <= p, where what is given shows that p, q and the factor are not
    negative.
    """
    bound = specialize(
        real("max(a - b, 0) <= a", "a >= 0", "b >= 0"), a=p, b=formula(factor) * q
    )
    return under(bound, *given)


def finite_excess(
    law: Law, p: Expr, q: Expr, factor: Expr, finite: Fact, *given: str | Condition
) -> Fact:
    """max(p - factor q, 0) is integrable, as p is; the support of the law shows that p and q are
    not negative.
    """
    upper = excess_below(p, q, factor, *law.support, *given)
    return dominated(upper, law, finite, lower=excess_is_positive(p, q, factor))


def excess_leaves(p: Real, q: Real, factor: Real, *given: str | Condition) -> Fact:
    """0 <= p - max(p - factor q, 0), the smaller of p and factor q."""
    a = Symbol("a")
    b = Symbol("b")
    room = real(at_most(0, a - maximum(a - b, 0)), "a >= 0", "b >= 0")
    return under(specialize(room, a=p, b=formula(factor) * q), *given)


def positive_times(first: Expr, second: Fact, *given: str | Condition) -> Fact:
    """0 <= x y, from 0 <= y and what is given, which shows that 0 <= x."""
    product = specialize(
        real("0 <= x*y", "x >= 0", "y >= 0"), x=first, y=second.relation.right
    )
    return under(given_by(product, second), *given)


def scaled(factor: Fact, inequality: Fact) -> Fact:
    """x y <= x z, from 0 <= x and y <= z."""
    y = inequality.relation.left
    z = inequality.relation.right
    product = specialize(
        real("x*y <= x*z", "x >= 0", "y <= z"), x=factor.relation.right, y=y, z=z
    )
    return given_by(product, factor, inequality)


def product_excess(k1: Expr, k2: Expr, k: Expr, *given: str | Condition) -> Fact:
    """max(p1 p2 - k q1 q2, 0) <= min(p1, k1 q1) max(p2 - k2 q2, 0) + max(p1 - k1 q1, 0) p2, for k =
    k1 k2.

    With l = min(p1, k1 q1), the right side less p1 p2 - k q1 q2 is a sum of two products of numbers
    that are not negative: l times max(p2 - k2 q2, 0) - (p2 - k2 q2), and k1 q1 - l times k2 q2.
    """
    p1, q1, p2, q2, m, n = map(Symbol, ("p1", "q1", "p2", "q2", "m", "n"))
    signs = real("0 <= x*y", "x >= 0", "y >= 0")
    rest = p1 - m
    over = n - (p2 - k2 * q2)
    short = k1 * q1 - (p1 - m)
    bound = rest * n + m * p2
    upper = combine(
        at_most(p1 * p2 - k * (q1 * q2), bound),
        specialize(signs, x=rest, y=over),
        specialize(signs, x=short, y=k2 * q2),
    )
    lower = combine(
        at_most(0, bound), specialize(signs, x=rest, y=n), specialize(signs, x=m, y=p2)
    )
    excess_bound = specialize(
        positive_part(upper, lower), m=excess(p1, q1, k1), n=excess(p2, q2, k2)
    )
    a = Symbol("a")
    b = Symbol("b")
    part = maximum(a - b, 0)
    above = real(at_most(0, part - (a - b)))
    beyond = real(at_most(0, b - (a - part)))
    return under(
        given_by(
            excess_bound,
            excess_leaves(p1, q1, k1, *given),
            specialize(above, a=p2, b=k2 * q2),
            specialize(beyond, a=p1, b=k1 * q1),
            excess_is_positive(p1, q1, k1),
            excess_is_positive(p2, q2, k2),
        ),
        *given,
    )


def averaged(
    bound: Fact,
    law: Law,
    body: Expr,
    whole: Fact,
    given: tuple[str, ...],
    lower: Fact,
) -> Fact:
    """E y <= E x, from y <= E[x | what is kept] and 0 <= y, for an integrable x."""
    joined = tower(law, body, given, whole)
    outer = integrable(joined, E(law, E(law, body, given)))
    over = expect(bound, law, dominated(bound, law, outer, lower=lower), outer)
    return combine(at_most(over.relation.left, E(law, body)), over, joined)


def kept_excess(
    law: Law, factor: Expr, whole: Fact, p_kept: Fact, q_kept: Fact
) -> Fact:
    """max(p' - factor q', 0) <= E[max(p - factor q, 0) | what is kept], where p', q' are the means
    of p, q given it.
    """
    (p, names), (q, _) = _conditional_mean(p_kept), _conditional_mean(q_kept)
    new_p = p_kept.relation.right
    new_q = q_kept.relation.right
    gap = p - factor * q
    finite = conditional(whole, names)
    means = [integrable(fact, fact.relation.left) for fact in (p_kept, q_kept)]
    line = linear(law, gap, {p: 1, q: -factor}, *means, given=names)
    above = expect(
        below_excess(p, q, factor),
        law,
        integrable(line, E(law, gap, names)),
        finite,
        given=names,
    )
    mean = E(law, excess(p, q, factor), names)
    upper = combine(at_most(new_p - factor * new_q, mean), above, line, p_kept, q_kept)
    return positive_part(
        upper, expect(excess_is_positive(p, q, factor), law, finite, given=names)
    )


def processed(
    law: Law,
    factor: Expr,
    mass: Fact,
    p_kept: Fact,
    q_kept: Fact,
    *given: str | Condition,
) -> Fact:
    """The hockey stick of what is kept is at most that of all; the conditional means of p and q are
    given as facts.
    """
    (p, names), (q, _) = _conditional_mean(p_kept), _conditional_mean(q_kept)
    whole = finite_excess(law, p, q, factor, integrable(mass, E(law, p)), *given)
    bound = kept_excess(law, factor, whole, p_kept, q_kept)
    lower = excess_is_positive(p_kept.relation.right, q_kept.relation.right, factor)
    return averaged(bound, law, excess(p, q, factor), whole, names, lower)


def _conditional_mean(fact: Fact) -> tuple[Expr, tuple[str, ...]]:
    """The formula whose conditional mean a fact gives, and what it is given."""
    left = fact.relation.left
    if not isinstance(left, Expectation):
        raise Refused(f"this is not a conditional mean: {left}.")
    return left.body, left.given
