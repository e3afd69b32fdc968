"""Unary encodings: one noisy bit for each value, of which that of the true value is often 1."""

import random
from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr, formula
from rdpacct.exact.functions import exp
from rdpacct.mechanisms.local.local_randomizer import LocalRandomizer
from rdpacct.mechanisms.source import Source, randomness
from rdpacct.provenance import by

MOST_BITS = 10**6
"""The most bits of one report that are drawn."""


class UnaryEncoding(LocalRandomizer):
    """A bit for each value: 1 with probability ``keep`` for the true value, with ``stray`` for each
    other one, independently.
    """

    @abstractmethod
    def bits(self) -> tuple[Expr, Expr]:
        """The probabilities ``keep`` and ``stray``."""

    @abstractmethod
    def draw_bit(self, true: bool, source: random.Random) -> int:
        """One bit, that of the true value or of another, exactly distributed."""

    def neutral(self) -> Expr:
        keep, stray = self.bits()
        return equal_bits(keep, stray)

    def sample(self, value: int, rng: Source = None) -> tuple[int, ...]:
        """The noisy bits for a value in range(answers), exactly distributed."""
        true = self.known_value(value)
        if self.answers > MOST_BITS:
            raise InputError(
                f"answers is {self.answers}, too many for a report of one bit each; give"
                f" at most {MOST_BITS} to sample."
            )
        source = randomness(rng)
        return tuple(self.draw_bit(k == true, source) for k in range(self.answers))

    def on_a_third_value(self) -> Expr:
        _, stray = self.bits()
        return one_stray(stray)

    def favors(self, output: Sequence[int], value: int) -> bool:
        return output[value] == 1


@by("local/unary-encoding")
def equal_bits(keep: Expr, stray: Expr) -> Expr:
    """The probability that the bit of the true value and that of one other are equal."""
    return keep * stray + (1 - keep) * (1 - stray)


@by("local/unary-encoding")
def one_stray(stray: Expr) -> Expr:
    """The probability that the bit of one of two values is 1 and that of the other is 0, on a third
    value.
    """
    return stray * (1 - stray)


@by("local/unary-encoding")
def symmetric_bits(epsilon: Expr) -> tuple[Expr, Expr]:
    """keep and stray of which each is one minus the other."""
    root = exp(epsilon / 2)
    return root / (1 + root), 1 / (1 + root)


@by("local/unary-encoding")
def optimized_bits(epsilon: Expr) -> tuple[Expr, Expr]:
    """A fair coin for the true value, and the smallest stray for it."""
    return formula(Fraction(1, 2)), 1 / (1 + exp(epsilon))
