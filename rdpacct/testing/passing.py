"""What is earned when independent pairs of neighbors pass a test, and how its audits share the
error.
"""

from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.exact.functions import log, sqrt
from rdpacct.provenance import by


@by("statistics/passing-pairs")
def earned_gamma(pairs: Real, doubt: Real, power: Real) -> Expr:
    """How often bad pairs can be drawn if this many independent pairs all pass, except with
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


@by("statistics/fixed-events")
def deviation(growth: Real, trials: Real, error: Real) -> Expr:
    """By how much the frequency on x, less ``growth`` times that on the neighbor, leaves its mean
    to one side in this many trials, except with probability ``error``.
    """
    return (1 + formula(growth)) * sqrt(log(1 / formula(error)) / (2 * formula(trials)))


@by("statistics/fixed-events")
def detected_excess(threshold: Real, growth: Real, trials: Real, power: Real) -> Expr:
    """The excess of P(S) over ``growth`` Q(S) + delta that is refuted with probability at least
    ``power``, if frequencies must exceed the claim by more than the threshold.
    """
    return formula(threshold) + deviation(growth, trials, 1 - formula(power))
