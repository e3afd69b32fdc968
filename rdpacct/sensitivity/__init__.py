"""Noise scaled to the data: what Laplace noise of a scale that moves between neighbors gives."""

from rdpacct.sensitivity.smooth_laplace import (
    exact_eta,
    first_failing_alpha,
    largest_beta,
    printed_eta,
    sufficient_eta,
)

__all__ = ["exact_eta", "first_failing_alpha", "largest_beta", "printed_eta", "sufficient_eta"]
