"""Derivations written down: what is kept of an entry, and the lines that its facts are made of.

Writing is not trusted: what is written is read by the kernel (``kernel/derivation.py``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any

from rdpacct.exact.formula import (
    Apply,
    Expr,
    Power,
    Product,
    Rational,
    Sum,
    Symbol,
)
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.fact import Fact
from rdpacct.proof.kernel.laws import Law
from rdpacct.proof.kernel.statements import Exists, On, Whole
from rdpacct.proof.kernel.stretch import Stretch
from rdpacct.proof.kernel.terms import Expectation, Quantity, Refused

WrittenLine = list[Any]


@dataclass(frozen=True)
class Record:
    """What is kept of an entry: a digest of its text, the steps of each part as numbers of lines
    with words, for each falsehood what refutes it, and the witness of each part: an instance, and
    the lines of facts about it.
    """

    name: str
    digest: str
    parts: Mapping[str, list[tuple[int, str]]]
    falsehoods: Mapping[str, tuple[str, list[int], list[dict[str, Any]], Any]]
    witnesses: Mapping[str, tuple[Any, list[int]]] = field(default_factory=dict)


class Writer:
    """The lines of a derivation; equal formulas, laws and conditions are written once, and so are
    facts that were made in the same way from the same.
    """

    def __init__(self) -> None:
        self.lines = list[WrittenLine]()
        self._places = dict[Any, int]()
        self._facts = dict[int, tuple[int, Fact]]()
        self._made = dict[str, int]()

    def fact(self, fact: Fact) -> int:
        """The number of the line of a fact, after those that it is made from."""
        waiting = [fact]
        while waiting:
            last = waiting[-1]
            if id(last) in self._facts:
                waiting.pop()
                continue
            missing = [
                premise for premise in _facts_in(last) if id(premise) not in self._facts
            ]
            if missing:
                waiting += missing
                continue
            self._facts[id(last)] = self._add_fact(self._of_fact(last)), last
            waiting.pop()
        return self._facts[id(fact)][0]

    def _of_fact(self, fact: Fact) -> WrittenLine:
        if fact.call is None:
            raise Refused(f"it is not known how {fact} was made.")
        values = {
            name: self.value(argument) for name, argument in fact.call.kwargs.items()
        }
        return ["fact", fact.call.rule, list(map(self.value, fact.call.args)), values]

    def _add_fact(self, line: WrittenLine) -> int:
        text = json.dumps(line)
        if text not in self._made:
            self._made[text] = self._add(line)
        return self._made[text]

    def value(self, value: Any) -> Any:
        """An argument of a rule."""
        if value is None or isinstance(value, bool | str):
            return value
        if isinstance(value, int | Fraction):
            return {"number": str(value)}
        if isinstance(value, Fact):
            return self._facts[id(value)][0]
        if isinstance(value, tuple | list):
            return list(map(self.value, value))
        if isinstance(value, Mapping):
            pairs = [[self.value(k), self.value(v)] for k, v in value.items()]
            return {"pairs": pairs}
        return self.object(value)

    def object(self, value: Any) -> int:
        """The number of the line of a formula, law or condition."""
        if value not in self._places:
            self._places[value] = self._add(self._of_object(value))
        return self._places[value]

    def _add(self, line: WrittenLine) -> int:
        self.lines.append(line)
        return len(self.lines) - 1

    def _of_object(self, value: Any) -> WrittenLine:
        if isinstance(value, Expr):
            return self._of_formula(value)
        if isinstance(value, Comparison):
            return [value.sign, self.object(value.left), self.object(value.right)]
        if isinstance(value, Law):
            rest = [getattr(value, field.name) for field in fields(value)[2:]]
            kind = type(value).__name__
            return [kind, value.name, list(value.variables), *map(self.value, rest)]
        if isinstance(value, On):
            return ["on", self.object(value.law)]
        if isinstance(value, Exists):
            return ["exists", self.object(value.law)]
        if isinstance(value, Whole):
            return ["whole", value.name, str(value.start)]
        if isinstance(value, Stretch):
            ends = (value.lower, value.upper)
            written = [None if end is None else self.object(end) for end in ends]
            return ["piece", *written, self.object(value.density)]
        raise Refused(f"{value!r} cannot be written down.")

    def _of_formula(self, expr: Expr) -> WrittenLine:
        parts = list(map(self.object, expr.parts()))
        if isinstance(expr, Rational):
            return ["number", str(expr.value)]
        if isinstance(expr, Symbol):
            return ["name", expr.name]
        if isinstance(expr, Sum):
            return ["+", *parts]
        if isinstance(expr, Product):
            return ["*", *parts]
        if isinstance(expr, Power):
            return ["**", *parts]
        if isinstance(expr, Apply):
            return ["of", expr.function, *parts]
        if isinstance(expr, Expectation):
            law = self.object(expr.law)
            return ["E", law, self.object(expr.body), *expr.given]
        if isinstance(expr, Quantity):
            return ["unknown", expr.name, *parts]
        raise Refused(f"{expr} cannot be written down.")


def _facts_in(fact: Fact) -> list[Fact]:
    """The facts that the call of a fact was given."""
    facts = list[Fact]()

    def walk(value: Any) -> None:
        if isinstance(value, Fact):
            facts.append(value)
        elif isinstance(value, tuple | list):
            for part in value:
                walk(part)
        elif isinstance(value, Mapping):
            for key, part in value.items():
                walk(key)
                walk(part)

    if fact.call is not None:
        walk(fact.call.args)
        walk(tuple(fact.call.kwargs.values()))
    return facts
