"""What a claim says of every event: P(S) <= growth Q(S) + slack, with rational numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from rdpacct.proof.budget.pairs import ball
from rdpacct.proof.budget.reading import (
    Values,
    exactly,
    number,
    positive,
    probability,
)
from rdpacct.proof.check.effort import EFFORT, Rejected

MAX_EPSILON = 1000
MAX_ORDER = 10**6
MAX_POINTS = 1000
Delta = Fraction | arb


@dataclass(frozen=True)
class HalfPlane:
    """The pairs (P(S), Q(S)) with P(S) <= growth Q(S) + slack."""

    epsilon: Fraction
    growth: Fraction
    """At least exp(epsilon)."""
    slack: Fraction
    """At least delta at this epsilon."""
    tangent: "Tangent | None" = None
    """The tangent of a Renyi divergence that it comes from, if it does."""


@dataclass(frozen=True)
class Tangent:
    """The order of a Renyi divergence, and the losses inside and outside of an event at which the
    tangent touches.
    """

    order: Fraction
    inside: Fraction
    outside: Fraction


def read_half_plane(given: object) -> HalfPlane:
    """The half plane that a certificate names, with growth >= exp(epsilon)."""
    keys = {"epsilon", "growth", "slack", "tangent"}
    entries = exactly(given, keys, "a half plane")
    tangent = entries["tangent"]
    plane = HalfPlane(
        number(entries["epsilon"], "an epsilon"),
        positive(entries["growth"], "a growth"),
        probability(entries["slack"], "a slack"),
        None if tangent is None else _read_tangent(tangent),
    )
    if not 0 <= plane.epsilon <= MAX_EPSILON:
        raise Rejected(f"an epsilon is not between 0 and {MAX_EPSILON}.")
    if not ball(plane.epsilon).exp() <= ball(plane.growth):
        raise Rejected("a growth is not shown to be at least exp(epsilon).")
    return plane


def _read_tangent(given: object) -> Tangent:
    entries = exactly(given, {"order", "inside", "outside"}, "a tangent")
    order = number(entries["order"], "an order")
    inside = number(entries["inside"], "a loss")
    outside = number(entries["outside"], "a loss")
    if not 1 < order <= MAX_ORDER:
        raise Rejected(f"an order is not above 1 and at most {MAX_ORDER}.")
    if not -MAX_EPSILON <= outside < inside <= MAX_EPSILON:
        raise Rejected("the losses of a tangent are not in order.")
    return Tangent(order, inside, outside)


@dataclass(frozen=True)
class ClaimKind:
    """A kind of claim: its parameters, its delta at an epsilon, and the theorems behind that."""

    parameters: frozenset[str]
    delta: Callable[[Values, HalfPlane], Delta]
    theorems: tuple[str, ...]


def _pure(values: Values, plane: HalfPlane) -> Fraction:
    _reached(_nonnegative(values, "epsilon"), plane)
    return Fraction(0)


def _approximate(values: Values, plane: HalfPlane) -> Fraction:
    _reached(_nonnegative(values, "epsilon"), plane)
    return probability(values["delta"], "delta")


def profile_delta(values: Values, plane: HalfPlane) -> Fraction:
    """The smallest delta of the points of a profile whose epsilon is not above that of a half
    plane.
    """
    points = values["points"]
    if not isinstance(points, list) or not 0 < len(points) <= MAX_POINTS:
        raise Rejected(f"the points are not a list of 1 to {MAX_POINTS}.")
    deltas = []
    for point in points:
        row = exactly(point, {"epsilon", "delta"}, "a point")
        delta = probability(row["delta"], "delta")
        if _nonnegative(row, "epsilon") <= plane.epsilon:
            deltas.append(delta)
    if not deltas:
        raise Rejected("no point of the claim has such a small epsilon.")
    return min(deltas)


def _gaussian(values: Values, plane: HalfPlane) -> arb:
    mu = _nonnegative(values, "mu")
    if mu == 0:
        return arb(0)
    distance = ball(plane.epsilon / mu)
    half = ball(mu / 2)
    beyond = _normal(-half - distance) * ball(plane.epsilon).exp()
    return _normal(half - distance) - beyond


def _renyi(values: Values, plane: HalfPlane) -> arb:
    tangent = _tangent(plane)
    if tangent.order > number(values["alpha"], "alpha"):
        raise Rejected("the order of a half plane is above that of the claim.")
    return _from_divergence(_nonnegative(values, "epsilon"), tangent, plane)


def _zcdp(values: Values, plane: HalfPlane) -> arb:
    tangent = _tangent(plane)
    rho = _nonnegative(values, "rho")
    divergence = number(values["xi"], "xi") + rho * tangent.order
    return _from_divergence(divergence, tangent, plane)


def _approximate_zcdp(values: Values, plane: HalfPlane) -> arb:
    delta = probability(values["delta"], "delta")
    rest = {"rho": values["rho"], "xi": values["xi"]}
    return ball(delta) + ball(1 - delta) * _zcdp(rest, plane)


def _mean_cdp(values: Values, plane: HalfPlane) -> arb:
    rho = _nonnegative(values, "tau") ** 2 / 2
    tangent = _tangent(plane)
    divergence = _nonnegative(values, "mu") - rho + rho * tangent.order
    return _from_divergence(divergence, tangent, plane)


def _from_divergence(divergence: Fraction, tangent: Tangent, plane: HalfPlane) -> arb:
    """The slack of a tangent to what a Renyi divergence allows, if its slope is at most the
    growth.
    """
    order = tangent.order
    less = order - 1
    inside = ball(less * tangent.inside).exp()
    outside = ball(less * tangent.outside).exp()
    far_inside = ball(order * tangent.inside).exp()
    far_outside = ball(order * tangent.outside).exp()
    scale = ball(order) * (inside - outside)
    if not scale > 0:
        raise Rejected("the losses of a tangent are too near to each other.")
    if not ball(less) * (far_inside - far_outside) / scale <= ball(plane.growth):
        raise Rejected("a growth is not shown to be at least the slope of its tangent.")
    missed = ball(order) * outside - ball(less) * far_outside
    return (ball(less * divergence).exp() - missed) / scale


def _normal(value: arb) -> arb:
    """The distribution function of the standard normal law."""
    return (-value / arb(2).sqrt()).erfc() / 2


def _tangent(plane: HalfPlane) -> Tangent:
    if plane.tangent is None:
        raise Rejected("a half plane of this claim needs a tangent.")
    return plane.tangent


def _nonnegative(values: Values, name: str) -> Fraction:
    value = number(values[name], name)
    if value < 0:
        raise Rejected(f"{name} is negative.")
    return value


def _reached(epsilon: Fraction, plane: HalfPlane) -> None:
    if epsilon > plane.epsilon:
        raise Rejected("the epsilon of a half plane is below that of the claim.")


def _kind(
    names: str, delta: Callable[[Values, HalfPlane], Delta], *theorems: str
) -> ClaimKind:
    return ClaimKind(frozenset(names.split()), delta, theorems)


KINDS = {
    "PureDP": _kind("epsilon", _pure),
    "ApproxDP": _kind("epsilon delta", _approximate),
    "ProfileDP": _kind("points", profile_delta),
    "GaussianDP": _kind("mu", _gaussian, "gaussian/delta"),
    "RenyiDP": _kind(
        "alpha epsilon", _renyi, "conversion/renyi-events", "conversion/renyi-orders"
    ),
    "ZCDP": _kind(
        "rho xi", _zcdp, "conversion/renyi-events", "conversion/zcdp-to-renyi"
    ),
    "ApproxZCDP": _kind(
        "rho xi delta",
        _approximate_zcdp,
        "conversion/renyi-events",
        "conversion/zcdp-to-renyi",
        "composition/mass-at-infinity",
    ),
    "MeanCDP": _kind(
        "mu tau",
        _mean_cdp,
        "conversion/mean-cdp-to-zcdp",
        "conversion/renyi-events",
        "conversion/zcdp-to-renyi",
    ),
}
"""The guarantees that the checker knows."""


def delta_at(kind: ClaimKind, values: Values, plane: HalfPlane) -> Delta:
    """At least the delta of a claim at the epsilon of a half plane: a number, or a ball."""
    EFFORT.spend(100)
    return kind.delta(values, plane)


def follows(kind: ClaimKind, values: Values, plane: HalfPlane) -> bool:
    """Whether the slack of a half plane is certainly at least the delta of a claim."""
    delta = delta_at(kind, values, plane)
    if isinstance(delta, Fraction):
        return delta <= plane.slack
    return bool(delta <= ball(plane.slack))
