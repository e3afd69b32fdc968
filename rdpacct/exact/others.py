"""Numbers of other libraries: those of NumPy, sympy and mpmath as exact numbers or formulas.

None of these libraries is imported here; what is given says itself what it is.
"""

from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr, Symbol, apply, formula, power
from rdpacct.exact.functions import PI, exp
from rdpacct.exact.number import rational, shorten

FUNCTIONS = {
    **dict.fromkeys(("exp", "log", "cosh", "sinh", "tanh", "erf", "erfc"), 1),
    **{"Abs": 1, "Min": 2, "Max": 2},
}
"""The functions of sympy that formulas have too, with the fewest arguments that they take."""
MAX_NODES = 1000
"""The largest expression of sympy that is read, in nodes."""


def number_of_others(value: Any, name: str) -> Expr:
    """The exact number or formula that a number of another library stands for."""
    if _is_symbolic(value):
        return _Reader(name).formula(value)
    return formula(rational(value, name))


def _is_symbolic(value: object) -> bool:
    """Whether this is an expression of sympy and not a plain number."""
    ours = type(value).__module__.startswith("sympy.")
    return ours and not getattr(value, "is_Number", True)


class _Reader:
    """Reads an expression of sympy as a formula, within limits."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.nodes = 0

    def formula(self, value: Any) -> Expr:
        """The formula of an expression: rational numbers, pi, e, + * **, functions and symbols."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise InputError(
                f"{self.name} is an expression of more than {MAX_NODES} parts; give a"
                " shorter one."
            )
        if getattr(value, "is_Number", False):
            return formula(rational(value, self.name))
        kind = type(value).__name__
        if kind == "Pi":
            return PI
        if kind == "Exp1":
            return exp(1)
        if getattr(value, "is_Symbol", False):
            return Symbol(str(value.name))
        parts = [self.formula(part) for part in value.args]
        return self._joined(value, kind, parts)

    def _joined(self, value: Any, kind: str, parts: list[Expr]) -> Expr:
        if kind == "Add":
            return sum(parts, start=formula(0))
        if kind == "Mul":
            total = formula(1)
            for part in parts:
                total = total * part
            return total
        if kind == "Pow":
            return self._power(parts[0], parts[1])
        if kind in FUNCTIONS and len(parts) >= FUNCTIONS[kind]:
            first, *rest = parts
            function = kind.lower()
            if not rest:
                return apply(function, first)
            for part in rest:
                first = apply(function, first, part)
            return first
        raise InputError(
            f"{self.name} is {shorten(str(value))}, which has no exact form here; give a"
            " number, or a formula in exp, log, sqrt and the like."
        )

    @staticmethod
    def _power(base: Expr, exponent: Expr) -> Expr:
        if exponent == formula(Fraction(1, 2)):
            return apply("sqrt", base)
        return power(base, exponent)
