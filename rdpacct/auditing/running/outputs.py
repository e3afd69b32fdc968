"""Outputs of running code: numbers, vectors of numbers, or categories, each read and checked."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten

NUMBERS = (bool, int, float, Fraction)


class OutputKind(StrEnum):
    """What the outputs of a mechanism are."""

    NUMBER = "a number"
    VECTOR = "a vector"
    CATEGORY = "a category"


@dataclass(frozen=True)
class Outputs:
    """Outputs on one input: an array with a row for each, or a list of categories."""

    kind: OutputKind
    values: Any
    length: int | None = None
    """The number of coordinates of a vector."""

    def __len__(self) -> int:
        return len(self.values)

    @property
    def shape(self) -> str:
        """What one output is, in words."""
        if self.length is None:
            return self.kind.value
        return f"{self.kind.value} of length {self.length}"


def read_outputs(given: Any, size: int) -> Outputs:
    """A number of outputs, from an array or a list of them."""
    np = load()
    if isinstance(given, str | bytes) or not hasattr(given, "__len__"):
        raise InputError(
            f"the mechanism gave {shorten(repr(given))} for size={size}; give an array"
            " or a list with one output for each."
        )
    if len(given) != size:
        raise InputError(
            f"the mechanism gave {len(given)} outputs for size={size}; give one output"
            " for each, or leave out the parameter size."
        )
    if isinstance(given, np.ndarray) and given.dtype.kind in "biuf":
        return _array(np, given)
    return _listed(np, list(given))


def _array(np: Any, given: Array) -> Outputs:
    values = np.asarray(given, dtype=float)
    if np.isnan(values).any():
        raise _not_a_number()
    if values.ndim == 1:
        return Outputs(OutputKind.NUMBER, values)
    rows = values.reshape(len(values), -1)
    return Outputs(OutputKind.VECTOR, rows, rows.shape[1])


def _listed(np: Any, given: list[Any]) -> Outputs:
    types = set(map(type, given))
    numeric = {
        each for each in types if issubclass(each, (*NUMBERS, np.number, np.bool_))
    }
    if numeric == types:
        return _array(np, np.array([float(each) for each in given]))
    if numeric:
        odd = next(each for each in given if type(each) not in numeric)
        raise InputError(
            f"an output is {shorten(repr(odd))} and others are numbers; give outputs of"
            " one kind, or a score that makes each a number."
        )
    if types <= {list, np.ndarray}:
        return _vectors(np, given)
    if types == {tuple} and any(_has_a_float(np, row) for row in given):
        return _vectors(np, given)
    return _categories(given)


def _has_a_float(np: Any, row: tuple[Any, ...]) -> bool:
    """Whether a tuple is a vector; others, of whole numbers or names, are categories."""
    return any(isinstance(each, float | np.floating) for each in row)


def _vectors(np: Any, given: Sequence[Any]) -> Outputs:
    lengths = {np.size(row) for row in given}
    if len(lengths) > 1:
        few, many = min(lengths), max(lengths)
        raise InputError(
            f"outputs are vectors of {few} and of {many} numbers; give vectors of one"
            " length, tuples if each is a category, or a score."
        )
    try:
        values = np.array([np.asarray(row, dtype=float).ravel() for row in given])
    except (TypeError, ValueError):
        raise InputError(
            f"an output is {shorten(repr(given[0]))}, which is not a vector of numbers;"
            " give numbers, vectors or hashable values."
        ) from None
    return _array(np, values)


def _categories(given: list[Any]) -> Outputs:
    for each in given:
        try:
            hash(each)
        except TypeError:
            raise InputError(
                f"an output is {shorten(repr(each))}, which is neither a number nor"
                " hashable; give numbers, vectors, strings or tuples, or a score."
            ) from None
    return Outputs(OutputKind.CATEGORY, given)


def _not_a_number() -> InputError:
    return InputError(
        "an output is not a number (NaN), which no event can compare; give another value"
        " for it, or a score that has no NaN."
    )


def same_kind(shape: str, other: Outputs) -> None:
    """Refuse outputs of another kind than the first ones."""
    if shape != other.shape:
        raise InputError(
            f"an output is {shape} and another is {other.shape}; give outputs of"
            " one kind, or a score that makes each a number."
        )
