"""Witnesses: an instance in which all that a statement supposes holds; and instances that break a
falsehood.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rdpacct.exact.formula import Expr, Rational
from rdpacct.proof.claim import Comparison
from rdpacct.proof.evaluate import Known, World, opposite
from rdpacct.proof.hypotheses import defined_by_recursion, holds
from rdpacct.proof.instance import Instance
from rdpacct.proof.kernel.fact import Fact
from rdpacct.proof.kernel.laws import Law, built_on
from rdpacct.proof.kernel.logic import conditions_of
from rdpacct.proof.kernel.side import is_pure
from rdpacct.proof.kernel.statements import Condition, Exists, Hypothesis, On, laws_of
from rdpacct.proof.kernel.terms import Refused, below, equal

if TYPE_CHECKING:
    from rdpacct.proof.theorem import Falsehood, Statement

ABSURD = below(0, 0)


@dataclass(frozen=True)
class Witness:
    """An instance, and facts about what no finite sum says in it."""

    instance: Instance
    facts: tuple[Fact, ...] = ()


def hypotheses_of(statement: Statement | Falsehood) -> tuple[Hypothesis, ...]:
    """What is assumed, each once."""
    hypotheses = (h for fact in statement.assuming.values() for h in fact.hypotheses)
    return tuple(dict.fromkeys(hypotheses))


def laws_in(statement: Statement | Falsehood) -> list[Law]:
    """The laws that the claim, the hypotheses and the conditions speak of; of those that depend on
    what a hypothesis binds, each is looked at where it is used.
    """
    laws = laws_of(statement.claim)
    for hypothesis in hypotheses_of(statement):
        bound = hypothesis.bound()
        laws |= {
            law for law in laws_of(hypothesis.relation) if not law.parameters() & bound
        }
    for condition in conditions_of(*statement.given):
        if isinstance(condition, On | Exists):
            laws |= {*built_on(condition.law)}
    return sorted(laws, key=str)


def is_witnessed(
    part: Statement, instance: Instance, known: Known | None = None
) -> None:
    """Refuse an instance in which a support, a condition or a hypothesis of the part does not hold;
    or in which the claim is seen to fail.

    A part that claims 0 < 0 denies its hypotheses: of these none is asked for, all else is.
    """
    world = World(instance, known)
    _is_supposed(world, part, denied=part.claim == ABSURD)
    if part.claim != ABSURD and truth(world, part.claim) is False:
        raise Refused(f"the claim {part.claim} fails in its witness.")


def _is_supposed(
    world: World, statement: Statement | Falsehood, denied: bool = False
) -> None:
    """The supports, conditions and hypotheses hold."""
    for law in laws_in(statement):
        world.exists(law, world.values)
    given = conditions_of(*statement.given)
    _is_given(world, given)
    if denied:
        return
    hypotheses = hypotheses_of(statement)
    defined = defined_by_recursion(world, hypotheses)
    for number, hypothesis in enumerate(hypotheses):
        if number not in defined:
            holds(world, hypothesis)


def _is_given(world: World, given: tuple[Condition, ...]) -> None:
    """All conditions hold, at one place of the laws on which the statement is."""
    random = set[str]()
    for condition in given:
        if isinstance(condition, On):
            random |= {*condition.law.variables}
            _is_place(world, condition.law)
    for condition in given:
        if isinstance(condition, On):
            continue
        if condition.symbols() & random:
            raise Refused(f"{condition} is about a random variable.")
        _has_values(world, condition)
        world.condition(condition)


def _is_place(world: World, law: Law) -> None:
    """The values of the variables of a law, if there are any, are possible under it."""
    named = world.values.keys() & {*law.variables}
    for place, _ in world.likely(law, world.values):
        if all(world.is_true(equal(place[n], world.values[n])) for n in named):
            return
    raise Refused(f"the point of the instance is not on {law.name}.")


def _has_values(world: World, condition: Condition) -> None:
    missing = condition.symbols() - world.values.keys()
    if missing and not isinstance(condition, Exists):
        raise Refused(f"the instance gives no value to {min(missing)}.")


def truth(world: World, relation: Comparison) -> bool | None:
    """Whether a relation holds in the instance; None where that is not seen."""
    try:
        here = world.relation_in(relation, world.values)
    except Refused:
        return None
    if here.symbols() or not is_pure(here):
        return None
    return here.at({})


def is_broken(
    falsehood: Falsehood, instance: Instance, facts: Iterable[Fact] = ()
) -> None:
    """Refuse an instance in which the falsehood is not seen to fail: all that it supposes holds,
    and so does the opposite of its claim.
    """
    facts = tuple(facts)
    world = World(instance, Known(facts, facts))
    _is_supposed(world, falsehood)
    if any(_denies(falsehood, fact) for fact in facts):
        return
    problems = list[str]()
    for relation in opposite(falsehood.claim):
        try:
            here = world.relation_in(relation, world.values)
            if here.symbols():
                raise Refused(f"there is no value of {min(here.symbols())}.")
            world.decide(here)
        except Refused as error:
            problems.append(str(error))
        else:
            return
    raise Refused(f"the instance does not break {falsehood.claim}: {problems[0]}")


def _denies(falsehood: Falsehood, fact: Fact) -> bool:
    """The fact is 0 < 0, or the opposite of the claim, wherever what is given holds; the first from
    nothing else than the claim, for all values of what that binds.
    """
    given = {
        *conditions_of(*falsehood.given),
        *(Exists(law) for law in laws_in(falsehood)),
    }
    if (
        fact.axioms
        or fact.loose
        or any(condition not in given for condition in fact.domain)
    ):
        return False
    if fact.statement in opposite(falsehood.claim):
        return not fact.hypotheses
    if fact.statement != ABSURD or len(fact.hypotheses) != 1:
        return False
    (assumed,) = fact.hypotheses
    domain = [
        condition for condition in assumed.domain if not isinstance(condition, Exists)
    ]
    about = [condition for condition in given if condition.symbols() & assumed.bound()]
    return (
        assumed.relation == falsehood.claim
        and all(condition in given for condition in domain)
        and all(condition in assumed.domain for condition in about)
    )


def how_it_breaks(falsehood: Falsehood, instance: Instance) -> str:
    """The instance, and the two sides of the claim in it, as numbers where they are finite sums."""
    world = World(instance)
    left = _shown(world, falsehood.claim.left)
    right = _shown(world, falsehood.claim.right)
    if not left or not right:
        return str(instance)
    values = f"{left} against {right}"
    return values if instance == Instance() else f"{instance}: {values}"


def _shown(world: World, side: Expr) -> str:
    try:
        value = world.formula(side, world.values)
    except Refused:
        return ""
    if value.symbols() or not is_pure(below(0, value)):
        return ""
    if isinstance(value, Rational):
        return str(value)
    return f"{float(value.ball(128)):.6g}"
