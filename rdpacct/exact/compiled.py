"""Formulas as functions of one variable, for integrals that ask for thousands of values."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from rdpacct.exact.ball import REAL_FUNCTIONS, ComplexBall, RealBall, raw_power
from rdpacct.exact.formula import Apply, Expr, Power, Product, Rational, Sum, Symbol

Value: TypeAlias = ComplexBall | RealBall
Function: TypeAlias = Callable[[ComplexBall], Value]
Functions: TypeAlias = Mapping[str, Callable[..., Value]]


def compiled(
    expr: Expr, variable: str, functions: Functions, known: Mapping[str, RealBall]
) -> Function:
    """What ``raw`` does, as a function of the variable: the same operations in the same order, but
    each part without the variable is a real number that is worked out here, at the current
    precision.
    """
    if variable not in expr.symbols():
        constant = expr.raw(REAL_FUNCTIONS, known)
        return lambda _: constant
    if isinstance(expr, Symbol):
        return lambda point: point
    parts = [compiled(part, variable, functions, known) for part in expr.parts()]
    if isinstance(expr, Sum):
        return _total(parts)
    if isinstance(expr, Product):
        return _product(parts)
    if isinstance(expr, Power):
        return _power(expr, parts, functions)
    if isinstance(expr, Apply):
        return _applied(functions[expr.function], parts)
    raise NotImplementedError(f"{expr} has no value")


def _total(parts: list[Function]) -> Function:
    first, *others = parts

    def value(point: ComplexBall) -> Value:
        total = first(point)
        for each in others:
            total = total + each(point)
        return total

    return value


def _product(parts: list[Function]) -> Function:
    first, *others = parts

    def value(point: ComplexBall) -> Value:
        product = first(point)
        for each in others:
            product = product * each(point)
        return product

    return value


def _power(expr: Power, parts: list[Function], functions: Functions) -> Function:
    base, exponent = parts
    constant = expr.exponent
    if isinstance(constant, Rational) and constant.value.denominator == 1:
        whole = int(constant.value)
        return lambda point: raw_power(base(point), whole)
    exp = functions["exp"]
    log = functions["log"]
    return lambda point: exp(exponent(point) * log(base(point)))


def _applied(function: Callable[..., Value], parts: list[Function]) -> Function:
    if len(parts) == 1:
        [inner] = parts
        return lambda point: function(inner(point))
    return lambda point: function(*(each(point) for each in parts))
