"""The places of laws in an instance: values of the variables, with probabilities.

A law that is known by name only has the rows of the instance. Laws that are built on others have
what comes of these. For variables that can be exchanged a row has a value for each of them; for a
sequence it has values of what is new, which come independently of the past.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING

from rdpacct.exact.formula import Expr, Rational, formula
from rdpacct.proof.instance import InstanceRow
from rdpacct.proof.kernel.laws import (
    Chain,
    Draw,
    Event,
    Exchangeable,
    Independent,
    Law,
    Ranked,
    Table,
    Tilted,
)
from rdpacct.proof.kernel.terms import Refused, at_most, below, equal
from rdpacct.proof.kernel.terms import replace as replaced

if TYPE_CHECKING:
    from rdpacct.proof.evaluate import World

Valuation = Mapping[str, Expr]
WeightedPlace = tuple[dict[str, Expr], Expr]
"""A value for each variable of a law, and the probability of these."""


def is_finite(world: World, law: Law, point: Valuation) -> bool:
    """The law has finitely many places in the instance."""
    if isinstance(law, Chain):
        if not is_finite(world, new_law(law), point):
            return False
        index = world.formula(law.index, point)
        return isinstance(index, Rational) or _stays(world, law, point)
    if law.name in world.instance.laws or isinstance(law, Table):
        return True
    bases = (law.base,) if isinstance(law, Tilted) else law.bases()
    return bool(bases) and all(is_finite(world, base, point) for base in bases)


def finite_given(
    world: World, law: Law, given: set[str], spoken: frozenset[str]
) -> Law | None:
    """The finite law of the variables that are spoken of and not given, if they are independent of
    the others.
    """
    past = set(law.past) if isinstance(law, Chain) else set[str]()
    if isinstance(law, Chain) and given <= past and not spoken & (past - given):
        new = new_law(law)
        return new if is_finite(world, new, {}) else None
    if isinstance(law, Independent):
        for one, other in ((law.first, law.second), (law.second, law.first)):
            if (spoken - given) & set(other.variables):
                continue
            if is_finite(world, one, {}):
                return one
            return finite_given(world, one, given & set(one.variables), spoken)
    return None


def new_law(law: Chain) -> Law:
    """The law of what is new in a sequence: in an instance it is the same whatever the past."""
    return law.fresh or Law(law.name, law.new)


def all_places(world: World, law: Law, point: Valuation) -> list[WeightedPlace]:
    """The places of a finite law."""
    if isinstance(law, Chain):
        return _chain(world, law, point)
    if isinstance(law, Exchangeable):
        return _exchangeable(world, law, point)
    if isinstance(law, Table):
        return _rows(world, law, law.rows, point)
    if isinstance(law, Draw):
        return [
            (
                {**place, law.drawn: world.formula(value, {**point, **place})},
                mass * world.formula(weight, {**point, **place}),
            )
            for place, mass in world.likely(law.base, point)
            for value, weight in _weights(world, law, {**point, **place})
        ]
    if isinstance(law, Event):
        return [
            ({**place, law.variables[-1]: _indicator(world, law, point, place)}, mass)
            for place, mass in world.likely(law.base, point)
        ]
    if isinstance(law, Independent):
        return [
            ({**first, **second}, mass * other)
            for first, mass in world.places(law.first, point)
            for second, other in world.places(law.second, point)
        ]
    if isinstance(law, Tilted):
        return [
            (place, mass * world.formula(law.ratio, {**point, **place}))
            for place, mass in world.likely(law.base, point)
        ]
    if type(law) is Law and law.name in world.instance.laws:
        return _rows(world, law, world.instance.laws[law.name], world.values)
    raise Refused(f"the instance does not say what {law.name} is.")


def _weights(
    world: World, law: Draw, point: Valuation
) -> tuple[tuple[Expr, Expr], ...]:
    """The values of a drawn variable, whose probabilities add up at each place."""
    weights = [world.formula(weight, point) for _, weight in law.weights]
    for weight in weights:
        world.decide(at_most(0, weight))
    world.decide(equal(sum(weights, formula(0)), 1))
    return law.weights


def _indicator(world: World, law: Event, point: Valuation, place: Valuation) -> Expr:
    relation = world.relation_in(law.happens, {**point, **place})
    return formula(int(world.is_true(relation)))


def _rows(
    world: World, law: Law, rows: tuple[InstanceRow, ...], point: Valuation
) -> list[WeightedPlace]:
    places = list[WeightedPlace]()
    for values, mass in rows:
        if len(values) != len(law.variables):
            raise Refused(f"a row of {law.name} has another length.")
        moved = [world.formula(value, point) for value in (*values, mass)]
        if any(value.symbols() for value in moved):
            raise Refused(f"a row of {law.name} is not of numbers.")
        places.append((dict(zip(law.variables, moved[:-1], strict=True)), moved[-1]))
    return places


def _exchangeable(
    world: World, law: Exchangeable, point: Valuation
) -> list[WeightedPlace]:
    """The last of some variables, and their sum (or how they rank), from rows that have a value for
    each; no exchange of these values changes the probabilities.
    """
    count = world.formula(law.count, point)
    if not isinstance(count, Rational) or count.value.denominator != 1:
        raise Refused(f"{law.name} is of {count} variables.")
    n = int(count.value)
    rest = law.variables[2:]
    joint = _joint(world, law, n + len(rest))
    for values, mass in joint.items():
        for order in permutations(values[:n]):
            other = joint.get((*order, *values[n:]), formula(0))
            world.decide(equal(mass, other))
    places = list[WeightedPlace]()
    for values, mass in joint.items():
        last, total = _two(world, law, values[:n], point)
        named = zip(law.variables, (last, total, *values[n:]), strict=True)
        places.append((dict(named), mass))
    return places


def _joint(world: World, law: Law, length: int) -> dict[tuple[Expr, ...], Expr]:
    joint = dict[tuple[Expr, ...], Expr]()
    for values, mass in world.instance.laws.get(law.name, ()):
        if len(values) != length:
            raise Refused(f"a row of {law.name} has another length.")
        key = tuple(world.formula(value, world.values) for value in values)
        if any(not isinstance(value, Rational) for value in key):
            raise Refused(f"a row of {law.name} is not of rational numbers.")
        joint[key] = joint.get(key, formula(0)) + world.formula(mass, world.values)
    return joint


def _two(
    world: World, law: Exchangeable, values: tuple[Expr, ...], point: Valuation
) -> tuple[Expr, Expr]:
    """The last and the sum; for ranks, of the indicators of a high rank."""
    if isinstance(law, Ranked):
        rank = world.formula(law.rank, point)
        values = tuple(
            formula(int(world.is_true(at_most(rank, _below(world, value, values)))))
            for value in values
        )
    return values[-1], sum(values, formula(0))


def _below(world: World, value: Expr, values: tuple[Expr, ...]) -> int:
    return sum(world.is_true(below(other, value)) for other in values)


# Sequences


def _chain(world: World, law: Chain, point: Valuation) -> list[WeightedPlace]:
    """The past after this many steps, and what is new, independently of it."""
    index = world.formula(law.index, point)
    steps = max(0, int(index.value // 1)) if isinstance(index, Rational) else 0
    start = [world.formula(value, point) for value in law.start]
    pasts: list[WeightedPlace] = [(dict(zip(law.past, start, strict=True)), formula(1))]
    new = world.places(new_law(law), point)
    for _ in range(steps):
        pasts = [
            (_taken_in(world, law, {**point, **past, **place}), mass * weight)
            for past, mass in pasts
            for place, weight in new
        ]
    return [
        ({**past, **place}, mass * weight)
        for past, mass in pasts
        for place, weight in new
    ]


def _stays(world: World, law: Chain, point: Valuation) -> bool:
    """Nothing that is new moves the past from its start: it is the same at every number."""
    start = {
        name: world.formula(value, point)
        for name, value in zip(law.past, law.start, strict=True)
    }
    if any(value.symbols() for value in start.values()):
        return False
    return all(
        _taken_in(world, law, {**point, **start, **place}) == start
        for place, _ in world.places(new_law(law), point)
    )


def _taken_in(world: World, law: Chain, point: Valuation) -> dict[str, Expr]:
    updated = [world.formula(new_value, point) for new_value in law.update]
    return dict(zip(law.past, updated, strict=True))


def _stays_inside(world: World, law: Chain, fixed: Valuation) -> None:
    """Refuse a sequence whose new values have a density, and of which it is not proved that it
    stays in the support; what is beside them is 0.
    """
    drawn = new_law(law).variables
    beside = {name: formula(0) for name in law.new if name not in drawn}
    here = tuple(world.relation_in(limit, {**fixed, **beside}) for limit in law.support)
    start = {
        name: world.formula(value, fixed)
        for name, value in zip(law.past, law.start, strict=True)
    }
    update = {
        name: world.formula(new_value, {**fixed, **beside}, here)
        for name, new_value in zip(law.past, law.update, strict=True)
    }
    own = [world.relation_in(limit, fixed) for limit in new_law(law).support]
    for relation in here:
        if relation in own:
            continue
        if relation.symbols() & set(drawn):
            raise Refused(f"it is not seen that {law.name} stays where {relation}.")
        world.decide(replaced(relation, start))
        world.decide(replaced(relation, update), here)


def is_sequence(world: World, law: Chain, point: Valuation) -> None:
    """Refuse a sequence of which it is not seen that it stays in the support: at the start, and
    from each law to the next.
    """
    new = new_law(law)
    world.exists(new, point)
    fixed = {name: value for name, value in point.items() if name not in law.variables}
    for first_value in law.start:
        if world.formula(first_value, fixed).symbols():
            raise Refused(f"the start of {law.name} is not a number.")
    if not law.support:
        for updated in law.update:
            world.formula(updated, fixed)
        return
    if not world.is_finite(new, point):
        _stays_inside(world, law, fixed)
        return
    places = [place for place, _ in world.likely(new, point)]
    world.places(replace(law, index=formula(0)), point)
    for place in places:
        here = tuple(
            world.relation_in(constraint, {**fixed, **place})
            for constraint in law.support
        )
        update = {
            name: world.formula(new_value, {**fixed, **place}, here)
            for name, new_value in zip(law.past, law.update, strict=True)
        }
        for later in places:
            for limit in law.support:
                there = replaced(world.relation_in(limit, {**fixed, **later}), update)
                world.decide(there, here)
