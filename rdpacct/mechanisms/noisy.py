"""Adding noise to what a query gives: a number, a list, or an array, with an independent draw for
each coordinate.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import shorten
from rdpacct.provenance import by

LARGEST = 2**62
"""Whole numbers in arrays stay below this, so that their sums have room in 64 bits."""


def with_noise(
    value: Any, one: Callable[[], float], many: Callable[[int], Array]
) -> Any:
    """A real value with noise: a float for a number, a list for a list or a tuple, an array for an
    array.
    """
    if isinstance(value, list | tuple):
        return [with_noise(x, one, many) for x in value]
    if is_array(value):
        np = load()
        if value.dtype.kind not in "fiu":
            raise _not_numbers(value)
        noise = many(value.size).reshape(value.shape)
        return np.add(
            value, noise, dtype=np.float64, subok=False, out=np.empty(value.shape)
        )
    if is_number(value):
        return float(value) + one()
    raise _not_numbers(value)


def with_whole_noise(
    value: Any, one: Callable[[], int], many: Callable[[int], Array]
) -> Any:
    """An integer value with whole noise: an int for an integer, a list for a list or a tuple, an
    array for an array.
    """
    if isinstance(value, list | tuple):
        return [with_whole_noise(x, one, many) for x in value]
    if is_array(value):
        return _whole_array(value, many)
    if is_whole(value):
        return int(value) + one()
    raise _not_whole(value)


def _whole_array(value: Array, many: Callable[[int], Array]) -> Array:
    np = load()
    if value.dtype.kind not in "iu":
        raise _not_whole(value)
    if value.size and max(int(value.max()), -int(value.min())) > LARGEST:
        raise InputError(
            "the array has a value beyond 2**62; give smaller numbers, or a list of"
            " Python's integers."
        )
    return np.asarray(value.astype(np.int64) + many(value.size).reshape(value.shape))


def size_of(value: Any) -> int | None:
    """How many entries a list or an array with one dimension has; None for anything else."""
    if is_array(value):
        return int(value.size) if value.ndim == 1 else None
    if isinstance(value, list | tuple):
        return len(value)
    return None


def is_array(value: Any) -> bool:
    """Whether this is an array of NumPy, also one without dimensions, and not a number of it."""
    return (
        hasattr(value, "__array__")
        and hasattr(value, "reshape")
        and type(value).__name__ == "ndarray"
    )


def is_number(value: Any) -> bool:
    """Whether this is one real number, Python's, NumPy's or another library's."""
    if isinstance(value, bool | str | bytes | complex) or type(value).__name__ in (
        "bool",
        "bool_",
    ):
        return False
    return hasattr(value, "__float__") and getattr(value, "ndim", 0) == 0


def is_whole(value: Any) -> bool:
    """Whether this is one integer."""
    return (
        not isinstance(value, bool)
        and hasattr(value, "__index__")
        and getattr(value, "ndim", 0) == 0
    )


@by("noise/unimodal")
def worst_move(most: Expr) -> Expr:
    """The worst move of a number up to the largest one, for noise whose density falls with the
    distance: the largest.
    """
    return most


def one_number(value: Any, mechanism: object) -> float:
    """The value of a query of one number."""
    if not is_number(value):
        raise InputError(
            f"the value is {_told(value)}, but {type(mechanism).__name__} adds noise to"
            " one number; give one."
        )
    return float(value)


def not_one_number(first: Sequence[Fraction]) -> str:
    """Why a row is not an input of a mechanism for one number; nothing if it may be."""
    if len(first) > 1:
        return f"there are {len(first)} numbers, and the noise is for one"
    return ""


def _not_numbers(value: Any) -> InputError:
    return InputError(
        f"the value is {_told(value)}, to which no noise can be added; give a number, a"
        " list of numbers or an array."
    )


def _not_whole(value: Any) -> InputError:
    return InputError(
        f"the value is {_told(value)}, but discrete noise is added to an integer; give"
        " one, or a list or an array of integers."
    )


def _told(value: Any) -> str:
    if is_array(value):
        return f"an array of {value.dtype}"
    return shorten(repr(value))
