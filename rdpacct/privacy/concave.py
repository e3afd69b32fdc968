"""The largest value of a concave function, enclosed from finitely many of its points.

To the right of two points a concave function stays below the chord through them, extended, and to
the left as well. So between two points it stays below the chords of its neighbors on both sides.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.exact.ball import Ball
from rdpacct.provenance import by
from rdpacct.work import share, used_up

MOST_POINTS = 90
GOAL = Fraction(1, 2**42)
"""The search ends once the two ends differ by at most this share of the value, or of its distance
to one.
"""
FIRST_POINT, ONE_POINT = 0.5, 0.15
"""The parts of the remaining work for the first point and for each other one."""
ENOUGH = 8
"""A bound that is wider by this factor than the values that it comes from is not improved."""
NEAR = 0.02
"""The distance in levels above which chords show where the next point is best taken."""
NEIGHBORS = 6
"""How many points on each side may give the steepest useful chord."""
LEVELS = (-40.0, -12.0, -4.0, -1.0, 0.0, 1.0, 4.0, 12.0, 40.0)
"""The levels to begin with, denser about zero."""


@dataclass(frozen=True)
class Dot:
    """A point of the function: a level that orders the points, the place, and two ends of the value
    there.
    """

    level: float
    place: Ball
    lower: Fraction
    upper: Fraction


def highest(
    at: Callable[[float], Dot], ends: tuple[Dot, Dot], levels: tuple[float, float]
) -> tuple[Fraction, Fraction]:
    """Two ends of the largest value, which is from zero to one and is taken between the two given
    ends.
    """
    dots = [
        ends[0],
        *(
            _asked(at, level, first=k == 0)
            for k, level in enumerate(_first_levels(*levels))
        ),
        ends[1],
    ]
    return highest_among(at, dots, levels)


def highest_among(
    at: Callable[[float], Dot],
    dots: list[Dot],
    levels: tuple[float, float],
    goal: Fraction = GOAL,
) -> tuple[Fraction, Fraction]:
    """The same from dots that are known: the first and the last are ends, or certainly below
    another.
    """
    dots = list(dots)
    best = Fraction(0)
    for _ in range(MOST_POINTS):
        dots.sort(key=lambda dot: dot.level)
        best = max(best, *(dot.lower for dot in dots))
        high, cell = max(_bounds(dots, best), key=lambda bound: bound[0])
        if high - best <= max(goal * min(best, 1 - best), ENOUGH * _noise(dots, cell)):
            break
        after = _next_level(dots, cell, levels)
        if after is None or used_up():
            break
        dots.append(_asked(at, after))
    return best, max(high, best)


def _asked(at: Callable[[float], Dot], level: float, first: bool = False) -> Dot:
    """A point, for a part of the remaining work; the first has more, as it makes what the others
    need.
    """
    with share(FIRST_POINT if first else ONE_POINT):
        return at(level)


def _first_levels(low: float, high: float) -> list[float]:
    """The levels to begin with that lie inside, and one at the upper end."""
    inside = [level for level in LEVELS if low < level < high]
    return sorted({*inside, math.nextafter(high, -math.inf)})


def _noise(dots: list[Dot], cell: int) -> Fraction:
    """The width of the values beside a cell: no chord can tell more."""
    if 0 < cell < len(dots) - 2:
        return max(dot.upper - dot.lower for dot in dots[cell : cell + 2])
    return Fraction(0)


def _bounds(dots: list[Dot], best: Fraction) -> list[tuple[Fraction, int]]:
    """For each two neighbors between which the largest value may lie, a bound on the function
    between them.
    """
    middle = max(range(len(dots)), key=lambda i: dots[i].lower)
    first = max((i for i in range(middle) if dots[i].upper < best), default=0)
    last = min(
        (i for i in range(middle, len(dots)) if dots[i].upper < best),
        default=len(dots) - 1,
    )
    return [(_between(dots, i), i) for i in range(first, last)]


def _between(dots: list[Dot], i: int) -> Fraction:
    """The bound between point i and the next, from the chords on its left and on its right."""
    left = dots[i]
    right = dots[i + 1]
    gap = right.place - left.place
    rise = _slope(left, dots[max(0, i - NEIGHBORS) : i])
    fall = _slope(right, dots[i + 2 : i + 2 + NEIGHBORS])
    highest = below_chords(left.upper, right.upper, gap, rise, fall)
    if math.isinf(highest.upper()):
        return Fraction(1)
    return Fraction(highest.upper())


def _slope(near: Dot, others: list[Dot]) -> Ball | None:
    """How steep the flattest chord is by which the function may rise beyond a point, coming from
    the others.
    """
    chords = [(near.upper - far.lower) / _distance(near, far) for far in others]
    finite = [chord for chord in chords if chord.finite()]
    return min(finite, key=lambda chord: chord.upper(), default=None)


def _distance(one: Dot, two: Dot) -> Ball:
    gap = one.place - two.place
    return gap if gap.certainly_positive() else -gap


@by("tradeoff/from-profile")
def below_chords(
    left: Fraction, right: Fraction, gap: Ball, rise: Ball | None, fall: Ball | None
) -> Ball:
    """A bound on a concave function between two points this far apart, where it is at most ``left``
    and ``right``.

    Beyond the first point it rises at most as steeply as ``rise``, and before the second, seen from
    there, as ``fall``. Every mean of the two chords is a bound; that with equal ends is the best.
    """
    if rise is None or fall is None:
        slope, fixed = (rise, left) if fall is None else (fall, right)
        if slope is None:
            return Ball.everything(gap.bits)
        return fixed + (slope * gap).positive_part()
    weight = _weight(rise, fall)
    first = weight * left + (1 - weight) * (right + fall * gap)
    second = weight * (left + rise * gap) + (1 - weight) * right
    return first.larger(second)


def _weight(rise: Ball, fall: Ball) -> Fraction:
    """The share of the first chord in the mean that has no slope, or the one that falls."""
    up = rise.upper()
    down = fall.upper()
    if up <= 0:
        return Fraction(1)
    if down <= 0:
        return Fraction(0)
    share = (fall / (rise + fall)).upper()
    if isinstance(share, Fraction):
        return min(Fraction(share), Fraction(1))
    return Fraction(1, 2)


def _next_level(
    dots: list[Dot], cell: int, levels: tuple[float, float]
) -> float | None:
    """Where the next point is best taken: in the middle of a wide cell, and where the chords meet
    in a narrow one.
    """
    low = max(dots[cell].level, levels[0])
    high = min(dots[cell + 1].level, levels[1])
    if high - low < NEAR and 0 < cell < len(dots) - 2:
        meeting = _meeting(dots, cell)
        if meeting is not None and low < meeting < high:
            return meeting
    middle = (low + high) / 2
    return middle if low < middle < high else None


def _meeting(dots: list[Dot], cell: int) -> float | None:
    """About the level at which the chords on both sides of a cell meet, kept off the ends of the
    cell.
    """
    left = dots[cell]
    right = dots[cell + 1]
    outer_left = dots[cell - 1]
    outer_right = dots[cell + 2]
    width = float(right.place - left.place)
    rise = float((left.lower - outer_left.lower) / (left.place - outer_left.place))
    fall = float((right.lower - outer_right.lower) / (outer_right.place - right.place))
    ahead = float(right.lower - left.lower)
    if not (rise + fall > 0 and width > 0):
        return None
    step = (ahead + fall * width) / (rise + fall)
    share = step / width
    if not 1e-9 < share < 1 - 1e-9:
        share = 0.5
    return left.level + math.log1p(share * math.expm1(right.level - left.level))
