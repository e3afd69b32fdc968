"""Ball values of ring polynomials, at points and on intervals, through Arb.

Every answer is either a certain one or none: a ball that is not finite decides nothing.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from flint import arb, arb_series, ctx, fmpq

from rdpacct.proof.check.effort import EFFORT, Rejected, TooMuchWork, transcendental
from rdpacct.proof.check.ring import Poly, Ratio
from rdpacct.proof.check.slots import TURNS, Number, Slot

LADDER = (64, 256, 1024, 4096)
ORDER = 5


@contextmanager
def working(bits: int, terms: int = 10) -> Iterator[None]:
    """Run the backend at that precision and series length, and put its settings back."""
    before = ctx.prec, ctx.cap
    ctx.prec = bits
    ctx.cap = terms
    try:
        yield
    finally:
        ctx.prec, ctx.cap = before


def rational_ball(value: Number) -> Any:
    """The ball of a rational number."""
    return arb(fmpq(value.numerator, value.denominator))


class Evaluation:
    """Values of polynomials where each variable is a ball or a power series with ball
    coefficients.
    """

    def __init__(self, variables: Mapping[str, Any]) -> None:
        self.variables = variables
        self.slots: dict[Slot, Any] = {}
        self.series = any(isinstance(value, arb_series) for value in variables.values())
        self.each = (3 if self.series else 1) + ctx.prec // 1000
        self.function = transcendental(ctx.prec) * (2 if self.series else 1)

    def poly(self, poly: Poly) -> Any:
        """The value of a polynomial."""
        total: Any = arb(0)
        EFFORT.spend(1 + len(poly.terms) * (1 + self.each + poly.bits // 2000))
        for monomial, coefficient in poly.terms.items():
            EFFORT.spend(len(monomial) * self.each)
            term: Any = rational_ball(coefficient)
            for slot, exponent in monomial:
                term = term * self.power(self.slot(slot), exponent)
            total = total + term
        return total

    def ratio(self, ratio: Ratio) -> Any:
        """The value of a quotient."""
        value = self.poly(ratio.top)
        for factor, exponent in ratio.bottom.items():
            value = value / self.power(self.poly(factor), Fraction(exponent))
        return value

    def power(self, base: Any, exponent: Number) -> Any:
        """A rational power; a fractional one needs a positive base and is not finite otherwise."""
        EFFORT.spend(self.each * exponent.numerator.bit_length() // 2)
        if exponent.denominator != 1:
            EFFORT.spend(2 * self.function)
            return (base.log() * rational_ball(exponent)).exp()
        result = None
        count = abs(int(exponent))
        while count:
            if count & 1:
                result = base if result is None else result * base
            count >>= 1
            base = base * base if count else base
        if result is None:
            return arb(1)
        return 1 / result if exponent < 0 else result

    def slot(self, slot: Slot) -> Any:
        """The value of a slot."""
        if slot not in self.slots:
            self.slots[slot] = self._slot(slot)
        return self.slots[slot]

    def _slot(self, slot: Slot) -> Any:
        if slot.kind == "variable":
            if slot.text not in self.variables:
                raise Rejected(f"the variable {slot.text} has no value here.")
            return self.variables[slot.text]
        EFFORT.spend(self.function * (5 if slot.kind == "erfc" else 1))
        if slot.kind == "pi":
            return arb.pi()
        if slot.kind == "prime":
            return arb(slot.number)
        if slot.kind == "exp":
            return self.ratio(slot.ratio).exp()
        if slot.kind in TURNS:
            argument = self.ratio(slot.ratio)
            if slot.kind == "cos":
                return argument.cos()
            return argument.sin()
        inner = self.poly(slot.polynomial)
        if slot.kind == "log":
            return inner.log()
        if slot.kind == "erfc":
            return inner.erfc()
        return self.power(inner, Fraction(1, slot.degree))


def constant_ball(poly: Poly, bits: int) -> Any:
    """The ball of a polynomial without variables."""
    with working(bits):
        return Evaluation({}).poly(poly)


def constant_sign(poly: Poly) -> int:
    """The sign of a polynomial without variables: 0 only if it is the zero polynomial."""
    if poly.zero():
        return 0
    for bits in LADDER:
        value = constant_ball(poly, bits)
        if value.is_finite() and value > 0:
            return 1
        if value.is_finite() and value < 0:
            return -1
    raise Rejected(f"the sign of the constant {poly.text[:60]} is not decided.")


def enclosure(
    poly: Poly, name: str, low: Fraction, high: Fraction, bits: int = 128
) -> Any:
    """A ball that contains the values of the polynomial on [low, high]: Taylor's formula around the
    middle.

    The coefficient of the last term is taken on the whole interval, which is Lagrange's remainder.
    """
    with working(bits, ORDER + 1):
        middle = rational_ball((low + high) / 2)
        reach = rational_ball((high - low) / 2)
        offset = (-reach).union(reach)
        try:
            near = _coefficients(Evaluation({name: arb_series([middle, 1])}).poly(poly))
            wide = _coefficients(
                Evaluation({name: arb_series([middle + offset, 1])}).poly(poly)
            )
        except TooMuchWork:
            raise
        except (ValueError, ZeroDivisionError):
            return arb("nan")
        value = wide[ORDER]
        for coefficient in reversed(near[:ORDER]):
            value = value * offset + coefficient
        return value


def _coefficients(series: Any) -> list[Any]:
    if isinstance(series, arb):
        series = arb_series([series])
    if series.prec < ORDER + 1:
        raise ValueError("the series is too short")
    return [series[k] for k in range(ORDER + 1)]


def positive_on(
    poly: Poly, name: str, low: Fraction, high: Fraction, most: int
) -> tuple[bool, int]:
    """Whether the polynomial is certainly positive on all of [low, high], by bisection, and the
    boxes that it took.
    """
    boxes = [(low, high)]
    count = 0
    while boxes and count < most:
        left, right = boxes.pop()
        count += 1
        value = enclosure(poly, name, left, right)
        if value.is_finite() and value > 0:
            continue
        middle = (left + right) / 2
        if (value.is_finite() and value < 0) or right - left < Fraction(1, 10**12):
            return False, count
        boxes += [(middle, right), (left, middle)]
    return not boxes, count
