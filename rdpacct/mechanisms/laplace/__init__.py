"""The Laplace mechanism."""
