"""Statements and conditions of the kernel: what a fact says, where, and what that speaks of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from rdpacct.exact.formula import Expr
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.laws import Chain, Event, Independent, Law, built_on
from rdpacct.proof.kernel.terms import (
    Binders,
    Expectation,
    Refused,
    expectations,
    outermost,
    places,
)


@dataclass(frozen=True)
class Integrable:
    """E[ |body| given these variables ] is finite, almost surely."""

    law: Law
    body: Expr
    given: tuple[str, ...] = ()

    def symbols(self) -> frozenset[str]:
        """What is free in the statement."""
        return Expectation(self.law, self.body, self.given).symbols()

    def moved(self, change: Callable[[Expr], Expr]) -> Integrable:
        """The same of a changed expectation."""
        atom = change(Expectation(self.law, self.body, self.given))
        if not isinstance(atom, Expectation):
            raise Refused(f"{atom} is not an expectation.")
        return Integrable(atom.law, atom.body, atom.given)

    def __str__(self) -> str:
        return f"{Expectation(self.law, self.body, self.given)} is finite"


@dataclass(frozen=True)
class On:
    """The point lies in the support of the law and its indicator and drawn variables are what they
    should be.
    """

    law: Law

    def symbols(self) -> frozenset[str]:
        """What is free in the condition."""
        return frozenset(self.law.variables) | self.law.parameters()

    def __str__(self) -> str:
        return f"on {self.law.label}"


@dataclass(frozen=True)
class Exists:
    """There is such a law: its masses are probabilities, and some point is in its support.

    As a condition, a fact about the law says nothing where there is none. As a statement, it is
    shown by a rule.
    """

    law: Law

    def symbols(self) -> frozenset[str]:
        """What is free in it."""
        return self.law.parameters()

    def __str__(self) -> str:
        return f"{self.law.name} is a law"


@dataclass(frozen=True)
class Whole:
    """The symbol is a whole number, and at least ``start``."""

    name: str
    start: int

    def __post_init__(self) -> None:
        if type(self.start) is not int:
            raise Refused(f"whole numbers do not start at {self.start}.")

    def symbols(self) -> frozenset[str]:
        """What is free in the condition."""
        return frozenset({self.name})

    def __str__(self) -> str:
        return f"{self.name} = {self.start}, {self.start + 1}, ..."


Condition: TypeAlias = Comparison | On | Whole | Exists
Proposition: TypeAlias = Comparison | Integrable | Exists


@dataclass(frozen=True)
class Hypothesis:
    """A statement that was assumed: for all values of ``every`` in the domain, the relation
    holds.
    """

    relation: Comparison
    domain: tuple[Condition, ...] = ()
    every: tuple[str, ...] = ()

    def bound(self) -> frozenset[str]:
        """The symbols that it speaks of for all their values, or almost all: ``every``, and the
        variables of the laws on which it holds.
        """
        random = (
            condition.law.variables
            for condition in self.domain
            if isinstance(condition, On)
        )
        return frozenset(self.every).union(*random)

    def free(self) -> frozenset[str]:
        """The symbols that stand for fixed quantities in it."""
        stated = (condition.symbols() for condition in self.domain)
        return self.relation.symbols().union(*stated) - self.bound()

    def __str__(self) -> str:
        shown = [
            condition for condition in self.domain if not isinstance(condition, Exists)
        ]
        where = f" for {' and '.join(map(str, shown))}" if shown else ""
        every = f", for all {', '.join(self.every)}" if self.every else ""
        return f"{self.relation}{where}{every}"


@dataclass(frozen=True)
class Believed:
    """An axiom in full: under its name, the relation, for all values in the domain, if the
    hypotheses hold.
    """

    name: str
    relation: Comparison
    domain: tuple[Condition, ...] = ()
    hypotheses: tuple[Hypothesis, ...] = ()

    def __str__(self) -> str:
        where = f" for {' and '.join(map(str, self.domain))}" if self.domain else ""
        return f"{self.relation}{where}"


def expectations_of(statement: Proposition) -> set[Expectation]:
    """All expectations that a statement speaks of, also those inside of others."""
    if isinstance(statement, Exists):
        return set()
    if isinstance(statement, Integrable):
        expectation = Expectation(statement.law, statement.body, statement.given)
        return set(expectations(expectation))
    return {*expectations(statement.left), *expectations(statement.right)}


def free_expectations(statement: Proposition) -> set[Expectation]:
    """The expectations of a statement that depend on no variable which another one binds."""
    return {
        expectation
        for within, expectation in placed_expectations(statement)
        if within is None
    }


def placed_expectations(
    statement: Proposition,
) -> set[tuple[Binders | None, Expectation]]:
    """All expectations of a statement, each with the laws that bind a variable of it."""
    if isinstance(statement, Exists):
        return set()
    if isinstance(statement, Integrable):
        return places([Expectation(statement.law, statement.body, statement.given)])
    return places([*outermost(statement.left), *outermost(statement.right)])


def laws_of(statement: Proposition) -> set[Law]:
    """The laws that a statement speaks of, and those that these are built on; not a law for each
    value of a variable that an expectation binds.
    """
    named = {expectation.law for expectation in free_expectations(statement)}
    if isinstance(statement, Exists):
        named.add(statement.law)
    return {base for law in named for base in built_on(law)}


def almost_surely(statement: Proposition) -> list[On]:
    """A statement about conditional expectations speaks of the points of their laws only; an outer
    expectation binds those of an inner one.
    """
    if isinstance(statement, Exists):
        return []
    if isinstance(statement, Integrable):
        return [On(statement.law)] if statement.given else []
    sides = (*outermost(statement.left), *outermost(statement.right))
    return list(
        dict.fromkeys(On(expectation.law) for expectation in sides if expectation.given)
    )


def existence(*laws: Law) -> list[Exists]:
    """What has to be shown for these laws to be there: an indicator, and laws side by side, are
    there if what they are built on is; a law of a sequence is there if the sequence is.
    """
    conditions = list[Exists]()
    for law in laws:
        if isinstance(law, Event | Independent):
            conditions += existence(*law.bases())
        elif isinstance(law, Chain):
            conditions.append(Exists(law.sequence))
        else:
            conditions.append(Exists(law))
    return list(dict.fromkeys(conditions))
