"""What is known of one run, of which the best of several is kept."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball, RealBall, precision
from rdpacct.exact.bound import End
from rdpacct.exact.formula import ZERO
from rdpacct.exact.raw import real
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.convert import renyi_to_approx
from rdpacct.privacy.guarantee import RenyiDP
from rdpacct.privacy.nodes import Nodes
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.transform import Transform
from rdpacct.provenance import attempt, record
from rdpacct.work import Exhausted

BITS = 128
Factors = tuple[tuple[Transform, int], ...]
"""The transforms whose product is that of a run, with how often each occurs."""
STEPS = 24
"""The number of times that the range of a tilt is narrowed."""
LEAST_TILT, MOST_TILT = 2.0**-6, 2.0**16


@dataclass(frozen=True)
class KnownRun:
    """The profile of one run, and losses of it that can occur."""

    profile: Profile
    occurring: tuple[Loss, ...]


@dataclass(frozen=True)
class OneRun:
    """The moments of one run in each direction, and its profile if that is known."""

    ways: tuple[Factors, ...]
    known: KnownRun | None = None

    def planned(self, tilt: float) -> float:
        """About log E exp(tilt L), in the worse direction."""
        if not self.ways:
            return math.inf
        return max(
            math.fsum(count * transform.planned(tilt) for transform, count in factors)
            for factors in self.ways
        )

    @property
    def last(self) -> float:
        """The largest tilt at which moments are bounded."""
        known = [
            transform.planned_last for factors in self.ways for transform, _ in factors
        ]
        return min((last for last in known if last is not None), default=math.inf)

    def log_moment(self, tilt: RealBall) -> RealBall:
        """At least log E exp(tilt L), in both directions, at the current precision."""
        nodes = Nodes(tilt, real(1), 1)
        largest = real(0 if self.ways else math.inf)
        for factors in self.ways:
            total = real(0)
            for transform, count in factors:
                total += transform.at(nodes)[0].real.log() * count
            largest = largest.max(total)
        return largest


def one_run_of(plan: Plan, known: KnownRun | None) -> OneRun:
    """What the mechanisms of a plan say of one run of all of them.

    Where a loss may be infinite, or where work is used up, no moments are known.
    """
    known = known or _known_alone(plan.single)
    try:
        releases = [(m.directions(), count) for m, count in _above(plan).releases]
    except Exhausted:
        return OneRun((), known)
    every = [direction for directions, _ in releases for direction in directions]
    if any(direction.at_infinity != ZERO for direction in every):
        return OneRun((), known)
    ways = max(len(directions) for directions, _ in releases)
    factors = []
    for way in range(ways):
        chosen = [(d[min(way, len(d) - 1)].transform, count) for d, count in releases]
        factors.append(tuple((t, count) for t, count in chosen if t is not None))
    return OneRun(tuple(factors), known)


def _above(plan: Plan) -> Plan:
    """The plan with what is above all alternatives of a release in its place."""
    parts = []
    for mechanism, count in plan.terms:
        alternatives = mechanism.alternatives()
        part = (
            Plan.of(mechanism) if alternatives is None else _above(alternatives.above)
        )
        parts.append(part * count)
    return Plan.total(parts)


def says_all(mechanism: Mechanism) -> bool:
    """Whether a release says itself what a run of it alone does; if not, composition does."""
    known_elsewhere = mechanism.by_moments or mechanism.of_plans
    return not known_elsewhere and mechanism.alternatives() is None


def _known_alone(mechanism: Mechanism | None) -> KnownRun | None:
    """What a single release says of a run of it; for a sum, composition says it."""
    if mechanism is None or not says_all(mechanism):
        return None
    profile = mechanism.profile()
    occurring = mechanism.attained()
    if not occurring and profile.losses_occur:
        occurring = profile.losses
    return KnownRun(profile, occurring)


def best_tilt(cost: Callable[[float], float], last: float) -> Fraction:
    """About where a cost that has one valley is least, up to the last tilt."""
    most = min(MOST_TILT, last)
    low, high = math.log(min(LEAST_TILT, most / 2)), math.log(most)
    for _ in range(STEPS):
        third = (high - low) / 3
        if cost(math.exp(low + third)) <= cost(math.exp(high - third)):
            high -= third
        else:
            low += third
    return Fraction(math.exp(low)).limit_denominator(2**20) or Fraction(1, 2**20)


def least_of(*ways: Callable[[], End | None]) -> End:
    """The least of several bounds, recorded with the theorems of that one; None stands for no
    bound.
    """
    bounds: list[tuple[End, set[str]]] = []
    for way in ways:
        with attempt() as used:
            bound = _attempted(way)
        if bound is not None:
            bounds.append((bound, used))
    least, used = min(bounds, key=itemgetter(0))
    record(used)
    return least


def _attempted(way: Callable[[], End | None]) -> End | None:
    try:
        return way()
    except UndecidedError:
        return None


def upper_end(ball: RealBall) -> Fraction:
    """The upper end of a value at the current precision."""
    return Fraction(Ball(ball, BITS).upper())


def epsilon_by_moments(
    planned: Callable[[float], float],
    log_moment: Callable[[RealBall], RealBall],
    last: float,
    delta: Fraction,
) -> Fraction | float:
    """An epsilon that is enough at this delta, by the Renyi divergence of the best order."""
    size = -math.log(delta)

    def cost(tilt: float) -> float:
        rest = math.log1p(-1 / (1 + tilt)) * tilt - math.log1p(tilt)
        return (planned(tilt) + size + rest) / tilt

    promised = promised_at(log_moment, best_tilt(cost, last))
    if promised is None:
        return math.inf
    return renyi_to_approx(promised, delta).epsilon.bound().upper


def delta_by_moments(
    planned: Callable[[float], float],
    log_moment: Callable[[RealBall], RealBall],
    last: float,
    epsilon: Fraction,
) -> Fraction:
    """A delta that is enough at this epsilon, by the Renyi divergence of the best order."""
    level = float(epsilon)

    def cost(tilt: float) -> float:
        rest = math.log1p(-1 / (1 + tilt)) * tilt - math.log1p(tilt)
        return planned(tilt) - tilt * level + rest

    tilt = best_tilt(cost, last)
    promised = promised_at(log_moment, tilt)
    guess = cost(float(tilt))
    if promised is None or not -4000 < guess < 0:
        return Fraction(1)
    with precision(BITS):
        delta = upper_end(real(guess).exp()) * (1 + Fraction(1, 2**30))
    enough = renyi_to_approx(promised, delta).epsilon.bound()
    return min(delta, Fraction(1)) if enough.certainly_at_most(epsilon) else Fraction(1)


def promised_at(
    log_moment: Callable[[RealBall], RealBall], tilt: Fraction
) -> RenyiDP | None:
    """The Renyi divergence of order 1 + tilt; None if it is infinite."""
    with precision(BITS):
        most = Ball(log_moment(real(tilt)) / real(tilt), BITS).upper()
    return RenyiDP(1 + tilt, most) if isinstance(most, Fraction) else None
