"""Sums of losses beside a ramp: upper ends for releases of which a smaller pair dominates there.

With the event E of the ramp, of the probabilities p and q, delta(epsilon) is at most 1/p times the
delta of the sum and the ramp at epsilon + log(p/q), since it is p times that of the sum on E alone.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.composition.answers import Answers
from rdpacct.composition.draws import Draw
from rdpacct.composition.ends.ramp import ramp, ramp_event
from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.bound import Bound
from rdpacct.exact.number import near_double
from rdpacct.exact.raw import real
from rdpacct.privacy.constants import value
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import attempt, by, record
from rdpacct.work import Exhausted

HOW = "a sum beside a ramp (composition/ramp)"
FEWEST = 32
"""Fewer releases are close to the folded pair, and take long beside a ramp."""
SHARES = 1024
"""The ramp is cut into this many parts; the event is a whole number of them."""


@dataclass(frozen=True)
class BesideRamp:
    """A sum in which some releases have their smaller pairs, and the ramp."""

    answers: Answers
    rests_on: frozenset[str]

    @classmethod
    def of(cls, draws: Sequence[Draw]) -> "BesideRamp | None":
        """The sum for these draws; None if no release has a smaller pair, or they are few, or some
        law is only known on a grid.
        """
        if not any(direction.beside_ramp for direction, _, _ in draws):
            return None
        if sum(count for _, _, count in draws) < FEWEST:
            return None
        ends = [_smaller(direction) for direction, _, _ in draws]
        chosen = [(end, count) for end, (_, _, count) in zip(ends, draws, strict=True)]
        last = ramp()
        factors = []
        for direction, count in [*chosen, (last, 1)]:
            transform = direction.transform
            if transform is None or transform.gridded:
                return None
            factors.append((transform, count))
        grounds = frozenset[str]().union(*(end.rests_on for end in (*ends, last)))
        return cls(Answers(Terms.of(factors)), grounds)

    def delta(self, bound: Bound, level: Fraction, infinite: RealBall) -> Bound:
        """An answer for delta, with an upper end that is at most that of the sum beside the
        ramp.
        """
        try:
            with attempt() as used, precision(self.answers.bits):
                part = self._part(self._tilt_at(near_double(level)))
                p, q = map(value, ramp_event(part))
                moved = without_ramp_level(real(level), p, q)
                at = Fraction(Ball(moved, self.answers.bits).lower())
                delta = self.answers.delta(at, 1 - infinite).ball + infinite
                upper = Ball(without_ramp(delta, p), self.answers.bits).upper()
        except Exhausted:
            return bound
        return self._at_most(bound, Fraction(upper), used)

    def epsilon(self, bound: Bound, target: Fraction, infinite: RealBall) -> Bound:
        """An answer for epsilon, with an upper end at most that of the sum beside the ramp."""
        try:
            with attempt() as used, precision(self.answers.bits):
                part = self._part(self._tilt_for(target))
                p, q = map(value, ramp_event(part))
                left = real(target) * p - infinite
                if not left > 0:
                    return bound
                epsilon = self.answers.epsilon(real(left.lower())).bound.upper
                if not isinstance(epsilon, Fraction):
                    return bound
                moved = real(epsilon) - without_ramp_level(real(0), p, q)
                upper = Fraction(Ball(moved, self.answers.bits).upper())
        except Exhausted:
            return bound
        return self._at_most(bound, max(upper, Fraction(0)), used)

    def _at_most(self, bound: Bound, upper: Fraction, used: set[str]) -> Bound:
        if upper >= bound.upper:
            return bound
        record(used | self.rests_on)
        return Bound(bound.lower, max(upper, Fraction(bound.lower)), HOW)

    def _tilt_at(self, epsilon: float) -> float:
        """How fast delta falls at an epsilon, about."""
        planner = self.answers.planner
        if planner is None:
            return 1.0
        return planner.saddle_log_delta(epsilon + math.log(2))[1]

    def _tilt_for(self, delta: Fraction) -> float:
        """How fast it falls where it is delta, about."""
        planner = self.answers.planner
        if planner is None:
            return 1.0
        return planner.saddle_epsilon(float(real(delta).log()))[1]

    @staticmethod
    def _part(tilt: float) -> Fraction:
        """The part of the ramp that is best for a delta that falls so fast, about."""
        part = round(SHARES / (tilt + 1))
        return Fraction(min(max(part, 1), SHARES // 2), SHARES)


def _smaller(direction: Direction) -> Direction:
    return direction.beside_ramp or direction


@by("composition/ramp")
def without_ramp(delta: RealBall, p: RealBall) -> RealBall:
    """At least the delta of a sum, from that of the sum and the ramp at the moved level."""
    return delta / p


@by("composition/ramp")
def without_ramp_level(epsilon: RealBall, p: RealBall, q: RealBall) -> RealBall:
    """The level at which the sum and the ramp are asked."""
    return epsilon + (p / q).log()
