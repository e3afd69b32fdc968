"""Bets: an event, a half plane of the claim, a wager against it, and a share of the wealth."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.auditing.running.output_events import OutputEvent
from rdpacct.auditing.running.wager import Wager
from rdpacct.exact.ball import Ball
from rdpacct.exact.formula import Scalar
from rdpacct.proof.audit.half_plane import HalfPlane
from rdpacct.provenance import by

BITS = 192
INPUTS = ("x", "x_neighbor")


@dataclass(frozen=True)
class OrientedEvent:
    """An event, and the input on which it is likely: 0 for x, 1 for the neighbor."""

    event: OutputEvent
    likely_on: int

    def __str__(self) -> str:
        return f"{self.event}, likely on {INPUTS[self.likely_on]}"


@dataclass(frozen=True)
class Bet:
    """A share of the wealth that is bet on an event from some trial on."""

    tested: OrientedEvent
    plane: HalfPlane
    wager: Wager
    weight: Fraction
    start: int


@dataclass(frozen=True)
class Tally:
    """How often an event happened on each of the two inputs since it was chosen."""

    trials: int = 0
    hits: tuple[int, int] = (0, 0)

    def plus(self, trials: int, hits: tuple[int, int]) -> "Tally":
        """These counts and some trials more."""
        both = (self.hits[0] + hits[0], self.hits[1] + hits[1])
        return Tally(self.trials + trials, both)


@by("statistics/betting")
def grown(stake: Scalar, factor: Scalar, trials: Any) -> Scalar:
    """A stake after a number of trials that each multiplied it by the same positive factor."""
    product: Scalar = stake * factor**trials
    return product


def stake(bet: Bet, tally: Tally) -> Ball:
    """What the share of a bet has become."""
    side = bet.tested.likely_on
    total = Ball.of(bet.weight, BITS)
    pairs = (
        (bet.wager.likely, tally.hits[side]),
        (bet.wager.rare, tally.hits[1 - side]),
    )
    for factors, hits in pairs:
        for factor, count in zip(factors, (tally.trials - hits, hits), strict=True):
            total = grown(total, Ball.of(factor, BITS), count)
    return total


def wealth(bets: Iterable[tuple[Bet, Tally]]) -> Ball:
    """What a wealth of 1 has become that several bets share: their weights add up to at most 1."""
    total = Ball.of(0, BITS)
    for bet, tally in bets:
        total = total + stake(bet, tally)
    return total
