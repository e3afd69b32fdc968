"""The sequential audit: a wealth of 1 is bet on events, and a true claim rarely lets it grow.

Under a true claim the wealth has a mean of at most 1 however one stops, so that it reaches 1/error
with probability at most error (Ville).
"""

import math
from fractions import Fraction
from typing import Any

from rdpacct.auditing.running.bets import INPUTS, Bet, Tally, wealth
from rdpacct.auditing.running.certificate import BetEvidence
from rdpacct.auditing.running.choice import MOST_EVENTS, choose
from rdpacct.auditing.running.code_verdict import CodeVerdict, ObservedEvent
from rdpacct.auditing.running.output_events import count_hits
from rdpacct.auditing.running.schedule import Chunk, Stage
from rdpacct.auditing.running.schedule import sequential as stages_of
from rdpacct.auditing.running.session import Session
from rdpacct.auditing.running.shares import LIMITS_OF_AN_EVENT, share_at_look
from rdpacct.auditing.verdict import Outcome
from rdpacct.errors import InputError

SOON = 8
"""An early stage looks for what this many times its pilot can show."""
INTERRUPTED = "interrupted from the keyboard"


def audited(session: Session) -> CodeVerdict:
    """The verdict after all trials, or after fewer if the claim is refuted or the run is
    interrupted.
    """
    run = _Run(session)
    try:
        why = run.through()
    except InputError as error:
        raise session.failed(error) from error.__cause__
    return run.verdict(why)


class _Run:
    """The bets so far, each with its counts."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.bets: list[tuple[Bet, Tally]] = []
        self.looks = 0
        self.limits = Fraction(1)
        """How many limits there are at most, however the events are chosen."""

    def through(self) -> str:
        """Run until the claim is refuted or the trials are used up; why it ended early, if it
        did.
        """
        schedule = stages_of(self.session.trials)
        self.limits = Fraction(LIMITS_OF_AN_EVENT * MOST_EVENTS * len(schedule.stages))
        try:
            for _ in self.session.draw(schedule.pilot):
                pass
            for number, stage in enumerate(schedule.stages):
                last = number + 1 == len(schedule.stages)
                self._choose(stage, last)
                if self._bet(stage, last):
                    break
        except KeyboardInterrupt:
            return INTERRUPTED
        return ""

    def _choose(self, stage: Stage, last: bool) -> None:
        session = self.session
        rest = session.trials - stage.start
        chosen = choose(
            session.pilot(),
            session.claim.planes,
            stage.share,
            stage.start,
            rest if last else min(rest, SOON * stage.start),
            session.error,
        )
        self.bets += [(bet, Tally()) for bet in chosen]

    def _bet(self, stage: Stage, last: bool) -> bool:
        """Whether the claim is refuted in this stage."""
        events = list(dict.fromkeys(bet.tested.event for bet, _ in self.bets))
        if last:
            counted = self.session.count(stage.chunks, events)
        else:
            counted = (
                (chunk, (*count_hits(events, pair[0]), *count_hits(events, pair[1])))
                for chunk, pair in self.session.draw(stage.chunks)
            )
        places = {event: place for place, event in enumerate(events)}
        for chunk, hits in counted:
            self._add(chunk, hits, places)
            if self._refuted():
                return True
        return False

    def _add(self, chunk: Chunk, hits: tuple[int, ...], places: dict[Any, int]) -> None:
        """Count a chunk for all bets at once, as an interrupt may come at any time."""
        counted = []
        for bet, tally in self.bets:
            place = places[bet.tested.event]
            both = (hits[place], hits[place + len(places)])
            counted.append((bet, tally.plus(chunk.size, both)))
        self.looks += 1
        self.bets = counted

    def _refuted(self) -> bool:
        """Whether the wealth is certainly at least 1/error; doubles say when to look closely."""
        goal = math.log(float(1 / self.session.error))
        if _log_wealth(self.bets) < goal - 1e-6:
            return False
        return bool((wealth(self.bets) - 1 / self.session.error).certainly_positive())

    def verdict(self, why: str) -> CodeVerdict:
        session = self.session
        refuted = bool(self.bets) and self._refuted()
        ordered = sorted(self.bets, key=lambda each: _log_stake(*each), reverse=True)
        if not refuted:
            ordered.sort(key=lambda each: excess(*each), reverse=True)
        return CodeVerdict(
            session.claim,
            Outcome.FAILS if refuted else Outcome.UNDECIDED,
            session.confidence,
            session.done,
            "sequential",
            tuple(self._observed(ordered)),
            wealth(self.bets).bound("the product of the bets") if self.bets else None,
            why,
            BetEvidence(session.audit, ordered),
        )

    def _observed(self, ordered: list[tuple[Bet, Tally]]) -> list[ObservedEvent]:
        """Each tested event once, with limits that hold at every look at all of them."""
        known: dict[Any, ObservedEvent] = {}
        share = share_at_look(
            self.session.error, self.limits, Fraction(max(self.looks, 1))
        )
        for bet, tally in ordered:
            if tally.trials:
                known.setdefault((bet.tested, bet.start), observed(bet, tally, share))
        return list(known.values())


def excess(bet: Bet, tally: Tally) -> float:
    """By about how many standard errors the frequencies exceed the claim."""
    if not tally.trials:
        return -math.inf
    p, q = (hits / tally.trials for hits in tally.hits)
    if bet.tested.likely_on:
        p, q = q, p
    growth = float(bet.plane.growth)
    spread = p * (1 - p) + growth**2 * q * (1 - q) + 1 / tally.trials
    gap = p - growth * q - float(bet.plane.slack)
    return gap / math.sqrt(spread / tally.trials)


def observed(bet: Bet, tally: Tally, share: Fraction) -> ObservedEvent:
    """The event of a bet with its counts."""
    side = bet.tested.likely_on
    return ObservedEvent(
        str(bet.tested.event),
        INPUTS[side],
        tally.trials,
        tally.hits[side],
        tally.hits[1 - side],
        bet.plane,
        share,
    )


def _log_wealth(bets: list[tuple[Bet, Tally]]) -> float:
    """About the logarithm of the wealth."""
    logs = [_log_stake(bet, tally) for bet, tally in bets]
    most = max(logs)
    return most + math.log(sum(math.exp(each - most) for each in logs))


def _log_stake(bet: Bet, tally: Tally) -> float:
    side = bet.tested.likely_on
    total = math.log(float(bet.weight))
    pairs = (
        (bet.wager.likely, tally.hits[side]),
        (bet.wager.rare, tally.hits[1 - side]),
    )
    for factors, hits in pairs:
        for factor, count in zip(factors, (tally.trials - hits, hits), strict=True):
            total += count * math.log(float(factor))
    return total
