"""What is earned when independent pairs of neighbors pass a test, and how its audits share the
error.
"""

from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.provenance import by


@by("statistics/passing-pairs")
def earned_gamma(pairs: Real, doubt: Real, power: Real) -> Expr:
    """How often bad pairs can be drawn if so many independent pairs all pass, except with
    probability ``doubt``.

    A pair is bad if the test refutes it with probability at least ``power``.
    """
    return (1 - formula(doubt) ** (1 / formula(pairs))) / power


@by("statistics/passing-pairs")
def each_error(error: Real, audits: Real) -> Expr:
    """The error of each of several audits that all together err with probability at most
    ``error``.
    """
    return formula(error) / audits
