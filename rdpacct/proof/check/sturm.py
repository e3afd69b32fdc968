"""Signs of polynomials in one variable on open intervals, by Sturm's theorem."""

from fractions import Fraction
from itertools import pairwise

from flint import fmpq, fmpq_poly


def roots_between(poly: fmpq_poly, low: Fraction | None, high: Fraction | None) -> int:
    """The number of distinct real roots in the open interval, by Sturm's theorem on the square-free part."""
    poly = poly // poly.gcd(poly.derivative())
    for end in (low, high):
        if end is not None and poly(fmpq(end.numerator, end.denominator)) == 0:
            poly = poly // fmpq_poly([-fmpq(end.numerator, end.denominator), 1])
    chain = [poly, poly.derivative()]
    while chain[-1].degree() > 0:
        chain.append(-(chain[-2] % chain[-1]))

    def changes(end: Fraction | None, minus: bool) -> int:
        if end is not None:
            values = [p(fmpq(end.numerator, end.denominator)) for p in chain]
        else:
            values = [p.leading_coefficient() * ((-1) ** p.degree() if minus else 1) for p in chain if not p.is_zero()]
        signs = [v > 0 for v in values if v != 0]
        return sum(a != b for a, b in pairwise(signs))

    return changes(low, True) - changes(high, False)


def inner_point(low: Fraction | None, high: Fraction | None) -> Fraction:
    """Some rational number of the open interval."""
    if low is None:
        return Fraction(0) if high is None else high - 1
    return low + 1 if high is None else (low + high) / 2


def positive_between(poly: fmpq_poly, low: Fraction | None, high: Fraction | None, strict: bool) -> bool:
    """The polynomial is positive on the open interval, or nowhere negative if that is enough."""
    content, parts = poly.factor_squarefree()
    product = fmpq_poly([content])
    for part, exponent in parts:
        product = product * part**exponent
        if (strict or exponent % 2) and part.degree() > 0 and roots_between(part, low, high):
            return False
    if product != poly:
        return False
    point = inner_point(low, high)
    for _ in range(poly.degree() + 1):
        value = poly(fmpq(point.numerator, point.denominator))
        if value != 0:
            return bool(value > 0)
        point = (point + high) / 2 if high is not None else point + 1
    return False
