"""The profile of a sum of finite losses, at an epsilon or a delta, by the method that is narrow
there.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from rdpacct.composition.ends.moments import enough_epsilon
from rdpacct.composition.exact_sums.one_draw import one_draw
from rdpacct.composition.methods import ALONE, METHODS, ready
from rdpacct.composition.narrowest import (
    MOST_PLANS,
    Narrowest,
    NothingKnown,
    OneOfSeveral,
    Point,
    PreparedMethod,
    Ready,
    next_method,
)
from rdpacct.composition.quadrature.tilt import ACCURACY, Planner
from rdpacct.composition.quadrature.vertical_line import (
    chernoff,
    line_of,
    log_moment,
    sum_at_least,
)
from rdpacct.composition.setting import COARSE_NODES, NOTHING_DRAWN, Few, Setting
from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import Ball, RealBall
from rdpacct.exact.bound import Bound, End
from rdpacct.exact.invert import crossing, newton
from rdpacct.exact.raw import real
from rdpacct.privacy.closed_curve import ClosedCurve
from rdpacct.provenance import NO_THEOREMS, record
from rdpacct.work import Exhausted

FAR = 1e5
"""For losses beyond this no other plan is looked for; moments and the largest loss answer there."""
ROUGH, SURELY = 3.0, 0.05
"""For a quadrature that only compares: its accuracy in nats, and how many nats below the target
delta must be planned before it is tried.
"""
FAR_BELOW, NOT_SO_FAR = 40.0, 10.0
"""If a Chernoff bound is this many nats below a delta, a smaller tilt is taken, whose bound is
still the second number of nats below it.
"""
MORE_BITS = 12
"""How much more precision an answer has than the nodes of a line: exact sums keep it."""
SHARPER = 14.0
"""Slopes of a profile are taken from values that are this many nats more accurate."""
HOW_MOMENTS = "a bound by moments (engine/chernoff)"
NOTHING_FITS = "no method that fits into the work of one answer"


class Found(NamedTuple):
    """An epsilon, and whether its lower end also holds for the losses themselves where others
    dominate them.
    """

    bound: Bound
    attained: bool = False
    below: frozenset[str] = NO_THEOREMS
    """What the lower end rests on, where closer ends are looked for."""
    above: frozenset[str] = NO_THEOREMS
    """The same for the upper end."""

    def resting_on(self, used: Iterable[str]) -> "Found":
        """The same, both ends of which rest on these theorems."""
        both = frozenset(used)
        return self._replace(below=both, above=both)

    def recorded(self) -> Bound:
        """The bound, with what its two ends rest on added to the record; nothing is needed to
        know that a delta or an epsilon is at least 0.
        """
        record(self.above)
        if self.bound.lower != 0:
            record(self.below)
        return self.bound


class FoundBall(NamedTuple):
    """A ball for a part of delta, how it was found, and whether its lower end also holds for the
    losses themselves.
    """

    ball: RealBall
    how: str
    attained: bool = False


class Answers:
    """The profile of a sum of finite losses. No answer depends on the questions before it."""

    def __init__(self, terms: Terms | None = None, few: Few = NOTHING_DRAWN) -> None:
        self.terms = terms
        self.few = few
        self.planner = Planner(terms) if terms is not None else None

    @property
    def bits(self) -> int:
        """The precision at which questions are answered."""
        if self.terms is not None:
            return self.terms.bits() + MORE_BITS
        return 128

    def epsilon(self, delta: RealBall) -> Found:
        """The smallest epsilon >= 0 at which the finite losses have at most this delta."""
        if self.terms is None or self.planner is None or not self.terms.factors:
            return Found(Bound.exactly(Fraction(0), "no finite loss"))
        if self.terms.last_tilt is not None:
            return Found(Bound(Fraction(0), self.enough(delta), HOW_MOMENTS))
        try:
            log_delta = float(delta.log())
            prepared = curve_near_delta(self.terms, self.planner, log_delta, self.few)
            return self._bracket(prepared, delta, log_delta)
        except Exhausted:
            return Found(Bound(Fraction(0), math.inf, NOTHING_FITS))

    def near_one(self, epsilon: float) -> bool:
        """Whether delta(epsilon) may be near one: no Chernoff bound says otherwise, about."""
        if (
            self.terms is None
            or self.planner is None
            or self.terms.gridded
            or self.terms.last_tilt is not None
        ):
            return False
        try:
            return self.planner.chernoff_log_delta(epsilon)[0] > -0.01
        except Exhausted:
            return False

    def enough(self, delta: RealBall) -> End:
        """An epsilon that certainly suffices, by the largest loss or a Chernoff bound."""
        if self.terms is None or self.planner is None:
            return math.inf
        try:
            return min(
                enough_epsilon(self.terms, tilt, delta, self.bits)
                for tilt in self.planner.tilts_for_epsilon(float(delta.log()))
            )
        except Exhausted:
            return math.inf

    def most(self, epsilon: Fraction) -> RealBall:
        """At least the part of delta(epsilon) that finite losses make, by a Chernoff bound
        alone.
        """
        if self.terms is None or self.planner is None or not self.terms.factors:
            return real(1)
        try:
            tilts = self.planner.tilts_for_delta(float(epsilon))
            moments = [log_moment(self.terms, tilt) for tilt in tilts]
        except Exhausted:
            return real(1)
        most = real(1)
        for tilt, log in moments:
            bound = chernoff(log, tilt, real(epsilon))
            if bound.upper() < most.upper():
                most = bound
        return most

    def at_most(self, epsilon: Fraction, delta: RealBall) -> bool:
        """Whether the largest loss or a Chernoff bound shows at once that delta(epsilon) is at most
        this.
        """
        if not delta >= 0:
            return False
        if self.terms is None or self.planner is None or not self.terms.factors:
            return True
        at = real(epsilon)
        top = self.terms.top()
        if top is not None and at >= top:
            return True
        if not delta > 0:
            return False
        wanted = float(delta.log())
        planned, tilt = self.planner.chernoff_log_delta(float(epsilon))
        if planned <= wanted - 0.01:
            if planned <= wanted - FAR_BELOW:
                close = wanted - NOT_SO_FAR
                tilt = self.planner.smaller_tilt(float(epsilon), close, tilt)
            second, log = log_moment(self.terms, tilt)
            return bool(chernoff(log, second, at) <= delta)
        if self.terms.last_tilt is not None:
            return False
        return self._coarsely(at, delta, wanted)

    def _coarsely(self, epsilon: RealBall, delta: RealBall, wanted: float) -> bool:
        """Whether a quadrature that is just accurate enough for it shows that delta(epsilon) is at
        most this.
        """
        if self.terms is None or self.planner is None or not self.terms.has_nodes:
            return False
        planned, tilt = self.planner.saddle_log_delta(float(epsilon))
        if planned > wanted - SURELY:
            return False
        plan = self.planner.tilt(
            float(epsilon),
            planned,
            tilt,
            COARSE_NODES,
            ROUGH - math.log(wanted - planned),
        )
        if plan is None:
            return False
        return bool(
            sum_at_least(line_of(self.terms, replace(plan, second=None)), epsilon)
            <= delta
        )

    def _bracket(
        self, prepared: PreparedMethod, delta: RealBall, log_delta: float
    ) -> Found:
        if prepared.inverse is not None:
            epsilon = prepared.inverse(delta)
            if epsilon is not None:
                bound = Ball(epsilon, self.bits).bound()
                low_end = max(bound.lower, Fraction(0))
                high_end = max(bound.upper, Fraction(0))
                return Found(Bound(low_end, high_end, prepared.name))
        near = self._near(prepared, log_delta)
        low, high = crossing(prepared.curve, delta, log_delta, *near)
        if high <= 0 or (low <= 0 and prepared.curve.enclosure(real(0)) <= delta):
            return Found(Bound.exactly(Fraction(0), "delta(0) is small enough"))
        ends = Bound(
            Fraction(low) if low > 0 else Fraction(0),
            Fraction(high) if math.isfinite(high) else math.inf,
            prepared.answering.name,
        )
        return Found(ends, prepared.answering.attained)

    def _near(self, prepared: PreparedMethod, log_delta: float) -> tuple[float, float]:
        """About where the profile passes a point, and its slope there; methods for another point
        are planned again.
        """
        guess, slope = newton(prepared.curve, log_delta, prepared.start)
        if self.terms is not None and FAR < self.terms.planned_top < math.inf:
            return guess, slope
        for _ in range(MOST_PLANS):
            if not prepared.moved(guess):
                break
            guess, slope = newton(prepared.curve, log_delta, guess)
        return guess, slope

    def delta(self, epsilon: Fraction, mass: RealBall) -> FoundBall:
        """A ball for the part of delta that finite losses of this total mass have."""
        if self.terms is None:
            return FoundBall(real(0), "no finite loss")
        if self.planner is None or not self.terms.factors:
            without_loss = (mass * (1 - real(epsilon).exp())).max(real(0))
            return FoundBall(without_loss, "no loss")
        at = real(epsilon)
        if self.terms.last_tilt is not None:
            below_most = self.most(epsilon).union(real(0))
            return FoundBall(self._cut(below_most, mass), HOW_MOMENTS)
        try:
            top = self.terms.top()
            if top is not None and at >= top:
                return FoundBall(real(0), "no loss exceeds epsilon")
            prepared = curve_near_epsilon(
                self.terms, self.planner, float(epsilon), self.few
            )
            enclosure = self._cut(prepared.curve.enclosure(at), mass)
            return FoundBall(
                enclosure, prepared.answering.name, prepared.answering.attained
            )
        except Exhausted:
            return FoundBall(mass.union(real(0)), NOTHING_FITS)

    @property
    def has_nodes(self) -> bool:
        """Whether there are finite losses whose transforms are known everywhere."""
        return (
            self.terms is not None
            and bool(self.terms.factors)
            and self.terms.has_nodes
            and self.terms.last_tilt is None
        )

    def near(self, epsilon: float) -> PreparedMethod:
        """The method near an epsilon, made ready, for sums that have nodes."""
        if self.terms is None or self.planner is None:
            return PreparedMethod(NothingKnown(), NOTHING_FITS, epsilon)
        return curve_near_epsilon(self.terms, self.planner, epsilon, self.few)

    def sharply(self, epsilon: Fraction) -> Callable[[Fraction], RealBall]:
        """The part of the profile that finite losses have, near a point, as sharply as little work
        allows.
        """
        terms = self.terms
        planner = self.planner
        if terms is None or planner is None or not terms.factors:
            return lambda level: self.delta(level, real(1)).ball
        prepared = curve_near_epsilon(
            terms, planner, float(epsilon), self.few, ACCURACY + SHARPER
        )
        top = terms.top()

        def profile(level: Fraction) -> RealBall:
            at = real(level)
            if top is not None and at >= top:
                return real(0)
            return self._cut(prepared.curve.enclosure(at), real(1))

        return profile

    def _cut(self, enclosure: RealBall, mass: RealBall) -> RealBall:
        """The ball within what a share of a probability can be."""
        if not enclosure.is_finite():
            return mass.union(real(0))
        return enclosure.max(real(0)).min(mass)


def curve_near_delta(
    terms: Terms, planner: Planner, log_delta: float, few: Few
) -> PreparedMethod:
    """The method for epsilon(delta)."""
    closed = closed_curve(terms)
    if closed is not None:
        start = (
            planner.chernoff_epsilon(log_delta)[0]
            if not math.isfinite(closed.curve.top)
            else closed.curve.top / 2
        )
        return _closed(closed, start)
    epsilon, tilt = planner.saddle_epsilon(log_delta)
    return _planned(terms, planner, Point.of_delta(log_delta, epsilon, tilt), few)


def curve_near_epsilon(
    terms: Terms, planner: Planner, epsilon: float, few: Few, accuracy: float = ACCURACY
) -> PreparedMethod:
    """The method for delta(epsilon)."""
    closed = closed_curve(terms)
    if closed is not None:
        return _closed(closed, epsilon)
    log_delta, tilt = planner.saddle_log_delta(epsilon)
    return _planned(terms, planner, Point(epsilon, log_delta, tilt, accuracy), few)


def _closed(closed: ClosedCurve, start: float) -> PreparedMethod:
    return PreparedMethod(closed.curve, closed.name, start, inverse=closed.inverse)


def _planned(terms: Terms, planner: Planner, point: Point, few: Few) -> PreparedMethod:
    """The method near a point, or none if its plan leaves the range of doubles."""
    try:
        return curve_near(terms, planner, point, few)
    except (OverflowError, ValueError, ZeroDivisionError):
        return PreparedMethod(
            NothingKnown(), "no method reaches this point", point.epsilon
        )


def closed_curve(terms: Terms) -> ClosedCurve | None:
    """A closed form, if there is one."""
    if len(terms.factors) != 1:
        return None
    [(transform, count)] = terms.factors
    closed = transform.closed_curve(count)
    if closed is not None:
        return closed
    alone = one_draw(terms)
    return None if alone is None else ClosedCurve(alone, "closed form")


def curve_near(
    terms: Terms, planner: Planner, point: Point, few: Few
) -> PreparedMethod:
    """The methods that apply near a point of the profile, the first of which is likely to
    answer.
    """
    here = Setting(terms, planner, point, few)
    alone = next_method(ready(ALONE, here))
    if alone is not None:
        record(alone.rests_on)
        return alone

    def methods(at: Point) -> Iterator[Ready]:
        setting = here if at is point else Setting(terms, planner, at, few)
        return ready(METHODS, setting)

    curve = Narrowest(point, methods)
    return OneOfSeveral(curve, curve.best.name, curve.best.start)
