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


def hypotheses_of(one: Statement | Falsehood) -> tuple[Hypothesis, ...]:
    """What is assumed, each once."""
    found = (h for fact in one.assuming.values() for h in fact.hypotheses)
    return tuple(dict.fromkeys(found))


def laws_in(one: Statement | Falsehood) -> list[Law]:
    """The laws that the claim, the hypotheses and the conditions speak of; of those that depend on
    what a hypothesis binds, each is looked at where it is used.
    """
    found = laws_of(one.claim)
    for hypothesis in hypotheses_of(one):
        bound = hypothesis.bound()
        found |= {
            law for law in laws_of(hypothesis.relation) if not law.parameters() & bound
        }
    for condition in conditions_of(*one.given):
        if isinstance(condition, On | Exists):
            found |= {*built_on(condition.law)}
    return sorted(found, key=str)


def is_witnessed(part: Statement, found: Instance, known: Known | None = None) -> None:
    """Refuse an instance in which a support, a condition or a hypothesis of the part does not hold;
    or in which the claim is seen to fail.

    A part that claims 0 < 0 denies its hypotheses: of these none is asked for, all else is.
    """
    world = World(found, known)
    _is_supposed(world, part, denied=part.claim == ABSURD)
    if part.claim != ABSURD and truth(world, part.claim) is False:
        raise Refused(f"the claim {part.claim} fails in its witness.")


def _is_supposed(
    world: World, one: Statement | Falsehood, denied: bool = False
) -> None:
    """The supports, conditions and hypotheses hold."""
    for law in laws_in(one):
        world.exists(law, world.values)
    given = conditions_of(*one.given)
    _is_given(world, given)
    if denied:
        return
    hypotheses = hypotheses_of(one)
    defined = defined_by_recursion(world, hypotheses)
    for number, hypothesis in enumerate(hypotheses):
        if number not in defined:
            holds(world, hypothesis)


def _is_given(world: World, given: tuple[Condition, ...]) -> None:
    """All conditions hold, at one place of the laws on which the statement is."""
    random = set[str]()
    for one in given:
        if isinstance(one, On):
            random |= {*one.law.variables}
            _is_place(world, one.law)
    for one in given:
        if isinstance(one, On):
            continue
        if one.symbols() & random:
            raise Refused(f"{one} is about a random variable.")
        _has_values(world, one)
        world.condition(one)


def _is_place(world: World, law: Law) -> None:
    """The values of the variables of a law, if there are any, are possible under it."""
    named = world.values.keys() & {*law.variables}
    for place, _ in world.likely(law, world.values):
        if all(world.is_true(equal(place[n], world.values[n])) for n in named):
            return
    raise Refused(f"the point of the instance is not on {law.name}.")


def _has_values(world: World, one: Condition) -> None:
    missing = one.symbols() - world.values.keys()
    if missing and not isinstance(one, Exists):
        raise Refused(f"the instance gives no value to {min(missing)}.")


def truth(world: World, one: Comparison) -> bool | None:
    """Whether a relation holds in the instance; None where that is not seen."""
    try:
        here = world.relation_in(one, world.values)
    except Refused:
        return None
    if here.symbols() or not is_pure(here):
        return None
    return here.at({})


def is_broken(
    falsehood: Falsehood, found: Instance, facts: Iterable[Fact] = ()
) -> None:
    """Refuse an instance in which the falsehood is not seen to fail: all that it supposes holds,
    and so does the opposite of its claim.
    """
    facts = tuple(facts)
    world = World(found, Known(facts, facts))
    _is_supposed(world, falsehood)
    if any(_denies(falsehood, fact) for fact in facts):
        return
    problems = list[str]()
    for one in opposite(falsehood.claim):
        try:
            here = world.relation_in(one, world.values)
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
    if fact.axioms or fact.loose or any(one not in given for one in fact.domain):
        return False
    if fact.statement in opposite(falsehood.claim):
        return not fact.hypotheses
    if fact.statement != ABSURD or len(fact.hypotheses) != 1:
        return False
    (assumed,) = fact.hypotheses
    domain = [one for one in assumed.domain if not isinstance(one, Exists)]
    about = [one for one in given if one.symbols() & assumed.bound()]
    return (
        assumed.relation == falsehood.claim
        and all(one in given for one in domain)
        and all(one in assumed.domain for one in about)
    )


def how_it_breaks(falsehood: Falsehood, found: Instance) -> str:
    """The instance, and the two sides of the claim in it, as numbers where they are finite sums."""
    world = World(found)
    left = _shown(world, falsehood.claim.left)
    right = _shown(world, falsehood.claim.right)
    if not left or not right:
        return str(found)
    values = f"{left} against {right}"
    return values if found == Instance() else f"{found}: {values}"


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
