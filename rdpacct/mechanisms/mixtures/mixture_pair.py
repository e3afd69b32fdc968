"""Two mixtures of Gaussians whose loss rises along the line, and where it passes a level."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rdpacct.exact.ball import RealBall
from rdpacct.exact.cached import cached_property
from rdpacct.exact.formula import Expr
from rdpacct.exact.raw import current_bits, real
from rdpacct.mechanisms.mixtures.exponential_sum import ExponentialSum, SumOfBalls
from rdpacct.privacy.constants import about, value

MOST_STEPS, MOST_NEWTON = 80, 8
CLOSE = 1e-9
"""The search in doubles ends when two steps are this close; the next one would be far closer."""
FAR_OUT = (60, 40, 24, 16, 10, 6)
"""The distances, in standard deviations, at which a loss far out is looked at."""


@dataclass(frozen=True)
class MixturePair:
    """The densities A and B of P and Q with respect to N(0, 1), with log(A/B) rising with x.

    A folded pair has the losses above 0 of this one, which begin at ``folded_at``, where A = B, and
    their mirror images: it is as bad for P against Q as for Q against P.
    """

    first: ExponentialSum
    second: ExponentialSum
    folded_at: Expr | None = None

    def __post_init__(self) -> None:
        last = max((place for _, place in self.second.terms), key=about)
        first = min((place for _, place in self.first.terms), key=about)
        if first != last and not (first - last).bound().certainly_above(0):
            raise ValueError("the loss does not rise: the components overlap")

    @cached_property
    def planned_start(self) -> float:
        """The first x that counts, about."""
        return -math.inf if self.folded_at is None else about(self.folded_at)

    def reversed(self) -> "MixturePair":
        """The exchanged pair, on the line turned round; a folded pair is its own."""
        if self.folded_at is not None:
            return self
        return MixturePair(self.second.mirrored(), self.first.mirrored())

    def planned_loss(self, x: float) -> float:
        """log(A/B), about."""
        return self.first.planned_log(x) - self.second.planned_log(x)

    def limits(self) -> tuple[float, float]:
        """The losses at both ends of the line, about."""
        (low_a, high_a), (low_b, high_b) = (
            mixture.planned_ends for mixture in (self.first, self.second)
        )
        far = 60.0 / max(high_a - low_a, high_b - low_b, 1e-3)
        low = -math.inf if low_a > low_b else self.planned_loss(-far - 60.0)
        high = math.inf if high_a > high_b else self.planned_loss(far + 60.0)
        return low, high

    def events(self, threshold: RealBall) -> tuple[RealBall, RealBall]:
        """The probabilities under P and Q that the loss exceeds a threshold; for a folded pair, of
        at least 0.
        """
        place = self.crossing(threshold)
        if place is False:
            return real(0), real(0)
        if place is True:
            return self.first.total(), self.second.total()
        if not place.is_finite():
            return self._near_an_end(threshold)
        return self.first.beyond(place), self.second.beyond(place)

    def events_in_order(
        self, thresholds: Sequence[RealBall]
    ) -> list[tuple[RealBall, RealBall]]:
        """The probabilities for rising thresholds: the search for each starts at the one before."""
        sums = self.first.balls(), self.second.balls()
        under_p = self.first.tail()
        under_q = self.second.tail()
        low, high = self.limits()
        events = []
        guess = None
        for threshold in thresholds:
            level = float(threshold)
            if not low < level < high:
                events.append(self.events(threshold))
                continue
            guess = self.planned_crossing(level, guess)
            place = self._certified(guess, threshold, sums)
            if place.is_finite():
                events.append((under_p(place), under_q(place)))
            else:
                events.append(self._near_an_end(threshold))
        return events

    def _near_an_end(self, threshold: RealBall) -> tuple[RealBall, RealBall]:
        """The probabilities for a threshold so near the loss at an end of the line that it is
        passed far out, or never.
        """
        first = self.first.balls()
        second = self.second.balls()
        low = [real(0), real(0)]
        high = [self.first.total(), self.second.total()]
        for far in FAR_OUT:
            for x in (real(-far), real(far)):
                gap = first.at(x).log() - second.at(x).log() - threshold
                here = self.first.beyond(x), self.second.beyond(x)
                if gap > 0:
                    low = [a.max(b) for a, b in zip(low, here, strict=True)]
                if gap < 0:
                    high = [a.min(b) for a, b in zip(high, here, strict=True)]
        return low[0].union(high[0]), low[1].union(high[1])

    def crossing(self, threshold: RealBall) -> RealBall | bool:
        """Where the loss passes a threshold; whether it is always above if it does not."""
        if self.folded_at is not None and threshold == 0:
            return value(self.folded_at)
        level = float(threshold)
        low, high = self.limits()
        if level <= low or level >= high:
            return self._never(threshold)
        guess = self.planned_crossing(level)
        sums = self.first.balls(), self.second.balls()
        return self._certified(guess, threshold, sums)

    def _never(self, threshold: RealBall) -> RealBall | bool:
        """A level that the loss has at no x, or that is too near the end to say."""
        for upper, sums in ((True, 1), (False, -1)):
            end = self.end(upper)
            if end is not None and sums * (threshold - end) >= 0:
                return not upper
        return real(-math.inf).union(real(math.inf))

    def end(self, upper: bool) -> RealBall | None:
        """The loss at an end of the line, if it is finite: that of the outermost components, where
        both mixtures have them at the same place.
        """
        pick = max if upper else min
        rows = [
            pick(mixture.terms, key=lambda row: about(row[1]))
            for mixture in (self.first, self.second)
        ]
        if rows[0][1] != rows[1][1]:
            return None
        return (value(rows[0][0]) / value(rows[1][0])).log()

    def planned_crossing(self, level: float, near: float | None = None) -> float:
        """Where the loss passes a level, about: Newton's rule, halved where it leaves what is
        known; a start may be near.
        """
        low, high = -1e9, 1e9
        if near is None:
            low, high = self._planned_bracket(level)
            near = (low + high) / 2
        x = near
        for _ in range(MOST_STEPS):
            gap = self.planned_loss(x) - level
            if gap < 0:
                low = x
            else:
                high = x
            slope = self.first.planned_slope(x) - self.second.planned_slope(x)
            after = x - gap / slope if slope > 0 else math.inf
            if abs(after - x) <= CLOSE * (1 + abs(x)):
                return after
            x = after if low < after < high else (low + high) / 2
        return x

    def _planned_bracket(self, level: float) -> tuple[float, float]:
        low, high = -1.0, 1.0
        while self.planned_loss(low) > level and low > -1e9:
            low *= 2
        while self.planned_loss(high) < level and high < 1e9:
            high *= 2
        return low, high

    def _certified(
        self, guess: float, threshold: RealBall, sums: tuple[SumOfBalls, SumOfBalls]
    ) -> RealBall:
        """A ball about the guess, made better by Newton's rule, at whose ends the loss is on both
        sides of the threshold.
        """
        first, second = sums

        def gap(x: RealBall) -> RealBall:
            return first.log(x) - second.log(x) - threshold

        x = real(guess)
        fine = real(2) ** (12 - current_bits())
        for _ in range(MOST_NEWTON):
            a, a_slope, _ = first.slopes(x)
            b, b_slope, _ = second.slopes(x)
            off = a.log() - b.log() - threshold
            slope = a_slope / a - b_slope / b
            if not slope > 0:
                break
            move = (off / slope).mid()
            x = (x - move).mid()
            if move * move <= fine:  # the next one would move by less than that
                break
        radius = fine
        for _ in range(60):
            around = radius * (1 + abs(x))
            if gap(x - around) < 0 < gap(x + around):
                return (x - around).union(x + around)
            radius = radius * 8
        return real(-math.inf).union(real(math.inf))
