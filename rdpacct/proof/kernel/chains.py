"""The rules for sequences of laws: how they begin, and how what is new is taken in."""

from rdpacct.exact.formula import Expr, Rational, Real, formula
from rdpacct.proof.kernel.fact import Fact, make
from rdpacct.proof.kernel.finite import are_fixed
from rdpacct.proof.kernel.laws import Chain
from rdpacct.proof.kernel.logic import conditions_of
from rdpacct.proof.kernel.rule import rule
from rdpacct.proof.kernel.side import defined
from rdpacct.proof.kernel.statements import Condition, Integrable
from rdpacct.proof.kernel.terms import E, Expectation, Refused, at_most, atoms, equal


@rule
def at_start(law: Chain, body: Real, *given: str | Condition) -> Fact:
    """At the start of a sequence the past is known: E[f(past)] = f(start)."""
    x = _of_the_past(law, body)
    if law.index != formula(0):
        raise Refused(f"{law.name} does not start at {law.index}.")
    known = conditions_of(*given)
    are_fixed(known, law)
    value = x.at(**dict(zip(law.past, law.start, strict=True)))
    certificates = [
        *defined(law.start, known, {}),
        *defined([x], [*law.support, *known], {}),
        *defined([value], known, {}),
    ]
    mean = equal(E(law, x), value)
    return make(
        "at_start",
        mean,
        domain=known,
        hypotheses=(),
        certificates=certificates,
        finite=[mean.left],
    )


@rule
def one_more(law: Chain, body: Real, finite: Fact) -> Fact:
    """The past of the next law of a sequence is what is new taken in: E[f(past)] there is
    E[f(update)] here.
    """
    x = _of_the_past(law, body)
    moved = x.at(**dict(zip(law.past, law.update, strict=True)))
    if finite.integrable not in (Integrable(law, moved), Integrable(law.next, x)):
        raise Refused(f"it is not known that {E(law, moved)} is finite.")
    known = [
        condition
        for condition in finite.domain
        if not condition.symbols() & set(law.variables)
    ]
    certificates = defined([x, *law.update, moved], [*law.support, *known], {})
    mean = equal(E(law.next, x), E(law, moved))
    return make(
        "one_more",
        mean,
        (finite,),
        domain=[*finite.domain, *_counted(law.index)],
        certificates=certificates,
        finite=[mean.left, mean.right],
    )


def _of_the_past(law: Chain, body: Real) -> Expr:
    """The formula, if it is one of the past only."""
    x = formula(body)
    if not isinstance(law, Chain):
        raise Refused(f"{law.name} is not a law of a sequence.")
    for atom in atoms(x):
        if isinstance(atom, Expectation) or atom.symbols() & set(law.variables):
            raise Refused(f"{atom} is not a number that {law.name} leaves alone.")
    if x.symbols() & set(law.new):
        raise Refused(f"{x} speaks of {', '.join(law.new)}, which is not past.")
    return x


def _counted(index: Expr) -> list[Condition]:
    """A sequence has laws from 0 on."""
    if isinstance(index, Rational) and index.value >= 0:
        return []
    return [at_most(0, index)]
