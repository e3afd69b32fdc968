"""The median with noise on the scale of what its neighbors can change."""

import math
from collections.abc import Sequence
from typing import Any

from rdpacct.arrays import Array
from rdpacct.exact.functions import exp, log
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import LOSS, Piece
from rdpacct.sensitivity.order_statistic import Median
from rdpacct.testing.pair_law import known_pair
from rdpacct.testing.twins.twin import Twin

MEDIAN = Median(0, 10)
X = (0, 4, 5, 10, 10)
X_NEIGHBOR = (0, 4, 5, 6, 10)


def median(data: Sequence[int], rng: Any, size: int) -> Array:
    """With noise on the scale of the range, which is the sensitivity for the worst data."""
    return float(MEDIAN.value(data)) + rng.laplace(scale=10, size=size)


def median_with_local_noise(data: Sequence[int], rng: Any, size: int) -> Array:
    """With noise on the scale of the sensitivity at these data."""
    scale = float(MEDIAN.local_within(data, 0))
    return float(MEDIAN.value(data)) + rng.laplace(scale=scale, size=size)


def two_scales() -> Mechanism:
    """The same center, with noise of scale 5 on the one and of scale 1 on the other: at a distance
    z the loss is 4 z/5 - log(5).
    """
    far = Piece(exp(-(LOSS + log(5)) / 4) / 4, -log(5), math.inf)
    return known_pair(PrivacyLoss((far,)))


RAW = Twin(
    name="median-local-sensitivity",
    claim="PureDP(epsilon=1)",
    x=X,
    x_neighbor=X_NEIGHBOR,
    right=median,
    broken=median_with_local_noise,
    trials=2_000,
    note="The scale of the noise is the local sensitivity, 5 on the one and 1 on the other of"
    " two neighbors, and how far outputs lie apart shows it.",
    source="Nissim, Raskhodnikova, Smith: Smooth sensitivity (2007), section 1",
    right_law=lambda: "Laplace(scale=10, sensitivity=10)",
    broken_law=two_scales,
)
