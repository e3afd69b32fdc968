"""A run against a claim: at the best half plane, or at several at once."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.auditing.one_run.guesses import CanaryGuesses
from rdpacct.auditing.one_run.ladder import best_ladder
from rdpacct.auditing.one_run.levels import ClaimLevels, Level
from rdpacct.auditing.one_run.older import older_bound
from rdpacct.auditing.one_run.tail import chance_bound, ladder_limit
from rdpacct.exact.bound import Bound
from rdpacct.proof.audit.one_run_levels import CertifiedLadder


@dataclass(frozen=True, slots=True)
class TestedRun:
    """A run against a claim."""

    run: CanaryGuesses
    level: Level
    """The half plane of the claim under which the run is least likely."""
    chance: Bound
    """At most the probability of this many right guesses, if the claim is true."""
    older: Bound
    """The same by the older bound at that half plane, for comparison."""
    ladder: CertifiedLadder | None = None
    """Several half planes that together show a smaller probability than one."""

    @property
    def theorem(self) -> str:
        """What the probability rests on."""
        return self.chance.how


def tested_run(run: CanaryGuesses, levels: ClaimLevels, sharing: int) -> TestedRun:
    """A run against the best half plane, or against several where these show more."""
    level = levels.best(run)
    older = older_bound(run, level.plane)
    chance = chance_bound(run, level.plane)
    ladder = _better_ladder(run, levels, sharing, chance)
    if ladder is None:
        return TestedRun(run, level, chance, older)
    together = levels.together[0]
    return TestedRun(run, together, _ladder_bound(run, ladder), older, ladder)


def is_refuted(run: CanaryGuesses, levels: ClaimLevels, error: Fraction) -> bool:
    """Whether this many right guesses have at most the probability ``error`` under a claim."""
    chance = chance_bound(run, levels.best(run).plane)
    if chance.upper <= error:
        return True
    ladder = _better_ladder(run, levels, 1, chance)
    return ladder is not None and ladder.chance() <= error


def _better_ladder(
    run: CanaryGuesses, levels: ClaimLevels, sharing: int, chance: Bound
) -> CertifiedLadder | None:
    """Several half planes that show less than the best one does."""
    planes = [level.plane for level in levels.together]
    ladder = best_ladder(run, planes, sharing)
    if ladder is None or ladder.chance() >= chance.upper:
        return None
    return ladder


def _ladder_bound(run: CanaryGuesses, ladder: CertifiedLadder) -> Bound:
    shares = (step.weight * step.half_plane.slack for step in ladder.steps)
    leaked = sum(shares, Fraction(0))
    limit = ladder_limit(ladder.start, leaked, run.canaries, run.kinds)
    return Bound.exactly(limit, "statistics/one-run-levels")


def least_count(guesses: int, refutes: Callable[[int], bool]) -> int | None:
    """The least number of right guesses that refutes; None if not even all of them do."""
    if not refutes(guesses):
        return None
    low = 0
    high = guesses
    while high - low > 1:
        middle = (low + high) // 2
        if refutes(middle):
            high = middle
        else:
            low = middle
    return high
