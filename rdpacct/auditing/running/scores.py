"""Scores: numbers that are read off an output, on which events are thresholds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from rdpacct.arrays import Array, load
from rdpacct.auditing.running.outputs import Outputs

STEP = 0x9E3779B97F4A7C15
MIXING = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
"""The constants of splitmix64, a generator whose outputs are well mixed numbers of 64 bits."""


class Score(Protocol):
    """A number for each output."""

    def of(self, outputs: Outputs) -> Array:
        """The score of each output, as an array."""


@dataclass(frozen=True)
class TheNumber:
    """The output itself, which is a number."""

    def of(self, outputs: Outputs) -> Array:
        return outputs.values

    def __str__(self) -> str:
        return "an output"


@dataclass(frozen=True)
class Coordinate:
    """One coordinate of a vector, counted from 0."""

    place: int

    def of(self, outputs: Outputs) -> Array:
        return outputs.values[:, self.place]

    def __str__(self) -> str:
        return f"coordinate {self.place} of an output"


@dataclass(frozen=True)
class Projection:
    """A linear function of a vector.

    It is summed up row by row: a matrix product of BLAS rounds equal rows differently, depending
    on where they stand, and an event must depend on the output alone.
    """

    weights: tuple[float, ...]

    def of(self, outputs: Outputs) -> Array:
        np = load()
        rows = np.ascontiguousarray(outputs.values)
        with np.errstate(all="ignore"):
            total = (rows * np.array(self.weights)).sum(axis=1)
        return np.nan_to_num(total)

    def __str__(self) -> str:
        shown = ", ".join(f"{weight:.4g}" for weight in self.weights[:4])
        more = ", ..." if len(self.weights) > 4 else ""
        return f"the output times [{shown}{more}]"


@dataclass(frozen=True)
class EqualPairs:
    """How many coordinates of a vector are equal to an earlier one: noise that was drawn once."""

    def of(self, outputs: Outputs) -> Array:
        np = load()
        ordered = np.sort(outputs.values, axis=1)
        return (ordered[:, 1:] == ordered[:, :-1]).sum(axis=1).astype(float)

    def __str__(self) -> str:
        return "the number of repeated coordinates of an output"


@dataclass(frozen=True)
class RowCode:
    """A number that stands for a whole vector: equal for equal ones, else almost never."""

    def of(self, outputs: Outputs) -> Array:
        return row_codes(outputs.values)


def row_codes(rows: Array) -> Array:
    """For each row, 53 bits that depend on all of its bits: a sum of mixed columns (splitmix64)."""
    np = load()
    total = np.zeros(len(rows), dtype=np.uint64)
    for place, column in enumerate((rows + 0.0).T):
        bits = np.ascontiguousarray(column, dtype=float).view(np.uint64)
        mixed = bits + np.uint64(STEP * (place + 1) % 2**64)
        for shift, factor in MIXING:
            mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
        total += mixed ^ (mixed >> np.uint64(31))
    return (total >> np.uint64(11)).astype(float)


ScoreReading = Callable[[Any], float]
"""A score that a user gives, of one output."""
