"""The rules for expectations: monotone, linear, towers, changes of measure, independence, exchange,
finite sums.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from rdpacct.exact.formula import Apply, Expr, Real, Symbol, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.fact import Fact, make
from rdpacct.proof.kernel.finite import are_fixed, masses_of
from rdpacct.proof.kernel.laws import (
    Draw,
    Event,
    Exchangeable,
    Independent,
    Law,
    Ranked,
    Table,
    Tilted,
    built_on,
)
from rdpacct.proof.kernel.logic import conditions_of, relations_of
from rdpacct.proof.kernel.rule import rule
from rdpacct.proof.kernel.side import defined, establish, settle
from rdpacct.proof.kernel.statements import (
    Condition,
    Integrable,
    On,
    expectations_of,
    laws_of,
)
from rdpacct.proof.kernel.terms import (
    E,
    Expectation,
    Refused,
    abstract,
    at_most,
    atoms,
    below,
    equal,
)

GivenNames = tuple[str, ...] | str
SHOWN = (Table, Draw, Event, Independent)
"""The laws that are there if their masses are probabilities and what they are built on is."""


@rule
def expect(fact: Fact, law: Law, *finite: Fact, given: GivenNames = ()) -> Fact:
    """Integrate a relation that holds pointwise; both sides, or one of an equation, must be known
    to be integrable.
    """
    names = _names(given)
    relation = fact.relation
    domain, certificates, laws = _integrated(fact, law, names)
    unknown = [
        side
        for side in (relation.left, relation.right)
        if not _is_integrable(law, side, names, finite)
    ]
    if len(unknown) > (1 if relation.sign == "==" else 0):
        raise Refused(f"it is not known that {E(law, unknown[0], names)} is finite.")
    mean = Comparison(
        _mean(law, relation.left, names),
        relation.sign,
        _mean(law, relation.right, names),
    )
    where = [*domain, *_domains(finite), *([On(law)] if names else [])]
    return make(
        "expect",
        mean,
        (fact, *finite),
        domain=where,
        certificates=certificates,
        finite=expectations_of(mean) - expectations_of(relation),
        laws=[law, *laws],
    )


@rule
def dominated(
    upper: Fact,
    law: Law,
    *finite: Fact,
    lower: Fact | None = None,
    given: GivenNames = (),
) -> Fact:
    """x is integrable if abs(x) <= y pointwise, or x <= y and 0 <= x, with y integrable or free of
    the variables.
    """
    names = _names(given)
    relation = upper.relation
    domain, certificates, laws = _integrated(upper, law, names)
    if lower is None:
        if relation.sign == "==" or not (
            isinstance(relation.left, Apply) and relation.left.function == "abs"
        ):
            raise Refused(
                f"a domination reads abs(x) <= y, not {relation}; or give 0 <= x as the"
                " lower one."
            )
        body = relation.left.arguments[0]
    else:
        body = relation.left
        if lower.relation not in (at_most(0, body), below(0, body)):
            raise Refused(
                f"the lower relation reads 0 <= {body}, not {lower.relation}."
            )
        more, extra, others = _integrated(lower, law, names)
        domain = domain + more
        certificates = certificates + extra
        laws = laws + others
        finite = (*finite, lower)
    if not _is_integrable(law, relation.right, names, finite):
        raise Refused(
            f"it is not known that {E(law, relation.right, names)} is finite."
        )
    domain += [c for fact in finite if fact is not lower for c in fact.domain]
    statement = Integrable(law, body, names)
    return make(
        "dominated",
        statement,
        (upper, *finite),
        domain=domain,
        certificates=certificates,
        laws=laws,
    )


@rule
def linear(
    law: Law,
    body: Real,
    parts: Mapping[Expr, Real],
    *finite: Fact,
    constant: Real = 0,
    given: GivenNames = (),
    where: tuple[str | Condition, ...] = (),
) -> Fact:
    """E[sum of c_i x_i + c] = sum of c_i E[x_i] + c, where the c are known once what is given is
    known.
    """
    names = _names(given)
    whole = formula(body)
    known = [
        *law.support,
        *_everywhere([*relations_of(*where), *_domains(finite)], law, names),
    ]
    for factor in (*map(formula, parts.values()), formula(constant)):
        _is_known(factor, law, names)
    for part in parts:
        if not _is_integrable(law, part, names, finite):
            raise Refused(f"it is not known that {E(law, part, names)} is finite.")
    total = formula(constant) + sum(
        (factor * part for part, factor in parts.items()), formula(0)
    )
    mean = formula(constant) + sum(
        (factor * E(law, part, names) for part, factor in parts.items()), formula(0)
    )
    factors = [formula(constant), *map(formula, parts.values())]
    certificates = [
        *defined([whole, total, *factors], known, dict[Expr, str]()),
        *settle(_abstracted(equal(whole, total)), known),
    ]
    domain = [*relations_of(*where), *_domains(finite)]
    return make(
        "linear",
        equal(E(law, whole, names), mean),
        finite,
        domain=domain,
        certificates=certificates,
        finite=[E(law, whole, names), *(E(law, part, names) for part in parts)],
        put_in=factors,
    )


@rule
def tower(
    law: Law,
    body: Real,
    fine: GivenNames,
    finite: Fact,
    positive: Fact | None = None,
    coarse: GivenNames = (),
) -> Fact:
    """E[E[x | fine] | coarse] = E[x | coarse], for an integrable x, or for x >= 0 with an
    integrable inner mean.
    """
    inner = _names(fine)
    outer = _names(coarse)
    x = formula(body)
    if not set(outer) <= set(inner):
        raise Refused("the outer mean must know less than the inner one.")
    parents: tuple[Fact, ...] = (finite,)
    domain = list[Condition](finite.domain)
    certificates = list[dict[str, Any]]()
    laws = list[Law]()
    if finite.integrable != Integrable(law, x, outer):
        if positive is None or positive.relation not in (at_most(0, x), below(0, x)):
            raise Refused(
                f"{x} is neither known to be integrable nor not to be negative."
            )
        if finite.integrable != Integrable(law, E(law, x, inner), outer):
            raise Refused(
                f"it is not known that {E(law, E(law, x, inner), outer)} is finite."
            )
        more, certificates, laws = _integrated(positive, law, ())
        parents = (finite, positive)
        domain = [*domain, *more]
    within = E(law, x, inner)
    left = E(law, within, outer)
    right = E(law, x, outer)
    return make(
        "tower",
        equal(left, right),
        parents,
        domain=domain,
        certificates=certificates,
        finite=[within, left, right],
        laws=laws,
    )


@rule
def conditional(finite: Fact, given: GivenNames) -> Fact:
    """What is integrable is integrable given some of the variables, almost surely."""
    names = _names(given)
    known = finite.integrable
    if known.given or not set(names) <= set(known.law.variables):
        raise Refused(f"{known} does not become a statement given {', '.join(names)}.")
    return make("conditional", Integrable(known.law, known.body, names), (finite,))


@rule
def tilt(law: Tilted, body: Real, mass: Fact, finite: Fact) -> Fact:
    """Change of measure: E[x] is E[ratio x] under the base, whose ratio is not negative and has
    mean 1.
    """
    x = formula(body)
    base = law.base
    if mass.relation not in (
        equal(E(base, law.ratio), 1),
        equal(1, E(base, law.ratio)),
    ):
        raise Refused(f"it is not known that {E(base, law.ratio)} is 1.")
    if finite.integrable not in (Integrable(base, law.ratio * x), Integrable(law, x)):
        raise Refused(f"it is not known that {E(base, law.ratio * x)} is finite.")
    known = _everywhere([*mass.domain, *finite.domain], base, ())
    there = [*base.support, *known]
    certificates = [
        *establish(at_most(0, law.ratio), there),
        *defined([x], there, {}),
    ]
    mean = equal(E(law, x), E(base, law.ratio * x))
    return make(
        "tilt",
        mean,
        (mass, finite),
        certificates=certificates,
        finite=[mean.left, mean.right],
        spoken=[base] if mass.loose else [base, law],
    )


@rule
def marginal(
    law: Law, base: Law, body: Real, finite: Fact, *given: str | Condition
) -> Fact:
    """A formula in the variables of a marginal has the same mean there."""
    x = formula(body)
    known = conditions_of(*given)
    if base == law or not law.covers(base):
        raise Refused(f"{base.name} is not a marginal of {law.name}.")
    if x.symbols() & set(law.variables) - set(base.variables) or list(atoms(x)):
        raise Refused(f"{x} is not a formula in the variables of {base.name}.")
    if finite.integrable not in (Integrable(base, x), Integrable(law, x)):
        raise Refused(f"it is not known that {E(base, x)} is finite.")
    are_fixed(known, law)
    certificates = masses_of(law, known)
    mean = equal(E(law, x), E(base, x))
    return make(
        "marginal",
        mean,
        (finite,),
        domain=[*known, *finite.domain],
        certificates=certificates,
        finite=[mean.left, mean.right],
        laws=[
            component for component in built_on(law) if not isinstance(component, SHOWN)
        ],
        spoken=[
            *laws_of(finite.statement),
            *(component for component in built_on(law) if isinstance(component, SHOWN)),
        ],
    )


@rule
def independent(law: Independent, first: Real, second: Real, *finite: Fact) -> Fact:
    """E[x y] = E[x] E[y] for x of the first law and y of the second."""
    x = formula(first)
    y = formula(second)
    if (
        x.symbols() & set(law.second.variables)
        or y.symbols() & set(law.first.variables)
        or [*atoms(x), *atoms(y)]
    ):
        raise Refused(f"{x} and {y} do not belong to one of the two laws each.")
    if not (
        _is_integrable(law.first, x, (), finite)
        and _is_integrable(law.second, y, (), finite)
    ):
        raise Refused(
            f"it is not known that {E(law.first, x)} and {E(law.second, y)} are finite."
        )
    known = _everywhere(_domains(finite), law, ())
    certificates = defined([x, y], [*law.support, *known], {})
    left = E(law.first, x)
    right = E(law.second, y)
    return make(
        "independent",
        equal(E(law, x * y), left * right),
        finite,
        certificates=certificates,
        finite=[E(law, x * y), left, right],
    )


@rule
def exchange(law: Exchangeable, finite: Fact) -> Fact:
    """The mean of the sum of exchangeable variables is their number times the mean of the last."""
    last, total = law.variables[:2]
    if finite.integrable != Integrable(law, Symbol(last)):
        raise Refused(f"it is not known that {E(law, Symbol(last))} is finite.")
    domain = [*finite.domain, at_most(1, law.count)]
    domain += [at_most(law.rank, law.count)] if isinstance(law, Ranked) else []
    whole = E(law, Symbol(total))
    one = E(law, Symbol(last))
    mean = equal(whole, law.count * one)
    return make("exchange", mean, (finite,), domain=domain, finite=[whole, one])


def _names(given: GivenNames) -> tuple[str, ...]:
    if isinstance(given, str):
        return (given,)
    return tuple(sorted(given))


def _domains(facts: Iterable[Fact]) -> list[Condition]:
    return [condition for fact in facts for condition in fact.domain]


def _mean(law: Law, side: Expr, given: tuple[str, ...]) -> Expr:
    """The mean of a side of a relation; one that is known stays as it is."""
    if side.symbols() & set(law.variables) - set(given):
        return E(law, side, given)
    return side


def _is_integrable(
    law: Law, body: Expr, given: tuple[str, ...], finite: Iterable[Fact]
) -> bool:
    """Whether a fact states that the mean is finite, or the formula is constant once the given
    variables are known.
    """
    if not body.symbols() & set(law.variables) - set(given):
        return True
    return any(fact.statement == Integrable(law, body, given) for fact in finite)


def _everywhere(
    known: Iterable[Condition], law: Law, given: tuple[str, ...]
) -> list[Condition]:
    """The conditions that hold at all points of a law: about what it does not bind, or on the law
    itself.
    """
    bound = set(law.variables) - set(given)
    return [
        condition
        for condition in known
        if not condition.symbols() & bound
        or (isinstance(condition, On) and law.covers(condition.law))
    ]


def _is_known(factor: Expr, law: Law, given: tuple[str, ...]) -> None:
    if factor.symbols() & set(law.variables) - set(given):
        raise Refused(
            f"{factor} is not known from {', '.join(given) or 'the parameters'}."
        )


def _integrated(
    fact: Fact, law: Law, given: tuple[str, ...]
) -> tuple[list[Condition], list[dict[str, Any]], list[Law]]:
    """What remains of the domain of a pointwise fact under a law, and the laws that it was about;
    the rest must follow from the support.
    """
    relation = fact.relation if isinstance(fact.statement, Comparison) else None
    for atom in (
        a
        for side in ((relation.left, relation.right) if relation else ())
        for a in _deep(side)
    ):
        if atom.given and not law.covers(atom.law):
            raise Refused(
                f"{atom} is determined under {atom.law.name} only, not under"
                f" {law.name}."
            )
    bound = set(law.variables) - set(given)
    kept = list[Condition]()
    laws = list[Law]()
    certificates = list[dict[str, Any]]()
    plain = [
        c
        for c in fact.domain
        if isinstance(c, Comparison) and not c.symbols() & set(law.variables)
    ]
    for condition in fact.domain:
        if isinstance(condition, On):
            if law.surely_covers(condition.law):
                continue
            if not _is_about(fact, condition.law, law):
                raise Refused(
                    f"the fact holds on {condition.law.name} only, not under"
                    f" {law.name}."
                )
            laws.append(condition.law)
        elif not condition.symbols() & bound:
            kept.append(condition)
        elif not isinstance(condition, Comparison):
            raise Refused(
                f"the condition {condition} is about a random variable of {law.name}."
            )
        elif condition not in law.support:
            certificates += establish(condition, [*law.support, *plain])
    for hypothesis in fact.hypotheses:
        if hypothesis.free() & bound:
            raise Refused(
                f"the hypothesis {hypothesis} speaks of single points of {law.name}."
            )
    return kept, certificates, laws


def _is_about(fact: Fact, law: Law, base: Law) -> bool:
    """A fact on a law that speaks of the variables of a marginal only, where it holds just as
    surely.
    """
    stated = [
        fact.statement,
        *(condition for condition in fact.domain if not isinstance(condition, On)),
    ]
    names = frozenset[str]().union(
        *(one.symbols() for one in stated), *(one.free() for one in fact.hypotheses)
    )
    return law.covers(base) and not names & set(law.variables) - set(base.variables)


def _deep(expr: Expr) -> Iterable[Expectation]:
    for atom in atoms(expr):
        if isinstance(atom, Expectation):
            yield atom
            yield from _deep(atom.body)


def _abstracted(relation: Comparison) -> Comparison:
    names: dict[Expr, str] = {}
    return Comparison(
        abstract(relation.left, names), relation.sign, abstract(relation.right, names)
    )
