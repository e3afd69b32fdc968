"""Laplace noise of a log-normal size against the same noise from another center, with a scale of
its own on each side of it: the loss in balls.

Outputs are measured from the center of the narrower law towards that of the broader one. The loss
of the narrower law rises up to its center and falls from there to the other center; beyond that it
rises up to a turn, and falls from there.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, NoReturn

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.formula import ZERO, Expr
from rdpacct.exact.raw import real
from rdpacct.mechanisms.smooth.falling_root import Crossing, Falling
from rdpacct.mechanisms.smooth.log_normal_law import LogNormalLaw
from rdpacct.mechanisms.smooth.log_normal_shape import DEEPEST, BeyondBoth, RiseAndFall
from rdpacct.privacy.constants import value
from rdpacct.privacy.parts import Edge, Part, whole_law_cells

GUARD_BITS = 32


class LossInterval(NamedTuple):
    """Two ends, as distances from a center; None stands for no end."""

    first: Crossing | None
    last: Crossing | None


Masses = tuple[RealBall, RealBall]
"""Probabilities under the narrower and the broader law."""


@dataclass(frozen=True, slots=True)
class LogNormalHalves(Part):
    """Every output of the pair; ``narrow_first`` says which of the two laws is P."""

    edge_work = 20_000

    before: Expr
    """The logarithm of the scale of the broader law below its center, at least 0."""
    beyond: BeyondBoth
    """The noise, the distance of the centers, and the same above the center."""
    narrow_first: bool

    def range(self) -> tuple[Edge, Edge]:
        """The range of the loss; if the narrower law is first, not all of it is taken."""
        return -math.inf, math.inf

    def masses(self, level: Fraction, bits: int) -> tuple[Ball, Ball]:
        """The probabilities under P and under Q that the loss exceeds the level."""
        with precision(bits + GUARD_BITS):
            [(p, q)] = self.events([level])
        return Ball(p, bits), Ball(q, bits)

    def events(
        self, edges: Sequence[Fraction | RealBall]
    ) -> list[tuple[RealBall, RealBall]]:
        beyond = self.beyond
        numbers = (beyond.shift, self.before, beyond.ratio)
        sides = BothSides(beyond.law, *map(value, numbers))
        right = None
        if beyond.ratio != ZERO:
            right = beyond.shape
            if right is None:
                raise UndecidedError("the shape of the loss is not known.")
        flat = self.before == ZERO
        if self.narrow_first:
            return [sides.above(real(edge), flat, right) for edge in edges]
        events = [sides.below(-real(edge), flat, right) for edge in edges]
        return [(broad, narrow) for narrow, broad in events]

    def tail(self, threshold: Fraction, bits: int) -> Ball:
        return self.masses(threshold, bits)[0]

    def excess(self, threshold: Fraction, bits: int) -> Ball:
        p, q = self.masses(threshold, bits)
        return (p - Ball.of(threshold, bits).exp() * q).positive_part()

    def cells(
        self, edges: Sequence[Fraction], bits: int
    ) -> list[tuple[RealBall, RealBall]]:
        """From the probabilities above each edge; all of both laws is above none."""
        return whole_law_cells(self, edges, bits)

    def mass(self, bits: int) -> Ball:
        """All outputs."""
        return Ball.of(1, bits)

    def moment(self, rate: Fraction, bits: int) -> Ball:
        if rate in (0, -1):
            return Ball.of(1, bits)
        raise _underived()

    def mean(self, bits: int) -> NoReturn:  # noqa: ARG002
        raise _underived()

    def central_moments(self, orders: int, center: Ball, bits: int) -> NoReturn:  # noqa: ARG002
        raise _underived()

    def reversed(self) -> "LogNormalHalves":
        return replace(self, narrow_first=not self.narrow_first)


def _underived() -> UndecidedError:
    return UndecidedError(
        "the moments of the loss of log-normal noise are not derived; ask for delta or"
        " epsilon."
    )


class BothSides:
    """The loss on both sides of the center of the broader law."""

    def __init__(
        self, law: LogNormalLaw, shift: RealBall, before: RealBall, after: RealBall
    ) -> None:
        self.law = law
        self.shift = shift
        self.before = before
        self.after = after
        self.low_scale = before.exp()
        self.high_scale = after.exp()

    def above(self, level: RealBall, flat: bool, right: RiseAndFall | None) -> Masses:
        """The probabilities of a loss above the level; ``flat`` says that the scales before the
        center are equal, and no shape that those beyond it are.
        """
        narrow = real(0)
        broad = real(0)
        ends = self._left(level, flat)
        if ends is not None:
            far, near = ends
            narrow = 1 - self._narrow_within(far) - self._narrow_within(near)
            broad = self._broad_below(near) - self._broad_before(far)
        beyond = self._right(level, right)
        if beyond is not None:
            near, far = beyond
            narrow = narrow + self._narrow_beyond(near) - self._narrow_beyond(far)
            broad = broad + self._broad_beyond(near) - self._broad_beyond(far)
        left = self._unknown(right)
        return _share(narrow + left[0]), _share(broad + left[1])

    def below(self, level: RealBall, flat: bool, right: RiseAndFall | None) -> Masses:
        """The probabilities of a loss of at most the level."""
        half = real(1) / 2
        rest = self._narrow_within(Crossing(self.shift))
        narrow = 1 - rest
        broad = half
        ends = self._left(level, flat)
        if ends is not None:
            far, near = ends
            narrow = self._narrow_within(far) + self._narrow_within(near) - rest
            outer = self._broad_before(far)
            broad = outer + half - self._broad_below(near)
        narrow_after = rest
        broad_after = half
        beyond = self._right(level, right)
        if beyond is not None:
            near, far = beyond
            narrow_after = rest - self._narrow_beyond(near) + self._narrow_beyond(far)
            broad_after = half - self._broad_beyond(near) + self._broad_beyond(far)
        left = self._unknown(right)
        return (
            _share(narrow + narrow_after - left[0]),
            _share(broad + broad_after - left[1]),
        )

    def _unknown(self, right: RiseAndFall | None) -> Masses:
        """From 0 to the probabilities of the outputs so far that no shape is shown there."""
        if right is None:
            return real(0), real(0)
        far = Crossing(real(right.far), open=True)
        return self._narrow_beyond(far), self._broad_beyond(far)

    def _tail(
        self, end: Crossing | None, scaled: Callable[[RealBall], RealBall]
    ) -> RealBall:
        """Half of how likely the noise is beyond an end, in scales of it."""
        if end is None:
            return real(0)
        tail = self.law.beyond(scaled(end.at)) / 2
        return tail.union(real(0)) if end.open else tail

    def _narrow_within(self, distance: Crossing | None) -> RealBall:
        """How likely the narrower law is beyond a distance on one side of its center."""
        return self._tail(distance, lambda place: place)

    def _broad_before(self, distance: Crossing | None) -> RealBall:
        """How likely the broader law is that far before the center of the narrower one."""
        return self._tail(distance, lambda w: (self.shift + w) / self.low_scale)

    def _broad_below(self, place: Crossing | None) -> RealBall:
        """How likely it is below a place between the centers."""
        return self._tail(place, lambda z: (self.shift - z) / self.low_scale)

    def _narrow_beyond(self, distance: Crossing | None) -> RealBall:
        """How likely the narrower law is that far beyond the other center."""
        return self._tail(distance, lambda w: self.shift + w)

    def _broad_beyond(self, distance: Crossing | None) -> RealBall:
        """How likely the broader law is that far beyond its center."""
        return self._tail(distance, lambda w: w / self.high_scale)

    def _left(self, level: RealBall, flat: bool) -> LossInterval | None:
        """How far below the center of the narrower law, and above it, the loss is above the level,
        up to the other center; None if it is nowhere.
        """
        far: Crossing | None = None
        if not (flat and level <= 0):
            crossing = Falling(
                self._before_both, self._before_both_slope, 0.0, self._reach()
            ).passes(level)
            if crossing is None:
                return None
            far = crossing
        return LossInterval(far, self._end_between(level))

    def _end_between(self, level: RealBall) -> Crossing:
        """Up to where between the two centers the loss is above the level."""
        if self._between_both(self.shift) > level:
            return Crossing(self.shift)
        last = float(self.shift.lower())
        crossing = Falling(
            self._between_both, self._between_both_slope, 0.0, last
        ).passes(level)
        if crossing is None:
            return Crossing(real(0))
        if crossing.open:
            return Crossing(crossing.at.union(self.shift))
        return crossing

    def _right(self, level: RealBall, right: RiseAndFall | None) -> LossInterval | None:
        """The distances beyond the other center between which the loss is above the level."""
        if right is None:
            if level >= 0:
                return None
            near = self._rising(0.0, self._reach(), level)
            return LossInterval(near, None)
        top = self._top(right)
        if top < level:
            return None
        surely = top > level
        lower = level if surely else top.lower() - (level - top.lower()).abs_upper()
        near = Crossing(real(0))
        if right.rises > 0:
            near = self._rising(0.0, right.rises, lower)
        falling = Falling(
            self._after_both, self._after_both_slope, right.falls, right.far
        )
        far = falling.passes(lower) or Crossing(real(right.falls))
        if surely:
            return LossInterval(near, far)
        first = near.at.union(real(right.falls))
        last = Crossing(far.at.union(real(right.rises)), far.open)
        return LossInterval(Crossing(first), last)

    def _top(self, right: RiseAndFall) -> RealBall:
        """The losses between where they rise and where they fall, from their slopes."""
        first = real(right.rises)
        last = real(right.falls)
        if right.falls == 0:
            return self._after_both(first)
        slopes = self._after_both_slope(first.union(last))
        return self._after_both(first) + slopes * (last - first).union(real(0))

    def _rising(self, low: float, high: float, level: RealBall) -> Crossing:
        """From where on a loss that rises beyond the other center is above the level."""
        crossing = Falling(
            lambda distance: -self._after_both(distance),
            lambda distance: -self._after_both_slope(distance),
            low,
            high,
        ).passes(-level)
        return Crossing(real(low)) if crossing is None else crossing

    def _reach(self) -> float:
        """A distance beyond which there is little mass."""
        high = 1.0
        scale = float(self.low_scale.max(self.high_scale).upper())
        while self.law.depth(high / scale) < DEEPEST:
            high *= 2
        return high

    def _before_both(self, distance: RealBall) -> RealBall:
        density = self.law.log_density
        other = (distance + self.shift) / self.low_scale
        return density(distance) - density(other) + self.before

    def _before_both_slope(self, distance: RealBall) -> RealBall:
        rate = self.law.rate
        other = (distance + self.shift) / self.low_scale
        return rate(other) / self.low_scale - rate(distance)

    def _between_both(self, place: RealBall) -> RealBall:
        density = self.law.log_density
        other = (self.shift - place) / self.low_scale
        return density(place) - density(other) + self.before

    def _between_both_slope(self, place: RealBall) -> RealBall:
        rate = self.law.rate
        other = (self.shift - place) / self.low_scale
        return -rate(place) - rate(other) / self.low_scale

    def _after_both(self, distance: RealBall) -> RealBall:
        density = self.law.log_density
        other = distance / self.high_scale
        return density(distance + self.shift) - density(other) + self.after

    def _after_both_slope(self, distance: RealBall) -> RealBall:
        rate = self.law.rate
        other = distance / self.high_scale
        return rate(other) / self.high_scale - rate(distance + self.shift)


def _share(mass: RealBall) -> RealBall:
    return mass.max(real(0)).min(real(1))
