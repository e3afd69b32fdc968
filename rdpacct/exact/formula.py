"""Formulas written once: the same expression is read as symbols (sympy) and as a rigorous
enclosure.

A formula is an immutable tree over exact rationals, named symbols, ``+ - * / **`` and a closed list
of functions. Without symbols it is an exact real number. Arithmetic on it only folds what is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from rdpacct.errors import InputError
from rdpacct.exact.ball import (
    REAL_FUNCTIONS,
    Ball,
    ComplexBall,
    Exact,
    RealBall,
    precision,
    raw_power,
    refine,
)
from rdpacct.exact.bound import Bound
from rdpacct.exact.number import decimal_text
from rdpacct.exact.raw import RealSeries, fraction_sum, real

Operand = TypeVar("Operand", RealBall, ComplexBall, RealSeries)
"""What the symbols of a formula stand for; its numbers are real balls in each case."""
Functions: TypeAlias = Mapping[str, Callable[..., Operand | RealBall]]
SymbolValues: TypeAlias = Mapping[str, Operand | RealBall]


NO_SYMBOLS = frozenset[str]()
HOMES = ("rdpacct.exact.formula", "rdpacct.proof.kernel.terms")
"""The modules that have kinds of formulas: proofs rest on what these do."""


class Expr:
    """A formula; ``ball`` encloses it, ``sympy`` gives it as symbols, ``str`` prints it.

    A formula does not change, so that its hash, its symbols and its text are made once and kept.
    """

    __slots__ = ("_hash", "_key", "_symbols", "_text")

    __match_args__: tuple[str, ...] = ()
    _hash: int
    _key: tuple[object, ...]
    _symbols: frozenset[str]
    _text: str

    def __init_subclass__(cls) -> None:
        if cls.__module__ not in HOMES:
            raise TypeError(f"{cls.__name__} is not a kind of formula")
        if "__repr__" not in vars(cls):
            cls.__repr__ = Expr.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other) or not isinstance(other, Expr):
            return NotImplemented
        if hash(self) != hash(other) or self._key != other._key:
            return False
        object.__setattr__(other, "_key", self._key)  # so that they share their parts
        return True

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            key = tuple(getattr(self, name) for name in self.__match_args__)
            object.__setattr__(self, "_key", key)
            object.__setattr__(self, "_hash", hash((type(self).__name__, key)))
            return self._hash

    def __str__(self) -> str:
        try:
            return self._text
        except AttributeError:
            object.__setattr__(self, "_text", self._written())
            return self._text

    def symbols(self) -> frozenset[str]:
        """The names that are free in the formula; none for a real number."""
        try:
            return self._symbols
        except AttributeError:
            object.__setattr__(self, "_symbols", self._free())
            return self._symbols

    def _free(self) -> frozenset[str]:
        return NO_SYMBOLS.union(*(part.symbols() for part in self.parts()))

    def _written(self) -> str:
        """The text of the formula; ``str`` makes it once."""
        from rdpacct.exact.formula_text import text_of

        return text_of(self)

    def parts(self) -> tuple[Expr, ...]:
        """The formulas that this one is built from."""
        return ()

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:  # noqa: ARG002
        """The same operation on other parts."""
        return self

    def factors_of(self) -> tuple[Expr, ...]:
        """The factors of a product; any other formula is its only factor."""
        return (self,)

    def at(self, **values: Real) -> Expr:
        """The formula with symbols replaced by numbers or by other formulas."""
        if self.symbols() & values.keys():
            return self.rebuild(tuple(part.at(**values) for part in self.parts()))
        return self

    def raw(
        self, functions: Functions[Operand], values: SymbolValues[Operand]
    ) -> Operand | RealBall:
        """The value in the ball backend, at the current precision."""
        raise NotImplementedError

    def ball(self, bits: int, **values: Exact | Ball) -> Ball:
        """A ball that contains the value, for the given values of the symbols."""
        with precision(bits):
            known = {
                name: v.raw if isinstance(v, Ball) else real(v)
                for name, v in values.items()
            }
            missing = self.symbols() - known.keys()
            if missing:
                raise InputError(
                    f"the formula {self} has no value while"
                    f" {', '.join(sorted(missing))} is open; give it one."
                )
            return Ball(self.raw(REAL_FUNCTIONS, known), bits)

    def bound(self, how: str = "", accuracy: int = 64) -> Bound:
        """The enclosure of a formula without symbols, exact if the formula is a rational number."""
        if isinstance(self, Rational):
            return Bound.exactly(self.value, how)
        return refine(lambda bits: self.ball(bits), accuracy).bound(how)

    def sympy(self, **symbols: Any) -> Any:
        """The formula as a sympy expression, over real symbols unless others are given by name."""
        from rdpacct.exact.symbols import to_sympy

        return to_sympy(self, symbols)

    def __add__(self, other: Real) -> Expr:
        return add(self, other)

    def __radd__(self, other: Real) -> Expr:
        return add(other, self)

    def __sub__(self, other: Real) -> Expr:
        return add(self, multiply(-1, other))

    def __rsub__(self, other: Real) -> Expr:
        return add(other, multiply(-1, self))

    def __mul__(self, other: Real) -> Expr:
        return multiply(self, other)

    def __rmul__(self, other: Real) -> Expr:
        return multiply(other, self)

    def __truediv__(self, other: Real) -> Expr:
        if isinstance(self, Rational) and isinstance(other, Rational) and other.value:
            return Rational(self.value / other.value)
        return multiply(self, power(other, -1))

    def __rtruediv__(self, other: Real) -> Expr:
        return multiply(other, power(self, -1))

    def __pow__(self, exponent: Real) -> Expr:
        if exponent == 2 and isinstance(self, Rational):
            return Rational(self.value**2)
        return power(self, exponent)

    def __neg__(self) -> Expr:
        return multiply(-1, self)


Real: TypeAlias = int | Fraction | Expr
"""An exact real number or a formula."""
Scalar = TypeVar("Scalar", Fraction, float, RealBall, Ball, Expr)
"""A rule of arithmetic alone is written once, for numbers, balls and formulas alike."""


@dataclass(frozen=True, slots=True, eq=False)
class Rational(Expr):
    """An exact rational number."""

    value: Fraction

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rational):
            return NotImplemented
        return self.value == other.value

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            # that of a fraction takes an inverse modulo a prime
            key = self.value.numerator, self.value.denominator
            object.__setattr__(self, "_hash", hash(key))
            return self._hash

    def raw(
        self,
        functions: Functions[Operand],  # noqa: ARG002
        values: SymbolValues[Operand],  # noqa: ARG002
    ) -> Operand | RealBall:
        return real(self.value)

    def _written(self) -> str:
        return decimal_text(self.value)


@dataclass(frozen=True, slots=True, eq=False)
class Symbol(Expr):
    """A named real variable."""

    name: str

    def _free(self) -> frozenset[str]:
        return frozenset({self.name})

    def at(self, **values: Real) -> Expr:
        if self.name in values:
            return formula(values[self.name])
        return self

    def raw(
        self,
        functions: Functions[Operand],  # noqa: ARG002
        values: SymbolValues[Operand],
    ) -> Operand | RealBall:
        return values[self.name]

    def _written(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, eq=False)
class Sum(Expr):
    """A sum of two or more formulas."""

    terms: tuple[Expr, ...]

    def parts(self) -> tuple[Expr, ...]:
        return self.terms

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return add(*parts)

    def raw(
        self, functions: Functions[Operand], values: SymbolValues[Operand]
    ) -> Operand | RealBall:
        total = self.terms[0].raw(functions, values)
        for term in self.terms[1:]:
            total = total + term.raw(functions, values)
        return total


@dataclass(frozen=True, slots=True, eq=False)
class Product(Expr):
    """A product of two or more formulas."""

    factors: tuple[Expr, ...]

    def parts(self) -> tuple[Expr, ...]:
        return self.factors

    def factors_of(self) -> tuple[Expr, ...]:
        return self.factors

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return multiply(*parts)

    def raw(
        self, functions: Functions[Operand], values: SymbolValues[Operand]
    ) -> Operand | RealBall:
        result = self.factors[0].raw(functions, values)
        for factor in self.factors[1:]:
            result = result * factor.raw(functions, values)
        return result


@dataclass(frozen=True, slots=True, eq=False)
class Power(Expr):
    """A formula to the power of another; the base is positive unless the exponent is an integer."""

    base: Expr
    exponent: Expr

    def parts(self) -> tuple[Expr, ...]:
        return self.base, self.exponent

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return power(*parts)

    def raw(
        self, functions: Functions[Operand], values: SymbolValues[Operand]
    ) -> Operand | RealBall:
        base = self.base.raw(functions, values)
        if isinstance(self.exponent, Rational) and self.exponent.value.denominator == 1:
            return raw_power(base, int(self.exponent.value))
        return functions["exp"](
            self.exponent.raw(functions, values) * functions["log"](base)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Apply(Expr):
    """A named function of formulas."""

    function: str
    arguments: tuple[Expr, ...]

    def parts(self) -> tuple[Expr, ...]:
        return self.arguments

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        return apply(self.function, *parts)

    def raw(
        self, functions: Functions[Operand], values: SymbolValues[Operand]
    ) -> Operand | RealBall:
        return functions[self.function](
            *(argument.raw(functions, values) for argument in self.arguments)
        )


def formula(value: Real) -> Expr:
    """The formula that is just this number; a formula stays as it is."""
    if isinstance(value, Expr):
        return value
    if type(value) is int and value in SMALL:
        return SMALL[value]
    if type(value) is Fraction:
        return Rational(value)
    return Rational(Fraction(value))


SMALL = {value: Rational(Fraction(value)) for value in range(-16, 65)}
"""The numbers that formulas are full of."""
ZERO: Expr = SMALL[0]
ONE: Expr = SMALL[1]
ONCE = Fraction(1)


def add(*terms: Real) -> Expr:
    """The sum, with its rational terms added up exactly and equal terms collected."""
    constants = list[Fraction]()
    counts = dict[tuple[Expr, ...], Fraction]()
    for term in map(formula, terms):
        for part in term.terms if isinstance(term, Sum) else (term,):
            factors = part.factors_of()
            first = factors[0]
            if not isinstance(first, Rational):
                counts[factors] = counts[factors] + 1 if factors in counts else ONCE
            elif len(factors) == 1:
                constants.append(first.value)
            else:
                rest = factors[1:]
                before = counts.get(rest)
                counts[rest] = first.value if before is None else before + first.value
    kept = [_multiple(count, rest) for rest, count in counts.items() if count]
    constant = fraction_sum(constants)
    if constant or not kept:
        kept.append(Rational(constant))
    return kept[0] if len(kept) == 1 else Sum(tuple(kept))


def _multiple(count: Fraction, factors: tuple[Expr, ...]) -> Expr:
    """A rational multiple of the product of some factors."""
    if count != 1:
        return multiply(Rational(count), *factors)
    if len(factors) == 1:
        return factors[0]
    return multiply(*factors)


def multiply(*factors: Real) -> Expr:
    """The product, with its rational factors multiplied exactly."""
    constant = ONCE
    rest = list[Expr]()
    for factor in map(formula, factors):
        for part in factor.factors_of():
            if not isinstance(part, Rational):
                rest.append(part)
            elif constant is ONCE:
                constant = part.value
            else:
                constant = constant * part.value
    if constant == 0:
        return ZERO
    if constant != 1 or not rest:
        rest.insert(0, Rational(constant))
    if len(rest) == 1:
        return rest[0]
    return Product(tuple(rest))


def power(base: Real, exponent: Real) -> Expr:
    """The power, exact for whole powers of rationals, and of products of roots that give one."""
    base = formula(base)
    exponent = formula(exponent)
    if isinstance(exponent, Rational) and exponent.value.denominator == 1:
        whole = int(exponent.value)
        if whole in (0, 1):
            return base if whole else ONE
        if isinstance(base, Power) and isinstance(base.exponent, Rational):
            return power(base.base, base.exponent.value * whole)
        if isinstance(base, Apply) and base.function == "sqrt" and whole % 2 == 0:
            return power(base.arguments[0], whole // 2)
        if isinstance(base, Rational) and abs(whole) <= 64:
            if whole < 0 and base.value == 0:
                raise ZeroDivisionError("a formula divides by zero")
            return Rational(base.value**whole)
        if isinstance(base, Product):
            powers = [power(factor, whole) for factor in base.factors]
            if all(isinstance(factor, Rational) for factor in powers):
                return multiply(*powers)
    return Power(base, exponent)


_AT_ZERO = dict.fromkeys(("exp", "cosh", "erfc", "cos"), 1)
_AT_ZERO |= dict.fromkeys(("sqrt", "cbrt", "abs", "tanh", "sinh", "erf", "sin"), 0)


def apply(function: str, *arguments: Real) -> Expr:
    """The function of the arguments, exact where the value is a known rational."""
    exprs = tuple(map(formula, arguments))
    known = [expr.value for expr in exprs if isinstance(expr, Rational)]
    if len(known) == len(exprs) == 1 and known[0] == 0 and function in _AT_ZERO:
        return formula(_AT_ZERO[function])
    if function == "log":
        if exprs[0] == ONE:
            return ZERO
        if isinstance(exprs[0], Apply) and exprs[0].function == "exp":
            return exprs[0].arguments[0]
    if function == "sqrt" and known and known[0] > 0:
        roots = math.isqrt(known[0].numerator), math.isqrt(known[0].denominator)
        if Fraction(*roots) ** 2 == known[0]:
            return formula(Fraction(*roots))
    if function == "abs" and known:
        return formula(abs(known[0]))
    if function in ("min", "max") and len(known) == len(exprs):
        return formula(min(known) if function == "min" else max(known))
    return Apply(function, exprs)
