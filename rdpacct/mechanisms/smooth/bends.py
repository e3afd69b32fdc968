"""How a density bends as its scale grows: a bound from below on its second derivative by the
logarithm of the scale, as a multiple of the density.

For a density f(z exp(-lam)) exp(-lam) that derivative is the density times a polynomial in |z|, z
squared, or the share z**2/(degrees + z**2), in scales of the noise.
"""

from rdpacct.exact.formula import Expr, Real, Scalar, formula
from rdpacct.provenance import by

LAPLACE_BEND = formula(5) / 4
"""At least minus the smallest value of ``laplace_turn``."""
GAUSSIAN_BEND = formula(3)
"""At least minus the smallest value of ``gaussian_turn``."""


def laplace_turn(size: Scalar) -> Scalar:
    """For the Laplace law, in |z|."""
    return size**2 - 3 * size + 1


def gaussian_turn(square: Scalar) -> Scalar:
    """For the normal law, in z**2."""
    return square**2 - 4 * square + 1


def student_turn(share: Scalar, degrees: Scalar) -> Scalar:
    """For Student's t, in z**2/(degrees + z**2)."""
    more = degrees + 1
    return more * (degrees + 3) * share**2 - 4 * more * share + 1


@by("smooth/between-ratios")
def student_bend(degrees: Real) -> Expr:
    """At least minus the smallest value for Student's t."""
    count = formula(degrees)
    return (3 * count + 1) / (count + 3)
