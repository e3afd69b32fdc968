"""Formulas as functions of one variable, for integrals and cells that ask for thousands of
values.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from rdpacct.exact.ball import REAL_FUNCTIONS, ComplexBall, RealBall, raw_power
from rdpacct.exact.formula import Apply, Expr, Power, Product, Rational, Sum, Symbol

BallValue: TypeAlias = ComplexBall | RealBall
ComplexFunction: TypeAlias = Callable[[ComplexBall], BallValue]
CompiledFunctions: TypeAlias = Mapping[str, Callable[..., BallValue]]
RealFunction: TypeAlias = Callable[[RealBall], list[RealBall]]
BallOperation: TypeAlias = Callable[..., RealBall]


def compiled(
    expr: Expr,
    variable: str,
    functions: CompiledFunctions,
    known: Mapping[str, RealBall],
) -> ComplexFunction:
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


def operations(expr: Expr, variable: str) -> int:
    """How many operations a value of the compiled function takes."""
    if variable not in expr.symbols() or isinstance(expr, Symbol):
        return 0
    parts = expr.parts()
    return max(1, len(parts) - 1) + sum(operations(part, variable) for part in parts)


def _total(parts: list[ComplexFunction]) -> ComplexFunction:
    first, *others = parts

    def value(point: ComplexBall) -> BallValue:
        total = first(point)
        for each in others:
            total = total + each(point)
        return total

    return value


def _product(parts: list[ComplexFunction]) -> ComplexFunction:
    first, *others = parts

    def value(point: ComplexBall) -> BallValue:
        product = first(point)
        for each in others:
            product = product * each(point)
        return product

    return value


def _power(
    expr: Power, parts: list[ComplexFunction], functions: CompiledFunctions
) -> ComplexFunction:
    base, exponent = parts
    constant = expr.exponent
    if isinstance(constant, Rational) and constant.value.denominator == 1:
        whole = int(constant.value)
        return lambda point: raw_power(base(point), whole)
    exp = functions["exp"]
    log = functions["log"]
    return lambda point: exp(exponent(point) * log(base(point)))


def _applied(
    function: Callable[..., BallValue], parts: list[ComplexFunction]
) -> ComplexFunction:
    if len(parts) == 1:
        [inner] = parts
        return lambda point: function(inner(point))
    return lambda point: function(*(each(point) for each in parts))


def together(exprs: Sequence[Expr], variable: str) -> RealFunction:
    """The values of several formulas of a real variable: each part that they share is worked out
    once for a point, and each part without the variable once for all, at the current precision.
    """
    program = _Program(variable)
    places = [program.place(expr) for expr in exprs]

    def values(point: RealBall) -> list[RealBall]:
        known = [*program.constants, point]
        for operation, arguments in program.steps:
            known.append(operation(*[known[k] for k in arguments]))
        return [known[k] for k in wanted]

    # constants are known before any step runs, so that their places come first
    first = len(program.constants)
    program.steps = [
        (operation, [_placed(k, first) for k in arguments])
        for operation, arguments in program.steps
    ]
    wanted = [_placed(k, first) for k in places]
    return values


def _placed(place: int, constants: int) -> int:
    """Where a value stands: constants have the places -1, -2, ..., the variable and the steps 0, 1,
    ...
    """
    return -1 - place if place < 0 else constants + place


class _Program:
    """The operations that formulas of one variable take, in order."""

    def __init__(self, variable: str) -> None:
        self.variable = variable
        self.constants: list[RealBall] = []
        self.steps: list[tuple[BallOperation, list[int]]] = []
        self.known: dict[Expr, int] = {}

    def place(self, expr: Expr) -> int:
        """Where the value of a formula will stand."""
        place = self.known.get(expr)
        if place is None:
            place = self.known[expr] = self._place(expr)
        return place

    def _place(self, expr: Expr) -> int:
        if self.variable not in expr.symbols():
            self.constants.append(expr.raw(REAL_FUNCTIONS, {}))
            return -len(self.constants)
        if isinstance(expr, Symbol):
            return 0
        arguments = [self.place(part) for part in expr.parts()]
        self.steps.append((_operation(expr), arguments))
        return len(self.steps)


def _operation(expr: Expr) -> BallOperation:
    """What a formula does with the values of its parts."""
    if isinstance(expr, Sum):
        return _add
    if isinstance(expr, Product):
        return _multiply
    if isinstance(expr, Apply):
        return REAL_FUNCTIONS[expr.function]
    if isinstance(expr, Power):
        constant = expr.exponent
        if isinstance(constant, Rational) and constant.value.denominator == 1:
            whole = int(constant.value)
            return lambda base, _: raw_power(base, whole)
        return lambda base, exponent: (exponent * base.log()).exp()
    raise NotImplementedError(f"{expr} has no value")


def _add(first: RealBall, *others: RealBall) -> RealBall:
    for each in others:
        first = first + each
    return first


def _multiply(first: RealBall, *others: RealBall) -> RealBall:
    for each in others:
        first = first * each
    return first
