"""How far queries move between neighbors, and what noise on such a scale gives."""

from rdpacct.sensitivity.finite import FiniteQuery
from rdpacct.sensitivity.order_statistic import Median, OrderStatistic, Quantile
from rdpacct.sensitivity.query import DistanceOracle, LocalSensitivity, OnGrid, Query, SmoothSensitivity
from rdpacct.sensitivity.smooth_laplace import (
    exact_eta,
    first_failing_alpha,
    largest_beta,
    printed_eta,
    sufficient_eta,
)

__all__ = [
    "DistanceOracle",
    "FiniteQuery",
    "LocalSensitivity",
    "Median",
    "OnGrid",
    "OrderStatistic",
    "Quantile",
    "Query",
    "SmoothSensitivity",
    "exact_eta",
    "first_failing_alpha",
    "largest_beta",
    "printed_eta",
    "sufficient_eta",
]
