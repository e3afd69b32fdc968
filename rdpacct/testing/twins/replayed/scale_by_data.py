"""The scale of the noise: from a declared bound, or from the largest record."""

from typing import Any

from rdpacct.auditing.replay import FindingKind
from rdpacct.testing.twins.replayed.replayed_twin import ReplayedTwin

LARGEST = 100


def right(incomes: list[int], rng: Any) -> float:
    """The sum of clipped incomes, with noise for the bound of the clipping."""
    total = sum(min(max(income, 0), LARGEST) for income in incomes)
    noisy: float = total + rng.laplace(scale=LARGEST)
    return noisy


def broken(incomes: list[int], rng: Any) -> float:
    """The sum of incomes, with noise for the largest one: how much noise there is tells how large
    it is.
    """
    noisy: float = sum(incomes) + rng.laplace(scale=max(incomes))
    return noisy


TWIN = ReplayedTwin(
    name="scale by the data",
    claim="PureDP(epsilon=1)",
    x=[20, 30, 60],
    x_neighbor=[20, 30],
    right=right,
    broken=broken,
    finds=FindingKind.SCALE,
    note="The scale of the noise is the largest record.",
    source="Nissim, Raskhodnikova and Smith 2007, on noise whose magnitude depends on the"
    " data",
    sensitivity=LARGEST,
)
