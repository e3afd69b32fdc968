"""Histograms with a threshold, of which many bins are empty."""
