"""The trade-off function of a pair: false negatives against false positives, from the profile."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound, End
from rdpacct.privacy.atoms import rational_atoms
from rdpacct.privacy.concave import Dot, highest
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.parts import Part
from rdpacct.provenance import by

BITS = 256
LOWEST = -745.0
"""The least epsilon at which a best test is looked for; below it there are almost no false
negatives.
"""
HOW = "points of the profile (tradeoff/from-profile)"


class Tested(Protocol):
    """A pair of laws that tests tell apart."""

    @property
    def forms(self) -> Forms:
        """Closed forms that it has."""

    def missed(self, epsilon: Fraction) -> Ball:
        """1 - delta(epsilon)."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the law of its loss; none if that is not worked out."""


def tradeoff(pair: Tested, rate: Fraction) -> Bound:
    """The smallest false negative rate at a false positive rate above 0: in closed form, exactly,
    or searched for.
    """
    if rate == 1:
        return Bound.exactly(Fraction(0), "a test that always says yes")
    if pair.forms.tradeoff is not None:
        return pair.forms.tradeoff(rate)
    atoms = rational_atoms(pair.parts)
    if atoms:
        return Bound.exactly(
            tradeoff_of_atoms(atoms, rate),
            "exact sum over the atoms (tradeoff/from-profile)",
        )
    return searched_tradeoff(pair.missed, rate)


def is_searched(pair: Tested) -> bool:
    """Whether the false negative rates of a pair are found by a search only."""
    return pair.forms.tradeoff is None and not rational_atoms(pair.parts)


def searched_tradeoff(missed: Callable[[Fraction], Ball], rate: Fraction) -> Bound:
    """The smallest false negative rate at a false positive rate above 0 and below 1, from 1 -
    delta(epsilon).
    """

    def dot(level: float) -> Dot:
        epsilon = Fraction(level)
        growth = Ball.of(epsilon, BITS).exp()
        return dot_of(level, growth, line_height(missed(epsilon), growth, rate))

    low, high = highest(dot, end_dots(rate), (LOWEST, log_of(1 / rate)))
    # a part of a law, which stands below the whole, misses more than a guess
    return Bound(min(low, 1 - rate), min(high, 1 - rate), HOW)


def end_dots(rate: Fraction) -> tuple[Dot, Dot]:
    """The lines of no growth, and of the growth at which the false positives alone are one."""
    nothing = Ball.of(0, BITS)
    steepest = Ball.of(1 / rate, BITS)
    return (
        dot_of(-math.inf, nothing, nothing),
        dot_of(math.inf, steepest, Ball.hull(-1, 0, BITS)),
    )


@by("tradeoff/from-profile")
def line_height(missed: Ball, growth: Ball, rate: Fraction) -> Ball:
    """1 - delta - exp(epsilon) rate, which no test of this false positive rate has fewer false
    negatives than.
    """
    return missed - growth * rate


def dot_of(level: float, growth: Ball, height: Ball) -> Dot:
    """The height of a line, as a point of a concave function of the growth."""
    return Dot(
        level, growth, _fraction(height.lower(), -1), _fraction(height.upper(), 1)
    )


def _fraction(end: End, beyond: int) -> Fraction:
    """An end of a height, which lies between -1 and 1."""
    if isinstance(end, Fraction):
        return end
    return Fraction(beyond)


def log_of(value: Fraction) -> float:
    """About the logarithm of a positive fraction, however large it is."""
    shift = value.numerator.bit_length() - value.denominator.bit_length()
    return math.log(value / Fraction(2) ** shift) + shift * math.log(2)


@by("tradeoff/from-profile")
def tradeoff_of_atoms(
    atoms: list[tuple[Fraction, Fraction]], rate: Fraction
) -> Fraction:
    """The smallest false negative rate of a finite pair: outcomes are accepted in the order of
    falling ratios p/q.

    The last one is accepted with a chance that uses up the rate.
    """
    left = rate
    missed = sum((p for p, _ in atoms), start=Fraction(0))
    for p, q in sorted(atoms, key=lambda atom: atom[1] / atom[0]):
        share = min(Fraction(1), left / q)
        left -= share * q
        missed -= share * p
    return missed
