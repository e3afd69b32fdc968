"""Which method answers: the dispatcher. It plans in doubles, and every method it may choose is certified."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from rdpacct.engine.apart import apart_curve
from rdpacct.engine.atoms import atom_mixture, atom_sums, one_beside_atoms, planned_atoms
from rdpacct.engine.binomial import BinomialCurve
from rdpacct.engine.cells import cell_sums
from rdpacct.engine.coarse import enough_epsilon
from rdpacct.engine.lattice import common_lattice, lattice_line
from rdpacct.engine.patterns import MOST_WORK, patterns_of, planned_work
from rdpacct.engine.quadrature import chernoff, line_of, log_moment, sum_at_least
from rdpacct.engine.smooth import smooth_line, windowed_line
from rdpacct.engine.terms import Terms
from rdpacct.engine.tilt import ACCURACY, Place, Planner, Tilt
from rdpacct.exact.ball import Ball, Raw
from rdpacct.exact.bound import Bound, End
from rdpacct.exact.formula import Expr
from rdpacct.exact.invert import Curve, bracket, newton
from rdpacct.exact.raw import error, floor_log, real
from rdpacct.privacy.gaussian_curve import GaussianCurve
from rdpacct.privacy.transform import AtomsTransform, GaussianTransform

MOST_NODES, MANY_NODES = 300_000.0, 400
FEWER = 1.5
"""By how many nats less accurate an answer may be where the nodes are many."""
ROUGH, SURELY, COARSE_NODES = 3.0, 0.05, 10_000.0
"""For a quadrature that only compares: its accuracy in nats, and from which planned distance it is tried."""
FEW_TERMS, EXACT_TERMS = 2000, 4000
"""Up to so many terms an exact sum is as fast as a lattice, and not much slower than a quadrature, but narrower."""
NODE_COST = 30.0
"""How many terms of a pattern take as long as one factor at one node, about."""


HOW_MOMENTS = "a bound by moments (engine/chernoff)"
FEW_ATOMS, ATOM_WORK = 12_000, 2.0
"""So few atoms are fast; what one of them takes, about, in units of a closed form at a node."""
LITTLE_WORK, SMOOTH_WORK, MUCH_WORK = 20_000.0, 60_000.0, 1_000_000.0
"""For quadratures: how much is fast, how much is tried first where nothing is, and the most, in closed forms."""
SHARE = 2e-9
"""By which share of it a smoothing may change delta."""
ENOUGH_BITS, LEAST_ENOUGH = 22, 10
"""A method that is more accurate than this is not compared with others, unless a sharper one is wanted."""
SHARPER = 14.0
"""By how many nats a profile is sharper whose slopes are asked for."""
LOWER, FARTHER, MOST_PLANS = 1.0, 2.0, 6
"""From how many nats below a planned point, or before it, its methods are planned again, and how often at most."""
MANY_NATS = 60.0
"""Values that must be so sharp take longer."""
MOST_TRIED = 9
"""How many methods are tried in all."""
DEEPER = 20.0
"""How many nats deeper the third plan is where nothing but an upper end was found, and so on."""

QUADRATURE = "certified quadrature (engine/quadrature)"
ON_LATTICE = "certified quadrature on a lattice (engine/lattice)"
ATOM_BY_ATOM = "exact sums over the atoms (engine/atom-sums)"
SMOOTHED = "certified smoothed quadrature (engine/smoothing)"
Lattice: TypeAlias = tuple[Expr, Expr]
"""An origin and a spacing."""
CELLS = "two sums over cells (engine/connect-the-dots)"
TWO_GRIDS = "two sums on grids (engine/connect-the-dots)"
Few: TypeAlias = Callable[[], Curve | None]
"""The two sums on grids that few releases have, or None if there are too many."""


@dataclass(frozen=True)
class Choice:
    """A method made ready near a point, what it is called, and where its search may start."""

    curve: Curve
    name: str
    start: float

    @property
    def how(self) -> str:
        """What the method is called that answered last, if it is one of several."""
        return self.curve.how if isinstance(self.curve, Narrowest) else self.name


class Narrowest:
    """The first of several methods near a point, and the next ones where those before are too wide."""

    def __init__(self, point: "Point", methods: "Callable[[Point], Iterator[Choice]]") -> None:
        self.point, self.methods = point, methods
        self.more = methods(point)
        self.best = next(self.more)
        self.plans, self.tried = 1, 1

    @property
    def how(self) -> str:
        """The method that was the narrowest."""
        return self.best.name

    @property
    def top(self) -> float:
        """About the largest loss, as far as the method knows."""
        return self.best.curve.top

    def enclosure(self, epsilon: Raw) -> Raw:
        """A ball that contains delta(epsilon): of the first method that is narrow enough, or of the narrowest."""
        found = self.best.curve.enclosure(epsilon)
        while found.rel_accuracy_bits() < self.point.enough_bits and (choice := self._next(epsilon, found)) is not None:
            other = choice.curve.enclosure(epsilon)
            if other.rel_accuracy_bits() > found.rel_accuracy_bits():
                self.best, found = choice, other
        return found

    def _next(self, epsilon: Raw, found: Raw) -> Choice | None:
        """The next method; none if there is no other, or its plan leaves the range of doubles.

        Where the profile is far below the point that was planned for, all are planned again for a lower one.
        """
        most = floor_log(found.upper())
        if not self.point.given_height and most < self.point.log_delta - LOWER and self.plans < MOST_PLANS:
            deeper = 0.0 if found > 0 else DEEPER * (2 ** (self.plans - 1) - 1)
            self._plan(replace(self.point, epsilon=float(epsilon), log_delta=most - deeper))
        self.tried += 1
        if self.tried > MOST_TRIED:
            return None
        try:
            return next(self.more, None)
        except (OverflowError, ValueError, ZeroDivisionError):
            return None

    def _plan(self, point: "Point") -> None:
        self.point = point
        self.more = self.methods(point)
        self.plans += 1

    def moved(self, epsilon: float) -> bool:
        """Whether the methods are planned again, for a point at the same height so far before that they are poor."""
        if not (math.isfinite(epsilon) and (self.point.epsilon - epsilon) * self.point.tilt > FARTHER):
            return False
        self._plan(replace(self.point, epsilon=epsilon))
        try:
            self.best = next(self.more)
        except (OverflowError, ValueError, ZeroDivisionError):
            return False
        return True

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """By the narrowest method."""
        return self.best.curve.planned_log(epsilon)


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
    steep = max(1.0, tilt * epsilon)
    return _planned(terms, planner, Point(epsilon, log_delta, tilt, steep=steep, given_height=True), few)


def curve_near_epsilon(terms: Terms, planner: Planner, epsilon: float, few: Few, accuracy: float = ACCURACY) -> Choice:
    """The method for delta(epsilon)."""
    closed = closed_curve(terms)
    if closed is not None:
        return Choice(*closed, epsilon)
    log_delta, tilt = planner.saddle_log_delta(epsilon)
    return _planned(terms, planner, Point(epsilon, log_delta, tilt, accuracy), few)


def _planned(terms: Terms, planner: Planner, point: "Point", few: Few) -> Choice:
    """The method near a point, or none if its plan leaves the range of doubles."""
    try:
        return curve_near(terms, planner, point, few)
    except (OverflowError, ValueError, ZeroDivisionError):
        return Choice(Unknown(), "no method reaches this point", point.epsilon)


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


def curve_near(terms: Terms, planner: Planner, point: "Point", few: Few) -> Choice:
    """The methods that apply near a point of the profile, the first of which is likely to answer."""
    grids = few() if terms.gridded else None
    if grids is not None:
        return Choice(grids, TWO_GRIDS, point.epsilon)
    if (apart := apart_curve(terms, point.epsilon, point.log_delta)) is not None:
        return Choice(apart, "sum over the draws that had the record (sampling/gaussian-apart)", point.epsilon)
    curve = Narrowest(point, lambda other: _methods(terms, planner, other, few))
    return Choice(curve, curve.best.name, curve.best.start)


@dataclass(frozen=True)
class Point:
    """A point of a profile, about, the best tilt there, and the accuracy that is wanted in nats."""

    epsilon: float
    log_delta: float
    tilt: float
    accuracy: float = ACCURACY
    steep: float = 1.0
    """How many times as sharp as delta the answer is: for epsilon, about its elasticity."""
    given_height: bool = False
    """Whether delta is given, and epsilon is asked for."""

    @property
    def sharper(self) -> float:
        """By how many nats more than usual the profile is to be known."""
        return self.accuracy - ACCURACY

    @property
    def enough_bits(self) -> float:
        """From which accuracy on a method is not compared with others."""
        return max(ENOUGH_BITS + self.sharper - math.log2(self.steep), LEAST_ENOUGH)


def _methods(terms: Terms, planner: Planner, point: Point, few: Few) -> Iterator[Choice]:
    """All methods that apply, each made ready when it is its turn: first those that are likely to be fast."""
    epsilon = point.epsilon
    if one_beside_atoms(terms):
        place = planner.place(epsilon, point.log_delta, point.tilt, point.accuracy) or _any_place(point.tilt)
        mixture = atom_mixture(terms, place, LITTLE_WORK)
        if mixture is not None:
            yield Choice(mixture, ATOM_BY_ATOM, epsilon)
    work = planned_work(terms, epsilon)
    exact = work < MOST_WORK
    lattice = common_lattice(terms) if work > FEW_TERMS else None
    plan = None
    if lattice is None and not (exact and work < EXACT_TERMS):
        plan = _plan(terms, planner, point, work if exact else math.inf)
    if work == math.inf and (plan is None or plan.count > MANY_NODES):
        yield from _with_cells(terms, planner, point)
    if plan is not None and plan.count <= COARSE_NODES:
        yield Choice(line_of(terms, plan), QUADRATURE, epsilon)
    patterns = patterns_of(terms) if exact and lattice is None else None
    if patterns is not None:
        start = min(epsilon, patterns.top * 0.99 if patterns.top > 0 else epsilon)
        yield Choice(patterns, "exact series over the draws (laplace/composition-series)", start)
    place = planner.place(epsilon, point.log_delta, point.tilt, point.accuracy) or _any_place(point.tilt)
    yield from _with_atoms(terms, place, epsilon, lattice)
    if plan is not None and plan.count > COARSE_NODES:
        yield Choice(line_of(terms, plan), QUADRATURE, epsilon)
    grids = few() if lattice is None else None
    if grids is not None:
        yield Choice(grids, TWO_GRIDS, epsilon)
    yield from _slowly(terms, planner, place, point, lattice)


def _with_cells(terms: Terms, planner: Planner, point: Point) -> Iterator[Choice]:
    """One loss cut into cells beside others with a known profile, if there is such a one."""
    if terms.with_cells is None:
        return
    place = planner.place(point.epsilon, point.log_delta, point.tilt, point.accuracy) or _any_place(point.tilt)
    sums = cell_sums(terms, place, MOST_WORK)
    if sums is not None:
        yield Choice(sums, CELLS, point.epsilon)


def _plan(terms: Terms, planner: Planner, point: Point, work: float) -> Tilt | None:
    """A quadrature that is not slower than an exact sum of so many terms; a less accurate one if it has many nodes."""
    most = min(work / NODE_COST + len(terms.factors), MOST_NODES)
    at = (point.epsilon, point.log_delta, point.tilt, most)
    plan = planner.tilt(*at, point.accuracy)
    if plan.count > MANY_NODES if plan is not None else work == math.inf:
        plan = planner.tilt(*at, point.accuracy - FEWER) or plan
    return plan


def _any_place(tilt: float) -> Place:
    """A line for a point that no plan reaches."""
    tilt = min(tilt, 1e6)
    return Place(tilt, None, 100 / tilt, 30.0)


def _with_atoms(terms: Terms, place: Place, epsilon: float, lattice: Lattice | None) -> Iterator[Choice]:
    """The fast methods for losses on a lattice, or with few atoms."""
    atoms = planned_atoms(terms, place)
    if lattice is not None:
        line = lattice_line(terms, place, *lattice, most=min(ATOM_WORK * atoms, LITTLE_WORK))
        if line is not None:
            yield Choice(line, ON_LATTICE, epsilon)
    if atoms <= FEW_ATOMS:
        yield Choice(atom_sums(terms, place), ATOM_BY_ATOM, epsilon)
    mixture = atom_mixture(terms, place, MOST_WORK)
    if mixture is not None:
        yield Choice(mixture, ATOM_BY_ATOM, epsilon)


def _slowly(terms: Terms, planner: Planner, place: Place, point: Point, lattice: Lattice | None) -> Iterator[Choice]:
    """The methods for what is left: smoothed quadratures, many atoms, and many nodes."""
    epsilon, atoms = point.epsilon, planned_atoms(terms, place)
    share = SHARE * math.exp(-2 * point.sharper)
    stages = (SMOOTH_WORK, 4 * SMOOTH_WORK, MUCH_WORK)
    for work in stages[:2] if point.sharper > 0 or place.excess > MANY_NATS else stages:
        windows = windowed_line(terms, place, epsilon, share, work)
        if windows is not None:
            yield Choice(windows, SMOOTHED, epsilon)
        if FEW_ATOMS < atoms < math.inf and work == SMOOTH_WORK:
            yield Choice(atom_sums(terms, place), ATOM_BY_ATOM, epsilon)
        line = None if lattice is None else lattice_line(terms, place, *lattice, most=work)
        if line is not None:
            yield Choice(line, ON_LATTICE, epsilon)
        if windows is None:
            yield Choice(smooth_line(terms, planner, place, epsilon, work), SMOOTHED, epsilon)


class Answers:
    """The profile of a sum of finite losses. No answer depends on the questions before it."""

    def __init__(self, terms: Terms | None = None, few: Few = lambda: None) -> None:
        self.terms, self.few = terms, few
        self.planner = Planner(terms) if terms is not None else None

    @property
    def bits(self) -> int:
        """The precision at which questions are answered."""
        return self.terms.bits() if self.terms is not None else 128

    def epsilon(self, delta: Raw) -> Bound:
        """The smallest epsilon >= 0 at which the finite losses have at most this delta."""
        if self.terms is None or self.planner is None or not self.terms.factors:
            return Bound.exactly(Fraction(0), "no finite loss")
        if self.terms.last_tilt is not None:
            return Bound(Fraction(0), self.enough(delta), HOW_MOMENTS)
        choice = curve_near_delta(self.terms, self.planner, float(delta.log()), self.few)
        return self._bracket(choice, delta)

    def near_one(self, epsilon: float) -> bool:
        """Whether delta(epsilon) may be near one: no Chernoff bound says otherwise, about."""
        if self.terms is None or self.planner is None or self.terms.gridded or self.terms.last_tilt is not None:
            return False
        return self.planner.chernoff_log_delta(epsilon)[0] > -0.01

    def enough(self, delta: Raw) -> End:
        """An epsilon that certainly suffices, by the largest loss or a Chernoff bound."""
        if self.terms is None or self.planner is None:
            return math.inf
        tilt = self.planner.best_for_epsilon(float(delta.log()))
        return enough_epsilon(self.terms, tilt, delta, self.bits)

    def most(self, epsilon: Fraction) -> Raw:
        """At least the part of delta(epsilon) that finite losses make, by a Chernoff bound alone."""
        if self.terms is None or self.planner is None or not self.terms.factors:
            return real(1)
        tilt = self.planner.best_for_delta(float(epsilon))
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
        if self.terms.last_tilt is not None:
            return False
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
        low, high = bracket(choice.curve, delta, *self._near(choice, float(delta.log())))
        if high <= 0 or (low <= 0 and choice.curve.enclosure(real(0)) <= delta):
            return Bound.exactly(Fraction(0), "delta(0) is small enough")
        return Bound(
            Fraction(low) if low > 0 else Fraction(0), Fraction(high) if math.isfinite(high) else math.inf, choice.how
        )

    def _near(self, choice: Choice, log_delta: float) -> tuple[float, float]:
        """About where the profile passes a point, and its slope there; methods for another point are planned again."""
        guess, slope = newton(choice.curve, log_delta, choice.start)
        for _ in range(MOST_PLANS):
            if not (isinstance(choice.curve, Narrowest) and choice.curve.moved(guess)):
                break
            guess, slope = newton(choice.curve, log_delta, guess)
        return guess, slope

    def delta(self, epsilon: Fraction, mass: Raw) -> tuple[Raw, str]:
        """A ball for the part of delta that finite losses of this total mass have."""
        if self.terms is None:
            return real(0), "no finite loss"
        if self.planner is None or not self.terms.factors:
            return (mass * (1 - real(epsilon).exp())).max(real(0)), "no loss"
        at, top = real(epsilon), self.terms.top()
        if top is not None and at >= top:
            return real(0), "no loss exceeds epsilon"
        if self.terms.last_tilt is not None:
            return self._cut(self.most(epsilon).union(real(0)), mass), HOW_MOMENTS
        choice = curve_near_epsilon(self.terms, self.planner, float(epsilon), self.few)
        return self._cut(choice.curve.enclosure(at), mass), choice.how

    def sharply(self, epsilon: Fraction) -> Callable[[Fraction], Raw]:
        """The part of the profile that finite losses have, near a point, as sharply as little work allows."""
        terms, planner = self.terms, self.planner
        if terms is None or planner is None or not terms.factors:
            return lambda level: self.delta(level, real(1))[0]
        choice = curve_near_epsilon(terms, planner, float(epsilon), self.few, ACCURACY + SHARPER)
        top = terms.top()

        def profile(level: Fraction) -> Raw:
            at = real(level)
            return real(0) if top is not None and at >= top else self._cut(choice.curve.enclosure(at), real(1))

        return profile

    def _cut(self, found: Raw, mass: Raw) -> Raw:
        """The ball within what a share of a probability can be."""
        if not found.is_finite():
            return mass.union(real(0))
        return found.max(real(0)).min(mass)
