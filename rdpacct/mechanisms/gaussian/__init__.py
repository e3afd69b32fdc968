"""The Gaussian mechanism."""
