"""The certificate of a budget: the epsilon of a plan with all that a small checker needs to compute
it anew.

What is planned here in doubles is a proposal: the line or the lattice on which the checker works.
A certificate is handed out only after the checker has accepted it.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.ball import precision
from rdpacct.exact.formula import Expr, Rational
from rdpacct.exact.number import Number, decimal_text, rational
from rdpacct.exact.raw import real
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.privacy.relation import Sensitivity
from rdpacct.proof.budget.certificate import FORMAT, check_budget
from rdpacct.proof.budget.pairs import WorstPair
from rdpacct.proof.budget.releases import KINDS, Orientation
from rdpacct.proof.check.effort import Rejected
from rdpacct.questions import epsilon, plan_of

Certificate = dict[str, Any]
NATS = 32.0
"""How far errors lie below delta, in nats."""
PLAN_BITS = 80
BITS = 192
LEAST_TILT, MOST_TILT = 2.0**-6, 2.0**14
"""Between which tilts the best one is looked for."""
MOST_NODES = 6_000
SLOW = ("PoissonSampled(Gaussian)", "PoissonSampled(Laplace)", "DiscreteGaussian")
MOST_SLOW_NODES = 1000
"""Releases whose transform is an integral or a long sum, and at how many nodes it is taken."""
MOST_DEGREE = 100_000
GOLDEN_STEPS = 12
CONTOURS = [Fraction(1, 2**k) for k in reversed(range(10))]
"""Heights of contours, as parts of a little less than the strip in which they lie."""
MOST_BLUR = Fraction(1, 100)
"""A blur of a larger part of delta raises it by more than an audit leaves room for."""
SLACK = [Fraction(0), *(Fraction(1, 10**k) for k in (9, 6, 4, 3, 2))]
"""By which parts of itself the upper end is raised, until the checker can show it."""


def budget_certificate(plan: Plan | Mechanism | str, delta: Number) -> Certificate:
    """The certificate of the epsilon of a plan at this delta, accepted by the checker.

    Its upper end is that of ``epsilon``, or a little above if the checker's one method is not as
    sharp; its lower end is left out where that method has none.
    """
    releases = plan_of(plan)
    target = rational(delta, "delta")
    if not 0 < target < 1:
        raise InputError(
            f"delta is {decimal_text(target)}, but certificates are written for one"
            " between 0 and 1; give such a delta."
        )
    rows = _rows(releases)
    bound = epsilon(releases, target)
    if not math.isfinite(bound.upper):
        raise InputError("epsilon is infinite at this delta; give a larger delta.")
    for slack in SLACK:
        most = Fraction(bound.upper) * (1 + slack)
        for least in (Fraction(bound.lower), None):
            certificate = _proposed(releases, rows, target, (least, most))
            if certificate is not None and _accepted(certificate):
                return certificate
    alone = "ask for each kind of release alone"
    remedy = alone if len(rows) > 1 else "ask for epsilon without a certificate"
    raise InputError(
        f"no certificate for {releases} was found: the checker's quadrature is too wide"
        f" there; {remedy}."
    )


def budget_within(
    plan: Plan | Mechanism | str, most: Fraction, delta: Fraction
) -> Certificate | None:
    """A certificate that a plan has at most this epsilon at this delta, accepted by the checker;
    None if there is none, or if a line would need so much blur that it shows nothing.
    """
    releases = plan_of(plan)
    if not 0 < delta < 1:
        return None
    try:
        proposed = _proposed(releases, _rows(releases), delta, (None, most))
    except InputError:
        return None
    if proposed is None or _largest_blur(proposed) > MOST_BLUR * delta:
        return None
    return proposed if _accepted(proposed) else None


def _largest_blur(certificate: Certificate) -> Fraction:
    """The largest variance that is added to the losses of a direction."""
    ways = certificate["ways"].values()
    return max(Fraction(way.get("blur", "0")) for way in ways)


def _accepted(certificate: Certificate) -> bool:
    try:
        check_budget(certificate)
    except Rejected:
        return False
    return True


def _rows(plan: Plan) -> list[dict[str, Any]]:
    """The releases as a certificate names them."""
    plan.check_relation()
    rows = []
    for mechanism, count in plan.releases:
        kind, parameters = mechanism.certified()
        known = KINDS.get(kind)
        if known is None or set(parameters) != known.parameters:
            names = ", ".join(sorted(KINDS))
            raise InputError(
                f"{mechanism} has no certificate: the small checker knows {names}; ask"
                " for a plan of these."
            )
        values = {name: _exact(value, mechanism) for name, value in parameters.items()}
        rows.append({"mechanism": kind, "parameters": values, "count": count})
    if not rows:
        raise InputError("the plan has no release; give at least one.")
    return rows


def _exact(value: object, mechanism: Mechanism) -> str | int:
    if isinstance(value, int):
        return value
    if isinstance(value, Sensitivity):
        value = value.value
    if isinstance(value, Rational):
        return str(value.value)
    if isinstance(value, Expr):
        raise InputError(
            f"{mechanism} has the parameter {value}, which is not rational; give a"
            " decimal or a fraction for a certificate."
        )
    return str(value)


def _proposed(
    plan: Plan,
    rows: list[dict[str, Any]],
    delta: Fraction,
    ends: tuple[Fraction | None, Fraction],
) -> Certificate | None:
    least, most = ends
    oriented = any(KINDS[row["mechanism"]].oriented for row in rows)
    names = {"removing": True, "adding": False} if oriented else {"either": True}
    ways = {}
    for name, removing in names.items():
        with precision(PLAN_BITS):
            way = _way(plan, _Proposal(rows, removing, float(most), float(delta)))
        if way is None:
            return None
        ways[name] = way
    return {
        "format": FORMAT,
        "version": 1,
        "relation": plan.relation.value,
        "releases": rows,
        "delta": str(delta),
        "epsilon": {"least": None if least is None else str(least), "most": str(most)},
        "bits": BITS + math.ceil(-math.log2(delta)),
        "ways": ways,
    }


def _way(plan: Plan, proposal: "_Proposal") -> Mapping[str, Any] | None:
    """What a direction proposes; a parameter that the checker does not take is bad input."""
    try:
        return proposal.way()
    except Rejected as error:
        raise InputError(
            f"{plan} has no certificate: the small checker says that {error} Ask for a"
            " plan without such a release."
        ) from None


@dataclass
class _Proposal:
    """One direction of a plan, in doubles: on which line or lattice its delta can be computed."""

    rows: list[dict[str, Any]]
    removing: bool
    epsilon: float
    delta: float

    def way(self) -> Mapping[str, Any] | None:
        """What the certificate says for this direction; None if no line was found."""
        lattice = self._lattice()
        if lattice is not None:
            return lattice
        tilt = self._tilt()
        second, period = self._second(tilt)
        if math.isinf(period):
            return None
        contour, nodes, blur = self._nodes(tilt, 2 * math.pi / period)
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

    def _pairs(
        self, contour: Fraction = Fraction(1, 1024)
    ) -> list[tuple[WorstPair, int]]:
        way = Orientation(self.removing, contour, self._reach())
        return [
            (KINDS[row["mechanism"]].pair(row["parameters"], way), row["count"])
            for row in self.rows
        ]

    def _reach(self) -> int:
        """How far sums over whole numbers must go for the precision."""
        bits = BITS - math.log2(self.delta)
        reach = 0
        for row in self.rows:
            if row["mechanism"] == "DiscreteGaussian":
                variance = float(Fraction(row["parameters"]["sigma_squared"]))
                reach = max(reach, math.ceil(math.sqrt(2 * variance * bits)) + 4)
        return reach

    def _lattice(self) -> Mapping[str, Any] | None:
        """A unit of which all losses are multiples, if there is one and the law is not too long."""
        unit = Fraction(0)
        degree = Fraction(0)
        for pair, count in self._pairs():
            rows = pair.lattice()
            if rows is None:
                return None
            losses = [loss for loss, _ in rows]
            for loss in losses:
                unit = _common(unit, loss - min(losses))
            degree += count * (max(losses) - min(losses))
        if unit == 0 or degree / unit > MOST_DEGREE:
            return None
        return {"method": "lattice", "unit": str(unit), "reach": self._reach()}

    def _log_moment(self, tilt: float) -> float:
        """About log M(t) of the sum; infinite where the checker cannot enclose it."""
        total = 0.0
        try:
            for pair, count in self._pairs():
                total += count * float(pair.transform(real(tilt), real(0)).real.log())
        except Rejected:
            return math.inf
        return total

    def _tilt(self) -> float:
        """About where log M(t) - t epsilon, which is convex, is smallest."""

        def excess(tilt: float) -> float:
            return self._log_moment(tilt) - tilt * self.epsilon

        # beyond the largest loss it falls for ever, and soon is all that is needed
        enough = math.log(self.delta) - NATS
        low, tilt = 0.0, LEAST_TILT
        while tilt < MOST_TILT and enough < excess(tilt) > excess(2 * tilt):
            low, tilt = tilt, 2 * tilt
        return _lowest(excess, max(low, LEAST_TILT / 2), 2 * tilt)

    def _second(self, tilt: float) -> tuple[float, float]:
        """A second tilt, and the shortest period at which all aliases are small."""
        nats = NATS - math.log(self.delta)
        best = (math.inf, tilt)
        for factor in (1.2, 1.5, 2.0, 3.0):
            second = factor * tilt
            chernoff = self._log_moment(second) - second * self.epsilon
            best = min(best, ((chernoff + nats) / (second - tilt), second))
        return best[1], max(best[0], nats / tilt)

    def _nodes(self, tilt: float, step: float) -> tuple[Fraction, int, float]:
        """A contour, the number of nodes, and the blur if the transform does not fall by itself."""
        at_tilt = self._log_moment(tilt) - tilt * self.epsilon
        enough = -(NATS + at_tilt - math.log(self.delta))
        height = 2 * step
        most = MOST_NODES
        if any(row["mechanism"] in SLOW for row in self.rows):
            most = MOST_SLOW_NODES
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
        shifts = [
            Fraction(row["parameters"]["sensitivity"])
            / Fraction(row["parameters"]["sigma"])
            for row in self.rows
            if row["mechanism"] == "PoissonSampled(Gaussian)"
        ]
        if not shifts:
            return [Fraction(1)]
        return [3 * part / max(shifts) for part in CONTOURS]

    def _log_decay(self, tilt: float, height: float, contour: Fraction) -> float:
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
