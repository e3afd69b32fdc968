"""The best ratio of scales of a release that runs before another one: all ratios are cut into
stretches, and what each of them gains at most comes from its two ends.
"""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from rdpacct.composition.choices.ratio_knots import Before, RatioKnots
from rdpacct.exact.ball import RealBall
from rdpacct.exact.formula import Scalar
from rdpacct.exact.raw import real
from rdpacct.privacy.constants import value
from rdpacct.privacy.ratios import Ratios
from rdpacct.provenance import by
from rdpacct.work import fitting

MOST_HALVINGS = 40
FEWEST_LEFT = 4
"""The search ends if there is no work left for this many more ratios."""
WIDEST = 1.0
"""Both ends bound a stretch if the square of its width times its bend is at most this."""


@dataclass(frozen=True, eq=False)
class Order:
    """A release whose ratio is chosen, and the knots of the one that runs after it."""

    ratios: Ratios
    knots: RatioKnots


@dataclass(frozen=True, slots=True)
class ChosenRatio:
    """A ratio of scales: its order, which law is first, and its share of the largest ratio."""

    order: int
    narrow_first: bool
    share: Fraction


@dataclass(order=True, frozen=True, slots=True)
class RatioStretch:
    """The ratios between two, with a bound on what they gain, and minus about that bound as the
    key.
    """

    key: float
    low: ChosenRatio = field(compare=False)
    high: ChosenRatio = field(compare=False)
    bound: RealBall = field(compare=False)


@dataclass(frozen=True, eq=False)
class Gained:
    """At most what a ratio gains, and the numbers that it comes from."""

    before: Before
    deltas: list[RealBall]
    most: RealBall


@by("smooth/between-ratios")
def stretched(bend: Scalar, width: Scalar) -> Scalar:
    """The factor by which the probability of an event under a law within a stretch of this width
    may exceed the larger of those under the laws at its ends.
    """
    return 1 / (1 - bend * width**2 / 8)


@by("smooth/between-ratios")
def broad_within(theta: Scalar, at_ends: Scalar) -> Scalar:
    """At least what a ratio within a stretch gains, the broader law first, from the larger of what
    its two ends gain at exp(epsilon)/theta.
    """
    return theta * at_ends


@by("smooth/between-ratios")
def narrow_within(theta: Scalar, at_ends: Scalar, growth: Scalar) -> Scalar:
    """The same with the narrower law first, from what the ends gain at theta exp(epsilon)."""
    return at_ends + growth * (theta - 1)


class RatioSearch:
    """All ratios of some orders at one epsilon."""

    def __init__(self, orders: Sequence[Order], epsilon: Fraction) -> None:
        self.orders = orders
        self.epsilon = epsilon
        self.known: dict[ChosenRatio, Gained] = {}
        self._most_so_far = real(0)

    def whole(self) -> list[RatioStretch]:
        """All ratios of all orders, as stretches."""
        return [
            self.stretch(
                ChosenRatio(k, first, Fraction(0)), ChosenRatio(k, first, Fraction(1))
            )
            for k in range(len(self.orders))
            for first in (False, True)
        ]

    def gained(self, ratio: ChosenRatio) -> Gained:
        """The gain of one ratio."""
        gain = self.known.get(ratio)
        if gain is None and ratio.share == 0:
            gain = self.known.get(
                ChosenRatio(ratio.order, not ratio.narrow_first, ratio.share)
            )
        if gain is None:
            order = self.orders[ratio.order]
            loss = order.ratios.loss(ratio.share, ratio.narrow_first)
            before = order.knots.before(loss, self.epsilon)
            deltas = order.knots.deltas(before)
            gain = Gained(before, deltas, order.knots.most(deltas))
            self.known[ratio] = gain
            self._most_so_far = self._most_so_far.max(gain.most)
        return gain

    def best(self, nearly: float) -> ChosenRatio:
        """The best ratio, or one that gains nearly as much."""
        stretches = self.whole()
        self.searched(stretches, real(0), nearly)
        return max(self.known, key=lambda ratio: float(self.known[ratio].most))

    def stretch(self, low: ChosenRatio, high: ChosenRatio) -> RatioStretch:
        """The ratios between two, with what they gain at most."""
        bound = self._bound(low, high)
        return RatioStretch(-float(bound.upper()), low, high, bound)

    def _bound(self, low: ChosenRatio, high: ChosenRatio) -> RealBall:
        """By the larger of the deltas of both ends at each knot, or by the larger of what both ends
        gain near this epsilon.
        """
        order = self.orders[low.order]
        ends = self.gained(low), self.gained(high)
        pairs = zip(ends[0].deltas, ends[1].deltas, strict=True)
        together = order.knots.most([x.max(y) for x, y in pairs])
        width = value(order.ratios.most) * real(high.share - low.share)
        bend = value(order.ratios.bend)
        if not bend * width * width < WIDEST:
            return together
        theta = stretched(bend, width).upper()
        if low.narrow_first:
            at_ends = ends[0].most.max(ends[1].most)
            other = narrow_within(theta, at_ends, ends[0].before.growth)
        else:
            at_low, at_high = (_at_less(order.knots, end, theta) for end in ends)
            other = broad_within(theta, at_low.max(at_high))
        return together.min(other)

    def searched(
        self, stretches: Iterable[RatioStretch], enough: RealBall, nearly: float
    ) -> list[RatioStretch]:
        """The stretches that may gain more than enough, which are halved until none does, or they
        gain hardly more than one of the ratios in the end.
        """
        heap = [stretch for stretch in stretches if not stretch.bound <= enough]
        heapq.heapify(heap)
        left = []
        work = self._work
        while heap:
            top = heapq.heappop(heap)
            if not self._worth(top, enough, nearly) or fitting(work) < FEWEST_LEFT:
                left.append(top)
                continue
            middle = ChosenRatio(
                top.low.order,
                top.low.narrow_first,
                (top.low.share + top.high.share) / 2,
            )
            for half in self.stretch(top.low, middle), self.stretch(middle, top.high):
                if not half.bound <= enough:
                    heapq.heappush(heap, half)
        return left

    def _worth(self, top: RatioStretch, enough: RealBall, nearly: float) -> bool:
        """Whether a stretch is halved: no ratio is known that gains as much as it may."""
        if (top.high.share - top.low.share) * 2**MOST_HALVINGS < 1:
            return False
        return not top.bound <= self._most_so_far.max(enough) * (1 + nearly)

    @property
    def _work(self) -> int:
        """About the work of one more ratio."""
        return max(
            len(order.knots.levels)
            * sum(
                part.edge_work for part in order.ratios.loss(Fraction(1), False).parts
            )
            for order in self.orders
        )


def _at_less(knots: RatioKnots, gained: Gained, theta: RealBall) -> RealBall:
    """At least what a ratio gains at exp(epsilon)/theta: a convex profile rises by at most its
    slope there, which is at most the mass under Q above a knot that far away.
    """
    far = theta.log().upper()
    last = len(knots.levels)
    masses = [q for _, q in gained.before.tails] + [real(1)]
    at = 0
    slopes = []
    for k, level in enumerate(knots.levels):
        at = max(at, k)
        while at < last and not real(knots.levels[at] - level) >= far:
            at += 1
        slopes.append(masses[at] / knots.growth[k])
    rise = knots.weighed(slopes) * gained.before.growth
    return gained.most + rise * (1 - 1 / theta)
