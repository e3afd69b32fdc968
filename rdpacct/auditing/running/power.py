"""The power of a test: the least violation that it would have refuted with probability 0.9.

A violation is a pair of probabilities of a tested event: the observed frequency p on the input on
which it is likely, and q = (p - slack) exp(-epsilon) on the other. The counts on the two inputs are
independent and binomial, and the test refutes at least where the likely count is on or above a
staircase over the rare one.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Protocol

from rdpacct.exact.ball import Ball, precision
from rdpacct.exact.binomial import at_most
from rdpacct.exact.bound import Bound, decimal_up
from rdpacct.exact.formula import Scalar
from rdpacct.exact.raw import real
from rdpacct.proof.audit.half_plane import HalfPlane
from rdpacct.provenance import by

POWER = Fraction(9, 10)
BITS = 96
STAIRS = (-3.0, -2.0, -1.5, -1.0, -0.6, -0.2, 0.2, 0.6, 1.0, 1.5, 2.0, 3.0)
"""The places of the steps of a staircase, in standard deviations of the rare count."""
FARTHER = (1.01, 1.03, 1.07, 1.15, 1.3, 1.5, 2.0, 3.0, 5.0)
"""The factors by which a planned violation is moved away from the claim until the power is certain.
"""
HALVINGS = 40
LARGEST_EPSILON = 60.0
NORMAL = NormalDist()


class Refuting(Protocol):
    """Which counts refute: few rare hits and many likely ones."""

    def needed(self, rare: int) -> int | None:
        """A likely count that certainly refutes, and any above, with at most this many rare hits;
        None if there is none.
        """

    def planned(self, rare: float) -> float:
        """About the same."""


@dataclass(frozen=True)
class PowerQuestion:
    """The event of which the power is asked, and when its counts refute."""

    words: str
    trials: int
    p: Fraction
    """The probability on the likely input."""
    plane: HalfPlane
    refuting: Refuting

    def rare_chance(self, epsilon: Fraction) -> Fraction:
        """A probability on the rare input that is at least (p - slack) exp(-epsilon) and near."""
        with precision(BITS):
            fall = Ball(real(-epsilon).exp(), BITS).bound()
        exact = (self.p - self.plane.slack) * Fraction(fall.upper)
        return Fraction(math.ceil(exact * 10**18), 10**18)

    def planned_power(self, epsilon: float) -> float:
        """About the probability of a refutation."""
        q = float(self.p - self.plane.slack) * math.exp(-epsilon)
        spread = _spread(self.trials, q)
        below = 0.0
        total = 0.0
        for z in STAIRS:
            likely = self.refuting.planned(self.trials * q + z * spread)
            reached = NORMAL.cdf(z)
            seen = 1 - _normal(likely, self.trials, float(self.p))
            total += on_step(below, reached, 1 - seen)
            below = reached
        return total

    def planned_epsilon(self) -> float:
        """About the least epsilon that is refuted with probability 0.9; infinite if there is
        none.
        """
        low = float(self.plane.epsilon)
        high = LARGEST_EPSILON
        if self.p <= self.plane.slack or self.planned_power(high) < POWER:
            return math.inf
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if self.planned_power(middle) < POWER:
                low = middle
            else:
                high = middle
        return high

    def power(self, epsilon: Fraction) -> Ball:
        """At least the probability that this epsilon is refuted."""
        q = self.rare_chance(epsilon)
        below = Ball.of(0, BITS)
        total = Ball.of(0, BITS)
        for rare in rare_counts(self.trials, q):
            likely = self.refuting.needed(rare)
            if likely is None or likely > self.trials:
                break
            reached = at_most(rare, self.trials, q, BITS)
            missed = at_most(likely - 1, self.trials, self.p, BITS)
            total = total + on_step(below, reached, missed)
            below = reached
        return total


@by("statistics/power")
def on_step(below: Scalar, reached: Scalar, missed: Scalar) -> Scalar:
    """The probability that the rare count is on a step and the likely one does not miss it."""
    return (reached - below) * (1 - missed)


def rare_counts(trials: int, q: Fraction) -> list[int]:
    """The rare counts at which a staircase has its steps."""
    mean = trials * float(q)
    spread = _spread(trials, float(q)) + 0.5
    counts = {min(max(round(mean + z * spread), 0), trials) for z in STAIRS}
    return sorted(counts)


def least_violation(question: PowerQuestion) -> Bound | None:
    """An epsilon from which on the test refutes with probability at least 0.9, near the least one;
    None if none is found.
    """
    claimed = question.plane.epsilon
    planned = question.planned_epsilon()
    if math.isinf(planned):
        return None
    for farther in FARTHER:
        distance = (planned - float(claimed)) * farther
        epsilon = claimed + Fraction(decimal_up(Fraction(distance), 3))
        if (question.power(epsilon) - POWER).certainly_positive():
            return Bound(claimed, epsilon, "two binomial laws (statistics/power)")
    return None


def _spread(trials: int, chance: float) -> float:
    return math.sqrt(max(trials * chance * (1 - chance), 1e-9))


def _normal(count: float, trials: int, chance: float) -> float:
    return NORMAL.cdf((count - 0.5 - trials * chance) / _spread(trials, chance))
