"""Terms of the kernel: formulas that may contain expectations under a law, and quantities known
only by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from rdpacct.exact.formula import (
    Apply,
    Expr,
    Power,
    Rational,
    Real,
    Symbol,
    formula,
    power,
)
from rdpacct.proof.claim import Comparison
from rdpacct.proof.language import KERNEL_FUNCTIONS, read_comparisons

if TYPE_CHECKING:
    from rdpacct.proof.kernel.laws import Law


KEPT = 1 << 16
"""How many formulas are remembered with what was found in them, which depends on nothing else."""


Binders: TypeAlias = tuple[tuple[Any, tuple[str, ...]], ...]
"""Laws, from the outermost to the innermost, each with what is given."""


class Refused(Exception):
    """A rule did not make a fact, and why."""


@dataclass(frozen=True, slots=True, eq=False)
class Expectation(Expr):
    """E[body | given] under a law; it binds the variables of the law that are not given."""

    law: Law
    body: Expr
    given: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not set(self.given) <= set(self.law.variables):
            raise Refused(f"what is given is not among the variables of {self}.")
        if self.given != tuple(sorted(set(self.given))):
            raise Refused(f"what is given is not in order in {self}.")

    def _free(self) -> frozenset[str]:
        """The parameters that occur, and what is conditioned on."""
        return (
            (self.body.symbols() - set(self.law.variables))
            | set(self.given)
            | self.law.parameters()
        )

    def at(self, **values: Real) -> Expr:
        """Parameters replaced; the random variables of the law are neither replaced nor
        captured.
        """
        relevant = {
            name: formula(value)
            for name, value in values.items()
            if name in self.symbols()
        }
        random = set(self.law.variables)
        if random & relevant.keys() or any(
            value.symbols() & random for value in relevant.values()
        ):
            raise Refused(
                f"a replacement would capture a random variable of {self.law.name} in"
                f" {self}."
            )
        if relevant:
            return Expectation(
                self.law.at(**relevant), self.body.at(**relevant), self.given
            )
        return self

    def _written(self) -> str:
        given = f" | {', '.join(self.given)}" if self.given else ""
        return f"E_{self.law.label}[{self.body}{given}]"


@dataclass(frozen=True, slots=True, eq=False)
class Quantity(Expr):
    """A real number that is known only by its name and by what it depends on, such as M(k)."""

    name: str
    arguments: tuple[Expr, ...]

    def parts(self) -> tuple[Expr, ...]:
        return self.arguments

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return Quantity(self.name, parts)

    def _written(self) -> str:
        return f"{self.name}({', '.join(map(str, self.arguments))})"


def E(law: Law, body: Real, given: tuple[str, ...] | str = ()) -> Expr:  # noqa: N802
    """The expectation of a formula under a law, conditional on some of its variables."""
    names = (given,) if isinstance(given, str) else given
    unknown = set(names) - set(law.variables)
    if unknown:
        raise Refused(
            f"{law.name} has no variable {', '.join(sorted(unknown))} to condition on."
        )
    return Expectation(law, formula(body), tuple(sorted(set(names))))


def at_most(left: Real, right: Real) -> Comparison:
    """left <= right."""
    return Comparison(formula(left), "<=", formula(right))


def below(left: Real, right: Real) -> Comparison:
    """left < right."""
    return Comparison(formula(left), "<", formula(right))


def equal(left: Real, right: Real) -> Comparison:
    """left == right."""
    return Comparison(formula(left), "==", formula(right))


def relations(*texts: str | Comparison) -> tuple[Comparison, ...]:
    """Relations from texts such as ``0 < p < 1``, in the shape that the kernel compares: < <= ==
    only.
    """
    read = list[Comparison]()
    for text in texts:
        read += (
            read_comparisons(text, KERNEL_FUNCTIONS)
            if isinstance(text, str)
            else [text]
        )
    return tuple(
        _shaped(fold(comparison.left), comparison.sign, fold(comparison.right))
        for comparison in read
    )


def relation(text: str | Comparison) -> Comparison:
    """The one relation of a text."""
    (comparison,) = relations(text)
    return comparison


def _shaped(left: Expr, sign: str, right: Expr) -> Comparison:
    if sign in (">", ">="):
        return Comparison(right, "<" if sign == ">" else "<=", left)
    if sign == "!=":
        raise Refused("the kernel has no facts with !=; state two strict relations.")
    return Comparison(left, sign, right)


@lru_cache(KEPT)
def fold(expr: Expr) -> Expr:
    """The formula as arithmetic on it would have built it."""
    if isinstance(expr, Expectation):
        return Expectation(expr.law, fold(expr.body), expr.given)
    if expr.parts():
        return expr.rebuild(tuple(map(fold, expr.parts())))
    return expr


def replace(comparison: Comparison, values: Mapping[str, Real]) -> Comparison:
    """The relation with symbols replaced."""
    return Comparison(
        comparison.left.at(**values), comparison.sign, comparison.right.at(**values)
    )


@lru_cache(KEPT)
def atoms(expr: Expr) -> tuple[Expr, ...]:
    """The outermost expectations and named quantities of a formula."""
    if isinstance(expr, Expectation | Quantity):
        return (expr,)
    return tuple(atom for part in expr.parts() for atom in atoms(part))


@lru_cache(KEPT)
def outermost(expr: Expr) -> tuple[Expectation, ...]:
    """The expectations of a formula that stand in no other one."""
    if isinstance(expr, Expectation):
        return (expr,)
    return tuple(
        expectation for part in expr.parts() for expectation in outermost(part)
    )


def expectations(expr: Expr) -> Iterator[Expectation]:
    """All expectations of a formula, also those inside of others."""
    for expectation in outermost(expr):
        yield expectation
        yield from expectations(expectation.body)


def places(tops: Iterable[Expectation]) -> set[tuple[Binders | None, Expectation]]:
    """These expectations and all inside of them, each with the laws of those that it stands in, if
    these bind a variable of it.
    """
    placed = set[tuple[Binders | None, Expectation]]()
    for top in tops:
        placed.add((None, top))
        placed |= _inner(top, (), frozenset())
    return placed


def _inner(
    here: Expectation, around: Binders, outside: frozenset[str]
) -> set[tuple[Binders | None, Expectation]]:
    bound = outside | (set(here.law.variables) - set(here.given))
    binders = (*around, (here.law, here.given))
    placed = set[tuple[Binders | None, Expectation]]()
    for expectation in outermost(here.body):
        placed.add((binders if expectation.symbols() & bound else None, expectation))
        placed |= _inner(expectation, binders, bound)
    return placed


def atoms_of(comparison: Comparison) -> set[Expr]:
    """The outermost expectations and named quantities of a relation."""
    return {*atoms(comparison.left), *atoms(comparison.right)}


def abstract(expr: Expr, names: dict[Expr, str]) -> Expr:
    """The formula with each atom replaced by a variable of its own, the same one wherever the atom
    stands.
    """
    if isinstance(expr, Expectation | Quantity):
        return Symbol(names.setdefault(expr, f"atom_{len(names) + 1}"))
    if not atoms(expr):
        return fold(expr)
    if expr.parts():
        return expr.rebuild(tuple(abstract(part, names) for part in expr.parts()))
    return expr


def conditions(expr: Expr) -> list[tuple[Expr, str]]:
    """What must hold for a formula to be defined: (formula, sign against 0), sign one of > >=
    !=.
    """
    requirements = [
        requirement for part in expr.parts() for requirement in conditions(part)
    ]
    if isinstance(expr, Apply) and expr.function in ("log", "sqrt"):
        requirements.append(
            (expr.arguments[0], ">" if expr.function == "log" else ">=")
        )
    if isinstance(expr, Power):
        if not (
            isinstance(expr.exponent, Rational) and expr.exponent.value.denominator == 1
        ):
            requirements.append((expr.base, ">"))
        elif expr.exponent.value < 0:
            requirements.append((expr.base, "!="))
    return requirements


def unseen(expr: Expr, change: Callable[[Expr], Expr]) -> list[tuple[Expr, str]]:
    """What must hold for a changed formula to be defined as it stands, and is no longer seen when
    it is folded: 0 log(y) becomes 0, whatever y is. True relations between numbers are left out.
    """
    seen = set(conditions(change(expr)))
    moved = dict.fromkeys((change(part), sign) for part, sign in conditions(expr))
    return [one for one in moved if one not in seen and not _is_plainly(*one)]


def _is_plainly(part: Expr, sign: str) -> bool:
    if not isinstance(part, Rational):
        return False
    return {">": part.value > 0, ">=": part.value >= 0, "!=": part.value != 0}[sign]


def stay_defined(
    old: tuple[Comparison, ...],
    new: tuple[Comparison, ...],
    values: Mapping[str, Real],
) -> None:
    """Refuse values at which relations would no longer say where they are defined."""
    for comparison in old:
        for side in (comparison.left, comparison.right):
            for part, sign in unseen(side, lambda expr: expr.at(**values)):
                bounds = {below(0, part)} | (
                    {at_most(0, part)} if sign == ">=" else set()
                )
                if not bounds & {*new}:
                    raise Refused(f"{comparison} may be undefined at these values.")


def derivative(expr: Expr, name: str) -> Expr:
    """The derivative of a formula by one of its symbols, where it is differentiable."""
    if name not in expr.symbols():
        return formula(0)
    if isinstance(expr, Symbol):
        return formula(1)
    parts = expr.parts()
    if isinstance(expr, Power):
        base, exponent = parts
        if name not in exponent.symbols():
            return exponent * power(base, exponent - 1) * derivative(base, name)
        return expr * (
            derivative(exponent, name) * Apply("log", (base,))
            + exponent * derivative(base, name) / base
        )
    if isinstance(expr, Apply):
        return _outer_derivative(expr) * derivative(parts[0], name)
    changes = [derivative(part, name) for part in parts]
    if type(expr).__name__ == "Sum":
        return sum(changes, formula(0))
    if type(expr).__name__ == "Product":
        terms = [
            expr.rebuild((*parts[:i], change, *parts[i + 1 :]))
            for i, change in enumerate(changes)
        ]
        return sum(terms, formula(0))
    raise Refused(f"there is no derivative of {expr} by {name}.")


def _outer_derivative(expr: Apply) -> Expr:
    inner = expr.arguments[0]
    if expr.function == "exp":
        return expr
    if expr.function == "log":
        return 1 / inner
    if expr.function == "sqrt":
        return 1 / (2 * expr)
    if expr.function in ("erf", "erfc"):
        sign = 2 if expr.function == "erf" else -2
        return (
            sign * Apply("exp", (-inner * inner,)) / Apply("sqrt", (Apply("pi", ()),))
        )
    if expr.function == "cosh":
        return Apply("sinh", (inner,))
    if expr.function == "sinh":
        return Apply("cosh", (inner,))
    if expr.function == "cos":
        return -Apply("sin", (inner,))
    if expr.function == "sin":
        return Apply("cos", (inner,))
    if expr.function == "tanh":
        return 1 - expr * expr
    raise Refused(f"there is no derivative of {expr.function}.")
