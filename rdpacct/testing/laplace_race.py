"""Exact probabilities about one Laplace variable and many others that are compared with it.

Noisy maxima and the sparse vector technique are such races. Their probabilities are integrals of
products of exponentials between kinks, and so finite sums of rational multiples of exponentials of
rationals, which are never rounded.
"""

import itertools
import math
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Protocol, TypeAlias

from rdpacct.exact.formula import Expr, add, formula
from rdpacct.exact.functions import exp

RaceTerms: TypeAlias = dict[tuple[Fraction, Fraction], Fraction]
"""A sum of c exp(a + r z), as its coefficients c at (r, a)."""
RaceEdge: TypeAlias = Fraction | float
"""A kink, or one of the two infinities."""
CONSTANT = (Fraction(0), Fraction(0))


class RaceFactor(Protocol):
    """A function of z that is a sum of exponentials between its kinks."""

    def kinks(self) -> tuple[Fraction, ...]:
        """Where it changes from one sum to another."""

    def near(self, z: Fraction) -> RaceTerms:
        """The sum that it is around a point that is not a kink."""


@dataclass(frozen=True)
class NoisyValue:
    """A center with Laplace noise of a positive scale; its density is a factor."""

    center: Fraction
    scale: Fraction

    def kinks(self) -> tuple[Fraction, ...]:
        return (self.center,)

    def near(self, z: Fraction) -> RaceTerms:
        return self._falling(z, 1 / (2 * self.scale))

    def below(self, z: Fraction) -> RaceTerms:
        """The probability of an outcome below z."""
        if z < self.center:
            return self._falling(z, Fraction(1, 2))
        return _added({CONSTANT: Fraction(1)}, self._falling(z, Fraction(-1, 2)))

    def _falling(self, z: Fraction, height: Fraction) -> RaceTerms:
        """height exp(-|z - center|/scale), on the side of z."""
        rate = (1 if z < self.center else -1) / self.scale
        return {(rate, -rate * self.center): height}


@dataclass(frozen=True)
class Below:
    """The probability that a noisy value is below z."""

    noisy: NoisyValue

    def kinks(self) -> tuple[Fraction, ...]:
        return self.noisy.kinks()

    def near(self, z: Fraction) -> RaceTerms:
        return self.noisy.below(z)


@dataclass(frozen=True)
class Between:
    """The probability that a noisy value is at least z, and at most a limit if there is one."""

    noisy: NoisyValue
    most: Fraction | None = None

    def kinks(self) -> tuple[Fraction, ...]:
        ends = () if self.most is None else (self.most,)
        return (*self.noisy.kinks(), *ends)

    def near(self, z: Fraction) -> RaceTerms:
        if self.most is None:
            return _added({CONSTANT: Fraction(1)}, self.noisy.below(z), -1)
        if z > self.most:
            return {}
        reached = _fixed(self.noisy.below(self.most), self.most)
        return _added(reached, self.noisy.below(z), -1)


@dataclass(frozen=True)
class Indicator:
    """1 where z is above a value, or where it is not; 0 elsewhere."""

    value: Fraction
    above: bool

    def kinks(self) -> tuple[Fraction, ...]:
        return (self.value,)

    def near(self, z: Fraction) -> RaceTerms:
        if (z > self.value) is self.above:
            return {CONSTANT: Fraction(1)}
        return {}


@lru_cache(maxsize=1024)
def chance(z: NoisyValue, factors: tuple[RaceFactor, ...]) -> Expr:
    """The mean of the product of the factors at a Laplace variable z."""
    functions = [z, *factors]
    kinks = sorted({kink for each in functions for kink in each.kinks()})
    edges: list[RaceEdge] = [-math.inf, *kinks, math.inf]
    total: dict[Fraction, Fraction] = defaultdict(Fraction)
    for low, high in itertools.pairwise(edges):
        inside = _inside(low, high)
        product: RaceTerms = {CONSTANT: Fraction(1)}
        for each in functions:
            product = _times(product, each.near(inside))
        _integrate(product, low, high, total)
    return _value(total)


def chance_below(noisy: NoisyValue, limit: Fraction) -> Expr:
    """The probability that a noisy value is below a limit."""
    terms = _fixed(noisy.below(limit), limit)
    return _value({shift: c for (_, shift), c in terms.items()})


def _value(total: dict[Fraction, Fraction]) -> Expr:
    """The sum of c exp(a) over the coefficients c at a."""
    return add(0, *(formula(c) * exp(a) for a, c in sorted(total.items()) if c))


def _inside(low: RaceEdge, high: RaceEdge) -> Fraction:
    """A point between two edges, of which at least one is finite."""
    if isinstance(low, float):
        return Fraction(high) - 1
    if isinstance(high, float):
        return Fraction(low) + 1
    return (low + high) / 2


def _integrate(
    terms: RaceTerms, low: RaceEdge, high: RaceEdge, total: dict[Fraction, Fraction]
) -> None:
    """Add the integral between two edges, as coefficients c at a of c exp(a)."""
    for (rate, shift), c in terms.items():
        if rate == 0:
            total[shift] += c * (Fraction(high) - Fraction(low))
            continue
        for end, sign in ((high, 1), (low, -1)):
            if isinstance(end, Fraction):
                total[shift + rate * end] += sign * c / rate
            elif rate * end > 0:
                raise OverflowError("the integral diverges")


def _times(first: RaceTerms, second: RaceTerms) -> RaceTerms:
    product: RaceTerms = defaultdict(Fraction)
    for (rate, shift), c in first.items():
        for (other_rate, other_shift), other in second.items():
            product[rate + other_rate, shift + other_shift] += c * other
    return {key: c for key, c in product.items() if c}


def _added(first: RaceTerms, second: RaceTerms, sign: int = 1) -> RaceTerms:
    both: RaceTerms = defaultdict(Fraction, first)
    for key, c in second.items():
        both[key] += sign * c
    return {key: c for key, c in both.items() if c}


def _fixed(terms: RaceTerms, z: Fraction) -> RaceTerms:
    """The constant that a sum is at a point."""
    values: RaceTerms = defaultdict(Fraction)
    for (rate, shift), c in terms.items():
        values[Fraction(0), shift + rate * z] += c
    return dict(values)
