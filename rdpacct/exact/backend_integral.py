"""Rigorous integrals of analytic functions by the backend, within the work that is left, whose ends
do not depend on the integrals before them.
"""

import math
from collections.abc import Callable
from typing import TypeAlias

from rdpacct.exact.ball import Ball, ComplexBall, RealBall, precision
from rdpacct.exact.raw import current_bits
from rdpacct.work import fitting, spend

NODE_BITS, KEPT_BITS, RADIUS_BITS = 64, 24, 8
"""How much more precision an integral is worked out at, so that its nodes matter in its last digits
only; how many of these bits are kept in the midpoint; and how many bits the radius has.
"""
FEWEST_VALUES, VALUES_PER_BIT, MOST_VALUES_PER_BIT = 16, 100, 300
"""How many values an integral takes at least; and for each bit of the precision, how many it takes
at most if it is known to that precision, about, and how many before it is given up.
"""
IN_VAIN = 20
"""How much more the values of an integral count that is given up: it is seldom known at a higher
precision either, and an answer that asks for several ends sooner.
"""
FEW_OPERATIONS = 16
"""How many operations a value of a short function takes, its functions counted as one each."""

Integrand: TypeAlias = Callable[[ComplexBall, bool], ComplexBall | RealBall]
"""A function of a complex point; the flag asks for a non-finite ball where it is not analytic."""


def integral(
    integrand: Integrand,
    low: Ball,
    high: Ball,
    bits: int,
    operations: int = FEW_OPERATIONS,
) -> Ball:
    """The integral of a function that is analytic near the interval, with a rigorous error radius.

    A few values of the function say how accurate the parts of the integral need to be; they plan
    and do not answer. Each value takes about so many operations.
    """
    with precision(bits):
        start = ComplexBall(low.raw).mid()
        length = ComplexBall(high.raw - low.raw).mid()
        values = [
            integrand(start + length * k / 32, False)
            for k in (1, 2, 4, 8, 16, 24, 28, 30, 31)
        ]
        size = RealBall(0)
        for at in map(ComplexBall, values):
            size = size.max(at.abs_upper()) if at.is_finite() else size
        goal = (
            size * length.abs_upper() * RealBall(2) ** -bits
            if size > 0
            else RealBall(2) ** -bits
        )
        enclosure = integrated(
            integrand,
            ComplexBall(low.raw),
            ComplexBall(high.raw),
            operations,
            rel_tol=RealBall(2) ** -bits,
            abs_tol=goal,
        )
        return Ball(enclosure.real, bits)


def complex_quadrature(
    integrand: Integrand,
    low: ComplexBall | RealBall,
    high: ComplexBall | RealBall,
    operations: int = FEW_OPERATIONS,
) -> ComplexBall:
    """The integral of a function that is analytic near the interval, at the current precision."""
    return integrated(integrand, ComplexBall(low), ComplexBall(high), operations)


def integrated(
    integrand: Integrand,
    low: ComplexBall,
    high: ComplexBall,
    operations: int,
    rel_tol: RealBall | None = None,
    abs_tol: RealBall | None = None,
) -> ComplexBall:
    """The integral, with no more values of the function than there is work left for."""
    units = _value_work(operations, current_bits())
    count = 0

    def value(point: ComplexBall, analytic: bool) -> ComplexBall:
        nonlocal count
        count += 1
        found = integrand(point, analytic)
        return (
            found if isinstance(found, ComplexBall) else ComplexBall(found)
        )  # of a constant

    bits = current_bits()
    spend(FEWEST_VALUES * units)
    most = MOST_VALUES_PER_BIT * bits
    affordable = fitting(units * IN_VAIN) >= most
    if not affordable:
        most = min(VALUES_PER_BIT * bits, fitting(units))
    goal = RealBall(2) ** -bits
    with precision(bits + NODE_BITS):
        enclosure = ComplexBall.integral(
            value,
            low,
            high,
            rel_tol=goal if rel_tol is None else rel_tol,
            abs_tol=goal if abs_tol is None else abs_tol,
            eval_limit=most,
        )
    if count >= most:
        units *= IN_VAIN if affordable else math.inf
    spend(max(0, count - FEWEST_VALUES) * units)
    least = enclosure.abs_upper() * RealBall(2) ** -bits
    return ComplexBall(
        settled(enclosure.real, least, bits), settled(enclosure.imag, least, bits)
    )


def settled(value: RealBall, least: RealBall, bits: int) -> RealBall:
    """A ball around an integral without the last digits of its ends, in which it depends on the
    precision of the integrals before it, as for these the nodes were made; its radius is at least
    so large.
    """
    if not value.is_finite() or value.is_exact():
        return value
    with precision(bits + KEPT_BITS):
        middle = (+value.mid()).mid()
        missing = (value - middle).abs_upper().max(least).upper()
    mantissa, exponent = map(int, missing.man_exp())
    beyond = max(0, mantissa.bit_length() - RADIUS_BITS)
    rounded_up = -(-mantissa >> beyond)
    return RealBall(middle, RealBall(rounded_up) * RealBall(2) ** (exponent + beyond))


def _value_work(operations: int, bits: int) -> float:
    """The work of one value of a function, and of being asked for it."""
    return (2 + operations) * (1 + bits / 512 + (bits / 1024) ** 2)
