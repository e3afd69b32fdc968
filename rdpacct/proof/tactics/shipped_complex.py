"""Complex formulas in the place of complex balls: a real one for each of the two parts.

A function that is written for complex balls is called with them, or with nodes of a vertical line
whose tilt and step are formulas; what comes out are the two real formulas that it computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from rdpacct.exact.ball import ComplexBall
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import cos, cosh, exp, log, sin, sinh
from rdpacct.proof.kernel import Quantity, Refused
from rdpacct.proof.tactics.shipped import ComplexPair, Formal, read


@dataclass(frozen=True, eq=False)
class Complex(ComplexPair):
    """A complex formula, by its real part ``re`` and its imaginary part ``im``."""

    re: Expr
    im: Expr
    given: tuple[str, ...] = ()
    """What comparisons of its parts are proved from."""

    @property
    def real(self) -> Formal:
        """The real part, as a ball would have it."""
        return Formal(self.re, self.given)

    @property
    def imag(self) -> Formal:
        """The imaginary part, as a ball would have it."""
        return Formal(self.im, self.given)

    def exp(self) -> Complex:
        """The exponential."""
        size = exp(self.re)
        return self._made(size * cos(self.im), size * sin(self.im))

    def cos(self) -> Complex:
        """The cosine."""
        return self._made(cos(self.re) * cosh(self.im), -sin(self.re) * sinh(self.im))

    def conjugate(self) -> Complex:
        """The other side of the real line."""
        return self._made(self.re, -self.im)

    def _made(self, re: Expr, im: Expr, *others: Complex) -> Complex:
        known = (condition for part in (self, *others) for condition in part.given)
        return Complex(re, im, tuple(dict.fromkeys(known)))

    def __add__(self, other: Any) -> Complex:
        right = whole(other)
        return self._made(self.re + right.re, self.im + right.im, right)

    def __radd__(self, other: Any) -> Complex:
        return whole(other) + self

    def __sub__(self, other: Any) -> Complex:
        right = whole(other)
        return self._made(self.re - right.re, self.im - right.im, right)

    def __rsub__(self, other: Any) -> Complex:
        return whole(other) - self

    def __mul__(self, other: Any) -> Complex:
        right = whole(other)
        return self._made(
            self.re * right.re - self.im * right.im,
            self.re * right.im + self.im * right.re,
            right,
        )

    def __rmul__(self, other: Any) -> Complex:
        return whole(other) * self

    def __truediv__(self, other: Any) -> Complex:
        right = whole(other)
        square = right.re**2 + right.im**2
        turned = self * right.conjugate()
        return self._made(turned.re / square, turned.im / square, right)

    def __rtruediv__(self, other: Any) -> Complex:
        return whole(other) / self

    def __pow__(self, exponent: Any) -> Complex:
        """A whole power; with a formula for the exponent it is known by name, and what it is
        stands among the hypotheses (``power_definitions``).
        """
        if isinstance(exponent, Formal):
            return self._made(*power_parts(self.re, self.im, exponent.value))
        if not isinstance(exponent, int) or exponent < 1:
            raise Refused(f"a complex formula has no power {exponent} here.")
        power = self
        for _ in range(exponent - 1):
            power = power * self
        return power

    def __neg__(self) -> Complex:
        return self._made(-self.re, -self.im)

    def __bool__(self) -> bool:
        raise Refused(f"{self.re} + i ({self.im}) is neither true nor false.")

    def __eq__(self, other: object) -> bool:
        right = whole(other)
        return self.real == right.real and self.imag == right.imag

    def __hash__(self) -> int:
        return hash((self.re, self.im))


@dataclass(frozen=True, eq=False)
class Polar:
    """A complex number by its modulus and its argument, of which only the logarithm is asked."""

    modulus: Expr
    argument: Expr

    def log(self) -> Complex:
        """The logarithm."""
        return Complex(log(self.modulus), self.argument)


def power_parts(re: Real, im: Real, count: Real) -> tuple[Expr, Expr]:
    """The real and imaginary parts of (re + i im)**count, by name."""
    arguments = tuple(map(formula, (re, im, count)))
    return Quantity("RePower", arguments), Quantity("ImPower", arguments)


def whole(value: Any) -> Complex:
    """A complex formula; a real one, and an exact complex ball, are such."""
    if isinstance(value, Complex):
        return value
    if isinstance(value, Formal):
        return Complex(value.value, formula(0), value.given)
    if isinstance(value, ComplexBall):
        return Complex(read(value.real), read(value.imag))
    return Complex(read(value), formula(0))


def paired(real_part: Any, imaginary: Any) -> Complex:
    """The complex formula with these parts."""
    known = (
        condition
        for part in (real_part, imaginary)
        for condition in getattr(part, "given", ())
    )
    return Complex(read(real_part), read(imaginary), tuple(dict.fromkeys(known)))


def complex_formula(value: Complex) -> ComplexBall:
    """A complex formula, declared as the ball in whose place it stands; ``whole`` reads it."""
    return cast(ComplexBall, value)


def at_one_node(values: Sequence[ComplexBall]) -> Complex:
    """What a function computes at that node."""
    (value,) = values
    return whole(value)
