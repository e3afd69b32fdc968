"""Which method answers: the dispatcher. It plans in doubles, and every method it may choose is certified."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from rdpacct.engine.apart import apart_curve
from rdpacct.engine.binomial import BinomialCurve
from rdpacct.engine.coarse import enough_epsilon
from rdpacct.engine.lattice import common_lattice, lattice_line
from rdpacct.engine.patterns import MOST_WORK, patterns_of, planned_work
from rdpacct.engine.quadrature import chernoff, line_of, log_moment, sum_at_least
from rdpacct.engine.smooth import smooth_line
from rdpacct.engine.terms import Terms
from rdpacct.engine.tilt import Place, Planner
from rdpacct.exact.ball import Ball, Raw
from rdpacct.exact.bound import Bound, End
from rdpacct.exact.invert import Curve, bracket
from rdpacct.exact.raw import error, real
from rdpacct.privacy.gaussian_curve import GaussianCurve
from rdpacct.privacy.transform import AtomsTransform, GaussianTransform

MOST_NODES, MANY_NODES = 300_000.0, 400
COARSE = 19.3
"""The accuracy in nats where the nodes are many."""
REUSE, REUSE_BITS = 1e-10, 33
"""How accurate an answer from nodes made ready for another point must be."""
ROUGH, SURELY, COARSE_NODES = 3.0, 0.05, 10_000.0
"""For a quadrature that only compares: its accuracy in nats, and from which planned distance it is tried."""
FEW_TERMS, EXACT_TERMS = 2000, 4000
"""Up to so many terms an exact sum is as fast as a lattice, and not much slower than a quadrature, but narrower."""
NODE_COST = 30.0
"""How many terms of a pattern take as long as one factor at one node, about."""


TWO_GRIDS = "two sums on grids (engine/connect-the-dots)"
Few: TypeAlias = Callable[[], Curve | None]
"""The two sums on grids that few releases have, or None if there are too many."""


@dataclass(frozen=True)
class Choice:
    """A method made ready near a point, what it is called, and where its search may start."""

    curve: Curve
    how: str
    start: float


class Unknown:
    """A profile of which nothing is known."""

    top = math.inf

    def planned_log(self, epsilon: float) -> tuple[float, float]:  # noqa: ARG002
        """Nothing to steer by."""
        return -math.inf, 0.0

    def enclosure(self, epsilon: Raw) -> Raw:  # noqa: ARG002
        """Every number."""
        return error(real(math.inf))


def curve_near_delta(terms: Terms, planner: Planner, log_delta: float, few: Few) -> Choice:
    """The method for epsilon(delta)."""
    closed = closed_curve(terms)
    if closed is not None:
        start = planner.chernoff_epsilon(log_delta)[0] if not math.isfinite(closed[0].top) else closed[0].top / 2
        return Choice(*closed, start)
    epsilon, tilt = planner.saddle_epsilon(log_delta)
    return _planned(terms, planner, epsilon, log_delta, tilt, few)


def curve_near_epsilon(terms: Terms, planner: Planner, epsilon: float, few: Few) -> Choice:
    """The method for delta(epsilon)."""
    closed = closed_curve(terms)
    if closed is not None:
        return Choice(*closed, epsilon)
    log_delta, tilt = planner.saddle_log_delta(epsilon)
    return _planned(terms, planner, epsilon, log_delta, tilt, few)


def _planned(terms: Terms, planner: Planner, epsilon: float, log_delta: float, tilt: float, few: Few) -> Choice:
    """The method near a point, or none if its plan leaves the range of doubles."""
    try:
        return curve_near(terms, planner, epsilon, log_delta, tilt, few)
    except (OverflowError, ValueError, ZeroDivisionError):
        return Choice(Unknown(), "no method reaches this point", epsilon)


def closed_curve(terms: Terms) -> tuple[Curve, str] | None:
    """A closed form, if there is one."""
    if len(terms.factors) != 1:
        return None
    [(transform, count)] = terms.factors
    if isinstance(transform, GaussianTransform):
        return GaussianCurve.of(transform), "closed form (gaussian/delta)"
    if isinstance(transform, AtomsTransform):
        binomial = BinomialCurve.of(transform, count)
        return None if binomial is None else (binomial, "exact sum over the draws (engine/binomial)")
    return None


def curve_near(terms: Terms, planner: Planner, epsilon: float, log_delta: float, tilt: float, few: Few) -> Choice:
    """The cheaper of the methods that apply near a point of the profile."""
    if terms.gridded and (grids := few()) is not None:
        return Choice(grids, TWO_GRIDS, epsilon)
    if (apart := apart_curve(terms, epsilon, log_delta)) is not None:
        return Choice(apart, "sum over the draws that had the record (sampling/gaussian-apart)", epsilon)
    work = planned_work(terms, epsilon)
    exact = work < MOST_WORK
    lattice = common_lattice(terms) if work > FEW_TERMS else None
    most = min(work / NODE_COST + len(terms.factors), MOST_NODES) if exact else MOST_NODES
    quick = exact and work < EXACT_TERMS
    plan = None if quick or lattice is not None else planner.tilt(epsilon, log_delta, tilt, most)
    if lattice is None and not quick and (plan.count > MANY_NODES if plan is not None else not exact):
        plan = planner.tilt(epsilon, log_delta, tilt, most, COARSE) or plan
    if plan is not None:
        return Choice(line_of(terms, plan), "certified quadrature (engine/quadrature)", epsilon)
    patterns = patterns_of(terms) if exact and lattice is None else None
    if patterns is not None:
        start = min(epsilon, patterns.top * 0.99 if patterns.top > 0 else epsilon)
        return Choice(patterns, "exact series over the draws (laplace/composition-series)", start)
    grids = few() if lattice is None else None
    if grids is not None:
        return Choice(grids, TWO_GRIDS, epsilon)
    place = planner.place(epsilon, log_delta, tilt) or Place(min(tilt, 1e6), None, 100 / min(tilt, 1e6), 30.0)
    if lattice is not None:
        found = lattice_line(terms, place, *lattice)
        if found is not None:
            return Choice(found, "certified quadrature on a lattice (engine/lattice)", epsilon)
    return Choice(
        smooth_line(terms, planner, place, epsilon), "certified smoothed quadrature (engine/smoothing)", epsilon
    )


class Answers:
    """The profile of a sum of finite losses: what was made ready for one question serves the next one near it."""

    def __init__(self, terms: Terms | None = None, few: Few = lambda: None) -> None:
        self.terms, self.few = terms, few
        self.planner = Planner(terms) if terms is not None else None
        self.last: Choice | None = None

    @property
    def bits(self) -> int:
        """The precision at which questions are answered."""
        return self.terms.bits() if self.terms is not None else 128

    def epsilon(self, delta: Raw) -> Bound:
        """The smallest epsilon >= 0 at which the finite losses have at most this delta."""
        if self.terms is None or self.planner is None or not self.terms.factors:
            return Bound.exactly(Fraction(0), "no finite loss")
        if self.last is not None:
            found = self._bracket(self.last, delta)
            if found.relative_width < REUSE:
                return found
        self.last = curve_near_delta(self.terms, self.planner, float(delta.log()), self.few)
        return self._bracket(self.last, delta)

    def near_one(self, epsilon: float) -> bool:
        """Whether delta(epsilon) may be near one: no Chernoff bound says otherwise, about."""
        if self.terms is None or self.planner is None or self.terms.gridded:
            return False
        return self.planner.chernoff_log_delta(epsilon)[0] > -0.01

    def enough(self, delta: Raw) -> End:
        """An epsilon that certainly suffices, by the largest loss or a Chernoff bound."""
        if self.terms is None or self.planner is None:
            return math.inf
        return enough_epsilon(self.terms, self.planner.chernoff_epsilon(float(delta.log()))[1], delta, self.bits)

    def most(self, epsilon: Fraction) -> Raw:
        """At least the part of delta(epsilon) that finite losses make, by a Chernoff bound alone."""
        if self.terms is None or self.planner is None or not self.terms.factors:
            return real(1)
        tilt = self.planner.chernoff_log_delta(float(epsilon))[1]
        second, log = log_moment(self.terms, tilt)
        found = chernoff(log, second, real(epsilon))
        return found if found <= 1 else real(1)

    def at_most(self, epsilon: Fraction, delta: Raw) -> bool:
        """Whether the largest loss or a Chernoff bound shows at once that delta(epsilon) is at most this."""
        if not delta >= 0:
            return False
        if self.terms is None or self.planner is None or not self.terms.factors:
            return True
        at, top = real(epsilon), self.terms.top()
        if top is not None and at >= top:
            return True
        if not delta > 0:
            return False
        wanted = float(delta.log())
        planned, tilt = self.planner.chernoff_log_delta(float(epsilon))
        if planned <= wanted - 0.01:
            second, log = log_moment(self.terms, tilt)
            return bool(chernoff(log, second, at) <= delta)
        return self._coarsely(at, delta, wanted)

    def _coarsely(self, epsilon: Raw, delta: Raw, wanted: float) -> bool:
        """Whether a quadrature that is just accurate enough for it shows that delta(epsilon) is at most this."""
        if self.terms is None or self.planner is None:
            return False
        planned, tilt = self.planner.saddle_log_delta(float(epsilon))
        if planned > wanted - SURELY:
            return False
        plan = self.planner.tilt(float(epsilon), planned, tilt, COARSE_NODES, ROUGH - math.log(wanted - planned))
        if plan is None:
            return False
        return bool(sum_at_least(line_of(self.terms, replace(plan, second=None)), epsilon) <= delta)

    def _bracket(self, choice: Choice, delta: Raw) -> Bound:
        if isinstance(choice.curve, BinomialCurve):
            found = choice.curve.invert(delta)
            if found is not None:
                bound = Ball(found, self.bits).bound(choice.how)
                return Bound(max(bound.lower, Fraction(0)), max(bound.upper, Fraction(0)), choice.how)
        low, high = bracket(choice.curve, delta, choice.start)
        if high <= 0 or (low <= 0 and choice.curve.enclosure(real(0)) <= delta):
            return Bound.exactly(Fraction(0), "delta(0) is small enough")
        return Bound(
            Fraction(low) if low > 0 else Fraction(0), Fraction(high) if math.isfinite(high) else math.inf, choice.how
        )

    def delta(self, epsilon: Fraction, mass: Raw) -> tuple[Raw, str]:
        """A ball for the part of delta that finite losses of this total mass have."""
        if self.terms is None:
            return real(0), "no finite loss"
        if self.planner is None or not self.terms.factors:
            return (mass * (1 - real(epsilon).exp())).max(real(0)), "no loss"
        at, top = real(epsilon), self.terms.top()
        if top is not None and at >= top:
            return real(0), "no loss exceeds epsilon"
        if self.last is not None:
            found = self._cut(self.last.curve.enclosure(at), mass)
            if found.rel_accuracy_bits() >= REUSE_BITS:
                return found, self.last.how
        self.last = curve_near_epsilon(self.terms, self.planner, float(epsilon), self.few)
        fresh = self._cut(self.last.curve.enclosure(at), mass)
        return fresh, self.last.how

    def _cut(self, found: Raw, mass: Raw) -> Raw:
        """The ball within what a share of a probability can be."""
        if not found.is_finite():
            return mass.union(real(0))
        return found.max(real(0)).min(mass)
