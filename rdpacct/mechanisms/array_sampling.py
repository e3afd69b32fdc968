"""Exact samplers over the integers for many values at once: integer arithmetic on arrays, no
floating point.
"""

import math
import random
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.errors import InputError
from rdpacct.mechanisms.listening import heard_noise
from rdpacct.mechanisms.sampling import bernoulli, discrete_laplace
from rdpacct.mechanisms.source import Uniform

LARGEST = 2**48
"""Numerators and denominators up to this leave room for products in 64 bits."""
LARGEST_NOISE, WORD = 2**62, 2**62
"""The largest noise in an array, and the number of values of the random words that coins are
compared with.
"""


@heard_noise("discrete_laplace")
def many_discrete_laplaces(scale: Fraction, size: int, source: random.Random) -> Array:
    """A number of independent integers x of probability proportional to exp(-|x|/scale), from the
    bits of a source.
    """
    if max(scale.numerator, scale.denominator) <= LARGEST:
        return discrete_laplaces(scale, size, Uniform(source))
    return one_by_one(partial(discrete_laplace, scale, source), size)


def one_by_one(draw: Callable[[], int], size: int) -> Array:
    """A number of draws, each by itself, where 64 bits are too few for all at once."""
    np = load()
    drawn = [draw() for _ in range(size)]
    if drawn and max(map(abs, drawn)) > LARGEST_NOISE:
        raise InputError(
            "the noise is beyond 64-bit integers; give a list of Python's integers"
            " instead of an array."
        )
    return np.array(drawn, dtype=np.int64)


@heard_noise("discrete_gaussian")
def many_discrete_gaussians(
    variance: Fraction, size: int, source: random.Random
) -> Array:
    """Independent integers x of probability proportional to exp(-x**2/(2 variance)).

    Discrete Laplace proposals of scale t, each kept with probability exp(-(|x| - variance/t)**2/(2
    variance)), by the method of Canonne, Kamath and Steinke.
    """
    np = load()
    t = math.isqrt(math.floor(variance)) + 1
    uniform = Uniform(source)
    integers = np.empty(size, dtype=np.int64)
    open_ = np.arange(size)
    while open_.size:
        proposed = discrete_laplaces(Fraction(t), open_.size, uniform)
        sizes, which = np.unique(np.abs(proposed), return_inverse=True)
        rates = [(int(x) - variance / t) ** 2 / (2 * variance) for x in sizes]
        kept = _coins_of_rates(rates, which, uniform)
        integers[open_[kept]] = proposed[kept]
        open_ = open_[~kept]
    return integers


def _coins_of_rates(rates: list[Fraction], which: Array, uniform: Uniform) -> Array:
    """For each entry a coin that is True with probability exactly exp(-rate), for the rate with
    that index.
    """
    np = load()
    whole = np.array([math.floor(rate) for rate in rates], dtype=np.int64)[which]
    kept = np.ones(which.size, dtype=bool)
    running = np.flatnonzero(whole > 0)
    while running.size:
        passed = _exponential_coins(np.ones(running.size, dtype=np.int64), 1, uniform)
        kept[running[~passed]] = False
        whole[running] -= 1
        running = running[passed & (whole[running] > 0)]
    left = np.flatnonzero(kept)
    kept[left] = _coins_of_shares(
        [rate - math.floor(rate) for rate in rates], which[left], uniform
    )
    return kept


def _coins_of_shares(shares: list[Fraction], which: Array, uniform: Uniform) -> Array:
    """Coins for rates below one: coins of probability rate/k for k = 1, 2, ... until one fails at
    an odd k.

    A coin compares 62 random bits with those of its probability; where all agree, the rest of it
    decides exactly.
    """
    np = load()
    first_bits = np.array(
        [math.floor(share * WORD) for share in shares], dtype=np.int64
    )[which]
    result = np.empty(which.size, dtype=bool)
    running = np.arange(which.size)
    k = 1
    while running.size:
        drawn = uniform.integers(WORD, size=running.size)
        level = first_bits[running] // k
        goes_on = drawn < level
        for tie in np.flatnonzero(drawn == level):
            rest = shares[int(which[running[tie]])] * WORD / k - int(level[tie])
            goes_on[tie] = bernoulli(rest, uniform.source)
        result[running[~goes_on]] = k % 2 == 1
        running = running[goes_on]
        k = k + 1
    return result


def discrete_laplaces(scale: Fraction, size: int, rng: Any) -> Array:
    """A number of independent integers x, each with probability proportional to exp(-|x|/scale).

    The difference of two geometric variables, by the method of Canonne, Kamath and Steinke; exact
    if the integers of the generator are uniform.
    """
    if max(scale.numerator, scale.denominator) > LARGEST:
        raise InputError(
            f"the scale {float(scale):.6g} is a ratio of integers beyond 2**48, which"
            " the exact sampler does not take; give alpha as a short decimal or ratio,"
            " in quotes."
        )
    return _geometrics(scale, size, rng) - _geometrics(scale, size, rng)


def _geometrics(scale: Fraction, size: int, rng: Any) -> Array:
    """Whole x >= 0 with probability proportional to exp(-x/scale)."""
    np = load()
    t = scale.numerator
    s = scale.denominator
    rest = np.empty(size, dtype=np.int64)
    open_ = np.arange(size)
    while open_.size:
        drawn = rng.integers(t, size=open_.size)
        taken = _exponential_coins(drawn, t, rng)
        rest[open_[taken]] = drawn[taken]
        open_ = open_[~taken]
    whole = np.zeros(size, dtype=np.int64)
    running = np.arange(size)
    while running.size:
        ones = np.ones(running.size, dtype=np.int64)
        running = running[_exponential_coins(ones, 1, rng)]
        whole[running] += 1
    if int(whole.max(initial=0)) * t > 2**62:
        raise InputError("the noise is beyond 64-bit integers; give a larger alpha.")
    return (rest + t * whole) // s


def _exponential_coins(top: Array, bottom: int, rng: Any) -> Array:
    """For each entry a coin that is True with probability exactly exp(-top/bottom), top <= bottom.

    Coins of probability top/(bottom k) are thrown for k = 1, 2, ... until one fails; it is True if
    k is odd there.
    """
    np = load()
    result = np.empty(top.size, dtype=bool)
    running = np.arange(top.size)
    k = 1
    while running.size:
        goes_on = rng.integers(bottom * k, size=running.size) < top[running]
        result[running[~goes_on]] = k % 2 == 1
        running = running[goes_on]
        k = k + 1
    return result
