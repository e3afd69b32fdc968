"""Limits of a fixed number of trials: a lower one for P(S) and an upper one for Q(S).

So many hits, or more, have a probability of at most the share of the error at the lower limit; so
few, or fewer, have it at the upper one (Clopper and Pearson).
"""

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from rdpacct.proof.audit.bets import EVENT_KEYS, CertifiedEvent, read_event
from rdpacct.proof.budget.pairs import ball
from rdpacct.proof.budget.reading import exactly, probability, whole
from rdpacct.proof.check.effort import EFFORT, Rejected

MAX_FIXED_TRIALS = 10**12
MAX_LIMITS = 10**6
TAIL_WORK = 20_000


@dataclass(frozen=True)
class CertifiedLimits:
    """An event with a limit for each of its probabilities, and how many limits share the error."""

    seen: CertifiedEvent
    at_least: Fraction
    at_most: Fraction
    sharing: int

    def check(self, error: Fraction) -> None:
        """Both limits are right but for their share of the error, and the claim fails there."""
        seen = self.seen
        plane = seen.half_plane
        share = ball(error / self.sharing)
        missed = seen.trials - seen.likely_hits
        if not _at_most(missed, seen.trials, 1 - self.at_least) <= share:
            raise Rejected("a lower limit is not shown to have its share of the error.")
        if not _at_most(seen.rare_hits, seen.trials, self.at_most) <= share:
            raise Rejected(
                "an upper limit is not shown to have its share of the error."
            )
        if not self.at_least > plane.growth * self.at_most + plane.slack:
            raise Rejected("the limits do not contradict the claim.")


def read_limits(given: object, most: int) -> CertifiedLimits:
    """The limits that a certificate names."""
    keys = EVENT_KEYS | {"at_least", "at_most", "sharing"}
    entries = exactly(given, keys, "the limits")
    return CertifiedLimits(
        read_event(dict(entries), min(most, MAX_FIXED_TRIALS)),
        probability(entries["at_least"], "a lower limit"),
        probability(entries["at_most"], "an upper limit"),
        whole(entries["sharing"], "the number of limits", 2, MAX_LIMITS),
    )


def _at_most(hits: int, trials: int, chance: Fraction) -> arb:
    """The probability of at most this many hits, each of this chance."""
    EFFORT.spend(TAIL_WORK)
    if hits >= trials or chance == 0:
        return arb(1)
    if chance == 1:
        return arb(0)
    return ball(1 - chance).beta_lower(trials - hits, hits + 1, True)
