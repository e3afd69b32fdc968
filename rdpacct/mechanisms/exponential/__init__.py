"""The exponential mechanism."""
