"""The half planes of a claim, and the one that makes a run least likely."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rdpacct.auditing.one_run.guesses import CanaryGuesses
from rdpacct.auditing.one_run.tail import chance_under
from rdpacct.auditing.running.claimed import Claimed, plane_at, point_parameters
from rdpacct.exact.bound import decimal_up
from rdpacct.exact.cached import cached_property
from rdpacct.mechanisms import Plan
from rdpacct.proof.audit.half_plane import HalfPlane
from rdpacct.questions import Questions, plan_of

PLANNING_BITS = 64
COARSE_STEPS = 12
FINE_STEPS = 10
GOLDEN = (math.sqrt(5) - 1) / 2
OF_FINITELY_MANY = ("PureDP", "ApproxDP", "ProfileDP")
DIGITS = 12
TOGETHER = 48
"""The number of levels of a curve that are tested together."""
FURTHEST = 30.0
"""A larger epsilon is not tested: no run has enough canaries to tell anything about it."""
TINY = Fraction(1, 10**60)


@dataclass(frozen=True)
class Level:
    """A half plane of a claim, and the claim that it follows from, as a certificate has it."""

    plane: HalfPlane
    kind: str
    parameters: Mapping[str, Any]

    @property
    def delta(self) -> str:
        """The delta of a point of a plan."""
        [point] = self.parameters["points"]
        delta: str = point["delta"]
        return delta


class ClaimLevels:
    """The levels of a claim: the one that makes a run least likely, as far as a search finds it,
    and those that are tested together.
    """

    def __init__(self, claim: Claimed, least_delta: Fraction) -> None:
        """Along a curve, levels with a smaller delta than the least one are left out."""
        self.claim = claim
        self.is_plan = isinstance(claim.stated, Plan)
        self.is_curve = self.is_plan or claim.kind not in OF_FINITELY_MANY
        self.level_at = lru_cache(maxsize=512)(self._level_at)
        if self.is_curve:
            self.asked = Questions(plan_of(claim.stated))
            last = float(self.asked.epsilon(least_delta).upper)
            self.last = min(last, FURTHEST)

    def best(self, run: CanaryGuesses) -> Level:
        """The level under which a run is least likely."""
        if not self.is_curve:
            return min(self.together, key=lambda level: _planned(run, level))

        @lru_cache(maxsize=512)
        def size(epsilon: float) -> float:
            return _planned(run, self.level_at(_short(epsilon)))

        most = min(self.last, _most_useful(run))
        return self.level_at(_short(_least(size, most)))

    @cached_property
    def together(self) -> tuple[Level, ...]:
        """The levels that one test may use at once, all of one claim."""
        if not self.is_curve:
            claim = self.claim
            return tuple(
                Level(plane, claim.kind, claim.parameters) for plane in claim.planes
            )
        spread = {_short(self.last * k / TOGETHER) for k in range(TOGETHER + 1)}
        levels = [self.level_at(epsilon) for epsilon in sorted(spread)]
        if not self.is_plan:
            return tuple(levels)
        points = [(level.plane.epsilon, level.delta) for level in levels]
        parameters = point_parameters(points)
        return tuple(Level(level.plane, "ProfileDP", parameters) for level in levels)

    def _level_at(self, epsilon: Fraction) -> Level:
        if self.is_plan:
            return _point(epsilon, Fraction(self.asked.delta(epsilon).upper))
        claim = self.claim
        plane = plane_at(claim.kind, claim.parameters, epsilon)
        return Level(plane, claim.kind, claim.parameters)


def _point(epsilon: Fraction, delta: Fraction) -> Level:
    """A point of the certified curve of a plan, rounded up."""
    rounded = min(Fraction(decimal_up(max(delta, TINY), DIGITS)), Fraction(1))
    parameters = point_parameters([(epsilon, rounded)])
    return Level(plane_at("ProfileDP", parameters, epsilon), "ProfileDP", parameters)


def _most_useful(run: CanaryGuesses) -> float:
    """The epsilon whose accuracy is that of the run: for a larger one, this many right guesses are
    likely.
    """
    wrong = run.guesses - run.correct + 1
    return max(0.0, math.log(max(run.correct, 1) / wrong))


def _least(size: Callable[[float], float], most: float) -> float:
    """Where a function of a number from 0 to ``most`` is least, by a grid and golden sections."""
    if most == 0:
        return most
    step = most / COARSE_STEPS
    best = min((step * k for k in range(COARSE_STEPS + 1)), key=size)
    low = max(0.0, best - step)
    high = min(most, best + step)
    for _ in range(FINE_STEPS):
        inner = high - GOLDEN * (high - low)
        outer = low + GOLDEN * (high - low)
        if size(inner) < size(outer):
            high = outer
        else:
            low = inner
        best = min(best, inner, outer, key=size)
    return best


def _short(value: float) -> Fraction:
    """A nearby number with few digits, so that certificates stay readable."""
    return Fraction(round(value * 1000), 1000)


def _planned(run: CanaryGuesses, level: Level) -> float:
    """The logarithm of the probability, good for planning only."""
    logarithm = float(chance_under(run, level.plane, PLANNING_BITS).log())
    return 0.0 if math.isnan(logarithm) else logarithm
