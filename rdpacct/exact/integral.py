"""Rigorous integration of formulas: finite intervals with declared kinks, and log-concave tails."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from rdpacct.errors import UndecidedError
from rdpacct.exact.backend_integral import integral
from rdpacct.exact.ball import (
    Ball,
    ComplexBall,
    Exact,
    RealBall,
    complex_functions,
    precision,
)
from rdpacct.exact.compiled import compiled, operations
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.raw import real

MAX_DOUBLINGS = 200


def integrate(
    integrand: Expr,
    variable: str,
    low: Real,
    high: Real,
    bits: int,
    kinks: Sequence[Real] = (),
    **values: "Exact | Ball",
) -> Ball:
    """The integral over [low, high] of a formula that is analytic between the declared kinks.

    An undeclared kink costs width or fails loudly; it cannot make the enclosure wrong.
    """
    with precision(bits):
        known: dict[str, RealBall] = {
            name: v.raw if isinstance(v, Ball) else real(v)
            for name, v in values.items()
        }
        plain, where_analytic = (
            compiled(integrand, variable, complex_functions(flag), known)
            for flag in (False, True)
        )

    def at(point: ComplexBall, analytic: bool) -> ComplexBall | RealBall:
        return where_analytic(point) if analytic else plain(point)

    ends = [formula(end).ball(bits) for end in (low, *kinks, high)]
    count = operations(integrand, variable)
    return sum(
        (integral(at, a, b, bits, count) for a, b in pairwise(ends)),
        start=Ball.of(0, bits),
    )


def integrate_tail(
    integrand: Expr,
    majorant: Expr,
    variable: str,
    start: Fraction,
    step: Fraction,
    bits: int,
    **values: "Exact | Ball",
) -> Ball:
    """The integral from ``start`` to infinity, in the direction of ``step``, of a formula bounded
    by a majorant.

    The majorant is positive and log-concave from ``start`` on: past a point it decays at least as
    fast as it decayed just before it, which bounds what is cut off.
    """

    def size(point: Fraction) -> Ball:
        return majorant.ball(bits, **{**values, variable: point})

    seen = size(start)
    ends = [start]
    span = step
    for _ in range(MAX_DOUBLINGS):
        before = ends[-1]
        point = start + span
        drop = (size(before) / size(point)).log()
        seen = seen.larger(size(point))
        ends.append(point)
        span *= 2
        if drop.certainly_positive():
            rest = size(point) * abs(point - before) / drop
            if (seen * abs(step) / 2**bits - rest).certainly_positive():
                body = integrate(
                    integrand,
                    variable,
                    ends[0],
                    ends[-1],
                    bits,
                    kinks=ends[1:-1],
                    **values,
                )
                return (body if step > 0 else -body) + (-rest).union(rest)
    raise UndecidedError(
        f"the tail of {integrand} beyond {start} could not be bounded."
    )
