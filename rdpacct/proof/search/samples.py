"""Values at sample points: they steer the search and are not part of any proof."""

from fractions import Fraction

from rdpacct.proof.check.balls import Evaluation, rational_ball, working
from rdpacct.proof.check.effort import Rejected
from rdpacct.proof.check.pieces import Box, rational_bounds
from rdpacct.proof.check.ring import Poly


def sample_points(piece: Box) -> list[Fraction]:
    """Rational points of the piece in increasing order, geometric toward both ends."""
    low = None if piece.low is None else rational_bounds(piece.low)[1]
    high = None if piece.high is None else rational_bounds(piece.high)[0]
    if low is None and high is None:
        return sorted(
            {s * Fraction(2) ** k for k in range(-12, 13, 2) for s in (1, -1)}
            | {Fraction(0)}
        )
    if low is None or high is None:
        steps = [
            Fraction(2) ** k
            for k in (-40, -24, -16, -12, -9, -7, *range(-5, 8), 10, 14, 20)
        ]
        steps += [Fraction(3) * Fraction(2) ** k for k in range(-3, 5)]
        if low is not None:
            return sorted({low + s for s in steps})
        return sorted({(high or Fraction(0)) - s for s in steps})
    width = high - low
    parts = [Fraction(k, 16) for k in range(1, 16)] + [
        Fraction(1, 2**k) for k in (5, 7, 10, 14, 20, 30)
    ]
    return sorted({low + width * t for t in parts} | {high - width * t for t in parts})


def value_at(poly: Poly, name: str, point: Fraction, bits: int = 200) -> float | None:
    """A value that has at least the right sign, or None where it is not decided."""
    for precision in (bits, 10 * bits):
        with working(precision):
            try:
                value = Evaluation({name: rational_ball(point)}).poly(poly)
            except (Rejected, ValueError, ZeroDivisionError):
                return None
            if value.is_finite() and not value.contains(0):
                return 1.0 if value > 0 else -1.0
    return None


def signs_at(poly: Poly, name: str, points: list[Fraction]) -> list[int]:
    """The signs at the points, 0 where undecided."""
    return [_sign(value_at(poly, name, point)) for point in points]


def _sign(value: float | None) -> int:
    if value is None:
        return 0
    return 1 if value > 0 else -1


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The rational number of least denominator in the closed interval."""
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest_between(-high, -low)
    whole = low.numerator // low.denominator
    if whole == low:
        return Fraction(whole)
    if whole + 1 <= high:
        return Fraction(whole + 1)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))
