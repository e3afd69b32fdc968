"""The profile of a release that runs last, between two polygons whose knots are fitted to the
release before it.

Above, the profile lies below its chords. Below, it lies above what each event shows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise

from rdpacct.composition.grids.knots import lower_hull
from rdpacct.composition.grids.laws_below import event_line
from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.raw import real, real_inner
from rdpacct.privacy.highest import exceeding
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.work import spend

BITS = 144
Tails = list[tuple[RealBall, RealBall]]
"""Masses under P and under Q above some levels."""


@dataclass(frozen=True, eq=False)
class Before:
    """The release that runs before the last one, at an epsilon: its masses above epsilon less each
    knot.
    """

    growth: RealBall
    """exp(epsilon)."""
    tails: Tails


@dataclass(frozen=True, eq=False)
class RatioKnots:
    """Two polygons about a profile."""

    levels: list[Fraction]
    """The levels of the knots, rising."""
    growth: list[RealBall]
    """exp(level) of each knot."""
    weights: list[RealBall]
    """By how much the slope of the polygon above rises at each knot, times its growth."""
    rest: RealBall
    """At least the profile beyond the last knot."""
    events: Tails
    """For what is before the first knot, between each two, and beyond the last one: an event under
    P and Q.
    """

    @classmethod
    def of(cls, losses: Sequence[PrivacyLoss], levels: list[Fraction]) -> "RatioKnots":
        """The polygons about the largest profile of several losses."""
        middles = [levels[0], *((a + b) / 2 for a, b in pairwise(levels))]
        with precision(BITS):
            growth = [real(level).exp() for level in levels]
            rows = [exceeding(loss, levels, BITS) for loss in losses]
            heights = [
                reduce(max_of, (p - g * q for p, q in events), real(0)).upper()
                for g, events in zip(growth, zip(*rows, strict=True), strict=True)
            ]
            between = _largest(losses, middles)
            weights = turns(growth, heights)
            events = [*between, (real(0), real(0))]
        return cls(levels, growth, weights, heights[-1], events)

    def before(self, loss: PrivacyLoss, epsilon: Fraction) -> Before:
        """A release before the last one, at an exact epsilon."""
        edges = [epsilon - level for level in reversed(self.levels)]
        with precision(BITS):
            tails = exceeding(loss, edges, BITS)
            return Before(real(epsilon).exp(), tails[::-1])

    def deltas(self, before: Before) -> list[RealBall]:
        """The profile of the release before at each knot."""
        return [
            (p - before.growth / g * q).max(real(0))
            for (p, q), g in zip(before.tails, self.growth, strict=True)
        ]

    def most(self, deltas: Sequence[RealBall]) -> RealBall:
        """At least the mean of the profile over the losses of a release with these deltas at the
        knots.
        """
        return self.rest + self.weighed(deltas)

    def weighed(self, values: Sequence[RealBall]) -> RealBall:
        """The sum of values at the knots, with the weights of these."""
        spend(len(values))
        return real_inner(self.weights, list(values))

    def least(self, before: Before) -> RealBall:
        """At most that mean: what an event of both releases shows."""
        masses = [(real(0), real(0)), *before.tails, (real(1), real(1))]
        under_p = real(0)
        under_q = real(0)
        for (p, q), (low, high) in zip(self.events, pairwise(masses), strict=True):
            under_p = under_p + (high[0] - low[0]) * p
            under_q = under_q + (high[1] - low[1]) * q
        return event_line(under_p, under_q, before.growth)


def max_of(one: RealBall, other: RealBall) -> RealBall:
    """The larger of the two."""
    return one.max(other)


def turns(growth: Sequence[RealBall], heights: Sequence[RealBall]) -> list[RealBall]:
    """By how much the slope of the polygon from height 1 at 0 through the lowest dots rises at each
    of these, times their place; beyond the last it is flat. Other dots have none.
    """
    places, corners = zip(
        *lower_hull(list(zip(growth, heights, strict=True))), strict=True
    )
    dots = [(real(0), real(1)), *corners]
    slopes = [(b - a) / (y - x) for (x, a), (y, b) in pairwise(dots)]
    slopes.append(real(0))
    weights = [real(0)] * len(growth)
    for place, (before, after) in zip(places, pairwise(slopes), strict=True):
        weights[place] = (growth[place] * (after - before)).max(real(0))
    return weights


def _largest(losses: Sequence[PrivacyLoss], levels: Sequence[Fraction]) -> Tails:
    """At each level the masses above it of the loss with the largest profile there, about."""
    rows = [exceeding(loss, levels, BITS) for loss in losses]
    tails = []
    for k, level in enumerate(levels):
        growth = real(level).exp()
        tails.append(
            max(
                (row[k] for row in rows),
                key=lambda tail: float(tail[0] - growth * tail[1]),
            )
        )
    return tails
