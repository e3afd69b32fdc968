"""A vector: with a draw of noise for each coordinate, or one for all."""

from typing import Any

from rdpacct.auditing.replay import FindingKind
from rdpacct.testing.twins.replayed.replayed_twin import ReplayedTwin


def right(votes: list[int], rng: Any) -> Any:
    """The counts of three options, each with its own noise."""
    return _counts(votes) + rng.laplace(scale=1, size=3)


def broken(votes: list[int], rng: Any) -> Any:
    """The counts of three options with the same noise: their differences are exact."""
    return _counts(votes) + rng.laplace(scale=1)


def _counts(votes: list[int]) -> Any:
    import numpy as np

    return np.bincount(votes, minlength=3)


TWIN = ReplayedTwin(
    name="one draw for a vector",
    claim="PureDP(epsilon=1)",
    x=[0, 1, 1, 2],
    x_neighbor=[0, 1, 1],
    right=right,
    broken=broken,
    finds=FindingKind.SHARED,
    note="One draw of noise is added to all coordinates.",
    source="a missing size= in a call of NumPy",
    sensitivity=1,
)
