"""The search for a witness: small numbers, laws of one or two atoms, and short formulas, tried one
after the other, always in the same order.

Nothing here is trusted: what is found is evaluated by ``witness.py``, and again whenever the book
is verified.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, islice, product
from typing import TYPE_CHECKING

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import absolute, exp
from rdpacct.proof.claim import Comparison
from rdpacct.proof.evaluate import Known, World
from rdpacct.proof.hypotheses import holds, quantities
from rdpacct.proof.instance import Instance, InstanceRow, Unknown, indicator, steps
from rdpacct.proof.kernel.fact import Fact
from rdpacct.proof.kernel.laws import (
    Chain,
    Density,
    Exchangeable,
    Lattice,
    Law,
    built_on,
)
from rdpacct.proof.kernel.logic import conditions_of
from rdpacct.proof.kernel.side import searching
from rdpacct.proof.kernel.statements import Condition, Exists, Hypothesis, On, Whole
from rdpacct.proof.kernel.terms import Quantity, Refused
from rdpacct.proof.search.existence import shown
from rdpacct.proof.witness import (
    ABSURD,
    Witness,
    hypotheses_of,
    is_broken,
    is_witnessed,
    laws_in,
)

if TYPE_CHECKING:
    from rdpacct.proof.theorem import Falsehood, Statement

VALUES = tuple(
    formula(Fraction(text))
    for text in (
        "1",
        "1/2",
        "2",
        "0",
        "1/3",
        "3",
        "1/4",
        "4",
        "1/10",
        "10",
        "-1",
        "3/2",
        "5",
        "1/100",
        "100",
        "-1/2",
        "-2",
    )
)
ATOMS = tuple(formula(Fraction(text)) for text in ("0", "1", "1/2", "-1", "2", "1/4"))
SAMPLES = tuple(
    formula(Fraction(text)) for text in ("1", "0", "2", "1/2", "3", "-1", "-5/2")
)
MOST_ROWS = 600
MOST_CHECKS = 20_000
MOST_FULL = 300
PROOF_COSTS = 250
"""How many partly and fully evaluated instances are tried; a relation with a bound symbol, which is
searched for a proof, counts as many.
"""
SECONDS = 1.0
"""How much may be searched for one relation with a bound symbol, in seconds of work."""


@dataclass(frozen=True)
class _Constraint:
    """What has to hold once all that it needs is chosen."""

    needs: frozenset[str]
    check: Callable[[Instance], None]


class _TooLong(Exception):
    """The search has done all that it may."""


class _WitnessSearch:
    """A search with return: what is chosen last is changed first."""

    def __init__(
        self,
        part: Statement | Falsehood,
        known: Known,
        accept: Callable[[Instance, Known], None],
        bound: frozenset[str] = frozenset(),
    ) -> None:
        self.part = part
        self.known = known
        self.accept = accept
        self.bound = bound
        self.shown = dict[Law, Fact | None]()
        self.checks = 0
        self.given = conditions_of(*part.given)
        self.hypotheses = () if part.claim == ABSURD else hypotheses_of(part)
        self.laws = {
            base.name: base
            for law in laws_in(part)
            for base in built_on(law)
            if type(base) is Law or isinstance(base, Exchangeable | Chain)
        }
        self.quantities = self._quantities()
        self.constraints = self._constraints()

    def _quantities(self) -> dict[str, int]:
        counts = dict[str, int]()
        for relation in (h.relation for h in self.hypotheses):
            for side in (relation.left, relation.right):
                for quantity in quantities(side):
                    counts[quantity.name] = len(quantity.arguments)
        return counts

    def _symbols(self) -> list[str]:
        """The symbols that need a value."""
        random = {name for law in self.laws.values() for name in law.variables}
        random |= {
            name
            for law in laws_in(self.part)
            for base in built_on(law)
            for name in base.variables
        }
        symbols = dict[str, None]()
        stated = [
            *(given.symbols() for given in self.given if not isinstance(given, On)),
            *(law.parameters() for law in laws_in(self.part)),
            *(hypothesis.free() for hypothesis in self.hypotheses),
            self.part.claim.symbols(),
        ]
        for names in stated:
            symbols |= dict.fromkeys(sorted(names - random - self.bound))
        return list(symbols)

    def _constraints(self) -> list[_Constraint]:
        constraints = list[_Constraint]()
        for condition in self.given:
            if not isinstance(condition, On):
                constraints.append(self._of_condition(condition))
        for law in laws_in(self.part):
            names = {base.name for base in built_on(law)} & self.laws.keys()
            needs = {f"law {name}" for name in names} | set(law.parameters())
            if not names:
                needs |= {n for c in self.given for n in c.symbols()} - _random(law)
            constraints.append(_Constraint(frozenset(needs), self._exists(law)))
        for hypothesis in self.hypotheses:
            constraints.append(self._of_hypothesis(hypothesis))
        return constraints

    def _of_condition(self, condition: Condition) -> _Constraint:
        return _Constraint(
            condition.symbols(),
            lambda instance: World(instance, self.known).condition(condition),
        )

    def _exists(self, law: Law) -> Callable[[Instance], None]:
        def check(instance: Instance) -> None:
            world = World(instance, self._with_laws(instance))
            world.exists(law, world.values)

        return check

    def facts(self, instance: Instance) -> tuple[Fact, ...]:
        """Facts about the existence of laws that nothing else shows, at the values so far."""
        facts = list[Fact]()
        for law in laws_in(self.part):
            names = law.parameters()
            if not isinstance(law, Density | Lattice) or names - instance.values.keys():
                continue
            here = law.at(**{name: instance.values[name] for name in names})
            if here not in self.shown:
                self.shown[here] = self._shown(law, here, instance)
            fact = self.shown[here]
            if fact is not None:
                facts.append(fact)
        return tuple(facts)

    def _shown(self, law: Law, here: Law, instance: Instance) -> Fact | None:
        try:
            World(instance, self.known).exists(law, instance.values)
        except Refused:
            return shown(here)
        return None

    def _with_laws(self, instance: Instance) -> Known:
        facts = self.facts(instance)
        if not facts:
            return self.known
        return Known((*self.known.relations, *facts), self.known.within)

    def _of_hypothesis(self, hypothesis: Hypothesis) -> _Constraint:
        relation = hypothesis.relation
        sides = (relation.left, relation.right)
        names = {q.name for side in sides for q in quantities(side)}
        laws = {
            base.name
            for law in laws_in(replace(self.part, claim=relation, assuming={}))
            for base in built_on(law)
        }
        laws |= {
            base.name
            for condition in hypothesis.domain
            if isinstance(condition, On | Exists)
            for base in built_on(condition.law)
        }
        needs = {
            *hypothesis.free(),
            *(f"law {name}" for name in laws & self.laws.keys()),
            *(f"of {name}" for name in names),
        }
        random = {n for law in self.laws.values() for n in law.variables}

        def check(instance: Instance) -> None:
            if any(instance.unknown[name].recursive for name in names):
                return
            world = World(instance, self.known)
            if _fails_at_samples(world, hypothesis):
                raise Refused("a sample breaks it")
            self.checks += PROOF_COSTS if hypothesis.every else 0
            with searching(SECONDS):
                holds(world, hypothesis)

        return _Constraint(frozenset(needs) - random, check)

    def order(self) -> list[str]:
        """What is chosen, in an order in which constraints are complete early."""
        left = {
            *self._symbols(),
            *(f"law {name}" for name in self.laws),
            *(f"of {name}" for name in self.quantities),
        }
        first = [*self._symbols()]
        order = list[str]()
        open_ = [constraint.needs & left for constraint in self.constraints]
        while left:
            waiting = sorted(
                (needs for needs in open_ if needs),
                key=lambda needs: (len(needs), sorted(needs)),
            )
            chosen = waiting[0] if waiting else frozenset([min(left)])
            names = sorted(
                chosen,
                key=lambda n: (
                    not n.startswith("law "),
                    not n.startswith("of "),
                    first.index(n) if n in first else 0,
                    n,
                ),
            )
            name = names[-1] if len(names) > 1 and " " not in names[-1] else names[0]
            if name.startswith("law "):
                parameters = self.laws[name[4:]].parameters() & left
                name = min(parameters) if parameters else name
            order.append(name)
            left.discard(name)
            open_ = [needs - {name} for needs in open_]
        return order

    def run(self) -> Witness:
        """The first instance that is accepted, with the facts that it needs."""
        order = self.order()
        for instance in islice(
            self._extended(Instance(), order, frozenset()), MOST_FULL
        ):
            try:
                with searching(SECONDS):
                    self.accept(instance, self._with_laws(instance))
            except Refused:
                continue
            return Witness(instance, self.facts(instance))
        raise Refused("no witness was found.")

    def _extended(
        self, instance: Instance, left: list[str], known: frozenset[str]
    ) -> Iterator[Instance]:
        if not left:
            yield instance
            return
        name, *rest = left
        now = known | {name}
        complete = [
            constraint
            for constraint in self.constraints
            if name in constraint.needs <= now
        ]
        for larger in self._choices(instance, name):
            self.checks += 1
            if self.checks > MOST_CHECKS:
                raise _TooLong
            if all(_holds(constraint, larger) for constraint in complete):
                yield from self._extended(larger, rest, now)

    def _choices(self, instance: Instance, name: str) -> Iterator[Instance]:
        if name.startswith("law "):
            for rows in self._rows(instance, self.laws[name[4:]]):
                yield replace(instance, laws={**instance.laws, name[4:]: rows})
        elif name.startswith("of "):
            for unknown in self._formulas(name[3:]):
                yield replace(instance, unknown={**instance.unknown, name[3:]: unknown})
        else:
            for value in self._numbers(instance, name):
                yield replace(instance, values={**instance.values, name: value})

    def _numbers(self, instance: Instance, name: str) -> Iterator[Expr]:
        """What an equation says that the symbol is, and small numbers."""
        world = World(instance, self.known)
        equations = [
            condition for condition in self.given if isinstance(condition, Comparison)
        ]
        equations += [
            hypothesis.relation
            for hypothesis in self.hypotheses
            if not hypothesis.every
        ]
        for equation in equations:
            for here, there in (
                (equation.left, equation.right),
                (equation.right, equation.left),
            ):
                if equation.sign == "==" and here == Symbol(name):
                    try:
                        value = world.formula(there, world.values)
                    except Refused:
                        continue
                    if not value.symbols():
                        yield value
        yield from VALUES

    def _rows(self, instance: Instance, law: Law) -> Iterator[tuple[InstanceRow, ...]]:
        count = len(law.new if isinstance(law, Chain) else law.variables)
        if isinstance(law, Exchangeable):
            size = World(instance).formula(law.count, instance.values)
            count += int(getattr(size, "value", 2)) - 2
        ends = [v for v in instance.values.values() if v not in ATOMS]
        values = [*ATOMS, *ends, *(-end for end in ends)]
        alike = ((value,) * count for value in values)
        points = chain(
            alike,
            product(values[:2], repeat=count),
            islice(product(values[:4], repeat=count), MOST_ROWS),
            islice(product(values, repeat=count), MOST_ROWS),
        )
        one = formula(1)
        yield from (((point, one),) for point in points)
        half = formula(Fraction(1, 2))
        pairs = product(product(values[:4], repeat=count), repeat=2)
        yield from (
            ((first, half), (second, half))
            for first, second in islice(pairs, MOST_ROWS)
        )

    def _formulas(self, name: str) -> Iterator[Unknown]:
        """What an equation says that the quantity is, and short formulas of its arguments."""
        count = self.quantities[name]
        names = tuple(f"x{k}" for k in range(1, count + 1))
        for hypothesis in self.hypotheses:
            left = hypothesis.relation.left
            if (
                hypothesis.relation.sign == "=="
                and isinstance(left, Quantity)
                and left.name == name
                and all(isinstance(a, Symbol) for a in left.arguments)
                and {str(a) for a in left.arguments} <= set(hypothesis.every)
                and name not in {q.name for q in quantities(hypothesis.relation.right)}
                and not list(quantities(hypothesis.relation.right))
            ):
                yield Unknown(
                    tuple(map(str, left.arguments)), hypothesis.relation.right
                )
        arguments = list(map(Symbol, names))
        shapes = [formula(0), formula(1)]
        for x in arguments:
            shapes += [x, -x, exp(-x), exp(x), absolute(x), 1 + x]
        if count == 2:
            shapes += [absolute(arguments[0] - arguments[1])]
        shapes += [formula(2), formula(-1), formula(Fraction(1, 2))]
        yield from (Unknown(names, shape) for shape in shapes)
        if count == 1:
            yield steps(0, (0, 1))
        if count == 2:
            yield indicator()
            yield steps(0, (0, Symbol("x1")), of=names)
        if count and self._has_recursion(name):
            yield Unknown()

    def _has_recursion(self, name: str) -> bool:
        """Some hypothesis says what the quantity is at n + 1."""
        return any(
            isinstance(left := hypothesis.relation.left, Quantity)
            and left.name == name
            and any(left.arguments[-1] == Symbol(n) + 1 for n in hypothesis.every)
            for hypothesis in self.hypotheses
        )


def _random(law: Law) -> set[str]:
    return {name for base in built_on(law) for name in base.variables}


def _holds(constraint: _Constraint, instance: Instance) -> bool:
    try:
        constraint.check(instance)
    except Refused:
        return False
    return True


def _fails_at_samples(world: World, hypothesis: Hypothesis) -> bool:
    """Some values of what is bound break the hypothesis."""
    if (
        any(isinstance(condition, On) for condition in hypothesis.domain)
        or not hypothesis.every
    ):
        return False
    whole = {c.name for c in hypothesis.domain if isinstance(c, Whole)}
    for sample in islice(product(SAMPLES, repeat=len(hypothesis.every)), 50):
        point = {**world.values, **dict(zip(hypothesis.every, sample, strict=True))}
        if any(getattr(point[n], "value", Fraction(1)).denominator > 1 for n in whole):
            continue
        if _fails(world, hypothesis, point):
            return True
    return False


def _fails(world: World, hypothesis: Hypothesis, point: dict[str, Expr]) -> bool:
    try:
        for condition in hypothesis.domain:
            if isinstance(condition, Comparison):
                if not world.is_true(world.relation_in(condition, point)):
                    return False
            elif isinstance(condition, Whole):
                value = getattr(point[condition.name], "value", Fraction(-1))
                if value < condition.start:
                    return False
        return not world.is_true(world.relation_in(hypothesis.relation, point))
    except Refused:
        return False


def find_witness(part: Statement, known: Known) -> Witness:
    """An instance in which all that the part supposes holds; ``Refused`` if none is found."""
    return _found(
        _WitnessSearch(
            part, known, lambda instance, more: is_witnessed(part, instance, more)
        )
    )


def with_laws(part: Statement, given: Witness, proved: Fact) -> Witness:
    """A witness with facts about the existence of laws that nothing else shows, where they are
    found.
    """
    world = World(given.instance, Known(given.facts, [proved]))
    bases = [image.base for image in given.instance.images.values()]
    facts = list[Fact]()
    for law in (*laws_in(part), *bases):
        if not isinstance(law, Density | Lattice):
            continue
        try:
            world.exists(law, world.values)
        except Refused:
            names = law.parameters() & world.values.keys()
            fact = shown(law.at(**{name: world.values[name] for name in names}))
            facts += [fact] if fact is not None else []
    return Witness(given.instance, tuple(dict.fromkeys((*given.facts, *facts))))


def find_broken(falsehood: Falsehood, facts: tuple[Fact, ...]) -> Witness:
    """An instance that breaks a falsehood, with these facts; ``Refused`` if none is found."""

    def accept(instance: Instance, more: Known) -> None:
        is_broken(falsehood, instance, (*facts, *more.relations))

    bound = {name for fact in facts for h in fact.hypotheses for name in h.every}
    known = Known(facts, facts)
    return _found(_WitnessSearch(falsehood, known, accept, frozenset(bound)))


def _found(search: _WitnessSearch) -> Witness:
    try:
        return search.run()
    except _TooLong:
        raise Refused("no instance was found among those that were tried.") from None
