"""Exact input, formulas, ball arithmetic and bounds: the arithmetic that every answer comes
from.
"""

from rdpacct.exact.bound import Bound
from rdpacct.exact.number import Number, rational

__all__ = ["Bound", "Number", "rational"]
