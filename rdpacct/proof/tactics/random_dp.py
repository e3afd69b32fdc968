"""Steps about the data of random differential privacy: probabilities of bad data, by indicators."""

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import minimum
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    Table,
    at_most,
    combine,
    dominated,
    equal,
    expect,
    given_by,
    integrable,
    linear,
    real,
    specialize,
    table,
    under,
)


def at_most_one(one: Fact, bound: Fact) -> Fact:
    """x <= min(1, y), from x <= 1 and x <= y."""
    x, y = Symbol("x"), Symbol("y")
    cut = under(specialize(real("max(a, 0) <= b", "a <= b", "0 <= b"), a=1 - y, b=1 - x), "x <= 1", "x <= y")
    found = combine(at_most(x, minimum(1, y)), cut, (real("min(1, y) == 1 - max(1 - y, 0)"), -1))
    return given_by(specialize(found, x=bound.relation.left, y=bound.relation.right), one, bound)


def union_bound(law: Law, either: Expr, parts: tuple[Fact, ...], *marks: str | Comparison) -> Fact:
    """E[either] <= sum of bounds, for 0 <= either <= sum of the variables whose means the facts bound."""
    events = [fact.relation.left for fact in parts]
    bodies = [event.body for event in events]  # type: ignore[attr-defined]
    sum_ = sum(bodies[1:], bodies[0])
    known = [integrable(fact, event) for fact, event in zip(parts, events, strict=True)]
    total = linear(law, sum_, dict.fromkeys(bodies, 1), *known)
    finite = integrable(total, E(law, sum_))
    upper = real(at_most(either, sum_), *marks)
    inside = dominated(upper, law, finite, lower=real(at_most(0, either), *marks))
    bounds = [fact.relation.right for fact in parts]
    claim = at_most(E(law, either), sum(bounds[1:], bounds[0]))
    return combine(claim, expect(upper, law, inside, finite), total, *parts)


def tabled(law: Table, body: Expr, value: Expr, *given: str | Comparison) -> Fact:
    """E[body] == value under a finite law, as its sum is that value."""
    found = table(law, body, *given)
    return combine(equal(E(law, body), value), found, real(equal(found.relation.right, value), *given))
