"""Which method answers: the dispatcher.

It plans in doubles, and every method it may choose is certified.
"""

import math
from collections.abc import Iterable, Iterator
from functools import partial

from rdpacct.composition.methods import ALONE, METHODS, Method
from rdpacct.composition.narrowest import (
    Choice,
    Narrowest,
    OneOfSeveral,
    Point,
    Ready,
    Unknown,
    next_method,
)
from rdpacct.composition.one_draw import one_draw
from rdpacct.composition.setting import Few, Setting
from rdpacct.composition.terms import Terms
from rdpacct.composition.tilt import ACCURACY, Planner
from rdpacct.privacy.closed_curve import ClosedCurve
from rdpacct.provenance import record


def curve_near_delta(
    terms: Terms, planner: Planner, log_delta: float, few: Few
) -> Choice:
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
        return _closed(closed, epsilon)
    log_delta, tilt = planner.saddle_log_delta(epsilon)
    return _planned(terms, planner, Point(epsilon, log_delta, tilt, accuracy), few)


def _closed(closed: ClosedCurve, start: float) -> Choice:
    return Choice(closed.curve, closed.name, start, inverse=closed.inverse)


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

    def ready(rows: Iterable[Method], at: Point) -> Iterator[Ready]:
        """The methods of a table near a point, each made ready when it is its turn."""
        setting = Setting(terms, planner, at, few)
        for method in rows:
            if method.worth_trying(setting):
                yield partial(method.answer, setting, method)

    alone = next_method(ready(ALONE, point))
    if alone is not None:
        record(alone.rests_on)
        return alone
    curve = Narrowest(point, partial(ready, METHODS))
    return OneOfSeveral(curve, curve.best.name, curve.best.start)
