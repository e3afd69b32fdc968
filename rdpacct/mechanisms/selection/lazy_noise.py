"""Real noise whose bits are drawn when a comparison needs them, so that comparisons are exact."""

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction

from rdpacct.mechanisms.sampling import bernoulli_exp

BITS = 32
"""The number of bits that are drawn at once."""


class LazyUniform:
    """A number that is uniform between 0 and 1, known up to as many bits as were asked for."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.low = 0
        self.bits = 0

    def refine(self) -> None:
        """Draw more bits."""
        self.low = (self.low << BITS) | self.rng.getrandbits(BITS)
        self.bits += BITS

    def exceeds(self, other: "LazyUniform") -> bool:
        """Whether this is the larger one of two independent numbers."""
        while True:
            bits = min(self.bits, other.bits)
            mine = self.low >> (self.bits - bits)
            theirs = other.low >> (other.bits - bits)
            if mine != theirs:
                return mine > theirs
            shorter = self if self.bits == bits else other
            shorter.refine()


def falling_share(rng: random.Random) -> LazyUniform:
    """A number between 0 and 1 of density proportional to exp(-x) (von Neumann).

    x is kept with probability exp(-x): if the falling run x > u1 > u2 > ... has an even length.
    """
    while True:
        share = LazyUniform(rng)
        last = share
        kept = True
        while last.exceeds(following := LazyUniform(rng)):
            last = following
            kept = not kept
        if kept:
            return share


def falls_within(whole: int, share: LazyUniform, rng: random.Random) -> bool:
    """True with probability exp(-x (2 k + x)/(2 k + 2)), for the whole number k and the share x.

    A falling run from x on goes on with probability (2 k + x)/(2 k + 2) each time.
    """
    last = share
    even = True
    while last.exceeds(following := LazyUniform(rng)):
        place = rng.randrange(2 * whole + 2)
        goes_on = place < 2 * whole
        if place == 2 * whole:
            goes_on = share.exceeds(LazyUniform(rng))
        if not goes_on:
            break
        last = following
        even = not even
    return even


class LazyNoise(ABC):
    """A center with symmetric noise of a scale, within an interval that can be narrowed."""

    def __init__(self, center: Fraction, scale: Fraction, rng: random.Random) -> None:
        self.center = center
        self.side = rng.choice((-1, 1))
        self.scale = scale
        self.whole, self.share = self.drawn_size(rng)

    @staticmethod
    @abstractmethod
    def drawn_size(rng: random.Random) -> tuple[int, LazyUniform]:
        """The size of the noise in scales: a whole number, and the share of one beyond it."""

    def ends(self) -> tuple[Fraction, Fraction]:
        """The lower and the upper end of where the value lies."""
        width = Fraction(1, 2**self.share.bits)
        near = self.whole + self.share.low * width
        ends = [
            self.center + self.side * self.scale * size for size in (near, near + width)
        ]
        return min(ends), max(ends)


class LazyLaplace(LazyNoise):
    """A center with Laplace noise of a scale."""

    @staticmethod
    def drawn_size(rng: random.Random) -> tuple[int, LazyUniform]:
        whole = 0
        while bernoulli_exp(Fraction(1), rng):
            whole += 1
        return whole, falling_share(rng)


class LazyNormal(LazyNoise):
    """A center with normal noise of a standard deviation (Karney)."""

    @staticmethod
    def drawn_size(rng: random.Random) -> tuple[int, LazyUniform]:
        while True:
            whole = 0
            while bernoulli_exp(Fraction(1, 2), rng):
                whole += 1
            if not bernoulli_exp(Fraction(whole * (whole - 1), 2), rng):
                continue
            share = LazyUniform(rng)
            if all(falls_within(whole, share, rng) for _ in range(whole + 1)):
                return whole, share


def largest(values: Sequence[LazyNoise]) -> int:
    """The index of the largest value: bits are drawn until it is certain."""
    contenders = list(range(len(values)))
    while len(contenders) > 1:
        ends = {i: values[i].ends() for i in contenders}
        reached = max(low for low, _ in ends.values())
        contenders = [i for i in contenders if ends[i][1] > reached]
        if len(contenders) > 1:
            for i in contenders:
                values[i].share.refine()
    return contenders[0]
