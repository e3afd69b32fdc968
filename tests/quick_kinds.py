"""Mechanisms whose questions are answered at once, whatever is drawn for their parameters."""

import rdpacct

QUICK = (
    rdpacct.DiscreteGaussian,
    rdpacct.DiscreteLaplace,
    rdpacct.Exponential,
    rdpacct.FiniteMechanism,
    rdpacct.Gaussian,
    rdpacct.HadamardResponse,
    rdpacct.Laplace,
    rdpacct.MaximallyDivergent,
    rdpacct.OptimizedUnaryEncoding,
    rdpacct.PoissonSampled,
    rdpacct.RandomizedResponse,
    rdpacct.Staircase,
    rdpacct.SubsetSelection,
    rdpacct.SymmetricUnaryEncoding,
    rdpacct.TreeAggregation,
    rdpacct.TruncatedLaplace,
)
"""The slow tests draw from every class."""
