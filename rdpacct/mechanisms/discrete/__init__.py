"""Noise on the integers: the discrete Gaussian and the discrete Laplace mechanism."""
