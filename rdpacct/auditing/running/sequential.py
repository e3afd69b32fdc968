"""The sequential audit: a wealth of 1 is bet on events, and a true claim rarely lets it grow.

Under a true claim the wealth has a mean of at most 1 however one stops, so that it reaches 1/error
with probability at most error (Ville).
"""

import math
from fractions import Fraction
from typing import Any

from rdpacct.auditing.running.bets import INPUTS, Bet, Tally, stake, wealth
from rdpacct.auditing.running.choice import choose
from rdpacct.auditing.running.code_verdict import CodeVerdict, ObservedEvent
from rdpacct.auditing.running.events import count_hits
from rdpacct.auditing.running.schedule import Chunk, Stage
from rdpacct.auditing.running.schedule import sequential as stages_of
from rdpacct.auditing.running.session import Session
from rdpacct.auditing.verdict import Outcome
from rdpacct.errors import InputError

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

    def through(self) -> str:
        """Run until the claim is refuted or the trials are used up; why it ended early, if it
        did.
        """
        schedule = stages_of(self.session.trials)
        try:
            for _ in self.session.draw(schedule.pilot):
                pass
            for number, stage in enumerate(schedule.stages):
                self._choose(stage)
                if self._bet(stage, last=number + 1 == len(schedule.stages)):
                    break
        except KeyboardInterrupt:
            return INTERRUPTED
        return ""

    def _choose(self, stage: Stage) -> None:
        session = self.session
        chosen = choose(
            session.pilot(),
            session.claim.planes,
            stage.share,
            stage.start,
            session.trials - stage.start,
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
        for bet, tally in self.bets:
            place = places[bet.tested.event]
            tally.add(chunk.size, (hits[place], hits[place + len(places)]))
        self.looks += 1

    def _refuted(self) -> bool:
        """Whether the wealth is certainly at least 1/error; doubles say when to look closely."""
        goal = math.log(float(1 / self.session.error))
        if _log_wealth(self.bets) < goal - 1e-6:
            return False
        return bool((wealth(self.bets) - 1 / self.session.error).certainly_positive())

    def verdict(self, why: str) -> CodeVerdict:
        session = self.session
        refuted = bool(self.bets) and self._refuted()
        ordered = sorted(
            self.bets, key=lambda each: float(stake(*each).bound().lower), reverse=True
        )
        return CodeVerdict(
            session.claim.stated,
            Outcome.FAILS if refuted else Outcome.UNDECIDED,
            session.confidence,
            session.done,
            "sequential",
            tuple(self._observed(ordered)),
            wealth(self.bets).bound("the product of the bets") if self.bets else None,
            None,
            why,
            {"session": session, "bets": ordered},
        )

    def _observed(self, ordered: list[tuple[Bet, Tally]]) -> list[ObservedEvent]:
        """Each tested event once, with limits that hold at every look at all of them."""
        known: dict[Any, ObservedEvent] = {}
        events = {(bet.tested, bet.start) for bet, _ in self.bets}
        share = self.session.error / (
            4 * max(len(events), 1) * max(self.looks, 1) * (max(self.looks, 1) + 1)
        )
        for bet, tally in ordered:
            if tally.trials:
                known.setdefault((bet.tested, bet.start), observed(bet, tally, share))
        return list(known.values())


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
    if most == -math.inf:
        return most
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
            if count and not factor:
                return -math.inf
            if count:
                total += count * math.log(float(factor))
    return total
