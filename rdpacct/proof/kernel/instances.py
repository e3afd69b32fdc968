"""The rule that puts a particular law in the place of an arbitrary one."""

from collections.abc import Callable, Mapping

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.fact import (
    Condition,
    Exists,
    Fact,
    Hypothesis,
    Integrable,
    On,
    Whole,
    existence,
    expectations_of,
    laws_of,
    make,
)
from rdpacct.proof.kernel.laws import Law, built_on
from rdpacct.proof.kernel.logic import conditions_of, still_spoken
from rdpacct.proof.kernel.rule import rule
from rdpacct.proof.kernel.side import establish_at, settle
from rdpacct.proof.kernel.terms import Expectation, Refused, conditions, unseen


@rule
def instance(
    fact: Fact,
    law: Law,
    other: Law,
    variables: Mapping[str, Real],
    *given: str | Condition,
) -> Fact:
    """A fact about any law with this support, for the variables that formulas define on another
    law.
    """
    values = {name: formula(value) for name, value in variables.items()}
    if type(law) is not Law or set(values) != set(law.variables):
        raise Refused(
            f"{law.name} must be an arbitrary law, and each of its variables be given a"
            " formula."
        )
    known = conditions_of(*given)
    if any(one.symbols() & set(other.variables) for one in known):
        raise Refused(f"what is given may not speak of the variables of {other.name}.")
    _is_apart(fact, law, other)
    used = frozenset[str]().union(*(value.symbols() for value in values.values()))
    said = used.union(other.parameters(), *(one.symbols() for one in known))
    if any(said & one.bound() for one in fact.hypotheses):
        raise Refused(f"a symbol of the formulas is bound in a hypothesis of {fact}.")
    certificates = []
    for value in values.values():
        for part, sign in conditions(value):
            if sign == "!=":
                raise Refused(f"{value} may be undefined.")
            certificates += settle(
                Comparison(formula(0), "<" if sign == ">" else "<=", part),
                [*other.support, *known],
            )
    for one in law.support:
        certificates += establish_at(one, values, [*other.support, *known])

    def moved(expr: Expr) -> Expr:
        return _moved(expr, law, other, values)

    def moved_relation(one: Comparison) -> Comparison:
        return Comparison(moved(one.left), one.sign, moved(one.right))

    def moved_conditions(domain: tuple[Condition, ...]) -> tuple[Condition, ...]:
        new = list[Condition]()
        for one in domain:
            if isinstance(one, Comparison):
                new.append(moved_relation(one))
            elif isinstance(one, Exists):
                new += _moved_existence(one, law, other)
            else:
                new.append(one)
        return tuple(dict.fromkeys(new))

    statement = fact.statement
    new: Comparison | Integrable
    new = (
        statement.moved(moved)
        if isinstance(statement, Integrable)
        else moved_relation(fact.relation)
    )
    hypotheses = [
        Hypothesis(
            moved_relation(one.relation), moved_conditions(one.domain), one.every
        )
        for one in fact.hypotheses
    ]
    conditions_ = [one for one in fact.domain if isinstance(one, Comparison)]
    for one in (*conditions_, *(h.relation for h in fact.hypotheses)):
        still_spoken(one, moved_relation(one), moved)
        if any(unseen(side, moved) for side in (one.left, one.right)):
            raise Refused(f"{one} would no longer say where it is defined.")
    stated = expectations_of(statement) - fact.loose
    return make(
        "instance",
        new,
        (fact,),
        domain=[*moved_conditions(fact.domain), *known, *existence(other)],
        hypotheses=hypotheses,
        certificates=certificates,
        finite=[moved(one) for one in stated],
        put_in=[*(moved(one) for one in fact.loose), *values.values()],
        finite_by=(),
        spoken=[*laws_of(statement), other],
    )


def _moved_existence(one: Exists, law: Law, other: Law) -> list[Exists]:
    """That there is the particular law, in the place of the arbitrary one."""
    if one.law == law:
        return existence(other)
    if law in built_on(one.law):
        raise Refused(
            f"{one.law.name} is built on {law.name}; replace it before building."
        )
    return [one]


def _is_apart(fact: Fact, law: Law, other: Law) -> None:
    """The fact speaks of the law through its expectations only, and of no name that the other law
    would capture.
    """
    stated = [
        fact.statement,
        *fact.domain,
        *(part for h in fact.hypotheses for part in (h.relation, *h.domain)),
    ]
    for one in stated:
        if any(near.name == law.name and near != law for near in _spoken(one)):
            raise Refused(
                f"{fact} speaks of {law.name} at other parameters, where it may be the"
                " same law."
            )
    names = frozenset[str]().union(*(one.symbols() for one in stated))
    if names & set(law.variables):
        raise Refused(f"the fact speaks of single points of {law.name}: {fact}.")
    if names & set(other.variables):
        raise Refused(f"a name of {other.name} already stands for something in {fact}.")


def _spoken(one: Condition | Integrable) -> set[Law]:
    """The laws that a statement or a condition speaks of."""
    if isinstance(one, On | Exists):
        return set(built_on(one.law))
    if isinstance(one, Whole):
        return set()
    return {law for atom in expectations_of(one) for law in built_on(atom.law)}


def _moved(expr: Expr, law: Law, other: Law, values: Mapping[str, Expr]) -> Expr:
    if isinstance(expr, Expectation):
        if expr.law != law:
            if law in built_on(expr.law):
                raise Refused(
                    f"{expr.law.name} is built on {law.name}; replace it before"
                    " building."
                )
            body = _moved(expr.body, law, other, values)
            if body == expr.body:
                return expr
            said = other.parameters().union(*(v.symbols() for v in values.values()))
            if said & set(expr.law.variables):
                raise Refused(f"{expr.law.name} would capture a name of {other.name}.")
            return Expectation(expr.law, body, expr.given)
        given = []
        for name in expr.given:
            value = values[name]
            if not isinstance(value, Symbol):
                raise Refused(f"a condition on {name} cannot become one on {value}.")
            given.append(value.name)
        body = _moved(expr.body, law, other, values)
        return Expectation(other, body.at(**values), tuple(sorted(given)))
    if not expr.parts():
        return expr
    inner: Callable[[Expr], Expr] = lambda part: _moved(part, law, other, values)  # noqa: E731
    return expr.rebuild(tuple(map(inner, expr.parts())))
