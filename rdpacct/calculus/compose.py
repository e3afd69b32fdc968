"""Composition rules: what several releases on the same data amount to."""

from rdpacct.exact.formula import Expr, add
from rdpacct.exact.functions import sqrt
from rdpacct.provenance import by


@by("gaussian/composition")
def compose_gaussian_shifts(shifts: list[tuple[Expr, int]]) -> Expr:
    """Gaussian releases with these shifts, each so many times, act as one with the root of the sum
    of squares.
    """
    return sqrt(add(*(count * shift**2 for shift, count in shifts)))
