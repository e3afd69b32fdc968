"""The older bound on the number of right guesses, for comparison: Steinke, Nasr and Jagielski
(2023), Privacy auditing with one (1) training run, as its Algorithm for p-values computes it.

Nothing rests on it. With X binomial it is P(X >= v) + 2 m delta a, where a is the largest of the
averages P(v - i <= X < v)/i.
"""

from rdpacct.auditing.one_run.guesses import CanaryGuesses
from rdpacct.auditing.one_run.tail import (
    ACCURACY,
    accuracy,
    probability_bound,
    within_one,
)
from rdpacct.exact.ball import Ball, refine
from rdpacct.exact.binomial_tails import exactly, tails
from rdpacct.exact.bound import Bound
from rdpacct.proof.audit.half_plane import HalfPlane

SOURCE = "Steinke, Nasr and Jagielski 2023"
PLANNING_BITS = 96
MOST_BITS = 384


def older_bound(run: CanaryGuesses, plane: HalfPlane) -> Bound:
    """The bound of 2023 on the probability of this many right guesses."""
    if run.correct == 0:
        return Bound.exactly(1, SOURCE)
    window = _best_window(run, plane)
    ball = refine(
        lambda bits: _older(run, plane, window, bits), ACCURACY, limit=MOST_BITS
    )
    return probability_bound(ball, SOURCE)


def _older(run: CanaryGuesses, plane: HalfPlane, window: int, bits: int) -> Ball:
    below = _Below(run, plane, bits)
    if plane.slack == 0:
        return within_one(below.tail)
    leaked = Ball.of(2 * run.canaries * plane.slack, bits)
    return within_one(below.tail + leaked * below.largest_average(window))


def _best_window(run: CanaryGuesses, plane: HalfPlane) -> int:
    """The number of terms of the largest average, by bisection in balls of few bits: a guess."""
    below = _Below(run, plane, PLANNING_BITS)
    low = 1
    high = run.correct
    while low < high:
        size = (low + high) // 2
        if below.change(size).certainly_positive():
            low = size + 1
        else:
            high = size
    return low


class _Below:
    """Binomial probabilities of numbers just below the count of right guesses."""

    def __init__(self, run: CanaryGuesses, plane: HalfPlane, bits: int) -> None:
        odds = Ball.of(plane.growth, bits)
        self.run = run
        self.right = accuracy(odds)
        self.wrong = accuracy(1 / odds)
        self.tail = self._at_least(run.correct)

    def _at_least(self, count: int) -> Ball:
        return tails(count, self.run.guesses, self.right, self.wrong)[0]

    def average(self, size: int) -> Ball:
        """The average over this many numbers below the count."""
        return (self._at_least(self.run.correct - size) - self.tail) / size

    def change(self, size: int) -> Ball:
        """How much the next probability below exceeds the average over this many."""
        next_count = self.run.correct - size - 1
        mass = exactly(next_count, self.run.guesses, self.right, self.wrong)
        return mass - self.average(size)

    def largest_average(self, window: int) -> Ball:
        """The largest of the averages; anything from 0 to 1 if it is not near the window.

        The probabilities rise and then fall, and so do the averages over more and more of them:
        they grow as long as the next probability below is larger. So the largest is that of the
        window or of a neighbor, if averages certainly grow up to these and fall beyond them.
        """
        first = max(1, window - 1)
        last = min(self.run.correct, window + 1)
        grown = first == 1 or self.change(first - 1).certainly_positive()
        if not (grown and self.change(last).certainly_negative()):
            return Ball.hull(0, 1, self.right.bits)
        most = self.average(first)
        for size in range(first + 1, last + 1):
            most = most.larger(self.average(size))
        return most
