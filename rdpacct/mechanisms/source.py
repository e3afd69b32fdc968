"""Where randomness comes from: the operating system, a seed, or a generator of Python or NumPy."""

from typing import TYPE_CHECKING, TypeAlias

from rdpacct.arrays import Array, load
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.mechanisms.listening import Listening

if TYPE_CHECKING:
    import random

    from numpy.random import Generator

Source: TypeAlias = "random.Random | Generator | int | None"
"""Where randomness comes from, everywhere: a seed, a generator of Python or of NumPy, or None for
the operating system.
"""
LARGEST = 2**62
"""The largest bound below which whole numbers are drawn."""


def randomness(rng: Source) -> "random.Random":
    """The given source of randomness, one with the given seed, or the operating system's."""
    import random  # an account, which draws nothing, does without it

    if rng is None:
        return random.SystemRandom()
    if isinstance(rng, Listening):
        return rng.as_python()
    if isinstance(rng, random.Random):
        return rng
    if isinstance(rng, int) and not isinstance(rng, bool):
        return random.Random(rng)
    if _is_of_numpy(rng) and hasattr(rng, "bytes"):
        from rdpacct.mechanisms.numpy_source import FromNumPy

        return FromNumPy(rng)
    if (
        type(rng).__module__ == "numpy"
        and hasattr(rng, "__index__")
        and type(rng).__name__ != "ndarray"
    ):
        return random.Random(int(rng))
    raise InputError(
        f"the source of randomness is {shorten(repr(rng))}; give random.Random, a"
        " generator of NumPy, a whole number as a seed, or nothing for that of the"
        " operating system."
    )


def _is_of_numpy(rng: object) -> bool:
    """Whether this is a generator of NumPy, or of a class that derives from one."""
    return any(base.__module__.startswith("numpy.random") for base in type(rng).__mro__)


class Uniform:
    """Arrays of uniform whole numbers from the bytes of a source, without any rounding."""

    def __init__(self, source: "random.Random") -> None:
        self.source = source

    def integers(self, high: int, size: int) -> Array:
        """An array of independent whole numbers from 0 to below ``high``; a number that is too
        large is drawn again.
        """
        np = load()
        if not 0 < high <= LARGEST:
            raise InputError(
                f"whole numbers are drawn below 2**62 at most, not below {high}; give"
                " shorter parameters."
            )
        shift = np.uint64(64 - max((high - 1).bit_length(), 1))
        numbers = np.empty(size, dtype=np.int64)
        missing = np.arange(size)
        while missing.size:
            words = (
                np.frombuffer(self.source.randbytes(8 * missing.size), dtype="<u8")
                >> shift
            )
            taken = words < high
            numbers[missing[taken]] = words[taken]
            missing = missing[~taken]
        return numbers
