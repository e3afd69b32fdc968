"""Fubini's theorem for a formula that is not negative: a mean under two laws side by side, taken
one after the other.
"""

from rdpacct.proof.kernel import (
    E,
    Fact,
    combine,
    disintegrate,
    equal,
    expect,
    integrable,
    tower,
)
from rdpacct.proof.kernel.laws import Independent
from rdpacct.proof.kernel.statements import Integrable
from rdpacct.proof.tactics.normal import mean_of


def given_one(law: Independent, inner: Fact) -> Fact:
    """E[f | x] == g(x), where the mean of f(x, .) under the law of y is g(x)."""
    mean = mean_of(inner)
    other = law.first if mean.law == law.second else law.second
    split = disintegrate(law, mean.body, other.variables, integrable(inner, mean))
    value = inner.relation.right
    known = split.relation.left
    return combine(equal(known, value), split, inner)


def one_by_one(
    law: Independent, inner: Fact, positive: Fact, finite: Fact | None = None
) -> Fact:
    """E f == E g(x), where g(x) is the mean of f(x, .) under the law of y, and f >= 0.

    ``finite`` says that the mean of g(x) is finite; or that the mean of f is.
    """
    known = given_one(law, inner)
    left = mean_of(known)
    body = left.body
    if finite is not None and finite.statement == Integrable(law, body):
        whole = tower(law, body, left.given, finite)
        outer = expect(known, law, integrable(whole, E(law, left)))
    else:
        outer = expect(known, law, *([] if finite is None else [finite]))
        inside = integrable(outer, E(law, left))
        whole = tower(law, body, left.given, inside, positive)
    return combine(equal(E(law, body), outer.relation.right), whole, outer)
