"""The power of a test: the least violation that it would have refuted with probability 0.9.

A violation is a pair of probabilities of a tested event: q on the input on which it is rare, and
exp(epsilon) q + slack on the other. The counts on the two inputs are independent and binomial, and
the test refutes at least where the likely count is on or above a staircase over the rare one.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

from rdpacct.exact.ball import Ball, precision
from rdpacct.exact.binomial import at_most
from rdpacct.exact.bound import Bound, decimal_up
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import Scalar
from rdpacct.exact.raw import real
from rdpacct.proof.audit.half_plane import HalfPlane
from rdpacct.provenance import by

POWER = Fraction(9, 10)
BITS = 96
STAIRS = (-3.0, -2.0, -1.5, -1.0, -0.6, -0.2, 0.2, 0.6, 1.0, 1.5, 2.0, 3.0)
"""Where the steps of a staircase are, in standard deviations of the rare count."""
FARTHER = (1.005, 1.02, 1.05, 1.1, 1.2, 1.4, 1.7, 2.0, 3.0, 5.0)
"""By which parts of its distance from the claim a planned violation is moved away until the power
is certain.
"""
HALVINGS = 40
NORMAL = NormalDist()


@dataclass(frozen=True)
class Staircase:
    """Counts that refute: the rare count is at most ``rare`` and the likely one at least
    ``likely``, for one of the steps (rare, likely).
    """

    trials: int
    q: Fraction
    plane: HalfPlane
    steps: tuple[tuple[int, int], ...]

    @cached_property
    def _reached(self) -> list[Ball]:
        """The probabilities that the rare count is at most that of each step."""
        return [at_most(rare, self.trials, self.q, BITS) for rare, _ in self.steps]

    def probability(self, p: Fraction) -> Ball:
        """At least the probability of such counts, for independent trials of the probabilities p
        and q.
        """
        below = Ball.of(0, BITS)
        total = Ball.of(0, BITS)
        for reached, (_, likely) in zip(self._reached, self.steps, strict=True):
            missed = at_most(likely - 1, self.trials, p, BITS)
            total = total + on_step(below, reached, missed)
            below = reached
        return total

    def planned_probability(self, p: float) -> float:
        """About the same, by normal laws."""
        below = 0.0
        total = 0.0
        for rare, likely in self.steps:
            reached = _normal(rare + 0.5, self.trials, float(self.q))
            total += (reached - below) * (1 - _normal(likely - 0.5, self.trials, p))
            below = reached
        return total

    @cached_property
    def planned(self) -> float:
        """About the least epsilon that is refuted with probability 0.9; infinite if there is
        none.
        """
        low = float(self.plane.epsilon)
        high = largest_epsilon(self)
        if self.planned_probability(_planned_violation(self, high)) < POWER:
            return math.inf
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if self.planned_probability(_planned_violation(self, middle)) < POWER:
                low = middle
            else:
                high = middle
        return high


@by("statistics/power")
def on_step(below: Scalar, reached: Scalar, missed: Scalar) -> Scalar:
    """The probability that the rare count is on a step and the likely one does not miss it."""
    return (reached - below) * (1 - missed)


def _normal(count: float, trials: int, chance: float) -> float:
    spread = math.sqrt(max(trials * chance * (1 - chance), 1e-9))
    return NORMAL.cdf((count - trials * chance) / spread)


def _planned_violation(stairs: Staircase, epsilon: float) -> float:
    return min(math.exp(epsilon) * float(stairs.q) + float(stairs.plane.slack), 1.0)


def largest_epsilon(stairs: Staircase) -> float:
    """About the epsilon at which the event is certain on the likely input."""
    most = math.log(max(float((1 - stairs.plane.slack) / stairs.q), 1.0))
    return max(most, float(stairs.plane.epsilon))


def rare_counts(trials: int, q: Fraction) -> list[int]:
    """The rare counts at which a staircase has its steps."""
    mean = trials * float(q)
    spread = math.sqrt(mean * (1 - float(q))) + 0.5
    counts = {min(max(round(mean + z * spread), 0), trials) for z in STAIRS}
    return sorted(counts)


def least_violation(stairs: Staircase) -> Bound | None:
    """An epsilon that the test refutes with probability at least 0.9, near the least one; None if
    none is found.
    """
    claimed = stairs.plane.epsilon
    if math.isinf(stairs.planned):
        return None
    for farther in FARTHER:
        distance = (stairs.planned - float(claimed)) * farther
        epsilon = claimed + Fraction(decimal_up(Fraction(distance), 3))
        p = violation(stairs.q, stairs.plane, epsilon)
        if p >= 1:
            return None
        if (stairs.probability(p) - POWER).certainly_positive():
            return Bound(claimed, epsilon, "two binomial laws (statistics/power)")
    return None


def violation(q: Fraction, plane: HalfPlane, epsilon: Fraction) -> Fraction:
    """A probability that is at most exp(epsilon) q + slack and very near."""
    with precision(BITS):
        growth = Ball(real(epsilon).exp(), BITS).bound()
    exact = Fraction(growth.lower) * q + plane.slack
    return min(Fraction(math.floor(exact * 10**15), 10**15), Fraction(1))
