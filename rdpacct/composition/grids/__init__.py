"""Losses on grids and in cells: one sum that is certainly above, and one certainly below."""
