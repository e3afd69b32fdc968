"""What code computes, as exact numbers: a double is a rational, a move the difference of two."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from rdpacct.exact.number import rational

Move: TypeAlias = Fraction | float
"""How far a number moved: a rational, or infinity if one of the two is not a finite number."""


def flat(value: Any) -> list[Any]:
    """The numbers in a value: a number, an array, or lists of these."""
    if hasattr(value, "ndim") and hasattr(value, "ravel"):
        return list(value.ravel().tolist())
    if isinstance(value, list | tuple):
        return [number for part in value for number in flat(part)]
    return [value]


def shape_of(value: Any) -> tuple[int, ...]:
    """The shape of an array or of nested lists; that of a number is empty."""
    if hasattr(value, "ndim") and hasattr(value, "shape"):
        return tuple(map(int, value.shape))
    if isinstance(value, list | tuple):
        return (len(value), *(shape_of(value[0]) if value else ()))
    return ()


def is_real(value: Any) -> bool:
    """Whether this is one real number; a truth value is 0 or 1."""
    if type(value) is float or type(value) is int:
        return True
    if isinstance(value, complex | str | bytes):
        return False
    return hasattr(value, "__float__") and getattr(value, "ndim", 0) == 0


def exact(value: Any) -> Fraction:
    """The rational that a finite real number is."""
    if type(value) is float:
        return Fraction(value)
    if type(value).__name__ in ("bool", "bool_"):
        return Fraction(int(value))
    return rational(value)


def is_finite(value: Any) -> bool:
    """Whether a real number is finite; rationals of any size are."""
    return isinstance(value, int | Fraction) or math.isfinite(value)


def moves(first: Any, second: Any) -> list[Move] | None:
    """How far each number moved from one value to the other; None where they are not numbers of the
    same shape.
    """
    before = flat(first)
    after = flat(second)
    if shape_of(first) != shape_of(second) or len(before) != len(after):
        return None
    if not all(map(is_real, before)) or not all(map(is_real, after)):
        return None
    if before == after:
        return [Fraction(0)] * len(before)
    return [_move(a, b) for a, b in zip(before, after, strict=True)]


def finite(moved: Sequence[Move]) -> bool:
    """Whether all moves are between finite numbers."""
    return not any(move == math.inf for move in moved)


def _move(first: Any, second: Any) -> Move:
    if first == second or (first != first and second != second):
        return Fraction(0)
    if is_finite(first) and is_finite(second):
        return exact(second) - exact(first)
    return math.inf


def same(first: Any, second: Any) -> bool:
    """Whether two outputs are the same: number by number, entry by entry; NaN is the same as
    NaN.
    """
    if type(first) is not type(second):
        return is_real(first) and is_real(second) and _move(first, second) == 0
    if _dimensions(first) and flat(first) == flat(second):
        return shape_of(first) == shape_of(second)
    before = parts(first)
    after = parts(second)
    if before is not None and after is not None:
        return before.keys() == after.keys() and all(
            same(before[key], after[key]) for key in before
        )
    return bool(first == second) or bool(first != first and second != second)


def is_comparable(value: Any) -> bool:
    """Whether equality of such outputs says anything: not for objects that are equal to themselves
    only.
    """
    inside = parts(value)
    if inside is not None:
        return all(map(is_comparable, inside.values()))
    plain: Any = object.__eq__
    return value is None or type(value).__eq__ is not plain


def _dimensions(value: Any) -> int:
    return int(getattr(value, "ndim", False))


def parts(value: Any) -> dict[Any, Any] | None:
    """What a value consists of, by name or by number; None if it has no parts."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, list | tuple) or _dimensions(value):
        return {"shape": str(shape_of(value))} | dict(enumerate(flat(value)))
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: getattr(value, each.name) for each in fields(value)}
    return None
