"""Backend values without wrapping, for code that runs many operations at the current precision."""

import math
import threading
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import chain, repeat
from operator import add, mul
from typing import TypeAlias, TypeVar, cast

import flint
from flint import (
    acb,
    acb_mat,
    acb_poly,
    arb,
    arb_mat,
    arb_poly,
    arb_series,
    ctx,
    fmpq,
    fmpz_poly,
)

from rdpacct.errors import UndecidedError

RealPolynomial: TypeAlias = arb_poly
"""A polynomial with real balls as coefficients; it is called with a point."""
RealSeries: TypeAlias = arb_series
"""A power series with real balls as coefficients, cut after a number of terms."""
WholePolynomial: TypeAlias = fmpz_poly
"""A polynomial with whole numbers as coefficients, of any size, lowest first."""
Ratio: TypeAlias = fmpq
"""An exact rational number whose arithmetic takes little time."""
AnyBall = TypeVar("AnyBall", arb, acb)

_turn = vars(flint).setdefault("one_user_at_a_time", threading.RLock())
"""The backend's precision belongs to the whole process, so that threads take turns with it.

The checker of certificates, which imports nothing of this package, takes the same lock."""


class precision:  # noqa: N801
    """Run the backend at that many bits, alone, and put its own setting back."""

    __slots__ = ("before", "bits")

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def __enter__(self) -> None:
        _turn.acquire()
        self.before = ctx.prec
        try:
            ctx.prec = self.bits
        except BaseException:
            _turn.release()
            raise

    def __exit__(self, *_: object) -> None:
        ctx.prec = self.before
        _turn.release()


def real(value: int | float | Fraction | arb) -> arb:
    """The exact number as a real backend value; a double means its binary value.

    A formula that stands for a ball, as in a theorem about a function, stays itself.
    """
    if type(value) is float or type(value) is int:
        return arb(value)
    if isinstance(value, Fraction):
        return arb(fmpq(*value.as_integer_ratio()))
    try:
        return arb(value)
    except TypeError:
        if hasattr(value, "with_parts"):
            return cast(arb, value)
        raise


MANY_FRACTIONS = 8
"""With this many or more, the backend adds fractions in less time than it takes to hand them over.
"""


def fraction_sum(values: Sequence[Fraction]) -> Fraction:
    """The exact sum; of many by halves, so that denominators grow only towards the end."""
    if len(values) < MANY_FRACTIONS:
        return sum(values[1:], start=values[0]) if values else Fraction(0)
    parts = [fmpq(*value.as_integer_ratio()) for value in values]
    while len(parts) > 1:
        half = len(parts) // 2
        parts = list(map(add, parts[:half], parts[half:])) + parts[2 * half :]
    return Fraction(int(parts[0].p), int(parts[0].q))


def complex_of(real_part: arb, imaginary: arb) -> acb:
    """A complex backend value from two real ones; of formulas, the complex formula."""
    try:
        return acb(real_part, imaginary)
    except TypeError:
        for part in (real_part, imaginary):
            if hasattr(part, "with_parts"):
                return cast(acb, part.with_parts(real_part, imaginary))
        raise


def current_bits() -> int:
    """The precision at which operations run now."""
    return int(ctx.prec)


def pi() -> arb:
    """The circle number."""
    return arb.pi()


def error(size: arb) -> arb:
    """The ball of all numbers whose modulus is at most the size."""
    return arb(0, size.upper())


def around(value: acb, size: arb) -> acb:
    """The ball of all complex numbers within a distance of a value."""
    radius = arb(0, size.upper())
    return value + acb(radius, radius)


def angle(sine: arb, cosine: arb) -> arb:
    """The argument of the complex number cosine + i sine."""
    return arb.atan2(sine, cosine)


def whole_part(value: arb) -> int:
    """An integer that is at most the value, by less than two."""
    whole = value.lower().floor().unique_fmpz()
    if whole is None:
        raise UndecidedError(f"the whole part of {value} is open at this precision.")
    return int(whole)


def floor_log(value: arb) -> float:
    """The logarithm of the midpoint of a positive ball, good for planning only; minus infinity if
    it is not one.
    """
    return float(value.log()) if value > 0 else -math.inf


def unit_powers(ratio: acb, count: int) -> list[acb]:
    """The powers 0 to count - 1 of a ratio, each from few squares of it so that the balls stay
    small.
    """
    powers = [acb(1)]
    step = ratio
    while len(powers) < count:
        powers += list(map(mul, powers[: count - len(powers)], repeat(step)))
        step = step * step
    return powers


def product(values: Sequence[AnyBall]) -> AnyBall:
    """The product of one or more values, by halves: one after the other, each turn would widen the
    balls again.
    """
    factors = list(values)
    while len(factors) > 1:
        half = len(factors) // 2
        products = list(map(mul, factors[:half], factors[half:]))
        factors = products + factors[2 * half :]
    return factors[0]


def row_product(rows: Iterable[list[AnyBall]]) -> list[AnyBall]:
    """The same for rows, entry by entry: equally many are behind the two of a product, and few are
    kept.
    """
    kept: list[tuple[int, list[AnyBall]]] = []
    for row in rows:
        size = 1
        while kept and kept[-1][0] == size:
            row = list(map(mul, kept.pop()[1], row))
            size = 2 * size
        kept.append((size, row))
    entries = kept.pop()[1]
    while kept:
        entries = list(map(mul, kept.pop()[1], entries))
    return entries


SHORT = 12
"""Up to this many products in a row widen balls by little: a turn may widen one by the root of two.
"""


def power_rows(ratios: Sequence[acb], count: int) -> list[list[acb]]:
    """The same for several ratios: a row for each exponent."""
    rows = [[acb(1)] * len(ratios), list(ratios)]
    for exponent in range(2, count):
        half = exponent // 2
        rows.append(list(map(mul, rows[half], rows[exponent - half])))
    return rows[:count]


def scaled_rows(
    weights: Sequence[acb | arb], ratios: Sequence[acb], count: int
) -> list[list[acb | arb]]:
    """The weights times each of these rows; where they are few, each is one product from the
    last.
    """
    if count > SHORT:
        return [list(map(mul, row, weights)) for row in power_rows(ratios, count)]
    rows = [list(weights)]
    for _ in range(1, count):
        # a complex ball times a real one takes a sixth of the time of a real one times a complex
        rows.append(list(map(mul, ratios, rows[-1])))
    return rows


def powers(ratio: arb, count: int) -> list[arb]:
    """The powers 0 to count - 1 of a real value, each from two of half its exponent."""
    known = [arb(1), ratio]
    for exponent in range(2, count):
        half = exponent // 2
        known.append(known[half] * known[exponent - half])
    return known[:count]


MOST_POWERS = 200_000
"""So many powers of ratios are held at once."""


def power_sums(
    weights: Sequence[acb | arb], ratios: Sequence[acb], count: int
) -> list[acb]:
    """For each m < count, the sum of weight * ratio**m: a matrix product of small powers and of
    large ones, for so many ratios at once that the powers do not take all memory.
    """
    small = max(2, math.isqrt(count - 1) + 1)
    large = -(-count // small)
    together = max(1, MOST_POWERS // small)
    total = None
    for first in range(0, len(ratios), together):
        some = ratios[first : first + together]
        low = power_rows(some, small)
        last = list(map(mul, low[small // 2], low[small - small // 2]))
        high = scaled_rows(weights[first : first + together], last, large)
        left = acb_mat(large, len(some), list(chain.from_iterable(high)))
        right = acb_mat(small, len(some), list(chain.from_iterable(low))).transpose()
        total = left * right if total is None else total + left * right
    return [] if total is None else total.entries()[:count]


def turn_sums(weights: Sequence[arb], turns: Sequence[acb], count: int) -> list[acb]:
    """The same for real weights and ratios of modulus one, of which the powers -i are the
    conjugates of those i.
    """
    half = max(1, math.isqrt(2 * count) // 2)
    wide = 2 * half + 1
    size = len(turns)
    large = -(-(count - half - 1) // wide) + 1
    low = power_rows(turns, half + 1)
    high = scaled_rows(
        weights, list(map(mul, map(mul, low[half], low[half]), turns)), large
    )
    left = acb_mat(large, size, list(chain.from_iterable(high)))
    right = acb_mat(half + 1, size, list(chain.from_iterable(low))).transpose()
    cosine = right.real
    sine = right.imag
    real_cosine = (left.real * cosine).tolist()
    imag_cosine = (left.imag * cosine).tolist()
    real_sine = (left.real * sine).tolist()
    imag_sine = (left.imag * sine).tolist()
    sums: list[acb] = []
    for a, b, c, d in zip(real_cosine, imag_cosine, real_sine, imag_sine, strict=True):
        if sums:
            sums += [acb(a[i] + d[i], b[i] - c[i]) for i in range(half, 0, -1)]
        sums += [acb(x - w, y + v) for x, y, v, w in zip(a, b, c, d, strict=True)]
    return sums[:count]


def inner(left: Sequence[acb], right: Sequence[acb]) -> acb:
    """The sum of the products of two sequences of complex values."""
    return (acb_mat(1, len(left), left) * acb_mat(len(right), 1, right))[0, 0]


BLOCK = 24
"""The values in a block of a power sum: Horner's rule widens the rounding of each by a factor of up
to sqrt(2) for each one before it.
"""


class PowerSum:
    """The sum of given values times the powers 0, 1, 2, ... of a number of modulus one.

    The radii of the values are added up beforehand, as such a number turns them and no more.
    """

    __slots__ = ("blocks", "radius")

    def __init__(self, values: Sequence[acb]) -> None:
        middles = list(map(acb.mid, values))
        self.blocks = [
            acb_poly(middles[start : start + BLOCK])
            for start in range(0, len(middles), BLOCK)
        ]
        self.radius: arb = sum(map(acb.rad, values), start=arb(0))

    def at(self, ratio: acb) -> acb:
        """The sum at a number of modulus one, given by a ball."""
        return around(self.middle_at(ratio), self.radius)

    def middle_at(self, ratio: acb) -> acb:
        """The same for the midpoints of the values, by Horner's rule in each block: within the
        radius of the sum.
        """
        sums = [block(ratio) for block in self.blocks]
        if len(sums) == 1:
            return sums[0]
        return inner(sums, unit_powers(ratio**BLOCK, len(sums)))


def real_inner(left: Sequence[arb], right: Sequence[arb]) -> arb:
    """The sum of the products of two sequences of real values."""
    return (arb_mat(1, len(left), left) * arb_mat(len(right), 1, right))[0, 0]


def polynomial_and_derivative(
    coefficients: Sequence[arb],
) -> tuple[RealPolynomial, RealPolynomial]:
    """The polynomial with these coefficients, lowest first, and its derivative; both are called
    with a value.
    """
    polynomial = arb_poly(list(coefficients))
    return polynomial, polynomial.derivative()


def taylor(
    function: Callable[[RealSeries], RealSeries | arb], center: arb, terms: int
) -> list[arb]:
    """The first Taylor coefficients of a function, which is called with a power series."""
    with series_terms(terms):
        series = [
            *arb_series(function(arb_series([center, 1], prec=terms)), prec=terms)
        ]
    return (series + [arb(0)] * terms)[:terms]


class series_terms:  # noqa: N801
    """Cut all power series after this many terms, and put the backend's own setting back."""

    __slots__ = ("before", "terms")

    def __init__(self, terms: int) -> None:
        self.terms = terms

    def __enter__(self) -> None:
        self.before = ctx.cap
        ctx.cap = self.terms

    def __exit__(self, *_: object) -> None:
        ctx.cap = self.before


def power_series(coefficients: Sequence[arb]) -> RealSeries:
    """The series with these coefficients, lowest first, and no others."""
    return arb_series(list(coefficients), prec=ctx.cap)


def inverse_series(series: RealSeries) -> RealSeries:
    """The inverse of a function near a point, less the point, from its series there: the constant
    is left out.
    """
    return arb_series([arb(0), *list(series)[1:]], prec=ctx.cap).reversion()


def square(center: arb, half: arb) -> acb:
    """The complex ball of all numbers whose parts are within a distance of those of a real
    center.
    """
    return acb(center + arb(0, half.upper()), arb(0, half.upper()))


def largest(value: acb | arb) -> arb:
    """A bound on the modulus of every number in a complex ball; infinite if the ball is."""
    if value.is_finite():
        return acb(value).abs_upper()
    return arb(math.inf)


def convolution(factors: Sequence[tuple[Sequence[arb], int]]) -> list[arb]:
    """The coefficients of a product of powers of polynomials, each given by its coefficients and
    the power.
    """
    total = arb_poly([1])
    for coefficients, count in factors:
        for _ in range(count):
            total = total * arb_poly(list(coefficients))
    return list(total)


def polynomial_product(left: Sequence[arb], right: Sequence[arb]) -> list[arb]:
    """The coefficients of the product of two polynomials, as many as there are, lowest first."""
    product = list(arb_poly(list(left)) * arb_poly(list(right)))
    return product + [arb(0)] * (len(left) + len(right) - 1 - len(product))


def whole_product(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """The same for whole numbers, exactly."""
    product = list(map(int, (fmpz_poly(list(left)) * fmpz_poly(list(right))).coeffs()))
    return product + [0] * (len(left) + len(right) - 1 - len(product))


def legendre(count: int) -> list[tuple[arb, arb]]:
    """The nodes and weights of the Gauss-Legendre rule on [-1, 1], at the current precision;
    each is found once.
    """
    known = _legendre.get((count, ctx.prec))
    if known is None:
        known = _legendre[count, ctx.prec] = [
            arb.legendre_p_root(count, k, weight=True) for k in range(count)
        ]
    return known


_legendre: dict[tuple[int, int], list[tuple[arb, arb]]] = {}


def inverse_factorials(last: int) -> list[arb]:
    """1/n! for n up to the last, at the current precision; each is found once."""
    known = _inverse_factorials.setdefault(ctx.prec, [arb(1)])
    for n in range(len(known), last + 1):
        known.append(known[-1] / n)
    return known[: last + 1]


_inverse_factorials: dict[int, list[arb]] = {}
