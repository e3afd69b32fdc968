"""Guesses of fair coins in one run against several half planes of a claim at once.

A claim with a whole curve has a half plane P(S) <= growth Q(S) + slack at every epsilon. Let a step
be one of them with a weight. If w right guesses have the total weight ``total``, taken from the
steps in the order of their growths, let ``grown(total)`` be the same with every part times its
growth. If for some numbers total(w) with w total(w) - (r - w) grown(total(w + 1)) >= [w >= v] -
start for w = 0, ..., r, then v right guesses or more have a probability of at most start + m times
the sum of weight times slack; half of the second term if all guesses are of one kind.

The numbers are worked out here, in whole multiples of 2**-BITS: up to v the largest that are
allowed, rounded down; from v on the least that are needed, rounded up.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.proof.audit.half_plane import HalfPlane, read_half_plane
from rdpacct.proof.audit.one_run import KINDS, MAX_CANARIES, MAX_TESTS
from rdpacct.proof.budget.reading import exactly, number, probability, whole
from rdpacct.proof.check.effort import EFFORT, Rejected

BITS = 256
ONE = 1 << BITS
MAX_GUESSES = 100_000
MAX_STEPS = 200
KEYS = {"canaries", "guesses", "correct", "sides", "start", "steps", "sharing"}


@dataclass(frozen=True)
class LadderStep:
    """A half plane with its weight."""

    half_plane: HalfPlane
    weight: Fraction


@dataclass(frozen=True)
class CertifiedLadder:
    """A number of right guesses of coins in one run, tested against several half planes at once."""

    canaries: int
    guesses: int
    correct: int
    sides: str
    start: Fraction
    steps: tuple[LadderStep, ...]
    sharing: int

    @property
    def half_planes(self) -> tuple[HalfPlane, ...]:
        """What has to follow from the claim."""
        return tuple(step.half_plane for step in self.steps)

    def chance(self) -> Fraction:
        """At most the probability of this many right guesses; ``Rejected`` if the weights do not
        show one.
        """
        EFFORT.spend(4 * self.guesses)
        table = _Table(self.steps)
        start = int(self.start * ONE)
        if self._needed(table, start) > self._allowed(table, start):
            raise Rejected("the weights do not reach from no right guess to all.")
        leaked = sum(
            (step.weight * step.half_plane.slack for step in self.steps), Fraction(0)
        )
        return self.start + self.canaries * leaked * KINDS[self.sides] / 2

    def check(self, error: Fraction) -> None:
        """Check that this many right guesses have at most their share of the error."""
        if not self.chance() <= error / self.sharing:
            raise Rejected(
                "so many right guesses are not shown to have at most their share of the"
                " error."
            )

    def _allowed(self, table: "_Table", start: int) -> int:
        """The largest total at v that the numbers below v allow."""
        total = 0
        for w in range(self.correct):
            room = (w * total + start) // (self.guesses - w)
            total = table.most_below(room)
        return total

    def _needed(self, table: "_Table", start: int) -> int:
        """The least total at v that the numbers from v on need."""
        grown = 0
        total = 0
        for w in range(self.guesses, self.correct - 1, -1):
            need = ONE - start + (self.guesses - w) * grown
            total = -(-need // w)
            if w > self.correct:
                grown = table.grown(total)
        return total

    def __str__(self) -> str:
        called = "in or out" if self.sides == "both" else self.sides
        return (
            f"one run with {self.canaries} canaries: {self.correct} of {self.guesses}"
            f" guesses ({called}) are right"
        )


class _Table:
    """The weights of the steps, added up in the order of their growths, in multiples of 2**-BITS;
    growths are rounded up.
    """

    def __init__(self, steps: tuple[LadderStep, ...]) -> None:
        self.totals = [0]
        self.heights = [0]
        self.growths: list[int] = []
        for step in sorted(steps, key=lambda step: step.half_plane.growth):
            weight = int(step.weight * ONE)
            growth = -int(-step.half_plane.growth * ONE // 1)
            self.growths.append(growth)
            self.totals.append(self.totals[-1] + weight)
            self.heights.append(self.heights[-1] - (-weight * growth // ONE))

    def grown(self, total: int) -> int:
        """At least the total with each part times its growth."""
        if total > self.totals[-1]:
            raise Rejected("a number of right guesses needs more weight than there is.")
        k = max(0, bisect_left(self.totals, total) - 1)
        rest = total - self.totals[k]
        return self.heights[k] - (-rest * self.growths[k] // ONE)

    def most_below(self, height: int) -> int:
        """The largest total that is shown to grow to at most the height."""
        if height >= self.heights[-1]:
            return self.totals[-1]
        k = bisect_right(self.heights, height) - 1
        return self.totals[k] + (height - self.heights[k]) * ONE // self.growths[k]


def read_ladder(given: object) -> CertifiedLadder:
    """The guesses and steps that a certificate names; at least one guess is right."""
    entries = exactly(given, KEYS, "the guesses of a run")
    canaries = whole(entries["canaries"], "the number of canaries", 1, MAX_CANARIES)
    most = min(canaries, MAX_GUESSES)
    guesses = whole(entries["guesses"], "the number of guesses", 1, most)
    sides = entries["sides"]
    if not isinstance(sides, str) or sides not in KINDS:
        raise Rejected(f"the sides are none of {', '.join(KINDS)}.")
    steps = entries["steps"]
    if not isinstance(steps, list) or not 0 < len(steps) <= MAX_STEPS:
        raise Rejected(f"the steps are not a list of 1 to {MAX_STEPS}.")
    return CertifiedLadder(
        canaries,
        guesses,
        whole(entries["correct"], "the number of right guesses", 1, guesses),
        sides,
        probability(entries["start"], "the start"),
        tuple(map(_step, steps)),
        whole(entries["sharing"], "the number of tests", 1, MAX_TESTS),
    )


def _step(given: object) -> LadderStep:
    entries = exactly(given, {"half_plane", "weight"}, "a step")
    weight = number(entries["weight"], "a weight")
    if weight < 0:
        raise Rejected("a weight is negative.")
    plane = read_half_plane(entries["half_plane"])
    if plane.growth < 1:
        raise Rejected("a growth is below 1.")
    return LadderStep(plane, weight)
