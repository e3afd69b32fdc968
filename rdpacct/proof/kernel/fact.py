"""Facts: what the kernel has established, with everything that it rests on.

Only the rules make them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from rdpacct.exact.formula import Expr
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.laws import Law
from rdpacct.proof.kernel.terms import Expectation, Refused, atoms, atoms_of


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
            raise Refused(f"{atom} is no expectation.")
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
        return f"on {self.law.name}"


@dataclass(frozen=True)
class Whole:
    """The symbol is a whole number, and at least ``start``."""

    name: str
    start: int

    def symbols(self) -> frozenset[str]:
        """What is free in the condition."""
        return frozenset({self.name})

    def __str__(self) -> str:
        return f"{self.name} = {self.start}, {self.start + 1}, ..."


Condition: TypeAlias = Comparison | On | Whole


@dataclass(frozen=True)
class Hypothesis:
    """A statement that was assumed: for all values of ``every`` in the domain, the relation
    holds.
    """

    relation: Comparison
    domain: tuple[Condition, ...] = ()
    every: tuple[str, ...] = ()

    def free(self) -> frozenset[str]:
        """The symbols that stand for fixed quantities in it; random variables stand for all their
        values.
        """
        random = {
            name
            for one in atoms_of(self.relation)
            if isinstance(one, Expectation)
            for name in one.law.variables
        }
        return (
            self.relation.symbols().union(*(one.symbols() for one in self.domain))
            - set(self.every)
            - random
        )

    def __str__(self) -> str:
        where = f" for {' and '.join(map(str, self.domain))}" if self.domain else ""
        every = f", for all {', '.join(self.every)}" if self.every else ""
        return f"{self.relation}{where}{every}"


_KEY = object()


class Fact:
    """For all values of its symbols in the domain: the statement, if the hypotheses hold; axioms
    are named.
    """

    __slots__ = (
        "axioms",
        "certificates",
        "domain",
        "hypotheses",
        "loose",
        "parents",
        "rule",
        "statement",
    )

    def __init__(
        self,
        key: object,
        rule: str,
        statement: Comparison | Integrable,
        parents: tuple[Fact, ...],
        domain: Iterable[Condition],
        hypotheses: Iterable[Hypothesis],
        axioms: Iterable[str],
        certificates: tuple[dict[str, Any], ...],
        loose: frozenset[Expr] = frozenset(),
    ) -> None:
        if key is not _KEY:
            raise Refused("facts are made by the rules of the kernel only.")
        set_ = super().__setattr__
        set_("rule", rule)
        set_("statement", statement)
        set_("parents", parents)
        set_("domain", tuple(dict.fromkeys(domain)))
        set_("hypotheses", tuple(dict.fromkeys(hypotheses)))
        set_("axioms", frozenset(axioms))
        set_("certificates", certificates)
        set_("loose", loose)

    rule: str
    statement: Comparison | Integrable
    parents: tuple[Fact, ...]
    domain: tuple[Condition, ...]
    hypotheses: tuple[Hypothesis, ...]
    axioms: frozenset[str]
    certificates: tuple[dict[str, Any], ...]
    loose: frozenset[Expr]
    """Expectations that were only put in for a number: the fact does not show that they are
    finite.
    """

    def __setattr__(self, name: str, value: object) -> None:
        raise Refused("a fact does not change.")

    @property
    def relation(self) -> Comparison:
        """The relation that holds; refused for a statement of finiteness."""
        if not isinstance(self.statement, Comparison):
            raise Refused(f"this is no relation: {self.statement}.")
        return self.statement

    @property
    def integrable(self) -> Integrable:
        """The finiteness that holds; refused for a relation."""
        if not isinstance(self.statement, Integrable):
            raise Refused(f"this says nothing of finiteness: {self.statement}.")
        return self.statement

    def all_parents(self) -> Iterator[Fact]:
        """The facts that this one was made from, each once, the deepest first, and itself last."""
        seen = set[int]()

        def walk(fact: Fact) -> Iterator[Fact]:
            if id(fact) not in seen:
                seen.add(id(fact))
                for parent in fact.parents:
                    yield from walk(parent)
                yield fact

        return walk(self)

    def all_certificates(self) -> list[dict[str, Any]]:
        """The certificates of all side conditions, each once."""
        found = {
            str(one["claim"]): one
            for fact in self.all_parents()
            for one in fact.certificates
        }
        return list(found.values())

    def __str__(self) -> str:
        where = f"  for {' and '.join(map(str, self.domain))}" if self.domain else ""
        return f"{self.statement}{where}"


def almost_surely(statement: Comparison | Integrable) -> list[On]:
    """A statement about conditional expectations speaks of the points of their laws only."""
    if isinstance(statement, Integrable):
        if statement.given:
            return [On(statement.law)]
        return []
    return [
        On(atom.law)
        for atom in atoms_of(statement)
        if isinstance(atom, Expectation) and atom.given
    ]


def make(
    rule: str,
    statement: Comparison | Integrable,
    parents: tuple[Fact, ...] = (),
    *,
    domain: Iterable[Condition] | None = None,
    hypotheses: Iterable[Hypothesis] | None = None,
    axioms: Iterable[str] = (),
    certificates: Iterable[dict[str, Any]] = (),
    put_in: Iterable[Expr] = (),
) -> Fact:
    """A fact; what its parents rest on is inherited unless a rule has accounted for it. For the
    rules only.

    ``put_in`` are formulas that the rule took from its caller; their expectations may be infinite.
    """
    for symbol in statement.symbols():
        if symbol.startswith("atom_"):
            raise Refused(f"the name {symbol} is kept for the kernel.")
    if isinstance(statement, Comparison) and statement.sign not in ("<", "<=", "=="):
        raise Refused("the kernel states <, <= and == only; turn the sides.")
    where = (
        [one for fact in parents for one in fact.domain] if domain is None else domain
    )
    return Fact(
        _KEY,
        rule,
        statement,
        parents,
        (*where, *almost_surely(statement)),
        (
            (one for fact in parents for one in fact.hypotheses)
            if hypotheses is None
            else hypotheses
        ),
        {*axioms, *(name for fact in parents for name in fact.axioms)},
        tuple(certificates),
        _loose(parents, put_in),
    )


def _loose(parents: tuple[Fact, ...], put_in: Iterable[Expr]) -> frozenset[Expr]:
    """The expectations that were put in here or in a parent, without those that a parent shows to
    be finite.
    """
    found = {one for expr in put_in for one in atoms(expr)}.union(
        *(parent.loose for parent in parents)
    )
    if found:
        return frozenset(found - {one for parent in parents for one in _finite(parent)})
    return frozenset()


def _finite(fact: Fact) -> set[Expr]:
    """The expectations that a fact shows to be finite."""
    one = fact.statement
    if isinstance(one, Integrable):
        return {Expectation(one.law, one.body, one.given)}
    return atoms_of(one) - fact.loose
