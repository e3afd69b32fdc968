"""On which line or lattice the small checker can compute the delta of a plan, in doubles.

All of it is a proposal, which the checker then takes or rejects.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from operator import itemgetter
from typing import Any

from rdpacct.budget.kinds import kind_of
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.raw import precision, real
from rdpacct.proof.budget.lattice import product_work, range_of
from rdpacct.proof.budget.pairs import WorstPair
from rdpacct.proof.budget.releases import KINDS, Orientation
from rdpacct.proof.check.effort import EFFORT, Rejected, TooMuchWork

NATS = 32.0
"""Errors lie this many nats below delta."""
SUM_NATS = 100.0
"""The same for what sums over whole numbers leave out, of each of very many releases."""
PLAN_BITS = 64
LEAST_TILT, MOST_TILT = 2.0**-6, 2.0**14
"""The best tilt is looked for between these."""
MOST_NODES = 6_000
MOST_SLOW_NODES = 1000
"""At how many nodes a slow transform is taken at most."""
MOST_DEGREE, LATTICE_WORK = 100_000, 3_000_000
"""Beyond this degree, or more work at the precision of a plan, a lattice is not proposed."""
GOLDEN_STEPS = 12
CONTOURS = [Fraction(1, 2**k) for k in reversed(range(10))]
"""The heights of contours, as parts of a little less than the strip in which they lie."""


@dataclass
class Proposal:
    """One direction of a plan, in doubles: on which line or lattice its delta can be computed."""

    rows: list[dict[str, Any]]
    removing: bool
    delta: float
    moments: dict[float, float] = field(default_factory=dict)
    """The logarithms of moments that were worked out."""
    decays: dict[tuple[float, float, Fraction], float] = field(default_factory=dict)
    """The logarithms of decays, since another number of nodes asks for the same ones again."""
    pairs: dict[Fraction, list[tuple[WorstPair, int]]] = field(default_factory=dict)

    def way(self, epsilon: float, part: float = 1.0) -> Mapping[str, Any] | None:
        """What the certificate says for this direction, with this part of the nodes that a line may
        have; None if no line was found.
        """
        with precision(PLAN_BITS):
            if self.lattice is not None:
                return self.lattice
            tilt = self._tilt(epsilon)
            second, period = self._second(tilt, epsilon)
            if math.isinf(period):
                return None
            chernoff = self._log_moment(tilt) - tilt * epsilon
            falling = -(NATS + chernoff - math.log(self.delta))
            contour, nodes, blur = self._nodes(
                tilt, 2 * math.pi / period, falling, part
            )
        return {
            "method": "line",
            "tilt": _short(tilt),
            "period": _short(period),
            "nodes": nodes,
            "blur": _short(blur) if blur else "0",
            "second": _short(second),
            "contour": str(contour),
            "reach": self._reach(),
        }

    def work(self, way: Mapping[str, Any]) -> int:
        """About the work of all nodes of a line, from that of the one in the middle."""
        if way["method"] != "line":
            return 0
        nodes: int = way["nodes"]
        height = math.pi * nodes / float(Fraction(way["period"]))
        before = EFFORT.spent
        with precision(PLAN_BITS):
            for pair, _ in self._pairs():
                pair.transform(real(float(Fraction(way["tilt"]))), real(height))
        return nodes * (EFFORT.spent - before)

    def _pairs(
        self, contour: Fraction = Fraction(1, 1024)
    ) -> list[tuple[WorstPair, int]]:
        """The worst pairs of the releases; what they keep is of the precision of a plan."""
        if contour not in self.pairs:
            way = Orientation(self.removing, contour, self._reach())
            self.pairs[contour] = [
                (KINDS[row["mechanism"]].pair(row["parameters"], way), row["count"])
                for row in self.rows
            ]
        return self.pairs[contour]

    def _reach(self) -> int:
        """How far sums over whole numbers must go for the precision."""
        return max(self._reaches, default=0)

    @lazy_property
    def _reaches(self) -> list[int]:
        """The same for each release; 0 for one without such sums."""
        nats = SUM_NATS - math.log(self.delta)
        return [kind_of(row).reach(row["parameters"], nats) for row in self.rows]

    @lazy_property
    def lattice(self) -> Mapping[str, Any] | None:
        """A unit of which all losses are multiples, if there is one and the law is not too long."""
        unit = Fraction(0)
        degree = Fraction(0)
        smaller = 0.0
        # long sums last, since another pair may have no lattice at all
        by_reach = zip(self._reaches, self._pairs(), strict=True)
        terms = sorted(by_reach, key=itemgetter(0))
        for _, (pair, count) in terms:
            rows = pair.lattice()
            if rows is None:
                return None
            losses = [loss for loss, _ in rows]
            for loss in losses:
                unit = _common(unit, loss - min(losses))
            degree += count * (max(losses) - min(losses))
            smaller += count * range_of(rows)
        if unit == 0 or degree / unit > MOST_DEGREE:
            return None
        if product_work(int(degree / unit), smaller) > LATTICE_WORK:
            return None
        return {"method": "lattice", "unit": str(unit), "reach": self._reach()}

    def _log_moment(self, tilt: float) -> float:
        """About log M(t) of the sum; infinite where the checker cannot enclose it."""
        if tilt not in self.moments:
            self.moments[tilt] = self._new_log_moment(tilt)
        return self.moments[tilt]

    def _new_log_moment(self, tilt: float) -> float:
        total = 0.0
        try:
            for pair, count in self._pairs():
                total += count * float(pair.transform(real(tilt), real(0)).real.log())
        except TooMuchWork:
            raise
        except Rejected:
            return math.inf
        return total

    def _tilt(self, epsilon: float) -> float:
        """About where log M(t) - t epsilon, which is convex, is smallest."""

        def excess(tilt: float) -> float:
            return self._log_moment(tilt) - tilt * epsilon

        # beyond the largest loss it falls for ever, and soon is all that is needed
        enough = math.log(self.delta) - NATS
        low, tilt = 0.0, LEAST_TILT
        while tilt < MOST_TILT and enough < excess(tilt) > excess(2 * tilt):
            low, tilt = tilt, 2 * tilt
        return _lowest(excess, max(low, LEAST_TILT / 2), 2 * tilt)

    def _second(self, tilt: float, epsilon: float) -> tuple[float, float]:
        """A second tilt, and the shortest period at which all aliases are small."""
        nats = NATS - math.log(self.delta)
        best = (math.inf, tilt)
        for factor in (1.2, 1.5, 2.0, 3.0):
            second = factor * tilt
            chernoff = self._log_moment(second) - second * epsilon
            best = min(best, ((chernoff + nats) / (second - tilt), second))
        return best[1], max(best[0], nats / tilt)

    def _nodes(
        self, tilt: float, step: float, enough: float, part: float
    ) -> tuple[Fraction, int, float]:
        """A contour, the number of nodes, and the blur if the transform does not fall enough by
        itself.
        """
        height = 2 * step
        slow = any(kind_of(row).is_slow for row in self.rows)
        most = math.ceil(part * (MOST_SLOW_NODES if slow else MOST_NODES)) + 3
        contours = self._contours()
        best = 0
        while height < most * step:
            tried = range(max(best - 1, 0), len(contours))
            falls, best = self._first_lowest(tilt, height, contours, tried)
            if falls <= enough:
                return contours[best], math.ceil(height / step) + 1, 0.0
            height *= 1.2
        return contours[best], most, -2 * enough / (height * height)

    def _first_lowest(
        self, tilt: float, height: float, contours: list[Fraction], tried: range
    ) -> tuple[float, int]:
        """The decay on the first of these contours after which it is weaker, and which that is."""
        lowest = (math.inf, tried.start)
        for index in tried:
            falls = self._log_decay(tilt, height, contours[index])
            if falls >= lowest[0]:
                break
            lowest = (falls, index)
        return lowest

    def _contours(self) -> list[Fraction]:
        """Contours that lie in the strip of every sampled normal loss, the lowest first."""
        shifts = [kind_of(row).shift(row["parameters"]) for row in self.rows]
        known = [shift for shift in shifts if shift is not None]
        if not known:
            return [Fraction(1)]
        return [3 * part / max(known) for part in CONTOURS]

    def _log_decay(self, tilt: float, height: float, contour: Fraction) -> float:
        place = tilt, height, contour
        if place not in self.decays:
            self.decays[place] = self._new_log_decay(tilt, height, contour)
        return self.decays[place]

    def _new_log_decay(self, tilt: float, height: float, contour: Fraction) -> float:
        total = 0.0
        for pair, count in self._pairs(contour):
            share = float(pair.decay(real(tilt), real(height)))
            if share < 1:
                total += count * (math.log(share) if share > 0 else -1e9)
        return total


def _common(first: Fraction, second: Fraction) -> Fraction:
    """The largest number of which both are whole multiples."""
    denominator = math.lcm(first.denominator, second.denominator)
    return Fraction(
        math.gcd(int(first * denominator), int(second * denominator)), denominator
    )


def _lowest(function: Callable[[float], float], low: float, high: float) -> float:
    """About where a function that falls and then rises is lowest, by the golden section."""
    ratio = (math.sqrt(5) - 1) / 2
    left = high - ratio * (high - low)
    right = low + ratio * (high - low)
    values = function(left), function(right)
    for _ in range(GOLDEN_STEPS):
        if values[0] <= values[1]:
            high, right = right, left
            left = high - ratio * (high - low)
            values = function(left), values[0]
        else:
            low, left = left, right
            right = low + ratio * (high - low)
            values = values[1], function(right)
    return (low + high) / 2


def _short(value: float) -> str:
    """A decimal of few digits, above zero."""
    return str(Fraction(f"{value:.4g}"))
