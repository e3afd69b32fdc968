"""Hypotheses in an instance: what they bind is gone through, or left to the checker.

A variable of a finite law takes the values of the law. A whole number with a largest value takes
each. Where a quantity that has steps depends on a bound symbol, the steps are cases. What is bound
besides stays a symbol, and the relation is proved for all its values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from fractions import Fraction
from itertools import pairwise, product

from rdpacct.exact.formula import Expr, Rational, Symbol, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.evaluate import Valuation, World
from rdpacct.proof.finite_laws import new_law
from rdpacct.proof.kernel.laws import Chain, Law
from rdpacct.proof.kernel.side import is_pure
from rdpacct.proof.kernel.statements import Condition, Exists, Hypothesis, On, Whole
from rdpacct.proof.kernel.terms import (
    Quantity,
    Refused,
    at_most,
    below,
    expectations,
)

MOST = 40
"""The most whole numbers that are gone through."""


def holds(world: World, hypothesis: Hypothesis) -> None:
    """Refuse a hypothesis that is not seen to hold in the instance, or that says nothing there."""
    said = 0
    for point in _points(world, hypothesis):
        said += _holds_at(world, hypothesis, point)
    if not said:
        raise Refused(f"the hypothesis {hypothesis} says nothing in the instance.")


def _holds_at(world: World, hypothesis: Hypothesis, point: Valuation) -> bool:
    """Whether the hypothesis speaks of the point; refused if it does, and does not hold."""
    domain = list[Condition]()
    for condition in hypothesis.domain:
        if isinstance(condition, Exists):
            world.exists(condition.law, point)
            continue
        if isinstance(condition, On):
            domain += _support(world, condition.law, point)
            continue
        if isinstance(condition, Whole):
            if condition.name not in point:
                domain.append(condition)
            elif not _is_whole(point[condition.name], condition.start):
                return False
            continue
        here = world.relation_in(condition, point, tuple(domain))
        if here.symbols():
            domain.append(here)
        elif not world.is_true(here):
            return False
    for case in _cases(world, hypothesis.relation, point):
        if any(_excludes(limit, other) for limit in domain for other in case):
            continue
        world.relation(hypothesis.relation, point, (*domain, *case))
    return True


def _support(world: World, law: Law, point: Valuation) -> list[Comparison]:
    """What holds of the variables of a law that is not gone through."""
    here = [world.relation_in(limit, point) for limit in law.support]
    return [relation for relation in here if relation.symbols()]


def _is_whole(value: Expr, start: int) -> bool:
    return (
        isinstance(value, Rational)
        and value.value.denominator == 1
        and value.value >= start
    )


def _points(world: World, hypothesis: Hypothesis) -> Iterator[Valuation]:
    """The values of what is bound and gone through, beside those of the instance."""
    fixed = {
        name: value
        for name, value in world.values.items()
        if name not in hypothesis.bound()
    }
    ranges = [
        [(name, formula(k)) for k in range(start, last + 1)]
        for name, start, last in _ranges(world, hypothesis, fixed)
    ]
    for chosen in product(*ranges):
        yield from _at_places(world, hypothesis, {**fixed, **dict(chosen)})


def _at_places(
    world: World, hypothesis: Hypothesis, point: Valuation
) -> Iterator[Valuation]:
    """Each place of the finite laws on which the hypothesis holds almost surely; the variables of
    others stay bound.
    """
    laws = [
        condition.law for condition in hypothesis.domain if isinstance(condition, On)
    ]
    laws = [law for law in laws if not any(_extends(other, law) for other in laws)]
    laws = [
        new_law(law)
        if isinstance(law, Chain) and not world.is_finite(law, point)
        else law
        for law in laws
    ]
    laws = [law for law in laws if world.is_finite(law, point)]
    ranges = [world.likely(law, point) for law in laws]
    for places in product(*ranges):
        values = dict(point)
        for place, _ in places:
            values |= place
        yield values


def _extends(law: Law, other: Law) -> bool:
    return law != other and law.covers(other)


def _ranges(
    world: World, hypothesis: Hypothesis, point: Valuation
) -> Iterator[tuple[str, int, int]]:
    """The bound whole numbers that have a largest value: name, first and last."""
    for condition in hypothesis.domain:
        if isinstance(condition, Whole) and condition.name in hypothesis.every:
            last = _last(world, hypothesis, condition.name, point)
            if last is not None:
                if last - condition.start > MOST:
                    raise Refused(f"{condition.name} has too many values.")
                yield condition.name, condition.start, last


def _last(
    world: World, hypothesis: Hypothesis, name: str, point: Valuation
) -> int | None:
    for condition in hypothesis.domain:
        if isinstance(condition, Comparison) and condition.left == Symbol(name):
            end = world.formula(condition.right, point)
            if isinstance(end, Rational):
                return int(end.value // 1)
    return None


# Steps


def _cases(
    world: World, comparison: Comparison, point: Valuation
) -> list[tuple[Comparison, ...]]:
    """The pieces of the values that bound symbols take, by the steps of what depends on them."""
    cuts = dict[Expr, dict[Expr, None]]()
    for quantity in (*quantities(comparison.left), *quantities(comparison.right)):
        described = world.instance.unknown.get(quantity.name)
        if described is None or not (described.steps or described.compares):
            continue
        *others, last = quantity.arguments
        argument = world.formula(last, point)
        starts = [start for start, _ in described.steps[1:] if start is not None]
        if described.compares:
            starts = [world.formula(other, point) for other in others]
        if argument.symbols() and not any(start.symbols() for start in starts):
            cuts.setdefault(argument, {}).update(dict.fromkeys(starts))
    return [
        tuple(relation for piece in pieces for relation in piece)
        for pieces in product(*(_pieces(*cut) for cut in cuts.items()))
    ]


def _excludes(one: Condition, other: Comparison) -> bool:
    """Of two bounds on the same formula, one leaves nothing to the other."""
    if not isinstance(one, Comparison):
        return False
    for low, high in ((one, other), (other, one)):
        ends = low.left, high.right
        if low.right == high.left and all(isinstance(end, Rational) for end in ends):
            start, end = map(_value, ends)
            strict = "<" in (low.sign, high.sign)
            if end < start or (end == start and strict):
                return True
    return False


def _pieces(argument: Expr, starts: Mapping[Expr, None]) -> list[list[Comparison]]:
    ends = sorted(starts, key=_value)
    pieces = [[below(argument, ends[0])]]
    for start, end in pairwise(ends):
        pieces.append([at_most(start, argument), below(argument, end)])
    return [*pieces, [at_most(ends[-1], argument)]]


def _value(expr: Expr) -> Fraction:
    if not isinstance(expr, Rational):
        raise Refused(f"a step starts at a rational number, not at {expr}.")
    return expr.value


def quantities(expr: Expr) -> Iterator[Quantity]:
    """The named quantities of a formula, also those inside of others."""
    if isinstance(expr, Quantity):
        yield expr
    for part in expr.parts():
        yield from quantities(part)
    for expectation in expectations(expr):
        yield from quantities(expectation.body)


# Recursion


def defined_by_recursion(world: World, hypotheses: tuple[Hypothesis, ...]) -> set[int]:
    """The numbers of the hypotheses that define quantities from one whole number to the next, and
    so hold of them.

    For each such S they are S(p, a) == c(p) for a whole a, and S(p, n + 1) == f(p, n) for all whole
    n from a on, where f may speak of S and of the others at (p, n); p is none, one or more symbols,
    and both hold for all of their values. No other hypothesis speaks of S.
    """
    names = {
        name for name, unknown in world.instance.unknown.items() if unknown.recursive
    }
    numbers = set[int]()
    for name in sorted(names):
        numbers |= _recursion(world, name, names, hypotheses)
    return numbers


def _recursion(
    world: World, name: str, others: set[str], hypotheses: tuple[Hypothesis, ...]
) -> set[int]:
    said = [
        number
        for number, hypothesis in enumerate(hypotheses)
        if name
        in {q.name for side in _sides(hypothesis.relation) for q in quantities(side)}
    ]
    about = [n for n in said if _is_of(name, hypotheses[n].relation.left)]
    starts = {n: _start(hypotheses[n], others) for n in about}
    firsts = [n for n in about if starts[n] is not None]
    steps = [n for n in about if n not in firsts]
    if len(firsts) != 1 or len(steps) != 1:
        raise Refused(f"{name} is not defined by one start and one step.")
    start = starts[firsts[0]]
    if start is None or not _is_step(world, others, start, hypotheses[steps[0]]):
        raise Refused(f"{name} is not defined from {start} on by its step.")
    for n in set(said) - set(about):
        left = hypotheses[n].relation.left
        if not isinstance(left, Quantity) or left.name not in others:
            raise Refused(f"{hypotheses[n]} says more of {name} than its definition.")
    first = hypotheses[firsts[0]]
    free = {k: v for k, v in world.values.items() if k not in first.every}
    if world.formula(first.relation.right, free).symbols() - set(first.every):
        raise Refused(f"the first value of {name} is not a number.")
    return set(about)


def _is_of(name: str, side: Expr) -> bool:
    return isinstance(side, Quantity) and side.name == name


def _sides(relation: Comparison) -> tuple[Expr, Expr]:
    return relation.left, relation.right


def _start(hypothesis: Hypothesis, others: set[str]) -> int | None:
    """The whole number at which a hypothesis says what its quantity is, for all parameters."""
    left = hypothesis.relation.left
    if not isinstance(left, Quantity) or not left.arguments:
        return None
    *parameters, last = left.arguments
    if not isinstance(last, Rational) or last.value.denominator != 1:
        return None
    if not _are_bound(parameters, hypothesis.every):
        return None
    alone = not others & {q.name for q in quantities(hypothesis.relation.right)}
    limits = [
        condition
        for condition in hypothesis.domain
        if not isinstance(condition, Exists)
    ]
    if hypothesis.relation.sign != "==" or not alone or limits:
        return None
    return int(last.value)


def _are_bound(parameters: list[Expr], every: tuple[str, ...]) -> bool:
    """They are different symbols, and those that are bound."""
    return [str(parameter) for parameter in parameters] == sorted(every) and all(
        isinstance(parameter, Symbol) for parameter in parameters
    )


def _is_step(
    world: World, others: set[str], start: int, hypothesis: Hypothesis
) -> bool:
    """It says what its quantity is at n + 1, by what is known at n; and that is defined."""
    left = hypothesis.relation.left
    if not isinstance(left, Quantity) or hypothesis.relation.sign != "==":
        return False
    *parameters, last = left.arguments
    names = [symbol for symbol in hypothesis.every if last == Symbol(symbol) + 1]
    if len(names) != 1:
        return False
    n = Symbol(names[0])
    rest = tuple(symbol for symbol in hypothesis.every if symbol != n.name)
    limits = [
        condition
        for condition in hypothesis.domain
        if not isinstance(condition, Exists)
    ]
    if limits != [Whole(n.name, start)] or not _are_bound(parameters, rest):
        return False
    right = hypothesis.relation.right
    before = (*parameters, n)
    inner = {quantity for quantity in quantities(right) if quantity.name in others}
    if any(quantity.arguments != before for quantity in inner):
        return False
    if any(others & {q.name for q in quantities(e.body)} for e in expectations(right)):
        return False
    point = {k: v for k, v in world.values.items() if k not in hypothesis.every}
    with ExitStack() as stack:
        for name in others:
            stack.enter_context(world.standing(name, Symbol(f"{name}_before")))
        here = world.formula(right, point, (Whole(n.name, start),))
    return is_pure(at_most(0, here))
