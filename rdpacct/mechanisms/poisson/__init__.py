"""Noise on a Poisson sample of the records."""
