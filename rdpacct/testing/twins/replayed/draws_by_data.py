"""A histogram: noise for every declared category, or only for those that occur."""

from collections import Counter
from typing import Any

from rdpacct.auditing.replay import FindingKind
from rdpacct.testing.twins.replayed.replayed_twin import ReplayedTwin

CATEGORIES = ("cold", "flu", "rare disease")


def right(diagnoses: list[str], rng: Any) -> dict[str, float]:
    """A noisy count for each category that can occur."""
    counts = Counter(diagnoses)
    return {name: counts[name] + rng.laplace(scale=1) for name in CATEGORIES}


def broken(diagnoses: list[str], rng: Any) -> dict[str, float]:
    """A noisy count for each category that occurs: a name that is there has a record."""
    counts = Counter(diagnoses)
    return {name: counts[name] + rng.laplace(scale=1) for name in sorted(counts)}


TWIN = ReplayedTwin(
    name="draws by the data",
    claim="PureDP(epsilon=3)",
    x=["cold", "flu", "cold", "rare disease"],
    x_neighbor=["cold", "flu", "cold"],
    right=right,
    broken=broken,
    finds=FindingKind.DRAWS,
    note="Only the categories that occur have noise, and appear.",
    source="Korolova, Kenthapadi, Mishra and Ntoulas 2009: keys of a histogram reveal"
    " records",
    sensitivity=1,
)
