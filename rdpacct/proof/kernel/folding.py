"""The rule that takes a number apart: a number of whole steps, and a rest of at most one step."""

from rdpacct.exact.formula import Real, Symbol, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.fact import Fact, make
from rdpacct.proof.kernel.rule import rule
from rdpacct.proof.kernel.side import defined, establish
from rdpacct.proof.kernel.statements import Whole, expectations_of
from rdpacct.proof.kernel.terms import (
    Refused,
    at_most,
    atoms,
    below,
    relation,
    replace,
)


@rule
def folded(
    fact: Fact,
    claim: str | Comparison,
    name: str,
    step: Real,
    *,
    number: str = "j",
    rest: str = "x",
) -> Fact:
    """A relation for every y >= 0, if it holds for y = x + j step with any whole number j and any x
    from 0 to the step.
    """
    statement = relation(claim)
    width = formula(step)
    if len({name, number, rest}) != 3:
        raise Refused(f"{name}, {number} and {rest} must be three names.")
    if expectations_of(statement):
        raise Refused(f"a relation between real numbers is needed, not {statement}.")
    parts = {number, rest}
    if parts & (statement.symbols() | width.symbols()) or name in width.symbols():
        raise Refused(f"{number} and {rest} must stand for parts of {name} only.")
    y = Symbol(rest) + Symbol(number) * width
    if fact.relation != replace(statement, {name: y}):
        raise Refused(f"the fact is not {statement} at {name} = {y}.")
    if any(h.free() & {name, *parts} for h in fact.hypotheses):
        raise Refused(f"a hypothesis speaks of {name} or of its parts.")
    about = (
        Whole(number, 0),
        at_most(0, Symbol(rest)),
        at_most(Symbol(rest), width),
    )
    domain = [c for c in fact.domain if c not in about]
    if any(c.symbols() & {name, *parts} for c in domain):
        raise Refused(
            f"the fact must hold for all {number} and all {rest} up to {width}."
        )
    positive = at_most(0, Symbol(name))
    sides = [statement.left, statement.right]
    inside = [part for side in sides for atom in atoms(side) for part in atom.parts()]
    certificates = [
        *establish(below(0, width), domain),
        *defined([*sides, *inside], [*domain, positive], {}),
    ]
    return make(
        "folded",
        statement,
        (fact,),
        domain=[*domain, positive],
        certificates=certificates,
    )
