"""A source of Python whose choices are given: one uniform double of the grid, and finitely many
others.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

GRID_BITS = 53
"""Uniform doubles are multiples of 2**-53, in Python and in NumPy."""
MOST_OPTIONS = 256


class NotInverted(Exception):
    """The code draws in a way that is not inverted: another number than one uniform double."""


@dataclass
class GivenChoices:
    """The choices of one run: an index for each finite choice, and the uniform double as a multiple
    of 2**-53.
    """

    indices: tuple[int, ...]
    uniform: int
    options: list[int] = field(default_factory=list)
    """How many options each finite choice had."""
    uniforms: int = 0

    def choose(self, options: int) -> int:
        """The index that is given for the next choice; 0 where none is."""
        number = len(self.options)
        if not 1 <= options <= MOST_OPTIONS:
            raise NotInverted(f"a choice has {options} options")
        self.options.append(options)
        return self.indices[number] if number < len(self.indices) else 0

    def double(self) -> float:
        """The uniform double."""
        self.uniforms += 1
        if self.uniforms > 1:
            raise NotInverted("more than one uniform double is drawn")
        return self.uniform * 2.0**-GRID_BITS


class ChosenRandom(random.Random):
    """Python's ``random.Random`` with given choices."""

    def __init__(self, choices: GivenChoices) -> None:
        super().__init__(0)
        self.choices_given = choices

    def random(self) -> float:
        """The given uniform double."""
        return self.choices_given.double()

    def getrandbits(self, k: int, /) -> int:
        """Given bits, if they are few."""
        return self.choices_given.choose(2**k if k <= 8 else 0)

    def choice(self, seq: Any) -> Any:
        """The given one of some options."""
        return seq[self.choices_given.choose(len(seq))]

    def randrange(self, start: Any, stop: Any = None, step: Any = 1) -> int:
        """The given one of some integers."""
        numbers = range(start) if stop is None else range(start, stop, step)
        return numbers[self.choices_given.choose(len(numbers))]


def refused(kind: str) -> Callable[..., Any]:
    """A method of a generator that is not inverted."""

    def method(*_: Any, **__: Any) -> Any:
        raise NotInverted(f"{kind} is called")

    method.__name__ = kind
    method.__doc__ = f"``{kind}`` of a generator, which is not inverted."
    return method


for _kind in ("randbytes", "shuffle", "sample", "choices"):
    setattr(ChosenRandom, _kind, refused(_kind))
