"""The power of the two methods: which counts refute, and the least violation that gives them."""

import math
from fractions import Fraction
from statistics import NormalDist

from rdpacct.auditing.running.bets import INPUTS, Bet, Tally
from rdpacct.auditing.running.code_verdict import ObservedEvent
from rdpacct.auditing.running.power import (
    Staircase,
    least_violation,
    rare_counts,
    violation,
)
from rdpacct.exact.ball import Ball, precision
from rdpacct.exact.binomial import WITHIN, at_most, outer_upper_limit
from rdpacct.exact.bound import Bound, decimal_down, decimal_up
from rdpacct.exact.number import decimal_text
from rdpacct.exact.raw import real

BITS = 128
FARTHEST = 60.0
TRIED = 2
"""For how many events the power is worked out, the most promising first."""
Steps = list[tuple[int, int]]


def power_of_bets(bets: list[tuple[Bet, Tally]], error: Fraction) -> Bound | None:
    """The least violation that one of the bets alone would have turned into enough wealth."""
    plans = []
    for bet, tally in bets:
        if tally.trials:
            q = _frequency(tally.hits[1 - bet.tested.likely_on], tally.trials)
            steps = _bet_steps(bet, tally.trials, q, error)
            stairs = Staircase(tally.trials, q, bet.plane, tuple(steps))
            plans.append(
                (stairs, _words(bet.tested.event, INPUTS[bet.tested.likely_on]))
            )
    return _least(plans)


def _bet_steps(bet: Bet, trials: int, q: Fraction, error: Fraction) -> Steps:
    """For each rare count the likely count at which the stake is certainly 1/error."""
    missed, hit = bet.wager.likely
    rare_missed, rare_hit = bet.wager.rare
    if not (hit > missed > 0 and rare_missed > 0 and rare_hit > 0):
        return []
    steps = []
    with precision(BITS):
        gain = real(hit / missed).log()
        goal = -real(error).log() - real(bet.weight).log() - trials * real(missed).log()
        for rare in rare_counts(trials, q):
            lost = rare * real(rare_hit).log()
            kept = (trials - rare) * real(rare_missed).log()
            needed = Ball((goal - lost - kept) / gain, BITS).bound().upper
            if needed < trials:
                steps.append((rare, max(math.floor(needed) + 1, 1)))
    return steps


def power_of_limits(seen: list[ObservedEvent]) -> Bound | None:
    """The least violation that the limits of one of the events would have contradicted."""
    plans = []
    for event in seen:
        q = _frequency(event.rare_hits, event.trials)
        steps = []
        for rare in rare_counts(event.trials, q)[1::3]:
            likely = _likely_count(event, rare)
            if likely is not None:
                steps.append((rare, likely))
        stairs = Staircase(event.trials, q, event.plane, tuple(steps))
        plans.append((stairs, _words(event.event, event.likely_on)))
    return _least(plans)


def _likely_count(event: ObservedEvent, rare: int) -> int | None:
    """A likely count whose lower limit contradicts the claim at the upper limit of a rare count;
    limits are worked out up to a small part of themselves.
    """
    upper = outer_upper_limit(rare, event.trials, event.share)
    most = min(upper * (1 + WITHIN), Fraction(1))
    needed = (event.plane.growth * most + event.plane.slack) * (1 + 2 * WITHIN)
    if needed >= 1:
        return None
    spread = math.sqrt(event.trials * float(needed) * float(1 - needed)) + 1
    z = -NormalDist().inv_cdf(max(float(event.share), 1e-300)) - 0.25
    while z < FARTHEST:
        count = math.ceil(event.trials * needed + Fraction(z * spread))
        if count > event.trials:
            return None
        above = at_most(event.trials - count, event.trials, 1 - needed, BITS)
        if (above - event.share).certainly_negative():
            return count
        z += 0.25
    return None


def _least(plans: list[tuple[Staircase, str]]) -> Bound | None:
    """The least violation over the events that look most promising, in a sentence."""

    def distance(plan: tuple[Staircase, str]) -> float:
        return plan[0].planned - float(plan[0].plane.epsilon)

    found = []
    for stairs, words in sorted(plans, key=distance)[:TRIED]:
        bound = least_violation(stairs) if stairs.steps else None
        if bound is not None:
            found.append((bound.upper - stairs.plane.epsilon, bound, stairs, words))
    if not found:
        return None
    _, bound, stairs, words = min(found, key=lambda each: each[0])
    return Bound(bound.lower, bound.upper, _said(bound, stairs, words))


def _said(bound: Bound, stairs: Staircase, words: str) -> str:
    epsilon = Fraction(bound.upper)
    p = decimal_down(violation(stairs.q, stairs.plane, epsilon), 4)
    return (
        f"epsilon {decimal_text(epsilon)} at delta {decimal_up(stairs.plane.slack, 4)}"
        f" would have been refuted with probability at least 0.9, shown by {words} with"
        f" probability {p} there and {decimal_down(stairs.q, 4)} on the other input"
    )


def _words(event: object, likely_on: str) -> str:
    return f"the event that {event}, likely on {likely_on},"


def _frequency(hits: int, trials: int) -> Fraction:
    """The observed frequency, and one hit if there was none."""
    return Fraction(max(hits, 1), trials)
