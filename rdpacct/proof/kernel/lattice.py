"""The rules for laws on the integers: a shift or a reflection of the integers does not change a
convergent sum.
"""

from __future__ import annotations

from typing import Any

from rdpacct.exact.formula import Expr, Rational, Real, Symbol, formula
from rdpacct.exact.functions import absolute, exp
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.fact import Fact, make
from rdpacct.proof.kernel.integrals import rewritten
from rdpacct.proof.kernel.laws import Lattice
from rdpacct.proof.kernel.logic import conditions_of
from rdpacct.proof.kernel.rule import rule
from rdpacct.proof.kernel.side import (
    defined,
    establish,
    establish_at,
    is_pure,
    settle,
)
from rdpacct.proof.kernel.statements import Condition, Integrable, On, Whole
from rdpacct.proof.kernel.terms import (
    E,
    Refused,
    at_most,
    below,
    equal,
    relation,
)


@rule
def summable(
    law: Lattice,
    body: Real,
    upper: Fact,
    lower: Fact,
    positive: Fact,
    tail: Fact,
    rate: Real = 1,
) -> Fact:
    """x is integrable: abs(x) times the weight, and the weight itself, fall exponentially; all for
    every real n.

    With f = exp(-rate abs(n)), the facts read x w <= c f, and -c f <= x w or 0 <= x w, and 0 < w,
    and w <= c f.
    """
    x, w, (name,) = formula(body), law.weight, law.variables
    certificates = is_summable(law, positive, tail, rate)
    _is_plain(law, upper, lower)
    _constant(upper.relation.right, name, rate)
    if upper.relation.left != x * w or upper.relation.sign != "<=":
        raise Refused(f"the upper fact does not bound {x * w}.")
    if lower.relation != at_most(0, x * w):
        _constant(-lower.relation.left, name, rate)
        if lower.relation.right != x * w or lower.relation.sign != "<=":
            raise Refused(f"the lower fact does not bound {x * w}.")
    return make(
        "summable",
        Integrable(law, x),
        (upper, lower, positive, tail),
        certificates=certificates,
        spoken=[law],
    )


@rule
def reindex(
    law: Lattice,
    finite: Fact,
    positive: Fact,
    tail: Fact,
    by: Real,
    *,
    reflect: bool = False,
    rate: Real = 1,
) -> Fact:
    """E[x(n)] = E[x(m) w(m)/w(n)] with m = n + by, or by - n: the integers are only renamed."""
    (name,), k = law.variables, formula(by)
    if name in k.symbols():
        raise Refused(f"the shift {k} must be the same for all {name}.")
    if finite.integrable.law != law or finite.integrable.given:
        raise Refused(f"it is not known of {law.name} that {finite} is finite.")
    certificates = is_summable(law, positive, tail, rate)
    x = finite.integrable.body
    other = k - Symbol(name) if reflect else Symbol(name) + k
    moved = x.at(**{name: other}) * law.weight.at(**{name: other}) / law.weight
    domain: list[Condition] = [
        *finite.domain,
        *positive.domain,
        *tail.domain,
        *_whole(k),
    ]
    mean = equal(E(law, x), E(law, moved))
    return make(
        "reindex",
        mean,
        (finite, positive, tail),
        domain=domain,
        certificates=certificates,
        finite=[mean.left, mean.right],
        spoken=[law],
    )


@rule
def apart(
    law: Lattice,
    claim: str | Comparison,
    cut: int,
    *given: str | Condition,
    on: tuple[tuple[Fact, ...], tuple[Fact, ...]] = ((), ()),
) -> Fact:
    """A pointwise relation on the integers: at one of them, below it and above it.

    ``on`` are equations that hold below and above, by which the relation is rewritten there.
    """
    statement = relation(claim)
    known = conditions_of(*given)
    (name,) = law.variables
    if not is_pure(statement) or any(
        name in condition.symbols() for condition in known
    ):
        raise Refused(
            "a pointwise relation has no expectation in it, and holds for every"
            f" {name}: {statement}."
        )
    if type(cut) is not int:
        raise Refused(f"{cut} is not an integer to cut at.")
    n = Symbol(name)
    certificates = establish_at(statement, {name: cut}, known)
    for there, facts in zip(
        (at_most(n, cut - 1), at_most(cut + 1, n)), on, strict=True
    ):
        inside = [*known, there]
        certificates += defined([statement.left, statement.right], inside, {})
        left, right = (
            rewritten(side, facts, set(inside))
            for side in (statement.left, statement.right)
        )
        certificates += settle(Comparison(left, statement.sign, right), inside)
    parents = tuple(fact for facts in on for fact in facts)
    return make(
        "apart",
        statement,
        parents,
        domain=[*known, On(law)],
        hypotheses=(),
        certificates=certificates,
    )


def is_summable(
    law: Lattice, positive: Fact, tail: Fact, rate: Real
) -> list[dict[str, Any]]:
    """The weights are positive and their sum is finite."""
    _is_plain(law, positive, tail)
    _constant(tail.relation.right, law.variables[0], rate)
    if (
        positive.relation != below(0, law.weight)
        or tail.relation.left != law.weight
        or tail.relation.sign != "<="
    ):
        raise Refused(
            f"it is not known that {law.weight} is positive and has a finite sum."
        )
    return establish(below(0, rate), tail.domain)


def _is_plain(law: Lattice, *facts: Fact) -> None:
    """The facts are real relations that hold for every value of the variable of the law."""
    (name,) = law.variables
    for fact in facts:
        if (
            fact.hypotheses
            or not is_pure(fact.relation)
            or any(name in condition.symbols() for condition in fact.domain)
        ):
            raise Refused(f"a real relation for every {name} is needed, not {fact}.")


def _constant(bound: Expr, name: str, rate: Real) -> None:
    """The bound is a number times exp(-rate abs(n))."""
    fall = exp(-formula(rate) * absolute(Symbol(name)))
    factors = [factor for factor in bound.factors_of() if factor != fall]
    if name in formula(rate).symbols():
        raise Refused(f"the rate {rate} is not a number.")
    if len(factors) != len(bound.factors_of()) - 1 or any(
        name in factor.symbols() for factor in factors
    ):
        raise Refused(f"{bound} is not a number times {fall}.")


def _whole(k: Expr) -> list[Condition]:
    """What makes a shift a whole number: it is one, or plus or minus a symbol for one."""
    if isinstance(k, Rational) and k.value.denominator == 1:
        return []
    for side in (k, -k):
        if isinstance(side, Symbol):
            return [Whole(side.name, 0)]
    raise Refused(f"{k} is not seen to be a whole number.")
