"""The rule that puts a particular law in the place of an arbitrary one."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.fact import Fact, make
from rdpacct.proof.kernel.laws import Law, built_on
from rdpacct.proof.kernel.logic import conditions_of, still_spoken
from rdpacct.proof.kernel.rule import rule
from rdpacct.proof.kernel.side import establish_at, settle
from rdpacct.proof.kernel.statements import (
    Condition,
    Exists,
    Hypothesis,
    Integrable,
    On,
    Whole,
    existence,
    expectations_of,
    laws_of,
)
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
    _binds_no_symbol(fact, other, values, known)
    certificates = _values_fit(law, values, [*other.support, *known])
    move = _Move(law, other, values)
    move.still_says(fact)
    stated = expectations_of(fact.statement) - fact.loose
    return make(
        "instance",
        move.statement(fact),
        (fact,),
        domain=[*move.conditions(fact.domain), *known, *existence(other)],
        hypotheses=[move.hypothesis(hypothesis) for hypothesis in fact.hypotheses],
        certificates=certificates,
        finite=[move.formula(expectation) for expectation in stated],
        put_in=[*map(move.formula, fact.loose), *values.values()],
        finite_by=(),
        spoken=[*laws_of(fact.statement), other],
    )


def _binds_no_symbol(
    fact: Fact,
    other: Law,
    values: Mapping[str, Expr],
    known: Sequence[Condition],
) -> None:
    """Refuse formulas with a symbol that a hypothesis of the fact binds."""
    used = frozenset[str]().union(*(value.symbols() for value in values.values()))
    said = used.union(other.parameters(), *(condition.symbols() for condition in known))
    if any(said & one.bound() for one in fact.hypotheses):
        raise Refused(f"a symbol of the formulas is bound in a hypothesis of {fact}.")


def _values_fit(
    law: Law, values: Mapping[str, Expr], where: list[Condition]
) -> list[dict[str, Any]]:
    """Certificates that the formulas are defined and lie in the support of the arbitrary law."""
    certificates = []
    for value in values.values():
        for part, sign in conditions(value):
            if sign == "!=":
                raise Refused(f"{value} may be undefined.")
            defined = Comparison(formula(0), "<" if sign == ">" else "<=", part)
            certificates += settle(defined, where)
    for relation in law.support:
        certificates += establish_at(relation, values, where)
    return certificates


class _Move:
    """A particular law in the place of an arbitrary one, with formulas for its variables."""

    def __init__(self, law: Law, other: Law, values: Mapping[str, Expr]) -> None:
        self.law = law
        self.other = other
        self.values = values

    def formula(self, expr: Expr) -> Expr:
        """A formula about the particular law."""
        return _moved(expr, self.law, self.other, self.values)

    def relation(self, comparison: Comparison) -> Comparison:
        """A relation about it."""
        return Comparison(
            self.formula(comparison.left),
            comparison.sign,
            self.formula(comparison.right),
        )

    def conditions(self, domain: tuple[Condition, ...]) -> tuple[Condition, ...]:
        """Conditions about it."""
        new = list[Condition]()
        for condition in domain:
            if isinstance(condition, Comparison):
                new.append(self.relation(condition))
            elif isinstance(condition, Exists):
                new += _moved_existence(condition, self.law, self.other)
            else:
                new.append(condition)
        return tuple(dict.fromkeys(new))

    def statement(self, fact: Fact) -> Comparison | Integrable:
        """What a fact says, about it."""
        if isinstance(fact.statement, Integrable):
            return fact.statement.moved(self.formula)
        return self.relation(fact.relation)

    def hypothesis(self, hypothesis: Hypothesis) -> Hypothesis:
        """A hypothesis about it."""
        return Hypothesis(
            self.relation(hypothesis.relation),
            self.conditions(hypothesis.domain),
            hypothesis.every,
        )

    def still_says(self, fact: Fact) -> None:
        """Refuse if a condition or a hypothesis would say less than before."""
        compared = [
            condition for condition in fact.domain if isinstance(condition, Comparison)
        ]
        for relation in (*compared, *(h.relation for h in fact.hypotheses)):
            still_spoken(relation, self.relation(relation), self.formula)
            if any(
                unseen(side, self.formula) for side in (relation.left, relation.right)
            ):
                raise Refused(f"{relation} would no longer say where it is defined.")


def _moved_existence(condition: Exists, law: Law, other: Law) -> list[Exists]:
    """That there is the particular law, in the place of the arbitrary one."""
    if condition.law == law:
        return existence(other)
    if law in built_on(condition.law):
        raise Refused(
            f"{condition.law.name} is built on {law.name}; replace it before building."
        )
    return [condition]


def _is_apart(fact: Fact, law: Law, other: Law) -> None:
    """The fact speaks of the law through its expectations only, and of no name that the other law
    would capture.
    """
    stated = [
        fact.statement,
        *fact.domain,
        *(part for h in fact.hypotheses for part in (h.relation, *h.domain)),
    ]
    for proposition in stated:
        if any(near.name == law.name and near != law for near in _spoken(proposition)):
            raise Refused(
                f"{fact} speaks of {law.name} at other parameters, where it may be the"
                " same law."
            )
    names = frozenset[str]().union(*(proposition.symbols() for proposition in stated))
    if names & set(law.variables):
        raise Refused(f"the fact speaks of single points of {law.name}: {fact}.")
    if names & set(other.variables):
        raise Refused(f"a name of {other.name} already stands for something in {fact}.")


def _spoken(proposition: Condition | Integrable) -> set[Law]:
    """The laws that a statement or a condition speaks of."""
    if isinstance(proposition, On | Exists):
        return set(built_on(proposition.law))
    if isinstance(proposition, Whole):
        return set()
    return {law for atom in expectations_of(proposition) for law in built_on(atom.law)}


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
