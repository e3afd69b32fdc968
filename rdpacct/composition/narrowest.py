"""Several methods near one point of a profile: the first, and the next ones where those before are
too wide.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from rdpacct.composition.quadrature.tilt import ACCURACY
from rdpacct.composition.terms import MOST_NATS
from rdpacct.exact.ball import RealBall
from rdpacct.exact.invert import Curve
from rdpacct.exact.raw import error, floor_log, real
from rdpacct.privacy.closed_curve import Inverse
from rdpacct.provenance import attempt, record
from rdpacct.work import Exhausted

ENOUGH_BITS, LEAST_ENOUGH = 22, 10
"""A method that is more accurate than this is not compared with others, unless a sharper one is
wanted.
"""
MOST_TRIED = 9
"""How many methods are tried in all."""
DEEPER = 20.0
"""How many nats lower the third plan reaches where only an upper end was found; later ones reach
further.
"""
LOWER, FARTHER, MOST_PLANS = 1.0, 2.0, 6
"""If the profile is this many nats lower than planned, or a point this many nats before the planned
one, its methods are planned again, at most the last number of times.
"""


class Point(NamedTuple):
    """A point of a profile, about, the best tilt there, and the accuracy that is wanted in nats."""

    epsilon: float
    log_delta: float
    tilt: float
    accuracy: float = ACCURACY
    steep: float = 1.0
    """How many times as sharp as delta the answer is: for epsilon, about its elasticity."""
    given_height: bool = False
    """Whether delta is given, and epsilon is asked for."""

    @classmethod
    def of_delta(cls, log_delta: float, epsilon: float, tilt: float) -> "Point":
        """The point of a given delta, whose epsilon is planned."""
        steep = max(1.0, tilt * epsilon)
        return cls(epsilon, log_delta, tilt, steep=steep, given_height=True)

    @property
    def sharper(self) -> float:
        """By how many nats more than usual the profile is to be known."""
        return self.accuracy - ACCURACY

    @property
    def enough_bits(self) -> float:
        """The accuracy above which a method is not compared with others."""
        return max(ENOUGH_BITS + self.sharper - math.log2(self.steep), LEAST_ENOUGH)


@dataclass(eq=False)
class PreparedMethod:
    """A prepared method: its curve, its name, where its search may start, and what it rests on."""

    curve: Curve
    name: str
    start: float
    local: bool = False
    """Whether it is sharp only near the point that it was planned for."""
    attained: bool = False
    """Whether its lower end also holds for the losses themselves, where the transforms are of
    losses that dominate them.
    """
    inverse: Inverse | None = None
    """The epsilon of a delta in closed form, if there is one."""
    fewer_bits: int = 0
    """How many bits less accurate it may be, if others are not likely to be narrower."""
    rests_on: frozenset[str] = frozenset()

    @property
    def answering(self) -> "PreparedMethod":
        """The method itself that answers."""
        return self

    def moved(self, epsilon: float) -> bool:  # noqa: ARG002
        """Whether it is planned again, for a point that is far from the planned one."""
        return False


@dataclass(eq=False)
class OneOfSeveral(PreparedMethod):
    """Several methods, of which the narrowest answers."""

    curve: "Narrowest"

    @property
    def answering(self) -> PreparedMethod:
        return self.curve.best

    def moved(self, epsilon: float) -> bool:
        return self.curve.moved(epsilon)


Ready: TypeAlias = Callable[[], PreparedMethod | None]
"""Makes a method ready near a point; None if it does not apply there."""


class Narrowest:
    """The first of several methods near a point, and the next ones where those before are too
    wide.
    """

    plans = 1
    """How often the methods were planned."""
    tried = 1
    """How many methods were made ready."""

    def __init__(
        self, point: Point, methods: Callable[[Point], Iterator[Ready]]
    ) -> None:
        self.point = point
        self.enough_bits = point.enough_bits
        self.methods = methods
        self.more = methods(point)
        self.best = next_method(self.more) or PreparedMethod(
            NothingKnown(), "no method applies", point.epsilon
        )

    @property
    def top(self) -> float:
        """About the largest loss, as far as the method knows."""
        return self.best.curve.top

    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon): of the first method that is narrow enough, or of the
        narrowest.
        """
        delta, used = evaluated(self.best, epsilon)
        while (
            delta.rel_accuracy_bits() < self.enough_bits
            and not self._settled(delta)
            and (prepared := self._next(epsilon, delta)) is not None
        ):
            other, used_by_other = evaluated(prepared, epsilon)
            if other.rel_accuracy_bits() > delta.rel_accuracy_bits():
                self.best = prepared
                delta = other
                used = used_by_other
        record(used)
        return delta

    def _settled(self, delta: RealBall) -> bool:
        """Whether no other method is likely to be narrower."""
        enough = self.enough_bits - self.best.fewer_bits
        return bool(self.best.fewer_bits and delta.rel_accuracy_bits() >= enough)

    def _next(self, epsilon: RealBall, delta: RealBall) -> PreparedMethod | None:
        """The next method; none if there is no other, or its plan leaves the range of doubles.

        Where the profile is far below the point that was planned for, all are planned again for a
        lower one.
        """
        most = floor_log(delta.upper())
        if (
            not self.point.given_height
            and most < self.point.log_delta - LOWER
            and self.plans < MOST_PLANS
        ):
            deeper = 0.0 if delta > 0 else DEEPER * (2 ** (self.plans - 1) - 1)
            self._plan(
                self.point._replace(epsilon=float(epsilon), log_delta=most - deeper)
            )
        self.tried += 1
        if self.tried > MOST_TRIED:
            return None
        try:
            return next_method(self.more)
        except (OverflowError, ValueError, ZeroDivisionError):
            return None

    def _plan(self, point: Point) -> None:
        self.point = point
        self.more = self.methods(point)
        self.plans += 1

    def moved(self, epsilon: float) -> bool:
        """Whether the methods are planned again, for a point at the same height so far before that
        they are poor.
        """
        before = (self.point.epsilon - epsilon) * self.point.tilt
        if not (self.best.local and FARTHER < before < MOST_NATS):
            return False
        self._plan(self.point._replace(epsilon=epsilon))
        try:
            self.best = next_method(self.more) or self.best
        except (OverflowError, ValueError, ZeroDivisionError):
            return False
        return True

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """By the narrowest method."""
        return self.best.curve.planned_log(epsilon)

    def planned_errors(self, epsilon: float, log: float) -> tuple[float, float] | None:
        """The planned errors of the narrowest method, if it knows them."""
        planned_errors = getattr(self.best.curve, "planned_errors", None)
        return None if planned_errors is None else planned_errors(epsilon, log)


def next_method(methods: Iterator[Ready]) -> PreparedMethod | None:
    """The next method that applies and fits into the work that is left.

    It is made ready apart from the record, with what it rests on so far.
    """
    for ready in methods:
        with attempt() as used:
            try:
                prepared = ready()
            except Exhausted:
                continue
        if prepared is not None:
            prepared.rests_on = frozenset(used)
            return prepared
    return None


def evaluated(
    prepared: PreparedMethod, epsilon: RealBall
) -> tuple[RealBall, frozenset[str]]:
    """The enclosure of a method at a point, and all that it rests on; the whole line if that is
    too much work.
    """
    with attempt() as used:
        try:
            delta = prepared.curve.enclosure(epsilon)
        except Exhausted:
            return error(real(math.inf)), frozenset()
    return delta, prepared.rests_on | used


class NothingKnown:
    """A profile of which nothing is known."""

    top = math.inf

    def planned_log(self, epsilon: float) -> tuple[float, float]:  # noqa: ARG002
        """Nothing is known, so there is nothing to steer by."""
        return -math.inf, 0.0

    def enclosure(self, epsilon: RealBall) -> RealBall:  # noqa: ARG002
        """Every number."""
        return error(real(math.inf))
