"""Independent pairs of neighbors from one law: of a function of a source of randomness, of a
strategy, or of a population.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from rdpacct.arrays import generator
from rdpacct.errors import InputError
from rdpacct.exact.number import shorten, whole
from rdpacct.random_dp import DrawRecords, one_pair
from rdpacct.testing.refuted import seed_of

DataPair: TypeAlias = tuple[Any, Any]
PairSource: TypeAlias = Callable[[Any], DataPair]
"""Takes a generator of NumPy, and gives two neighbors."""


class PairDraws(ABC):
    """Independent draws of pairs, numbered from 1; the seed says which."""

    can_shrink = False

    @abstractmethod
    def pair(self, number: int) -> DataPair:
        """The pair of a number."""

    def smaller(self, number: int, broken: Callable[[DataPair], bool]) -> DataPair:  # noqa: ARG002
        """A pair like that of a number, on which ``broken`` is true too; that pair itself if no
        other is sought.
        """
        return self.pair(number)


@dataclass(frozen=True)
class FunctionDraws(PairDraws):
    """Pairs that a function makes from a generator of NumPy."""

    function: PairSource
    seed: int

    def pair(self, number: int) -> DataPair:
        return as_pair(self.function(generator(_seed(self.seed, number))))


@dataclass(frozen=True)
class StrategyDraws(PairDraws):
    """Pairs that a strategy of hypothesis makes from random bytes."""

    strategy: Any
    seed: int
    can_shrink = True

    def pair(self, number: int) -> DataPair:
        return as_pair(self._draw(number).value)

    def smaller(self, number: int, broken: Callable[[DataPair], bool]) -> DataPair:
        from rdpacct.testing.strategies.independent import shrunk

        drawn = self._draw(number)
        return as_pair(
            shrunk(self.strategy, drawn, lambda value: broken(as_pair(value)))
        )

    def _draw(self, number: int) -> Any:
        from rdpacct.testing.strategies.independent import draw_once

        return draw_once(self.strategy, _seed(self.seed, number))


def draws_from(pairs: Any, seed: int) -> PairDraws:
    """The draws of a strategy or of a function."""
    if "hypothesis" in sys.modules:
        from hypothesis.strategies import SearchStrategy

        if isinstance(pairs, SearchStrategy):
            return StrategyDraws(pairs, seed)
    if callable(pairs):
        return FunctionDraws(pairs, seed)
    raise InputError(
        f"the pairs are {shorten(repr(pairs))}; give a strategy such as"
        " neighbors('replace_one'), or a function rng -> (x, x_neighbor)."
    )


def population_pairs(draw: DrawRecords, n: int) -> PairSource:
    """Pairs for Random differential privacy: of n + 1 independent records the first n, and the same
    with the last of them replaced by the one that is left.

    ``draw(rng, size)`` gives that many independent records of a population.
    """
    records = whole(n, "n", 1, 10**9)
    return lambda rng: one_pair(draw, rng, records)


def as_pair(drawn: Any) -> DataPair:
    """Two data sets; anything else is refused."""
    if not isinstance(drawn, tuple | list) or len(drawn) != 2:
        raise InputError(
            f"a pair is {shorten(repr(drawn))}; give two data sets that are neighbors."
        )
    first, second = drawn
    return first, second


def _seed(seed: int, number: int) -> int:
    return seed_of(f"{seed} pair {number}")
