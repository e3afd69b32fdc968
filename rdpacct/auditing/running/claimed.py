"""What is claimed of running code: the half planes that a guarantee or a plan allows its events.

The slack of a half plane is worked out by the function with which the checker works it out again.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rdpacct.auditing.running.tangents import tangent_at, tangents
from rdpacct.errors import InputError
from rdpacct.exact.ball import precision
from rdpacct.exact.bound import decimal_down, decimal_up
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import shorten
from rdpacct.exact.raw import real
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.plan import read_claim, read_plan
from rdpacct.plan.text import is_file
from rdpacct.privacy.event_bounds import event_growth
from rdpacct.privacy.guarantee import Guarantee, ProfileDP, RandomDP, RenyiDP
from rdpacct.proof.audit.certificate import ALL_KINDS
from rdpacct.proof.audit.half_plane import HalfPlane, Tangent, delta_at
from rdpacct.proof.check import Rejected
from rdpacct.questions import Questions, plan_of

BITS = 192
DIGITS = 15
LEVELS = tuple(
    Fraction(k, 16)
    for k in (0, 2, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128)
)
"""The epsilons at which a claim about a whole curve is tested."""
LARGEST_EPSILON = 100
"""A larger epsilon is not tested: no number of trials tells anything about it."""
RAISED = Fraction(1, 10**4)
"""A delta of a plan is raised by this part of itself."""
LEAST_DELTA = Fraction(1, 10**15)
"""A smaller delta of a plan is not tested: no number of trials tells it from zero."""
OF_ONE_POINT = ("PureDP", "ApproxDP")
WITH_ORDERS = ("RenyiDP", "ZCDP", "ApproxZCDP", "MeanCDP")


@dataclass(frozen=True)
class Claimed:
    """A claim in the form that a certificate has, and its half planes."""

    stated: Guarantee | Plan
    kind: str
    parameters: Mapping[str, Any]
    planes: tuple[HalfPlane, ...]


def claimed(claim: Guarantee | Plan | Mechanism | str) -> Claimed:
    """What a guarantee, a plan or the text of one says of every event."""
    stated = _stated(claim)
    if isinstance(stated, RandomDP):
        raise InputError(
            f"{stated} is about drawn data and not about two data sets; claim"
            " ApproxDP(epsilon=alpha, delta=eta) of the two, or ask"
            " random_dp.estimate_from_runs."
        )
    if isinstance(stated, Plan):
        kind = "StatedPlan"
        parameters = {"plan": str(stated), **point_parameters(_plan_points(stated))}
    else:
        kind = type(stated).__name__
        parameters = _parameters(stated)
    try:
        planes = tuple(_planes(kind, parameters))
    except Rejected as error:
        raise InputError(
            f"the claim {shorten(str(stated), 120)} cannot be tested, since"
            f" {str(error).rstrip('.')}; give numbers of usual size."
        ) from None
    if not planes:
        raise InputError(
            f"the claim {shorten(str(stated), 120)} allows so much that no number of"
            f" trials can refute it; claim an epsilon of at most {LARGEST_EPSILON}."
        )
    return Claimed(stated, kind, parameters, planes)


def _stated(claim: Guarantee | Plan | Mechanism | str) -> Guarantee | Plan:
    if isinstance(claim, Guarantee | Plan):
        return claim
    if isinstance(claim, Mechanism):
        return plan_of(claim)
    if not isinstance(claim, str):
        raise InputError(
            f"the claim is {shorten(repr(claim))}; give a guarantee, a plan, or the text"
            " of one."
        )
    if is_file(claim):
        return read_plan(claim)
    try:
        return read_claim(claim)
    except InputError as no_guarantee:
        try:
            return read_plan(claim)
        except InputError:
            raise no_guarantee from None


def _parameters(stated: Guarantee) -> dict[str, Any]:
    """The parameters as exact decimals; irrational ones are rounded to what is claimed at most."""
    if isinstance(stated, ProfileDP):
        return point_parameters(stated.points)
    rounded = {name: _up(value) for name, value in stated.parameters().items()}
    if isinstance(stated, RenyiDP):
        # A divergence bounds those of smaller orders.
        rounded["alpha"] = _down(stated.alpha)
    return {name: str(value) for name, value in rounded.items()}


def point_parameters(points: Any) -> dict[str, Any]:
    """The parameters of a ProfileDP with these points, as a certificate has them."""
    return {
        "points": [
            {"epsilon": str(level), "delta": str(delta)} for level, delta in points
        ]
    }


def _up(value: Expr) -> Fraction:
    bound = value.bound()
    if bound.is_exact:
        return Fraction(bound.upper)
    return Fraction(decimal_up(bound.upper))


def _down(value: Expr) -> Fraction:
    bound = value.bound()
    if bound.is_exact:
        return Fraction(bound.lower)
    return Fraction(decimal_down(bound.lower))


def _plan_points(plan: Plan) -> Iterator[tuple[Fraction, Fraction]]:
    """Points of the certified curve of a plan, as far as its delta is worth a test, rounded up by a
    little more than the ends need, so that a certificate of its budget reaches them.
    """
    asked = Questions(plan)
    last = max(asked.epsilon(LEAST_DELTA).upper, 0)
    for level in LEVELS:
        if level > last:
            break
        raised = Fraction(asked.delta(level).upper) * (1 + RAISED)
        yield level, min(Fraction(decimal_up(raised, 12)), Fraction(1))


def _planes(kind: str, parameters: Mapping[str, Any]) -> Iterator[HalfPlane]:
    if kind in WITH_ORDERS:
        candidates = [
            _tangent_plane(kind, parameters, tangent)
            for tangent in tangents(kind, parameters)
        ]
    else:
        candidates = [
            _plane(kind, parameters, level)
            for level in _levels(kind, parameters)
            if level <= LARGEST_EPSILON
        ]
    return (plane for plane in candidates if plane.growth >= 1 and plane.slack < 1)


def plane_at(kind: str, parameters: Mapping[str, Any], level: Fraction) -> HalfPlane:
    """The half plane of a claim at an epsilon; of a claim about Renyi divergences, with a slope
    that is larger by very little.
    """
    if kind not in WITH_ORDERS:
        return _plane(kind, parameters, level)
    tangent = tangent_at(kind, parameters, level)
    plane = _tangent_plane(kind, parameters, tangent)
    with precision(BITS):
        steep_enough = bool(real(level).exp() <= real(plane.growth))
    return replace(plane, epsilon=level) if steep_enough else plane


def _levels(kind: str, parameters: Mapping[str, Any]) -> list[Fraction]:
    if kind in OF_ONE_POINT:
        return [Fraction(parameters["epsilon"])]
    if "points" in parameters:
        return [Fraction(point["epsilon"]) for point in parameters["points"]]
    return list(LEVELS)


def _plane(kind: str, parameters: Mapping[str, Any], level: Fraction) -> HalfPlane:
    """The half plane at an epsilon, with growth and slack rounded up."""
    with precision(BITS):
        bare = HalfPlane(level, _above(real(level).exp()), Fraction(0))
        return _with_slack(kind, parameters, bare)


def _tangent_plane(
    kind: str, parameters: Mapping[str, Any], tangent: Tangent
) -> HalfPlane:
    """The half plane of a tangent, with growth and slack rounded up."""
    slope = event_growth(tangent.order, tangent.inside, tangent.outside).bound().upper
    growth = Fraction(decimal_up(slope, DIGITS))
    level = Fraction(max(math.floor(math.log(growth) * 10**6) - 1, 0), 10**6)
    with precision(BITS):
        return _with_slack(
            kind, parameters, HalfPlane(level, growth, Fraction(0), tangent)
        )


def _with_slack(kind: str, parameters: Mapping[str, Any], bare: HalfPlane) -> HalfPlane:
    delta = delta_at(ALL_KINDS[kind], parameters, bare)
    slack = delta if isinstance(delta, Fraction) else _above(delta)
    return replace(bare, slack=min(slack, Fraction(1)))


SMALLEST = Fraction(1, 10**300)
"""Smaller numbers are rounded up to this one, since some have too many digits to be written."""


def _above(value: Any) -> Fraction:
    """A decimal of few digits that is certainly at least a ball."""
    if not value < 10**300:
        return Fraction(1) if math.isnan(float(value)) else Fraction(10**300)
    upper = value.upper()
    if upper > 0 and upper < real(SMALLEST):
        return SMALLEST
    mantissa, exponent = upper.mid().man_exp()
    exact = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return Fraction(decimal_up(max(exact, Fraction(0)), DIGITS))
