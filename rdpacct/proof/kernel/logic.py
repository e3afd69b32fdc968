"""The rules that speak of facts in general: real claims, assumptions, instances, cases, proofs of
hypotheses.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.fact import Fact, make
from rdpacct.proof.kernel.laws import Law
from rdpacct.proof.kernel.rule import rule
from rdpacct.proof.kernel.side import (
    defined,
    defined_after,
    defined_at,
    establish,
    is_pure,
)
from rdpacct.proof.kernel.statements import (
    Believed,
    Condition,
    Exists,
    Hypothesis,
    Integrable,
    On,
    Proposition,
    Whole,
    almost_surely,
    existence,
    expectations_of,
    free_expectations,
    laws_of,
)
from rdpacct.proof.kernel.terms import (
    Expectation,
    Refused,
    at_most,
    atoms_of,
    expectations,
    relation,
    relations,
    replace,
)
from rdpacct.proof.kernel.whole import whole_at, wholes_for


@rule
def real(claim: str | Comparison, *given: str | Condition) -> Fact:
    """A relation between real numbers that the prover proves, defined and true wherever what is
    given holds.
    """
    statement = relation(claim)
    known = relations_of(*given)
    if not all(map(is_pure, (statement, *known))):
        raise Refused(f"a real claim has no expectation in it: {statement}.")
    certificates = establish(statement, known)
    return make(
        "real", statement, domain=known, hypotheses=(), certificates=certificates
    )


@rule
def assume(
    claim: str | Comparison,
    *given: str | Condition,
    every: str | tuple[str, ...] = (),
) -> Fact:
    """A hypothesis: the relation (and that its expectations are finite), for all values of
    ``every`` in a domain.
    """
    names = (every,) if isinstance(every, str) else every
    known = conditions_of(*given)
    if not all(
        is_pure(condition) for condition in known if isinstance(condition, Comparison)
    ):
        raise Refused(
            "the domain of a hypothesis has no expectation in it; assume that apart."
        )
    statement = relation(claim)
    where = (*known, *almost_surely(statement), *existence(*_laws(statement)))
    hypothesis = Hypothesis(statement, tuple(dict.fromkeys(where)), names)
    finite = expectations_of(statement)
    return make(
        "assume", statement, domain=known, hypotheses=[hypothesis], finite=finite
    )


def _laws(statement: Comparison) -> list[Law]:
    return list(dict.fromkeys(atom.law for atom in free_expectations(statement)))


@rule
def axiom(
    name: str,
    claim: str | Comparison,
    *given: str | Condition,
    assuming: tuple[Fact, ...] = (),
) -> Fact:
    """A classical result that is believed, not proved, under these assumptions: all that is made
    from it keeps it in full.
    """
    if type(name) is not str or any(type(fact) is not Fact for fact in assuming):
        raise Refused("an axiom has a name, and is assumed under facts only.")
    hypotheses = tuple(
        hypothesis for fact in assuming for hypothesis in fact.hypotheses
    )
    domain = conditions_of(*given)
    statement = relation(claim)
    return make(
        "axiom",
        statement,
        domain=domain,
        hypotheses=hypotheses,
        axioms=[Believed(name, statement, domain, hypotheses)],
        finite=expectations_of(statement),
    )


def conditions_of(*given: str | Condition) -> tuple[Condition, ...]:
    """Conditions from texts, relations and conditions."""
    return tuple(
        condition
        for item in given
        for condition in (
            relations(item) if isinstance(item, str | Comparison) else (item,)
        )
    )


def relations_of(*given: str | Condition) -> tuple[Comparison, ...]:
    """The same where only relations between numbers will do; other conditions are refused."""
    known = list[Comparison]()
    for condition in conditions_of(*given):
        if not isinstance(condition, Comparison):
            raise Refused(f"a relation between numbers is needed, not: {condition}.")
        known.append(condition)
    return tuple(known)


@rule
def integrable(fact: Fact, atom: Expr) -> Fact:
    """An expectation that a fact speaks of is finite: no fact speaks of others."""
    if not isinstance(atom, Expectation) or atom not in atoms_of(fact.relation):
        raise Refused(f"the fact {fact} does not speak of {atom}.")
    if atom in fact.loose:
        raise Refused(
            f"the fact {fact} holds for every number and does not show that {atom} is"
            " one."
        )
    return make("integrable", Integrable(atom.law, atom.body, atom.given), (fact,))


@rule
def specialize(fact: Fact, **values: Real) -> Fact:
    """The fact at other values of its symbols; conditions on them become conditions on the
    values.
    """
    exprs = {name: formula(value) for name, value in values.items()}
    _may_replace(fact, exprs)
    statement = fact.statement
    new: Proposition
    if isinstance(statement, Integrable):
        new = statement.moved(lambda atom: atom.at(**exprs))
    elif isinstance(statement, Exists):
        new = Exists(statement.law.at(**exprs))
    else:
        new = replace(statement, exprs)
    domain = [new for condition in fact.domain for new in _sufficient(condition, exprs)]
    hypotheses = [
        _moved_hypothesis(hypothesis, exprs) for hypothesis in fact.hypotheses
    ]
    certificates = defined(exprs.values(), domain, {})
    for condition in fact.domain:
        if isinstance(condition, Comparison):
            still_spoken(condition, replace(condition, exprs), partial(put_in, exprs))
            certificates += defined_at([condition.left, condition.right], exprs, domain)
    for old, moved in zip(fact.hypotheses, hypotheses, strict=True):
        certificates += _still_said(old, moved, exprs, domain)
    stated = expectations_of(statement) - fact.loose
    laws = [atom.law for value in exprs.values() for atom in expectations(value)]
    return make(
        "specialize",
        new,
        (fact,),
        domain=[*domain, *existence(*laws)],
        hypotheses=hypotheses,
        certificates=certificates,
        finite=[atom.at(**exprs) for atom in stated],
        put_in=[*exprs.values(), *(atom.at(**exprs) for atom in fact.loose)],
        finite_by=(),
        spoken=[law.at(**exprs) for law in laws_of(statement)],
    )


def _may_replace(fact: Fact, values: Mapping[str, Expr]) -> None:
    """Refuse what would put a random value where a fact holds only almost surely, or for each fixed
    number.
    """
    used = frozenset[str]().union(*(value.symbols() for value in values.values()))
    stated = [
        fact.statement,
        *(
            hypothesis.relation
            for hypothesis in fact.hypotheses
            if hypothesis.free() & values.keys()
        ),
    ]
    for atom in (atom for statement in stated for atom in expectations_of(statement)):
        if used & set(atom.law.variables):
            raise Refused(
                f"a random variable of {atom.law.name} would stand where {fact} needs a"
                " fixed number."
            )
    for condition in fact.domain:
        if not isinstance(condition, On):
            continue
        if (used | values.keys()) & set(condition.law.variables):
            raise Refused(
                f"the variables of {condition.law.name} are not free in {fact}."
            )


def _moved(condition: Condition, values: Mapping[str, Expr]) -> Condition:
    if isinstance(condition, Comparison):
        return replace(condition, values)
    if isinstance(condition, On):
        return On(condition.law.at(**values))
    if isinstance(condition, Exists):
        return Exists(condition.law.at(**values))
    return whole_at(condition, values.get(condition.name, Symbol(condition.name)))


def _sufficient(condition: Condition, values: Mapping[str, Expr]) -> list[Condition]:
    """Conditions that imply the moved one. In a hypothesis they would not do: it would say less."""
    if isinstance(condition, Whole) and condition.name in values:
        return wholes_for(condition, values[condition.name])
    return [_moved(condition, values)]


def _moved_hypothesis(hypothesis: Hypothesis, values: Mapping[str, Expr]) -> Hypothesis:
    kept = {name: value for name, value in values.items() if name in hypothesis.free()}
    if any(value.symbols() & hypothesis.bound() for value in kept.values()):
        raise Refused(
            f"a symbol of the replacement is bound in the hypothesis {hypothesis}."
        )
    domain = tuple(_moved(condition, kept) for condition in hypothesis.domain)
    return Hypothesis(replace(hypothesis.relation, kept), domain, hypothesis.every)


def _still_said(
    old: Hypothesis,
    new: Hypothesis,
    values: Mapping[str, Expr],
    domain: list[Condition],
) -> list[dict[str, Any]]:
    """That a hypothesis at other values says no less: it still speaks of its means, and where it is
    defined follows from what is known of all that it binds.
    """
    kept = {name: value for name, value in values.items() if name in old.free()}
    change = partial(put_in, kept)
    still_spoken(old.relation, new.relation, change)
    fixed = (condition for condition in domain if not condition.symbols() & new.bound())
    sides = [old.relation.left, old.relation.right]
    return defined_after(sides, change, [*new.domain, *fixed])


def still_spoken(
    old: Comparison,
    new: Comparison,
    change: Callable[[Expr], Expr],
    shown_else: Iterable[Expr] = (),
) -> None:
    """Refuse a change by which a relation no longer says that a mean is finite, as 0 E[X] <= 1; but
    for means of which something else says that.
    """
    moved = {change(expectation) for expectation in expectations_of(old)}
    lost = moved - expectations_of(new) - {*shown_else}
    if lost:
        raise Refused(
            f"{new} would no longer say that {min(map(str, lost))} is finite."
        )


@rule
def under(fact: Fact, *given: str | Condition) -> Fact:
    """The fact on a domain that implies its own."""
    laws = [condition for condition in fact.domain if isinstance(condition, Exists)]
    known = (*conditions_of(*given), *laws)
    certificates = []
    for one in fact.domain:
        if one in known:
            continue
        if isinstance(one, Whole) and _is_among_wholes(one.name, known):
            certificates += establish(at_most(one.start, Symbol(one.name)), known)
            continue
        if not isinstance(one, Comparison):
            raise Refused(f"the new domain does not contain: {one}.")
        if is_pure(one):
            certificates += establish(one, known)
        else:
            raise Refused(
                f"the condition {one} has an expectation in it; use `given_by`."
            )
    return make(
        "under", fact.statement, (fact,), domain=known, certificates=certificates
    )


def _is_among_wholes(name: str, known: tuple[Condition, ...]) -> bool:
    return any(
        isinstance(condition, Whole) and condition.name == name for condition in known
    )


@rule
def given_by(fact: Fact, *facts: Fact) -> Fact:
    """The fact without conditions that other facts establish."""
    proved = {_condition(other) for other in facts}
    extra = [condition for other in facts for condition in other.domain]
    if any(condition in proved for condition in extra):
        raise Refused("a condition may not be established from itself.")
    domain = [condition for condition in fact.domain if condition not in proved] + extra
    return make(
        "given_by", fact.statement, (fact, *facts), domain=domain, finite_by=facts
    )


def _condition(fact: Fact) -> Condition:
    """What a fact says, as a condition of another."""
    if isinstance(fact.statement, Exists):
        if fact.loose:
            raise Refused(f"it is not known that {fact.statement}.")
        return fact.statement
    return fact.relation


@rule
def either(first: Fact, second: Fact) -> Fact:
    """Case split: a fact that holds where a <= b and where b <= a, with all else the same, holds
    without either condition; one of the two may be strict.
    """
    laws = [c for fact in (first, second) for c in fact.domain if isinstance(c, Exists)]
    only_first = [c for c in first.domain if c not in (*second.domain, *laws)]
    only_second = [c for c in second.domain if c not in (*first.domain, *laws)]
    if (
        first.statement != second.statement
        or len(only_first) != 1
        or len(only_second) != 1
    ):
        raise Refused(
            "the two cases must say the same, on domains that differ in one condition"
            " each."
        )
    (condition,), (opposite,) = only_first, only_second
    common = [*(c for c in first.domain if c in second.domain), *laws]
    if not (
        isinstance(condition, Comparison)
        and isinstance(opposite, Comparison)
        and is_pure(condition)
    ):
        raise Refused(f"{condition} and {opposite} are not real relations.")
    turned = (opposite.right, opposite.left)
    signs = {condition.sign, opposite.sign}
    if (condition.left, condition.right) != turned or signs not in (
        {"<="},
        {"<", "<="},
    ):
        raise Refused(f"{condition} and {opposite} leave something out.")
    certificates = defined([condition.left, condition.right], common, {})
    return make(
        "either",
        first.statement,
        (first, second),
        domain=common,
        certificates=certificates,
        finite_by=(),
    )


@rule
def discharge(fact: Fact, *proofs: Fact) -> Fact:
    """The fact without the hypotheses that other facts prove."""
    hypotheses = list(fact.hypotheses)
    extra = list[Condition]()
    for proof in proofs:
        found = next((h for h in hypotheses if h.relation == proof.relation), None)
        if found is None:
            raise Refused(f"no hypothesis reads {proof.relation}.")
        if proof.loose & expectations_of(found.relation):
            raise Refused(f"the proof does not show that {found} speaks of numbers.")
        more = [
            condition for condition in proof.domain if condition not in found.domain
        ]
        bound = found.bound()
        if any(condition.symbols() & bound for condition in more) or any(
            h.free() & bound for h in proof.hypotheses
        ):
            raise Refused(
                f"the proof of {found} holds only for some values of"
                f" {', '.join(sorted(bound))}."
            )
        hypotheses.remove(found)
        hypotheses += proof.hypotheses
        extra += more
    domain = [*fact.domain, *extra]
    return make(
        "discharge",
        fact.statement,
        (fact, *proofs),
        domain=domain,
        hypotheses=hypotheses,
        finite_by=tuple(known for known in proofs if set(known.domain) <= set(domain)),
    )


def put_in(values: Mapping[str, Real], expr: Expr) -> Expr:
    """The formula at these values."""
    return expr.at(**values)
