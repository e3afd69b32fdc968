"""Releases that run on data: mechanisms with the data that they need, and what they may publish."""
