"""Numbers without symbols, as balls and as doubles."""

import math
from collections.abc import Sequence
from fractions import Fraction

from rdpacct.exact.ball import REAL_FUNCTIONS, RealBall
from rdpacct.exact.formula import Expr, Rational, multiply
from rdpacct.exact.number import near_double
from rdpacct.exact.raw import real


def value(expr: Expr) -> RealBall:
    """A number without symbols, as a backend value at the current precision."""
    if isinstance(expr, Rational):
        return real(expr.value)
    return expr.raw(REAL_FUNCTIONS, {})


def about(expr: Expr) -> float:
    """A number without symbols as a double, good for planning only."""
    if isinstance(expr, Rational):
        return near_double(expr.value)
    return float(expr.ball(64))


def common_spacing(steps: Sequence[Expr]) -> Expr | None:
    """The greatest number of which all steps are whole multiples, or None if none is known or there
    is no step.
    """
    shares: list[Fraction] = []
    unit: tuple[Expr, ...] | None = None
    for step in steps:
        share, rest = split(step)
        if unit not in (None, rest):
            return None
        unit = rest
        shares.append(abs(share))
    if unit is None:
        return None
    below = math.lcm(*(share.denominator for share in shares))
    above = math.gcd(
        *(share.numerator * (below // share.denominator) for share in shares)
    )
    common = Fraction(above, below)
    size = value(multiply(common, *unit))
    if size > 0:
        return multiply(common, *unit)
    return multiply(-common, *unit) if size < 0 else None


def split(loss: Expr) -> tuple[Fraction, tuple[Expr, ...]]:
    """A number as a rational multiple of the rest of its factors."""
    first, *others = loss.factors_of()
    if isinstance(first, Rational):
        return (first.value, tuple(others))
    return (Fraction(1), (first, *others))
