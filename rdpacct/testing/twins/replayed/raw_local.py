"""A median: noise for its smooth sensitivity, or for its local one."""

from typing import Any

from rdpacct.auditing.replay import FindingKind
from rdpacct.mechanisms.smooth.smooth_laplace import SmoothLaplace
from rdpacct.releases.smooth_release import SmoothRelease
from rdpacct.sensitivity.order_statistic import Median
from rdpacct.testing.twins.replayed.replayed_twin import ReplayedTwin

QUERY = Median(lower=0, upper=100)
RELEASE = SmoothRelease(QUERY, SmoothLaplace(alpha="1/2", beta="1/20"), epsilon=2)


def right(ages: list[int], rng: Any) -> Any:
    """The median with noise for the smooth sensitivity, which differs little between neighbors."""
    return RELEASE.release(ages, rng).value


def broken(ages: list[int], rng: Any) -> float:
    """The median with noise for the local sensitivity, which may be zero for a neighbor."""
    local = float(QUERY.local(ages).value.for_study())
    noisy: float = float(QUERY.value(ages)) + rng.laplace(scale=local)
    return noisy


TWIN = ReplayedTwin(
    name="raw local sensitivity",
    claim="ApproxDP(epsilon=2, delta=1e-3)",
    x=[50, 50, 50, 50, 90],
    x_neighbor=[50, 50, 50, 90, 90],
    right=right,
    broken=broken,
    finds=FindingKind.SCALE,
    note="The scale of the noise is the local sensitivity, which is not smooth.",
    source="Nissim, Raskhodnikova and Smith 2007, on the local sensitivity",
)
