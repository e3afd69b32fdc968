"""The distribution of the privacy loss: how likely a larger one is, for a plan and its releases."""

import math
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.errors import UndecidedError
from rdpacct.exact.bound import Bound, decimal_up
from rdpacct.exact.formula import formula
from rdpacct.mechanisms.mechanism import Plan
from rdpacct.plan.document import PlanDocument, PlannedRelease
from rdpacct.questions import Questions

MOST_LINES, MOST_POINTS = 5, 61
"""How many releases have their line beside the plan, and how many points a line has at most."""
NEARLY_ALL = Fraction(1, 1000)
"""The delta whose epsilon is the end of the axis."""


@dataclass(frozen=True)
class LossLine:
    """The probability that the loss of the worst pair exceeds each of some levels."""

    name: str
    at: tuple[Fraction, ...]
    bounds: tuple[Bound, ...]


def loss_lines(document: PlanDocument, points: int) -> tuple[LossLine, ...]:
    """The line of the whole plan, and of its first releases if there are several.

    A plan of which no single pair is known to be the worst has none.
    """
    end = _end(document.plan)
    half = max(min(points, MOST_POINTS) // 2, 2)
    step = Fraction(decimal_up(end / half, 3))
    levels = tuple(k * step for k in range(-half, half + 1))
    named = [("the whole plan", document.plan)]
    if len(document.releases) > 1:
        first = document.releases[:MOST_LINES]
        named += [(name_of(release), release.plan) for release in first]
    lines = (_line(name, plan, levels) for name, plan in named)
    return tuple(line for line in lines if line is not None)


def name_of(release: PlannedRelease) -> str:
    """What a release is called: its name, or what is run."""
    return release.name or str(release.plan)


def _line(name: str, plan: Plan, levels: tuple[Fraction, ...]) -> LossLine | None:
    asked = Questions(plan)
    try:
        bounds = tuple(asked.tails(levels))
    except UndecidedError:
        return None
    return LossLine(name, levels, bounds)


def _end(plan: Plan) -> Fraction:
    """Where the axis ends: about where larger losses are rare."""
    end = Questions(plan).epsilon(formula(NEARLY_ALL)).upper
    if math.isinf(end) or end == 0:
        return Fraction(1)
    return Fraction(end)
