"""How likely it is at most that so many guesses are right, in one run of a private training."""

from dataclasses import dataclass
from typing import Any

from rdpacct.auditing.one_run.guesses import CanaryGuesses
from rdpacct.exact.ball import Ball, refine
from rdpacct.exact.binomial_tails import exactly, tails
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import ZERO, Expr
from rdpacct.provenance import by

ACCURACY = 40
"""To how many bits a probability is worked out."""


@dataclass(frozen=True, slots=True)
class Level:
    """One half plane of a claim: p <= exp(epsilon) q + delta for the probabilities p and q of every
    event on neighbors.
    """

    epsilon: Expr
    delta: Expr

    def __str__(self) -> str:
        return f"epsilon = {self.epsilon}, delta = {self.delta}"


@by("statistics/one-run")
def accuracy(factor: Any) -> Any:
    """The probability at most of a right guess of one fair coin, where p <= factor q."""
    return factor / (1 + factor)


@by("statistics/one-run")
def tail_limit(
    tail: Any,
    fewer: Any,
    mass: Any,
    correct: Any,
    canaries: Any,
    delta: Any,
    kinds: Any,
) -> Any:
    """The probability at most of so many right guesses: ``tail``, ``fewer`` and ``mass`` are the
    binomial probabilities of at least, of less than and of exactly so many; ``kinds`` is 2 if
    guesses of both kinds are allowed, and 1 if not.
    """
    leaked = canaries * delta * kinds / 2
    return tail + leaked * tail * fewer / (correct * mass)


def chance(run: CanaryGuesses, level: Level, bits: int) -> Ball:
    """The probability at most of so many right guesses, or more, under a level of the claim."""
    if run.correct == 0:
        return Ball.of(1, bits)
    odds = level.epsilon.ball(bits).exp()
    right = accuracy(odds)
    wrong = accuracy(1 / odds)
    tail, fewer = tails(run.correct, run.guesses, right, wrong)
    if level.delta == ZERO:
        return within_one(tail)
    mass = exactly(run.correct, run.guesses, right, wrong)
    leak = run.canaries, level.delta.ball(bits), run.kinds
    return within_one(tail_limit(tail, fewer, mass, run.correct, *leak))


def chance_bound(run: CanaryGuesses, level: Level) -> Bound:
    """The same as an enclosure."""
    ball = refine(lambda bits: chance(run, level, bits), ACCURACY)
    return ball.bound("statistics/one-run")


def within_one(probability: Ball) -> Ball:
    """The smaller of a number and 1; anything from 0 to 1 where nothing is known of it."""
    if not probability.finite():
        return Ball.hull(0, 1, probability.bits)
    return 1 - (1 - probability).positive_part()
