"""Pairs of mixtures of Gaussians with one variance: what sampled Gaussian releases amount to."""
