"""What a run says about epsilon, and what it could have said."""

from fractions import Fraction
from functools import partial

from rdpacct.auditing.one_run.guesses import CanaryGuesses
from rdpacct.auditing.one_run.tail import THEOREM, chance
from rdpacct.exact.ball import Ball
from rdpacct.exact.binomial import at_most
from rdpacct.exact.bound import Bound
from rdpacct.exact.root import bracket, sign

POWER = Fraction(9, 10)
NARROW = 40
"""The bits to which a limit is bracketed."""


def epsilon_at_least(run: CanaryGuesses, delta: Fraction, error: Fraction) -> Bound:
    """The largest epsilon that the run refutes at this delta, but for ``error``; 0 if it refutes
    none.
    """

    def left(epsilon: Fraction, bits: int) -> Ball:
        odds = Ball.of(epsilon, bits).exp()
        return error - chance(run, odds, Ball.of(delta, bits))

    zero = Fraction(0)
    if sign(partial(left, zero))[0] <= 0:
        return Bound.exactly(zero, THEOREM).safe_below()
    high = Fraction(1)
    while sign(partial(left, high))[0] >= 0:
        high *= 2
    return Bound(*bracket(left, zero, high, NARROW), THEOREM).safe_below()


def power_against(count: int, run: CanaryGuesses) -> Bound | None:
    """The least epsilon at which the claim is refuted with probability 0.9, if each guess is right
    as often as with randomized response; None if no epsilon is enough.
    """

    def missed(p: Fraction, bits: int) -> Ball:
        return at_most(count - 1, run.guesses, p, bits) - (1 - POWER)

    low, high = bracket(missed, Fraction(0), Fraction(1), NARROW)
    how = f"{count} of {run.guesses} right guesses refute the claim"
    return Bound(_log_odds(low).lower, _log_odds(high).upper, how)


def _log_odds(p: Fraction) -> Bound:
    return Ball.of(p / (1 - p), 96).log().bound()
