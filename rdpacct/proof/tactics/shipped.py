"""Formulas in the place of balls: functions that are written for balls, called with symbols.

What comes out is the formula that the function computes, so that a theorem can speak of the function itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import PI, cos, exp, log, sin
from rdpacct.exact.raw import pi
from rdpacct.proof.kernel import Refused, below, real


@dataclass(frozen=True)
class Formal:
    """A real formula that behaves as a ball does: it has exp and log, and is above another one if that is proved."""

    value: Expr
    given: tuple[str, ...] = ()

    def exp(self) -> Formal:
        """The exponential."""
        return Formal(exp(self.value), self.given)

    def log(self) -> Formal:
        """The natural logarithm."""
        return Formal(log(self.value), self.given)

    def __add__(self, other: Any) -> Formal:
        return Formal(self.value + read(other), self.given)

    def __radd__(self, other: Any) -> Formal:
        return Formal(read(other) + self.value, self.given)

    def __sub__(self, other: Any) -> Formal:
        return Formal(self.value - read(other), self.given)

    def __rsub__(self, other: Any) -> Formal:
        return Formal(read(other) - self.value, self.given)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Complex):
            return other * self
        return Formal(self.value * read(other), self.given)

    def __rmul__(self, other: Any) -> Formal:
        return Formal(read(other) * self.value, self.given)

    def __truediv__(self, other: Any) -> Formal:
        return Formal(self.value / read(other), self.given)

    def __rtruediv__(self, other: Any) -> Formal:
        return Formal(read(other) / self.value, self.given)

    def __pow__(self, exponent: int) -> Formal:
        return Formal(self.value**exponent, self.given)

    def __neg__(self) -> Formal:
        return Formal(-self.value, self.given)

    def __gt__(self, other: Any) -> bool:
        try:
            real(below(read(other), self.value), *self.given)
        except Refused:
            return False
        return True


def read(value: Any) -> Expr:
    """A formula; among balls, the circle number and exact numbers are known, and others are refused."""
    if isinstance(value, Formal):
        return value.value
    if not hasattr(value, "mid"):
        return formula(value)
    if value.mid() == pi().mid():
        return PI
    if value.is_exact():
        exact = value.fmpq()
        return formula(Fraction(int(exact.p), int(exact.q)))
    raise Refused(f"the ball {value} stands for no formula that is known.")


def formulas(*values: Real, given: tuple[str, ...] = ()) -> tuple[Formal, ...]:
    """Formulas in the shape of balls; comparisons of them are proved from what is given."""
    return tuple(Formal(formula(value), given) for value in values)


@dataclass(frozen=True)
class Complex:
    """A complex formula, by its real and imaginary parts, that behaves as a ball does."""

    real: Expr
    imag: Expr

    def exp(self) -> Complex:
        """The exponential."""
        size = exp(self.real)
        return Complex(size * cos(self.imag), size * sin(self.imag))

    def __add__(self, other: Any) -> Complex:
        right = whole(other)
        return Complex(self.real + right.real, self.imag + right.imag)

    def __sub__(self, other: Any) -> Complex:
        right = whole(other)
        return Complex(self.real - right.real, self.imag - right.imag)

    def __mul__(self, other: Any) -> Complex:
        right = whole(other)
        return Complex(self.real * right.real - self.imag * right.imag, self.real * right.imag + self.imag * right.real)

    def __truediv__(self, other: Any) -> Complex:
        right = whole(other)
        square = right.real**2 + right.imag**2
        turned = self * Complex(right.real, -right.imag)
        return Complex(turned.real / square, turned.imag / square)


def whole(value: Any) -> Complex:
    """A complex formula."""
    return value if isinstance(value, Complex) else Complex(read(value), formula(0))
