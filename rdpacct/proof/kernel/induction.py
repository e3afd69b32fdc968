"""Induction over whole numbers: from a base and a step to all numbers from the start on."""

from fractions import Fraction
from functools import partial
from typing import Any

from rdpacct.exact.formula import Symbol, formula
from rdpacct.proof.kernel.fact import Fact, make
from rdpacct.proof.kernel.logic import put_in, still_spoken
from rdpacct.proof.kernel.rule import rule
from rdpacct.proof.kernel.side import defined_at
from rdpacct.proof.kernel.statements import (
    Exists,
    Hypothesis,
    Whole,
    expectations_of,
    free_expectations,
)
from rdpacct.proof.kernel.terms import Refused, replace


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
    hypotheses = [
        h
        for h in step.hypotheses
        if name in h.free() and replace(h.relation, after) == step.relation
    ]
    if len(hypotheses) != 1:
        raise Refused(f"the step does not lead from {name} to {name} + 1.")
    return hypotheses[0]


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
    shown = {atom for fact in finite for atom in free_expectations(fact.statement)}
    common = [c for c in (*base.domain, *step.domain) if name not in c.symbols()]
    certificates = list[dict[str, Any]]()
    for values, fact in ((first, base), (after, step)):
        still_spoken(
            assumed.relation, fact.relation, partial(put_in, values), shown_else=shown
        )
        certificates += defined_at(sides, values, [*fact.domain, *common])
    return certificates
