"""Releases on batches of a fixed size."""
