"""Exact input, formulas, ball arithmetic and bounds: the arithmetic that every answer comes
from.
"""
