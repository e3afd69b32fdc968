"""Releases on batches that are drawn with replacement."""
