"""The mean of a batch: divided by the expected number of records, or by the true one."""

from typing import Any

from rdpacct.auditing.replay import FindingKind
from rdpacct.testing.twins.replayed.replayed_twin import ReplayedTwin

EXPECTED = 2


def right(gradients: list[float], rng: Any) -> float:
    """The noisy sum of a Poisson sample, divided by a number that does not depend on it."""
    return _noisy_sum(gradients, rng)[0] / EXPECTED


def broken(gradients: list[float], rng: Any) -> float:
    """The noisy sum, divided by the size of the sample: nothing hides that size."""
    noisy, size = _noisy_sum(gradients, rng)
    return noisy / max(size, 1)


def _noisy_sum(gradients: list[float], rng: Any) -> tuple[float, int]:
    drawn = rng.random(len(gradients)) < 0.5
    batch = [x for x, is_in in zip(gradients, drawn, strict=True) if is_in]
    total = sum(min(max(x, -1), 1) for x in batch)
    return total + rng.normal(scale=1.0), len(batch)


TWIN = ReplayedTwin(
    name="true batch size",
    claim="GaussianDP(mu=1)",
    x=[0.5, -0.25, 1.0, 0.0],
    x_neighbor=[0.5, -0.25, 1.0],
    right=right,
    broken=broken,
    finds=FindingKind.OUTPUT,
    note="A mean is divided by the number of records in the batch.",
    source="Abadi and others 2016, who divide by the expected size",
    sensitivity=1,
)
