"""An upper bound on the probability of many right guesses in one run of a private training."""

from fractions import Fraction
from typing import Any

from rdpacct.auditing.one_run.guesses import CanaryGuesses
from rdpacct.exact.ball import Ball, refine
from rdpacct.exact.binomial_tails import exactly, tails
from rdpacct.exact.bound import Bound
from rdpacct.proof.audit.half_plane import HalfPlane
from rdpacct.provenance import by

THEOREM = "statistics/one-run"
ACCURACY = 40
"""The bits to which a probability is worked out."""


@by("statistics/one-run")
def accuracy(odds: Any) -> Any:
    """The probability of a right guess of one fair coin, if right ones have these odds."""
    return odds / (1 + odds)


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
    """At most the probability of this many right guesses: ``tail``, ``fewer`` and ``mass`` are the
    binomial probabilities of at least, of fewer than and of exactly that many; ``kinds`` is 2 if
    guesses of both kinds are allowed, and 1 if not.
    """
    leaked = canaries * delta * kinds / 2
    return tail + leaked * tail * fewer / (correct * mass)


@by("statistics/one-run-levels")
def ladder_limit(start: Any, leaked: Any, canaries: Any, kinds: Any) -> Any:
    """At most the probability of this many right guesses, by several half planes at once:
    ``leaked`` is the sum of their weights times their deltas.
    """
    return start + canaries * leaked * kinds / 2


def chance(run: CanaryGuesses, odds: Ball, delta: Ball) -> Ball:
    """At most the probability of this many right guesses or more, if P(S) <= odds Q(S) + delta for
    every event S and neighbors.
    """
    if run.correct == 0:
        return Ball.of(1, odds.bits)
    right = accuracy(odds)
    wrong = accuracy(1 / odds)
    tail, fewer = tails(run.correct, run.guesses, right, wrong)
    if delta.raw.is_zero():
        return within_one(tail)
    mass = exactly(run.correct, run.guesses, right, wrong)
    leak = run.canaries, delta, run.kinds
    return within_one(tail_limit(tail, fewer, mass, run.correct, *leak))


def chance_under(run: CanaryGuesses, plane: HalfPlane, bits: int) -> Ball:
    """The same for a half plane of a claim."""
    return chance(run, Ball.of(plane.growth, bits), Ball.of(plane.slack, bits))


def chance_bound(run: CanaryGuesses, plane: HalfPlane) -> Bound:
    """The same as an enclosure."""
    ball = refine(lambda bits: chance_under(run, plane, bits), ACCURACY)
    return probability_bound(ball, THEOREM)


def probability_bound(ball: Ball, how: str) -> Bound:
    """A probability as a bound, which does not end beyond 1."""
    return Bound(min(ball.lower(), Fraction(1)), min(ball.upper(), Fraction(1)), how)


def within_one(probability: Ball) -> Ball:
    """The smaller of a number and 1; anything from 0 to 1 where nothing is known of it."""
    if not probability.finite():
        return Ball.hull(0, 1, probability.bits)
    if (1 - probability).certainly_positive():
        return probability
    return 1 - (1 - probability).positive_part()
