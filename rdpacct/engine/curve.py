"""Which method answers: the dispatcher.

It plans in doubles, and every method it may choose is certified.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from rdpacct.engine.apart import apart_curve
from rdpacct.engine.atoms import (
    atom_mixture,
    atom_sums,
    one_beside_atoms,
    planned_atoms,
)
from rdpacct.engine.cells import cell_sums
from rdpacct.engine.lattice import common_lattice, lattice_line
from rdpacct.engine.narrowest import (
    Choice,
    Method,
    Narrowest,
    Point,
    Unknown,
    next_method,
)
from rdpacct.engine.one_draw import one_draw
from rdpacct.engine.patterns import MOST_WORK, patterns_of, planned_work
from rdpacct.engine.quadrature import line_of
from rdpacct.engine.smooth import smooth_line, windowed_line
from rdpacct.engine.terms import Terms
from rdpacct.engine.tilt import ACCURACY, Place, Planner, Tilt
from rdpacct.exact.formula import Expr
from rdpacct.exact.invert import Curve
from rdpacct.privacy.closed_curve import ClosedCurve
from rdpacct.provenance import record

MOST_NODES, MANY_NODES, COARSE_NODES = 300_000.0, 400, 10_000.0
"""The most nodes; from how many on less accuracy will do; and up to how many a quadrature is
tried early.
"""
FEWER = 1.5
"""By how many nats less accurate an answer may be where the nodes are many."""
FEW_TERMS, EXACT_TERMS = 2000, 4000
"""Up to so many terms an exact sum is as fast as a lattice, and not much slower than a
quadrature, but narrower.
"""
NODE_COST = 30.0
"""How many terms of a pattern take as long as one factor at one node, about."""


FEW_ATOMS, ATOM_WORK = 12_000, 2.0
"""So few atoms are fast; what one of them takes, about, in units of a closed form at a node."""
LITTLE_WORK, SMOOTH_WORK, MUCH_WORK = 20_000.0, 60_000.0, 1_000_000.0
"""For quadratures: how much is fast, how much is tried first where nothing is, and the most, in
    closed forms.
"""
SHARE = 2e-9
"""By which share of it a smoothing may change delta."""
MANY_NATS = 60.0
"""Values that must be so sharp take longer."""

SERIES = "exact series over the draws (laplace/composition-series)"
SUM_OF_DRAWS = "exact sum over the draws"
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


def curve_near_delta(
    terms: Terms, planner: Planner, log_delta: float, few: Few
) -> Choice:
    """The method for epsilon(delta)."""
    closed = closed_curve(terms)
    if closed is not None:
        start = (
            planner.chernoff_epsilon(log_delta)[0]
            if not math.isfinite(closed[0].top)
            else closed[0].top / 2
        )
        return Choice(*closed, start)
    epsilon, tilt = planner.saddle_epsilon(log_delta)
    steep = max(1.0, tilt * epsilon)
    return _planned(
        terms,
        planner,
        Point(epsilon, log_delta, tilt, steep=steep, given_height=True),
        few,
    )


def curve_near_epsilon(
    terms: Terms, planner: Planner, epsilon: float, few: Few, accuracy: float = ACCURACY
) -> Choice:
    """The method for delta(epsilon)."""
    closed = closed_curve(terms)
    if closed is not None:
        return Choice(*closed, epsilon)
    log_delta, tilt = planner.saddle_log_delta(epsilon)
    return _planned(terms, planner, Point(epsilon, log_delta, tilt, accuracy), few)


def _planned(terms: Terms, planner: Planner, point: Point, few: Few) -> Choice:
    """The method near a point, or none if its plan leaves the range of doubles."""
    try:
        return curve_near(terms, planner, point, few)
    except (OverflowError, ValueError, ZeroDivisionError):
        return Choice(Unknown(), "no method reaches this point", point.epsilon)


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


def curve_near(terms: Terms, planner: Planner, point: Point, few: Few) -> Choice:
    """The methods that apply near a point of the profile, the first of which is likely to
    answer.
    """
    first = [partial(_grids, few, point.epsilon)] if terms.gridded else []
    alone = next_method(iter([*first, partial(_apart, terms, point)]))
    if alone is not None:
        record(alone.rests_on)
        return alone
    curve = Narrowest(point, lambda other: _methods(terms, planner, other, few))
    return Choice(curve, curve.best.name, curve.best.start)


def _methods(
    terms: Terms, planner: Planner, point: Point, few: Few
) -> Iterator[Method]:
    """All methods that apply, each made ready when it is its turn: first those that are likely
    to be fast.
    """
    epsilon = point.epsilon
    if one_beside_atoms(terms):
        place = _place(planner, point)
        yield partial(_mixture, terms, place, LITTLE_WORK, epsilon)
    work = planned_work(terms, epsilon)
    exact = work < MOST_WORK
    lattice = common_lattice(terms) if work > FEW_TERMS else None
    plan = None
    if lattice is None and not (exact and work < EXACT_TERMS):
        plan = _plan(terms, planner, point, work if exact else math.inf)
    if (
        work == math.inf
        and (plan is None or plan.count > MANY_NODES)
        and terms.with_cells is not None
    ):
        yield partial(_cells, terms, planner, point)
    if plan is not None and plan.count <= COARSE_NODES:
        yield partial(_quadrature, terms, plan, epsilon)
    if exact and lattice is None:
        yield partial(_patterns, terms, epsilon)
    place = _place(planner, point)
    yield from _with_atoms(terms, place, epsilon, lattice)
    if plan is not None and plan.count > COARSE_NODES:
        yield partial(_quadrature, terms, plan, epsilon)
    if lattice is None:
        yield partial(_grids, few, epsilon)
    yield from _slowly(terms, planner, place, point, lattice)


def _place(planner: Planner, point: Point) -> Place:
    """A line for a point, also where no plan reaches it."""
    found = planner.place(point.epsilon, point.log_delta, point.tilt, point.accuracy)
    if found is not None:
        return found
    tilt = min(point.tilt, 1e6)
    return Place(tilt, None, 100 / tilt, 30.0)


def _mixture(terms: Terms, place: Place, most: float, epsilon: float) -> Choice | None:
    mixture = atom_mixture(terms, place, most)
    if mixture is None:
        return None
    return Choice(mixture, ATOM_BY_ATOM, epsilon)


def _cells(terms: Terms, planner: Planner, point: Point) -> Choice | None:
    """One loss cut into cells beside others with a known profile, if there is such a one."""
    sums = cell_sums(terms, _place(planner, point), MOST_WORK)
    if sums is None:
        return None
    return Choice(sums, CELLS, point.epsilon)


def _quadrature(terms: Terms, plan: Tilt, epsilon: float) -> Choice:
    return Choice(line_of(terms, plan), QUADRATURE, epsilon, local=True)


def _patterns(terms: Terms, epsilon: float) -> Choice | None:
    patterns = patterns_of(terms)
    if patterns is None:
        return None
    start = min(epsilon, patterns.top * 0.99 if patterns.top > 0 else epsilon)
    return Choice(
        patterns, SERIES if patterns.count or patterns.power else SUM_OF_DRAWS, start
    )


def _apart(terms: Terms, point: Point) -> Choice | None:
    curve = apart_curve(terms, point.epsilon, point.log_delta, point.tilt)
    if curve is None:
        return None
    return Choice(curve, curve.name, point.epsilon)


def _grids(few: Few, epsilon: float) -> Choice | None:
    grids = few()
    if grids is None:
        return None
    return Choice(grids, TWO_GRIDS, epsilon)


def _plan(terms: Terms, planner: Planner, point: Point, work: float) -> Tilt | None:
    """A quadrature that is not slower than an exact sum of so many terms; a less accurate one if
    it has many nodes.
    """
    most = min(work / NODE_COST + len(terms.factors), MOST_NODES)
    at = (point.epsilon, point.log_delta, point.tilt, most)
    plan = planner.tilt(*at, point.accuracy)
    if plan.count > MANY_NODES if plan is not None else work == math.inf:
        plan = planner.tilt(*at, point.accuracy - FEWER) or plan
    return plan


def _with_atoms(
    terms: Terms, place: Place, epsilon: float, lattice: Lattice | None
) -> Iterator[Method]:
    """The fast methods for losses on a lattice, or with few atoms."""
    atoms = planned_atoms(terms, place)
    if lattice is not None:
        yield partial(
            _on_lattice,
            terms,
            place,
            lattice,
            epsilon,
            min(ATOM_WORK * atoms, LITTLE_WORK),
        )
    if atoms <= FEW_ATOMS:
        yield partial(_atom_sums, terms, place, epsilon)
    yield partial(_mixture, terms, place, MOST_WORK, epsilon)


def _on_lattice(
    terms: Terms, place: Place, lattice: Lattice, epsilon: float, most: float
) -> Choice | None:
    line = lattice_line(terms, place, *lattice, most=most)
    if line is None:
        return None
    return Choice(line, ON_LATTICE, epsilon, local=True)


def _atom_sums(terms: Terms, place: Place, epsilon: float) -> Choice:
    return Choice(atom_sums(terms, place), ATOM_BY_ATOM, epsilon)


def _slowly(
    terms: Terms, planner: Planner, place: Place, point: Point, lattice: Lattice | None
) -> Iterator[Method]:
    """The methods for what is left: smoothed quadratures, many atoms, and many nodes."""
    epsilon = point.epsilon
    atoms = planned_atoms(terms, place)
    share = SHARE * math.exp(-2 * point.sharper)
    stages = (SMOOTH_WORK, 4 * SMOOTH_WORK, MUCH_WORK)
    windows = Windows(terms, place, epsilon, share)
    least = 0.0
    for work in stages[:2] if point.sharper > 0 or place.excess > MANY_NATS else stages:
        yield partial(windows.choice, work)
        if FEW_ATOMS < atoms < math.inf and work == SMOOTH_WORK:
            yield partial(_atom_sums, terms, place, epsilon)
        if lattice is not None:
            yield partial(_on_lattice, terms, place, lattice, epsilon, work)
        if not windows.known:
            yield partial(_smoothed, terms, planner, place, epsilon, work, least)
        least = 2 * work


@dataclass
class Windows:
    """Smoothed quadratures without the nodes at which the transform is small."""

    terms: Terms
    place: Place
    epsilon: float
    share: float
    known: bool = True
    """Whether such nodes are known, as far as was looked."""

    def choice(self, work: float) -> Choice | None:
        """The two quadratures, if such nodes are known."""
        line = windowed_line(self.terms, self.place, self.epsilon, self.share, work)
        self.known = line is not None
        if line is None:
            return None
        return Choice(line, SMOOTHED, self.epsilon, local=True)


def _smoothed(
    terms: Terms,
    planner: Planner,
    place: Place,
    epsilon: float,
    work: float,
    least: float,
) -> Choice | None:
    line = smooth_line(terms, planner, place, epsilon, work, least)
    if line is None:
        return None
    return Choice(line, SMOOTHED, epsilon, local=True)
