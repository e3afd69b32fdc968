"""Randomized response."""
