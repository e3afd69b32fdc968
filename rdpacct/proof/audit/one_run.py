"""Guesses of fair coins in one run: how likely so many right ones are, at most, under the claim.

With X binomial, of as many trials as guesses and with the odds of the half plane, m canaries and v
right guesses, it is P(X >= v) + m slack P(X >= v) P(X < v)/(v P(X = v)); half of the second term if
all guesses are of one kind.
"""

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from rdpacct.proof.audit.half_plane import HalfPlane, read_half_plane
from rdpacct.proof.budget.pairs import ball
from rdpacct.proof.budget.reading import exactly, whole
from rdpacct.proof.check.effort import EFFORT, Rejected

MAX_CANARIES = 10**7
MAX_TESTS = 10**6
TAIL_WORK = 20_000
KINDS = {"both": 2, "in": 1, "out": 1}
"""How many kinds of guesses there are: a canary is called in, or out."""
KEYS = {"canaries", "guesses", "correct", "sides", "half_plane", "sharing"}


@dataclass(frozen=True)
class CertifiedGuesses:
    """A number of right guesses of coins in one run, and how many such tests share the error."""

    canaries: int
    guesses: int
    correct: int
    sides: str
    half_plane: HalfPlane
    sharing: int

    def check(self, error: Fraction) -> None:
        """Check that this many right guesses have at most their share of the error."""
        plane = self.half_plane
        if plane.growth < 1:
            raise Rejected("a growth is below 1.")
        if not self._chance() <= ball(error / self.sharing):
            raise Rejected(
                "so many right guesses are not shown to have at most their share of the"
                " error."
            )

    def _chance(self) -> arb:
        EFFORT.spend(2 * TAIL_WORK)
        right = self.half_plane.growth / (1 + self.half_plane.growth)
        wrong = 1 - right
        missed = self.guesses - self.correct
        tail = ball(right).beta_lower(self.correct, missed + 1, True)
        ways = (
            arb(self.guesses + 1).lgamma()
            - arb(self.correct + 1).lgamma()
            - arb(missed + 1).lgamma()
        )
        share = self.correct * ball(right).log() + missed * ball(wrong).log()
        mass = (ways + share).exp()
        leaked = ball(self.canaries * self.half_plane.slack * KINDS[self.sides] / 2)
        return tail + leaked * tail * (1 - tail) / (self.correct * mass)

    def __str__(self) -> str:
        called = "in or out" if self.sides == "both" else self.sides
        return (
            f"one run with {self.canaries} canaries: {self.correct} of {self.guesses}"
            f" guesses ({called}) are right"
        )


def read_guesses(given: object) -> CertifiedGuesses:
    """The guesses that a certificate names; at least one is right."""
    entries = exactly(given, KEYS, "the guesses of a run")
    canaries = whole(entries["canaries"], "the number of canaries", 1, MAX_CANARIES)
    guesses = whole(entries["guesses"], "the number of guesses", 1, canaries)
    sides = entries["sides"]
    if not isinstance(sides, str) or sides not in KINDS:
        raise Rejected(f"the sides are none of {', '.join(KINDS)}.")
    return CertifiedGuesses(
        canaries,
        guesses,
        whole(entries["correct"], "the number of right guesses", 1, guesses),
        sides,
        read_half_plane(entries["half_plane"]),
        whole(entries["sharing"], "the number of tests", 1, MAX_TESTS),
    )
