"""Real noise whose bits are drawn when a comparison needs them, so that comparisons are exact."""

import random
from collections.abc import Sequence
from fractions import Fraction

from rdpacct.mechanisms.sampling import bernoulli_exp

BITS = 32
"""How many bits are drawn at once."""


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


class LazyLaplace:
    """A center with Laplace noise of a scale, within an interval that can be narrowed."""

    def __init__(self, center: Fraction, scale: Fraction, rng: random.Random) -> None:
        self.center = center
        self.side = rng.choice((-1, 1))
        self.scale = scale
        self.whole = 0
        while bernoulli_exp(Fraction(1), rng):
            self.whole += 1
        self.share = falling_share(rng)

    def ends(self) -> tuple[Fraction, Fraction]:
        """The lower and the upper end of where the value lies."""
        width = Fraction(1, 2**self.share.bits)
        near = self.whole + self.share.low * width
        ends = [
            self.center + self.side * self.scale * size for size in (near, near + width)
        ]
        return min(ends), max(ends)


def largest(values: Sequence[LazyLaplace]) -> int:
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
