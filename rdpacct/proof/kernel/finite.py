"""The rules for laws of finitely many points and drawn variables: finite sums, and case by case."""

from collections.abc import Iterable
from typing import Any

from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.fact import Fact, make
from rdpacct.proof.kernel.laws import Draw, Event, Law, Table
from rdpacct.proof.kernel.logic import conditions_of
from rdpacct.proof.kernel.rule import rule
from rdpacct.proof.kernel.side import (
    defined,
    defined_at,
    establish,
    establish_at,
    is_pure,
    settle,
)
from rdpacct.proof.kernel.statements import Condition, On
from rdpacct.proof.kernel.terms import E, Refused, at_most, equal, relation


@rule
def table(law: Table, body: Real, *given: str | Condition) -> Fact:
    """The mean under a finite law, as its sum; the probabilities must be a probability."""
    x = formula(body)
    known = conditions_of(*given)
    are_fixed(known, law)
    points = [dict(zip(law.variables, point, strict=True)) for point, _ in law.rows]
    values = [x.at(**point) for point in points]
    total = sum(
        (mass * value for (_, mass), value in zip(law.rows, values, strict=True)),
        formula(0),
    )
    certificates = [*masses_of(law, known), *defined(values, known, {})]
    for point in points:
        certificates += defined_at([x], point, known)
    mean = equal(E(law, x), total)
    return make(
        "table",
        mean,
        domain=known,
        hypotheses=(),
        certificates=certificates,
        finite=[mean.left],
        put_in=[total],
        spoken=[law],
    )


@rule
def drawn(law: Draw, body: Real, *given: str | Condition) -> Fact:
    """The mean over a drawn variable, the others being known."""
    x = formula(body)
    known = conditions_of(*given)
    cases = [(weight, x.at(**{law.drawn: value})) for value, weight in law.weights]
    total = sum((weight * value for weight, value in cases), formula(0))
    certificates = [
        *masses_of(law, known),
        *defined([v for _, v in cases], [*law.base.support, *known], {}),
    ]
    for value, _ in law.weights:
        there = {law.drawn: value}
        certificates += defined_at([x], there, [*law.base.support, *known])
    mean = equal(E(law, x, law.base.variables), total)
    return make(
        "drawn",
        mean,
        domain=known,
        hypotheses=(),
        certificates=certificates,
        finite=[mean.left],
        put_in=[total],
    )


@rule
def cases(
    law: Draw | Event | Table, claim: str | Comparison, *given: str | Condition
) -> Fact:
    """A pointwise relation on a law with a drawn variable, an indicator or finitely many points:
    case by case.
    """
    statement = relation(claim)
    known = conditions_of(*given)
    if not is_pure(statement):
        raise Refused(f"a pointwise relation has no expectation in it: {statement}.")
    certificates = []
    if isinstance(law, Event):
        certificates += defined(
            [law.happens.left, law.happens.right], [*known, *law.support], {}
        )
    for values, more in _cases(law):
        facts = [*known, *law.support, *more]
        certificates += establish_at(statement, values, facts)
    return make(
        "cases",
        statement,
        domain=[*known, On(law)],
        hypotheses=(),
        certificates=certificates,
    )


def _cases(law: Draw | Event | Table) -> list[tuple[dict[str, Expr], list[Comparison]]]:
    if isinstance(law, Draw):
        return [({law.drawn: value}, []) for value, _ in law.weights]
    if isinstance(law, Table):
        return [
            (dict(zip(law.variables, point, strict=True)), []) for point, _ in law.rows
        ]
    if law.happens.sign == "==":
        raise Refused("an equation has no opposite here.")
    opposite = Comparison(
        law.happens.right, "<" if law.happens.sign == "<=" else "<=", law.happens.left
    )
    name = law.variables[-1]
    return [({name: formula(1)}, [law.happens]), ({name: formula(0)}, [opposite])]


def are_fixed(known: Iterable[Condition], law: Law) -> None:
    if any(condition.symbols() & set(law.variables) for condition in known):
        raise Refused(f"what is given may not speak of the variables of {law.name}.")


def masses_of(law: Law, known: tuple[Condition, ...]) -> list[dict[str, Any]]:
    """Certificates that the masses of a finite law, or of a drawn variable, are probabilities."""
    found = [
        certificate for base in law.bases() for certificate in masses_of(base, known)
    ]
    if isinstance(law, Table):
        masses = [mass for _, mass in law.rows]
        facts = list(known)
        points = [dict(zip(law.variables, point, strict=True)) for point, _ in law.rows]
        for point in points:
            found += defined(point.values(), facts, {})
            found += [
                c
                for comparison in law.support
                for c in establish_at(comparison, point, facts)
            ]
    elif isinstance(law, Draw):
        masses = [weight for _, weight in law.weights]
        facts = [*law.base.support, *known]
        found += defined([value for value, _ in law.weights], facts, {})
    else:
        return found
    found += [c for mass in masses for c in establish(at_most(0, mass), facts)]
    return [*found, *settle(equal(sum(masses, formula(0)), 1), facts)]
