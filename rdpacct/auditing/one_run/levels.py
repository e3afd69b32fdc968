"""The half planes of a claim, and the one that makes a run least likely."""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, singledispatch

from rdpacct.auditing.one_run.guesses import CanaryGuesses
from rdpacct.auditing.one_run.tail import Level, chance
from rdpacct.exact.formula import ZERO, formula
from rdpacct.mechanisms import Plan
from rdpacct.privacy.guarantee import ApproxDP, ProfileDP, PureDP
from rdpacct.questions import Questions

PLANNING_BITS = 64
COARSE_STEPS = 12
FINE_STEPS = 14
GOLDEN = (math.sqrt(5) - 1) / 2

BestLevel = Callable[[CanaryGuesses], Level]
"""The level of a claim under which a run is least likely, as far as a search finds it."""


def best_level_of(plan: Plan) -> BestLevel:
    """For a promise with one epsilon or finitely many, the best of these; for any other plan, a
    search along its curve.
    """
    promise = getattr(plan.single, "guarantee", None)
    levels = _levels(promise)
    if levels:
        return lambda run: min(levels, key=lambda level: _planned(run, level))
    return _along_curve(Questions(plan))


@singledispatch
def _levels(promise: object) -> tuple[Level, ...]:  # noqa: ARG001
    """The levels that a promise is made of; none if it has a whole curve of them."""
    return ()


@_levels.register
def _(promise: PureDP) -> tuple[Level, ...]:
    return (Level(promise.epsilon, ZERO),)


@_levels.register
def _(promise: ApproxDP) -> tuple[Level, ...]:
    return (Level(promise.epsilon, promise.delta),)


@_levels.register
def _(promise: ProfileDP) -> tuple[Level, ...]:
    points = promise.points
    return tuple(Level(formula(level), formula(mass)) for level, mass in points)


def _along_curve(of: Questions) -> BestLevel:
    @lru_cache(maxsize=512)
    def level_at(epsilon: Fraction) -> Level:
        delta = Fraction(of.delta(epsilon).upper)
        return Level(formula(epsilon), formula(delta))

    def best(run: CanaryGuesses) -> Level:
        def size(epsilon: float) -> float:
            return _planned(run, level_at(_short(epsilon)))

        return level_at(_short(_least(size, _most_useful(run))))

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
    middle = min((step * k for k in range(COARSE_STEPS + 1)), key=size)
    low = max(0.0, middle - step)
    high = min(most, middle + step)
    best = middle
    for _ in range(FINE_STEPS):
        inner = high - GOLDEN * (high - low)
        outer = low + GOLDEN * (high - low)
        if size(inner) < size(outer):
            high = outer
            best = min(best, inner, key=size)
        else:
            low = inner
            best = min(best, outer, key=size)
    return best


def _short(value: float) -> Fraction:
    """A nearby number with few digits, so that certificates stay readable."""
    return Fraction(round(value * 2**12), 2**12)


def _planned(run: CanaryGuesses, level: Level) -> float:
    """The logarithm of the probability, good for planning only."""
    ball = chance(run, level, PLANNING_BITS)
    logarithm = float(ball.log())
    return 0.0 if math.isnan(logarithm) else logarithm
