"""How much queries change between neighbors, and the privacy of noise on that scale."""

from rdpacct.sensitivity.admissible import (
    Admissible,
    admissible_delta,
    explicit_gaussian_admissible,
    gaussian_admissible,
    laplace_admissible,
    power_admissible,
    printed_gaussian_admissible,
    printed_laplace_admissible,
    printed_power_admissible,
)
from rdpacct.sensitivity.estimators import Location, Mean, RidgeSlope
from rdpacct.sensitivity.finite import FiniteQuery
from rdpacct.sensitivity.order_statistic import Median, OrderStatistic, Quantile
from rdpacct.sensitivity.query import (
    DistanceOracle,
    LocalSensitivity,
    OnGrid,
    Query,
    SmoothSensitivity,
)
from rdpacct.sensitivity.smooth_eta import (
    exact_eta,
    first_failing_alpha,
    largest_beta,
    printed_eta,
    sufficient_eta,
)
from rdpacct.sensitivity.triangles import Triangles
from rdpacct.sensitivity.trimmed_mean import TrimmedMean
from rdpacct.sensitivity.variance import Variance

__all__ = [
    "Admissible",
    "DistanceOracle",
    "FiniteQuery",
    "LocalSensitivity",
    "Location",
    "Mean",
    "Median",
    "OnGrid",
    "OrderStatistic",
    "Quantile",
    "Query",
    "RidgeSlope",
    "SmoothSensitivity",
    "Triangles",
    "TrimmedMean",
    "Variance",
    "admissible_delta",
    "exact_eta",
    "explicit_gaussian_admissible",
    "first_failing_alpha",
    "gaussian_admissible",
    "laplace_admissible",
    "largest_beta",
    "power_admissible",
    "printed_eta",
    "printed_gaussian_admissible",
    "printed_laplace_admissible",
    "printed_power_admissible",
    "sufficient_eta",
]
