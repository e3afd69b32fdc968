"""By which integer vectors the value of a query may move between neighbors."""

import math
from collections.abc import Iterator
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.formula import Rational
from rdpacct.exact.number import shorten, whole
from rdpacct.exact.parameter import CheckedField
from rdpacct.privacy.relation import Sensitivity

MOST_ENTRIES = 1000
MOST_STEPS = 10**9
LARGEST_SQUARE = 10**18
MOST_SHIFTS = 24
"""Up to this many vectors are told apart; of more, a few are taken that can happen."""

Shift = tuple[int, ...]
"""Positive whole numbers in falling order: the sizes of the entries that are not zero, whose signs
do not matter.
"""


class ShiftIn(CheckedField[Any, tuple[int, ...] | None]):
    """A field that holds the vector by which a value moves between neighbors, or None."""

    def checked(self, given: Any) -> tuple[int, ...] | None:
        return None if given is None else _entries(given)

    def default_value(self) -> None:
        return None


def _entries(given: Any) -> tuple[int, ...]:
    if isinstance(given, str | bytes) or not hasattr(given, "__iter__"):
        raise InputError(
            f"the shift is {shorten(repr(given))}; give a list of whole numbers such as"
            " [1, 1, 2]."
        )
    entries = tuple(
        whole(entry, "an entry of the shift", -MOST_STEPS, MOST_STEPS)
        for entry in given
    )
    if not 0 < len(entries) <= MOST_ENTRIES or not any(entries):
        raise InputError(
            f"the shift has {len(entries)} entries, {sum(map(bool, entries))} of them"
            f" not zero; give 1 to {MOST_ENTRIES} whole numbers, not all zero."
        )
    return entries


def sizes(entries: tuple[int, ...]) -> Shift:
    """The sizes of the entries that are not zero, in falling order."""
    return tuple(sorted((abs(entry) for entry in entries if entry), reverse=True))


def square_of(sensitivity: Sensitivity) -> int:
    """The largest squared length that an integer vector within an L2 sensitivity has."""
    square = sensitivity.value**2
    bound = square.bound()
    least, most = (
        math.floor(end) if math.isfinite(end) else LARGEST_SQUARE + 1
        for end in (bound.lower, bound.upper)
    )
    if least != most or not 1 <= most <= LARGEST_SQUARE:
        told = square if isinstance(square, Rational) else sensitivity.value
        raise InputError(
            f"the sensitivity of an integer vector has the square {told}, but needs one"
            f" from 1 to {LARGEST_SQUARE}; give the L2 sensitivity of the query."
        )
    return most


def worst_shifts(square: int, dimension: int) -> tuple[tuple[Shift, ...], bool]:
    """The vectors of at most that squared length that no other one exceeds, and whether these are
    all.

    If there are too many, the one with the largest entry and the one with the most entries.
    """
    shifts: list[Shift] = []
    for shift in _fillings(square, dimension, math.isqrt(square)):
        shifts.append(shift)
        if len(shifts) > MOST_SHIFTS:
            ones = (1,) * min(square, dimension, MOST_ENTRIES)
            return (_greedy(square, dimension), ones), False
    return (
        tuple(
            one
            for one in shifts
            if not any(_exceeds(other, one) for other in shifts if other != one)
        ),
        True,
    )


def _fillings(square: int, entries: int, largest: int) -> Iterator[Shift]:
    """The vectors with a number of entries, none above the largest, to which no further entry can
    be added.
    """
    if entries == 0 or square == 0:
        yield ()
        return
    for entry in range(min(largest, math.isqrt(square)), 0, -1):
        for rest in _fillings(square - entry**2, entries - 1, entry):
            yield (entry, *rest)


def _greedy(square: int, entries: int) -> Shift:
    """The vector that takes the largest entry each time."""
    shift: list[int] = []
    while square and len(shift) < min(entries, MOST_ENTRIES):
        shift.append(math.isqrt(square))
        square -= shift[-1] ** 2
    return tuple(shift)


def _exceeds(other: Shift, one: Shift) -> bool:
    """Whether each entry of one is at most that of the other in its place."""
    return len(one) <= len(other) and all(
        a <= b for a, b in zip(one, other, strict=False)
    )
