"""That there is a law: by a point of its support, by its masses, or by its density."""

from collections.abc import Mapping
from typing import Any

from rdpacct.exact.formula import Real, formula
from rdpacct.proof.kernel.fact import Fact, make
from rdpacct.proof.kernel.finite import are_fixed, masses_of
from rdpacct.proof.kernel.integrals import cut, is_density, with_equations
from rdpacct.proof.kernel.lattice import is_summable
from rdpacct.proof.kernel.laws import (
    Chain,
    Density,
    Draw,
    Lattice,
    Law,
    Table,
    Tilted,
)
from rdpacct.proof.kernel.logic import conditions_of
from rdpacct.proof.kernel.rule import rule
from rdpacct.proof.kernel.side import defined, establish, establish_at
from rdpacct.proof.kernel.statements import Condition, Exists
from rdpacct.proof.kernel.terms import E, Refused, at_most, equal

Certificates = list[dict[str, Any]]


@rule
def exists(
    law: Law,
    *given: str | Condition,
    point: Mapping[str, Real] | None = None,
    mass: tuple[Real, ...] = (),
    cuts: tuple[Real, ...] = (),
    on: tuple[tuple[Fact, ...], ...] = (),
) -> Fact:
    """There is such a law where what is given holds.

    An arbitrary law is there if its support has a ``point``; a finite one, and a drawn variable, by
    their masses; a density by the antiderivatives ``mass`` of its pieces, with ``cuts`` and ``on``
    as for ``integrate``; a sequence without a support of its own if what is new is there, and what
    is taken in is defined.
    """
    known = conditions_of(*given)
    are_fixed(known, law)
    if (cuts or on) and not isinstance(law, Density):
        raise Refused(f"{law.name} has no density that could be cut.")
    certificates: Certificates
    if type(law) is Law:
        certificates = _has_point(law, point or {}, known)
    elif isinstance(law, Table | Draw):
        certificates = masses_of(law, known)
    elif isinstance(law, Density):
        certificates = []
        pieces = cut(law, cuts, known, certificates)
        pieces = with_equations(law, pieces, on, known)
        certificates += is_density(law, pieces, mass, known)
    elif isinstance(law, Chain):
        certificates = _goes_on(law, known)
    else:
        raise Refused(f"it is not seen that {law.name} is a law.")
    return make(
        "exists",
        Exists(law),
        tuple(fact for facts in on for fact in facts),
        domain=known,
        hypotheses=(),
        certificates=certificates,
        laws=[law.fresh] if isinstance(law, Chain) and law.fresh else law.bases(),
    )


@rule
def exists_by(law: Tilted | Lattice, *facts: Fact, rate: Real = 1) -> Fact:
    """There is a law with a density ratio whose mean is 1; or one with weights on the integers that
    are positive and fall exponentially.
    """
    if isinstance(law, Lattice):
        positive, tail = facts
        certificates = is_summable(law, positive, tail, rate)
        return make("exists_by", Exists(law), facts, certificates=certificates)
    (mass,) = facts
    ratio = E(law.base, law.ratio)
    if mass.loose or mass.relation not in (equal(ratio, 1), equal(1, ratio)):
        raise Refused(f"it is not known that {ratio} is 1.")
    known = [
        condition
        for condition in mass.domain
        if not condition.symbols() & set(law.variables)
    ]
    certificates = establish(at_most(0, law.ratio), [*law.support, *known])
    return make("exists_by", Exists(law), facts, certificates=certificates)


def _goes_on(law: Chain, known: tuple[Condition, ...]) -> Certificates:
    """Whatever came before, there is a next past."""
    drawn = law.fresh.support if law.fresh else ()
    if law != law.sequence or any(relation not in drawn for relation in law.support):
        raise Refused(f"it is not seen that {law.name} is a law.")
    return [
        *defined(law.start, known, {}),
        *defined(law.update, [*drawn, *known], {}),
    ]


def _has_point(
    law: Law, point: Mapping[str, Real], known: tuple[Condition, ...]
) -> Certificates:
    """A point of the support, in formulas of the parameters: the law may sit there."""
    values = {name: formula(value) for name, value in point.items()}
    if set(values) != set(law.variables):
        raise Refused(f"a point of {law.name} has a value for each of its variables.")
    if any(value.symbols() & set(law.variables) for value in values.values()):
        raise Refused(f"a point of {law.name} may not speak of its variables.")
    certificates = defined(values.values(), known, {})
    for relation in law.support:
        certificates += establish_at(relation, values, known)
    return certificates
