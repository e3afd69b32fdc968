"""Which outputs can happen: doubles that one data set reaches and its neighbor never does, grids,
and sums that move further in doubles than in numbers.
"""

from rdpacct.auditing.support.float_sums import SumVerdict, audit_sum
from rdpacct.auditing.support.grids import GridVerdict, audit_grid
from rdpacct.auditing.support.porous import SupportVerdict, audit_support
from rdpacct.auditing.support.unreachable import UnreachableOutput, check_unreachable

__all__ = [
    "GridVerdict",
    "SumVerdict",
    "SupportVerdict",
    "UnreachableOutput",
    "audit_grid",
    "audit_sum",
    "audit_support",
    "check_unreachable",
]
