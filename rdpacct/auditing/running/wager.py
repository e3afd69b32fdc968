"""Wagers against a half plane p <= growth q + slack: factors with a mean of at most 1 on it.

A trial is one output on each of two inputs. The wager multiplies a stake by ``likely[a] rare[b]``:
a is 1 if the event happens on the input on which it is likely, with probability p, and b if it does
on the other, with probability q.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from rdpacct.exact.formula import Expr
from rdpacct.proof.audit.half_plane import HalfPlane
from rdpacct.provenance import by

SMALLEST = 1e-12
DIGITS = 15
"""The decimals of a factor."""
Value = TypeVar("Value", Fraction, Expr)
WagerFactors = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Wager:
    """The positive factors of a stake if the event does not happen and if it does, on each input.

    On the likely input a hit is worth at least as much as a miss, on the rare one at most.
    """

    likely: WagerFactors
    rare: WagerFactors


@by("statistics/wager")
def mean_factor(
    p: Value, q: Value, likely: tuple[Value, Value], rare: tuple[Value, Value]
) -> Value:
    """The mean factor of a trial, for independent outputs."""
    return (likely[0] + (likely[1] - likely[0]) * p) * (
        rare[0] - (rare[0] - rare[1]) * q
    )


@by("statistics/wager")
def highest_mean(start: Value, rise: Value, first: Value, fall: Value) -> Value:
    """The largest value of (start + rise q)(first - fall q) over all real q, if it rises and
    falls.
    """
    return (start * fall + rise * first) ** 2 / (4 * rise * fall)


def largest_mean(wager: Wager, plane: HalfPlane) -> Fraction:
    """The largest mean factor on a half plane, exactly: it is attained where p = growth q + slack
    or p = 1.
    """
    missed, hit = wager.likely
    start = missed + (hit - missed) * plane.slack
    rise = (hit - missed) * plane.growth
    first = wager.rare[0]
    fall = wager.rare[0] - wager.rare[1]
    last = (1 - plane.slack) / plane.growth
    slope_at_first = rise * first - start * fall
    if slope_at_first <= 0:
        return mean_factor(plane.slack, Fraction(0), wager.likely, wager.rare)
    if slope_at_first >= 2 * rise * fall * last:
        return mean_factor(Fraction(1), last, wager.likely, wager.rare)
    return highest_mean(start, rise, first, fall)


def fair(
    likely: tuple[float, float], rare: tuple[float, float], plane: HalfPlane
) -> Wager:
    """The wager with factors in these proportions and the largest mean 1, but for rounding down."""
    planned = Wager(
        (_decimal(likely[0]), _decimal(max(likely))),
        (_decimal(max(rare)), _decimal(rare[1])),
    )
    most = largest_mean(planned, plane)
    missed, hit = (_down(factor / most) for factor in planned.likely)
    return Wager((missed, hit), planned.rare)


def _decimal(value: float) -> Fraction:
    """A decimal near a positive double, and not too small."""
    return Fraction(f"{max(value, SMALLEST):.{DIGITS}g}")


def _down(value: Fraction) -> Fraction:
    """A short decimal just below."""
    scale = 10 ** (DIGITS + 3)
    return Fraction(int(value * scale), scale)
