"""The kind of noise: fixed, or chosen by the number of records."""

from typing import Any

from rdpacct.auditing.replay import FindingKind
from rdpacct.testing.twins.replayed.replayed_twin import ReplayedTwin


def right(answers: list[int], rng: Any) -> float:
    """A count with Laplace noise."""
    noisy: float = sum(answers) + rng.laplace(scale=2)
    return noisy


def broken(answers: list[int], rng: Any) -> float:
    """A count with Laplace noise for few records, and with normal noise for many."""
    noisy: float = sum(answers)
    noisy += rng.laplace(scale=2) if len(answers) < 4 else rng.normal(scale=2)
    return noisy


TWIN = ReplayedTwin(
    name="kind by the data",
    claim="PureDP(epsilon=1/2)",
    x=[1, 0, 1],
    x_neighbor=[1, 0, 1, 1],
    right=right,
    broken=broken,
    finds=FindingKind.ORDER,
    note="Which noise is drawn depends on the number of records.",
    source="Cebere, Erb, Desfontaines, Bellet and Fitzsimons 2026: control flow that"
    " depends on the data",
    sensitivity=1,
)
