"""Exact samplers over the integers (Canonne, Kamath and Steinke): no floating point anywhere."""

import math
import random
from fractions import Fraction

from rdpacct.mechanisms.listening import heard_noise


def bernoulli(probability: Fraction, rng: random.Random) -> bool:
    """True with exactly this probability."""
    return rng.randrange(probability.denominator) < probability.numerator


def bernoulli_exp(rate: Fraction, rng: random.Random) -> bool:
    """True with probability exactly exp(-rate), for rate >= 0."""
    while rate > 1:
        if not bernoulli_exp(Fraction(1), rng):
            return False
        rate -= 1
    k = 1
    while bernoulli(rate / k, rng):
        k += 1
    return k % 2 == 1


@heard_noise("discrete_laplace")
def discrete_laplace(scale: Fraction, rng: random.Random) -> int:
    """An integer x with probability proportional to exp(-|x|/scale)."""
    t = scale.numerator
    s = scale.denominator
    while True:
        remainder = rng.randrange(t)
        if not bernoulli_exp(Fraction(remainder, t), rng):
            continue
        whole = 0
        while bernoulli_exp(Fraction(1), rng):
            whole += 1
        size = (remainder + t * whole) // s
        negative = bernoulli(Fraction(1, 2), rng)
        if not (negative and size == 0):
            return -size if negative else size


@heard_noise("discrete_gaussian")
def discrete_gaussian(variance: Fraction, rng: random.Random) -> int:
    """An integer x with probability proportional to exp(-x**2/(2 variance))."""
    t = math.isqrt(math.floor(variance)) + 1
    while True:
        proposal = discrete_laplace(Fraction(t), rng)
        if bernoulli_exp((abs(proposal) - variance / t) ** 2 / (2 * variance), rng):
            return proposal
