"""The mass of infinite losses: the delta that no epsilon goes below."""

from collections.abc import Sequence
from fractions import Fraction

from rdpacct.exact.formula import ONE, Expr, Rational, formula, multiply
from rdpacct.provenance import by

MOST_POWERS = 4000
"""For up to this many draws a mass at infinity is worked out as a fraction."""


@by("composition/mass-at-infinity")
def finite_share(masses: Sequence[tuple[Expr, int]]) -> Expr:
    """The probability that no loss is infinite: the product over all draws of each mechanism."""
    return multiply(ONE, *((1 - mass) ** formula(count) for mass, count in masses))


def exact_mass(masses: Sequence[tuple[Expr, int]]) -> Fraction | None:
    """The probability that some loss is infinite, if it is a fraction that is not too long to
    write.
    """
    if any(
        count > MOST_POWERS or not isinstance(mass, Rational) for mass, count in masses
    ):
        return None
    finite = finite_share(masses)
    if isinstance(finite, Rational):
        return 1 - finite.value
    return None
