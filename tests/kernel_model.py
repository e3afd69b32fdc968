"""Models: particular finite laws in which facts are evaluated, so that wrong ones are caught."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import floor

from rdpacct.exact.ball import Ball
from rdpacct.exact.formula import Expr, Rational
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.fact import Fact
from rdpacct.proof.kernel.laws import (
    Chain,
    Draw,
    Event,
    Independent,
    Law,
    Table,
    Tilted,
)
from rdpacct.proof.kernel.statements import Condition, Exists, Whole
from rdpacct.proof.kernel.terms import Expectation, Refused, abstract

BITS = 200
Value = Fraction | Ball
Row = tuple[dict[str, Value], Value]
Drawn = Callable[[int, Mapping[str, Value]], list[Row]]
"""What is new in a sequence, by its number and the past."""


@dataclass(frozen=True)
class Model:
    """Values of the parameters, and a table of rows (values, probability) for each arbitrary law,
    by its name.
    """

    parameters: Mapping[str, Value]
    tables: Mapping[str, list[Row]] = field(default_factory=dict)
    sequences: Mapping[str, Drawn] = field(default_factory=dict)

    def rows(self, law: Law) -> list[Row]:
        """The table of a law."""
        if law.name in self.tables:
            return self.tables[law.name]
        if isinstance(law, Table):
            return [
                (
                    {
                        n: self.value(v, {})
                        for n, v in zip(law.variables, point, strict=True)
                    },
                    self.value(mass, {}),
                )
                for point, mass in law.rows
            ]
        if isinstance(law, Draw):
            return [
                (
                    {**point, law.drawn: self.value(value, point)},
                    mass * self.value(weight, point),
                )
                for point, mass in self.rows(law.base)
                for value, weight in law.weights
            ]
        if isinstance(law, Event):
            name = law.variables[-1]
            return [
                (
                    {
                        **point,
                        name: Fraction(int(self.relation(law.happens, point) is True)),
                    },
                    mass,
                )
                for point, mass in self.rows(law.base)
            ]
        if isinstance(law, Independent):
            return [
                ({**one, **two}, p * q)
                for one, p in self.rows(law.first)
                for two, q in self.rows(law.second)
            ]
        if isinstance(law, Tilted):
            return [
                (point, mass * self.value(law.ratio, point))
                for point, mass in self.rows(law.base)
            ]
        if isinstance(law, Chain):
            return self._of_sequence(law)
        raise Refused(f"the model has no table for {law.name}.")

    def _of_sequence(self, law: Chain) -> list[Row]:
        """The past, number by number, and what is new after it."""
        index = self.value(law.index, {})
        if not isinstance(index, Fraction):
            raise Refused(f"{law.index} is not counted exactly.")
        number = max(0, floor(index))
        rows: list[Row] = [({}, Fraction(1))]
        exprs = law.start
        for here in range(number + 1):
            past = [
                (dict(zip(law.past, (self.value(e, p) for e in exprs), strict=True)), m)
                for p, m in rows
            ]
            rows = [
                ({**point, **new}, mass * share)
                for point, mass in past
                for new, share in self._new(law, here, point)
            ]
            exprs = law.update
        return rows

    def _new(self, law: Chain, number: int, past: Mapping[str, Value]) -> list[Row]:
        if law.fresh is None:
            return self.sequences[law.name](number, past)
        beside = law.new[len(law.fresh.variables) :]
        return [
            ({**new, **dict.fromkeys(beside, new[law.new[0]] ** 2)}, mass)
            for new, mass in self.rows(law.fresh)
        ]

    def value(self, expr: Expr, point: Mapping[str, Value]) -> Value:
        """The value of a formula at a point; exact where it is rational."""
        plain, names = _abstracted(expr)
        known: dict[str, Value] = {**self.parameters, **point}
        known |= {name: self._atom(atom, point) for atom, name in names}
        exact = plain.at(
            **{name: v for name, v in known.items() if isinstance(v, Fraction)}
        )
        if isinstance(exact, Rational):
            return exact.value
        return plain.ball(BITS, **{name: known[name] for name in plain.symbols()})

    def _atom(self, atom: Expr, point: Mapping[str, Value]) -> Value:
        if not isinstance(atom, Expectation):
            raise Refused(f"the model does not know {atom}.")
        total: Value = Fraction(0)
        mass: Value = Fraction(0)
        for there, weight in self.rows(atom.law):
            if all(_same(there[name], point[name]) for name in atom.given):
                total = total + weight * self.value(atom.body, {**point, **there})
                mass = mass + weight
        return total / mass

    def relation(self, one: Comparison, point: Mapping[str, Value]) -> bool | None:
        """Whether a relation holds at a point; None if that is too close to call."""
        gap = self.value(one.left, point) - self.value(one.right, point)
        if isinstance(gap, Fraction):
            return {"<": gap < 0, "<=": gap <= 0, "==": gap == 0}[one.sign]
        if gap.certainly_negative():
            return one.sign != "=="
        return False if gap.certainly_positive() else None

    def everywhere(
        self, one: Comparison, points: list[dict[str, Value]]
    ) -> bool | None:
        """Whether a relation holds at all of these points; None if some are too close to call and
        none fails.
        """
        found = {self.relation(one, point) for point in points}
        if False in found:
            return False
        if None in found:
            return None
        return True

    def refutes(self, fact: Fact, points: list[dict[str, Value]]) -> bool:
        """The hypotheses certainly hold at all points, and the fact certainly fails at one in its
        domain.
        """
        if any(
            self.everywhere(one.relation, points) is False for one in fact.hypotheses
        ):
            return False
        inside = [p for p in points if all(self._in(c, p) for c in fact.domain)]
        return self.everywhere(fact.relation, inside) is False

    def is_law(self, law: Law) -> bool:
        """The masses of a law are probabilities, and its points are in its support."""
        rows = self.rows(law)
        if any(not isinstance(mass, Fraction) or mass < 0 for _, mass in rows):
            return False
        if sum((mass for _, mass in rows), Fraction(0)) != 1:
            return False
        points = [point for point, mass in rows if mass != 0]
        return all(self.everywhere(one, points) is True for one in law.support)

    def _in(self, condition: Condition, point: Mapping[str, Value]) -> bool:
        if isinstance(condition, Comparison):
            return self.relation(condition, point) is True
        if isinstance(condition, Whole):
            value = {**self.parameters, **point}[condition.name]
            return (
                isinstance(value, Fraction)
                and value.denominator == 1
                and value >= condition.start
            )
        law = condition.law
        if isinstance(condition, Exists):
            return self.is_law(law)
        return any(
            all(_same(point[name], there[name]) for name in law.variables)
            for there, _ in self.rows(law)
        )


@lru_cache(maxsize=10_000)
def _abstracted(expr: Expr) -> tuple[Expr, tuple[tuple[Expr, str], ...]]:
    """A formula with variables for its atoms, and these; it is evaluated at many points."""
    names: dict[Expr, str] = {}
    plain = abstract(expr, names)
    return plain, tuple(names.items())


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return one == other
    raise Refused("conditions are on variables with exact values only.")
