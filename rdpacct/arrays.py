"""Data as arrays: read and checked before anything is computed from them.

NumPy is loaded when data are given.
"""

import importlib
import math
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from rdpacct.errors import InputError, NotInstalledError
from rdpacct.exact.number import shorten

if TYPE_CHECKING:
    from numpy.random import Generator

Array: TypeAlias = Any
"""An array of NumPy."""


def load() -> Any:
    """The module numpy."""
    try:
        return importlib.import_module("numpy")
    except ImportError:
        message = (
            "data are read with NumPy, which is not installed; install rdpacct[data]."
        )
        raise NotInstalledError(message, "numpy") from None


def check_range(lower: Any, upper: Any) -> None:
    """Refuse ends of a range that are not two doubles or whole numbers, the lower one first."""
    usual = all(isinstance(end, Integral | float) for end in (lower, upper))
    try:
        fine = usual and math.isfinite(float(upper) - float(lower)) and lower < upper
    except OverflowError:
        fine = False
    if not fine:
        raise InputError(
            f"the range [{shorten(str(lower))}, {shorten(str(upper))}] is empty or not"
            " finite, or its ends are not doubles; give two numbers, the lower one first."
        )


def numbers(data: Any, lower: float | None = None, upper: float | None = None) -> Array:
    """A row of finite doubles, at least one, all within the declared range."""
    np = load()
    try:
        values = np.asarray(data, dtype=float)
    except (TypeError, ValueError):
        raise InputError(
            "the data are not numbers; give a sequence of numbers."
        ) from None
    except OverflowError:
        raise InputError(
            "the data have a number that is too large for a double; clip them."
        ) from None
    if values.ndim != 1:
        raise InputError(
            f"the data have {values.ndim} dimensions; give one sequence of numbers."
        )
    if values.size == 0:
        raise InputError("the data are empty; give at least one record.")
    if not np.isfinite(values).all():
        raise InputError(
            "the data have a value that is not finite; remove it or replace it by a"
            " number."
        )
    if lower is not None and values.min() < lower:
        raise InputError(
            f"the data have a value below the declared lower end {lower}; clip them or"
            " widen the range."
        )
    if upper is not None and values.max() > upper:
        raise InputError(
            f"the data have a value above the declared upper end {upper}; clip them or"
            " widen the range."
        )
    return values


def rows(data: Any, columns: int) -> Array:
    """A table of finite doubles with this many columns and at least one row."""
    np = load()
    try:
        values = np.asarray(data, dtype=float)
    except (TypeError, ValueError):
        raise InputError(
            "the data are not a table of numbers; give rows of equal length."
        ) from None
    if values.ndim != 2 or values.shape[1] != columns:
        raise InputError(
            f"the data have the shape {values.shape}; give rows of {columns} numbers."
        )
    if values.shape[0] == 0:
        raise InputError("the data are empty; give at least one record.")
    if not np.isfinite(values).all():
        raise InputError(
            "the data have a value that is not finite; remove it or replace it by a"
            " number."
        )
    return values


def categories(data: Any, k: int) -> Array:
    """A row of category numbers 0 to k - 1, at least one."""
    np = load()
    values = np.asarray(data)
    if values.ndim != 1 or values.size == 0:
        raise InputError(
            "the data are empty or not one sequence; give at least one category number."
        )
    if values.dtype.kind not in "iu":
        if values.dtype.kind != "f" or not (values == np.floor(values)).all():
            raise InputError(
                "the data are not category numbers; give integers from 0 to k - 1."
            )
        values = values.astype(np.int64)
    if values.min() < 0 or values.max() >= k:
        raise InputError(
            "the data have the category"
            f" {int(values.max() if values.max() >= k else values.min())}, but k = {k}"
            f" declares 0 to {k - 1}; declare all categories that can occur, not only"
            " those seen."
        )
    return values


def generator(rng: Any) -> "Generator":
    """A generator of NumPy: the one given, one with that seed, or one seeded by the operating
    system.

    A generator of Python gives its next bits as the seed.
    """
    import random  # as NumPy, only where data are given

    np = load()
    if isinstance(rng, np.random.Generator):
        source: Generator = rng
        return source
    if isinstance(rng, random.Random):
        return cast("Generator", np.random.default_rng(rng.getrandbits(256)))
    if rng is None or (
        isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0
    ):
        return cast("Generator", np.random.default_rng(rng))
    raise InputError(
        f"the source of randomness is {shorten(repr(rng))}; give a generator of NumPy,"
        " random.Random, a whole number of at least 0 as a seed, or nothing for that"
        " of the operating system."
    )
