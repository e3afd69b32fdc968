"""Functions for exact parameters, as in ``PureDP(log(3))``: formulas that are never rounded, and
open symbols.
"""

from rdpacct.exact.formula import Symbol
from rdpacct.exact.functions import (
    PI,
    absolute,
    cbrt,
    cos,
    cosh,
    erf,
    erfc,
    exp,
    log,
    maximum,
    minimum,
    normal_cdf,
    normal_density,
    sin,
    sinh,
    sqrt,
    tanh,
)

__all__ = [
    "PI",
    "Symbol",
    "absolute",
    "cbrt",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "log",
    "maximum",
    "minimum",
    "normal_cdf",
    "normal_density",
    "sin",
    "sinh",
    "sqrt",
    "tanh",
]
