"""The mass at infinity of a sum of losses, exactly."""

from collections.abc import Sequence
from fractions import Fraction

from rdpacct.by import by
from rdpacct.exact.formula import ZERO, Expr, Rational

MOST_POWERS = 4000
"""Up to so many draws a mass at infinity is worked out as a fraction."""


@by("composition/mass-at-infinity")
def exact_mass(masses: Sequence[tuple[Expr, int]]) -> Fraction | None:
    """The probability that some loss is infinite, if it is a fraction that is not too long to write."""
    finite = Fraction(1)
    for mass, count in masses:
        if not isinstance(mass, Rational) or (mass != ZERO and count > MOST_POWERS):
            return None
        finite *= (1 - mass.value) ** count if mass != ZERO else 1
    return 1 - finite
