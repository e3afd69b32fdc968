"""Laws: what expectations are taken under.

A law is any that has these variables and, almost surely, this support.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from rdpacct.exact.formula import Expr, Real, Symbol
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import terms


@dataclass(frozen=True)
class Law:
    """An arbitrary joint law of some real random variables that satisfy ``support`` almost
    surely.
    """

    name: str
    variables: tuple[str, ...]
    support: tuple[Comparison, ...] = ()

    def parameters(self) -> frozenset[str]:
        """The symbols that the law depends on."""
        return self._parameters

    @cached_property
    def _parameters(self) -> frozenset[str]:
        free = frozenset[str]().union(
            *(one.symbols() for one in self.support),
            *(e.symbols() for e in self._formulas()),
        )
        return free - set(self.variables)

    def _formulas(self) -> list[Expr]:
        """The formulas that describe the law, besides its support."""
        return []

    def bases(self) -> tuple[Law, ...]:
        """The laws that are marginals of this one."""
        return ()

    def covers(self, other: Law) -> bool:
        """The other law is this one or a marginal of it, so that its null sets are null here."""
        return self == other or any(base.covers(other) for base in self.bases())

    def at(self, **values: Real) -> Self:
        """The law with parameters replaced."""
        if not values.keys() & self.parameters():
            return self
        return replace(
            self,
            support=tuple(terms.replace(one, values) for one in self.support),
            **self._at(values),
        )

    def _at(self, values: Mapping[str, Real]) -> dict[str, Any]:  # noqa: ARG002
        return {}

    def symbol(self, name: str) -> Expr:
        """One of its variables, as a formula."""
        if name not in self.variables:
            raise terms.Refused(f"{self.name} has no variable {name}.")
        return Symbol(name)


@dataclass(frozen=True)
class Table(Law):
    """A law on finitely many points: rows of values, one for each variable, with their
    probabilities.
    """

    rows: tuple[tuple[tuple[Expr, ...], Expr], ...] = ()

    def _formulas(self) -> list[Expr]:
        return [formula for values, mass in self.rows for formula in (*values, mass)]

    def _at(self, values: Mapping[str, Real]) -> dict[str, Any]:
        new = (
            (tuple(v.at(**values) for v in point), mass.at(**values))
            for point, mass in self.rows
        )
        return {"rows": tuple(new)}


@dataclass(frozen=True)
class Piece:
    """A density on an open interval; an end that is None is infinite."""

    lower: Expr | None
    upper: Expr | None
    density: Expr

    def where(self, name: str) -> tuple[Comparison, ...]:
        """The closed interval, as relations."""
        x = Symbol(name)
        above = (terms.at_most(self.lower, x),) if self.lower is not None else ()
        if self.upper is not None:
            return (*above, terms.at_most(x, self.upper))
        return above

    def at(self, values: Mapping[str, Real]) -> Piece:
        """The piece with parameters replaced."""
        lower, upper = (
            end if end is None else end.at(**values) for end in (self.lower, self.upper)
        )
        return Piece(lower, upper, self.density.at(**values))


@dataclass(frozen=True)
class Density(Law):
    """A law of one variable that has a density on each of some intervals, and no other mass."""

    pieces: tuple[Piece, ...] = ()

    def _formulas(self) -> list[Expr]:
        return [
            e
            for p in self.pieces
            for e in (p.lower, p.upper, p.density)
            if e is not None
        ]

    def _at(self, values: Mapping[str, Real]) -> dict[str, Any]:
        return {"pieces": tuple(piece.at(values) for piece in self.pieces)}


@dataclass(frozen=True)
class Draw(Law):
    """A law with one more variable, which takes finitely many values with probabilities that depend
    on the others.
    """

    base: Law = Law("", ())
    weights: tuple[tuple[Expr, Expr], ...] = ()

    def _formulas(self) -> list[Expr]:
        return [formula for pair in self.weights for formula in pair]

    def bases(self) -> tuple[Law, ...]:
        return (self.base,)

    def _at(self, values: Mapping[str, Real]) -> dict[str, Any]:
        new = tuple(
            (value.at(**values), weight.at(**values)) for value, weight in self.weights
        )
        return {"base": self.base.at(**values), "weights": new}

    @property
    def drawn(self) -> str:
        """The new variable."""
        return self.variables[-1]


@dataclass(frozen=True)
class Event(Law):
    """A law with one more variable, which is 1 where a relation between the others holds, and 0
    elsewhere.
    """

    base: Law = Law("", ())
    happens: Comparison = Comparison(Symbol("x"), "<", Symbol("x"))

    def _formulas(self) -> list[Expr]:
        return [self.happens.left, self.happens.right]

    def bases(self) -> tuple[Law, ...]:
        return (self.base,)

    def _at(self, values: Mapping[str, Real]) -> dict[str, Any]:
        return {
            "base": self.base.at(**values),
            "happens": terms.replace(self.happens, values),
        }


@dataclass(frozen=True)
class Independent(Law):
    """Two laws side by side, independent of each other."""

    first: Law = Law("", ())
    second: Law = Law("", ())

    def _formulas(self) -> list[Expr]:
        return [
            Symbol(name)
            for name in (*self.first.parameters(), *self.second.parameters())
        ]

    def bases(self) -> tuple[Law, ...]:
        return (self.first, self.second)

    def _at(self, values: Mapping[str, Real]) -> dict[str, Any]:
        return {"first": self.first.at(**values), "second": self.second.at(**values)}


@dataclass(frozen=True)
class Tilted(Law):
    """The law whose density with respect to the base is ``ratio``: E[x] is the base's E[ratio
    x].
    """

    base: Law = Law("", ())
    ratio: Expr = Symbol("R")

    def _formulas(self) -> list[Expr]:
        return [self.ratio, *(Symbol(name) for name in self.base.parameters())]

    def _at(self, values: Mapping[str, Real]) -> dict[str, Any]:
        return {"base": self.base.at(**values), "ratio": self.ratio.at(**values)}


@dataclass(frozen=True)
class Exchangeable(Law):
    """``count`` random variables whose joint law no permutation changes: the last of them, and the
    sum of all.
    """

    count: Expr = Symbol("N")

    def _formulas(self) -> list[Expr]:
        return [self.count]

    def _at(self, values: Mapping[str, Real]) -> dict[str, Any]:
        return {"count": self.count.at(**values)}


@dataclass(frozen=True)
class Ranked(Exchangeable):
    """``count`` exchangeable values; ``last`` is 1 if at least ``rank`` of them are strictly below
    the last, else 0.

    Of any numbers sorted upwards, the first ``rank`` have fewer than ``rank`` below them:
    ``total``, the number of those that have at least that many, is at most ``count - rank``.
    """

    rank: Expr = Symbol("k")

    def _formulas(self) -> list[Expr]:
        return [self.count, self.rank]

    def _at(self, values: Mapping[str, Real]) -> dict[str, Any]:
        return {"count": self.count.at(**values), "rank": self.rank.at(**values)}


def ranked(name: str, count: Expr, rank: Expr) -> Ranked:
    """The law of how the last of some exchangeable values ranks among them; a rank is at most the
    count.
    """
    last = Symbol("last")
    total = Symbol("total")
    support = (
        terms.at_most(0, last),
        terms.at_most(last, 1),
        terms.at_most(total, count - rank),
    )
    return Ranked(name, ("last", "total"), support, count, rank)


def draw(base: Law, name: str, weights: Mapping[Expr, Expr]) -> Draw:
    """The law with a new variable of the given values and conditional probabilities."""
    _is_new(base, name)
    return Draw(
        f"{base.name}_{name}",
        (*base.variables, name),
        base.support,
        base,
        tuple(weights.items()),
    )


def event(base: Law, name: str, happens: Comparison | str) -> Event:
    """The law with the indicator of a relation as a new variable."""
    _is_new(base, name)
    return Event(
        f"{base.name}_{name}",
        (*base.variables, name),
        base.support,
        base,
        terms.relation(happens),
    )


def independent_of(first: Law, second: Law) -> Independent:
    """Two laws with no variable in common, side by side."""
    for name in second.variables:
        _is_new(first, name)
    support = first.support + second.support
    return Independent(
        f"{first.name}_{second.name}",
        first.variables + second.variables,
        support,
        first,
        second,
    )


def tilted(name: str, base: Law, ratio: Expr) -> Tilted:
    """The law with this density ratio to the base."""
    return Tilted(name, base.variables, base.support, base, ratio)


def _is_new(base: Law, name: str) -> None:
    if name in base.variables or name in base.parameters():
        raise terms.Refused(f"{base.name} already speaks of {name}; use another name.")
