"""Formulas that stand where a rule of the engine expects backend values, so that theorems speak of the shipped code."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.exact.formula import Expr, apply, formula


def _formula(value: Any) -> Expr:
    """The formula of a formal value, of an exact backend value, or of a number."""
    if isinstance(value, Formal):
        return value.expr
    if isinstance(value, int | Fraction | Expr):
        return formula(value)
    mantissa, exponent = value.mid().man_exp() if value.is_exact() else (None, 0)
    if mantissa is None:
        raise TypeError(f"{value} is a ball, and no number.")
    return formula(Fraction(int(mantissa)) * Fraction(2) ** int(exponent))


@dataclass(frozen=True)
class Formal:
    """A formula with the methods of a backend value; as a double it is any number, which may only steer."""

    expr: Expr
    about: float = 0.5

    def raw(self, functions: object, values: object) -> Formal:  # noqa: ARG002
        """Itself, where the rule turns a formula into a backend value."""
        return self

    def _of(self, function: str, *others: Any) -> Formal:
        return Formal(apply(function, self.expr, *map(_formula, others)))

    def exp(self) -> Formal:
        """The exponential."""
        return self._of("exp")

    def sqrt(self) -> Formal:
        """The square root."""
        return self._of("sqrt")

    def sinh(self) -> Formal:
        """The hyperbolic sine."""
        return self._of("sinh")

    def cos(self) -> Formal:
        """The cosine."""
        return self._of("cos")

    def max(self, other: Any) -> Formal:
        """The larger of the two."""
        return self._of("max", other)

    def min(self, other: Any) -> Formal:
        """The smaller of the two."""
        return self._of("min", other)

    def __float__(self) -> float:
        return self.about

    def __neg__(self) -> Formal:
        return Formal(-self.expr)

    def __add__(self, other: Any) -> Formal:
        return Formal(self.expr + _formula(other))

    def __radd__(self, other: Any) -> Formal:
        return Formal(_formula(other) + self.expr)

    def __sub__(self, other: Any) -> Formal:
        return Formal(self.expr - _formula(other))

    def __rsub__(self, other: Any) -> Formal:
        return Formal(_formula(other) - self.expr)

    def __mul__(self, other: Any) -> Formal:
        return Formal(self.expr * _formula(other))

    def __rmul__(self, other: Any) -> Formal:
        return Formal(_formula(other) * self.expr)

    def __truediv__(self, other: Any) -> Formal:
        return Formal(self.expr / _formula(other))

    def __rtruediv__(self, other: Any) -> Formal:
        return Formal(_formula(other) / self.expr)

    def __pow__(self, exponent: int) -> Formal:
        return Formal(self.expr**exponent)
