"""A score of vectors whose coordinates are independent: the logarithms of their odds, added up.

For noise that is drawn for each coordinate on its own this is about the privacy loss of an output,
which no linear function of it need be.
"""

from dataclasses import dataclass
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.auditing.running.outputs import Outputs

MOST_BINS = 12
OUTPUTS_OF_A_BIN = 12
"""A bin of a coordinate has at least about this many outputs of the pilot."""


@dataclass(frozen=True)
class OddsOfBins:
    """A coordinate, the cuts between its bins, and the logarithm of the odds in each bin."""

    place: int
    cuts: tuple[float, ...]
    odds: tuple[float, ...]

    def of(self, np: Any, column: Array) -> Array:
        """The odds of each value of the coordinate."""
        return np.array(self.odds)[np.searchsorted(np.array(self.cuts), column)]


@dataclass(frozen=True)
class AddedOdds:
    """The sum of the logarithms of the odds of some coordinates."""

    parts: tuple[OddsOfBins, ...]

    def of(self, outputs: Outputs) -> Array:
        np = load()
        total = np.zeros(len(outputs))
        for part in self.parts:
            total = total + part.of(np, outputs.values[:, part.place])
        return total

    def __str__(self) -> str:
        places = ", ".join(str(part.place) for part in self.parts[:4])
        more = ", ..." if len(self.parts) > 4 else ""
        return f"the sum of the odds of coordinates {places}{more} of an output"


def added_odds(
    np: Any, first: Array, second: Array, places: list[int]
) -> AddedOdds | None:
    """The score of these coordinates, as outputs on the two inputs have them; None if they are too
    few.
    """
    bins = min(2 * len(first) // OUTPUTS_OF_A_BIN, MOST_BINS)
    if bins < 2 or len(places) < 2:
        return None
    parts = [_part(np, first[:, k], second[:, k], k, bins) for k in sorted(places)]
    return AddedOdds(tuple(parts))


def _part(np: Any, first: Array, second: Array, place: int, bins: int) -> OddsOfBins:
    pooled = np.sort(np.concatenate([first, second]))
    ranks = np.linspace(0, len(pooled) - 1, bins + 1).astype(int)[1:-1]
    cuts = np.unique(pooled[ranks])
    counts = [
        np.bincount(np.searchsorted(cuts, each), minlength=len(cuts) + 1)
        for each in (first, second)
    ]
    odds = np.log((counts[0] + 1) / (counts[1] + 1))
    return OddsOfBins(place, tuple(map(float, cuts)), tuple(map(float, odds)))
