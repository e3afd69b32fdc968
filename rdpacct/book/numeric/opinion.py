"""The least margin of each statement of an entry, at random points and where it is sharp."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rdpacct.book.numeric.points import are_true, finite_law, points
from rdpacct.book.numeric.values import (
    Env,
    NoNumber,
    Numbers,
    NumericRow,
    NumericValue,
    Unsupported,
    load,
)
from rdpacct.book.numeric.witnessed import in_witness
from rdpacct.proof.claim import Comparison
from rdpacct.proof.entries import theorem
from rdpacct.proof.kernel.laws import (
    Chain,
    Density,
    Exchangeable,
    Lattice,
    Law,
    Table,
)
from rdpacct.proof.kernel.logic import conditions_of
from rdpacct.proof.kernel.statements import Condition, Hypothesis, On, Whole, laws_of
from rdpacct.proof.theorem import Falsehood, Statement

POINTS = 24
INTEGRALS = 2
"""How many points are tried for a statement with an integral."""
STEPS = 30
"""How many steps lead from the worst point to a worse one."""
EXACT = 10.0**-20
"""A margin below minus this is a violation; of the fifty digits sums and cancellation take some."""


@dataclass(frozen=True)
class Reading:
    """A margin, relative to the sides of the relation, and the point at which it was read."""

    margin: Any
    at: dict[str, Any]
    error: Any = 0

    @property
    def violated(self) -> bool:
        """The relation fails by more than rounding and quadrature explain."""
        return bool(self.margin < -(EXACT + 100 * self.error))

    def place(self) -> str:
        """The point in words."""
        return ", ".join(f"{name} = {_short(value)}" for name, value in self.at.items())


@dataclass(frozen=True)
class Opinion:
    """What numbers say of a statement: the least margin that was found, or why there is none."""

    statement: str
    reading: Reading | None
    tried: int = 0
    why: str = ""


def second_opinion(name: str, seed: int = 0) -> list[Opinion]:
    """The least margin of each statement of an entry."""
    mp = load()
    entry = theorem(name)
    return [
        opinion_of(mp, part, random.Random(f"{seed} {name} {part.name}"), name)
        for part in (*entry.parts, *entry.sharp)
    ]


def opinion_of(
    mp: Any, part: Statement | Falsehood, rng: random.Random, name: str = ""
) -> Opinion:
    """The least margin of one statement, or of a false one."""
    title = part.name if isinstance(part, Statement) else part.says
    assumed = part.assuming.values() if isinstance(part, Statement) else ()
    hypotheses = [hypothesis for fact in assumed for hypothesis in fact.hypotheses]
    try:
        search = _Descent(mp, part.claim, conditions_of(*part.given), hypotheses, rng)
        readings = list(search.readings(POINTS))
    except Unsupported as reason:
        return _witnessed(mp, name, part, f"needs an instance: {reason}")
    if not readings:
        return _witnessed(mp, name, part, "no point was found at which all of it holds")
    worst = min(readings, key=lambda reading: reading.margin)
    if not search.has_integral:
        worst = search.closer(worst)
    return Opinion(title, worst, len(readings))


def _witnessed(mp: Any, name: str, part: Statement | Falsehood, why: str) -> Opinion:
    """The least margin in the witness of a statement; without one, why there is no number."""
    title = part.name if isinstance(part, Statement) else part.says
    if not isinstance(part, Statement):
        return Opinion(title, None, why=why)
    try:
        readings = [
            Reading(margin, dict(place), error)
            for place, margin, error in in_witness(mp, name, part)
        ]
    except (Unsupported, NoNumber):
        readings = []
    if not readings:
        return Opinion(title, None, why=why)
    return Opinion(
        title, min(readings, key=lambda reading: reading.margin), len(readings)
    )


class _Descent:
    """Points and finite laws at which the conditions and hypotheses of a claim hold."""

    def __init__(
        self,
        mp: Any,
        claim: Comparison,
        conditions: tuple[Condition, ...],
        hypotheses: list[Hypothesis],
        rng: random.Random,
    ) -> None:
        self.mp = mp
        self.claim = claim
        self.hypotheses = hypotheses
        self.rng = rng
        self.conditions = conditions
        self.on = [
            condition.law for condition in conditions if isinstance(condition, On)
        ]
        laws = {law for relation in self._stated() for law in laws_of(relation)}
        laws |= set(self.on)
        self.has_integral = any(_has(law, Density | Lattice) for law in laws)
        self.unknown = sorted(
            {unknown_law for law in laws for unknown_law in _unknown(law)},
            key=lambda law: law.name,
        )
        self._rows: dict[str, list[NumericRow]] = {}

    def _stated(self) -> list[Comparison]:
        return [self.claim, *(hypothesis.relation for hypothesis in self.hypotheses)]

    def _symbols(self) -> set[str]:
        free = set().union(*(relation.symbols() for relation in self._stated()))
        for condition in self.conditions:
            free |= (
                condition.symbols()
                if not isinstance(condition, Whole)
                else {condition.name}
            )
        for law in (*self.unknown, *self.on):
            free |= law.parameters()
        random_ = {name for law in self.unknown for name in law.variables}
        return free - random_ - {name for law in self.on for name in law.variables}

    def readings(self, count: int) -> Iterator[Reading]:
        """The margins at random points."""
        if any(hypothesis.every for hypothesis in self.hypotheses):
            raise Unsupported("a hypothesis holds for all values of something")
        if self.has_integral:
            count = min(count, INTEGRALS)
        numbers = Numbers(self.mp)
        for point in points(numbers, self._symbols(), self.conditions, self.rng, count):
            laws = self._laws(point)
            if laws is not None:
                yield from self._read(point, laws)

    def _laws(
        self, point: dict[str, NumericValue]
    ) -> dict[str, list[NumericRow]] | None:
        """Finite laws for those that are known by name only, for which the hypotheses hold."""
        laws: dict[str, list[NumericRow]] = {}
        for law in self.unknown:
            about = [
                hypothesis
                for hypothesis in self.hypotheses
                if law in _all_unknown(hypothesis.relation)
            ]
            if any(
                set(_all_unknown(hypothesis.relation)) != {law} for hypothesis in about
            ):
                raise Unsupported("a hypothesis speaks of two laws")
            rows = finite_law(Numbers(self.mp, laws), law, about, point, self.rng)
            if rows is None:
                return None
            laws[law.name] = rows
        return laws

    def _read(
        self, point: dict[str, NumericValue], laws: dict[str, list[NumericRow]]
    ) -> Iterator[Reading]:
        """The margin at a point; of a claim about single values at each of these."""
        single = self.claim.symbols() - point.keys()
        places = self._places(point, laws) if single or self.on else [{}]
        for place in places:
            numbers = Numbers(self.mp, laws)
            there = {**point, **place}
            if not single <= there.keys() or not self._is_inside(numbers, there):
                continue
            try:
                margin = numbers.margin(self.claim, there)
            except (NoNumber, self.mp.NoConvergence):
                continue
            self._rows = laws
            yield Reading(margin, there, numbers.error)

    def _places(
        self, point: dict[str, NumericValue], laws: dict[str, list[NumericRow]]
    ) -> list[dict[str, NumericValue]]:
        """The values of the random variables of which a claim speaks one by one."""
        all_rows = list(laws.values())
        if self.on:
            numbers = Numbers(self.mp, laws)
            try:
                all_rows = [numbers.rows(law, point) or [] for law in self.on]
            except NoNumber:
                return []
        return [row for rows in all_rows for row, _ in rows]

    def _is_inside(self, numbers: Numbers, there: Env) -> bool:
        """The conditions hold, and the hypotheses about numbers."""
        known = [
            condition
            for condition in self.conditions
            if isinstance(condition, Comparison)
        ]
        assumed = [hypothesis.relation for hypothesis in self.hypotheses]
        plain = [relation for relation in assumed if not _all_unknown(relation)]
        return are_true(numbers, [*known, *plain], there)

    def closer(self, worst: Reading) -> Reading:
        """A worse point near the worst one, as long as the conditions hold there."""
        if self.unknown or self.claim.sign == "==":
            return worst
        step = self.mp.mpf(1) / 4
        names = [
            name
            for name in worst.at
            if not any(isinstance(c, Whole) and c.name == name for c in self.conditions)
        ]
        for _ in range(STEPS):
            moved = [
                reading
                for name in names
                for factor in (1 + step, 1 - step)
                for reading in self._read(
                    {**worst.at, name: worst.at[name] * factor}, {}
                )
            ]
            better = min(moved, key=lambda reading: reading.margin, default=worst)
            if better.margin < worst.margin:
                worst = better
            else:
                step /= 2
        return worst


def _has(law: Law, kind: Any) -> bool:
    return isinstance(law, kind) or any(_has(base, kind) for base in _bases(law))


def _bases(law: Law) -> list[Law]:
    parts = [getattr(law, name, None) for name in ("base", "first", "second", "fresh")]
    return [part for part in parts if isinstance(part, Law)]


def _unknown(law: Law) -> list[Law]:
    """The laws that are known by name only on which a law is built."""
    if isinstance(law, Table | Density | Lattice):
        return []
    if type(law) is Law:
        return [law]
    if isinstance(law, Exchangeable):
        raise Unsupported(f"{law.name} is any exchangeable law")
    if isinstance(law, Chain) and law.fresh is None:
        return []
    return [unknown for base in _bases(law) for unknown in _unknown(base)]


def _all_unknown(relation: Comparison) -> list[Law]:
    return [unknown for law in laws_of(relation) for unknown in _unknown(law)]


def _short(value: NumericValue) -> str:
    return f"{float(value):.6g}"
