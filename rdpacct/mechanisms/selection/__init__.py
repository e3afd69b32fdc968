"""Choices among candidates, and answers about which of many queries are large."""
