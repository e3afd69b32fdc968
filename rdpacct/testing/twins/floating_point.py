"""Laplace noise in floating-point arithmetic, where each input reaches outputs of its own."""

import math
import struct
from collections import Counter
from fractions import Fraction
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.testing.pair_law import on_pair, pair_law
from rdpacct.testing.twins.twin import Twin

GRID = 1024
"""The right version works in whole multiples of 1/1024."""
HALF_BITS = 11
"""The bits of a number in half precision, and of the uniform numbers that become noise in it."""
SOURCE = "Mironov: On significance of the least significant bits (2012)"


def on_a_grid(value: int, rng: Any, size: int) -> Array:
    """Two-sided geometric noise on multiples of 1/1024, which doubles represent exactly."""
    up, down = rng.geometric(-math.expm1(-1 / GRID), size=(2, size))
    return value + (up - down) / GRID


def in_doubles(value: int, rng: Any, size: int) -> Array:
    """The inverse of the distribution function at a uniform double, added to the value."""
    return value + rng.laplace(size=size)


def last_bit(output: float) -> float:
    """The exponent of the last bit that is not 0: how fine a grid the output lies on."""
    numerator, denominator = float(output).as_integer_ratio()
    if not numerator:
        return 0.0
    return float((numerator & -numerator).bit_length() - denominator.bit_length())


DOUBLES = Twin(
    name="laplace-in-doubles",
    claim="PureDP(epsilon=1)",
    x=0,
    x_neighbor=1,
    right=on_a_grid,
    broken=in_doubles,
    trials=2_000,
    note="An output that lies on no multiple of 2**-53 can come from 0, whose small noises are"
    " finer, and never from 1, since a sum has the grid of its coarser part.",
    source=SOURCE,
    right_law=lambda: f"DiscreteLaplace(scale={GRID}, sensitivity={GRID})",
    broken_law=lambda: pair_law(
        {"finer": Fraction(1, 2**54), "not finer": 1 - Fraction(1, 2**54)},
        {"not finer": 1},
    ),
    score=last_bit,
)


def in_half_precision(value: int, rng: Any, size: int) -> Array:
    """The same in half precision: the sign and the logarithm of a uniform number of 11 bits."""
    np = load()
    uniform = rng.integers(1, 2**HALF_BITS + 1, size=size) / 2**HALF_BITS
    sign = 1 - 2 * rng.integers(0, 2, size=size)
    noise = (-sign * np.log(uniform)).astype(np.float16)
    return (np.float16(value) + noise).astype(float)


def half_precision_law(value: int) -> dict[float, Fraction]:
    """The exact probability of each output: all uniform numbers, both signs."""
    outputs = Counter(
        _half(value + _half(-sign * math.log(k / 2**HALF_BITS)))
        for k in range(1, 2**HALF_BITS + 1)
        for sign in (1, -1)
    )
    total = 2 * 2**HALF_BITS
    return {output: Fraction(count, total) for output, count in outputs.items()}


def _half(number: float) -> float:
    """The nearest number of half precision; there is one 0, as comparisons see it."""
    [rounded] = struct.unpack("e", struct.pack("e", number))
    return float(rounded) or 0.0


HALF_PRECISION = Twin(
    name="laplace-in-half-precision",
    claim="PureDP(epsilon=1)",
    x=0,
    x_neighbor=1,
    right=on_a_grid,
    broken=in_half_precision,
    trials=50_000,
    note="Noise and sum are rounded to half precision, and many outputs can come from one of"
    " the inputs only.",
    source=SOURCE,
    right_law=lambda: f"DiscreteLaplace(scale={GRID}, sensitivity={GRID})",
    broken_law=on_pair(half_precision_law, 0, 1),
)
