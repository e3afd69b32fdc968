"""Mechanisms that a table of probabilities describes."""
