"""Exact samplers over the integers for many values at once: integer arithmetic on arrays, no floating point."""

from fractions import Fraction
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.errors import InputError

LARGEST = 2**48
"""Numerators and denominators up to here leave room for products in 64 bits."""


def discrete_laplaces(scale: Fraction, size: int, rng: Any) -> Array:
    """So many independent integers x, each with probability proportional to exp(-|x|/scale).

    The difference of two geometric variables, by the method of Canonne, Kamath and Steinke; exact if the integers of
    the generator are uniform.
    """
    if max(scale.numerator, scale.denominator) > LARGEST:
        raise InputError(
            f"the scale {float(scale):.6g} is a ratio of integers beyond 2**48, which the exact sampler does not take; "
            "give alpha as a short decimal or ratio, in quotes."
        )
    return _geometrics(scale, size, rng) - _geometrics(scale, size, rng)


def _geometrics(scale: Fraction, size: int, rng: Any) -> Array:
    """Whole x >= 0 with probability proportional to exp(-x/scale)."""
    np = load()
    t, s = scale.numerator, scale.denominator
    rest = np.empty(size, dtype=np.int64)
    open_ = np.arange(size)
    while open_.size:
        drawn = rng.integers(t, size=open_.size)
        taken = _exponential_coins(drawn, t, rng)
        rest[open_[taken]] = drawn[taken]
        open_ = open_[~taken]
    whole, running = np.zeros(size, dtype=np.int64), np.arange(size)
    while running.size:
        ones = np.ones(running.size, dtype=np.int64)
        running = running[_exponential_coins(ones, 1, rng)]
        whole[running] += 1
    if int(whole.max(initial=0)) * t > 2**62:
        raise InputError("the noise is beyond 64-bit integers; give a larger alpha.")
    return (rest + t * whole) // s


def _exponential_coins(top: Array, bottom: int, rng: Any) -> Array:
    """For each entry a coin that is True with probability exactly exp(-top/bottom), top <= bottom.

    Coins of probability top/(bottom k) are thrown for k = 1, 2, ... until one fails; it is True if k is odd there.
    """
    np = load()
    result = np.empty(top.size, dtype=bool)
    running, k = np.arange(top.size), 1
    while running.size:
        goes_on = rng.integers(bottom * k, size=running.size) < top[running]
        result[running[~goes_on]] = k % 2 == 1
        running, k = running[goes_on], k + 1
    return result
