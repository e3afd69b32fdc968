"""Signs of polynomials in one variable on open intervals, by Sturm's theorem."""

from fractions import Fraction
from itertools import pairwise

from flint import fmpq, fmpq_poly

from rdpacct.proof.check.effort import EFFORT, Rejected

MAX_CHAIN_BITS = 200_000
"""What the coefficients at the end of a chain may have at most; they are determinants of the first
ones.
"""


def rational(value: Fraction) -> fmpq:
    """The backend's copy of a rational number."""
    return fmpq(value.numerator, value.denominator)


def primitive_part(poly: fmpq_poly) -> fmpq_poly:
    """The positive multiple with whole coefficients that have no common factor."""
    whole = poly.numer()
    if not poly.is_zero():
        return fmpq_poly(whole // whole.content())
    return poly


def bits_of(poly: fmpq_poly) -> int:
    """The length of the longest coefficient of the primitive part."""
    return max(
        (int(c).bit_length() for c in primitive_part(poly).numer().coeffs()), default=0
    )


def count_work(poly: fmpq_poly, ends: list[Fraction]) -> None:
    """Count the work of a chain before it is computed, and refuse what is too long."""
    size = max(poly.degree(), 1)
    last = 2 * size * (bits_of(poly) + 2 * size.bit_length())
    reach = size * max(
        (max(e.numerator.bit_length(), e.denominator.bit_length()) for e in ends),
        default=1,
    )
    if last + reach > MAX_CHAIN_BITS:
        raise Rejected(
            "the coefficients of a polynomial are too long for Sturm's theorem."
        )
    EFFORT.spend(
        size * size * (4 + last // 1000) + size * size * (1 + (last + reach) // 2000)
    )


def roots_between(poly: fmpq_poly, low: Fraction | None, high: Fraction | None) -> int:
    """The number of distinct real roots in the open interval, by Sturm's theorem on the square-free
    part.
    """
    poly = primitive_part(poly // poly.gcd(poly.derivative()))
    for end in (low, high):
        if end is not None and poly(rational(end)) == 0:
            poly = primitive_part(poly // fmpq_poly([-rational(end), 1]))
    chain = [poly, primitive_part(poly.derivative())]
    while chain[-1].degree() > 0:
        chain.append(primitive_part(-(chain[-2] % chain[-1])))

    def changes(end: Fraction | None, minus: bool) -> int:
        if end is not None:
            values = [p(rational(end)) for p in chain]
        else:
            values = [
                p.leading_coefficient() * ((-1) ** p.degree() if minus else 1)
                for p in chain
                if not p.is_zero()
            ]
        signs = [v > 0 for v in values if v != 0]
        return sum(a != b for a, b in pairwise(signs))

    return changes(low, True) - changes(high, False)


def inner_point(low: Fraction | None, high: Fraction | None) -> Fraction:
    """Some rational number of the open interval."""
    if low is None:
        return Fraction(0) if high is None else high - 1
    return low + 1 if high is None else (low + high) / 2


def positive_between(
    poly: fmpq_poly, low: Fraction | None, high: Fraction | None, strict: bool
) -> bool:
    """The polynomial is positive on the open interval, or nowhere negative if that is enough."""
    count_work(poly, [end for end in (low, high) if end is not None])
    content, parts = poly.factor_squarefree()
    product = fmpq_poly([content])
    for part, exponent in parts:
        product = product * part**exponent
        if (
            (strict or exponent % 2)
            and part.degree() > 0
            and roots_between(part, low, high)
        ):
            return False
    if product != poly:
        return False
    point = inner_point(low, high)
    for _ in range(poly.degree() + 1):
        value = poly(rational(point))
        if value != 0:
            return bool(value > 0)
        point = (point + high) / 2 if high is not None else point + 1
    return False
