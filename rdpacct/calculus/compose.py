"""Composition rules: what several releases on the same data amount to."""

from collections.abc import Sequence

from rdpacct.exact.formula import Expr, Real, add
from rdpacct.exact.functions import sqrt
from rdpacct.provenance import by


@by("gaussian/composition")
def compose_gaussian_shifts(shifts: Sequence[tuple[Expr, Real]]) -> Expr:
    """Gaussian releases with these shifts, each so many times, act as one with the root of the sum
    of squares.
    """
    return sqrt(add(*(count * shift**2 for shift, count in shifts)))
