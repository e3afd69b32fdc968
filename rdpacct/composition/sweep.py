"""The profile of a sum at many points: nodes that were planned for one point answer for others as
well, where they are narrow.

Every answer is an enclosure on its own. Which nodes it comes from decides about time and width
only.
"""

from collections.abc import Sequence
from fractions import Fraction

from rdpacct.composition.added_loss import ball_of
from rdpacct.composition.composed_loss import ComposedLoss
from rdpacct.composition.narrowest import PreparedMethod, evaluated
from rdpacct.composition.slopes import chord, under_p
from rdpacct.exact.ball import Ball, precision
from rdpacct.exact.bound import Bound
from rdpacct.exact.number import near_double
from rdpacct.exact.raw import real
from rdpacct.privacy.many_tradeoffs import ManyTradeoffs
from rdpacct.provenance import Asked, record
from rdpacct.work import Exhausted

ENOUGH_BITS = 22
"""Nodes that are less accurate than this at a point are planned again for it."""
MOST_READY = 64
"""How many sets of nodes are kept."""
GAP, SLOPE_BITS = Fraction(1, 2**13), 192
"""How far apart the points of a slope are, and the precision of the slopes."""
NEARLY = Fraction(1, 2**30)
"""Probabilities that are this near to 0 or 1 are not told apart from them in a curve."""
HOW_TAIL = "slopes of the profile (engine/event-probabilities)"


class Sweep(Asked, questions=("delta", "tail")):
    """The profile and the trade-off function of one sum, for many questions in a row."""

    def __init__(self, loss: ComposedLoss) -> None:
        self.loss = loss
        self.ready: list[tuple[Fraction, PreparedMethod]] = []
        self.known: dict[Fraction, Bound] = {}
        self.tests = ManyTradeoffs(self.missed, loss.rests_on)

    def delta(self, level: Fraction) -> Bound:
        """The smallest delta at an epsilon."""
        known = self.known.get(level)
        if known is None:
            known = self._shared(level) or self.loss.delta(level)
            self.known[level] = known
        record(known.rests_on)
        return known

    def tradeoffs(self, rates: Sequence[Fraction]) -> list[Bound]:
        """The smallest false negative rates at false positive rates above 0 and below 1."""
        if self.loss.below:
            return self.loss.tradeoffs(rates)
        return self.tests.each(rates)

    def tails(self, levels: Sequence[Fraction]) -> list[Bound]:
        """The probabilities of losses above each of some levels; they fall, so that beyond one
        that is nearly 0 or 1 all are.
        """
        known: dict[Fraction, Bound] = {}
        last: Bound | None = None
        for level in sorted(each for each in levels if each >= 0):
            if last is None or last.upper > NEARLY:
                last = self.tail(level)
                known[level] = last
            else:
                known[level] = Bound(Fraction(0), last.upper, HOW_TAIL, last.rests_on)
        last = None
        for level in sorted((each for each in levels if each < 0), reverse=True):
            if last is None or 1 - last.lower > NEARLY:
                last = self.tail(level)
                known[level] = last
            else:
                known[level] = Bound(last.lower, Fraction(1), HOW_TAIL, last.rests_on)
        return [known[level] for level in levels]

    def tail(self, level: Fraction) -> Bound:
        """The probability of a loss above a level, from slopes of the profile just before and
        after it: sharp enough for a curve.
        """
        near = [level + step * GAP for step in (-1, 0, 1)]
        deltas = [ball_of(self.delta(each)) for each in near]
        growth = [Ball.of(each, SLOPE_BITS).exp() for each in near]
        most = chord(deltas[0], deltas[1], growth[0], growth[1]).bound().upper
        least = chord(deltas[1], deltas[2], growth[1], growth[2]).bound().lower
        low = Fraction(max(least, Fraction(0)))
        high = Fraction(min(most, Fraction(1)))
        under_q = Ball.hull(low, high, SLOPE_BITS)
        bound = under_p(deltas[1], growth[1], under_q).bound()
        lower = min(max(bound.lower, Fraction(0)), Fraction(1))
        upper = max(lower, min(bound.upper, Fraction(1)))
        return Bound(lower, upper, HOW_TAIL)

    def missed(self, level: Fraction) -> Ball:
        """1 - delta(epsilon)."""
        return 1 - ball_of(self.delta(level))

    def _shared(self, level: Fraction) -> Bound | None:
        """The answer of the nearest nodes, or of new ones; None if both are too wide."""
        if not self.loss.is_plain or self._is_beyond(level):
            return None
        with precision(self.loss.answers.bits):
            nearest = min(
                self.ready, key=lambda ready: abs(ready[0] - level), default=None
            )
            if nearest is not None:
                bound = self._by(nearest[1], level)
                if bound is not None:
                    return bound
            try:
                prepared = self.loss.answers.near(near_double(level))
            except Exhausted:
                return None
            self.ready = [*self.ready[1 - MOST_READY :], (level, prepared)]
            return self._by(prepared, level)

    def _is_beyond(self, level: Fraction) -> bool:
        """Whether no finite loss exceeds a level, so that its answer needs no nodes."""
        terms = self.loss.answers.terms
        if terms is None:
            return False
        with precision(self.loss.answers.bits):
            top = terms.top()
            return top is not None and bool(real(level) >= top)

    def _by(self, prepared: PreparedMethod, level: Fraction) -> Bound | None:
        """The answer from these nodes; None if it is too wide."""
        ball, used = evaluated(prepared.answering, real(level))
        if ball.rel_accuracy_bits() < ENOUGH_BITS:
            return None
        bound = self.loss.with_infinite(ball, prepared.answering.name)
        return bound.resting_on(used | self.loss.rests_on)
