"""Two counts: with a draw of noise each, or with the same one."""

from typing import Any

from rdpacct.auditing.replay import FindingKind
from rdpacct.testing.twins.replayed.replayed_twin import ReplayedTwin


def right(ages: list[int], rng: Any) -> tuple[float, float]:
    """How many are adults and how many are retired, each with its own noise."""
    adults = sum(age >= 18 for age in ages) + rng.laplace(scale=2)
    retired = sum(age >= 65 for age in ages) + rng.laplace(scale=2)
    return adults, retired


def broken(ages: list[int], rng: Any) -> tuple[float, float]:
    """Both with the same noise: how many are between is exact."""
    noise = rng.laplace(scale=2)
    adults = sum(age >= 18 for age in ages) + noise
    retired = sum(age >= 65 for age in ages) + noise
    return adults, retired


TWIN = ReplayedTwin(
    name="noise used twice",
    claim="PureDP(epsilon=1)",
    x=[12, 30, 70],
    x_neighbor=[12, 70],
    right=right,
    broken=broken,
    finds=FindingKind.SHARED,
    note="One draw of noise is added to two counts.",
    source="Mironov, Pandey, Reingold and Vadhan 2009: randomness must be fresh",
    sensitivity=1,
)
