"""Formulas and expectations as numbers of mpmath: sums over rows, and quadrature between kinks."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from rdpacct.errors import NotInstalledError
from rdpacct.exact.formula import Apply, Expr, Power, Product, Rational, Sum, Symbol
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.laws import (
    Chain,
    Density,
    Draw,
    Event,
    Independent,
    Lattice,
    Law,
    Table,
    Tilted,
)
from rdpacct.proof.kernel.terms import Expectation, Quantity

DIGITS = 50
REACH = 60.0
"""Kinks are looked for from -REACH to REACH."""
GRID = 480
MOST_TERMS = 20_000
MOST_STEPS = 8
"""A sequence of laws is enumerated up to this number."""
MOST_WORK = 20_000
"""How often a mean may ask for the value of its body; integrals in integrals need more."""

NumericValue = Any
"""A number of mpmath, which has no types."""
Env = Mapping[str, NumericValue]
NumericRow = tuple[dict[str, NumericValue], NumericValue]


class Unsupported(Exception):
    """A statement has no numbers without an instance; the message says what is missing."""


class NoNumber(Exception):
    """A formula has no real value at a point."""


def load() -> Any:
    """The module mpmath, at the working precision."""
    try:
        module = importlib.import_module("mpmath")
    except ImportError:
        message = (
            "the second opinion is computed with mpmath, which is not installed; install"
            " rdpacct[test]."
        )
        raise NotInstalledError(message, "mpmath") from None
    context = module.mp.clone()
    context.dps = DIGITS
    return context


class Numbers:
    """Values of formulas at a point, with finite laws for those that are known by name only.

    ``error`` is the largest estimated error of a quadrature so far.
    """

    def __init__(
        self, mp: Any, laws: Mapping[str, list[NumericRow]] | None = None
    ) -> None:
        self.mp = mp
        self.laws = dict(laws or {})
        self.error = mp.mpf(0)
        self._work = 0

    def value(self, expr: Expr, env: Env) -> NumericValue:
        """The real value of a formula."""
        if isinstance(expr, Rational):
            return self.mp.mpf(expr.value.numerator) / expr.value.denominator
        if isinstance(expr, Symbol):
            if expr.name not in env:
                raise Unsupported(f"{expr.name} has no value")
            return env[expr.name]
        if isinstance(expr, Expectation):
            return self._expectation(expr, env)
        parts = [self.value(part, env) for part in expr.parts()]
        if isinstance(expr, Quantity):
            return self.quantity(expr.name, parts)
        return self._of_parts(expr, parts)

    def quantity(self, name: str, arguments: list[NumericValue]) -> NumericValue:  # noqa: ARG002
        """A quantity that is known by name only has no value."""
        raise Unsupported(f"{name} is known by name only")

    def _of_parts(self, expr: Expr, parts: list[NumericValue]) -> NumericValue:
        if isinstance(expr, Sum):
            return self.mp.fsum(parts)
        if isinstance(expr, Product):
            return self.mp.fprod(parts)
        try:
            if isinstance(expr, Power):
                return self._real(self.mp.power(*parts))
            if isinstance(expr, Apply):
                return self._real(self._apply(expr.function, parts))
        except (ZeroDivisionError, OverflowError, ValueError):
            raise NoNumber(str(expr)) from None
        raise Unsupported(f"{expr} is not a formula")

    def _real(self, number: NumericValue) -> NumericValue:
        if isinstance(number, self.mp.mpc) or not self.mp.isfinite(number):
            raise NoNumber(str(number))
        return number

    def _apply(self, function: str, parts: list[NumericValue]) -> NumericValue:
        if function == "abs":
            return abs(parts[0])
        if function in ("min", "max"):
            return min(parts) if function == "min" else max(parts)
        if function == "pi":
            return +self.mp.pi
        if function == "cbrt":
            return self.mp.sign(parts[0]) * self.mp.cbrt(abs(parts[0]))
        if function == "log" and parts[0] <= 0:
            raise ValueError
        return getattr(self.mp, function)(*parts)

    def margin(self, relation: Comparison, env: Env) -> NumericValue:
        """How much room a relation has, relative to its sides; negative where it fails."""
        left = self.value(relation.left, env)
        right = self.value(relation.right, env)
        gap = (right - left) / max(1, abs(left), abs(right))
        return -abs(gap) if relation.sign == "==" else gap

    def holds(self, relation: Comparison, env: Env) -> bool:
        """Whether a relation holds, up to rounding for equations."""
        if relation.sign == "==":
            return bool(
                abs(self.margin(relation, env)) < self.mp.mpf(10) ** (10 - DIGITS)
            )
        gap = self.value(relation.right, env) - self.value(relation.left, env)
        return bool(gap > 0 or (gap == 0 and relation.sign == "<="))

    # Expectations

    def _expectation(self, expr: Expectation, env: Env) -> NumericValue:
        outer = {name: env[name] for name in env if name not in expr.law.variables}
        rows = self.rows(expr.law, outer)
        if rows is not None:
            return self._sum(expr, rows, env)
        if expr.given:
            raise Unsupported(f"{expr} is a conditional mean")
        return self._mean(
            expr.law, lambda there: self.value(expr.body, there), outer, [expr.body]
        )

    def _sum(self, expr: Expectation, rows: list[NumericRow], env: Env) -> NumericValue:
        agreeing = [
            (row, mass)
            for row, mass in rows
            if all(abs(row[name] - env[name]) < 1e-40 for name in expr.given)
        ]
        whole = self.mp.fsum(mass for _, mass in agreeing)
        if whole == 0:
            raise NoNumber(str(expr))
        terms = (mass * self.value(expr.body, {**env, **row}) for row, mass in agreeing)
        return self.mp.fsum(terms) / (whole if expr.given else 1)

    def rows(self, law: Law, env: Env) -> list[NumericRow] | None:
        """The points of a finite law with their masses; None if it is not finite."""
        if law.name in self.laws and not isinstance(law, Event | Chain):
            return self.laws[law.name]
        if isinstance(law, Table):
            return [
                (
                    {
                        name: self.value(at, env)
                        for name, at in zip(law.variables, point, strict=True)
                    },
                    self.value(mass, env),
                )
                for point, mass in law.rows
            ]
        if isinstance(law, Chain):
            return self._chained(law, env)
        if isinstance(law, Independent):
            first, second = self.rows(law.first, env), self.rows(law.second, env)
            if first is None or second is None:
                return None
            return [({**a, **b}, p * q) for a, p in first for b, q in second]
        base = getattr(law, "base", None)
        below = None if base is None else self.rows(base, env)
        return None if below is None else self._built(law, below, env)

    def _built(
        self, law: Law, base: list[NumericRow], env: Env
    ) -> list[NumericRow] | None:
        """The rows of a law that is built on a finite one."""
        if isinstance(law, Event):
            name = law.variables[-1]
            return [
                ({**row, name: self._indicator(law.happens, {**env, **row})}, mass)
                for row, mass in base
            ]
        if isinstance(law, Draw):
            return [
                (
                    {**row, law.drawn: self.value(value, {**env, **row})},
                    mass * self.value(weight, {**env, **row}),
                )
                for row, mass in base
                for value, weight in law.weights
            ]
        if isinstance(law, Tilted):
            return [
                (row, mass * self.value(law.ratio, {**env, **row}))
                for row, mass in base
            ]
        return None

    def _chained(self, law: Chain, env: Env) -> list[NumericRow] | None:
        """A law of a sequence, enumerated from its start."""
        number = self.value(law.index, env)
        if law.fresh is None or number != int(number):
            raise Unsupported(f"{law.name} is a sequence of any laws")
        fresh = self.rows(law.fresh, env)
        if fresh is None or not 0 <= number <= MOST_STEPS:
            raise Unsupported(f"{law.name} is too long a sequence")
        past = [
            (
                {
                    name: self.value(at, env)
                    for name, at in zip(law.past, law.start, strict=True)
                },
                self.mp.mpf(1),
            )
        ]
        for _ in range(int(number)):
            past = [
                (
                    {
                        name: self.value(at, {**env, **row, **new})
                        for name, at in zip(law.past, law.update, strict=True)
                    },
                    mass * weight,
                )
                for row, mass in past
                for new, weight in fresh
            ]
        return [({**a, **b}, p * q) for a, p in past for b, q in fresh]

    def _indicator(self, happens: Comparison, env: Env) -> NumericValue:
        return self.mp.mpf(int(self.holds(happens, env)))

    def _mean(
        self, law: Law, body: Callable[[Env], NumericValue], env: Env, kinks: list[Expr]
    ) -> NumericValue:
        """The mean of a function under a law with a density at its base."""
        rows = self.rows(law, env)
        if rows is not None:
            return self.mp.fsum(mass * body({**env, **row}) for row, mass in rows)
        if isinstance(law, Density):
            return self._integral(law, body, env, kinks)
        if isinstance(law, Lattice):
            return self._series(law, body, env)
        if isinstance(law, Independent):
            return self._mean(
                law.first,
                lambda there: self._mean(law.second, body, there, kinks),
                env,
                kinks,
            )
        if isinstance(law, Event):
            name = law.variables[-1]
            happens = law.happens
            return self._mean(
                law.base,
                lambda there: body({**there, name: self._indicator(happens, there)}),
                env,
                [*kinks, Apply("abs", (happens.left - happens.right,))],
            )
        if isinstance(law, Tilted):
            ratio = law.ratio
            return self._mean(
                law.base,
                lambda there: self.value(ratio, there) * body(there),
                env,
                [*kinks, ratio],
            )
        raise Unsupported(f"{law.name} is any law")

    def _integral(
        self,
        law: Density,
        body: Callable[[Env], NumericValue],
        env: Env,
        kinks: list[Expr],
    ) -> NumericValue:
        (name,) = law.variables
        total = self.mp.mpf(0)
        for piece in law.pieces:
            ends = [
                infinite if end is None else self.value(end, env)
                for end, infinite in (
                    (piece.lower, -self.mp.inf),
                    (piece.upper, self.mp.inf),
                )
            ]
            density = piece.density

            def integrand(z: NumericValue, density: Expr = density) -> NumericValue:
                self._work += 1
                if self._work > MOST_WORK:
                    raise Unsupported(f"the means under {law.name} take too long")
                there = {**env, name: z}
                return self.value(density, there) * body(there)

            cuts = self._kinks([*kinks, density], name, env, ends)
            nodes = [ends[0], *cuts, ends[1]]
            if nodes == [-self.mp.inf, self.mp.inf]:
                nodes.insert(1, self.mp.mpf(0))
            for pair in pairwise(nodes):
                value, error = self.mp.quad(integrand, pair, error=True)
                total += value
                self.error = max(self.error, error)
        return total

    def _kinks(
        self, formulas: list[Expr], name: str, env: Env, ends: list[NumericValue]
    ) -> list[NumericValue]:
        """Where an absolute value, a minimum or a maximum turns, inside of a piece."""
        low = max(-REACH, float(ends[0]))
        high = min(REACH, float(ends[1]))
        roots = set[NumericValue]()
        for turn in {turn for formula in formulas for turn in _turns(formula)}:
            if name in turn.symbols():
                roots |= set(self._roots(turn, name, env, low, high))
        return sorted(root for root in roots if ends[0] < root < ends[1])

    def _roots(
        self, turn: Expr, name: str, env: Env, low: float, high: float
    ) -> Iterator[NumericValue]:
        def at(z: NumericValue) -> NumericValue:
            return self.value(turn, {**env, name: z})

        grid = [self.mp.mpf(low + (high - low) * i / GRID) for i in range(GRID + 1)]
        try:
            signs = [at(z) for z in grid]
        except NoNumber:
            return
        for (left, value), (right, next_value) in pairwise(
            zip(grid, signs, strict=True)
        ):
            if value == 0:
                yield left
            elif value * next_value < 0:
                yield self.mp.findroot(at, (left, right), solver="anderson")

    def _series(
        self, law: Lattice, body: Callable[[Env], NumericValue], env: Env
    ) -> NumericValue:
        """The sum over the integers, outward until the weights vanish."""
        (name,) = law.variables
        total = weights = self.mp.mpf(0)
        for n in range(MOST_TERMS):
            more = self.mp.mpf(0)
            for sign in (1, -1) if n else (1,):
                there = {**env, name: self.mp.mpf(sign * n)}
                weight = self.value(law.weight, there)
                more += weight
                total += weight * body(there)
            weights += more
            if n > 10 and more < weights * self.mp.mpf(10) ** (-2 * DIGITS):
                return total / weights
        raise Unsupported(f"the weights of {law.name} fall too slowly")


def _turns(expr: Expr) -> Iterator[Expr]:
    """The formulas at whose zeros a formula has a kink."""
    if isinstance(expr, Apply):
        if expr.function == "abs":
            yield expr.arguments[0]
        if expr.function in ("min", "max"):
            yield expr.arguments[0] - expr.arguments[1]
    for part in expr.parts():
        yield from _turns(part)
