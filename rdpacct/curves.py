"""The curves of a plan: delta against epsilon, and false negatives against false positives.

Every point is an enclosure. The numbers at which a curve is asked are short decimals, so that a
file of them says exactly what was asked.
"""

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.bound import Bound, decimal_down, decimal_up
from rdpacct.exact.formula import formula
from rdpacct.exact.number import Number, decimal_text, rational, whole
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.questions import Questions, Way, plan_of

POINTS, MOST_POINTS = 200, 1000
"""The number of points of a curve if nothing is said, and the most."""
LEAST_DELTA = Fraction(1, 10**10)
"""The delta down to which a curve goes if nothing is said."""
LEAST_RATE, GREATEST_RATE = 1e-5, 0.999
"""The least and the greatest rate of a trade-off curve, besides 0 and 1."""
DIGITS, FIGURES = 12, 3
"""The digits of the ends in a file, and the figures of the numbers at which a curve is asked."""


class CurveKind(StrEnum):
    """What a curve shows."""

    EPSILON_DELTA = "epsilon-delta"
    """The smallest delta at each epsilon."""
    TRADEOFF = "tradeoff"
    """The smallest false negative rate of a test at each false positive rate."""

    @classmethod
    def named(cls, text: str) -> "CurveKind":
        """The kind of that name."""
        for kind in cls:
            if text.strip().lower() == kind.value:
                return kind
        known = " or ".join(kind.value for kind in cls)
        raise InputError(f"the kind of curve '{text[:40]}' is not known; give {known}.")


@dataclass(frozen=True)
class CertifiedCurve:
    """Points of a curve of a plan: the numbers at which it was asked, and an enclosure at each.

    ``float(point.upper)`` is rounded up and ``float(point.lower)`` down, as always.
    """

    kind: CurveKind
    plan: Plan
    at: tuple[Fraction, ...]
    bounds: tuple[Bound, ...]

    @property
    def rests_on(self) -> frozenset[str]:
        """The theorems that some point rests on."""
        return frozenset[str]().union(*(bound.rests_on for bound in self.bounds))

    @property
    def methods(self) -> tuple[str, ...]:
        """How the points were found."""
        return tuple(sorted({bound.how for bound in self.bounds}))

    def csv(self) -> str:
        """The curve as a table with both ends of each point, rounded outwards."""
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerow(self.columns)
        table.writerows(self.rows())
        return text.getvalue()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of the table."""
        if self.kind is CurveKind.EPSILON_DELTA:
            return "epsilon", "delta_lower", "delta_upper"
        return (
            "false_positive_rate",
            "false_negative_rate_lower",
            "false_negative_rate_upper",
            "true_positive_rate_lower",
            "true_positive_rate_upper",
        )

    def rows(self) -> list[tuple[str, ...]]:
        """The table: each point, and its ends as decimals that are rounded outwards."""
        return [
            (decimal_text(at), *self._ends(bound))
            for at, bound in zip(self.at, self.bounds, strict=True)
        ]

    def _ends(self, bound: Bound) -> tuple[str, ...]:
        shown: tuple[Bound, ...] = (bound,)
        if self.kind is CurveKind.TRADEOFF:
            shown = (bound, caught(bound))
        return tuple(
            text
            for each in shown
            for text in (
                decimal_down(each.lower, DIGITS),
                decimal_up(each.upper, DIGITS),
            )
        )


def epsilon_delta_curve(
    plan: Plan | Mechanism | str,
    points: int = POINTS,
    least_delta: Number = LEAST_DELTA,
    way: Way | None = None,
) -> CertifiedCurve:
    """The smallest delta at even steps of epsilon, from 0 to where it is about ``least_delta``."""
    asked = Questions(plan_of(plan), way)
    last = _last_epsilon(asked, rational(least_delta, "the least delta"))
    count = number_of_points(points)
    step = Fraction(decimal_up(last / (count - 1), FIGURES))
    epsilons = tuple(k * step for k in range(count))
    bounds = tuple(asked.deltas(epsilons))
    return CertifiedCurve(CurveKind.EPSILON_DELTA, asked.plan, epsilons, bounds)


def tradeoff_curve(
    plan: Plan | Mechanism | str, points: int = POINTS, way: Way | None = None
) -> CertifiedCurve:
    """The smallest false negative rate at false positive rates from 0 to 1, denser near both."""
    asked = Questions(plan_of(plan), way)
    rates = rates_between(number_of_points(points))
    bounds = tuple(asked.tradeoffs(rates))
    return CertifiedCurve(CurveKind.TRADEOFF, asked.plan, rates, bounds)


def caught(missed: Bound) -> Bound:
    """The largest true positive rate, from the smallest false negative rate."""
    return Bound(1 - missed.upper, 1 - missed.lower, missed.how, missed.rests_on)


def number_of_points(points: int | str) -> int:
    """The number of points of a curve, from a number or its text."""
    return whole(points, "the number of points", 2, MOST_POINTS)


def rates_between(points: int) -> tuple[Fraction, ...]:
    """0, 1 and short decimals between them, about even in the logarithm of their odds."""
    low = math.log(LEAST_RATE / (1 - LEAST_RATE))
    high = math.log(GREATEST_RATE / (1 - GREATEST_RATE))
    step = (high - low) / max(points - 3, 1)
    logits = (low + step * k for k in range(points - 2))
    return (Fraction(0), *(_short_rate(logit) for logit in logits), Fraction(1))


def _short_rate(logit: float) -> Fraction:
    """A short decimal near the probability of these odds; above one half, one less a short one."""
    if logit > 0:
        return 1 - _short_rate(-logit)
    return _short(math.exp(logit) / (1 + math.exp(logit)))


def _last_epsilon(asked: Questions, least: Fraction) -> Fraction:
    """Where a curve may end: an epsilon at which delta is at most that, or near the mass at
    infinity.
    """
    if not 0 < least < 1:
        raise InputError(
            f"the least delta is {decimal_text(least)}, but must be above 0 and below"
            " 1; give a probability such as 1e-10."
        )
    for delta in (least, *_above_the_mass_at_infinity(asked)):
        end = asked.epsilon(formula(delta)).upper
        if end == 0:
            break
        if not math.isinf(end):
            return Fraction(end)
    return Fraction(1)


def _above_the_mass_at_infinity(asked: Questions) -> Sequence[Fraction]:
    try:
        infinite = asked.at_infinity().upper
    except UndecidedError:
        return ()
    near = Fraction(infinite) * Fraction(101, 100)
    return (near,) if 0 < near < 1 else ()


def _short(value: float) -> Fraction:
    """A decimal of few figures near a positive double."""
    return Fraction(f"{value:.{FIGURES}g}")
