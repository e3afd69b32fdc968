"""A generator of NumPy as a source of randomness of Python."""

import random
from typing import Any


class FromNumPy(random.Random):
    """A generator of NumPy, asked as one of Python."""

    def __init__(self, generator: Any) -> None:
        super().__init__()
        self.generator = generator

    def getrandbits(self, count: int) -> int:
        """A whole number of this many random bits."""
        size = (count + 7) // 8
        return int.from_bytes(self.generator.bytes(size), "little") >> (
            8 * size - count
        )

    def random(self) -> float:
        """A double from 0 to below 1."""
        return float(self.generator.random())

    def randbytes(self, count: int) -> bytes:
        """This many random bytes."""
        drawn: bytes = self.generator.bytes(count)
        return drawn
