"""The mass at infinity of a sum of losses, exactly."""

from collections.abc import Sequence
from fractions import Fraction

from rdpacct.exact.formula import Expr, Rational
from rdpacct.privacy.infinite_mass import finite_share

MOST_POWERS = 4000
"""Up to so many draws a mass at infinity is worked out as a fraction."""


def exact_mass(masses: Sequence[tuple[Expr, int]]) -> Fraction | None:
    """The probability that some loss is infinite, if it is a fraction that is not too long to
    write.
    """
    if not masses:
        return Fraction(0)
    if any(
        count > MOST_POWERS or not isinstance(mass, Rational) for mass, count in masses
    ):
        return None
    finite = finite_share(masses)
    if isinstance(finite, Rational):
        return 1 - finite.value
    return None
