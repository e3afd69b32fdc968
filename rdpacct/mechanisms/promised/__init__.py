"""Guarantees that stand for a mechanism: any that keeps the promise."""
