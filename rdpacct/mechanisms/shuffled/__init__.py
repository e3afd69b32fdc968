"""Local reports that are shuffled before anybody sees them."""
