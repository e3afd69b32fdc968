"""The mass of infinite losses: the delta that no epsilon goes below."""

from collections.abc import Sequence

from rdpacct.exact.formula import ONE, Expr, formula, multiply
from rdpacct.provenance import by


@by("composition/mass-at-infinity")
def finite_share(masses: Sequence[tuple[Expr, int]]) -> Expr:
    """The probability that no loss is infinite: the product over all draws of each mechanism."""
    return multiply(ONE, *((1 - mass) ** formula(count) for mass, count in masses))
