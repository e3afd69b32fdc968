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
from rdpacct.mechanisms import Plan
from rdpacct.proof.audit.half_plane import HalfPlane
from rdpacct.questions import Questions, plan_of

PLANNING_BITS = 64
COARSE_STEPS = 12
FINE_STEPS = 10
GOLDEN = (math.sqrt(5) - 1) / 2
OF_FINITELY_MANY = ("PureDP", "ApproxDP", "ProfileDP")
DIGITS = 12
FURTHEST = 30.0
"""No run has as many canaries as would tell anything about a larger epsilon."""
TINY = Fraction(1, 10**60)


@dataclass(frozen=True)
class Level:
    """A half plane of a claim, and the claim that it follows from, as a certificate has it."""

    plane: HalfPlane
    kind: str
    parameters: Mapping[str, Any]


BestLevel = Callable[[CanaryGuesses], Level]
"""The level of a claim under which a run is least likely, as far as a search finds it."""


def best_level_of(claim: Claimed, least_delta: Fraction) -> BestLevel:
    """For a claim of finitely many half planes, the best of these; for another, a search along its
    curve, as far as its delta is not smaller than the least one.
    """
    if claim.kind in OF_FINITELY_MANY and not isinstance(claim.stated, Plan):
        planes = claim.planes
        return _best_of([Level(one, claim.kind, claim.parameters) for one in planes])
    asked = Questions(plan_of(claim.stated))
    last = float(asked.epsilon(least_delta).upper)
    if isinstance(claim.stated, Plan):
        return _along(lambda epsilon: _point(epsilon, asked), last)
    return _along(lambda epsilon: _of_curve(epsilon, claim), last)


def _best_of(levels: list[Level]) -> BestLevel:
    return lambda run: min(levels, key=lambda level: _planned(run, level))


def _point(epsilon: Fraction, asked: Questions) -> Level:
    """A point of the certified curve of a plan."""
    delta = max(Fraction(asked.delta(epsilon).upper), TINY)
    rounded = min(Fraction(decimal_up(delta, DIGITS)), Fraction(1))
    parameters = point_parameters([(epsilon, rounded)])
    return Level(plane_at("ProfileDP", parameters, epsilon), "ProfileDP", parameters)


def _of_curve(epsilon: Fraction, claim: Claimed) -> Level:
    """A point of the curve of a guarantee."""
    plane = plane_at(claim.kind, claim.parameters, epsilon)
    return Level(plane, claim.kind, claim.parameters)


def _along(level: Callable[[Fraction], Level], last: float) -> BestLevel:
    """The best level of a curve that has a delta at every epsilon."""
    level_at = lru_cache(maxsize=512)(level)

    def best(run: CanaryGuesses) -> Level:
        @lru_cache(maxsize=512)
        def size(epsilon: float) -> float:
            return _planned(run, level_at(_short(epsilon)))

        most = min(last, FURTHEST, _most_useful(run))
        return level_at(_short(_least(size, most)))

    return best


def _most_useful(run: CanaryGuesses) -> float:
    """The epsilon whose accuracy is that of the run: beyond it, so many right guesses are likely
    anyway.
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
