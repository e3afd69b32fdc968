"""Bets: an event, a half plane of the claim, a wager against it, and a share of the wealth."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.auditing.running.events import Event
from rdpacct.auditing.running.wager import Wager
from rdpacct.exact.ball import Ball, precision
from rdpacct.exact.raw import real
from rdpacct.proof.audit.half_plane import HalfPlane

BITS = 192
INPUTS = ("x", "x_neighbor")


@dataclass(frozen=True)
class TestedEvent:
    """An event, and the input on which it is likely: 0 for x, 1 for the neighbor."""

    event: Event
    likely_on: int

    def __str__(self) -> str:
        return f"{self.event}, likely on {INPUTS[self.likely_on]}"


@dataclass(frozen=True)
class Bet:
    """A share of the wealth that is bet on an event from some trial on."""

    tested: TestedEvent
    plane: HalfPlane
    wager: Wager
    weight: Fraction
    start: int


@dataclass
class Tally:
    """How often an event happened on each of the two inputs since it was chosen."""

    trials: int = 0
    hits: tuple[int, int] = (0, 0)

    def add(self, trials: int, hits: tuple[int, int]) -> None:
        """Count some trials more."""
        self.trials += trials
        self.hits = (self.hits[0] + hits[0], self.hits[1] + hits[1])


def stake(bet: Bet, tally: Tally) -> Ball:
    """What the share of a bet has become."""
    likely_hits = tally.hits[bet.tested.likely_on]
    rare_hits = tally.hits[1 - bet.tested.likely_on]
    with precision(BITS):
        log_weight = real(bet.weight).log()
        logs = Ball(log_weight, BITS)
        for factors, hits in (
            (bet.wager.likely, likely_hits),
            (bet.wager.rare, rare_hits),
        ):
            for factor, count in zip(factors, (tally.trials - hits, hits), strict=True):
                if count and not factor:
                    return Ball.of(0, BITS)
                if count:
                    logs = logs + Ball(real(factor).log() * count, BITS)
        return logs.exp()


def wealth(bets: Iterable[tuple[Bet, Tally]]) -> Ball:
    """What a wealth of 1 has become that several bets shared: weights add up to at most 1."""
    total = Ball.of(0, BITS)
    for bet, tally in bets:
        total = total + stake(bet, tally)
    return total
