"""Noise scaled to a smooth bound on the local sensitivity."""
