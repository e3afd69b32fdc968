"""A chainer: random rules of the kernel on random facts, and finite worlds that refute false ones.

A bench holds what the rules are given: laws, facts, conditions, values. A chain takes a few random
steps, each a rule on random things of the bench; what it makes joins the bench. Each new fact is
evaluated in random worlds, exactly.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr, Rational, Symbol, formula
from rdpacct.proof import kernel
from rdpacct.proof.claim import Claim, Comparison
from rdpacct.proof.kernel.fact import Fact
from rdpacct.proof.kernel.laws import Chain as Sequence
from rdpacct.proof.kernel.laws import (
    Draw,
    Event,
    Exchangeable,
    Independent,
    Law,
    Ranked,
    Tilted,
)
from rdpacct.proof.kernel.statements import (
    Condition,
    Exists,
    Hypothesis,
    Integrable,
    On,
)
from rdpacct.proof.kernel.terms import Expectation, Refused, atoms_of, conditions
from tests.kernel_model import Model, Row, Value

REFUSALS = (Refused, InputError, ZeroDivisionError, ValueError, TypeError)
"""What a rule may answer to things that do not fit."""
GRID = tuple(Fraction(k, 2) for k in range(-4, 5))
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class World(Model):
    """A model with a random finite law for each arbitrary one, within its support."""

    seed: int = 0
    chosen: dict[Law, list[Row]] = field(default_factory=dict)

    def rows(self, law: Law) -> list[Row]:
        """The rows of a law at the parameters of the world; none if no point is seen."""
        known = {n: v for n, v in self.parameters.items() if isinstance(v, Fraction)}
        here = law.at(**known)
        if not isinstance(here, Exchangeable) and type(here) is not Law:
            return super().rows(law)
        if here not in self.chosen:
            exchanged = isinstance(here, Exchangeable)
            self.chosen[here] = self._mixed(here) if exchanged else self._drawn(here)
        return self.chosen[here]

    def _mixed(self, law: Law) -> list[Row]:
        """Values in an order that is drawn after them: the last, and the sum, or how they rank."""
        if not isinstance(law, Exchangeable) or not isinstance(law.count, Rational):
            raise Refused(f"{law.name} has no number of values.")
        count = law.count.value
        if count.denominator != 1 or not 1 <= count <= 3:
            raise Refused(f"{law.name} is of {count} values.")
        rng = random.Random(f"{self.seed} {law.name} {count}")
        values = [
            rng.choice((Fraction(0), Fraction(1), HALF)) for _ in range(int(count))
        ]
        orders = list(permutations(values))
        if isinstance(law, Ranked):
            orders = [tuple(self._is_high(law, v, one) for v in one) for one in orders]
        last, total, *_ = law.variables
        share = Fraction(1, len(orders))
        return [
            ({last: one[-1], total: sum(one, Fraction(0))}, share) for one in orders
        ]

    def _is_high(
        self, law: Ranked, value: Fraction, values: tuple[Fraction, ...]
    ) -> Fraction:
        rank = self.value(law.rank, {})
        if not isinstance(rank, Fraction):
            raise Refused(f"{law.rank} is not counted exactly.")
        return Fraction(int(sum(other < value for other in values) >= rank))

    def _new(self, law: Sequence, number: int, past: Mapping[str, Value]) -> list[Row]:
        """What is new in a sequence, any law given the past, within the support."""
        if law.fresh is not None:
            return super()._new(law, number, past)
        rng = random.Random(f"{self.seed} {law.name} {number} {sorted(past.items())}")
        inside: list[Row] = []
        for _ in range(30):
            point: dict[str, Value] = {n: rng.choice(GRID) for n in law.new}
            there = {**past, **point}
            if all(self.relation(one, there) is True for one in law.support):
                inside.append((point, HALF))
            if len(inside) == 2:
                return inside
        raise Refused(f"no point of {law.name} is seen.")

    def value(self, expr: Expr, point: Mapping[str, Value]) -> Value:
        """The value of a formula that is defined as it stands, before anything is folded."""
        for part, sign in _conditions(expr):
            found = super().value(part, point)
            if not _has_sign(found, sign):
                raise Refused(f"{expr} is undefined.")
        return super().value(expr, point)

    def _drawn(self, law: Law) -> list[Row]:
        rng = random.Random(f"{self.seed} {law.name} {law.support}")
        ends = [v for v in self.parameters.values() if isinstance(v, Fraction)]
        values = sorted({*GRID, *ends})
        inside: list[dict[str, Value]] = []
        wanted = rng.randint(1, 3)
        for _ in range(40):
            point: dict[str, Value] = {n: rng.choice(values) for n in law.variables}
            if all(self.relation(one, point) is True for one in law.support):
                inside.append(point)
            if len(inside) == wanted:
                break
        masses = [Fraction(rng.randint(1, 4)) for _ in inside]
        return [
            ({**point}, mass / sum(masses))
            for point, mass in zip(inside, masses, strict=True)
        ]

    def _atom(self, atom: Expr, point: Mapping[str, Value]) -> Value:
        if isinstance(atom, Expectation):
            bound = {
                name: value
                for name, value in point.items()
                if name in atom.law.parameters() and isinstance(value, Fraction)
            }
            if bound:
                atom = Expectation(atom.law.at(**bound), atom.body, atom.given)
        return super()._atom(atom, point)

    def point(self, fact: Fact, rng: random.Random) -> dict[str, Value]:
        """Values of the variables that the fact holds for almost all of."""
        found: dict[str, Value] = {}
        for one in fact.domain:
            if isinstance(one, On) and not set(one.law.variables) <= found.keys():
                sure = [there for there, mass in self.rows(one.law) if mass != 0]
                fits = [
                    there
                    for there in sure
                    if all(found.get(n, v) == v for n, v in there.items())
                ]
                found |= rng.choice(fits)
        return found

    def is_law(self, law: Law) -> bool:
        """Of a sequence the first laws are looked at."""
        if not isinstance(law, Sequence):
            return super().is_law(law)
        laws = (replace(law, index=formula(k)) for k in range(4))
        return all(super(World, self).is_law(one) for one in laws)

    def breaks(self, fact: Fact, rng: random.Random) -> bool:
        """The fact certainly fails here, its conditions and hypotheses certainly holding."""
        point = self.point(fact, rng)
        if not all(self._in(one, point) for one in fact.domain):
            return False
        if not all(self._assumed(one, point) for one in fact.hypotheses):
            return False
        if isinstance(fact.statement, Exists):
            built = isinstance(fact.statement.law, kernel.Table | Draw)
            return built and not self.is_law(fact.statement.law)
        return self.relation(fact.relation, point) is False

    def _assumed(self, one: Hypothesis, point: Mapping[str, Value]) -> bool:
        """A hypothesis certainly holds; what it says of all numbers is not seen to."""
        if one.every:
            return False
        on = [c.law for c in one.domain if isinstance(c, On)]
        if len(on) > 1:
            return False
        points = [there for law in on for there, mass in self.rows(law) if mass != 0]
        for there in points or [{}]:
            here = {**point, **there}
            if not all(self._in(c, here) for c in one.domain if not isinstance(c, On)):
                continue
            if self.relation(one.relation, here) is not True:
                return False
        return True


@cache
def _conditions(expr: Expr) -> tuple[tuple[Expr, str], ...]:
    """Where a formula is defined; its expectations are for themselves."""
    return tuple(conditions(expr))


def _has_sign(value: Value, sign: str) -> bool:
    if not isinstance(value, Fraction):
        return value.certainly_positive() or (
            sign == "!=" and value.certainly_negative()
        )
    return {">": value > 0, ">=": value >= 0, "!=": value != 0}[sign]


def is_refuted(fact: Fact, infinite: frozenset[Expr], seed: int, worlds: int) -> bool:
    """A world refutes the fact, or it says that a known infinite mean is finite."""
    if fact.axioms:
        return False
    if isinstance(fact.statement, Integrable):
        one = fact.statement
        atom = Expectation(one.law, one.body, one.given)
        if atom not in infinite or fact.hypotheses or fact.loose - {atom}:
            return False
        return all(isinstance(c, Exists) or _is_true(c) for c in fact.domain)
    rng = random.Random(seed)
    names = sorted(
        frozenset().union(
            fact.statement.symbols(),
            *(one.symbols() for one in fact.domain),
            *(one.free() for one in fact.hypotheses),
        )
    )
    for number in range(worlds):
        values = {name: rng.choice(GRID) for name in names}
        world = World(values, seed=seed + number)
        try:
            if world.breaks(fact, rng):
                return True
        except (*REFUSALS, IndexError, KeyError, AttributeError):
            continue
    return False


def _is_true(one: Condition) -> bool:
    """A relation between numbers that holds."""
    if one.symbols() or not isinstance(one, Comparison):
        return False
    return Model({}).relation(one, {}) is True


@dataclass
class Bench:
    """What the rules are given, and the known infinite means."""

    laws: list[Any] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    conditions: list[Any] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    bodies: list[Expr] = field(default_factory=list)
    claims: list[Any] = field(default_factory=list)
    infinite: frozenset[Expr] = frozenset()
    rules: tuple[str, ...] = ()
    """The rules that are tried; all, if none is named."""


RARE = ("at_start", "one_more", "exchange", "folded")
"""The rules that are tried on benches of their own only."""


class Chain:
    """One chain on a bench."""

    def __init__(self, bench: Bench, seed: int) -> None:
        self.bench = bench
        self.facts = list(bench.facts)
        self.seed = seed
        self.rng = random.Random(seed)

    def run(self, steps: int, worlds: int = 6) -> tuple[int, Fact | None]:
        """How many facts the chain made, and one that is refuted."""
        names = self.bench.rules or tuple(name for name in RULES if name not in RARE)
        made = 0
        for _ in range(steps):
            rule = RULES[self.rng.choice(names)]
            try:
                fact = rule(self)
            except (*REFUSALS, IndexError, KeyError, AttributeError):
                continue
            made += 1
            self.facts.append(fact)
            if is_refuted(fact, self.bench.infinite, self.seed, worlds):
                return made, fact
        return made, None

    def fact(self) -> Fact:
        return self.rng.choice(self.facts)

    def relation(self) -> Fact:
        ones = [f for f in self.facts if isinstance(f.statement, Comparison)]
        return self.rng.choice(ones)

    def some_facts(self, most: int = 3) -> list[Fact]:
        return self.rng.sample(
            self.facts, min(self.rng.randint(0, most), len(self.facts))
        )

    def finite(self, law: Law) -> list[Fact]:
        """The facts of finiteness under a law, and sometimes another one."""
        known = [f for f in self.facts if isinstance(f.statement, Integrable)]
        about = [f for f in known if f.integrable.law == law]
        return [*about, *(self.some_facts(1) if self.rng.random() < 0.3 else [])]

    def law(self, *kinds: type) -> Any:
        return self.rng.choice(
            [one for one in self.bench.laws if not kinds or isinstance(one, kinds)]
        )

    def conditions(self) -> list[Any]:
        most = min(2, len(self.bench.conditions))
        return self.rng.sample(self.bench.conditions, self.rng.randint(0, most))

    def value(self) -> Any:
        return self.rng.choice(self.bench.values)

    def body(self) -> Expr:
        return self.rng.choice(self.bench.bodies)

    def claim(self) -> Any:
        return self.rng.choice(self.bench.claims)

    def given(self, law: Law) -> tuple[str, ...]:
        if self.rng.random() < 0.6:
            return ()
        return tuple(self.rng.sample(law.variables, 1))

    def name(self, fact: Fact) -> str:
        parts = (fact.statement, *fact.domain)
        names = sorted(frozenset().union(*(one.symbols() for one in parts)))
        return self.rng.choice(names)


def _specialize(c: Chain) -> Fact:
    fact = c.fact()
    names = {c.name(fact) for _ in range(c.rng.randint(1, 2))}
    return kernel.specialize(fact, **{name: c.value() for name in sorted(names)})


def _instance(c: Chain) -> Fact:
    fact = c.fact()
    laws = [one for one in c.bench.laws if type(one) is Law]
    law, other = c.rng.choice(laws), c.law()
    values = [*map(Symbol, other.variables), *c.bench.values]
    chosen = {name: c.rng.choice(values) for name in law.variables}
    return kernel.instance(fact, law, other, chosen, *c.conditions())


def _combine(c: Chain) -> Fact:
    """Two facts added, chained, or a claim of the bench."""
    one, two = c.relation(), c.relation()
    r, s = one.relation, two.relation
    sign = "<" if "<" in (r.sign, s.sign) else "=="
    sign = sign if r.sign == s.sign == "==" or sign == "<" else "<="
    wanted: list[Any] = [
        Comparison(r.left + s.left, sign, r.right + s.right),
        Comparison(r.left, sign, r.right + s.right - s.left),
        Comparison(r.left - s.left, sign, r.right - s.right),
        Comparison(2 * r.left, r.sign, 2 * r.right),
    ]
    if c.bench.claims and c.rng.random() < 0.5:
        wanted = list(c.bench.claims)
    goal = kernel.relation(c.rng.choice(wanted))
    rest: Any = c.rng.choice([0, 0, 0, 1, goal.right - goal.left])
    given = tuple(c.conditions()) if c.rng.random() < 0.3 else ()
    uses: list[Any] = [one, two, *c.some_facts(2)]
    uses = [u if c.rng.random() < 0.8 else (u, 0) for u in uses]
    return kernel.combine(goal, *uses, rest=rest, given=given)


def _expect(c: Chain) -> Fact:
    law = c.law()
    return kernel.expect(c.relation(), law, *c.finite(law), given=c.given(law))


def _dominated(c: Chain) -> Fact:
    law = c.law()
    lower = c.relation() if c.rng.random() < 0.5 else None
    given = c.given(law)
    return kernel.dominated(c.relation(), law, *c.finite(law), lower=lower, given=given)


def _linear(c: Chain) -> Fact:
    law = c.law()
    given = c.given(law)
    part, factor, constant = c.body(), c.value(), c.rng.choice([0, 1, c.value()])
    parts: dict[Expr, Any] = {part: factor} if c.rng.random() < 0.8 else {}
    body = formula(constant) + sum((f * p for p, f in parts.items()), formula(0))
    if c.rng.random() < 0.2:
        body = c.body()
    return kernel.linear(
        law, body, parts, *c.finite(law), constant=constant, given=given
    )


def _tower(c: Chain) -> Fact:
    finite = c.fact()
    known = finite.integrable
    fine = tuple(c.rng.sample(known.law.variables, 1))
    return kernel.tower(known.law, known.body, fine, finite)


def _integrable(c: Chain) -> Fact:
    fact = c.relation()
    return kernel.integrable(
        fact, c.rng.choice(sorted(atoms_of(fact.relation), key=str))
    )


def _exists(c: Chain) -> Fact:
    law = c.law()
    point = {name: c.value() for name in law.variables} if type(law) is Law else None
    return kernel.exists(law, *c.conditions(), point=point)


def _marginal(c: Chain) -> Fact:
    law = c.law(Draw, Event, Independent)
    finite = c.fact()
    base = c.rng.choice(law.bases())
    return kernel.marginal(law, base, finite.integrable.body, finite, *c.conditions())


def _independent(c: Chain) -> Fact:
    law = c.law(Independent)
    return kernel.independent(law, c.body(), c.body(), *c.facts[-4:], *c.some_facts())


def _disintegrate(c: Chain) -> Fact:
    law = c.law(Independent, Sequence)
    if isinstance(law, Sequence):
        given = law.past
    else:
        given = c.rng.choice([law.first, law.second]).variables
    if c.rng.random() < 0.2:
        given = c.given(law)
    finite = c.fact()
    return kernel.disintegrate(law, finite.integrable.body, given, finite)


def _one_more(c: Chain) -> Fact:
    law, body = c.law(Sequence), c.body()
    taken_in = body.at(**dict(zip(law.past, law.update, strict=True)))
    fits = [f for f in c.finite(law) if f.integrable.body == taken_in]
    return kernel.one_more(law, body, c.rng.choice(fits or c.facts))


def _folded(c: Chain) -> Fact:
    """A relation for y, from one for x + j w: the claims of the bench have y."""
    fact = c.relation()
    steps = [one for one in c.bench.values if one != Symbol("y")]
    return kernel.folded(fact, c.claim(), "y", c.rng.choice(steps))


RULES: dict[str, Callable[[Chain], Fact]] = {
    "real": lambda c: kernel.real(c.claim(), *c.conditions()),
    "assume": lambda c: kernel.assume(c.claim(), *c.conditions()),
    "specialize": _specialize,
    "under": lambda c: kernel.under(c.fact(), *c.conditions()),
    "given_by": lambda c: kernel.given_by(c.fact(), *c.some_facts(2)),
    "discharge": lambda c: kernel.discharge(c.fact(), *c.some_facts(2)),
    "instance": _instance,
    "combine": _combine,
    "either": lambda c: kernel.either(c.fact(), c.fact()),
    "both": lambda c: kernel.both(c.relation(), c.relation()),
    "closed": lambda c: kernel.closed(f := c.relation(), c.name(f)),
    "vanishing": lambda c: kernel.vanishing(
        f := c.relation(), c.name(f), c.value(), c.value()
    ),
    "induct": lambda c: kernel.induct(c.relation(), f := c.relation(), c.name(f)),
    "integrable": _integrable,
    "expect": _expect,
    "dominated": _dominated,
    "linear": _linear,
    "tower": _tower,
    "conditional": lambda c: kernel.conditional(
        f := c.fact(), c.rng.choice(f.integrable.law.variables)
    ),
    "tilt": lambda c: kernel.tilt(c.law(Tilted), c.body(), c.fact(), c.fact()),
    "exists_by": lambda c: kernel.exists_by(c.law(Tilted), c.fact()),
    "marginal": _marginal,
    "independent": _independent,
    "disintegrate": _disintegrate,
    "table": lambda c: kernel.table(c.law(kernel.Table), c.body(), *c.conditions()),
    "drawn": lambda c: kernel.drawn(c.law(Draw), c.body(), *c.conditions()),
    "cases": lambda c: kernel.cases(
        c.law(Draw, Event, kernel.Table), c.claim(), *c.conditions()
    ),
    "exists": _exists,
    "at_start": lambda c: kernel.at_start(c.law(Sequence), c.body(), *c.conditions()),
    "one_more": _one_more,
    "exchange": lambda c: kernel.exchange(c.law(Exchangeable), c.fact()),
    "folded": _folded,
}


def chains(
    bench: Bench, count: int, first: int = 0, steps: int = 7
) -> Iterator[tuple[int, int, Fact | None]]:
    """The chains with these numbers: number, facts made, and a refuted fact."""
    for seed in range(first, first + count):
        yield (seed, *Chain(bench, seed).run(steps))


def falsehood(bench: Bench, count: int, first: int = 0, steps: int = 7) -> Fact | None:
    """The first refuted fact of some chains."""
    found = (fact for _, _, fact in chains(bench, count, first, steps))
    return next((fact for fact in found if fact is not None), None)


def certificate(
    claim: Comparison, known: list[Comparison], seconds: float
) -> dict[str, Any] | None:
    """Side conditions for chains: what some point refutes is not searched for."""
    from rdpacct.proof import sides

    solved, _ = Claim(tuple(known), claim).solved()
    goal, limits = solved.conclusion, list(solved.given)
    limits = [] if _is_generic(goal, limits) else limits
    names = sorted(goal.symbols().union(*(one.symbols() for one in limits)))
    values = (Fraction(-3, 2), Fraction(0), Fraction(1, 3), Fraction(2))
    rng = random.Random(str(claim))
    for _ in range(min(4 ** len(names), 24)):
        if _fails(goal, limits, {name: rng.choice(values) for name in names}):
            return None
    return sides.certificate(claim, known, seconds)


def _is_generic(claim: Comparison, known: list[Comparison]) -> bool:
    """An equation of smooth formulas under inequalities alone: it holds everywhere, or on a set
    without inner points.
    """
    smooth = not any(name in str(claim) for name in ("abs", "min", "max"))
    return claim.sign == "==" and smooth and all(k.sign != "==" for k in known)


def _fails(
    claim: Comparison, known: list[Comparison], point: dict[str, Fraction]
) -> bool:
    model = Model(point)
    try:
        if not all(model.relation(one, {}) is True for one in known):
            return False
        return model.relation(claim, {}) is False
    except (*REFUSALS, AttributeError):
        return False
