"""Laws: what expectations are taken under.

A law is any that has these variables and, almost surely, this support. What cannot be a law,
whatever the numbers, is refused when it is made; whether there is one for given numbers is a
condition of every fact about it, until a rule shows it (``existence.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import terms
from rdpacct.proof.kernel.stretch import Stretch


def _needed() -> Any:
    raise terms.Refused("a law of this kind is not described in full.")


@dataclass(frozen=True)
class Law:
    """An arbitrary joint law of some real random variables that satisfy ``support`` almost
    surely.
    """

    name: str
    variables: tuple[str, ...]
    support: tuple[Comparison, ...] = ()

    def __post_init__(self) -> None:
        if type(self) not in KINDS:
            raise terms.Refused(f"{type(self).__name__} is not a kind of law.")
        if len(set(self.variables)) != len(self.variables):
            raise terms.Refused(f"{self.name} has a variable twice.")
        if any(name.startswith("atom_") for name in self.variables):
            raise terms.Refused("names that begin with atom_ are kept for the kernel.")
        for limit in self.support:
            _is_shaped(limit)
        described = [
            *self._formulas(),
            *(side for limit in self.support for side in (limit.left, limit.right)),
        ]
        if any(True for expr in described for _ in terms.atoms(expr)):
            raise terms.Refused(f"{self.name} is described by an expectation.")
        self._is_formed()

    def __init_subclass__(cls) -> None:
        if "KINDS" in globals():
            raise terms.Refused(f"{cls.__name__} is not a kind of law.")

    def _is_formed(self) -> None:
        """Refuse what no numbers make a law."""

    def _is_free_of(self, names: tuple[str, ...], *exprs: Expr | None) -> None:
        """Refuse formulas of the law that speak of its own variables."""
        for expr in exprs:
            if expr is not None and expr.symbols() & set(names):
                raise terms.Refused(
                    f"{self.name} is described by its own variable: {expr}."
                )

    def _extends(self, base: Law) -> None:
        """Refuse anything else than a base with one more variable."""
        if self.variables[:-1] != base.variables or self.support != base.support:
            raise terms.Refused(
                f"{self.name} is not {base.name} with one more variable."
            )
        if self.variables[-1] in base.parameters():
            raise terms.Refused(f"{base.name} already speaks of {self.variables[-1]}.")

    @property
    def label(self) -> str:
        """The name under which it is printed."""
        return self.name

    def parameters(self) -> frozenset[str]:
        """The symbols that the law depends on."""
        return self._parameters

    @cached_property
    def _parameters(self) -> frozenset[str]:
        free = frozenset[str]().union(
            *(limit.symbols() for limit in self.support),
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

    def surely_covers(self, other: Law) -> bool:
        """What holds almost surely under the other law, for each value of the variables that this
        one adds, holds almost surely here: those are independent or have finitely many values.
        """
        return self == other or any(
            base.surely_covers(other) for base in self._loosely_extended()
        )

    def _loosely_extended(self) -> tuple[Law, ...]:
        return self.bases()

    def at(self, **values: Real) -> Self:
        """The law with parameters replaced."""
        relevant = {name: values[name] for name in values.keys() & self.parameters()}
        if not relevant:
            return self
        for value in relevant.values():
            if formula(value).symbols() & set(self.variables):
                raise terms.Refused(f"{value} would become random in {self.name}.")
        support = tuple(terms.replace(limit, relevant) for limit in self.support)
        terms.stay_defined(self.support, support, relevant)
        moved = {
            "support": support,
            **self._at(relevant),
        }
        return replace(self, **moved)

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

    rows: tuple[tuple[tuple[Expr, ...], Expr], ...] = field(default_factory=_needed)

    def _is_formed(self) -> None:
        for point, _ in self.rows:
            if len(point) != len(self.variables):
                raise terms.Refused(f"a row of {self.name} has another length.")
        self._is_free_of(self.variables, *self._formulas())

    def _formulas(self) -> list[Expr]:
        return [expr for values, mass in self.rows for expr in (*values, mass)]

    def _at(self, values: Mapping[str, Real]) -> dict[str, Any]:
        new = (
            (tuple(v.at(**values) for v in point), mass.at(**values))
            for point, mass in self.rows
        )
        return {"rows": tuple(new)}


@dataclass(frozen=True)
class Density(Law):
    """A law of one variable that has a density on each of some intervals, and no other mass."""

    pieces: tuple[Stretch, ...] = field(default_factory=_needed)

    def _is_formed(self) -> None:
        if len(self.variables) != 1:
            raise terms.Refused(f"{self.name} must have one variable.")
        for piece in self.pieces:
            if type(piece) is not Stretch:
                raise terms.Refused(f"{piece} is not a piece of a density.")
            self._is_free_of(self.variables, piece.lower, piece.upper)

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

    base: Law = field(default_factory=_needed)
    weights: tuple[tuple[Expr, Expr], ...] = field(default_factory=_needed)

    def _is_formed(self) -> None:
        self._extends(self.base)
        drawn = (expr for pair in self.weights for expr in pair)
        self._is_free_of(self.variables[-1:], *drawn)

    def _formulas(self) -> list[Expr]:
        return [
            *(expr for pair in self.weights for expr in pair),
            *map(Symbol, self.base.parameters()),
        ]

    def bases(self) -> tuple[Law, ...]:
        return (self.base,)

    def _loosely_extended(self) -> tuple[Law, ...]:
        values = (value.symbols() for value, _ in self.weights)
        if frozenset[str]().union(*values) & set(self.base.variables):
            return ()
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

    base: Law = field(default_factory=_needed)
    happens: Comparison = field(default_factory=_needed)

    def _is_formed(self) -> None:
        self._extends(self.base)
        _is_shaped(self.happens)
        self._is_free_of(self.variables[-1:], self.happens.left, self.happens.right)

    def _formulas(self) -> list[Expr]:
        return [
            self.happens.left,
            self.happens.right,
            *map(Symbol, self.base.parameters()),
        ]

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

    first: Law = field(default_factory=_needed)
    second: Law = field(default_factory=_needed)

    def _is_formed(self) -> None:
        first, second = self.first, self.second
        if (
            self.variables != first.variables + second.variables
            or self.support != first.support + second.support
        ):
            raise terms.Refused(
                f"{self.name} is not {first.name} beside {second.name}."
            )
        for law, other in ((first, second), (second, first)):
            for name in law.variables:
                if name in other.parameters():
                    raise terms.Refused(f"{other.name} already speaks of {name}.")

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

    base: Law = field(default_factory=_needed)
    ratio: Expr = field(default_factory=_needed)

    def _is_formed(self) -> None:
        if (self.variables, self.support) != (self.base.variables, self.base.support):
            raise terms.Refused(
                f"{self.name} does not have the points of {self.base.name}."
            )

    def _formulas(self) -> list[Expr]:
        return [self.ratio, *(Symbol(name) for name in self.base.parameters())]

    def _at(self, values: Mapping[str, Real]) -> dict[str, Any]:
        return {"base": self.base.at(**values), "ratio": self.ratio.at(**values)}


@dataclass(frozen=True)
class Exchangeable(Law):
    """``count`` random variables whose joint law no permutation changes: the last of them, and the
    sum of all.
    """

    count: Expr = field(default_factory=_needed)

    def _is_formed(self) -> None:
        if len(self.variables) < 2:
            raise terms.Refused(f"{self.name} needs the last variable and the sum.")
        self._is_free_of(self.variables, *self._formulas())

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

    rank: Expr = field(default_factory=_needed)

    def _is_formed(self) -> None:
        super()._is_formed()
        if (self.variables, self.support) != ranked_support(self.count, self.rank):
            raise terms.Refused(f"{self.name} is not the law of a rank.")

    def _formulas(self) -> list[Expr]:
        return [self.count, self.rank]

    def _at(self, values: Mapping[str, Real]) -> dict[str, Any]:
        count = self.count.at(**values)
        rank = self.rank.at(**values)
        support = ranked_support(count, rank)[1]
        return {"count": count, "rank": rank, "support": support}


@dataclass(frozen=True)
class Lattice(Law):
    """A law of one variable on the integers: the probability of each is proportional to its
    weight.
    """

    weight: Expr = field(default_factory=_needed)

    def _is_formed(self) -> None:
        if len(self.variables) != 1 or self.support:
            raise terms.Refused(
                f"{self.name} is on all integers and has no other support."
            )

    def _formulas(self) -> list[Expr]:
        return [self.weight]

    def _at(self, values: Mapping[str, Real]) -> dict[str, Any]:
        return {"weight": self.weight.at(**values)}


@dataclass(frozen=True)
class Chain(Law):
    """One law of a sequence, that of the number ``index``, counted from 0: of what came before, and
    of what is new.

    The first variables, as many as ``start`` has, are the past. At 0 they are ``start``. At each
    next number they have the law that ``update`` has at the number before: what is new there was
    taken in. The new variables are any, given the past; but the first ones, with ``fresh``, are
    independent of it and of that law. An index that is not whole stands for the largest one
    below, or for 0.
    """

    start: tuple[Expr, ...] = field(default_factory=_needed)
    update: tuple[Expr, ...] = field(default_factory=_needed)
    index: Expr = field(default_factory=_needed)
    fresh: Law | None = None

    def _is_formed(self) -> None:
        if not 0 < len(self.update) == len(self.start) < len(self.variables):
            raise terms.Refused(f"{self.name} needs a past, and something new.")
        self._is_free_of(self.variables, *self.start, self.index)
        if self.fresh is None:
            return
        if self.fresh.variables != self.new[: len(self.fresh.variables)]:
            raise terms.Refused(f"{self.fresh.name} is not a law of what is new.")
        if self.fresh.parameters() & set(self.variables):
            raise terms.Refused(f"{self.fresh.name} may not speak of the past.")

    @property
    def label(self) -> str:
        return f"{self.name}({self.index})"

    @property
    def past(self) -> tuple[str, ...]:
        """The variables of what came before."""
        return self.variables[: len(self.start)]

    @property
    def new(self) -> tuple[str, ...]:
        """The other variables."""
        return self.variables[len(self.start) :]

    @property
    def sequence(self) -> Chain:
        """The whole sequence, by its first law."""
        return replace(self, index=formula(0))

    @property
    def next(self) -> Chain:
        """The next law of the sequence."""
        return replace(self, index=self.index + 1)

    def _formulas(self) -> list[Expr]:
        drawn = self.fresh.parameters() if self.fresh else frozenset[str]()
        return [*self.start, *self.update, self.index, *map(Symbol, drawn)]

    def _at(self, values: Mapping[str, Real]) -> dict[str, Any]:
        return {
            "start": tuple(expr.at(**values) for expr in self.start),
            "update": tuple(expr.at(**values) for expr in self.update),
            "index": self.index.at(**values),
            "fresh": self.fresh and self.fresh.at(**values),
        }


KINDS = (
    Law,
    Table,
    Density,
    Draw,
    Event,
    Independent,
    Tilted,
    Exchangeable,
    Ranked,
    Lattice,
    Chain,
)
"""All kinds of laws: a class of somebody else is none."""


def built_on(law: Law) -> Iterator[Law]:
    """The law, and those that it is built on."""
    yield law
    for base in law.bases():
        yield from built_on(base)
    if isinstance(law, Tilted):
        yield from built_on(law.base)
    if isinstance(law, Chain):
        yield law.sequence
        if law.fresh:
            yield from built_on(law.fresh)


def ranked_support(
    count: Expr, rank: Expr
) -> tuple[tuple[str, ...], tuple[Comparison, ...]]:
    """The variables of a law of ranks, and what holds of them."""
    last = Symbol("last")
    total = Symbol("total")
    return ("last", "total"), (
        terms.at_most(0, last),
        terms.at_most(last, 1),
        terms.at_most(total, count - rank),
    )


def _is_shaped(relation: Comparison) -> None:
    """Refuse a relation that is not written with < <= or ==."""
    if type(relation) is not Comparison or relation.sign not in ("<", "<=", "=="):
        raise terms.Refused(
            f"turn the sides of {relation}; laws have < <= and == only."
        )
