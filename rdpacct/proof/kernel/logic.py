"""The rules that speak of facts in general: real claims, assumptions, instances, arithmetic,
closure, induction.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
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
    one = relation(claim)
    known = relations_of(*given)
    if not all(map(is_pure, (one, *known))):
        raise Refused(f"a real claim has no expectation in it: {one}.")
    certificates = establish(one, known)
    return make("real", one, domain=known, hypotheses=(), certificates=certificates)


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
    if not all(is_pure(one) for one in known if isinstance(one, Comparison)):
        raise Refused(
            "the domain of a hypothesis has no expectation in it; assume that apart."
        )
    one = relation(claim)
    where = (*known, *almost_surely(one), *existence(*_laws(one)))
    hypothesis = Hypothesis(one, tuple(dict.fromkeys(where)), names)
    finite = expectations_of(one)
    return make("assume", one, domain=known, hypotheses=[hypothesis], finite=finite)


def _laws(one: Comparison) -> list[Law]:
    return list(dict.fromkeys(atom.law for atom in free_expectations(one)))


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
    hypotheses = tuple(one for fact in assuming for one in fact.hypotheses)
    domain = conditions_of(*given)
    one = relation(claim)
    return make(
        "axiom",
        one,
        domain=domain,
        hypotheses=hypotheses,
        axioms=[Believed(name, one, domain, hypotheses)],
        finite=expectations_of(one),
    )


def conditions_of(*given: str | Condition) -> tuple[Condition, ...]:
    """Conditions from texts, relations and conditions."""
    return tuple(
        one
        for item in given
        for one in (relations(item) if isinstance(item, str | Comparison) else (item,))
    )


def relations_of(*given: str | Condition) -> tuple[Comparison, ...]:
    """The same where only relations between numbers will do; other conditions are refused."""
    known = list[Comparison]()
    for one in conditions_of(*given):
        if not isinstance(one, Comparison):
            raise Refused(f"a relation between numbers is needed, not: {one}.")
        known.append(one)
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
    domain = [new for one in fact.domain for new in _sufficient(one, exprs)]
    hypotheses = [_moved_hypothesis(one, exprs) for one in fact.hypotheses]
    certificates = defined(exprs.values(), domain, {})
    for one in fact.domain:
        if isinstance(one, Comparison):
            still_spoken(one, replace(one, exprs), partial(_at, exprs))
            certificates += defined_at([one.left, one.right], exprs, domain)
    for old, moved in zip(fact.hypotheses, hypotheses, strict=True):
        certificates += _still_said(old, moved, exprs, domain)
    stated = expectations_of(statement) - fact.loose
    laws = [one.law for value in exprs.values() for one in expectations(value)]
    return make(
        "specialize",
        new,
        (fact,),
        domain=[*domain, *existence(*laws)],
        hypotheses=hypotheses,
        certificates=certificates,
        finite=[one.at(**exprs) for one in stated],
        put_in=[*exprs.values(), *(one.at(**exprs) for one in fact.loose)],
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
        *(one.relation for one in fact.hypotheses if one.free() & values.keys()),
    ]
    for atom in (atom for one in stated for atom in expectations_of(one)):
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


def _moved(one: Condition, values: Mapping[str, Expr]) -> Condition:
    if isinstance(one, Comparison):
        return replace(one, values)
    if isinstance(one, On):
        return On(one.law.at(**values))
    if isinstance(one, Exists):
        return Exists(one.law.at(**values))
    return whole_at(one, values.get(one.name, Symbol(one.name)))


def _sufficient(one: Condition, values: Mapping[str, Expr]) -> list[Condition]:
    """Conditions that imply the moved one. In a hypothesis they would not do: it would say less."""
    if isinstance(one, Whole) and one.name in values:
        return wholes_for(one, values[one.name])
    return [_moved(one, values)]


def _moved_hypothesis(one: Hypothesis, values: Mapping[str, Expr]) -> Hypothesis:
    kept = {name: value for name, value in values.items() if name in one.free()}
    if any(value.symbols() & one.bound() for value in kept.values()):
        raise Refused(f"a symbol of the replacement is bound in the hypothesis {one}.")
    domain = tuple(_moved(condition, kept) for condition in one.domain)
    return Hypothesis(replace(one.relation, kept), domain, one.every)


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
    change = partial(_at, kept)
    still_spoken(old.relation, new.relation, change)
    fixed = (one for one in domain if not one.symbols() & new.bound())
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
    moved = {change(one) for one in expectations_of(old)}
    lost = moved - expectations_of(new) - {*shown_else}
    if lost:
        raise Refused(
            f"{new} would no longer say that {min(map(str, lost))} is finite."
        )


@rule
def under(fact: Fact, *given: str | Condition) -> Fact:
    """The fact on a domain that implies its own."""
    laws = [one for one in fact.domain if isinstance(one, Exists)]
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
    return any(isinstance(one, Whole) and one.name == name for one in known)


@rule
def given_by(fact: Fact, *facts: Fact) -> Fact:
    """The fact without conditions that other facts establish."""
    proved = {_condition(other) for other in facts}
    extra = [one for other in facts for one in other.domain]
    if any(one in proved for one in extra):
        raise Refused("a condition may not be established from itself.")
    domain = [one for one in fact.domain if one not in proved] + extra
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
    """What holds where a <= b and also where b <= a, all else being the same, holds anyhow; one may
    be strict.
    """
    laws = [c for fact in (first, second) for c in fact.domain if isinstance(c, Exists)]
    ones = [c for c in first.domain if c not in (*second.domain, *laws)]
    twos = [c for c in second.domain if c not in (*first.domain, *laws)]
    if first.statement != second.statement or len(ones) != 1 or len(twos) != 1:
        raise Refused(
            "the two cases must say the same, on domains that differ in one condition"
            " each."
        )
    (one,), (two,) = ones, twos
    common = [*(c for c in first.domain if c in second.domain), *laws]
    if not (
        isinstance(one, Comparison) and isinstance(two, Comparison) and is_pure(one)
    ):
        raise Refused(f"{one} and {two} are no real relations.")
    if (one.left, one.right) != (two.right, two.left) or {one.sign, two.sign} not in (
        {"<="},
        {"<", "<="},
    ):
        raise Refused(f"{one} and {two} leave something out.")
    certificates = defined([one.left, one.right], common, {})
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
        more = [one for one in proof.domain if one not in found.domain]
        bound = found.bound()
        if any(one.symbols() & bound for one in more) or any(
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
        finite_by=tuple(one for one in proofs if set(one.domain) <= set(domain)),
    )


@rule
def induct(base: Fact, step: Fact, name: str, *finite: Fact) -> Fact:
    """A relation for all whole numbers from a start on: from the start, and from each number to the
    next.

    ``finite`` speak of the means that the relation has at the start only times 0.
    """
    assumed = _before(step, name)
    others = [h for h in step.hypotheses if h is not assumed]
    starts = [c for c in step.domain if isinstance(c, Whole) and c.name == name]
    start = max((c.start for c in starts), default=0)
    certificates = _leads_on(assumed, base, step, finite, name, start)
    first = [h for fact in (base, *finite) for h in fact.hypotheses]
    single = {name, *assumed.bound()}
    for hypothesis in (*others, *first):
        if hypothesis.free() & single:
            raise Refused(f"another hypothesis speaks of single values: {hypothesis}.")
    domain = [c for c in step.domain if c not in starts]
    at_base = [c for fact in (base, *finite) for c in fact.domain]
    if any(name in c.symbols() for c in (*domain, *at_base)):
        raise Refused(f"the step holds only for some {name}.")
    conditions = {c for c in domain if not isinstance(c, Exists)}
    if not conditions <= {*assumed.domain, *at_base}:
        raise Refused("the hypothesis of the step must have the domain of the step.")
    for condition in (*domain, *at_base):
        if condition.symbols() & assumed.bound() and condition not in assumed.domain:
            raise Refused(f"the step is about all values, not: {condition}.")
    return make(
        "induct",
        assumed.relation,
        (base, step, *finite),
        domain=[*domain, *at_base, Whole(name, start)],
        hypotheses=[*others, *first],
        certificates=certificates,
        finite=expectations_of(assumed.relation),
        finite_by=(),
    )


def _before(step: Fact, name: str) -> Hypothesis:
    """The one hypothesis of a step that becomes its statement at the next number."""
    after = {name: Symbol(name) + 1}
    found = [
        h
        for h in step.hypotheses
        if name in h.free() and replace(h.relation, after) == step.relation
    ]
    if len(found) != 1:
        raise Refused(f"the step does not lead from {name} to {name} + 1.")
    return found[0]


def _leads_on(
    assumed: Hypothesis,
    base: Fact,
    step: Fact,
    finite: tuple[Fact, ...],
    name: str,
    start: int,
) -> list[dict[str, Any]]:
    """Certificates that base and step show the relation in full: that it is defined, and that its
    means are finite, at the start and at each next number.
    """
    first = {name: formula(Fraction(start))}
    if base.relation != replace(assumed.relation, first):
        raise Refused(f"the base is not the relation at {name} = {start}.")
    if any(fact.loose for fact in (base, step, *finite)):
        raise Refused("it is not shown of each number that its means are finite.")
    after = {name: Symbol(name) + 1}
    sides = [assumed.relation.left, assumed.relation.right]
    shown = {one for fact in finite for one in free_expectations(fact.statement)}
    common = [c for c in (*base.domain, *step.domain) if name not in c.symbols()]
    certificates = list[dict[str, Any]]()
    for values, fact in ((first, base), (after, step)):
        still_spoken(
            assumed.relation, fact.relation, partial(_at, values), shown_else=shown
        )
        certificates += defined_at(sides, values, [*fact.domain, *common])
    return certificates


def _at(values: Mapping[str, Real], expr: Expr) -> Expr:
    return expr.at(**values)
