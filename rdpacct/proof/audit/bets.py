"""Bets against a half plane: what a stake becomes after counted trials, and that it is fair.

A trial is one output on each of two inputs. A bet multiplies its stake by ``likely[a] rare[b]``,
where a says whether the event happens on the input on which it is likely, and b whether it does on
the other one. If the mean of this factor is at most 1 for all pairs of probabilities in the half
plane, the stake has a mean of at most 1 after every number of trials.
"""

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from rdpacct.proof.audit.half_plane import HalfPlane, read_half_plane
from rdpacct.proof.budget.pairs import ball
from rdpacct.proof.budget.reading import (
    exactly,
    one_line,
    positive,
    probability,
    whole,
)
from rdpacct.proof.check.effort import EFFORT, Rejected

MAX_TRIALS = 10**15
MAX_TEXT = 2000
LOG_WORK = 30
INPUTS = ("x", "x_neighbor")
"""What the two inputs are called."""
Factors = tuple[Fraction, Fraction]
"""What a stake is multiplied with if the event does not happen, and if it does."""


@dataclass(frozen=True)
class CertifiedEvent:
    """An event, on which input it is likely, and how often it happened on both."""

    event: str
    likely_on: str
    half_plane: HalfPlane
    trials: int
    likely_hits: int
    rare_hits: int

    @property
    def hits(self) -> tuple[int, int]:
        """How often it happened on each of the two inputs."""
        if self.likely_on == INPUTS[0]:
            return self.likely_hits, self.rare_hits
        return self.rare_hits, self.likely_hits

    def __str__(self) -> str:
        rare_on = INPUTS[1 - INPUTS.index(self.likely_on)]
        return (
            f"{self.event}: {self.likely_hits} of {self.trials} on {self.likely_on},"
            f" {self.rare_hits} of {self.trials} on {rare_on}"
        )


EVENT_KEYS = {"event", "likely_on", "half_plane", "trials", "likely_hits", "rare_hits"}


def read_event(entries: dict[str, object], most: int) -> CertifiedEvent:
    """The event that a certificate names, with counts within the trials of the audit."""
    event = one_line(entries["event"], "an event", MAX_TEXT)
    likely_on = entries["likely_on"]
    if likely_on not in INPUTS:
        raise Rejected(f"an event is likely on none of {', '.join(INPUTS)}.")
    trials = whole(entries["trials"], "a number of trials", 1, most)
    return CertifiedEvent(
        event,
        str(likely_on),
        read_half_plane(entries["half_plane"]),
        trials,
        whole(entries["likely_hits"], "a number of hits", 0, trials),
        whole(entries["rare_hits"], "a number of hits", 0, trials),
    )


def check_counts(seen: list[CertifiedEvent]) -> None:
    """Counts of the same event agree: all are of the last trials, so that what the longer ones have
    more is within the trials before the shorter ones.
    """
    last: dict[str, CertifiedEvent] = {}
    for each in sorted(seen, key=lambda each: each.trials):
        fewer = last.get(each.event, each)
        more = each.trials - fewer.trials
        for hits, before in zip(each.hits, fewer.hits, strict=True):
            if not 0 <= hits - before <= more:
                raise Rejected("the counts of an event contradict each other.")
        last[each.event] = each


@dataclass(frozen=True)
class CertifiedBet:
    """A share of the first wealth that is bet on an event, trial after trial."""

    seen: CertifiedEvent
    weight: Fraction
    likely: Factors
    rare: Factors

    def stake(self) -> arb:
        """What the share has become."""
        seen = self.seen
        EFFORT.spend(4 * LOG_WORK)
        grown = _power(self.likely, seen.trials, seen.likely_hits)
        return (
            ball(self.weight) * grown * _power(self.rare, seen.trials, seen.rare_hits)
        )

    def check_fair(self) -> None:
        """The mean factor is at most 1 on the half plane.

        The mean is linear in each of the two probabilities. So it is largest on the boundary of
        the half plane within the square: at a corner, or on the slanted side, where it is a
        quadratic polynomial.
        """
        plane = self.seen.half_plane
        growth = plane.growth
        slack = plane.slack
        if growth < 1:
            raise Rejected("a growth is below 1.")
        end = (1 - slack) / growth
        zero = Fraction(0)
        one = Fraction(1)
        corners = [(zero, zero), (zero, one), (one, one), (slack, zero), (one, end)]
        # On p = growth q + slack the mean is (a + b q)(c + d q).
        a = self._mean_likely(slack)
        b = self._mean_likely(growth + slack) - a
        c = self.rare[0]
        d = self.rare[1] - self.rare[0]
        if b * d < 0:
            top = -(a * d + b * c) / (2 * b * d)
            if 0 <= top <= end:
                corners.append((growth * top + slack, top))
        for p, q in corners:
            if self._mean_likely(p) * self._mean_rare(q) > 1:
                raise Rejected("a bet has a mean above 1 for a claim that is true.")

    def _mean_likely(self, p: Fraction) -> Fraction:
        return (1 - p) * self.likely[0] + p * self.likely[1]

    def _mean_rare(self, q: Fraction) -> Fraction:
        return (1 - q) * self.rare[0] + q * self.rare[1]


def read_bet(given: object, most: int) -> CertifiedBet:
    """The bet that a certificate names, with a mean of at most 1."""
    entries = exactly(given, EVENT_KEYS | {"weight", "likely", "rare"}, "a bet")
    bet = CertifiedBet(
        read_event(dict(entries), most),
        probability(entries["weight"], "a weight"),
        _factors(entries["likely"]),
        _factors(entries["rare"]),
    )
    bet.check_fair()
    return bet


def _factors(given: object) -> Factors:
    if not isinstance(given, list) or len(given) != 2:
        raise Rejected("the factors of a bet are not two numbers.")
    return positive(given[0], "a factor"), positive(given[1], "a factor")


def _power(factors: Factors, trials: int, hits: int) -> arb:
    """The product of the factors of all trials."""
    exponent = arb(0)
    for factor, count in zip(factors, (trials - hits, hits), strict=True):
        exponent += count * ball(factor).log()
    return exponent.exp()
