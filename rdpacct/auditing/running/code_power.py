"""The power of the two methods: which counts refute, and the least violation that gives them."""

import math
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Any

from rdpacct.auditing.running.bets import INPUTS, Bet, Tally
from rdpacct.auditing.running.code_verdict import ObservedEvent
from rdpacct.auditing.running.power import PowerQuestion, least_violation
from rdpacct.exact.ball import Ball, precision
from rdpacct.exact.binomial import WITHIN, at_most, outer_upper_limit
from rdpacct.exact.bound import Bound, decimal_down, decimal_up
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.number import decimal_text
from rdpacct.exact.raw import real

BITS = 128
FARTHEST = 60.0
TRIED = 2
"""The number of events for which the power is worked out, the most promising first."""


@dataclass(frozen=True)
class EnoughStake:
    """A bet refutes alone if its stake is 1/error after this many trials."""

    bet: Bet
    trials: int
    error: Fraction

    def needed(self, rare: int) -> int | None:
        missed, hit = self.bet.wager.likely
        rare_missed, rare_hit = self.bet.wager.rare
        if hit <= missed:
            return None
        with precision(BITS):
            goal = -real(self.error).log() - real(self.bet.weight).log()
            goal -= self.trials * real(missed).log()
            goal -= rare * real(rare_hit).log()
            goal -= (self.trials - rare) * real(rare_missed).log()
            count = Ball(goal / real(hit / missed).log(), BITS).bound().upper
        if count >= self.trials:
            return None
        return max(math.floor(count) + 1, 1)

    @lazy_property
    def _line(self) -> tuple[float, float]:
        """About the likely count without rare hits, and what each rare hit adds."""
        missed, hit = (math.log(float(each)) for each in self.bet.wager.likely)
        rare_missed, rare_hit = (math.log(float(each)) for each in self.bet.wager.rare)
        gain = max(hit - missed, 1e-300)
        goal = -math.log(float(self.error)) - math.log(float(self.bet.weight))
        goal -= self.trials * (missed + rare_missed)
        return goal / gain, (rare_missed - rare_hit) / gain

    def planned(self, rare: float) -> float:
        start, slope = self._line
        return start + slope * rare


@dataclass(frozen=True)
class Contradiction:
    """The limits of an event contradict the claim."""

    seen: ObservedEvent

    def needed(self, rare: int) -> int | None:
        """Limits are worked out up to a small part of themselves, which is allowed for."""
        seen = self.seen
        trials = seen.trials
        upper = outer_upper_limit(rare, trials, seen.share)
        most = min(upper * (1 + WITHIN), Fraction(1))
        least = (seen.plane.growth * most + seen.plane.slack) * (1 + 2 * WITHIN)
        if least >= 1:
            return None
        spread = math.sqrt(trials * float(least) * float(1 - least)) + 1
        z = self._quantile - 0.25
        while z < FARTHEST:
            count = math.ceil(trials * least + Fraction(z * spread))
            if count > trials:
                return None
            above = at_most(trials - count, trials, 1 - least, BITS)
            if (above - seen.share).certainly_negative():
                return count
            z += 0.25
        return None

    @lazy_property
    def _quantile(self) -> float:
        return -NormalDist().inv_cdf(max(float(self.seen.share), 1e-300))

    def planned(self, rare: float) -> float:
        trials = self.seen.trials
        z = self._quantile
        q = max(rare, 0.0) / trials
        most = q + z * math.sqrt(q * (1 - min(q, 1)) / trials) + z * z / (2 * trials)
        plane = self.seen.plane
        least = min(float(plane.growth) * most + float(plane.slack), 1.0)
        return trials * least + z * math.sqrt(trials * least * (1 - least)) + z


@dataclass(frozen=True)
class PowerAnswer:
    """The least violation that was found, and the event of which it is one."""

    bound: Bound
    question: PowerQuestion

    def said(self) -> Bound:
        """The violation, with a sentence that says what it is."""
        return Bound(
            self.bound.lower, self.bound.upper, _said(self.bound, self.question)
        )

    def refuted(self, rng: Any, counts: int) -> int:
        """How often the test refutes, among a number of drawn counts of just this violation."""
        question = self.question
        rare_chance = float(question.rare_chance(Fraction(self.bound.upper)))
        rare = rng.binomial(question.trials, rare_chance, size=counts)
        likely = rng.binomial(question.trials, float(question.p), size=counts)
        needed = {int(each): question.refuting.needed(int(each)) for each in set(rare)}
        return sum(
            least is not None and hits >= least
            for hits, least in zip(
                likely, (needed[int(each)] for each in rare), strict=True
            )
        )


def power_of_bets(bets: list[tuple[Bet, Tally]], error: Fraction) -> PowerAnswer | None:
    """The least violation that one of the bets alone would have turned into enough wealth."""
    questions = []
    for bet, tally in bets:
        side = bet.tested.likely_on
        if tally.hits[side]:
            words = _words(bet.tested.event, INPUTS[side])
            p = Fraction(tally.hits[side], tally.trials)
            stake = EnoughStake(bet, tally.trials, error)
            questions.append(PowerQuestion(words, tally.trials, p, bet.plane, stake))
    return _least(questions)


def power_of_limits(seen: list[ObservedEvent]) -> PowerAnswer | None:
    """The least violation that the limits of one of the events would have contradicted."""
    questions = []
    for each in seen:
        if each.likely_hits:
            words = _words(each.event, each.likely_on)
            p = Fraction(each.likely_hits, each.trials)
            limits = Contradiction(each)
            questions.append(PowerQuestion(words, each.trials, p, each.plane, limits))
    return _least(questions)


def _least(questions: list[PowerQuestion]) -> PowerAnswer | None:
    """The least violation over the events that look most promising."""

    def distance(question: PowerQuestion) -> float:
        return question.planned_epsilon() - float(question.plane.epsilon)

    violations = []
    for question in sorted(questions, key=distance)[:TRIED]:
        bound = least_violation(question)
        if bound is not None:
            violations.append((bound.upper - question.plane.epsilon, bound, question))
    if not violations:
        return None
    _, bound, question = min(violations, key=lambda each: each[0])
    return PowerAnswer(bound, question)


def _said(bound: Bound, question: PowerQuestion) -> str:
    epsilon = Fraction(bound.upper)
    q = decimal_down(question.rare_chance(epsilon), 4)
    return (
        f"epsilon {decimal_text(epsilon)} at delta"
        f" {decimal_up(question.plane.slack, 4)} would have been refuted with"
        f" probability at least 0.9, by {question.words} with probability"
        f" {decimal_down(question.p, 4)} there and at most {q} on the other input"
    )


def _words(event: object, likely_on: str) -> str:
    return f"the event that {event}, likely on {likely_on},"
