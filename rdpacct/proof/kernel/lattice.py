"""The rules for laws on the integers: a shift or a reflection of the integers does not change a convergent sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rdpacct.exact.formula import Expr, Rational, Real, Symbol, formula
from rdpacct.exact.functions import absolute, exp
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.fact import Condition, Fact, Integrable, On, Whole, make
from rdpacct.proof.kernel.laws import Law
from rdpacct.proof.kernel.logic import conditions_of
from rdpacct.proof.kernel.side import establish, is_pure
from rdpacct.proof.kernel.terms import E, Refused, at_most, below, equal, relation, replace


@dataclass(frozen=True)
class Lattice(Law):
    """A law of one variable on the integers: the probability of each is proportional to its weight."""

    weight: Expr = Symbol("w")

    def _formulas(self) -> list[Expr]:
        return [self.weight]

    def _at(self, values: Mapping[str, Real]) -> dict[str, Any]:
        return {"weight": self.weight.at(**values)}


def summable(law: Lattice, body: Real, upper: Fact, lower: Fact, positive: Fact, tail: Fact) -> Fact:
    """x is integrable: abs(x) times the weight, and the weight itself, fall like exp(-abs(n)); all for every real n.

    The facts read x w <= c exp(-abs(n)), and -c exp(-abs(n)) <= x w or 0 <= x w, and 0 < w, and w <= c exp(-abs(n)).
    """
    x, w, (name,) = formula(body), law.weight, law.variables
    _is_law(law, positive, tail)
    _is_plain(law, upper, lower)
    _constant(upper.relation.right, name)
    if upper.relation.left != x * w or upper.relation.sign != "<=":
        raise Refused(f"the upper fact does not bound {x * w}.")
    if lower.relation != at_most(0, x * w):
        _constant(-lower.relation.left, name)
        if lower.relation.right != x * w or lower.relation.sign != "<=":
            raise Refused(f"the lower fact does not bound {x * w}.")
    return make("summable", Integrable(law, x), (upper, lower, positive, tail))


def reindex(law: Lattice, finite: Fact, positive: Fact, tail: Fact, by: Real, *, reflect: bool = False) -> Fact:
    """E[x(n)] = E[x(m) w(m)/w(n)] with m = n + by, or by - n: the integers are only renamed."""
    (name,), k = law.variables, formula(by)
    if finite.integrable.law != law or finite.integrable.given:
        raise Refused(f"it is not known of {law.name} that {finite} is finite.")
    _is_law(law, positive, tail)
    x, other = finite.integrable.body, k - Symbol(name) if reflect else Symbol(name) + k
    moved = x.at(**{name: other}) * law.weight.at(**{name: other}) / law.weight
    domain: list[Condition] = [*finite.domain, *positive.domain, *tail.domain, *_whole(k)]
    return make("reindex", equal(E(law, x), E(law, moved)), (finite, positive, tail), domain=domain)


def apart(law: Lattice, claim: str | Comparison, cut: int, *given: str | Comparison) -> Fact:
    """A pointwise relation on the integers: at one of them, below it and above it."""
    one, known, (name,) = relation(claim), conditions_of(*given), law.variables
    if not is_pure(one) or any(name in condition.symbols() for condition in known):
        raise Refused(f"a pointwise relation has no expectation in it, and holds for every {name}: {one}.")
    n = Symbol(name)
    certificates = establish(replace(one, {name: formula(cut)}), known)
    for there in (at_most(n, cut - 1), at_most(cut + 1, n)):
        certificates += establish(one, [*known, there])
    return make("apart", one, domain=[*known, On(law)], hypotheses=(), certificates=certificates)


def _is_law(law: Lattice, positive: Fact, tail: Fact) -> None:
    """The weights are positive and their sum is finite."""
    _is_plain(law, positive, tail)
    _constant(tail.relation.right, law.variables[0])
    if positive.relation != below(0, law.weight) or tail.relation.left != law.weight or tail.relation.sign != "<=":
        raise Refused(f"it is not known that {law.weight} is positive and has a finite sum.")


def _is_plain(law: Lattice, *facts: Fact) -> None:
    """The facts are real relations that hold for every value of the variable of the law."""
    (name,) = law.variables
    if law.support:
        raise Refused(f"{law.name} is on all integers and has no other support.")
    for fact in facts:
        if fact.hypotheses or not is_pure(fact.relation) or any(name in one.symbols() for one in fact.domain):
            raise Refused(f"a real relation for every {name} is needed, not {fact}.")


def _constant(bound: Expr, name: str) -> None:
    """The bound is a number times exp(-abs(n))."""
    fall = exp(-absolute(Symbol(name)))
    factors = [factor for factor in bound.factors_of() if factor != fall]
    if len(factors) != len(bound.factors_of()) - 1 or any(name in factor.symbols() for factor in factors):
        raise Refused(f"{bound} is no number times {fall}.")


def _whole(k: Expr) -> list[Condition]:
    """What makes a shift a whole number: it is one, or plus or minus a symbol for one."""
    if isinstance(k, Rational) and k.value.denominator == 1:
        return []
    for side in (k, -k):
        if isinstance(side, Symbol):
            return [Whole(side.name, 0)]
    raise Refused(f"{k} is not seen to be a whole number.")
