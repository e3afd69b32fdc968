"""Ball arithmetic: a midpoint and a radius that certainly contain a real number.

The backend is Arb, through python-flint. Precision is an argument here and an attribute of each
ball; the backend's global precision is set for the length of one call and put back.
"""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Protocol, Self, TypeAlias, TypeVar

from flint import acb, arb

from rdpacct.exact.bound import Bound, End
from rdpacct.exact.raw import precision as precision
from rdpacct.exact.raw import real
from rdpacct.work import Exhausted

Exact: TypeAlias = int | Fraction
RealBall: TypeAlias = arb
"""A real ball of the backend; operations on it run at the current precision."""
ComplexBall: TypeAlias = acb
"""A complex ball of the backend, a real one for each of its two parts."""

SPARE_BITS = 24
"""How much more precision a value is worked out at than is asked for, and by how much more it is
known at least; words of 64 bits have room for it.
"""
LARGEST_EXPONENT = 20_000
"""Ends of a bound beyond 2**20000 become infinite and ends within 2**-20000 of zero become zero:
wider, never wrong.
"""


class Factor(Protocol):
    """A value of the backend that can be multiplied with its like and inverted."""

    def __mul__(self, other: Self, /) -> Self: ...
    def __rtruediv__(self, other: int, /) -> Self: ...


AnyFactor = TypeVar("AnyFactor", bound=Factor)


def raw_power(base: AnyFactor, exponent: int) -> AnyFactor | RealBall:
    """An integer power by squaring; the backend's own power is undefined on balls around zero."""
    if exponent < 0:
        return 1 / raw_power(base, -exponent)
    result: AnyFactor | None = None
    while exponent:
        if exponent & 1:
            result = base if result is None else result * base
        exponent >>= 1
        if exponent:
            base = base * base
    return arb(1) if result is None else result


class Ball:
    """A real number known to lie within a radius of a midpoint, computed with ``bits`` of
    precision.
    """

    __slots__ = ("bits", "raw")

    def __init__(self, raw: RealBall, bits: int) -> None:
        self.raw = raw
        self.bits = bits

    @classmethod
    def of(cls, value: "Exact | Ball", bits: int) -> "Ball":
        """The ball around an exact number; a ball stays as it is."""
        if isinstance(value, Ball):
            return value
        with precision(bits):
            return cls(real(value), bits)

    @classmethod
    def hull(cls, lower: Exact, upper: Exact, bits: int) -> "Ball":
        """The smallest ball that contains both numbers."""
        with precision(bits):
            return cls(real(lower).union(real(upper)), bits)

    @classmethod
    def everything(cls, bits: int) -> "Ball":
        """The ball that contains every real number: nothing is known."""
        return cls(arb(0, math.inf), bits)

    def _apply(
        self, operation: Callable[[RealBall, RealBall], RealBall], other: "Exact | Ball"
    ) -> "Ball":
        bits = max(self.bits, other.bits) if isinstance(other, Ball) else self.bits
        with precision(bits):
            right = other.raw if isinstance(other, Ball) else real(other)
            return Ball(operation(self.raw, right), bits)

    def __add__(self, other: "Exact | Ball") -> "Ball":
        return self._apply(lambda x, y: x + y, other)

    def __sub__(self, other: "Exact | Ball") -> "Ball":
        return self._apply(lambda x, y: x - y, other)

    def __rsub__(self, other: "Exact | Ball") -> "Ball":
        return self._apply(lambda x, y: y - x, other)

    def __mul__(self, other: "Exact | Ball") -> "Ball":
        return self._apply(lambda x, y: x * y, other)

    def __truediv__(self, other: "Exact | Ball") -> "Ball":
        return self._apply(lambda x, y: x / y, other)

    def __rtruediv__(self, other: "Exact | Ball") -> "Ball":
        return self._apply(lambda x, y: y / x, other)

    __radd__ = __add__
    __rmul__ = __mul__

    def __pow__(self, exponent: int) -> "Ball":
        return self._apply(lambda x, _: raw_power(x, exponent), 0)

    def __neg__(self) -> "Ball":
        return self._apply(lambda x, _: -x, 0)

    def exp(self) -> "Ball":
        """The exponential."""
        return self._apply(lambda x, _: x.exp(), 0)

    def log(self) -> "Ball":
        """The natural logarithm; not finite where the ball reaches zero."""
        return self._apply(lambda x, _: x.log(), 0)

    def sqrt(self) -> "Ball":
        """The square root; not finite where the ball reaches below zero."""
        return self._apply(lambda x, _: x.sqrt(), 0)

    def normal_quantile(self) -> "Ball":
        """The point that a standard normal variable exceeds with the complementary probability."""
        return self._apply(lambda x, _: -(2 * x).erfcinv() * arb(2).sqrt(), 0)

    def positive_part(self) -> "Ball":
        """The larger of this number and zero."""
        return self._apply(lambda x, _: x.max(arb(0)), 0)

    def union(self, other: "Exact | Ball") -> "Ball":
        """A ball that contains both."""
        return self._apply(lambda x, y: x.union(y), other)

    def larger(self, other: "Exact | Ball") -> "Ball":
        """The larger of the two numbers."""
        return self._apply(lambda x, y: x.max(y), other)

    def finite(self) -> bool:
        """The ball has ends: something is known."""
        return bool(self.raw.is_finite())

    def certainly_positive(self) -> bool:
        """Every point of the ball is above zero."""
        return bool(self.raw > 0)

    def certainly_negative(self) -> bool:
        """Every point of the ball is below zero."""
        return bool(self.raw < 0)

    def accuracy_bits(self) -> int:
        """How many bits of the number are known, relative to its size."""
        if self.finite():
            return int(self.raw.rel_accuracy_bits())
        return -1

    def lower(self) -> End:
        """An exact number that is not above any point of the ball."""
        return -(-self).upper()

    def upper(self) -> End:
        """An exact number that is not below any point of the ball."""
        if not self.finite():
            return math.inf
        with precision(self.bits):
            mantissa, exponent = (int(part) for part in self.raw.upper().man_exp())
        if mantissa == 0:
            return Fraction(0)
        size = exponent + mantissa.bit_length()
        if size < -LARGEST_EXPONENT:
            if mantissa > 0:
                return Fraction(1, 2**LARGEST_EXPONENT)
            return Fraction(0)
        if size > LARGEST_EXPONENT:
            if mantissa > 0:
                return math.inf
            return Fraction(-(2**LARGEST_EXPONENT))
        if exponent >= 0:
            return Fraction(mantissa * 2**exponent)
        return Fraction(mantissa, 2**-exponent)

    def __float__(self) -> float:
        """The midpoint as a double, good for planning only."""
        return float(self.raw.mid())

    def bound(self, how: str = "") -> Bound:
        """The ball as a bound with exact ends."""
        return Bound(self.lower(), self.upper(), how)

    def __repr__(self) -> str:
        return f"Ball({self.raw}, bits={self.bits})"


def _real_erfc(x: RealBall) -> RealBall:
    """The complementary error function; far out through the confluent U, where the backend's own
    loses all digits.
    """
    if not x > 1000:
        return x.erfc()
    half = arb(1) / 2
    return (x * x).hypgeom_u(half, half) * (-(x * x)).exp() / arb.const_sqrt_pi()


def _real_cbrt(x: RealBall) -> RealBall:
    if x >= 0:
        return x.root(3)
    if x <= 0:
        return -((-x).root(3))
    outer = abs(x).upper().root(3).upper()
    return (-outer).union(outer)


REAL_FUNCTIONS: Mapping[str, Callable[..., RealBall]] = {
    "exp": arb.exp,
    "log": arb.log,
    "sqrt": arb.sqrt,
    "cbrt": _real_cbrt,
    "abs": arb.__abs__,
    "tanh": arb.tanh,
    "sinh": arb.sinh,
    "cosh": arb.cosh,
    "cos": arb.cos,
    "sin": arb.sin,
    "erf": arb.erf,
    "erfc": _real_erfc,
    "min": arb.min,
    "max": arb.max,
    "pi": arb.pi,
}
"""The functions of a formula, on real backend values."""


def complex_functions(
    analytic: bool,
) -> Mapping[str, Callable[..., ComplexBall | RealBall]]:
    """The same functions for the integrator, which asks for a non-finite ball where a function is
    not analytic.
    """
    return {
        "exp": lambda x: x.exp(),
        "log": lambda x: acb(x).log(analytic),
        "sqrt": lambda x: acb(x).sqrt(analytic),
        "cbrt": lambda x: acb(x).pow(arb(1) / 3, analytic),
        "abs": lambda x: acb(x).real_abs(analytic),
        "tanh": lambda x: x.tanh(),
        "sinh": lambda x: x.sinh(),
        "cosh": lambda x: x.cosh(),
        "cos": lambda x: x.cos(),
        "sin": lambda x: x.sin(),
        "erf": lambda x: x.erf(),
        "erfc": lambda x: x.erfc(),
        "min": lambda x, y: acb(x).real_min(acb(y), analytic),
        "max": lambda x, y: acb(x).real_max(acb(y), analytic),
        "pi": lambda: arb.pi(),
    }


def refine(
    evaluate: Callable[[int], Ball],
    accuracy: int = 64,
    start: int = 96,
    limit: int = 3072,
) -> Ball:
    """Evaluate at growing precision until that many bits of the value are known and some to spare,
    or the limit is reached.

    Where there is no work left for more precision, the last value answers.
    """
    bits = start
    ball: Ball | None = None
    while True:
        try:
            ball = evaluate(bits + SPARE_BITS)
        except Exhausted:
            if ball is None:
                raise
            return ball
        if bits >= limit or (
            ball.finite()
            and (ball.accuracy_bits() > accuracy + SPARE_BITS or ball.raw.is_zero())
        ):
            return ball
        bits *= 2
