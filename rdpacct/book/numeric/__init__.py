"""The second opinion: statements evaluated by mpmath at 50 digits, independently of balls, of the
prover and of the kernel.

It proves nothing. A violated margin would show that a statement does not mean what it says.
"""

from rdpacct.book.numeric.opinion import Opinion, Reading, second_opinion
from rdpacct.book.numeric.tables import TABLES, table_of

__all__ = ["TABLES", "Opinion", "Reading", "second_opinion", "table_of"]
