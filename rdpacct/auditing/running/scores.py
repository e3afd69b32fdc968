"""Scores: numbers that are read off an output, on which events are thresholds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from rdpacct.arrays import Array, load
from rdpacct.auditing.running.outputs import Outputs


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
    """A linear function of a vector."""

    weights: tuple[float, ...]

    def of(self, outputs: Outputs) -> Array:
        np = load()
        with np.errstate(all="ignore"):
            total = outputs.values @ np.array(self.weights)
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


Reading = Callable[[Any], float]
"""A score that a user gives, of one output."""
