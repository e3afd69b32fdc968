"""Sums of losses without a quadrature: over atoms, patterns of draws, or in closed form."""
