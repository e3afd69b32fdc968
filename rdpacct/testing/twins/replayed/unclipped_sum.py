"""A sum: of clipped records, or of records as they come."""

from typing import Any

from rdpacct.auditing.replay import FindingKind
from rdpacct.testing.twins.replayed.replayed_twin import ReplayedTwin

BOUND = 10


def right(hours: list[float], rng: Any) -> float:
    """The sum of records clipped to the bound for which there is noise."""
    total = sum(min(max(hour, 0), BOUND) for hour in hours)
    noisy: float = rng.laplace(total, BOUND)
    return noisy


def broken(hours: list[float], rng: Any) -> float:
    """The sum of all records, with noise for a bound that nothing enforces."""
    noisy: float = rng.laplace(sum(hours), BOUND)
    return noisy


TWIN = ReplayedTwin(
    name="sum without clipping",
    claim="PureDP(epsilon=1)",
    x=[8.0, 7.5, 24.0],
    x_neighbor=[8.0, 7.5],
    right=right,
    broken=broken,
    finds=FindingKind.SENSITIVITY,
    note="A record moves the sum by more than the declared sensitivity.",
    source="Cebere, Erb, Desfontaines, Bellet and Fitzsimons 2026: declared against"
    " measured sensitivity",
    sensitivity=BOUND,
)
